package httpd

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"appliance/svc/hostname"
)

// maxHost is the limit of a Host in messages, in bytes. A host name has at most 253.
const maxHost = 260

// continueParameter is the parameter of a page that is shown although it was opened at another
// address than base-url.
const continueParameter = "continue_here"

// WrongAddress describes a page that was opened at another address than base-url.
type WrongAddress struct {
	Opened  string // the address that the browser uses, such as http://192.168.1.10:8080
	Correct string // the URL of the page at base-url

	// Continue is the path of the page, relative to base-url, that shows it nevertheless. It is
	// "" if a session cannot begin there.
	Continue string
}

// checkAddress compares the address of a GET request for a page with base-url. If they differ,
// it responds and returns done. A proxy may hide the address that the browser uses: behind one
// the page is always served, and another Host is logged.
func (s *Server) checkAddress(w http.ResponseWriter, r *http.Request) (done bool, err error) {
	if s.settings.BaseURL == "" || s.proxies.IsLocalOrTrusted(r) {
		s.checkForwardedHost(r)
		return false, nil
	}
	base, scheme := s.settings.URL(), schemeOf(r)
	sameHost := hostsEqual(base.Scheme, base.Host, scheme, r.Host)
	if sameHost && scheme == base.Scheme {
		return false, nil
	}
	query := r.URL.Query()
	canContinue := scheme == "http" && !s.settings.UsesHTTPS() // the cookie of the session is not Secure
	if canContinue && query.Has(continueParameter) {
		return false, nil
	}
	if sameHost && r.TLS != nil { // the port serves HTTPS only, although base-url says otherwise
		return false, nil
	}
	a := WrongAddress{Opened: OpenedAddress(r), Correct: s.settings.Link(pathWithQuery(r.URL))}
	if canContinue {
		query.Set(continueParameter, "1")
		a.Continue = pathWithQuery(&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()})
	}
	return true, s.errorPages.WriteAddressPage(w, r, a)
}

// HTTPSLocation returns the URL at base-url of a page that a browser requested without TLS at a
// port that serves HTTPS, if its address differs from base-url only in the scheme; "" for other
// requests.
func (s *Server) HTTPSLocation(r *http.Request) string {
	base := s.settings.URL()
	if s.settings.BaseURL == "" || base.Scheme != "https" || !hostsEqual("https", base.Host, "https", r.Host) || !s.stripBasePath(r) {
		return ""
	}
	if _, pattern := s.mux.Handler(r); !s.checksAddress[pattern] {
		return ""
	}
	return s.settings.Link(pathWithQuery(r.URL))
}

// checkForwardedHost logs once a day if a proxy does not forward the Host of requests.
func (s *Server) checkForwardedHost(r *http.Request) {
	if host, _ := s.ForeignHost(r); host != "" && s.foreignHostLog.Allow(s.db.Now()) {
		s.log.Warn("a proxy does not forward the Host of requests, or a browser uses another address than base-url",
			"host", host, "base-url", s.settings.URL().String(),
			"nginx", "proxy_set_header Host $http_host;", "caddy", "header_up Host {hostport}", "apache", "ProxyPreserveHost On")
	}
}

// ForeignHost returns the Host of a request if it is not that of base-url, and otherwise "".
// forwarded reports whether the request came through a proxy, so that the browser may have opened
// another address. Any client can send such a request: show the result only to the member who sent
// the request.
func (s *Server) ForeignHost(r *http.Request) (host string, forwarded bool) {
	base := s.settings.URL()
	if s.settings.BaseURL == "" || hostsEqual(base.Scheme, base.Host, base.Scheme, r.Host) {
		return "", false
	}
	return strings.Clone(r.Host[:min(len(r.Host), maxHost)]), s.isForwarded(r)
}

// isForwarded reports whether the request seems to have come through a proxy.
func (s *Server) isForwarded(r *http.Request) bool {
	isSet := func(name string) bool { return r.Header.Get(name) != "" }
	return s.proxies.Forwarded(r) || slices.ContainsFunc(proxyHeaders, isSet)
}

// noteProxy notes that a proxy has forwarded a request to a server that listens on loopback. One
// that adds no headers is recognized by the host of base-url, which is not loopback.
func (s *Server) noteProxy(r *http.Request) {
	if s.hasProxy.Load() || !s.settings.ListensOnLoopback() {
		return
	}
	base := s.settings.URL()
	if s.isForwarded(r) || !s.settings.IsLoopback() && hostsEqual(base.Scheme, base.Host, base.Scheme, r.Host) {
		s.hasProxy.Store(true)
	}
}

// IsProxied reports whether a reverse proxy is trusted, or has forwarded a request since the start.
func (s *Server) IsProxied() bool { return len(s.proxies) > 0 || s.hasProxy.Load() }

// proxyHeaders are headers that reverse proxies add to requests, and browsers do not send.
var proxyHeaders = []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via"}

// LacksHTTPS reports whether base-url has the scheme https and the browser seems to have opened
// the page without it, so that it does not keep the cookie of a session.
func (s *Server) LacksHTTPS(r *http.Request) bool {
	return s.settings.BaseURL != "" && s.settings.UsesHTTPS() && !isTrustworthy(r)
}

// OpenedAddress returns the address that the browser uses, such as http://192.168.1.10:8080, as
// far as the request says. The headers may be forged: use it only for messages and suggestions.
func OpenedAddress(r *http.Request) string { return schemeOf(r) + "://" + r.Host }

// schemeOf returns the scheme of the address that the browser uses, as far as the request says.
// The headers may be forged: the result decides only about messages.
func schemeOf(r *http.Request) string {
	if r.TLS == nil && (!isTrustworthy(r) || isOwnMachine(r.Host)) {
		return "http"
	}
	return "https"
}

// isTrustworthy reports whether the request says that the browser uses HTTPS or an address of its
// own machine, to which it sends Sec-Fetch-Mode, too.
func isTrustworthy(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") || r.Header.Get("Sec-Fetch-Mode") != ""
}

// isOwnMachine reports whether a host leads to the machine of the browser.
func isOwnMachine(host string) bool {
	name, _ := splitHost(host)
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || err == nil && addr.IsLoopback()
}

// hostsEqual reports whether two hosts with optional ports are the same. The default ports of
// both schemes count as the same port.
func hostsEqual(schemeA, hostA, schemeB, hostB string) bool {
	defaultPort := map[string]string{"http": "80", "https": "443"}
	nameA, portA := splitHost(hostA)
	nameB, portB := splitHost(hostB)
	portA, portB = cmp.Or(portA, defaultPort[schemeA]), cmp.Or(portB, defaultPort[schemeB])
	return nameA == nameB && (portA == portB || portA == defaultPort[schemeA] && portB == defaultPort[schemeB])
}

// splitHost returns the canonical name of a host, and its port, "" for none.
func splitHost(host string) (name, port string) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ""
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Unmap().String(), port
	}
	return cmp.Or(hostname.ASCII(name), name), port
}

// ContinuesHere returns the parameter, to be added to the query of a redirect, of a page that is
// shown although it was opened at another address than base-url; "" for other requests.
func ContinuesHere(r *http.Request) string {
	if r.URL.Query().Has(continueParameter) {
		return "&" + continueParameter + "=1"
	}
	return ""
}

// pathWithQuery returns the path and the query of a URL.
func pathWithQuery(u *url.URL) string {
	if u.RawQuery == "" {
		return u.EscapedPath()
	}
	return u.EscapedPath() + "?" + u.RawQuery
}
