package limits

import (
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClientAddrTrustsOnlyNamedProxies(t *testing.T) {
	proxies := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32")}
	for _, c := range []struct{ name, remote, forwarded, want string }{
		{"no proxy", "192.0.2.7:999", "", "192.0.2.7"},
		{"header from an untrusted peer", "192.0.2.7:999", "198.51.100.1", "192.0.2.7"},
		{"one proxy", "10.0.0.1:999", "192.0.2.7", "192.0.2.7"},
		{"two proxies", "127.0.0.1:999", "192.0.2.7, 10.0.0.1", "192.0.2.7"},
		{"forged entry on the left", "10.0.0.1:999", "198.51.100.1, 192.0.2.7", "192.0.2.7"},
		{"malformed header", "10.0.0.1:999", "x, y", "10.0.0.1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:999", "2001:db8::1", "2001:db8::1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := proxies.ClientAddr(r).String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestAddressesOfOneIPv6NetworkShareAPrefix(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2001:db8::1", "2001:db8::2", true},
		{"2001:db8::1", "2001:db8:0:1::1", false},
		{"192.0.2.1", "192.0.2.2", false},
	} {
		if got := Prefix(netip.MustParseAddr(c.a)) == Prefix(netip.MustParseAddr(c.b)); got != c.want {
			t.Errorf("%s and %s: same prefix %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
