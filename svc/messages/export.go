package messages

import (
	"math"

	"appliance/store"
	"appliance/svc"
)

// exportBatch is the number of threads or messages that an export reads at a
// time.
const exportBatch = 500

// ExportThreads calls add with every thread of a member, the latest first.
func (s *Service) ExportThreads(tx *store.Tx, member svc.MemberID, add func(Thread) error) error {
	return s.eachBatch(tx, member, func(rows []threadRow) error {
		threads, err := s.loadThreads(tx, member, rows)
		if err != nil {
			return err
		}
		for _, t := range threads {
			if err := add(t); err != nil {
				return err
			}
		}
		return nil
	})
}

// ExportMessages calls add with every message in the threads of a member,
// thread by thread, the latest message first.
func (s *Service) ExportMessages(tx *store.Tx, member svc.MemberID, add func(Message) error) error {
	return s.eachBatch(tx, member, func(rows []threadRow) error {
		for _, r := range rows {
			if err := s.exportThread(tx, r.ID, add); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) exportThread(tx *store.Tx, thread string, add func(Message) error) error {
	for before := int64(math.MaxInt64); ; {
		rows, err := s.messagesBefore(tx, thread, before, exportBatch)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := add(r.message()); err != nil {
				return err
			}
		}
		before = rows[len(rows)-1].Seq
	}
}

// eachBatch calls visit with the threads of a member, a batch at a time.
func (s *Service) eachBatch(tx *store.Tx, member svc.MemberID, visit func([]threadRow) error) error {
	for before := int64(math.MaxInt64); ; {
		rows, err := s.inboxRows(tx, member, before, exportBatch)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := visit(rows); err != nil {
			return err
		}
		before = rows[len(rows)-1].Position
	}
}
