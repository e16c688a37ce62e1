package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Entry is an object ready to be stored: everything that takes time has been
// done, so that it need not be done inside a transaction.
type Entry struct {
	object    *ics.Object
	title     string // of the first component, as lists show it
	etag      string
	index     index
	open      bool          // a task that is still to do
	completed *store.Millis // when a task was done
}

// Prepare makes an entry of an object. The part of the index that is about the
// present is about now.
func Prepare(o *ics.Object, now time.Time) *Entry {
	title := short(o.Components()[0].Text("SUMMARY"), svc.MaxTitle)
	e := &Entry{object: o, title: title, etag: etagOf(o.Raw), index: indexOf(o, now)}
	if o.Component == "VTODO" {
		e.open, e.completed = taskState(o)
	}
	return e
}

// etagOf returns the ETag of a text, with its quotes.
func etagOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// taskState reports whether anything of a task is still to do, and else when
// it was done.
func taskState(o *ics.Object) (open bool, completed *store.Millis) {
	for _, c := range o.Components() {
		done, status := c.Time("COMPLETED"), strings.ToUpper(c.Text("STATUS"))
		switch {
		case status == "CANCELLED":
		case status != "COMPLETED" && done.IsZero():
			open = true
		case !done.IsZero():
			at := store.MillisOf(done.Instant(nil))
			if completed == nil || at > *completed {
				completed = &at
			}
		}
	}
	return open, completed
}

// objectRow is a row of calendar_object.
type objectRow struct {
	dataRef
	ID         string       `db:"id"`
	CalendarID string       `db:"calendar_id"`
	Segment    string       `db:"segment"`
	UID        string       `db:"uid"`
	Component  string       `db:"component"`
	ETag       string       `db:"etag"`
	Hidden     bool         `db:"hidden"`
	Source     *string      `db:"source_service"`
	SourceType *string      `db:"source_object_type"`
	SourceID   *string      `db:"source_object_id"`
	CreatedAt  store.Millis `db:"created_at"`
	UpdatedAt  store.Millis `db:"updated_at"`
}

// add stores a new entry in a calendar and returns its id.
func (s *Service) add(tx *store.Tx, c calendarRow, segment string, e *Entry) (id string, err error) {
	id = svc.NewID("tob")
	if segment == "" {
		segment = id + ".ics"
	}
	_, err = s.addAs(tx, c, id, segment, e)
	return id, err
}

// addAs stores an entry that has an id and returns its number.
func (s *Service) addAs(tx *store.Tx, c calendarRow, id, segment string, e *Entry) (n int64, err error) {
	if err := s.room(tx, c.ID, 0, len(e.object.Raw)); err != nil {
		return 0, err
	}
	seq, err := s.nextSeq(tx, c.ID, 1)
	if err != nil {
		return 0, err
	}
	args := e.args(tx, seq)
	args["id"], args["calendar"], args["segment"] = id, c.ID, segment
	if err := tx.Get(&n, s.q.AddObject, args); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(s.q.Unbury, store.Args{"calendar": c.ID, "segment": segment}); err != nil {
		return 0, err
	}
	return n, s.putDetails(tx, c.ID, n, e)
}

// replace stores an entry in the place of another.
func (s *Service) replace(tx *store.Tx, calendar string, n int64, e *Entry) error {
	if err := s.room(tx, calendar, n, len(e.object.Raw)); err != nil {
		return err
	}
	seq, err := s.nextSeq(tx, calendar, 1)
	if err != nil {
		return err
	}
	args := e.args(tx, seq)
	args["n"] = n
	if _, err := tx.Exec(s.q.UpdateObject, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.ClearOccurrences, store.Args{"n": n}); err != nil {
		return err
	}
	return s.putDetails(tx, calendar, n, e)
}

// args are the columns of calendar_object that follow from the entry.
func (e *Entry) args(tx *store.Tx, seq int64) store.Args {
	return store.Args{
		"uid": e.object.UID, "component": e.object.Component, "title": e.title, "etag": e.etag, "size": len(e.object.Raw), "seq": seq,
		"floating": e.index.floating, "begins": e.index.begins, "ends": e.index.ends,
		"indexed_from": e.index.from, "indexed_to": e.index.to,
		"open": e.open, "completed_at": e.completed, "now": store.MillisOf(tx.Now()),
	}
}

// putDetails stores what an entry has beside its row.
func (s *Service) putDetails(tx *store.Tx, calendar string, n int64, e *Entry) error {
	if _, err := tx.Exec(s.q.PutData, store.Args{"n": n, "data": e.object.Raw}); err != nil {
		return err
	}
	if err := s.putOccurrences(tx, calendar, n, e.index); err != nil {
		return err
	}
	return s.touchReaders(tx, calendar)
}

func (s *Service) putOccurrences(tx *store.Tx, calendar string, n int64, x index) error {
	if len(x.occurrences) == 0 {
		return nil
	}
	_, err := tx.Exec(s.q.AddOccurrences, store.Args{"calendar": calendar, "n": n, "list": store.JSONArray(x.occurrences)})
	return err
}

// remove puts an entry into the trash and remembers its name for clients that
// ask.
func (s *Service) remove(tx *store.Tx, calendar, segment string, n int64) error {
	seq, err := s.nextSeq(tx, calendar, 1)
	if err != nil {
		return err
	}
	if err := s.trash(tx, calendar, n); err != nil {
		return err
	}
	if err := s.bury(tx, calendar, segment, seq); err != nil {
		return err
	}
	return s.touchReaders(tx, calendar)
}

// trash puts an entry into the trash of whose the calendar is.
func (s *Service) trash(tx *store.Tx, calendar string, n int64) error {
	if _, err := tx.Exec(s.q.OpenBin, store.Args{"calendar": calendar}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.TrashObject, store.Args{"n": n, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DeleteObject, store.Args{"n": n})
	return err
}

// bury remembers the name of an entry that is gone.
func (s *Service) bury(tx *store.Tx, calendar, segment string, seq int64) error {
	_, err := tx.Exec(s.q.Bury, store.Args{"calendar": calendar, "segment": segment, "seq": seq, "now": store.MillisOf(tx.Now())})
	return err
}

// nextSeq counts changes to what a calendar holds, and returns the number of
// the last one. Now and then it forgets old deletions.
func (s *Service) nextSeq(tx *store.Tx, calendar string, changes int) (seq int64, err error) {
	stamp, err := s.nextStamp(tx)
	if err != nil {
		return 0, err
	}
	err = tx.Get(&seq, s.q.NextSeq, store.Args{"calendar": calendar, "changes": changes, "stamp": stamp})
	if err == nil && seq/forgetEvery != (seq-int64(changes))/forgetEvery {
		err = s.forgetDeletions(tx, calendar)
	}
	return seq, err
}
