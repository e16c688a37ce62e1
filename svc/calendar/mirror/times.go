package mirror

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
)

// ResolveTimes applies a host's change to the times of an event; old is the
// zero EventTimes for a new event. It also returns the start of the first
// occurrence and the end of the last one, zero if there is no last one.
func (s *Service) ResolveTimes(tx *store.Tx, host svc.MemberID, old svc.EventTimes, c svc.EventTimesChange) (t svc.EventTimes, first, last time.Time, err error) {
	timezone := old.Timezone
	if c.Timezone.Set {
		timezone = c.Timezone.Value
	}
	if timezone == "" {
		home, err := s.objects.DefaultCalendar(tx, host)
		if err != nil {
			return t, first, last, err
		}
		timezone = home.Timezone
	}
	c.Timezone = svc.Some(timezone)
	if t, err = edit.ResolveTimes(old, c, tx.Now()); err != nil {
		return t, first, last, err
	}
	zone := svc.StoredZone(t.Timezone)
	start, end := edit.EventBounds(t)
	first = start.Instant(zone)
	if !end.Instant(zone).After(first) {
		return t, first, last, svc.FieldError(svc.EndBeforeStart, "end", "The end must be after the start.")
	}
	o, err := eventObject("uid", svc.SyncedEvent{Times: t}, tx.Now())
	if err != nil {
		return t, first, last, err
	}
	from, to, endless := o.Bounds(zone)
	if from >= to {
		return t, first, last, svc.FieldError(svc.InvalidRecurrence, "rrule", "The recurrence ends before the event starts. Choose a later end.")
	}
	if !endless {
		last = time.UnixMilli(to).UTC()
	}
	return t, first, last, nil
}
