package ics

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestReadZone(t *testing.T) {
	rules := "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0345\nTZOFFSETTO:+0345\nEND:STANDARD\n"
	zone := func(lines string) string {
		return "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTIMEZONE\n" + lines + rules + "END:VTIMEZONE\nEND:VCALENDAR\n"
	}
	indented := func(text, indent string) string {
		return "\n" + indent + strings.TrimSpace(strings.ReplaceAll(text, "\n", "\n"+indent)) + "\n    "
	}
	for _, c := range []struct {
		name, text string
		called     string
		offset     string // of July 1, 2026
	}{
		{"a name of the IANA", zone("TZID:Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"with carriage returns and white space behind it", strings.ReplaceAll(zone("TZID:Europe/Berlin\n"), "\n", "\r\n") + "  ", "Europe/Berlin", "+02:00"},
		{"with white space before it", "\n\t  " + zone("TZID:Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"indented by a pretty printer", indented(zone("TZID:Europe/Berlin\n"), "      "), "Europe/Berlin", "+02:00"},
		{"indented by a pretty printer, and folded", indented(zone("TZID:Europe/\n Berlin\n"), "\t\t"), "Europe/Berlin", "+02:00"},
		{"indented, with carriage returns and blank lines", strings.ReplaceAll(indented(zone("TZID:Europe/Berlin\n\n"), "  "), "\n", "\r\n"), "Europe/Berlin", "+02:00"},
		{"indented from the second line on", strings.TrimSpace(indented(zone("TZID:Europe/Berlin\n"), "  ")), "Europe/Berlin", "+02:00"},
		{"folded", zone("TZID:Europe/\n Berlin\n"), "Europe/Berlin", "+02:00"},
		{"with spaces around it", zone("TZID: Europe/Berlin \n"), "Europe/Berlin", "+02:00"},
		{"with parameters", zone("TZID;X-A=b:Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"behind the name of who wrote it", zone("TZID:/freeassociation.sourceforge.net/Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"under another name", zone("X-LIC-LOCATION:Europe/Berlin\nTZID:Berlin\n"), "Europe/Berlin", "+02:00"},
		{"as Windows calls it", zone("TZID:Tokyo Standard Time\n"), "Asia/Tokyo", "+09:00"},
		{"that somebody made up", zone("TZID:US-Eastern\n"), "US-Eastern", "+03:45"},
		{"that is wherever the server is", zone("TZID:Local\n"), "Local", "+03:45"},
		{"whose name is a path", zone("TZID:../../etc/localtime\n"), "../../etc/localtime", "+03:45"},
		{"with rules as Outlook writes them", calendar(own("Somewhere")...), "Somewhere", "+02:00"},
		{"without rules, but with a name", "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nEND:VCALENDAR", "Asia/Tokyo", "+09:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			z, err := ParseZone(c.text)
			if err != nil {
				t.Fatal(err)
			}
			offset := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC).In(z.Location()).Format("Z07:00")
			if z.Name() != c.called || offset != c.offset {
				t.Errorf("got %q at %s", z.Name(), offset)
			}
		})
	}
	for _, c := range []struct{ name, text, says string }{
		{"without a TZID", zone(""), "no TZID"},
		{"two of them", zone("TZID:A\nEND:VTIMEZONE\nBEGIN:VTIMEZONE\nTZID:B\n"), "There are 2 VTIMEZONEs"},
		{"none", event("DTSTART:20260501"), "There are 0 VTIMEZONEs"},
		{"cut off", strings.TrimSuffix(zone("TZID:Europe/Berlin\n"), "END:VCALENDAR\n"), "not closed"},
		{"just a name", "Europe/Berlin", "Line 1"},
		{"nothing", "", "no VCALENDAR"},
		{"white space", " \n\t ", "no VCALENDAR"},
		{"without rules", "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:A\nEND:VTIMEZONE\nEND:VCALENDAR", `The rules of the time zone "A"`},
		{"with rules that change every second", strings.Replace(zone("TZID:A\n"), "END:STANDARD", "RRULE:FREQ=SECONDLY\nEND:STANDARD", 1), "The rules"},
		{"far too long", zone("TZID:" + strings.Repeat("A", MaxSize)), "octets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e *Error
			if z, err := ParseZone(c.text); !errors.As(err, &e) || !strings.Contains(e.Reason, c.says) {
				t.Errorf("got %v, %v", z, err)
			}
		})
	}
}

// Whatever is read has a name and rules that are less than a day from UTC, and
// white space around it changes nothing.
//
// Covers PT-45.
func FuzzReadZone(f *testing.F) {
	f.Add(calendar(own("Own")...))
	f.Add(calendar(own("Europe/Berlin")...))
	f.Add("\n  BEGIN:VCALENDAR\n  BEGIN:VTIMEZONE\n  TZID:A\n  X-LIC-LOCATION:Asia/Tokyo\n  END:VTIMEZONE\n  END:VCALENDAR\n ")
	f.Fuzz(func(t *testing.T, text string) {
		z, err := ParseZone(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Precondition == "" || e.Reason == "" {
				t.Errorf("%v does not say what is wrong", err)
			}
			return
		}
		if z.Location() == nil || z.Name() == "" || z.TZID == "" {
			t.Fatalf("%q at %v", z.Name(), z.Location())
		}
		for year := 1950; year < 2090; year += 7 {
			if _, offset := utcDay(year, 7, 1).In(z.Location()).Zone(); offset <= -day || offset >= day {
				t.Errorf("%d seconds from UTC", offset)
			}
		}
		if again, err := ParseZone(" \n" + text + "\n\t "); err != nil || again.Name() != z.Name() {
			t.Errorf("with white space around it, %v, %v", again, err)
		}
	})
}
