package store

import (
	"context"
	"time"
)

// WriteBatches calls batch, each time in a write transaction of its own, until it reports
// that no work is left, with the pauses of RunBatches.
func (db *DB) WriteBatches(ctx context.Context, batch func(*Tx) (more bool, err error)) error {
	return RunBatches(ctx, func() (more bool, err error) {
		err = db.Write(ctx, func(tx *Tx) error {
			more, err = batch(tx)
			return err
		})
		return more, err
	})
}

// RunBatches calls batch until it reports that no work is left. Before the next call it waits
// for as long as the last one took.
func RunBatches(ctx context.Context, batch func() (more bool, err error)) error {
	for {
		started := time.Now()
		more, err := batch()
		if err != nil || !more {
			return err
		}
		if err := pause(ctx, time.Since(started)); err != nil {
			return err
		}
	}
}

// Paced runs a write and then waits for a share of the time that the write took: writes of
// other processes are not in the queue of this process and would otherwise hardly ever get
// the write lock. It returns the duration of the write.
func Paced(ctx context.Context, share float64, write func() error) (time.Duration, error) {
	started := time.Now()
	if err := write(); err != nil {
		return 0, err
	}
	took := time.Since(started)
	return took, pause(ctx, time.Duration(share*float64(took)))
}

func pause(ctx context.Context, d time.Duration) error {
	if d == 0 { // in a bubble of testing/synctest, whose timers for 0 crash the race detector
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
