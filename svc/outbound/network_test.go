package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
)

// publicAddr is the address of the host names of a fakeNetwork.
var publicAddr = netip.MustParseAddr("93.184.216.34")

// fakeNetwork resolves names from a table and connects every address to a listener
// of the test, so that no connection leaves the machine.
type fakeNetwork struct {
	hosts    map[string][]netip.Addr // other hosts have publicAddr
	listener string                  // address; no connection succeeds if it is ""

	mu     sync.Mutex
	dialed []netip.AddrPort
}

var errNoListener = errors.New("no listener")

func (f *fakeNetwork) network() Network {
	return Network{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if addrs, ok := f.hosts[host]; ok {
				return append([]netip.Addr{}, addrs...), nil
			}
			return []netip.Addr{publicAddr}, nil
		},
		Dial: func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			f.mu.Lock()
			f.dialed = append(f.dialed, addr)
			f.mu.Unlock()
			if f.listener == "" {
				return nil, errNoListener
			}
			return new(net.Dialer).DialContext(ctx, "tcp", f.listener)
		},
	}
}

// addresses returns the addresses to which a connection was attempted.
func (f *fakeNetwork) addresses() []netip.AddrPort {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]netip.AddrPort{}, f.dialed...)
}
