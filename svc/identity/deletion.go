package identity

import (
	"appliance/store"
	"appliance/svc"
)

type deletionQueries struct {
	AddDeletion        store.Query `sql:"add-deletion"`
	NextDeletion       store.Query `sql:"next-deletion"`
	EndDeletion        store.Query `sql:"end-deletion"`
	DeleteSignIns      store.Query `sql:"delete-sign-ins"`
	DeleteAuditDetails store.Query `sql:"delete-audit-details"`
}

// Limits of one write of a deletion.
const (
	maxDeletedRows = 400 // that DeleteData deletes; triggers and references change a few more for each
	maxStatements  = 30  // of the write of Delete before which it may delete data at once
)

// OnDeletion makes f run after each write that requires [Service.DeleteData].
func (s *Service) OnDeletion(f func()) { s.onDeletion = f }

// startDeletion records that the data of a deleted member has to be deleted. Little data is
// deleted in the same write.
func (s *Service) startDeletion(tx *store.Tx, id svc.MemberID) error {
	if _, err := tx.Exec(s.q.AddDeletion, store.Args{"member": id, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	more := true
	if tx.Statements() < maxStatements {
		var err error
		if more, err = s.deleteDataOf(tx, id); err != nil {
			return err
		}
	}
	if more && s.onDeletion != nil {
		tx.AfterCommit(s.onDeletion)
	}
	return nil
}

// DeleteData deletes a batch of the data of deleted members. It reports whether there may be
// more.
func (s *Service) DeleteData(tx *store.Tx) (more bool, err error) {
	var id svc.MemberID
	if err := tx.Get(&id, s.q.NextDeletion, nil); err != nil {
		if store.IsNoRows(err) {
			err = nil
		}
		return false, err
	}
	_, err = s.deleteDataOf(tx, id)
	return true, err
}

// deleteDataOf deletes a batch of the data of a deleted member, and the record of the deletion
// with the last one.
func (s *Service) deleteDataOf(tx *store.Tx, id svc.MemberID) (more bool, err error) {
	tx.Touch(svc.MemberDeleted, store.Everyone)
	left := maxDeletedRows
	for _, h := range s.hooks {
		if h.DeleteData == nil {
			continue
		}
		n, err := h.DeleteData(tx, id, left)
		if err != nil {
			return false, err
		}
		if left -= n; left <= 0 {
			return true, nil
		}
	}
	n, err := tx.ExecUpTo(left, store.Args{"member": id}, s.q.DeleteSignIns, s.q.DeleteAuditDetails)
	if err != nil || n >= left {
		return true, err
	}
	_, err = tx.Exec(s.q.EndDeletion, store.Args{"member": id})
	return false, err
}
