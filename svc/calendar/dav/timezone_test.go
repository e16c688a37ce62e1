package dav

import (
	"strings"
	"testing"
)

func TestReadZone(t *testing.T) {
	const standard = "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0500\nEND:STANDARD\n"
	zone := func(lines string) string {
		return "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTIMEZONE\n" + lines + standard + "END:VTIMEZONE\nEND:VCALENDAR\n"
	}
	for _, c := range []struct {
		name, text, want string
		bad              bool
	}{
		{name: "a name of the IANA database", text: zone("TZID:Europe/Berlin\n"), want: "Europe/Berlin"},
		{name: "with carriage returns and indented by a pretty printer", text: strings.ReplaceAll(zone("TZID:Europe/Berlin\n"), "\n", "\r\n") + "  ", want: "Europe/Berlin"},
		{name: "folded", text: zone("TZID:Europe/\n Berlin\n"), want: "Europe/Berlin"},
		{name: "with parameters", text: zone("TZID;X-A=b:Europe/Berlin\n"), want: "Europe/Berlin"},
		{name: "behind the name of who wrote it", text: zone("TZID:/freeassociation.sourceforge.net/Europe/Berlin\n"), want: "Europe/Berlin"},
		{name: "under another name", text: zone("X-LIC-LOCATION:Europe/Berlin\nTZID:Berlin\n"), want: "Europe/Berlin"},
		{name: "that somebody made up", text: zone("TZID:US-Eastern\n")},
		{name: "that is wherever the server is", text: zone("TZID:Local\n")},
		{name: "without a TZID", text: zone(""), bad: true},
		{name: "two of them", text: zone("TZID:A\nEND:VTIMEZONE\nBEGIN:VTIMEZONE\nTZID:B\n"), bad: true},
		{name: "cut off", text: strings.TrimSuffix(zone("TZID:Europe/Berlin\n"), "END:VCALENDAR\n"), bad: true},
		{name: "just a name", text: "Europe/Berlin", bad: true},
		{name: "nothing", text: "", bad: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, zone, err := parseZone(c.text)
			if got != c.want || (err != nil) != c.bad || (zone == nil) != c.bad {
				t.Errorf("got %q, %v, %v", got, zone, err)
			}
		})
	}
}
