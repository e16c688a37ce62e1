package calendar

import (
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
)

// Draft is an edit of a calendar object that was computed before the write
// transaction, because it may take a tenth of a second. The write computes it
// again if the object has changed in the meantime.
type Draft struct {
	base object.Visible // the object that the edit was computed for
	err  error          // why the edit is not possible

	text         *object.Prepared                   // the object after the edit; nil if it is deleted or its text is unchanged
	rest         *object.Prepared                   // a new object with the rest of a split series
	detached     *object.Prepared                   // an object with an occurrence that left its series
	returned     *object.Row                        // the object of an occurrence that returns to its series
	recurrenceID ics.Time                           // recurrence id of the only edited occurrence; zero otherwise
	named        string                             // recurrence id that a change of the whole series names; "" for none
	outcome      edit.Outcome                       // of the edit
	isExcluded   bool                               // whether a deletion only excludes that occurrence
	moveTo       svc.Optional[string]               // new calendar of rest, or of the object if rest is nil
	undoable     bool                               // whether the former text is kept
	restores     bool                               // whether text is a former text of the object
	surplus      *object.Visible                    // an object that the former text makes superfluous; may be nil
	member       svc.MemberID                       // the editing member
	color        svc.Optional[string]               // of a mirror
	visible      svc.Optional[view.LocalVisibility] // local visibility of a mirror
}

// Draft computes a change to an object of v.
func (s *Service) Draft(tx *store.Tx, v svc.Viewer, id string, in edit.ObjectChange) (*Draft, error) {
	var detached *object.TaskRow
	d, err := s.draft(tx, v, id, func(d *Draft, o *ics.Object) (err error) {
		if in.RestoreVersion != "" {
			return d.restore(tx, s, in)
		}
		if detached, err = s.detached(tx, d.base.CalendarID, o, in.RecurrenceID); err != nil {
			return err
		}
		if detached != nil {
			return d.rewind(tx, o, in, detached)
		}
		return d.change(tx, o, in)
	})
	if err == nil && d.err == nil && detached != nil && d.returned == nil {
		in.Scope, in.RecurrenceID, in.ETag = "", "", ""
		return s.Draft(tx, v, detached.ID, in)
	}
	return d, err
}

// DraftDeletion computes a deletion of an object of v.
func (s *Service) DraftDeletion(tx *store.Tx, v svc.Viewer, id string, in edit.Deletion) (*Draft, error) {
	return s.draft(tx, v, id, func(d *Draft, o *ics.Object) error { return d.delete(tx, o, in) })
}

func (s *Service) draft(tx *store.Tx, v svc.Viewer, id string, compute func(*Draft, *ics.Object) error) (*Draft, error) {
	base, o, err := s.objects.Open(tx, v.Member(), id)
	if err != nil {
		return nil, err
	}
	d := &Draft{base: base, member: v.Member()}
	d.err = compute(d, o)
	return d, nil
}

// check returns an error unless the object may be changed and has the ETag that
// the client expects.
func (d *Draft) check(etag string) error {
	switch {
	case !d.base.IsWritable():
		return object.ErrReadOnly
	case etag != "" && !sameETag(etag, d.base.ETag):
		return errVersionConflict
	}
	return nil
}

func (d *Draft) change(tx *store.Tx, o *ics.Object, in edit.ObjectChange) error {
	if err := d.check(in.ETag); err != nil {
		return err
	}
	if d.base.IsMirror() {
		if in.Color.Value == d.base.Info().Color {
			in.Color = svc.Optional[string]{} // a submitted form contains the color of the calendar, which must not become that of the mirror
		}
		if err := in.CheckMirror(); err != nil {
			return err
		}
		d.color, d.visible = in.Color, in.LocalVisibility
		textChange, ok := in.MirrorTextChange()
		if !ok {
			return nil
		}
		in = edit.ObjectChange{Change: textChange}
	}
	if in.CalendarID.Value == d.base.CalendarID {
		in.CalendarID = svc.Optional[string]{}
	}
	d.moveTo = in.CalendarID
	if in.Scope == "" || in.Scope == edit.All {
		d.named = in.RecurrenceID
	}
	r, err := in.Apply(o, d.location(), tx.Now())
	d.undoable = err == nil && !d.base.IsMirror() && isUndoable(o, in, r)
	return d.prepare(tx, r, err)
}

func (d *Draft) delete(tx *store.Tx, o *ics.Object, in edit.Deletion) error {
	if err := d.check(in.ETag); err != nil {
		return err
	}
	if d.base.IsMirror() {
		return object.ErrMirror
	}
	r, err := in.Apply(o, d.location(), tx.Now())
	return d.prepare(tx, r, err)
}

func (d *Draft) location() *time.Location { return svc.StoredZone(d.base.CalendarTimezone) }

// prepare completes the draft with the result of an edit.
func (d *Draft) prepare(tx *store.Tx, r edit.Result, err error) error {
	work := svc.WorkOf(tx.Context())
	if err == nil && r.Object != nil {
		d.text, err = object.PrepareCounted(work, r.Object, tx.Now())
	}
	if err == nil && r.Rest != nil {
		d.rest, err = object.PrepareCounted(work, r.Rest, tx.Now())
	}
	if err == nil && r.Detached != nil {
		d.detached, err = object.PrepareCounted(work, r.Detached, tx.Now())
	}
	if err != nil {
		return err
	}
	d.recurrenceID, d.isExcluded, d.outcome = r.RecurrenceID, r.IsExcluded, r.Outcome
	return nil
}

// appliesTo reports whether the draft was computed for the current state r of
// the object.
func (d *Draft) appliesTo(r object.Visible) bool {
	return r.ETag == d.base.ETag && r.CalendarID == d.base.CalendarID && r.Segment == d.base.Segment &&
		r.Role == d.base.Role && r.CalendarTimezone == d.base.CalendarTimezone
}

// currentDraft returns a draft for the current object: d, or a new one if d is nil
// or outdated. It returns the error of an edit that is not possible.
func (s *Service) currentDraft(tx *store.Tx, v svc.Viewer, d *Draft, compute func() (*Draft, error)) (*Draft, error) {
	if d != nil {
		if r, err := s.objects.Visible(tx, v.Member(), d.base.ID); err == nil && d.appliesTo(r) {
			rebased := *d
			rebased.base = r // columns that the edit does not depend on may have changed
			return &rebased, d.err
		}
	}
	d, err := compute()
	if err != nil {
		return nil, err
	}
	return d, d.err
}

// Patch changes an object of v. It returns the object with the occurrence that the change
// names, or the new one that the scope this_and_future creates, or that a completed occurrence
// becomes. A draft of the same change, which may be nil, saves the computation.
func (s *Service) Patch(tx *store.Tx, v svc.Viewer, id string, in edit.ObjectChange, d *Draft) (w Written, err error) {
	if in.RestoreVersion != "" {
		d = nil // it also depends on another object
	}
	d, err = s.currentDraft(tx, v, d, func() (*Draft, error) { return s.Draft(tx, v, id, in) })
	if err != nil {
		return w, err
	}
	id = d.base.ID // of an occurrence that has left its series, not that of the series
	if err := s.setDisplay(tx, d); err != nil {
		return w, err
	}
	if d.text == nil {
		w.Object, err = s.Object(tx, v, id)
		return w, err
	}
	if d.restores {
		err = s.completeRestore(tx, d)
	}
	changed := d.text.Object
	if err == nil && d.rest != nil {
		changed = d.rest.Object
		id, err = s.addRest(tx, v, d)
	}
	if err == nil && d.undoable && d.text.ETag != d.base.ETag {
		w.Undoable, err = s.keepFormer(tx, d, id)
	}
	if err == nil {
		err = s.objects.Replace(tx, d.base.CalendarID, d.base.N, d.text)
	}
	switch {
	case err != nil || d.rest != nil:
	case d.detached != nil:
		changed = d.detached.Object
		id, err = s.storeDetached(tx, v, d)
	case d.returned != nil:
		err = s.objects.Discard(tx, *d.returned)
	case d.moveTo.Set:
		err = s.move(tx, v, d.base.Row, d.moveTo.Value)
	}
	if err != nil {
		return w, err
	}
	w.Outcome = d.outcome
	w.Object, err = s.render(tx, v, id, changed, d.presentID(changed))
	return w, err
}

// presentID returns the recurrence id of the occurrence that the change has edited or named, as
// it is in the changed object o; zero for none.
func (d *Draft) presentID(o *ics.Object) ics.Time {
	if d.named == "" || !o.Recurs() {
		return d.recurrenceID
	}
	i, err := edit.FindOccurrence(o, d.named, d.location())
	if err != nil {
		i, _ = edit.FindMoved(o, d.named, d.location())
	}
	return i.RecurrenceID
}

// setDisplay changes the color of a mirror and whether it is hidden.
func (s *Service) setDisplay(tx *store.Tx, d *Draft) error {
	if !d.color.Set && !d.visible.Set {
		return nil
	}
	color, hidden := d.base.Color, d.base.Hidden
	if d.color.Set {
		color = nil
		if d.color.Value != "" {
			color = new(strings.ToLower(d.color.Value))
		}
	}
	if d.visible.Set {
		hidden = d.visible.Value == view.LocallyHidden
	}
	return s.objects.SetDisplay(tx, d.base.Row, color, hidden)
}

// addRest stores the rest of a split series and returns its id.
func (s *Service) addRest(tx *store.Tx, v svc.Viewer, d *Draft) (id string, err error) {
	calendarID := d.base.CalendarID
	if d.moveTo.Set {
		calendarID = d.moveTo.Value
	}
	c, err := s.objects.WritableCalendar(tx, v.Member(), calendarID)
	if err == nil {
		err = s.objects.CheckAccepts(tx, v.Member(), c, d.rest.Object.Component, "calendar_id")
	}
	if err != nil {
		return "", err
	}
	return s.objects.Add(tx, c, "", d.rest)
}

// move moves an object to another calendar of v.
func (s *Service) move(tx *store.Tx, v svc.Viewer, r object.Row, calendarID string) error {
	to, err := s.objects.WritableCalendar(tx, v.Member(), calendarID)
	if err != nil || to.ID == r.CalendarID {
		return err
	}
	if err := s.objects.CheckAccepts(tx, v.Member(), to, r.Component, "calendar_id"); err != nil {
		return err
	}
	segment, err := s.objects.FreeSegment(tx, to.ID, r.Segment, r.ID, r.UID)
	if err != nil {
		return err
	}
	return s.objects.Move(tx, r, to, segment)
}

// render returns an object that was just stored: one occurrence of it, or the
// whole if recurrenceID is the zero Time.
func (s *Service) render(tx *store.Tx, v svc.Viewer, id string, o *ics.Object, recurrenceID ics.Time) (view.Object, error) {
	r, err := s.objects.Visible(tx, v.Member(), id)
	if err != nil {
		return view.Object{}, err
	}
	loc := svc.StoredZone(r.CalendarTimezone)
	if !recurrenceID.IsZero() {
		if i, found := o.FindInstance(recurrenceID, loc); found {
			return view.Render(v.Language(), r.Info(), o, i.Component, &i), nil
		}
	}
	return view.Series(v.Language(), r.Info(), o, tx.Now(), loc), nil
}

// DeletionResult contains the parts of a deletion that can be restored.
type DeletionResult struct {
	Trashed    *TrashEntry // the object, if it is in the trash of the viewer; else nil
	Occurrence string      // the recurrence id of an excluded occurrence of a series; "" for none
}

// Delete deletes an object of v, or some of its occurrences. A draft of the same
// deletion, which may be nil, saves the computation.
func (s *Service) Delete(tx *store.Tx, v svc.Viewer, id string, in edit.Deletion, d *Draft) error {
	_, err := s.DeleteReversibly(tx, v, id, in, d)
	return err
}

// DeleteReversibly is like [Service.Delete], but also returns the parts that can
// be restored.
func (s *Service) DeleteReversibly(tx *store.Tx, v svc.Viewer, id string, in edit.Deletion, d *Draft) (r DeletionResult, err error) {
	d, err = s.currentDraft(tx, v, d, func() (*Draft, error) { return s.DraftDeletion(tx, v, id, in) })
	switch {
	case err != nil:
		return r, err
	case d.text == nil:
		if err := s.objects.Remove(tx, d.base.Row); err != nil {
			return r, err
		}
		r.Trashed, err = s.TrashEntry(tx, v, id)
		return r, err
	case d.isExcluded:
		r.Occurrence = view.FormatTime(d.recurrenceID)
	}
	return r, s.objects.Replace(tx, d.base.CalendarID, d.base.N, d.text)
}
