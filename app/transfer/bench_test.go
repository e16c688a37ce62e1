package transfer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"appliance/svc/calendar/calendartest"
)

// BenchmarkImport measures the import of a file with 10,000 entries, of which each tenth repeats.
func BenchmarkImport(b *testing.B) {
	const entries = 10_000
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := range entries {
		day := fmt.Sprintf("2026%02d%02dT%02d", 1+i%12, 1+i%28, 8+i%10)
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d@example.org\r\nDTSTAMP:20261101T120000Z\r\n", i)
		fmt.Fprintf(&text, "DTSTART;TZID=Europe/Berlin:%s0000\r\nDTEND;TZID=Europe/Berlin:%s3000\r\nSUMMARY:Appointment %d\r\n", day, day, i)
		fmt.Fprintf(&text, "DESCRIPTION:%s\r\n", strings.Repeat("Words that describe the entry. ", 5))
		if i%10 == 0 {
			text.WriteString("RRULE:FREQ=WEEKLY;COUNT=40\r\n")
		}
		text.WriteString("BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\n")
	}
	text.WriteString("END:VCALENDAR\r\n")
	file := filepath.Join(b.TempDir(), "entries.ics")
	writeFile(b, file, text.String())
	for b.Loop() {
		b.StopTimer()
		f := calendartest.New(b)
		s := newSources(f, f.Member("ann"))
		b.StartTimer()
		if err := importPath(b.Context(), s, file); err != nil {
			b.Fatal(err)
		}
		if got := s.Report().Imported; got != entries {
			b.Fatalf("got %d imported, want %d", got, entries)
		}
	}
}
