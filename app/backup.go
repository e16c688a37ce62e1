package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"appliance/app/config"
	"appliance/store"
)

// BackupNameLayout is the layout of the file names of automatic backups. No other
// file in the directory is deleted.
const BackupNameLayout = "nightly-20060102T150405Z.db"

// untilBackup returns the time until the next backup. A backup that was missed, for
// example because the machine was off, is made within an hour.
func (a *App) untilBackup(now time.Time) time.Duration {
	last, next := backupTimes(now, a.Settings.BackupEvery, a.Settings.Location())
	files, _ := Backups(a.Settings) // if the directory is unreadable, backUp reports the error
	if len(files) == 0 || filepath.Base(files[len(files)-1]) < last.UTC().Format(BackupNameLayout) {
		return min(next.Sub(now), time.Hour)
	}
	return next.Sub(now)
}

// backupTimes returns the time of the last scheduled backup up to now and that of
// the next backup. Backups are scheduled for 03:30 on 1 January 1970 and at each
// multiple of every after that, by the wall clock in loc, so that daylight-saving
// time does not shift them.
func backupTimes(now time.Time, every time.Duration, loc *time.Location) (last, next time.Time) {
	// Wall-clock times are computed as UTC, which has no daylight-saving time.
	_, offset := now.In(loc).Zone()
	wall := now.UTC().Add(time.Duration(offset) * time.Second)
	origin := time.Date(1970, 1, 1, 3, 30, 0, 0, time.UTC)
	slot := origin.Add(wall.Sub(origin).Truncate(every))
	at := func(w time.Time) time.Time {
		return time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), loc)
	}
	last = at(slot)
	for next = last; !next.After(now); next = at(slot) { // when clocks are set back, two iterations are necessary
		slot = slot.Add(every)
	}
	return last, next
}

// backUp makes a backup and then deletes the oldest backups beyond backup-keep. If
// the backup fails, it deletes nothing.
func (a *App) backUp(ctx context.Context) error {
	name := filepath.Join(a.Settings.BackupDir(), a.DB.Now().Format(BackupNameLayout))
	if err := store.Backup(ctx, a.DB.Path(), name, nil); err != nil {
		a.DB.NoteDamage(err)
		return err
	}
	a.Log.Info("backup made", "file", name)
	files, err := Backups(a.Settings)
	if err != nil {
		return err
	}
	for _, file := range files[:max(0, len(files)-a.Settings.BackupKeep)] {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// Backups returns the paths of the automatic backups, the oldest first.
func Backups(settings *config.Settings) ([]string, error) {
	list, err := os.ReadDir(settings.BackupDir()) // sorted by name, and therefore by age
	var files []string
	for _, e := range list {
		if _, err := time.Parse(BackupNameLayout, e.Name()); err == nil {
			files = append(files, filepath.Join(settings.BackupDir(), e.Name()))
		}
	}
	return files, err
}
