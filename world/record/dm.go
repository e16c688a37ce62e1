package record

import (
	"time"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/world/action"
)

// SocialDM is a DM with its addresses. Schema: service.social.dm.
type SocialDM struct {
	ID               string                  `json:"id"`
	Type             string                  `json:"type"`    // "social_dm"
	Title            string                  `json:"title"`   // display name of the other member
	Summary          string                  `json:"summary"` // the beginning of the latest message
	Participants     svc.List[DMParticipant] `json:"participants"`
	ParticipantCount int                     `json:"participant_count"` // always 2
	MessageCount     int64                   `json:"message_count"`
	UnreadCount      int64                   `json:"unread_count"`  // messages from the other member after the viewer's read cursor
	MarkedUnread     bool                    `json:"marked_unread"` // the viewer has marked the DM as unread; opening it removes the mark
	ReadUpTo         *string                 `json:"read_up_to"`    // id of the message at the viewer's read cursor, null for none
	LastSenderID     svc.MemberID            `json:"last_sender_identity_user_id"`
	CanReply         bool                    `json:"can_reply"`
	CanReplyReason   *string                 `json:"can_reply_reason"` // why the viewer cannot reply, in words; null if they can
	LastMessageAt    *time.Time              `json:"last_message_at"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        *time.Time              `json:"updated_at"` // time of the latest message
	Context          *thread.CommonGround    `json:"context"`    // why the two can write to each other; null if they no longer can
	Permissions      DMPermissions           `json:"permissions"`
	Links            DMLinks                 `json:"links"`
	Actions          svc.Dict[string]        `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// DMParticipant is one of the two members of a DM.
type DMParticipant struct {
	social.MemberRef
	Username string `json:"username"` // "" for a former member
	IsSelf   bool   `json:"is_self"`
}

// DMPermissions are the viewer's permissions for a DM.
type DMPermissions struct {
	CanView           bool `json:"can_view"`
	CanReply          bool `json:"can_reply"`
	CanAddParticipant bool `json:"can_add_participant"` // always false
}

// DMLinks are the addresses of a DM and of its messages.
type DMLinks ThreadLinks

// DMMessage is one message of a DM. Schema: service.social.dm_message.
type DMMessage struct {
	ID        string               `json:"id"`
	ThreadID  string               `json:"thread_id"` // id of the DM
	SenderID  svc.MemberID         `json:"sender_identity_user_id"`
	Body      string               `json:"body"`     // exactly as sent
	Entities  svc.List[svc.Entity] `json:"entities"` // mentions in the body
	CreatedAt time.Time            `json:"created_at"`
	UpdatedAt *time.Time           `json:"updated_at"` // always null: messages cannot be edited
}

// NewSocialDM returns the record of t.
func NewSocialDM(t thread.Thread) SocialDM {
	participant := func(p thread.Participant) DMParticipant {
		return DMParticipant{social.MemberRef{ID: p.ID, DisplayName: p.DisplayName, Appearance: p.Appearance}, p.Username, p.IsSelf}
	}
	return SocialDM{
		ID: t.ID, Type: social.DMType, Title: t.Title, Summary: t.Summary, Participants: List(t.Participants, participant), ParticipantCount: t.ParticipantCount, MessageCount: t.MessageCount,
		UnreadCount: t.UnreadCount, MarkedUnread: t.MarkedUnread, ReadUpTo: t.ReadUpTo, LastSenderID: t.LastSenderID,
		CanReply: t.CanReply, CanReplyReason: t.CanReplyReason, LastMessageAt: t.LastMessageAt, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		Context: t.Context, Permissions: DMPermissions{CanView: true, CanReply: t.CanReply},
		Links: DMLinks(newThreadLinks(action.DMsURL, t)), Actions: action.DMs.URLs(t),
	}
}

// NewDMMessage returns the record of m.
func NewDMMessage(m thread.Message) DMMessage { return DMMessage(m) }

// SocialDMs is a page of a member's DMs.
type SocialDMs struct {
	DMs         svc.List[SocialDM] `json:"dms"` // newest first
	Page        svc.Page           `json:"page"`
	UnreadTotal int64              `json:"unread_total"`
	Actions     svc.Dict[string]   `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewSocialDMs returns the records of in.
func NewSocialDMs(in thread.List) SocialDMs {
	return SocialDMs{List(in.Threads, NewSocialDM), in.Page, in.UnreadTotal, action.Social.URLs(action.SocialViewer{}, "start_dm")}
}

// SocialDMDetail is a DM with a page of its messages.
type SocialDMDetail struct {
	DM       SocialDM            `json:"dm"`
	Messages svc.List[DMMessage] `json:"messages"` // oldest first
	Page     svc.HistoryPage     `json:"page"`
	Actions  svc.Dict[string]    `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewSocialDMDetail returns the record of d.
func NewSocialDMDetail(d thread.Detail) SocialDMDetail {
	dm := NewSocialDM(d.Thread)
	return SocialDMDetail{dm, List(d.Messages, NewDMMessage), d.Page, dm.Actions}
}
