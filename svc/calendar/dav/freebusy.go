package dav

import (
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// maxPeriods limits the periods of a free-busy response.
const maxPeriods = 10_000

// freeBusyQuery is CALDAV:free-busy-query (RFC 4791 §7.10). On a home or a principal it covers all
// calendars that are not transparent, and the member's availability (RFC 7953 §7.1). It ignores the
// header Depth: its default of 0 would cover nothing.
type freeBusyQuery struct {
	window *ics.TimeRange
	work   svc.Work // of the request
}

func (r *freeBusyQuery) read(body *element, q *request) (err error) {
	if body.count(calName("time-range")) != 1 {
		return svc.Errorf(svc.MalformedBody, "CALDAV:free-busy-query requires one CALDAV:time-range.")
	}
	r.work = svc.WorkOf(q.Context())
	r.window, err = readBoundedRange(body.child(calName("time-range")))
	return err
}

func (r *freeBusyQuery) respond(q *request) error {
	var list []ics.Period
	var now time.Time
	err := q.view(func(snap Snapshot) (err error) {
		calendars, err := snap.Calendars()
		if err != nil {
			return err
		}
		if q.at.kind != kindCalendar {
			list, err = r.homePeriods(snap, calendars)
		} else {
			var c Calendar
			if c, err = snap.Calendar(q.at.segment); err == nil {
				list, err = r.calendarPeriods(snap, c)
			}
		}
		if len(calendars) > 0 {
			now = calendars[0].Now
		}
		return err
	})
	if err != nil {
		return err
	}
	if list = ics.MergePeriods(list); len(list) > maxPeriods {
		return ErrTooManyPeriods
	}
	text := ics.FormatFreeBusy(ics.ProdID, "", r.window.Start, r.window.End, now, list)
	h := q.w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8; component=VFREEBUSY")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	_, err = q.w.Write(text)
	return err
}

// calendarPeriods returns the busy periods of a calendar.
func (r *freeBusyQuery) calendarPeriods(snap Snapshot, c Calendar) ([]ics.Period, error) {
	zone, err := zoneOf(r.work, snap, &c)
	if err != nil {
		return nil, err
	}
	return snap.FreeBusy(c.Segment, *r.window, zone, maxPeriods)
}

// homePeriods returns the busy periods of all calendars that are not transparent (RFC 6638 §9.1),
// and the periods in which the member is not available.
func (r *freeBusyQuery) homePeriods(snap Snapshot, calendars []Calendar) (list []ics.Period, err error) {
	dead, err := snap.MemberDeadProperties(Ref{})
	if err != nil {
		return nil, err
	}
	for _, c := range calendars {
		if isTransparent(dead[c.Segment]) {
			continue
		}
		periods, err := r.calendarPeriods(snap, c)
		if err != nil {
			return nil, err
		}
		list = append(list, periods...)
	}
	homeProperties, err := snap.DeadProperties(Ref{})
	if err != nil {
		return nil, err
	}
	if text, ok := deadText(homeProperties, "calendar-availability"); ok && len(calendars) > 0 {
		if err := r.work.Take(len(text)); err != nil {
			return nil, err
		}
		if a, err := ics.ParseAvailability([]byte(strings.TrimSpace(text))); err == nil {
			list = append(list, a.Unavailable(r.window.Start, r.window.End, svc.StoredZone(calendars[0].TimeZone), maxPeriods)...)
		}
	}
	return list, nil
}

// isTransparent reports whether a calendar with these dead properties does not
// contribute to free-busy.
func isTransparent(dead []DeadProperty) bool {
	e := deadElement(dead, "schedule-calendar-transp")
	return e != nil && e.child(calName("transparent")) != nil
}
