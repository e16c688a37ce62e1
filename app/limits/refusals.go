package limits

import (
	"log/slog"
	"sync"
	"time"
)

// refusalPeriod is the time between two log lines about the same limit.
const refusalPeriod = time.Minute

// Refusals logs refused requests and connections: the first refusal with a message
// at once, and then, while refusals continue, one line per minute with their
// number.
type Refusals struct {
	log *slog.Logger

	mu      sync.Mutex
	pending map[string]*refusal // by message
}

// refusal counts the refusals with one message since the last log line about them.
type refusal struct {
	count int
	attrs []any // of the last refusal
}

// NewRefusals returns a Refusals that writes to log.
func NewRefusals(log *slog.Logger) *Refusals {
	return &Refusals{log: log, pending: make(map[string]*refusal)}
}

// Add records a refusal. message names the limit and what the operator can do; the
// attributes describe the refused client.
func (r *Refusals) Add(message string, attrs ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.pending[message]; p != nil {
		p.count++
		p.attrs = attrs
		return
	}
	r.pending[message] = new(refusal)
	r.log.Warn(message, attrs...)
	time.AfterFunc(refusalPeriod, func() { r.flush(message) })
}

// flush logs the refusals with the message since the last line, if there are any.
func (r *Refusals) flush(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pending[message]
	if p.count == 0 {
		delete(r.pending, message)
		return
	}
	r.log.Warn(message, append([]any{"refused", p.count, "in", refusalPeriod}, p.attrs...)...)
	p.count = 0
	time.AfterFunc(refusalPeriod, func() { r.flush(message) })
}
