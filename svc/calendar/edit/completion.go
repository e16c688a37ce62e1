package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// checkUpToToday returns an error unless the change may have the scope UpToToday.
func (in ObjectChange) checkUpToToday(o *ics.Object) error {
	if o.Component != "VTODO" {
		return svc.FieldError(svc.InvalidValue, "scope", "Only tasks can be completed up to today.")
	}
	if !in.Change.isProgress() {
		return svc.FieldError(svc.InvalidValue, "scope", "Only the progress of a task can be changed up to today.")
	}
	return nil
}

// changeSingle changes the occurrence i of an event or a task, or all occurrences of a
// task up to today.
//
// A task that becomes done leaves its series, as an object of its own, and the series
// begins at the next open occurrence. This is the only form that all clients read: those
// that show a series as one task read neither overrides nor the properties of each
// other, and some do not read objects with overrides at all. The last open occurrence
// completes the series. The override remains if the series cannot begin at the next open
// occurrence, or if an earlier one is open.
func (in ObjectChange) changeSingle(o *ics.Object, i ics.Instance, loc *time.Location, now time.Time) (r Result, err error) {
	if in.reopensSeries(o, i, loc) {
		r.Object, err = changeProgress(o, []*ics.Component{o.Master}, in.Change, now)
		return r, err
	}
	if r, err = changeOccurrence(o, i, in.Change, now); err != nil || o.Component != "VTODO" || o.Master == nil || i.Progress().IsDone() {
		return r, err
	}
	done, _ := r.Object.FindInstance(i.RecurrenceID, loc)
	if !done.Progress().IsDone() {
		return r, nil
	}
	until := time.Time{}
	if in.Scope == UpToToday {
		until = occurrence.Midnight(now, loc, 1)
		if r.Object, err = changeProgress(r.Object, r.Object.OpenBefore(until, loc), in.Change, now); err != nil {
			return r, err
		}
		done, _ = r.Object.FindInstance(i.RecurrenceID, loc)
	}
	next, found := r.Object.NextOpen(until, now, loc)
	switch {
	case !found:
		r.Object, err = completeLast(r.Object, i, in.Change, now)
	case done.Precedes(next):
		err = r.detach(done, next, in.Scope, now)
	}
	return r, err
}

// reopensSeries reports whether the change of the occurrence i reopens a series that was
// completed with its last occurrence.
func (in ObjectChange) reopensSeries(o *ics.Object, i ics.Instance, loc *time.Location) bool {
	m := o.Master
	if m == nil || o.Component != "VTODO" || !m.Progress().IsDone() || i.Component != m || !in.Change.isProgress() {
		return false
	}
	isFirst := true
	for other := range o.InstancesSeq(time.Time{}, time.Time{}, loc) {
		switch {
		case other.Component != m:
		case !isFirst:
			return in.Scope == UpToToday
		case other.RecurrenceID != i.RecurrenceID:
			return false
		default:
			isFirst = false
		}
	}
	return !isFirst
}

// changeProgress applies the progress of a change to components of o.
func changeProgress(o *ics.Object, components []*ics.Component, c Change, now time.Time) (*ics.Object, error) {
	if len(components) == 0 {
		return o, nil
	}
	doc := o.Edit()
	for _, component := range components {
		e := newEditor(o, component, doc, doc.Block(component), component.Time("DTSTART"), componentEnd(component), now)
		if err := e.apply(c.progress()); err != nil {
			return nil, err
		}
	}
	return parse(doc.Bytes())
}

// completeLast completes the series o, in which no other occurrence is open after the
// change c of the occurrence i. The series begins at i then, if its rule can.
func completeLast(o *ics.Object, i ics.Instance, c Change, now time.Time) (*ics.Object, error) {
	doc, id := o.Edit(), i.RecurrenceID.String() // times of different objects are not comparable
	if start := firstTime(o.Master, "DTSTART", "DUE"); start.String() != id {
		doc.Advance(o, i.RecurrenceID)
	}
	isNew := i.Component.RecurrenceID != i.RecurrenceID // the override was added by the change
	if isNew && c.isProgress() {
		for _, override := range o.Overrides {
			if override.RecurrenceID.String() == id {
				doc.Calendar.RemoveBlocks(doc.Block(override))
			}
		}
	}
	e := newEditor(o, o.Master, doc, doc.Block(o.Master), i.Start, i.End, now)
	if err := e.apply(c.progress()); err != nil {
		return nil, err
	}
	return parse(doc.Bytes())
}

// detach moves the occurrence done of r.Object to an object of its own, and the start of
// the series to the occurrence next. If the series cannot begin there, done stays in the
// series, and the scope UpToToday completes the others before next as KDE does.
func (r *Result) detach(done, next ics.Instance, scope Scope, now time.Time) (err error) {
	o := r.Object
	doc := o.Edit()
	if !doc.Advance(o, next.RecurrenceID) {
		if scope != UpToToday {
			return nil
		}
		doc.SetFirstOpen(o, next.RecurrenceID)
	} else if r.Detached, err = parse(doc.Detach(done, detachedUID(o, done.RecurrenceID))); err != nil {
		return err
	} else {
		r.RecurrenceID = ics.Time{}
	}
	Stamp(doc.Block(o.Master), now)
	r.Object, err = parse(doc.Bytes())
	return err
}

// detachedUID returns the UID of the object that the occurrence id of o becomes when it
// is completed. The same occurrence always has the same UID, so that it is found when it
// is reopened, and stored once.
func detachedUID(o *ics.Object, id ics.Time) string {
	sum := sha256.Sum256([]byte(o.UID + "\n" + id.String()))
	return "uid_" + hex.EncodeToString(sum[:16]) + "@appliance"
}

// DetachedUID returns the UID of the object that an occurrence of the task o has become,
// if it is before the present start of the series; "" if it is not.
func DetachedUID(o *ics.Object, recurrenceID string) string {
	if o.Component != "VTODO" || o.Master == nil || !o.Recurs() || recurrenceID == "" {
		return ""
	}
	start := firstTime(o.Master, "DTSTART", "DUE")
	id, err := parseRecurrenceID(o, recurrenceID)
	if err != nil || !id.Clock().Before(start.Clock()) {
		return ""
	}
	if _, found := o.FindInstance(id, nil); found {
		return ""
	}
	return detachedUID(o, id)
}

// Reopens reports whether the change makes a task open.
func (in ObjectChange) Reopens() bool {
	switch {
	case in.Status.Set:
		return !view.State{Status: in.Status.Value, TaskState: new(view.TaskState)}.IsDone()
	case in.CompletedAt.Set:
		return in.CompletedAt.Value == ""
	}
	return false
}

// Rewind applies a change that reopens an occurrence which has left the series o: the
// series begins at this occurrence again. With the scope UpToToday, the occurrences after
// it return too. ok is false if the series cannot begin there.
func (in ObjectChange) Rewind(o *ics.Object, now time.Time) (r Result, ok bool, err error) {
	if r.RecurrenceID, err = parseRecurrenceID(o, in.RecurrenceID); err != nil {
		return r, false, err
	}
	doc := o.Edit()
	between, ok := doc.Rewind(o, r.RecurrenceID)
	if !ok {
		return r, false, nil
	}
	block := doc.Block(o.Master)
	if in.Scope != UpToToday && len(between) > 0 {
		block.Add(ics.TimeProp("EXDATE", between...))
	}
	e := newEditor(o, o.Master, doc, block, o.Master.Time("DTSTART"), componentEnd(o.Master), now)
	if err := e.apply(in.withoutUnchanged(o, o.Master, nil).progress()); err != nil {
		return r, false, err
	}
	r.Object, err = parse(doc.Bytes())
	return r, true, err
}
