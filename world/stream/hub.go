package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/world/dataset"
)

// MaxPerMember limits the open streams of a member.
const MaxPerMember = 8

// tooManyRetryAfter is the Retry-After of a stream that is refused, because another device
// may close one of its streams.
const tooManyRetryAfter = 30 * time.Second

// Hub contains the open streams.
type Hub struct {
	db        *store.DB
	composer  *dataset.Composer
	intervals Intervals
	started   time.Time     // ids of earlier events are unknown, because boundaries are in memory
	reads     chan struct{} // one token per read that runs, so that streams leave connections for requests

	mu      sync.Mutex
	members map[svc.MemberID][]*Stream
	open    int
	closed  bool
	stop    context.CancelFunc // ends watch; nil while no stream is open
}

// Intervals are the times of a stream. Tests use shorter ones.
type Intervals struct {
	Comment time.Duration // silence after which a comment is sent, so that proxies keep the connection open
	Pause   time.Duration // between two events of a stream
	Poll    time.Duration // between two checks for commits of other processes and for boundaries
}

// DefaultIntervals are the intervals of the server.
var DefaultIntervals = Intervals{Comment: 25 * time.Second, Pause: 50 * time.Millisecond, Poll: time.Second}

// maxReads limits the streams that read the database at the same time.
const maxReads = 2

// New returns a Hub that observes the commits of db.
func New(db *store.DB, composer *dataset.Composer, intervals Intervals) *Hub {
	h := &Hub{
		db: db, composer: composer, intervals: intervals, started: db.Now(), reads: make(chan struct{}, maxReads), members: make(map[svc.MemberID][]*Stream),
	}
	db.OnChange(h.wakeTouched)
	return h
}

// Count returns the number of open streams.
func (h *Hub) Count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Open opens a stream of v, which the caller must close. ctx is the context of the
// request; its write guard (see [store.WithWriteGuard]) reports the end of the
// session.
func (h *Hub) Open(ctx context.Context, v svc.Viewer) (*Stream, error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		e := svc.Errorf(svc.ServiceUnavailable, "The server is stopping. Try again in a moment.")
		e.RetryAfter = 5 * time.Second
		return nil, e
	}
	if len(h.members[member]) >= MaxPerMember {
		e := svc.Errorf(svc.RateLimited, "You have %d open streams, which is the limit. Close one, or try again in %d seconds.", MaxPerMember, int(tooManyRetryAfter.Seconds()))
		e.RetryAfter = tooManyRetryAfter
		return nil, e
	}
	s := &Stream{hub: h, member: member, checkSession: store.WriteGuard(ctx), wake: make(chan struct{}, 1), ended: make(chan struct{})}
	h.members[member] = append(h.members[member], s)
	if h.open++; h.open == 1 {
		var watching context.Context
		watching, h.stop = context.WithCancel(context.WithoutCancel(ctx))
		go h.watch(watching, h.db.Now())
	}
	return s, nil
}

// Close closes the stream.
func (s *Stream) Close() {
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.members[s.member]
	i := slices.Index(list, s)
	if i < 0 {
		return
	}
	if list = slices.Delete(list, i, i+1); len(list) == 0 {
		delete(h.members, s.member)
	} else {
		h.members[s.member] = list
	}
	if h.open--; h.open == 0 {
		h.stop()
	}
}

// Close ends all streams and refuses new ones. The server calls it when it begins to
// stop, so that it need not wait for clients.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	for _, list := range h.members {
		for _, s := range list {
			close(s.ended)
		}
	}
}

// wakeTouched wakes the streams of the members whose data a commit has changed.
func (h *Hub) wakeTouched(touched []store.Touched) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range touched {
		if t.Member == store.Everyone {
			for _, list := range h.members {
				wakeAll(list)
			}
			return
		}
		wakeAll(h.members[svc.MemberID(t.Member)])
	}
}

func wakeAll(list []*Stream) {
	for _, s := range list {
		select {
		case s.wake <- struct{}{}:
		default: // it is awake already
		}
	}
}

// watch checks for commits of other processes and for boundaries that have passed after
// a time, until ctx ends.
func (h *Hub) watch(ctx context.Context, since time.Time) {
	ticker := time.NewTicker(h.intervals.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		_ = h.db.Poll(ctx) // the next one tries again; the store reports damage
		now := h.db.Now()
		h.wakeExpired(since, now)
		since = now
	}
}

// wakeExpired wakes the streams of members with a boundary after since and not after
// now.
func (h *Hub) wakeExpired(since, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for member, list := range h.members {
		if h.composer.HasBoundary(member, since, now) {
			wakeAll(list)
		}
	}
}
