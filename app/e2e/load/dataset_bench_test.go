package load

import (
	"fmt"
	"io"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/world/dataset"
)

// logDataset logs the size of a member's dataset and returns it.
func logDataset(b *testing.B, c *apptest.Client) *apptest.Answer {
	b.Helper()
	a := c.Do("GET", "/world/runtime").Want(200)
	b.Logf("%d objects, %d bytes", len(a.List("objects")), len(a.Body))
	return a
}

// benchP99 measures do after each call of prepare, and reports the 99th
// percentile.
func benchP99(b *testing.B, prepare, do func()) {
	b.ReportAllocs()
	var durations []time.Duration
	benchAfter(b, prepare, func() { durations = append(durations, durationOf(do)) })
	b.ReportMetric(float64(percentile(durations, 99))/1e6, "p99-ms")
}

// BenchmarkPlentyOfObjects measures a dataset of 2,000 objects after each kind of
// write by another member and after the member's own write, and the translated
// dataset.
func BenchmarkPlentyOfObjects(b *testing.B) {
	p := newDatasetServer(b)
	ann, bea := p.Client(1), p.Client(2)
	logDataset(b, ann)
	get := ann.Bench(b, "GET", 200)
	thread := bea.Do("GET", "/world/messages").Want(200).Str("threads.0.links.messages")
	replies := apptest.ConversationsPath + "/" + bea.Do("GET", apptest.ConversationsPath).Want(200).Str("conversations.0.id") + "/replies"
	rsvp := "/world/social/events/" + bea.Do("GET", "/world/social/events").Want(200).Str("events.0.id") + "/rsvp"
	post := func(c *apptest.Client, path string, status int, body map[string]any) {
		c.Do("POST", path, body).Want(status)
	}
	n := 0
	for _, c := range []struct {
		name  string
		write func()
	}{
		{"nothing", func() {}},
		{"a message", func() { post(bea, thread, 201, map[string]any{"body": fmt.Sprint("Number ", n)}) }},
		{"a reply", func() { post(bea, replies, 201, map[string]any{"body": fmt.Sprint("Number ", n)}) }},
		{"an answer", func() { post(bea, rsvp, 200, map[string]any{"response": []string{"going", "maybe"}[n%2]}) }},
		{"a presence", func() {
			post(bea, "/world/social/presence", 200, map[string]any{"state": []string{"online", "busy"}[n%2]})
		}},
		{"an entry of one's own", func() {
			post(ann, "/world/time/objects", 201, map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)})
		}},
	} {
		b.Run("after "+c.name, func(b *testing.B) {
			benchP99(b, func() { n++; c.write() }, func() { get("/world/runtime", "") })
		})
	}
	b.Run("translated", func(b *testing.B) {
		benchP99(b, func() {}, func() { get("/world/translated", "") })
	})
}

// BenchmarkFocusObject measures a change of focus with 2,000 objects, 20 of them
// in the workspace: the action with the dataset in its response, the next read of
// the dataset, the same without HTTP, and without a cache.
func BenchmarkFocusObject(b *testing.B) {
	p := newDatasetServer(b)
	ann := p.Client(1)
	var focusURLs []string
	for _, a := range logDataset(b, ann).List("actions") {
		if apptest.At(a, "type") == "focus_object" && len(focusURLs) < 20 {
			url := apptest.At(a, "command.url").(string)
			ann.Do("POST", url, `{}`).Want(200)
			focusURLs = append(focusURLs, url)
		}
	}
	get, post := ann.Bench(b, "GET", 200), ann.Bench(b, "POST", 200)
	n := 0
	focusNext := func() {
		n++
		post(focusURLs[n%len(focusURLs)], "")
	}
	invalidate := func() { touch(p, ann.ID, svc.WorkspaceChanged) }
	b.Run("with the dataset", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			focusNext()
		}
	})
	b.Run("the next read", func(b *testing.B) {
		b.ReportAllocs()
		benchAfter(b, func() { focusNext(); invalidate() }, func() { get("/world/runtime", "") })
	})
	b.Run("composed", func(b *testing.B) {
		b.ReportAllocs()
		benchAfter(b, invalidate, func() {
			a, err := p.App.World.Read(b.Context(), p.Viewers[0], dataset.Request{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := a.Body.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("without caches", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := p.App.NewWorld().Read(b.Context(), p.Viewers[0], dataset.Request{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
