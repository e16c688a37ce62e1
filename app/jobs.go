package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc/calendar/object"
)

// jobs is what happens in the background, and when.
func (s *server) jobs() []job {
	jobs := []job{
		{"cleaning", s.units["identity"], hourly, nil, s.clean},
		{"sweeping", s.units["time"], hourly, s.rubbish, s.sweep},
		{"indexing", s.units["time"], hourly, nil, s.reindex},
		{"sweeping messages", s.units["messages"], hourly, nil, s.sweepMessages},
		{"sweeping surfaces", s.units["surface"], hourly, nil, s.sweepSurfaces},
		{"sweeping social", s.units["social"], hourly, nil, s.sweepSocial},
	}
	if s.settings.BackupEvery > 0 {
		jobs = append(jobs, job{"backup", s.units["world"], s.untilBackup, nil, s.nightlyBackup})
	}
	return jobs
}

func hourly(time.Time) time.Duration { return time.Hour }

// attempt does a job once. What panics in it stays in it.
func (s *server) attempt(ctx context.Context, j job) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("job %s: panic: %v\n%s", j.name, v, stackOf(v))
		}
	}()
	if err := j.do(ctx); err != nil {
		return fmt.Errorf("job %s: %w", j.name, err)
	}
	return nil
}

// clean throws away what has expired.
func (s *server) clean(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(s.identity.Expire(tx), s.idempotency.Clean(tx))
	})
}

// sweep deletes what of calendars is gone for good, a little in each write.
func (s *server) sweep(ctx context.Context) error { return s.writeLittle(ctx, s.calendar.Sweep) }

// sweepMessages deletes the messages that nobody has any more likewise.
func (s *server) sweepMessages(ctx context.Context) error {
	return s.writeLittle(ctx, s.messages.Sweep)
}

// sweepSurfaces deletes the surfaces that nobody sees any more likewise.
func (s *server) sweepSurfaces(ctx context.Context) error {
	return s.writeLittle(ctx, s.surface.Sweep)
}

// sweepSocial deletes expired activity and notifications in batches.
func (s *server) sweepSocial(ctx context.Context) error {
	return s.writeLittle(ctx, s.social.Sweep)
}

// writeLittle does a long work of which each portion is a write.
func (s *server) writeLittle(ctx context.Context, portion func(*store.Tx) (more bool, err error)) error {
	return s.little(ctx, func() (more bool, err error) {
		err = s.db.Write(ctx, func(tx *store.Tx) error {
			more, err = portion(tx)
			return err
		})
		return more, err
	})
}

// little does a long work one portion after the other as long as there is
// more, and rests after each for as long as it took: other processes, which
// stand in no queue with us, come to write as well.
func (s *server) little(ctx context.Context, portion func() (more bool, err error)) error {
	for {
		begun := s.db.Now()
		more, err := portion()
		if err != nil || !more {
			return err
		}
		select {
		case <-time.After(s.db.Now().Sub(begun)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sweepSoon has the job do that as soon as it can.
func (s *server) sweepSoon() {
	select {
	case s.rubbish <- struct{}{}:
	default: // it will anyway
	}
}

// backupName is what the backups are called that are made by themselves and
// thrown away again, as a layout of package time.
const backupName = "nightly-20060102T150405Z.db"

// untilBackup is the time to the next backup. One that was missed, because
// the machine was off or the disk full, is made within the hour.
func (s *server) untilBackup(now time.Time) time.Duration {
	last, next := backupTimes(now, s.settings.BackupEvery, s.settings.Location())
	made, _ := backupFiles(s.settings) // if they cannot be read, the backup will say so
	if len(made) == 0 || filepath.Base(made[len(made)-1]) < last.UTC().Format(backupName) {
		return min(next.Sub(now), time.Hour)
	}
	return next.Sub(now)
}

// backupTimes returns the last time for a backup, up to now, and the next one.
// There is one at half past three at night and every so often from there, by
// the clock on the wall in loc: half past three it is in summer too.
func backupTimes(now time.Time, every time.Duration, loc *time.Location) (last, next time.Time) {
	// Wall-clock times are reckoned as if they were UTC, which has no summer.
	_, offset := now.In(loc).Zone()
	wall := now.UTC().Add(time.Duration(offset) * time.Second)
	night := time.Date(1970, 1, 1, 3, 30, 0, 0, time.UTC)
	slot := night.Add(wall.Sub(night).Truncate(every))
	at := func(w time.Time) time.Time {
		return time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), loc)
	}
	last = at(slot)
	for next = last; !next.After(now); next = at(slot) { // twice, where clocks were put back
		slot = slot.Add(every)
	}
	return last, next
}

// nightlyBackup makes a backup and throws the oldest away. Only then: a
// failing backup costs no older one.
func (s *server) nightlyBackup(ctx context.Context) error {
	name := filepath.Join(s.settings.Backups(), s.db.Now().Format(backupName))
	if err := store.Backup(ctx, s.db.Path(), name, nil); err != nil {
		return err
	}
	s.log.Info("backup made", "file", name)
	made, err := backupFiles(s.settings)
	if err != nil {
		return err
	}
	for _, file := range made[:max(0, len(made)-s.settings.BackupKeep)] {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// backupFiles returns the automatic backups, the oldest first.
func backupFiles(settings *config.Settings) ([]string, error) {
	list, err := os.ReadDir(settings.Backups()) // sorted by name, and therefore by age
	var files []string
	for _, e := range list {
		if _, err := time.Parse(backupName, e.Name()); err == nil {
			files = append(files, filepath.Join(settings.Backups(), e.Name()))
		}
	}
	return files, err
}

// reindex moves the index of series on with the present.
func (s *server) reindex(ctx context.Context) error {
	_, err := s.reindexAll(ctx, s.objects.PartlyIndexed)
	return err
}

// reindexAll indexes the entries of all batches anew and returns how many they
// are. What takes long is done outside of the writes.
func (s *server) reindexAll(ctx context.Context, next func(tx *store.Tx, after int64) (object.Batch, error)) (total int, err error) {
	var batch object.Batch
	err = s.little(ctx, func() (more bool, err error) {
		err = s.db.Read(ctx, func(tx *store.Tx) error {
			batch, err = next(tx, batch.Last)
			return err
		})
		if err != nil {
			return false, err
		}
		for list := range batch.Prepare(s.db.Now()) {
			if err := s.db.Write(ctx, func(tx *store.Tx) error { return s.objects.Reindex(tx, list) }); err != nil {
				return false, err
			}
			total += len(list)
		}
		return batch.Last > 0, nil
	})
	return total, err
}
