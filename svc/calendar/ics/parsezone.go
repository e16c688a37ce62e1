package ics

import (
	"strings"

	"appliance/svc"
)

// ZoneName returns the IANA name of the zone that a TZID names without a VTIMEZONE: the name
// itself, one with a vendor prefix, or a name of Windows.
func ZoneName(tzid string) (name string, ok bool) {
	loc := namedLocation(tzid)
	if loc == nil {
		loc = offsetLocation(tzid)
	}
	if loc == nil {
		return "", false
	}
	_, ok = svc.Zone(loc.String())
	return loc.String(), ok
}

// ParseZone parses the iCalendar object of a CALDAV:calendar-timezone property
// or a CALDAV:timezone element, which contains exactly one VTIMEZONE
// (RFC 4791 §5.2.2, §9.8). Its error is an [*Error].
//
// If the TZID, its last segments, X-LIC-LOCATION or a Windows name identify an
// IANA zone, the result is that zone. Otherwise the rules of the VTIMEZONE
// apply. The Location is never nil.
func ParseZone(text string) (*Zone, error) {
	o, problem := decode([]byte(dedent(text)), objectLimits)
	if problem != nil {
		return nil, problem
	}
	if len(o.calendar.Children) != 1 || o.calendar.Children[0].Name != "VTIMEZONE" { // RFC 4791 §5.2.2
		return nil, invalidData("The text must contain exactly one VTIMEZONE and no other component.")
	}
	zone := o.calendar.Children[0]
	z := &Zone{TZID: strings.TrimSpace(unescapeText(firstValue(zone, "TZID")))}
	if z.TZID == "" {
		return nil, invalidData("The VTIMEZONE has no TZID.")
	}
	for _, required := range []string{"PRODID", "VERSION"} { // RFC 5545 §3.6
		if len(o.calendar.Props[required]) == 0 {
			return nil, invalidData("The VCALENDAR has no %s.", required)
		}
	}
	for _, name := range []string{z.TZID, strings.TrimSpace(unescapeText(firstValue(zone, "X-LIC-LOCATION")))} {
		if z.loc = namedLocation(name); z.loc != nil {
			return z, nil
		}
	}
	b := newBudget()
	b.counter = &z.steps
	onsets, _, _ := zoneOnsets(zone, b)
	if z.loc = newLocation(z.TZID, sortOnsets(onsets, b), b); z.loc == nil {
		z.loc = offsetLocation(z.TZID)
	}
	if z.loc == nil {
		return nil, invalidData("The VTIMEZONE %.60q has no valid rules.", z.TZID)
	}
	return z, nil
}
