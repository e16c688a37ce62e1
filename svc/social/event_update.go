package social

import (
	"reflect"
	"time"

	"appliance/store"
	"appliance/svc"
)

// EventChange is an update of an event.
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

	// The audience of an event is fixed, because guests respond knowing who can see
	// their RSVP. An update that sets these fields is rejected.
	Visibility  svc.Optional[EventVisibility] `json:"visibility"`
	CommunityID svc.Optional[string]          `json:"community_id"`
	CircleDepth svc.Optional[int]             `json:"circle_depth"`
}

// managedEvent reads an event that v can change, and the view of v.
func (s *Service) managedEvent(tx *store.Tx, v svc.Viewer, id string) (view, eventRow, error) {
	w, e, err := s.event(tx, v, id)
	if err == nil && !e.managedBy(w.member) {
		err = svc.Errorf(svc.PermissionDenied, "Only the host, or an owner or moderator of the community, can change this event.")
	}
	return w, e, err
}

// UpdateEvent updates an event that v manages.
func (s *Service) UpdateEvent(tx *store.Tx, v svc.Viewer, id string, in EventChange) (Event, error) {
	w, e, err := s.managedEvent(tx, v, id)
	if err != nil {
		return Event{}, err
	}
	if e.CancelledAt != nil {
		return Event{}, e.checkScheduled(tx.Now())
	}
	old := e
	e.apply(in)
	times := svc.EventTimesChange{Start: in.Start, End: in.End, Timezone: in.Timezone, AllDay: in.AllDay, RRule: in.RRule}
	if err := svc.Join(in.checkAudienceUnchanged(), e.validateText(), s.setTimes(tx, &e, old.times(), times), e.validatePlace()); err != nil {
		return Event{}, err
	}
	if reflect.DeepEqual(e, old) {
		return s.completeEvent(tx, w, e)
	}
	rsvps, err := s.eventRSVPs(tx, e)
	if err != nil {
		return Event{}, err
	}
	// The error contains no number, because the viewer may not see all guests.
	if in.Capacity.Set && e.Capacity != nil && *e.Capacity < rsvps.count(svc.Going) {
		return Event{}, svc.FieldError(svc.InvalidValue, "capacity", "More guests than that are already going. Enter a higher capacity.")
	}
	if err := s.update(tx, w.member, e.Host, s.q.UpdateEvent, e.columns(tx)); err != nil {
		return Event{}, err
	}
	if e.EndsAt != old.EndsAt {
		if _, err := tx.Exec(s.q.SetEventInvitationsExpiry, store.Args{"event": id, "expires": e.invitationExpiry(tx.Now())}); err != nil {
			return Event{}, err
		}
	}
	if !e.onlyDetailsDiffer(old) {
		if err := s.notify(tx, e.notification(EventChangedNotification, w.member), rsvps.attending()...); err != nil {
			return Event{}, err
		}
	}
	if err := s.announceEvent(tx, e, svc.EventUpdated, EventUpdatedActivity, w.member); err != nil {
		return Event{}, err
	}
	shown, err := s.Event(tx, v, id)
	shown.Times.MovedStart = e.movedStart
	return shown, err
}

// checkAudienceUnchanged rejects changes to the audience.
func (in EventChange) checkAudienceUnchanged() error {
	var errs []error
	for _, f := range []struct {
		name string
		set  bool
	}{{"visibility", in.Visibility.Set}, {"community_id", in.CommunityID.Set}, {"circle_depth", in.CircleDepth.Set}} {
		if f.set {
			errs = append(errs, svc.FieldError(svc.InvalidValue, f.name, "The audience cannot be changed after the event is created."))
		}
	}
	return svc.Join(errs...)
}

// apply applies the change to all fields except the times.
func (e *eventRow) apply(in EventChange) {
	setOptional(&e.Title, in.Title)
	setOptional(&e.Description, in.Description)
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

// onlyDetailsDiffer reports whether e and old differ at most in title,
// description and capacity.
func (e eventRow) onlyDetailsDiffer(old eventRow) bool {
	e.Title, e.Description, e.Capacity = old.Title, old.Description, old.Capacity
	return reflect.DeepEqual(e, old)
}

// notification returns a notification about the event.
func (e eventRow) notification(kind NotificationKind, actor svc.MemberID) newNotification {
	return newNotification{kind: kind, actor: actor, targetType: TargetEvent, target: e.ID, audience: e.Audience}
}

// CancelEvent cancels an event that v manages. It is idempotent.
func (s *Service) CancelEvent(tx *store.Tx, v svc.Viewer, id string) (Event, error) {
	w, e, err := s.managedEvent(tx, v, id)
	if err != nil {
		return Event{}, err
	}
	if e.CancelledAt == nil {
		if err := s.cancelEvent(tx, e, w.member); err != nil {
			return Event{}, err
		}
	}
	return s.Event(tx, v, id)
}

func (s *Service) cancelEvent(tx *store.Tx, e eventRow, actor svc.MemberID) error {
	now := store.MillisOf(tx.Now())
	e.CancelledAt = new(now)
	if _, err := tx.Exec(s.q.CancelEvents, store.Args{"events": eventIDs([]eventRow{e}), "now": now}); err != nil {
		return err
	}
	if err := s.announceCancellation(tx, e, actor); err != nil {
		return err
	}
	return s.syncMirrors(tx, e)
}

// announceCancellation notifies the members who attend a cancelled event, and records the activity.
func (s *Service) announceCancellation(tx *store.Tx, e eventRow, actor svc.MemberID) error {
	rsvps, err := s.eventRSVPs(tx, e)
	if err != nil {
		return err
	}
	if err := s.notify(tx, e.notification(EventChangedNotification, actor), rsvps.attending()...); err != nil {
		return err
	}
	return s.recordChange(tx, e, svc.EventUpdated, EventCancelledActivity, actor)
}

// leaveEvents cancels the events of a member who is being deleted and removes
// the member from the events of other hosts.
func (s *Service) leaveEvents(tx *store.Tx, member svc.MemberID) error {
	if err := s.addFollowUp(tx, followUp{Host: member, Cancelled: true}); err != nil {
		return err
	}
	return s.addFollowUp(tx, followUp{Guest: member, RevokedAt: store.MillisOf(tx.Now())})
}

// purgeTime is the time after the creation of an event during which it can be
// purged.
const purgeTime = 24 * time.Hour

// PurgeEvent deletes an event that v hosts with its conversation, activity,
// notifications and mirrors.
func (s *Service) PurgeEvent(tx *store.Tx, v svc.Viewer, id string) error {
	w, e, err := s.event(tx, v, id)
	switch {
	case err != nil:
		return err
	case e.Host != w.member:
		return svc.Errorf(svc.PermissionDenied, "Only the host can delete this event.")
	case tx.Now().After(e.CreatedAt.Time().Add(purgeTime)):
		return svc.FieldError(svc.InvalidValue, "purge", "An event can be deleted only within a day after its creation. Cancel it instead.")
	}
	var targets []string
	if err := tx.Select(&targets, s.q.EventInvitationIDs, store.Args{"event": e.ID}); err != nil {
		return err
	}
	if err := s.touchAudience(tx, svc.EventUpdated, e.Audience); err != nil {
		return err
	}
	revisions, err := s.bumpRevisions(tx, e)
	if err != nil {
		return err
	}
	if err := s.sendSyncs(tx, svc.EventSync{EventID: e.ID, Revision: revisions[e.ID], Deleted: true}); err != nil {
		return err
	}
	list := store.JSONArray(append(targets, e.ID, e.Conversation))
	for _, step := range []struct {
		q    store.Query
		args store.Args
	}{
		{s.q.DeleteActivity, store.Args{"targets": list}}, {s.q.DeleteNotifications, store.Args{"targets": list}},
		{s.q.DeleteEvent, store.Args{"id": e.ID}}, {s.q.DeleteConversation, store.Args{"id": e.Conversation}},
		{s.q.DeleteGuestList, store.Args{"audience": e.Audience}},
	} {
		if _, err := tx.Exec(step.q, step.args); err != nil {
			return err
		}
	}
	return nil
}
