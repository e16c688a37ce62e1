package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

func (a actor) markNotifications(selection NotificationSelection) (int, error) {
	return tryWrite(a, func(tx *store.Tx, v svc.Viewer) (int, error) { return a.MarkNotificationsRead(tx, v, selection) })
}

// Covers O-26, B-71 and M-28.
func TestNotificationsNameTheActorAndTheTarget(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	notificationTexts := func(a actor) []string {
		var list []string
		for _, n := range a.notifications().Notifications {
			list = append(list, string(n.Kind)+": "+n.Title+": "+n.Summary)
			if strings.Contains(store.JSON(n), "in confidence") {
				t.Errorf("a notification of %s repeats the text: %+v", a.name, n)
			}
		}
		return list
	}
	id := ann.start(openContext, "Where?")
	bea.reply(id, "in confidence")
	cid.reply(id, "in confidence to @Bea, (@ann) @zoe bea@example.org @CID.")
	wantEqual(t, "ann", notificationTexts(ann), "[mention: Cid mentioned you: Trip reply: Bea replied: Trip]")
	wantEqual(t, "bea", notificationTexts(bea), "[mention: Cid mentioned you: Trip]")
	wantEqual(t, "cid, who mentioned himself", notificationTexts(cid), "[]")

	community := ann.community("private", bea)
	wantEqual(t, "an accepted invitation", notificationTexts(bea)[0], "invitation: Ann invited you: Choir")
	event := bea.createEvent("community", forCommunity(community))
	ann.mustRespond(event, "going")
	wantEqual(t, "a response", notificationTexts(bea)[0], "rsvp: Ann responded to your event: Dinner")
	if _, err := bea.updateEvent(event, EventChange{Location: svc.Some(Location{Label: "Town"})}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "a new place", notificationTexts(ann)[0], "event_changed: Bea changed the event: Dinner")
	ann.mustSend(bea, "in confidence")
	wantEqual(t, "a message", notificationTexts(bea)[0], "dm: Ann sent you a message: Ann")
}

func TestNotificationsAreMarkedReadByTheirMember(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.start(openContext, "@bea")
	bea.reply(id, "one")
	bea.reply(id, "two")
	first := ann.notifications().Notifications[0].ID
	_, err := bea.markNotifications(NotificationSelection{})
	wantError(t, "an empty selection", err, svc.FieldRequired, "ids")
	for _, c := range []struct {
		about  string
		by     actor
		in     NotificationSelection
		unread int
	}{
		{"another member's and an unknown one", bea, NotificationSelection{IDs: []string{first, "ntf_none"}}, 1},
		{"one of two", ann, NotificationSelection{IDs: []string{first}}, 1},
		{"all", ann, NotificationSelection{All: true}, 0},
	} {
		unread, err := c.by.markNotifications(c.in)
		wantEqual(t, c.about, fmt.Sprint(unread, err), fmt.Sprint(c.unread, nil))
		wantEqual(t, c.about+", in the list", c.by.notifications().UnreadCount, c.unread)
	}
	if n := ann.notifications().Notifications[0]; n.ReadAt == nil {
		t.Errorf("got %+v, want a time in read_at", n)
	}
	unread := read(bea, func(tx *store.Tx, v svc.Viewer) (NotificationPage, error) { return bea.UnreadNotifications(tx, v, 10) })
	wantEqual(t, "unread list of bea", len(unread.Notifications), 1)
	unread = read(ann, func(tx *store.Tx, v svc.Viewer) (NotificationPage, error) { return ann.UnreadNotifications(tx, v, 10) })
	wantEqual(t, "unread list of ann", len(unread.Notifications), 0)
}

// Covers B-130: marking all notifications as read has an effect at once, even if they exceed the
// limit of one write. It does not affect later notifications.
func TestManyNotificationsAreReadAtOnce(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.start(openContext, "Hello")
	storetest.Exec(t, s.db, `WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 2 * ?)
		INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, created_at)
		SELECT 'ntf_' || i, 1, 'reply', 2, 'conversation', ?, i FROM c`, maxMarkedRead, id)
	unread := func() string {
		page := ann.notifications()
		list := read(ann, func(tx *store.Tx, v svc.Viewer) (NotificationPage, error) { return ann.UnreadNotifications(tx, v, 10) })
		return fmt.Sprint(page.UnreadCount, " ", len(list.Notifications), " ", page.Notifications[len(page.Notifications)-1].ReadAt != nil)
	}
	for range 2 { // the second call precedes the end of the follow-up
		n, err := ann.markNotifications(NotificationSelection{All: true})
		wantEqual(t, "marked", fmt.Sprint(n, err), "0 <nil>")
		wantEqual(t, "unread, listed, earliest is read", unread(), "0 0 true")
	}
	bea.reply(id, "Hi")
	wantEqual(t, "after a reply", unread(), "1 1 true")
	s.followUp()
	wantEqual(t, "after the rest was marked", unread(), "1 1 true")
	wantEqual(t, "unread rows and marks", storetest.Rows(t, s.db, `SELECT (SELECT count(*) FROM social_notification WHERE read_at IS NULL),
		(SELECT count(*) FROM social_notifications_read)`), "[1 0]")
	_, err := ann.markNotifications(NotificationSelection{IDs: make([]string, maxMarkedRead+1)})
	wantError(t, "too many", err, svc.InvalidValue, "ids")
}

// A member who cannot see a record at the time of its creation is not notified, even if the member
// can see it later.
func TestOnlyTheAudienceIsNotified(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	private := ann.community("private", bea)
	us, circle := ann.start(inCommunity(private), "@cid @dan"), ann.start(inCircle(1), "@bea @cid @dan")
	bea.reply(us, "I am here")
	bea.reply(circle, "I am near")
	bea.leave(private)
	ann.reply(us, "Where?")
	ann.reply(circle, "@bea, @cid and @dan?")
	ann.block(dan)
	ann.start(openContext, "Without @dan")
	ann.unblock(dan)
	for _, a := range []actor{bea, cid, dan} {
		ann.admit(private, a)
	}
	titlesExceptInvitations := func(a actor) string {
		return strings.Join(slices.DeleteFunc(a.notificationTitles(), func(t string) bool { return t == "Ann invited you" }), " ")
	}
	wantEqual(t, "bea", titlesExceptInvitations(bea), "Ann mentioned you")
	wantEqual(t, "cid", titlesExceptInvitations(cid), "")
	wantEqual(t, "dan", titlesExceptInvitations(dan), "")
}

// Covers O-14 and O-36: feeds omit records that the reader can no longer see.
func TestFeedsFollowTheAudience(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	private := ann.community("private", bea)
	ann.start(inCommunity(private), "@bea")
	ann.start(inCircle(1), "@bea")
	visibleCounts := func() string {
		mentions := slices.DeleteFunc(bea.notificationTitles(), func(t string) bool { return t != "Ann mentioned you" })
		started := slices.DeleteFunc(bea.activity(), func(a Activity) bool { return a.Kind != "conversation.started" })
		return fmt.Sprint(len(mentions), len(started), len(bea.conversations()), bea.counts().Conversations)
	}
	wantEqual(t, "as a member", visibleCounts(), "2 2 2 2")
	bea.leave(private)
	wantEqual(t, "after leaving", visibleCounts(), "0 0 0 0")
	ann.admit(private, bea)
	wantEqual(t, "after coming back", visibleCounts(), "2 2 2 2")
}

func TestMentionsAreLimited(t *testing.T) {
	names := []string{"ann"}
	for i := range maxMentions + 1 {
		names = append(names, fmt.Sprint("friend", i))
	}
	s, m := newServer(t, names...)
	m[0].start(openContext, "@"+strings.Join(names[1:], " @"))
	wantEqual(t, "queries of the directory, for notifications and for the response", s.members.lookups, 2)
	wantEqual(t, "the last within the limit", len(m[maxMentions].notificationTitles()), 1)
	wantEqual(t, "the first beyond the limit", len(m[maxMentions+1].notificationTitles()), 0)
}

// Covers PT-30 and O-25.
func TestPagesOfFeedsAreComplete(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.start(openContext, "Where?")
	for i := range 9 {
		s.clock.Advance(time.Duration(i%2) * time.Second)
		bea.reply(id, "x")
	}
	feeds := map[string]func(limit int, cursor string) ([]string, svc.Page){
		"activity": func(limit int, cursor string) (ids []string, _ svc.Page) {
			p := read(ann, func(tx *store.Tx, v svc.Viewer) (ActivityPage, error) { return s.Activity(tx, v, limit, cursor) })
			for _, a := range p.Activity {
				ids = append(ids, a.ID)
			}
			return ids, p.Page
		},
		"notifications": func(limit int, cursor string) (ids []string, _ svc.Page) {
			p := read(ann, func(tx *store.Tx, v svc.Viewer) (NotificationPage, error) {
				return s.Notifications(tx, v, limit, cursor)
			})
			for _, n := range p.Notifications {
				ids = append(ids, n.ID)
			}
			return ids, p.Page
		},
	}
	for name, list := range feeds {
		want, _ := list(svc.MaxLimit, "")
		var got []string
		cursor := ""
		for more := true; more; more = cursor != "" {
			ids, page := list(2, cursor)
			got = append(got, ids...)
			cursor = ""
			if page.NextCursor != nil {
				cursor = *page.NextCursor
			}
			s.clock.Advance(time.Second)
			bea.reply(id, "meanwhile")
		}
		wantEqual(t, name+" on all pages", got, want)
	}
}

func TestSweepDeletesExpiredFeeds(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	bea.reply(ann.start(openContext, "Where?"), "Here")
	const day = 24 * time.Hour
	for _, c := range []struct {
		after                   time.Duration
		activity, notifications int
	}{{90 * day, 2, 1}, {91 * day, 2, 0}, {365 * day, 2, 0}, {366 * day, 0, 0}} {
		s.clock.Set(storetest.Start.Add(c.after))
		before, shown, other := ann.revision(), len(ann.notificationTitles()), bea.revision()
		more := write(ann, func(tx *store.Tx, _ svc.Viewer) (bool, error) { return s.Sweep(tx) })
		got := fmt.Sprint(len(ann.activity()), len(ann.notificationTitles()), more)
		wantEqual(t, fmt.Sprint("after ", c.after), got, fmt.Sprint(c.activity, c.notifications, false))
		wantEqual(t, fmt.Sprint("announced after ", c.after), fmt.Sprint(ann.revision() != before, bea.revision() != other), fmt.Sprint(shown != c.notifications, false))
	}
}
