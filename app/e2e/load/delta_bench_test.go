package load

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/messages"
)

// newThousandObjects returns a server whose first member has about 1,000 objects.
func newThousandObjects(t testing.TB) *apptest.Population {
	t.Helper()
	p := apptest.NewPopulation(t, 151)
	addMeetings(p, 440)
	repeat(p, 150, func(tx *store.Tx, i int) error {
		_, err := p.App.Messages.Start(tx, p.Viewers[i+1], messages.StartRequest{Recipient: messages.Recipients{"1"}, Body: "What do you think of it?"})
		return err
	})
	addSocialObjects(p)
	openFindings(p, 20)
	return p
}

// smallWrite is a write that changes little of the dataset of ann.
type smallWrite struct {
	name string
	run  func(n int)
}

// smallWrites returns writes of ann and bea that change one object of ann.
func smallWrites(ann, bea *apptest.Client) []smallWrite {
	thread := bea.Do("GET", "/world/messages").Want(200).Str("threads.0.links.messages")
	conversation := apptest.ConversationsPath + "/" + bea.Do("GET", apptest.ConversationsPath).Want(200).Str("conversations.0.id") + "/replies"
	event := "/world/social/events/" + bea.Do("GET", "/world/social/events").Want(200).Str("events.0.id") + "/rsvp"
	return []smallWrite{
		{"a message", func(n int) { bea.Do("POST", thread, map[string]any{"body": fmt.Sprint("Number ", n)}).Want(201) }},
		{"a reply", func(n int) { bea.Do("POST", conversation, map[string]any{"body": fmt.Sprint("Number ", n)}).Want(201) }},
		{"an answer", func(n int) {
			bea.Do("POST", event, map[string]any{"response": []string{"going", "maybe"}[n%2]}).Want(200)
		}},
		{"a presence", func(n int) {
			bea.Do("POST", "/world/social/presence", map[string]any{"state": []string{"online", "busy"}[n%2]}).Want(200)
		}},
		{"a task", func(n int) {
			ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}).Want(201)
		}},
	}
}

// BenchmarkSmallChange measures, for a member with 1,000 objects, the request for the
// changes after one write, the request for the whole dataset, and a request without
// changes. Covers B-105.
func BenchmarkSmallChange(b *testing.B) {
	p := newThousandObjects(b)
	ann, bea := p.Client(1), p.Client(2)
	logDataset(b, ann)
	compressed := ann.With("Accept-Encoding", "gzip")
	get := compressed.Bench(b, "GET", 200)
	n := 0
	var url string
	for _, w := range smallWrites(ann, bea) {
		prepare := func() {
			url = ann.Do("GET", "/world/runtime").Want(200).Str("capabilities.changes.url")
			n++
			w.run(n)
		}
		for _, c := range []struct {
			name string
			url  func() string
		}{{"changes after ", func() string { return url }}, {"dataset after ", func() string { return "/world/runtime" }}} {
			b.Run(c.name+w.name, func(b *testing.B) {
				var size int64
				benchP99(b, prepare, func() { size = max(size, get(c.url(), "")) })
				b.ReportMetric(float64(size), "bytes")
			})
		}
	}
	b.Run("no change", func(b *testing.B) {
		a := ann.Do("GET", "/world/runtime").Want(200)
		url, get := a.Str("capabilities.changes.url"), compressed.With("If-None-Match", a.Header.Get("ETag")).Bench(b, "GET", 304)
		benchP99(b, func() {}, func() { get(url, "") })
	})
}
