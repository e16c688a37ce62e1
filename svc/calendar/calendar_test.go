package calendar_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
)

// event returns an event on 1 December 2026.
func event(uid string, lines ...string) string {
	return icstest.Event(uid, append([]string{"DTSTART:20261201T150000Z", "SUMMARY:" + uid}, lines...)...)
}

// calendars returns the calendars of v in their order.
func calendars(f *calendartest.Fixture, v svc.Viewer) (list []calendar.Calendar) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		list, err = f.Calendar.Calendars(tx, v)
		return err
	})
	return list
}

// names returns the names of the calendars of v in their order.
func names(f *calendartest.Fixture, v svc.Viewer) (list []string) {
	f.T.Helper()
	for _, c := range calendars(f, v) {
		list = append(list, c.Name)
	}
	return list
}

// update changes a calendar and returns the changed calendar and the error.
func update(f *calendartest.Fixture, v svc.Viewer, id string, change calendar.CalendarChange) (c calendar.Calendar, err error) {
	err = f.TryWrite(func(tx *store.Tx) error {
		c, err = f.Calendar.UpdateCalendar(tx, v, id, change)
		return err
	})
	return c, err
}

// deleteCalendar deletes a calendar and returns how many objects moved to another one.
func deleteCalendar(f *calendartest.Fixture, v svc.Viewer, id, moveTo string) (moved int, err error) {
	return f.DeleteCalendar(v, id, moveTo)
}

// share gives a member read access to a calendar.
func share(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar) {
	f.T.Helper()
	storetest.Exec(f.T, f.DB, "INSERT INTO calendar_access VALUES (?, ?, 'read', 'shared', 5, 1)", v.Member(), c.ID)
}

// addMirror adds a mirror of an event to the default calendar of v and returns its
// id.
func addMirror(f *calendartest.Fixture, v svc.Viewer) string {
	f.T.Helper()
	f.Write(func(tx *store.Tx) error {
		_, err := f.Mirrors.Push(tx, mirror.EventPush{
			Operation: "create", EventID: "evt_1", Revision: 1, Audience: []svc.Attendee{{MemberID: v.Member(), RSVP: "going", Role: "guest"}},
			Event: mirror.PushedEvent{Title: "Dinner", Start: "2026-12-24T18:00:00", Timezone: "UTC", Status: "scheduled", Host: svc.EventHost{ID: v.Member()}},
		})
		return err
	})
	return storetest.Rows(f.T, f.DB, `SELECT o.id FROM calendar_object AS o JOIN calendar_calendar AS c ON c.id = o.calendar_id
		WHERE o.source_service IS NOT NULL AND c.owner_id = ?`, v.Member())[0]
}

func wantKind(t testing.TB, name string, err error, kind svc.Kind) {
	t.Helper()
	if err == nil || svc.KindOf(err) != kind {
		t.Errorf("%s: got error %v of kind %d, want kind %d", name, err, svc.KindOf(err), kind)
	}
}

// A new member has one calendar, which is the default, in the member's time zone
// and with all components. Covers T-02, B-55 and B-94.
func TestNewMemberHasADefaultCalendar(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	list := calendars(f, ann)
	if len(list) != 1 {
		t.Fatalf("got %d calendars, want 1", len(list))
	}
	got := list[0]
	if got.Name != "Calendar" || !got.IsDefault || got.Timezone != "Europe/Berlin" || got.Color != "#4e7cfe" || !got.Visible || got.ReadOnly ||
		!slices.Equal(got.Components, ics.ObjectComponents) || got.CalDAVPath != "/caldav/1/calendars/"+got.ID+"/" {
		t.Errorf("got %+v", got)
	}
}

// A calendar gets the time zone of its owner, the next color and
// the last position unless the member chooses others. Covers T-02 and T-40.
func TestCreatedCalendarHasDefaults(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for _, c := range []struct {
		in   calendar.NewCalendar
		want string // color, time zone, position, components, path
	}{
		{calendar.NewCalendar{Name: "Work"}, "#b18216 Europe/Berlin 1 [VEVENT VTODO VJOURNAL VFREEBUSY] true"},
		{calendar.NewCalendar{Name: "Trips", Color: "#AABBCC", Timezone: "Asia/Tokyo", Order: new(7), Components: []string{"VJOURNAL"}, Segment: "trips"},
			"#aabbcc Asia/Tokyo 7 [VJOURNAL] false"},
		{calendar.NewCalendar{Name: "Last"}, "#212e42 Europe/Berlin 8 [VEVENT VTODO VJOURNAL VFREEBUSY] true"},
	} {
		f.Write(func(tx *store.Tx) error {
			got, err := f.Calendar.CreateCalendar(tx, ann, c.in)
			if text := fmt.Sprint(got.Color, " ", got.Timezone, " ", got.Order, " ", got.Components, " ", got.Segment == got.ID); text != c.want {
				t.Errorf("%s: got %s, want %s", c.in.Name, text, c.want)
			}
			return err
		})
	}
	if got, want := names(f, ann), []string{"Calendar", "Work", "Trips", "Last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	err := f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Other", Segment: "trips"})
		return err
	})
	if !errors.Is(err, object.ErrTaken) {
		t.Errorf("a segment that is taken: got %v, want ErrTaken", err)
	}
}

// A rejected write of a calendar names the field and changes nothing. Covers
// T-02, T-03, T-40, B-02 and B-55.
func TestRejectedWritesOfCalendarsChangeNothing(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, work, theirs := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work"), f.DefaultCalendar(bea)
	someString := svc.Some[string]
	create := func(c calendar.NewCalendar) error {
		return f.TryWrite(func(tx *store.Tx) error {
			_, err := f.Calendar.CreateCalendar(tx, ann, c)
			return err
		})
	}
	change := func(id string, c calendar.CalendarChange) error {
		_, err := update(f, ann, id, c)
		return err
	}
	deleteCalendar := func(id, moveTo string) error {
		_, err := deleteCalendar(f, ann, id, moveTo)
		return err
	}
	const query = "SELECT * FROM calendar_calendar JOIN calendar_access ON calendar_id = id ORDER BY id"
	before := storetest.Rows(t, f.DB, query)
	for _, c := range []struct {
		name  string
		err   error
		code  svc.Code
		field string
	}{
		{"no name", create(calendar.NewCalendar{}), svc.FieldRequired, "name"},
		{"a long name", create(calendar.NewCalendar{Name: strings.Repeat("x", 81)}), svc.TooLong, "name"},
		{"an invalid color", create(calendar.NewCalendar{Name: "x", Color: "red"}), svc.InvalidValue, "color"},
		{"an unknown time zone", create(calendar.NewCalendar{Name: "x", Timezone: "Mars/X"}), svc.InvalidValue, "timezone"},
		{"a change to no name", change(work.ID, calendar.CalendarChange{Name: someString("")}), svc.FieldRequired, "name"},
		{"a change to an invalid color", change(work.ID, calendar.CalendarChange{Color: someString("#12345")}), svc.InvalidValue, "color"},
		{"a change with an old ETag", change(work.ID, calendar.CalendarChange{Name: someString("x"), ETag: `"old"`}), svc.VersionConflict, ""},
		{"a change of no calendar", change("cal_none", calendar.CalendarChange{Name: someString("x")}), svc.NotFound, ""},
		{"a change of another member's", change(theirs.ID, calendar.CalendarChange{Name: someString("x")}), svc.NotFound, ""},
		{"deletion of the default calendar", deleteCalendar(defaultCal.ID, ""), svc.DefaultCalendar, ""},
		{"deletion into itself", deleteCalendar(work.ID, work.ID), svc.InvalidValue, "move_to"},
		{"deletion into no calendar", deleteCalendar(work.ID, "cal_none"), svc.NotFound, ""},
		{"deletion into another member's", deleteCalendar(work.ID, theirs.ID), svc.NotFound, ""},
		{"deletion of another member's", deleteCalendar(theirs.ID, ""), svc.NotFound, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fields []string
			if c.field != "" {
				fields = []string{c.field}
			}
			calendartest.WantError(t, c.err, c.code, fields...)
		})
	}
	if after := storetest.Rows(t, f.DB, query); !slices.Equal(after, before) {
		t.Errorf("got\n%q\nwant\n%q", after, before)
	}
}

// A change sets the fields that it names; null restores a default. Covers T-02
// and T-39.
func TestCalendarChangeSetsItsFields(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	some, null := svc.Some[string], svc.Optional[string]{Set: true, Null: true}
	for _, c := range []struct {
		change calendar.CalendarChange
		want   string // name, description, color, time zone, position, visible
	}{
		{calendar.CalendarChange{Name: some("Office"), Color: some("#00FF00")}, "Office,,#00ff00,Europe/Berlin,1,true"},
		{calendar.CalendarChange{Description: some("Desk"), Timezone: some("UTC")}, "Office,Desk,#00ff00,UTC,1,true"},
		{calendar.CalendarChange{Order: svc.Some(-3), Visible: svc.Some(false)}, "Office,Desk,#00ff00,UTC,-3,false"},
		{calendar.CalendarChange{Description: null, Color: null, Timezone: null, Visible: svc.Optional[bool]{Set: true, Null: true}}, "Office,,#b18216,Europe/Berlin,-3,true"},
		{calendar.CalendarChange{}, "Office,,#b18216,Europe/Berlin,-3,true"},
	} {
		c.change.ETag = work.ETag
		got, err := update(f, ann, work.ID, c.change)
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprintf("%s,%s,%s,%s,%d,%t", got.Name, got.Description, got.Color, got.Timezone, got.Order, got.Visible); text != c.want {
			t.Errorf("got %s, want %s", text, c.want)
		}
		work = got
	}
	for _, etag := range []string{"*", "W/" + work.ETag, strings.Trim(work.ETag, `"`)} {
		if _, err := update(f, ann, work.ID, calendar.CalendarChange{ETag: etag}); err != nil {
			t.Errorf("ETag %s: got %v, want no error", etag, err)
		}
	}
	if got := names(f, ann); !slices.Equal(got, []string{"Office", "Calendar"}) {
		t.Errorf("got order %q, want that of the positions", got)
	}
}

// A member with read access can set order and visibility of the calendar, but
// cannot change or delete it, and sees the changes of the owner. Covers
// SH-15.
func TestReadAccessAllowsOnlyOrderAndVisibility(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	work := f.AddCalendar(ann, "Work")
	share(f, bea, work)
	_, err := update(f, bea, work.ID, calendar.CalendarChange{Name: svc.Some("Mine")})
	wantKind(t, "a change", err, svc.Forbidden)
	_, err = deleteCalendar(f, bea, work.ID, "")
	wantKind(t, "a deletion", err, svc.Forbidden)
	_, err = deleteCalendar(f, ann, f.AddCalendar(ann, "Other").ID, f.DefaultCalendar(bea).ID)
	wantKind(t, "a move to a calendar without access", err, svc.Missing)
	token, changed := "", []string(nil)
	f.Read(func(tx *store.Tx) (err error) {
		token, err = f.Collections.HomeToken(tx, bea)
		return err
	})
	got, err := update(f, bea, work.ID, calendar.CalendarChange{Visible: svc.Some(false), Order: svc.Some(-1)})
	if err != nil || got.Visible || got.Order != -1 || !got.ReadOnly || got.IsDefault || got.CalDAVPath != "/caldav/2/calendars/shared/" {
		t.Errorf("got %+v, %v", got, err)
	}
	if c, err := update(f, ann, work.ID, calendar.CalendarChange{Name: svc.Some("Office")}); err != nil || !c.Visible || c.Order != 1 {
		t.Errorf("the owner has %+v, %v", c, err)
	}
	if got := names(f, bea); !slices.Equal(got, []string{"Office", "Calendar"}) {
		t.Errorf("got %q, want the new name first", got)
	}
	f.Read(func(tx *store.Tx) error {
		if c, err := f.Calendar.CalendarAt(tx, bea, "shared"); err != nil || c.ID != work.ID {
			t.Errorf("got %s at the segment, %v, want %s", c.ID, err, work.ID)
		}
		changes, err := f.Collections.HomeChanges(tx, bea, token, 0)
		changed = changes.Changed
		return err
	})
	if !slices.Equal(changed, []string{"shared"}) {
		t.Errorf("got home changes %q, want shared", changed)
	}
}

// A deleted calendar moves to the trash with its objects, and all members lose
// access to it. Its mirrors move to the default calendar. Covers T-03, B-55 and
// B-62.
func TestDeletedCalendarMovesToTheTrash(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, club := f.DefaultCalendar(ann), f.AddCalendar(ann, "Club")
	share(f, bea, club)
	f.Put(ann, club, "a.ics", event("a"))
	id := f.IDAt(club, "a.ics")
	mirrorID := addMirror(f, ann)
	f.Patch(ann, mirrorID, fmt.Sprintf(`{"calendar_id": %q}`, club.ID))
	var token string
	f.Read(func(tx *store.Tx) (err error) {
		token, err = f.Collections.HomeToken(tx, bea)
		return err
	})
	if moved, err := deleteCalendar(f, ann, club.ID, ""); moved != 0 || err != nil {
		t.Errorf("got %d moved objects, %v, want none", moved, err)
	}
	for _, v := range []svc.Viewer{ann, bea} {
		if got := names(f, v); !slices.Equal(got, []string{"Calendar"}) {
			t.Errorf("member %s has %q, want Calendar", v, got)
		}
	}
	f.Read(func(tx *store.Tx) error {
		_, err := f.Calendar.Object(tx, ann, id)
		wantKind(t, "its object", err, svc.Missing)
		changes, err := f.Collections.HomeChanges(tx, bea, token, 0)
		if !slices.Equal(changes.Deleted, []string{"shared"}) {
			t.Errorf("got home changes %+v, want shared deleted", changes)
		}
		return err
	})
	if got := f.Object(ann, mirrorID).State.CalendarID; got != defaultCal.ID {
		t.Errorf("the mirror is in %s, want %s", got, defaultCal.ID)
	}
	if got := f.TrashTitles(ann); !slices.Equal(got, []string{"Club"}) {
		t.Errorf("got trash %q, want Club", got)
	}
	f.WantCounts()
}

// The objects of a deleted calendar can move to another one, where clients see
// them as changes. If the other calendar already has an object with the same
// UID, the deletion is rejected. Covers T-03, B-55, B-63 and PT-28.
func TestObjectsOfADeletedCalendarCanMove(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "same.ics", event("home"))
	f.Put(ann, defaultCal, "gone.ics", event("gone"))
	f.Write(func(tx *store.Tx) error {
		return f.Collections.Delete(tx, ann, defaultCal.Segment, "gone.ics", calendartest.NoPrecondition)
	})
	var before, after collection.Changes
	changes := func(since string) (c collection.Changes) {
		f.Read(func(tx *store.Tx) (err error) {
			c, err = f.Collections.Changes(tx, ann, defaultCal.Segment, since, 0, false)
			return err
		})
		return c
	}
	before = changes("")
	addFilledCalendar := func() calendar.Calendar {
		c := f.AddCalendar(ann, "Work")
		for _, segment := range []string{"b.ics", "same.ics", "gone.ics"} {
			f.Put(ann, c, segment, event("work "+segment))
		}
		return c
	}
	work := addFilledCalendar()
	if moved, err := deleteCalendar(f, ann, work.ID, defaultCal.ID); moved != 3 || err != nil {
		t.Errorf("got %d moved objects, %v, want 3", moved, err)
	}
	if after = changes(before.Token); len(after.Changed) != 3 || len(after.Deleted) != 0 {
		t.Errorf("got %d changed and %q deleted, want 3 changed", len(after.Changed), after.Deleted)
	}
	if got := len(f.Segments(ann, defaultCal)); got != 4 {
		t.Errorf("got %d objects, want 4", got)
	}
	_, err := deleteCalendar(f, ann, addFilledCalendar().ID, defaultCal.ID)
	calendartest.WantError(t, err, svc.AlreadyExists, "move_to")
	if got := names(f, ann); !slices.Equal(got, []string{"Calendar", "Work"}) {
		t.Errorf("after a rejected deletion got %q", got)
	}
	f.WantCounts()
}
