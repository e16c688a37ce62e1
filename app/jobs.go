package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"appliance/store"
)

// jobs is what happens in the background, and when.
func (s *server) jobs() []job {
	jobs := []job{
		{"cleaning", s.units["identity"], hourly, s.clean},
		{"indexing", s.units["time"], daily, s.reindex},
	}
	if s.settings.BackupEvery > 0 {
		jobs = append(jobs, job{"backup", s.units["world"], s.untilBackup, s.nightlyBackup})
	}
	return jobs
}

func hourly(time.Time) time.Duration { return time.Hour }
func daily(time.Time) time.Duration  { return 24 * time.Hour }

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
		return errors.Join(s.identity.Expire(tx), s.relay.Clean(tx))
	})
}

// backupPrefix begins the names of the backups that are made by themselves
// and thrown away again.
const backupPrefix = "nightly-"

// untilBackup is the time to the next backup: at half past three at night, in
// the time of the household, and every backup-every from there.
func (s *server) untilBackup(now time.Time) time.Duration {
	local := now.In(s.settings.location)
	next := time.Date(local.Year(), local.Month(), local.Day(), 3, 30, 0, 0, s.settings.location).AddDate(0, 0, -1)
	for !next.After(now) {
		next = next.Add(s.settings.BackupEvery)
	}
	return next.Sub(now)
}

// nightlyBackup makes a backup and throws the oldest away. Only then: a
// failing backup costs no older one.
func (s *server) nightlyBackup(ctx context.Context) error {
	name := filepath.Join(s.settings.backups(), backupPrefix+s.db.Now().Format("20060102T150405Z")+".db")
	if err := store.Backup(ctx, s.db.Path(), name, nil); err != nil {
		return err
	}
	s.log.Info("backup made", "file", name)
	old, err := filepath.Glob(filepath.Join(s.settings.backups(), backupPrefix+"*.db"))
	if err != nil {
		return err
	}
	slices.Sort(old) // by age
	for _, file := range old[:max(0, len(old)-s.settings.BackupKeep)] {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// reindex moves the index of series on with the present, a few at a time: no
// write may take long.
func (s *server) reindex(ctx context.Context) error {
	for next := int64(0); ; {
		err := s.db.Write(ctx, func(tx *store.Tx) (err error) {
			next, err = s.calendar.Reindex(tx, next)
			return err
		})
		if err != nil || next == 0 {
			return err
		}
	}
}
