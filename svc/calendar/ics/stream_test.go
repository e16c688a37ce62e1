package ics

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func readEntries(t testing.TB, text string) (*Stream, []Entry) {
	t.Helper()
	c, err := ReadStream(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, slices.Collect(c.Entries())
}

func TestStreamIsSplitIntoEntries(t *testing.T) {
	event := []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20260501T090000", "RRULE:FREQ=DAILY", "END:VEVENT"}
	override := []string{"BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;TZID=Own:20260502T090000", "DTSTART;TZID=O", " wn:20260502T100000",
		"BEGIN:VALARM", "UID:alarm", "END:VALARM", "END:VEVENT"}
	task := []string{"BEGIN:VTODO", "UID:1", "SUMMARY:Same UID", "END:VTODO"}
	withoutUID := []string{"BEGIN:VEVENT", "DTSTART:20260501", "END:VEVENT"}
	// Some programs export several VCALENDARs in one file.
	text := calendar(slices.Concat([]string{"METHOD:PUBLISH", "CALSCALE:GREGORIAN", "X-WR-CALNAME:Home\\, sweet", "X-APPLE-CALENDAR-COLOR:#ff0000FF"},
		ownZone("Own"), ownZone("Other"), event, task, withoutUID)...) + calendar(slices.Concat(withoutUID, override)...)
	c, list := readEntries(t, text)
	if c.Name != "Home, sweet" || c.Color != "#ff0000FF" || len(c.entries) != 4 {
		t.Errorf("got name %q, color %q, %d entries; want %q, #ff0000FF, 4", c.Name, c.Color, len(c.entries), "Home, sweet")
	}
	head := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "CALSCALE:GREGORIAN"}
	end := []string{"END:VCALENDAR", ""}
	for i, want := range []struct {
		component, uid string
		text           []string
	}{
		{"VEVENT", "1", slices.Concat(head, ownZone("Own"), event, override, end)},
		{"VTODO", "1", slices.Concat(head, task, end)},
		{"VEVENT", "", slices.Concat(head, withoutUID, end)},
		{"VEVENT", "", slices.Concat(head, withoutUID, end)},
	} {
		one := list[i]
		if one.Component != want.component || one.UID != want.uid || one.Err != nil || string(one.Text) != strings.Join(want.text, "\r\n") {
			t.Errorf("entry %d: got %s, UID %q, error %v:\n%s\nwant %s, UID %q:\n%s", i, one.Component, one.UID, one.Err, one.Text, want.component, want.uid, strings.Join(want.text, "\r\n"))
		}
		if line := strings.Split(text, "\n")[one.Line-1]; !strings.HasPrefix(line, "BEGIN:"+want.component) {
			t.Errorf("entry %d: got line %d (%s), want its BEGIN line", i, one.Line, line)
		}
	}
}

func TestReadStreamRejectsInvalidText(t *testing.T) {
	for name, text := range map[string]string{
		"empty text":                 "",
		"text without components":    "Dear customer,\nyour calendar is attached.\n",
		"truncated text":             strings.TrimSuffix(calendar("BEGIN:VEVENT", "UID:1", "END:VEVENT"), "END:VCALENDAR\r\n"),
		"a VEVENT without VCALENDAR": "BEGIN:VEVENT\nUID:1\nEND:VEVENT\n",
		"improper nesting":           calendar("BEGIN:VEVENT", "BEGIN:VALARM", "END:VEVENT", "END:VALARM"),
		"nesting beyond the limit":   strings.Repeat("BEGIN:VCALENDAR\n", 100),
		"a second END":               calendar() + "END:VCALENDAR\n",
	} {
		_, err := ReadStream(strings.NewReader(text), int64(len(text)), nil)
		if bad := new(Error); !errors.As(err, &bad) {
			t.Errorf("%s: got %v, want an *Error", name, err)
		}
	}
}

// An entry beyond MaxSize has an error; the other entries of a large stream do
// not.
func TestStreamReportsOversizedEntries(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("BEGIN:VCALENDAR\nVERSION:2.0\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "BEGIN:VEVENT\nUID:%d\nDTSTART:20260501T090000Z\nEND:VEVENT\n", i)
	}
	fmt.Fprintf(&b, "BEGIN:VEVENT\nUID:huge\nDESCRIPTION:%s\nEND:VEVENT\nEND:VCALENDAR", strings.Repeat("x", MaxSize))
	calls := 0
	c, err := ReadStream(bytes.NewReader(b.Bytes()), int64(b.Len()), func(done, total int64) {
		if calls++; done > total || total != int64(b.Len()) {
			t.Errorf("progress: got %d of %d, want at most %d", done, total, b.Len())
		}
	})
	if err != nil || calls < 2 {
		t.Fatal(err, calls)
	}
	last := ""
	for one := range c.Entries() {
		if (one.Err != nil) != (one.UID == "huge") {
			t.Errorf("%s: got error %v", one.UID, one.Err)
		}
		last = one.UID
	}
	if len(c.entries) != 20_001 || last != "huge" {
		t.Errorf("got %d entries, the last is %s; want 20001, huge", len(c.entries), last)
	}
}

// For any input, an entry is a text that Parse accepts or rejects, and each
// component of a well-formed calendar is in one entry.
func FuzzReadStream(f *testing.F) {
	f.Add([]byte(untidyText))
	f.Add([]byte(series + weeklyEvent))
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
				t.Fatal(one.Err) // the input is smaller than MaxSize
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
			t.Errorf("got %d components in entries, want %d", parts, all)
		}
	})
}

// Two VCALENDARs of one file can define a TZID in different ways.
func TestEntriesHaveTheTimeZonesOfTheirCalendar(t *testing.T) {
	const custom = "Customized Time Zone"
	text := zonedEvent("a", fixedZone(custom, "+0100"), "DTSTART;TZID="+custom+":20260501T090000") +
		zonedEvent("b", fixedZone(custom, "-0500"), "DTSTART;TZID="+custom+":20260501T090000") +
		zonedEvent("c", nil, "DTSTART;tzid="+custom+":20260501T090000")
	_, list := readEntries(t, text)
	for i, want := range []string{"08:00", "14:00", "08:00"} { // the last one has no definition of its own
		if got := mustParse(t, string(list[i].Text)).Master.Time("DTSTART").Instant(nil).Format("15:04"); got != want {
			t.Errorf("%s: got %s, want %s", list[i].UID, got, want)
		}
	}
}
