package ics

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
)

// A merged calendar is split into the same objects again.
func TestMergedObjectsRoundTrip(t *testing.T) {
	zoned := calendar(slices.Concat(ownZone("Own"), []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20260501T090000", "SUMMARY:long", " er", "END:VEVENT"})...)
	again := strings.Replace(zoned, "UID:1", "UID:2", 1)
	bare := strings.ReplaceAll(calendar("BEGIN:VTODO", "UID:3", "END:VTODO"), "\r\n", "\n")
	var out bytes.Buffer
	head := NewDocument("-//Test//EN")
	head.Calendar.Add(TextProp("X-WR-CALNAME", "Home"))
	m, err := NewMerger(&out, head, 2026)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{zoned, again, bare} {
		if err := m.Add(svc.WorkOf(t.Context()), []byte(raw), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "BEGIN:VTIMEZONE"); n != 1 {
		t.Errorf("got %d VTIMEZONEs, want 1, in\n%s", n, &out)
	}
	c, list := readStream(t, out.String()), assemble(t, out.String())
	if c.Name != "Home" || len(list) != 3 {
		t.Errorf("got name %q and %d entries, want Home and 3", c.Name, len(list))
	}
	for i, want := range []string{zoned, again, strings.ReplaceAll(bare, "\n", "\r\n")} {
		if got := string(list[i].Object.Raw); got != want {
			t.Errorf("entry %d: got\n%s\nwant\n%s", i, got, want)
		}
	}
}
