package object_test

import (
	"fmt"
	"slices"
	"testing"

	"appliance/store"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/object"
)

// Apply adds, replaces and restores objects in one write. A restored object gets another segment
// if its own is taken, and leaves the trash. Covers B-118.
func TestApplyAddsReplacesAndRestoresObjects(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	c := f.DefaultCalendar(ann)
	f.Put(ann, c, "kept.ics", event("kept", 10))
	f.Put(ann, c, "gone.ics", event("gone", 20))
	f.Write(func(tx *store.Tx) error {
		return f.Collections.Delete(tx, ann, c.Segment, "gone.ics", calendartest.NoPrecondition)
	})
	f.Put(ann, c, "gone.ics", event("other", 30))

	want := map[string]string{"kept": event("kept", 40), "gone": event("gone", 50), "new": event("new", 60)}
	f.Write(func(tx *store.Tx) error {
		calendar, err := f.Objects.WritableCalendar(tx, ann.Member(), c.ID)
		if err != nil {
			return err
		}
		found, err := f.Objects.Presences(tx, ann.Member(), calendar, []string{"kept", "gone", "new"})
		if err != nil {
			return err
		}
		changes := object.Changes{Added: []*object.Prepared{prepareText(t, want["new"])}}
		for _, p := range found {
			prepared := prepareText(t, want[p.UID])
			if !p.IsTrashed {
				changes.Replaced = append(changes.Replaced, object.Replacement{Presence: p, Prepared: prepared})
				continue
			}
			if !p.Taken {
				t.Error("the segment of the object in the trash: got a free one, want a taken one")
			}
			err := f.Objects.EachTrashed(tx, []object.Ref{p.Ref}, func(_ int, o object.TrashedObject) error {
				if got := string(o.Data); got != event("gone", 20) {
					t.Errorf("the object in the trash: got %q", got)
				}
				changes.Restored = append(changes.Restored, object.Restoration{Presence: p, Properties: o.Properties, Prepared: prepared})
				return nil
			})
			if err != nil {
				return err
			}
		}
		if len(changes.Replaced) != 1 || len(changes.Restored) != 1 {
			t.Errorf("got %d objects in the calendar and %d in the trash, want one each", len(changes.Replaced), len(changes.Restored))
		}
		return f.Objects.Apply(tx, calendar, changes)
	})

	f.Read(func(tx *store.Tx) error {
		calendar, err := f.Objects.WritableCalendar(tx, ann.Member(), c.ID)
		if err != nil {
			return err
		}
		found, err := f.Objects.Presences(tx, ann.Member(), calendar, []string{"kept", "gone", "new", "other"})
		var refs []object.Ref
		var uids []string
		for _, p := range found {
			if p.IsTrashed || p.UID == "gone" && p.Segment != p.ID+".ics" {
				t.Errorf("%s: got the segment %s, in the trash: %t", p.UID, p.Segment, p.IsTrashed)
			}
			refs, uids = append(refs, p.Ref), append(uids, p.UID)
		}
		if err != nil {
			return err
		}
		err = f.Objects.Each(tx, refs, func(i int, text []byte) error {
			if w, ok := want[uids[i]]; ok && string(text) != w {
				t.Errorf("%s: got %q, want %q", uids[i], text, w)
			}
			return nil
		})
		slices.Sort(uids)
		if got := fmt.Sprint(uids); got != "[gone kept new other]" {
			t.Errorf("got the UIDs %s", got)
		}
		return err
	})
	f.WantCounts()
}
