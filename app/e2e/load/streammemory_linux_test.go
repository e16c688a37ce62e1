package load

import (
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
	"appliance/world/stream"
)

// 500 idle streams need less than 40 MB of the memory of the server. Covers B-104.
func TestIdleStreamsNeedLittleMemory(t *testing.T) {
	svctest.Long(t)
	const streams = 500
	s := apptest.New(t, apptest.Unlimited)
	members := streamingMembers(s, streams/stream.MaxPerMember+1)
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	p := apptest.Serve(t, s.Settings.Data, "--trusted-proxies", "127.0.0.1")
	for i, c := range members {
		c := *c
		c.URL = p.URL
		c.AsRuntime().Do("GET", "/world/runtime").Want(200)
		members[i] = &c
	}
	before := serverMemory(t, p)
	for i := range streams {
		members[i/stream.MaxPerMember].OpenStream("")
	}
	growth := serverMemory(t, p) - before
	t.Logf("%d streams: %.1f MB", streams, float64(growth)/1e6)
	if growth > 40e6 {
		t.Errorf("got a growth of %d bytes for %d streams, want at most 40 MB", growth, streams)
	}
}

// serverMemory returns the resident memory of a process, in bytes.
func serverMemory(t *testing.T, p *apptest.Process) int {
	t.Helper()
	kilobytes, ok := processMemory(p.Cmd.Process.Pid)
	if !ok {
		t.Fatal("the resident memory of the server is unknown")
	}
	return kilobytes << 10
}
