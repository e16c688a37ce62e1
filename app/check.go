package app

import (
	"context"
	"errors"
	"time"

	"appliance/store"
)

// firstCheckDelay is the time from the start to the first check of the database file.
const firstCheckDelay = 10 * time.Minute

// untilCheck returns a function that returns the time until the next check:
// firstCheckDelay after the start, so that a machine that is off at night is checked too,
// and then each night at 04:30, an hour after the backup.
func (a *App) untilCheck() func(now time.Time) time.Duration {
	checked := false
	return func(now time.Time) time.Duration {
		if !checked {
			checked = true
			return firstCheckDelay
		}
		_, next := backupTimes(now.Add(-time.Hour), 24*time.Hour, a.Settings.Location())
		return next.Add(time.Hour).Sub(now)
	}
}

// CheckDatabase examines the structure of the database file. [store.DB.Damage]
// reports damage that it finds. Between two tables it waits for as long as the last
// one took, to leave half of a small machine to requests.
func (a *App) CheckDatabase(ctx context.Context) (err error) {
	check, err := a.DB.NewCheck(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, check.Close()) }()
	err = store.RunBatches(ctx, func() (more bool, err error) { return check.Next(ctx) })
	if err == nil {
		a.checkedAt.Store(a.DB.Now().Unix())
	}
	return err
}

// lastCheck returns the time of the last complete check of the database file by this
// process, zero for none.
func (a *App) lastCheck() time.Time {
	if at := a.checkedAt.Load(); at != 0 {
		return time.Unix(at, 0)
	}
	return time.Time{}
}
