package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"appliance/app/limits"
	"appliance/svc"
	"appliance/svc/hostname"
	"appliance/svc/identity"
	"appliance/svc/maps"
	"appliance/svc/zoneinfo"
)

// Settings are the options that an operator can set. The defaults suit one
// home. Each setting has the same name in the file (base-url), in the
// environment (APPLIANCE_BASE_URL) and as a flag (--base-url).
type Settings struct {
	Listen             string             `help:"Address to listen on; with a certificate the server speaks HTTPS." default:"127.0.0.1:8080" placeholder:"ADDRESS"`
	Data               string             `help:"Directory that contains all data." default:"./data" placeholder:"DIR"`
	BaseURL            string             `name:"base-url" help:"Address at which members reach this server, with its path if it has one." placeholder:"URL"`
	ServerName         string             `help:"Name of the server that members see, such as that of the house; by default the host of base-url." placeholder:"NAME"`
	Config             string             `help:"Settings file; by default appliance.toml in the data directory." placeholder:"FILE"`
	Registration       string             `help:"Who may register: open (anyone), invite (only with an invitation) or closed." enum:"open,invite,closed" default:"invite"`
	AdminAllowedEmails []string           `help:"E-mail addresses of the operators, separated by commas." placeholder:"EMAILS"`
	TrustedProxies     []Network          `help:"Networks of reverse proxies whose X-Forwarded-For header is trusted." placeholder:"CIDRS"`
	ServiceKey         string             `help:"Key for the service-internal routes; without it they are closed." secret:""`
	Timezone           string             `help:"Time zone of members until a browser reports theirs; by default that of the machine." placeholder:"NAME"`
	Log                string             `help:"Lowest level of messages to log: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
	LogFormat          string             `help:"Format of the log: text or json." enum:"text,json" default:"text"`
	TLSCert            string             `name:"tls-cert" help:"Certificate file (PEM, with its chain); read again when it changes." placeholder:"FILE"`
	TLSKey             string             `name:"tls-key" help:"Private key file of the certificate (PEM)." placeholder:"FILE"`
	SecondFactor       string             `help:"Members who must have a second factor: off, operators or all." enum:"off,operators,all" default:"off"`
	DirectoryEmail     string             `help:"How members see the e-mail addresses of other members: full, masked or hidden." enum:"full,masked,hidden" default:"full"`
	BackupEvery        time.Duration      `help:"Time between automatic backups, counted from 03:30 at night; 0 disables them." default:"24h" placeholder:"TIME"`
	BackupKeep         int                `help:"Number of automatic backups to keep." default:"14" placeholder:"N"`
	BackupMaps         string             `help:"Whether backups contain map data and the towns, which can be imported again: on or off." enum:"on,off" default:"off"`
	DAVPlaintext       string             `name:"dav-plaintext" help:"Where calendar clients may sign in without HTTPS: private (this machine and private networks), always or never." enum:"private,always,never" default:"private"`
	MemberStorage      int                `help:"Storage of each member for calendars, files, messages and Social, in MB; 0 lifts the limit." default:"2048" placeholder:"MB"`
	RateLimits         map[string]int     `help:"Rate limits to change, as name=number; 0 lifts a limit. See help limits." mapsep:"," placeholder:"NAME=N"`
	Towns              string             `help:"Whether to load the towns of the world, which need 60 MB in the database: on or off." enum:"on,off" default:"on"`
	MapLayers          []maps.DirectLayer `help:"Map layers that members may load from other servers, separated by commas: an id, the address of the tiles with {z}, {x} and {y}, and the attribution." placeholder:"LAYERS"`
	ServicesOff        []string           `help:"Services to switch off: find, maps, messages, social, surface, time." enum:"find,maps,messages,social,surface,time" placeholder:"NAMES"`
	FindGeocoderURL    string             `name:"find-geocoder-url" help:"Base URL of the server that finds places; without it only imported places are found." placeholder:"URL"`
	FindGeocoder       string             `help:"Kind of the server that finds places: nominatim or photon." enum:"nominatim,photon" default:"nominatim"`
	FindWebURL         string             `name:"find-web-url" help:"Base URL of the server that finds web pages; without it only the web sites of places are found." placeholder:"URL"`
	FindWeb            string             `help:"Kind of the server that finds web pages: searxng or brave." enum:"searxng,brave" default:"searxng"`
	FindWebKey         string             `help:"Key for the server that finds web pages; only Brave needs one." secret:""`
	FetchAllowHosts    []string           `help:"Hosts from which web pages are fetched although their addresses are not public, as host or host:port." placeholder:"HOSTS"`

	// Argon2 replaces the parameters of password hashes in tests; the zero
	// value selects the default.
	Argon2 identity.Argon2 `kong:"-"`

	factorKeyMu sync.Mutex // held while the key file is read or created

	storedName atomic.Pointer[string] // see StoreProfile

	url     *url.URL
	zones   *zoneinfo.Data
	refused error             // see Zones
	environ []string          // as in Load
	values  map[string]string // setting → value; settings with their default are absent
	sources map[string]string // setting → source of its value
}

// Network is a range of IP addresses.
type Network struct{ netip.Prefix }

// UnmarshalText reads a network such as 10.0.0.0/8, or a single address.
func (n *Network) UnmarshalText(text []byte) (err error) {
	if addr, err := netip.ParseAddr(string(text)); err == nil {
		n.Prefix = netip.PrefixFrom(addr, addr.BitLen())
		return nil
	}
	n.Prefix, err = netip.ParsePrefix(string(text))
	return err
}

// Validate checks and completes the settings. Kong calls it after parsing.
func (s *Settings) Validate() error {
	switch {
	case s.TLSCert != "" && s.TLSKey == "":
		return errors.New("tls-cert: the key is missing: set tls-key to the file of the private key of this certificate")
	case s.TLSKey != "" && s.TLSCert == "":
		return errors.New("tls-key: the certificate is missing: set tls-cert to the file of the certificate of this key")
	}
	if err := s.completeURL(); err != nil {
		return err
	}
	if err := checkServerName(s.ServerName); err != nil {
		return err
	}
	s.zones, s.refused = zoneinfo.Load(s.ZoneFile())
	if s.Timezone == "" {
		s.Timezone = s.machineZone()
	}
	if s.zones.Location(s.Timezone) == nil {
		return fmt.Errorf("timezone: there is no time zone %q; an example is Europe/Berlin", s.Timezone)
	}
	for i, email := range s.AdminAllowedEmails {
		s.AdminAllowedEmails[i] = strings.TrimSpace(email)
	}
	s.AdminAllowedEmails = slices.DeleteFunc(s.AdminAllowedEmails, func(e string) bool { return e == "" })
	for name := range s.RateLimits {
		if !limits.HasLimit(name) {
			return fmt.Errorf("rate-limits: there is no limit %q", name)
		}
	}
	if err := s.validateOutbound(); err != nil {
		return err
	}
	for i, l := range s.MapLayers {
		if slices.ContainsFunc(s.MapLayers[:i], func(other maps.DirectLayer) bool { return other.ID == l.ID }) {
			return fmt.Errorf("map-layers: two layers have the id %q", l.ID)
		}
	}
	if s.BackupEvery != 0 && s.BackupEvery < time.Minute {
		return errors.New("backup-every: the shortest interval is 1m; 0 disables backups")
	}
	if s.BackupKeep < 1 {
		return errors.New("backup-keep: keep at least 1 backup; backup-every=0 disables backups")
	}
	if s.MemberStorage < 0 {
		return errors.New("member-storage: the limit is a number of MB; 0 lifts it")
	}
	return nil
}

// StorageLimit returns the storage of each member in bytes, 0 for no limit.
func (s *Settings) StorageLimit() int64 { return int64(s.MemberStorage) << 20 }

// completeURL derives the URL of the server from base-url or listen.
func (s *Settings) completeURL() error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("listen: %q is not an address such as 127.0.0.1:8080", s.Listen)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("listen: the port %q is not a number from 0 to 65535", port)
	}
	if s.BaseURL == "" {
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		s.url = &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}
		if s.TLSCert != "" {
			s.url.Scheme = "https"
		}
		return nil
	}
	s.url, err = parseBaseURL(s.BaseURL)
	return err
}

// parseBaseURL returns the URL of the setting base-url in the form in which browsers send the
// address of the server: with the host in lower case and ASCII, and without the default port.
// Origins, cookies, passkeys and links are built from it.
func parseBaseURL(text string) (*url.URL, error) {
	invalid := fmt.Errorf("base-url: %q is not an address such as https://home.example.org", text)
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, invalid
	}
	host, port := u.Hostname(), u.Port()
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.String()
	} else {
		host = hostname.ASCII(host)
	}
	if host == "" {
		return nil, invalid
	}
	switch u.Scheme + port {
	case "http80", "https443":
		port = ""
	}
	if u.Host = strings.TrimSuffix(net.JoinHostPort(host, port), ":"); port == "" && strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return u, nil
}

// machineZone returns the IANA name of the machine's time zone, or UTC. The variable TZ is read
// here, because package time knows no zone on a machine without a time zone database.
func (s *Settings) machineZone() string {
	if i := slices.IndexFunc(s.environ, func(pair string) bool { return strings.HasPrefix(pair, "TZ=") }); i >= 0 {
		name := strings.TrimPrefix(s.environ[i][len("TZ="):], ":")
		if _, after, ok := strings.Cut(name, "zoneinfo/"); ok {
			name = after
		}
		if s.zones.Location(name) == nil {
			return "UTC"
		}
		return name
	}
	if link, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(link, "zoneinfo/"); ok && name != "Etc/UTC" {
			return name
		}
	}
	return "UTC"
}

// SetListener sets the address of the listener, which systemd may have opened. Unless base-url
// is set, it replaces the port of the URL, too: the operating system may have chosen it.
func (s *Settings) SetListener(addr net.Addr) {
	s.Listen = addr.String()
	if tcp, ok := addr.(*net.TCPAddr); ok && s.BaseURL == "" {
		s.url.Host = net.JoinHostPort(s.url.Hostname(), strconv.Itoa(tcp.Port))
	}
}

// URL returns the address at which members reach the server. Its path has no
// slash at the end. The caller must not change it.
func (s *Settings) URL() *url.URL { return s.url }

// Title returns the name of the server that members see.
func (s *Settings) Title() string {
	if name := s.storedName.Load(); name != nil {
		return *name
	}
	return cmp.Or(s.ServerName, hostname.Display(s.url.Hostname()))
}

// IsLoopback reports whether only the machine of the server can reach its URL.
func (s *Settings) IsLoopback() bool { return IsLoopback(s.url) }

// IsLoopback reports whether a URL leads to the machine of the client.
func IsLoopback(u *url.URL) bool { return isLoopback(u.Hostname()) }

// ListensOnLoopback reports whether only the machine of the server can connect to it.
func (s *Settings) ListensOnLoopback() bool {
	host, _, err := net.SplitHostPort(s.Listen) // fails for a Unix socket
	return err == nil && isLoopback(host)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Link returns the URL of a path of this server.
func (s *Settings) Link(path string) string { return s.url.String() + path }

// UsesHTTPS reports whether members reach the server by HTTPS.
func (s *Settings) UsesHTTPS() bool { return s.url.Scheme == "https" }

// LogLevel returns the lowest level of messages to log.
func (s *Settings) LogLevel() (level slog.Level) {
	_ = level.UnmarshalText([]byte(s.Log)) // cannot fail, because the setting is an enumeration
	return level
}

// Location returns the time zone of the setting timezone, by the time zone data in use.
func (s *Settings) Location() *time.Location { return svc.StoredZone(s.Timezone) }

// Zones returns the newest time zone data at the time at which the settings were loaded, and
// why another copy was refused, for [zoneinfo.Use].
func (s *Settings) Zones() (newest *zoneinfo.Data, refused error) { return s.zones, s.refused }

// Proxies returns the networks of the setting trusted-proxies.
func (s *Settings) Proxies() limits.Proxies {
	list := make(limits.Proxies, len(s.TrustedProxies))
	for i, n := range s.TrustedProxies {
		list[i] = n.Prefix
	}
	return list
}

// OperatorsSource returns what sets the operators, such as "variable
// ADMIN_ALLOWED_EMAILS", or "" for the settings file, the only source that this
// program can change.
func (s *Settings) OperatorsSource() string {
	kind, name, _ := strings.Cut(s.sources["admin-allowed-emails"], " ")
	switch kind {
	case "environment":
		return "variable " + name
	case "flag":
		return "flag " + name
	}
	return ""
}

// Identity returns the configuration of the identity service.
func (s *Settings) Identity() identity.Config {
	return identity.Config{
		Registration:    identity.RegistrationPolicy(s.Registration),
		DirectoryEmail:  identity.EmailVisibility(s.DirectoryEmail),
		Operators:       s.AdminAllowedEmails,
		OperatorsSource: s.OperatorsSource(),
		SecondFactor:    identity.FactorPolicy(s.SecondFactor),
		Host:            s.url.Hostname(),
		Origin:          s.passkeyOrigin(),
		UsesHTTPS:       s.UsesHTTPS(),
		FactorKey:       s.FactorKey,
		Timezone:        s.Timezone,
		Argon2:          s.Argon2,
	}
}

// passkeyOrigin returns the origin of the pages if browsers support passkeys there:
// with HTTPS and a host name, not an IP address. Otherwise it returns "".
func (s *Settings) passkeyOrigin() string {
	if !s.UsesHTTPS() || net.ParseIP(s.url.Hostname()) != nil {
		return ""
	}
	return s.url.Scheme + "://" + s.url.Host
}
