package ics

import (
	"strings"

	"github.com/emersion/go-ical"
)

// ReadZone reads the iCalendar object of a CALDAV:calendar-timezone property or
// a CALDAV:timezone element (RFC 4791 §5.2.2, §9.8). Its error is an [*Error].
//
// If the TZID, how it ends, its X-LIC-LOCATION or the names of Windows lead to
// the name of a zone of the IANA, that zone is it, and [Zone.Name] is the name.
// Else it is what the VTIMEZONE says. The Location is never nil.
func ReadZone(text string) (*Zone, error) {
	o, problem := decode([]byte(dedent(text)), objectLimits)
	if problem != nil {
		return nil, problem
	}
	var zones []*ical.Component
	for _, c := range o.calendar.Children {
		if c.Name == "VTIMEZONE" {
			zones = append(zones, c)
		}
	}
	if len(zones) != 1 {
		return nil, invalid("There are %d VTIMEZONEs in it; a time zone is exactly one.", len(zones))
	}
	zone := zones[0]
	z := &Zone{TZID: unescape(firstValue(zone, "TZID"))}
	if z.TZID == "" {
		return nil, invalid("The VTIMEZONE has no TZID.")
	}
	for _, name := range []string{z.TZID, unescape(firstValue(zone, "X-LIC-LOCATION")), windowsZones[z.TZID]} {
		if z.loc = named(name); z.loc != nil {
			return z, nil
		}
	}
	if z.loc = vtimezone(z.TZID, zone, newBudget()); z.loc == nil {
		return nil, invalid("The rules of the time zone %.60q cannot be read.", z.TZID)
	}
	return z, nil
}

// dedent takes off the white space that a pretty printer put around the text,
// and before each of its lines, which would be read as folds. In a text with
// folds some lines begin without white space, the last one at least.
func dedent(text string) string {
	text = strings.Trim(text, " \t\r\n")
	lines := strings.SplitAfter(text, "\n")
	indent := -1
	for _, line := range lines[1:] {
		if rest := strings.TrimLeft(line, " \t"); strings.TrimSpace(rest) != "" && (indent < 0 || len(line)-len(rest) < indent) {
			indent = len(line) - len(rest)
		}
	}
	if indent <= 0 {
		return text
	}
	for i, line := range lines[1:] {
		lines[i+1] = line[min(indent, len(line)-len(strings.TrimLeft(line, " \t"))):]
	}
	return strings.Join(lines, "")
}
