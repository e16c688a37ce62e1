package social

import (
	"cmp"
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Conversation is a conversation as one member sees it. Its counts omit hidden
// members. Schema: service.social.conversation.
type Conversation struct {
	ID               string                  `json:"id"`
	Type             string                  `json:"type"`  // "conversation"
	Title            string                  `json:"title"` // the title of the event, for the conversation of an event
	Body             string                  `json:"body"`
	Entities         svc.List[svc.Entity]    `json:"entities"` // mentions in the body
	Context          ConversationContext     `json:"context"`
	ContextTitle     string                  `json:"context_title"` // name of the community, title of the event, or the audience in words
	Author           MemberRef               `json:"author"`
	ReplyCount       int64                   `json:"reply_count"`
	ParticipantCount int64                   `json:"participant_count"` // the author and all members who replied
	UnreadCount      int64                   `json:"unread_count"`      // replies of other members after the viewer's read cursor
	MarkedUnread     bool                    `json:"marked_unread"`     // the viewer has not opened it, or has marked it as unread; opening it removes the mark
	ReadUpTo         *string                 `json:"read_up_to"`        // id of the last reply up to the viewer's read cursor, null for none
	LastReply        *LastReply              `json:"last_reply"`        // null if there is no reply
	State            ConversationState       `json:"state"`
	LastReplyAt      *time.Time              `json:"last_reply_at"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        time.Time               `json:"updated_at"` // last change of title, body or state
	Permissions      ConversationPermissions `json:"permissions"`
}

// LastReply is the latest reply in a conversation, or the latest message of a
// thread.
type LastReply struct {
	ID        string    `json:"id"`
	Author    MemberRef `json:"author"`
	Excerpt   string    `json:"excerpt"` // the beginning of the text, in one line
	CreatedAt time.Time `json:"created_at"`
}

// ExcerptLength limits an excerpt, in code points.
const ExcerptLength = 120

// ConversationContext selects the audience of a conversation.
type ConversationContext struct {
	Kind  ContextKind `json:"kind"`
	ID    *string     `json:"id"`    // id of the community or the event, null for other kinds
	Depth *int        `json:"depth"` // 1 to 3 for a circle, null for other kinds
}

// ConversationPermissions are the viewer's permissions for a conversation.
type ConversationPermissions struct {
	CanView   bool `json:"can_view"`
	CanReply  bool `json:"can_reply"`
	CanUpdate bool `json:"can_update"` // title and body
	CanClose  bool `json:"can_close"`  // close and reopen
}

// ConversationPage is a page of conversations, latest activity first.
type ConversationPage struct {
	Conversations []Conversation
	Page          svc.Page
}

// conversationRow is a row of social_conversation with the counts, the read cursor
// and the role of one member.
type conversationRow struct {
	ID           string            `db:"id"`
	Title        string            `db:"title"`
	Body         string            `db:"body"`
	Context      ContextKind       `db:"context"`
	CommunityID  *string           `db:"community_id"`
	EventID      *string           `db:"event_id"`
	Depth        *int              `db:"depth"`
	Audience     audienceID        `db:"audience_id"`
	Author       svc.MemberID      `db:"author_id"`
	State        ConversationState `db:"state"`
	Seq          int64             `db:"seq"`
	ReadSeq      int64             `db:"read_seq"` // read cursor of the member
	MarkedUnread bool              `db:"marked_unread"`
	ReadUpTo     *string           `db:"read_up_to"`
	Role         Role              `db:"role"`          // of the member in the community, "" for none
	ContextTitle string            `db:"context_title"` // "" unless the context is a community or an event
	Replies      int64             `db:"replies"`
	Participants int64             `db:"participants"`
	Unread       int64             `db:"unread"`
	LastReplyAt  *store.Millis     `db:"last_reply_at"`
	CreatedAt    store.Millis      `db:"created_at"`
	UpdatedAt    store.Millis      `db:"updated_at"`

	// The latest reply that the member sees; nil if there is none.
	LastReply   *string       `db:"last_reply_id"`
	LastAuthor  *svc.MemberID `db:"last_author_id"`
	LastExcerpt *string       `db:"last_excerpt"`
	LastCreated *store.Millis `db:"last_created_at"`
}

type conversationQueries struct {
	LatestConversations store.Query `sql:"latest-conversations"`
	Conversations       store.Query `sql:"conversations"`
	CountConversations  store.Query `sql:"count-conversations"`
	AddConversation     store.Query `sql:"add-conversation"`
	UpdateConversation  store.Query `sql:"update-conversation"`
	DeleteConversation  store.Query `sql:"delete-conversation"`

	ConversationOfDeletedCommunity store.Query `sql:"conversation-of-deleted-community"`
}

// Conversations returns a page of the conversations that v sees, except those of
// events. Replies that are posted between two pages do not move a conversation from
// one page to another.
func (s *Service) Conversations(tx *store.Tx, v svc.Viewer, limit int, cursor string) (ConversationPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return ConversationPage{}, err
	}
	return s.conversationPage(tx, w, svc.NewCursors(tx.InstanceKey(), "social.conversations", v), limit, cursor)
}

// CommunityConversations returns a page of the conversations in a community that v sees, as
// Conversations does. There are none unless v is a member.
func (s *Service) CommunityConversations(tx *store.Tx, v svc.Viewer, community string, limit int, cursor string) (ConversationPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return ConversationPage{}, err
	}
	if w.audienceList, err = s.communityAudienceList(tx, v, community); err != nil {
		return ConversationPage{}, err
	}
	return s.conversationPage(tx, w, svc.NewCursors(tx.InstanceKey(), "social.conversations", v, community), limit, cursor)
}

// conversationPage returns a page of the conversations in w, the latest activity first.
func (s *Service) conversationPage(tx *store.Tx, w view, cursors svc.Cursors, limit int, cursor string) (ConversationPage, error) {
	limit, errLimit := svc.PageLimit(limit)
	after := latestActivity
	if err := svc.Join(errLimit, cursors.Decode(cursor, &after)); err != nil {
		return ConversationPage{}, err
	}
	positions, err := s.latestConversations(tx, w, after, limit+1)
	if err != nil {
		return ConversationPage{}, err
	}
	var page ConversationPage
	positions, page.Page = svc.CutPage(cursors, positions, limit, func(c conversationCursor) any { return c })
	page.Conversations, err = s.conversations(tx, w, idsOf(positions)...)
	return page, err
}

// conversationCursor is a position in the list of conversations. AsOf is the
// latest activity on the first page; later activity is ignored on all pages.
type conversationCursor struct {
	AsOf store.Millis `json:"t" db:"-"`
	At   store.Millis `json:"a" db:"active_at"`
	ID   string       `json:"i" db:"id"`
}

// latestActivity is the cursor of the first page.
var latestActivity = conversationCursor{AsOf: math.MaxInt64, At: math.MaxInt64}

// latestConversations returns the cursors of up to limit conversations that follow
// the cursor after, latest activity first.
func (s *Service) latestConversations(tx *store.Tx, w view, after conversationCursor, limit int) (positions []conversationCursor, err error) {
	err = tx.Select(&positions, s.q.LatestConversations, w.args(store.Args{
		"as_of": after.AsOf, "before": after.At, "before_id": after.ID, "limit": limit,
	}))
	asOf := after.AsOf
	if after == latestActivity && len(positions) > 0 {
		asOf = positions[0].At
	}
	for i := range positions {
		positions[i].AsOf = asOf
	}
	return positions, err
}

// idsOf returns the ids in a list of cursors.
func idsOf[P interface{ id() string }](positions []P) []string {
	ids := make([]string, len(positions))
	for i, p := range positions {
		ids[i] = p.id()
	}
	return ids
}

func (c conversationCursor) id() string { return c.ID }

// Conversation returns a conversation that v sees, including that of an event.
func (s *Service) Conversation(tx *store.Tx, v svc.Viewer, id string) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	return s.conversation(tx, w, id)
}

// ConversationsByID returns the conversations among ids that v sees, including
// those of events.
func (s *Service) ConversationsByID(tx *store.Tx, v svc.Viewer, ids ...string) ([]Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	return s.conversations(tx, w, ids...)
}

func (s *Service) conversation(tx *store.Tx, w view, id string) (Conversation, error) {
	row, err := s.visibleConversation(tx, w, id)
	if err != nil {
		return Conversation{}, err
	}
	list, err := s.completeConversations(tx, w, []conversationRow{row})
	if err != nil {
		return Conversation{}, err
	}
	return list[0], nil
}

// conversations returns the conversations among ids that the viewer sees.
func (s *Service) conversations(tx *store.Tx, w view, ids ...string) ([]Conversation, error) {
	rows, err := s.visibleConversations(tx, w, ids...)
	if err != nil {
		return nil, err
	}
	return s.completeConversations(tx, w, rows)
}

// completeConversations adds names to rows, as the viewer sees them.
func (s *Service) completeConversations(tx *store.Tx, w view, rows []conversationRow) ([]Conversation, error) {
	var authors []svc.MemberID
	bodies := make([]string, len(rows))
	for i, r := range rows {
		authors, bodies[i] = append(authors, r.authors()...), r.Body
	}
	names, err := s.visibleNames(tx, w, authors...)
	if err != nil {
		return nil, err
	}
	entities, err := s.entities(tx, w.hidden, bodies...)
	if err != nil {
		return nil, err
	}
	list := make([]Conversation, len(rows))
	for i, r := range rows {
		list[i] = r.toConversation(w.member, names, entities[i])
	}
	return list, nil
}

// authors returns the authors of the conversation and of its latest reply.
func (r conversationRow) authors() []svc.MemberID {
	if r.LastAuthor == nil {
		return []svc.MemberID{r.Author}
	}
	return []svc.MemberID{r.Author, *r.LastAuthor}
}

// visibleConversations reads the conversations among ids that the viewer sees,
// in the order of ids.
func (s *Service) visibleConversations(tx *store.Tx, w view, ids ...string) (rows []conversationRow, err error) {
	err = tx.Select(&rows, s.q.Conversations, w.args(store.Args{"member": w.member, "ids": store.JSONArray(ids)}))
	return rows, err
}

// visibleConversation reads a conversation that the viewer sees.
func (s *Service) visibleConversation(tx *store.Tx, w view, id string) (conversationRow, error) {
	rows, err := s.visibleConversations(tx, w, id)
	if err == nil && len(rows) == 0 {
		err = svc.Errorf(svc.NotFound, "There is no such conversation.")
	}
	if err != nil {
		return conversationRow{}, err
	}
	return rows[0], nil
}

// toConversation returns the conversation as member sees it. names contains the
// authors of r.authors.
func (r conversationRow) toConversation(member svc.MemberID, names names, entities svc.List[svc.Entity]) Conversation {
	c := Conversation{
		ID: r.ID, Type: "conversation", Title: r.Title, Body: r.Body, Entities: entities,
		Context: ConversationContext{r.Context, cmp.Or(r.EventID, r.CommunityID), r.Depth}, ContextTitle: r.contextTitle(member, names),
		Author: names.ref(r.Author), ReplyCount: r.Replies, ParticipantCount: r.Participants, UnreadCount: r.Unread,
		MarkedUnread: r.MarkedUnread, ReadUpTo: r.ReadUpTo, State: r.State,
		LastReplyAt: store.OptionalTimestamp(r.LastReplyAt), CreatedAt: r.CreatedAt.Timestamp(), UpdatedAt: r.UpdatedAt.Timestamp(),
		Permissions: r.permissions(member),
	}
	if r.LastReply != nil {
		c.LastReply = &LastReply{*r.LastReply, names.ref(*r.LastAuthor), svc.SingleLine(*r.LastExcerpt, ExcerptLength), r.LastCreated.Timestamp()}
	}
	return c
}

// contextTitle returns the name of the community, the title of the event or the name of the
// audience.
func (r conversationRow) contextTitle(member svc.MemberID, names names) string {
	switch r.Context {
	case ContextOpen:
		return names.language.Text("Everyone")
	case ContextCircle:
		return circlesTitle(r.Author, *r.Depth, member, names)
	}
	return r.ContextTitle
}

// Titles of circle audiences by depth, for the circles of the viewer and for those of another
// member.
var (
	ownCircles   = [MaxDepth + 1]words.Word{1: "Your inner circle", 2: "Your inner and trusted circles", 3: "Your circles"}
	otherCircles = [MaxDepth + 1]words.Word{1: "%s: inner circle", 2: "%s: inner and trusted circles", 3: "%s: circles"}
)

// circlesTitle describes the circles of a member up to a depth, for a viewer.
func circlesTitle(center svc.MemberID, depth int, viewer svc.MemberID, names names) string {
	if center == viewer {
		return names.language.Text(string(ownCircles[depth]))
	}
	return names.language.Textf(string(otherCircles[depth]), names.ref(center).DisplayName)
}

// permissions returns the permissions of the member. The title of an event cannot
// be changed through its conversation.
func (r conversationRow) permissions(member svc.MemberID) ConversationPermissions {
	isAuthor := r.Author == member
	return ConversationPermissions{
		CanView: true, CanReply: r.State == ConversationOpen, CanUpdate: isAuthor && r.EventID == nil,
		CanClose: isAuthor || r.Role == RoleOwner || r.Role == RoleModerator,
	}
}

// target returns the record that activity and notifications about r link to:
// the event, for the conversation of an event.
func (r conversationRow) target() (kind TargetType, id string) {
	if r.EventID != nil {
		return TargetEvent, *r.EventID
	}
	return TargetConversation, r.ID
}

// authorsRequiredVisible returns the authors who must not be hidden from a member who
// sees a reply of replier: the replier, and the author of the conversation, because
// a block with the author hides the whole conversation. A block does not hide the
// conversation of a community event.
func (r conversationRow) authorsRequiredVisible(replier svc.MemberID) []svc.MemberID {
	if r.EventID != nil && r.CommunityID != nil {
		return []svc.MemberID{replier}
	}
	return []svc.MemberID{r.Author, replier}
}
