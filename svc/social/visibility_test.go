package social

import (
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// relations are the members of the visibility matrix, by their relation to the
// author. The former member has left the communities of the author; the two
// members of each block are still in them.
var relations = []string{"author", "inner", "trusted", "extended", "fellow", "former", "blocked", "blocker", "outsider"}

// matrixServer is a server with an author, one viewer of each relation and two
// communities of the author.
type matrixServer struct {
	*server
	viewers         map[string]actor
	author          actor
	private, public string
}

func newMatrixServer(t *testing.T) *matrixServer {
	s, actors := newServer(t, relations...)
	n := &matrixServer{server: s, viewers: make(map[string]actor)}
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

// recordKind is a kind of record, with the relations that see it and the methods that read it.
type recordKind struct {
	name  string
	make  func(*matrixServer) string // creates the record as the author and returns its id
	to    string
	reads []visibleRead
}

type visibleRead struct {
	name  string
	shows func(n *matrixServer, viewer actor, id string) bool
}

// recordKinds is the visibility matrix. It must contain every kind of record that
// members create.
var recordKinds = []recordKind{
	{"conversation of a private community", conversationMaker(func(n *matrixServer) ConversationContext { return inCommunity(n.private) }), "author inner", conversationReads},
	{"conversation of a public community", conversationMaker(func(n *matrixServer) ConversationContext { return inCommunity(n.public) }), "author fellow", conversationReads},
	{"conversation of the inner circle", conversationMaker(func(*matrixServer) ConversationContext { return inCircle(1) }), "author inner", conversationReads},
	{"conversation of the trusted circle", conversationMaker(func(*matrixServer) ConversationContext { return inCircle(2) }), "author inner trusted", conversationReads},
	{"conversation of the extended circle", conversationMaker(func(*matrixServer) ConversationContext { return inCircle(3) }), "author inner trusted extended", conversationReads},
	{"open conversation", conversationMaker(func(*matrixServer) ConversationContext { return openContext }), "author inner trusted extended fellow former outsider", conversationReads},
	{"reply to an outsider", replyToOutsider, "author inner trusted extended fellow former outsider", replyReads},

	{"public event", eventMaker("public", nil), "author inner trusted extended fellow former outsider", eventReads},
	{"event of a private community", eventMaker("community", func(n *matrixServer) func(*NewEvent) { return forCommunity(n.private) }), "author inner blocked blocker", eventReads},
	{"event of a public community", eventMaker("community", func(n *matrixServer) func(*NewEvent) { return forCommunity(n.public) }), "author fellow blocked blocker", eventReads},
	{"event of the inner circle", eventMaker("circle", func(*matrixServer) func(*NewEvent) { return forCircle(1) }), "author inner", eventReads},
	{"event of the trusted circle", eventMaker("circle", func(*matrixServer) func(*NewEvent) { return forCircle(2) }), "author inner trusted", eventReads},
	{"event of the extended circle", eventMaker("circle", func(*matrixServer) func(*NewEvent) { return forCircle(3) }), "author inner trusted extended", eventReads},
	{"event without guests", eventMaker("invited", nil), "author", eventReads},

	{"profile for circles", profileMaker("circle"), "author inner trusted extended", profileReads},
	{"profile for members", profileMaker("members"), "author inner trusted extended fellow former outsider", profileReads},
	{"public profile", profileMaker("public"), "author inner trusted extended fellow former outsider", profileReads},

	{"presence hidden from all members", presenceMaker("nobody"), "author", presenceReads},
	{"presence for the inner circle", presenceMaker("inner"), "author inner", presenceReads},
	{"presence for the trusted circle", presenceMaker("trusted"), "author inner trusted", presenceReads},
	{"presence for the extended circle", presenceMaker("extended"), "author inner trusted extended", presenceReads},
	{"presence for members", presenceMaker("members"), "author inner trusted extended fellow former outsider", presenceReads},
}

// Covers PT-21, PT-42, O-21 to O-24, O-27, O-36, O-37, B-68, B-69, B-72 and B-76: every method that
// reads a record returns it exactly for the members of its audience without a block between them
// and the author.
func TestVisibilityMatrix(t *testing.T) {
	for _, kind := range recordKinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel() // most of the time is spent on commits
			n := newMatrixServer(t)
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

// mentionAll returns a text that mentions all viewers.
func mentionAll() string { return "@" + strings.Join(relations, " @") }

func conversationMaker(context func(*matrixServer) ConversationContext) func(*matrixServer) string {
	return func(n *matrixServer) string { return n.author.start(context(n), mentionAll()) }
}

// conversationReads are the methods that read a conversation, whose text mentions all viewers.
var conversationReads = []visibleRead{
	{"the list", func(_ *matrixServer, a actor, id string) bool { return contains(a.conversations(), id) }},
	{"the list of the community", func(n *matrixServer, a actor, id string) bool {
		c, err := a.conversation(id)
		if err != nil || c.Context.Kind != "community" {
			return err == nil
		}
		return contains(read(a, func(tx *store.Tx, v svc.Viewer) ([]Conversation, error) {
			page, err := a.CommunityConversations(tx, v, *c.Context.ID, 10, "")
			return page.Conversations, err
		}), id)
	}},
	{"the record", func(_ *matrixServer, a actor, id string) bool { return isFound(a, a.conversationError(id)) }},
	{"the replies", func(_ *matrixServer, a actor, id string) bool {
		_, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) (Discussion, error) {
			return a.Discussion(tx, v, id, svc.HistoryQuery{})
		})
		return isFound(a, err)
	}},
	{"a reply", func(_ *matrixServer, a actor, id string) bool { return isFound(a, a.tryReply(id, "x")) }},
	{"the read cursor", func(_ *matrixServer, a actor, id string) bool {
		_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) { return a.MarkConversationRead(tx, v, id, "") })
		return isFound(a, err)
	}},
	{"the activity", func(_ *matrixServer, a actor, id string) bool {
		return slices.ContainsFunc(a.activity(), func(x Activity) bool { return x.Target.ID == id })
	}},
	{"the notifications", func(n *matrixServer, a actor, id string) bool {
		return a.id == n.author.id || slices.ContainsFunc(a.notifications().Notifications, func(x Notification) bool { return x.Target.ID == id && x.Kind == "mention" })
	}},
	{"the exported notifications", func(n *matrixServer, a actor, id string) bool {
		shown := a.id == n.author.id
		read(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
			return nil, a.ExportNotifications(tx, v.Member(), func(x Notification) error {
				shown = shown || x.Target.ID == id && x.Kind == "mention"
				return nil
			})
		})
		return shown
	}},
	{"the count", func(_ *matrixServer, a actor, id string) bool { return a.counts().Conversations == 1 }},
	{"the title", func(_ *matrixServer, a actor, id string) bool { return a.title("conversation", id) == "Trip" }},
	{"the dataset", func(_ *matrixServer, a actor, id string) bool { return a.hasSource("conversation", id) }},
}

func contains(list []Conversation, id string) bool {
	return slices.ContainsFunc(list, func(c Conversation) bool { return c.ID == id })
}

// isFound reports whether err is nil. Any error other than not-found fails the
// test.
func isFound(a actor, err error) bool {
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
	titles := read(a, func(tx *store.Tx, v svc.Viewer) (map[SourceRef]Heading, error) {
		return a.Headings(tx, v, []SourceRef{{"social", kind, id}})
	})
	return titles[SourceRef{"social", kind, id}].Title
}

// hasSource reports whether the dataset of a contains a record.
func (a actor) hasSource(kind, id string) bool {
	a.Helper()
	sources := read(a, func(tx *store.Tx, v svc.Viewer) (Sources, error) {
		return a.Sources(tx, v, SourceActions{none[Community], none[Conversation], none[Event], none[DM], none[PresentProfile]})
	})
	for _, list := range [][]Source{sources.Objects.Communities, sources.Objects.Conversations, sources.Objects.Events, sources.Objects.DMs, sources.Objects.Profiles} {
		for _, s := range list {
			if s.ObjectType == kind && s.Source.ResourceID == id {
				return true
			}
		}
	}
	return false
}

func none[T any](T) svc.List[string] { return nil }

// replyToOutsider posts replies of every viewer, the last by the author, in a
// conversation of the outsider.
func replyToOutsider(n *matrixServer) string {
	id := n.viewers["outsider"].start(openContext, "Hello?")
	for _, relation := range relations[1 : len(relations)-1] {
		n.viewers[relation].reply(id, "me")
	}
	n.author.reply(id, "me too")
	return id
}

// replyReads are the methods that read a reply of the author in a conversation of the outsider with
// eight replies by eight members. Blocks hide two of the replies from the author.
var replyReads = []visibleRead{
	{"the replies", func(_ *matrixServer, a actor, id string) bool {
		d := read(a, func(tx *store.Tx, v svc.Viewer) (Discussion, error) {
			return a.Discussion(tx, v, id, svc.HistoryQuery{})
		})
		return slices.ContainsFunc(d.Replies, func(r Reply) bool { return r.Body == "me too" })
	}},
	{"the number of replies", func(n *matrixServer, a actor, id string) bool {
		c, _ := a.conversation(id)
		return c.ReplyCount == 8 || a.id == n.author.id && c.ReplyCount == 6
	}},
	{"the number of participants", func(n *matrixServer, a actor, id string) bool {
		c, _ := a.conversation(id)
		return c.ParticipantCount == 9 || a.id == n.author.id && c.ParticipantCount == 7
	}},
	{"the activity", func(n *matrixServer, a actor, id string) bool {
		return slices.ContainsFunc(a.activity(), func(x Activity) bool { return x.Kind == "reply.posted" && x.Actor.ID == n.author.id })
	}},
	{"the notifications", func(n *matrixServer, a actor, id string) bool {
		return a.id == n.author.id || slices.Contains(a.notificationTitles(), "Author replied")
	}},
}

func eventMaker(visibility string, change func(*matrixServer) func(*NewEvent)) func(*matrixServer) string {
	return func(n *matrixServer) string {
		if change == nil {
			return n.author.createEvent(visibility)
		}
		return n.author.createEvent(visibility, change(n))
	}
}

var eventReads = []visibleRead{
	{"the list", func(_ *matrixServer, a actor, id string) bool { return slices.Contains(a.events(EventQuery{}), id) }},
	{"the list of the community", func(_ *matrixServer, a actor, id string) bool {
		e, err := a.event(id)
		if err != nil || e.CommunityID == nil {
			return err == nil
		}
		return slices.Contains(a.events(EventQuery{CommunityID: *e.CommunityID}), id)
	}},
	{"the record", func(_ *matrixServer, a actor, id string) bool {
		_, err := a.event(id)
		return isFound(a, err)
	}},
	{"the attendees", func(_ *matrixServer, a actor, id string) bool {
		_, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) ([]RSVP, error) { return a.Attendees(tx, v, id) })
		return isFound(a, err)
	}},
	{"the conversation", func(_ *matrixServer, a actor, id string) bool {
		_, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) (string, error) { return a.EventConversation(tx, v, id) })
		return isFound(a, err)
	}},
	{"a response", func(_ *matrixServer, a actor, id string) bool { return isFound(a, a.respond(id, "maybe")) }},
	{"the mirror", func(n *matrixServer, a actor, id string) bool {
		return strings.Contains(n.calendars.mirrorOwners(id), a.id.String()+":")
	}},
	{"the activity", func(n *matrixServer, a actor, id string) bool { // the viewer may not see the actor
		shown := slices.ContainsFunc(a.activity(), func(x Activity) bool { return x.Target.ID == id })
		return shown
	}},
	{"the count", func(_ *matrixServer, a actor, _ string) bool { return a.counts().Events == 1 }},
	{"the title", func(_ *matrixServer, a actor, id string) bool { return a.title("event", id) == "Dinner" }},
	{"the dataset", func(_ *matrixServer, a actor, id string) bool { return a.hasSource("event", id) }},
	{"the management", func(n *matrixServer, a actor, id string) bool {
		_, err := a.updateEvent(id, EventChange{Description: svc.Some(a.name)})
		if err != nil && a.id != n.author.id && svc.KindOf(err) == svc.Forbidden {
			return true
		}
		return isFound(a, err)
	}},
}

// events returns the ids of a page of events.
func (a actor) events(q EventQuery) (ids []string) {
	a.Helper()
	list, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) (EventPage, error) { return a.Events(tx, v, q) })
	if err != nil {
		return nil
	}
	for _, e := range list.Events {
		ids = append(ids, e.ID)
	}
	return ids
}

func profileMaker(visibility string) func(*matrixServer) string {
	return func(n *matrixServer) string {
		write(n.author, func(tx *store.Tx, v svc.Viewer) (Profile, error) {
			return n.UpdateProfile(tx, v, ProfileChange{Bio: svc.Some("Bakes"), Visibility: svc.Some(ProfileVisibility(visibility))})
		})
		return n.author.id.String()
	}
}

var profileReads = []visibleRead{
	{"the profile", func(n *matrixServer, a actor, _ string) bool {
		p, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) (Profile, error) { return a.Profile(tx, v, n.author.id) })
		return isFound(a, err) && p.Bio == "Bakes"
	}},
	{"the title", func(_ *matrixServer, a actor, id string) bool { return a.title("profile", id) == "Author" }},
	{"the list of members", func(n *matrixServer, a actor, _ string) bool {
		hidden := read(a, func(tx *store.Tx, v svc.Viewer) ([]svc.MemberID, error) { return a.Hidden(tx, a.id) })
		return !slices.Contains(hidden, n.author.id) && a.person(n.author).Permissions.CanView
	}},
}

// person returns other as the list of members shows them to a.
func (a actor) person(other actor) Person {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) ([]Person, error) {
		return a.People(tx, v, []svc.Person{a.members.list[other.id-1]})
	})[0]
}

func presenceMaker(visibleTo string) func(*matrixServer) string {
	return func(n *matrixServer) string {
		n.author.setPresence(NewPresence{State: "busy", Note: "at the lake", VisibleTo: PresenceAudience(visibleTo)})
		return n.author.id.String()
	}
}

// setPresence sets the presence of a.
func (a actor) setPresence(p NewPresence) Presence {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Presence, error) { return a.SetPresence(tx, v, p) })
}

func (a actor) presence() PresencePage {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (PresencePage, error) { return a.Presence(tx, v, 0, "") })
}

var presenceReads = []visibleRead{
	{"the list", func(n *matrixServer, a actor, _ string) bool {
		list := a.presence().Presence
		return len(list) == 1 && list[0].MemberID == n.author.id && list[0].Note == "at the lake"
	}},
	{"the count", func(_ *matrixServer, a actor, _ string) bool { return a.counts().Presence == 1 }},
	{"the list of members", func(n *matrixServer, a actor, _ string) bool {
		p := a.person(n.author).Presence
		return p != nil && p.State == "busy"
	}},
}
