package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"appliance/app/backups"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
)

func TestBackupTimesFollowTheWallClock(t *testing.T) {
	for _, c := range []struct {
		name, zone, now, every, last, next string
	}{
		{"morning", "Europe/Berlin", "2026-11-21T10:00:00+01:00", "24h", "2026-11-21T03:30:00+01:00", "2026-11-22T03:30:00+01:00"},
		{"just before the backup", "Europe/Berlin", "2026-11-21T03:29:59+01:00", "24h", "2026-11-20T03:30:00+01:00", "2026-11-21T03:30:00+01:00"},
		{"at the time of the backup", "Europe/Berlin", "2026-11-21T03:30:00+01:00", "24h", "2026-11-21T03:30:00+01:00", "2026-11-22T03:30:00+01:00"},
		{"before clocks are set forward", "Europe/Berlin", "2026-03-28T12:00:00+01:00", "24h", "2026-03-28T03:30:00+01:00", "2026-03-29T03:30:00+02:00"},
		{"before clocks are set back", "Europe/Berlin", "2026-10-24T12:00:00+02:00", "24h", "2026-10-24T03:30:00+02:00", "2026-10-25T03:30:00+01:00"},
		{"03:30 does not exist", "Europe/Helsinki", "2026-03-28T12:00:00+02:00", "24h", "2026-03-28T03:30:00+02:00", "2026-03-29T04:30:00+03:00"},
		{"every six hours", "Europe/Berlin", "2026-11-21T10:00:00+01:00", "6h", "2026-11-21T09:30:00+01:00", "2026-11-21T15:30:00+01:00"},
		{"every minute", "UTC", "2026-11-21T10:00:30Z", "1m", "2026-11-21T10:00:00Z", "2026-11-21T10:01:00Z"},
	} {
		loc := svc.StoredZone(c.zone)
		every, err := time.ParseDuration(c.every)
		if err != nil {
			t.Fatal(err)
		}
		last, next := backupTimes(parseTime(t, c.now), every, loc)
		if !last.Equal(parseTime(t, c.last)) || !next.Equal(parseTime(t, c.next)) {
			t.Errorf("%s: got last %v and next %v, want %s and %s", c.name, last, next, c.last, c.next)
		}
	}
}

func parseTime(t *testing.T, text string) time.Time {
	t.Helper()
	i, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// For two years, each interval equals backup-every, plus or minus an hour when
// clocks change. A start in between does not change the schedule.
func TestBackupTimesAreRegular(t *testing.T) {
	const clockChange = time.Hour
	for _, zone := range []string{"UTC", "Europe/Berlin", "Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"} {
		loc := svc.StoredZone(zone)
		for _, every := range []time.Duration{47 * time.Minute, 7 * time.Hour, 24 * time.Hour, 36 * time.Hour, 7 * 24 * time.Hour, 1000 * time.Hour} {
			_, at := backupTimes(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), every, loc)
			for at.Year() < 2028 {
				_, next := backupTimes(at, every, loc)
				if gap := next.Sub(at); gap <= 0 || gap < every-clockChange || gap > every+clockChange {
					t.Errorf("%s: every %v: got an interval of %v after %v", zone, every, gap, at.In(loc))
				}
				if _, again := backupTimes(at.Add(next.Sub(at)/2), every, loc); again.After(next) {
					t.Errorf("%s: every %v: got %v for a start after %v, want %v", zone, every, again.In(loc), at.In(loc), next.In(loc))
				}
				at = next
			}
		}
	}
}

// A failed backup deletes no other backups, degrades the service, and is repeated
// within an hour. Covers SH-08.
func TestBackupsAreMadeNightlyAndTheOldestDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := newSettings(t, func(s *config.Settings) { s.BackupKeep = 5 })
		db, err := OpenDatabase(t.Context(), settings, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		log := new(bytes.Buffer)
		a, err := Assemble(db, settings, slog.New(slog.NewTextHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		runJobs(t, a, time.Hour+time.Second)
		if got := backupNames(t, settings); len(got) != 1 {
			t.Fatalf("an hour after the first start: got the backups %v, want one", got)
		}
		runJobs(t, a, 9*24*time.Hour)
		want := "nightly-20000105T023000Z nightly-20000106T023000Z nightly-20000107T023000Z nightly-20000108T023000Z nightly-20000109T023000Z"
		if got := strings.Join(backupNames(t, settings), " "); got != want { // 03:30 in Berlin
			t.Errorf("after nine nights: got %s\nwant %s", got, want)
		}

		away := settings.BackupDir() + ".away"
		if err := os.Rename(settings.BackupDir(), away); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(settings.BackupDir(), nil, 0o600); err != nil { // a file in place of the directory
			t.Fatal(err)
		}
		runJobs(t, a, 24*time.Hour)
		if got := a.hosted["world"].State(); got != "degraded" {
			t.Errorf("after a failed backup: got state %s, want degraded", got)
		}
		if got := strings.Count(log.String(), "job backup"); got != 1 {
			t.Errorf("after a failed backup: got %d log lines, want 1\n%s", got, log)
		}
		if err := errors.Join(os.Remove(settings.BackupDir()), os.Rename(away, settings.BackupDir())); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(backupNames(t, settings), " "); got != want {
			t.Errorf("after a failed backup: got %s\nwant %s", got, want)
		}
		runJobs(t, a, time.Hour+time.Second)
		if got := backupNames(t, settings); len(got) != 5 || !strings.HasPrefix(got[4], "nightly-20000111T") || a.hosted["world"].State() != "ready" {
			t.Errorf("an hour later: got %v and state %s, want a new backup and state ready", got, a.hosted["world"].State())
		}
	})
}

// runJobs runs the jobs for the duration d of the fake clock.
func runJobs(t *testing.T, a *App, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for _, j := range a.jobs() {
		go a.run(ctx, j)
	}
	<-ctx.Done()
	synctest.Wait()
}

// A failed job with a trigger, which completes the work of a write, runs again after a minute.
// Other jobs run again at their next scheduled time. Covers B-130.
func TestJobsThatContinueWritesAreRepeatedSoonAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := OpenDatabase(t.Context(), newSettings(t, func(*config.Settings) {}), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		a := &App{DB: db}
		requested := newTrigger()
		requested.request()
		for name, c := range map[string]struct {
			trigger trigger
			want    int
		}{"continues writes": {requested, 3}, "does not": {nil, 1}} {
			ctx, cancel := context.WithTimeout(t.Context(), 61*time.Minute)
			runs := 0
			a.run(ctx, job{name, &hostedService{log: slog.New(slog.DiscardHandler)}, hourly, c.trigger, func(context.Context) error {
				if runs++; runs < 3 {
					return errors.New("the disk is full")
				}
				return nil
			}})
			cancel()
			if runs != c.want {
				t.Errorf("%s: got %d runs, want %d", name, runs, c.want)
			}
		}
	})
}

// backupNames returns the names of the automatic backups. It reports backups that
// are not valid databases as errors.
func backupNames(t *testing.T, settings *config.Settings) (names []string) {
	t.Helper()
	list, err := backups.List(settings.BackupDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backups.OfKind(list, backups.Nightly) {
		if err := store.Verify(t.Context(), b.File); err != nil {
			t.Error(err)
		}
		names = append(names, strings.TrimSuffix(b.Name(), ".db"))
	}
	return names
}

// newSettings returns settings with a new data directory.
func newSettings(t *testing.T, change func(*config.Settings)) *config.Settings {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse([]string{"--data", t.TempDir(), "--timezone", "Europe/Berlin", "--towns", "off"}); err != nil {
		t.Fatal(err)
	}
	s, err := config.Load(flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	change(s)
	return s
}
