package outbound

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Policy says which servers a [Client] may contact. The zero Policy permits the
// public internet.
type Policy struct {
	exact      *endpoint  // the only server; nil for all public servers
	exceptions []endpoint // further servers, which need no public address
}

// endpoint is a server as a URL names it.
type endpoint struct {
	scheme string // "" for http and https
	host   string // in the form of normalizeHost
	port   string // "" for each port in publicPorts
}

// publicPorts are the ports of public servers.
var publicPorts = []string{"80", "443", "8080", "8443"}

// Public returns the policy for URLs that members, pages or other servers supply:
// servers with public addresses, on the usual ports. allow lists exceptions of the
// operator as host or host:port, which need no public address.
func Public(allow ...string) (Policy, error) {
	var p Policy
	for _, text := range allow {
		e := endpoint{host: text}
		if host, port, err := net.SplitHostPort(text); err == nil {
			e.host, e.port = host, port
		}
		e.host = normalizeHost(strings.Trim(e.host, "[]"))
		if e.host == "" || strings.ContainsAny(e.host, "/@?#% ") || !isASCII(e.host) {
			return Policy{}, fmt.Errorf("%q is not a host such as nas.example.org or 192.168.1.5:8000", text)
		}
		p.exceptions = append(p.exceptions, e)
	}
	return p, nil
}

// Configured returns the policy for a URL that the operator has configured: exactly
// its scheme, host and port, at any address.
func Configured(address string) (Policy, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Policy{}, fmt.Errorf("%q is not a web address", address)
	}
	e, err := endpointOf(u)
	if err != nil {
		return Policy{}, fmt.Errorf("%q is not an address such as https://search.example.org: %w", address, err)
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return Policy{}, fmt.Errorf("%q must end with its path", address)
	}
	if !isASCII(e.host) {
		return Policy{}, fmt.Errorf("%q: write the host in its ASCII form, which begins with xn--", address)
	}
	return Policy{exact: &e}, nil
}

// endpointOf returns the server of a URL. It rejects URLs that no policy permits.
func endpointOf(u *url.URL) (endpoint, error) {
	e := endpoint{scheme: u.Scheme, host: normalizeHost(u.Hostname()), port: u.Port()}
	switch {
	case e.scheme != "http" && e.scheme != "https":
		return e, fmt.Errorf("the scheme must be http or https")
	case u.User != nil:
		return e, fmt.Errorf("it must not contain a user name or a password")
	case u.Opaque != "" || e.host == "" || strings.Contains(e.host, "%"):
		return e, fmt.Errorf("it has no valid host")
	}
	if e.port == "" {
		e.port = map[string]string{"http": "80", "https": "443"}[e.scheme]
	}
	return e, nil
}

// normalizeHost returns the form in which hosts are compared. It does not convert
// international names, which the HTTP client does later: they are not equal to any
// host of a policy.
func normalizeHost(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 0x7f })
}

// check reports an error if the policy does not permit a URL. The addresses of its
// host are checked later, by permits.
func (p Policy) check(u *url.URL) error {
	e, err := endpointOf(u)
	switch {
	case err != nil:
		return err
	case p.exact != nil && e != *p.exact:
		return fmt.Errorf("%s is not the configured server", u.Host)
	case p.exact == nil && !p.isException(e.host, e.port) && !slices.Contains(publicPorts, e.port):
		return fmt.Errorf("port %s is not one of %s", e.port, strings.Join(publicPorts, ", "))
	}
	return nil
}

// permits reports whether a connection to an address is permitted for a URL with
// this host and port.
func (p Policy) permits(host, port string, addr netip.Addr) bool {
	host = normalizeHost(host)
	if p.exact != nil {
		return host == p.exact.host && port == p.exact.port
	}
	return p.isException(host, port) || slices.Contains(publicPorts, port) && IsPublic(addr)
}

// isException reports whether a server is one of the exceptions.
func (p Policy) isException(host, port string) bool {
	return slices.ContainsFunc(p.exceptions, func(e endpoint) bool {
		return e.host == host && (e.port == port || e.port == "" && slices.Contains(publicPorts, port))
	})
}
