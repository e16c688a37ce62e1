package world

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"appliance/app/apptest"
)

// If a dataset does not match its schema, these two checks fail in addition to
// the check of the broken rule.
const (
	schemaOfDataset = "PT-04 the dataset fits its schema"
	schemaOfWorld   = "PT-44 every published schema can be read, and the outputs fit them"
)

var breakages = []breakage{
	{name: "a section is missing", response: editDataset(func(d map[string]any) { delete(d, "sources") }),
		failed: []string{"W-23 the dataset has exactly eleven sections", schemaOfDataset, schemaOfWorld}},
	{name: "a session without a stream", response: editSession(func(d map[string]any) { delete(d["capabilities"].(map[string]any), "stream") }),
		failed: []string{
			"B-104 a known Last-Event-ID gets no event while nothing changes", "B-104 an unknown Last-Event-ID gets one event with all sections",
			"B-104 the session and the dataset offer the same stream", "B-104 the stream opens with the headers of an event stream", "B-104 the stream requires a token",
			"PT-04 the session fits its schema", schemaOfWorld,
		}},
	{name: "a stream that caches keep", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/stream" && r.StatusCode == http.StatusOK {
			r.Header.Set("Cache-Control", "public")
		}
	}, failed: []string{"B-104 the stream opens with the headers of an event stream"}},
	{name: "a stream that forgets what it has sent", request: func(r *http.Request) {
		if r.Header.Get("Last-Event-ID") != "" {
			r.Header.Set("Last-Event-ID", "forgotten")
		}
	}, failed: []string{"B-104 a known Last-Event-ID gets no event while nothing changes"}},
	{name: "an event without its services", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/stream" && r.StatusCode == http.StatusOK {
			r.Body = &editedLines{Closer: r.Body, lines: bufio.NewReader(r.Body), edit: func(line []byte) []byte {
				return bytes.Replace(line, []byte(`"services"`), []byte(`"panels"`), 1)
			}}
		}
	}, failed: []string{"B-104 an unknown Last-Event-ID gets one event with all sections"}},
	{name: "a panel without an ETag", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/panels/time" {
			r.Header.Del("ETag")
		}
	}, failed: []string{"B-102 an unchanged panel is 304"}},
	{name: "an additional section", response: editDataset(func(d map[string]any) { d["surfaces"] = []any{} }),
		failed: []string{"W-23 the dataset has exactly eleven sections", "W-37 the dataset has no presentation terms"}},
	{name: "another contract version", response: editDataset(func(d map[string]any) { firstItem(map[string]any{"x": []any{d["contract"]}}, "x")["version"] = 2 }),
		failed: []string{"W-22 the dataset names its contract"}},
	{name: "a reference to a missing action", response: editDataset(func(d map[string]any) {
		firstItem(d, "objects", "object_type", "community")["actions"] = []any{"act_nobody"}
	}), failed: []string{"W-34 every action id refers to an action"}},
	{name: "a reference to a missing object", response: editDataset(func(d map[string]any) {
		firstItem(d, "contexts", "kind", "time")["target"] = map[string]any{"kind": "object", "world_object_id": "wo_nothing"}
	}), failed: []string{"W-33 every target is in the dataset"}},
	{name: "an empty section without a fallback", response: editDataset(func(d map[string]any) {
		d["fallbacks"] = slices.DeleteFunc(d["fallbacks"].([]any), func(f any) bool { return apptest.At(f, "scope.section") == "field.objects" })
	}), failed: []string{"W-41 exactly the empty sections have a fallback", "P-09 an empty field has a fallback"}},
	{name: "a permission that is null", response: editDataset(func(d map[string]any) { apptest.At(d, "objects.0.permissions").(map[string]any)["can_reply"] = nil }),
		failed: []string{"W-14 every permission is true or false", schemaOfDataset, schemaOfWorld}},
	{name: "a presentation term in a key", response: editDataset(func(d map[string]any) { apptest.At(d, "objects.0.state").(map[string]any)["cardColor"] = "red" }),
		failed: []string{"W-37 the dataset has no presentation terms"}},
	{name: "a presentation term in a URL", response: editDataset(func(d map[string]any) {
		command := firstItem(d, "actions", "type", "open_thread")["command"].(map[string]any)
		command["url"] = command["url"].(string) + "?rail=1"
	}), failed: []string{"W-37 the dataset has no presentation terms"}},
	{name: "markup in a message of the system", response: editDataset(func(d map[string]any) { firstItem(d, "fallbacks")["message"] = "See <a href='/'>there</a>" }),
		failed: []string{"W-38 the texts of the system have no markup"}},
	{name: "a finding without its position", response: editSession(func(d map[string]any) {
		delete(findingOf(d)["service_payload"].(map[string]any), "latitude")
	}), failed: []string{"F-19 findings have the fields and the actions of their type"}},
	{name: "a finding of the dataset without its provider", response: editDataset(func(d map[string]any) {
		firstItem(d, "findings")["source_service"] = ""
	}), failed: []string{"F-26 findings of the dataset are those of the session, in canonical terms"}},
	{name: "the administration is offered to a member", response: editSession(func(d map[string]any) {
		service := maps.Clone(firstItem(d, "services", "id", "time"))
		service["id"] = "operator"
		d["services"] = append(d["services"].([]any), service)
	}), failed: []string{"B-109 the administration is offered to operators alone"}},
	{name: "an opened place without its position", response: editSession(func(d map[string]any) {
		surface := firstItem(d, "surface_runtime.surfaces", "surface_type", "map_surface")
		delete(apptest.At(surface, "runtime_state.surface_object.content").(map[string]any), "location")
	}), failed: []string{"S-61 a place that was opened has its position and a map"}},
	{name: "a page that was read with markup", response: editSession(func(d map[string]any) {
		surface := firstItem(d, "surface_runtime.surfaces", "surface_type", "web_business_surface")
		apptest.At(surface, "runtime_state.surface_object.content").(map[string]any)["name"] = "<img src=x>"
	}), failed: []string{"S-67 a page that was read is plain data"}},
	{name: "a page that was read with the address of a picture at the site", response: editSession(func(d map[string]any) {
		surface := firstItem(d, "surface_runtime.surfaces", "surface_type", "web_business_surface")
		apptest.At(surface, "runtime_state.surface_object.content.images.0").(map[string]any)["url"] = "https://example.org/front.jpg"
	}), failed: []string{"S-67 a page that was read is plain data"}},
	{name: "an invalid search that is accepted", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/find/query" && r.Request.Method == http.MethodPost {
			r.StatusCode = http.StatusOK
		}
	}, failed: []string{"F-01 invalid searches are rejected"}},
	{name: "an unknown state of a fallback", response: editDataset(func(d map[string]any) {
		firstItem(d, "fallbacks", "scope.kind", "service")["state"] = "broken"
	}), failed: []string{schemaOfDataset, schemaOfWorld}},
	{name: "an unknown kind of target", response: editDataset(func(d map[string]any) {
		firstItem(d, "actions")["target"] = map[string]any{"kind": "planet"}
	}), failed: []string{schemaOfDataset, schemaOfWorld}},
	{name: "a source with an address", response: editDataset(func(d map[string]any) { firstItem(d, "sources", "status", "ready")["kind"] = "/service" }),
		failed: []string{"W-44 sources have their fields and no addresses", schemaOfDataset, schemaOfWorld}},
	{name: "a wrong count of a source", response: editDataset(func(d map[string]any) { firstItem(d, "sources")["object_count"] = 77 }),
		failed: []string{"PT-42 counts are the numbers of what they count"}},
	{name: "an object twice", response: editDataset(func(d map[string]any) {
		copied := maps.Clone(firstItem(d, "objects", "object_type", "profile"))
		copied["world_object_id"] = copied["world_object_id"].(string) + "x"
		d["objects"] = append(d["objects"].([]any), copied)
	}), failed: []string{"W-30 objects and sources correspond one to one", "PT-42 counts are the numbers of what they count",
		"W-142 POST /world/session returns the dataset under the harness contract", "W-112 the translated output has the objects of the dataset"}},
	{name: "a placement that the workspace does not have", response: editDataset(func(d map[string]any) {
		firstItem(d, "objects", "object_type", "task")["placement"] = map[string]any{"area": "carry", "position": 7}
	}), failed: []string{"W-53 placement and focus of objects agree with the workspace"}},
	{name: "an origin without a location", response: editDataset(func(d map[string]any) {
		if field := d["field"].(map[string]any); field["origin"] == nil {
			field["origin"] = map[string]any{"latitude": 52, "longitude": 13}
		}
	}), failed: []string{"W-45 without a location the field has no origin"}},
	{name: "a command on another host", response: editDataset(func(d map[string]any) {
		firstItem(d, "actions", "type", "create_calendar")["command"].(map[string]any)["url"] = "https://elsewhere.example.org/world/calendars"
	}), failed: []string{"W-35 every action is a complete request", "W-01 every published URL is a path below /world/"}},
	{name: "a command without a route", response: editDataset(func(d map[string]any) {
		firstItem(d, "actions", "type", "create_calendar")["command"].(map[string]any)["url"] = "/world/calenders"
	}), failed: []string{"PT-02 the route of every published command accepts its method"}},
	{name: "a time with an offset", response: editDataset(func(d map[string]any) {
		firstItem(d, "objects", "object_type", "message_thread")["state"].(map[string]any)["created_at"] = "2026-11-21T12:00:00+01:00"
	}), failed: []string{threadObjects, "PT-43 every time is in UTC or has a time zone"}},
	{name: "another order in every read", response: func() func(*http.Response) {
		turn := 0
		return editDataset(func(d map[string]any) {
			turn++
			list := d["objects"].([]any)
			d["objects"] = append(list[turn%len(list):], list[:turn%len(list)]...)
		})
	}(), failed: []string{"PT-47 two reads return the same bytes", "B-105 the changes since a dataset, applied to it, are the next dataset"}},
	{name: "If-None-Match is ignored", request: func(r *http.Request) { r.Header.Del("If-None-Match") },
		failed: []string{"B-84 an unchanged dataset is 304", "B-102 an unchanged panel is 304", "B-105 unchanged data is 304 also for a request of changes"}},
	{name: "X-Service-Runtime is not required", request: func(r *http.Request) {
		if r.Header.Get("X-Service-Runtime") == "" {
			r.Header.Set("X-Service-Runtime", "something/1")
		}
	}, failed: []string{"W-21 X-Service-Runtime is required and has at most 1024 bytes"}},
	{name: "prefetching moves the read cursor", request: func(r *http.Request) { r.Header.Del("Sec-Purpose") },
		failed: []string{"B-50 prefetching does not move read cursors"}},
	{name: "an unsupported media type is accepted", response: func(r *http.Response) {
		if r.StatusCode == http.StatusUnsupportedMediaType {
			r.StatusCode = http.StatusOK
			replaceBody(r, "{}")
		}
	}, failed: []string{"W-12 an unsupported media type is rejected"}},
	{name: "another media type for JSON", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/panels/social" {
			r.Header.Set("Content-Type", "text/json")
		}
	}, failed: []string{"W-08 every response body is JSON and declares it, except pictures"}},
	{name: "an unpublished error", response: func(r *http.Response) {
		if r.StatusCode == http.StatusNotFound && r.Request.URL.Path == "/world/panels/maps" {
			replaceBody(r, `{"error": {"code": "gone_fishing"}}`)
		}
	}, failed: []string{"PT-44 every error response is a published error"}},
	{name: "405 without Allow", response: func(r *http.Response) { r.Header.Del("Allow") },
		failed: []string{"W-13 an unknown method is 405 with the allowed methods", "PT-02 the route of every published command accepts its method"}},
	{name: "the token in a header", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/calendars" || r.Request.URL.Path == "/world/panels/time" {
			r.Header.Set("X-Debug", r.Request.Header.Get("Authorization"))
		}
	}, failed: []string{"W-24 no response contains the token"}},
	{name: "a public Cache-Control", response: func(r *http.Response) {
		if r.Request.URL.Path == "/world/identity/me" {
			r.Header.Set("Cache-Control", "public, max-age=60")
		}
	}, failed: []string{"B-89 shared caches must not store member data"}},
	{name: "a panel of another kind", response: editDocument("/world/panels/social", func(d map[string]any) { d["kind"] = "society" }),
		failed: []string{"W-120 every panel has its fields"}},
	{name: "a panel of settings without a session", response: editSettings("sessions", func(d map[string]any) {
		maps.Copy(firstItem(d, "sections"), map[string]any{"items": []any{}, "summary": "No sessions."})
	}),
		failed: []string{"W-120 the panel of settings lists the sessions, device passwords and blocks that the read routes list"}},
	{name: "a panel of settings with a secret", response: editSettings("devices", func(d map[string]any) { d["summary"] = "Phone: n6tp-4gsy-dc9m-9qtg-q3a4" }),
		failed: []string{"W-24 the panel of settings contains no secrets"}},
	{name: "a password as a default", response: editSettings("password", func(d map[string]any) {
		firstItem(d, "action_descriptors.0.controls")["default"] = "correct horse battery"
	}), failed: []string{"W-24 the panel of settings contains no secrets"}},
	{name: "a panel of settings without an action of the dataset", response: editSettings("devices", func(d map[string]any) { d["action_descriptors"] = []any{} }),
		failed: []string{"W-37 the panel of settings offers the actions on the account that the dataset offers"}},
	{name: "an unknown type of controls in the panel of settings", response: editSettings("profile", func(d map[string]any) {
		firstItem(d, "action_descriptors.0.controls")["type"] = "hologram"
	}), failed: []string{"W-76 the panel of settings has its fields and fits its schema in every view"}},
	{name: "a form without controls", response: editDocument("/world/panels/messages/rail", func(d map[string]any) { delete(firstItem(d, "action_descriptors"), "controls") }),
		failed: []string{"W-125 every form has its fields and controls", "W-120 every panel fits its schema"}},
	{name: "a wrong total of the status", response: editSession(func(d map[string]any) { d["status"].(map[string]any)["total"] = 99 }), failed: []string{"W-74 the status total is the sum of the other counts"}},
	{name: "an additional part of the session", response: editSession(func(d map[string]any) { d["user"] = map[string]any{} }),
		failed: []string{"W-60 the session has exactly nine parts"}},
	{name: "a dock item on another host", response: editSession(func(d map[string]any) {
		firstItem(d, "shell.dock.items")["action"].(map[string]any)["url"] = "//elsewhere.example.org/world/x"
	}), failed: []string{"W-80 every item of the dock is a complete request", "W-01 every published URL is a path below /world/"}},
	{name: "a wrong badge", response: editSession(func(d map[string]any) {
		firstItem(apptest.At(d, "shell.dock").(map[string]any), "items", "id", "messages")["badge"] = map[string]any{"count": 99, "kind": "unread"}
	}), failed: []string{dockBadges}},
	{name: "a default surface that can be removed", response: editSession(func(d map[string]any) {
		firstItem(apptest.At(d, "surface_runtime").(map[string]any), "surfaces", "surface_id", "surface_social")["removable"] = true
	}), failed: []string{"B-106 exactly the removable surfaces have a command that removes them"}},
	{name: "no action to sign out", response: editSession(func(d map[string]any) { apptest.At(d, "shell").(map[string]any)["actions"] = []any{} }),
		failed: []string{"B-106 the session describes the server, and has an action to sign out"}},
	{name: "a list instead of an object", response: editSession(func(d map[string]any) {
		firstItem(d, "surface_runtime.surfaces")["placement"].(map[string]any)["metadata"] = []any{}
	}), failed: []string{"S-05 every surface has its fields", "S-01 the surface runtime has its fields and commands", "PT-04 the session fits its schema", schemaOfWorld}},
	{name: "a stack with a missing surface", response: editSession(func(d map[string]any) {
		firstItem(d, "surface_runtime.stacks")["surface_order"] = []any{"surface_nothing"}
		firstItem(d, "surface_runtime.stacks")["focused_surface_id"] = nil
	}), failed: []string{"S-20 stacks refer to existing surfaces and viewports"}},
	{name: "another default radius", response: editSession(func(d map[string]any) {
		if field := d["field_runtime"].(map[string]any); field["origin"] == nil {
			field["radius_meters"] = 5000
		}
	}), failed: []string{"W-63 the field has its fields, and no origin without a location"}},
	{name: "another order of the services", response: func() func(*http.Response) {
		turn := 0
		return editSession(func(d map[string]any) {
			if turn++; turn%2 == 0 {
				slices.Reverse(d["services"].([]any))
			}
		})
	}(), failed: []string{"W-75 the services have a fixed order", "PT-47 two reads return the same bytes"}},
	{name: "categories are ignored", request: func(r *http.Request) {
		if query := r.URL.Query(); r.URL.Path == "/world/session" {
			query.Del("categories")
			r.URL.RawQuery = query.Encode()
		}
	}, failed: []string{"W-67 all categories are selected, or those of the request", "W-94 following an item of a control selects it"}},
	{name: "the location is ignored", request: func(r *http.Request) {
		if r.URL.Path == "/world/session" && r.URL.Query().Get("lat") == "52.5" {
			r.URL.RawQuery = ""
		}
	}, failed: []string{
		"W-66 the field has the location and the radius of the request", "B-106 the field can be read around another position and in an area",
		"W-98 a place has the same id in every read",
	}},
	{name: "POST returns the contract of GET", response: func(r *http.Response) {
		if r.Request.Method == http.MethodPost {
			editDocument("/world/session", func(d map[string]any) { d["contract"].(map[string]any)["name"] = "service.runtime.dataset" })(r)
		}
	}, failed: []string{"W-142 POST /world/session returns the dataset under the harness contract"}},
	{name: "an invalid placement is accepted", response: func(r *http.Response) {
		if r.StatusCode == http.StatusUnprocessableEntity && strings.HasSuffix(r.Request.URL.Path, "/placement") {
			r.StatusCode = http.StatusOK
			replaceBody(r, "{}")
		}
	}, failed: []string{"S-23 invalid changes of surfaces are refused and change nothing"}},
	{name: "an object is missing in the translated output", response: editDocument("/world/translated", func(d map[string]any) {
		d["objects"] = slices.DeleteFunc(d["objects"].([]any), func(o any) bool { return apptest.At(o, "source.resource_type") == "task" })
	}), failed: []string{"W-112 the translated output has the objects of the dataset", "W-34 the translated output refers to its own actions and objects"}},
	{name: "a thread of three participants", response: editDocument("/world/panels/messages", func(d map[string]any) {
		thread := firstItem(d, "threads")
		thread["participants"] = append(thread["participants"].([]any), map[string]any{"id": 3})
	}), failed: []string{"W-135 the panel of Messages has its fields"}},
	{name: "a member with an unknown color", response: editDocument("/world/social/people", func(d map[string]any) {
		firstItem(d, "people")["color"] = "red"
	}), failed: []string{socialLists}},
	{name: "an avatar without a thumbnail", response: editDocument("/world/social/people", func(d map[string]any) {
		firstItem(d, "people")["avatar"] = map[string]any{"url": "/world/social/profiles/1/avatar/x", "width": 320, "height": 320}
	}), failed: []string{appearances, socialLists}},
	{name: "avatars are absent", request: func(r *http.Request) {
		r.URL.Path = strings.Replace(r.URL.Path, "/avatar/", "/avatar/0", 1)
	}, failed: []string{"B-106 avatars can be read and cached"}},
}

// appearances is the check that fails for breakages of colors and avatars.
const appearances = "B-106 members and communities have a color"

// findingOf returns the first finding of a session.
func findingOf(session map[string]any) map[string]any {
	surface := firstItem(session, "surface_runtime.surfaces", "surface_type", "finding_surface")
	return apptest.At(surface, "runtime_state.finding").(map[string]any)
}

// editedLines edits a body line by line, as it arrives: a stream has no end.
type editedLines struct {
	io.Closer
	lines *bufio.Reader
	edit  func(line []byte) []byte
	rest  []byte // of the line that is being read
}

func (e *editedLines) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		line, err := e.lines.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		e.rest = e.edit(line)
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}
