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
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
)

// putSeries stores a daily series in a calendar and returns its id.
func putSeries(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar, lines ...string) string {
	f.T.Helper()
	f.Put(v, c, "series.ics", event("series", append([]string{"RRULE:FREQ=DAILY;COUNT=5"}, lines...)...))
	return f.IDAt(c, "series.ics")
}

var titleChange = edit.ObjectChange{Change: edit.Change{Title: svc.Some("Drafted")}}

// draft computes a change before the write transaction.
func draft(f *calendartest.Fixture, v svc.Viewer, id string, in edit.ObjectChange) (d *calendar.Draft) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		d, err = f.Calendar.Draft(tx, v, id, in)
		return err
	})
	return d
}

// patch writes a change with its draft.
func patch(f *calendartest.Fixture, v svc.Viewer, id string, in edit.ObjectChange, d *calendar.Draft) (o view.Object, err error) {
	err = f.TryWrite(func(tx *store.Tx) error {
		w, err := f.Calendar.Patch(tx, v, id, in, d)
		o = w.Object
		return err
	})
	return o, err
}

// A write with a current draft does not read the text of the object. The test
// makes the text unreadable after the draft.
func TestWriteUsesACurrentDraft(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for _, in := range []edit.ObjectChange{
		titleChange,
		{Change: titleChange.Change, Scope: edit.This, RecurrenceID: "2026-12-02T15:00:00Z"},
		{Change: titleChange.Change, Scope: edit.ThisAndFuture, RecurrenceID: "2026-12-03T15:00:00Z"},
	} {
		id := putSeries(f, ann, defaultCal)
		d := draft(f, ann, id, in)
		storetest.Exec(t, f.DB, "UPDATE calendar_data SET data = x'00'")
		if o, err := patch(f, ann, id, in, d); err != nil || o.Title != "Drafted" {
			t.Errorf("scope %q: got %q, %v, want Drafted", in.Scope, o.Title, err)
		}
		storetest.Exec(t, f.DB, "DELETE FROM calendar_object")
	}
	id := putSeries(f, ann, defaultCal)
	deletion := edit.Deletion{Scope: edit.This, RecurrenceID: "2026-12-02T15:00:00Z"}
	var d *calendar.Draft
	f.Read(func(tx *store.Tx) (err error) {
		d, err = f.Calendar.DraftDeletion(tx, ann, id, deletion)
		return err
	})
	storetest.Exec(t, f.DB, "UPDATE calendar_data SET data = x'00'")
	f.Write(func(tx *store.Tx) error { return f.Calendar.Delete(tx, ann, id, deletion, d) })
	if text := f.Text(ann, defaultCal, "series.ics"); !strings.Contains(text, "EXDATE:20261202T150000Z") {
		t.Errorf("got no EXDATE in\n%s", text)
	}
}

// A draft of an object that has changed since is computed again, so that neither
// change is lost. Covers T-39.
func TestOutdatedDraftIsComputedAgain(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	for name, change := range map[string]func(id string){
		"another text":     func(id string) { f.Patch(ann, id, `{"location": "Here"}`) },
		"another calendar": func(id string) { f.Patch(ann, id, `{"calendar_id": "`+work.ID+`", "location": "Here"}`) },
		"another time zone": func(id string) {
			if _, err := update(f, ann, defaultCal.ID, calendar.CalendarChange{Timezone: svc.Some("Asia/Tokyo")}); err != nil {
				t.Fatal(err)
			}
			f.Patch(ann, id, `{"location": "Here"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			id := putSeries(f, ann, defaultCal)
			d := draft(f, ann, id, titleChange)
			change(id)
			o, err := patch(f, ann, id, titleChange, d)
			if err != nil || o.Title != "Drafted" || o.State.Location != "Here" {
				t.Errorf("got %q at %q, %v, want Drafted at Here", o.Title, o.State.Location, err)
			}
			f.Delete(ann, id)
		})
	}
	id := putSeries(f, ann, defaultCal)
	d := draft(f, ann, id, titleChange)
	f.Delete(ann, id)
	_, err := patch(f, ann, id, titleChange, d)
	wantKind(t, "a deleted object", err, svc.Missing)
}

// A draft keeps columns that changed since, if the edit does not depend on them.
// Covers T-23.
func TestDraftKeepsTheDisplayOfAMirror(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := addMirror(f, ann)
	color := edit.ObjectChange{Change: edit.Change{Color: svc.Some("#112233")}}
	d := draft(f, ann, id, color)
	f.Patch(ann, id, `{"local_visibility": "hidden"}`)
	if o, err := patch(f, ann, id, color, d); err != nil || o.State.LocalVisibility != "hidden" || o.State.Color != "#112233" {
		t.Errorf("got visibility %s, color %s, %v, want hidden, #112233", o.State.LocalVisibility, o.State.Color, err)
	}
}

// An edit that was rejected in the draft succeeds if the object has changed so
// that it is valid, and vice versa. Covers T-39.
func TestDraftReportsTheErrorForTheCurrentObject(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := putSeries(f, ann, f.DefaultCalendar(ann))
	end := edit.ObjectChange{Change: edit.Change{End: svc.Some("2026-11-01T09:00:00Z")}}
	d := draft(f, ann, id, end)
	_, err := patch(f, ann, id, end, d)
	calendartest.WantError(t, err, svc.EndBeforeStart, "end")
	f.Patch(ann, id, `{"start": "2026-10-31T09:00:00Z"}`)
	if _, err := patch(f, ann, id, end, d); err != nil {
		t.Errorf("with an earlier start: got %v, want no error", err)
	}
	etag := f.Object(ann, id).State.ETag
	var deletion *calendar.Draft
	in := edit.Deletion{ETag: etag}
	f.Read(func(tx *store.Tx) (err error) {
		deletion, err = f.Calendar.DraftDeletion(tx, ann, id, in)
		return err
	})
	f.Patch(ann, id, `{"title": "Meanwhile"}`)
	err = f.TryWrite(func(tx *store.Tx) error { return f.Calendar.Delete(tx, ann, id, in, deletion) })
	calendartest.WantError(t, err, svc.VersionConflict)
	if o := f.Object(ann, id); o.Title != "Meanwhile" {
		t.Errorf("got %q, want Meanwhile", o.Title)
	}
}

// A change or deletion with an ETag is rejected unless the object has that
// ETag. Covers T-39 and E-02.
func TestOldETagIsRejected(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	o := f.Create(ann, `{"object_type": "task", "title": "One"}`)
	quoted := strings.ReplaceAll(o.State.ETag, `"`, `\"`)
	f.Patch(ann, o.ID, `{"title": "Two", "etag": "`+quoted+`"}`)
	_, err := f.TryPatch(ann, o.ID, `{"title": "Three", "etag": "`+quoted+`"}`)
	calendartest.WantError(t, err, svc.VersionConflict)
	calendartest.WantError(t, f.TryDelete(ann, o.ID, edit.Deletion{ETag: o.State.ETag}), svc.VersionConflict)
	if got := f.Object(ann, o.ID); got.Title != "Two" {
		t.Errorf("got %q, want Two", got.Title)
	}
	if err := f.TryDelete(ann, o.ID, edit.Deletion{ETag: "*"}); err != nil {
		t.Errorf("ETag *: got %v, want no error", err)
	}
}

// An object moves to another calendar that accepts it. It keeps its segment or
// gets a new one. Covers T-04.
func TestObjectMovesToAnotherCalendar(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	id := putSeries(f, ann, defaultCal)
	to := func(c calendar.Calendar) string { return fmt.Sprintf(`{"title": "Moved", "calendar_id": %q}`, c.ID) }
	if o := f.Patch(ann, id, to(work)); o.State.CalendarID != work.ID || o.Title != "Moved" {
		t.Errorf("got %q in %s, want Moved in Work", o.Title, o.State.CalendarName)
	}
	if got := f.Segments(ann, work); !slices.Equal(got, []string{"series.ics"}) || len(f.Segments(ann, defaultCal)) != 0 {
		t.Errorf("got segments %q", got)
	}
	f.Put(ann, defaultCal, "series.ics", event("other"))
	f.Patch(ann, id, to(defaultCal))
	if got := f.Segments(ann, defaultCal); !slices.Contains(got, id+".ics") {
		t.Errorf("got segments %q, want %s.ics", got, id)
	}
	f.Put(ann, work, "same.ics", event("series"))
	var events calendar.Calendar
	f.Write(func(tx *store.Tx) (err error) {
		events, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Tasks", Components: []string{"VTODO"}})
		return err
	})
	for _, c := range []struct {
		name   string
		to     calendar.Calendar
		code   svc.Code
		fields []string
	}{
		{"a calendar with its UID", work, svc.AlreadyExists, []string{"calendar_id"}},
		{"a calendar of tasks", events, svc.ComponentNotSupported, []string{"calendar_id"}},
		{"another member's calendar", f.DefaultCalendar(bea), svc.NotFound, nil},
	} {
		_, err := f.TryPatch(ann, id, to(c.to))
		t.Log(c.name)
		calendartest.WantError(t, err, c.code, c.fields...)
	}
	if o := f.Object(ann, id); o.State.CalendarID != defaultCal.ID {
		t.Errorf("after rejected moves it is in %s, want %s", o.State.CalendarName, defaultCal.Name)
	}
	f.WantCounts()
}

// The rest of a series that is split is a new object, in the calendar that the
// change names. A split at the first occurrence moves the whole series. Covers
// B-56.
func TestRestOfASeriesCanMove(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	occurrences := func(c calendar.Calendar) string {
		return storetest.Rows(t, f.DB, "SELECT count(*) FROM calendar_occurrence WHERE calendar_id = ?", c.ID)[0]
	}
	for _, left := range []int{0, 2} {
		id := putSeries(f, ann, defaultCal)
		at := time.Date(2026, 12, 1+left, 15, 0, 0, 0, time.UTC).Format(time.RFC3339)
		rest := f.Patch(ann, id, fmt.Sprintf(`{"scope": "this_and_future", "recurrence_id": %q, "calendar_id": %q}`, at, work.ID))
		if rest.State.CalendarID != work.ID || (rest.ID == id) != (left == 0) {
			t.Errorf("from %s: got object %s in %s", at, rest.ID, rest.State.CalendarName)
		}
		if got, want := occurrences(defaultCal)+" "+occurrences(work), fmt.Sprint(left, " ", 5-left); got != want {
			t.Errorf("from %s: got %s occurrences, want %s", at, got, want)
		}
		f.Delete(ann, rest.ID)
		if left > 0 {
			f.Delete(ann, id)
		}
	}
}

// A change of one occurrence returns this occurrence. Covers T-13 and B-56.
func TestChangedOccurrenceIsReturned(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	id := putSeries(f, ann, f.DefaultCalendar(ann))
	o := f.Patch(ann, id, `{"title": "One", "scope": "this", "recurrence_id": "2026-12-03T15:00:00Z"}`)
	if o.Title != "One" || o.State.Occurrence == nil || *o.State.Occurrence.RecurrenceID != "2026-12-03T15:00:00" {
		t.Errorf("got %q, occurrence %+v, want One on the third", o.Title, o.State.Occurrence)
	}
	if o := f.Object(ann, id); o.Title != "series" || o.State.Recurrence.Overrides != 1 {
		t.Errorf("got %q with %d overrides, want series with 1", o.Title, o.State.Recurrence.Overrides)
	}
}

// A deletion removes occurrences, or the object when none is left. Covers T-14
// and B-56.
func TestDeletionRemovesOccurrences(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	id := putSeries(f, ann, defaultCal)
	count := func() string { return storetest.Rows(t, f.DB, "SELECT count(*) FROM calendar_occurrence")[0] }
	for _, c := range []struct {
		scope    edit.Scope
		at, want string
	}{
		{edit.This, "2026-12-02T15:00:00Z", "4"}, {edit.ThisAndFuture, "2026-12-04T15:00:00Z", "2"}, {edit.ThisAndFuture, "2026-12-01T15:00:00Z", "0"},
	} {
		if err := f.TryDelete(ann, id, edit.Deletion{Scope: c.scope, RecurrenceID: c.at}); err != nil {
			t.Fatal(err)
		}
		if got := count(); got != c.want {
			t.Errorf("%s from %s: got %s occurrences, want %s", c.scope, c.at, got, c.want)
		}
	}
	if got := f.TrashTitles(ann); !slices.Equal(got, []string{"series"}) {
		t.Errorf("got trash %q, want the series", got)
	}
	_, err := f.TryPatch(ann, id, `{"title": "x"}`)
	wantKind(t, "a change after it", err, svc.Missing)
}

// The member can change only the display and the alarms of a mirror. Covers
// T-22, T-23, T-24 and E-11.
func TestMirrorAllowsOnlyFieldsOfTheMember(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, other := f.DefaultCalendar(ann), f.AddCalendar(ann, "Social")
	id := addMirror(f, ann)
	before := f.Text(ann, defaultCal, id+".ics")
	for _, c := range []struct {
		body   string
		code   svc.Code
		fields string
	}{
		{`{"title": "Lunch", "alarms": [], "start": "2026-12-01T12:00:00", "rrule": "FREQ=DAILY"}`, svc.SocialOwnedField, "rrule start title"},
		{`{"all_day": true}`, svc.SocialOwnedField, "all_day"}, {`{"status": null}`, svc.SocialOwnedField, "status"},
		{`{"color": "#112233", "scope": "this", "recurrence_id": "x"}`, svc.InvalidValue, "scope"},
		{`{"color": "red"}`, svc.InvalidValue, "color"},
	} {
		_, err := f.TryPatch(ann, id, c.body)
		calendartest.WantError(t, err, c.code, strings.Fields(c.fields)...)
	}
	calendartest.WantError(t, f.TryDelete(ann, id, edit.Deletion{}), svc.SocialOwnedField)
	if got := f.Text(ann, defaultCal, id+".ics"); got != before || before == "" {
		t.Errorf("after rejected changes got\n%s\nwant\n%s", got, before)
	}
	for _, c := range []struct{ body, want string }{ // color, visibility, calendar, alarms
		{`{"color": "#AABBCC"}`, "#aabbcc visible Calendar 0"},
		{`{"alarms": [{"trigger": "-PT1H"}]}`, "#aabbcc visible Calendar 1"},
		{`{"local_visibility": "hidden"}`, "#aabbcc hidden Calendar 1"},
		{`{"color": null, "calendar_id": "` + other.ID + `"}`, "#b18216 hidden Social 1"},
		{`{"local_visibility": "visible", "alarms": []}`, "#b18216 visible Social 0"},
	} {
		o := f.Patch(ann, id, c.body)
		if got := fmt.Sprint(o.State.Color, " ", o.State.LocalVisibility, " ", o.State.CalendarName, " ", len(o.State.Alarms)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.body, got, c.want)
		}
	}
	own := f.Create(ann, `{"object_type": "task", "title": "Own"}`).ID
	for field, body := range map[string]string{"color": `{"color": "#112233"}`, "local_visibility": `{"local_visibility": "hidden"}`} {
		_, err := f.TryPatch(ann, own, body)
		calendartest.WantError(t, err, svc.InvalidValue, field)
	}
}
