package social

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// server is the Social service on an empty database, with test doubles for the
// directory and the calendars.
type server struct {
	testing.TB
	*Service
	db        *store.DB
	clock     *storetest.Clock
	members   *members
	calendars *mirrors
}

// newServer opens a server with active members. Their user names are names, their
// ids 1, 2, 3, ….
func newServer(t testing.TB, usernames ...string) (*server, []actor) {
	t.Helper()
	db, clock := storetest.Open(t)
	storetest.AddMembers(t, db, usernames...)
	m, c := &members{inactive: make(map[svc.MemberID]bool)}, &mirrors{synced: make(map[string]svc.EventSync), complete: make(map[string]int), left: make(map[string]int)}
	s := &server{t, New(m, c, storage.New(0)), db, clock, m, c}
	actors := make([]actor, len(usernames))
	for i, name := range usernames {
		p := svc.Person{ID: svc.MemberID(i + 1), Username: name, DisplayName: strings.ToUpper(name[:1]) + name[1:], Email: name + "@example.org"}
		p.Appearance = svc.MemberAppearance(p.ID, "", "")
		m.list = append(m.list, p)
		actors[i] = actor{s, p.ID, name}
	}
	return s, actors
}

// members implements Directory.
type members struct {
	list     []svc.Person
	inactive map[svc.MemberID]bool // disabled or deleted
	lookups  int                   // calls of PeopleByUsername
	avatars  map[svc.MemberID]svc.AvatarPicture
}

func (m *members) find(match func(svc.Person) bool) (svc.Person, bool) {
	for _, p := range m.list {
		if !m.inactive[p.ID] && match(p) {
			return p, true
		}
	}
	return svc.Person{}, false
}

func (m *members) People(_ *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error) {
	people := make(map[svc.MemberID]svc.Person)
	for _, id := range ids {
		if p, ok := m.find(func(p svc.Person) bool { return p.ID == id }); ok {
			people[id] = p
		}
	}
	return people, nil
}

func (m *members) PeopleByUsername(_ *store.Tx, usernames []string) (map[string]svc.Person, error) {
	m.lookups++
	people := make(map[string]svc.Person)
	for _, name := range usernames {
		if p, ok := m.find(func(p svc.Person) bool { return p.Username == name }); ok {
			people[name] = p
		}
	}
	return people, nil
}

func (m *members) MemberExists(_ *store.Tx, id svc.MemberID) (bool, error) {
	return id > 0 && int(id) <= len(m.list), nil
}

func (m *members) Resolve(_ *store.Tx, _ svc.Viewer, recipient string, hidden []svc.MemberID) (svc.Person, error) {
	if recipient == "" {
		return svc.Person{}, svc.Required("recipient")
	}
	p, ok := m.find(func(p svc.Person) bool {
		return !slices.Contains(hidden, p.ID) && slices.Contains([]string{p.Username, p.DisplayName, p.ID.String()}, recipient)
	})
	if !ok {
		return p, svc.FieldError(svc.RecipientNotFound, "recipient", "There is no such member.")
	}
	return p, nil
}

func (m *members) Rename(_ *store.Tx, v svc.Viewer, displayName string) error {
	if err := svc.CheckName("display_name", displayName); err != nil {
		return err
	}
	m.list[v.Member()-1].DisplayName = displayName
	return nil
}

func (m *members) SetColor(_ *store.Tx, v svc.Viewer, color svc.Optional[svc.Color]) error {
	m.list[v.Member()-1].Appearance = svc.MemberAppearance(v.Member(), color.Value, m.avatars[v.Member()].Key)
	return nil
}

func (m *members) SetAvatar(_ *store.Tx, v svc.Viewer, a svc.AvatarPicture) error {
	if m.avatars == nil {
		m.avatars = make(map[svc.MemberID]svc.AvatarPicture)
	}
	m.avatars[v.Member()] = a
	m.list[v.Member()-1].Appearance = svc.MemberAppearance(v.Member(), m.list[v.Member()-1].Color, a.Key)
	return nil
}

func (m *members) DeleteAvatar(tx *store.Tx, v svc.Viewer) error {
	return m.SetAvatar(tx, v, svc.AvatarPicture{})
}

func (m *members) Avatar(_ *store.Tx, id svc.MemberID, key string, thumb bool, hidden []svc.MemberID) ([]byte, error) {
	a := m.avatars[id]
	if a.Key == "" || a.Key != key || slices.Contains(hidden, id) || m.inactive[id] {
		return nil, svc.Errorf(svc.NotFound, "There is no such picture.")
	}
	if thumb {
		return a.Thumb, nil
	}
	return a.Picture, nil
}

// actor is a member who acts through the service.
type actor struct {
	*server
	id   svc.MemberID
	name string
}

func (a actor) viewer() svc.Viewer { return svc.Trust(a.id) }

// write runs fn in a write transaction, which must succeed.
func write[T any](a actor, fn func(*store.Tx, svc.Viewer) (T, error)) (result T) {
	a.Helper()
	result, err := tryWrite(a, fn)
	if err != nil {
		a.Fatalf("%s: %v", a.name, err)
	}
	return result
}

// tryWrite runs fn in a write transaction and returns its error.
func tryWrite[T any](a actor, fn func(*store.Tx, svc.Viewer) (T, error)) (result T, err error) {
	err = a.db.Write(a.Context(), func(tx *store.Tx) (err error) {
		result, err = fn(tx, a.viewer())
		return err
	})
	return result, err
}

// read runs fn in a read transaction, which must succeed.
func read[T any](a actor, fn func(*store.Tx, svc.Viewer) (T, error)) (result T) {
	a.Helper()
	result, err := tryRead(a, fn)
	if err != nil {
		a.Fatalf("%s: %v", a.name, err)
	}
	return result
}

// tryRead runs fn in a read transaction and returns its error.
func tryRead[T any](a actor, fn func(*store.Tx, svc.Viewer) (T, error)) (result T, err error) {
	err = a.db.Read(a.Context(), func(tx *store.Tx) (err error) {
		result, err = fn(tx, a.viewer())
		return err
	})
	return result, err
}

// wantError fails the test unless err has the code and names the fields.
func wantError(t testing.TB, about string, err error, code svc.Code, fields ...string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: got error %v, want code %s", about, err, code.Name)
		return
	}
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, fields) {
		t.Errorf("%s: got error fields %q, want %q", about, got, fields)
	}
}

// wantEqual fails the test unless fmt.Sprint returns the same text for got and want.
func wantEqual(t testing.TB, about string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %q, want %q", about, g, w)
	}
}

// column returns one value of each item, separated by spaces.
func column[T any](list []T, value func(T) any) string {
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = fmt.Sprint(value(item))
	}
	return strings.Join(texts, " ")
}

// community creates a community of a and the given members, and returns its id.
func (a actor) community(visibility string, others ...actor) string {
	a.Helper()
	id := write(a, func(tx *store.Tx, v svc.Viewer) (Community, error) {
		return a.CreateCommunity(tx, v, NewCommunity{Name: "Choir", Visibility: CommunityVisibility(visibility)})
	}).ID
	for _, other := range others {
		a.admit(id, other)
	}
	return id
}

// admit makes other a member of a community by invitation.
func (a actor) admit(community string, other actor) {
	a.Helper()
	other.answer(a.invite(community, other), Accept)
}

// chain creates a private community of each member with the next one, so that the
// n-th following member is at depth n of the first.
func chain(actors ...actor) {
	for i := range actors[1:] {
		actors[i].community("private", actors[i+1])
	}
}

// invite invites other to a community, and returns the id of the invitation.
func (a actor) invite(community string, other actor) string {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
		return a.InviteToCommunity(tx, v, community, NewInvitation{Recipient: other.name})
	}).ID
}

func (a actor) answer(invitation string, answer Answer) Invitation {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
		return a.AnswerInvitation(tx, v, invitation, answer)
	})
}

func (a actor) tryAnswer(invitation string, answer Answer) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
		return a.AnswerInvitation(tx, v, invitation, answer)
	})
	return err
}

func (a actor) join(community string) Community {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Community, error) { return a.JoinCommunity(tx, v, community) })
}

func (a actor) tryJoin(community string) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Community, error) { return a.JoinCommunity(tx, v, community) })
	return err
}

func (a actor) leave(community string) {
	a.Helper()
	write(a, func(tx *store.Tx, v svc.Viewer) (Membership, error) { return a.LeaveCommunity(tx, v, community) })
}

func (a actor) remove(community string, other actor) error {
	return a.db.Write(a.Context(), func(tx *store.Tx) error { return a.RemoveCommunityMember(tx, a.viewer(), community, other.id) })
}

func (a actor) setRole(community string, other actor, role string) {
	a.Helper()
	write(a, func(tx *store.Tx, v svc.Viewer) (CommunityMember, error) {
		return a.UpdateCommunityMember(tx, v, community, other.id, MemberChange{Role: svc.Some(Role(role))})
	})
}

func (a actor) deleteCommunity(community string) error {
	return a.db.Write(a.Context(), func(tx *store.Tx) error { return a.DeleteCommunity(tx, a.viewer(), community) })
}

// getCommunity returns a community as a sees it.
func (a actor) getCommunity(community string) (Community, error) {
	return tryRead(a, func(tx *store.Tx, v svc.Viewer) (Community, error) { return a.Community(tx, v, community) })
}

// memberNames returns the names in the member list of a community.
func (a actor) memberNames(community string) string {
	a.Helper()
	list := read(a, func(tx *store.Tx, v svc.Viewer) ([]CommunityMember, error) {
		list, _, err := a.CommunityMembers(tx, v, community, svc.PageQuery{})
		return list, err
	})
	return column(list, func(m CommunityMember) any { return m.DisplayName })
}

// circleNames returns the names in the three circles, such as "Bea|Cid Dan|".
func (a actor) circleNames() string {
	a.Helper()
	var names []string
	for _, c := range read(a, func(tx *store.Tx, v svc.Viewer) ([]Circle, error) { return a.Circles(tx, v) }) {
		names = append(names, column(c.Members, func(m CircleMember) any { return m.DisplayName }))
	}
	return strings.Join(names, "|")
}

func (a actor) block(other actor) Block {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Block, error) { return a.Block(tx, v, NewBlock{MemberID: other.id}) })
}

func (a actor) unblock(other actor) {
	a.Helper()
	write(a, func(tx *store.Tx, v svc.Viewer) (any, error) { return nil, a.Unblock(tx, v, other.id) })
}

// disable disables the account of a.
func (a actor) disable() { a.members.inactive[a.id] = true }

// deleteAccount deletes the account of a as package identity does.
func (a actor) deleteAccount() {
	a.Helper()
	a.disable()
	write(a, func(tx *store.Tx, _ svc.Viewer) (any, error) { return nil, a.MemberDeleted(tx, a.id) })
	a.deleteData()
}

// deleteData deletes the data of a, who is deleted.
func (a actor) deleteData() {
	a.Helper()
	const limit = 100
	for more := true; more; {
		rows := write(a, func(tx *store.Tx, _ svc.Viewer) (int, error) { return a.DeleteData(tx, a.id, limit) })
		more = rows == limit
	}
}

// revision returns the revision of all topics for a.
func (a actor) revision() int64 {
	a.Helper()
	return read(a, func(tx *store.Tx, _ svc.Viewer) (int64, error) { return tx.Revision(int64(a.id)), nil })
}

// Contexts of conversations.
var openContext = ConversationContext{Kind: "open"}

func inCommunity(id string) ConversationContext {
	return ConversationContext{Kind: "community", ID: &id}
}

func inCircle(depth int) ConversationContext {
	return ConversationContext{Kind: "circle", Depth: &depth}
}

// start starts a conversation, and returns its id.
func (a actor) start(context ConversationContext, body string) string {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) {
		return a.StartConversation(tx, v, NewConversation{Title: "Trip", Body: body, Context: context})
	}).ID
}

// reply posts a reply, and returns its id.
func (a actor) reply(conversation, body string) string {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (Reply, error) {
		return a.Reply(tx, v, conversation, NewReply{Body: body})
	}).ID
}

func (a actor) tryReply(conversation, body string) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Reply, error) {
		return a.Reply(tx, v, conversation, NewReply{Body: body})
	})
	return err
}

func (a actor) conversation(id string) (Conversation, error) {
	return tryRead(a, func(tx *store.Tx, v svc.Viewer) (Conversation, error) { return a.Conversation(tx, v, id) })
}

func (a actor) conversations() []Conversation {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (ConversationPage, error) {
		return a.Conversations(tx, v, svc.MaxLimit, "")
	}).Conversations
}

// notificationTitles returns the titles of all notifications, newest first.
func (a actor) notificationTitles() []string {
	a.Helper()
	var titles []string
	for _, n := range a.notifications().Notifications {
		titles = append(titles, n.Title)
	}
	return titles
}

func (a actor) notifications() NotificationPage {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (NotificationPage, error) {
		return a.Notifications(tx, v, svc.MaxLimit, "")
	})
}

func (a actor) activity() []Activity {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (ActivityPage, error) { return a.Activity(tx, v, svc.MaxLimit, "") }).Activity
}

// createEvent creates an event: a dinner on Christmas Eve with the given visibility.
func (a actor) createEvent(visibility string, change ...func(*NewEvent)) string {
	a.Helper()
	in := NewEvent{Title: "Dinner", Start: "2026-12-24T18:00:00", End: "2026-12-24T22:00:00", Visibility: EventVisibility(visibility)}
	for _, c := range change {
		c(&in)
	}
	return write(a, func(tx *store.Tx, v svc.Viewer) (Event, error) { return a.CreateEvent(tx, v, in) }).ID
}

func forCommunity(id string) func(*NewEvent) { return func(e *NewEvent) { e.CommunityID = &id } }

func forCircle(depth int) func(*NewEvent) { return func(e *NewEvent) { e.CircleDepth = &depth } }

func (a actor) event(id string) (Event, error) {
	return tryRead(a, func(tx *store.Tx, v svc.Viewer) (Event, error) { return a.Event(tx, v, id) })
}

func (a actor) respond(event, response string) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (RSVP, error) {
		_, r, err := a.Respond(tx, v, event, NewRSVP{Response: svc.Response(response)})
		return r, err
	})
	return err
}

// mustRespond responds to an event, which must succeed.
func (a actor) mustRespond(event, response string) {
	a.Helper()
	if err := a.respond(event, response); err != nil {
		a.Fatalf("%s: %v", a.name, err)
	}
}

func (a actor) inviteToEvent(event string, other actor) (Invitation, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
		return a.InviteToEvent(tx, v, event, NewInvitation{Recipient: other.name})
	})
}

func (a actor) updateEvent(event string, change EventChange) (Event, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Event, error) { return a.UpdateEvent(tx, v, event, change) })
}

func (a actor) cancelEvent(event string) (Event, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Event, error) { return a.CancelEvent(tx, v, event) })
}

// send sends a DM to other.
func (a actor) send(other actor, body string) (thread.Sent, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) {
		return a.StartDM(tx, v, NewDM{Recipient: Recipient(other.name), Body: body})
	})
}

// mustSend sends a DM, which must succeed, and returns the id of the thread.
func (a actor) mustSend(other actor, body string) string {
	a.Helper()
	sent, err := a.send(other, body)
	if err != nil {
		a.Fatalf("%s: %v", a.name, err)
	}
	return sent.Thread.ID
}
