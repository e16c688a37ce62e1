package social

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// Reply is a reply in a conversation. Schema: service.social.reply.
type Reply struct {
	ID             string               `json:"id"`
	ConversationID string               `json:"conversation_id"`
	EventID        *string              `json:"event_id"` // null unless the conversation is that of an event
	Author         MemberRef            `json:"author"`
	Body           string               `json:"body"`
	Entities       svc.List[svc.Entity] `json:"entities"`    // mentions in the body
	InReplyTo      *string              `json:"in_reply_to"` // an earlier reply, or null
	CreatedAt      time.Time            `json:"created_at"`
	UpdatedAt      *time.Time           `json:"updated_at"` // always null: replies cannot be edited
}

// NewReply is a reply to post.
type NewReply struct {
	Body      string  `json:"body"`
	InReplyTo *string `json:"in_reply_to"`
}

// Discussion is a conversation with a page of its replies, oldest first.
type Discussion struct {
	Conversation Conversation
	Replies      []Reply
	Page         svc.HistoryPage
	HasUnread    bool // the page has replies after the read cursor, or the conversation is marked as unread

	lastSeq int64 // of the last reply of the page, 0 for none
}

// replyRow is a row of social_reply.
type replyRow struct {
	ID        string       `db:"id"`
	Seq       int64        `db:"seq"`
	Author    svc.MemberID `db:"author_id"`
	Body      string       `db:"body"`
	InReplyTo *string      `db:"in_reply_to"`
	CreatedAt store.Millis `db:"created_at"`
}

type replyQueries struct {
	ListReplies              store.Query `sql:"list-replies"`
	ReplySeq                 store.Query `sql:"reply-seq"`
	NextReplySeq             store.Query `sql:"next-reply-seq"`
	AddReply                 store.Query `sql:"add-reply"`
	DeleteReplies            store.Query `sql:"delete-replies"`
	AdvanceReadCursor        store.Query `sql:"advance-read-cursor"`
	MarkConversationUnread   store.Query `sql:"mark-conversation-unread"`
	DeleteReadCursors        store.Query `sql:"delete-read-cursors"`
	ConversationParticipants store.Query `sql:"conversation-participants"`
}

func (r replyRow) toReply(c conversationRow, names names, entities svc.List[svc.Entity]) Reply {
	return Reply{
		ID: r.ID, ConversationID: c.ID, EventID: c.EventID, Author: names.ref(r.Author), Body: r.Body, Entities: entities,
		InReplyTo: r.InReplyTo, CreatedAt: r.CreatedAt.Timestamp(),
	}
}

// IsUnread reports whether opening the conversation would mark replies as read.
func (d Discussion) IsUnread() bool { return d.HasUnread }

// Discussion returns a conversation that v sees with a page of its replies. It
// does not move the read cursor.
func (s *Service) Discussion(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (d Discussion, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return d, err
	}
	c, err := s.visibleConversation(tx, w, id)
	if err != nil {
		return d, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.replies", v, id)
	limit, before, err := q.Decode(cursors)
	if err != nil {
		return d, err
	}
	var rows []replyRow
	err = tx.Select(&rows, s.q.ListReplies, store.Args{"conversation": id, "before": before, "hidden": w.hiddenList, "limit": limit + 1})
	if err != nil {
		return d, err
	}
	rows, d.Page = svc.CutHistory(cursors, rows, limit, func(r replyRow) int64 { return r.Seq })
	authors, bodies := c.authors(), []string{c.Body}
	for _, r := range rows {
		authors, bodies = append(authors, r.Author), append(bodies, r.Body)
	}
	names, err := s.visibleNames(tx, w, authors...)
	if err != nil {
		return d, err
	}
	entities, err := s.entities(tx, w.hidden, bodies...)
	if err != nil {
		return d, err
	}
	for i, r := range rows {
		d.Replies = append(d.Replies, r.toReply(c, names, entities[i+1]))
		d.lastSeq = r.Seq
	}
	d.Conversation, d.HasUnread = c.toConversation(w.member, names, entities[0]), d.lastSeq > c.ReadSeq || c.MarkedUnread
	return d, nil
}

// OpenConversation returns a conversation like Discussion and moves the read
// cursor of v to the last reply of the page.
func (s *Service) OpenConversation(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (Discussion, error) {
	d, err := s.Discussion(tx, v, id, q)
	if err != nil {
		return d, err
	}
	if err := s.advanceReadCursor(tx, v.Member(), id, d.lastSeq); err != nil {
		return d, err
	}
	d.Conversation, err = s.Conversation(tx, v, id)
	return d, err
}

// Reply posts a reply of v in an open conversation.
func (s *Service) Reply(tx *store.Tx, v svc.Viewer, conversation string, in NewReply) (Reply, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Reply{}, err
	}
	c, err := s.visibleConversation(tx, w, conversation)
	if err != nil {
		return Reply{}, err
	}
	if err := thread.CheckBody(in.Body); err != nil {
		return Reply{}, err
	}
	if c.State == ConversationClosed {
		return Reply{}, svc.Errorf(svc.ConversationClosed, "This conversation is closed. Ask its author to reopen it.")
	}
	if in.InReplyTo != nil && *in.InReplyTo == "" {
		in.InReplyTo = nil // a form cannot send null
	}
	if in.InReplyTo != nil {
		if _, err := s.replySeq(tx, w, c.ID, "in_reply_to", *in.InReplyTo); err != nil {
			return Reply{}, err
		}
	}
	row := replyRow{ID: svc.NewID("rep"), Author: w.member, Body: in.Body, InReplyTo: in.InReplyTo, CreatedAt: store.MillisOf(tx.Now())}
	if err := s.addReply(tx, c, &row); err != nil {
		return Reply{}, err
	}
	if err := s.announceReply(tx, c, row); err != nil {
		return Reply{}, err
	}
	names, err := s.names(tx, w.language, w.member)
	if err != nil {
		return Reply{}, err
	}
	entities, err := s.entities(tx, w.hidden, row.Body)
	if err != nil {
		return Reply{}, err
	}
	return row.toReply(c, names, entities[0]), nil
}

// addReply appends a reply and moves the read cursor of its author to it.
func (s *Service) addReply(tx *store.Tx, c conversationRow, r *replyRow) error {
	err := tx.Get(&r.Seq, s.q.NextReplySeq, store.Args{"conversation": c.ID, "author": r.Author, "now": r.CreatedAt})
	if err != nil {
		return err
	}
	err = s.write(tx, r.Author, s.q.AddReply, store.Args{
		"id": r.ID, "conversation": c.ID, "seq": r.Seq, "author": r.Author, "body": r.Body, "in_reply_to": r.InReplyTo, "now": r.CreatedAt,
	})
	if err != nil {
		return err
	}
	return s.advanceReadCursor(tx, r.Author, c.ID, r.Seq)
}

// announceReply records the activity and notifies the mentioned members and
// the earlier participants who see the reply.
func (s *Service) announceReply(tx *store.Tx, c conversationRow, r replyRow) error {
	targetType, target := c.target()
	if err := s.recordActivity(tx, ReplyPostedActivity, r.Author, targetType, target, c.Audience); err != nil {
		return err
	}
	mentioned, err := s.notifyMentioned(tx, c, r.Author, r.Body)
	if err != nil {
		return err
	}
	var participants []svc.MemberID
	if err := tx.Select(&participants, s.q.ConversationParticipants, store.Args{"conversation": c.ID}); err != nil {
		return err
	}
	participants = slices.DeleteFunc(participants, func(m svc.MemberID) bool { return slices.Contains(mentioned, m) })
	participants, err = s.filterAudience(tx, c.Audience, participants, c.authorsRequiredVisible(r.Author)...)
	if err != nil {
		return err
	}
	n := newNotification{kind: ReplyNotification, actor: r.Author, targetType: targetType, target: target, audience: c.Audience}
	if err := s.notify(tx, n, participants...); err != nil {
		return err
	}
	return s.touchAudience(tx, svc.ReplyPosted, c.Audience)
}

// MarkConversationRead moves the read cursor of v forward to a reply, or to the
// last one if reply is "".
func (s *Service) MarkConversationRead(tx *store.Tx, v svc.Viewer, conversation, reply string) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	c, err := s.visibleConversation(tx, w, conversation)
	if err != nil {
		return Conversation{}, err
	}
	seq := c.Seq
	if reply != "" {
		if seq, err = s.replySeq(tx, w, c.ID, "last_read_reply_id", reply); err != nil {
			return Conversation{}, err
		}
	}
	if err := s.advanceReadCursor(tx, w.member, c.ID, seq); err != nil {
		return Conversation{}, err
	}
	return s.conversation(tx, w, conversation)
}

// replySeq returns the sequence number of a visible reply. field names the
// request field that contains its id.
func (s *Service) replySeq(tx *store.Tx, w view, conversation, field, reply string) (seq int64, err error) {
	err = tx.Get(&seq, s.q.ReplySeq, store.Args{"id": reply, "conversation": conversation, "hidden": w.hiddenList})
	if store.IsNoRows(err) {
		err = svc.FieldError(svc.InvalidValue, field, "There is no such reply in this conversation.")
	}
	return seq, err
}

// MarkConversationUnread marks a conversation without unread replies as unread for
// v, until v opens it, marks it as read or replies. The read cursor stays.
func (s *Service) MarkConversationUnread(tx *store.Tx, v svc.Viewer, conversation string) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	c, err := s.visibleConversation(tx, w, conversation)
	if err != nil {
		return Conversation{}, err
	}
	if c.Unread == 0 {
		if err := s.setRead(tx, w.member, s.q.MarkConversationUnread, store.Args{"conversation": c.ID, "member": w.member}); err != nil {
			return Conversation{}, err
		}
	}
	return s.conversation(tx, w, conversation)
}

// advanceReadCursor moves a read cursor forward to seq and removes the mark of
// MarkConversationUnread. It never moves the cursor back.
func (s *Service) advanceReadCursor(tx *store.Tx, member svc.MemberID, conversation string, seq int64) error {
	return s.setRead(tx, member, s.q.AdvanceReadCursor, store.Args{"conversation": conversation, "member": member, "seq": seq})
}

// setRead runs a statement that changes the read cursor or the mark as unread of a member.
func (s *Service) setRead(tx *store.Tx, member svc.MemberID, q store.Query, args store.Args) error {
	changed, err := tx.Exec(q, args)
	if changed > 0 {
		tx.Touch(svc.ConversationRead, int64(member))
	}
	return err
}
