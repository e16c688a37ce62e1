package ics

import (
	"strings"

	"github.com/emersion/go-ical"
)

// ParseZone reads the iCalendar object of a CALDAV:calendar-timezone property or
// a CALDAV:timezone element (RFC 4791 §5.2.2, §9.8). Its error is an [*Error].
//
// If the TZID, how it ends, its X-LIC-LOCATION or the names of Windows lead to
// the name of a zone of the IANA, that zone is it, and [Zone.Name] is the name.
// Else it is what the VTIMEZONE says. The Location is never nil.
func ParseZone(text string) (*Zone, error) {
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
		return nil, invalidData("There are %d VTIMEZONEs in it; a time zone is exactly one.", len(zones))
	}
	zone := zones[0]
	z := &Zone{TZID: strings.TrimSpace(unescapeText(firstValue(zone, "TZID")))}
	if z.TZID == "" {
		return nil, invalidData("The VTIMEZONE has no TZID.")
	}
	for _, name := range []string{z.TZID, strings.TrimSpace(unescapeText(firstValue(zone, "X-LIC-LOCATION"))), windowsZones[z.TZID]} {
		if z.loc = ianaLocation(name); z.loc != nil {
			return z, nil
		}
	}
	if z.loc = evalVTimezone(z.TZID, zone, newBudget()); z.loc == nil {
		return nil, invalidData("The rules of the time zone %.60q cannot be read.", z.TZID)
	}
	return z, nil
}
