package calendar

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// undoAge is the time for which a change of a series can be undone.
const undoAge = 10 * time.Minute

// Undoable names the text to which a change of a series can be undone:
// [edit.ObjectChange.RestoreVersion] restores it.
type Undoable struct {
	ID    string    // of the object
	ETag  string    // of the text
	Until time.Time // when the text is no longer kept
}

// formerRow is a row of calendar_former.
type formerRow struct {
	ETag     string  `db:"etag"`
	NextETag string  `db:"next_etag"`
	RestID   *string `db:"rest_id"`
	RestETag *string `db:"rest_etag"`
	Data     []byte  `db:"data"`
}

var errNotKept = svc.FieldError(svc.NotFound, "restore_version", "This change can no longer be undone.")

// keepFormer keeps the present text of an object before the write of d. restID is that
// of the object with the rest of a split series.
func (s *Service) keepFormer(tx *store.Tx, d *Draft, restID string) (*Undoable, error) {
	args := store.Args{
		"n": d.base.N, "etag": d.base.ETag, "next": d.text.ETag, "rest": nil, "rest_etag": nil, "expires": store.MillisOf(tx.Now().Add(undoAge)),
	}
	if d.rest != nil {
		args["rest"], args["rest_etag"] = restID, d.rest.ETag
	}
	_, err := tx.Exec(s.q.KeepFormer, args)
	return &Undoable{d.base.ID, d.base.ETag, tx.Now().Add(undoAge)}, err
}

// isUndoable reports whether a change of o to the result r is one of a series, which a
// member cannot undo by another change.
func isUndoable(o *ics.Object, in edit.ObjectChange, r edit.Result) bool {
	return in.ChangesSchedule() && !in.CalendarID.Set && (o.Recurs() || r.Object.Recurs())
}

// restore prepares the return to a former text of the object. It changes nothing if the
// object already has it.
func (d *Draft) restore(tx *store.Tx, s *Service, in edit.ObjectChange) error {
	etag := in.RestoreVersion
	if err := d.check(in.ETag); err != nil || etag == d.base.ETag {
		return err
	}
	var f formerRow
	err := tx.Get(&f, s.q.Former, store.Args{"n": d.base.N, "etag": etag, "now": store.MillisOf(tx.Now())})
	switch {
	case store.IsNoRows(err):
		return errNotKept
	case err != nil:
		return err
	case f.NextETag != d.base.ETag:
		return errVersionConflict
	}
	if f.RestID != nil {
		rest, err := s.objects.Visible(tx, d.member, *f.RestID)
		if err != nil || rest.ETag != *f.RestETag {
			return errVersionConflict // it was changed or deleted meanwhile
		}
		d.surplus = &rest
	}
	work := svc.WorkOf(tx.Context())
	o, err := ics.ParseCounted(work, f.Data)
	if err == nil {
		d.text, err = object.PrepareCounted(work, o, tx.Now())
	}
	d.restores = true
	return err
}

// completeRestore removes what restore makes superfluous.
func (s *Service) completeRestore(tx *store.Tx, d *Draft) error {
	if d.surplus != nil {
		if err := s.objects.Discard(tx, d.surplus.Row); err != nil {
			return err
		}
	}
	_, err := tx.Exec(s.q.ForgetFormer, store.Args{"n": d.base.N})
	return err
}
