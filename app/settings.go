package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
	"github.com/spf13/pflag"
)

// Settings are everything an operator can choose. Each has a default that is
// right for one household. The same name serves the file (base-url), the
// environment (APPLIANCE_BASE_URL) and the flag (--base-url).
type Settings struct {
	Listen             string         `help:"Address to serve on; with a certificate it speaks HTTPS." default:"127.0.0.1:8080" placeholder:"ADDRESS"`
	Data               string         `help:"Directory that holds all data." default:"./data" placeholder:"DIR"`
	BaseURL            string         `name:"base-url" help:"Address members reach this server at, with a path if it has one." placeholder:"URL"`
	Config             string         `help:"Settings file; appliance.toml in the data directory unless named." placeholder:"FILE"`
	Registration       string         `help:"Who may register: open (anybody), invite (whoever has an invitation) or closed." enum:"open,invite,closed" default:"invite"`
	AdminAllowedEmails []string       `help:"Addresses of the operators, with commas between." placeholder:"EMAILS"`
	TrustedProxies     []network      `help:"Networks of reverse proxies whose X-Forwarded-For is believed." placeholder:"CIDRS"`
	ServiceKey         string         `help:"Opens the service-internal routes to whoever sends it; nobody may without." secret:""`
	Timezone           string         `help:"Time zone of the household, for new members; the machine's unless named." placeholder:"NAME"`
	Log                string         `help:"Least severe log line to print: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
	LogFormat          string         `help:"How log lines look: text or json." enum:"text,json" default:"text"`
	TLSCert            string         `name:"tls-cert" help:"Certificate file (PEM, with its chain); read again when it changes." placeholder:"FILE"`
	TLSKey             string         `name:"tls-key" help:"Private key file of the certificate (PEM)." placeholder:"FILE"`
	DirectoryEmail     string         `help:"What members see of one another's addresses: full, masked or hidden." enum:"full,masked,hidden" default:"full"`
	BackupEvery        time.Duration  `help:"Time between backups into the data directory, counted from 03:30 at night; 0 makes none." default:"24h" placeholder:"TIME"`
	BackupKeep         int            `help:"How many of those backups to keep." default:"14" placeholder:"N"`
	DAVPlaintext       string         `name:"dav-plaintext" help:"From where calendar clients may sign in without HTTPS: private (this machine and private networks), always or never." enum:"private,always,never" default:"private"`
	RateLimits         map[string]int `help:"Limits that differ from the usual ones, as name=number; 0 lifts one. See help limits." mapsep:"," placeholder:"NAME=N"`
	ServicesOff        []string       `help:"Services to switch off: messages, social, surface, time." enum:"messages,social,surface,time" placeholder:"NAMES"`

	baseURL  *url.URL
	location *time.Location
	argon2   identity.Argon2   // tests want it cheaper
	given    map[string]string // setting → its value, if it has one that was given
	origins  map[string]string // and where that comes from
}

// network is a range of addresses, or a single one.
type network struct{ netip.Prefix }

// UnmarshalText reads 10.0.0.0/8 or 10.0.0.1.
func (n *network) UnmarshalText(text []byte) (err error) {
	if one, err := netip.ParseAddr(string(text)); err == nil {
		n.Prefix = netip.PrefixFrom(one, one.BitLen())
		return nil
	}
	n.Prefix, err = netip.ParsePrefix(string(text))
	return err
}

// operatorsVariable keeps its own name in the environment.
const operatorsVariable = "ADMIN_ALLOWED_EMAILS"

// Validate checks what the values cannot say of themselves. Kong calls it.
func (s *Settings) Validate() error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("listen: %q is not an address such as 127.0.0.1:8080", s.Listen)
	}
	if (s.TLSCert == "") != (s.TLSKey == "") {
		return errors.New("tls-cert and tls-key go together: give both or neither")
	}
	if s.BaseURL == "" {
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		s.baseURL = &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}
		if s.TLSCert != "" {
			s.baseURL.Scheme = "https"
		}
	} else if s.baseURL, err = url.Parse(s.BaseURL); err != nil || s.baseURL.Host == "" || s.baseURL.RawQuery != "" ||
		s.baseURL.Scheme != "http" && s.baseURL.Scheme != "https" {
		return fmt.Errorf("base-url: %q is not an address such as https://home.example.org", s.BaseURL)
	}
	s.baseURL.Path = strings.TrimRight(s.baseURL.Path, "/")
	if s.Timezone == "" {
		s.Timezone = machineZone()
	}
	var known bool
	if s.location, known = svc.Zone(s.Timezone); !known {
		return fmt.Errorf("timezone: there is no time zone %q; Europe/Berlin is one", s.Timezone)
	}
	for i, email := range s.AdminAllowedEmails {
		s.AdminAllowedEmails[i] = strings.TrimSpace(email)
	}
	s.AdminAllowedEmails = slices.DeleteFunc(s.AdminAllowedEmails, func(e string) bool { return e == "" })
	for name := range s.RateLimits {
		if _, ok := usualLimits[name]; !ok {
			return fmt.Errorf("rate-limits: there is no limit %q", name)
		}
	}
	if s.BackupEvery != 0 && s.BackupEvery < time.Minute {
		return errors.New("backup-every: give a minute at least, or 0 for no backups")
	}
	if s.BackupKeep < 1 {
		return errors.New("backup-keep: keep 1 at least; backup-every=0 makes none")
	}
	return nil
}

// machineZone returns the IANA name of the machine's time zone, or UTC.
func machineZone() string {
	if name := time.Local.String(); name != "Local" { // the variable TZ names it
		return name
	}
	if link, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(link, "zoneinfo/"); ok && name != "Etc/UTC" {
			return name
		}
	}
	return "UTC"
}

// servedOn puts the port that is really served on into the address of members
// if nobody gave one: it may be the machine's choice, or systemd's.
func (s *Settings) servedOn(addr net.Addr) {
	if tcp, ok := addr.(*net.TCPAddr); ok && s.BaseURL == "" {
		s.baseURL.Host = net.JoinHostPort(s.baseURL.Hostname(), strconv.Itoa(tcp.Port))
	}
}

// database returns the name of the database file.
func (s *Settings) database() string { return filepath.Join(s.Data, "appliance.db") }

// backups returns the folder of the backups.
func (s *Settings) backups() string { return filepath.Join(s.Data, "backups") }

// makeBackups makes that folder.
func (s *Settings) makeBackups() error {
	return errors.Join(os.MkdirAll(s.backups(), 0o700), store.ChownToDirOwner(s.backups()))
}

// setupLink returns the name of the file that holds the link to the set-up
// page while there are no members.
func (s *Settings) setupLink() string { return filepath.Join(s.Data, "setup-link") }

// file returns the name of the settings file.
func (s *Settings) file() string {
	if s.Config != "" {
		return s.Config
	}
	return filepath.Join(s.Data, "appliance.toml")
}

// secure reports whether members reach the server by HTTPS.
func (s *Settings) secure() bool { return s.baseURL.Scheme == "https" }

// secret is a value that must not be printed.
type secret string

func (secret) String() string       { return "…" }
func (secret) LogValue() slog.Value { return slog.StringValue("…") }

// settingFlags returns kong's model of Settings: the one place that names
// them.
func settingFlags(s *Settings) (*kong.Kong, []*kong.Flag, error) {
	parser, err := kong.New(s, kong.Name("appliance"), kong.NoDefaultHelp(), kong.Exit(func(int) {}))
	if err != nil {
		return nil, nil, err
	}
	return parser, parser.Model.Flags, nil
}

// addSettings registers the settings of those names as flags; none means all.
// What is secret has no flag, since everybody on the machine can read those.
func addSettings(flags *pflag.FlagSet, names ...string) {
	_, model, err := settingFlags(new(Settings))
	if err != nil {
		panic(err) // the struct's tags are wrong
	}
	for _, f := range model {
		if len(names) > 0 && !slices.Contains(names, f.Name) || f.Tag.Has("secret") || flags.Lookup(f.Name) != nil {
			continue
		}
		flags.Var(&settingFlag{f.Default, cmp.Or(f.PlaceHolder, "VALUE")}, f.Name, f.Help)
	}
}

// settingFlag is a setting as pflag knows it: text, and what help calls it.
type settingFlag struct{ text, kind string }

func (f *settingFlag) String() string        { return f.text }
func (f *settingFlag) Set(text string) error { f.text = text; return nil }
func (f *settingFlag) Type() string          { return f.kind }

// loadSettings merges, weakest first, the defaults, the file, the environment
// and the flags that were given.
func loadSettings(flags *pflag.FlagSet, environ []string) (*Settings, error) {
	s := &Settings{given: make(map[string]string), origins: make(map[string]string)}
	parser, model, err := settingFlags(s)
	if err != nil {
		return nil, err
	}
	take := func(name, value, origin string) {
		s.given[name], s.origins[name] = value, origin
	}
	fromEnvironment := environmentOf(environ, model)
	file, values, err := readSettingsFile(flags, fromEnvironment, model)
	if err != nil {
		return nil, err
	}
	for name, value := range values {
		take(name, value, "file "+file)
	}
	for name, v := range fromEnvironment {
		take(name, v.value, "environment "+v.variable)
	}
	flags.Visit(func(f *pflag.Flag) {
		if slices.ContainsFunc(model, func(k *kong.Flag) bool { return k.Name == f.Name }) {
			take(f.Name, f.Value.String(), "flag --"+f.Name)
		}
	})
	args := make([]string, 0, len(s.given))
	for name, value := range s.given {
		args = append(args, "--"+name+"="+value)
	}
	slices.Sort(args)
	if _, err := parser.Parse(args); err != nil {
		return nil, usageError{describe(err, s.origins)}
	}
	return s, nil
}

// describe adds to kong's complaint where the value comes from.
func describe(err error, origins map[string]string) error {
	for name, origin := range origins {
		if strings.Contains(err.Error(), "--"+name) || strings.HasPrefix(err.Error(), name+":") {
			return fmt.Errorf("%w (%s)", err, origin)
		}
	}
	return err
}

type variable struct{ variable, value string }

// environmentOf returns the settings that the environment names.
func environmentOf(environ []string, model []*kong.Flag) map[string]variable {
	found := make(map[string]variable)
	for _, f := range model {
		name := "APPLIANCE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if f.Name == "admin-allowed-emails" {
			name = operatorsVariable
		}
		for _, pair := range environ {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				found[f.Name] = variable{name, value}
			}
		}
	}
	return found
}

// readSettingsFile returns the settings file's name and what it says. A file
// that was named must exist; the one in the data directory need not.
func readSettingsFile(flags *pflag.FlagSet, env map[string]variable, model []*kong.Flag) (string, map[string]string, error) {
	choose := func(name string) string {
		if f := flags.Lookup(name); f != nil && f.Changed {
			return f.Value.String()
		}
		return env[name].value
	}
	s := Settings{Config: choose("config"), Data: choose("data")}
	if s.Data == "" {
		s.Data = "./data"
	}
	file := s.file()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && s.Config == "" {
		return file, nil, nil
	}
	if err != nil {
		return file, nil, fmt.Errorf("reading the settings: %w", err)
	}
	values, err := parseSettings(string(text), model)
	if err != nil {
		return file, nil, usageError{fmt.Errorf("%s: %w", file, err)}
	}
	return file, values, nil
}

// parseSettings reads a settings file: a setting a line, under its own name.
func parseSettings(text string, model []*kong.Flag) (map[string]string, error) {
	var raw map[string]any
	if _, err := toml.Decode(text, &raw); err != nil {
		return nil, err
	}
	values := make(map[string]string, len(raw))
	for name, v := range raw {
		if name == "config" || !slices.ContainsFunc(model, func(f *kong.Flag) bool { return f.Name == name }) {
			return nil, fmt.Errorf("there is no setting %q", name)
		}
		values[name] = settingText(v)
	}
	return values, nil
}

// settingText spells a TOML value as a flag would: lists with commas.
func settingText(v any) string {
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = settingText(v[i])
		}
		return strings.Join(parts, ",")
	case map[string]any:
		parts := make([]string, 0, len(v))
		for name, value := range v {
			parts = append(parts, name+"="+settingText(value))
		}
		slices.Sort(parts)
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(v)
}

// setting is one line of `appliance config`.
type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// list returns every setting as it stands and where its value comes from.
func (s *Settings) list() ([]setting, error) {
	_, model, err := settingFlags(s)
	if err != nil {
		return nil, err
	}
	made := map[string]string{"config": s.file(), "base-url": s.baseURL.String(), "timezone": s.Timezone}
	var list []setting
	for _, f := range model {
		value, given := s.given[f.Name]
		if !given {
			value = cmp.Or(made[f.Name], f.Default)
		}
		if f.Tag.Has("secret") && value != "" {
			value = "…"
		}
		origin := s.origins[f.Name]
		if origin == "" {
			origin = "default"
		}
		list = append(list, setting{f.Name, value, origin})
	}
	return list, nil
}
