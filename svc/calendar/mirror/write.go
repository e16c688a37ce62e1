package mirror

import (
	"encoding/hex"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/occurrence"
	"appliance/svc/calendar/view"
)

// maxIndexed limits the indexed occurrences of all mirrors of an event, and those of one write.
// Mirrors that exceed it are not indexed, and queries expand each of them. Otherwise, a change of
// the times of a series with hundreds of attendees would write tens of thousands of rows.
const maxIndexed = 1000

// writeMirrors stores the text of new and of changed mirrors.
func (s *Service) writeMirrors(tx *store.Tx, added, changed []row) error {
	if len(added)+len(changed) == 0 {
		return nil
	}
	b := &batch{now: tx.Now(), groups: make(map[string]*timeGroup)}
	for _, r := range added {
		o, err := r.sync.newText(r.attendee())
		if err != nil {
			return err
		}
		b.add(r, o, true)
	}
	refs := make([]object.Ref, len(changed))
	for i, r := range changed {
		refs[i] = r.Ref
	}
	if err := s.objects.EachParsed(tx, refs, func(i int, old *ics.Object) error {
		o, retimed, err := changed[i].sync.updateText(old, changed[i].attendee())
		if err == nil {
			b.add(changed[i], o, retimed)
		}
		return err
	}); err != nil {
		return err
	}
	if err := s.bumpSyncs(tx, append(added, changed...)); err != nil {
		return err
	}
	return s.storeBatch(tx, b)
}

// attendee returns the member who has the mirror.
func (r row) attendee() svc.Attendee { return r.sync.attendees[r.Owner] }

// batch collects the texts and occurrence indexes of mirrors, which storeBatch writes.
type batch struct {
	now    time.Time
	rows   int // indexed occurrences
	texts  []mirrorText
	groups map[string]*timeGroup // by their JSON without mirrors
	order  []*timeGroup
}

// mirrorText is the text of a mirror with the columns that follow from it.
type mirrorText struct {
	N      int64  `json:"n"`
	ETag   string `json:"etag"`
	Size   int    `json:"size"`
	Digest string `json:"digest"`
	Title  string `json:"title"`
	Data   string `json:"data"` // hexadecimal, because a client may have folded a line inside a UTF-8 sequence
}

// timeGroup is the occurrence index of mirrors with the same times.
type timeGroup struct {
	Mirrors     []int64          `json:"mirrors"`
	Floating    bool             `json:"floating"`
	FirstStart  store.Millis     `json:"first_start"`
	LastEnd     store.Millis     `json:"last_end"`
	From        *store.Millis    `json:"from"`
	To          *store.Millis    `json:"to"`
	Occurrences []occurrence.Row `json:"occurrences"`
}

// add adds the text o of the mirror r, and its index if its times may have
// changed.
func (b *batch) add(r row, o *ics.Object, retimed bool) {
	b.texts = append(b.texts, mirrorText{r.N, object.ETag(o.Raw), len(o.Raw), r.sync.digest(r.attendee()),
		view.Truncate(r.sync.Event.Title, svc.MaxTitle), hex.EncodeToString(o.Raw)})
	if !retimed {
		return
	}
	x := r.sync.index(o)
	if b.rows+len(x.Rows) > maxIndexed {
		x = occurrence.EmptyIndex(o, b.now)
	}
	b.rows += len(x.Rows)
	g := &timeGroup{nil, x.Floating, x.FirstStart, x.LastEnd, x.From, x.To, x.Rows}
	key := store.JSON(g)
	if b.groups[key] == nil {
		b.groups[key], b.order = g, append(b.order, g)
	}
	b.groups[key].Mirrors = append(b.groups[key].Mirrors, r.N)
}

// index returns the occurrence index of a mirror of the event.
func (m *mirrorSync) index(o *ics.Object) occurrence.Index {
	if m.skipIndex == nil {
		m.skipIndex = new(m.object.Recurs() && len(m.attendees)*len(occurrence.NewIndex(m.object, m.now).Rows) > maxIndexed)
	}
	if *m.skipIndex {
		return occurrence.EmptyIndex(o, m.now)
	}
	return occurrence.NewIndex(o, m.now)
}

func (s *Service) storeBatch(tx *store.Tx, b *batch) error {
	texts := store.JSONArray(b.texts)
	if _, err := tx.Exec(s.q.UpdateMirrors, store.Args{"rows": texts, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.PutMirrorData, store.Args{"rows": texts}); err != nil {
		return err
	}
	if len(b.order) == 0 {
		return nil
	}
	groups := store.JSONArray(b.order)
	for _, q := range []store.Query{s.q.DeleteMirrorOccurrences, s.q.SetMirrorBounds, s.q.AddMirrorOccurrences} {
		if _, err := tx.Exec(q, store.Args{"groups": groups}); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes objects and adds tombstones for them. Objects that are not
// mirrors move to the trash.
func (s *Service) remove(tx *store.Tx, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	if err := s.bumpSyncs(tx, rows); err != nil {
		return err
	}
	list := store.JSONArray(keys(rows))
	now := store.MillisOf(tx.Now())
	for _, step := range []struct {
		q    store.Query
		args store.Args
	}{
		{s.q.EnsureTrashOf, store.Args{"list": list}},
		{s.q.TrashObjects, store.Args{"list": list, "now": now}},
		{s.q.AddTombstones, store.Args{"list": list, "now": now}},
		{s.q.DeleteObjects, store.Args{"list": list}},
	} {
		if _, err := tx.Exec(step.q, step.args); err != nil {
			return err
		}
	}
	return nil
}

// bumpSyncs increments the seq of the calendars of the rows, each once, and invalidates the
// datasets of their readers.
func (s *Service) bumpSyncs(tx *store.Tx, rows []row) error {
	homeSeq, err := s.objects.NextHomeSeq(tx)
	if err != nil {
		return err
	}
	calendars := store.JSONArray(calendarIDs(rows))
	if _, err := tx.Exec(s.q.BumpSyncs, store.Args{"calendars": calendars, "home_seq": homeSeq}); err != nil {
		return err
	}
	var members []int64
	err = tx.Select(&members, s.q.ReadersOf, store.Args{"calendars": calendars})
	tx.Touch(svc.MirrorsUpdated, members...)
	return err
}
