package dav

import (
	"strings"
	"testing"

	"appliance/svc"
)

func TestParseZone(t *testing.T) {
	const standard = "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0500\nEND:STANDARD\n"
	zone := func(lines string) string {
		return "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTIMEZONE\n" + lines + standard + "END:VTIMEZONE\nEND:VCALENDAR\n"
	}
	for _, c := range []struct {
		name, text, want string
		invalid          bool
	}{
		{name: "an IANA name", text: zone("TZID:Europe/Berlin\n"), want: "Europe/Berlin"},
		{name: "CRLF and trailing white space", text: strings.ReplaceAll(zone("TZID:Europe/Berlin\n"), "\n", "\r\n") + "  ", want: "Europe/Berlin"},
		{name: "folded", text: zone("TZID:Europe/\n Berlin\n"), want: "Europe/Berlin"},
		{name: "a TZID with parameters", text: zone("TZID;X-A=b:Europe/Berlin\n"), want: "Europe/Berlin"},
		{name: "an IANA name with a vendor prefix", text: zone("TZID:/freeassociation.sourceforge.net/Europe/Berlin\n"), want: "Europe/Berlin"},
		{name: "X-LIC-LOCATION", text: zone("X-LIC-LOCATION:Europe/Berlin\nTZID:Berlin\n"), want: "Europe/Berlin"},
		{name: "an unknown name", text: zone("TZID:US-Eastern\n")},
		{name: "the name Local", text: zone("TZID:Local\n")},
		{name: "no PRODID", text: strings.Replace(zone("TZID:Europe/Berlin\n"), "PRODID:x\n", "", 1), invalid: true},
		{name: "no TZID", text: zone(""), invalid: true},
		{name: "two VTIMEZONEs", text: zone("TZID:A\nEND:VTIMEZONE\nBEGIN:VTIMEZONE\nTZID:B\n"), invalid: true},
		{name: "truncated text", text: strings.TrimSuffix(zone("TZID:Europe/Berlin\n"), "END:VCALENDAR\n"), invalid: true},
		{name: "only a name", text: "Europe/Berlin", invalid: true},
		{name: "empty text", text: "", invalid: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, zone, err := parseZone(svc.WorkOf(t.Context()), c.text)
			if got != c.want || (err != nil) != c.invalid || (zone == nil) != c.invalid {
				t.Errorf("got %q, %v, %v; want %q, invalid %v", got, zone, err, c.want, c.invalid)
			}
		})
	}
}
