package ics

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestParseZone(t *testing.T) {
	rules := "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0345\nTZOFFSETTO:+0345\nEND:STANDARD\n"
	zone := func(lines string) string {
		return "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTIMEZONE\n" + lines + rules + "END:VTIMEZONE\nEND:VCALENDAR\n"
	}
	indented := func(text, indent string) string {
		return "\n" + indent + strings.TrimSpace(strings.ReplaceAll(text, "\n", "\n"+indent)) + "\n    "
	}
	for _, c := range []struct {
		name, text string
		zoneName   string
		offset     string // of July 1, 2026
	}{
		{"an IANA name", zone("TZID:Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"CRLF and trailing white space", strings.ReplaceAll(zone("TZID:Europe/Berlin\n"), "\n", "\r\n") + "  ", "Europe/Berlin", "+02:00"},
		{"leading white space", "\n\t  " + zone("TZID:Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"indented by a pretty printer", indented(zone("TZID:Europe/Berlin\n"), "      "), "Europe/Berlin", "+02:00"},
		{"indented by a pretty printer, and folded", indented(zone("TZID:Europe/\n Berlin\n"), "\t\t"), "Europe/Berlin", "+02:00"},
		{"indented, with carriage returns and blank lines", strings.ReplaceAll(indented(zone("TZID:Europe/Berlin\n\n"), "  "), "\n", "\r\n"), "Europe/Berlin", "+02:00"},
		{"indented from the second line on", strings.TrimSpace(indented(zone("TZID:Europe/Berlin\n"), "  ")), "Europe/Berlin", "+02:00"},
		{"folded", zone("TZID:Europe/\n Berlin\n"), "Europe/Berlin", "+02:00"},
		{"spaces around the TZID", zone("TZID: Europe/Berlin \n"), "Europe/Berlin", "+02:00"},
		{"a TZID with parameters", zone("TZID;X-A=b:Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"an IANA name with a vendor prefix", zone("TZID:/freeassociation.sourceforge.net/Europe/Berlin\n"), "Europe/Berlin", "+02:00"},
		{"X-LIC-LOCATION", zone("X-LIC-LOCATION:Europe/Berlin\nTZID:Berlin\n"), "Europe/Berlin", "+02:00"},
		{"a Windows name", zone("TZID:Tokyo Standard Time\n"), "Asia/Tokyo", "+09:00"},
		{"an unknown name with rules", zone("TZID:US-Eastern\n"), "US-Eastern", "+03:45"},
		{"the name Local", zone("TZID:Local\n"), "Local", "+03:45"},
		{"a file path as name", zone("TZID:../../etc/localtime\n"), "../../etc/localtime", "+03:45"},
		{"rules of Outlook", calendar(ownZone("Somewhere")...), "Somewhere", "+02:00"},
		{"an IANA name without rules", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nEND:VCALENDAR", "Asia/Tokyo", "+09:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			z, err := ParseZone(c.text)
			if err != nil {
				t.Fatal(err)
			}
			offset := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC).In(z.Location()).Format("Z07:00")
			if z.Name() != c.zoneName || offset != c.offset {
				t.Errorf("got %q at %s, want %q at %s", z.Name(), offset, c.zoneName, c.offset)
			}
		})
	}
	for _, c := range []struct{ name, text, says string }{
		{"no TZID", zone(""), "no TZID"},
		{"two VTIMEZONEs", zone("TZID:A\nEND:VTIMEZONE\nBEGIN:VTIMEZONE\nTZID:B\n"), "exactly one VTIMEZONE"},
		{"no VTIMEZONE", event("DTSTART:20260501"), "exactly one VTIMEZONE"},
		{"VTIMEZONE and VEVENT", zone("TZID:A\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:a\nEND:VEVENT\nBEGIN:VTIMEZONE\nTZID:B\n"), "no other component"},
		{"truncated text", strings.TrimSuffix(zone("TZID:Europe/Berlin\n"), "END:VCALENDAR\n"), "VCALENDAR has no END line"},
		{"only a name", "Europe/Berlin", "Line 1"},
		{"no PRODID", strings.Replace(zone("TZID:A\n"), "PRODID:x\n", "", 1), "no PRODID"},
		{"no VERSION", strings.Replace(zone("TZID:A\n"), "VERSION:2.0\n", "", 1), "no VERSION"},
		{"empty text", "", "no VCALENDAR"},
		{"only white space", " \n\t ", "no VCALENDAR"},
		{"an unknown name without rules", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTIMEZONE\nTZID:A\nEND:VTIMEZONE\nEND:VCALENDAR", `The VTIMEZONE "A" has no valid rules`},
		{"rules beyond the work budget", strings.Replace(zone("TZID:A\n"), "END:STANDARD", "RRULE:FREQ=SECONDLY\nEND:STANDARD", 1), "no valid rules"},
		{"text beyond MaxSize", zone("TZID:" + strings.Repeat("A", MaxSize)), "octets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e *Error
			if z, err := ParseZone(c.text); !errors.As(err, &e) || !strings.Contains(e.Reason, c.says) {
				t.Errorf("got %v, %v; want an error with %q", z, err, c.says)
			}
		})
	}
}

// For any input, a zone has a name and offsets of less than a day, and
// surrounding white space does not change it.
//
// Covers PT-45.
func FuzzParseZone(f *testing.F) {
	f.Add(calendar(ownZone("Own")...))
	f.Add(calendar(ownZone("Europe/Berlin")...))
	f.Add("\n  BEGIN:VCALENDAR\n  VERSION:2.0\n  PRODID:x\n  BEGIN:VTIMEZONE\n  TZID:A\n  X-LIC-LOCATION:Asia/Tokyo\n  END:VTIMEZONE\n  END:VCALENDAR\n ")
	f.Fuzz(func(t *testing.T, text string) {
		z, err := ParseZone(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Precondition == "" || e.Reason == "" {
				t.Errorf("got %v, want an *Error with a precondition and a reason", err)
			}
			return
		}
		if z.Location() == nil || z.Name() == "" || z.TZID == "" {
			t.Fatalf("got name %q, location %v, TZID %q; want all of them", z.Name(), z.Location(), z.TZID)
		}
		for year := 1950; year < 2090; year += 7 {
			if _, offset := utcDay(year, 7, 1).In(z.Location()).Zone(); offset <= -day || offset >= day {
				t.Errorf("got offset %d s, want less than a day", offset)
			}
		}
		if again, err := ParseZone(" \n" + text + "\n\t "); err != nil || again.Name() != z.Name() {
			t.Errorf("with white space: got %v, %v; want %q", again, err, z.Name())
		}
	})
}

func TestZoneIsFoundByItsName(t *testing.T) {
	for tzid, want := range map[string]string{
		"Europe/Vienna": "Europe/Vienna", "/freeassociation.sourceforge.net/Europe/Vienna": "Europe/Vienna",
		"W. Europe Standard Time": "Europe/Berlin", "Customized Time Zone": "", "(UTC+05:00) Nowhere": "Etc/GMT-5", "": "",
	} {
		if got, ok := ZoneName(tzid); ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %t; want %q", tzid, got, ok, want)
		}
	}
}
