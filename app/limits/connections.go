package limits

import (
	"net"
	"net/netip"
	"sync"
)

// Connections is a listener that limits the open connections in total and from one
// address, so that a client without an account cannot exhaust memory or file
// descriptors. Connections from reverse proxies count for the total only.
type Connections struct {
	net.Listener
	total, each int
	proxies     Proxies
	rejected    func(addr string) // called for each rejected connection

	mu    sync.Mutex
	open  int
	peers map[string]int // open connections by address prefix
}

// NewConnections returns ln with limits on the connections in total and for each
// address, see [Prefix]. A connection beyond a limit is closed, and rejected is
// called with its address.
func NewConnections(ln net.Listener, total, each int, proxies Proxies, rejected func(addr string)) *Connections {
	return &Connections{Listener: ln, total: total, each: each, proxies: proxies, rejected: rejected, peers: make(map[string]int)}
}

// Accept implements [net.Listener].
func (c *Connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		peer := c.peer(conn)
		if c.acquire(peer) {
			return &connection{Conn: conn, release: sync.OnceFunc(func() { c.release(peer) })}, nil
		}
		conn.Close()
		c.rejected(conn.RemoteAddr().String())
	}
}

// peer returns the key of the address of a connection, "" if it has no limit of its
// own: it is a reverse proxy or uses a Unix socket.
func (c *Connections) peer(conn net.Conn) string {
	from, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || c.proxies.Contains(from.Addr().Unmap()) {
		return ""
	}
	return Prefix(from.Addr().Unmap())
}

func (c *Connections) acquire(peer string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open >= c.total || peer != "" && c.peers[peer] >= c.each {
		return false
	}
	c.open++
	if peer != "" {
		c.peers[peer]++
	}
	return true
}

func (c *Connections) release(peer string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	if peer == "" {
		return
	}
	if c.peers[peer]--; c.peers[peer] == 0 {
		delete(c.peers, peer)
	}
}

// connection releases its place when it is closed.
type connection struct {
	net.Conn
	release func()
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.release()
	return c.Conn.Close()
}
