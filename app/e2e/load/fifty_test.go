package load

import (
	"flag"
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
)

var fiftyTime = flag.Duration("fifty", 0, "how long fifty members do everything at once, a few turns each if not said")

// Fifty members read and write at once, by HTTP and CalDAV: every request is
// answered as if they were alone, nobody sees what is not for them, and at the
// end everybody has what they wrote. For longer:
//
//	go test ./app/e2e/load -run TestFiftyAtOnce -fifty 1m
//
// Covers PT-07, PT-39 and W-17.
func TestFiftyAtOnce(t *testing.T) {
	most := 30
	if testing.Short() {
		most = 8
	}
	h := apptest.New(t, apptest.Unlimited)
	street := make([]*resident, 50)
	for i := range street {
		street[i] = newResident(h, i+1)
	}
	for i := 0; i < len(street); i += 2 {
		street[i].meet(street[i+1])
	}
	end := time.Now().Add(*fiftyTime)
	var all sync.WaitGroup
	for _, r := range street {
		all.Go(func() {
			for r.turns < most && *fiftyTime == 0 || time.Now().Before(end) {
				r.turn()
			}
		})
	}
	all.Wait()
	turns, tags := 0, 0
	for _, r := range street {
		r.hasItsOwn()
		turns += r.turns
		tags += r.tags
	}
	if tags < turns {
		t.Errorf("only %d times anything said for whom it is", tags)
	}
	if log := h.Log.String(); strings.Contains(log, "locked") || strings.Contains(log, "level=ERROR") {
		t.Errorf("the log tells of trouble: %.2000s", log)
	}
	t.Logf("%d requests", turns)
}

// resident is a member who uses everything. All that they write says for whom
// it is.
type resident struct {
	*apptest.Client
	apptest.Rand
	n        int
	other    *resident // whom they write to, and share a community with
	talk     string    // address of the conversation of the two
	calendar string    // address of their calendar, for DAV
	turns    int
	tags     int               // that they have read
	etag     string            // of the last dataset
	natively map[string]string // title → address of what they wrote through World
	files    map[string]string // title → address of what they wrote by CalDAV
}

func newResident(h *apptest.Server, n int) *resident {
	r := &resident{Client: h.Member(fmt.Sprint("m", n)).Runtime(), Rand: apptest.NewRand(uint64(n)), n: n, natively: make(map[string]string), files: make(map[string]string)}
	r.HTTP.Transport = new(http.Transport)
	h.T.Cleanup(r.HTTP.CloseIdleConnections)
	r.calendar = r.DefaultCalendar()
	return r
}

// meet makes two a community, and a conversation there.
func (r *resident) meet(other *resident) {
	r.other, other.other = other, r
	at := r.CreateCommunity(`{"name": "`+r.both()+`", "visibility": "private"}`, other.Client)
	id := strings.TrimPrefix(at, apptest.CommunitiesPath+"/")
	a := r.Do("POST", apptest.ConversationsPath, map[string]any{"title": r.both(), "body": r.both(), "context": map[string]any{"kind": "community", "id": id}}).Want(201)
	r.talk = apptest.ConversationsPath + "/" + a.Str("conversation.id")
	other.talk = r.talk
}

// mine and both say for whom something is, mine unlike all before.
func (r *resident) mine() string { return fmt.Sprintf("Number %d [for %d]", r.turns, r.n) }

func (r *resident) both() string {
	return fmt.Sprintf("Between us [for %d %d]", min(r.n, r.other.n), max(r.n, r.other.n))
}

var forWhom = regexp.MustCompile(`\[for((?: \d+)+)\]`)

// send sends a request of theirs, and looks whether the answer has anything
// that is not for them.
func (r *resident) send(c *apptest.Client, method, path string, status int, body ...any) *apptest.Answer {
	a, err := c.Try(method, path, body...)
	if err != nil {
		r.T.Errorf("%s: %s %s: %v", r.Name, method, path, err)
		return &apptest.Answer{T: r.T}
	}
	if a.Status != status {
		r.T.Errorf("%s: status %d, want %d: %.300s", a.About, a.Status, status, a.Body)
	}
	for _, m := range forWhom.FindAllStringSubmatch(a.Body, -1) {
		r.tags++
		if !slices.Contains(strings.Fields(m[1]), fmt.Sprint(r.n)) {
			r.T.Errorf("%s: it shows what is %s", a.About, m[0])
		}
	}
	return a
}

// places are what is read.
var places = []string{
	"/world/runtime", "/world/runtime?lat=52.5&lon=13.4", "/world/panels/time", "/world/panels/time?view=week&date=2026-12-07", "/world/panels/social",
	"/world/panels/social?view=conversations", "/world/panels/messages", "/world/panels/messages/rail", "/world/messages", "/world/messages?q=us",
	"/world/calendars", "/world/time/objects?object_type=task&limit=200", "/world/social/conversations", "/world/social/communities",
	"/world/social/activity", "/world/social/notifications", "/world/social/presence", "/world/identity/export", "/world/time/trash",
}

// turn does one thing.
func (r *resident) turn() {
	r.turns++
	dav := r.Basic()
	title, full := r.mine(), len(r.natively)+len(r.files) > 40
	switch r.IntN(16) {
	case 0, 1:
		if full {
			r.drop()
			return
		}
		a := r.send(r.Client, "POST", "/world/time/objects", 201, map[string]any{"object_type": "task", "title": title, "due": "2026-12-10"})
		r.natively[title] = a.Str("object.links.self")
	case 2:
		if old, at := anyOf(r.natively); at != "" {
			r.send(r.Client, "PATCH", at, 200, map[string]any{"title": title})
			delete(r.natively, old)
			r.natively[title] = at
		}
	case 3, 4:
		if full {
			r.drop()
			return
		}
		at := fmt.Sprintf("%sn%d.ics", r.calendar, r.turns)
		r.send(dav, "PUT", at, 201, apptest.VObject("VTODO", fmt.Sprintf("n%d-%d", r.n, r.turns), "DUE:20261210T090000Z", "SUMMARY:"+title))
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
			r.T.Errorf("%s: the dataset: %v %v", r.Name, a, err)
			return
		}
		r.etag = a.Header.Get("ETag")
	default:
		r.send(r.Client, "GET", apptest.Pick(r.Rand, places...), 200)
	}
}

// drop makes room.
func (r *resident) drop() {
	for title, at := range r.natively {
		r.send(r.Client, "DELETE", at, 200)
		delete(r.natively, title)
	}
}

// anyOf returns the first of them.
func anyOf(written map[string]string) (title, at string) {
	for title, at := range written {
		return title, at
	}
	return "", ""
}

// hasItsOwn fails the test unless the member has what they wrote, and no more.
func (r *resident) hasItsOwn() {
	r.T.Helper()
	want := slices.Sorted(maps.Keys(r.natively))
	want = slices.Sorted(slices.Values(append(want, slices.Sorted(maps.Keys(r.files))...)))
	var got []string
	for _, o := range r.send(r.Client, "GET", "/world/time/objects?object_type=task&limit=200", 200).List("objects") {
		got = append(got, apptest.At(o, "title").(string))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		r.T.Errorf("%s has %q, and wrote %q", r.Name, got, want)
	}
	for _, s := range r.Do("GET", "/world/messages").Want(200).List("threads") {
		if n := apptest.At(s, "participant_count"); n != 2.0 {
			r.T.Errorf("%s has a thread of %v", r.Name, n)
		}
	}
}
