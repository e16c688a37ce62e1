package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// followUp is a pending change to any number of events: the name of a host changes for guests,
// RSVPs are revoked, or events are cancelled. Its row makes the change visible at once, because the
// queries of events and RSVPs read it. [Service.FollowUp] then applies the change to the rows of
// the events and to their mirrors, in batches of a few events. An event is synchronized when
// its row and its mirrors have the change.
//
// A followUp without Host, Community, Guest and Event revokes the RSVPs of guests who have left the
// circle of the host, to circle events that are not over.
type followUp struct {
	Host      svc.MemberID `db:"host_id"`       // the events of this host; 0 for any
	Community string       `db:"community_id"`  // the events of this community that are not over; "" for any
	Guest     svc.MemberID `db:"guest_id"`      // the events that this member attends; 0 for all
	Event     string       `db:"only_event_id"` // this event, which may be deleted: its mirrors are incomplete; "" for any
	RevokedAt store.Millis `db:"revoked_at"`    // time at which the earlier RSVPs of the guest were revoked; 0 for none
	Cancelled bool         `db:"cancelled"`     // the events that are not over are cancelled

	visitPosition // the last event that was visited
}

// visitPosition is a position in the order in which FollowUp visits events: descending by end.
type visitPosition struct {
	EndsAt store.Millis `db:"ends_at"`
	ID     string       `db:"event_id"`
}

// visitStart is the position before all events.
const visitStart store.Millis = 9e18

type followUpQueries struct {
	AddFollowUp      store.Query `sql:"add-follow-up"`
	NextFollowUp     store.Query `sql:"next-follow-up"`
	AdvanceFollowUp  store.Query `sql:"advance-follow-up"`
	DeleteFollowUp   store.Query `sql:"delete-follow-up"`
	PostponeFollowUp store.Query `sql:"postpone-follow-up"`
	RetryFollowUps   store.Query `sql:"retry-follow-ups"`
	CountFollowUps   store.Query `sql:"count-follow-ups"`

	HasRevokingFollowUp store.Query `sql:"has-revoking-follow-up"`

	FollowEventsOfHost      store.Query `sql:"follow-events-of-host"`
	FollowEventsOfCommunity store.Query `sql:"follow-events-of-community"`
	FollowEventsOfGuest     store.Query `sql:"follow-events-of-guest"`
	FollowCircleEvents      store.Query `sql:"follow-circle-events"`
	DeleteRevokedRSVPs      store.Query `sql:"delete-revoked-rsvps"`
	CancelEvents            store.Query `sql:"cancel-events"`
}

// Limits of one write. The statements for the audiences of events also limit the number of events.
const (
	maxFollowedEvents  = 7  // events per call of FollowUp, so that other writes wait for about five milliseconds
	maxImmediateEvents = 5  // events that the write of the change itself updates
	maxStatements      = 25 // no event is visited in a write after so many statements
	maxAudienceCost    = 20 // statements per write for the audiences and hosts of the events

	maxExaminedEvents = 200 // events per write that are searched for those of a guest
)

// NameChanged updates the mirrors of the events that a member hosts, after the name that other
// members see has changed. The mirrors of many events are updated by [Service.FollowUp].
func (s *Service) NameChanged(tx *store.Tx, member svc.MemberID) error {
	return s.addFollowUp(tx, followUp{Host: member})
}

// addFollowUp records f. If f concerns few events, it is applied in the same write.
func (s *Service) addFollowUp(tx *store.Tx, f followUp) error {
	if f.RevokedAt > 0 || f.Cancelled || f.isCircles() {
		tx.Touch(svc.RSVPsRevoked, store.Everyone)
	}
	args := f.key()
	args["revoked_at"], args["cancelled"], args["now"], args["seq"], args["start"] = f.RevokedAt, f.Cancelled, store.MillisOf(tx.Now()), tx.Seq(), visitStart
	if err := tx.Get(&f, s.q.AddFollowUp, args); err != nil {
		return err
	}
	if tx.Statements() < maxStatements && f.Event == "" {
		page, err := s.followedEvents(tx, f, maxImmediateEvents)
		if err != nil {
			return err
		}
		if page.isComplete {
			if done, err := s.visit(tx, f, page); done || err != nil {
				return err
			}
		}
	}
	if s.onFollowUp != nil {
		tx.AfterCommit(s.onFollowUp)
	}
	return nil
}

// OnFollowUp makes f run after each write that requires [Service.FollowUp].
func (s *Service) OnFollowUp(f func()) { s.onFollowUp = f }

// FollowUp applies the next pending change to a batch of events, or marks a batch of notifications
// as read. It reports whether more work may be pending.
func (s *Service) FollowUp(tx *store.Tx) (more bool, err error) {
	if found, err := s.followReadMark(tx); found || err != nil {
		return found, err
	}
	var f followUp
	if err := tx.Get(&f, s.q.NextFollowUp, nil); err != nil {
		if store.IsNoRows(err) {
			err = nil
		}
		return false, err
	}
	page, err := s.followedEvents(tx, f, maxFollowedEvents)
	if err == nil {
		_, err = s.visit(tx, f, page)
	}
	return true, err
}

// PostponeFollowUp makes [Service.FollowUp] skip the change that comes next, after an error, until
// RetryFollowUps.
func (s *Service) PostponeFollowUp(tx *store.Tx) error {
	_, err := tx.Exec(s.q.PostponeFollowUp, nil)
	return err
}

// RetryFollowUps makes [Service.FollowUp] try postponed changes again.
func (s *Service) RetryFollowUps(tx *store.Tx) error {
	_, err := tx.Exec(s.q.RetryFollowUps, nil)
	return err
}

// PendingFollowUps describes the queue of changes that are not yet applied to all their events.
type PendingFollowUps struct {
	Changes int          `db:"changes"`
	Failed  int          `db:"failed"` // the changes among them that are tried again after an error
	Since   store.Millis `db:"since"`  // time of the earliest one; 0 for none
}

// followTime is the time after which a pending change counts as delayed.
const followTime = time.Minute

// IsDelayed reports whether a change has failed, or is older than followTime.
func (p PendingFollowUps) IsDelayed(now time.Time) bool {
	return p.Failed > 0 || p.Changes > 0 && now.Sub(p.Since.Time()) > followTime
}

// PendingFollowUps returns the state of the queue.
func (s *Service) PendingFollowUps(tx *store.Tx) (p PendingFollowUps, err error) {
	err = tx.Get(&p, s.q.CountFollowUps, nil)
	return p, err
}

// followedPage is a batch of events that have to follow a change.
type followedPage struct {
	ids        []string
	last       visitPosition // the last event that was examined
	isComplete bool          // all events were examined
}

// followedEvents returns up to limit of the next events that have to follow f. It examines at most
// maxExaminedEvents events.
func (s *Service) followedEvents(tx *store.Tx, f followUp, limit int) (page followedPage, err error) {
	examined := limit + 1
	if f.Guest != 0 {
		examined = maxExaminedEvents
	}
	args := store.Args{"ends": f.EndsAt, "event": f.ID, "limit": examined}
	since := f.RevokedAt // events that ended earlier do not follow
	if since == 0 {
		since = store.MillisOf(tx.Now())
	}
	q := s.q.FollowCircleEvents
	switch {
	case f.Event != "":
		return followedPage{ids: []string{f.Event}}, nil
	case f.Host != 0:
		q, args["host"], args["guest"] = s.q.FollowEventsOfHost, f.Host, f.Guest
	case f.Community != "":
		q, args["community"], args["guest"], args["since"] = s.q.FollowEventsOfCommunity, f.Community, f.Guest, since
	case f.Guest != 0:
		q, args["guest"], args["since"] = s.q.FollowEventsOfGuest, f.Guest, since
		delete(args, "ends")
	default:
		args["since"] = since
	}
	var events []struct {
		visitPosition
		Follows bool `db:"follows"`
	}
	if err := tx.Select(&events, q, args); err != nil {
		return page, err
	}
	for _, e := range events {
		if e.Follows && len(page.ids) == limit {
			return page, nil
		}
		if page.last = e.visitPosition; e.Follows {
			page.ids = append(page.ids, e.ID)
		}
	}
	page.isComplete = len(events) < examined
	return page, nil
}

// visit applies f to the events of a page, to as many as one write may change. It stores the new
// position of f, or deletes f after the last event; done reports the latter.
func (s *Service) visit(tx *store.Tx, f followUp, page followedPage) (done bool, err error) {
	if f.Event != "" {
		return true, s.visitEvent(tx, f)
	}
	all, err := s.eventsByID(tx, page.ids)
	if err != nil {
		return false, err
	}
	events := eventsForOneWrite(all)
	if f.Cancelled {
		if events, err = s.cancelFollowed(tx, f, events); err != nil {
			return false, err
		}
	}
	if f.isCircles() {
		err = s.syncLosses(tx, events)
	} else {
		err = s.syncMirrors(tx, events...)
	}
	if err != nil {
		return false, err
	}
	last := page.last
	if len(events) < len(all) {
		last = visitPosition{events[len(events)-1].EndsAt, events[len(events)-1].ID}
	} else if page.isComplete {
		_, err = tx.Exec(s.q.DeleteFollowUp, f.key())
		return true, err
	}
	args := f.key()
	args["ends"], args["event"] = last.EndsAt, last.ID
	_, err = tx.Exec(s.q.AdvanceFollowUp, args)
	return false, err
}

// visitEvent continues the sync of the mirrors of one event.
func (s *Service) visitEvent(tx *store.Tx, f followUp) error {
	if _, err := tx.Exec(s.q.DeleteFollowUp, f.key()); err != nil {
		return err
	}
	events, err := s.eventsByID(tx, []string{f.Event})
	if err != nil {
		return err
	}
	if len(events) == 0 { // deleted
		return s.sendSyncs(tx, svc.EventSync{EventID: f.Event, Revision: math.MaxInt64, Deleted: true})
	}
	rsvps, _, err := s.rsvpsByEvent(tx, events)
	if err != nil {
		return err
	}
	return s.sendMirrors(tx, events, rsvps)
}

// eventsForOneWrite returns the longest prefix of events that one write may visit.
func eventsForOneWrite(events []eventRow) []eventRow {
	type audience struct {
		id   audienceID
		host svc.MemberID
	}
	hosts, audiences := make(map[svc.MemberID]bool), make(map[audience]bool)
	cost := 0
	for i, e := range events {
		a := audience{e.Audience, e.Host}
		if !hosts[e.Host] {
			cost++
			if e.Visibility == EventCircle {
				cost += 10 // computes the circles of the host
			}
		}
		if !audiences[a] {
			cost += 2
		}
		if i > 0 && cost > maxAudienceCost {
			return events[:i]
		}
		hosts[e.Host], audiences[a] = true, true
	}
	return events
}

// cancelFollowed cancels events and returns those that it has examined, a prefix of events if the
// limit of statements is reached. Events that are over or cancelled stay unchanged. The events of a
// deleted community, which are not visible to any member, are cancelled without notifications.
func (s *Service) cancelFollowed(tx *store.Tx, f followUp, events []eventRow) ([]eventRow, error) {
	now := store.MillisOf(tx.Now())
	var cancelled []eventRow
	for i := range events {
		e := &events[i]
		if e.CancelledAt != nil || e.EndsAt <= now {
			continue
		}
		if len(cancelled) > 0 && tx.Statements() > maxStatements {
			events = events[:i]
			break
		}
		e.CancelledAt = new(now)
		cancelled = append(cancelled, *e)
		if f.Community == "" {
			if err := s.announceCancellation(tx, *e, e.Host); err != nil {
				return nil, err
			}
		}
	}
	_, err := tx.Exec(s.q.CancelEvents, store.Args{"events": eventIDs(cancelled), "now": now})
	return events, err
}

func (f followUp) isCircles() bool {
	return f.Host == 0 && f.Community == "" && f.Guest == 0 && f.Event == ""
}

func (f followUp) key() store.Args {
	return store.Args{"host": f.Host, "community": f.Community, "guest": f.Guest, "only": f.Event}
}

// eventIDs returns the ids of events for json_each.
func eventIDs(events []eventRow) string {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	return store.JSONArray(ids)
}
