package social

import (
	"appliance/store"
	"appliance/svc"
)

// hostChange is a change of the name that guests see for a host. The mirrors of the event
// that ends last follow at once, those of the others in [Service.FollowHosts], because a
// member may have hosted any number of events.
type hostChange struct {
	Host  svc.MemberID `db:"host_id"`
	Guest svc.MemberID `db:"guest_id"` // for whom the name has changed; 0 for all
	Ends  store.Millis `db:"ends_at"`  // with Event, the event visited last
	Event string       `db:"event_id"`
}

func (c hostChange) args() store.Args {
	return store.Args{"host": c.Host, "guest": c.Guest, "ends": c.Ends, "event": c.Event}
}

type hostChangeQueries struct {
	AddHostChange      store.Query `sql:"add-host-change"`
	NextHostChange     store.Query `sql:"next-host-change"`
	EventsOfHostChange store.Query `sql:"events-of-host-change"`
	AdvanceHostChange  store.Query `sql:"advance-host-change"`
	DeleteHostChange   store.Query `sql:"delete-host-change"`
}

// NameChanged makes the mirrors of the events that a member hosts follow, after the name
// that other members see has changed.
func (s *Service) NameChanged(tx *store.Tx, member svc.MemberID) error {
	return s.hostChanged(tx, member, 0)
}

// hostsChanged makes the mirrors that two members have of each other's events follow, after
// a block between them has changed.
func (s *Service) hostsChanged(tx *store.Tx, one, other svc.MemberID) error {
	if err := s.hostChanged(tx, one, other); err != nil {
		return err
	}
	return s.hostChanged(tx, other, one)
}

// hostChanged records that the name of a host has changed for a guest, or for all if guest
// is 0.
func (s *Service) hostChanged(tx *store.Tx, host, guest svc.MemberID) error {
	n, err := tx.Exec(s.q.AddHostChange, store.Args{"host": host, "guest": guest, "now": store.MillisOf(tx.Now())})
	if err != nil || n == 0 {
		return err
	}
	if s.onHostChange != nil {
		tx.AfterCommit(s.onHostChange)
	}
	return s.follow(tx, hostChange{host, guest, afterAllEvents, ""}, 1)
}

// afterAllEvents is later than the end of every event.
const afterAllEvents store.Millis = 9e18

// OnHostChange makes f run after each write that requires [Service.FollowHosts].
func (s *Service) OnHostChange(f func()) { s.onHostChange = f }

// maxFollowed limits the events whose mirrors one write updates.
const maxFollowed = 2

// FollowHosts updates the mirrors of the next events whose host has another name, the
// latest events first. It reports whether there may be more.
func (s *Service) FollowHosts(tx *store.Tx) (more bool, err error) {
	var c hostChange
	if err := tx.Get(&c, s.q.NextHostChange, nil); err != nil {
		if store.IsNoRows(err) {
			err = nil
		}
		return false, err
	}
	return true, s.follow(tx, c, maxFollowed)
}

// follow updates the mirrors of the next events of c, at most limit, and deletes c after the
// last one.
func (s *Service) follow(tx *store.Tx, c hostChange, limit int) error {
	var ids []string
	args := c.args()
	args["limit"] = limit
	if err := tx.Select(&ids, s.q.EventsOfHostChange, args); err != nil {
		return err
	}
	events, err := s.eventsByID(tx, ids)
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := s.syncMirrors(tx, e, false); err != nil {
			return err
		}
	}
	if len(events) < limit {
		_, err = tx.Exec(s.q.DeleteHostChange, store.Args{"host": c.Host, "guest": c.Guest})
		return err
	}
	last := events[len(events)-1]
	c.Ends, c.Event = last.EndsAt, last.ID
	_, err = tx.Exec(s.q.AdvanceHostChange, c.args())
	return err
}
