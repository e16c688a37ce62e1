package ics

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
)

func readStream(t testing.TB, text string) *Stream {
	t.Helper()
	s, err := ReadStream(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStreamHasThePropertiesOfTheCalendar(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  CalendarInfo
	}{
		{"RFC 7986", []string{"NAME:Home\\, sweet", "DESCRIPTION:First\\nsecond", "COLOR:red"}, CalendarInfo{"Home, sweet", "First\nsecond", "#ff0000", ""}},
		{"extensions", []string{"X-WR-CALNAME:Home", "X-WR-CALDESC:All of", " us", "X-WR-TIMEZONE:Europe/Vienna", "X-APPLE-CALENDAR-COLOR:#00AA00FF"},
			CalendarInfo{"Home", "All ofus", "#00aa00", "Europe/Vienna"}},
		{"a color of Apple after its name", []string{"COLOR:red", "X-APPLE-CALENDAR-COLOR:#FF2D55"}, CalendarInfo{Color: "#ff2d55"}},
		{"a color of Apple before its name", []string{"X-APPLE-CALENDAR-COLOR:#FF2D55", "COLOR:red"}, CalendarInfo{Color: "#ff2d55"}},
		{"an invalid color of Apple", []string{"X-APPLE-CALENDAR-COLOR:reddish", "COLOR:red"}, CalendarInfo{Color: "#ff0000"}},
		{"properties of a component", []string{"BEGIN:VEVENT", "UID:1", "DESCRIPTION:no", "COLOR:blue", "END:VEVENT"}, CalendarInfo{}},
		{"properties after a component", []string{"BEGIN:VEVENT", "UID:1", "END:VEVENT", "X-WR-CALNAME:Last"}, CalendarInfo{Name: "Last"}},
		{"two names", []string{"NAME:", "X-WR-CALNAME:Second", "NAME:Third"}, CalendarInfo{Name: "Second"}},
	} {
		if got := readStream(t, calendar(c.lines...)).CalendarInfo; got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestReadStreamRejectsTextWithoutCalendar(t *testing.T) {
	for name, text := range map[string]string{
		"empty text":                 "",
		"text without components":    "Dear customer,\nyour calendar is attached.\n",
		"a VEVENT without VCALENDAR": "BEGIN:VEVENT\nUID:1\nEND:VEVENT\n",
		"too many components":        "BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:X\nEND:X\n", maxComponents+1),
	} {
		_, err := ReadStream(strings.NewReader(text), int64(len(text)), nil)
		if bad := new(Error); !errors.As(err, &bad) {
			t.Errorf("%s: got %v, want an *Error", name, err)
		}
	}
}

// A component that is incomplete or improperly nested is refused with its line, and the complete
// ones are read.
func TestIncompleteComponentsAreRefused(t *testing.T) {
	event := func(uid string) string {
		return "BEGIN:VEVENT\nUID:" + uid + "\nDTSTART:20260501T090000Z\nEND:VEVENT\n"
	}
	const cut = "BEGIN:VEVENT\nUID:cut\nDTSTART:20260501T090000Z\nSUMMARY:Cut in the mid"
	for _, c := range []struct{ name, text, want string }{
		{"a file that ends in an entry", event("1") + cut, "1, refused 7 2026-05-01: The VEVENT has no END line: the text may be truncated, and entries may be missing after it."},
		{"a file that ends in an alarm", event("1") + "BEGIN:VEVENT\nUID:2\nBEGIN:VALARM\n", "1, refused 7 : The VEVENT has no END line: the text may be truncated, and entries may be missing after it."},
		{"a file that ends between entries", event("1"), "1, refused 6 : The VCALENDAR has no END line: the text may be truncated, and entries may be missing after this line."},
		{"a file that ends in a VTIMEZONE", event("1") + "BEGIN:VTIMEZONE\nTZID:A\n", "1, refused 7 : The VTIMEZONE has no END line: the text may be truncated, and entries may be missing after it."},
		{"an entry without end before another", cut + "\n" + event("1") + "END:VCALENDAR\n", "refused 3 2026-05-01: Line 7 begins a VEVENT before the VEVENT has ended., 1"},
		{"an entry without end before the end", event("1") + cut + "\nEND:VCALENDAR\n", "1, refused 7 2026-05-01: Line 11 ends the VCALENDAR before the VEVENT has ended."},
		{"an entry without end before another calendar", cut + "\nBEGIN:VCALENDAR\n" + event("1") + "END:VCALENDAR\n",
			"refused 3 2026-05-01: Line 7 begins a VCALENDAR before the VEVENT has ended., 1"},
		{"an alarm without end", "BEGIN:VEVENT\nUID:2\nBEGIN:VALARM\nEND:VEVENT\n" + event("1") + "END:VCALENDAR\n",
			"refused 3 : Line 6 ends the VEVENT before its VALARM has ended., 1"},
		{"improper nesting", "BEGIN:VEVENT\nBEGIN:X\nBEGIN:Y\nEND:X\nEND:Y\nEND:VEVENT\n" + event("1") + "END:VCALENDAR\n",
			`refused 3 : Line 6 ends "X", but the open component is "Y"., 1`},
		{"nesting beyond the limit", "BEGIN:VEVENT\n" + strings.Repeat("BEGIN:X\n", 100) + strings.Repeat("END:X\n", 100) + "END:VEVENT\n" + event("1") + "END:VCALENDAR\n",
			"refused 3 : Line 34 nests components more than 32 deep., 1"},
		{"an END without BEGIN", "END:VEVENT\n" + event("1") + "END:VCALENDAR\nEND:VCALENDAR\n",
			"refused 3 : Line 3 ends a VEVENT that has not begun., 1, refused 9 : Line 9 ends a VCALENDAR that has not begun."},
		{"an entry after the calendar", event("1") + "END:VCALENDAR\n" + event("2"), "1, refused 8 : The VEVENT is outside a VCALENDAR."},
		{"text around the calendar", event("1") + "END:VCALENDAR\n--\nSent from my phone\n", "1"},
	} {
		var got []string
		a := new(Assembly)
		a.Add("", readStream(t, "BEGIN:VCALENDAR\nVERSION:2.0\n"+c.text))
		for e := range a.Entries(svc.WorkOf(t.Context())) {
			if bad, ok := errors.AsType[*Error](e.Err); ok {
				got = append(got, fmt.Sprintf("refused %d %s: %s", e.Line, e.Date, bad.Reason))
			} else {
				got = append(got, e.UID)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
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
	s, err := ReadStream(bytes.NewReader(b.Bytes()), int64(b.Len()), func(done, total int64) {
		if calls++; done > total || total != int64(b.Len()) {
			t.Errorf("progress: got %d of %d, want at most %d", done, total, b.Len())
		}
	})
	if err != nil || calls < 2 {
		t.Fatal(err, calls)
	}
	last, count := "", 0
	a := new(Assembly)
	a.Add("", s)
	for e := range a.Entries(svc.WorkOf(t.Context())) {
		if (e.Err != nil) != (e.UID == "huge") {
			t.Errorf("%s: got error %v", e.UID, e.Err)
		}
		last, count = e.UID, count+1
	}
	if count != 20_001 || last != "huge" {
		t.Errorf("got %d entries, the last is %s; want 20001, huge", count, last)
	}
}

// For any input, each component of a well-formed calendar is in one entry or refused, and an
// entry is a valid object.
func FuzzReadStream(f *testing.F) {
	f.Add([]byte(untidyText))
	f.Add([]byte(series + weeklyEvent))
	f.Add([]byte(series + "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260501\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20260501\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nEND:VCALENDAR"))
	f.Add([]byte("BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:A\nEND:VTIMEZONE\nBEGIN:X\nD;TZID=A:1\nEND:X\nEND:VCALENDAR"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := ReadStream(bytes.NewReader(raw), int64(len(raw)), nil)
		if err != nil {
			return
		}
		a := new(Assembly)
		a.Add("", s)
		a.Add("again", s)
		components := 0
		for e := range a.Entries(svc.WorkOf(t.Context())) {
			components += 1 + e.Joined
			if (e.Object == nil) == (e.Err == nil) {
				t.Fatalf("got object %v and error %v, want one of them", e.Object, e.Err)
			}
			if e.Err == nil {
				_ = mustParse(t, string(e.Object.Raw))
			} else if _, ok := errors.AsType[*Error](e.Err); !ok && !errors.Is(e.Err, svc.ErrTooMuchWork) {
				t.Fatal(e.Err)
			}
		}
		if components != 2*len(s.parts) {
			t.Errorf("got %d components, want %d", components, 2*len(s.parts))
		}
		d, _ := ParseDocument(raw)
		if d == nil || slices.ContainsFunc(d.Calendar.Blocks(), func(b *Block) bool {
			return slices.ContainsFunc(b.Blocks(), func(b *Block) bool { return isEntry(b.Name) })
		}) {
			return // some programs omit the END of an entry
		}
		if all := len(d.Calendar.Blocks()) - len(d.Calendar.Blocks("VTIMEZONE")); all != len(s.parts) {
			t.Errorf("got %d parts, want %d", len(s.parts), all)
		}
	})
}

// Two VCALENDARs of one file can define a TZID in different ways.
func TestEntriesHaveTheTimeZonesOfTheirCalendar(t *testing.T) {
	const custom = "Customized Time Zone"
	text := zonedEvent("a", fixedZone(custom, "+0100"), "DTSTART;TZID="+custom+":20260501T090000") +
		zonedEvent("b", fixedZone(custom, "-0500"), "DTSTART;TZID="+custom+":20260501T090000") +
		zonedEvent("c", nil, "DTSTART;tzid="+custom+":20260501T090000")
	list := assemble(t, text)
	for i, want := range []string{"08:00", "14:00", "08:00"} { // the last one has no definition of its own
		if got := list[i].Object.Master.Time("DTSTART").Instant(nil).Format("15:04"); got != want {
			t.Errorf("%s: got %s, want %s", list[i].UID, got, want)
		}
	}
}
