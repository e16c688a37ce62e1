package social

import (
	"reflect"
	"time"

	"appliance/store"
	"appliance/svc"
)

// NewEvent is what a host says of an event.
type NewEvent struct {
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Start       string             `json:"start"` // as for an appointment
	End         string             `json:"end"`   // "" for an hour later, or the day
	Timezone    string             `json:"timezone"`
	AllDay      svc.Optional[bool] `json:"all_day"` // absent: if Start is a day
	RRule       *string            `json:"rrule"`
	Location    Location           `json:"location"`
	Capacity    *int               `json:"capacity"`
	Visibility  string             `json:"visibility"` // "" for invited
	CommunityID *string            `json:"community_id"`
	CircleDepth *int               `json:"circle_depth"`
	Audience    AudienceSpec       `json:"among"` // what a form says instead of these three; "invited" too
}

// EventChange is a change to an event.
type EventChange struct {
	Title       svc.Optional[string]   `json:"title"`
	Description svc.Optional[string]   `json:"description"`
	Start       svc.Optional[string]   `json:"start"`
	End         svc.Optional[string]   `json:"end"`
	Timezone    svc.Optional[string]   `json:"timezone"`
	AllDay      svc.Optional[bool]     `json:"all_day"`
	RRule       svc.Optional[string]   `json:"rrule"`
	Location    svc.Optional[Location] `json:"location"`
	Capacity    svc.Optional[int]      `json:"capacity"`

	// Fixed once it is made: who answered did so knowing who would see it.
	Visibility  svc.Optional[string] `json:"visibility"`
	CommunityID svc.Optional[string] `json:"community_id"`
	CircleDepth svc.Optional[int]    `json:"circle_depth"`
}

// CreateEvent makes an event of v's, who comes to it.
func (s *Service) CreateEvent(tx *store.Tx, v svc.Viewer, in NewEvent) (Event, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Event{}, err
	}
	if err := in.spell(); err != nil {
		return Event{}, err
	}
	e := eventRow{
		ID: svc.NewID("evt"), Conversation: svc.NewID("cnv"), Title: in.Title, Description: in.Description,
		Location: in.Location.Label, Latitude: in.Location.Latitude, Longitude: in.Location.Longitude, Capacity: in.Capacity,
		Visibility: in.Visibility, CommunityID: in.CommunityID, Depth: in.CircleDepth, Host: w.member,
	}
	if e.Visibility == "" {
		e.Visibility = "invited"
	}
	if err := svc.Join(s.setTimes(tx, &e, svc.EventTimes{}, in.times()), s.checkVisibility(tx, w, e)); err != nil {
		return Event{}, err
	}
	if e.Audience, err = s.eventAudience(tx, e); err != nil {
		return Event{}, err
	}
	if err := s.addEvent(tx, e); err != nil {
		return Event{}, err
	}
	if err := s.changedEvent(tx, e, "event.created", w.member); err != nil {
		return Event{}, err
	}
	return s.Event(tx, v, e.ID)
}

// spell has among whom it is said as it is said elsewhere.
func (in *NewEvent) spell() error {
	if in.Audience == "" || in.Audience == "invited" {
		return nil
	}
	c, err := in.Audience.read()
	in.Visibility, in.CommunityID, in.CircleDepth = c.Kind, c.ID, c.Depth
	if c.Kind == "open" {
		in.Visibility = "public"
	}
	return err
}

// times returns what the host writes about the times of the event.
func (in NewEvent) times() svc.EventTimesChange {
	c := svc.EventTimesChange{Start: svc.Some(in.Start), End: svc.Some(in.End), Timezone: svc.Some(in.Timezone), AllDay: in.AllDay}
	if in.RRule != nil {
		c.RRule = svc.Some(*in.RRule)
	}
	return c
}

// setTimes checks the texts, place and capacity of an event and applies a
// change to its old times.
func (s *Service) setTimes(tx *store.Tx, e *eventRow, old svc.EventTimes, c svc.EventTimesChange) error {
	t, first, last, err := s.calendars.ResolveTimes(tx, e.Host, old, c)
	err = svc.Join(
		svc.CheckLine("title", e.Title, svc.MaxTitle),
		svc.CheckText("description", e.Description, svc.MaxBody),
		err,
		svc.PrefixFields("location", svc.Join(svc.CheckText("label", e.Location, svc.MaxTitle), svc.CheckPoint(e.Latitude, e.Longitude))))
	if e.Capacity != nil && *e.Capacity < 1 {
		err = svc.Join(err, svc.FieldError(svc.InvalidValue, "capacity", "capacity must be 1 or more, or null for any number."))
	}
	if err != nil {
		return err
	}
	e.Start, e.End, e.Timezone, e.AllDay = store.MillisOf(t.Start), store.MillisOf(t.End), t.Timezone, t.AllDay
	e.RRule = nil
	if t.RRule != "" {
		e.RRule = &t.RRule
	}
	e.StartsAt, e.EndsAt = store.MillisOf(first), forever
	if !last.IsZero() {
		e.EndsAt = store.MillisOf(last)
	}
	return nil
}

// checkVisibility checks for whom a member wants to make an event.
func (s *Service) checkVisibility(tx *store.Tx, w view, e eventRow) error {
	var errs []error
	switch e.Visibility {
	case "public", "invited":
	case "community":
		errs = append(errs, s.checkCommunity(tx, w, e.CommunityID))
	case "circle":
		if e.Depth == nil {
			errs = append(errs, svc.Required("circle_depth"))
		} else if *e.Depth < 1 || *e.Depth > MaxDepth {
			errs = append(errs, svc.FieldError(svc.InvalidValue, "circle_depth", "circle_depth must be 1, 2 or 3."))
		}
	default:
		return svc.FieldError(svc.InvalidValue, "visibility", "visibility must be public, community, circle or invited.")
	}
	if e.CommunityID != nil && e.Visibility != "community" {
		errs = append(errs, svc.FieldError(svc.InvalidValue, "community_id", "Only an event with the visibility community has a community_id."))
	}
	if e.Depth != nil && e.Visibility != "circle" {
		errs = append(errs, svc.FieldError(svc.InvalidValue, "circle_depth", "Only an event with the visibility circle has a circle_depth."))
	}
	return svc.Join(errs...)
}

// checkCommunity checks whether a member may make an event of a community.
func (s *Service) checkCommunity(tx *store.Tx, w view, community *string) error {
	if community == nil || *community == "" {
		return svc.Required("community_id")
	}
	var role string
	err := tx.Get(&role, s.q.Standing, store.Args{"community": *community, "member": w.member})
	switch {
	case store.IsNoRows(err):
		return svc.FieldError(svc.NotFound, "community_id", "There is no such community.")
	case err == nil && role == "":
		return svc.FieldError(svc.PermissionDenied, "community_id", "Join the community first.")
	}
	return err
}

// eventAudience is who sees a new event.
func (s *Service) eventAudience(tx *store.Tx, e eventRow) (audience, error) {
	switch e.Visibility {
	case "public":
		return everybody, nil
	case "community":
		return s.ofCommunity(tx, *e.CommunityID)
	case "circle":
		return s.ofCircle(tx, e.Host, *e.Depth)
	}
	return s.ofGuests(tx, e.Host)
}

// addEvent stores a new event with its conversation and its host's answer.
func (s *Service) addEvent(tx *store.Tx, e eventRow) error {
	if err := s.begin(tx, conversationRow{
		ID: e.Conversation, Context: "event", CommunityID: e.CommunityID, Depth: e.Depth, Audience: e.Audience, Author: e.Host,
	}); err != nil {
		return err
	}
	args := e.args(tx)
	delete(args, "cancelled_at")
	args["conversation"], args["visibility"], args["community"], args["depth"] = e.Conversation, e.Visibility, e.CommunityID, e.Depth
	args["audience"], args["host"] = e.Audience, e.Host
	if _, err := tx.Exec(s.q.AddEvent, args); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.PutRSVP, store.Args{
		"event": e.ID, "member": e.Host, "response": "going", "note": "", "now": store.MillisOf(tx.Now()),
	})
	return err
}

// args are the columns that a change sets.
func (e eventRow) args(tx *store.Tx) store.Args {
	return store.Args{
		"id": e.ID, "title": e.Title, "description": e.Description, "start_local": e.Start, "end_local": e.End, "timezone": e.Timezone,
		"all_day": e.AllDay, "rrule": e.RRule, "starts_at": e.StartsAt, "ends_at": e.EndsAt, "location": e.Location,
		"latitude": e.Latitude, "longitude": e.Longitude, "capacity": e.Capacity, "cancelled_at": e.CancelledAt,
		"now": store.MillisOf(tx.Now()),
	}
}

// changedEvent tells everybody whom it concerns that somebody has made, changed
// or cancelled an event, as it is stored now.
func (s *Service) changedEvent(tx *store.Tx, e eventRow, activity string, by svc.MemberID) error {
	if err := s.record(tx, activity, by, "event", e.ID, e.Audience); err != nil {
		return err
	}
	if err := s.touch(tx, svc.EventsTopic, e.ID, e.Audience); err != nil {
		return err
	}
	return s.syncMirrors(tx, e, false)
}

// changeable reads an event that v may change.
func (s *Service) changeable(tx *store.Tx, v svc.Viewer, id string) (view, eventRow, error) {
	w, e, err := s.event(tx, v, id)
	if err == nil && !e.runBy(w.member) {
		err = svc.Errorf(svc.PermissionDenied, "Only the host changes this event, and whoever looks after its community.")
	}
	return w, e, err
}

// ChangeEvent changes an event that v runs.
func (s *Service) UpdateEvent(tx *store.Tx, v svc.Viewer, id string, in EventChange) (Event, error) {
	w, e, err := s.changeable(tx, v, id)
	if err != nil {
		return Event{}, err
	}
	if e.CancelledAt != nil {
		return Event{}, e.open(tx.Now())
	}
	was := e
	e.apply(in)
	times := svc.EventTimesChange{Start: in.Start, End: in.End, Timezone: in.Timezone, AllDay: in.AllDay, RRule: in.RRule}
	if err := svc.Join(in.fixed(), s.setTimes(tx, &e, was.times(), times)); err != nil {
		return Event{}, err
	}
	if reflect.DeepEqual(e, was) {
		return s.shownEvent(tx, w, e)
	}
	answers, err := s.attending(tx, e.ID)
	if err != nil {
		return Event{}, err
	}
	if in.Capacity.Set && e.Capacity != nil && *e.Capacity < answers.count("going") { // how many is not for everybody who runs it
		return Event{}, svc.FieldError(svc.InvalidValue, "capacity", "More are going already.")
	}
	if _, err := tx.Exec(s.q.SaveEvent, e.args(tx)); err != nil {
		return Event{}, err
	}
	if e.EndsAt != was.EndsAt {
		if _, err := tx.Exec(s.q.ExtendInvitations, store.Args{"event": id, "expires": e.askedUntil(tx.Now())}); err != nil {
			return Event{}, err
		}
	}
	if !e.sameFor(was) {
		if err := s.notify(tx, e.note("event_changed", w.member), answers.coming()...); err != nil {
			return Event{}, err
		}
	}
	if err := s.changedEvent(tx, e, "event.updated", w.member); err != nil {
		return Event{}, err
	}
	return s.Event(tx, v, id)
}

// fixed refuses what cannot be changed.
func (in EventChange) fixed() error {
	var errs []error
	for _, f := range []struct {
		name string
		set  bool
	}{{"visibility", in.Visibility.Set}, {"community_id", in.CommunityID.Set}, {"circle_depth", in.CircleDepth.Set}} {
		if f.set {
			errs = append(errs, svc.FieldError(svc.InvalidValue, f.name, "%s is fixed once the event is made.", f.name))
		}
	}
	return svc.Join(errs...)
}

// apply changes all fields but the times.
func (e *eventRow) apply(in EventChange) {
	set(&e.Title, in.Title)
	set(&e.Description, in.Description)
	if in.Location.Set {
		e.Location, e.Latitude, e.Longitude = in.Location.Value.Label, in.Location.Value.Latitude, in.Location.Value.Longitude
	}
	if in.Capacity.Set {
		e.Capacity = nil
		if !in.Capacity.Null {
			e.Capacity = &in.Capacity.Value
		}
	}
}

func set[T any](field *T, change svc.Optional[T]) {
	if change.Set {
		*field = change.Value
	}
}

// sameFor reports whether an event is where and when it was, for those who
// come.
func (e eventRow) sameFor(was eventRow) bool {
	e.Title, e.Description, e.Capacity = was.Title, was.Description, was.Capacity
	return reflect.DeepEqual(e, was)
}

// note is a notification about the event. That of a community is the
// community's.
func (e eventRow) note(kind string, actor svc.MemberID) note {
	return note{kind: kind, actor: actor, targetType: "event", target: e.ID, audience: e.Audience}
}

// CancelEvent cancels an event that v runs. Doing so again changes nothing.
func (s *Service) CancelEvent(tx *store.Tx, v svc.Viewer, id string) (Event, error) {
	w, e, err := s.changeable(tx, v, id)
	if err != nil {
		return Event{}, err
	}
	if e.CancelledAt == nil {
		if err := s.cancel(tx, e, w.member); err != nil {
			return Event{}, err
		}
	}
	return s.Event(tx, v, id)
}

func (s *Service) cancel(tx *store.Tx, e eventRow, by svc.MemberID) error {
	now := store.MillisOf(tx.Now())
	e.CancelledAt = &now
	if _, err := tx.Exec(s.q.SaveEvent, e.args(tx)); err != nil {
		return err
	}
	answers, err := s.attending(tx, e.ID)
	if err != nil {
		return err
	}
	if err := s.notify(tx, e.note("event_changed", by), answers.coming()...); err != nil {
		return err
	}
	return s.changedEvent(tx, e, "event.cancelled", by)
}

// purgeTime is how long an event can be undone.
const purgeTime = 24 * time.Hour

// PurgeEvent removes an event of v's, and all that was said and told of it, as
// if it had never been.
func (s *Service) PurgeEvent(tx *store.Tx, v svc.Viewer, id string) error {
	w, e, err := s.event(tx, v, id)
	switch {
	case err != nil:
		return err
	case e.Host != w.member:
		return svc.Errorf(svc.PermissionDenied, "Only the host removes this event.")
	case tx.Now().After(e.CreatedAt.Time().Add(purgeTime)):
		return svc.FieldError(svc.InvalidValue, "purge", "An event can be removed for a day after it was made. Cancel it instead.")
	}
	targets := []string{e.ID, e.Conversation}
	var invitations []string
	if err := tx.Select(&invitations, s.q.InvitationsToEvent, store.Args{"event": e.ID}); err != nil {
		return err
	}
	if err := s.touch(tx, svc.EventsTopic, e.ID, e.Audience); err != nil {
		return err
	}
	if err := s.syncMirrors(tx, e, true); err != nil {
		return err
	}
	all := jsonList(append(targets, invitations...))
	for _, step := range []struct {
		q    store.Query
		args store.Args
	}{
		{s.q.PurgeActivity, store.Args{"targets": all}}, {s.q.PurgeNotifications, store.Args{"targets": all}},
		{s.q.PurgeEvent, store.Args{"id": e.ID}}, {s.q.PurgeConversation, store.Args{"id": e.Conversation}},
		{s.q.PurgeGuests, store.Args{"audience": e.Audience}},
	} {
		if _, err := tx.Exec(step.q, step.args); err != nil {
			return err
		}
	}
	return nil
}
