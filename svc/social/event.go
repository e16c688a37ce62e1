package social

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Event is an event as one member sees it. Schema: service.social.event.
type Event struct {
	ID             string           `json:"id"`
	Type           string           `json:"type"` // "event"
	Title          string           `json:"title"`
	Description    string           `json:"description"`
	Start          string           `json:"start"` // local time in Timezone, 2026-12-24T18:00:00; 2026-12-24 if AllDay
	End            string           `json:"end"`   // exclusive, in the same form
	Timezone       string           `json:"timezone"`
	AllDay         bool             `json:"all_day"`
	RRule          *string          `json:"rrule"` // RFC 5545 §3.3.10; null for a single event
	Location       Location         `json:"location"`
	Visibility     EventVisibility  `json:"visibility"`
	CommunityID    *string          `json:"community_id"`   // null unless Visibility is community
	Community      *CommunityRef    `json:"community"`      // null unless Visibility is community
	AudienceTitle  string           `json:"audience_title"` // the audience in words, or the name of the community
	CircleDepth    *int             `json:"circle_depth"`   // 1 to 3, of the host's circles; null unless Visibility is circle
	Host           MemberRef        `json:"host"`
	Status         EventStatus      `json:"status"`
	IsOver         bool             `json:"is_over"` // the last occurrence has ended, or the event is cancelled
	RSVP           RSVPSummary      `json:"rsvp"`
	CanAnswerUntil *time.Time       `json:"can_answer_until"` // end of the last occurrence; null for an endless series and for an event that is over
	ConversationID string           `json:"conversation_id"`
	Revision       int64            `json:"revision"` // counts all changes, RSVPs included
	CreatedAt      time.Time        `json:"created_at"`
	UpdatedAt      time.Time        `json:"updated_at"`
	Permissions    EventPermissions `json:"permissions"`

	Times svc.EventTimes `json:"-"`
}

// CommunityRef is a community that the viewer can see.
type CommunityRef struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Location is the place of an event.
type Location struct {
	Label     string   `json:"label"`
	Latitude  *float64 `json:"latitude"` // degrees
	Longitude *float64 `json:"longitude"`
}

// UnmarshalJSON implements [json.Unmarshaler]. A string is the label, as a form
// field has it.
func (l *Location) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		*l = Location{}
		return json.Unmarshal(text, &l.Label)
	}
	type plain Location
	return json.Unmarshal(text, (*plain)(l))
}

// EventPermissions are the viewer's permissions for an event.
type EventPermissions struct {
	CanView   bool `json:"can_view"`
	CanUpdate bool `json:"can_update"`
	CanDelete bool `json:"can_delete"` // cancel
	CanReply  bool `json:"can_reply"`
	CanRSVP   bool `json:"can_rsvp"`
	CanInvite bool `json:"can_invite"`
}

// eventRow is a row of social_event with the RSVP and the role of one member.
type eventRow struct {
	ID           string          `db:"id"`
	Conversation string          `db:"conversation_id"`
	Title        string          `db:"title"`
	Description  string          `db:"description"`
	Start        store.Millis    `db:"start_local"` // local time in Timezone, encoded as if it were UTC
	End          store.Millis    `db:"end_local"`
	Timezone     string          `db:"timezone"`
	AllDay       bool            `db:"all_day"`
	RRule        *string         `db:"rrule"`
	StartsAt     store.Millis    `db:"starts_at"` // start of the first occurrence
	EndsAt       store.Millis    `db:"ends_at"`   // end of the last occurrence, or endlessEnd
	Location     string          `db:"location"`
	Latitude     *float64        `db:"latitude"`
	Longitude    *float64        `db:"longitude"`
	Visibility   EventVisibility `db:"visibility"`
	CommunityID  *string         `db:"community_id"`
	Depth        *int            `db:"depth"`
	Audience     audienceID      `db:"audience_id"`
	Host         svc.MemberID    `db:"host_id"`
	Capacity     *int            `db:"capacity"`
	Revision     int64           `db:"revision"`
	CreatedAt    store.Millis    `db:"created_at"`
	UpdatedAt    store.Millis    `db:"updated_at"`
	CancelledAt  *store.Millis   `db:"cancelled_at"`
	Closed       bool            `db:"closed"` // the conversation is closed
	MyResponse   svc.Response    `db:"my_response"`
	Community    string          `db:"community"` // name of the community, "" for none
	Role         Role            `db:"role"`      // of the member in the community, "" for none

	movedStart bool // whether the write that set the times moved the start to the first date of the rule
}

// endlessEnd is the end of a series without a last occurrence, far in the future.
const endlessEnd store.Millis = 1e15

type eventQueries struct {
	VisibleEvents      store.Query `sql:"visible-events"`
	EventsByID         store.Query `sql:"events-by-id"`
	UpcomingEvents     store.Query `sql:"upcoming-events"`
	PastEvents         store.Query `sql:"past-events"`
	CountEvents        store.Query `sql:"count-events"`
	AddEvent           store.Query `sql:"add-event"`
	UpdateEvent        store.Query `sql:"update-event"`
	BumpEventRevisions store.Query `sql:"bump-event-revisions"`
	DeleteEvent        store.Query `sql:"delete-event"`
	CommonEvents       store.Query `sql:"common-events"`
	EventsToRetime     store.Query `sql:"events-to-retime"`
	RetimeEvents       store.Query `sql:"retime-events"`
}

// status returns the status at now.
func (e eventRow) status(now time.Time) EventStatus {
	switch {
	case e.CancelledAt != nil:
		return EventCancelled
	case e.EndsAt <= store.MillisOf(now):
		return EventEnded
	}
	return EventScheduled
}

// checkScheduled returns an error if the event is cancelled or over.
func (e eventRow) checkScheduled(now time.Time) error {
	switch e.status(now) {
	case EventCancelled:
		return svc.Errorf(svc.EventCancelled, "This event is cancelled. You can no longer change it or respond.")
	case EventEnded:
		return svc.Errorf(svc.EventEnded, "This event is over. You can no longer respond or invite members.")
	}
	return nil
}

// managedBy reports whether member, whose role the row contains, can change the
// event.
func (e eventRow) managedBy(member svc.MemberID) bool {
	return e.Host == member || e.Role == RoleOwner || e.Role == RoleModerator
}

// times returns the times of the event.
func (e eventRow) times() svc.EventTimes {
	t := svc.EventTimes{Start: e.Start.Time(), End: e.End.Time(), Timezone: e.Timezone, AllDay: e.AllDay}
	if e.RRule != nil {
		t.RRule = *e.RRule
	}
	return t
}

// Event returns an event that v sees.
func (s *Service) Event(tx *store.Tx, v svc.Viewer, id string) (Event, error) {
	w, row, err := s.event(tx, v, id)
	if err != nil {
		return Event{}, err
	}
	return s.completeEvent(tx, w, row)
}

// EventConversation returns the id of the conversation of an event that v sees.
func (s *Service) EventConversation(tx *store.Tx, v svc.Viewer, id string) (string, error) {
	_, e, err := s.event(tx, v, id)
	return e.Conversation, err
}

// event reads an event that v sees, and the view of v.
func (s *Service) event(tx *store.Tx, v svc.Viewer, id string) (w view, row eventRow, err error) {
	if w, err = s.view(tx, v); err != nil {
		return w, row, err
	}
	rows, err := s.visibleEvents(tx, w, id)
	if err == nil && len(rows) == 0 {
		err = svc.Errorf(svc.NotFound, "There is no such event.")
	}
	if err != nil {
		return w, row, err
	}
	return w, rows[0], nil
}

// visibleEvents reads the events among ids that the viewer sees, in the order
// of ids.
func (s *Service) visibleEvents(tx *store.Tx, w view, ids ...string) (rows []eventRow, err error) {
	err = tx.Select(&rows, s.q.VisibleEvents, w.args(store.Args{"member": w.member, "ids": store.JSONArray(ids)}))
	return rows, err
}

// eventsByID reads events regardless of visibility.
func (s *Service) eventsByID(tx *store.Tx, ids []string) (rows []eventRow, err error) {
	err = tx.Select(&rows, s.q.EventsByID, store.Args{"ids": store.JSONArray(ids)})
	return rows, err
}

func (s *Service) completeEvent(tx *store.Tx, w view, row eventRow) (Event, error) {
	list, err := s.completeEvents(tx, w, []eventRow{row})
	if err != nil {
		return Event{}, err
	}
	return list[0], nil
}

// completeEvents adds names and RSVP counts to rows, as the viewer sees them.
func (s *Service) completeEvents(tx *store.Tx, w view, rows []eventRow) ([]Event, error) {
	hosts := make([]svc.MemberID, len(rows))
	for i, row := range rows {
		hosts[i] = row.Host
	}
	names, err := s.visibleNames(tx, w, hosts...)
	if err != nil {
		return nil, err
	}
	counts, err := s.countRSVPs(tx, w, rows)
	list := make([]Event, len(rows))
	for i, row := range rows {
		list[i] = row.toEvent(w.member, tx.Now(), names, counts[row.ID])
	}
	return list, err
}

func (e eventRow) toEvent(member svc.MemberID, now time.Time, names names, counts RSVPCounts) Event {
	status, manages := e.status(now), e.managedBy(member)
	scheduled := status == EventScheduled
	times := e.times()
	start, end := times.Text()
	event := Event{
		ID: e.ID, Type: "event", Title: e.Title, Description: e.Description,
		Start: start, End: end, Timezone: e.Timezone, AllDay: e.AllDay, RRule: e.RRule,
		Location:   Location{e.Location, e.Latitude, e.Longitude},
		Visibility: e.Visibility, CommunityID: e.CommunityID, CircleDepth: e.Depth,
		Host: names.ref(e.Host), Status: status, IsOver: !scheduled, Times: times, RSVP: RSVPSummary{e.MyResponse, counts, e.Capacity},
		ConversationID: e.Conversation, Revision: e.Revision, CreatedAt: e.CreatedAt.Timestamp(), UpdatedAt: e.UpdatedAt.Timestamp(),
		Permissions: EventPermissions{
			CanView: true, CanUpdate: manages && e.CancelledAt == nil, CanDelete: manages && e.CancelledAt == nil, CanReply: !e.Closed,
			CanRSVP: scheduled, CanInvite: scheduled && e.Host == member,
		},
	}
	if e.CommunityID != nil {
		event.Community = &CommunityRef{*e.CommunityID, e.Community}
	}
	switch e.Visibility {
	case EventPublic:
		event.AudienceTitle = names.language.Text("Everyone")
	case EventCommunity:
		event.AudienceTitle = e.Community
	case EventCircle:
		event.AudienceTitle = circlesTitle(e.Host, *e.Depth, member, names)
	case EventInvited:
		event.AudienceTitle = names.language.Text("Invited members")
	}
	if scheduled && e.EndsAt != endlessEnd {
		event.CanAnswerUntil = new(e.EndsAt.Timestamp())
	}
	return event
}

// EventsByID returns the events among ids that v sees.
func (s *Service) EventsByID(tx *store.Tx, v svc.Viewer, ids ...string) ([]Event, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	rows, err := s.visibleEvents(tx, w, ids...)
	if err != nil {
		return nil, err
	}
	return s.completeEvents(tx, w, rows)
}

// EventQuery selects from the events that a member sees.
type EventQuery struct {
	CommunityID string    // limits the list to a community
	From, To    time.Time // limits the list to events in this range; by default it begins now and has no end
	Past        bool      // selects events that are over, latest end first; ignores From and To
	Limit       int
	Cursor      string
}

// EventPage is a page of events, earliest start first.
type EventPage struct {
	Events []Event
	Page   svc.Page
}

// eventCursor is a position in a list of events.
type eventCursor struct {
	At     store.Millis `json:"a" db:"at"` // start of an upcoming event, end of a past one
	ID     string       `json:"i" db:"id"`
	EndsAt store.Millis `json:"-" db:"ends_at"`
}

func (c eventCursor) id() string { return c.ID }

// Events returns a page of the events that v sees.
func (s *Service) Events(tx *store.Tx, v svc.Viewer, q EventQuery) (EventPage, error) {
	query, after := s.q.UpcomingEvents, eventCursor{At: math.MinInt64}
	args := store.Args{}
	if q.Past {
		query, after = s.q.PastEvents, eventCursor{At: math.MaxInt64}
		args["now"] = store.MillisOf(tx.Now())
	} else {
		args["from"], args["to"] = store.MillisOf(tx.Now()), endlessEnd
		if !q.From.IsZero() {
			args["from"] = store.MillisOf(q.From)
		}
		if !q.To.IsZero() {
			args["to"] = store.MillisOf(q.To)
		}
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.events", v, q.CommunityID, q.From, q.To, q.Past)
	limit, err := svc.PageLimit(q.Limit)
	if err := svc.Join(err, cursors.Decode(q.Cursor, &after)); err != nil {
		return EventPage{}, err
	}
	w, err := s.view(tx, v)
	if err != nil {
		return EventPage{}, err
	}
	if q.CommunityID != "" {
		if w.audienceList, err = s.communityAudienceList(tx, v, q.CommunityID); err != nil {
			return EventPage{}, err
		}
	}
	args["at"], args["id"], args["limit"] = after.At, after.ID, limit+1
	var positions []eventCursor
	if err := tx.Select(&positions, query, w.args(args)); err != nil {
		return EventPage{}, err
	}
	positions, page := svc.CutPage(cursors, positions, limit, func(c eventCursor) any { return c })
	rows, err := s.visibleEvents(tx, w, idsOf(positions)...)
	if err != nil {
		return EventPage{}, err
	}
	events, err := s.completeEvents(tx, w, rows)
	return EventPage{events, page}, err
}
