package index

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// DueTasks returns the number of open tasks in the visible calendars of v that
// are due before the end of today in loc, and the time at which that number
// changes without a write. Floating times are read in loc. Only the next
// occurrence of a series counts. A task without a due date is not due.
func (x *Index) DueTasks(tx *store.Tx, v svc.Viewer, loc *time.Location) (n int, until time.Time, err error) {
	now := tx.Now()
	tomorrow := occurrence.Midnight(now, loc, 1)
	until = tomorrow
	var list []object.Ref
	err = tx.Select(&list, x.q.DueTasks, store.Args{
		"member": v.Member(), "before": store.MillisOf(tomorrow) + occurrence.Day, "limit": maxTasks, // a day more for floating times
	})
	if err != nil || len(list) == 0 {
		return 0, until, err
	}
	_, _, err = x.objects.EachWithin(tx, list, func(_ int, o *ics.Object) error {
		next := nextOpen(o, now, loc)
		if next == nil || next.End.IsZero() || !next.EndsAt.Before(tomorrow) || view.IsFinished(view.Status(next.Component)) {
			return nil
		}
		n++
		if o.Recurs() && next.EndsAt.After(now) && next.EndsAt.Before(until) {
			until = next.EndsAt // the next occurrence follows
		}
		return nil
	})
	return n, until, err
}
