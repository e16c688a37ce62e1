package dav

import (
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// calendarTimeZone is the property in which clients tell a calendar's zone
// (RFC 4791 §5.2.2). Where the name of the zone is all there is to keep, that is
// kept; a zone that somebody made up is kept as it is.
var calendarTimeZone = calName("calendar-timezone")

// parseZone reads an iCalendar object with one VTIMEZONE. name is the IANA name
// of the zone, "" if it has none.
func parseZone(text string) (name string, zone *time.Location, err error) {
	z, err := ics.ParseZone(text)
	if err != nil {
		return "", nil, err
	}
	if _, known := svc.Zone(z.Name()); known {
		name = z.Name()
	}
	return name, z.Location(), nil
}

// zoneOf returns how the floating times of a calendar are read.
func zoneOf(t Snapshot, c *Calendar) (*time.Location, error) {
	dead, err := t.DeadProperties(Ref{Segment: c.Segment})
	if err != nil {
		return nil, err
	}
	if text, ok := deadText(dead, calendarTimeZone.Local); ok {
		if _, zone, err := parseZone(text); err == nil {
			return zone, nil
		}
	}
	return svc.StoredZone(c.TimeZone), nil
}

// timeZoneText is an iCalendar object with the calendar's VTIMEZONE.
func timeZoneText(x *writer, r *resource) bool {
	if text, ok := deadText(r.dead, calendarTimeZone.Local); ok {
		x.text(text)
		return true
	}
	text, ok := ics.FormatTimeZone("-//appliance//time//EN", r.calendar.TimeZone, r.calendar.Now)
	x.text(string(text))
	return ok
}

func timeZoneID(x *writer, r *resource) bool {
	if _, ok := deadText(r.dead, calendarTimeZone.Local); ok {
		return false // it has no name
	}
	x.text(r.calendar.TimeZone)
	return r.calendar.TimeZone != ""
}

// deadText returns the text of a property of CalDAV that is kept as clients
// wrote it.
func deadText(dead []DeadProperty, local string) (text string, ok bool) {
	if e := deadElement(dead, local); e != nil {
		return string(e.text), true
	}
	return "", false
}

// deadElement returns such a property, nil if it is not set.
func deadElement(dead []DeadProperty, local string) *element {
	for _, d := range dead {
		if d.Name == calName(local) {
			e, err := readXML(strings.NewReader(d.Element))
			if err == nil {
				return e
			}
		}
	}
	return nil
}
