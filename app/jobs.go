package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc/calendar/object"
)

// job is work in the background. Its results are the state of a hosted service.
type job struct {
	name    string
	service *hostedService
	wait    func(now time.Time) time.Duration // until the next run
	now     <-chan struct{}                   // starts the next run at once; nil if nothing does
	do      func(context.Context) error
}

// jobs returns the background jobs.
func (a *App) jobs() []job {
	jobs := []job{
		{"deleting expired rows", a.hosted["identity"], hourly, nil, a.DeleteExpired},
		{"sweeping calendars", a.hosted["time"], hourly, a.sweepNow, a.SweepCalendars},
		{"indexing", a.hosted["time"], hourly, nil, a.Reindex},
		{"sweeping social", a.hosted["social"], hourly, nil, a.SweepSocial},
		{"sweeping messages", a.hosted["messages"], hourly, nil, a.SweepMessages},
		{"sweeping surfaces", a.hosted["surface"], hourly, nil, a.SweepSurfaces},
	}
	if a.Settings.BackupEvery > 0 {
		jobs = append(jobs, job{"backup", a.hosted["world"], a.untilBackup, nil, a.backUp})
	}
	return jobs
}

func hourly(time.Time) time.Duration { return time.Hour }

// run repeats the job until ctx ends.
func (a *App) run(ctx context.Context, j job) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(j.wait(a.DB.Now())):
		case <-j.now:
		}
		if err := j.attempt(ctx); ctx.Err() == nil {
			j.service.Report(err)
		}
	}
}

// attempt runs the job once. A panic is an error.
func (j job) attempt(ctx context.Context) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("job %s: panic: %v\n%s", j.name, v, store.PanicStack(v))
		}
	}()
	if err := j.do(ctx); err != nil {
		return fmt.Errorf("job %s: %w", j.name, err)
	}
	return nil
}

// requestSweep starts the job that sweeps calendars.
func (a *App) requestSweep() {
	select {
	case a.sweepNow <- struct{}{}:
	default: // already requested
	}
}

// DeleteExpired deletes expired sessions, one-time links and stored responses.
func (a *App) DeleteExpired(ctx context.Context) error {
	return a.DB.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(a.Identity.Expire(tx), a.idempotency.Clean(tx))
	})
}

// SweepCalendars deletes purged calendar data in batches.
func (a *App) SweepCalendars(ctx context.Context) error { return a.sweep(ctx, a.Calendar.Sweep) }

// SweepMessages deletes orphaned messages in batches.
func (a *App) SweepMessages(ctx context.Context) error { return a.sweep(ctx, a.Messages.Sweep) }

// SweepSocial deletes expired activity and notifications in batches.
func (a *App) SweepSocial(ctx context.Context) error { return a.sweep(ctx, a.Social.Sweep) }

// SweepSurfaces deletes orphaned surfaces in batches.
func (a *App) SweepSurfaces(ctx context.Context) error { return a.sweep(ctx, a.Surface.Sweep) }

// sweep calls batch, each time in a write transaction, until nothing is left.
func (a *App) sweep(ctx context.Context, batch func(*store.Tx) (more bool, err error)) error {
	return a.inBatches(ctx, func() (more bool, err error) {
		err = a.DB.Write(ctx, func(tx *store.Tx) error {
			more, err = batch(tx)
			return err
		})
		return more, err
	})
}

// inBatches calls batch until nothing is left. After each batch it waits for as
// long as the batch took: other processes do not queue with ours, and would
// otherwise hardly ever get the write lock.
func (a *App) inBatches(ctx context.Context, batch func() (more bool, err error)) error {
	for {
		started := a.DB.Now()
		more, err := batch()
		if err != nil || !more {
			return err
		}
		select {
		case <-time.After(a.DB.Now().Sub(started)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Reindex extends the index of recurring entries to follow the present.
func (a *App) Reindex(ctx context.Context) error {
	_, err := a.reindex(ctx, a.Objects.PartlyIndexed)
	return err
}

// ReindexAll rebuilds the index of all entries from the stored iCalendar texts.
// It returns the number of entries.
func (a *App) ReindexAll(ctx context.Context) (int, error) {
	return a.reindex(ctx, a.Objects.AllObjects)
}

// reindex rebuilds the index of the entries that next returns in batches.
// Expansion of recurrences takes long and runs outside of transactions.
func (a *App) reindex(ctx context.Context, next func(tx *store.Tx, after int64) (object.Batch, error)) (total int, err error) {
	var batch object.Batch
	err = a.inBatches(ctx, func() (more bool, err error) {
		err = a.DB.Read(ctx, func(tx *store.Tx) error {
			batch, err = next(tx, batch.Last)
			return err
		})
		if err != nil {
			return false, err
		}
		for list := range batch.Prepare(a.DB.Now()) {
			if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Objects.Reindex(tx, list) }); err != nil {
				return false, err
			}
			total += len(list)
		}
		return batch.Last > 0, nil
	})
	return total, err
}
