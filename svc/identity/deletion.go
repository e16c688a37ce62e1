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
	DeleteZones        store.Query `sql:"delete-declined-zones"`
}

// maxDeletedRows limits the rows of one write of DeleteData. Triggers and foreign keys change a few
// more rows for each of them.
const maxDeletedRows = 400

// OnDeletion makes f run after each write that requires [Service.DeleteData].
func (s *Service) OnDeletion(f func()) { s.onDeletion = f }

// startDeletion records that the data of a deleted member has to be deleted.
func (s *Service) startDeletion(tx *store.Tx, id svc.MemberID) error {
	if s.onDeletion != nil {
		tx.AfterCommit(s.onDeletion)
	}
	_, err := tx.Exec(s.q.AddDeletion, store.Args{"member": id, "now": store.MillisOf(tx.Now())})
	return err
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
	left := maxDeletedRows
	tx.Touch(svc.MemberDeleted, store.Everyone)
	for _, h := range s.hooks {
		if h.DeleteData == nil {
			continue
		}
		n, err := h.DeleteData(tx, id, left)
		if left -= n; err != nil || left <= 0 {
			return true, err
		}
	}
	n, err := tx.ExecUpTo(left, store.Args{"member": id}, s.q.DeleteSignIns, s.q.DeleteAuditDetails, s.q.DeleteZones)
	if err == nil && n < left {
		_, err = tx.Exec(s.q.EndDeletion, store.Args{"member": id})
	}
	return true, err
}
