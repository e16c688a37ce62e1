package load

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// trustLoopback makes the server accept client addresses from this machine, so that the streams of
// a test do not share the limit of one address.
func trustLoopback(s *config.Settings) {
	s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
}

// withAddress returns the client with an address of its own.
func withAddress(c *apptest.Client, n int) *apptest.Client {
	return c.With("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", n))
}

// streamingMembers returns members with an address each.
func streamingMembers(s *apptest.Server, count int) (list []*apptest.Client) {
	for i := range count {
		c := withAddress(s.Member(fmt.Sprint("member", i)), i)
		c.AsRuntime().Do("GET", "/world/runtime").Want(200) // writes the defaults of the workspace
		list = append(list, c)
	}
	return list
}

// BenchmarkStreams measures the time from a request that writes until the streams of its
// readers have the event, while 200 streams are open.
func BenchmarkStreams(b *testing.B) {
	const perMember = 4
	s := apptest.New(b, apptest.Unlimited, trustLoopback)
	members := streamingMembers(s, 200/perMember)
	streams := make([][]*apptest.Stream, len(members))
	for i, c := range members {
		for range perMember {
			streams[i] = append(streams[i], c.OpenStream(""))
		}
	}
	measure := func(b *testing.B, write func(n int), readers func(n int) []*apptest.Stream) {
		var delays []time.Duration
		n := 0
		for b.Loop() {
			delays = append(delays, durationOf(func() {
				write(n)
				for _, open := range readers(n) {
					open.WantEvent()
				}
			}))
			n++
		}
		b.ReportMetric(percentile(delays, 50).Seconds()*1000, "ms/median")
		b.ReportMetric(delays[len(delays)-1].Seconds()*1000, "ms/max")
	}
	// The pairs alternate, so that the minimum interval between two events of a stream has passed.
	b.Run("of two members", func(b *testing.B) {
		from, to := func(n int) int { return 2 * n % len(members) }, func(n int) int { return (2*n + 1) % len(members) }
		measure(b, func(n int) {
			members[from(n)].SendMessage(members[to(n)].Name, "Hello")
		}, func(n int) []*apptest.Stream { return slices.Concat(streams[from(n)], streams[to(n)]) })
	})
	b.Run("of all members", func(b *testing.B) {
		var all []*apptest.Stream
		for _, list := range streams {
			all = append(all, list...)
		}
		measure(b, func(n int) {
			members[0].Do("PATCH", "/world/identity/me", map[string]any{"display_name": fmt.Sprint("Name ", n)}).Want(200)
		}, func(int) []*apptest.Stream { return all })
	})
}
