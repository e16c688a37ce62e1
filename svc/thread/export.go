package thread

import (
	"math"

	"appliance/store"
	"appliance/svc"
)

// ExportBatch limits the threads or messages that an export holds in memory.
const ExportBatch = 500

// EachBatch calls visit with all threads of member, latest first, in batches.
func (s *Store) EachBatch(tx *store.Tx, member svc.MemberID, visit func([]Thread) error) error {
	for before := int64(math.MaxInt64); ; {
		list, err := s.Page(tx, member, before, ExportBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		if err := visit(list); err != nil {
			return err
		}
		before = list[len(list)-1].Position
	}
}

// EachMessage calls visit with all messages in the threads of member, thread by
// thread, latest first.
func (s *Store) EachMessage(tx *store.Tx, member svc.MemberID, visit func(Message) error) error {
	return s.EachBatch(tx, member, func(list []Thread) error {
		for _, t := range list {
			if err := s.eachMessageOf(tx, t.ID, visit); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) eachMessageOf(tx *store.Tx, thread string, visit func(Message) error) error {
	for before := int64(math.MaxInt64); ; {
		list, err := s.messages(tx, thread, before, ExportBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, m := range list {
			if err := visit(m); err != nil {
				return err
			}
		}
		before = list[len(list)-1].Seq
	}
}
