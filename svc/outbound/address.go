package outbound

import "net/netip"

// specialPrefixes lists the address ranges of IPv4, and of 2000::/3 in IPv6, that are not public:
// the special-purpose ranges (RFC 6890), multicast, tunnels with an IPv4 address in the IPv6
// address, and the metadata service of Azure.
var specialPrefixes = parsePrefixes(
	"0.0.0.0/8",         // this network
	"10.0.0.0/8",        // private, RFC 1918
	"100.64.0.0/10",     // carrier-grade NAT, RFC 6598
	"127.0.0.0/8",       // loopback
	"168.63.129.16/32",  // metadata of Azure
	"169.254.0.0/16",    // link-local; metadata of most clouds
	"172.16.0.0/12",     // private
	"192.0.0.0/24",      // protocol assignments
	"192.0.2.0/24",      // documentation
	"192.31.196.0/24",   // AS112
	"192.52.193.0/24",   // multicast tunnels
	"192.88.99.0/24",    // relays of 6to4
	"192.168.0.0/16",    // private
	"192.175.48.0/24",   // AS112
	"198.18.0.0/15",     // benchmarks
	"198.51.100.0/24",   // documentation
	"203.0.113.0/24",    // documentation
	"224.0.0.0/4",       // multicast
	"240.0.0.0/4",       // reserved, broadcast
	"2001::/23",         // protocol assignments, Teredo, ORCHID, benchmarks
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4
	"2620:4f:8000::/48", // AS112
	"3fff::/20",         // documentation
)

// globalUnicast is the range of public IPv6 addresses. Loopback, link-local,
// site-local, unique local, multicast, IPv4-mapped and NAT64 addresses are outside
// of it.
var globalUnicast = netip.MustParsePrefix("2000::/3")

func parsePrefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// IsPublic reports whether an address belongs to the public internet. It is false for an
// IPv4-mapped IPv6 address: callers must call [netip.Addr.Unmap] first.
func IsPublic(addr netip.Addr) bool {
	if !addr.IsValid() || addr.Zone() != "" || addr.Is6() && (!globalUnicast.Contains(addr) || isISATAP(addr)) {
		return false
	}
	for _, p := range specialPrefixes {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}

// isISATAP reports whether the second half of an address contains an IPv4 address
// as in RFC 5214 §6.1.
func isISATAP(addr netip.Addr) bool {
	b := addr.As16()
	return b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
