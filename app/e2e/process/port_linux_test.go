package process

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// The program listens on one TCP port and has no UDP socket. Covers L-17.
func TestServerListensOnOnePort(t *testing.T) {
	p := apptest.Serve(t, apptest.NewDataDir(t))
	p.SignIn("ann").Do("GET", "/world/calendars").Want(200)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprintf("tcp 0100007F:%04X", n)}
	if got := receivingSockets(t, p.Cmd.Process.Pid); !slices.Equal(got, want) {
		t.Errorf("sockets: got %q, want %q", got, want)
	}
}

// receivingSockets returns the listening TCP sockets and the UDP sockets of a
// process, as protocol and hexadecimal address.
func receivingSockets(t *testing.T, pid int) (sockets []string) {
	t.Helper()
	proc := fmt.Sprintf("/proc/%d/", pid)
	descriptors, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	inodes := make(map[string]bool)
	for _, d := range descriptors {
		if link, err := os.Readlink(proc + "fd/" + d.Name()); err == nil {
			if inode, ok := strings.CutPrefix(link, "socket:["); ok {
				inodes[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	for _, protocol := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text, err := os.ReadFile(proc + "net/" + protocol)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			const address, state, inode, listening = 1, 3, 9, "0A" // columns of /proc/net/tcp
			f := strings.Fields(string(line))
			if len(f) > inode && inodes[f[inode]] && (f[state] == listening || strings.HasPrefix(protocol, "udp")) {
				sockets = append(sockets, protocol+" "+f[address])
			}
		}
	}
	return sockets
}
