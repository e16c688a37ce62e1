package edit

import (
	"errors"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Result is the outcome of a change or deletion.
type Result struct {
	Object       *ics.Object // the object after it; nil if it is deleted
	Rest         *ics.Object // a new object with the rest of a series that was split; nil if there is none
	Detached     *ics.Object // an object with an occurrence that left its series when it was completed; nil if there is none
	RecurrenceID ics.Time    // recurrence id of the only occurrence that changed; the zero Time otherwise

	Outcome

	// IsExcluded reports that a deletion only excluded an occurrence of the series,
	// which RestoreOccurrence can undo, and deleted no override.
	IsExcluded bool
}

// Outcome contains the effects of a change of a series beyond the fields that it set.
type Outcome struct {
	MovedStart        bool // the start is the first date of the rule, which is later than the one of the change
	RemovedExceptions int  // deleted and changed occurrences that the series no longer has
}

// Apply returns the object o after the change. Dates and floating times of the
// object are read in loc. Fields that keep their value are ignored.
func (in ObjectChange) Apply(o *ics.Object, loc *time.Location, now time.Time) (r Result, err error) {
	if in.RestoreOccurrence != "" {
		return restoreOccurrence(o, in.RestoreOccurrence, loc, now)
	}
	i, err := in.findInstance(o, loc)
	if err != nil {
		return r, err
	}
	main, shown := o.Components()[0], (*ics.Instance)(nil)
	if i.Component != nil {
		main, shown = i.Component, &i
	}
	in.Change = in.withoutUnchanged(o, main, shown)
	switch in.Scope {
	case This, UpToToday:
		if err := in.checkSingle(i); err != nil {
			return r, err
		}
		return in.changeSingle(o, i, loc, now)
	case ThisAndFuture:
		return changeFuture(o, i, in.Change, now)
	}
	series, err := in.Change, error(nil)
	if shown != nil {
		if series, err = in.relativeTo(o, i); err != nil {
			return r, err
		}
	}
	return changeSeries(o, i, in.Change, series, now)
}

// findInstance returns the occurrence that a change names, the zero Instance if
// it names none. With the scope All, an occurrence is optional.
func (in ObjectChange) findInstance(o *ics.Object, loc *time.Location) (i ics.Instance, err error) {
	if err := svc.CheckSet("scope", in.Scope); err != nil {
		return i, err
	}
	if in.Scope == UpToToday {
		if err := in.checkUpToToday(o); err != nil {
			return i, err
		}
	}
	if (in.Scope == "" || in.Scope == All) && (in.RecurrenceID == "" || !o.Recurs()) {
		return i, nil
	}
	return FindOccurrence(o, in.RecurrenceID, loc)
}

// checkSingle returns an error unless the change can be made to the occurrence i
// alone.
func (in ObjectChange) checkSingle(i ics.Instance) error {
	if fields := in.fieldsAmong("rrule", "rdates", "exdates", "calendar_id"); len(fields) > 0 {
		return svc.FieldError(svc.InvalidValue, fields[0], "%s applies to the whole series. Change all dates of the series.", svc.FieldLabel(fields[0]))
	}
	if i.Component.ThisAndFuture && i.Component.RecurrenceID == i.RecurrenceID {
		// The component of this occurrence also defines all later ones.
		return svc.FieldError(svc.InvalidValue, "scope", "This occurrence cannot be changed alone, because later ones repeat it. Change this and all later ones.")
	}
	return nil
}

// FindOccurrence returns the occurrence with a recurrence id in its JSON form.
func FindOccurrence(o *ics.Object, id string, loc *time.Location) (i ics.Instance, err error) {
	if id == "" {
		return i, svc.Required("recurrence_id")
	}
	t, err := parseRecurrenceID(o, id)
	if err != nil {
		return i, err
	}
	i, found := o.FindInstance(t, loc)
	if !found {
		return i, svc.FieldError(svc.NotFound, "recurrence_id", "The series has no occurrence at %.40s.", id)
	}
	return i, nil
}

// FindMoved returns the occurrence that a recurrence id in its JSON form named before the
// series moved, see [ics.Object.MovedInstance].
func FindMoved(o *ics.Object, id string, loc *time.Location) (i ics.Instance, found bool) {
	t, err := parseRecurrenceID(o, id)
	if err != nil {
		return i, false
	}
	return o.MovedInstance(t, loc)
}

// parseRecurrenceID parses a recurrence id of o in its JSON form.
func parseRecurrenceID(o *ics.Object, id string) (ics.Time, error) {
	var zone *ics.Zone
	allDay := hasDateLength(id)
	start := o.Components()[0].RecurrenceID
	if o.Master != nil {
		start = firstTime(o.Master, "DTSTART", "DUE")
	}
	if !start.IsZero() {
		zone, allDay = start.Zone(), start.IsDate()
	}
	return parseTime("recurrence_id", id, zone, allDay)
}

// changeSeries changes an object as a whole. In an override it changes only the
// fields in which the override equals the master, and no times. If i is not the zero
// Instance, the override of i is an exception: it gets the change own, except for
// the recurrence.
func changeSeries(o *ics.Object, i ics.Instance, own, c Change, now time.Time) (r Result, err error) {
	doc := o.Edit()
	main := o.Components()[0]
	mainAlarms := contentsOf(main)
	editor := newEditor(o, main, doc, doc.Block(main), main.Time("DTSTART"), componentEnd(main), now)
	editor.at, editor.outcome = i.RecurrenceID, &r.Outcome
	if err := editor.apply(c); err != nil {
		return r, err
	}
	for _, override := range o.Overrides {
		change, start, end := c.inherited(main, override, mainAlarms), override.Time("DTSTART"), componentEnd(override)
		if !i.RecurrenceID.IsZero() && override.RecurrenceID.String() == i.RecurrenceID.String() {
			change, start, end = own.withoutRecurrence(), i.Start, i.End
		}
		if override == main || len(change.fields()) == 0 {
			continue
		}
		if err := newEditor(o, override, doc, doc.Block(override), start, end, now).apply(change); err != nil {
			return r, err
		}
	}
	r.Object, err = parse(doc.Bytes())
	return r, err
}

// changeOccurrence changes one occurrence, as an override.
func changeOccurrence(o *ics.Object, i ics.Instance, c Change, now time.Time) (r Result, err error) {
	if err := c.checkClass(o); err != nil {
		return r, err
	}
	doc := o.Edit()
	e := newEditor(o, i.Component, doc, doc.Override(i), i.Start, i.End, now)
	e.isMaster = false
	if err := e.apply(c); err != nil {
		return r, err
	}
	r.RecurrenceID = i.RecurrenceID
	r.Object, err = parse(doc.Bytes())
	return r, err
}

// changeFuture splits a series before an occurrence and changes the second
// part, which becomes an object of its own.
func changeFuture(o *ics.Object, i ics.Instance, c Change, now time.Time) (r Result, err error) {
	before, after, err := o.Split(i, newUID())
	if err != nil {
		return r, errScope(err)
	}
	if before == nil { // i is the first occurrence
		return changeSeries(o, i, c, c, now)
	}
	rest, err := parse(after)
	if err != nil {
		return r, err
	}
	series := c
	if !rest.Master.Reference().Clock().Equal(i.RecurrenceID.Clock()) { // i is an RDATE, and the rule has a later date first
		if series, err = c.relativeTo(rest, i); err != nil {
			return r, err
		}
	}
	if r, err = changeSeries(rest, i, c, series, now); err != nil {
		return r, err
	}
	r.Rest = r.Object
	r.Object, err = parseStamped(before, now)
	return r, err
}

func errScope(err error) error {
	return svc.FieldError(svc.InvalidValue, "scope", "This scope does not apply: %v.", err)
}

// newUID returns a unique UID.
func newUID() string { return svc.NewID("uid") + "@appliance" }

// Apply returns the object o without the deleted occurrences.
func (in Deletion) Apply(o *ics.Object, loc *time.Location, now time.Time) (r Result, err error) {
	scoped := ObjectChange{Scope: in.Scope, RecurrenceID: in.RecurrenceID}
	if in.Scope == "" || in.Scope == All {
		scoped.RecurrenceID = "" // the whole object is deleted
	}
	i, err := scoped.findInstance(o, loc)
	if err == nil && in.Scope == This {
		err = scoped.checkSingle(i)
	}
	if err != nil {
		return r, err
	}
	switch in.Scope {
	case This:
		doc := o.Edit()
		doc.Exclude(i)
		if len(doc.Calendar.Blocks(o.Component)) > 0 {
			r.Object, err = parseStamped(doc.Bytes(), now)
		}
		r.RecurrenceID, r.IsExcluded = i.RecurrenceID, o.Master != nil && i.Component.RecurrenceID != i.RecurrenceID
	case ThisAndFuture:
		before, _, err := o.Split(i, "unused")
		if err != nil {
			return r, errScope(err)
		}
		if before != nil {
			r.Object, err = parseStamped(before, now)
		}
		return r, err
	}
	return r, err
}

// parse parses text that was edited, and defines its time zones by the data of the
// server. A change may make an object too large, or invalid in ways that are not
// checked field by field.
func parse(text []byte) (*ics.Object, error) {
	o, err := ics.ParseDefined(text)
	var invalid *ics.Error
	if errors.As(err, &invalid) {
		code := svc.InvalidValue
		if invalid.Precondition == ics.CondMaxResourceSize {
			code = svc.TooLong
		}
		return nil, svc.Errorf(code, "%s", invalid.Reason)
	}
	return o, err
}

// parseStamped parses an object and stamps its first component.
func parseStamped(text []byte, now time.Time) (*ics.Object, error) {
	o, err := parse(text)
	if err != nil {
		return nil, err
	}
	doc := o.Edit()
	Stamp(doc.Block(o.Components()[0]), now)
	return parse(doc.Bytes())
}
