package app

import (
	"log/slog"
	"sync"
	"time"
)

// Expired data is not deleted while the clock may be wrong: soon after the start,
// when the machine may not have synchronized its clock yet, and after the clock was
// set.
const (
	startDelay = 30 * time.Minute // after the start, and after the clock was set back
	jumpDelay  = 24 * time.Hour   // after the clock was set forward
	maxDrift   = 2 * time.Hour    // a larger jump means that the clock was set
)

// SystemTime returns the time of the system clock, for commands that open no database.
func SystemTime() time.Time { return time.Now() }

// clockGuard detects that the system clock was set, by comparing it with the
// monotonic clock, which cannot be set.
type clockGuard struct {
	log *slog.Logger

	mu        sync.Mutex
	wall      time.Time // time of the clock at the last call
	monotonic time.Time // the same instant on the monotonic clock
	trustedAt time.Time // time on the monotonic clock at which the clock becomes trusted
}

// newClockGuard returns a guard for a clock whose current time is now.
func newClockGuard(now time.Time, log *slog.Logger) *clockGuard {
	at := time.Now()
	return &clockGuard{log: log, wall: now, monotonic: at, trustedAt: at.Add(startDelay)}
}

// stopwatch returns a function that returns the time since the call of stopwatch.
// Changes of the system clock do not affect the result.
func stopwatch() (elapsed func() time.Duration) {
	started := time.Now()
	return func() time.Duration { return time.Since(started) }
}

// isTrusted reports whether the clock is trusted, so that expired data may be
// deleted. now is the current time of the clock.
func (g *clockGuard) isTrusted(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := time.Now()
	jump := now.Sub(g.wall) - at.Sub(g.monotonic)
	g.wall, g.monotonic = now, at
	switch {
	case jump > maxDrift:
		g.trustedAt = at.Add(jumpDelay)
		g.log.Warn("the clock was set forward, or the machine was suspended: expired data is kept for another day", "by", jump.Round(time.Second))
	case jump < -maxDrift:
		g.trustedAt = at.Add(startDelay)
		g.log.Warn("the clock was set back", "by", -jump.Round(time.Second))
	}
	return !at.Before(g.trustedAt)
}
