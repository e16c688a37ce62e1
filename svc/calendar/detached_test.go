package calendar_test

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
	"appliance/svc/calendar/view"
)

// taskList returns the tasks of a member, each with the day of its occurrence and its
// status, open ones first.
func taskList(f *calendartest.Fixture, v svc.Viewer) string {
	f.T.Helper()
	var list []string
	f.Read(func(tx *store.Tx) error {
		page, err := f.Index.Tasks(tx, v, time.UTC, "", 0, "")
		for _, o := range page.Objects {
			list = append(list, fmt.Sprint(o.Title, " ", *o.State.Occurrence.End.Date, " ", o.State.Status))
		}
		return err
	})
	return strings.Join(list, ", ")
}

// sameParts reports whether two lists have the same parts in any order.
func sameParts(a, b string) bool {
	return slices.Equal(slices.Sorted(strings.SplitSeq(a, ", ")), slices.Sorted(strings.SplitSeq(b, ", ")))
}

// occurrenceOf returns an occurrence of an object.
func occurrenceOf(f *calendartest.Fixture, v svc.Viewer, id, recurrenceID string) (o view.Object, err error) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		o, err = f.Calendar.Occurrence(tx, v, id, recurrenceID)
		return nil
	})
	return o, err
}

const weeklyBins = `{"object_type": "task", "title": "Bins", "due": "2026-11-12", "rrule": "FREQ=WEEKLY"}`

// A completed occurrence is listed as a task of its own, and found by its place in the
// series. Reopening it there returns it to the series. Each request can be repeated.
// Covers B-113.
func TestCompletedOccurrenceIsATaskOfItsOwn(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := f.Create(ann, weeklyBins).ID
	const first = `{"scope": "this", "recurrence_id": "2026-11-12", "status": %q}`
	for range 2 {
		done := f.Patch(ann, id, fmt.Sprintf(first, "completed"))
		if done.ID == id || done.State.Status != "completed" || done.State.Recurrence.IsRecurring {
			t.Errorf("got the object %s with the status %s, want the completed occurrence", done.ID, done.State.Status)
		}
		if o, err := occurrenceOf(f, ann, id, "2026-11-12"); err != nil || o.ID != done.ID {
			t.Errorf("got the occurrence %s, %v; want %s", o.ID, err, done.ID)
		}
		if got, want := taskList(f, ann), "Bins 2026-11-19 needs_action, Bins 2026-11-12 completed"; got != want {
			t.Errorf("completed: got %s, want %s", got, want)
		}
	}
	for range 2 {
		open := f.Patch(ann, id, fmt.Sprintf(first, "needs_action"))
		if open.ID != id || *open.State.Occurrence.RecurrenceID != "2026-11-12" || open.State.Status != "needs_action" {
			t.Errorf("got the object %s with the status %s, want the occurrence of the series", open.ID, open.State.Status)
		}
		if got, want := taskList(f, ann), "Bins 2026-11-12 needs_action"; got != want {
			t.Errorf("reopened: got %s, want %s", got, want)
		}
	}
	if trashed := f.TrashTitles(ann); len(trashed) > 0 {
		t.Errorf("got %q in the trash, want nothing", trashed)
	}
	f.WantCounts()
}

// A change of an occurrence that has left its series applies to the task that it became.
func TestChangeOfACompletedOccurrenceAppliesToItsTask(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := f.Create(ann, weeklyBins).ID
	for _, day := range []string{"2026-11-12", "2026-11-19"} {
		f.Patch(ann, id, fmt.Sprintf(`{"scope": "this", "recurrence_id": %q, "status": "completed"}`, day))
	}
	f.Patch(ann, id, `{"scope": "this", "recurrence_id": "2026-11-12", "title": "Blue bin"}`)
	if got, want := taskList(f, ann), "Bins 2026-11-26 needs_action, Blue bin 2026-11-12 completed, Bins 2026-11-19 completed"; got != want {
		t.Errorf("renamed: got %s, want %s", got, want)
	}
	first, err := occurrenceOf(f, ann, id, "2026-11-12")
	if err != nil {
		t.Fatal(err)
	}
	f.Patch(ann, first.ID, `{"status": "needs_action"}`)
	f.Patch(ann, id, `{"scope": "this", "recurrence_id": "2026-11-12", "status": "needs_action"}`) // it is open already
	if got, want := taskList(f, ann), "Blue bin 2026-11-12 needs_action, Bins 2026-11-26 needs_action, Bins 2026-11-19 completed"; !sameParts(got, want) {
		t.Errorf("reopened as a task: got %s, want %s", got, want)
	}
	f.Delete(ann, first.ID)
	for _, change := range []string{`"status": "needs_action"`, `"status": "completed"`, `"title": "x"`} {
		_, err := f.TryPatch(ann, id, `{"scope": "this", "recurrence_id": "2026-11-12", `+change+`}`)
		calendartest.WantError(t, err, svc.NotFound, "recurrence_id")
	}
	_, err = f.TryPatch(ann, id, `{"scope": "this", "recurrence_id": "2026-11-13", "status": "needs_action"}`)
	calendartest.WantError(t, err, svc.NotFound, "recurrence_id")
}

// Completing all occurrences up to today, and taking it back. The clock is at Saturday,
// 21 November 2026.
func TestAllOccurrencesUpToTodayAreCompleted(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := f.Create(ann, strings.Replace(weeklyBins, "2026-11-12", "2026-10-01", 1)).ID
	f.Patch(ann, id, `{"scope": "up_to_today", "recurrence_id": "2026-10-01", "status": "completed"}`)
	if got, want := taskList(f, ann), "Bins 2026-11-26 needs_action, Bins 2026-10-01 completed"; got != want {
		t.Errorf("completed: got %s, want %s", got, want)
	}
	f.Patch(ann, id, `{"scope": "up_to_today", "recurrence_id": "2026-10-01", "status": "needs_action"}`)
	if got, want := taskList(f, ann), "Bins 2026-10-01 needs_action"; got != want {
		t.Errorf("reopened: got %s, want %s", got, want)
	}
}

// Completing an occurrence is one write: a full calendar keeps the series as it was.
func TestCompletionIsAllOrNothing(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := f.Create(ann, weeklyBins).ID
	f.Objects.Quota.Objects = 1
	_, err := f.TryPatch(ann, id, `{"scope": "this", "recurrence_id": "2026-11-12", "status": "completed"}`)
	if err == nil {
		t.Error("got no error for a calendar that is full")
	}
	if got, want := taskList(f, ann), "Bins 2026-11-12 needs_action"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Only a member who may change the calendar completes and reopens an occurrence.
func TestReaderCannotReopenACompletedOccurrence(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := f.Create(ann, weeklyBins).ID
	const change = `{"scope": "this", "recurrence_id": "2026-11-12", "status": %q}`
	f.Patch(ann, id, fmt.Sprintf(change, "completed"))
	storetest.Exec(t, f.DB, "UPDATE calendar_access SET role = 'read'")
	for _, status := range []string{"completed", "needs_action"} {
		if _, err := f.TryPatch(ann, id, fmt.Sprintf(change, status)); err == nil {
			t.Errorf("%s: got no error for a reader", status)
		}
	}
}
