package load

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
)

// BenchmarkSession measures the session and related resources of a member with
// 1,000 calendar objects, 40 conversations, communities and events, and messages
// from 100 members.
func BenchmarkSession(b *testing.B) {
	p := apptest.NewPopulation(b, 100)
	p.SendMessages(20_000, 3)
	member, other := p.Client(50), p.Client(51)
	member.FillCalendar(b, 1000)
	for i := range 40 {
		member.StartConversation(fmt.Sprint("Topic ", i))
		member.CreateCommunity(fmt.Sprintf(`{"name": "Community %d"}`, i))
		member.Do("POST", "/world/social/events", `{"title": "x", "start": "2026-12-24", "visibility": "public"}`).Want(201)
	}
	for _, path := range []string{apptest.SessionPath, "/world/translated", "/world/panels/find"} {
		b.Run(path+" after a restart", func(b *testing.B) { benchGetAfter(b, member, path, p.Restart) })
		b.Run(path+" cached", func(b *testing.B) { benchGet(b, p.Server, member, path) })
	}
	b.Run("not modified after a write by another member", func(b *testing.B) {
		b.ReportAllocs()
		etag := member.Do("GET", apptest.SessionPath).Want(200).Header.Get("ETag")
		get := member.With("If-None-Match", etag).Bench(b, "GET", 304)
		benchAfter(b,
			func() { other.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201) },
			func() { get(apptest.SessionPath, "") })
	})
}
