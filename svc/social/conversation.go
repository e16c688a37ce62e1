package social

import (
	"cmp"
	"math"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Conversation is something that people talk about, as one of them sees it:
// whoever is hidden from them is counted nowhere. Schema:
// service.social.conversation.
type Conversation struct {
	ID               string                  `json:"id"`
	Type             string                  `json:"type"`  // "conversation"
	Title            string                  `json:"title"` // of that of an event, the event's
	Body             string                  `json:"body"`
	Context          ConversationContext     `json:"context"`
	Author           MemberRef               `json:"author"`
	ReplyCount       int64                   `json:"reply_count"`
	ParticipantCount int64                   `json:"participant_count"` // its author and whoever has replied
	UnreadCount      int64                   `json:"unread_count"`      // replies of others after the last that was read
	State            string                  `json:"state"`             // "open" or "closed"
	LastReplyAt      *time.Time              `json:"last_reply_at"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        time.Time               `json:"updated_at"` // of the conversation itself
	Permissions      ConversationPermissions `json:"permissions"`
}

// ConversationContext is among whom a conversation is held, and so who sees it.
type ConversationContext struct {
	Kind  string  `json:"kind"`  // "community", "event", "circle" (around its author) or "open" (to every member)
	ID    *string `json:"id"`    // of the community or the event, else null
	Depth *int    `json:"depth"` // 1 to 3 for a circle, else null
}

// ConversationPermissions are what a member may do with a conversation.
type ConversationPermissions struct {
	CanView   bool `json:"can_view"`
	CanReply  bool `json:"can_reply"`  // it is open
	CanUpdate bool `json:"can_update"` // title and body
	CanClose  bool `json:"can_close"`  // and open again
}

// ConversationPage is a page of conversations, the latest activity first.
type ConversationPage struct {
	Conversations []Conversation
	Page          svc.Page
}

// NewConversation is a conversation to begin.
type NewConversation struct {
	Title    string              `json:"title"`
	Body     string              `json:"body"`
	Context  ConversationContext `json:"context"`
	Audience AudienceSpec        `json:"among"` // what a form says instead of a context
}

// ConversationChange changes a conversation.
type ConversationChange struct {
	Title svc.Optional[string] `json:"title"`
	Body  svc.Optional[string] `json:"body"`
	State svc.Optional[string] `json:"state"`
}

// conversationRow is a row of social_conversation, as far as it is written.
type conversationRow struct {
	ID          string
	Title       string
	Body        string
	Context     string
	CommunityID *string
	Depth       *int
	Audience    audience
	Author      svc.MemberID
}

// seenConversation is a conversation as a member sees it.
type seenConversation struct {
	ID           string        `db:"id"`
	Title        string        `db:"title"`
	Body         string        `db:"body"`
	Context      string        `db:"context"`
	CommunityID  *string       `db:"community_id"`
	EventID      *string       `db:"event_id"`
	Depth        *int          `db:"depth"`
	Audience     audience      `db:"audience_id"`
	Author       svc.MemberID  `db:"author_id"`
	State        string        `db:"state"`
	Seq          int64         `db:"seq"`
	Marker       int64         `db:"marker"`
	Role         string        `db:"role"` // the member's in the community, "" for none
	Replies      int64         `db:"replies"`
	Participants int64         `db:"participants"`
	Unread       int64         `db:"unread"`
	LastReplyAt  *store.Millis `db:"last_reply_at"`
	CreatedAt    store.Millis  `db:"created_at"`
	UpdatedAt    store.Millis  `db:"updated_at"`
}

// Conversations lists those that v sees, but for those of events. What is said
// while v turns pages moves none from one page to another.
func (s *Service) Conversations(tx *store.Tx, v svc.Viewer, limit int, cursor string) (ConversationPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return ConversationPage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.conversations", v)
	limit, errLimit := svc.PageLimit(limit)
	after := start
	if err := svc.Join(errLimit, cursors.Decode(cursor, &after)); err != nil {
		return ConversationPage{}, err
	}
	places, err := s.latest(tx, w, after, limit+1)
	if err != nil {
		return ConversationPage{}, err
	}
	var page ConversationPage
	places, page.Page = svc.CutPage(cursors, places, limit, func(p conversationPlace) any { return p })
	page.Conversations, err = s.conversations(tx, w, idsOf(places)...)
	return page, err
}

// CommunityConversations lists the latest in a community that v sees: none, if
// v is not in it.
func (s *Service) CommunityConversations(tx *store.Tx, v svc.Viewer, community string, limit int) ([]Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	if w.audiences, err = s.audienceIn(tx, v, community); err != nil {
		return nil, err
	}
	places, err := s.latest(tx, w, start, limit)
	if err != nil {
		return nil, err
	}
	return s.conversations(tx, w, idsOf(places)...)
}

// latest returns where the conversations after a place stand. All pages are as
// of the first.
func (s *Service) latest(tx *store.Tx, w view, after conversationPlace, limit int) (places []conversationPlace, err error) {
	err = tx.Select(&places, s.q.LatestConversations, w.args(store.Args{
		"as_of": after.AsOf, "before": after.At, "before_id": after.ID, "limit": limit,
	}))
	for i := range places {
		if places[i].AsOf = after.AsOf; after == start {
			places[i].AsOf = places[0].At
		}
	}
	return places, err
}

// idsOf returns of what those places are.
func idsOf[P interface{ id() string }](places []P) []string {
	ids := make([]string, len(places))
	for i, p := range places {
		ids[i] = p.id()
	}
	return ids
}

func (p conversationPlace) id() string { return p.ID }
func (p eventPlace) id() string        { return p.ID }

// conversationPlace is where a conversation stands in the list.
type conversationPlace struct {
	AsOf store.Millis `json:"t" db:"-"` // the latest activity there was on the first page
	At   store.Millis `json:"a" db:"active_at"`
	ID   string       `json:"i" db:"id"`
}

// start is before all conversations.
var start = conversationPlace{AsOf: math.MaxInt64, At: math.MaxInt64}

// Conversation returns one that v sees, be it of an event or not.
func (s *Service) Conversation(tx *store.Tx, v svc.Viewer, id string) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	return s.conversation(tx, w, id)
}

func (s *Service) conversation(tx *store.Tx, w view, id string) (Conversation, error) {
	list, err := s.conversations(tx, w, id)
	if err == nil && len(list) == 0 {
		err = errNoConversation
	}
	if err != nil {
		return Conversation{}, err
	}
	return list[0], nil
}

// conversations returns those of the list that the member sees.
func (s *Service) conversations(tx *store.Tx, w view, ids ...string) ([]Conversation, error) {
	rows, err := s.seenConversations(tx, w, ids...)
	if err != nil {
		return nil, err
	}
	return s.shownConversations(tx, w, rows)
}

// shownConversations makes the contract of conversations.
func (s *Service) shownConversations(tx *store.Tx, w view, rows []seenConversation) ([]Conversation, error) {
	authors := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		authors[i] = r.Author
	}
	names, err := s.met(tx, w.hidden, authors...)
	list := make([]Conversation, len(rows))
	for i, r := range rows {
		list[i] = r.conversation(w.member, names)
	}
	return list, err
}

func (s *Service) seenConversations(tx *store.Tx, w view, ids ...string) (rows []seenConversation, err error) {
	err = tx.Select(&rows, s.q.Conversations, w.args(store.Args{"member": w.member, "ids": jsonList(ids)}))
	return rows, err
}

// seen returns a conversation for the member to do something with.
func (s *Service) seen(tx *store.Tx, w view, id string) (seenConversation, error) {
	rows, err := s.seenConversations(tx, w, id)
	if err == nil && len(rows) == 0 {
		err = errNoConversation
	}
	if err != nil {
		return seenConversation{}, err
	}
	return rows[0], nil
}

func (r seenConversation) conversation(member svc.MemberID, names names) Conversation {
	c := Conversation{
		ID: r.ID, Type: "conversation", Title: r.Title, Body: r.Body,
		Context: ConversationContext{r.Context, cmp.Or(r.EventID, r.CommunityID), r.Depth}, Author: names.of(r.Author),
		ReplyCount: r.Replies, ParticipantCount: r.Participants, UnreadCount: r.Unread, State: r.State,
		CreatedAt: r.CreatedAt.Timestamp(), UpdatedAt: r.UpdatedAt.Timestamp(), Permissions: r.permissions(member),
	}
	if r.LastReplyAt != nil {
		c.LastReplyAt = new(r.LastReplyAt.Timestamp())
	}
	return c
}

// permissions are what the member may do. What an event is called is changed
// there.
func (r seenConversation) permissions(member svc.MemberID) ConversationPermissions {
	author := r.Author == member
	return ConversationPermissions{
		CanView: true, CanReply: r.State == openState, CanUpdate: author && r.EventID == nil,
		CanClose: author || r.Role == "owner" || r.Role == "moderator",
	}
}

// target is what activity and notifications are about: the event, where it is
// that of an event.
func (r seenConversation) target() (kind, id string) {
	if r.EventID != nil {
		return "event", *r.EventID
	}
	return "conversation", r.ID
}

// others are those of whom one must not be apart to see what a member says in
// it: they, and its author, unless it is about an event of a community.
func (r seenConversation) others(by svc.MemberID) []svc.MemberID {
	if r.EventID != nil && r.CommunityID != nil {
		return []svc.MemberID{by}
	}
	return []svc.MemberID{r.Author, by}
}

// The states of a conversation.
const (
	openState   = "open"
	closedState = "closed"
)

// Begin begins a conversation of v.
func (s *Service) StartConversation(tx *store.Tx, v svc.Viewer, in NewConversation) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	if in.Audience != "" {
		if in.Context, err = in.Audience.read(); err != nil {
			return Conversation{}, err
		}
	}
	err = svc.Join(svc.CheckLine("title", in.Title, svc.MaxTitle), checkPost(in.Body), in.Context.check())
	if err != nil {
		return Conversation{}, err
	}
	row := conversationRow{ID: svc.NewID("cnv"), Title: in.Title, Body: in.Body, Context: in.Context.Kind, Author: w.member}
	if err := s.place(tx, w, in.Context, &row); err != nil {
		return Conversation{}, err
	}
	if err := s.begin(tx, row); err != nil {
		return Conversation{}, err
	}
	if err := s.record(tx, "conversation.started", w.member, "conversation", row.ID, row.Audience); err != nil {
		return Conversation{}, err
	}
	r, err := s.opened(tx, w, row)
	if err != nil {
		return Conversation{}, err
	}
	if _, err := s.mention(tx, r, w.member, row.Body); err != nil {
		return Conversation{}, err
	}
	if err := s.touch(tx, svc.ConversationsTopic, row.ID, row.Audience); err != nil {
		return Conversation{}, err
	}
	names, err := s.names(tx, w.member)
	return r.conversation(w.member, names), err
}

// place puts a new conversation among those of its context, which was checked.
func (s *Service) place(tx *store.Tx, w view, c ConversationContext, row *conversationRow) (err error) {
	switch c.Kind {
	case "community":
		row.CommunityID = c.ID
		row.Audience, err = s.posting(tx, w, *c.ID)
	case "circle":
		row.Depth = c.Depth
		row.Audience, err = s.ofCircle(tx, w.member, *c.Depth)
	case "open":
		row.Audience = everybody
	}
	return err
}

// opened returns a conversation that the member has just begun. Its audience
// may be as new, and not be in their view yet.
func (s *Service) opened(tx *store.Tx, w view, row conversationRow) (seenConversation, error) {
	w.audiences = jsonList([]audience{row.Audience})
	return s.seen(tx, w, row.ID)
}

// begin adds a conversation, be it one of its own or that of an event.
func (s *Service) begin(tx *store.Tx, c conversationRow) error {
	_, err := tx.Exec(s.q.AddConversation, store.Args{
		"id": c.ID, "title": c.Title, "body": c.Body, "context": c.Context, "community": c.CommunityID, "depth": c.Depth,
		"audience": c.Audience, "author": c.Author, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// posting returns the audience of a community that the member may post in.
func (s *Service) posting(tx *store.Tx, w view, community string) (audience, error) {
	var active bool
	err := tx.Get(&active, s.q.Posting, store.Args{"member": w.member, "community": community})
	switch {
	case store.IsNoRows(err):
		return 0, svc.FieldError(svc.NotFound, "context.id", "There is no such community.")
	case err != nil:
		return 0, err
	case !active:
		return 0, svc.FieldError(svc.PermissionDenied, "context.id", "Join the community to post in it.")
	}
	return s.ofCommunity(tx, community)
}

// check checks the context of a new conversation. What belongs to another kind
// may say that fewer were meant to see it.
func (c ConversationContext) check() error {
	if c.ID != nil && *c.ID != "" && (c.Kind == "circle" || c.Kind == "open") {
		return svc.FieldError(svc.InvalidValue, "context.id", "Only the context community has an id.")
	}
	if c.Depth != nil && *c.Depth != 0 && (c.Kind == "community" || c.Kind == "open") {
		return svc.FieldError(svc.InvalidValue, "context.depth", "Only the context circle has a depth.")
	}
	switch c.Kind {
	case "":
		return svc.Required("context.kind")
	case "open":
	case "community":
		if c.ID == nil || *c.ID == "" {
			return svc.Required("context.id")
		}
	case "circle":
		if c.Depth == nil {
			return svc.Required("context.depth")
		}
		if *c.Depth < 1 || *c.Depth > MaxDepth {
			return svc.FieldError(svc.InvalidValue, "context.depth", "context.depth must be 1, 2 or 3.")
		}
	case "event":
		return svc.FieldError(svc.InvalidValue, "context.kind", "An event has its conversation from the beginning: reply to the event.")
	default:
		return svc.FieldError(svc.InvalidValue, "context.kind", "context.kind must be community, circle or open.")
	}
	return nil
}

// checkPost checks what somebody says: it must say something.
func checkPost(body string) error {
	if strings.TrimSpace(body) == "" {
		return svc.Required("body")
	}
	return svc.CheckText("body", body, svc.MaxBody)
}

// UpdateConversation changes a conversation: its author all of it, owners and
// moderators of its community whether it is open.
func (s *Service) UpdateConversation(tx *store.Tx, v svc.Viewer, id string, change ConversationChange) (Conversation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Conversation{}, err
	}
	r, err := s.seen(tx, w, id)
	if err != nil {
		return Conversation{}, err
	}
	may := r.permissions(w.member)
	if (change.Title.Set || change.Body.Set) && !may.CanUpdate || !may.CanClose {
		return Conversation{}, svc.Errorf(svc.PermissionDenied, "Only its author can change a conversation. The owners and moderators of its community can close it.")
	}
	was := r
	if err := change.apply(&r); err != nil {
		return Conversation{}, err
	}
	if r == was {
		return s.conversation(tx, w, id)
	}
	if _, err := tx.Exec(s.q.ChangeConversation, store.Args{
		"id": id, "title": r.Title, "body": r.Body, "state": r.State, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return Conversation{}, err
	}
	topic, item := store.Topic(svc.ConversationsTopic), r.ID
	if r.EventID != nil { // whose answers it closes
		topic, item = svc.EventsTopic, *r.EventID
	}
	if err := s.touch(tx, topic, item, r.Audience); err != nil {
		return Conversation{}, err
	}
	return s.conversation(tx, w, id)
}

// apply makes the change to a conversation.
func (c ConversationChange) apply(r *seenConversation) error {
	var errs [3]error
	if c.Title.Set {
		r.Title, errs[0] = c.Title.Value, svc.CheckLine("title", c.Title.Value, svc.MaxTitle)
	}
	if c.Body.Set {
		r.Body, errs[1] = c.Body.Value, checkPost(c.Body.Value)
	}
	if c.State.Set {
		r.State = c.State.Value
		if r.State != openState && r.State != closedState {
			errs[2] = svc.FieldError(svc.InvalidValue, "state", "state must be open or closed.")
		}
	}
	return svc.Join(errs[:]...)
}

var errNoConversation = svc.Errorf(svc.NotFound, "There is no such conversation.")
