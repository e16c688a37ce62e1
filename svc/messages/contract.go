package messages

import (
	"time"

	"appliance/svc"
)

// Thread is a message thread as one of its two members sees it.
type Thread struct {
	ID               string                `json:"id"`
	Type             string                `json:"type"`    // "message_thread"
	Title            string                `json:"title"`   // display name of the other member
	Summary          string                `json:"summary"` // the beginning of the latest message
	Participants     svc.List[Participant] `json:"participants"`
	ParticipantCount int                   `json:"participant_count"` // always 2
	MessageCount     int64                 `json:"message_count"`
	UnreadCount      int64                 `json:"unread_count"`  // messages from the other member after the viewer's read cursor
	MarkedUnread     bool                  `json:"marked_unread"` // the viewer has marked the thread as unread; opening it removes the mark
	ReadUpTo         *string               `json:"read_up_to"`    // id of the message at the viewer's read cursor, null for none
	LastSenderID     svc.MemberID          `json:"last_sender_identity_user_id"`
	CanReply         bool                  `json:"can_reply"`
	CanReplyReason   *string               `json:"can_reply_reason"` // why the viewer cannot reply, in words; null if they can
	LastMessageAt    *time.Time            `json:"last_message_at"`
	CreatedAt        time.Time             `json:"created_at"`
	UpdatedAt        *time.Time            `json:"updated_at"` // time of the latest message
}

// Participant is one of the two members of a thread.
type Participant struct {
	ID          svc.MemberID `json:"id"`
	DisplayName string       `json:"display_name"`
	Username    string       `json:"username"` // empty for a former member
	svc.Appearance
	IsSelf bool `json:"is_self"`
}

// Message is one message of a thread. Schema: service.messages.message.
type Message struct {
	ID        string               `json:"id"`
	ThreadID  string               `json:"thread_id"`
	SenderID  svc.MemberID         `json:"sender_identity_user_id"`
	Body      string               `json:"body"`     // exactly as sent
	Entities  svc.List[svc.Entity] `json:"entities"` // mentions in the body
	CreatedAt time.Time            `json:"created_at"`
	UpdatedAt *time.Time           `json:"updated_at"` // always null: messages cannot be edited
}
