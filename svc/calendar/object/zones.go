package object

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/occurrence"
)

// ZoneProgress is the progress of a rebuild of the occurrence index after a change of the time
// zone data.
type ZoneProgress struct {
	Version string `db:"version"` // of the data by which objects are indexed; "" if it is unknown
	Rebuilt *int64 `db:"rebuilt"` // objects up to this key are rebuilt; nil for all
}

// ZoneProgress returns the stored progress.
func (s *Store) ZoneProgress(tx *store.Tx) (p ZoneProgress, err error) {
	err = tx.Get(&p, s.q.ZoneData, nil)
	if store.IsNoRows(err) {
		err = nil
	}
	return p, err
}

// BeginZones begins a rebuild of the index by the data with a version. It invalidates all
// datasets: times in them follow from the data, too.
func (s *Store) BeginZones(tx *store.Tx, version string) error {
	_, err := tx.Exec(s.q.BeginZoneData, store.Args{"version": version})
	tx.Touch(svc.ZonesUpdated, store.Everyone)
	return err
}

// AdvanceZones stores the progress of the rebuild by the data with a version.
func (s *Store) AdvanceZones(tx *store.Tx, p ZoneProgress) error {
	_, err := tx.Exec(s.q.AdvanceZoneData, store.Args{"version": p.Version, "rebuilt": p.Rebuilt})
	return err
}

// indexedRow is a row of the query indexed-objects.
type indexedRow struct {
	Row
	Floating   bool          `db:"floating"`
	FirstStart store.Millis  `db:"first_start"`
	LastEnd    store.Millis  `db:"last_end"`
	From       *store.Millis `db:"indexed_from"`
	To         *store.Millis `db:"indexed_to"`
	Conflict   *string       `db:"zone_conflict"`
}

// storedIndex holds the stored columns and rows of an object that depend on the time zone data.
type storedIndex struct {
	occurrence.Index
	zoneConflict *string
}

// differs reports whether the object has other ones.
func (x storedIndex) differs(o *ics.Object) bool {
	conflict := zoneConflict(o)
	return (conflict == nil) != (x.zoneConflict == nil) || conflict != nil && *conflict != *x.zoneConflict || occurrence.Differs(o, x.Index)
}

// ZoneConflict is a zone that objects define in another way than the time zone data.
type ZoneConflict struct {
	Zone    string `db:"zone"` // IANA name
	Objects int    `db:"objects"`
}

// maxZoneConflicts limits the result of ZoneConflicts.
const maxZoneConflicts = 20

// ZoneConflicts returns the zones that the objects of all members define in another way than the
// time zone data, those of most objects first.
func (s *Store) ZoneConflicts(tx *store.Tx) (list []ZoneConflict, err error) {
	err = tx.Select(&list, s.q.ZoneConflicts, store.Args{"limit": maxZoneConflicts})
	return list, err
}

// ZoneBatch returns the next batch of the objects of all members with their stored occurrences.
// The batch begins after the key after.
func (s *Store) ZoneBatch(tx *store.Tx, after int64) (b Batch, err error) {
	var list []indexedRow
	if err := tx.Select(&list, s.q.IndexedObjects, store.Args{"after": after, "limit": reindexBatch}); err != nil {
		return b, err
	}
	at := make(map[int64]int, len(list))
	b.stored = make([]storedIndex, len(list))
	for i, r := range list {
		b.rows = append(b.rows, r.Row)
		b.stored[i] = storedIndex{occurrence.Index{Floating: r.Floating, FirstStart: r.FirstStart, LastEnd: r.LastEnd, From: r.From, To: r.To}, r.Conflict}
		at[r.N] = i
	}
	keys, err := s.load(tx, &b)
	if err != nil {
		return b, err
	}
	var rows []struct {
		N int64 `db:"n"`
		occurrence.Row
	}
	err = tx.Select(&rows, s.q.Occurrences, store.Args{"list": store.JSONArray(keys)})
	for _, r := range rows {
		x := &b.stored[at[r.N]]
		x.Rows = append(x.Rows, r.Row)
	}
	return b, err
}

// FollowZones stores recomputed columns of a batch of [Store.ZoneBatch] and invalidates the
// datasets of the readers.
func (s *Store) FollowZones(tx *store.Tx, list []ReindexedObject) error {
	calendars, err := s.reindex(tx, list)
	if err != nil {
		return err
	}
	return s.TouchReadersOfAll(tx, calendars)
}
