package safety

import (
	"flag"
	"testing"
	"time"

	"appliance/app/apptest"
)

var mixedLoadDuration = flag.Duration("mixed", 10*time.Minute, "duration of TestMixedLoad")

func TestMain(m *testing.M) { apptest.Main(m) }
