package app

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// turns keep those who hash passwords from one address waiting for one another
// instead of everybody for them. Without, whoever opens a few hundred
// connections is most of the line.
type turns struct {
	mu    sync.Mutex
	lines map[string]*line
}

// line is who waits at one address.
type line struct {
	turn   chan struct{}
	people int // the waiting, and the one whose turn it is
}

// maxLine is how many there may be at one address. Whoever comes then is sent
// away.
const maxLine = 30

func newTurns() *turns { return &turns{lines: make(map[string]*line)} }

// take waits for a turn and returns how to end it.
func (t *turns) take(ctx context.Context, from string) (done func(), err error) {
	l := t.join(from)
	if l == nil {
		return nil, tooOften(5 * time.Second)
	}
	select {
	case l.turn <- struct{}{}:
		return func() { <-l.turn; t.leave(from, l) }, nil
	case <-ctx.Done():
		t.leave(from, l)
		return nil, ctx.Err()
	}
}

// join returns the line of an address, nil if it is too long.
func (t *turns) join(from string) *line {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.lines[from]
	if l == nil {
		l = &line{turn: make(chan struct{}, 1)}
		t.lines[from] = l
	}
	if l.people == maxLine {
		return nil
	}
	l.people++
	return l
}

func (t *turns) leave(from string, l *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.people--; l.people == 0 {
		delete(t.lines, from)
	}
}

// inTurn does what costs a password hash, when it is the client's turn.
func (s *server) inTurn(r *http.Request, hash func() error) error {
	done, err := s.turns.take(r.Context(), household(s.clientAddr(r)))
	if err != nil {
		return err
	}
	defer done()
	return hash()
}
