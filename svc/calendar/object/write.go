package object

import (
	"appliance/store"
	"appliance/svc"
)

// Add stores a new object in a calendar and returns its id. If segment is
// empty, it is derived from the id.
func (s *Store) Add(tx *store.Tx, c Calendar, segment string, p *Prepared) (id string, err error) {
	id = svc.NewID("tob")
	if segment == "" {
		segment = id + ".ics"
	}
	_, err = s.addWithID(tx, c, id, segment, p)
	return id, err
}

// Restore stores an object that was in the trash, with its dead properties as a
// JSON array of objects.
func (s *Store) Restore(tx *store.Tx, c Calendar, id, segment string, p *Prepared, properties string) error {
	n, err := s.addWithID(tx, c, id, segment, p)
	if err == nil {
		_, err = tx.Exec(s.q.RestoreProperties, store.Args{"object": n, "list": properties})
	}
	return err
}

func (s *Store) addWithID(tx *store.Tx, c Calendar, id, segment string, p *Prepared) (n int64, err error) {
	if err := s.checkQuota(tx, c.ID, 0, len(p.Object.Raw)); err != nil {
		return 0, err
	}
	seq, err := s.BumpSync(tx, c.ID, 1)
	if err != nil {
		return 0, err
	}
	args := p.args()
	args["id"], args["calendar"], args["segment"], args["uid"] = id, c.ID, segment, p.Object.UID
	args["seq"], args["now"] = seq, store.MillisOf(tx.Now())
	if err := tx.Get(&n, s.q.AddObject, args); err != nil {
		return 0, err
	}
	if err := s.deleteTombstone(tx, c.ID, segment); err != nil {
		return 0, err
	}
	return n, s.putText(tx, c.ID, n, p)
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
	return s.putText(tx, calendarID, n, p)
}

// putText stores the text and the occurrences of an object.
func (s *Store) putText(tx *store.Tx, calendarID string, n int64, p *Prepared) error {
	if _, err := tx.Exec(s.q.PutData, store.Args{"n": n, "data": p.Object.Raw}); err != nil {
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

// SetDisplay sets the color of a mirror, nil for that of the calendar, and
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
