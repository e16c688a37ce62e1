package index_test

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
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
)

func tasks(f *calendartest.Fixture, v svc.Viewer, status edit.TaskStatus, limit int, cursor string) (p index.Page, err error) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		p, err = f.Index.Tasks(tx, v, time.UTC, status, limit, cursor)
		return nil
	})
	return p, err
}

// Pages of tasks contain each task once, open ones first, or only the tasks with
// a given status. Covers PT-30 for tasks.
func TestTasksAreListedOpenOnesFirst(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for i := range 4 {
		f.Create(ann, fmt.Sprintf(`{"object_type": "task", "title": "done %d", "status": %q}`, i, []string{"completed", "cancelled"}[i%2]))
		f.Create(ann, fmt.Sprintf(`{"object_type": "task", "title": "open %d"}`, i))
	}
	for _, c := range []struct {
		status string
		want   []string
	}{
		{"", []string{"open 0", "open 1", "open 2", "open 3", "done 0", "done 1", "done 2", "done 3"}},
		{"needs_action", []string{"open 0", "open 1", "open 2", "open 3"}},
		{"completed", []string{"done 0", "done 2"}},
		{"cancelled", []string{"done 1", "done 3"}},
		{"in_process", nil},
	} {
		t.Run("status "+c.status, func(t *testing.T) {
			var got []string
			for cursor := ""; ; {
				page, err := tasks(f, ann, edit.TaskStatus(c.status), 3, cursor)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, titles(page.Objects)...)
				if page.Page.NextCursor == nil {
					break
				}
				cursor = *page.Page.NextCursor
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	_, err := tasks(f, ann, "", 0, "abc")
	calendartest.WantError(t, err, svc.InvalidParameter, "cursor")
}

// A page of tasks ends early if they have much text.
func TestPagesOfTasksAreLimitedByText(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	const count = 120
	var stored []calendartest.StoredObject
	for i := range count {
		uid := fmt.Sprint("t", i)
		text := icstest.Object("VTODO", uid, "SUMMARY:"+uid, "DESCRIPTION:"+strings.Repeat("字", 8000),
			"CATEGORIES:"+strings.Repeat(strings.Repeat("字", 80)+",", 199)+"d")
		stored = append(stored, calendartest.StoredObject{Calendar: defaultCal.Segment, Segment: uid, Object: icstest.Parse(t, text)})
	}
	f.PutAll(ann, stored)
	first, err := tasks(f, ann, "", svc.MaxLimit, "")
	if n := len(first.Objects); err != nil || n < 2 || n >= count || first.Page.NextCursor == nil {
		t.Fatalf("the first page has %d tasks, %v; want fewer than %d", n, err, count)
	}
	got := titles(first.Objects)
	for cursor := first.Page.NextCursor; cursor != nil; {
		page, err := tasks(f, ann, "", svc.MaxLimit, *cursor)
		if err != nil {
			t.Fatal(err)
		}
		got, cursor = append(got, titles(page.Objects)...), page.Page.NextCursor
	}
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != count || len(got) != count {
		t.Errorf("got %d tasks, %d different; want %d", len(got), n, count)
	}
}

// A recurring task that was just completed is listed with its next occurrence.
func TestRecurringTaskIsListedWithItsNextOpenOccurrence(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := f.Create(ann, `{"object_type": "task", "title": "Bins", "due": "2026-11-25", "rrule": "FREQ=WEEKLY;COUNT=3"}`).ID
	for _, want := range []string{"2026-11-25", "2026-12-02", "2026-12-09"} {
		page, err := tasks(f, ann, edit.TaskNeedsAction, 0, "")
		if err != nil || len(page.Objects) != 1 || recurrenceID(page.Objects[0]) != want {
			t.Fatalf("got the open tasks %q, the first with the occurrence %q, %v; want one with %q", titles(page.Objects), recurrenceID(page.Objects[0]), err, want)
		}
		f.Patch(ann, id, fmt.Sprintf(`{"scope": "this", "recurrence_id": %q, "status": "completed"}`, want))
	}
	page, err := tasks(f, ann, "", 0, "")
	if err != nil || len(page.Objects) != 3 || slices.ContainsFunc(page.Objects, func(o view.Object) bool { return !o.State.IsDone() }) {
		t.Errorf("got the tasks %q, %v; want three that are done", titles(page.Objects), err)
	}
}

// A dataset has the open tasks in the order of their first open occurrences, also past
// ones, and does not change when one of them ends. Covers B-113.
func TestUpcomingTasksAreOrderedByTheirFirstOpenOccurrence(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for uid, lines := range map[string]string{
		"weekly, missed":    "DTSTART:20261112T093000Z\r\nDUE:20261112T100000Z\r\nRRULE:FREQ=WEEKLY",
		"yearly, missed":    "DTSTART:20191112T093000Z\r\nDUE:20191112T100000Z\r\nRRULE:FREQ=YEARLY",
		"daily, from today": "DTSTART:20261121T093000Z\r\nDUE:20261121T100000Z\r\nRRULE:FREQ=DAILY",
		"completed by KDE":  "DTSTART:20261112T093000Z\r\nDUE:20261112T100000Z\r\nRRULE:FREQ=WEEKLY\r\nX-KDE-LIBKCAL-DTRECURRENCE:20261126T093000Z",
		"once":              "DTSTART:20261120T093000Z\r\nDUE:20261120T100000Z",
	} {
		f.Put(ann, defaultCal, uid+".ics", icstest.Object("VTODO", uid, "SUMMARY:"+uid, lines))
	}
	f.Read(func(tx *store.Tx) error {
		u, err := f.Index.Upcoming(tx, ann, time.UTC)
		if err != nil {
			return err
		}
		var ids []string
		for _, e := range u.Entries {
			ids = append(ids, e.ID)
		}
		list, _, err := f.Index.Load(tx, ann, time.UTC, ids)
		slices.SortFunc(list, func(a, b view.Object) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
		if got, want := titles(list), []string{"yearly, missed", "weekly, missed", "once", "daily, from today", "completed by KDE"}; !slices.Equal(got, want) {
			t.Errorf("got the order %q, want %q", got, want)
		}
		if want := storetest.Start.Truncate(24*time.Hour).AddDate(0, 0, 1); !u.Until.Equal(want) {
			t.Errorf("got a change at %v, want midnight, %v", u.Until, want)
		}
		return err
	})
}

// The sources of a range are all open tasks and the events with an occurrence
// in it. The source of an event has the first of these occurrences that is not
// over, or else the last one. Covers T-32, T-33 and B-61.
func TestSourcesAreEventsInTheRangeAndOpenTasks(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "choir.ics", icstest.Event("choir", "DTSTART;TZID=Europe/Berlin:20261102T190000", "DURATION:PT2H", "RRULE:FREQ=WEEKLY", "SUMMARY:Choir"))
	f.Put(ann, defaultCal, "dentist.ics", icstest.Event("dentist", "DTSTART:20261125T100000Z", "SUMMARY:Dentist"))
	f.Put(ann, defaultCal, "taxes.ics", icstest.Object("VTODO", "taxes", "SUMMARY:Taxes"))
	f.Put(ann, defaultCal, "done.ics", icstest.Object("VTODO", "done", "SUMMARY:Done", "STATUS:COMPLETED", "COMPLETED:20200101T000000Z", "DTSTART:20200101T000000Z"))
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, c := range []struct {
		name     string
		member   svc.Viewer
		from, to string
		want     []string
	}{
		{"now", ann, "2026-11-14", "2027-01-20", []string{"Choir 2026-11-23", "Dentist", "Taxes"}},
		{"later", ann, "2027-07-20", "2027-08-10", []string{"Choir 2027-07-26", "Taxes"}},
		{"earlier", ann, "2026-11-01", "2026-11-20", []string{"Choir 2026-11-16", "Taxes"}},
		{"of another member", bea, "2026-11-14", "2027-01-20", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			f.Read(func(tx *store.Tx) error {
				sources, truncated, err := f.Index.Sources(tx, c.member, time.UTC, day(c.from), day(c.to), updateActions)
				for _, s := range append(sources.Appointments, sources.Tasks...) {
					id := recurrenceID(view.Object{State: s.State})
					got = append(got, strings.TrimSpace(s.Title+" "+id[:min(len(id), len(time.DateOnly))]))
				}
				if truncated {
					t.Error("got truncated sources")
				}
				return err
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	f.Read(func(tx *store.Tx) error {
		_, _, err := f.Index.Sources(tx, ann, time.UTC, day("2026-12-02"), day("2026-12-01"), updateActions)
		calendartest.WantError(t, err, svc.InvalidParameter, "end")
		return nil
	})
}

// updateActions returns the domain_actions of an object that its permissions
// allow.
func updateActions(o view.Object) (names svc.List[string]) {
	if o.Permissions.CanUpdate {
		names = append(names, "update")
	}
	return names
}

// A source has the actions of its object.
func TestSourcesHaveTheActionsOfTheirObject(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	f.Put(ann, f.DefaultCalendar(ann), "a.ics", icstest.Event("a", "DTSTART:20261125T100000Z", "SUMMARY:Event"))
	for _, c := range []struct {
		name, role string
		want       []string
	}{
		{"owner", "owner", []string{"update"}},
		{"reader", "read", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			storetest.Exec(t, f.DB, "UPDATE calendar_access SET role = ?", c.role)
			f.Read(func(tx *store.Tx) error {
				list, _, err := f.Index.Sources(tx, ann, time.UTC, f.Clock.Now(), f.Clock.Now().AddDate(0, 1, 0), updateActions)
				if len(list.Appointments) != 1 || !slices.Equal(list.Appointments[0].DomainActions, c.want) {
					t.Errorf("got %+v, want one with the actions %q", list.Appointments, c.want)
				}
				return err
			})
		})
	}
}

// The version of an entry changes with its object and with the occurrence to
// show, and not otherwise.
func TestVersionChangesWithTheShownOccurrence(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "daily.ics", icstest.Event("daily", "DTSTART:20261101T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"))
	version := func() (v string) {
		f.Read(func(tx *store.Tx) error {
			u, err := f.Index.Upcoming(tx, ann, time.UTC)
			if len(u.Entries) > 0 {
				v = u.Entries[0].Version
			}
			return err
		})
		return v
	}
	for _, c := range []struct {
		name   string
		change func()
		want   bool // the version changes
	}{
		{"an hour later", func() { f.Clock.Advance(time.Hour) }, false},
		{"another object", func() { f.Put(ann, defaultCal, "other.ics", icstest.Event("other", "DTSTART:20270101T100000Z")) }, false},
		{"a day later", func() { f.Clock.Advance(24 * time.Hour) }, true},
		{"a change", func() { f.Patch(ann, f.IDAt(defaultCal, "daily.ics"), `{"title": "Daily"}`) }, true},
	} {
		before := version()
		c.change()
		if got := version() != before; got != c.want {
			t.Errorf("%s: version changed: got %t, want %t", c.name, got, c.want)
		}
	}
}

// Load omits objects that the member cannot see.
func TestLoadOmitsInaccessibleObjects(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	own := f.Create(ann, `{"object_type": "task", "title": "Own"}`)
	other := f.Create(bea, `{"object_type": "task", "title": "Bea's"}`)
	deleted := f.Create(ann, `{"object_type": "task", "title": "Deleted"}`)
	if err := f.TryDelete(ann, deleted.ID, edit.Deletion{}); err != nil {
		t.Fatal(err)
	}
	f.Read(func(tx *store.Tx) error {
		list, truncated, err := f.Index.Load(tx, ann, time.UTC, []string{own.ID, other.ID, deleted.ID, "obj_unknown"})
		if got := titles(list); truncated || !slices.Equal(got, []string{"Own"}) {
			t.Errorf("got %q, truncated %t; want only Own", got, truncated)
		}
		return err
	})
}

// A workspace is valid until midnight, until a task in it becomes overdue and, in the
// tasks view, until another occurrence of a task is the next one.
func TestWorkspaceIsValidUntilItChanges(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	in := func(hours int) time.Time { return storetest.Start.Add(time.Duration(hours) * time.Hour) }
	midnight := storetest.Start.Truncate(24*time.Hour).AddDate(0, 0, 1)
	until := func(view index.View) (at time.Time) {
		f.Read(func(tx *store.Tx) error {
			w, err := f.Index.Workspace(tx, ann, index.WorkspaceQuery{View: view, Zone: time.UTC})
			if err != nil {
				return err
			}
			_, due, err := f.Index.DueTasks(tx, ann, time.UTC)
			if err == nil {
				at, err = f.Index.ValidUntil(tx, ann, w, due)
			}
			return err
		})
		return at.UTC()
	}
	check := func(about string, want map[index.View]time.Time) {
		t.Helper()
		for view, at := range want {
			if got := until(view); !got.Equal(at) {
				t.Errorf("%s: the view %s is valid until %v, want %v", about, view, got, at)
			}
		}
	}
	check("nothing", map[index.View]time.Time{index.MonthView: midnight, index.TasksView: midnight})
	const local = "2006-01-02T15:04:05"
	f.Create(ann, fmt.Sprintf(`{"object_type": "calendar_event", "title": "Tea", "start": %q, "end": %q, "timezone": "UTC"}`, in(1).Format(local), in(2).Format(local)))
	check("an event", map[index.View]time.Time{index.MonthView: midnight, index.TasksView: in(2)})
	f.Create(ann, fmt.Sprintf(`{"object_type": "task", "title": "Taxes", "due": %q, "timezone": "UTC"}`, in(1).Format(local)))
	check("a task", map[index.View]time.Time{index.MonthView: in(1), index.WeekView: in(1), index.TasksView: in(1)})
}
