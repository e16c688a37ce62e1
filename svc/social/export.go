package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// ExportedMembership is that a member is in a community, or asks to join it.
type ExportedMembership struct {
	CommunityID string     `json:"community_id"`
	Name        string     `json:"name"`
	State       string     `json:"state"` // "active" or "requested"
	Role        string     `json:"role"`
	JoinedAt    *time.Time `json:"joined_at"` // null unless active
}

// ExportedConversation is a conversation that a member has begun.
type ExportedConversation struct {
	ID        string              `json:"id"`
	Title     string              `json:"title"`
	Body      string              `json:"body"`
	Context   ConversationContext `json:"context"`
	State     string              `json:"state"`
	CreatedAt time.Time           `json:"created_at"`
	UpdatedAt time.Time           `json:"updated_at"`
}

// ExportedReply is what a member has said in a conversation.
type ExportedReply struct {
	ID             string    `json:"id"`
	ConversationID string    `json:"conversation_id"`
	Body           string    `json:"body"`
	InReplyTo      *string   `json:"in_reply_to"`
	CreatedAt      time.Time `json:"created_at"`
}

// ExportedEvent is an event of a member's.
type ExportedEvent struct {
	ID             string     `json:"id"`
	ConversationID string     `json:"conversation_id"`
	Title          string     `json:"title"`
	Description    string     `json:"description"`
	Start          string     `json:"start"`
	End            string     `json:"end"`
	Timezone       string     `json:"timezone"`
	AllDay         bool       `json:"all_day"`
	RRule          *string    `json:"rrule"`
	Location       Location   `json:"location"`
	Visibility     string     `json:"visibility"`
	CommunityID    *string    `json:"community_id"`
	CircleDepth    *int       `json:"circle_depth"`
	Capacity       *int       `json:"capacity"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
	CancelledAt    *time.Time `json:"cancelled_at"`
}

// ExportedRSVP is a member's answer to an event.
type ExportedRSVP struct {
	EventID     string    `json:"event_id"`
	Response    string    `json:"response"`
	Note        string    `json:"note"`
	RespondedAt time.Time `json:"responded_at"`
}

// ExportedInvitation is an invitation that a member got or made.
type ExportedInvitation struct {
	ID          string       `json:"id"`
	CommunityID *string      `json:"community_id"`
	EventID     *string      `json:"event_id"`
	Invitee     svc.MemberID `json:"invitee_id"`
	Inviter     svc.MemberID `json:"inviter_id"`
	State       string       `json:"state"`
	CreatedAt   time.Time    `json:"created_at"`
	ExpiresAt   time.Time    `json:"expires_at"`
	AnsweredAt  *time.Time   `json:"answered_at"`
}

// exportAll shows each row that a query finds, some at a time: next has the
// query go on after a row. Without next it finds all at once.
func exportAll[R any](tx *store.Tx, q store.Query, args store.Args, show func(R) error, next func(R)) error {
	args["limit"] = exportPortion
	if next == nil {
		delete(args, "limit")
	}
	for {
		var rows []R
		if err := tx.Select(&rows, q, args); err != nil {
			return err
		}
		for _, row := range rows {
			if err := show(row); err != nil {
				return err
			}
		}
		if next == nil || len(rows) < exportPortion {
			return nil
		}
		next(rows[len(rows)-1])
	}
}

// ExportMemberships shows the communities of a member.
func (s *Service) ExportMemberships(tx *store.Tx, member svc.MemberID, show func(ExportedMembership) error) error {
	type row struct {
		Community string        `db:"community_id"`
		Name      string        `db:"name"`
		State     string        `db:"state"`
		Role      string        `db:"role"`
		JoinedAt  *store.Millis `db:"joined_at"`
	}
	return exportAll(tx, s.q.ExportMemberships, store.Args{"member": member}, func(r row) error {
		return show(ExportedMembership{r.Community, r.Name, r.State, r.Role, store.OptionalTimestamp(r.JoinedAt)})
	}, nil)
}

// ExportConversations shows the conversations that a member has begun.
func (s *Service) ExportConversations(tx *store.Tx, member svc.MemberID, show func(ExportedConversation) error) error {
	type row struct {
		N         int64        `db:"n"`
		ID        string       `db:"id"`
		Title     string       `db:"title"`
		Body      string       `db:"body"`
		Context   string       `db:"context"`
		Community *string      `db:"community_id"`
		Depth     *int         `db:"depth"`
		State     string       `db:"state"`
		CreatedAt store.Millis `db:"created_at"`
		UpdatedAt store.Millis `db:"updated_at"`
	}
	args := store.Args{"member": member, "after": 0}
	return exportAll(tx, s.q.ExportConversations, args, func(r row) error {
		return show(ExportedConversation{
			r.ID, r.Title, r.Body, ConversationContext{r.Context, r.Community, r.Depth}, r.State, r.CreatedAt.Timestamp(), r.UpdatedAt.Timestamp(),
		})
	}, func(r row) { args["after"] = r.N })
}

// ExportReplies shows what a member has said in conversations, those of one
// together.
func (s *Service) ExportReplies(tx *store.Tx, member svc.MemberID, show func(ExportedReply) error) error {
	type row struct {
		ID           string       `db:"id"`
		Conversation string       `db:"conversation_id"`
		Seq          int64        `db:"seq"`
		Body         string       `db:"body"`
		InReplyTo    *string      `db:"in_reply_to"`
		CreatedAt    store.Millis `db:"created_at"`
	}
	args := store.Args{"member": member, "conversation": "", "seq": 0}
	return exportAll(tx, s.q.ExportReplies, args, func(r row) error {
		return show(ExportedReply{r.ID, r.Conversation, r.Body, r.InReplyTo, r.CreatedAt.Timestamp()})
	}, func(r row) { args["conversation"], args["seq"] = r.Conversation, r.Seq })
}

// ExportEvents shows the events of a member's.
func (s *Service) ExportEvents(tx *store.Tx, member svc.MemberID, show func(ExportedEvent) error) error {
	type row struct {
		N            int64         `db:"n"`
		ID           string        `db:"id"`
		Conversation string        `db:"conversation_id"`
		Title        string        `db:"title"`
		Description  string        `db:"description"`
		Start        store.Millis  `db:"start_local"`
		End          store.Millis  `db:"end_local"`
		Timezone     string        `db:"timezone"`
		AllDay       bool          `db:"all_day"`
		RRule        *string       `db:"rrule"`
		EndsAt       store.Millis  `db:"ends_at"`
		Location     string        `db:"location"`
		Latitude     *float64      `db:"latitude"`
		Longitude    *float64      `db:"longitude"`
		Visibility   string        `db:"visibility"`
		CommunityID  *string       `db:"community_id"`
		Depth        *int          `db:"depth"`
		Capacity     *int          `db:"capacity"`
		CreatedAt    store.Millis  `db:"created_at"`
		UpdatedAt    store.Millis  `db:"updated_at"`
		CancelledAt  *store.Millis `db:"cancelled_at"`
	}
	args := store.Args{"member": member, "ends": int64(math.MinInt64), "after": 0}
	return exportAll(tx, s.q.ExportEvents, args, func(r row) error {
		start, end := svc.EventTimes{Start: r.Start.Time(), End: r.End.Time(), AllDay: r.AllDay}.Text()
		return show(ExportedEvent{
			r.ID, r.Conversation, r.Title, r.Description, start, end, r.Timezone, r.AllDay, r.RRule,
			Location{r.Location, r.Latitude, r.Longitude}, r.Visibility, r.CommunityID, r.Depth, r.Capacity,
			r.CreatedAt.Timestamp(), r.UpdatedAt.Timestamp(), store.OptionalTimestamp(r.CancelledAt),
		})
	}, func(r row) { args["ends"], args["after"] = r.EndsAt, r.N })
}

// ExportRSVPs shows a member's answers to events.
func (s *Service) ExportRSVPs(tx *store.Tx, member svc.MemberID, show func(ExportedRSVP) error) error {
	type row struct {
		Event       string       `db:"event_id"`
		Response    string       `db:"response"`
		Note        string       `db:"note"`
		RespondedAt store.Millis `db:"responded_at"`
	}
	args := store.Args{"member": member, "after": ""}
	return exportAll(tx, s.q.ExportRSVPs, args, func(r row) error {
		return show(ExportedRSVP{r.Event, r.Response, r.Note, r.RespondedAt.Timestamp()})
	}, func(r row) { args["after"] = r.Event })
}

// ExportInvitations shows what a member was asked to, and to what they asked
// others.
func (s *Service) ExportInvitations(tx *store.Tx, member svc.MemberID, show func(ExportedInvitation) error) error {
	return exportAll(tx, s.q.ExportInvitations, store.Args{"member": member}, func(r struct {
		ID          string        `db:"id"`
		CommunityID *string       `db:"community_id"`
		EventID     *string       `db:"event_id"`
		Invitee     svc.MemberID  `db:"invitee_id"`
		Inviter     svc.MemberID  `db:"inviter_id"`
		State       string        `db:"state"`
		CreatedAt   store.Millis  `db:"created_at"`
		ExpiresAt   store.Millis  `db:"expires_at"`
		AnsweredAt  *store.Millis `db:"answered_at"`
	}) error {
		return show(ExportedInvitation{
			r.ID, r.CommunityID, r.EventID, r.Invitee, r.Inviter, r.State, r.CreatedAt.Timestamp(), r.ExpiresAt.Timestamp(), store.OptionalTimestamp(r.AnsweredAt),
		})
	}, nil)
}

// ExportNotifications shows what a member should know of and may still see, the
// latest first.
func (s *Service) ExportNotifications(tx *store.Tx, member svc.MemberID, show func(Notification) error) error {
	w, err := s.viewOf(tx, member)
	if err != nil {
		return err
	}
	args := w.args(store.Args{"member": member, "before": int64(math.MaxInt64), "before_id": "", "unread": false, "limit": exportPortion})
	for {
		var rows []happening
		if err := tx.Select(&rows, s.q.Notifications, args); err != nil || len(rows) == 0 {
			return err
		}
		names, titles, err := s.called(tx, w, rows)
		if err != nil {
			return err
		}
		for _, h := range rows {
			if err := show(h.notification(names, titles)); err != nil {
				return err
			}
		}
		last := rows[len(rows)-1]
		args["before"], args["before_id"] = last.CreatedAt, last.ID
	}
}
