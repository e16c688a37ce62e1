package load

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// maxStall is the time within which the server must close stalled connections,
// with a margin for slow machines.
const maxStall = time.Minute

const refusedConnections = "refused connections: too many are open"

// stallLogins opens n connections from one address, each with a login body that is not
// complete, and returns those that the server has not refused.
func (s *server) stallLogins(n, from int) (stalled []*stalledRequest) {
	request := requestHead("POST", "/identity/login", "", 16<<10) + strings.Repeat("x", 16<<10-1)
	for range n {
		if r := s.stall(from, request); r != nil {
			s.T.Cleanup(func() { r.Close() })
			stalled = append(stalled, r)
		}
	}
	return stalled
}

func TestConnectionsFromOneAddress(t *testing.T) {
	t.Parallel() // the test waits for deadlines
	s := newServer(t, nil)
	b := s.startBystander()
	stalled := s.stallLogins(attackSize(600, 9000), 3)
	if len(stalled) > 0 && !stalled[0].isClosed(maxStall) {
		t.Error("the first stalled connection is still open, want it closed")
	}
	b.end()
	s.wantAlive(refusedConnections, "request bodies arrived too slowly")
}

func TestConnectionsFromManyAddresses(t *testing.T) {
	s := newServer(t, nil)
	b := s.startBystander()
	for from := range attackSize(3, 7) {
		s.stallLogins(200, 3+from)
	}
	b.end()
	s.wantAlive(refusedConnections)
}

func TestFewFileDescriptors(t *testing.T) {
	s := newServer(t, func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", `ulimit -n 64; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
	})
	b := s.startBystander()
	s.stallLogins(200, 3)
	b.end()
	s.wantAlive("this process may open only few files", refusedConnections)
}
