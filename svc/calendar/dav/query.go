package dav

import (
	"errors"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// calendarQuery is CALDAV:calendar-query (RFC 4791 §7.8). On a home, Depth:
// infinity covers all calendars.
type calendarQuery struct {
	want   *selection
	filter ics.Filter
	zone   *time.Location // for floating times; nil means the zone of the calendar
	depth  int
	work   svc.Work // of the request
}

// read parses the report. Without the header Depth it covers all objects, as
// clients expect. The default 0 of the RFC would match nothing on a calendar.
func (r *calendarQuery) read(body *element, q *request) (err error) {
	r.work = svc.WorkOf(q.Context())
	if r.depth, err = q.depth(infinity); err != nil {
		return err
	}
	if body.count(calName("filter")) > 1 || body.count(calName("timezone"))+body.count(calName("timezone-id")) > 1 {
		return svc.Errorf(svc.MalformedBody, "CALDAV:calendar-query may contain one CALDAV:filter, and one CALDAV:timezone or CALDAV:timezone-id.")
	}
	if r.filter, err = readFilter(body.child(calName("filter"))); err != nil {
		return err
	}
	if z := body.child(calName("timezone")); z != nil {
		if _, r.zone, err = parseZone(r.work, string(z.text)); err != nil {
			if _, invalid := errors.AsType[*ics.Error](err); !invalid {
				return err
			}
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
	switch {
	case at.kind == kindHome && r.depth == infinity:
		calendars, err := members(snap, *c, true)
		for i := range calendars {
			if err == nil && calendars[i].kind == kindCalendar {
				err = r.calendar(x, snap, &calendars[i], "")
			}
		}
		return err
	case at.kind == kindHome, at.kind == kindCalendar && r.depth == 0:
		return nil
	}
	return r.calendar(x, snap, c, at.name)
}

// calendar writes the responses for the matching objects of the calendar c, or
// only for the object with that name if name is not "".
func (r *calendarQuery) calendar(x *writer, snap Snapshot, c *resource, name string) (err error) {
	zone := r.zone
	if zone == nil {
		if zone, err = zoneOf(r.work, snap, c.calendar); err != nil {
			return err
		}
	}
	list, err := snap.Query(c.segment, r.filter, zone)
	if err != nil {
		return err
	}
	if name != "" {
		list = objectNamed(list, name)
	}
	return x.objects(snap, c, list, r.want, zone)
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
