package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"appliance/svc"
)

// unit is one service as the program hosts it: it can fail or be switched off
// without the others noticing.
type unit struct {
	name    string
	off     bool // by the operator
	log     *slog.Logger
	failing atomic.Pointer[error] // what its last job or reading ran into
}

// errOff is the answer of a service that is switched off. Nobody knows for how
// long, and whoever asks again need not do so at once (B-02).
var errOff = &svc.Error{Code: svc.ServiceUnavailable, Message: "This part of the server is switched off.", RetryAfter: time.Minute}

// State is "ready", "degraded" or "unavailable".
func (u *unit) State() string {
	switch {
	case u.off:
		return "unavailable"
	case u.failing.Load() != nil:
		return "degraded"
	}
	return "ready"
}

// Report notes how a job or a reading of the service went.
func (u *unit) Report(err error) {
	if err == nil {
		u.failing.Store(nil)
		return
	}
	if u.failing.Swap(&err) == nil {
		u.log.Error("service degraded", "service", u.name, "err", err)
	}
}

// dailyWarning says something once a day.
type dailyWarning struct {
	mu   sync.Mutex
	last time.Time
}

func (d *dailyWarning) warn(s *server, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := s.db.Now(); now.Sub(d.last) >= 24*time.Hour {
		d.last = now
		s.log.Warn(text)
	}
}

// job is work in the background.
type job struct {
	name string
	unit *unit
	next func(now time.Time) time.Duration // how long to wait
	soon <-chan struct{}                   // not that long, if something comes; may be nil
	do   func(context.Context) error
}

// run does the job again and again until ctx ends.
func (s *server) run(ctx context.Context, j job) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(j.next(s.db.Now())):
		case <-j.soon:
		}
		if err := s.attempt(ctx, j); ctx.Err() == nil {
			j.unit.Report(err)
		}
	}
}
