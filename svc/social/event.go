package social

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Event is a gathering that members answer and talk about. Schema:
// service.social.event.
type Event struct {
	ID             string           `json:"id"`
	Type           string           `json:"type"` // "event"
	Title          string           `json:"title"`
	Description    string           `json:"description"`
	Start          string           `json:"start"` // 2026-12-24T18:00:00 as a clock shows it in Timezone; 2026-12-24 if it is AllDay
	End            string           `json:"end"`   // the moment, or the day after, at which it is over
	Timezone       string           `json:"timezone"`
	AllDay         bool             `json:"all_day"`
	RRule          *string          `json:"rrule"` // RFC 5545 §3.3.10; null if it is once
	Location       Location         `json:"location"`
	Visibility     string           `json:"visibility"`   // "public", "community", "circle" or "invited"
	CommunityID    *string          `json:"community_id"` // whose it is, if it is a community's
	CircleDepth    *int             `json:"circle_depth"` // 1 to 3: how far around the host, if it is for a circle
	Host           MemberRef        `json:"host"`
	Status         string           `json:"status"` // "scheduled", "cancelled" or "ended"
	RSVP           RSVPSummary      `json:"rsvp"`
	ConversationID string           `json:"conversation_id"`
	Revision       int64            `json:"revision"` // counts the changes, answers too
	CreatedAt      time.Time        `json:"created_at"`
	UpdatedAt      time.Time        `json:"updated_at"`
	Permissions    EventPermissions `json:"permissions"`
}

// Location is where an event is.
type Location struct {
	Label     string   `json:"label"`
	Latitude  *float64 `json:"latitude"` // degrees
	Longitude *float64 `json:"longitude"`
}

// UnmarshalJSON implements [json.Unmarshaler]. A text is a label, as it stands
// in a form.
func (l *Location) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		*l = Location{}
		return json.Unmarshal(text, &l.Label)
	}
	type plain Location
	return json.Unmarshal(text, (*plain)(l))
}

// RSVPSummary is who comes to an event.
type RSVPSummary struct {
	Mine     string     `json:"mine"` // the viewer's: "going", "maybe", "declined" or "none"
	Counts   RSVPCounts `json:"counts"`
	Capacity *int       `json:"capacity"` // how many can be going, null for any number
}

// RSVPCounts are how many answered how, without whoever is hidden from the
// viewer.
type RSVPCounts struct {
	Going    int `json:"going"`
	Maybe    int `json:"maybe"`
	Declined int `json:"declined"`
	None     int `json:"none"` // who were asked to come and have not answered
}

// EventPermissions are what the viewer may do about an event.
type EventPermissions struct {
	CanView   bool `json:"can_view"`
	CanUpdate bool `json:"can_update"`
	CanDelete bool `json:"can_delete"` // cancel it
	CanReply  bool `json:"can_reply"`
	CanRSVP   bool `json:"can_rsvp"`
	CanInvite bool `json:"can_invite"`
}

// eventRow is a row of social_event as one member sees it.
type eventRow struct {
	ID           string        `db:"id"`
	Conversation string        `db:"conversation_id"`
	Title        string        `db:"title"`
	Description  string        `db:"description"`
	Start        store.Millis  `db:"start_local"` // what a clock in Timezone shows, as if it were UTC
	End          store.Millis  `db:"end_local"`
	Timezone     string        `db:"timezone"`
	AllDay       bool          `db:"all_day"`
	RRule        *string       `db:"rrule"`
	StartsAt     store.Millis  `db:"starts_at"`
	EndsAt       store.Millis  `db:"ends_at"`
	Location     string        `db:"location"`
	Latitude     *float64      `db:"latitude"`
	Longitude    *float64      `db:"longitude"`
	Visibility   string        `db:"visibility"`
	CommunityID  *string       `db:"community_id"`
	Depth        *int          `db:"depth"`
	Audience     audience      `db:"audience_id"`
	Host         svc.MemberID  `db:"host_id"`
	Capacity     *int          `db:"capacity"`
	Revision     int64         `db:"revision"`
	CreatedAt    store.Millis  `db:"created_at"`
	UpdatedAt    store.Millis  `db:"updated_at"`
	CancelledAt  *store.Millis `db:"cancelled_at"`
	Closed       bool          `db:"closed"` // its conversation
	Mine         string        `db:"mine"`
	Role         string        `db:"role"` // of the member in its community, "" for none
}

// forever is when an event ends that never does.
const forever store.Millis = 1e15

// status is what has become of it by now.
func (e eventRow) status(now time.Time) string {
	switch {
	case e.CancelledAt != nil:
		return "cancelled"
	case e.EndsAt <= store.MillisOf(now):
		return "ended"
	}
	return "scheduled"
}

// open refuses what cannot be done about an event that is cancelled or over.
func (e eventRow) open(now time.Time) error {
	switch e.status(now) {
	case "cancelled":
		return svc.Errorf(svc.EventCancelled, "This event is cancelled.")
	case "ended":
		return svc.Errorf(svc.EventEnded, "This event is over.")
	}
	return nil
}

// runBy reports whether the member it was read for may change it.
func (e eventRow) runBy(member svc.MemberID) bool {
	return e.Host == member || e.Role == "owner" || e.Role == "moderator"
}

// times returns when the event takes place.
func (e eventRow) times() svc.EventTimes {
	t := svc.EventTimes{Start: e.Start.Time(), End: e.End.Time(), Timezone: e.Timezone, AllDay: e.AllDay}
	if e.RRule != nil {
		t.RRule = *e.RRule
	}
	return t
}

// synced returns the part of the event that its mirrors show.
func (e eventRow) synced(names names) svc.SyncedEvent {
	return svc.SyncedEvent{
		Title: e.Title, Description: e.Description, Location: e.Location, Latitude: e.Latitude, Longitude: e.Longitude,
		Times: e.times(), Cancelled: e.CancelledAt != nil,
		Host: svc.EventHost{ID: e.Host, DisplayName: names.of(e.Host).DisplayName},
	}
}

// Event returns an event that v sees.
func (s *Service) Event(tx *store.Tx, v svc.Viewer, id string) (Event, error) {
	w, row, err := s.event(tx, v, id)
	if err != nil {
		return Event{}, err
	}
	return s.shownEvent(tx, w, row)
}

// event reads an event that v sees, and what else v sees.
func (s *Service) event(tx *store.Tx, v svc.Viewer, id string) (w view, row eventRow, err error) {
	if w, err = s.view(tx, v); err == nil {
		row, err = s.seenEvent(tx, w, id)
	}
	return w, row, err
}

func (s *Service) seenEvent(tx *store.Tx, w view, id string) (eventRow, error) {
	rows, err := s.seenEvents(tx, w, id)
	if err == nil && len(rows) == 0 {
		err = svc.Errorf(svc.NotFound, "There is no such event.")
	}
	if err != nil {
		return eventRow{}, err
	}
	return rows[0], nil
}

// seenEvents returns those of the list that the member sees.
func (s *Service) seenEvents(tx *store.Tx, w view, ids ...string) (rows []eventRow, err error) {
	err = tx.Select(&rows, s.q.SeenEvents, w.args(store.Args{"member": w.member, "ids": jsonList(ids)}))
	return rows, err
}

// shownEvent makes the contract of one event.
func (s *Service) shownEvent(tx *store.Tx, w view, row eventRow) (Event, error) {
	list, err := s.shownEvents(tx, w, []eventRow{row})
	if err != nil {
		return Event{}, err
	}
	return list[0], nil
}

// shownEvents makes the contract of events.
func (s *Service) shownEvents(tx *store.Tx, w view, rows []eventRow) ([]Event, error) {
	ids, hosts := make([]string, len(rows)), make([]svc.MemberID, len(rows))
	for i, row := range rows {
		ids[i], hosts[i] = row.ID, row.Host
	}
	names, err := s.met(tx, w.hidden, hosts...)
	if err != nil {
		return nil, err
	}
	counts, err := s.answerCounts(tx, w, ids)
	list := make([]Event, len(rows))
	for i, row := range rows {
		list[i] = row.event(w.member, tx.Now(), names, counts[row.ID])
	}
	return list, err
}

func (e eventRow) event(member svc.MemberID, now time.Time, names names, counts RSVPCounts) Event {
	status, runs := e.status(now), e.runBy(member)
	scheduled := status == "scheduled"
	start, end := e.times().Text()
	return Event{
		ID: e.ID, Type: "event", Title: e.Title, Description: e.Description,
		Start: start, End: end, Timezone: e.Timezone, AllDay: e.AllDay, RRule: e.RRule,
		Location:   Location{e.Location, e.Latitude, e.Longitude},
		Visibility: e.Visibility, CommunityID: e.CommunityID, CircleDepth: e.Depth,
		Host: names.of(e.Host), Status: status, RSVP: RSVPSummary{e.Mine, counts, e.Capacity},
		ConversationID: e.Conversation, Revision: e.Revision, CreatedAt: e.CreatedAt.Timestamp(), UpdatedAt: e.UpdatedAt.Timestamp(),
		Permissions: EventPermissions{
			CanView: true, CanUpdate: runs && e.CancelledAt == nil, CanDelete: runs && e.CancelledAt == nil, CanReply: !e.Closed,
			CanRSVP: scheduled, CanInvite: scheduled && e.Host == member,
		},
	}
}

// EventQuery selects from the events that a member sees.
type EventQuery struct {
	CommunityID string    // only those of a community that the member is in
	From, To    time.Time // only what is going on between the two; zero for from now on, and for no end
	Past        bool      // what is over instead, the last one first
	Limit       int
	Cursor      string
}

// EventPage is a page of events, those that begin first before others.
type EventPage struct {
	Events []Event
	Page   svc.Page
}

// eventPlace is where an event stands in a list.
type eventPlace struct {
	At     store.Millis `json:"a" db:"at"` // of those to come the start, of past ones the end
	ID     string       `json:"i" db:"id"`
	EndsAt store.Millis `json:"-" db:"ends_at"`
}

// EventConversation returns the id of the conversation of an event that v sees.
func (s *Service) EventConversation(tx *store.Tx, v svc.Viewer, id string) (string, error) {
	_, e, err := s.event(tx, v, id)
	return e.Conversation, err
}

// Events lists the events that v sees.
func (s *Service) Events(tx *store.Tx, v svc.Viewer, q EventQuery) (EventPage, error) {
	name, query, after := "social.events", s.q.NextEvents, eventPlace{At: math.MinInt64}
	args := store.Args{}
	if q.Past {
		name, query, after = "social.events.past", s.q.PastEvents, eventPlace{At: math.MaxInt64}
		args["now"] = store.MillisOf(tx.Now())
	} else {
		args["from"], args["to"] = store.MillisOf(tx.Now()), forever
		if !q.From.IsZero() {
			args["from"] = store.MillisOf(q.From)
		}
		if !q.To.IsZero() {
			args["to"] = store.MillisOf(q.To)
		}
	}
	cursors := svc.NewCursors(tx.InstanceKey(), name, v)
	limit, err := svc.PageLimit(q.Limit)
	if err := svc.Join(err, cursors.Decode(q.Cursor, &after)); err != nil {
		return EventPage{}, err
	}
	w, err := s.view(tx, v)
	if err != nil {
		return EventPage{}, err
	}
	if q.CommunityID != "" {
		if w.audiences, err = s.audienceIn(tx, v, q.CommunityID); err != nil {
			return EventPage{}, err
		}
	}
	args["at"], args["id"], args["limit"] = after.At, after.ID, limit+1
	var places []eventPlace
	if err := tx.Select(&places, query, w.args(args)); err != nil {
		return EventPage{}, err
	}
	places, page := svc.CutPage(cursors, places, limit, func(p eventPlace) any { return p })
	rows, err := s.seenEvents(tx, w, idsOf(places)...)
	if err != nil {
		return EventPage{}, err
	}
	list, err := s.shownEvents(tx, w, rows)
	return EventPage{list, page}, err
}
