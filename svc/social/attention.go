package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// attentionQueries are the statements that this file uses.
type attentionQueries struct {
	CountAnswerableInvitations store.Query `sql:"count-answerable-invitations"`
	CountUnreadConversations   store.Query `sql:"count-unread-conversations"`
}

// Attention counts the records that a member has not read or answered.
type Attention struct {
	Notifications        int   // unread notifications, as [NotificationPage.UnreadCount]
	DMs                  int64 // unread messages in all DMs
	CommunityInvitations int   // received invitations that can still be answered
	EventInvitations     int
}

// Attention returns the counts for v, and the time until which they are valid without a write, zero
// for no limit.
func (s *Service) Attention(tx *store.Tx, v svc.Viewer) (a Attention, until time.Time, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return a, until, err
	}
	if a.Notifications, err = s.countUnreadNotifications(tx, w); err != nil {
		return a, until, err
	}
	if a.DMs, err = s.DMs.UnreadTotal(tx, v); err != nil {
		return a, until, err
	}
	var invitations struct {
		Communities int           `db:"communities"`
		Events      int           `db:"events"`
		Next        *store.Millis `db:"next"` // when the first of them expires
	}
	err = tx.Get(&invitations, s.q.CountAnswerableInvitations, store.Args{"invitee": w.member, "hidden": w.hiddenList, "now": store.MillisOf(tx.Now())})
	if invitations.Next != nil {
		until = invitations.Next.Time()
	}
	a.CommunityInvitations, a.EventInvitations = invitations.Communities, invitations.Events
	return a, until, err
}

// UnreadConversations returns the number of conversations with replies that v has not
// read or with the mark as unread, except those of events.
func (s *Service) UnreadConversations(tx *store.Tx, v svc.Viewer) (n int, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return 0, err
	}
	err = tx.Get(&n, s.q.CountUnreadConversations, w.args(store.Args{"member": w.member}))
	return n, err
}
