package occurrence

import (
	"time"

	"appliance/svc/calendar/ics"
)

// DatasetWindow returns the time range of a member's dataset: a week back and
// 60 days ahead, from midnight to midnight in loc.
func DatasetWindow(now time.Time, loc *time.Location) (from, to time.Time) {
	return Midnight(now, loc, -7), Midnight(now, loc, 60)
}

// Midnight returns the start of a day in loc: the day of t plus a number of days.
func Midnight(t time.Time, loc *time.Location, days int) time.Time {
	t = t.In(loc)
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, loc)
}

// Next returns the occurrence to show for an object: the first open one of a task,
// or else the next one in the dataset window, or else the next one, or else the last
// one; nil if there is none.
func Next(o *ics.Object, now time.Time, loc *time.Location) *ics.Instance {
	from, to := DatasetWindow(now, loc)
	return NextFrom(o, from, now, to, loc)
}

// NextFrom is like [Next] for another window [from, to).
func NextFrom(o *ics.Object, from, now, to time.Time, loc *time.Location) *ics.Instance {
	const far = 800 * 24 * time.Hour
	if o.Component == "VTODO" {
		if i, found := o.FirstOpen(now, loc); found {
			return &i
		}
	}
	if i := NextWithin(o, from, now, to, loc); i != nil {
		return i
	}
	if i := NextWithin(o, from.Add(-far), now, to.Add(far), loc); i != nil {
		return i
	}
	return NextWithin(o, time.Time{}, now, time.Time{}, loc)
}

// NextWithin returns the first occurrence in [from, to) that is not over by
// now, or else the last one; nil if there is none.
func NextWithin(o *ics.Object, from, now, to time.Time, loc *time.Location) *ics.Instance {
	if list, _ := o.Instances(now, to, loc, MaxRows); len(list) > 0 {
		return &list[0]
	}
	var last *ics.Instance
	for i := range o.InstancesSeq(from, now, loc) {
		if last == nil || i.From >= last.From {
			last = &i
		}
	}
	return last
}
