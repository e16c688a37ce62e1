package load

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// Fifty members read and write concurrently by HTTP and CalDAV. Each request
// succeeds, no response contains texts for other members, and at the end each
// member has the entries that were written. To run it for longer:
//
//	go test ./app/e2e/load -run TestConcurrentMembers -concurrent 1m
//
// Covers PT-07, PT-39 and W-17.
func TestConcurrentMembersSeeOnlyTheirContent(t *testing.T) {
	requests := 8
	if svctest.IsLong() {
		requests = 30
	}
	h := apptest.New(t, apptest.Unlimited)
	members := make([]*loadMember, 50)
	for i := range members {
		members[i] = newLoadMember(h, i+1)
	}
	for i := 0; i < len(members); i += 2 {
		members[i].pair(members[i+1])
	}
	end := time.Now().Add(*loadTime)
	var all sync.WaitGroup
	for _, r := range members {
		all.Go(func() {
			for r.sent < requests && *loadTime == 0 || time.Now().Before(end) {
				r.next()
			}
		})
	}
	all.Wait()
	sent, tags := 0, 0
	for _, r := range members {
		r.wantOwnEntries()
		sent += r.sent
		tags += r.tags
	}
	if tags < sent {
		t.Errorf("got %d tagged texts in %d responses, want more", tags, sent)
	}
	if log := h.Log.String(); strings.Contains(log, "locked") || strings.Contains(log, "level=ERROR") {
		t.Errorf("got the log\n%.2000s\nwant no errors", log)
	}
	t.Logf("%d requests", sent)
}

// loadMember is a member who uses all services. Each text that the member writes has
// a tag with the numbers of the members who may see it.
type loadMember struct {
	*apptest.Client
	apptest.Rand
	n        int
	other    *loadMember       // the recipient of messages, in the same community
	talk     string            // path of the conversation of both
	calendar string            // CalDAV path
	sent     int               // number of requests
	tags     int               // number of tags in responses
	etag     string            // of the last dataset
	tasks    map[string]string // path by title of entries written through World
	files    map[string]string // path by title of entries written by CalDAV
}

func newLoadMember(h *apptest.Server, n int) *loadMember {
	r := &loadMember{Client: h.Member(fmt.Sprint("m", n)).Runtime(), Rand: apptest.NewRand(uint64(n)), n: n, tasks: make(map[string]string), files: make(map[string]string)}
	r.HTTP.Transport = new(http.Transport)
	h.T.Cleanup(r.HTTP.CloseIdleConnections)
	r.calendar = r.DefaultCalendar()
	return r
}

// pair creates a community and a conversation of r and other.
func (r *loadMember) pair(other *loadMember) {
	r.other, other.other = other, r
	id := apptest.LastSegment(r.CreateCommunity(`{"name": "`+r.both()+`", "visibility": "private"}`, other.Client))
	a := r.Do("POST", apptest.ConversationsPath, map[string]any{"title": r.both(), "body": r.both(), "context": map[string]any{"kind": "community", "id": id}}).Want(201)
	r.talk = apptest.ConversationsPath + "/" + a.Str("conversation.id")
	other.talk = r.talk
}

// mine returns a unique text for r. both returns a text for r and the other
// member.
func (r *loadMember) mine() string { return fmt.Sprintf("Number %d [for %d]", r.sent, r.n) }

func (r *loadMember) both() string {
	return fmt.Sprintf("Between us [for %d %d]", min(r.n, r.other.n), max(r.n, r.other.n))
}

// tag matches the numbers of the members who may see a text.
var tag = regexp.MustCompile(`\[for((?: \d+)+)\]`)

// send sends a request and fails the test if the response contains a text for
// other members.
func (r *loadMember) send(c *apptest.Client, method, path string, status int, body ...any) *apptest.Answer {
	a, err := c.Try(method, path, body...)
	if err != nil {
		r.T.Errorf("%s: %s %s: %v", r.Name, method, path, err)
		return &apptest.Answer{T: r.T}
	}
	if a.Status != status {
		r.T.Errorf("%s: got status %d, want %d: %.300s", a.About, a.Status, status, a.Body)
	}
	for _, m := range tag.FindAllStringSubmatch(a.Body, -1) {
		r.tags++
		if !slices.Contains(strings.Fields(m[1]), fmt.Sprint(r.n)) {
			r.T.Errorf("%s: got a text %s, want none for other members", a.About, m[0])
		}
	}
	return a
}

// readPaths are the paths of read requests.
var readPaths = []string{
	"/world/runtime", "/world/runtime?lat=52.5&lon=13.4", "/world/panels/time", "/world/panels/time?view=week&date=2026-12-07", "/world/panels/social",
	"/world/panels/social?view=conversations", "/world/panels/messages", "/world/panels/messages/rail", "/world/messages", "/world/messages?q=us",
	"/world/calendars", "/world/time/objects?object_type=task&limit=200", "/world/social/conversations", "/world/social/communities",
	"/world/social/activity", "/world/social/notifications", "/world/social/presence", "/world/identity/export", "/world/time/trash",
}

// next sends a random request.
func (r *loadMember) next() {
	r.sent++
	dav := r.Basic()
	title, full := r.mine(), len(r.tasks)+len(r.files) > 40
	switch r.IntN(16) {
	case 0, 1:
		if full {
			r.deleteTasks()
			return
		}
		a := r.send(r.Client, "POST", "/world/time/objects", 201, map[string]any{"object_type": "task", "title": title, "due": "2026-12-10"})
		r.tasks[title] = a.Str("object.links.self")
	case 2:
		if old, at := anyOf(r.tasks); at != "" {
			r.send(r.Client, "PATCH", at, 200, map[string]any{"title": title})
			delete(r.tasks, old)
			r.tasks[title] = at
		}
	case 3, 4:
		if full {
			r.deleteTasks()
			return
		}
		at := fmt.Sprintf("%sn%d.ics", r.calendar, r.sent)
		r.send(dav, "PUT", at, 201, apptest.VObject("VTODO", fmt.Sprintf("n%d-%d", r.n, r.sent), "DUE:20261210T090000Z", "SUMMARY:"+title))
		r.files[title] = at
	case 5:
		if old, at := anyOf(r.files); at != "" {
			r.send(dav, "GET", at, 200)
			r.send(dav, "DELETE", at, 204)
			delete(r.files, old)
		}
	case 6:
		r.send(r.Client, "POST", "/world/messages", 201, map[string]any{"recipient": r.other.ID, "body": r.both()})
	case 7:
		r.send(r.Client, "POST", r.talk+"/replies", 201, map[string]any{"body": r.both()})
	case 8:
		surface := apptest.Pick(r.Rand, "surface_social", "surface_calendar", "surface_messages")
		r.send(r.Client, "POST", apptest.StacksPath+"carry_primary/focus", 200, map[string]any{"surface_id": surface})
	case 9:
		r.send(r.Client, "POST", "/world/social/presence", 200, map[string]any{"state": apptest.Pick(r.Rand, "online", "busy"), "note": "Here"})
	case 10:
		r.send(dav.With("Depth", "1"), "PROPFIND", r.calendar, 207, `<D:propfind `+loadNames+`><D:prop><D:getetag/><C:calendar-data/></D:prop></D:propfind>`)
	case 11:
		r.send(dav.With("Depth", "1"), "REPORT", r.calendar, 207, fmt.Sprintf(loadSync, ""))
	case 12:
		a, err := r.With("If-None-Match", r.etag).Try("GET", "/world/runtime")
		if err != nil || a.Status != 200 && a.Status != 304 {
			r.T.Errorf("%s: dataset: got %v, %v, want status 200 or 304", r.Name, a, err)
			return
		}
		r.etag = a.Header.Get("ETag")
	default:
		r.send(r.Client, "GET", apptest.Pick(r.Rand, readPaths...), 200)
	}
}

// deleteTasks deletes the entries written through World.
func (r *loadMember) deleteTasks() {
	for title, at := range r.tasks {
		r.send(r.Client, "DELETE", at, 200)
		delete(r.tasks, title)
	}
}

// anyOf returns an entry, or empty strings if there is none.
func anyOf(written map[string]string) (title, at string) {
	for title, at := range written {
		return title, at
	}
	return "", ""
}

// wantOwnEntries fails the test unless the member has exactly the entries that
// were written.
func (r *loadMember) wantOwnEntries() {
	r.T.Helper()
	want := slices.Sorted(maps.Keys(r.tasks))
	want = slices.Sorted(slices.Values(append(want, slices.Sorted(maps.Keys(r.files))...)))
	var got []string
	for _, o := range r.send(r.Client, "GET", "/world/time/objects?object_type=task&limit=200", 200).List("objects") {
		got = append(got, apptest.At(o, "title").(string))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		r.T.Errorf("entries of %s: got %q, want %q", r.Name, got, want)
	}
	for _, s := range r.Do("GET", "/world/messages").Want(200).List("threads") {
		if n := apptest.At(s, "participant_count"); n != 2.0 {
			r.T.Errorf("thread of %s: got %v participants, want 2", r.Name, n)
		}
	}
}
