package edit

import (
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/view"
)

// applyRecurrence changes RRULE, RDATE and EXDATE.
func (e *componentEditor) applyRecurrence(c Change) error {
	switch {
	case !c.RRule.Set:
	case c.RRule.Value == "":
		e.block.Remove("RRULE", "RDATE", "EXDATE")
		e.removeOverrides()
	case e.reference.IsZero():
		return svc.Join(checkRule(c.RRule.Value), svc.FieldError(svc.InvalidRecurrence, "rrule", "A task without a date cannot recur. Set start or due."))
	default:
		rule, err := parseRule(c.RRule.Value, e.reference)
		if err != nil {
			return err
		}
		e.block.Set(ics.RuleProp(rule))
	}
	return svc.Join(e.applyDates("exdates", "EXDATE", c.ExDates), e.applyDates("rdates", "RDATE", c.RDates))
}

func (e *componentEditor) applyDates(field, property string, change svc.Optional[[]string]) error {
	if !change.Set {
		return nil
	}
	if err := checkLength(field, len(change.Value)); err != nil {
		return err
	}
	times := make([]ics.Time, len(change.Value))
	for i, text := range change.Value {
		var err error
		if times[i], err = parseTime(field, text, e.reference.Zone(), e.reference.IsDate()); err != nil {
			return err
		}
	}
	e.block.Remove(property)
	if len(times) > 0 {
		e.block.Set(ics.TimeProp(property, times...))
	}
	return nil
}

// removeOverrides removes the overrides of a series that stops recurring.
func (e *componentEditor) removeOverrides() {
	if e.object == nil || !e.isMaster {
		return
	}
	for _, c := range e.object.Overrides {
		e.doc.Calendar.RemoveBlocks(e.doc.Block(c))
	}
}

// shiftSeries moves everything that refers to the start of a series: the
// weekdays and the end of its rule, its dates, and the recurrence ids of its
// overrides.
func (e *componentEditor) shiftSeries(start ics.Time) {
	if e.object == nil || !e.isMaster || !e.object.Recurs() || start.IsZero() || e.start.IsZero() {
		return
	}
	if rule := e.object.Master.Rule(); rule != nil {
		r := rule.RotateWeekdays(e.start.Clock().Weekday(), start.Clock().Weekday())
		if until := r.Until; !until.IsZero() {
			if z := e.start.Zone(); z != nil && z.Location() != nil && until.Zone() != nil {
				until = ics.Zoned(until.Instant(nil), z)
			}
			moved := until.Clock().Add(start.Clock().Sub(e.start.Clock()))
			r.Until = untilFor(inZone(moved, start.Zone()), start)
		}
		if r.String() != rule.String() {
			e.block.Set(ics.RuleProp(r))
		}
	}
	e.doc.ShiftSeries(e.object, start)
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
