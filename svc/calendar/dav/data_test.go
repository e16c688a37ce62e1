package dav

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics"
)

// What several processors make of many objects comes in their order, no more
// than is written soon, and what goes wrong comes to whoever asked.
func TestShapesComeInOrder(t *testing.T) {
	list := make([]Object, 400)
	for i := range list {
		rule := ""
		if i%10 == 7 {
			rule = "RRULE:FREQ=SECONDLY\r\n" // more than is ever written
		}
		list[i].Data = fmt.Appendf(nil, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:%d!\r\nDTSTAMP:20261101T120000Z\r\n"+
			"DTSTART:20261201T080000Z\r\n%sSUMMARY:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", i, rule, strings.Repeat("x", 2000))
	}
	begin := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	s := &dataSpec{expand: &ics.TimeRange{Start: begin, End: begin.AddDate(0, 0, 10)}}
	n, rounds := 0, 0
	for rest := list; len(rest) > 0; rounds++ {
		ready, cut := s.transformBatch(rest, time.UTC)
		if len(ready) == 0 || len(cut) != len(ready) {
			t.Fatalf("%d of %d, %d marked", len(ready), len(rest), len(cut))
		}
		for i, o := range ready {
			if want := n%10 == 7; cut[i] != want || !want && !strings.Contains(string(o.Data), fmt.Sprintf("UID:%d!", n)) {
				t.Fatalf("object %d: cut %v, %.100s", n, cut[i], o.Data)
			}
			n++
		}
		rest = rest[len(ready):]
	}
	if n != len(list) || rounds < 2 {
		t.Errorf("%d objects in %d rounds", n, rounds)
	}

	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "transform") {
			t.Errorf("recovered %v", v)
		}
	}()
	var none *dataSpec
	none.transformBatch(list, time.UTC)
}
