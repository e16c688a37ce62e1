package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// applyTimes changes start, end and time zone. A property whose value stays the
// same keeps its lines.
func (e *componentEditor) applyTimes(c Change) error {
	e.setReference(e.start, e.end)
	endField, endChange := "end", c.End
	if e.isTask {
		endField, endChange = "due", c.Due
	}
	if !c.Start.Set && !endChange.Set && !c.Timezone.Set && !c.AllDay.Set && e.object != nil {
		return nil
	}
	allDay := e.start.IsDate() || e.start.IsZero() && e.end.IsDate()
	if c.AllDay.Set {
		allDay = c.AllDay.Value
	} else if e.object == nil {
		allDay = hasDateLength(c.Start.Value) || c.Start.Value == "" && hasDateLength(endChange.Value)
	}
	if c.Timezone.Set {
		zone, err := loadZone(c.Timezone.Value)
		if err != nil {
			return err
		}
		e.zone = zone
	}
	start, err := e.changedTime("start", c.Start, e.start, allDay, c.Timezone.Set, false)
	if err != nil {
		return err
	}
	end, err := e.changedTime(endField, endChange, e.end, allDay, c.Timezone.Set, true)
	if err != nil {
		return err
	}
	if end.IsZero() && !e.isTask && !start.IsZero() && (e.object == nil || endChange.Set) {
		end = defaultEnd(start)
	}
	if err := e.checkTimes(start, end, endField); err != nil {
		return err
	}
	e.setTimes(start, end, endChange.Set || end.IsDate() != e.end.IsDate())
	e.setReference(start, end)
	return nil
}

// setReference records the time that recurrence refers to.
func (e *componentEditor) setReference(start, end ics.Time) {
	e.reference = start
	if start.IsZero() && e.block.Value("DUE") != "" {
		e.reference = end
	}
}

// defaultEnd returns the end of an event without one: a day or an hour after
// the start, or two hours if clocks are put back during the first hour.
func defaultEnd(start ics.Time) ics.Time {
	if start.IsDate() {
		return start.Add(ics.Duration{Days: 1})
	}
	end := start.Add(ics.Duration{Seconds: 3600})
	if !end.Instant(nil).After(start.Instant(nil)) {
		return start.Add(ics.Duration{Seconds: 7200})
	}
	return end
}

// changedTime returns the value of a time property after a change: the new value, or
// the old one converted to a date or to the new time zone. The end of an event that
// becomes a date moves to the next day, unless it was at midnight, because such an
// end is exclusive.
func (e *componentEditor) changedTime(field string, change svc.Optional[string], old ics.Time, allDay, zoneChanged, isEnd bool) (ics.Time, error) {
	if change.Set {
		if change.Value == "" {
			return ics.Time{}, nil
		}
		return parseTime(field, change.Value, e.zone, allDay)
	}
	switch {
	case old.IsZero():
	case allDay && !old.IsDate():
		clock := old.Clock()
		if isEnd && !e.isTask && clock.Format("150405") != "000000" {
			clock = clock.AddDate(0, 0, 1)
		}
		return dateOf(clock), nil
	case !allDay && old.IsDate(), !allDay && zoneChanged:
		return inZone(old.Clock(), e.zone), nil
	}
	return old, nil
}

func (e *componentEditor) checkTimes(start, end ics.Time, endField string) error {
	if start.IsZero() && !e.isTask {
		return svc.Required("start")
	}
	if start.IsZero() || end.IsZero() {
		return nil
	}
	a, b := start.Instant(nil), end.Instant(nil)
	if b.Before(a) || start.IsDate() && !e.isTask && !b.After(a) {
		return svc.FieldError(svc.EndBeforeStart, endField, "%s must not be before start.", endField)
	}
	return nil
}

// setTimes writes the properties that changed.
func (e *componentEditor) setTimes(start, end ics.Time, endChanged bool) {
	if start.IsDate() != e.start.IsDate() {
		e.removeDerived("DTSTART")
	}
	if start != e.start {
		e.put(ics.TimeProp("DTSTART", start), !start.IsZero())
		e.addTimezone(start)
		e.shiftSeries(start)
	}
	name := "DTEND"
	if e.isTask {
		name = "DUE"
	}
	hasEnd := e.block.Value(name) != ""
	if end != e.end && (hasEnd || endChanged || e.object == nil) {
		e.block.Remove("DURATION")
		e.put(ics.TimeProp(name, end), !end.IsZero())
		e.addTimezone(end)
	}
}

// addTimezone adds the VTIMEZONE that a time needs.
func (e *componentEditor) addTimezone(t ics.Time) {
	if z := t.Zone(); z != nil {
		e.doc.AddTimeZone(z, t.Instant(nil))
	}
}

func dateOf(clock time.Time) ics.Time { return ics.Date(clock.Year(), clock.Month(), clock.Day()) }

// inZone returns a local time of zone, a floating time if zone is nil.
func inZone(clock time.Time, zone *ics.Zone) ics.Time {
	t := ics.Floating(clock)
	if zone != nil {
		t = t.WithZone(zone)
	}
	return t
}
