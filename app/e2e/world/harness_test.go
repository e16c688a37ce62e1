package world

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/assets"
	"appliance/svc/svctest"
	"appliance/world/harness"
)

// bakeryPage is a web page of a business with a picture and opening hours.
const bakeryPage = `<title>Bakery</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Bakery", "name": "Bakery <b>",
"image": "/front.jpg", "telephone": "12", "openingHours": "Mo-Sa 07:00-18:00"}</script><p>Bread</p>`

// populatedMembers returns two members with objects of every kind, on a server with
// other members. The clock advances between the writes.
func populatedMembers(t *testing.T) (ann, bea *apptest.Client) {
	t.Helper()
	site := apptest.NewSite(t)
	site.SetPage("/bakery", bakeryPage)
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey, apptest.AllowSite(site))
	ann, bea = s.Member("ann"), s.Member("bea")
	s.ImportPlaces("malta", apptest.Places...)
	cem := s.Member("cem")
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
	s.Clock.Advance(time.Minute)
	bea.Upload("PUT", apptest.OwnAvatarPath, s.AvatarFile(1)).Want(200)
	choir := cem.CreateCommunity(`{"name": "Choir", "visibility": "public"}`)
	cem.InviteToCommunity(choir, ann)
	ann.Block(s.Member("dan")).Want(201)
	thread := ann.SendMessage("bea", "The harbour, at six?")
	s.Clock.Advance(time.Minute)
	bea.Do("POST", thread+"/messages", `{"body": "I will bring <b>bread</b>"}`).Want(201)
	s.Clock.Advance(time.Minute)
	cem.SendMessage("ann", "Is there room?")
	bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Candles too?"}`).Want(201)
	conversation := ann.StartConversation("Birthday cards")
	s.Clock.Advance(time.Minute)
	cem.Reply(conversation, "A panel, a stack of them")
	event := bea.Do("POST", "/world/social/events", `{"title": "Supper", "start": "2026-12-24T18:00:00", "timezone": "Europe/Berlin", "visibility": "public"}`).Want(201)
	ann.Do("POST", "/world/social/events/"+event.Str("event.id")+"/rsvp", `{"response": "going"}`).Want(200)
	overlay := ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"), apptest.PageFinding(site.URL+"/bakery"), apptest.PageFinding(site.URL+"/"))
	ann.Act("open_finding", "Café 2").Want(200)
	ann.Preview(overlay.Str("surface_runtime.stacks.3.surface_order.2"), `{}`).Want(200)
	focused := 0
	for _, a := range ann.AsRuntime().Do("GET", "/world/runtime").Want(200).List("actions") {
		if apptest.At(a, "type") == "focus_object" && focused < 2 {
			focused++
			ann.Do("POST", apptest.At(a, "command.url").(string), apptest.At(a, "command.body")).Want(200)
		}
	}
	if focused < 2 {
		t.Errorf("got %d actions focus_object, want at least 2", focused)
	}
	ann.Do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 3600}`).Want(200)
	return ann, bea
}

// runHarness runs the harness against the World at url and returns the results by the first row and
// the name of the check.
func runHarness(t *testing.T, url, token string) map[string]harness.Result {
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

// checksWithState returns the names of the checks with a state, sorted.
func checksWithState(results map[string]harness.Result, state string) (names []string) {
	for name, r := range results {
		if r.State == state {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// The program passes every check, for a member with many objects and for a new member. The test
// lists the checks that do not apply, so that no check is skipped by mistake. Covers the rows that
// the checks name, and B-25 and PT-42 for findings in the workspace.
func TestProgramPassesTheHarness(t *testing.T) {
	ann, _ := populatedMembers(t)
	for member, inapplicable := range map[*apptest.Client][]string{
		ann:                     nil,
		ann.Server.Member("op"): emptyMember, ann.Server.Member("new"): emptyMember,
	} {
		results := runHarness(t, member.URL, member.Token)
		for _, name := range checksWithState(results, harness.Failed) {
			t.Errorf("%s: %s: got the problems %s\nwant none", member.Name, name, strings.Join(results[name].Seen, "\n\t"))
		}
		if got := checksWithState(results, harness.NotApplicable); !slices.Equal(got, inapplicable) {
			t.Errorf("%s: got the inapplicable checks %q, want %q", member.Name, got, inapplicable)
		}
	}
}

// emptyMember lists the checks that do not apply to a member without content.
var emptyMember = []string{
	"B-50 prefetching does not move read cursors",
	"B-65 invitations are to the member",
	"F-19 findings have the fields and the actions of their type",
	"F-26 findings of the dataset are those of the session, in canonical terms",
	"M-12 a thread has the member and the member in its title",
	"M-16 the threads of the dataset are those of the list",
	"M-19 threads count their messages and the unread ones",
	"M-26 the messages of a thread are its own, the oldest first",
	"M-36 message threads and direct messages are separate",
	"O-01 communities count their members",
	"O-27 blocked members are in no list of members",
	"O-29 direct messages count their messages and the unread ones",
	"O-29 direct messages have their own messages, the oldest first",
	"O-29 the list of direct messages has valid threads, page by page",
	"S-03 surfaces of findings have the finding and its commands",
	"S-61 a place that was opened has its position and a map",
	"S-67 a page that was read is plain data",
	"W-114 a context leads to the message threads",
	"W-136 the panel of Messages shows the selected thread and only its messages",
	"W-15 the calendar copy of an event is related to the event",
	"W-39 a finding refers to the object that it became",
	"W-49 message threads can be opened and, where permitted, answered",
}

// breakage is a proxy in front of the program that breaks one rule, in requests
// or in responses.
type breakage struct {
	name     string
	request  func(*http.Request)
	response func(*http.Response)
	failed   []string // names of all checks that fail
}

// bufferBody reads the body of a request, so that the transport cannot read it
// after the server has replied and the proxy has closed it.
func bufferBody(r *http.Request) {
	if r.Body == nil {
		return
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
}

// editDocument returns a function that changes the JSON object in a response for
// a path.
func editDocument(path string, change func(doc map[string]any)) func(*http.Response) {
	return func(r *http.Response) {
		if r.Request.URL.Path == path {
			editResponse(r, change)
		}
	}
}

// editResponse changes the JSON object of a response.
func editResponse(r *http.Response, change func(doc map[string]any)) {
	if r.StatusCode != http.StatusOK {
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
	replaceBody(r, string(text))
}

// replaceBody replaces the body of a response.
func replaceBody(r *http.Response, body string) {
	r.Body = io.NopCloser(strings.NewReader(body))
	r.ContentLength = int64(len(body))
	r.Header.Del("Content-Length")
}

// firstItem returns the first item of a list. If where is a key and a value, it
// returns the first item that has this value.
func firstItem(doc any, list string, where ...any) map[string]any {
	for _, item := range apptest.At(doc, list).([]any) {
		if len(where) == 0 || apptest.At(item, where[0].(string)) == where[1] {
			return item.(map[string]any)
		}
	}
	return map[string]any{}
}

// editDataset returns a function that changes the dataset in a response.
func editDataset(change func(doc map[string]any)) func(*http.Response) {
	return editDocument("/world/runtime", func(doc map[string]any) {
		if doc["delta"] == nil { // the other sections contain only changes
			change(doc)
		}
	})
}

// The harness applies changes that another member makes between its requests. Covers
// B-105.
func TestHarnessAppliesChanges(t *testing.T) {
	ann, bea := populatedMembers(t)
	target, err := url.Parse(ann.URL)
	if err != nil {
		t.Fatal(err)
	}
	const rule = "B-105 the changes since a dataset, applied to it, are the next dataset"
	for i, c := range []struct {
		name string
		edit func(changes map[string]any)
		want string
	}{
		{"unedited", func(map[string]any) {}, harness.Passed},
		{"with a context that is not gone", func(d map[string]any) { apptest.At(d, "delta.gone").(map[string]any)["contexts"] = []any{"ctx_time"} }, harness.Failed},
		{"at another place", func(d map[string]any) {
			id := apptest.At(d, "delta.changed.objects.0").(string)
			apptest.At(d, "delta.after.objects").(map[string]any)[id] = "wo_nothing"
		}, harness.Failed},
	} {
		if i == 2 && !svctest.IsLong() {
			break // as in TestHarnessFindsEachBreakage, the other breakages are found with -long
		}
		writes := 0
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Accept-Encoding")
			if len(r.In.URL.Query().Get("since")) > 20 {
				writes++
				bea.SendMessage("ann", fmt.Sprint("Number ", writes))
			}
		}, ModifyResponse: func(r *http.Response) error {
			editDocument("/world/runtime", func(d map[string]any) {
				if len(d["objects"].([]any)) > 0 && d["delta"] != nil {
					c.edit(d)
				}
			})(r)
			return nil
		}}
		server := httptest.NewServer(proxy)
		got := runHarness(t, server.URL, ann.Token)[rule]
		server.Close()
		if got.State != c.want || writes == 0 {
			t.Errorf("%s: got %s after %d writes: %v, want %s", c.name, got.State, writes, got.Seen, c.want)
		}
	}
}

// editSession returns a function that changes the session in a response to GET.
func editSession(change func(doc map[string]any)) func(*http.Response) {
	editGet := editDocument("/world/session", change)
	return func(r *http.Response) {
		if r.Request.Method == http.MethodGet {
			editGet(r)
		}
	}
}

// editSettings returns a function that changes a view of the panel of settings in a
// response.
func editSettings(view string, change func(doc map[string]any)) func(*http.Response) {
	return editDocument("/world/panels/settings", func(doc map[string]any) {
		if doc["view"] == view {
			change(doc)
		}
	})
}

// For each breakage, exactly the expected checks fail.
func TestHarnessFindsEachBreakage(t *testing.T) {
	svctest.Long(t)
	ann, bea := populatedMembers(t)
	target, err := url.Parse(ann.URL)
	if err != nil {
		t.Fatal(err)
	}
	before := checksWithState(runHarness(t, ann.URL, ann.Token), harness.Failed)
	for _, b := range slices.Concat(breakages, listBreakages, breakagesOfMembers(ann, bea)) {
		t.Run(b.name, func(t *testing.T) {
			transport := new(http.Transport)
			defer transport.CloseIdleConnections()
			proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.Header.Del("Accept-Encoding") // the transport decompresses the responses that it asks for itself
				bufferBody(r.Out)
				if b.request != nil {
					b.request(r.Out)
				}
			}, ModifyResponse: func(r *http.Response) error {
				if b.response != nil {
					b.response(r)
				}
				return nil
			}}
			web := httptest.NewServer(proxy)
			defer web.Close()
			results := runHarness(t, web.URL, ann.Token)
			want := append(slices.Clone(before), b.failed...)
			slices.Sort(want)
			want = slices.Compact(want)
			if got := checksWithState(results, harness.Failed); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
				for _, name := range got {
					if !slices.Contains(want, name) {
						t.Logf("%s: %q", name, results[name].Seen)
					}
				}
			}
			bea.SendMessage("ann", "One more") // so that there is an unread message for the next breakage
		})
	}
}

// breakagesOfMembers returns breakages that confuse one member or record with
// another.
func breakagesOfMembers(ann, bea *apptest.Client) []breakage {
	thread := ann.Do("GET", "/world/messages").Want(200).At("threads.0")
	return []breakage{
		{name: "a message thread among the direct messages", response: editDocument("/world/social/dms", func(d map[string]any) {
			dm := firstItem(d, "dms")
			dm["id"], dm["links"] = apptest.At(thread, "id"), apptest.At(thread, "links")
		}), failed: []string{
			"M-36 message threads and direct messages are separate", "O-29 the list of direct messages has valid threads, page by page",
			"O-29 direct messages have their own messages, the oldest first",
		}},
		{name: "a header selects the member", request: func(r *http.Request) {
			if r.Header.Get("X-Service-Member-Id") == "2" {
				r.Header.Set("Authorization", "Bearer "+bea.Token)
			}
		}, failed: []string{"W-05 X-Service-Member-Id has no effect"}},
		{name: "no credential is needed", request: func(r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer "+ann.Token)
			}
		}, failed: []string{"W-02 requests without a token are rejected", "B-104 the stream requires a token"}},
	}
}
