package messages

import (
	"math"

	"appliance/store"
	"appliance/svc"
)

// Sources are the threads that Messages offers to whoever composes a dataset.
type Sources struct {
	Threads svc.List[Source] `json:"threads"`
}

// Source is a thread as its producer tells of it: what it is and what may be
// done with it, without any address. Numbers of members are text in it.
// Schema: service.messages.object_source.
type Source struct {
	Source            SourceRef         `json:"source"`
	ObjectType        string            `json:"object_type"` // "message_thread"
	Title             string            `json:"title"`
	Summary           string            `json:"summary"` // the beginning of the latest message
	State             SourceState       `json:"state"`
	DomainPermissions Permissions       `json:"domain_permissions"`
	DomainActions     svc.List[string]  `json:"domain_actions"` // "open_thread", "send_message"
	Relationships     svc.List[svc.Map] `json:"relationships"`  // none: Messages ties no thread to another
}

// SourceRef names a thread and who holds it.
type SourceRef struct {
	Service      string `json:"service"`       // "messages"
	ResourceType string `json:"resource_type"` // "thread"
	ResourceID   string `json:"resource_id"`
}

// SourceState is what a thread is like for the member who is asked for.
type SourceState struct {
	ID                    string                      `json:"id"`
	CurrentIdentityUserID string                      `json:"current_identity_user_id"` // the member who is asked for
	Participants          svc.List[SourceParticipant] `json:"participants"`
	ParticipantCount      int                         `json:"participant_count"` // always 2
	MessageCount          int64                       `json:"message_count"`
	UnreadCount           int64                       `json:"unread_count"`
	LastMessageAt         *string                     `json:"last_message_at"`
	CreatedAt             string                      `json:"created_at"`
	UpdatedAt             *string                     `json:"updated_at"`
}

// SourceParticipant is one of the two.
type SourceParticipant struct {
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
	Username    string `json:"username"` // "" of a former member
	IsSelf      bool   `json:"is_self"`
}

// Permissions is what the member may do with a thread.
type Permissions struct {
	CanView           bool `json:"can_view"`
	CanReply          bool `json:"can_reply"`
	CanAddParticipant bool `json:"can_add_participant"` // never
}

// NewSource returns a thread of v as its producer tells of it.
func NewSource(v svc.Viewer, t Thread) Source {
	s := Source{
		Source: SourceRef{"messages", "thread", t.ID}, ObjectType: ThreadType, Title: t.Title, Summary: t.Summary,
		State: SourceState{
			ID: t.ID, CurrentIdentityUserID: v.Member().String(), ParticipantCount: t.ParticipantCount, MessageCount: t.MessageCount,
			UnreadCount: t.UnreadCount, LastMessageAt: t.LastMessageAt, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		},
		DomainPermissions: Permissions{CanView: true, CanReply: t.CanReply},
		DomainActions:     svc.List[string]{"open_thread", "send_message"},
	}
	for _, p := range t.Participants {
		s.State.Participants = append(s.State.Participants, SourceParticipant{p.ID.String(), p.DisplayName, p.Username, p.IsSelf})
	}
	return s
}

// maxSources is how many threads are offered, as many as a dataset has (B-82).
const maxSources = 1000

// Sources returns the latest threads of v. cut is true if there are more.
func (s *Service) Sources(tx *store.Tx, v svc.Viewer) (list Sources, cut bool, err error) {
	rows, err := s.inbox(tx, v.Member(), math.MaxInt64, maxSources+1)
	if err != nil {
		return list, false, err
	}
	threads, err := s.threads(tx, v.Member(), rows[:min(len(rows), maxSources)])
	for _, t := range threads {
		list.Threads = append(list.Threads, NewSource(v, t))
	}
	return list, len(rows) > maxSources, err
}
