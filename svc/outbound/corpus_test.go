package outbound

import (
	"context"
	"encoding/json"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ownURLs are addresses that a check of the text of a URL would accept.
var ownURLs = []string{
	"http://0x7f.1/", "http://0177.0.0.1/", "http://2130706433/", "http://127.1/", "http://0/", "http://127.0.0.1./", "http://[::127.0.0.1]/",
	"http://[0:0:0:0:0:ffff:7f00:1]:80/", "http://[64:ff9b::169.254.169.254]/", "http://[2002:a9fe:a9fe::]/", "http://localhost/", "http://LOCALHOST./",
	"http://127.0.0.1.nip.example/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://example.org@127.0.0.1/", "http://127.0.0.1#@example.org/",
	"http://127.0.0.1\\@example.org/", "http://example.org:80@127.0.0.1/", "http://%31%32%37.0.0.1/", "http://[fe80::1%25lo]/", "//127.0.0.1/", "http:/127.0.0.1/",
	"http://127.0.0.1:80 .example.org/", "https://169.254.169.254\t/", "http://[::]:8080/", "http://10.0.0.1:8443/", "http://metadata/",
}

// urls returns ownURLs and, if the folder TEST_CORPUS is set, the URLs of its file
// ssrf-urls.json.
func urls(t testing.TB) []string {
	list := ownURLs
	dir := os.Getenv("TEST_CORPUS")
	if dir == "" {
		return list
	}
	text, err := os.ReadFile(filepath.Join(dir, "ssrf-urls.json"))
	if err != nil {
		t.Fatal(err)
	}
	var more []string
	if err := json.Unmarshal(text, &more); err != nil || len(more) == 0 {
		t.Fatalf("got %d addresses, %v, want some", len(more), err)
	}
	return append(list, more...)
}

// resolveLikeC resolves a host like the resolver of an operating system: numeric notations of
// inet_aton(3), and names that begin with an address. Other names have the address other.
func resolveLikeC(host string, other netip.Addr) []netip.Addr {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if addr, ok := parseLikeC(host); ok {
		return []netip.Addr{addr}
	}
	if labels := strings.Split(host, "."); len(labels) > 4 {
		if addr, ok := parseLikeC(strings.Join(labels[:4], ".")); ok {
			return []netip.Addr{addr}
		}
	}
	if host == "localhost" || host == "metadata" || strings.HasSuffix(host, ".localhost") {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1"), other}
	}
	return []netip.Addr{other, netip.AddrFrom16(other.As16())}
}

// parseLikeC parses an IPv4 address of one to four decimal, octal or hexadecimal
// parts. Parts that are too large wrap around, as in lenient parsers.
func parseLikeC(text string) (netip.Addr, bool) {
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint32
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 0, 64)
		if err != nil {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			value |= uint32(n) & (1<<(8*(5-len(parts))) - 1)
		} else {
			value |= uint32(n&0xff) << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// isReserved is a second implementation of the ranges that no connection may reach, independent of
// IsPublic.
func isReserved(a netip.Addr) bool {
	embedded := a.Is4In6() || a.Is6() && (hasPrefix(a, "::/96") || hasPrefix(a, "64:ff9b::/32") || hasPrefix(a, "2002::/16") || hasPrefix(a, "2001::/32"))
	if embedded || a.Zone() != "" || a.IsLoopback() || a.IsPrivate() || a.IsUnspecified() || a.IsMulticast() || !a.IsGlobalUnicast() || a.IsLinkLocalUnicast() {
		return true
	}
	return hasPrefix(a, "0.0.0.0/8") || hasPrefix(a, "100.64.0.0/10") || hasPrefix(a, "192.0.0.0/24") || hasPrefix(a, "198.18.0.0/15") ||
		hasPrefix(a, "192.0.2.0/24") || hasPrefix(a, "198.51.100.0/24") || hasPrefix(a, "203.0.113.0/24") || hasPrefix(a, "240.0.0.0/4") || hasPrefix(a, "2001:db8::/32") || hasPrefix(a, "fec0::/10")
}

func hasPrefix(a netip.Addr, prefix string) bool { return netip.MustParsePrefix(prefix).Contains(a) }

// get requests an address with the public policy in a network in which other names have the address
// other. It fails the test if a connection goes to an address that is not public.
func get(t testing.TB, address string, other netip.Addr) (connections int) {
	var dialed []netip.AddrPort
	c := New(Policy{}, Options{UserAgent: "appliance/test", Timeout: attemptTimeout, MaxBody: 1, Network: Network{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) { return resolveLikeC(host, other), nil },
		Dial: func(_ context.Context, addr netip.AddrPort) (net.Conn, error) {
			dialed = append(dialed, addr)
			return nil, errNoListener
		},
	}})
	if _, err := c.Get(t.Context(), address, nil); err == nil {
		t.Errorf("%q: got a response, want an error", address)
	}
	for _, addr := range dialed {
		if isReserved(addr.Addr()) {
			t.Errorf("%q: got a connection to %s, want only public addresses", address, addr)
		}
	}
	return len(dialed)
}

// No URL causes a connection to an address that is not public. Covers B-39, B-107 and S-66.
func TestNoKnownAddressReachesAPrivateServer(t *testing.T) {
	list := urls(t)
	connected := 0
	for _, address := range list {
		connected += get(t, address, publicAddr)
		get(t, address, netip.MustParseAddr("192.168.1.1"))
		get(t, address, netip.MustParseAddr("fd00::1"))
	}
	t.Logf("%d addresses, %d connections to public ones", len(list), connected)
	if len(list) > len(ownURLs) && connected == 0 {
		t.Error("got no connection at all, want some to public servers")
	}
}

func FuzzGet(f *testing.F) {
	for i, address := range ownURLs {
		f.Add(address, []byte{10, 0, 0, byte(i)})
	}
	f.Add("http://example.org/", []byte("\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, address string, bytes []byte) {
		other, ok := netip.AddrFromSlice(bytes)
		if !ok {
			other = publicAddr
		}
		get(t, address, other)
	})
}
