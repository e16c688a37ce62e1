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

// MemberDeleted removes a member from their threads. The other member keeps the
// messages of both. A thread without members is orphaned: [Service.Sweep]
// deletes it.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	for _, q := range []store.Query{s.q.sweep.DecrementMemberCount, s.q.sweep.DeleteParticipants} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
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
