package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// changedTimes returns the start and the end after a change, and whether the end is written even
// if the component has none.
func (e *componentEditor) changedTimes(c Change) (start, end ics.Time, needsEnd bool, err error) {
	endField, endChange := "end", c.End
	if e.isTask {
		endField, endChange = "due", c.Due
	}
	if e.object != nil && !c.Start.Set && !endChange.Set && !c.Timezone.Set && !c.EndTimezone.Set && !c.AllDay.Set {
		return e.start, e.end, false, nil
	}
	zones, err := c.changedZones(e.zones)
	if err != nil {
		return e.start, e.end, false, err
	}
	e.zones = zones
	allDay := e.isAllDay(c, endChange)
	if start, err = e.changedTime("start", c.Start, e.start, zones.start, allDay, c.Timezone.Set); err != nil {
		return e.start, e.end, false, err
	}
	if end, err = e.changedEnd(endField, endChange, c, start, allDay); err != nil {
		return e.start, e.end, false, err
	}
	if e.startFollowsDue(c) {
		start = end
	}
	needsEnd = endChange.Set || end.IsDate() != e.end.IsDate() || c.EndTimezone.Set && !zones.areEqual()
	return start, end, needsEnd, e.checkTimes(start, end, endField)
}

// startFollowsDue reports whether a change of the due time also moves the start: a recurring
// task whose start equals its due time has only this one date, see addStart.
func (e *componentEditor) startFollowsDue(c Change) bool {
	return e.isTask && e.object != nil && e.object.Recurs() && !c.Start.Set && c.Due.Value != "" && !e.start.IsZero() && e.start == e.end
}

// isAllDay reports whether the times are dates after the change.
func (e *componentEditor) isAllDay(c Change, endChange svc.Optional[string]) bool {
	switch {
	case c.AllDay.Set:
		return c.AllDay.Value
	case e.object == nil:
		return hasDateLength(c.Start.Value) || c.Start.Value == "" && hasDateLength(endChange.Value)
	}
	return e.start.IsDate() || e.start.IsZero() && e.end.IsDate()
}

// timeZones are the time zones of the start and of the end of a component. nil stands
// for floating times.
type timeZones struct{ start, end *ics.Zone }

// zonesOf returns the time zones of a component with these times. An absent start or
// end has the zone of the other.
func zonesOf(start, end ics.Time) timeZones {
	switch {
	case start.IsZero():
		start = end
	case end.IsZero():
		end = start
	}
	return timeZones{start.Zone(), end.Zone()}
}

// areEqual reports whether the zones have the same name.
func (z timeZones) areEqual() bool {
	if z.start == nil || z.end == nil {
		return z.start == z.end
	}
	return z.start == z.end || z.start.Name() == z.end.Name()
}

// areKnown reports whether the offsets of both zones are known.
func (z timeZones) areKnown() bool {
	return z.start != nil && z.end != nil && z.start.Location() != nil && z.end.Location() != nil
}

// changedZones returns the time zones after the change. The zone of the end follows
// that of the start if both were equal.
func (c Change) changedZones(z timeZones) (timeZones, error) {
	if c.Timezone.Set {
		zone, err := loadZone("timezone", c.Timezone.Value)
		if err != nil {
			return z, err
		}
		if z.areEqual() {
			z.end = zone
		}
		z.start = zone
	}
	if !c.EndTimezone.Set {
		return z, nil
	}
	if c.EndTimezone.Value == "" {
		z.end = z.start
		return z, nil
	}
	zone, err := loadZone("end_timezone", c.EndTimezone.Value)
	z.end = zone
	return z, err
}

// changedEnd returns the end, or the due time of a task, after a change that sets the
// start to start. An end that loses its own time zone, and is not in the change, is the same
// instant in the zone of the start.
func (e *componentEditor) changedEnd(field string, change svc.Optional[string], c Change, start ics.Time, allDay bool) (ics.Time, error) {
	followsZone := c.EndTimezone.Set || c.Timezone.Set && zonesOf(e.start, e.end).areEqual()
	end, err := e.changedTime(field, change, e.end, e.zones.end, allDay, followsZone)
	switch {
	case err != nil:
		return end, err
	case end.IsZero() && !e.isTask && !start.IsZero() && (e.object == nil || change.Set):
		return e.inEndZone(defaultEnd(start)), nil
	case c.EndTimezone.Set && c.EndTimezone.Value == "" && !c.Start.Set && !change.Set && !allDay && !e.end.IsDate() &&
		zonesOf(e.start, e.end).areKnown() && e.zones.areKnown():
		return ics.Zoned(e.end.Instant(nil), e.zones.end), nil
	case c.Start.Set && !change.Set && !start.IsZero() && !e.start.IsZero() && !end.IsZero():
		return e.keepDuration(start, end), nil
	}
	return end, nil
}

// keepDuration returns the end of a component whose start has changed to start. end is
// the former end, as a date if start is one.
func (e *componentEditor) keepDuration(start, end ics.Time) ics.Time {
	const day = 24 * time.Hour
	former := e.start
	switch isTimed := !former.IsDate() && !start.IsDate(); {
	case isTimed && zonesOf(former, e.end).areKnown() && e.zones.areKnown():
		return e.endAfter(start, max(e.end.Instant(nil).Sub(former.Instant(nil)), 0))
	case isTimed:
		length := max(e.end.Clock().Sub(former.Clock()), 0)
		return inZone(start.Clock().Add(length), e.zones.end)
	}
	days := max(end.Clock().Sub(former.Clock().Truncate(day))/day, 0)
	return e.inEndZone(start.Add(ics.Duration{Days: int(days)}))
}

// endAfter returns the end of a component with a length. If it is the second one of a local
// time that occurs twice, DTEND would mean the first one, so that setTimes writes DURATION.
func (e *componentEditor) endAfter(start ics.Time, length time.Duration) ics.Time {
	at := start.Instant(nil).Add(length)
	d := ics.Duration{Seconds: int64(length / time.Second)}
	end := start.Add(d)
	if !e.zones.areEqual() {
		end = ics.Zoned(at, e.zones.end)
	}
	if !end.Instant(nil).Equal(at) {
		e.duration = d
	}
	return end
}

// inEndZone returns the instant t in the zone of the end, if both zones are known.
func (e *componentEditor) inEndZone(t ics.Time) ics.Time {
	if t.IsDate() || e.zones.areEqual() || !e.zones.areKnown() {
		return t
	}
	return ics.Zoned(t.Instant(nil), e.zones.end)
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
// the old one converted to a date or, if zoneChanged, to the time zone. The end of an event
// that becomes a date moves to the next day, unless it was at midnight, because such an
// end is exclusive.
func (e *componentEditor) changedTime(field string, change svc.Optional[string], old ics.Time, zone *ics.Zone, allDay, zoneChanged bool) (ics.Time, error) {
	if change.Set {
		if change.Value == "" {
			return ics.Time{}, nil
		}
		return parseTime(field, change.Value, zone, allDay)
	}
	switch {
	case old.IsZero():
	case allDay && !old.IsDate():
		clock := old.Clock()
		if field == "end" && clock.Format("150405") != "000000" {
			clock = clock.AddDate(0, 0, 1)
		}
		return dateOf(clock), nil
	case !allDay && old.IsDate(), !allDay && zoneChanged:
		return inZone(old.Clock(), zone), nil
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
		return svc.FieldError(svc.EndBeforeStart, endField, "This must not be before the start.")
	}
	return nil
}

// setTimes writes the properties that changed. A property whose value stays the same keeps
// its lines.
func (e *componentEditor) setTimes(start, end ics.Time, endChanged bool) {
	if start.IsDate() != e.start.IsDate() {
		e.removeDerived("DTSTART")
	}
	if start != e.start {
		e.put(ics.TimeProp("DTSTART", start), !start.IsZero())
		e.addTimezone(start)
	}
	name := "DTEND"
	if e.isTask {
		name = "DUE"
	}
	hasEnd := e.block.Value(name) != ""
	if end != e.end && (hasEnd || endChanged || e.object == nil) {
		e.block.Remove("DURATION")
		if e.duration != (ics.Duration{}) {
			e.block.Remove(name)
			e.block.Set(ics.DurationProp("DURATION", e.duration))
			return
		}
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
