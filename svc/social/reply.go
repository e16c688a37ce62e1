package social

import (
	"math"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Reply is what somebody says in a conversation. Schema: service.social.reply.
type Reply struct {
	ID             string     `json:"id"`
	ConversationID string     `json:"conversation_id"`
	EventID        *string    `json:"event_id"` // of that of an event, else null
	Author         MemberRef  `json:"author"`
	Body           string     `json:"body"`
	InReplyTo      *string    `json:"in_reply_to"` // a reply before it
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      *time.Time `json:"updated_at"` // null: what was said stays as it is
}

// NewReply is something to say in a conversation.
type NewReply struct {
	Body      string  `json:"body"`
	InReplyTo *string `json:"in_reply_to"`
}

// RepliesQuery selects replies of a conversation.
type RepliesQuery struct {
	Before string // a cursor; "" for the latest
	Limit  int
}

// Discussion is a conversation with some of its replies, the oldest first.
type Discussion struct {
	Conversation Conversation
	Replies      []Reply
	Page         RepliesPage
	Unseen       bool // the member has not read all of these
}

// RepliesPage is what a list of replies says of itself.
type RepliesPage struct {
	PreviousCursor *string `json:"previous_cursor"` // of what was said before; null at the beginning
	Limit          int     `json:"limit"`
}

// replyRow is a row of social_reply, as a member sees it.
type replyRow struct {
	ID        string       `db:"id"`
	Seq       int64        `db:"seq"`
	Author    svc.MemberID `db:"author_id"`
	Body      string       `db:"body"`
	InReplyTo *string      `db:"in_reply_to"`
	CreatedAt store.Millis `db:"created_at"`
}

func (r replyRow) reply(c seenConversation, names names) Reply {
	return Reply{
		ID: r.ID, ConversationID: c.ID, EventID: c.EventID, Author: names.of(r.Author), Body: r.Body,
		InReplyTo: r.InReplyTo, CreatedAt: r.CreatedAt.Timestamp(),
	}
}

// Replies returns a conversation that v sees, with some of its replies. None
// of them counts as read by that.
func (s *Service) Discussion(tx *store.Tx, v svc.Viewer, conversation string, q RepliesQuery) (Discussion, error) {
	d, _, err := s.discussion(tx, v, conversation, q)
	return d, err
}

// OpenConversation returns a conversation that v sees with its latest replies,
// which v has read then (B-50).
func (s *Service) OpenConversation(tx *store.Tx, v svc.Viewer, conversation string, q RepliesQuery) (Discussion, error) {
	d, last, err := s.discussion(tx, v, conversation, q)
	if err != nil {
		return d, err
	}
	if err := s.markConversation(tx, v.Member(), conversation, last); err != nil {
		return d, err
	}
	d.Conversation, err = s.Conversation(tx, v, conversation)
	return d, err
}

// discussion returns a conversation with replies, and the seq of the last of
// these.
func (s *Service) discussion(tx *store.Tx, v svc.Viewer, id string, q RepliesQuery) (d Discussion, last int64, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return d, 0, err
	}
	c, err := s.seen(tx, w, id)
	if err != nil {
		return d, 0, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.replies."+id, v)
	limit, errLimit := svc.PageLimit(q.Limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, beforeError(cursors.Decode(q.Before, &before))); err != nil {
		return d, 0, err
	}
	var rows []replyRow
	err = tx.Select(&rows, s.q.Replies, store.Args{"conversation": id, "before": before, "hidden": w.hiding, "limit": limit + 1})
	if err != nil {
		return d, 0, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r replyRow) any { return r.Seq })
	d.Page = RepliesPage{page.NextCursor, page.Limit}
	people := []svc.MemberID{c.Author}
	for _, r := range rows {
		people = append(people, r.Author)
	}
	names, err := s.met(tx, w.hidden, people...)
	for _, r := range slices.Backward(rows) {
		d.Replies = append(d.Replies, r.reply(c, names))
		last = r.Seq
	}
	d.Conversation, d.Unseen = c.conversation(w.member, names), last > c.Marker
	return d, last, err
}

// beforeError is the refusal of a cursor that is called before.
func beforeError(err error) error {
	if err == nil {
		return nil
	}
	return svc.ParameterError("before", "The cursor does not belong to this conversation. Start again without one.").WithCause(err)
}

// Reply says something of v's in a conversation that v sees, and that is open.
func (s *Service) Reply(tx *store.Tx, v svc.Viewer, conversation string, in NewReply) (Reply, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Reply{}, err
	}
	c, err := s.seen(tx, w, conversation)
	if err != nil {
		return Reply{}, err
	}
	if err := checkPost(in.Body); err != nil {
		return Reply{}, err
	}
	if c.State == closedState {
		return Reply{}, svc.Errorf(svc.ConversationClosed, "This conversation is closed.")
	}
	if in.InReplyTo != nil && *in.InReplyTo == "" {
		in.InReplyTo = nil // a form's way to say so
	}
	if in.InReplyTo != nil {
		if _, err := s.seqOf(tx, w, c.ID, "in_reply_to", *in.InReplyTo); err != nil {
			return Reply{}, err
		}
	}
	row := replyRow{ID: svc.NewID("rep"), Author: w.member, Body: in.Body, InReplyTo: in.InReplyTo, CreatedAt: store.MillisOf(tx.Now())}
	if err := s.say(tx, c, &row); err != nil {
		return Reply{}, err
	}
	if err := s.announce(tx, c, row); err != nil {
		return Reply{}, err
	}
	names, err := s.names(tx, w.member)
	return row.reply(c, names), err
}

// say adds a reply as the last of its conversation. Whoever says something has
// read what is before it.
func (s *Service) say(tx *store.Tx, c seenConversation, r *replyRow) error {
	err := tx.Get(&r.Seq, s.q.CountReply, store.Args{"conversation": c.ID, "author": r.Author, "now": r.CreatedAt})
	if err != nil {
		return err
	}
	_, err = tx.Exec(s.q.AddReply, store.Args{
		"id": r.ID, "conversation": c.ID, "seq": r.Seq, "author": r.Author, "body": r.Body, "in_reply_to": r.InReplyTo, "now": r.CreatedAt,
	})
	if err != nil {
		return err
	}
	return s.markConversation(tx, r.Author, c.ID, r.Seq)
}

// announce tells of a reply: everybody who sees it, and in a notification
// those it mentions and those who have written before.
func (s *Service) announce(tx *store.Tx, c seenConversation, r replyRow) error {
	targetType, target := c.target()
	if err := s.record(tx, "reply.posted", r.Author, targetType, target, c.Audience); err != nil {
		return err
	}
	mentioned, err := s.mention(tx, c, r.Author, r.Body)
	if err != nil {
		return err
	}
	var wrote []svc.MemberID
	if err := tx.Select(&wrote, s.q.Participants, store.Args{"conversation": c.ID}); err != nil {
		return err
	}
	wrote = slices.DeleteFunc(wrote, func(m svc.MemberID) bool { return slices.Contains(mentioned, m) })
	wrote, err = s.admitted(tx, c.Audience, wrote, c.others(r.Author)...)
	if err != nil {
		return err
	}
	n := note{kind: "reply", actor: r.Author, targetType: targetType, target: target, audience: c.Audience}
	if err := s.notify(tx, n, wrote...); err != nil {
		return err
	}
	return s.touch(tx, svc.ConversationsTopic, c.ID, c.Audience)
}

// ReadConversation notes that v has read a conversation up to a reply, or all
// of it for "". What v has read stays read.
func (s *Service) MarkConversationRead(tx *store.Tx, v svc.Viewer, conversation, reply string) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	c, err := s.seen(tx, w, conversation)
	if err != nil {
		return Conversation{}, err
	}
	seq := c.Seq
	if reply != "" {
		if seq, err = s.seqOf(tx, w, c.ID, "last_read_reply_id", reply); err != nil {
			return Conversation{}, err
		}
	}
	if err := s.markConversation(tx, w.member, c.ID, seq); err != nil {
		return Conversation{}, err
	}
	return s.conversation(tx, w, conversation)
}

// seqOf returns where a reply stands in its conversation.
func (s *Service) seqOf(tx *store.Tx, w view, conversation, field, reply string) (seq int64, err error) {
	err = tx.Get(&seq, s.q.ReplySeq, store.Args{"id": reply, "conversation": conversation, "hidden": w.hiding})
	if store.IsNoRows(err) {
		err = svc.FieldError(svc.InvalidValue, field, "There is no such reply in this conversation.")
	}
	return seq, err
}

// markConversation moves a member's marker to a reply, never back.
func (s *Service) markConversation(tx *store.Tx, member svc.MemberID, conversation string, seq int64) error {
	if seq == 0 {
		return nil
	}
	moved, err := tx.Exec(s.q.MarkConversation, store.Args{"conversation": conversation, "member": member, "seq": seq})
	if moved > 0 {
		tx.TouchItem(svc.ConversationsTopic, conversation, int64(member))
	}
	return err
}
