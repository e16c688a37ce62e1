package world

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/assets"
	"appliance/svc/svctest"
	"appliance/world/harness"
)

// populated is a house with several members who have something of everything.
func populated(t *testing.T) (ann, bea *apptest.Client) {
	t.Helper()
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea = h.Member("ann"), h.Member("bea")
	cem := h.Member("cem")
	for _, m := range []*apptest.Client{ann, bea} {
		for _, body := range []string{
			`{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00", "location": "Main St 1", "alarms": [{"trigger": "-PT15M"}]}`,
			`{"object_type": "calendar_event", "title": "Choir <b>", "start": "2026-11-16T19:00:00", "rrule": "FREQ=WEEKLY", "exdates": ["2026-11-23T19:00:00"]}`,
			`{"object_type": "calendar_event", "title": "Holiday", "start": "2026-12-24", "end": "2026-12-27"}`,
			`{"object_type": "task", "title": "Taxes", "due": "2027-05-31", "priority": 1}`,
		} {
			m.Do("POST", "/world/time/objects", body).Want(201)
		}
		m.Basic().Do("PUT", m.DefaultCalendar()+"floating.ics", apptest.VEvent("floating", "DTSTART:20261122T080000", "DURATION:PT1H", "SUMMARY:Wherever I am")).Want(201)
	}
	ann.CreateCommunity(`{"name": "Family <3", "visibility": "private"}`, bea)
	cem.CreateCommunity(`{"name": "Choir", "visibility": "public"}`)
	ann.SendMessage("bea", "The harbour, at six?")
	bea.SendMessage("ann", "I will bring <b>bread</b>")
	cem.SendMessage("ann", "Is there room?")
	bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Candles too?"}`).Want(201)
	cem.Reply(ann.StartConversation("Birthday cards"), "A panel, a stack of them")
	event := bea.Do("POST", "/world/social/events", `{"title": "Supper", "start": "2026-12-24T18:00:00", "timezone": "Europe/Berlin", "visibility": "public"}`).Want(201)
	ann.Do("POST", "/world/social/events/"+event.Str("event.id")+"/rsvp", `{"response": "going"}`).Want(200)
	ann.Do("POST", "/world/social/presence", `{"state": "online"}`).Want(200)
	ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	ann.Act("open_finding", "Café 2").Want(200)
	// Two things are before her, and she has turned to the second.
	turned := 0
	for _, a := range ann.Runtime().Do("GET", "/world/runtime").Want(200).List("actions") {
		if apptest.At(a, "type") == "focus_object" && turned < 2 {
			turned++
			ann.Do("POST", apptest.At(a, "command.url").(string), apptest.At(a, "command.body")).Want(200)
		}
	}
	if turned < 2 {
		t.Errorf("there is nothing to turn to")
	}
	return ann, bea
}

// judged returns what the harness finds of the World at url, by the name of
// the check.
func judged(t *testing.T, url, token string) map[string]harness.Result {
	t.Helper()
	r, err := harness.Run(t.Context(), harness.Options{URL: url, Token: token, Schemas: assets.Files})
	if err != nil {
		t.Fatal(err)
	}
	results := make(map[string]harness.Result)
	for _, c := range r.Checks {
		results[c.Rows[0]+" "+c.Name] = c
	}
	return results
}

// red returns the names of the checks that failed.
func red(results map[string]harness.Result) (names []string) {
	for name, r := range results {
		if r.State == harness.Failed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Whatever a runtime can read here is as the documents say, for one who has
// much and for one who has nothing. What does not apply is named, so that
// nothing is left out unseen. The rows are those that each check names; with B-25
// and PT-42 for what was found and is kept.
func TestHarnessIsGreen(t *testing.T) {
	ann, _ := populated(t)
	for who, inapplicable := range map[*apptest.Client][]string{
		ann: {"W-95 every object of the field has its fields"},
		ann.Server.Member("new"): {
			"B-50 nothing counts as read that was only read ahead",
			"S-03 findings are surfaces of their own kind",
			"W-114 a context leads to the threads",
			"W-136 a thread that is selected is shown, with its messages alone",
			"W-15 an entry that mirrors a social event is tied to it",
			"W-39 a finding is an object only when it has become one",
			"W-49 a message thread can be opened, and written to",
			"W-95 every object of the field has its fields",
		},
	} {
		var left []string
		for name, r := range judged(t, who.URL, who.Token) {
			switch r.State {
			case harness.Failed:
				t.Errorf("%s: %s: %s", who.Name, name, strings.Join(r.Seen, "\n\t"))
			case harness.NotApplicable:
				left = append(left, name)
			}
		}
		if slices.Sort(left); !slices.Equal(left, inapplicable) {
			t.Errorf("%s: these do not apply: %q", who.Name, left)
		}
	}
}

// brokenCopy is the program with one rule broken, on the way there or back.
type brokenCopy struct {
	name string
	out  func(*http.Request)
	back func(*http.Response)
	red  []string // the checks that find it, and nothing else does
}

// edited changes the JSON object that a path answers with.
func edited(path string, change func(doc map[string]any)) func(*http.Response) {
	return func(r *http.Response) {
		if r.Request.URL.Path != path || r.StatusCode != http.StatusOK {
			return
		}
		var doc map[string]any
		d := json.NewDecoder(r.Body)
		d.UseNumber()
		if d.Decode(&doc) != nil {
			return
		}
		r.Body.Close()
		change(doc)
		text, _ := json.Marshal(doc)
		replaced(r, string(text))
	}
}

// replaced gives the answer another body.
func replaced(r *http.Response, body string) {
	r.Body = io.NopCloser(strings.NewReader(body))
	r.ContentLength = int64(len(body))
	r.Header.Del("Content-Length")
}

// first returns the first item of a list, and the first for which a key has a
// value if one is given.
func first(doc any, list string, where ...any) map[string]any {
	for _, item := range apptest.At(doc, list).([]any) {
		if len(where) == 0 || apptest.At(item, where[0].(string)) == where[1] {
			return item.(map[string]any)
		}
	}
	return nil
}

// editDataset changes the dataset of a response.
func editDataset(change func(doc map[string]any)) func(*http.Response) {
	return edited("/world/runtime", change)
}

// session changes the session, and not what is posted there.
func session(change func(doc map[string]any)) func(*http.Response) {
	edit := edited("/world/session", change)
	return func(r *http.Response) {
		if r.Request.Method == http.MethodGet {
			edit(r)
		}
	}
}

// What the schemas say is found by these two as well.
const (
	schemaOfDataset = "PT-04 the dataset fits its schema"
	schemaOfWorld   = "PT-44 every schema can be read, and World's documents fit those it publishes"
)

var brokenCopies = []brokenCopy{
	{name: "a section is missing", back: editDataset(func(d map[string]any) { delete(d, "sources") }),
		red: []string{"W-23 the dataset has its eleven sections and no other", schemaOfDataset, schemaOfWorld}},
	{name: "a section too many", back: editDataset(func(d map[string]any) { d["surfaces"] = []any{} }),
		red: []string{"W-23 the dataset has its eleven sections and no other", "W-37 the dataset knows no words of screens"}},
	{name: "another contract", back: editDataset(func(d map[string]any) { first(map[string]any{"x": []any{d["contract"]}}, "x")["version"] = 2 }),
		red: []string{"W-22 the dataset names its contract"}},
	{name: "an action that is not there", back: editDataset(func(d map[string]any) {
		first(d, "objects", "object_type", "community")["actions"] = []any{"act_nobody"}
	}), red: []string{"W-34 every action that is referred to is there"}},
	{name: "an object that is not there", back: editDataset(func(d map[string]any) {
		first(d, "contexts", "kind", "time")["target"] = map[string]any{"kind": "object", "world_object_id": "wo_nothing"}
	}), red: []string{"W-33 every target is in the dataset"}},
	{name: "an empty section without a word", back: editDataset(func(d map[string]any) {
		d["fallbacks"] = slices.DeleteFunc(d["fallbacks"].([]any), func(f any) bool { return apptest.At(f, "scope.section") == "field.objects" })
	}), red: []string{"W-41 every empty section has one explanation, no other has"}},
	{name: "a permission that is not said", back: editDataset(func(d map[string]any) { apptest.At(d, "objects.0.permissions").(map[string]any)["can_reply"] = nil }),
		red: []string{"W-14 every permission is said outright", schemaOfDataset, schemaOfWorld}},
	{name: "a word of screens in a key", back: editDataset(func(d map[string]any) { apptest.At(d, "objects.0.state").(map[string]any)["cardColor"] = "red" }),
		red: []string{"W-37 the dataset knows no words of screens"}},
	{name: "a word of screens in an address", back: editDataset(func(d map[string]any) {
		command := first(d, "actions", "type", "open_thread")["command"].(map[string]any)
		command["url"] = command["url"].(string) + "?rail=1"
	}), red: []string{"W-37 the dataset knows no words of screens"}},
	{name: "markup in what the system says", back: editDataset(func(d map[string]any) { first(d, "fallbacks")["message"] = "See <a href='/'>there</a>" }),
		red: []string{"W-38 the system writes no markup"}},
	{name: "a state of a fallback that is none", back: editDataset(func(d map[string]any) {
		first(d, "fallbacks", "scope.kind", "service")["state"] = "broken"
	}), red: []string{"W-43 every fallback has its fields"}},
	{name: "a source with an address", back: editDataset(func(d map[string]any) { first(d, "sources", "status", "ready")["kind"] = "/service" }),
		red: []string{"W-44 sources say nothing to call"}},
	{name: "a count that is none", back: editDataset(func(d map[string]any) { first(d, "sources")["object_count"] = 77 }),
		red: []string{"PT-42 counts are the lengths of what is counted"}},
	{name: "an object twice", back: editDataset(func(d map[string]any) {
		copied := maps.Clone(first(d, "objects", "object_type", "profile"))
		copied["world_object_id"] = copied["world_object_id"].(string) + "x"
		d["objects"] = append(d["objects"].([]any), copied)
	}), red: []string{"W-30 an object has one source, a source one object", "PT-42 counts are the lengths of what is counted",
		"W-142 POST /world/session gives the same under the harness's name", "W-112 it has the objects of the dataset"}},
	{name: "placement without the workspace", back: editDataset(func(d map[string]any) {
		first(d, "objects", "object_type", "task")["placement"] = map[string]any{"area": "carry", "position": 7}
	}), red: []string{"W-53 placement and focus agree with the workspace"}},
	{name: "a location out of nothing", back: editDataset(func(d map[string]any) {
		if field := d["field"].(map[string]any); field["origin"] == nil {
			field["origin"] = map[string]any{"latitude": 52, "longitude": 13}
		}
	}), red: []string{"W-45 no location is made up"}},
	{name: "a command on another host", back: editDataset(func(d map[string]any) {
		first(d, "actions", "type", "create_calendar")["command"].(map[string]any)["url"] = "https://elsewhere.example.org/world/calendars"
	}), red: []string{"W-35 every action is a complete request", "W-01 every published address is World's"}},
	{name: "a command that leads nowhere", back: editDataset(func(d map[string]any) {
		first(d, "actions", "type", "create_calendar")["command"].(map[string]any)["url"] = "/world/calenders"
	}), red: []string{"PT-02 every published command leads to a route that takes its method"}},
	{name: "a time with an offset", back: editDataset(func(d map[string]any) {
		first(d, "objects", "object_type", "message_thread")["state"].(map[string]any)["created_at"] = "2026-11-21T12:00:00+01:00"
	}), red: []string{"PT-43 every time is UTC, or has its time zone"}},
	{name: "an order of its own each time", back: func() func(*http.Response) {
		turn := 0
		return editDataset(func(d map[string]any) {
			turn++
			list := d["objects"].([]any)
			d["objects"] = append(list[turn%len(list):], list[:turn%len(list)]...)
		})
	}(), red: []string{"PT-47 two reads are the same bytes"}},
	{name: "never unchanged", out: func(r *http.Request) { r.Header.Del("If-None-Match") },
		red: []string{"B-84 an unchanged dataset is 304"}},
	{name: "any client is a runtime", out: func(r *http.Request) {
		if r.Header.Get("X-Service-Runtime") == "" {
			r.Header.Set("X-Service-Runtime", "something/1")
		}
	}, red: []string{"W-21 X-Service-Runtime is required, up to 1024 bytes"}},
	{name: "what one reads ahead counts as read", out: func(r *http.Request) { r.Header.Del("Sec-Purpose") },
		red: []string{"B-50 nothing counts as read that was only read ahead"}},
	{name: "a body that cannot be read is taken", back: func(r *http.Response) {
		if r.StatusCode == http.StatusUnsupportedMediaType {
			r.StatusCode = http.StatusOK
			replaced(r, "{}")
		}
	}, red: []string{"W-12 a body of an unknown kind is refused"}},
	{name: "a kind of JSON of its own", back: func(r *http.Response) {
		if r.Request.URL.Path == "/world/panels/social" {
			r.Header.Set("Content-Type", "text/json")
		}
	}, red: []string{"W-08 every answer with a body is JSON and says so"}},
	{name: "an error of its own", back: func(r *http.Response) {
		if r.StatusCode == http.StatusNotFound && r.Request.URL.Path == "/world/panels/maps" {
			replaced(r, `{"error": {"code": "gone_fishing"}}`)
		}
	}, red: []string{"PT-44 every refusal is a published error"}},
	{name: "no word of which methods", back: func(r *http.Response) { r.Header.Del("Allow") },
		red: []string{"W-13 an unknown method is 405, with those that are known", "PT-02 every published command leads to a route that takes its method"}},
	{name: "the token comes back", back: func(r *http.Response) {
		if r.Request.URL.Path == "/world/calendars" || r.Request.URL.Path == "/world/panels/time" {
			r.Header.Set("X-Debug", r.Request.Header.Get("Authorization"))
		}
	}, red: []string{"W-24 the token is in no answer"}},
	{name: "caches may keep it", back: func(r *http.Response) {
		if r.Request.URL.Path == "/world/identity/me" {
			r.Header.Set("Cache-Control", "public, max-age=60")
		}
	}, red: []string{"B-89 nothing of a member is kept by caches they share"}},
	{name: "a panel of another service", back: edited("/world/panels/social", func(d map[string]any) { d["kind"] = "society" }),
		red: []string{"W-120 every panel has its fields"}},
	{name: "a form without its controls", back: edited("/world/panels/messages/rail", func(d map[string]any) { delete(first(d, "action_descriptors"), "controls") }),
		red: []string{"W-125 every form has its fields and controls", "W-120 every panel fits its schema"}},
	{name: "a session that counts wrongly", back: session(func(d map[string]any) { d["status"].(map[string]any)["total"] = 99 }), red: []string{"W-74 the status counts the services"}},
	{name: "a field of version 1", back: session(func(d map[string]any) { d["user"] = map[string]any{} }),
		red: []string{"W-60 the session has its nine parts and no other"}},
	{name: "a dock that leads elsewhere", back: session(func(d map[string]any) {
		first(d, "shell.dock.items")["action"].(map[string]any)["url"] = "//elsewhere.example.org/world/x"
	}), red: []string{"W-80 every item of the dock is a complete request", "W-01 every published address is World's"}},
	{name: "an object that is a list", back: session(func(d map[string]any) {
		first(d, "surface_runtime.surfaces")["placement"].(map[string]any)["metadata"] = []any{}
	}), red: []string{"S-05 every surface has its fields", "S-01 the surface runtime has its fields and commands", "PT-04 the session fits its schema", schemaOfWorld}},
	{name: "a stack of what is not there", back: session(func(d map[string]any) {
		first(d, "surface_runtime.stacks")["surface_order"] = []any{"surface_nothing"}
		first(d, "surface_runtime.stacks")["focused_surface_id"] = nil
	}), red: []string{"S-20 stacks are of surfaces and viewports that are there"}},
	{name: "another radius by itself", back: session(func(d map[string]any) {
		if field := d["field_runtime"].(map[string]any); field["origin"] == nil {
			field["radius_meters"] = 5000
		}
	}), red: []string{"W-63 the field has its fields, and is nowhere without a location"}},
	{name: "services in any order", back: func() func(*http.Response) {
		turn := 0
		return session(func(d map[string]any) {
			if turn++; turn%2 == 0 {
				slices.Reverse(d["services"].([]any))
			}
		})
	}(), red: []string{"W-75 the services come in one order", "PT-47 two reads are the same bytes"}},
	{name: "categories are not heard", out: func(r *http.Request) {
		if query := r.URL.Query(); r.URL.Path == "/world/session" {
			query.Del("categories")
			r.URL.RawQuery = query.Encode()
		}
	}, red: []string{"W-67 all categories are chosen, or those that one names", "W-94 following a choice makes it"}},
	{name: "a place is not heard", out: func(r *http.Request) {
		if r.URL.Path == "/world/session" && r.URL.Query().Get("lat") == "52.5" {
			r.URL.RawQuery = ""
		}
	}, red: []string{"W-66 location and radius are the field's"}},
	{name: "the harness's dataset under the other name", back: func(r *http.Response) {
		if r.Request.Method == http.MethodPost {
			edited("/world/session", func(d map[string]any) { d["contract"].(map[string]any)["name"] = "service.runtime.dataset" })(r)
		}
	}, red: []string{"W-142 POST /world/session gives the same under the harness's name"}},
	{name: "any placement is taken", back: func(r *http.Response) {
		if r.StatusCode == http.StatusUnprocessableEntity && strings.HasSuffix(r.Request.URL.Path, "/placement") {
			r.StatusCode = http.StatusOK
			replaced(r, "{}")
		}
	}, red: []string{"S-23 writes about what is not there are refused, and change nothing"}},
	{name: "a thread is not translated", back: edited("/world/translated", func(d map[string]any) {
		d["objects"] = slices.DeleteFunc(d["objects"].([]any), func(o any) bool { return apptest.At(o, "source.resource_type") == "task" })
	}), red: []string{"W-112 it has the objects of the dataset", "W-34 every action and object it refers to is there"}},
	{name: "a thread of three", back: edited("/world/panels/messages", func(d map[string]any) {
		thread := first(d, "threads")
		thread["participants"] = append(thread["participants"].([]any), map[string]any{"id": 3})
	}), red: []string{"W-135 the panel of Messages has its fields"}},
}

// The harness finds each rule that is broken, and finds nothing else broken by
// that.
func TestHarnessFindsWhatIsBroken(t *testing.T) {
	svctest.Long(t)
	ann, bea := populated(t)
	before := red(judged(t, ann.URL, ann.Token))
	broken := append(slices.Clone(brokenCopies), brokenCopy{
		name: "a header makes somebody else", out: func(r *http.Request) {
			if r.Header.Get("X-Service-Member-Id") == "2" {
				r.Header.Set("Authorization", "Bearer "+bea.Token)
			}
		}, red: []string{"W-05 X-Service-Member-Id has no effect"},
	}, brokenCopy{
		name: "anybody is Ann", out: func(r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer "+ann.Token)
			}
		}, red: []string{"W-02 nothing without a credential"},
	})
	target, err := url.Parse(ann.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Run(b.name, func(t *testing.T) {
			proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				if b.out != nil {
					b.out(r.Out)
				}
			}, ModifyResponse: func(r *http.Response) error {
				if b.back != nil {
					b.back(r)
				}
				return nil
			}}
			web := httptest.NewServer(proxy)
			defer web.Close()
			results := judged(t, web.URL, ann.Token)
			want := append(slices.Clone(before), b.red...)
			slices.Sort(want)
			if got := red(results); !slices.Equal(got, slices.Compact(want)) {
				t.Errorf("found %q\nwant %q", got, want)
				for _, name := range got {
					if !slices.Contains(want, name) {
						t.Logf("%s: %q", name, results[name].Seen)
					}
				}
			}
			// What counts as read now is unread again for the next copy.
			bea.SendMessage("ann", "One more")
		})
	}
}
