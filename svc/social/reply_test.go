package social

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/svctest"
)

func (a actor) discussion(id string, q svc.HistoryQuery) Discussion {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (Discussion, error) { return a.Discussion(tx, v, id, q) })
}

func (a actor) openConversation(id string) Discussion {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Discussion, error) {
		return a.OpenConversation(tx, v, id, svc.HistoryQuery{})
	})
}

func (a actor) markRead(conversation, reply string) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) {
		return a.MarkConversationRead(tx, v, conversation, reply)
	})
	return err
}

func bodies(list []Reply) string { return column(list, func(r Reply) any { return r.Body }) }

// Covers B-66, B-83 and PT-40.
func TestReplyIsValidated(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id, elsewhere := ann.start(openContext, "Where?"), ann.start(openContext, "When?")
	first, other := ann.reply(id, " The sea \n"), ann.reply(elsewhere, "Soon")
	reply := func(body string, to string) (Reply, error) {
		return tryWrite(bea, func(tx *store.Tx, v svc.Viewer) (Reply, error) {
			return bea.Reply(tx, v, id, NewReply{Body: body, InReplyTo: &to})
		})
	}
	_, err := reply(" \n", first)
	wantError(t, "no body", err, svc.FieldRequired, "body")
	_, err = reply(strings.Repeat("é", 8001), first)
	wantError(t, "a long body", err, svc.TooLong, "body")
	_, err = reply("x", other)
	wantError(t, "a reply in another conversation", err, svc.InvalidValue, "in_reply_to")
	r, err := reply("Which one?", first)
	if err != nil || *r.InReplyTo != first || r.EventID != nil || r.ConversationID != id {
		t.Errorf("got %+v, %v, want a reply to %s", r, err, first)
	}
	if r, err := reply("x", ""); err != nil || r.InReplyTo != nil {
		t.Errorf("got %+v, %v, want a reply to none", r, err)
	}
	wantEqual(t, "the body as sent", ann.discussion(id, svc.HistoryQuery{}).Replies[0].Body, " The sea \n")
}

func TestInReplyToOmitsAHiddenReply(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.start(openContext, "Where?")
	first := bea.reply(id, "Here")
	write(cid, func(tx *store.Tx, v svc.Viewer) (Reply, error) {
		return cid.Reply(tx, v, id, NewReply{"There", &first})
	})
	ann.block(bea)
	d := ann.discussion(id, svc.HistoryQuery{})
	if len(d.Replies) != 1 || d.Replies[0].InReplyTo != nil {
		t.Errorf("got %+v, want one reply to none", d.Replies)
	}
	wantError(t, "marking a hidden reply", ann.markRead(id, first), svc.InvalidValue, "last_read_reply_id")
}

// Covers B-50 and B-66.
func TestReadCursorMovesForwardOnly(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.start(openContext, "Where?")
	var replies []string
	for i := range 5 {
		replies = append(replies, bea.reply(id, fmt.Sprint(i)))
	}
	wantUnread := func(a actor, after string, want int64) {
		t.Helper()
		wantEqual(t, fmt.Sprintf("unread replies of %s after %s", a.name, after), a.conversations()[0].UnreadCount, want)
	}
	wantUnread(ann, "five replies", 5)
	wantUnread(bea, "her own replies", 0)
	d := ann.discussion(id, svc.HistoryQuery{})
	wantEqual(t, "has unread replies", d.HasUnread, true)
	wantUnread(ann, "looking", 5)
	for _, reply := range []string{replies[1], replies[0]} {
		if err := ann.markRead(id, reply); err != nil {
			t.Error(err)
		}
		wantUnread(ann, "marking the second, then the first", 3)
	}
	wantError(t, "an unknown reply", ann.markRead(id, "rep_other"), svc.InvalidValue, "last_read_reply_id")
	d = ann.openConversation(id)
	wantEqual(t, "unread replies in the answer", d.Conversation.UnreadCount, 0)
	wantUnread(ann, "opening", 0)
	wantEqual(t, "has unread replies after opening", ann.discussion(id, svc.HistoryQuery{}).HasUnread, false)
	bea.reply(id, "more")
	wantUnread(ann, "another reply", 1)
	ann.reply(id, "and more")
	wantUnread(ann, "replying", 0)
	wantUnread(bea, "a reply of ann", 1)
	if err := bea.markRead(id, ""); err != nil {
		t.Error(err)
	}
	wantUnread(bea, "marking all", 0)
}

// Covers PT-30 and B-82.
func TestPagesOfRepliesAreComplete(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.start(openContext, "Where?")
	for i := range 9 {
		ann.reply(id, fmt.Sprint(i))
	}
	var pages []string
	q := svc.HistoryQuery{Limit: 4}
	for more := true; more; more = q.Before != "" {
		d := bea.discussion(id, q)
		pages = append([]string{bodies(d.Replies)}, pages...)
		ann.reply(id, "meanwhile")
		q.Before = ""
		if d.Page.PreviousCursor != nil {
			q.Before = *d.Page.PreviousCursor
			_, err := tryRead(ann, func(tx *store.Tx, v svc.Viewer) (Discussion, error) { return ann.Discussion(tx, v, id, q) })
			wantError(t, "the cursor of another member", err, svc.InvalidParameter, "before")
		}
	}
	wantEqual(t, "replies on all pages", strings.Join(pages, " "), "0 1 2 3 4 5 6 7 8")
}

// modelConversation is the expected state of a conversation.
type modelConversation struct {
	id      string
	author  int
	started time.Time
	replies []modelReply
	read    map[int]int // member → replies read, hidden ones included
}

type modelReply struct {
	author int
	at     time.Time
}

func (c *modelConversation) hasReplied(member int) bool {
	return c.author == member || slices.ContainsFunc(c.replies, func(r modelReply) bool { return r.author == member })
}

// lastActivity returns the time of the last reply that viewer sees.
func (c *modelConversation) lastActivity(viewer int, hidden func(int, int) bool) time.Time {
	at := c.started
	for _, r := range c.replies {
		if !hidden(viewer, r.author) {
			at = r.at
		}
	}
	return at
}

// summary returns the list entry of the conversation for viewer.
func (c *modelConversation) summary(viewer int, hidden func(int, int) bool) string {
	replies, unread := 0, 0
	participants := map[int]bool{c.author: true}
	for n, r := range c.replies {
		if hidden(viewer, r.author) {
			continue
		}
		replies++
		participants[r.author] = true
		if n >= c.read[viewer] {
			unread++
		}
	}
	return fmt.Sprint(c.id, " ", replies, len(participants), unread, c.lastActivity(viewer, hidden).Unix())
}

// Covers O-36, O-37 and PT-42: counts, order and notifications equal those of the model after any
// sequence of replies, reads and blocks.
func TestRandomConversationsMatchTheModel(t *testing.T) {
	steps := 120
	if svctest.IsLong() {
		steps = 600
	}
	s, m := newServer(t, "ann", "bea", "cid", "dan", "eve")
	random := rand.New(rand.NewPCG(1, 2))
	blocks := make(map[memberPair]bool)
	hidden := func(a, b int) bool {
		return blocks[memberPair{m[a].id, m[b].id}] || blocks[memberPair{m[b].id, m[a].id}]
	}
	var conversations []*modelConversation
	type notice struct{ to, actor, author int }
	var notices []notice
	for step := range steps {
		s.clock.Advance(time.Second)
		i := random.IntN(len(m))
		var c *modelConversation
		if len(conversations) > 0 {
			c = conversations[random.IntN(len(conversations))]
		}
		switch action := random.IntN(10); {
		case action == 0 || c == nil:
			conversations = append(conversations, &modelConversation{id: m[i].start(openContext, "x"), author: i, started: s.clock.Now(), read: make(map[int]int)})
		case action == 1:
			other := random.IntN(len(m))
			if pair := (memberPair{m[i].id, m[other].id}); blocks[pair] {
				delete(blocks, pair)
				m[i].unblock(m[other])
			} else if i != other && len(blocks) < 4 {
				blocks[pair] = true
				m[i].block(m[other])
			}
		case hidden(i, c.author):
			wantError(t, "a reply to a hidden author", m[i].tryReply(c.id, "x"), svc.NotFound)
		case action == 2:
			m[i].openConversation(c.id)
			for n, r := range c.replies {
				if !hidden(i, r.author) {
					c.read[i] = max(c.read[i], n+1)
				}
			}
		default:
			m[i].reply(c.id, "x")
			for to := range m {
				if to != i && c.hasReplied(to) && !hidden(to, i) && !hidden(to, c.author) {
					notices = append(notices, notice{to, i, c.author})
				}
			}
			c.replies = append(c.replies, modelReply{i, s.clock.Now()})
			c.read[i] = len(c.replies)
		}
		for viewer, a := range m {
			visible := slices.DeleteFunc(slices.Clone(conversations), func(c *modelConversation) bool { return hidden(viewer, c.author) })
			slices.SortFunc(visible, func(a, b *modelConversation) int {
				return cmp.Or(b.lastActivity(viewer, hidden).Compare(a.lastActivity(viewer, hidden)), strings.Compare(b.id, a.id))
			})
			want := column(visible, func(c *modelConversation) any { return c.summary(viewer, hidden) })
			got := column(a.conversations(), func(c Conversation) any {
				at := c.CreatedAt
				if c.LastReplyAt != nil {
					at = *c.LastReplyAt
				}
				return fmt.Sprint(c.ID, " ", c.ReplyCount, c.ParticipantCount, c.UnreadCount, at.Unix())
			})
			wantEqual(t, fmt.Sprintf("turn %d, conversations of %s", step, a.name), got, want)
			wantEqual(t, fmt.Sprintf("turn %d, count for %s", step, a.name), a.counts().Conversations, len(visible))
			unread := 0
			for _, n := range notices {
				if n.to == viewer && !hidden(viewer, n.actor) && !hidden(viewer, n.author) {
					unread++
				}
			}
			wantEqual(t, fmt.Sprintf("turn %d, notifications of %s", step, a.name), a.notifications().UnreadCount, unread)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

func (a actor) markUnread(conversation string) (Conversation, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) {
		return a.MarkConversationUnread(tx, v, conversation)
	})
}

// A mark as unread changes neither the read cursor nor the count. Opening, marking as
// read and replying remove it. Covers B-106 and PT-18.
func TestMarkAsUnreadIsRemovedByReading(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.start(openContext, "Where?")
	first := bea.reply(id, "Here")
	state := func() string {
		c, err := ann.conversation(id)
		readUpTo := "none"
		if c.ReadUpTo != nil {
			readUpTo = *c.ReadUpTo
		}
		return fmt.Sprintf("%d %t %s %v", c.UnreadCount, c.MarkedUnread, readUpTo, err)
	}
	if c, err := ann.markUnread(id); err != nil || c.MarkedUnread || c.UnreadCount != 1 {
		t.Errorf("with an unread reply: got %+v, %v, want no mark", c, err)
	}
	read, marked := "0 false "+first+" <nil>", "0 true "+first+" <nil>"
	for name, remove := range map[string]func(){
		"opening":         func() { ann.openConversation(id) },
		"marking as read": func() { _ = ann.markRead(id, first) },
	} {
		ann.openConversation(id)
		wantEqual(t, "opened", state(), read)
		before := ann.revision()
		if _, err := ann.markUnread(id); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "marked", state(), marked)
		if ann.revision() == before {
			t.Error("got the same revision after the mark, want another")
		}
		if d := ann.discussion(id, svc.HistoryQuery{}); !d.HasUnread {
			t.Error("got nothing to read in a conversation that is marked as unread")
		}
		remove()
		wantEqual(t, name, state(), read)
	}
	if _, err := ann.markUnread(id); err != nil {
		t.Fatal(err)
	}
	own := ann.reply(id, "Thanks")
	wantEqual(t, "replying", state(), "0 false "+own+" <nil>")
	cid.block(ann)
	_, err := cid.markUnread(id)
	wantError(t, "a hidden conversation", err, svc.NotFound)
}

// The first post of another member is unread until the viewer opens the conversation or marks it as
// read. That of the viewer and the discussion of an event have none.
func TestFirstPostIsUnreadUntilOpened(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	wantUnread := func(about string, a actor, id string, want bool) {
		t.Helper()
		c, err := a.conversation(id)
		_, count, _ := a.attention()
		wantEqual(t, about, fmt.Sprint(c.MarkedUnread, c.UnreadCount, count, err), fmt.Sprint(want, 0, map[bool]int{true: 1}[want], error(nil)))
	}
	id := ann.start(openContext, "Where?")
	wantUnread("own conversation", ann, id, false)
	wantUnread("conversation of another member", bea, id, true)
	bea.discussion(id, svc.HistoryQuery{})
	wantUnread("after a read that does not open it", bea, id, true)
	before := bea.revision()
	bea.openConversation(id)
	wantUnread("after opening it", bea, id, false)
	if bea.revision() == before {
		t.Error("got the same revision after opening, want another")
	}
	if err := cid.markRead(id, ""); err != nil {
		t.Error(err)
	}
	wantUnread("after marking it as read", cid, id, false)
	event := ann.createEvent("public")
	discussion := read(cid, func(tx *store.Tx, v svc.Viewer) (string, error) { return cid.EventConversation(tx, v, event) })
	wantUnread("discussion of an event", cid, discussion, false)
}

// The latest reply and the read position omit replies of hidden authors. Covers B-106 and PT-21.
func TestLatestReplyOmitsHiddenAuthors(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	private := ann.community("private", bea, cid)
	id := ann.start(ConversationContext{Kind: "community", ID: &private}, "Where?")
	first, second := bea.reply(id, "Here"), cid.reply(id, "There\nor elsewhere")
	ann.openConversation(id)
	bea.openConversation(id)
	last := func(a actor) string {
		c, err := a.conversation(id)
		if err != nil || c.LastReply == nil || c.ReadUpTo == nil {
			t.Fatalf("%s: got %+v, %v, want a reply", a.name, c, err)
		}
		return fmt.Sprint(c.LastReply.Author.DisplayName, ": ", c.LastReply.Excerpt, " ", c.LastReply.ID == *c.ReadUpTo, " ", c.ContextTitle)
	}
	community, err := ann.getCommunity(private)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "for ann", last(ann), "Cid: There or elsewhere true "+community.Name)
	bea.block(cid)
	wantEqual(t, "for bea, who blocks cid", last(bea), "Bea: Here true "+community.Name)
	wantEqual(t, "for cid", cid.conversations()[0].LastReply.ID, second)
	bea.unblock(cid)
	cid.disable()
	wantEqual(t, "of a disabled member", last(ann), "Former member: There or elsewhere true "+community.Name)
	if first == second {
		t.Error("got one id for two replies")
	}
}
