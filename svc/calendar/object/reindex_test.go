package object_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/object"
)

// The background job moves the index of a series before it covers too little of
// the future.
func TestIndexMovesWithTime(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "series.ics", icstest.Event("series", "DTSTART:20261125T090000Z", "RRULE:FREQ=WEEKLY"))
	f.Put(ann, defaultCal, "single.ics", event("single", 1))
	last := func() string {
		return storetest.Rows(t, f.DB, "SELECT max(starts) FROM calendar_occurrence AS x JOIN calendar_object AS o USING (n) WHERE o.uid = 'series'")[0]
	}
	if n := f.Reindex(f.Objects.PartlyIndexed); n != 0 {
		t.Errorf("reindexed %d objects, want 0", n)
	}
	before := last()
	f.Clock.Advance(110 * 24 * time.Hour)
	if n := f.Reindex(f.Objects.PartlyIndexed); n != 1 || last() <= before {
		t.Errorf("reindexed %d objects up to %s, want 1 beyond %s", n, last(), before)
	}
	if n := f.Reindex(f.Objects.PartlyIndexed); n != 0 {
		t.Errorf("reindexed %d objects again, want 0", n)
	}
}

// Recomputed columns are not stored for objects that changed in the meantime,
// and each write stores a limited number of occurrences.
func TestReindexSkipsChangedObjects(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, other := f.DefaultCalendar(ann), f.AddCalendar(ann, "Other")
	dense := func(n int) string {
		return icstest.Event(fmt.Sprint("dense-", n), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12")
	}
	for n := range 4 {
		f.Put(ann, defaultCal, fmt.Sprint(n, ".ics"), dense(n))
	}
	var b object.Batch
	f.Read(func(tx *store.Tx) (err error) {
		b, err = f.Objects.AllObjects(tx, 0)
		return err
	})
	f.Put(ann, defaultCal, "0.ics", icstest.Event("dense-0", "DTSTART:20261201T100000Z"))
	f.Write(func(tx *store.Tx) error {
		return f.Collections.Delete(tx, ann, defaultCal.Segment, "1.ics", calendartest.NoPrecondition)
	})
	f.Write(func(tx *store.Tx) error {
		r, _, err := f.Objects.At(tx, defaultCal.ID, "2.ics")
		if err != nil {
			return err
		}
		to, err := f.Objects.Calendar(tx, ann.Member(), other.ID)
		if err != nil {
			return err
		}
		return f.Objects.Move(tx, r, to, "2.ics")
	})
	const query = "SELECT * FROM calendar_occurrence ORDER BY calendar_id, n, starts"
	want, writes := storetest.Rows(t, f.DB, query), 0
	for list := range b.Prepare(f.Clock.Now()) {
		writes++
		f.Write(func(tx *store.Tx) error { return f.Objects.Reindex(tx, list) })
	}
	if got := storetest.Rows(t, f.DB, query); !slices.Equal(got, want) || writes != 4 {
		t.Errorf("got %d occurrences after %d writes, want %d after 4", len(got), writes, len(want))
	}
}

// An object that can no longer be parsed does not hide the others.
func TestUnreadableObjectsAreSkipped(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var refs []object.Ref
	for _, uid := range []string{"a", "b", "c"} {
		f.Put(ann, defaultCal, uid+".ics", event(uid, 1))
		f.Read(func(tx *store.Tx) error {
			r, _, err := f.Objects.At(tx, defaultCal.ID, uid+".ics")
			refs = append(refs, r.Ref)
			return err
		})
	}
	storetest.Exec(t, f.DB, "UPDATE calendar_data SET data = x'00' WHERE n = ?", refs[1].N)
	slices.Reverse(refs)
	f.Read(func(tx *store.Tx) error {
		var got []string
		visited, truncated, err := f.Objects.EachWithin(tx, refs, func(i int, o *ics.Object) error {
			got = append(got, fmt.Sprint(i, o.UID))
			return nil
		})
		if want := "0c 2a"; strings.Join(got, " ") != want || visited != 3 || truncated || err != nil {
			t.Errorf("got %q, visited %d, truncated %t, %v; want %s", got, visited, truncated, err, want)
		}
		visited, truncated, err = f.Objects.EachWithin(tx, refs[:2], func(int, *ics.Object) error { return nil })
		if visited != 2 || truncated || err != nil {
			t.Errorf("with an unreadable object at the end: got visited %d, truncated %t, %v; want 2", visited, truncated, err)
		}
		if _, err := f.Objects.Parse(tx, refs[1]); svc.KindOf(err) != svc.Internal {
			t.Errorf("got %v, want an internal error", err)
		}
		if _, err := f.Objects.Data(tx, []int64{refs[0].N, 999}); err == nil {
			t.Error("got no error for a key without text")
		}
		return nil
	})
}
