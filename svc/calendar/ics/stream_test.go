package ics

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func collect(t testing.TB, text string) (*Stream, []Entry) {
	t.Helper()
	c, err := ReadStream(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, slices.Collect(c.Entries())
}

func TestACollectionIsTakenApart(t *testing.T) {
	event := []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20260501T090000", "RRULE:FREQ=DAILY", "END:VEVENT"}
	override := []string{"BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;TZID=Own:20260502T090000", "DTSTART;TZID=O", " wn:20260502T100000",
		"BEGIN:VALARM", "UID:alarm", "END:VALARM", "END:VEVENT"}
	task := []string{"BEGIN:VTODO", "UID:1", "SUMMARY:Same UID", "END:VTODO"}
	nameless := []string{"BEGIN:VEVENT", "DTSTART:20260501", "END:VEVENT"}
	// Two calendars one after the other, as some programs export them.
	text := calendar(slices.Concat([]string{"METHOD:PUBLISH", "CALSCALE:GREGORIAN", "X-WR-CALNAME:Home\\, sweet", "X-APPLE-CALENDAR-COLOR:#ff0000FF"},
		own("Own"), own("Other"), event, task, nameless)...) + calendar(slices.Concat(nameless, override)...)
	c, list := collect(t, text)
	if c.Name != "Home, sweet" || c.Color != "#ff0000FF" || len(c.entries) != 4 {
		t.Errorf("%q in %q with %d entries", c.Name, c.Color, len(c.entries))
	}
	head := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "CALSCALE:GREGORIAN"}
	end := []string{"END:VCALENDAR", ""}
	for i, want := range []struct {
		component, uid string
		text           []string
	}{
		{"VEVENT", "1", slices.Concat(head, own("Own"), event, override, end)},
		{"VTODO", "1", slices.Concat(head, task, end)},
		{"VEVENT", "", slices.Concat(head, nameless, end)},
		{"VEVENT", "", slices.Concat(head, nameless, end)},
	} {
		one := list[i]
		if one.Component != want.component || one.UID != want.uid || one.Err != nil || string(one.Text) != strings.Join(want.text, "\r\n") {
			t.Errorf("entry %d is a %s of UID %q, %v:\n%s", i, one.Component, one.UID, one.Err, one.Text)
		}
		if line := strings.Split(text, "\n")[one.Line-1]; !strings.HasPrefix(line, "BEGIN:"+want.component) {
			t.Errorf("entry %d begins at line %d: %s", i, one.Line, line)
		}
	}
}

func TestCollectionsThatAreNone(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"another text":   "Dear customer,\nyour calendar is attached.\n",
		"cut off":        strings.TrimSuffix(calendar("BEGIN:VEVENT", "UID:1", "END:VEVENT"), "END:VCALENDAR\r\n"),
		"an event alone": "BEGIN:VEVENT\nUID:1\nEND:VEVENT\n",
		"crossed":        calendar("BEGIN:VEVENT", "BEGIN:VALARM", "END:VEVENT", "END:VALARM"),
		"deep":           strings.Repeat("BEGIN:VCALENDAR\n", 100),
		"ended twice":    calendar() + "END:VCALENDAR\n",
	} {
		_, err := ReadStream(strings.NewReader(text), int64(len(text)), nil)
		if bad := new(Error); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of a collection of any size, one entry is in memory at a time, and what is
// too large of it is said of that entry.
func TestLargeCollections(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("BEGIN:VCALENDAR\nVERSION:2.0\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "BEGIN:VEVENT\nUID:%d\nDTSTART:20260501T090000Z\nEND:VEVENT\n", i)
	}
	fmt.Fprintf(&b, "BEGIN:VEVENT\nUID:huge\nDESCRIPTION:%s\nEND:VEVENT\nEND:VCALENDAR", strings.Repeat("x", MaxSize))
	calls := 0
	c, err := ReadStream(bytes.NewReader(b.Bytes()), int64(b.Len()), func(done, total int64) {
		if calls++; done > total || total != int64(b.Len()) {
			t.Errorf("%d of %d", done, total)
		}
	})
	if err != nil || calls < 2 {
		t.Fatal(err, calls)
	}
	last := ""
	for one := range c.Entries() {
		if (one.Err != nil) != (one.UID == "huge") {
			t.Errorf("%s: %v", one.UID, one.Err)
		}
		last = one.UID
	}
	if len(c.entries) != 20_001 || last != "huge" {
		t.Errorf("%d entries, the last is %s", len(c.entries), last)
	}
}

// Whatever comes, an entry is text that can be parsed or refused, and nothing
// of a calendar that is well formed gets lost.
func FuzzCollection(f *testing.F) {
	f.Add([]byte(untidy))
	f.Add([]byte(series + weekly))
	f.Add([]byte("BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:A\nEND:VTIMEZONE\nBEGIN:X\nD;TZID=A:1\nEND:X\nEND:VCALENDAR"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadStream(bytes.NewReader(raw), int64(len(raw)), nil)
		if err != nil {
			return
		}
		d, _ := ParseDocument(raw)
		parts := 0
		for one := range c.Entries() {
			if one.Err != nil {
				t.Fatal(one.Err) // the text is too short for that
			}
			_, _ = Parse(one.Text)
			if d != nil {
				parts += len(mustRead(t, one.Text).Calendar.Blocks(one.Component))
			}
		}
		if d == nil {
			return
		}
		if all := len(d.Calendar.Blocks()) - len(d.Calendar.Blocks("VTIMEZONE")); all != parts {
			t.Errorf("of %d components %d are in an entry", all, parts)
		}
	})
}
