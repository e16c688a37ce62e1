package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// ResolveTimes applies a host's change, which names a time zone, to the times of
// an event; old is the zero EventTimes for a new event. A change from timed to
// all-day or back sets a default end unless the change has one. A rule that the change
// does not set follows the start; otherwise the event begins with the first date of its rule.
func ResolveTimes(old svc.EventTimes, c svc.EventTimesChange, now time.Time) (t svc.EventTimes, err error) {
	t = old
	t.MovedStart = false
	if c.RRule.Set {
		t.RRule = c.RRule.Value
	}
	if err := resolveStartAndEnd(&t, c); err != nil {
		return t, svc.Join(err, checkRule(t.RRule))
	}
	if t.RRule == "" {
		return t, nil
	}
	start := eventTime(t, t.Start)
	first, rule := start, (*ics.Rule)(nil)
	if t.RRule == old.RRule {
		first, rule, err = followStart(old, start, now)
	} else if rule, err = parseRule(t.RRule, start); err == nil {
		if first, err = ics.FirstDate(rule, start); err != nil {
			err = errNoDate
		}
		t.MovedStart = first != start
	}
	if err != nil {
		return t, err
	}
	moved := first.Clock().Sub(start.Clock())
	t.Start, t.End, t.RRule = t.Start.Add(moved), t.End.Add(moved), rule.String()
	return t, nil
}

// followStart returns the rule of an event after a change of its start, and the start.
func followStart(old svc.EventTimes, start ics.Time, now time.Time) (ics.Time, *ics.Rule, error) {
	was := eventTime(old, old.Start)
	rule, err := parseRule(old.RRule, was)
	if err != nil || start == was {
		return start, rule, err
	}
	o, err := eventSeries(old, rule)
	if err != nil {
		return start, nil, err
	}
	s, err := o.ChangeSeries(ics.Time{}, start, nil)
	if err != nil {
		return start, nil, seriesError(err, rule, now)
	}
	return s.Start, s.Rule, nil
}

// eventSeries returns the times of an event that repeats as a calendar object.
func eventSeries(t svc.EventTimes, rule *ics.Rule) (*ics.Object, error) {
	start, end := EventBounds(t)
	doc := ics.NewDocument(ics.ProdID)
	block := doc.Calendar.NewBlock("VEVENT")
	block.Add(ics.TextProp("UID", "event"))
	block.Add(ics.TimeProp("DTSTART", start))
	block.Add(ics.TimeProp("DTEND", end))
	block.Add(ics.RuleProp(rule))
	if start.Zone() != nil {
		doc.AddTimeZone(start.Zone(), start.Instant(nil))
	}
	return parse(doc.Bytes())
}

// maxCountedDates limits the dates that EventDates counts.
const maxCountedDates = 999

// EventDates returns the number of occurrences of an event that repeats, 0 for a series without an
// end or with more than maxCountedDates. Without COUNT it expands the series, which takes
// milliseconds.
func EventDates(t svc.EventTimes) int {
	if n, isEndless := EventCount(t); n > 0 || isEndless {
		return n
	}
	start, _ := EventBounds(t)
	rule, err := parseRule(t.RRule, start)
	if err != nil {
		return 0 // the rule of an earlier version of the program
	}
	o, err := eventSeries(t, rule)
	if err != nil {
		return 0
	}
	instances, more := o.Instances(time.Time{}, time.Time{}, svc.StoredZone(t.Timezone), maxCountedDates)
	if more {
		return 0
	}
	return len(instances)
}

// EventCount returns the value of COUNT in the rule of an event, 0 without it, and whether the
// series has no end.
func EventCount(t svc.EventTimes) (n int, isEndless bool) {
	start, _ := EventBounds(t)
	rule, err := parseRule(t.RRule, start)
	if err != nil {
		return 0, false
	}
	return rule.Count, rule.Endless()
}

func resolveStartAndEnd(t *svc.EventTimes, c svc.EventTimesChange) error {
	isNew, wasAllDay := t.Start.IsZero(), t.AllDay
	if c.Timezone.Set {
		t.Timezone = c.Timezone.Value
	}
	switch {
	case c.AllDay.Set:
		t.AllDay = c.AllDay.Value
	case isNew:
		t.AllDay = hasDateLength(c.Start.Value)
	}
	zone, err := loadZone("timezone", t.Timezone)
	if err != nil {
		return err
	}
	start, err := resolveTime("start", c.Start, t.Start, t.AllDay, zone)
	if err != nil {
		return err
	}
	if !isNew && t.AllDay != wasAllDay {
		t.End = time.Time{}
	}
	end, err := resolveTime("end", c.End, t.End, t.AllDay, zone)
	switch {
	case err != nil:
		return err
	case start.IsZero():
		return svc.Required("start")
	case end.IsZero():
		end = defaultEnd(start)
	case end.Instant(nil).Before(start.Instant(nil)), t.AllDay && end == start:
		return svc.FieldError(svc.EndBeforeStart, "end", "The end must not be before the start.")
	}
	t.Start, t.End = start.Clock(), end.Clock()
	return nil
}

// resolveTime returns the time that a change sets, or else the old one; the
// zero Time if there is none.
func resolveTime(field string, change svc.Optional[string], old time.Time, allDay bool, zone *ics.Zone) (ics.Time, error) {
	switch {
	case change.Set && change.Value == "", !change.Set && old.IsZero():
		return ics.Time{}, nil
	case change.Set:
		return parseTime(field, change.Value, zone, allDay)
	case allDay:
		return dateOf(old), nil
	}
	return inZone(old, zone), nil
}

// eventTime returns a local time of the event.
func eventTime(t svc.EventTimes, local time.Time) ics.Time {
	if t.AllDay {
		return dateOf(local)
	}
	zone, _ := ics.LoadZone(t.Timezone)
	return inZone(local, zone)
}

// EventBounds returns the start and the end of the event as iCalendar times.
func EventBounds(t svc.EventTimes) (start, end ics.Time) {
	return eventTime(t, t.Start), eventTime(t, t.End)
}
