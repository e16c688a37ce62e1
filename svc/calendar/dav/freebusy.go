package dav

import (
	"strconv"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// maxPeriods is how many times a free-busy answer may list.
const maxPeriods = 10_000

// freeBusyQuery is CALDAV:free-busy-query (RFC 4791 §7.10), on a calendar and on
// the home, where it is about all calendars that count and about when the
// member says they can be met at all (RFC 7953 §7.1). The Depth is not looked
// at: the 0 that a missing header stands for would be about nothing.
type freeBusyQuery struct{ window *ics.TimeRange }

func (r *freeBusyQuery) read(body *element, q *request) (err error) {
	if e := body.child(calName("time-range")); e != nil {
		r.window, err = readBoundedRange(e)
		return err
	}
	return invalidFilter("A free-busy-query has a CALDAV:time-range.")
}

func (r *freeBusyQuery) answer(q *request) error {
	var list []ics.Period
	var now time.Time
	err := q.view(func(t Snapshot) (err error) {
		calendars, err := t.Calendars()
		if err != nil {
			return err
		}
		if q.at.kind == kindHome {
			list, err = r.home(t, calendars)
		} else {
			var c Calendar
			if c, err = t.Calendar(q.at.segment); err == nil {
				list, err = r.calendar(t, c)
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
	text := ics.FormatFreeBusy("-//appliance//time//EN", "", r.window.Start, r.window.End, now, list)
	h := q.w.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8; component=VFREEBUSY")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	_, err = q.w.Write(text)
	return err
}

// calendar returns when a calendar says that the member is busy.
func (r *freeBusyQuery) calendar(t Snapshot, c Calendar) ([]ics.Period, error) {
	zone, err := zoneOf(t, &c)
	if err != nil {
		return nil, err
	}
	return t.FreeBusy(c.Segment, *r.window, zone, maxPeriods)
}

// home returns when one of the calendars that are not transparent says so
// (RFC 6638 §9.1), and when the member cannot be met at all.
func (r *freeBusyQuery) home(t Snapshot, calendars []Calendar) (list []ics.Period, err error) {
	dead, err := t.MemberDeadProperties(Ref{})
	if err != nil {
		return nil, err
	}
	for _, c := range calendars {
		if isTransparent(dead[c.Segment]) {
			continue
		}
		periods, err := r.calendar(t, c)
		if err != nil {
			return nil, err
		}
		list = append(list, periods...)
	}
	own, err := t.DeadProperties(Ref{})
	if err != nil {
		return nil, err
	}
	if text, ok := deadText(own, "calendar-availability"); ok && len(calendars) > 0 {
		if a, err := ics.ParseAvailability([]byte(strings.TrimSpace(text))); err == nil {
			list = append(list, a.Unavailable(r.window.Start, r.window.End, svc.StoredZone(calendars[0].TimeZone), maxPeriods)...)
		}
	}
	return list, nil
}

// isTransparent reports whether a calendar with these properties makes nobody
// busy.
func isTransparent(dead []DeadProperty) bool {
	e := deadElement(dead, "schedule-calendar-transp")
	return e != nil && e.child(calName("transparent")) != nil
}
