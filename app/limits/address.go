package limits

import (
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the networks of the operator's reverse proxies. Only their
// X-Forwarded-For headers are trusted.
type Proxies []netip.Prefix

// Contains reports whether addr is one of the reverse proxies.
func (p Proxies) Contains(addr netip.Addr) bool {
	for _, n := range p {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}

// ClientAddr returns the address of the client: the rightmost address that is not a
// trusted proxy. X-Forwarded-For is read from the right, because a client can forge
// all entries except those that the trusted proxies have appended. The result is
// invalid for a connection through a Unix socket.
func (p Proxies) ClientAddr(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.Contains(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
	}
	return addr
}

// IsLocalOrTrusted reports whether a trusted proxy or a program on this machine, which may be a
// proxy, sent the request.
func (p Proxies) IsLocalOrTrusted(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err != nil || peer.Addr().Unmap().IsLoopback() || p.Contains(peer.Addr().Unmap())
}

// Forwarded reports whether a trusted proxy sent the request.
func (p Proxies) Forwarded(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && p.Contains(peer.Addr().Unmap())
}

// ForwardedUntrusted reports whether the request was forwarded by a proxy on this machine
// that is not trusted. All clients of such a proxy share its address.
func (p Proxies) ForwardedUntrusted(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	peer, h := from.Addr().Unmap(), r.Header
	return err == nil && peer.IsLoopback() && !p.Contains(peer) && (h.Get("X-Forwarded-For") != "" || h.Get("Forwarded") != "")
}

// Prefix returns the key under which requests from addr are limited: the address
// itself for IPv4, and the /64 network for IPv6, because a host can use any address
// of its network.
func Prefix(addr netip.Addr) string {
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.String()
		}
	}
	return addr.String()
}
