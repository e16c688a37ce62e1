package calendar

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/object"
)

// Deletion is the progress of the deletion of a calendar.
type Deletion struct {
	More    bool        // whether objects remain, which another write must move
	Failed  error       // if set, the deletion has ended, and the remaining objects stay in the calendar
	Moved   int         // number of objects that have moved to the calendar moveTo
	Trashed *TrashEntry // set if no object has moved, so that restoring this entry undoes the deletion
}

// pendingDeletion is a row of calendar_deletion.
type pendingDeletion struct {
	Target string `db:"target_id"`
	Moved  int    `db:"moved"`

	exists bool
}

var errDeletionPending = svc.FieldError(svc.AlreadyExists, "move_to", "This calendar is being deleted, and its entries move to another calendar.")

// DeleteCalendar moves a calendar of v to the trash, with its objects unless moveTo names another
// calendar for them. Mirrors move to the default calendar: they belong to Social events.
//
// One write moves a limited number of objects. If objects remain, the calendar stays visible with
// them, and the caller must call DeleteCalendar again with the same arguments before it calls the
// end func of [Service.BeginDeletion]. Otherwise [Service.ContinueDeletion] continues the deletion.
func (s *Service) DeleteCalendar(tx *store.Tx, v svc.Viewer, id, moveTo string) (Deletion, error) {
	return s.deleteCalendar(tx, v.Member(), id, moveTo)
}

// ContinueDeletion continues a pending deletion. It does nothing if the deletion is not pending any
// more: a request may have completed it, or ended it and kept the calendar.
func (s *Service) ContinueDeletion(tx *store.Tx, p PendingDeletion) (Deletion, error) {
	pending, err := s.pendingDeletion(tx, p.Calendar, "")
	if err != nil || !pending.exists {
		return Deletion{}, err
	}
	return s.deleteCalendar(tx, p.Owner, p.Calendar, "")
}

func (s *Service) deleteCalendar(tx *store.Tx, member svc.MemberID, id, moveTo string) (d Deletion, err error) {
	c, err := s.deletableCalendar(tx, member, id)
	if err != nil {
		return d, err
	}
	p, err := s.pendingDeletion(tx, id, moveTo)
	if err != nil {
		return d, err
	}
	moving, err := s.nextBatch(tx, member, c, p)
	if err != nil && p.exists && svc.KindOf(err) != svc.Internal {
		d.Failed = err
		return d, s.EndDeletion(tx, id)
	}
	if err != nil {
		return d, err
	}
	moved, err := s.objects.MoveObjects(tx, moving)
	if err != nil {
		return d, err
	}
	p.Moved += moved
	if p.Target != "" {
		d.Moved = p.Moved
	}
	if d.More = moving.More; d.More {
		_, err = tx.Exec(s.q.PutDeletion, store.Args{"calendar": id, "target": p.Target, "moved": p.Moved})
		return d, err
	}
	if err := s.trashCalendar(tx, member, c); err != nil || p.Moved > 0 {
		return d, err
	}
	d.Trashed, err = s.trashEntry(tx, member, id)
	return d, err
}

// CheckDeletable returns an error unless v may delete a calendar.
func (s *Service) CheckDeletable(tx *store.Tx, v svc.Viewer, id string) error {
	_, err := s.deletableCalendar(tx, v.Member(), id)
	return err
}

// deletableCalendar returns a calendar if the member may delete it.
func (s *Service) deletableCalendar(tx *store.Tx, member svc.MemberID, id string) (object.Calendar, error) {
	c, err := s.objects.Calendar(tx, member, id)
	switch {
	case err != nil:
	case c.Owner != member:
		err = svc.Errorf(svc.PermissionDenied, "Only the owner can delete this calendar.")
	case c.IsDefault:
		err = svc.Errorf(svc.DefaultCalendar, "You cannot delete your default calendar. You can rename it, or delete the entries in it.")
	}
	return c, err
}

// pendingDeletion returns the pending deletion of a calendar, or a new one. If moveTo is "", a
// pending deletion may have any target.
func (s *Service) pendingDeletion(tx *store.Tx, id, moveTo string) (p pendingDeletion, err error) {
	switch err := tx.Get(&p, s.q.Deletion, store.Args{"calendar": id}); {
	case store.IsNoRows(err):
		return pendingDeletion{Target: moveTo}, nil
	case err != nil:
		return p, err
	}
	if moveTo != "" && moveTo != p.Target {
		return p, errDeletionPending
	}
	p.exists = true
	return p, nil
}

// nextBatch returns the next objects to move. Before the first batch, it checks that all objects
// can move.
func (s *Service) nextBatch(tx *store.Tx, member svc.MemberID, c object.Calendar, p pendingDeletion) (m object.MoveBatch, err error) {
	to, err := s.deletionTarget(tx, member, c, p)
	if err != nil {
		return m, err
	}
	onlyMirrors := p.Target == ""
	if m, err = s.objects.NextMoveBatch(tx, c, to, onlyMirrors); err != nil {
		return m, err
	}
	components := m.Components()
	if m.More && !p.exists {
		if err := s.objects.CheckUIDs(tx, c.ID, to.ID, onlyMirrors); err != nil {
			return m, err
		}
		if err := tx.Select(&components, s.q.ComponentsOf, store.Args{"calendar": c.ID, "limit": object.MaxChecked}); err != nil {
			return m, err
		}
	}
	if onlyMirrors {
		return m, nil
	}
	for _, component := range components {
		if err := s.objects.CheckAccepts(tx, member, to, component, "move_to"); err != nil {
			return m, err
		}
	}
	return m, nil
}

// deletionTarget returns the calendar to which the objects of c move.
func (s *Service) deletionTarget(tx *store.Tx, member svc.MemberID, c object.Calendar, p pendingDeletion) (object.Calendar, error) {
	if p.Target == c.ID {
		return c, svc.FieldError(svc.InvalidValue, "move_to", "Choose another calendar for the entries.")
	}
	to, err := s.objects.WritableCalendar(tx, member, p.Target)
	if err != nil || to.IsDefault {
		return to, err
	}
	other, err := s.pendingDeletion(tx, to.ID, "")
	if err == nil && other.exists { // two pending deletions could move objects back and forth without end
		err = svc.FieldError(svc.InvalidValue, "move_to", "That calendar is being deleted. Choose another calendar.")
	}
	return to, err
}

// trashCalendar moves a calendar to the trash and revokes all access to it.
func (s *Service) trashCalendar(tx *store.Tx, member svc.MemberID, c object.Calendar) error {
	if err := s.objects.TouchReaders(tx, c.ID); err != nil {
		return err
	}
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		q    store.Query
		args store.Args
	}{
		{s.q.EndDeletion, store.Args{"calendar": c.ID}},
		{s.q.AddHomeTombstones, store.Args{"calendar": c.ID, "home_seq": homeSeq}},
		{s.q.EnsureTrash, store.Args{"member": member}},
		{s.q.TrashCalendar, store.Args{"id": c.ID, "member": member, "segment": c.Segment, "now": store.MillisOf(tx.Now())}},
		{s.q.RevokeAllAccess, store.Args{"id": c.ID}},
	} {
		if _, err := tx.Exec(step.q, step.args); err != nil {
			return err
		}
	}
	return nil
}

// EndDeletion ends the deletion of a calendar. The calendar stays with its remaining objects.
func (s *Service) EndDeletion(tx *store.Tx, id string) error {
	_, err := tx.Exec(s.q.EndDeletion, store.Args{"calendar": id})
	return err
}

// PendingDeletion identifies a calendar with a pending deletion: some objects have moved, others
// remain.
type PendingDeletion struct {
	Calendar string       `db:"calendar_id"`
	Owner    svc.MemberID `db:"owner_id"`
}

// PendingDeletions returns the deletions that have begun and have not ended.
func (s *Service) PendingDeletions(tx *store.Tx) (list []PendingDeletion, err error) {
	err = tx.Select(&list, s.q.Deletions, nil)
	return list, err
}

// BeginDeletion prevents [Service.TryContinue] from continuing deletions until end is called. A
// request calls it before the first DeleteCalendar.
func (s *Service) BeginDeletion() (end func()) {
	s.deleting.RLock()
	return func() {
		s.deleting.RUnlock()
		if s.onDeletion != nil {
			s.onDeletion()
		}
	}
}

// OnDeletion sets the func that is called at the end of a request that may have left a deletion to
// [Service.ContinueDeletion].
func (s *Service) OnDeletion(f func()) { s.onDeletion = f }

// TryContinue calls resume, which continues deletions, unless a request is deleting a calendar. It
// reports whether it called resume.
func (s *Service) TryContinue(resume func() error) (done bool, err error) {
	if !s.deleting.TryLock() {
		return false, nil
	}
	defer s.deleting.Unlock()
	return true, resume()
}
