package app

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"appliance/svc"
)

// How many requests of one member read at once, and how many more may wait for
// that. There are more connections than the first, so that whatever one
// member asks for, the others are answered.
const (
	readsAtOnce  = 2
	readsWaiting = 64
)

// turns makes the reads of each member wait for one another, before they take
// a connection.
type turns struct {
	atOnce, waiting int

	mu      sync.Mutex
	members map[svc.MemberID]*line
}

// line is the requests of one member.
type line struct {
	slots chan struct{} // taken by those whose turn it is
	all   int           // those that wait included
}

func newTurns(atOnce, waiting int) *turns {
	return &turns{atOnce: atOnce, waiting: waiting, members: make(map[svc.MemberID]*line)}
}

// take waits for the member's turn. Whoever gets it has to give it back.
func (t *turns) take(ctx context.Context, m svc.MemberID) (giveBack func(), err error) {
	l, err := t.join(m)
	if err != nil {
		return nil, err
	}
	select {
	case l.slots <- struct{}{}:
		return sync.OnceFunc(func() {
			<-l.slots
			t.leave(m, l)
		}), nil
	case <-ctx.Done():
		t.leave(m, l)
		return nil, fmt.Errorf("waiting for a turn: %w", ctx.Err())
	}
}

func (t *turns) join(m svc.MemberID) (*line, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.members[m]
	if l == nil {
		l = &line{slots: make(chan struct{}, t.atOnce)}
		t.members[m] = l
	}
	if l.all >= t.atOnce+t.waiting {
		e := svc.Errorf(svc.RateLimited, "Too many requests of yours are waiting already. Try again in a moment.")
		e.RetryAfter = time.Second
		return nil, e
	}
	l.all++
	return l, nil
}

func (t *turns) leave(m svc.MemberID, l *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.all--; l.all == 0 {
		delete(t.members, m)
	}
}

// queue waits for v's turn to read. It is given back when the answer begins:
// by then everything has been read, and a client may take its time.
func (s *server) queue(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, "PROPFIND", "REPORT":
	default:
		return nil
	}
	out, ok := w.(*response)
	if !ok || v.Member() == 0 {
		return nil
	}
	giveBack, err := s.turns.take(r.Context(), v.Member())
	if err == nil {
		out.begins = giveBack
	}
	return err
}
