package messages

import (
	"math"

	"appliance/store"
	"appliance/svc"
)

// portion is how many threads or messages an export has in memory at once.
const portion = 500

// ExportThreads shows all threads of a member.
func (s *Service) ExportThreads(tx *store.Tx, member svc.MemberID, show func(Thread) error) error {
	return s.eachPortion(tx, member, func(rows []threadRow) error {
		threads, err := s.threads(tx, member, rows)
		for _, t := range threads {
			if err == nil {
				err = show(t)
			}
		}
		return err
	})
}

// ExportMessages shows all messages in the threads of a member, those of a thread
// together, the latest first.
func (s *Service) ExportMessages(tx *store.Tx, member svc.MemberID, show func(Message) error) error {
	return s.eachPortion(tx, member, func(rows []threadRow) error {
		for _, r := range rows {
			if err := s.exportThread(tx, r.ID, show); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) exportThread(tx *store.Tx, thread string, show func(Message) error) error {
	for before := int64(math.MaxInt64); ; {
		var rows []messageRow
		err := tx.Select(&rows, s.q.Messages, store.Args{"thread": thread, "before": before, "limit": portion})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := show(r.message()); err != nil {
				return err
			}
		}
		before = rows[len(rows)-1].Seq
	}
}

// eachPortion shows visit the threads of a member, some at a time.
func (s *Service) eachPortion(tx *store.Tx, member svc.MemberID, visit func([]threadRow) error) error {
	for before := int64(math.MaxInt64); ; {
		rows, err := s.inbox(tx, member, before, portion)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := visit(rows); err != nil {
			return err
		}
		before = rows[len(rows)-1].Place
	}
}
