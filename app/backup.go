package app

import (
	"context"
	"time"

	"appliance/app/backups"
	"appliance/store"
	"appliance/svc/maps/importer"
)

// BackupContents returns what a backup of this server contains beside its tables.
func (a *App) BackupContents(ctx context.Context) (c backups.Contents, err error) {
	c.Maps = a.Settings.BackupMaps == "on"
	if c.Settings, c.Keys, err = a.Settings.Portable(); err != nil {
		return c, err
	}
	err = a.DB.Read(ctx, func(tx *store.Tx) error {
		regions, err := a.Maps.Regions(tx)
		for _, r := range regions {
			if r.Name != importer.TownsRegion { // the server loads the towns by itself
				c.Regions = append(c.Regions, backups.Region{Name: r.Name, Format: string(r.Format), FileSize: r.FileSize, ImportedAt: r.ImportedAt})
			}
		}
		return err
	})
	return c, err
}

// untilBackup returns the time until the next backup. A backup that was missed, for
// example because the machine was off, is made within an hour.
func (a *App) untilBackup(now time.Time) time.Duration {
	last, next := backupTimes(now, a.Settings.BackupEvery, a.Settings.Location())
	list, _ := backups.List(a.Settings.BackupDir()) // if the directory is unreadable, the backup reports the error
	list = backups.OfKind(list, backups.Nightly)
	if len(list) == 0 || list[len(list)-1].Name() < last.UTC().Format(backups.NightlyLayout) {
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
