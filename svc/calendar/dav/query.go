package dav

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// calendarQuery is CALDAV:calendar-query (RFC 4791 §7.8).
type calendarQuery struct {
	want   *selection
	filter ics.Filter
	zone   *time.Location // for floating times; nil until answer sets that of the calendar
	depth  int
}

// read parses the report. Clients that omit Depth mean 1; the default 0 of the
// RFC would never match an object of a calendar.
func (r *calendarQuery) read(body *element, q *request) (err error) {
	if r.depth, err = q.depth(1); err != nil {
		return err
	}
	if r.filter, err = readFilter(body.child(calName("filter"))); err != nil {
		return err
	}
	if z := body.child(calName("timezone")); z != nil {
		if _, r.zone, err = parseZone(string(z.text)); err != nil {
			return forbidden(calName("valid-calendar-data"), "CALDAV:timezone: %v", reasonOf(err))
		}
	} else if z := body.child(calName("timezone-id")); z != nil { // RFC 7809 §5.2
		var known bool
		if r.zone, known = svc.Zone(z.value()); !known {
			return forbidden(calName("valid-timezone"), "The time zone %q is not in the IANA database.", z.value())
		}
	}
	r.want, err = q.readReportProperties(body)
	return err
}

func (r *calendarQuery) respond(q *request) error { return q.multistatusFor(r.responses) }

func (r *calendarQuery) responses(x *writer, snap Snapshot, c *resource, at path) error {
	if r.depth == 0 && at.kind == kindCalendar {
		return nil
	}
	if r.zone == nil {
		var err error
		if r.zone, err = zoneOf(snap, c.calendar); err != nil {
			return err
		}
	}
	list, err := snap.Query(c.segment, r.filter, r.zone)
	if err != nil {
		return err
	}
	if at.kind == kindObject {
		list = objectNamed(list, at.name)
	}
	return x.objects(snap, c, list, r.want, r.zone)
}

// objectNamed returns the objects of list with that name, at most one.
func objectNamed(list []Object, name string) []Object {
	for i := range list {
		if list[i].Name == name {
			return list[i : i+1]
		}
	}
	return nil
}
