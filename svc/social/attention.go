package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// attentionQueries are the statements that this file uses.
type attentionQueries struct {
	OpenQuestions            store.Query `sql:"open-questions"`
	CountUnreadConversations store.Query `sql:"count-unread-conversations"`
}

// maxCountedEvents limits the events without an answer that Attention counts: every request of a
// session counts them, and a badge shows at most 99.
const maxCountedEvents = 100

// Attention counts the records that a member has not read or answered.
type Attention struct {
	Notifications        int   // unread notifications, as [NotificationPage.UnreadCount]
	DMs                  int64 // unread messages in all DMs
	CommunityInvitations int   // received invitations that can still be answered
	EventInvitations     int
	UnansweredEvents     int // events of [Question] without an invitation, at most maxCountedEvents
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
	rows, err := s.openQuestions(tx, w, maxCountedEvents)
	for _, r := range rows {
		switch {
		case r.Event == nil:
			a.CommunityInvitations++
		case r.IsInvitation:
			a.EventInvitations++
		default:
			a.UnansweredEvents++
		}
	}
	if len(rows) > 0 && rows[0].Until != endlessEnd {
		until = rows[0].Until.Time()
	}
	return a, until, err
}

// Waiting returns the number of questions to the member, see [Service.Questions].
func (a Attention) Waiting() int {
	return a.CommunityInvitations + a.EventInvitations + a.UnansweredEvents
}

// Question is an invitation that a member can answer, or an event that the member sees, does not
// host and has not answered. An event to which the member has an invitation is one question.
type Question struct {
	Invitation *Invitation // null for an event without an invitation
	Event      *Event      // null for an invitation to a community
}

// questionRow is a row of the query open-questions.
type questionRow struct {
	IsInvitation bool         `db:"is_invitation"`
	Event        *string      `db:"event_id"`
	Until        store.Millis `db:"until"` // until then it can be answered
}

// openQuestions returns the questions to a member, those that end first at the beginning. limit limits the events
// without an invitation, -1 for none.
func (s *Service) openQuestions(tx *store.Tx, w view, limit int) (rows []questionRow, err error) {
	err = tx.Select(&rows, s.q.OpenQuestions, w.args(store.Args{"member": w.member, "now": store.MillisOf(tx.Now()), "limit": limit}))
	return rows, err
}

// Questions returns the questions to v, at most limit invitations and about as many
// events, those that end first.
func (s *Service) Questions(tx *store.Tx, v svc.Viewer, limit int) (list []Question, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	rows, err := s.openQuestions(tx, w, -1)
	if err != nil {
		return nil, err
	}
	invitations, err := s.PendingInvitations(tx, v, limit)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, i := range invitations {
		if i.EventID != nil {
			ids = append(ids, *i.EventID)
		}
	}
	for _, r := range rows {
		if r.Event != nil && !r.IsInvitation && len(ids) < limit {
			ids = append(ids, *r.Event)
		}
	}
	events, err := s.EventsByID(tx, v, ids...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*Event, len(events))
	for i := range events {
		byID[events[i].ID] = &events[i]
	}
	for i := range invitations {
		q := Question{Invitation: &invitations[i]}
		if id := invitations[i].EventID; id != nil {
			q.Event = byID[*id]
			delete(byID, *id)
		}
		list = append(list, q)
	}
	for i := range events {
		if byID[events[i].ID] != nil {
			list = append(list, Question{Event: &events[i]})
		}
	}
	return list, nil
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
