package social

import (
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// relations are the members of the visibility matrix, by their relation to the
// author. The former member and the two sides of a block would be the closest
// of all without the relation that their name states.
var relations = []string{"author", "inner", "trusted", "extended", "fellow", "former", "blocked", "blocker", "outsider"}

// neighbors are an author with one viewer of each relation, and two communities
// of the author.
type neighbors struct {
	*server
	viewers         map[string]actor
	author          actor
	private, public string
}

func newNeighbors(t *testing.T) *neighbors {
	s, actors := newServer(t, relations...)
	n := &neighbors{server: s, viewers: make(map[string]actor)}
	for i, relation := range relations {
		n.viewers[relation] = actors[i]
	}
	v := n.viewers
	n.author = v["author"]
	n.private = n.author.community("private", v["inner"], v["former"], v["blocked"], v["blocker"])
	n.public = n.author.community("public", v["fellow"], v["former"], v["blocked"], v["blocker"])
	chain(v["inner"], v["trusted"], v["extended"])
	v["former"].leave(n.private)
	v["former"].leave(n.public)
	n.author.block(v["blocked"])
	v["blocker"].block(n.author)
	return n
}

// visibleKind is a kind of record with the relations that see it and the ways
// in which it is read.
type visibleKind struct {
	name  string
	make  func(*neighbors) string // as the author, returns the id
	to    string
	reads []visibleRead
}

type visibleRead struct {
	name  string
	shows func(n *neighbors, viewer actor, id string) bool
}

// visibleKinds is the matrix. Every kind of record that members create belongs
// in it.
var visibleKinds = []visibleKind{
	{"conversation of a private community", startIn(func(n *neighbors) ConversationContext { return inCommunity(n.private) }), "author inner", conversationReads},
	{"conversation of a public community", startIn(func(n *neighbors) ConversationContext { return inCommunity(n.public) }), "author fellow", conversationReads},
	{"conversation of the inner circle", startIn(func(*neighbors) ConversationContext { return inCircle(1) }), "author inner", conversationReads},
	{"conversation of the trusted circle", startIn(func(*neighbors) ConversationContext { return inCircle(2) }), "author inner trusted", conversationReads},
	{"conversation of the extended circle", startIn(func(*neighbors) ConversationContext { return inCircle(3) }), "author inner trusted extended", conversationReads},
	{"open conversation", startIn(func(*neighbors) ConversationContext { return open }), "author inner trusted extended fellow former outsider", conversationReads},
	{"reply to an outsider", replyToOutsider, "author inner trusted extended fellow former outsider", replyReads},

	{"public event", hostFor("public", nil), "author inner trusted extended fellow former outsider", eventReads},
	{"event of a private community", hostFor("community", func(n *neighbors) func(*NewEvent) { return forCommunity(n.private) }), "author inner blocked blocker", eventReads},
	{"event of a public community", hostFor("community", func(n *neighbors) func(*NewEvent) { return forCommunity(n.public) }), "author fellow blocked blocker", eventReads},
	{"event of the inner circle", hostFor("circle", func(*neighbors) func(*NewEvent) { return forCircle(1) }), "author inner", eventReads},
	{"event of the trusted circle", hostFor("circle", func(*neighbors) func(*NewEvent) { return forCircle(2) }), "author inner trusted", eventReads},
	{"event of the extended circle", hostFor("circle", func(*neighbors) func(*NewEvent) { return forCircle(3) }), "author inner trusted extended", eventReads},
	{"event without guests", hostFor("invited", nil), "author", eventReads},

	{"profile for circles", describe("circle"), "author inner trusted extended", profileReads},
	{"profile for members", describe("members"), "author inner trusted extended fellow former outsider", profileReads},
	{"public profile", describe("public"), "author inner trusted extended fellow former outsider", profileReads},

	{"presence hidden from all members", setPresence("nobody"), "author", presenceReads},
	{"presence for the inner circle", setPresence("inner"), "author inner", presenceReads},
	{"presence for the trusted circle", setPresence("trusted"), "author inner trusted", presenceReads},
	{"presence for the extended circle", setPresence("extended"), "author inner trusted extended", presenceReads},
	{"presence for members", setPresence("members"), "author inner trusted extended fellow former outsider", presenceReads},
}

// Covers PT-21, PT-42, O-21 to O-24, O-27, O-36, O-37, B-68, B-69, B-72 and
// B-76: every way to read a record shows it exactly to the members of its audience
// who have no block with the author.
func TestVisibilityMatrix(t *testing.T) {
	for _, kind := range visibleKinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel() // most of the time is spent on commits
			n := newNeighbors(t)
			id := kind.make(n)
			for _, read := range kind.reads {
				for _, relation := range relations {
					want := slices.Contains(strings.Fields(kind.to), relation)
					if got := read.shows(n, n.viewers[relation], id); got != want {
						t.Errorf("%s, %s: got visible %t, want %t", read.name, relation, got, want)
					}
				}
			}
		})
	}
}

// everyName mentions all viewers.
func everyName() string { return "@" + strings.Join(relations, " @") }

func startIn(context func(*neighbors) ConversationContext) func(*neighbors) string {
	return func(n *neighbors) string { return n.author.start(context(n), everyName()) }
}

// conversationReads are for a conversation that mentions all viewers.
var conversationReads = []visibleRead{
	{"the list", func(_ *neighbors, a actor, id string) bool { return contains(a.conversations(), id) }},
	{"the list of the community", func(n *neighbors, a actor, id string) bool {
		c, err := a.conversation(id)
		if err != nil || c.Context.Kind != "community" {
			return err == nil
		}
		return contains(read(a, func(tx *store.Tx, v svc.Viewer) ([]Conversation, error) {
			return a.CommunityConversations(tx, v, *c.Context.ID, 10)
		}), id)
	}},
	{"the record", func(_ *neighbors, a actor, id string) bool { return found(a, a.conversationError(id)) }},
	{"the replies", func(_ *neighbors, a actor, id string) bool {
		_, err := lookup(a, func(tx *store.Tx, v svc.Viewer) (Discussion, error) {
			return a.Discussion(tx, v, id, svc.HistoryQuery{})
		})
		return found(a, err)
	}},
	{"a reply", func(_ *neighbors, a actor, id string) bool { return found(a, a.tryReply(id, "x")) }},
	{"the read cursor", func(_ *neighbors, a actor, id string) bool {
		_, err := attempt(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) { return a.MarkConversationRead(tx, v, id, "") })
		return found(a, err)
	}},
	{"the activity", func(_ *neighbors, a actor, id string) bool {
		return slices.ContainsFunc(a.activity(), func(x Activity) bool { return x.Target.ID == id })
	}},
	{"the notifications", func(n *neighbors, a actor, id string) bool {
		return a.id == n.author.id || slices.ContainsFunc(a.notifications().Notifications, func(x Notification) bool { return x.Target.ID == id && x.Kind == "mention" })
	}},
	{"the exported notifications", func(n *neighbors, a actor, id string) bool {
		shown := a.id == n.author.id
		read(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
			return nil, a.ExportNotifications(tx, v.Member(), func(x Notification) error {
				shown = shown || x.Target.ID == id && x.Kind == "mention"
				return nil
			})
		})
		return shown
	}},
	{"the count", func(_ *neighbors, a actor, id string) bool { return a.counts().Conversations == 1 }},
	{"the title", func(_ *neighbors, a actor, id string) bool { return a.title("conversation", id) == "Trip" }},
	{"the dataset", func(_ *neighbors, a actor, id string) bool { return a.source("conversation", id) }},
}

func contains(list []Conversation, id string) bool {
	return slices.ContainsFunc(list, func(c Conversation) bool { return c.ID == id })
}

// found reports whether err is nil. Any error other than not-found fails the
// test.
func found(a actor, err error) bool {
	if err != nil && svc.KindOf(err) != svc.Missing {
		a.Errorf("%s: got %v, want a not-found error", a.name, err)
	}
	return err == nil
}

func (a actor) conversationError(id string) error {
	_, err := a.conversation(id)
	return err
}

func (a actor) counts() Counts {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (Counts, error) {
		n, _, err := a.Counts(tx, v)
		return n, err
	})
}

// title returns the title of a record, "" if a does not see it.
func (a actor) title(kind, id string) string {
	a.Helper()
	titles := read(a, func(tx *store.Tx, v svc.Viewer) (map[SourceRef]string, error) {
		return a.Titles(tx, v, []SourceRef{{"social", kind, id}})
	})
	return titles[SourceRef{"social", kind, id}]
}

// source reports whether the dataset of a contains a record.
func (a actor) source(kind, id string) bool {
	a.Helper()
	all := read(a, func(tx *store.Tx, v svc.Viewer) (Sources, error) { return a.Sources(tx, v) })
	for _, list := range [][]Source{all.Objects.Communities, all.Objects.Conversations, all.Objects.Events, all.Objects.DMs, all.Objects.Profiles} {
		for _, s := range list {
			if s.ObjectType == kind && s.Source.ResourceID == id {
				return true
			}
		}
	}
	return false
}

// replyToOutsider posts replies of every viewer, the last by the author, in a
// conversation of the outsider.
func replyToOutsider(n *neighbors) string {
	id := n.viewers["outsider"].start(open, "Hello?")
	for _, relation := range relations[1 : len(relations)-1] {
		n.viewers[relation].reply(id, "me")
	}
	n.author.reply(id, "me too")
	return id
}

// replyReads are for a reply of the author in a conversation of the outsider
// with eight replies by eight members. The author does not see two of them.
var replyReads = []visibleRead{
	{"the replies", func(_ *neighbors, a actor, id string) bool {
		d := read(a, func(tx *store.Tx, v svc.Viewer) (Discussion, error) {
			return a.Discussion(tx, v, id, svc.HistoryQuery{})
		})
		return slices.ContainsFunc(d.Replies, func(r Reply) bool { return r.Body == "me too" })
	}},
	{"the number of replies", func(n *neighbors, a actor, id string) bool {
		c, _ := a.conversation(id)
		return c.ReplyCount == 8 || a.id == n.author.id && c.ReplyCount == 6
	}},
	{"the number of participants", func(n *neighbors, a actor, id string) bool {
		c, _ := a.conversation(id)
		return c.ParticipantCount == 9 || a.id == n.author.id && c.ParticipantCount == 7
	}},
	{"the activity", func(n *neighbors, a actor, id string) bool {
		return slices.ContainsFunc(a.activity(), func(x Activity) bool { return x.Kind == "reply.posted" && x.Actor.ID == n.author.id })
	}},
	{"the notifications", func(n *neighbors, a actor, id string) bool {
		return a.id == n.author.id || slices.Contains(a.notified(), "Author replied")
	}},
}

func hostFor(visibility string, change func(*neighbors) func(*NewEvent)) func(*neighbors) string {
	return func(n *neighbors) string {
		if change == nil {
			return n.author.host(visibility)
		}
		return n.author.host(visibility, change(n))
	}
}

var eventReads = []visibleRead{
	{"the list", func(_ *neighbors, a actor, id string) bool { return slices.Contains(a.events(EventQuery{}), id) }},
	{"the list of the community", func(_ *neighbors, a actor, id string) bool {
		e, err := a.event(id)
		if err != nil || e.CommunityID == nil {
			return err == nil
		}
		return slices.Contains(a.events(EventQuery{CommunityID: *e.CommunityID}), id)
	}},
	{"the record", func(_ *neighbors, a actor, id string) bool {
		_, err := a.event(id)
		return found(a, err)
	}},
	{"the attendees", func(_ *neighbors, a actor, id string) bool {
		_, err := lookup(a, func(tx *store.Tx, v svc.Viewer) ([]RSVP, error) { return a.Attendees(tx, v, id) })
		return found(a, err)
	}},
	{"the conversation", func(_ *neighbors, a actor, id string) bool {
		_, err := lookup(a, func(tx *store.Tx, v svc.Viewer) (string, error) { return a.EventConversation(tx, v, id) })
		return found(a, err)
	}},
	{"a response", func(_ *neighbors, a actor, id string) bool { return found(a, a.respond(id, "maybe")) }},
	{"the mirror", func(n *neighbors, a actor, id string) bool {
		return strings.Contains(n.calendars.holders(id), a.id.String()+":")
	}},
	{"the activity", func(n *neighbors, a actor, id string) bool { // the actor may be hidden
		shown := slices.ContainsFunc(a.activity(), func(x Activity) bool { return x.Target.ID == id })
		return shown
	}},
	{"the count", func(_ *neighbors, a actor, _ string) bool { return a.counts().Events == 1 }},
	{"the title", func(_ *neighbors, a actor, id string) bool { return a.title("event", id) == "Dinner" }},
	{"the dataset", func(_ *neighbors, a actor, id string) bool { return a.source("event", id) }},
	{"the management", func(n *neighbors, a actor, id string) bool {
		_, err := a.updateEvent(id, EventChange{Description: svc.Some(a.name)})
		if err != nil && a.id != n.author.id && svc.KindOf(err) == svc.Forbidden {
			return true
		}
		return found(a, err)
	}},
}

// events returns the ids of a page of events.
func (a actor) events(q EventQuery) (ids []string) {
	a.Helper()
	list, err := lookup(a, func(tx *store.Tx, v svc.Viewer) (EventPage, error) { return a.Events(tx, v, q) })
	if err != nil {
		return nil
	}
	for _, e := range list.Events {
		ids = append(ids, e.ID)
	}
	return ids
}

func describe(visibility string) func(*neighbors) string {
	return func(n *neighbors) string {
		write(n.author, func(tx *store.Tx, v svc.Viewer) (Profile, error) {
			return n.UpdateProfile(tx, v, ProfileChange{Bio: svc.Some("Bakes"), Visibility: svc.Some(visibility)})
		})
		return n.author.id.String()
	}
}

var profileReads = []visibleRead{
	{"the profile", func(n *neighbors, a actor, _ string) bool {
		p, err := lookup(a, func(tx *store.Tx, v svc.Viewer) (Profile, error) { return a.Profile(tx, v, n.author.id) })
		return found(a, err) && p.Bio == "Bakes"
	}},
	{"the title", func(_ *neighbors, a actor, id string) bool { return a.title("profile", id) == "Author" }},
	{"the list of members", func(n *neighbors, a actor, _ string) bool {
		hidden := read(a, func(tx *store.Tx, v svc.Viewer) ([]svc.MemberID, error) { return a.Hidden(tx, a.id) })
		return !slices.Contains(hidden, n.author.id) && a.person(n.author).Permissions.CanView
	}},
}

// person returns other in the list of members.
func (a actor) person(other actor) Person {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) ([]Person, error) {
		return a.People(tx, v, []svc.Person{a.members.list[other.id-1]})
	})[0]
}

func setPresence(visibleTo string) func(*neighbors) string {
	return func(n *neighbors) string {
		n.author.present(NewPresence{State: "busy", Note: "at the lake", VisibleTo: visibleTo})
		return n.author.id.String()
	}
}

// present sets the presence of a.
func (a actor) present(p NewPresence) Presence {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Presence, error) { return a.SetPresence(tx, v, p) })
}

func (a actor) presence() PresencePage {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (PresencePage, error) { return a.Presence(tx, v, 0, "") })
}

var presenceReads = []visibleRead{
	{"the list", func(n *neighbors, a actor, _ string) bool {
		list := a.presence().Presence
		return len(list) == 1 && list[0].MemberID == n.author.id && list[0].Note == "at the lake"
	}},
	{"the count", func(_ *neighbors, a actor, _ string) bool { return a.counts().Presence == 1 }},
	{"the list of members", func(n *neighbors, a actor, _ string) bool {
		p := a.person(n.author).Presence
		return p != nil && p.State == "busy"
	}},
}
