package calendar_test

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/edit"
)

// A write invalidates the datasets of all members who can read the calendar
// before or after the write, and of no other members. Covers PT-07.
func TestWritesInvalidateTheDatasetsOfReaders(t *testing.T) {
	f := calendartest.New(t)
	ann, bea, cid := f.Member("ann"), f.Member("bea"), f.Member("cid")
	defaultCal, shared, other := f.DefaultCalendar(ann), f.AddCalendar(ann, "Shared"), f.AddCalendar(ann, "Other")
	share(f, bea, shared)
	id := f.Create(ann, fmt.Sprintf(`{"object_type": "task", "title": "x", "calendar_id": %q}`, shared.ID)).ID
	segment, private := id+".ics", f.AddCalendar(ann, "Private")
	f.Put(ann, private, "p.ics", event("p"))
	mirrored := addMirror(f, bea)
	const none, owner, reader = false, true, true
	write := func(fn func(tx *store.Tx) error) func() { return func() { f.Write(fn) } }
	place := func(c calendar.Calendar, segment string) collection.Place {
		return collection.Place{Calendar: c.Segment, Segment: segment}
	}
	copyTo := func(from, to collection.Place, move bool) func() {
		return write(func(tx *store.Tx) error {
			_, err := f.Collections.Copy(tx, ann, from, to, collection.CopyRequest{Move: move}, calendartest.NoPrecondition)
			return err
		})
	}
	for _, c := range []struct {
		name     string
		write    func()
		ann, bea bool
	}{
		{"PUT to a shared calendar", func() { f.Put(ann, shared, "a.ics", event("a")) }, owner, reader},
		{"PUT to a private calendar", func() { f.Put(ann, defaultCal, "b.ics", event("b")) }, owner, none},
		{"change", func() { f.Patch(ann, id, `{"title": "y"}`) }, owner, reader},
		{"move out of a shared calendar", func() { f.Patch(ann, id, `{"calendar_id": "`+other.ID+`"}`) }, owner, reader},
		{"change in a private calendar", func() { f.Patch(ann, id, `{"title": "z"}`) }, owner, none},
		{"MOVE to a shared calendar", copyTo(place(other, segment), place(shared, segment), true), owner, reader},
		{"COPY to a shared calendar", copyTo(place(defaultCal, "b.ics"), place(shared, "b.ics"), false), owner, reader},
		{"MOVE out of a shared calendar", copyTo(place(shared, "a.ics"), place(defaultCal, "a.ics"), true), owner, reader},
		{"deletion", func() { f.Delete(ann, id) }, owner, reader},
		{"restore", write(func(tx *store.Tx) error {
			_, _, err := f.Calendar.Restore(tx, ann, id, "")
			return err
		}), owner, reader},
		{"name of a calendar", write(func(tx *store.Tx) error {
			_, err := f.Calendar.UpdateCalendar(tx, ann, shared.ID, calendar.CalendarChange{Name: svc.Some("Team")})
			return err
		}), owner, reader},
		{"visibility for one member", write(func(tx *store.Tx) error {
			_, err := f.Calendar.UpdateCalendar(tx, bea, shared.ID, calendar.CalendarChange{Visible: svc.Some(false)})
			return err
		}), none, reader},
		{"new calendar", func() { f.AddCalendar(ann, "New") }, owner, none},
		{"display of a mirror", func() { f.Patch(bea, mirrored, `{"local_visibility": "hidden"}`) }, none, reader},
		{"sync of a mirror", write(func(tx *store.Tx) error {
			_, err := f.Mirrors.SyncEvents(tx, svc.EventSync{EventID: "evt_1", Revision: 2, Deleted: true})
			return err
		}), none, reader},
		{"deletion of a private calendar with a move to a shared one", write(func(tx *store.Tx) error {
			_, err := f.Calendar.DeleteCalendar(tx, ann, private.ID, shared.ID)
			return err
		}), owner, reader},
		{"deletion of a shared calendar", write(func(tx *store.Tx) error {
			_, err := f.Calendar.DeleteCalendar(tx, ann, shared.ID, other.ID)
			return err
		}), owner, reader},
		{"restore of a calendar", write(func(tx *store.Tx) error {
			_, _, err := f.Calendar.Restore(tx, ann, shared.ID, "")
			return err
		}), owner, none},
		{"rejected write", func() {
			if err := f.TryDelete(ann, id, edit.Deletion{ETag: `"old"`}); err == nil {
				t.Error("got no error for an old ETag")
			}
		}, none, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			revisions := func() (list [3]int64) {
				f.Read(func(tx *store.Tx) error {
					for i, v := range []svc.Viewer{ann, bea, cid} {
						list[i] = tx.Revisions(int64(v.Member())).Of(svc.TimeTopic)
					}
					return nil
				})
				return list
			}
			before := revisions()
			c.write()
			after := revisions()
			for i, want := range []bool{c.ann, c.bea, false} {
				if got := after[i] != before[i]; got != want {
					t.Errorf("member %d: got invalidated %t, want %t", i+1, got, want)
				}
			}
		})
	}
}
