package messages

import (
	"appliance/store"
	"appliance/svc"
)

// MemberDeleted takes a member who leaves out of their threads. What they wrote stays
// with those they wrote to, until those have left as well; then [Service.Sweep]
// deletes it.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	for _, q := range []store.Query{s.q.LeaveThreads, s.q.Leave} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return nil
}

// sweepAtOnce is how many messages one write deletes.
const sweepAtOnce = 500

// Sweep deletes some of what nobody has any more. It reports whether there may
// be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	var id string
	if err := tx.Get(&id, s.q.Abandoned, nil); err != nil {
		if store.IsNoRows(err) {
			err = nil
		}
		return false, err
	}
	n, err := tx.Exec(s.q.DeleteMessages, store.Args{"thread": id, "most": sweepAtOnce})
	if err == nil && n == 0 {
		_, err = tx.Exec(s.q.DeleteThread, store.Args{"id": id})
	}
	return true, err
}
