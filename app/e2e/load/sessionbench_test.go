package load

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
)

// BenchmarkSession reads the session, the translated output and the panel of Find
// of a member with 1,000 entries and much Social content, among 100 members.
func BenchmarkSession(b *testing.B) {
	c := apptest.NewPopulation(b, 100)
	c.SendMessages(20_000, 3)
	ann := c.Client(50).Runtime()
	ann.FillCalendar(b, 1000)
	for i := range 40 {
		ann.StartConversation(fmt.Sprint("Topic ", i))
		ann.CreateCommunity(fmt.Sprintf(`{"name": "Community %d"}`, i))
		ann.Do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "visibility": "public"}`).Want(201)
	}
	other := c.Client(51)
	for _, path := range []string{apptest.SessionPath, "/world/translated", "/world/panels/find"} {
		get := ann.Bench(b, "GET", 200)
		b.Run(path+" empty caches", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				c.Restart()
				b.StartTimer()
				get(path, "")
			}
		})
		b.Run(path+" cached", func(b *testing.B) {
			b.ReportAllocs()
			c.Queries.Take()
			size, queries := get(path, ""), 0
			for _, n := range c.Queries.Take() {
				queries += n
			}
			for b.Loop() {
				get(path, "")
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(queries), "queries")
		})
	}
	b.Run("unchanged after a write of another member", func(b *testing.B) {
		b.ReportAllocs()
		etag := ann.Do("GET", apptest.SessionPath).Want(200).Header.Get("ETag")
		get := ann.With("If-None-Match", etag).Bench(b, "GET", 304)
		for b.Loop() {
			b.StopTimer()
			other.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
			b.StartTimer()
			get(apptest.SessionPath, "")
		}
	})
}
