package svc

import (
	"context"
	"io"
	"sync/atomic"
)

// Limits of the work of requests, in steps. A step takes about 25 ns. It is a day or an instance
// that the evaluation of a rule examines, an octet of parsed text, or an octet of an expansion or
// an export.
const (
	MaxWork  = 64 << 20 // of one request: less than two seconds of a processor
	WorkUnit = 1 << 16  // steps per charge

	// transferFactor multiplies the limit of an import or an export, which contains all data of a
	// member.
	transferFactor = 9
)

// ErrTooMuchWork is the error of a request that exceeds its limit of steps.
var ErrTooMuchWork = Errorf(WorkLimitExceeded, "The response needs too much computation. Request a shorter time range or fewer entries.")

// Work limits the steps that a request takes. The goroutines of a request share it. These take
// steps, and end like this at the limit:
//
//	list, panel or dataset   octets and time zones that are parsed, rules   truncated, with a fallback
//	filter of CalDAV         the same                                       the objects that are left match
//	expand, free-busy        the same, octets of the expansion              507, number-of-matches-within-limits
//	PUT, change, time zone   the same, steps of the index                   507, or 422 work_limit_exceeded
//	import                   octets that are read and parsed, as in a PUT   422, with what to do with the file
//	export, feed             octets that are written                        422; 507 in CalDAV
//
// Everything else reads lists of limited length, whose statements end with the context.
type Work struct {
	ctx   context.Context
	limit int64
	taken *atomic.Int64
	pace  Pace
}

// Pace limits the work of all requests of a member.
type Pace interface {
	// Charge is called each time a request has taken [WorkUnit] more steps. Its error
	// ends the request.
	Charge() error

	// Wait is called before steps are taken. It delays the caller, to spread the steps of the
	// member over time.
	Wait(ctx context.Context, steps int) error

	// Begin counts one more goroutine that computes for a request, until end is called.
	Begin() (end func())
}

// noPace is the Pace of work that belongs to no request.
type noPace struct{}

func (noPace) Charge() error                   { return nil }
func (noPace) Wait(context.Context, int) error { return nil }
func (noPace) Begin() (end func())             { return func() {} }

type workKey struct{}

// WithWork returns a context with a new Work of at most limit steps, at the pace of a
// member; nil for no pace.
func WithWork(ctx context.Context, limit int64, pace Pace) context.Context {
	if pace == nil {
		pace = noPace{}
	}
	return context.WithValue(ctx, workKey{}, Work{limit: limit, taken: new(atomic.Int64), pace: pace})
}

// WithTransferWork returns a context in which the Work of ctx has the limit of an import or
// an export.
func WithTransferWork(ctx context.Context) context.Context {
	w := WorkOf(ctx)
	w.limit *= transferFactor
	return context.WithValue(ctx, workKey{}, w)
}

// WorkOf returns the Work of the request to which ctx belongs. Without a request, as in
// a job or a command, it returns a new one.
func WorkOf(ctx context.Context) Work {
	w, ok := ctx.Value(workKey{}).(Work)
	if !ok {
		w = Work{limit: MaxWork, taken: new(atomic.Int64), pace: noPace{}}
	}
	w.ctx = ctx
	return w
}

// Left returns the number of steps that may still be taken.
func (w Work) Left() int { return int(max(0, w.limit-w.taken.Load())) }

// Take takes steps. It returns an error if the context has ended, [ErrTooMuchWork] if fewer steps
// are left, or the error of [Pace]. A loop over objects must call it for each of them, so that the
// computation ends when the client has disconnected.
func (w Work) Take(steps int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	after := w.taken.Add(int64(steps))
	if after > w.limit {
		return ErrTooMuchWork
	}
	for charged := (after - int64(steps)) / WorkUnit; charged < after/WorkUnit; charged++ {
		if err := w.pace.Charge(); err != nil {
			return err
		}
	}
	return w.Wait(steps)
}

// Wait is like Take, but steps neither count towards the limit of the request nor are charged. It
// is for work with another limit.
func (w Work) Wait(steps int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.pace.Wait(w.ctx, steps)
}

// Begin counts another goroutine that computes for the request, until end is called.
func (w Work) Begin() (end func()) { return w.pace.Begin() }

// Writer returns a writer that takes a step for each octets octets before it writes them to
// out.
func (w Work) Writer(out io.Writer, octets int) io.Writer {
	return &workWriter{work: w, out: out, octets: octets}
}

type workWriter struct {
	work    Work
	out     io.Writer
	octets  int // octets per step
	pending int // octets for which no step has been taken yet
}

// workChunk is the number of octets for which a workWriter takes steps at once: a line of
// an export is short.
const workChunk = 4 << 10

func (w *workWriter) Write(p []byte) (int, error) {
	if w.pending += len(p); w.pending >= workChunk {
		err := w.work.Take(w.pending / w.octets)
		if w.pending = 0; err != nil {
			return 0, err
		}
	}
	return w.out.Write(p)
}

// ReaderAt returns a reader that takes a step for each octet that it reads from in.
func (w Work) ReaderAt(in io.ReaderAt) io.ReaderAt { return workReader{w, in} }

type workReader struct {
	work Work
	in   io.ReaderAt
}

func (r workReader) ReadAt(p []byte, offset int64) (int, error) {
	if err := r.work.Take(len(p)); err != nil {
		return 0, err
	}
	return r.in.ReadAt(p, offset)
}
