package svc

import (
	"context"
	"sync/atomic"
)

// Limits of the work of requests, in steps. A step takes some 25 ns: a day or an instance
// that the evaluation of a rule examines, an octet of text that is parsed, or an octet of
// an expansion.
const (
	MaxWork  = 64 << 20 // of one request: less than two seconds of a processor
	WorkUnit = 1 << 20  // that WithWork charges at once
)

// ErrTooMuchWork is returned if a request takes more than [MaxWork] steps.
var ErrTooMuchWork = Errorf(WorkLimitExceeded, "The response needs too much computation. Request a shorter time range or fewer entries.")

// Work limits the steps that a request takes. Reading calendar objects (package object),
// and transforming them for CalDAV, take their steps from the Work of their context;
// imports, exports and public feeds have limits of their own. The goroutines of a request
// share it.
type Work struct {
	ctx    context.Context
	taken  *atomic.Int64
	charge func() error
}

type workKey struct{}

// WithWork returns a context with a new Work. Each time the request has taken [WorkUnit]
// more steps it calls charge, whose error ends the request. So charge can limit the work of
// all requests of a member; small requests never call it.
func WithWork(ctx context.Context, charge func() error) context.Context {
	return context.WithValue(ctx, workKey{}, Work{taken: new(atomic.Int64), charge: charge})
}

// WorkOf returns the Work of the request to which ctx belongs. Without a request, as in
// a job, it returns a new one.
func WorkOf(ctx context.Context) Work {
	w, ok := ctx.Value(workKey{}).(Work)
	if !ok {
		w = Work{taken: new(atomic.Int64), charge: func() error { return nil }}
	}
	w.ctx = ctx
	return w
}

// Left returns the number of steps that may still be taken.
func (w Work) Left() int { return int(max(0, MaxWork-w.taken.Load())) }

// Take takes steps. It returns an error if the context has ended, [ErrTooMuchWork] if fewer
// steps are left, or the error of charge. A loop over objects must call it for each of
// them, so that nothing is computed for a client that has left.
func (w Work) Take(steps int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	after := w.taken.Add(int64(steps))
	if after > MaxWork {
		return ErrTooMuchWork
	}
	for charged := (after - int64(steps)) / WorkUnit; charged < after/WorkUnit; charged++ {
		if err := w.charge(); err != nil {
			return err
		}
	}
	return nil
}
