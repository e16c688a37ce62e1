package view

import (
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// EventMoments returns the start and the end, which is exclusive, of the first
// occurrence of an event of Social.
func EventMoments(t svc.EventTimes) (start, end Moment) {
	from, to := ics.Floating(t.Start), ics.Floating(t.End)
	if t.AllDay {
		from, to = ics.Date(t.Start.Date()), ics.Date(t.End.Date())
	} else if zone, ok := ics.LoadZone(t.Timezone); ok { // the time zone database may have lost a zone
		from, to = from.WithZone(zone), to.WithZone(zone)
	}
	return moment(from), moment(to)
}
