package health_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"appliance/app/backups"
	"appliance/app/config"
	"appliance/app/health"
	"appliance/svc/words"
	"appliance/svc/zoneinfo"

	"github.com/spf13/pflag"
)

func TestBackupsAreDiagnosedByTheirAge(t *testing.T) {
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse([]string{"--data", t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := settings.MakeBackupDir(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	if got := health.Backups(settings, now); got.State != health.StateWarning || got.Remedy == "" {
		t.Errorf("without a backup: got %+v, want a warning", got)
	}
	for _, c := range []struct {
		age  time.Duration
		want string
	}{{60 * time.Hour, health.StateProblem}, {20 * time.Hour, health.StateOK}} {
		name := now.Add(-c.age).Format(backups.NightlyLayout)
		if err := os.WriteFile(filepath.Join(settings.BackupDir(), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := health.Backups(settings, now); got.State != c.want || (got.Remedy == "") != (c.want == health.StateOK) {
			t.Errorf("%s after the last backup: got %+v, want %s", c.age, got, c.want)
		}
	}
	settings.BackupEvery = 0
	if got := health.Backups(settings, now); got.State != health.StateWarning {
		t.Errorf("without automatic backups: got %+v, want a warning", got)
	}
}

func TestCertificateIsDiagnosedByItsExpiry(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		left time.Duration
		want string
	}{{-time.Hour, health.StateProblem}, {0, health.StateProblem}, {13 * 24 * time.Hour, health.StateWarning}, {15 * 24 * time.Hour, health.StateOK}} {
		if got := health.Certificate(now.Add(c.left), now); len(got) != 1 || got[0].State != c.want {
			t.Errorf("%s before the expiry: got %+v, want %s", c.left, got, c.want)
		}
	}
	if got := health.Certificate(time.Time{}, now); got != nil {
		t.Errorf("without a certificate: got %+v, want no result", got)
	}
}

// The texts of a diagnosis are in English for the command doctor, and in the language of the
// member for an operator.
func TestFindingsAreInTheLanguageOfTheReader(t *testing.T) {
	now := time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC)
	d := health.Certificate(now.Add(24*time.Hour), now)[0]
	message, remedy := d.In(words.German)
	if got, want := message+" "+remedy, "Das Zertifikat läuft am 2026-11-22 ab. Erneuere das Zertifikat. Der Server liest die neuen Dateien ohne Neustart."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if message, remedy := d.In(words.English); message != d.Message || remedy != d.Remedy {
		t.Errorf("got %q and %q, want the texts of doctor, %q and %q", message, remedy, d.Message, d.Remedy)
	}
}

// Old data is a warning, and so is data that was refused.
func TestZonesAreDiagnosedByTheirAge(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	old := zoneinfo.Info{Version: "2025b", Source: zoneinfo.Program, Released: now.Add(-366 * 24 * time.Hour)}
	if got := health.Zones(old, nil, now); len(got) != 1 || got[0].State != health.StateWarning || got[0].Remedy == "" {
		t.Errorf("data of a year ago: got %+v, want a warning", got)
	}
	current := zoneinfo.Info{Version: "2026f", Source: zoneinfo.File, Path: "data/zoneinfo.zip", Released: now.Add(-30 * 24 * time.Hour)}
	const want = "The time zone data is 2026f of 2026-10-31, from data/zoneinfo.zip."
	if got := health.Zones(current, nil, now); len(got) != 1 || got[0].State != health.StateOK || got[0].Message != want {
		t.Errorf("current data: got %+v, want %q", got, want)
	}
	if got := health.Zones(current, errors.New("no zip file"), now); len(got) != 2 || got[0].State != health.StateWarning || got[1].State != health.StateOK {
		t.Errorf("refused data: got %+v, want a warning and the data in use", got)
	}
}

func TestClockIsShownInTheTimeZoneOfTheServer(t *testing.T) {
	got := health.Clock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), zoneinfo.Current().Location("Europe/Berlin"))
	if got.State != health.StateOK || got.Message != "The time is 2026-11-22 13:00 CET." {
		t.Errorf("got %+v, want the time in Berlin", got)
	}
}

// The result for a directory that cannot be examined is a problem.
func TestDiskIsDiagnosed(t *testing.T) {
	list := health.Disk(t.TempDir())
	if len(list) == 0 || list[0].Check != "disk" || list[0].Message == "" {
		t.Errorf("got %+v, want the free space", list)
	}
	list = health.Disk(filepath.Join(t.TempDir(), "missing"))
	if len(list) != 1 || list[0].State != health.StateProblem {
		t.Errorf("missing directory: got %+v, want a problem", list)
	}
}
