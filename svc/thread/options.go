package thread

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/storage"
)

// Options are the differences between the services with threads.
type Options struct {
	Tables        string // prefix of the names of the tables, see sql/queries/thread.sql
	ThreadPrefix  string // of the ids of threads
	MessagePrefix string // of the ids of messages

	Sent svc.Change // a message was sent; for both participants
	Read svc.Change // the read cursor or the mark has changed; for one participant

	// NoThread returns the error for a thread that does not exist or in which the viewer is not a
	// participant.
	NoThread func(tx *store.Tx, id string) error

	// NoMessage returns the error for a message that is not in the thread, in the field
	// last_read_message_id.
	NoMessage func() error

	// OwnRecipient returns the error for a message of a member to themselves, in the field
	// recipient.
	OwnRecipient func() error

	// Grounds returns the common ground of a member with each of others. It omits members without
	// common ground. It is nil if all members can write to each other.
	Grounds func(tx *store.Tx, member svc.MemberID, others []svc.MemberID) (map[svc.MemberID]CommonGround, error)

	// OnSent is called after each new message, in its transaction.
	OnSent func(tx *store.Tx, m MessageRow, recipient svc.MemberID) error

	Members Members
	Blocks  Blocks
	Storage *storage.Limiter
}

// CommonGround is the relation that allows two members to write DMs to each other. If there are
// several relations, it is the closest one.
type CommonGround struct {
	Kind  GroundKind `json:"kind"`
	ID    *string    `json:"id"`    // id of the community or the event, null for a circle
	Depth *int       `json:"depth"` // 1 to 3 for a circle, null for other kinds
}

// GroundKind is the kind of a [CommonGround].
type GroundKind string

const (
	GroundCircle    GroundKind = "circle"
	GroundCommunity GroundKind = "community"
	GroundEvent     GroundKind = "event"
)

// Values implements [svc.Set].
func (GroundKind) Values() []string { return svc.Values(GroundCircle, GroundCommunity, GroundEvent) }

// Members looks up members. Package identity implements it.
type Members interface {
	// People returns the active members among ids.
	People(tx *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error)
}

// Blocks reports the effects of blocks between members. Package social implements it.
type Blocks interface {
	// Hidden returns the members that member blocks or is blocked by.
	Hidden(tx *store.Tx, member svc.MemberID) ([]svc.MemberID, error)

	// Entities returns the mentions in each of the texts of members that v sees.
	Entities(tx *store.Tx, v svc.Viewer, texts ...string) ([]svc.List[svc.Entity], error)
}

// queries are the statements of sql/queries/thread.sql.
type queries struct {
	ThreadsBefore          store.Query `sql:"threads-before"`
	ThreadsByID            store.Query `sql:"threads-by-id"`
	ThreadVersions         store.Query `sql:"thread-versions"`
	UnreadTotal            store.Query `sql:"unread-total"`
	ThreadBetween          store.Query `sql:"thread-between"`
	AddThread              store.Query `sql:"add-thread"`
	AddParticipants        store.Query `sql:"add-participants"`
	NextSeq                store.Query `sql:"next-seq"`
	AddMessage             store.Query `sql:"add-message"`
	UpdateParticipants     store.Query `sql:"update-participants"`
	MessagesBefore         store.Query `sql:"messages-before"`
	MessageSeq             store.Query `sql:"message-seq"`
	MarkRead               store.Query `sql:"mark-read"`
	MarkUnread             store.Query `sql:"mark-unread"`
	LeaveThreads           store.Query `sql:"leave-threads"`
	DeleteOrphanedMessages store.Query `sql:"delete-orphaned-messages"`
	DeleteOrphanedThreads  store.Query `sql:"delete-orphaned-threads"`
}
