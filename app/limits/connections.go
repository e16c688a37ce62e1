package limits

import (
	"net"
	"net/netip"
	"sync"
)

// Listener is a [net.Listener] that limits the open connections in total and from one
// address, so that a client without an account cannot exhaust memory or file
// descriptors. Connections from trusted reverse proxies count only towards the
// total: their clients are limited by request.
type Listener struct {
	net.Listener
	counts    *CountLimiter
	proxies   Proxies
	onRefused func(addr string)
}

// NewListener returns a listener that accepts connections of ln within the limits
// of counts, with the address prefix as key (see [Prefix]). It closes other
// connections and calls onRefused with their addresses.
func NewListener(ln net.Listener, counts *CountLimiter, proxies Proxies, onRefused func(addr string)) *Listener {
	return &Listener{Listener: ln, counts: counts, proxies: proxies, onRefused: onRefused}
}

// Accept implements [net.Listener].
func (c *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		key := c.key(conn)
		if c.counts.Add(key) {
			return &countedConn{Conn: conn, release: sync.OnceFunc(func() { c.counts.Remove(key) })}, nil
		}
		conn.Close()
		c.onRefused(conn.RemoteAddr().String())
	}
}

// key returns the key of a connection. It is "" for trusted reverse proxies and
// Unix sockets, which count only towards the total.
func (c *Listener) key(conn net.Conn) string {
	from, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || c.proxies.Contains(from.Addr().Unmap()) {
		return ""
	}
	return Prefix(from.Addr().Unmap())
}

// countedConn is a connection that is counted until it is closed.
type countedConn struct {
	net.Conn
	release func()
}

// Close implements [net.Conn].
func (c *countedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}
