package load

import (
	"flag"
	"testing"

	"appliance/app/apptest"
)

var (
	loadEntries   = flag.Int("load", 0, "compare with other CalDAV servers: number of entries in a calendar")
	latencyRounds = flag.Int("latency", 0, "measure latencies: number of requests of each kind")
	loadTime      = flag.Duration("concurrent", 0, "duration of the test with 50 concurrent members; by default a few requests each")
)

func TestMain(m *testing.M) { apptest.Main(m) }
