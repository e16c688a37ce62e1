package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// Service is the Messages service. It keeps all state in the database.
type Service struct {
	*thread.Service
	members Members
	q       queries
}

// queries are the statements of sql/queries/messages.sql.
type queries struct {
	ThreadExists store.Query `sql:"thread-exists"`
	AddToIndex   store.Query `sql:"add-to-index"`
	Search       store.Query `sql:"search"`
}

// New returns the service.
func New(members Members, blocks thread.Blocks, limiter *storage.Limiter) *Service {
	s := &Service{members: members}
	s.Service = thread.New(thread.Options{
		Tables: "messages", ThreadPrefix: "thr", MessagePrefix: "msg", Sent: svc.MessageSent, Read: svc.ThreadRead,
		NoThread: s.noThread,
		NoMessage: func() error {
			return svc.FieldError(svc.InvalidValue, "last_read_message_id", "This thread has no message with this id.")
		},
		OwnRecipient: func() error {
			return svc.FieldError(svc.InvalidValue, "recipient", "You cannot send a message to yourself. Name another member.")
		},
		OnSent: s.addToIndex, Members: members, Blocks: blocks, Storage: limiter,
	})
	store.Bind("messages", &s.q)
	return s
}

// noThread returns the error for a thread that does not exist or belongs to other
// members: the contract requires 404 and 403.
func (s *Service) noThread(tx *store.Tx, id string) error {
	var exists bool
	if err := tx.Get(&exists, s.q.ThreadExists, store.Args{"id": id}); err != nil {
		return err
	}
	if exists {
		return svc.Errorf(svc.ThreadAccessDenied, "You do not take part in this thread.")
	}
	return svc.Errorf(svc.NotFound, "This thread does not exist.")
}
