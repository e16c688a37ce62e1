package object

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/occurrence"
)

// Add stores a new object in a calendar and returns its id. If segment is
// empty, it is derived from the id.
func (s *Store) Add(tx *store.Tx, c Calendar, segment string, p *Prepared) (id string, err error) {
	o := newObject(p)
	if segment != "" {
		o.segment = segment
	}
	return o.id, s.add(tx, c, []addedObject{o})
}

// AddAll stores new objects in a calendar, which has none of their UIDs. The number of
// statements does not depend on the number of objects.
func (s *Store) AddAll(tx *store.Tx, c Calendar, list []*Prepared) error {
	if len(list) == 0 {
		return nil
	}
	objects := make([]addedObject, len(list))
	for i, p := range list {
		objects[i] = newObject(p)
	}
	return s.add(tx, c, objects)
}

// Restore stores an object that was in the trash, with its dead properties as a
// JSON array of objects.
func (s *Store) Restore(tx *store.Tx, c Calendar, id, segment string, p *Prepared, properties string) error {
	err := s.add(tx, c, []addedObject{{id, segment, p}})
	if err == nil {
		_, err = tx.Exec(s.q.RestoreProperties, store.Args{"id": id, "list": properties})
	}
	return err
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

// occurrencesOf are the indexed occurrences of the object with an id.
type occurrencesOf struct {
	ID   string           `json:"id"`
	Rows []occurrence.Row `json:"rows"`
}

// add stores objects with their texts and occurrences.
func (s *Store) add(tx *store.Tx, c Calendar, list []addedObject) error {
	octets := 0
	for _, o := range list {
		octets += len(o.Object.Raw)
	}
	if err := s.checkBulkQuota(tx, c.ID, 0, len(list), octets); err != nil {
		return err
	}
	seq, err := s.BumpSync(tx, c.ID, len(list))
	if err != nil {
		return err
	}
	rows, texts, occurrences := make([]store.Args, len(list)), make([]byte, 0, octets), []occurrencesOf(nil)
	for i, o := range list {
		rows[i] = o.args()
		rows[i]["id"], rows[i]["segment"], rows[i]["uid"] = o.id, o.segment, o.Object.UID
		rows[i]["seq"], rows[i]["first"] = seq-int64(len(list)-1-i), len(texts)+1
		texts = append(texts, o.Object.Raw...)
		if len(o.index.Rows) > 0 {
			occurrences = append(occurrences, occurrencesOf{o.id, o.index.Rows})
		}
	}
	encoded := store.JSONArray(rows)
	for _, step := range []struct {
		q    store.Query
		args store.Args
	}{
		{s.q.AddObjects, store.Args{"calendar": c.ID, "rows": encoded, "now": store.MillisOf(tx.Now())}},
		{s.q.DeleteTombstones, store.Args{"calendar": c.ID, "rows": encoded}},
		{s.q.AddData, store.Args{"rows": encoded, "texts": texts}},
		{s.q.AddAllOccurrences, store.Args{"calendar": c.ID, "list": store.JSONArray(occurrences)}},
	} {
		if _, err := tx.Exec(step.q, step.args); err != nil {
			return err
		}
	}
	return s.TouchReaders(tx, c.ID)
}

// Replace stores an object in place of the one with the key n.
func (s *Store) Replace(tx *store.Tx, calendarID string, n int64, p *Prepared) error {
	if err := s.checkQuota(tx, calendarID, n, len(p.Object.Raw)); err != nil {
		return err
	}
	seq, err := s.BumpSync(tx, calendarID, 1)
	if err != nil {
		return err
	}
	args := p.args()
	args["n"], args["uid"], args["seq"], args["now"] = n, p.Object.UID, seq, store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.ReplaceObject, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.DeleteOccurrences, store.Args{"n": n}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.ReplaceData, store.Args{"n": n, "data": p.Object.Raw}); err != nil {
		return err
	}
	if err := s.addOccurrences(tx, calendarID, n, p); err != nil {
		return err
	}
	return s.TouchReaders(tx, calendarID)
}

func (s *Store) addOccurrences(tx *store.Tx, calendarID string, n int64, p *Prepared) error {
	if len(p.index.Rows) == 0 {
		return nil
	}
	_, err := tx.Exec(s.q.AddOccurrences, store.Args{"calendar": calendarID, "n": n, "list": store.JSONArray(p.index.Rows)})
	return err
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
