package index

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
)

// DueTasks returns the number of open tasks in the visible calendars of v that are due
// before the end of today in loc, and when it changes without a write. Floating times
// are read in loc. Only the first open occurrence of a series counts. A task without a
// due date is not due.
func (x *Index) DueTasks(tx *store.Tx, v svc.Viewer, loc *time.Location) (n int, until time.Time, err error) {
	tomorrow := occurrence.Midnight(tx.Now(), loc, 1)
	var list []object.Ref
	err = tx.Select(&list, x.q.DueTasks, store.Args{
		"member": v.Member(), "before": store.MillisOf(tomorrow) + occurrence.Day, "limit": maxTasks, // a day more for floating times
	})
	if err != nil || len(list) == 0 {
		return 0, tomorrow, err
	}
	_, _, err = x.objects.EachWithin(tx, list, func(_ int, o *ics.Object) error {
		if i, found := o.FirstOpen(tx.Now(), loc); found && !i.End.IsZero() && i.EndsAt.Before(tomorrow) {
			n++
		}
		return nil
	})
	return n, tomorrow, err
}
