package app

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"appliance/svc"
)

// turns make whoever does much of something wait for themselves instead of
// everybody for them.
type turns struct {
	atOnce, waiting int // of one

	mu    sync.Mutex
	lines map[string]*line
}

// line is the requests of one.
type line struct {
	slots chan struct{} // taken by those whose turn it is
	all   int           // those that wait included
}

func newTurns(atOnce, waiting int) *turns {
	return &turns{atOnce: atOnce, waiting: waiting, lines: make(map[string]*line)}
}

// take waits for who's turn. Whoever gets it has to give it back. Where too
// many wait already, it sends away.
func (t *turns) take(ctx context.Context, who string) (giveBack func(), err error) {
	l := t.join(who)
	if l == nil {
		return nil, tooOften(time.Second)
	}
	select {
	case l.slots <- struct{}{}:
		return sync.OnceFunc(func() {
			<-l.slots
			t.leave(who, l)
		}), nil
	case <-ctx.Done():
		t.leave(who, l)
		return nil, fmt.Errorf("waiting for a turn: %w", ctx.Err())
	}
}

// join returns the line of who, nil if it is too long.
func (t *turns) join(who string) *line {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.lines[who]
	if l == nil {
		l = &line{slots: make(chan struct{}, t.atOnce)}
		t.lines[who] = l
	}
	if l.all >= t.atOnce+t.waiting {
		return nil
	}
	l.all++
	return l
}

func (t *turns) leave(who string, l *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.all--; l.all == 0 {
		delete(t.lines, who)
	}
}

// How many passwords are hashed for one address at once, and how many more may
// wait for that: whoever opens a few hundred connections would else be most of
// everybody's line.
const (
	hashesAtOnce  = 1
	hashesWaiting = 29
)

// inTurn does what costs a password hash, when it is the client's turn.
func (s *server) inTurn(r *http.Request, hash func() error) error {
	giveBack, err := s.hashing.take(r.Context(), household(s.clientAddr(r)))
	if err != nil {
		return err
	}
	defer giveBack()
	return hash()
}

// How many requests of one member, or of strangers at one address, read at once, and how many more may wait for
// that. There are more connections than the first, so that whatever one
// member asks for, the others are answered.
const (
	readsAtOnce  = 2
	readsWaiting = 64
)

// queue waits for v's turn to read.
func (s *server) queue(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if v.Member() == 0 {
		return nil
	}
	return s.queueAs(w, r, v.String())
}

// queueAs waits for the turn of who to read. It is given back when the answer
// begins: by then everything has been read, and a client may take its time.
func (s *server) queueAs(w http.ResponseWriter, r *http.Request, who string) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, "PROPFIND", "REPORT":
		return s.takeTurn(w, r, who)
	}
	return nil
}

// takeTurn is queueAs, whatever the method.
func (s *server) takeTurn(w http.ResponseWriter, r *http.Request, who string) error {
	out, ok := w.(*response)
	if !ok {
		return nil
	}
	giveBack, err := s.reading.take(r.Context(), who)
	if err == nil {
		out.begins = giveBack
	}
	return err
}
