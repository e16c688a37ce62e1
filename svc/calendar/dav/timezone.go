package dav

import (
	"errors"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// calendarTimeZone is the property with the VTIMEZONE of a calendar
// (RFC 4791 §5.2.2). It is stored as the IANA name if there is one, otherwise
// as a dead property.
var calendarTimeZone = calName("calendar-timezone")

// parseZone parses an iCalendar object with one VTIMEZONE and takes the steps
// from work. name is the IANA name of the zone, "" if there is none.
func parseZone(work svc.Work, text string) (name string, zone *time.Location, err error) {
	if err := work.Take(len(text)); err != nil {
		return "", nil, err
	}
	z, err := ics.ParseZone(text)
	if err == nil {
		err = work.Take(z.Steps())
	}
	if err != nil {
		return "", nil, err
	}
	if _, known := svc.Zone(z.Name()); known {
		name = z.Name()
	}
	return name, z.Location(), nil
}

// zoneOf returns the location in which floating times of a calendar are
// interpreted.
func zoneOf(work svc.Work, snap Snapshot, c *Calendar) (*time.Location, error) {
	dead, err := snap.DeadProperties(Ref{Segment: c.Segment})
	if err != nil {
		return nil, err
	}
	if text, ok := deadText(dead, calendarTimeZone.Local); ok {
		_, zone, err := parseZone(work, text)
		if _, invalid := errors.AsType[*ics.Error](err); !invalid {
			return zone, err
		}
	}
	return svc.StoredZone(c.TimeZone), nil
}

// timeZoneText writes CALDAV:calendar-timezone.
func timeZoneText(x *writer, r *resource) bool {
	if text, ok := deadText(r.dead, calendarTimeZone.Local); ok {
		x.text(text)
		return true
	}
	text, ok := ics.FormatTimeZone(ics.ProdID, r.calendar.TimeZone, r.calendar.Now)
	x.text(string(text))
	return ok
}

// timeZoneID writes CALDAV:calendar-timezone-id (RFC 7809 §5.2).
func timeZoneID(x *writer, r *resource) bool {
	if _, ok := deadText(r.dead, calendarTimeZone.Local); ok {
		return false // the zone has no IANA name
	}
	x.text(r.calendar.TimeZone)
	return r.calendar.TimeZone != ""
}

// deadText returns the text of a CalDAV property that is stored as a dead
// property.
func deadText(dead []DeadProperty, local string) (text string, ok bool) {
	if e := deadElement(dead, local); e != nil {
		return string(e.text), true
	}
	return "", false
}

// deadElement returns the element of a CalDAV property that is stored as a dead
// property, nil if there is none.
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
