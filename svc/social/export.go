package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// ExportedMembership is an active membership or a request to join.
type ExportedMembership struct {
	CommunityID string          `json:"community_id"`
	Name        string          `json:"name"`
	State       MembershipState `json:"state"` // active or requested
	Role        Role            `json:"role"`
	JoinedAt    *time.Time      `json:"joined_at"` // null unless active
}

// ExportedConversation is a conversation by the exported member.
type ExportedConversation struct {
	ID        string              `json:"id"`
	Title     string              `json:"title"`
	Body      string              `json:"body"`
	Context   ConversationContext `json:"context"`
	State     ConversationState   `json:"state"`
	CreatedAt time.Time           `json:"created_at"`
	UpdatedAt time.Time           `json:"updated_at"`
}

// ExportedReply is a reply by the exported member.
type ExportedReply struct {
	ID             string    `json:"id"`
	ConversationID string    `json:"conversation_id"`
	Body           string    `json:"body"`
	InReplyTo      *string   `json:"in_reply_to"`
	CreatedAt      time.Time `json:"created_at"`
}

// ExportedEvent is an event that the exported member hosts.
type ExportedEvent struct {
	ID             string          `json:"id"`
	ConversationID string          `json:"conversation_id"`
	Title          string          `json:"title"`
	Description    string          `json:"description"`
	Start          string          `json:"start"`
	End            string          `json:"end"`
	Timezone       string          `json:"timezone"`
	AllDay         bool            `json:"all_day"`
	RRule          *string         `json:"rrule"`
	Location       Location        `json:"location"`
	Visibility     EventVisibility `json:"visibility"`
	CommunityID    *string         `json:"community_id"`
	CircleDepth    *int            `json:"circle_depth"`
	Capacity       *int            `json:"capacity"`
	CreatedAt      time.Time       `json:"created_at"`
	UpdatedAt      time.Time       `json:"updated_at"`
	CancelledAt    *time.Time      `json:"cancelled_at"`
}

// ExportedRSVP is a response of the exported member to an event.
type ExportedRSVP struct {
	EventID     string       `json:"event_id"`
	Response    svc.Response `json:"response"`
	Note        string       `json:"note"`
	RespondedAt time.Time    `json:"responded_at"`
}

// ExportedInvitation is an invitation that the exported member received or made.
type ExportedInvitation struct {
	ID          string          `json:"id"`
	CommunityID *string         `json:"community_id"`
	EventID     *string         `json:"event_id"`
	Invitee     svc.MemberID    `json:"invitee_id"`
	Inviter     svc.MemberID    `json:"inviter_id"`
	State       InvitationState `json:"state"`
	CreatedAt   time.Time       `json:"created_at"`
	ExpiresAt   time.Time       `json:"expires_at"`
	AnsweredAt  *time.Time      `json:"answered_at"`
}

type exportQueries struct {
	ExportMemberships   store.Query `sql:"export-memberships"`
	ExportConversations store.Query `sql:"export-conversations"`
	ExportReplies       store.Query `sql:"export-replies"`
	ExportEvents        store.Query `sql:"export-events"`
	ExportRSVPs         store.Query `sql:"export-rsvps"`
	ExportInvitations   store.Query `sql:"export-invitations"`
	ExportAvatars       store.Query `sql:"export-avatars"`
}

// exportBatch limits the rows that an export holds in memory.
const exportBatch = 500

// exportRows calls visit with each row that query selects. It reads in batches:
// advance sets the arguments that continue after a row.
func exportRows[R any](tx *store.Tx, query store.Query, args store.Args, visit func(R) error, advance func(R)) error {
	return exportBatches(tx, query, args, func(rows []R) error {
		for _, row := range rows {
			if err := visit(row); err != nil {
				return err
			}
		}
		advance(rows[len(rows)-1])
		return nil
	})
}

// exportBatches calls visit with batches of the rows that query selects. visit
// sets the arguments that continue after its last row.
func exportBatches[R any](tx *store.Tx, query store.Query, args store.Args, visit func([]R) error) error {
	args["limit"] = exportBatch
	for {
		var rows []R
		if err := tx.Select(&rows, query, args); err != nil || len(rows) == 0 {
			return err
		}
		if err := visit(rows); err != nil || len(rows) < exportBatch {
			return err
		}
	}
}

// ExportMemberships calls visit with the active memberships and the requests to
// join of a member.
func (s *Service) ExportMemberships(tx *store.Tx, member svc.MemberID, visit func(ExportedMembership) error) error {
	type row struct {
		Community string          `db:"community_id"`
		Name      string          `db:"name"`
		State     MembershipState `db:"state"`
		Role      Role            `db:"role"`
		JoinedAt  *store.Millis   `db:"joined_at"`
	}
	args := store.Args{"member": member, "after": ""}
	return exportRows(tx, s.q.ExportMemberships, args, func(r row) error {
		return visit(ExportedMembership{r.Community, r.Name, r.State, r.Role, store.OptionalTimestamp(r.JoinedAt)})
	}, func(r row) { args["after"] = r.Community })
}

// ExportConversations calls visit with the conversations by a member, except
// those of events. A community that the member cannot see has no id.
func (s *Service) ExportConversations(tx *store.Tx, member svc.MemberID, visit func(ExportedConversation) error) error {
	type row struct {
		RowID     int64             `db:"n"`
		ID        string            `db:"id"`
		Title     string            `db:"title"`
		Body      string            `db:"body"`
		Context   ContextKind       `db:"context"`
		Community *string           `db:"community_id"`
		Depth     *int              `db:"depth"`
		State     ConversationState `db:"state"`
		CreatedAt store.Millis      `db:"created_at"`
		UpdatedAt store.Millis      `db:"updated_at"`
	}
	args := store.Args{"member": member, "after": 0}
	return exportRows(tx, s.q.ExportConversations, args, func(r row) error {
		return visit(ExportedConversation{
			r.ID, r.Title, r.Body, ConversationContext{r.Context, r.Community, r.Depth}, r.State,
			r.CreatedAt.Timestamp(), r.UpdatedAt.Timestamp(),
		})
	}, func(r row) { args["after"] = r.RowID })
}

// ExportReplies calls visit with the replies by a member, conversation by
// conversation.
func (s *Service) ExportReplies(tx *store.Tx, member svc.MemberID, visit func(ExportedReply) error) error {
	type row struct {
		ID           string       `db:"id"`
		Conversation string       `db:"conversation_id"`
		Seq          int64        `db:"seq"`
		Body         string       `db:"body"`
		InReplyTo    *string      `db:"in_reply_to"`
		CreatedAt    store.Millis `db:"created_at"`
	}
	args := store.Args{"member": member, "conversation": "", "seq": 0}
	return exportRows(tx, s.q.ExportReplies, args, func(r row) error {
		return visit(ExportedReply{r.ID, r.Conversation, r.Body, r.InReplyTo, r.CreatedAt.Timestamp()})
	}, func(r row) { args["conversation"], args["seq"] = r.Conversation, r.Seq })
}

// ExportEvents calls visit with the events that a member hosts. A community that
// the member cannot see has no id.
func (s *Service) ExportEvents(tx *store.Tx, member svc.MemberID, visit func(ExportedEvent) error) error {
	type row struct {
		RowID        int64           `db:"n"`
		ID           string          `db:"id"`
		Conversation string          `db:"conversation_id"`
		Title        string          `db:"title"`
		Description  string          `db:"description"`
		Start        store.Millis    `db:"start_local"`
		End          store.Millis    `db:"end_local"`
		Timezone     string          `db:"timezone"`
		AllDay       bool            `db:"all_day"`
		RRule        *string         `db:"rrule"`
		EndsAt       store.Millis    `db:"ends_at"`
		Location     string          `db:"location"`
		Latitude     *float64        `db:"latitude"`
		Longitude    *float64        `db:"longitude"`
		Visibility   EventVisibility `db:"visibility"`
		CommunityID  *string         `db:"community_id"`
		Depth        *int            `db:"depth"`
		Capacity     *int            `db:"capacity"`
		CreatedAt    store.Millis    `db:"created_at"`
		UpdatedAt    store.Millis    `db:"updated_at"`
		CancelledAt  *store.Millis   `db:"cancelled_at"`
	}
	args := store.Args{"member": member, "ends": int64(math.MinInt64), "after": 0}
	return exportRows(tx, s.q.ExportEvents, args, func(r row) error {
		start, end := svc.EventTimes{Start: r.Start.Time(), End: r.End.Time(), AllDay: r.AllDay}.Text()
		return visit(ExportedEvent{
			r.ID, r.Conversation, r.Title, r.Description, start, end, r.Timezone, r.AllDay, r.RRule,
			Location{r.Location, r.Latitude, r.Longitude}, r.Visibility, r.CommunityID, r.Depth, r.Capacity,
			r.CreatedAt.Timestamp(), r.UpdatedAt.Timestamp(), store.OptionalTimestamp(r.CancelledAt),
		})
	}, func(r row) { args["ends"], args["after"] = r.EndsAt, r.RowID })
}

// ExportRSVPs calls visit with the responses of a member to events.
func (s *Service) ExportRSVPs(tx *store.Tx, member svc.MemberID, visit func(ExportedRSVP) error) error {
	type row struct {
		Event       string       `db:"event_id"`
		Response    svc.Response `db:"response"`
		Note        string       `db:"note"`
		RespondedAt store.Millis `db:"responded_at"`
	}
	args := store.Args{"member": member, "after": ""}
	return exportRows(tx, s.q.ExportRSVPs, args, func(r row) error {
		return visit(ExportedRSVP{r.Event, r.Response, r.Note, r.RespondedAt.Timestamp()})
	}, func(r row) { args["after"] = r.Event })
}

// ExportInvitations calls visit with the invitations that a member has received
// or made. A community or an event that the member cannot see has no id.
func (s *Service) ExportInvitations(tx *store.Tx, member svc.MemberID, visit func(ExportedInvitation) error) error {
	w, err := s.viewOf(tx, words.English, member)
	if err != nil {
		return err
	}
	args := store.Args{"member": member, "after": ""}
	return exportBatches(tx, s.q.ExportInvitations, args, func(rows []invitationRow) error {
		ids := make([]string, len(rows))
		for n, i := range rows {
			ids[n] = i.ID
		}
		titles, err := s.targetTitles(tx, w, ids)
		if err != nil {
			return err
		}
		for _, i := range rows {
			if _, seen := titles[i.ID]; !seen {
				i.CommunityID, i.EventID = nil, nil
			}
			err := visit(ExportedInvitation{
				i.ID, i.CommunityID, i.EventID, i.Invitee, i.Inviter, i.State, i.CreatedAt.Timestamp(), i.ExpiresAt.Timestamp(),
				store.OptionalTimestamp(i.AnsweredAt),
			})
			if err != nil {
				return err
			}
		}
		args["after"] = ids[len(ids)-1]
		return nil
	})
}

// ExportNotifications calls visit with the notifications of a member whose
// actor and target they still see, newest first.
func (s *Service) ExportNotifications(tx *store.Tx, member svc.MemberID, visit func(Notification) error) error {
	w, err := s.viewOf(tx, words.English, member)
	if err != nil {
		return err
	}
	args := w.args(store.Args{"member": member, "before": int64(math.MaxInt64), "before_id": "", "unread": false, "limit": exportBatch})
	for {
		var rows []feedRow[NotificationKind]
		if err := tx.Select(&rows, s.q.ListNotifications, args); err != nil || len(rows) == 0 {
			return err
		}
		names, titles, err := feedNames(s, tx, w, rows)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := visit(toNotification(r, names, titles)); err != nil {
				return err
			}
		}
		last := rows[len(rows)-1]
		args["before"], args["before_id"] = last.CreatedAt, last.ID
	}
}

// ExportedDM is a DM of the exported member.
type ExportedDM struct {
	ID        string    `json:"id"`
	With      MemberRef `json:"with"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// ExportDMs calls visit with all DMs of a member, latest first.
func (s *Service) ExportDMs(tx *store.Tx, member svc.MemberID, visit func(ExportedDM) error) error {
	return s.DMs.EachThread(tx, member, func(t thread.Thread) error {
		return visit(ExportedDM{t.ID, MemberRef{t.Partner, t.Title, t.Participants[1].Appearance}, t.CreatedAt, *t.UpdatedAt})
	})
}
