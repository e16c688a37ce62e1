package process

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"appliance/app/apptest"
)

// writer is a client that creates, changes and deletes its own entries, one
// request at a time.
type writer struct {
	*workload
	n, serial int
	entries   map[string]string // acknowledged text by path
	pending   *change           // sent, but not acknowledged
}

// change is a write of an entry: a deletion if text is empty, and the creation of
// a task if path is empty. The text of a task is its title.
type change struct{ path, text string }

// write makes a random change and reports whether it was acknowledged.
func (w *writer) write() bool {
	w.serial++
	title := fmt.Sprintf("writer %d, entry %d", w.n, w.serial)
	switch kind := rand.IntN(10); {
	case kind < 5:
		name := fmt.Sprintf("w%d-%d.ics", w.n, rand.IntN(8))
		return w.send(change{w.calendar + name, apptest.VEvent(name, "DTSTART:20261201T090000Z", "SUMMARY:"+title)})
	case kind < 7 || len(w.entries) == 0:
		return w.send(change{text: title})
	}
	paths := slices.Sorted(maps.Keys(w.entries))
	return w.send(change{path: paths[rand.IntN(len(paths))]})
}

// send sends a change and reports whether it was acknowledged.
func (w *writer) send(c change) bool {
	w.pending = &c
	var answer *apptest.Answer
	var err error
	switch {
	case c.path == "":
		answer, err = w.jsonAPI.With("Idempotency-Key", c.text).Try("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": c.text})
	case c.text == "":
		answer, err = w.client(c.path).Try("DELETE", c.path)
	default:
		answer, err = w.caldav.Try("PUT", c.path, c.text)
	}
	if err != nil { // the server was killed
		return false
	}
	if answer.Status >= 300 {
		w.t.Errorf("%s: got status %d, want success\n%s", answer.About, answer.Status, answer.Body)
		return false
	}
	if c.path == "" {
		c.path = taskPath(answer.Str("object.id"))
	}
	w.apply(c)
	return true
}

const taskPrefix = "/world/time/objects/"

func taskPath(id string) string { return taskPrefix + id }

// apply records an acknowledged change.
func (w *writer) apply(c change) {
	w.pending = nil
	if c.text == "" {
		delete(w.entries, c.path)
	} else {
		w.entries[c.path] = c.text
	}
}

// client returns the client that can use a path.
func (w *writer) client(path string) *apptest.Client {
	if strings.HasPrefix(path, taskPrefix) {
		return w.jsonAPI
	}
	return w.caldav
}

// wantEntries fails the test unless the server has the entries of the writer.
// The pending change was either applied or not. The creation of a task is sent
// again with the same idempotency key, so that it results in one task.
func (w *writer) wantEntries() {
	w.t.Helper()
	if c := w.pending; c != nil {
		switch {
		case c.path == "":
			w.send(*c)
		case w.text(c.path) == c.text:
			w.apply(*c)
		}
		w.pending = nil
	}
	for path, want := range w.entries {
		if got := w.text(path); got != want {
			w.t.Errorf("%s: got %q, want the acknowledged %q", path, got, want)
		}
	}
}

// text returns the text of an entry, or "" if it does not exist.
func (w *writer) text(path string) string {
	w.t.Helper()
	a := w.client(path).Do("GET", path)
	switch {
	case a.Status == http.StatusNotFound:
		return ""
	case strings.HasPrefix(path, taskPrefix):
		return a.Want(200).Str("object.title")
	}
	return a.Want(200).Body
}
