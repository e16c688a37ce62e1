package load

import (
	"flag"
	"testing"

	"appliance/app/apptest"
)

var (
	loadEntries = flag.Int("load", 0, "compare the speed with other CalDAV servers, with so many entries in a calendar")
	crowdRounds = flag.Int("crowd", 0, "measure what a member waits for, so many times each")
)

func TestMain(m *testing.M) { apptest.Main(m) }
