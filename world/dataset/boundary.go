package dataset

import (
	"slices"
	"sync"
	"time"

	"appliance/svc"
)

// boundary is a time at which a representation changes without a write.
type boundary struct {
	at       time.Time
	services []string // source_ids of the services that change
}

// boundaries contains, for each member, the next boundary of the latest response of
// each kind. Streams use them to report changes that time makes.
type boundaries struct {
	mu      sync.Mutex
	members map[svc.MemberID]*memberBoundaries
}

type memberBoundaries struct {
	next   map[string]boundary // by the kind of the response
	passed boundary            // the latest boundary that a later response has replaced, with the services of all replaced ones
}

// maxBoundaries is the number of members in [boundaries] above which members without
// a future boundary are removed.
const maxBoundaries = 1000

// record records the next boundary of a response.
func (b *boundaries) record(member svc.MemberID, kind string, next boundary, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.members[member]
	if m == nil {
		if len(b.members) >= maxBoundaries {
			b.removePassed(now)
		}
		m = &memberBoundaries{next: make(map[string]boundary)}
		b.members[member] = m
	}
	if previous, ok := m.next[kind]; ok && !previous.at.After(now) && previous.at.After(m.passed.at) {
		m.passed = boundary{previous.at, union(m.passed.services, previous.services)}
	}
	m.next[kind] = next
}

// removePassed removes the members without a future boundary.
func (b *boundaries) removePassed(now time.Time) {
	for id, m := range b.members {
		toCome := false
		for _, next := range m.next {
			toCome = toCome || next.at.After(now)
		}
		if !toCome {
			delete(b.members, id)
		}
	}
}

// between returns the services with a boundary after since and not after now.
func (b *boundaries) between(member svc.MemberID, since, now time.Time) (services []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.members[member]
	if m == nil {
		return nil
	}
	add := func(b boundary) {
		if b.at.After(since) && !b.at.After(now) {
			services = union(services, b.services)
		}
	}
	add(m.passed)
	for _, next := range m.next {
		add(next)
	}
	return services
}

// Validity is the time for which a response is valid if nothing in it expires earlier.
const Validity = 24 * time.Hour

// recordBoundary records when a response of a kind expires. If services is nil, the
// services that change then are unknown. A response that is valid for the whole
// Validity changes nothing when it expires; any other one may change every service.
func (c *Composer) recordBoundary(v svc.Viewer, kind string, expires time.Time, services []string, now time.Time) {
	if services == nil {
		if known, ok := c.boundaries.nextOf(v.Member(), kind); ok && known.Equal(expires) {
			return
		}
		if expires.Before(now.Add(Validity)) {
			services = c.allServices()
		}
	}
	if late := c.db.Now(); late.After(expires) {
		expires = late // a stream may have checked the boundaries since now
	}
	c.boundaries.record(v.Member(), kind, boundary{expires, services}, now)
}

// nextOf returns the next boundary of a kind, if there is one.
func (b *boundaries) nextOf(member svc.MemberID, kind string) (at time.Time, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m := b.members[member]; m != nil {
		next, ok := m.next[kind]
		return next.at, ok
	}
	return time.Time{}, false
}

// union returns the names that are in a or b.
func union(a, b []string) []string {
	list := slices.Concat(a, b)
	slices.Sort(list)
	return slices.Compact(list)
}

// ChangedBetween returns the sections and services that have changed without a write
// after since and not after now, in the responses that the member has received.
func (c *Composer) ChangedBetween(member svc.MemberID, since, now time.Time) Changed {
	return c.changedBy(c.boundaries.between(member, since, now))
}

// HasBoundary reports whether a response that the member has received expires after
// since and not after now.
func (c *Composer) HasBoundary(member svc.MemberID, since, now time.Time) bool {
	return len(c.boundaries.between(member, since, now)) > 0
}
