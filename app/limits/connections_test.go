package limits

import (
	"net"
	"net/netip"
	"slices"
	"testing"
)

// fakeListener returns a connection for each address sent to it, and an error if
// there is none.
type fakeListener chan string

func (f fakeListener) Accept() (net.Conn, error) {
	select {
	case addr := <-f:
		conn, _ := net.Pipe()
		return fakeConn{conn, addr}, nil
	default:
		return nil, net.ErrClosed
	}
}
func (f fakeListener) Close() error   { return nil }
func (f fakeListener) Addr() net.Addr { return fakeAddr("server") }

type fakeConn struct {
	net.Conn
	addr string
}

func (c fakeConn) RemoteAddr() net.Addr { return fakeAddr(c.addr) }

type fakeAddr string

func (fakeAddr) Network() string  { return "tcp" }
func (a fakeAddr) String() string { return string(a) }

func TestConnectionsAreLimited(t *testing.T) {
	proxies := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct {
		name    string
		addrs   []string
		refused []string
	}{
		{"one address", []string{"1.2.3.4:1", "1.2.3.4:2", "1.2.3.4:3"}, []string{"1.2.3.4:3"}},
		{"one IPv6 network", []string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1", "[2001:db8:0:1::1]:1"}, []string{"[2001:db8::3]:1"}},
		{"IPv4 in IPv6", []string{"[::ffff:1.2.3.4]:1", "1.2.3.4:2", "1.2.3.4:3"}, []string{"1.2.3.4:3"}},
		{"the total", []string{"1.1.1.1:1", "2.2.2.2:1", "3.3.3.3:1", "4.4.4.4:1", "5.5.5.5:1"}, []string{"5.5.5.5:1"}},
		{"a proxy", []string{"10.0.0.1:1", "10.0.0.1:2", "10.0.0.1:3", "10.0.0.1:4", "10.0.0.1:5"}, []string{"10.0.0.1:5"}},
		{"a Unix socket", []string{"@", "@", "@", "@", "@"}, []string{"@"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var refused []string
			source := make(fakeListener, len(c.addrs)+1)
			counts := NewCountLimiter(4, 2)
			ln := NewListener(source, counts, proxies, func(addr string) { refused = append(refused, addr) })
			for _, addr := range c.addrs {
				source <- addr
			}
			var open []net.Conn
			for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
				open = append(open, conn)
			}
			for _, conn := range open { // twice, as net/http may
				conn.Close()
				conn.Close()
			}
			source <- c.addrs[len(c.addrs)-1]
			if _, err := ln.Accept(); err != nil {
				t.Errorf("after the others were closed: %v", err)
			}
			if !slices.Equal(refused, c.refused) {
				t.Errorf("got refused %q, want %q", refused, c.refused)
			}
			if counts.all != 1 || len(counts.counts) > 1 {
				t.Errorf("got %d open connections from %v, want 1", counts.all, counts.counts)
			}
		})
	}
}
