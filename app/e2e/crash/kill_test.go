package crash

import (
	"database/sql"
	"encoding/xml"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"appliance/app/apptest"
)

// A server that is killed at any moment under load loses nothing that it
// acknowledged, and no client that synchronizes misses a change. Covers PT-28
// and PT-38.
func TestKilledServerLosesNothing(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	dir := apptest.NewDataDir(t)
	h := &programs{t: t, database: filepath.Join(dir, "appliance.db")}
	for i := range 6 {
		h.writers = append(h.writers, &writer{programs: h, n: i, entries: make(map[string]string)})
	}
	acknowledged := 0
	for range rounds {
		p := apptest.Serve(t, dir, "--rate-limits", "writes=0,reads=0")
		h.connect(p)
		h.check()
		acknowledged += h.work(1+rand.IntN(250), p)
	}
	h.connect(apptest.Serve(t, dir))
	h.check()
	t.Logf("%d writes acknowledged in %d rounds", acknowledged, rounds)
}

// programs are what one member uses: some that write, and one that
// synchronizes.
type programs struct {
	t        *testing.T
	database string
	native   *apptest.Client // with her token
	caldav   *apptest.Client // with her password
	calendar string
	writers  []*writer
	seen     []apptest.Replica // what the synchronizing one has had, the oldest first
}

// connect makes everybody use a server that has just been started.
func (h *programs) connect(p *apptest.Process) {
	h.native = p.SignIn("ann")
	h.native.HTTP.Transport = &http.Transport{MaxIdleConnsPerHost: 2 * len(h.writers)}
	h.caldav = h.native.Basic()
	h.calendar = h.native.DefaultCalendar()
}

// work has everybody work until the server has acknowledged so many writes,
// kills it, and returns how many it acknowledged in the end.
func (h *programs) work(enough int, p *apptest.Process) int {
	var acknowledged atomic.Int64
	var all sync.WaitGroup
	for _, w := range h.writers {
		all.Go(func() {
			for w.write() {
				if acknowledged.Add(1) == int64(enough) {
					p.Kill()
				}
			}
		})
	}
	all.Go(func() {
		for h.follow() {
		}
	})
	all.Wait()
	p.Kill() // all have been refused something, which the test knows of
	return int(acknowledged.Load())
}

// check compares what there is with what was acknowledged.
func (h *programs) check() {
	h.t.Helper()
	entries := 0
	for _, w := range h.writers {
		w.check()
		entries += len(w.entries)
	}
	now := h.list()
	if len(now.ETags) != entries {
		h.t.Errorf("there are %d entries, want %d", len(now.ETags), entries)
	}
	// From whatever it has seen, a client gets to what there is.
	rand.Shuffle(max(0, len(h.seen)-1), func(i, k int) { h.seen[i], h.seen[k] = h.seen[k], h.seen[i] })
	h.seen = h.seen[max(0, len(h.seen)-10):]
	for _, r := range h.seen {
		from := r.Token
		if err := h.sync(&r); err != nil {
			h.t.Fatal(err)
		}
		if !maps.Equal(r.ETags, now.ETags) {
			h.t.Errorf("from token %s a client gets to %v\nwant %v", from, r.ETags, now.ETags)
		}
	}
	db, err := sql.Open("sqlite", "file:"+h.database+"?mode=ro")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	var answer string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		h.t.Errorf("integrity_check: %s, %v", answer, err)
	}
}

// follow gets what has changed, and reports whether the server was there.
func (h *programs) follow() bool {
	next := apptest.Replica{ETags: make(map[string]string)}
	if n := len(h.seen); n > 0 {
		next = apptest.Replica{Token: h.seen[n-1].Token, ETags: maps.Clone(h.seen[n-1].ETags)}
	}
	before := next.Token
	if h.sync(&next) != nil {
		return false
	}
	if next.Token != before {
		h.seen = append(h.seen, next)
	}
	return true
}

// sync brings the replica up to date (RFC 6578 §3).
func (h *programs) sync(r *apptest.Replica) error {
	answer, err := h.multistatus("REPORT", fmt.Sprintf(
		`<sync-collection xmlns="DAV:"><sync-token>%s</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`, r.Token))
	if err != nil {
		return err
	}
	r.Token, r.ETags = answer.Token, maps.Clone(r.ETags)
	for _, e := range answer.Entries {
		if e.ETag == "" {
			delete(r.ETags, e.Href)
		} else {
			r.ETags[e.Href] = e.ETag
		}
	}
	return nil
}

// list returns the calendar as it is.
func (h *programs) list() apptest.Replica {
	h.t.Helper()
	answer, err := h.multistatus("PROPFIND", `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`)
	if err != nil {
		h.t.Fatal(err)
	}
	r := apptest.Replica{ETags: make(map[string]string)}
	for _, e := range answer.Entries {
		if e.ETag != "" { // not the calendar itself
			r.ETags[e.Href] = e.ETag
		}
	}
	return r
}

func (h *programs) multistatus(method, body string) (m apptest.Multistatus, err error) {
	a, err := h.caldav.With("Depth", "1").Try(method, h.calendar, body)
	if err != nil {
		return m, err
	}
	if a.Status != http.StatusMultiStatus {
		h.t.Errorf("%s: status %d\n%s", a.About, a.Status, a.Body)
	}
	return m, xml.Unmarshal([]byte(a.Body), &m)
}

// writer is a program that creates, changes and deletes entries of its own,
// one after another.
type writer struct {
	*programs
	n, serial int
	entries   map[string]string // text by path: what the server has acknowledged
	tried     *change           // what it has not heard the end of
}

// change is a write: of a text, or of none, which is a deletion. A native
// entry has no path before it exists.
type change struct{ path, text string }

// write does one thing or another, and reports whether it was acknowledged.
func (w *writer) write() bool {
	w.serial++
	title := fmt.Sprintf("writer %d, entry %d", w.n, w.serial)
	switch dice := rand.IntN(10); {
	case dice < 5:
		name := fmt.Sprintf("w%d-%d.ics", w.n, rand.IntN(8))
		return w.do(change{w.calendar + name, apptest.VEvent(name, "DTSTART:20261201T090000Z", "SUMMARY:"+title)})
	case dice < 7 || len(w.entries) == 0:
		return w.do(change{text: title})
	}
	known := slices.Sorted(maps.Keys(w.entries))
	return w.do(change{path: known[rand.IntN(len(known))]})
}

func (w *writer) do(a change) bool {
	w.tried = &a
	var answer *apptest.Answer
	var err error
	switch {
	case a.path == "":
		answer, err = w.native.With("Idempotency-Key", a.text).Try("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": a.text})
	case a.text == "":
		answer, err = w.client(a.path).Try("DELETE", a.path)
	default:
		answer, err = w.caldav.Try("PUT", a.path, a.text)
	}
	if err != nil { // the server was killed
		return false
	}
	if answer.Status >= 300 {
		w.t.Errorf("%s: status %d\n%s", answer.About, answer.Status, answer.Body)
		return false
	}
	w.tried = nil
	switch {
	case a.path == "":
		w.entries["/world/time/objects/"+answer.Str("object.id")] = a.text
	case a.text == "":
		delete(w.entries, a.path)
	default:
		w.entries[a.path] = a.text
	}
	return true
}

// client returns who uses a path.
func (w *writer) client(path string) *apptest.Client {
	if strings.HasPrefix(path, "/world/") {
		return w.native
	}
	return w.caldav
}

// check compares the writer's entries with what there is. What it tried last
// has happened, or it has not; a native entry is sent once more, under the
// same key, and is one entry then.
func (w *writer) check() {
	w.t.Helper()
	if a := w.tried; a != nil {
		switch {
		case a.path == "":
			w.do(*a)
		case w.get(a.path) != a.text:
		case a.text == "":
			delete(w.entries, a.path)
		default:
			w.entries[a.path] = a.text
		}
		w.tried = nil
	}
	for path, text := range w.entries {
		if got := w.get(path); got != text {
			w.t.Errorf("%s is %q\nand was acknowledged as %q", path, got, text)
		}
	}
}

// get returns the text of an entry, "" if there is none.
func (w *writer) get(path string) string {
	w.t.Helper()
	a := w.client(path).Do("GET", path)
	switch {
	case a.Status == http.StatusNotFound:
		return ""
	case strings.HasPrefix(path, "/world/"):
		return a.Want(200).Str("object.title")
	}
	return a.Want(200).Body
}
