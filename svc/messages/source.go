package messages

import (
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Sources are the object sources that the Messages producer publishes.
type Sources struct {
	Threads svc.List[Source] `json:"threads"`
}

// Source is a thread as its producer publishes it: its state and the
// permissions of the member, without URLs. Member ids are strings here. Schema:
// service.messages.object_source.
type Source struct {
	Source            SourceRef         `json:"source"`
	ObjectType        string            `json:"object_type"` // "message_thread"
	Title             string            `json:"title"`
	Summary           string            `json:"summary"` // the beginning of the latest message
	State             SourceState       `json:"state"`
	DomainPermissions Permissions       `json:"domain_permissions"`
	DomainActions     svc.List[string]  `json:"domain_actions"` // "open_thread", "send_message"
	Relationships     svc.List[svc.Map] `json:"relationships"`  // always empty: threads have no relationships
}

// SourceRef identifies the thread within its service.
type SourceRef struct {
	Service      string `json:"service"`       // "messages"
	ResourceType string `json:"resource_type"` // "thread"
	ResourceID   string `json:"resource_id"`
}

// SourceState is the state of the thread for one of its members.
type SourceState struct {
	ID                    string                      `json:"id"`
	CurrentIdentityUserID string                      `json:"current_identity_user_id"` // the member whose view this state is
	Participants          svc.List[SourceParticipant] `json:"participants"`
	ParticipantCount      int                         `json:"participant_count"` // always 2
	MessageCount          int64                       `json:"message_count"`
	UnreadCount           int64                       `json:"unread_count"`
	LastMessageAt         *time.Time                  `json:"last_message_at"`
	CreatedAt             time.Time                   `json:"created_at"`
	UpdatedAt             *time.Time                  `json:"updated_at"`
}

// SourceParticipant is one of the two members of the thread.
type SourceParticipant struct {
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
	Username    string `json:"username"` // empty for a former member
	svc.Appearance
	IsSelf bool `json:"is_self"`
}

// Permissions lists the operations that the thread permits to the member.
type Permissions struct {
	CanView           bool `json:"can_view"`
	CanReply          bool `json:"can_reply"`
	CanAddParticipant bool `json:"can_add_participant"` // always false
}

// domainActions are the domain_actions of every thread. Whether the viewer can send a message
// is in domain_permissions.
var domainActions = svc.List[string]{"open_thread", "send_message"}

// NewSource returns the source of a thread of v.
func NewSource(v svc.Viewer, t thread.Thread) Source {
	s := Source{
		Source: SourceRef{"messages", "thread", t.ID}, ObjectType: ThreadType, Title: t.Title, Summary: t.Summary,
		State: SourceState{
			ID: t.ID, CurrentIdentityUserID: v.Member().String(), ParticipantCount: t.ParticipantCount, MessageCount: t.MessageCount,
			UnreadCount: t.UnreadCount, LastMessageAt: t.LastMessageAt, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		},
		DomainPermissions: Permissions{CanView: true, CanReply: t.CanReply}, DomainActions: domainActions,
	}
	for _, p := range t.Participants {
		s.State.Participants = append(s.State.Participants, SourceParticipant{p.ID.String(), p.DisplayName, p.Username, p.Appearance, p.IsSelf})
	}
	return s
}

// maxSources limits the published threads.
const maxSources = 1000

// Sources returns the sources of v's latest threads.
func (s *Service) Sources(tx *store.Tx, v svc.Viewer) (list Sources, truncated bool, err error) {
	threads, truncated, err := s.Latest(tx, v, maxSources)
	for _, t := range threads {
		list.Threads = append(list.Threads, NewSource(v, t))
	}
	return list, truncated, err
}
