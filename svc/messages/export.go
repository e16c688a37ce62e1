package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// ExportThreads calls add with every thread of a member, the latest first.
func (s *Service) ExportThreads(tx *store.Tx, member svc.MemberID, add func(Thread) error) error {
	return s.threads.EachBatch(tx, member, func(rows []thread.Thread) error {
		threads, err := s.completeThreads(tx, words.English, member, rows)
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
// thread by thread, the latest message first. It looks up no mentions.
func (s *Service) ExportMessages(tx *store.Tx, member svc.MemberID, add func(Message) error) error {
	return s.threads.EachMessage(tx, member, func(m thread.Message) error { return add(newMessage(m, nil)) })
}
