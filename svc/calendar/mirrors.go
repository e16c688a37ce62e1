package calendar

import (
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// An event that hundreds go to has hundreds of mirrors, and all of them change
// in one write: they are read and written together, by a fixed number of
// statements.

// mirrorRow is what a push must know of a mirror, or of an entry in its place.
type mirrorRow struct {
	dataRef
	Calendar string       `db:"calendar_id"`
	Segment  string       `db:"segment"`
	Digest   *string      `db:"source_digest"`
	Owner    svc.MemberID `db:"owner_id"`
}

// mirrorText is what is to be written of a mirror.
type mirrorText struct {
	N      int64  `json:"n"`
	ETag   string `json:"etag"`
	Size   int    `json:"size"`
	Digest string `json:"digest"`
	Data   string `json:"data"` // in hexadecimal: a client may have folded a line inside a character
}

// mirrorGroup are mirrors that are at the same times.
type mirrorGroup struct {
	Mirrors     []int64       `json:"mirrors"`
	Floating    bool          `json:"floating"`
	Begins      store.Millis  `json:"begins"`
	Ends        store.Millis  `json:"ends"`
	From        *store.Millis `json:"from"`
	To          *store.Millis `json:"to"`
	Occurrences []occurrence  `json:"occurrences"`
}

// maxMirrored is how many instances all mirrors of a series may have together
// to be indexed: moving a series that hundreds go to would move tens of
// thousands. The mirrors of such a one are expanded when they are asked for.
const maxMirrored = 2000

// mirror makes, changes and removes the mirrors of an event.
func (s *Service) mirror(tx *store.Tx, b *mirroring) (done svc.MirrorChanges, err error) {
	var rows, gone, changed []mirrorRow
	if err := tx.Select(&rows, s.q.Mirrors, store.Args{"event": b.sync.EventID}); err != nil {
		return done, err
	}
	wanted, missing := b.wanted(), b.wanted()
	for _, row := range rows {
		a, ok := missing[row.Owner]
		delete(missing, row.Owner)
		switch {
		case !ok:
			gone = append(gone, row)
		case row.Digest == nil || *row.Digest != b.digest(a):
			changed = append(changed, row)
		}
	}
	added, err := s.addMirrors(tx, b, slices.Sorted(maps.Keys(missing)))
	if err == nil {
		err = s.writeMirrors(tx, b, wanted, added, changed)
	}
	if err == nil {
		err = s.removeAll(tx, gone)
	}
	return svc.MirrorChanges{Created: len(added), Updated: len(changed), Removed: len(gone)}, err
}

// addMirrors makes room for mirrors in the members' default calendars. An entry
// that one of them has put in the place of theirs goes into the trash.
func (s *Service) addMirrors(tx *store.Tx, b *mirroring, members []svc.MemberID) (added []mirrorRow, err error) {
	if len(members) == 0 {
		return nil, nil
	}
	if err := tx.Select(&added, s.q.DefaultCalendars, store.Args{"members": store.JSONArray(members)}); err != nil || len(added) == 0 {
		return nil, err
	}
	owners, pairs := make(map[string]svc.MemberID, len(added)), make([][2]string, len(added))
	for i, row := range added {
		owners[row.Calendar], pairs[i] = row.Owner, [2]string{svc.NewID("tob"), row.Calendar}
	}
	var inPlace []mirrorRow
	args := store.Args{"calendars": store.JSONArray(calendarsOf(added)), "uid": b.uid()}
	if err := tx.Select(&inPlace, s.q.ObjectsWithUID, args); err != nil {
		return nil, err
	}
	if err := s.removeAll(tx, inPlace); err != nil {
		return nil, err
	}
	added = nil
	err = tx.Select(&added, s.q.AddMirrors, store.Args{
		"rows": store.JSONArray(pairs), "uid": b.uid(), "event": b.sync.EventID, "now": store.MillisOf(tx.Now()),
	})
	for i, row := range added {
		added[i].Owner = owners[row.Calendar]
	}
	return added, err
}

// writeMirrors writes what new mirrors say, and those that change.
func (s *Service) writeMirrors(tx *store.Tx, b *mirroring, wanted map[svc.MemberID]svc.Attendee, added, changed []mirrorRow) error {
	if len(added)+len(changed) == 0 {
		return nil
	}
	w := mirrorWriter{b: b, index: indexOf}
	if o := b.object; o.Recurs() && len(wanted)*len(indexOf(o, b.now).occurrences) > maxMirrored {
		w.index = unindexed
	}
	for _, row := range added {
		o, err := b.fresh(wanted[row.Owner])
		if err != nil {
			return err
		}
		w.write(row, o, wanted[row.Owner], true)
	}
	list := make([]dataRef, len(changed))
	for i, row := range changed {
		list[i] = row.dataRef
	}
	if err := s.read(tx, list, func(i int, old *ics.Object) error {
		a := wanted[changed[i].Owner]
		o, retimed, err := b.renewed(old, a)
		if err == nil {
			w.write(changed[i], o, a, retimed)
		}
		return err
	}); err != nil {
		return err
	}
	if err := s.counted(tx, append(added, changed...)); err != nil {
		return err
	}
	texts := store.JSONArray(w.texts)
	if _, err := tx.Exec(s.q.UpdateMirrors, store.Args{
		"rows": texts, "title": short(b.sync.Event.Title, svc.MaxTitle), "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.PutMirrorData, store.Args{"rows": texts}); err != nil {
		return err
	}
	if len(w.groups) == 0 {
		return nil
	}
	groups := store.JSONArray(w.groups)
	for _, q := range []store.Query{s.q.ClearMirrorOccurrences, s.q.TimeMirrors, s.q.AddMirrorOccurrences} {
		if _, err := tx.Exec(q, store.Args{"groups": groups}); err != nil {
			return err
		}
	}
	return nil
}

// mirrorWriter collects what is to be written.
type mirrorWriter struct {
	b       *mirroring
	texts   []mirrorText
	groups  []*mirrorGroup
	byIndex map[string]*mirrorGroup
	index   func(*ics.Object, time.Time) index
}

// write has the text o written in the place of a mirror, with its times if
// they may be others.
func (w *mirrorWriter) write(row mirrorRow, o *ics.Object, a svc.Attendee, timed bool) {
	w.texts = append(w.texts, mirrorText{row.N, etagOf(o.Raw), len(o.Raw), w.b.digest(a), hex.EncodeToString(o.Raw)})
	if !timed {
		return
	}
	x := w.index(o, w.b.now)
	g := &mirrorGroup{nil, x.floating, x.begins, x.ends, x.from, x.to, x.occurrences}
	key := store.JSON(g)
	if w.byIndex[key] == nil {
		if w.byIndex == nil {
			w.byIndex = make(map[string]*mirrorGroup)
		}
		w.byIndex[key], w.groups = g, append(w.groups, g)
	}
	w.byIndex[key].Mirrors = append(w.byIndex[key].Mirrors, row.N)
}

// removeAll removes entries, those that are no mirrors into the trash, and
// remembers their names for clients that ask.
func (s *Service) removeAll(tx *store.Tx, rows []mirrorRow) error {
	if len(rows) == 0 {
		return nil
	}
	if err := s.counted(tx, rows); err != nil {
		return err
	}
	list := make([]int64, len(rows))
	for i, row := range rows {
		list[i] = row.N
	}
	if _, err := tx.Exec(s.q.OpenBins, store.Args{"list": store.JSONArray(list)}); err != nil {
		return err
	}
	args := store.Args{"list": store.JSONArray(list), "now": store.MillisOf(tx.Now())}
	for _, q := range []store.Query{s.q.TrashObjects, s.q.BuryObjects} {
		if _, err := tx.Exec(q, args); err != nil {
			return err
		}
	}
	_, err := tx.Exec(s.q.DeleteObjects, store.Args{"list": store.JSONArray(list)})
	return err
}

// counted counts a change to the calendar of each entry, of which there is one
// in a calendar, and notes it for everybody who sees them.
func (s *Service) counted(tx *store.Tx, rows []mirrorRow) error {
	stamp, err := s.nextStamp(tx)
	if err != nil {
		return err
	}
	calendars := store.JSONArray(calendarsOf(rows))
	if _, err := tx.Exec(s.q.NextSeqs, store.Args{"calendars": calendars, "stamp": stamp}); err != nil {
		return err
	}
	var members []int64
	err = tx.Select(&members, s.q.ReadersOf, store.Args{"calendars": calendars})
	tx.Touch(svc.TimeTopic, members...)
	return err
}

func calendarsOf(rows []mirrorRow) []string {
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row.Calendar
	}
	return list
}
