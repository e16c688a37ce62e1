package calendar

import (
	"errors"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// busyTypes are what the column busy stands for, by its value.
var busyTypes = []ics.Busy{ics.Free, ics.Occupied, ics.Tentative, ics.Unavailable}

// busyDecode is in that column of an instance whose times of different types
// only its text tells: a VFREEBUSY.
const busyDecode = -1

// busyIndex is the value of the column for an instance.
func busyIndex(o *ics.Object, i ics.Instance) int {
	if o.Component == "VFREEBUSY" {
		return busyDecode
	}
	return slices.Index(busyTypes, i.Busy())
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
	var rows []struct {
		Floating bool         `db:"floating"`
		Starts   store.Millis `db:"starts"`
		Ends     store.Millis `db:"ends"`
		Busy     int          `db:"busy"`
		N        int64        `db:"n"`
	}
	if err := tx.Select(&rows, s.q.BusyIn, store.Args{"calendar": row.ID, "bands": r.bands(tx.Now(), zone)}); err != nil {
		return nil, err
	}
	list := make([]ics.Period, 0, len(rows))
	var unclear []int64
	for _, o := range rows {
		if o.Busy == busyDecode {
			unclear = append(unclear, o.N)
			continue
		}
		p := ics.Period{From: o.Starts.Time(), To: o.Ends.Time(), Type: busyTypes[o.Busy]}
		if o.Floating {
			p.From, p.To = ics.Floating(p.From).Instant(zone), ics.Floating(p.To).Instant(zone)
		}
		if p = within(p, from, to); p.To.Sub(p.From) >= time.Second { // the index gives an event without a length a moment
			list = append(list, p)
		}
	}
	more, err := s.busyByText(tx, row, r, unclear, from, to, zone, limit)
	if err != nil {
		return nil, err
	}
	if list = ics.MergePeriods(append(list, more...)); len(list) > limit {
		return nil, ErrPeriods
	}
	return list, nil
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
// that are named, and those that the index does not cover.
func (s *Service) busyByText(tx *store.Tx, row calendarRow, r span, unclear []int64, from, to time.Time, zone *time.Location, limit int) (list []ics.Period, err error) {
	var refs []dataRef
	if err := tx.Select(&refs, s.q.BusyBeyond, store.Args{"calendar": row.ID, "from": r.actual.from, "to": r.actual.to}); err != nil {
		return nil, err
	}
	if len(unclear) > 0 {
		var more []dataRef
		slices.Sort(unclear)
		if err := tx.Select(&more, s.q.Sizes, store.Args{"list": store.JSON(slices.Compact(unclear))}); err != nil {
			return nil, err
		}
		refs = append(refs, more...)
	}
	err = s.read(tx, refs, func(_ int, o *ics.Object) error {
		periods, cut := o.FreeBusy(from, to, zone, limit)
		if list = append(list, periods...); cut || len(list) > 10*limit {
			return ErrPeriods
		}
		return nil
	})
	return list, err
}
