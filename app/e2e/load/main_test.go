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
	fairSamples       = flag.Int("fairness", 0, "number of requests in all rounds of TestFairness, without an attack and beside it; 0 skips the test")
	fairRounds        = flag.Int("fairness-rounds", 5, "number of rounds in TestFairness")
	fairFill          = flag.Int("fairness-fill", 100, "percentage of the content of attackers in TestFairness and TestPeakMemory")
	fairOnly          = flag.String("fairness-only", "", "regular expression for the attacks of TestFairness")
	fairBinary        = flag.String("fairness-binary", "", "file of another build of the program for TestFairness and TestPeakMemory")
	peakLoads         = flag.Bool("peak", false, "run TestPeakMemory")
	mixedLoadDuration = flag.Duration("mixed", 5*time.Minute, "duration of TestMixedLoad")
)

func TestMain(m *testing.M) { apptest.Main(m) }
