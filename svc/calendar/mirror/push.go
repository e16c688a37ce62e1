package mirror

import (
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
)

// EventPush is the state of a Social event, as an external authority sends it.
// Schema: service.time.social_event_push.
type EventPush struct {
	Operation Operation              `json:"operation"`
	EventID   string                 `json:"event_id"`
	Revision  int64                  `json:"revision"` // increases with each change; older and repeated pushes are ignored
	Event     PushedEvent            `json:"event"`    // ignored if the operation is delete
	Audience  svc.List[svc.Attendee] `json:"audience"` // ignored if the operation is delete
}

// CheckSets is part of [svc.CheckSets].
func (p EventPush) CheckSets(string) error {
	if p.Operation == DeleteEvent {
		return nil
	}
	type fields EventPush // without the method
	return svc.CheckSets(fields(p))
}

// Operation is the change that a push reports.
type Operation string

const (
	CreateEvent Operation = "create"
	UpdateEvent Operation = "update"
	DeleteEvent Operation = "delete"
)

// Values implements [svc.Set].
func (Operation) Values() []string { return svc.Values(CreateEvent, UpdateEvent, DeleteEvent) }

// EventStatus is the status of a pushed event.
type EventStatus string

const (
	EventScheduled EventStatus = "scheduled"
	EventCancelled EventStatus = "cancelled"
)

// Values implements [svc.Set].
func (EventStatus) Values() []string { return svc.Values(EventScheduled, EventCancelled) }

// PushedEvent is the part of a Social event that its mirrors show.
type PushedEvent struct {
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Location    string        `json:"location"`
	Latitude    *float64      `json:"latitude"` // degrees
	Longitude   *float64      `json:"longitude"`
	Start       string        `json:"start"` // 2026-12-24T18:00:00 in Timezone; 2026-12-24 if AllDay
	End         string        `json:"end"`   // exclusive, in the form of Start
	Timezone    string        `json:"timezone"`
	AllDay      bool          `json:"all_day"`
	RRule       *string       `json:"rrule"` // RFC 5545 §3.3.10
	Status      EventStatus   `json:"status"`
	Host        svc.EventHost `json:"host"`
}

// Push validates a push and syncs the mirrors of its event. If the result has mirrors left, the
// caller must repeat the push.
func (s *Service) Push(tx *store.Tx, p EventPush) (svc.SyncResult, error) {
	sync, err := p.resolve()
	if err != nil {
		return svc.SyncResult{}, err
	}
	results, err := s.SyncEvents(tx, sync)
	if err != nil {
		return svc.SyncResult{}, err
	}
	return results[0], nil
}

// resolve validates a push and returns it with typed values.
func (p EventPush) resolve() (svc.EventSync, error) {
	sync := svc.EventSync{EventID: p.EventID, Revision: p.Revision, Deleted: p.Operation == DeleteEvent}
	if err := p.check(); err != nil || sync.Deleted {
		return sync, err
	}
	e := p.Event
	change := svc.EventTimesChange{
		Start: svc.Some(e.Start), End: svc.Some(e.End), Timezone: svc.Some(e.Timezone), AllDay: svc.Some(e.AllDay),
	}
	if e.RRule != nil {
		change.RRule = svc.Some(*e.RRule)
	}
	times, err := edit.ResolveTimes(svc.EventTimes{}, change, time.Time{})
	if err := svc.Join(
		svc.CheckTitle("title", e.Title, svc.MaxTitle),
		svc.CheckText("description", e.Description, svc.MaxBody),
		svc.CheckText("location", e.Location, svc.MaxSummary),
		err,
	); err != nil {
		return sync, svc.PrefixFields("event", err)
	}
	sync.Audience = p.Audience
	sync.Event = svc.SyncedEvent{
		Title: e.Title, Description: e.Description, Location: e.Location, Latitude: e.Latitude, Longitude: e.Longitude,
		Times: times, Cancelled: e.Status == EventCancelled, Host: e.Host,
	}
	return sync, nil
}

// check validates the fields of a push, except for the texts and times of the
// event.
func (p EventPush) check() error {
	errs := []error{svc.CheckChosen("operation", p.Operation), svc.CheckLine("event_id", p.EventID, svc.MaxName)}
	if p.Revision <= 0 {
		errs = append(errs, svc.FieldError(svc.InvalidValue, "revision", "The revision must be 1 or more."))
	}
	if p.Operation == DeleteEvent {
		return svc.Join(errs...)
	}
	errs = append(errs, svc.PrefixFields("event", svc.Join(
		svc.CheckChosen("status", p.Event.Status), svc.CheckPoint(p.Event.Latitude, p.Event.Longitude))))
	if p.Event.Timezone == "" {
		errs = append(errs, svc.PrefixFields("event", svc.Required("timezone")))
	}
	seen := make(map[svc.MemberID]bool, len(p.Audience))
	for i, a := range p.Audience {
		err := svc.Join(svc.CheckChosen("rsvp", a.RSVP), svc.CheckChosen("role", a.Role))
		if seen[a.MemberID] || a.MemberID <= 0 {
			err = svc.Join(err, svc.FieldError(svc.InvalidValue, "member_id", "Name each member once, by their number."))
		}
		if err != nil {
			errs = append(errs, svc.PrefixFields(fmt.Sprintf("audience.%d", i), err))
		}
		seen[a.MemberID] = true
	}
	return svc.Join(errs...)
}
