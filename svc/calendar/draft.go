package calendar

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Draft is a change to an entry, worked out to the last octet. That may take a
// tenth of a second, for which nobody shall wait: it can be made in a read
// transaction, ahead of the write, which then only stores it. If the entry is
// another one by then, the write makes its own.
type Draft struct {
	row viewed // the entry as it was
	err error  // why the change cannot be made

	entry  *Entry // what takes its place; nil if it is deleted
	stays  bool   // its octets do not change
	tinted Change // what of a mirror is in columns
	rest   *Entry // a new entry that has the rest of the series, if it is cut in two

	moves    bool   // the entry, or the rest, goes
	calendar string // there
	about    ics.Time
}

// Draft makes the draft of a change to an entry of v's.
func (s *Service) Draft(tx *store.Tx, v svc.Viewer, id string, in ObjectChange) (*Draft, error) {
	return s.draft(tx, v, id, func(d *Draft, o *ics.Object) error { return d.change(o, in, tx.Now()) })
}

// DraftDeletion makes the draft of a deletion.
func (s *Service) DraftDeletion(tx *store.Tx, v svc.Viewer, id string, in Deletion) (*Draft, error) {
	return s.draft(tx, v, id, func(d *Draft, o *ics.Object) error { return d.delete(o, in, tx.Now()) })
}

func (s *Service) draft(tx *store.Tx, v svc.Viewer, id string, work func(*Draft, *ics.Object) error) (*Draft, error) {
	row, o, err := s.viewed(tx, v, id)
	if err != nil {
		return nil, err
	}
	d := &Draft{row: row}
	d.err = work(d, o)
	return d, nil
}

// holds reports whether the draft is about the entry as it is now.
func (s *Service) holds(tx *store.Tx, v svc.Viewer, d *Draft) (bool, error) {
	var row viewed
	err := tx.Get(&row, s.q.Object, store.Args{"member": v.Member(), "id": d.row.ID})
	if store.IsNoRows(err) {
		return false, nil
	}
	old := d.row
	d.row = row
	return row.ETag == old.ETag && row.CalendarID == old.CalendarID && row.Segment == old.Segment && row.Role == old.Role && row.Zone == old.Zone, err
}

// Patch changes an entry of v's. The answer is the entry, or the new one that
// "this_and_future" makes. A draft of the same change, nil for none, saves the
// work.
func (s *Service) Patch(tx *store.Tx, v svc.Viewer, id string, in ObjectChange, d *Draft) (Object, error) {
	d, err := s.fresh(tx, v, d, func() (*Draft, error) { return s.Draft(tx, v, id, in) })
	if err != nil {
		return Object{}, err
	}
	if err := s.tint(tx, d.row, d.tinted); err != nil {
		return Object{}, err
	}
	if d.stays {
		return s.Object(tx, v, id)
	}
	if err := s.replace(tx, d.row.CalendarID, d.row.N, d.entry); err != nil {
		return Object{}, err
	}
	shown := d.entry.object
	switch {
	case d.rest != nil:
		target, err := s.writable(tx, v, d.calendar)
		if err != nil {
			return Object{}, err
		}
		if id, err = s.add(tx, target, "", d.rest); err != nil {
			return Object{}, err
		}
		shown = d.rest.object
	case d.moves:
		if err := s.move(tx, v, d.row, d.calendar); err != nil {
			return Object{}, err
		}
	}
	return s.shown(tx, v, id, shown, d.about)
}

// fresh returns a draft that holds: d, or the one that again makes.
func (s *Service) fresh(tx *store.Tx, v svc.Viewer, d *Draft, again func() (*Draft, error)) (*Draft, error) {
	ok, err := false, error(nil)
	if d != nil {
		ok, err = s.holds(tx, v, d)
	}
	if err == nil && !ok {
		d, err = again()
	}
	if err == nil {
		err = d.err
	}
	return d, err
}

// shown makes the contract of an entry that was just stored: of one instance,
// or of all if about is none.
func (s *Service) shown(tx *store.Tx, v svc.Viewer, id string, o *ics.Object, about ics.Time) (Object, error) {
	var row viewed
	if err := tx.Get(&row, s.q.Object, store.Args{"member": v.Member(), "id": id}); err != nil {
		return Object{}, err
	}
	loc := svc.StoredZone(row.Zone)
	if !about.IsZero() {
		if i, found := o.FindInstance(about, loc); found {
			return row.instance(o, i), nil
		}
	}
	return row.series(o, tx.Now(), loc), nil
}

// change works out a change.
func (d *Draft) change(o *ics.Object, in ObjectChange, now time.Time) error {
	if err := d.changeable(in.ETag); err != nil {
		return err
	}
	if d.row.Source != nil {
		return d.changeMirror(o, in, now)
	}
	i, err := in.instance(o, d.row)
	if err != nil {
		return err
	}
	switch in.Scope {
	case "", "all":
		return d.changeAll(o, ics.Instance{}, in.Change, now)
	case "this":
		return d.changeOne(o, i, in.Change, now)
	}
	return d.changeFuture(o, i, in.Change, now)
}

func (d *Draft) changeable(etag string) error {
	switch {
	case d.row.Role == "read":
		return errReadOnly
	case etag != "" && !sameETag(etag, d.row.ETag):
		return errStale
	}
	return nil
}

func (d *Draft) changeAll(o *ics.Object, first ics.Instance, change Change, now time.Time) error {
	raw, err := edited(o, first, change, now)
	if err == nil {
		d.entry, err = prepare(raw, now)
	}
	d.moves, d.calendar = change.CalendarID.Set, change.CalendarID.Value
	return err
}

func (d *Draft) changeOne(o *ics.Object, i ics.Instance, change Change, now time.Time) error {
	doc := o.Edit()
	e := editorOf(o, i.Component, doc, doc.Override(i), i.Start, i.End, now)
	e.master = false
	err := e.apply(change)
	if err == nil {
		d.entry, err = prepare(doc.Bytes(), now)
	}
	d.about = i.RecurrenceID
	return err
}

// changeFuture cuts a series in two and changes the second part, which is an
// entry of its own from then on.
func (d *Draft) changeFuture(o *ics.Object, i ics.Instance, change Change, now time.Time) error {
	before, after, err := o.Split(i, svc.NewID("uid")+"@appliance")
	if err != nil {
		return svc.FieldError(svc.InvalidValue, "scope", "This cannot be done to this entry: %v.", err)
	}
	if before == nil { // from the first instance on: all of it
		return d.changeAll(o, i, change, now)
	}
	rest, err := ics.Parse(after)
	if err != nil {
		return err
	}
	raw, err := edited(rest, i, change, now)
	if err != nil {
		return err
	}
	if d.rest, err = prepare(raw, now); err != nil {
		return err
	}
	d.calendar = d.row.CalendarID
	if change.CalendarID.Set {
		d.calendar = change.CalendarID.Value
	}
	d.entry, err = prepare(stamped(before, now), now)
	return err
}

// Deletion says what of an entry to delete.
type Deletion struct {
	Scope        string
	RecurrenceID string
	ETag         string
}

// Delete deletes an entry of v's, or instances of it. A draft of the same
// deletion, nil for none, saves the work.
func (s *Service) Delete(tx *store.Tx, v svc.Viewer, id string, in Deletion, d *Draft) error {
	d, err := s.fresh(tx, v, d, func() (*Draft, error) { return s.DraftDeletion(tx, v, id, in) })
	switch {
	case err != nil:
		return err
	case d.entry == nil:
		return s.remove(tx, d.row.CalendarID, d.row.Segment, d.row.N)
	}
	return s.replace(tx, d.row.CalendarID, d.row.N, d.entry)
}

// delete works out a deletion.
func (d *Draft) delete(o *ics.Object, del Deletion, now time.Time) error {
	if err := d.changeable(del.ETag); err != nil {
		return err
	}
	if d.row.Source != nil {
		return errMirror
	}
	in := ObjectChange{Scope: del.Scope, RecurrenceID: del.RecurrenceID}
	i, err := in.instance(o, d.row)
	if err != nil {
		return err
	}
	var left []byte
	switch del.Scope {
	case "this":
		doc := o.Edit()
		doc.Exclude(i)
		left = stamped(doc.Bytes(), now)
		if len(doc.Calendar.Blocks(o.Component)) == 0 {
			left = nil
		}
	case "this_and_future":
		before, _, err := o.Split(i, "unused")
		if err != nil {
			return svc.FieldError(svc.InvalidValue, "scope", "This cannot be done to this entry: %v.", err)
		}
		if before != nil {
			left = stamped(before, now)
		}
	}
	if left != nil {
		d.entry, err = prepare(left, now)
	}
	return err
}
