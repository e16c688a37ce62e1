package load

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
)

// maxPeak is the largest resident memory under the loads of one member, in a control group
// of 512 MB.
const maxPeak = 400 // MB

// A server with the memory limit of a control group of 512 MB needs at most maxPeak under the most
// expensive loads of one member. Without the flag -peak the test is skipped.
func TestPeakMemory(t *testing.T) {
	if !*peakLoads {
		t.Skip("run with -peak")
	}
	bin := *fairBinary
	if bin == "" {
		var err error
		if bin, err = apptest.Binary(); err != nil {
			t.Fatal(err)
		}
	}
	put, panels := &fairAttack{run: putBodies(150, largeZone)}, &fairAttack{fill: fillPanels, run: repeatFunc(36, readPanel)}
	reports, exdates := &fairAttack{fill: fillEntries, run: repeatFunc(12, reportFunc(allData, allChanges, allObjects, expandDecade))}, &fairAttack{run: putBodies(16, manyExdates)}
	more := &fairAttack{fill: fillPanels, run: repeatFunc(476, readPanel)}
	for _, load := range []struct {
		name    string
		attacks []*fairAttack
	}{
		{"150 PUTs of VTIMEZONEs with 900 rules", []*fairAttack{put}},
		{"36 panels of Time", []*fairAttack{panels}},
		{"476 panels of Time", []*fairAttack{more}},
		{"everything at once", []*fairAttack{put, panels, reports, exdates}},
	} {
		t.Run(load.name, func(t *testing.T) { measurePeak(t, bin, load.attacks) })
	}
}

// measurePeak measures the peak of memory while attacks run at once for 15 seconds.
func measurePeak(t *testing.T, bin string, attacks []*fairAttack) {
	s := startFairServer(t, bin)
	for i, a := range attacks {
		a.user = s.addUser(fmt.Sprint("attacker", i), 3+i)
		if a.fill != nil {
			a.fill(a)
		}
	}
	s.restart()
	before := s.peakMemory()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	var running sync.WaitGroup
	for _, a := range attacks {
		running.Go(func() { a.run(ctx, a, 0) })
	}
	running.Wait()
	for _, a := range attacks {
		t.Logf("responses by status: %v", a.responses.counts)
		a.responses.counts = nil
	}
	peak := s.peakMemory()
	t.Logf("peak memory: %d MB, %d MB before", peak, before)
	if peak > maxPeak {
		t.Errorf("got a peak of %d MB, want at most %d MB", peak, maxPeak)
	}
}

// peakMemory returns the peak of the resident memory in MB.
func (s *fairServer) peakMemory() int {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Cmd.Process.Pid))
	match := peakMemory.FindSubmatch(text)
	if err != nil || match == nil {
		s.t.Fatalf("got no peak memory: %v\n%s", err, s.Log)
	}
	kilobytes, _ := strconv.Atoi(string(match[1]))
	return kilobytes >> 10
}

// fillPanels stores entries, many of them of the maximum size.
func fillPanels(a *fairAttack) {
	fillEntries(a)
	for i := range a.size(24) {
		uid := fmt.Sprint("large", i)
		a.user.must(201, "PUT", a.user.calendar+uid+".ics", manyExdates(uid, i))
	}
}

func manyExdates(uid string, version int) string { return exdateEvent(uid, 58_000, version) }

func readPanel(_ *fairAttack, i int) (method, path, body string) {
	day := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 7*(i%200))
	return "GET", fmt.Sprintf("/world/panels/time?view=%s&date=%s", []string{"week", "month", "agenda"}[i%3], day.Format("2006-01-02")), ""
}
