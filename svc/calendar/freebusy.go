package calendar

import (
	"errors"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// busyIndex is the value of the column busy for an instance: 0 for one that
// makes nobody busy, or of which only the text of the entry tells it.
func busyIndex(i ics.Instance) int {
	switch i.FBType() {
	case ics.Free:
		return 0
	case ics.BusyTentative:
		return 2
	}
	return 1
}

// ErrPeriods is returned if there are more periods than were asked for.
var ErrPeriods = errors.New("there are too many busy times")

// FreeBusy returns when the events of a calendar of v's make its member busy
// in [from, to). Floating times are read in zone. What the index knows is not
// decoded.
func (s *Service) FreeBusy(tx *store.Tx, v svc.Viewer, calendar string, from, to time.Time, zone *time.Location, limit int) ([]ics.Period, error) {
	row, err := s.one(tx, s.q.CalendarAt, store.Args{"member": v.Member(), "segment": calendar})
	if err != nil {
		return nil, err
	}
	r := spanIn(from, to, zone)
	r.inner = r.outer // what is near an end is looked at closely below
	var list []ics.Period
	for _, b := range r.bandList(tx.Now(), zone) {
		if list, err = s.busyIn(tx, row.ID, b, zone, list); err != nil {
			return nil, err
		}
	}
	all := list[:0]
	for _, p := range list {
		if p = within(p, from, to); p.To.Sub(p.From) >= time.Second { // the index gives an event without a length a moment
			all = append(all, p)
		}
	}
	more, err := s.busyByText(tx, row, r, from, to, zone, limit)
	if err != nil {
		return nil, err
	}
	if all = ics.MergePeriods(append(all, more...)); len(all) > limit {
		return nil, ErrPeriods
	}
	return all, nil
}

// busyIn adds what one band of the index says to a list.
func (s *Service) busyIn(tx *store.Tx, calendar string, b band, zone *time.Location, list []ics.Period) ([]ics.Period, error) {
	var rows []struct {
		Starts    store.Millis  `db:"starts"`
		Busy      *store.Millis `db:"busy"`      // the last end, nil for none
		Tentative *store.Millis `db:"tentative"` // the same
	}
	err := tx.Select(&rows, s.q.BusyIn, store.Args{
		"calendar": calendar, "floating": b.Floating, "span": b.Span, "least": b.Least, "before": b.Before, "after": b.After,
	})
	at := func(t store.Millis) time.Time {
		if b.Floating != 0 {
			return ics.Floating(t.Time()).Instant(zone)
		}
		return t.Time()
	}
	for _, row := range rows {
		if row.Busy != nil {
			list = append(list, ics.Period{From: at(row.Starts), To: at(*row.Busy), Type: ics.Busy})
		}
		if row.Tentative != nil {
			list = append(list, ics.Period{From: at(row.Starts), To: at(*row.Tentative), Type: ics.BusyTentative})
		}
	}
	return list, err
}

// within cuts a period at the ends of [from, to).
func within(p ics.Period, from, to time.Time) ics.Period {
	if p.From.Before(from) {
		p.From = from
	}
	if p.To.After(to) {
		p.To = to
	}
	return p
}

// busyByText returns the busy times of entries that have to be decoded: those
// that the index does not cover.
func (s *Service) busyByText(tx *store.Tx, row calendarRow, r span, from, to time.Time, zone *time.Location, limit int) (list []ics.Period, err error) {
	var refs, unclear []dataRef
	if err := tx.Select(&refs, s.q.BusyBeyond, store.Args{"calendar": row.ID, "from": r.actual.from, "to": r.actual.to}); err != nil {
		return nil, err
	}
	if err := tx.Select(&unclear, s.q.BusyUnclear, store.Args{"calendar": row.ID}); err != nil {
		return nil, err
	}
	refs = append(refs, unclear...)
	err = s.read(tx, refs, func(_ int, o *ics.Object) error {
		periods, cut := o.FreeBusy(from, to, zone, limit)
		if list = append(list, periods...); cut || len(list) > 10*limit {
			return ErrPeriods
		}
		return nil
	})
	return list, err
}
