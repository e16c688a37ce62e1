package load

import (
	"flag"
	"testing"
	"time"

	"appliance/app/apptest"
)

var (
	loadEntries       = flag.Int("load", 0, "size of the calendar in TestCalDAVLoadTable; 0 means a small one")
	latencyRounds     = flag.Int("crowd", 0, "number of samples in TestLatencyTable; 0 means a few on a small server")
	membersFor        = flag.Duration("members", 0, "duration of TestConcurrentMembersSeeTheirContent; 0 means a few requests of each member")
	importSize        = flag.Int("import-size", 0, "megabytes of the file in TestReadsDuringImport; 0 means a small one, and delays are not checked")
	mixedLoadDuration = flag.Duration("mixed", 5*time.Minute, "duration of TestMixedLoad")
)

func TestMain(m *testing.M) { apptest.Main(m) }
