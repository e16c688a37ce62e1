package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// StartRequest sends a message to a member.
type StartRequest struct {
	Recipient Recipients `json:"recipient"`
	Body      string     `json:"body"`
	extraParticipants
}

// SendRequest sends a message in an existing thread.
type SendRequest struct {
	Body string `json:"body"`
	extraParticipants
}

// Start sends a message to a member. It creates the thread of the two members
// if they have none.
func (s *Service) Start(tx *store.Tx, v svc.Viewer, in StartRequest) (sent thread.Sent, err error) {
	if err := in.check(); err != nil {
		return sent, err
	}
	var resolve thread.Resolve
	if names := in.Recipient.distinct(); len(names) > 0 {
		resolve = func(hidden []svc.MemberID) (svc.MemberID, error) { return s.resolve(tx, v, names, hidden) }
	}
	return s.Service.Start(tx, v, resolve, in.Body)
}

// Send sends a message in a thread of v.
func (s *Service) Send(tx *store.Tx, v svc.Viewer, id string, in SendRequest) (sent thread.Sent, err error) {
	if in.check() == nil {
		return s.Service.Send(tx, v, id, in.Body)
	}
	if _, err := s.Thread(tx, v, id); err != nil {
		return sent, err
	}
	return sent, in.check()
}

// addToIndex adds a new message to the search index.
func (s *Service) addToIndex(tx *store.Tx, m thread.MessageRow, recipient svc.MemberID) error {
	_, err := tx.Exec(s.q.AddToIndex, store.Args{"row": m.RowID, "terms": indexTerms(m.Body, m.Sender, recipient)})
	return err
}
