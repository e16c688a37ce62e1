package thread

import (
	"math"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// ExportBatch limits the threads or messages that an export holds in memory.
const ExportBatch = 500

// EachThread calls visit with every thread of a member, the latest first.
func (s *Service) EachThread(tx *store.Tx, member svc.MemberID, visit func(Thread) error) error {
	for before := int64(math.MaxInt64); ; {
		list, err := s.threadsBefore(tx, words.English, member, before, ExportBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, t := range list {
			if err := visit(t); err != nil {
				return err
			}
		}
		before = list[len(list)-1].position
	}
}

// EachMessage calls visit with every message in the threads of a member, thread by
// thread, the latest message first. It looks up no mentions.
func (s *Service) EachMessage(tx *store.Tx, member svc.MemberID, visit func(Message) error) error {
	return s.EachThread(tx, member, func(t Thread) error {
		for before := int64(math.MaxInt64); ; {
			list, err := s.messagesBefore(tx, t.ID, before, ExportBatch)
			if err != nil || len(list) == 0 {
				return err
			}
			for _, m := range list {
				if err := visit(m.message(nil)); err != nil {
					return err
				}
			}
			before = list[len(list)-1].Seq
		}
	})
}

// DeleteData removes a deleted member from their threads, and deletes threads without participants,
// at most limit rows. It returns the number of rows. The other member keeps the messages of both.
func (s *Service) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (rows int, err error) {
	return tx.ExecUpTo(limit, store.Args{"member": member}, s.q.LeaveThreads, s.q.DeleteOrphanedMessages, s.q.DeleteOrphanedThreads)
}
