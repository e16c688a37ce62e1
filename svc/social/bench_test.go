package social

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// BenchmarkCircles computes the circles of one of 1,000 members in 200 private
// communities of ten members.
func BenchmarkCircles(b *testing.B) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint("m", i)
	}
	s, m := newServer(b, names...)
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		members := random.Perm(len(m))[:10]
		m[members[0]].createCommunityOf(members[1:])
	}
	circles := func(service *Service) (n int) {
		for _, c := range read(m[0], func(tx *store.Tx, v svc.Viewer) ([]Circle, error) { return service.Circles(tx, v) }) {
			n += len(c.Members)
		}
		return n
	}
	b.Run("computed", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(float64(circles(New(s.members, s.calendars, s.storage))), "members")
		}
	})
	b.Run("cached", func(b *testing.B) {
		for b.Loop() {
			circles(s.Service)
		}
	})
}

// createCommunityOf creates a private community of a and other members in one write.
func (a actor) createCommunityOf(others []int) {
	a.Helper()
	write(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
		c, err := a.CreateCommunity(tx, v, NewCommunity{Name: "Choir"})
		for _, i := range others {
			if err == nil && i+1 != int(a.id) {
				err = a.addMember(tx, communityRow{ID: c.ID, Visibility: "private"}, svc.MemberID(i+1))
			}
		}
		return nil, err
	})
}
