package dav

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Batches have the objects in order and are limited in size, and a panic of a
// worker is raised in the goroutine of the caller.
func TestTransformBatchKeepsOrder(t *testing.T) {
	list := make([]Object, 400)
	for i := range list {
		rule, summary := "", strings.Repeat("x", 2000)
		if i%20 == 7 {
			rule, summary = "RRULE:FREQ=SECONDLY\r\n", "x" // more instances than the limit
		}
		list[i].Data = fmt.Appendf(nil, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:%d!\r\nDTSTAMP:20261101T120000Z\r\n"+
			"DTSTART:20261201T080000Z\r\n%sSUMMARY:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", i, rule, summary)
	}
	begin := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	s := &dataSpec{expand: &ics.TimeRange{Start: begin, End: begin.AddDate(0, 0, 10)}}
	n, rounds := 0, 0
	for rest := list; len(rest) > 0; rounds++ {
		s.work = svc.WorkOf(t.Context())
		ready, truncated, err := s.transformBatch(rest, time.UTC)
		if len(ready) == 0 || len(truncated) != len(ready) {
			t.Fatalf("got %d objects of %d with %d results, %v, want as many results as objects", len(ready), len(rest), len(truncated), err)
		}
		for i, o := range ready {
			if want := n%20 == 7; truncated[i] != want || !want && !strings.Contains(string(o.Data), fmt.Sprintf("UID:%d!", n)) {
				t.Fatalf("object %d: got truncated %v, want %v: %.100s", n, truncated[i], want, o.Data)
			}
			n++
		}
		rest = rest[len(ready):]
	}
	if n != len(list) || rounds < 2 {
		t.Errorf("got %d objects in %d batches, want %d in several", n, rounds, len(list))
	}

	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "transform") {
			t.Errorf("got panic %v, want that of transform", v)
		}
	}()
	var none *dataSpec
	none.transformBatch(list, time.UTC)
}
