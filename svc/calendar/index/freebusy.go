package index

import (
	"errors"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
)

// ErrTooManyPeriods is returned if there are more busy periods than the limit.
var ErrTooManyPeriods = errors.New("too many busy periods")

// FreeBusy returns the busy periods of a calendar in [from, to). Floating times
// are read in zone. It expands only the objects whose index does not cover the
// whole range.
func (x *Index) FreeBusy(tx *store.Tx, v svc.Viewer, calendar string, from, to time.Time, zone *time.Location, limit int) ([]ics.Period, error) {
	c, err := x.objects.CalendarAt(tx, v.Member(), calendar)
	if err != nil {
		return nil, err
	}
	r := occurrence.NewRange(from, to, zone)
	var indexed []ics.Period
	for _, b := range r.OuterBands(tx.Now()) {
		if indexed, err = x.busyInBand(tx, c.ID, b, zone, indexed); err != nil {
			return nil, err
		}
	}
	list := indexed[:0]
	for _, p := range indexed {
		// The index gives an event without duration a length of a millisecond.
		if p = clip(p, from, to); p.To.Sub(p.From) >= time.Second {
			list = append(list, p)
		}
	}
	expanded, err := x.busyByText(tx, c.ID, r, from, to, zone, limit)
	if err != nil {
		return nil, err
	}
	if list = ics.MergePeriods(append(list, expanded...)); len(list) > limit {
		return nil, ErrTooManyPeriods
	}
	return list, nil
}

// rowSteps is the number of steps in which a row of the index is read and its period merged.
const rowSteps = 50

// busyInBand appends the busy periods in one part of the index to list.
func (x *Index) busyInBand(tx *store.Tx, calendarID string, b occurrence.Band, zone *time.Location, list []ics.Period) ([]ics.Period, error) {
	var rows []struct {
		Starts    store.Millis  `db:"starts"`
		Busy      *store.Millis `db:"busy"`      // latest end of a busy occurrence; nil if there is none
		Tentative *store.Millis `db:"tentative"` // latest end of a tentative occurrence; nil if there is none
	}
	err := tx.Select(&rows, x.q.BusyInBand, store.Args{
		"calendar": calendarID, "floating": b.Floating, "band": b.Band, "after": b.After, "before": b.Before, "end_after": b.EndAfter,
	})
	if err == nil {
		err = svc.WorkOf(tx.Context()).Take(rowSteps * len(rows))
	}
	if err != nil {
		return nil, err
	}
	instant := func(t store.Millis) time.Time {
		if b.Floating != 0 {
			return ics.Floating(t.Time()).Instant(zone)
		}
		return t.Time()
	}
	for _, row := range rows {
		if row.Busy != nil {
			list = append(list, ics.Period{From: instant(row.Starts), To: instant(*row.Busy), Type: ics.Busy})
		}
		if row.Tentative != nil {
			list = append(list, ics.Period{From: instant(row.Starts), To: instant(*row.Tentative), Type: ics.BusyTentative})
		}
	}
	return list, nil
}

// clip returns the part of a period in [from, to).
func clip(p ics.Period, from, to time.Time) ics.Period {
	if p.From.Before(from) {
		p.From = from
	}
	if p.To.After(to) {
		p.To = to
	}
	return p
}

// stepsPerPeriod is the number of steps for a busy period, in addition to the steps for finding it.
const stepsPerPeriod = 30

// busyByText returns the busy periods of objects that have to be expanded.
func (x *Index) busyByText(tx *store.Tx, calendarID string, r occurrence.Range, from, to time.Time, zone *time.Location, limit int) (list []ics.Period, err error) {
	var refs, byText []object.Ref
	if err := tx.Select(&refs, x.q.BusyBeyondIndex, store.Args{"calendar": calendarID, "from": r.From, "to": r.To}); err != nil {
		return nil, err
	}
	if err := tx.Select(&byText, x.q.BusyByText, store.Args{"calendar": calendarID}); err != nil {
		return nil, err
	}
	work := svc.WorkOf(tx.Context())
	err = x.objects.EachCounted(tx, append(refs, byText...), func(_ int, o *ics.Object) error {
		periods, truncated := o.FreeBusy(from, to, zone, limit)
		found := len(periods)
		if truncated {
			found = limit
		}
		if err := work.Take(found * stepsPerPeriod); err != nil {
			return err
		}
		if list = append(list, periods...); truncated || len(list) > 10*limit {
			return ErrTooManyPeriods
		}
		return nil
	})
	return list, err
}
