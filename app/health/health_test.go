package health_test

import (
	"crypto/x509"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/backups"
	"appliance/app/config"
	"appliance/app/health"
	"appliance/svc/words"
	"appliance/svc/zoneinfo"

	"github.com/spf13/pflag"
)

// loadSettings returns the settings of flags, with a new data directory.
func loadSettings(t *testing.T, args ...string) *config.Settings {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse(append(args, "--data", t.TempDir())); err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// A server that listens on loopback is diagnosed whether or not base-url is set, unless a proxy
// forwards requests. The remedy names the settings that are missing.
func TestAddressThatOtherDevicesCannotOpenIsDiagnosed(t *testing.T) {
	const network, all = "http://192.168.1.10:8080", "0.0.0.0:8080"
	for _, c := range []struct {
		listen, base string
		proxied      bool
		message      string // "" for no warning
		remedies     []string
	}{
		{"127.0.0.1:8080", "", false, "Only the machine of the server can open http://127.0.0.1:8080.", []string{"base-url", "listen", "proxy"}},
		{"127.0.0.1:8080", "", true, "Links to the server work only on its machine, because they contain http://127.0.0.1:8080.", []string{"base-url"}},
		{all, "", false, "Links to the server work only on its machine, because they contain http://localhost:8080.", []string{"base-url"}},
		{"localhost:8080", network, false, "The server listens on localhost:8080. Without a reverse proxy, other devices cannot open " + network + ".", []string{"listen", "proxy"}},
		{"[::1]:8080", network, true, "", nil},
		{all, network, false, "", nil},
	} {
		settings := loadSettings(t, "--listen", c.listen, "--base-url", c.base)
		var got health.Diagnosis
		for _, got = range health.Reach(settings, settings.URL(), c.proxied) {
		}
		if got.Message != c.message || (got.State == health.StateWarning) != (c.message != "") {
			t.Errorf("%+v: got %+v, want the warning %q", c, got, c.message)
		}
		for _, setting := range []string{"base-url", "listen", "proxy"} {
			if named := strings.Contains(got.Remedy, setting); named != slices.Contains(c.remedies, setting) {
				t.Errorf("%+v: got the remedy %q, want %v in it", c, got.Remedy, c.remedies)
			}
		}
	}
}

func TestBackupsAreDiagnosedByTheirAge(t *testing.T) {
	settings := loadSettings(t)
	if err := settings.MakeBackupDir(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	check := func() health.Diagnosis {
		t.Helper()
		list, err := backups.List(settings.BackupDir())
		if err != nil {
			t.Fatal(err)
		}
		return health.Backups(settings, list, now)
	}
	if got := check(); got.State != health.StateWarning || got.Remedy == "" {
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
		if got := check(); got.State != c.want || (got.Remedy == "") != (c.want == health.StateOK) {
			t.Errorf("%s after the last backup: got %+v, want %s", c.age, got, c.want)
		}
	}
	settings.BackupEvery = 0
	if got := check(); got.State != health.StateWarning {
		t.Errorf("without automatic backups: got %+v, want a warning", got)
	}
}

var home = &url.URL{Scheme: "https", Host: "home.example.org:8443"}

// certificateUntil returns a certificate of home that is valid for a year until a time.
func certificateUntil(end time.Time) *x509.Certificate {
	return &x509.Certificate{NotBefore: end.AddDate(-1, 0, 0), NotAfter: end, DNSNames: []string{"home.example.org"}}
}

// A certificate of the future, or of another host, is as useless as an expired one.
func TestCertificateIsDiagnosedByItsBeginAndHost(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	other := certificateUntil(now.AddDate(0, 6, 0))
	other.DNSNames = []string{"other.example.org"}
	for _, c := range []struct {
		cert        *x509.Certificate
		state, want string
	}{
		{certificateUntil(now.AddDate(2, 0, 0)), health.StateProblem, "The certificate is valid only from 2027-11-22 on. Clients refuse the connection."},
		{other, health.StateWarning, "The certificate is for other.example.org, not for home.example.org. Clients refuse the connection."},
	} {
		list := health.Certificate(c.cert, home, now)
		if got := list[len(list)-1]; got.State != c.state || got.Message != c.want || got.Remedy == "" {
			t.Errorf("got %+v, want %s, %q and a remedy", got, c.state, c.want)
		}
	}
}

func TestCertificateIsDiagnosedByItsExpiry(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		left time.Duration
		want string
	}{{-time.Hour, health.StateProblem}, {0, health.StateProblem}, {13 * 24 * time.Hour, health.StateWarning}, {15 * 24 * time.Hour, health.StateOK}} {
		if got := health.Certificate(certificateUntil(now.Add(c.left)), home, now); len(got) != 1 || got[0].State != c.want {
			t.Errorf("%s before the expiry: got %+v, want %s", c.left, got, c.want)
		}
	}
	if got := health.Certificate(nil, home, now); got != nil {
		t.Errorf("without a certificate: got %+v, want no result", got)
	}
}

// The texts of a diagnosis are in English for the command doctor, and in the language of the
// member for an operator.
func TestFindingsAreInTheLanguageOfTheReader(t *testing.T) {
	now := time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC)
	d := health.Certificate(certificateUntil(now.Add(24*time.Hour)), home, now)[0]
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
	got := health.Clock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), time.Time{}, zoneinfo.Current().Location("Europe/Berlin"))
	if got.State != health.StateOK || got.Message != "The time is 2026-11-22 13:00 CET." {
		t.Errorf("got %+v, want the time in Berlin", got)
	}
}

// The clock is compared with the last change of the data: it cannot be behind, and a server is
// rarely off for half a year.
func TestClockIsComparedWithTheLastChange(t *testing.T) {
	now := time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		last  time.Time
		state string
	}{
		{"a year behind", now.AddDate(1, 0, 0), health.StateProblem}, {"a year ahead", now.AddDate(-1, 0, 0), health.StateWarning},
		{"off for a month", now.AddDate(0, -1, 0), health.StateOK}, {"a minute behind", now.Add(time.Minute), health.StateOK},
	} {
		got := health.Clock(now, c.last, time.UTC)
		if got.State != c.state || got.State != health.StateOK && (got.Remedy == "" || !strings.Contains(got.Message, "The clock shows 2026-12-31 12:00 UTC")) {
			t.Errorf("%s: got %+v, want %s", c.name, got, c.state)
		}
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
