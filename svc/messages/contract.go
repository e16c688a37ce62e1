package messages

import "appliance/svc"

// Thread is what two members write to each other, as one of the two sees it.
type Thread struct {
	ID               string                `json:"id"`
	Type             string                `json:"type"`    // "message_thread"
	Title            string                `json:"title"`   // what the other one is called
	Summary          string                `json:"summary"` // the beginning of the latest message
	Participants     svc.List[Participant] `json:"participants"`
	ParticipantCount int                   `json:"participant_count"` // always 2
	MessageCount     int64                 `json:"message_count"`
	UnreadCount      int64                 `json:"unread_count"` // what the other one wrote after the viewer's marker
	CanReply         bool                  `json:"can_reply"`
	LastMessageAt    *string               `json:"last_message_at"` // RFC 3339, as all times here
	CreatedAt        string                `json:"created_at"`
	UpdatedAt        *string               `json:"updated_at"` // when the latest message was written
}

// Participant is one of the two.
type Participant struct {
	ID          svc.MemberID `json:"id"`
	DisplayName string       `json:"display_name"`
	Username    string       `json:"username"` // "" of a former member
	IsSelf      bool         `json:"is_self"`
}

// Message is one message of a thread. Schema: service.messages.message.
type Message struct {
	ID        string       `json:"id"`
	ThreadID  string       `json:"thread_id"`
	SenderID  svc.MemberID `json:"sender_identity_user_id"`
	Body      string       `json:"body"` // as it was sent
	CreatedAt string       `json:"created_at"`
	UpdatedAt *string      `json:"updated_at"` // null: messages do not change
}
