package calendartest

import (
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/object"
)

// StoredObject is an object that PutAll stores.
type StoredObject struct {
	Calendar string // segment
	Segment  string
	Object   *ics.Object
}

// PutRandom stores random objects in calendars of v. Half of them are written 500
// days before the others, so that the occurrence index covers another period for
// them.
func (f *Fixture) PutRandom(v svc.Viewer, calendars []calendar.Calendar, d icstest.Rand, count int) (list []StoredObject) {
	f.T.Helper()
	for n := range count {
		text := d.CalendarObject(fmt.Sprintf("uid-%d", n))
		list = append(list, StoredObject{icstest.Pick(d, calendars...).Segment, fmt.Sprintf("%04d.ics", n), icstest.Parse(f.T, text)})
	}
	now := f.Clock.Now()
	f.Clock.Advance(-500 * 24 * time.Hour)
	f.PutAll(v, list[:count/2])
	f.Clock.Set(now)
	f.PutAll(v, list[count/2:])
	return list
}

// PutAll stores objects in one transaction.
func (f *Fixture) PutAll(v svc.Viewer, list []StoredObject) {
	f.T.Helper()
	f.Fill(func(tx *store.Tx) error {
		for _, o := range list {
			if _, _, err := f.Collections.Put(tx, v, o.Calendar, o.Segment, object.Prepare(o.Object, tx.Now()), NoPrecondition); err != nil {
				return fmt.Errorf("put %s: %w", o.Segment, err)
			}
		}
		return nil
	})
}

// RecurrenceID returns the recurrence id of an occurrence in the form of
// the JSON API, "" for an object that does not recur.
func RecurrenceID(i ics.Instance) string {
	switch {
	case i.RecurrenceID.IsZero():
		return ""
	case i.RecurrenceID.IsDate():
		return i.RecurrenceID.Clock().Format(time.DateOnly)
	}
	return i.RecurrenceID.Clock().Format("2006-01-02T15:04:05")
}
