package social

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

func (a actor) tryStart(in NewConversation) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) { return a.StartConversation(tx, v, in) })
	return err
}

func (a actor) updateConversation(id string, change ConversationChange) (Conversation, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) { return a.UpdateConversation(tx, v, id, change) })
}

// Covers O-02, B-66, B-83 and PT-40.
func TestNewConversationIsValidated(t *testing.T) {
	_, m := newServer(t, "ann", "cid")
	ann, cid := m[0], m[1]
	private, public := ann.community("private"), ann.community("public")
	contextOf := func(k string) ConversationContext { return ConversationContext{Kind: ContextKind(k)} }
	withDepth := func(c ConversationContext, depth int) ConversationContext { c.Depth = &depth; return c }
	for _, c := range []struct {
		about   string
		context ConversationContext
		code    svc.Code
		field   string
	}{
		{"a private community of others", inCommunity(private), svc.NotFound, "context.id"},
		{"an unknown community", inCommunity("com_none"), svc.NotFound, "context.id"},
		{"a public community of others", inCommunity(public), svc.PermissionDenied, "context.id"},
		{"a community without an id", inCommunity(""), svc.FieldRequired, "context.id"},
		{"no kind", contextOf(""), svc.FieldRequired, "context.kind"},
		{"an unknown kind", contextOf("secret"), svc.InvalidValue, "context.kind"},
		{"an event", contextOf("event"), svc.InvalidValue, "context.kind"},
		{"a circle without a depth", contextOf("circle"), svc.FieldRequired, "context.depth"},
		{"a circle too deep", inCircle(4), svc.InvalidValue, "context.depth"},
		{"an open one with a depth", withDepth(openContext, 1), svc.InvalidValue, "context.depth"},
		{"an open one with an id", ConversationContext{Kind: "open", ID: &public}, svc.InvalidValue, "context.id"},
	} {
		wantError(t, c.about, cid.tryStart(NewConversation{Title: "Trip", Body: "Where?", Context: c.context}), c.code, c.field)
	}
	long := strings.Repeat("é", 8001)
	wantError(t, "nothing", cid.tryStart(NewConversation{Title: " ", Body: "\n"}), svc.FieldRequired, "title", "body", "context.kind")
	wantError(t, "too much", cid.tryStart(NewConversation{Title: long[:402], Body: long, Context: openContext}), svc.TooLong, "title", "body")
	wantEqual(t, "conversations after rejected requests", len(cid.conversations()), 0)
}

func TestAudienceSpecSelectsTheContext(t *testing.T) {
	_, m := newServer(t, "ann")
	community := m[0].community("private")
	for spec, want := range map[AudienceSpec]string{
		"open": "open", "circle:1": "circle 1", "circle:3": "circle 3", AudienceSpec(community): "community " + community,
	} {
		c := write(m[0], func(tx *store.Tx, v svc.Viewer) (Conversation, error) {
			return m[0].StartConversation(tx, v, NewConversation{Title: "Trip", Body: "Where?", Audience: spec})
		})
		got := string(c.Context.Kind)
		if c.Context.Depth != nil {
			got += fmt.Sprint(" ", *c.Context.Depth)
		}
		if c.Context.ID != nil {
			got += " " + *c.Context.ID
		}
		wantEqual(t, string(spec), got, want)
	}
	wantError(t, "circle:4", m[0].tryStart(NewConversation{Title: "Trip", Body: "Where?", Audience: "circle:4"}), svc.InvalidValue, "among")
}

// Covers O-02 and B-66.
func TestAuthorUpdatesAndStaffCloses(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	community := ann.community("private", bea, dan)
	id := bea.start(inCommunity(community), "Where?")
	for a, want := range map[actor]string{bea: "true true true", ann: "true false true", dan: "true false false"} {
		c, err := a.conversation(id)
		p := c.Permissions
		wantEqual(t, fmt.Sprint("permissions of ", a.name, err), fmt.Sprint(p.CanReply, p.CanUpdate, p.CanClose), want)
	}
	title, closed := ConversationChange{Title: svc.Some("Mine")}, ConversationChange{State: svc.Some(ConversationClosed)}
	for about, c := range map[string]struct {
		by     actor
		change ConversationChange
		code   svc.Code
	}{
		"the owner changes the title": {ann, title, svc.PermissionDenied}, "a member changes nothing": {dan, ConversationChange{}, svc.PermissionDenied},
		"a member closes": {dan, closed, svc.PermissionDenied}, "an outsider closes": {cid, closed, svc.NotFound},
	} {
		_, err := c.by.updateConversation(id, c.change)
		wantError(t, about, err, c.code)
	}
	_, err := bea.updateConversation(id, ConversationChange{Title: svc.Some(""), State: svc.Some(ConversationState("gone"))})
	wantError(t, "no title and an unknown state", err, svc.FieldRequired, "title", "state")
	c, err := bea.updateConversation(id, ConversationChange{Title: svc.Some("Trips"), Body: svc.Some("Where to?")})
	wantEqual(t, fmt.Sprint("after an update ", err), c.Title+" "+c.Body, "Trips Where to?")

	c, err = ann.updateConversation(id, closed)
	wantEqual(t, fmt.Sprint("after closing ", err), c.State, "closed")
	wantError(t, "a reply when it is closed", dan.tryReply(id, "late"), svc.ConversationClosed)
	if _, err := bea.updateConversation(id, ConversationChange{State: svc.Some(ConversationOpen)}); err != nil {
		t.Error(err)
	}
	dan.reply(id, "in time")
	ann.admit(community, cid)
	ann.setRole(community, cid, "moderator")
	if _, err := cid.updateConversation(id, closed); err != nil {
		t.Errorf("a moderator cannot close: %v", err)
	}
}

func TestUnchangedConversationKeepsItsTime(t *testing.T) {
	s, m := newServer(t, "ann")
	id := m[0].start(openContext, "Where?")
	before, _ := m[0].conversation(id)
	s.clock.Advance(time.Hour)
	c, err := m[0].updateConversation(id, ConversationChange{Title: svc.Some("Trip"), State: svc.Some(ConversationOpen)})
	if err != nil || !c.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("got updated_at %v, %v, want %v", c.UpdatedAt, err, before.UpdatedAt)
	}
}

// Covers O-04 and O-05: the conversation of an event has the title of the event and is in no list,
// and is replaced by the event in feeds.
func TestConversationOfAnEventBelongsToTheEvent(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	event := ann.createEvent("public")
	e, _ := ann.event(event)
	id := e.ConversationID
	wantEqual(t, "listed conversations", len(bea.conversations()), 0)
	reply := write(bea, func(tx *store.Tx, v svc.Viewer) (Reply, error) {
		return bea.Reply(tx, v, id, NewReply{Body: "I bring @ann a cake"})
	})
	wantEqual(t, "event of the reply", *reply.EventID, event)
	c, err := ann.conversation(id)
	if err != nil || c.Title != "Dinner" || *c.Context.ID != event || c.Permissions.CanUpdate {
		t.Errorf("the host sees %+v, %v, want the title and id of the event without can_update", c, err)
	}
	wantEqual(t, "target of the activity", bea.activity()[0].Target, Target{"event", event, "Dinner"})
	wantEqual(t, "target of the notification", ann.notifications().Notifications[0].Target, Target{"event", event, "Dinner"})
	_, err = ann.updateConversation(id, ConversationChange{Title: svc.Some("Supper")})
	wantError(t, "a new title", err, svc.PermissionDenied)
	if _, err := ann.updateConversation(id, ConversationChange{State: svc.Some(ConversationClosed)}); err != nil {
		t.Error(err)
	}
	wantError(t, "a reply to a closed one", bea.tryReply(id, "?"), svc.ConversationClosed)
	e, _ = bea.event(event)
	wantEqual(t, "can reply to the event", e.Permissions.CanReply, false)
	bea.block(ann)
	wantError(t, "after a block", bea.conversationError(id), svc.NotFound)
	wantEqual(t, "notifications of the host", ann.notificationTitles(), "[]")
	wantEqual(t, "activity of bea", len(bea.activity()), 0)
}

// Covers B-67 and B-72: an event of a community and its conversation stay
// visible across a block, without the hidden member.
func TestCommunityEventStaysVisibleAcrossABlock(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	community := ann.community("private", bea, cid)
	event := bea.createEvent("community", forCommunity(community))
	e, _ := bea.event(event)
	id := e.ConversationID
	cid.block(bea)
	ann.reply(id, "Who? @cid")
	bea.reply(id, "Me @cid")
	cid.reply(id, "I")
	for a, want := range map[actor]string{ann: "Bea: Who? @cid Me @cid I, 3 3", bea: "Bea: Who? @cid Me @cid, 2 2", cid: "Former member: Who? @cid I, 2 2"} {
		d := a.discussion(id, svc.HistoryQuery{})
		c := d.Conversation
		wantEqual(t, a.name, fmt.Sprintf("%s: %s, %d %d", c.Author.DisplayName, bodies(d.Replies), c.ReplyCount, c.ParticipantCount), want)
	}
	wantEqual(t, "notifications of cid", cid.notificationTitles(), "[Ann mentioned you Ann invited you]")
	cid.mustRespond(event, "going")
	if _, err := ann.updateEvent(event, EventChange{Location: svc.Some(Location{Label: "Town"})}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "the latest notification of cid", cid.notificationTitles()[0], "Ann changed the event")
}

// Covers PT-46.
func TestConversationsOfFormerMembersStay(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := bea.start(openContext, "Where?")
	ann.reply(id, "Here")
	bea.reply(id, "Good")
	wantFormerMember := func(when string) {
		t.Helper()
		d := read(ann, func(tx *store.Tx, v svc.Viewer) (Discussion, error) {
			return ann.Discussion(tx, v, id, svc.HistoryQuery{})
		})
		wantEqual(t, when+", author", d.Conversation.Author.DisplayName, "Former member")
		wantEqual(t, when+", reply", d.Replies[1].Author.DisplayName+": "+d.Replies[1].Body, "Former member: Good")
		wantEqual(t, when+", notification", ann.notificationTitles(), "[Former member replied]")
		wantEqual(t, when+", activity", ann.activity()[0].Actor.DisplayName, "Former member")
	}
	bea.disable()
	wantFormerMember("disabled")
	bea.deleteAccount()
	wantFormerMember("deleted")
	ann.reply(id, "Anyone?")
}

// Covers PT-30 and O-25: pages contain each conversation once, even if replies reorder the list
// between two pages.
func TestPagesOfConversationsAreComplete(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	var ids []string
	for i := range 10 {
		s.clock.Advance(time.Duration(i%2) * time.Second) // pairs of conversations have the same time
		ids = append(ids, ann.start(openContext, "x"))
	}
	s.clock.Advance(time.Second)
	bea.reply(ids[3], "first")
	bea.reply(ids[7], "second")
	want := column(bea.conversations(), func(c Conversation) any { return c.ID })
	var got []string
	cursor, page := "", 0
	for more := true; more; more = cursor != "" {
		p := read(bea, func(tx *store.Tx, v svc.Viewer) (ConversationPage, error) { return s.Conversations(tx, v, 3, cursor) })
		for _, c := range p.Conversations {
			got = append(got, c.ID)
		}
		cursor = ""
		if p.Page.NextCursor != nil {
			cursor = *p.Page.NextCursor
		}
		s.clock.Advance(time.Second)
		page++
		bea.reply(ids[page], "meanwhile")
		bea.start(openContext, "meanwhile")
	}
	wantEqual(t, "conversations on all pages", strings.Join(got, " "), want)
	for _, c := range []string{"bad", strings.Repeat("x", 2000)} {
		_, err := tryRead(bea, func(tx *store.Tx, v svc.Viewer) (ConversationPage, error) { return s.Conversations(tx, v, 0, c) })
		wantError(t, "a bad cursor", err, svc.InvalidParameter, "cursor")
	}
}
