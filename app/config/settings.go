package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"appliance/app/limits"
	"appliance/svc"
	"appliance/svc/identity"
)

// Settings are the options that an operator can set. The defaults suit one
// home. Each setting has the same name in the file (base-url), in the
// environment (APPLIANCE_BASE_URL) and as a flag (--base-url).
type Settings struct {
	Listen             string         `help:"Address to listen on; with a certificate the server speaks HTTPS." default:"127.0.0.1:8080" placeholder:"ADDRESS"`
	Data               string         `help:"Directory that contains all data." default:"./data" placeholder:"DIR"`
	BaseURL            string         `name:"base-url" help:"Address at which members reach this server, with its path if it has one." placeholder:"URL"`
	Config             string         `help:"Settings file; by default appliance.toml in the data directory." placeholder:"FILE"`
	Registration       string         `help:"Who may register: open (anyone), invite (only with an invitation) or closed." enum:"open,invite,closed" default:"invite"`
	AdminAllowedEmails []string       `help:"E-mail addresses of the operators, separated by commas." placeholder:"EMAILS"`
	TrustedProxies     []Network      `help:"Networks of reverse proxies whose X-Forwarded-For header is trusted." placeholder:"CIDRS"`
	ServiceKey         string         `help:"Key for the service-internal routes; without it they are closed." secret:""`
	Timezone           string         `help:"Time zone of new members; by default that of the machine." placeholder:"NAME"`
	Log                string         `help:"Lowest level of messages to log: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
	LogFormat          string         `help:"Format of the log: text or json." enum:"text,json" default:"text"`
	TLSCert            string         `name:"tls-cert" help:"Certificate file (PEM, with its chain); read again when it changes." placeholder:"FILE"`
	TLSKey             string         `name:"tls-key" help:"Private key file of the certificate (PEM)." placeholder:"FILE"`
	DirectoryEmail     string         `help:"How members see the e-mail addresses of other members: full, masked or hidden." enum:"full,masked,hidden" default:"full"`
	BackupEvery        time.Duration  `help:"Time between automatic backups, counted from 03:30 at night; 0 disables them." default:"24h" placeholder:"TIME"`
	BackupKeep         int            `help:"Number of automatic backups to keep." default:"14" placeholder:"N"`
	DAVPlaintext       string         `name:"dav-plaintext" help:"Where calendar clients may sign in without HTTPS: private (this machine and private networks), always or never." enum:"private,always,never" default:"private"`
	RateLimits         map[string]int `help:"Rate limits to change, as name=number; 0 lifts a limit. See help limits." mapsep:"," placeholder:"NAME=N"`
	ServicesOff        []string       `help:"Services to switch off: messages, social, surface, time." enum:"messages,social,surface,time" placeholder:"NAMES"`

	// Argon2 replaces the parameters of password hashes in tests; the zero
	// value selects the default.
	Argon2 identity.Argon2 `kong:"-"`

	url      *url.URL
	location *time.Location
	values   map[string]string // by setting, of those that are set
	sources  map[string]string // by setting, of those that are set
}

// Network is a range of addresses.
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
	if (s.TLSCert == "") != (s.TLSKey == "") {
		return errors.New("tls-cert and tls-key: set both or neither")
	}
	if err := s.completeURL(); err != nil {
		return err
	}
	if s.Timezone == "" {
		s.Timezone = machineZone()
	}
	var known bool
	if s.location, known = svc.Zone(s.Timezone); !known {
		return fmt.Errorf("timezone: there is no time zone %q; an example is Europe/Berlin", s.Timezone)
	}
	for i, email := range s.AdminAllowedEmails {
		s.AdminAllowedEmails[i] = strings.TrimSpace(email)
	}
	s.AdminAllowedEmails = slices.DeleteFunc(s.AdminAllowedEmails, func(e string) bool { return e == "" })
	for name := range s.RateLimits {
		if !limits.Known(name) {
			return fmt.Errorf("rate-limits: there is no limit %q", name)
		}
	}
	if s.BackupEvery != 0 && s.BackupEvery < time.Minute {
		return errors.New("backup-every: the shortest interval is 1m; 0 disables backups")
	}
	if s.BackupKeep < 1 {
		return errors.New("backup-keep: keep at least 1 backup; backup-every=0 disables backups")
	}
	return nil
}

// completeURL derives the URL of the server from base-url or listen.
func (s *Settings) completeURL() error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("listen: %q is not an address such as 127.0.0.1:8080", s.Listen)
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
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("base-url: %q is not an address such as https://home.example.org", s.BaseURL)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	s.url = u
	return nil
}

// machineZone returns the IANA name of the machine's time zone, or UTC.
func machineZone() string {
	if name := time.Local.String(); name != "Local" { // set by the variable TZ
		return name
	}
	if link, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(link, "zoneinfo/"); ok && name != "Etc/UTC" {
			return name
		}
	}
	return "UTC"
}

// ServedOn replaces the port of the URL by the port of addr, unless base-url is
// set: the machine or systemd may have chosen the port.
func (s *Settings) ServedOn(addr net.Addr) {
	if tcp, ok := addr.(*net.TCPAddr); ok && s.BaseURL == "" {
		s.url.Host = net.JoinHostPort(s.url.Hostname(), strconv.Itoa(tcp.Port))
	}
}

// URL returns the address at which members reach the server. Its path has no
// slash at the end. The caller must not change it.
func (s *Settings) URL() *url.URL { return s.url }

// Link returns the URL of a path of this server.
func (s *Settings) Link(path string) string { return s.url.String() + path }

// Secure reports whether members reach the server by HTTPS.
func (s *Settings) Secure() bool { return s.url.Scheme == "https" }

// Location returns the time zone of the setting timezone.
func (s *Settings) Location() *time.Location { return s.location }

// Proxies returns the networks of the setting trusted-proxies.
func (s *Settings) Proxies() limits.Proxies {
	list := make(limits.Proxies, len(s.TrustedProxies))
	for i, n := range s.TrustedProxies {
		list[i] = n.Prefix
	}
	return list
}

// Identity returns the configuration of the identity service.
func (s *Settings) Identity() identity.Config {
	return identity.Config{
		Registration:   identity.Policy(s.Registration),
		DirectoryEmail: identity.EmailVisibility(s.DirectoryEmail),
		Operators:      s.AdminAllowedEmails,
		OperatorsFixed: s.sources["admin-allowed-emails"] == "environment "+OperatorsVariable,
		Timezone:       s.Timezone,
		Argon2:         s.Argon2,
	}
}
