package social

import (
	"appliance/store"
	"appliance/svc"
)

// NewEvent is an event to create.
type NewEvent struct {
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Start       string             `json:"start"` // in the syntax of calendar objects
	End         string             `json:"end"`   // "" for an hour, or a day, after Start
	Timezone    string             `json:"timezone"`
	AllDay      svc.Optional[bool] `json:"all_day"` // default: true exactly if Start is a date
	RRule       *string            `json:"rrule"`
	Location    Location           `json:"location"`
	Capacity    *int               `json:"capacity"`
	Visibility  EventVisibility    `json:"visibility"` // defaults to invited
	CommunityID *string            `json:"community_id"`
	CircleDepth *int               `json:"circle_depth"`
	Audience    AudienceSpec       `json:"among"` // replaces the last three in forms; also "invited"
}

// CreateEvent creates an event that v hosts and attends.
func (s *Service) CreateEvent(tx *store.Tx, v svc.Viewer, in NewEvent) (Event, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Event{}, err
	}
	if err := in.normalize(); err != nil {
		return Event{}, err
	}
	e := eventRow{
		ID: svc.NewID("evt"), Conversation: svc.NewID("cnv"), Title: in.Title, Description: in.Description,
		Location: in.Location.Label, Latitude: in.Location.Latitude, Longitude: in.Location.Longitude, Capacity: in.Capacity,
		Visibility: in.Visibility, CommunityID: in.CommunityID, Depth: in.CircleDepth, Host: w.member,
	}
	err = svc.Join(e.validateText(), s.setTimes(tx, &e, svc.EventTimes{}, in.times()), e.validatePlace(), s.checkVisibility(tx, w, e))
	if err != nil {
		return Event{}, err
	}
	if e.Audience, err = s.eventAudience(tx, e); err != nil {
		return Event{}, err
	}
	if err := s.addEvent(tx, e); err != nil {
		return Event{}, err
	}
	if err := s.announceEvent(tx, e, svc.EventUpdated, EventCreatedActivity, w.member); err != nil {
		return Event{}, err
	}
	shown, err := s.Event(tx, v, e.ID)
	shown.Times.MovedStart = e.movedStart
	return shown, err
}

// normalize replaces Audience by the fields Visibility, CommunityID and CircleDepth, and applies
// the default visibility.
func (in *NewEvent) normalize() error {
	if in.Audience != "" && in.Audience != "invited" {
		c, err := in.Audience.context()
		if err != nil {
			return err
		}
		in.CommunityID, in.CircleDepth = c.ID, c.Depth
		switch c.Kind {
		case ContextOpen:
			in.Visibility = EventPublic
		case ContextCommunity:
			in.Visibility = EventCommunity
		case ContextCircle:
			in.Visibility = EventCircle
		}
	}
	if in.Visibility == "" {
		in.Visibility = EventInvited
	}
	return nil
}

// times returns the times that the host has entered.
func (in NewEvent) times() svc.EventTimesChange {
	c := svc.EventTimesChange{Start: svc.Some(in.Start), End: svc.Some(in.End), Timezone: svc.Some(in.Timezone), AllDay: in.AllDay}
	if in.RRule != nil {
		c.RRule = svc.Some(*in.RRule)
	}
	return c
}

// validateText checks the title and the description.
func (e eventRow) validateText() error {
	return svc.Join(svc.CheckTitle("title", e.Title, svc.MaxTitle), svc.CheckText("description", e.Description, svc.MaxBody))
}

// validatePlace checks the location and the capacity.
func (e eventRow) validatePlace() error {
	location := svc.Join(svc.CheckText("label", e.Location, svc.MaxTitle), svc.CheckPoint(e.Latitude, e.Longitude))
	var capacity error
	if e.Capacity != nil && *e.Capacity < 1 {
		capacity = svc.FieldError(svc.InvalidValue, "capacity", "Enter at least 1 guest, or leave it empty for no limit.")
	}
	return svc.Join(svc.PrefixFields("location", location), capacity)
}

// setTimes sets the times of e to the result of applying c to old. old is the
// zero EventTimes for a new event.
func (s *Service) setTimes(tx *store.Tx, e *eventRow, old svc.EventTimes, c svc.EventTimesChange) error {
	t, first, last, err := s.calendars.ResolveTimes(tx, e.Host, old, c)
	if err != nil {
		return err
	}
	e.Start, e.End, e.Timezone, e.AllDay = store.MillisOf(t.Start), store.MillisOf(t.End), t.Timezone, t.AllDay
	e.movedStart, e.RRule = t.MovedStart, nil
	if t.RRule != "" {
		e.RRule = &t.RRule
	}
	e.StartsAt, e.EndsAt = store.MillisOf(first), endlessEnd
	if !last.IsZero() {
		e.EndsAt = store.MillisOf(last)
	}
	return nil
}

// checkVisibility validates the visibility that the viewer has chosen for a new
// event.
func (s *Service) checkVisibility(tx *store.Tx, w view, e eventRow) error {
	errs := []error{svc.CheckChosen("visibility", e.Visibility)}
	switch e.Visibility {
	case EventCommunity:
		if e.CommunityID == nil || *e.CommunityID == "" {
			errs = append(errs, svc.Required("community_id"))
		} else {
			errs = append(errs, s.checkMembership(tx, w, "community_id", *e.CommunityID))
		}
	case EventCircle:
		if e.Depth == nil {
			errs = append(errs, svc.Required("circle_depth"))
		} else if *e.Depth < 1 || *e.Depth > MaxDepth {
			errs = append(errs, svc.FieldError(svc.InvalidValue, "circle_depth", "Choose circle 1, 2 or 3."))
		}
	}
	if e.CommunityID != nil && e.Visibility != EventCommunity {
		errs = append(errs, svc.FieldError(svc.InvalidValue, "community_id", "Only an event for a community belongs to one."))
	}
	if e.Depth != nil && e.Visibility != EventCircle {
		errs = append(errs, svc.FieldError(svc.InvalidValue, "circle_depth", "Only an event for your circles has a circle."))
	}
	return svc.Join(errs...)
}

// eventAudience returns the audience of a new event.
func (s *Service) eventAudience(tx *store.Tx, e eventRow) (audienceID, error) {
	switch e.Visibility {
	case EventPublic:
		return everyoneAudience, nil
	case EventCommunity:
		return s.communityAudience(tx, *e.CommunityID)
	case EventCircle:
		return s.circleAudience(tx, e.Host, *e.Depth)
	}
	return s.addGuestAudience(tx, e.Host)
}

// addEvent stores a new event with its conversation and the host's RSVP.
func (s *Service) addEvent(tx *store.Tx, e eventRow) error {
	if err := s.addConversation(tx, newConversation{
		ID: e.Conversation, Context: ContextEvent, CommunityID: e.CommunityID, Depth: e.Depth, Audience: e.Audience, Author: e.Host,
	}); err != nil {
		return err
	}
	args := e.columns(tx)
	delete(args, "cancelled_at")
	args["conversation"], args["visibility"], args["community"], args["depth"] = e.Conversation, e.Visibility, e.CommunityID, e.Depth
	args["audience"], args["host"] = e.Audience, e.Host
	if err := s.write(tx, e.Host, s.q.AddEvent, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.PutRSVP, store.Args{
		"event": e.ID, "member": e.Host, "response": "going", "note": "", "now": store.MillisOf(tx.Now()), "seq": tx.Seq(),
	})
	return err
}

// columns returns the columns that an update sets.
func (e eventRow) columns(tx *store.Tx) store.Args {
	return store.Args{
		"id": e.ID, "title": e.Title, "description": e.Description, "start_local": e.Start, "end_local": e.End, "timezone": e.Timezone,
		"all_day": e.AllDay, "rrule": e.RRule, "starts_at": e.StartsAt, "ends_at": e.EndsAt, "location": e.Location,
		"latitude": e.Latitude, "longitude": e.Longitude, "capacity": e.Capacity, "cancelled_at": e.CancelledAt,
		"now": store.MillisOf(tx.Now()),
	}
}

// announceEvent records the activity of an event that was created, changed or
// cancelled, and updates its mirrors. The event must be stored already.
func (s *Service) announceEvent(tx *store.Tx, e eventRow, change svc.Change, activity ActivityKind, actor svc.MemberID) error {
	if err := s.recordChange(tx, e, change, activity, actor); err != nil {
		return err
	}
	return s.syncMirrors(tx, e)
}

// recordChange adds a change of an event to the activity feed and touches the members who see the
// event.
func (s *Service) recordChange(tx *store.Tx, e eventRow, change svc.Change, activity ActivityKind, actor svc.MemberID) error {
	if err := s.recordActivity(tx, activity, actor, TargetEvent, e.ID, e.Audience); err != nil {
		return err
	}
	return s.touchAudience(tx, change, e.Audience)
}
