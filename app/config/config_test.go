package config

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// load loads settings from a settings file, the environment and a command line.
func load(t *testing.T, file string, environ []string, args ...string) (*Settings, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "appliance.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	AddFlags(flags)
	if err := flags.Parse(append([]string{"--data", dir}, args...)); err != nil {
		t.Fatal(err)
	}
	return Load(flags, environ)
}

func mustLoad(t *testing.T, file string, environ []string, args ...string) *Settings {
	t.Helper()
	s, err := load(t, file, environ, args...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// effectiveSetting returns the value and the origin of a setting.
func effectiveSetting(t *testing.T, s *Settings, name string) Setting {
	t.Helper()
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("%s is not in the list of settings", name)
	}
	return list[i]
}

func TestFlagsOverrideEnvironmentOverridesFileOverridesDefaults(t *testing.T) {
	const file = "registration = \"closed\"\n"
	environ := []string{"APPLIANCE_REGISTRATION=open"}
	for _, c := range []struct {
		name         string
		s            *Settings
		want, origin string
	}{
		{"default", mustLoad(t, "", nil), "invite", "default"},
		{"file", mustLoad(t, file, nil), "closed", "file "},
		{"environment", mustLoad(t, file, environ), "open", "environment APPLIANCE_REGISTRATION"},
		{"flag", mustLoad(t, file, environ, "--registration", "invite"), "invite", "flag --registration"},
	} {
		got := effectiveSetting(t, c.s, "registration")
		if c.s.Registration != c.want || got.Value != c.want || !strings.HasPrefix(got.Origin, c.origin) {
			t.Errorf("%s: got %s, listed as %+v, want %s from %s", c.name, c.s.Registration, got, c.want, c.origin)
		}
	}
}

func TestEachSettingCanComeFromEachSource(t *testing.T) {
	for _, c := range []struct{ name, toml, value string }{
		{"listen", `"127.0.0.1:9000"`, "127.0.0.1:9000"},
		{"base-url", `"https://home.example.org/x"`, "https://home.example.org/x"},
		{"server-name", `"Mill Lane"`, "Mill Lane"},
		{"registration", `"open"`, "open"},
		{"admin-allowed-emails", `["ann@example.org", "bea@example.org"]`, "ann@example.org,bea@example.org"},
		{"trusted-proxies", `["10.0.0.0/8", "127.0.0.1"]`, "10.0.0.0/8,127.0.0.1"},
		{"service-key", `"key"`, "key"},
		{"timezone", `"Europe/Berlin"`, "Europe/Berlin"},
		{"log", `"debug"`, "debug"},
		{"log-format", `"json"`, "json"},
		{"directory-email", `"hidden"`, "hidden"},
		{"backup-every", `"6h"`, "6h"},
		{"backup-keep", `3`, "3"},
		{"dav-plaintext", `"never"`, "never"},
		{"rate-limits", `{reads = 0, writes = 10}`, "reads=0,writes=10"},
		{"services-off", `["social", "time"]`, "social,time"},
		{"map-layers", `["a https://a.example/{z}/{x}/{y}.png © A", "b https://b.example/{z}/{x}/{y} © B"]`, "a https://a.example/{z}/{x}/{y}.png © A,b https://b.example/{z}/{x}/{y} © B"},
		{"find-geocoder-url", `"https://geo.example.org/nominatim"`, "https://geo.example.org/nominatim"},
		{"find-geocoder", `"photon"`, "photon"},
		{"find-web-url", `"http://192.168.1.5:8888"`, "http://192.168.1.5:8888"},
		{"find-web", `"brave"`, "brave"},
		{"find-web-key", `"key"`, "key"},
		{"fetch-allow-hosts", `["nas.home", "192.168.1.5:8000"]`, "nas.home,192.168.1.5:8000"},
	} {
		variable := "APPLIANCE_" + strings.ToUpper(strings.ReplaceAll(c.name, "-", "_"))
		if c.name == "admin-allowed-emails" {
			variable = OperatorsVariable
		}
		sources := map[string]*Settings{
			"file ":                   mustLoad(t, c.name+" = "+c.toml+"\n", nil),
			"environment " + variable: mustLoad(t, "", []string{variable + "=" + c.value}),
		}
		want := c.value
		if strings.HasSuffix(c.name, "-key") {
			want = "…"
		} else {
			sources["flag --"+c.name] = mustLoad(t, "", nil, "--"+c.name, c.value)
		}
		for origin, s := range sources {
			if got := effectiveSetting(t, s, c.name); got.Value != want || !strings.HasPrefix(got.Origin, origin) {
				t.Errorf("%s: got %+v, want %s from %s", c.name, got, want, origin)
			}
		}
	}
}

func TestInvalidValueIsReportedWithItsSource(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"listen", "nowhere", `listen: "nowhere" is not an address such as 127.0.0.1:8080`},
		{"base-url", "example.org", `base-url: "example.org" is not an address such as https://home.example.org`},
		{"base-url", "ftp://example.org", "is not an address"},
		{"base-url", "https://example.org/?x=1", "is not an address"},
		{"base-url", "https://ann@example.org", "is not an address"},
		{"base-url", "https://a b.example", "is not an address"},
		{"server-name", strings.Repeat("x", 61), "is not a line of at most 60 characters"},
		{"registration", "maybe", "--registration must be one of"},
		{"timezone", "Mars/X", `there is no time zone "Mars/X"`},
		{"log", "loud", "--log must be one of"},
		{"log-format", "xml", "--log-format must be one of"},
		{"directory-email", "no", "--directory-email must be one of"},
		{"dav-plaintext", "yes", "--dav-plaintext must be one of"},
		{"backup-every", "often", "--backup-every"},
		{"backup-every", "30s", "the shortest interval is 1m"},
		{"backup-keep", "0", "keep at least 1 backup"},
		{"backup-keep", "some", "--backup-keep"},
		{"trusted-proxies", "10.0.0.0/99", "--trusted-proxies"},
		{"rate-limits", "everything=1", `there is no limit "everything"`},
		{"services-off", "identity", "--services-off must be one of"},
		{"map-layers", "a http://a.example/{z}/{x}/{y}.png © A", "must begin with https://"},
		{"map-layers", "a https://a.example/{z}/{x}/{y} A,a https://a.example/{z}/{x}/{y} B", "two layers have the id"},
		{"find-geocoder-url", "geo.example.org", "is not an address such as https://search.example.org"},
		{"find-web-url", "ftp://example.org", "the scheme must be http or https"},
		{"find-geocoder", "google", "--find-geocoder must be one of"},
		{"find-web", "google", "--find-web must be one of"},
		{"fetch-allow-hosts", "a/b", `"a/b" is not a host`},
		{"tls-cert", "cert.pem", "tls-cert: the key is missing: set tls-key to the file"},
	} {
		_, err := load(t, "", nil, "--"+c.name, c.value)
		var invalid *Error
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: got %v, want an Error with %q", c.name, c.value, err, c.want)
			continue
		}
		if !strings.Contains(err.Error(), "(flag --"+c.name+")") {
			t.Errorf("%s=%s: got %v, want the source", c.name, c.value, err)
		}
	}
	if _, err := load(t, "find-web = \"brave\"\nfind-web-url = \"https://api.search.brave.com\"\n", nil); err == nil || !strings.Contains(err.Error(), "find-web-key: Brave needs a key") {
		t.Errorf("Brave without a key: got %v, want an error", err)
	}
	if _, err := load(t, "", []string{"APPLIANCE_LOG=loud"}); err == nil || !strings.Contains(err.Error(), "(environment APPLIANCE_LOG)") {
		t.Errorf("environment: got %v, want the name of the variable", err)
	}
	if _, err := load(t, "log = \"loud\"\n", nil); err == nil || !strings.Contains(err.Error(), "appliance.toml)") {
		t.Errorf("file: got %v, want the name of the file", err)
	}
}

func TestInvalidSettingsFileIsRejected(t *testing.T) {
	for text, want := range map[string]string{
		"regsitration = \"open\"\n":                             `there is no setting "regsitration"; did you mean registration?`,
		"log = \"info\"\nbase-url = https://home.example.org\n": `line 2: the quotes are missing: write base-url = "https://home.example.org"`,
		"log = \"info\"\n\nlog=\"warn\"\n":                      `line 3: the setting log is set twice: remove one of its lines`,
		"registration = open\n":                                 `line 1: the quotes are missing: write registration = "open"`,
		"listen: 0.0.0.0:8080\n":                                `line 1: the sign = is missing: write listen = "0.0.0.0:8080"`,
		"listen = \"0.0.0.0:8080\n":                             `line 1: a quote is missing: write listen = "0.0.0.0:8080"`,
		"server-name = “Home”\n":                                `line 1: the quotes are typographic: write server-name = "Home"`,
		"[server]\nlisten = \"0.0.0.0:8080\"\n":                 "settings have no sections: remove the line [server]",
		"house = \"Home\"\n":                                    `there is no setting "house"; appliance help settings lists all settings`,
		"backup-every = 24\n":                                   `backup-every: expected duration but got "24": write it with a unit, such as 24h or 30m (file `,
		"backup-keep = \"many\"\n":                              `backup-keep: expected a whole number but got "many" (file `,
		"listen = \":99999\"\n":                                 `listen: the port "99999" is not a number from 0 to 65535 (file `,
		"config = \"x\"\n":                                      `there is no setting "config"`,
		"registration = \n":                                     "appliance.toml",
	} {
		var invalid *Error
		if _, err := load(t, text, nil); !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an Error with %q", text, err, want)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing.toml")
	if _, err := load(t, "", nil, "--config", missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file that --config names: got %v, want ErrNotExist", err)
	}
}

// A variable that no setting has is probably misspelt. Variables of a container runtime are not.
func TestUnknownVariableIsRejected(t *testing.T) {
	for name, want := range map[string]string{
		"APPLIANCE_BASEURL": "did you mean APPLIANCE_BASE_URL?", "APPLIANCE_REGISTRATON": "did you mean APPLIANCE_REGISTRATION?",
		"APPLIANCE_ADMIN_ALLOWED_EMAILS": "did you mean ADMIN_ALLOWED_EMAILS?",
	} {
		var invalid *Error
		if _, err := load(t, "", []string{name + "=x"}); !errors.As(err, &invalid) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an Error with %q", name, err, want)
		}
	}
	mustLoad(t, "", []string{"APPLIANCE_SERVICE_HOST=10.0.0.1", "APPLIANCE_SERVICE_PORT_HTTP=80", "APPLIANCE_PORT_80_TCP_ADDR=10.0.0.1", "OTHER=x"})
}

func TestSecretsHaveNoFlagAndAreNotListed(t *testing.T) {
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	AddFlags(flags)
	if flags.Lookup("service-key") != nil {
		t.Error("got a flag --service-key, want none")
	}
	if got := SecretHelp(); !strings.Contains(got, "service-key") {
		t.Errorf("help for secret settings: got %q, want service-key in it", got)
	}
	s := mustLoad(t, "", []string{"APPLIANCE_SERVICE_KEY=secret"})
	if got := effectiveSetting(t, s, "service-key").Value; got != "…" || s.ServiceKey != "secret" {
		t.Errorf("got the key %q listed as %q, want secret listed as …", s.ServiceKey, got)
	}
	if got := effectiveSetting(t, mustLoad(t, "", nil), "service-key").Value; got != "" {
		t.Errorf("unset key: got %q, want an empty value", got)
	}
}

func TestURLIsDerivedFromListenUnlessSet(t *testing.T) {
	for _, c := range []struct {
		args []string
		port int // port that the operating system chose; 0 if listen contains it
		want string
	}{
		{nil, 0, "http://127.0.0.1:8080"},
		{[]string{"--listen", ":8080"}, 0, "http://localhost:8080"},
		{[]string{"--listen", "0.0.0.0:8080"}, 0, "http://localhost:8080"},
		{[]string{"--listen", "[::]:8080"}, 0, "http://localhost:8080"},
		{[]string{"--listen", "127.0.0.1:0"}, 4711, "http://127.0.0.1:4711"},
		{[]string{"--tls-cert", "a", "--tls-key", "b"}, 0, "https://127.0.0.1:8080"},
		{[]string{"--base-url", "https://example.org/home/"}, 4711, "https://example.org/home"},
		{[]string{"--base-url", "HTTPS://Home.Example.ORG:443"}, 0, "https://home.example.org"},
		{[]string{"--base-url", "http://Müller.example:8080/A"}, 0, "http://xn--mller-kva.example:8080/A"},
		{[]string{"--base-url", "http://[::1]:80/"}, 0, "http://[::1]"},
		{[]string{"--base-url", "https://[FD00::1]:8443"}, 0, "https://[fd00::1]:8443"},
	} {
		s := mustLoad(t, "", nil, c.args...)
		if c.port != 0 {
			s.SetListener(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: c.port})
		}
		if got := s.URL().String(); got != c.want {
			t.Errorf("%v: got %s, want %s", c.args, got, c.want)
		}
		if got, want := s.Link("/setup"), c.want+"/setup"; got != want {
			t.Errorf("%v: link: got %s, want %s", c.args, got, want)
		}
		if got, want := s.UsesHTTPS(), strings.HasPrefix(c.want, "https:"); got != want {
			t.Errorf("%v: secure: got %t, want %t", c.args, got, want)
		}
	}
}

// Browsers compare the host of the server with that of passkeys and origins as they send it.
// People see its own letters.
func TestHostOfBaseURLIsThatOfBrowsers(t *testing.T) {
	s := mustLoad(t, "", nil, "--base-url", "https://Müller.Example:443")
	if got := s.Identity(); got.Host != "xn--mller-kva.example" || got.Origin != "https://xn--mller-kva.example" {
		t.Errorf("passkeys: got host %q and origin %q, want those of xn--mller-kva.example", got.Host, got.Origin)
	}
	if got := s.Title(); got != "müller.example" {
		t.Errorf("name of the server: got %q, want müller.example", got)
	}
}

// The address of a server is the same after a second reading.
func FuzzBaseURL(f *testing.F) {
	for _, text := range []string{"https://Home.Example.ORG:443/a/", "http://[fe80::1%25eth0]:80", "https://müller.example", "http://h:", "https://a/%2f"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := parseBaseURL(text)
		if err != nil {
			return
		}
		again, err := parseBaseURL(u.String())
		if err != nil || again.String() != u.String() {
			t.Errorf("%q: got %s, and %v (%v) after a second reading, want the same", text, u, again, err)
		}
	})
}

func TestValuesAreNormalized(t *testing.T) {
	s := mustLoad(t, "", []string{OperatorsVariable + "= ann@example.org , ,bea@example.org"}, "--trusted-proxies", "10.0.0.1,fd00::/8", "--backup-every", "0", "--timezone", "UTC")
	if got, want := s.AdminAllowedEmails, []string{"ann@example.org", "bea@example.org"}; !slices.Equal(got, want) {
		t.Errorf("operators: got %q, want %q", got, want)
	}
	if s.Identity().OperatorsSource == "" {
		t.Error("operators in the environment: got no OperatorsSource, want one")
	}
	if mustLoad(t, "", nil, "--admin-allowed-emails", "ann@example.org").Identity().OperatorsSource == "" {
		t.Error("operators in a flag: got no OperatorsSource, want one")
	}
	if mustLoad(t, "admin-allowed-emails = \"ann@example.org\"\n", nil).Identity().OperatorsSource != "" {
		t.Error("operators in the file: got an OperatorsSource, want none")
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32"), netip.MustParsePrefix("fd00::/8")}
	if got := s.Proxies(); !slices.Equal(got, want) {
		t.Errorf("proxies: got %v, want %v", got, want)
	}
	if s.BackupEvery != 0 || s.Location() != time.UTC {
		t.Errorf("got backups every %v in %v, want 0 in UTC", s.BackupEvery, s.Location())
	}
}

func TestPathsAreInTheDataDirectory(t *testing.T) {
	s := mustLoad(t, "", nil)
	for got, want := range map[string]string{
		s.Database(): "appliance.db", s.BackupDir(): "backups", s.SetupLink(): "setup-link", s.File(): "appliance.toml",
	} {
		if got != filepath.Join(s.Data, want) {
			t.Errorf("got %s, want %s in %s", got, want, s.Data)
		}
	}
	s.Config = "/etc/appliance.toml"
	if got := s.File(); got != s.Config {
		t.Errorf("file that --config names: got %s, want %s", got, s.Config)
	}
	if err := s.MakeBackupDir(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.BackupDir()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v, want a directory with mode 0700", info, err)
	}
}

func TestWritePrivateFollowsNoLinks(t *testing.T) {
	dir := t.TempDir()
	file, target := filepath.Join(dir, "setup-link"), filepath.Join(dir, "target")
	if err := os.Symlink(target, file); err != nil {
		t.Fatal(err)
	}
	if err := WritePrivate(file, "secret"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(target); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("target of the link: got %v, want ErrNotExist", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "secret" {
		t.Errorf("file: got %q, %v, want secret", text, err)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("file: got %v, %v, want mode 0600", info.Mode(), err)
	}
}
