package messages

import (
	"time"

	"appliance/store"
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
	Inbox          store.Query `sql:"inbox"`
	ThreadVersions store.Query `sql:"thread-versions"`
	Threads        store.Query `sql:"threads"`
	Exists         store.Query `sql:"exists"`
	UnreadTotal    store.Query `sql:"unread-total"`
	ThreadBetween  store.Query `sql:"thread-between"`

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

	LeaveThreads   store.Query `sql:"leave-threads"`
	Leave          store.Query `sql:"leave"`
	Abandoned      store.Query `sql:"abandoned"`
	DeleteMessages store.Query `sql:"delete-messages"`
	DeleteThread   store.Query `sql:"delete-thread"`
}

// stamp prints an instant as JSON has it (B-86).
func stamp(m store.Millis) string { return m.Time().Format(time.RFC3339) }
