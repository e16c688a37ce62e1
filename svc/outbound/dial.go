package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// Network resolves names and connects to addresses. The zero Network uses the resolver and the
// dialer of package net; tests replace its functions.
type Network struct {
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	Dial    func(ctx context.Context, addr netip.AddrPort) (net.Conn, error)
}

// attemptTimeout limits the time to connect to one of several addresses.
const attemptTimeout = 3 * time.Second

func (n Network) withDefaults() Network {
	if n.Resolve == nil {
		n.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if n.Dial == nil {
		n.Dial = func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			d := net.Dialer{Timeout: attemptTimeout}
			return d.DialContext(ctx, "tcp", addr.String())
		}
	}
	return n
}

// dial connects to a host and port as the policy permits.
func (n Network) dial(ctx context.Context, p Policy, hostPort string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, err
	}
	addrs, err := n.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	var failures []error
	blocked := true
	for _, addr := range addrs {
		if !p.permits(host, port, addr) {
			failures = append(failures, fmt.Errorf("%s has the address %s, which is not public", host, addr))
			continue
		}
		blocked = false
		conn, err := n.Dial(ctx, netip.AddrPortFrom(addr, uint16(number)))
		if err == nil {
			return conn, nil
		}
		if failures = append(failures, err); ctx.Err() != nil {
			break
		}
	}
	if blocked {
		return nil, &Error{Blocked, errors.Join(failures...)}
	}
	return nil, errors.Join(failures...)
}

// addresses returns the addresses of a host. An IPv4 address that a name server
// returns in IPv6 notation is converted, because resolvers of Go use that notation.
func (n Network) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	addrs, err := n.Resolve(ctx, host)
	if err == nil && len(addrs) == 0 {
		err = fmt.Errorf("%s has no address", host)
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, err
}
