package messages

import (
	"appliance/store"
	"appliance/svc"
)

// sweepQueries remove deleted members and orphaned threads.
type sweepQueries struct {
	DecrementMemberCount store.Query `sql:"decrement-member-count"`
	DeleteParticipants   store.Query `sql:"delete-participants"`
	OrphanedThread       store.Query `sql:"orphaned-thread"`
	DeleteMessages       store.Query `sql:"delete-messages"`
	DeleteThread         store.Query `sql:"delete-thread"`
}

// DeleteData removes a deleted member from at most limit of their threads and returns the
// number. The other member keeps the messages of both. A thread without members is orphaned:
// [Service.Sweep] deletes it.
func (s *Service) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (threads int, err error) {
	if _, err := tx.Exec(s.q.sweep.DecrementMemberCount, store.Args{"member": member, "limit": limit}); err != nil {
		return 0, err
	}
	return tx.ExecUpTo(limit, store.Args{"member": member}, s.q.sweep.DeleteParticipants)
}

// sweepBatch limits the messages that one call of Sweep deletes.
const sweepBatch = 400

// Sweep deletes a batch of messages of an orphaned thread, or the thread once it
// has no messages. It reports whether to call it again.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	var thread string
	err = tx.Get(&thread, s.q.sweep.OrphanedThread, nil)
	if store.IsNoRows(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(s.q.sweep.DeleteMessages, store.Args{"thread": thread, "limit": sweepBatch})
	if err == nil && n == 0 {
		_, err = tx.Exec(s.q.sweep.DeleteThread, store.Args{"id": thread})
	}
	return true, err
}
