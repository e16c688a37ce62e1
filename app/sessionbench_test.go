package app

import (
	"fmt"
	"testing"
)

// The session, and what is translated of the dataset, of a member with 1,000
// calendar entries and much of social life, among a hundred who write to them.
func BenchmarkSession(b *testing.B) {
	c := settleCommunity(b, 100)
	c.talk(20_000, 3)
	ann := c.m(50).runtime()
	ann.fill(b, 1000)
	for i := range 40 {
		ann.converse(fmt.Sprint("Topic ", i))
		ann.community(fmt.Sprintf(`{"name": "Community %d"}`, i))
		ann.do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "visibility": "public"}`).want(201)
	}
	other := c.m(51)
	for _, path := range []string{sessionPath, "/world/translated", "/world/panels/find"} {
		get := ann.request(b, "GET", 200)
		b.Run(path+" first", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				c.restart()
				b.StartTimer()
				get(path, "")
			}
		})
		b.Run(path+" again", func(b *testing.B) {
			b.ReportAllocs()
			c.ran.take()
			size, queries := get(path, ""), 0
			for _, n := range c.ran.take() {
				queries += n
			}
			for b.Loop() {
				get(path, "")
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(queries), "queries")
		})
	}
	b.Run("unchanged, after what another did", func(b *testing.B) {
		b.ReportAllocs()
		etag := ann.do("GET", sessionPath).want(200).header.Get("ETag")
		get := ann.with("If-None-Match", etag).request(b, "GET", 304)
		for b.Loop() {
			b.StopTimer()
			other.do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).want(201)
			b.StartTimer()
			get(sessionPath, "")
		}
	})
}
