package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// mirrorSync is one synchronization of the mirrors of an event.
type mirrorSync struct {
	svc.EventSync
	object *ics.Object // the event without host and attendees; nil if it is deleted
	now    time.Time
}

func newMirrorSync(sync svc.EventSync, now time.Time) (*mirrorSync, error) {
	m := &mirrorSync{EventSync: sync, now: now}
	if sync.Deleted {
		return m, nil
	}
	var err error
	m.object, err = eventObject(m.uid(), sync.Event, now)
	return m, err
}

func (m *mirrorSync) uid() string { return m.EventID + "@appliance" }

// attendees returns the members who have a mirror, by their ids.
func (m *mirrorSync) attendees() map[svc.MemberID]svc.Attendee {
	list := make(map[svc.MemberID]svc.Attendee, len(m.Audience))
	for _, a := range m.Audience {
		if !m.Deleted && (a.Role == "host" || a.RSVP == "going" || a.RSVP == "maybe") {
			list[a.MemberID] = a
		}
	}
	return list
}

// visibleHost returns the host of the event, or a former member if the host is
// hidden from a.
func (m *mirrorSync) visibleHost(a svc.Attendee) svc.EventHost {
	if a.HostHidden {
		return svc.EventHost{ID: m.Event.Host.ID, DisplayName: svc.FormerMember}
	}
	return m.Event.Host
}

// digest returns a hash of the event and of the attendee a, which determine the
// lines of the event in the mirror of a.
func (m *mirrorSync) digest(a svc.Attendee) string {
	event := m.Event
	event.Host = m.visibleHost(a)
	sum := sha256.Sum256([]byte(store.JSON([]any{event, a})))
	return hex.EncodeToString(sum[:16])
}

// row is a mirror, or an object that a mirror replaces.
type row struct {
	object.Ref
	Calendar string       `db:"calendar_id"`
	Segment  string       `db:"segment"`
	Digest   *string      `db:"source_digest"`
	Owner    svc.MemberID `db:"owner_id"`
}

func calendarIDs(rows []row) []string {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = r.Calendar
	}
	return list
}

func keys(rows []row) []int64 {
	list := make([]int64, len(rows))
	for i, r := range rows {
		list[i] = r.N
	}
	return list
}

// SyncEvent updates the mirrors of an event to its state. It ignores a sync
// whose revision is not newer than the last one.
func (s *Service) SyncEvent(tx *store.Tx, sync svc.EventSync) (svc.SyncResult, error) {
	var lastRevision int64
	if err := tx.Get(&lastRevision, s.q.SyncedRevision, store.Args{"event": sync.EventID}); err != nil && !store.IsNoRows(err) {
		return svc.SyncResult{}, err
	}
	if sync.Revision <= lastRevision {
		return svc.SyncResult{Reason: "stale_revision", Revision: lastRevision}, nil
	}
	m, err := newMirrorSync(sync, tx.Now())
	if err != nil {
		return svc.SyncResult{}, err
	}
	if _, err := tx.Exec(s.q.PutSyncedRevision, store.Args{"event": sync.EventID, "revision": sync.Revision}); err != nil {
		return svc.SyncResult{}, err
	}
	changes, err := s.syncMirrors(tx, m)
	return svc.SyncResult{Applied: true, Revision: sync.Revision, Mirrors: changes}, err
}

// syncMirrors adds, updates and removes the mirrors of an event.
func (s *Service) syncMirrors(tx *store.Tx, m *mirrorSync) (changes svc.MirrorChanges, err error) {
	var rows, removed, changed []row
	if err := tx.Select(&rows, s.q.Mirrors, store.Args{"event": m.EventID}); err != nil {
		return changes, err
	}
	attendees, missing := m.attendees(), m.attendees()
	for _, r := range rows {
		a, ok := missing[r.Owner]
		delete(missing, r.Owner)
		switch {
		case !ok:
			removed = append(removed, r)
		case r.Digest == nil || *r.Digest != m.digest(a):
			changed = append(changed, r)
		}
	}
	added, err := s.addMirrors(tx, m, slices.Sorted(maps.Keys(missing)))
	if err == nil {
		err = s.writeMirrors(tx, m, attendees, added, changed)
	}
	if err == nil {
		err = s.remove(tx, removed)
	}
	return svc.MirrorChanges{Created: len(added), Updated: len(changed), Removed: len(removed)}, err
}

// addMirrors adds mirrors without text to the default calendars of members. An
// object of the member with the same UID moves to the trash.
func (s *Service) addMirrors(tx *store.Tx, m *mirrorSync, members []svc.MemberID) (added []row, err error) {
	if len(members) == 0 {
		return nil, nil
	}
	var homes, inPlace []row
	if err := tx.Select(&homes, s.q.DefaultCalendars, store.Args{"members": store.JSONArray(members)}); err != nil || len(homes) == 0 {
		return nil, err
	}
	owners, pairs := make(map[string]svc.MemberID, len(homes)), make([][2]string, len(homes))
	for i, h := range homes {
		owners[h.Calendar], pairs[i] = h.Owner, [2]string{svc.NewID("tob"), h.Calendar}
	}
	args := store.Args{"calendars": store.JSONArray(calendarIDs(homes)), "uid": m.uid()}
	if err := tx.Select(&inPlace, s.q.ObjectsWithUID, args); err != nil {
		return nil, err
	}
	if err := s.remove(tx, inPlace); err != nil {
		return nil, err
	}
	err = tx.Select(&added, s.q.AddMirrors, store.Args{
		"rows": store.JSONArray(pairs), "uid": m.uid(), "event": m.EventID, "now": store.MillisOf(tx.Now()),
	})
	for i, r := range added {
		added[i].Owner = owners[r.Calendar]
	}
	return added, err
}
