package edit

import (
	"errors"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// applySchedule changes the times and the recurrence, which depend on each other.
func (e *componentEditor) applySchedule(c Change) error {
	start, end, needsEnd, err := e.changedTimes(c)
	reference := referenceOf(start, end)
	rule, ruleErr := e.changedRule(c, reference)
	exdates, exErr := e.changedDates("exdates", c.ExDates, reference)
	rdates, rErr := e.changedDates("rdates", c.RDates, reference)
	if err := svc.Join(err, ruleErr, exErr, rErr); err != nil {
		return err
	}
	first, err := e.changeSeries(c, reference, rule)
	if err != nil {
		return err
	}
	if first != reference {
		moved := first.Clock().Sub(reference.Clock())
		start, end = movedBy(start, moved), movedBy(end, moved)
	}
	e.setTimes(start, end, needsEnd)
	if rule != nil && !e.isSeries() {
		e.block.Set(ics.RuleProp(rule))
	}
	e.setDates("EXDATE", c.ExDates.Set, exdates)
	e.setDates("RDATE", c.RDates.Set, rdates)
	e.addStart(c, first)
	return nil
}

// addStart adds DTSTART to a recurring task that has only a due time, if the change creates
// it, or sets its rule or start. RFC 5545 §3.8.2.4 requires a start where there is a rule.
// Evolution completes a series without one with its first occurrence.
func (e *componentEditor) addStart(c Change, start ics.Time) {
	isDue := e.isTask && e.block.Value("RRULE") != "" && e.block.Value("DTSTART") == "" && !start.IsZero()
	if isDue && (e.object == nil || e.isMaster && (c.RRule.Set || c.Start.Set)) {
		e.block.Set(ics.TimeProp("DTSTART", start))
	}
}

// referenceOf returns the time that the recurrence of a component refers to: its start, or
// the due time of a task without one.
func referenceOf(start, end ics.Time) ics.Time {
	if start.IsZero() {
		return end
	}
	return start
}

// movedBy returns a time that is later by a difference in local time.
func movedBy(t ics.Time, difference time.Duration) ics.Time {
	if t.IsZero() {
		return t
	}
	days := difference.Truncate(24 * time.Hour)
	return t.Add(ics.Duration{Days: int(days / (24 * time.Hour)), Seconds: int64((difference - days) / time.Second)})
}

// changedRule returns the rule that the change sets, nil if it sets or clears none.
func (e *componentEditor) changedRule(c Change, reference ics.Time) (*ics.Rule, error) {
	if c.RRule.Value == "" {
		return nil, nil
	}
	rule, err := parseRule(c.RRule.Value, reference)
	if err == nil && reference.IsZero() {
		err = svc.FieldError(svc.InvalidRecurrence, "rrule", "A task without a date cannot recur. Set start or due.")
	}
	return rule, err
}

// changedDates returns the values of a list of dates.
func (e *componentEditor) changedDates(field string, change svc.Optional[[]string], reference ics.Time) (times []ics.Time, err error) {
	if err := checkLength(field, len(change.Value)); err != nil {
		return nil, err
	}
	for _, text := range change.Value {
		t, err := parseTime(field, text, reference.Zone(), reference.IsDate())
		if err != nil {
			return nil, err
		}
		times = append(times, t)
	}
	return times, nil
}

// setDates sets a list of dates if the change sets it.
func (e *componentEditor) setDates(property string, isSet bool, times []ics.Time) {
	switch {
	case len(times) > 0:
		e.block.Set(ics.TimeProp(property, times...))
	case isSet:
		e.block.Remove(property)
	}
}

// changeSeries changes the rule of a series, and everything that refers to its dates, for a
// new start and rule, which is nil unless the change sets one. It returns the start: with a
// new rule, that is its first date.
func (e *componentEditor) changeSeries(c Change, start ics.Time, rule *ics.Rule) (first ics.Time, err error) {
	switch {
	case c.RRule.Set && rule == nil:
		e.block.Remove("RRULE", "RDATE", "EXDATE", "EXRULE")
		e.removeExceptions()
		return start, nil
	case e.isSeries() && !start.IsZero() && (rule != nil || start != referenceOf(e.start, e.end)):
		return e.moveSeries(start, rule)
	case rule != nil:
		if first, err = ics.FirstDate(rule, start); err != nil {
			return first, errNoDate
		}
		e.outcome.MovedStart = first != start
		return first, nil
	}
	return start, nil
}

// isSeries reports whether the component is the master of an object that recurs.
func (e *componentEditor) isSeries() bool { return e.object != nil && e.isMaster && e.object.Recurs() }

// moveSeries changes the start or the rule of a series.
func (e *componentEditor) moveSeries(start ics.Time, rule *ics.Rule) (first ics.Time, err error) {
	s, err := e.object.ChangeSeries(e.at, start, rule)
	if err == nil {
		err = s.Apply(e.doc)
	}
	if err != nil {
		return first, seriesError(err, e.object.Master.Rule(), e.now)
	}
	e.outcome.RemovedExceptions += s.Removed
	e.outcome.MovedStart = rule != nil && s.Start.Clock().After(start.Clock())
	return s.Start, nil
}

// seriesError returns the error for a failed change of a series with a rule.
func seriesError(err error, rule *ics.Rule, now time.Time) error {
	var ambiguous *ics.AmbiguousError
	switch {
	case errors.As(err, &ambiguous):
		return ruleAmbiguous(ambiguous, rule, now)
	case errors.Is(err, ics.ErrNoDate):
		return errNoDate
	case errors.Is(err, ics.ErrTooManyDates):
		return svc.Errorf(svc.WorkLimitExceeded, "This series has too many dates or exceptions to be changed.")
	}
	return err
}

var errNoDate = svc.FieldError(svc.InvalidRecurrence, "rrule", "The rule has no date at or after the start. Change the rule or the start.")

// removeExceptions removes the overrides of a series that stops recurring, and counts them
// with the deleted occurrences.
func (e *componentEditor) removeExceptions() {
	if e.object == nil || !e.isMaster {
		return
	}
	e.outcome.RemovedExceptions += len(e.object.Master.ExDates())
	for _, c := range e.object.Overrides {
		e.doc.Calendar.RemoveBlocks(e.doc.Block(c))
		e.outcome.RemovedExceptions++
	}
}

// restoreOccurrence returns the object o without the exclusion of a deleted
// occurrence. It changes nothing if the occurrence exists.
func restoreOccurrence(o *ics.Object, id string, loc *time.Location, now time.Time) (r Result, err error) {
	if o.Master == nil || !o.Recurs() {
		return r, svc.FieldError(svc.NotFound, "restore_occurrence", "This entry does not recur.")
	}
	var kept []ics.Time
	excluded := o.Master.ExDates()
	for _, t := range excluded {
		if view.FormatTime(t) != id {
			kept = append(kept, t)
		}
	}
	if len(kept) == len(excluded) {
		i, err := FindOccurrence(o, id, loc)
		return Result{Object: o, RecurrenceID: i.RecurrenceID}, err
	}
	doc := o.Edit()
	block := doc.Block(o.Master)
	block.Remove("EXDATE")
	for _, t := range kept {
		block.Add(ics.TimeProp("EXDATE", t))
	}
	if r.Object, err = parseStamped(doc.Bytes(), now); err != nil {
		return r, err
	}
	i, err := FindOccurrence(r.Object, id, loc)
	r.RecurrenceID = i.RecurrenceID
	return r, err
}
