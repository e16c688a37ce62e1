package social

import (
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

func (a actor) attention() (n Attention, conversations int, until time.Time) {
	a.Helper()
	n = read(a, func(tx *store.Tx, v svc.Viewer) (n Attention, err error) {
		n, until, err = a.Attention(tx, v)
		return n, err
	})
	return n, read(a, func(tx *store.Tx, v svc.Viewer) (int, error) { return a.UnreadConversations(tx, v) }), until
}

// Each count is the number of records in the corresponding list, for each state of a record. Covers
// B-106.
func TestAttentionCountsTheListedRecords(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cem")
	ann, bea, cem := m[0], m[1], m[2]
	want := func(about string, counts Attention, conversations int) {
		t.Helper()
		got, unread, _ := bea.attention()
		wantEqual(t, about, []any{got, unread}, []any{counts, conversations})
		wantEqual(t, about+": listed notifications", got.Notifications, bea.notifications().UnreadCount)
		pending := read(bea, func(tx *store.Tx, v svc.Viewer) ([]Invitation, error) { return s.PendingInvitations(tx, v, 50) })
		wantEqual(t, about+": listed invitations", got.CommunityInvitations+got.EventInvitations, len(pending))
		listed := 0
		for _, c := range bea.conversations() {
			if c.UnreadCount > 0 || c.MarkedUnread {
				listed++
			}
		}
		wantEqual(t, about+": listed conversations", unread, listed)
	}
	want("at first", Attention{}, 0)
	club := ann.community("private")
	invitation := ann.invite(club, bea)
	want("after an invitation", Attention{Notifications: 1, CommunityInvitations: 1}, 0)
	_, _, until := bea.attention()
	wantEqual(t, "expiry of the invitation", until, s.clock.Now().Add(communityInvitationTime))
	bea.answer(invitation, Accept)
	want("after the answer", Attention{}, 0)
	conversation := bea.start(inCommunity(club), "Hello")
	ann.reply(conversation, "Hi")
	want("after a reply", Attention{Notifications: 1}, 1)
	open := cem.start(openContext, "Anyone?")
	ann.reply(open, "Yes")
	cem.reply(open, "Good")
	want("after two replies in another conversation", Attention{Notifications: 1}, 2)
	bea.openConversation(conversation)
	want("after opening a conversation", Attention{Notifications: 1}, 1)
	if _, err := bea.markUnread(conversation); err != nil {
		t.Fatal(err)
	}
	want("after marking it as unread", Attention{Notifications: 1}, 2)
	bea.openConversation(conversation)
	bea.block(ann)
	want("after a block of one of the authors", Attention{}, 1)
	bea.block(cem)
	want("after a block of the other one", Attention{}, 0)
}
