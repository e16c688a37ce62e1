package messages

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Service is the Messages service. It has no state of its own.
type Service struct {
	members Members
	blocks  Blocks
	q       queries
}

// New returns the service.
func New(members Members, blocks Blocks) *Service {
	s := &Service{members: members, blocks: blocks}
	store.Bind("messages", &s.q)
	return s
}

// queries are the statements of sql/queries/messages.sql.
type queries struct {
	Inbox         store.Query `sql:"inbox"`
	Threads       store.Query `sql:"threads"`
	Exists        store.Query `sql:"exists"`
	UnreadTotal   store.Query `sql:"unread-total"`
	ThreadBetween store.Query `sql:"thread-between"`

	AddThread      store.Query `sql:"add-thread"`
	AddParticipant store.Query `sql:"add-participant"`
	CountMessage   store.Query `sql:"count-message"`
	AddMessage     store.Query `sql:"add-message"`
	IndexMessage   store.Query `sql:"index-message"`
	Deliver        store.Query `sql:"deliver"`

	Messages store.Query `sql:"messages"`
	PlaceOf  store.Query `sql:"place-of"`
	MarkRead store.Query `sql:"mark-read"`
	Search   store.Query `sql:"search"`

	Leave         store.Query `sql:"leave"`
	DropAbandoned store.Query `sql:"drop-abandoned"`
}

// Joined implements identity.Household: there is nothing to do.
func (s *Service) Joined(*store.Tx, svc.MemberID, string) error { return nil }

// Recovered implements identity.Household: nothing here opens anything.
func (s *Service) Recovered(*store.Tx, svc.MemberID) error { return nil }

// Left takes a member who leaves out of their threads. What they wrote stays
// with those they wrote to, until those have left as well.
func (s *Service) Left(tx *store.Tx, member svc.MemberID) error {
	if _, err := tx.Exec(s.q.Leave, store.Args{"member": member}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DropAbandoned, store.Args{"member": member})
	return err
}

// stamp prints an instant as JSON has it (B-86).
func stamp(m store.Millis) string { return m.Time().Format(time.RFC3339) }
