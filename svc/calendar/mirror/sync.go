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

// maxMirrors limits the mirrors that one write adds, updates and removes (B-130).
const maxMirrors = 50

// mirrorSync is one synchronization of the mirrors of an event.
type mirrorSync struct {
	svc.EventSync
	object    *ics.Object // the event without host and attendees; nil if it is deleted
	now       time.Time
	attendees map[svc.MemberID]svc.Attendee // the members who have a mirror
	result    *svc.SyncResult
	skipIndex *bool // nil before index

	missing          []svc.MemberID // attendees without a mirror
	changed, removed []row          // mirrors
}

func newMirrorSync(sync svc.EventSync, now time.Time) (*mirrorSync, error) {
	m := &mirrorSync{EventSync: sync, now: now, attendees: make(map[svc.MemberID]svc.Attendee)}
	if sync.Deleted {
		return m, nil
	}
	for _, a := range m.Audience {
		if a.Role == svc.HostRole || a.RSVP == svc.Going || a.RSVP == svc.Maybe {
			m.attendees[a.MemberID] = a
		}
	}
	var err error
	m.object, err = eventObject(m.uid(), sync.Event, now)
	return m, err
}

func (m *mirrorSync) uid() string { return m.EventID + "@appliance" }

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
	Event    string       `db:"event_id"`

	sync *mirrorSync
}

func calendarIDs(rows []row) []string {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = r.Calendar
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func keys(rows []row) []int64 {
	list := make([]int64, len(rows))
	for i, r := range rows {
		list[i] = r.N
	}
	return list
}

// SyncEvents updates at most maxMirrors mirrors of different events to the states of the events.
// The results contain the numbers of the remaining mirrors, which the same sync, or a newer one,
// updates. SyncEvents ignores a sync whose revision is not newer than that of the last complete
// one.
func (s *Service) SyncEvents(tx *store.Tx, syncs ...svc.EventSync) ([]svc.SyncResult, error) {
	results := make([]svc.SyncResult, len(syncs))
	list, err := s.newSyncs(tx, syncs, results)
	if err != nil || len(list) == 0 {
		return results, err
	}
	if err := s.compareMirrors(tx, list); err != nil {
		return nil, err
	}
	homes, err := s.defaultCalendars(tx, list)
	if err != nil {
		return nil, err
	}
	budget := maxMirrors
	for _, m := range list {
		m.limitChanges(&budget)
	}
	if err := s.writeSyncs(tx, list, homes); err != nil {
		return nil, err
	}
	complete := make([][2]any, 0, len(list))
	for _, m := range list {
		if m.result.Left == 0 {
			complete = append(complete, [2]any{m.EventID, m.Revision})
		}
	}
	_, err = tx.Exec(s.q.PutSyncedRevisions, store.Args{"rows": store.JSONArray(complete)})
	return results, err
}

// newSyncs returns the syncs that are newer than the mirrors, and sets the results.
func (s *Service) newSyncs(tx *store.Tx, syncs []svc.EventSync, results []svc.SyncResult) (list []*mirrorSync, err error) {
	ids := make([]string, len(syncs))
	for i, sync := range syncs {
		ids[i] = sync.EventID
	}
	var rows []struct {
		Event    string `db:"event_id"`
		Revision int64  `db:"revision"`
	}
	if err := tx.Select(&rows, s.q.SyncedRevisions, store.Args{"events": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	last := make(map[string]int64, len(rows))
	for _, r := range rows {
		last[r.Event] = r.Revision
	}
	for i, sync := range syncs {
		if revision, ok := last[sync.EventID]; ok && sync.Revision <= revision {
			results[i] = svc.SyncResult{Reason: "stale_revision", Revision: revision}
			continue
		}
		results[i] = svc.SyncResult{Applied: true, Revision: sync.Revision}
		m, err := newMirrorSync(sync, tx.Now())
		if err != nil {
			return nil, err
		}
		m.result = &results[i]
		list = append(list, m)
	}
	return list, nil
}

// compareMirrors finds the mirrors that are missing, changed or removed.
func (s *Service) compareMirrors(tx *store.Tx, list []*mirrorSync) error {
	ids, missing := make([]string, len(list)), make(map[string]map[svc.MemberID]svc.Attendee, len(list))
	byEvent := make(map[string]*mirrorSync, len(list))
	for i, m := range list {
		ids[i], byEvent[m.EventID], missing[m.EventID] = m.EventID, m, maps.Clone(m.attendees)
	}
	var rows []row
	if err := tx.Select(&rows, s.q.Mirrors, store.Args{"events": store.JSONArray(ids)}); err != nil {
		return err
	}
	for _, r := range rows {
		m := byEvent[r.Event]
		r.sync = m
		a, ok := missing[m.EventID][r.Owner]
		delete(missing[m.EventID], r.Owner)
		switch {
		case !ok:
			m.removed = append(m.removed, r)
		case r.Digest == nil || *r.Digest != m.digest(a):
			m.changed = append(m.changed, r)
		}
	}
	for _, m := range list {
		m.missing = slices.Sorted(maps.Keys(missing[m.EventID]))
	}
	return nil
}

// defaultCalendars returns the default calendars of the members who lack a mirror. It removes
// members without a default calendar from the lists; they get no mirror.
func (s *Service) defaultCalendars(tx *store.Tx, list []*mirrorSync) (map[svc.MemberID]string, error) {
	homes := make(map[svc.MemberID]string)
	var members []svc.MemberID
	for _, m := range list {
		members = append(members, m.missing...)
	}
	if len(members) == 0 {
		return homes, nil
	}
	slices.Sort(members)
	var rows []row
	if err := tx.Select(&rows, s.q.DefaultCalendars, store.Args{"members": store.JSONArray(slices.Compact(members))}); err != nil {
		return nil, err
	}
	for _, r := range rows {
		homes[r.Owner] = r.Calendar
	}
	for _, m := range list {
		m.missing = slices.DeleteFunc(m.missing, func(id svc.MemberID) bool { return homes[id] == "" })
	}
	return homes, nil
}

// limitChanges keeps the first changes within a budget, and counts them and the remaining ones.
// Removals are first, because the member may no longer see these mirrors.
func (m *mirrorSync) limitChanges(budget *int) {
	take := func(n int) int {
		taken := min(n, *budget)
		*budget -= taken
		m.result.Left += n - taken
		return taken
	}
	m.removed = m.removed[:take(len(m.removed))]
	m.changed = m.changed[:take(len(m.changed))]
	m.missing = m.missing[:take(len(m.missing))]
	m.result.Mirrors = svc.MirrorChanges{Created: len(m.missing), Updated: len(m.changed), Removed: len(m.removed)}
}

// writeSyncs adds, updates and removes the mirrors of events.
func (s *Service) writeSyncs(tx *store.Tx, list []*mirrorSync, homes map[svc.MemberID]string) error {
	var changed, removed []row
	for _, m := range list {
		changed, removed = append(changed, m.changed...), append(removed, m.removed...)
	}
	added, err := s.addMirrors(tx, list, homes)
	if err == nil {
		err = s.writeMirrors(tx, added, changed)
	}
	if err == nil {
		err = s.remove(tx, removed)
	}
	return err
}

// addMirrors adds the missing mirrors, without text, to the default calendars of members. An
// object of the member with the same UID moves to the trash.
func (s *Service) addMirrors(tx *store.Tx, list []*mirrorSync, homes map[svc.MemberID]string) (added []row, err error) {
	var rows [][4]string
	owners, byEvent := make(map[string]svc.MemberID, len(homes)), make(map[string]*mirrorSync, len(list))
	for _, m := range list {
		byEvent[m.EventID] = m
		for _, member := range m.missing {
			owners[homes[member]] = member
			rows = append(rows, [4]string{svc.NewID("tob"), homes[member], m.EventID, m.uid()})
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	args := store.Args{"rows": store.JSONArray(rows), "now": store.MillisOf(tx.Now())}
	var inPlace []row
	if err := tx.Select(&inPlace, s.q.ObjectsWithUID, store.Args{"rows": args["rows"]}); err != nil {
		return nil, err
	}
	if err := s.remove(tx, inPlace); err != nil {
		return nil, err
	}
	err = tx.Select(&added, s.q.AddMirrors, args)
	for i, r := range added {
		added[i].Owner, added[i].sync = owners[r.Calendar], byEvent[r.Event]
	}
	return added, err
}
