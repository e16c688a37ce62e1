package social

import (
	"appliance/store"
	"appliance/svc"
)

// conversationRow is a row of social_conversation.
type conversationRow struct {
	ID          string        `db:"id"`
	Title       string        `db:"title"`
	Body        string        `db:"body"`
	Context     string        `db:"context"`
	CommunityID *string       `db:"community_id"`
	Depth       *int          `db:"depth"`
	Audience    audience      `db:"audience_id"`
	Author      svc.MemberID  `db:"author_id"`
	State       string        `db:"state"`
	Seq         int64         `db:"seq"`
	LastReplyAt *store.Millis `db:"last_reply_at"`
	ActiveAt    store.Millis  `db:"active_at"`
	CreatedAt   store.Millis  `db:"created_at"`
	UpdatedAt   store.Millis  `db:"updated_at"`
}

// begin adds a conversation, be it one of its own or that of an event.
func (s *Service) begin(tx *store.Tx, c conversationRow) error {
	_, err := tx.Exec(s.q.AddConversation, store.Args{
		"id": c.ID, "title": c.Title, "body": c.Body, "context": c.Context, "community": c.CommunityID, "depth": c.Depth,
		"audience": c.Audience, "author": c.Author, "now": store.MillisOf(tx.Now()),
	})
	return err
}
