package object

import (
	"fmt"

	"appliance/store"
	"appliance/svc"
)

// Add stores a new object in a calendar and returns its id. If segment is
// empty, it is derived from the id.
func (s *Store) Add(tx *store.Tx, c Calendar, segment string, p *Prepared) (id string, err error) {
	if err := s.checkQuota(tx, c.ID, 0, len(p.Object.Raw)); err != nil {
		return "", err
	}
	o := newObject(p)
	if segment != "" {
		o.segment = segment
	}
	return o.id, s.add(tx, c, []addedObject{o})
}

// Restore stores an object that was in the trash, with its dead properties as a
// JSON array of objects.
func (s *Store) Restore(tx *store.Tx, c Calendar, id, segment string, p *Prepared, properties string) error {
	if err := s.checkQuota(tx, c.ID, 0, len(p.Object.Raw)); err != nil {
		return err
	}
	if err := s.add(tx, c, []addedObject{{id, segment, p}}); err != nil {
		return err
	}
	return s.restoreProperties(tx, [][2]string{{id, properties}})
}

func (s *Store) restoreProperties(tx *store.Tx, rows [][2]string) error {
	_, err := tx.Exec(s.q.RestoreProperties, store.Args{"rows": store.JSONArray(rows)})
	return err
}

// Changes are changes to the objects of one calendar.
type Changes struct {
	Added    []*Prepared // with UIDs that the calendar does not have
	Restored []Restoration
	Replaced []Replacement
}

// Restoration is an object of the trash to store in a calendar at a free segment.
type Restoration struct {
	Presence
	Properties string // dead properties, as a JSON array of objects
	*Prepared
}

// Replacement is an object to store in place of another one.
type Replacement struct {
	Presence
	*Prepared
}

// Apply makes changes to the objects of a calendar. The number of statements does not depend on
// the number of objects.
func (s *Store) Apply(tx *store.Tx, c Calendar, changes Changes) error {
	octets := 0
	added := make([]addedObject, 0, len(changes.Added)+len(changes.Restored))
	for _, p := range changes.Added {
		octets += len(p.Object.Raw)
		added = append(added, newObject(p))
	}
	var trashed []int64
	var properties [][2]string
	for _, r := range changes.Restored {
		octets += len(r.Object.Raw) - r.Size
		added = append(added, addedObject{r.ID, r.freeSegment(), r.Prepared})
		trashed, properties = append(trashed, r.N), append(properties, [2]string{r.ID, r.Properties})
	}
	for _, r := range changes.Replaced {
		octets += len(r.Object.Raw) - r.Size
	}
	if err := s.checkBulkQuota(tx, c.ID, 0, len(changes.Added), octets); err != nil {
		return err
	}
	if len(trashed) > 0 {
		if _, err := tx.Exec(s.q.RemoveFromTrash, store.Args{"list": store.JSONArray(trashed)}); err != nil {
			return err
		}
	}
	if len(added) > 0 {
		if err := s.add(tx, c, added); err != nil {
			return err
		}
	}
	if len(properties) > 0 {
		if err := s.restoreProperties(tx, properties); err != nil {
			return err
		}
	}
	if len(changes.Replaced) > 0 {
		return s.replace(tx, c.ID, changes.Replaced)
	}
	return nil
}

// addedObject is an object to add to a calendar.
type addedObject struct {
	id, segment string
	*Prepared
}

// newObject returns p with a new id, from which its segment is derived.
func newObject(p *Prepared) addedObject {
	id := svc.NewID("tob")
	return addedObject{id, id + ".ics", p}
}

// add stores objects with their texts and occurrences.
func (s *Store) add(tx *store.Tx, c Calendar, list []addedObject) error {
	octets := 0
	for _, o := range list {
		octets += len(o.Object.Raw)
	}
	seq, err := s.BumpSync(tx, c.ID, len(list))
	if err != nil {
		return err
	}
	var n int64
	if err := tx.Get(&n, s.q.NextObjectKey, nil); err != nil {
		return err
	}
	rows := bulkRows{texts: make([]byte, 0, octets)}
	segments := make([]string, len(list))
	for i, o := range list {
		rows.add(n+int64(i), seq-int64(len(list)-1-i), o.Prepared, o.id, o.segment)
		segments[i] = o.segment
	}
	if _, err := tx.Exec(s.q.AddObjects, store.Args{"calendar": c.ID, "rows": store.JSONArray(rows.columns), "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteTombstones, store.Args{"calendar": c.ID, "segments": store.JSONArray(segments)}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.AddData, store.Args{"extents": store.JSONArray(rows.extents), "texts": rows.texts}); err != nil {
		return err
	}
	if err := s.addOccurrences(tx, c.ID, rows.occurrences); err != nil {
		return err
	}
	return s.TouchReaders(tx, c.ID)
}

// Replace stores an object in place of the one with the key n.
func (s *Store) Replace(tx *store.Tx, calendarID string, n int64, p *Prepared) error {
	if err := s.checkQuota(tx, calendarID, n, len(p.Object.Raw)); err != nil {
		return err
	}
	return s.replace(tx, calendarID, []Replacement{{Presence{Ref: Ref{N: n}}, p}})
}

// replace stores objects in place of others of a calendar.
func (s *Store) replace(tx *store.Tx, calendarID string, list []Replacement) error {
	seq, err := s.BumpSync(tx, calendarID, len(list))
	if err != nil {
		return err
	}
	var rows bulkRows
	keys := make([]int64, len(list))
	for i, r := range list {
		rows.add(r.N, seq-int64(len(list)-1-i), r.Prepared)
		keys[i] = r.N
	}
	if _, err := tx.Exec(s.q.ReplaceObjects, store.Args{"rows": store.JSONArray(rows.columns), "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteOccurrences, store.Args{"list": store.JSONArray(keys)}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.ReplaceData, store.Args{"extents": store.JSONArray(rows.extents), "texts": rows.texts}); err != nil {
		return err
	}
	if err := s.addOccurrences(tx, calendarID, rows.occurrences); err != nil {
		return err
	}
	return s.TouchReaders(tx, calendarID)
}

// bulkRows are the rows of several objects, as the statements of [Store.add] and [Store.replace]
// read them.
type bulkRows struct {
	columns     [][]any
	texts       []byte
	extents     [][3]int64 // key of an object; offset, counted from 1, and length of its text
	occurrences []byte
}

// add adds the rows of an object with a key.
func (b *bulkRows) add(n, seq int64, p *Prepared, more ...any) {
	b.columns = append(b.columns, append([]any{
		n, seq, p.Object.UID, p.Object.Component, p.title, p.ETag, len(p.Object.Raw), p.index.Floating, p.index.FirstStart, p.index.LastEnd,
		p.index.From, p.index.To, p.task.open, p.task.openStart, p.task.openDue, p.task.completedAt, p.zoneConflict,
	}, more...))
	b.extents = append(b.extents, [3]int64{n, int64(len(b.texts) + 1), int64(len(p.Object.Raw))})
	b.texts = append(b.texts, p.Object.Raw...)
	b.occurrences = p.appendOccurrences(b.occurrences, n)
}

// appendOccurrences appends a line for each occurrence, as add-occurrences reads them.
func (p *Prepared) appendOccurrences(list []byte, n int64) []byte {
	for _, r := range p.index.Rows {
		list = fmt.Appendf(list, "%16d%17d%17d%d%d%d%-16s\n", n, r.Starts, r.Ends, r.Floating, r.Band, r.Busy, r.RecurrenceID)
	}
	return list
}

// addOccurrences adds the occurrences of [Prepared.appendOccurrences].
func (s *Store) addOccurrences(tx *store.Tx, calendarID string, list []byte) error {
	if len(list) == 0 {
		return nil
	}
	_, err := tx.Exec(s.q.AddOccurrences, store.Args{"calendar": calendarID, "list": list})
	return err
}

// replaceOccurrences replaces the occurrences of an object.
func (s *Store) replaceOccurrences(tx *store.Tx, calendarID string, n int64, p *Prepared) error {
	if _, err := tx.Exec(s.q.DeleteOccurrences, store.Args{"list": store.JSONArray([]int64{n})}); err != nil {
		return err
	}
	return s.addOccurrences(tx, calendarID, p.appendOccurrences(nil, n))
}

// Remove moves an object to the trash and adds a tombstone. A mirror is not
// moved but deleted.
func (s *Store) Remove(tx *store.Tx, r Row) error {
	seq, err := s.BumpSync(tx, r.CalendarID, 1)
	if err != nil {
		return err
	}
	if err := s.Trash(tx, r); err != nil {
		return err
	}
	if err := s.addTombstone(tx, r.CalendarID, r.Segment, seq); err != nil {
		return err
	}
	return s.TouchReaders(tx, r.CalendarID)
}

// Discard deletes an object without moving it to the trash, and adds a tombstone.
func (s *Store) Discard(tx *store.Tx, r Row) error {
	seq, err := s.BumpSync(tx, r.CalendarID, 1)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteObject, store.Args{"n": r.N}); err != nil {
		return err
	}
	if err := s.addTombstone(tx, r.CalendarID, r.Segment, seq); err != nil {
		return err
	}
	return s.TouchReaders(tx, r.CalendarID)
}

// Trash moves an object to the trash of the owner of its calendar. The
// caller increments the seq and adds the tombstone, if the segment stays free.
func (s *Store) Trash(tx *store.Tx, r Row) error {
	if _, err := tx.Exec(s.q.EnsureTrash, store.Args{"calendar": r.CalendarID}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.TrashObject, store.Args{"n": r.N, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DeleteObject, store.Args{"n": r.N})
	return err
}

// SetDisplay sets the color of a mirror, nil for the color of the calendar, and
// whether it is hidden. WebDAV clients see a hidden object as deleted.
func (s *Store) SetDisplay(tx *store.Tx, r Row, color *string, hidden bool) error {
	seq, err := s.BumpSync(tx, r.CalendarID, 1)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.SetDisplay, store.Args{
		"n": r.N, "color": color, "hidden": hidden, "seq": seq, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if hidden {
		err = s.addTombstone(tx, r.CalendarID, r.Segment, seq)
	} else {
		err = s.deleteTombstone(tx, r.CalendarID, r.Segment)
	}
	if err != nil {
		return err
	}
	return s.TouchReaders(tx, r.CalendarID)
}
