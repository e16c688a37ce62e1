package load

import (
	"testing"

	"appliance/app/apptest"
)

// BenchmarkMessages measures Messages with 1,000 members and 100,000 messages.
func BenchmarkMessages(b *testing.B) {
	p := apptest.NewPopulation(b, 1000)
	p.SendMessages(100_000, 3)
	member := p.Client(500)
	thread := member.Do("GET", "/world/messages").Want(200).Str("threads.0.links.self")
	for _, g := range []measuredGet{
		{"inbox", "/world/messages"},
		{"thread", thread + "?peek=1"},
		{"search for a frequent word", "/world/messages?q=the"},
		{"search for two rare words", "/world/messages?q=harbour+candle"},
		{"search for a prefix", "/world/messages?q=w"},
		{"search without results", "/world/messages?q=zebra"},
		{"panel", "/world/panels/messages"},
		{"dataset", "/world/runtime"},
		{"session", apptest.SessionPath},
	} {
		b.Run(g.name, func(b *testing.B) { benchGet(b, p.Server, member, g.path) })
	}
	b.Run("send", func(b *testing.B) {
		post := member.With("Content-Type", "application/json").Bench(b, "POST", 201)
		for b.Loop() {
			post(thread+"/messages", `{"body": "See you at the harbour"}`)
		}
	})
	b.Run("dataset after a restart", func(b *testing.B) { benchGetAfter(b, member, "/world/runtime", p.Restart) })
}
