package collection_test

import (
	"errors"
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
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/mirror"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
)

func event(uid, title string) string {
	return icstest.Event(uid, "DTSTART:20261201T150000Z", "SUMMARY:"+title)
}

// changes returns the changes of a calendar since a token.
func changes(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar, since string, limit int) (got collection.Changes) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		got, err = f.Collections.Changes(tx, v, c.Segment, since, limit, limit%2 == 0)
		return err
	})
	return got
}

func segments(list []collection.Resource) (names []string) {
	for _, r := range list {
		names = append(names, r.Segment)
	}
	slices.Sort(names)
	return names
}

// A PUT stores the octets, returns their ETag, and calls the precondition with
// the previous ETag. Covers C-12, C-13 and PT-22.
func TestPutStoresOctets(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var checkedETags []string
	put := func(text string) (etag string, created bool) {
		f.Write(func(tx *store.Tx) (err error) {
			etag, created, err = f.Collections.Put(tx, ann, defaultCal.Segment, "a.ics", object.Prepare(icstest.Parse(t, text), tx.Now()), func(etag string) error {
				checkedETags = append(checkedETags, etag)
				return nil
			})
			return err
		})
		return etag, created
	}
	text := event("a", "Tea")
	first, created := put(text)
	if !created || first != object.ETag([]byte(text)) {
		t.Errorf("got ETag %s, created %t", first, created)
	}
	second, created := put(event("a", "Cake"))
	if created || second == first {
		t.Errorf("got ETag %s, created %t after a replacement", second, created)
	}
	if want := []string{"", first}; !slices.Equal(checkedETags, want) {
		t.Errorf("the precondition got ETags %q, want %q", checkedETags, want)
	}
	if got := f.Text(ann, defaultCal, "a.ics"); got != event("a", "Cake") {
		t.Errorf("got\n%s", got)
	}
	f.Read(func(tx *store.Tx) error {
		resources, err := f.Collections.Resources(tx, ann, defaultCal.Segment, false)
		if err != nil || len(resources) != 1 || resources[0].ETag != second || resources[0].Component != "VEVENT" || resources[0].Size != len(event("a", "Cake")) {
			t.Errorf("got resources %+v, %v", resources, err)
		}
		etags, err := f.Collections.Resources(tx, ann, defaultCal.Segment, true)
		if err != nil || len(etags) != 1 || etags[0].ETag != second || etags[0].Segment != "a.ics" {
			t.Errorf("got ETags %+v, %v", etags, err)
		}
		data, err := f.Collections.Data(tx, []int64{resources[0].N})
		if err != nil || string(data[0]) != event("a", "Cake") {
			t.Errorf("got data %q, %v", data, err)
		}
		return nil
	})
}

var errPrecondition = errors.New("precondition")

func alwaysFails(string) error { return errPrecondition }

// A rejected write changes nothing. Covers C-15, C-24, B-63 and PT-40.
func TestRejectedWritesChangeNothing(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Events", Segment: "events", Components: []string{"VEVENT"}})
		return err
	})
	f.Put(ann, defaultCal, "task.ics", icstest.Object("VTODO", "task"))
	f.Put(ann, defaultCal, "tea.ics", event("tea", "Tea"))
	f.Put(ann, defaultCal, "cake.ics", event("cake", "Cake"))
	f.Put(ann, work, "tea.ics", event("tea", "Tea at work"))
	storetest.Exec(t, f.DB, "INSERT INTO calendar_access VALUES (?, ?, 'read', 'shared', 5, 1)", bea.Member(), work.ID)
	put := func(v svc.Viewer, calendar, segment, text string, precondition collection.Precondition) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, _, err := f.Collections.Put(tx, v, calendar, segment, object.Prepare(icstest.Parse(t, text), tx.Now()), precondition)
			return err
		}
	}
	place := func(c, s string) collection.Place { return collection.Place{Calendar: c, Segment: s} }
	cp := func(from, to collection.Place, in collection.CopyRequest, precondition collection.Precondition) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := f.Collections.Copy(tx, ann, from, to, in, precondition)
			return err
		}
	}
	h, w := defaultCal.Segment, work.Segment
	always := calendartest.NoPrecondition
	var conflict *collection.UIDConflict
	var unsupported *collection.UnsupportedComponent
	hasType := func(target any) func(error) bool { return func(err error) bool { return errors.As(err, target) } }
	isError := func(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }
	hasKind := func(k svc.Kind) func(error) bool {
		return func(err error) bool { return err != nil && svc.KindOf(err) == k }
	}
	for _, c := range []struct {
		name  string
		write func(*store.Tx) error
		want  func(error) bool
	}{
		{"PUT with a failed precondition", put(ann, h, "tea.ics", event("tea", "x"), alwaysFails), isError(errPrecondition)},
		{"PUT with the UID of another object", put(ann, h, "new.ics", event("tea", "x"), always), hasType(&conflict)},
		{"PUT that changes the UID", put(ann, h, "tea.ics", event("other", "x"), always), hasType(&conflict)},
		{"PUT of an unsupported component", put(ann, "events", "j.ics", icstest.Object("VJOURNAL", "j", "DTSTART:20261201T150000Z"), always), hasType(&unsupported)},
		{"PUT in a calendar that does not exist", put(ann, "none", "a.ics", event("a", "x"), always), hasKind(svc.Missing)},
		{"PUT in another member's calendar", put(bea, h, "a.ics", event("a", "x"), always), hasKind(svc.Missing)},
		{"PUT in a read-only calendar", put(bea, "shared", "a.ics", event("a", "x"), always), isError(object.ErrReadOnly)},
		{"DELETE with a failed precondition", func(tx *store.Tx) error { return f.Collections.Delete(tx, ann, h, "tea.ics", alwaysFails) }, isError(errPrecondition)},
		{"DELETE of nothing", func(tx *store.Tx) error { return f.Collections.Delete(tx, ann, h, "none.ics", alwaysFails) }, isError(object.ErrNotFound)},
		{"DELETE in a read-only calendar", func(tx *store.Tx) error { return f.Collections.Delete(tx, bea, "shared", "tea.ics", always) }, isError(object.ErrReadOnly)},
		{"COPY with a failed precondition", cp(place(h, "tea.ics"), place(h, "b.ics"), collection.CopyRequest{}, alwaysFails), isError(errPrecondition)},
		{"COPY of nothing", cp(place(h, "none.ics"), place(h, "b.ics"), collection.CopyRequest{}, always), isError(object.ErrNotFound)},
		{"COPY to no calendar", cp(place(h, "tea.ics"), place("none", "b.ics"), collection.CopyRequest{}, always), isError(collection.ErrNoCollection)},
		{"COPY of an unsupported component", cp(place(h, "task.ics"), place("events", "task.ics"), collection.CopyRequest{}, always), hasType(&unsupported)},
		{"MOVE of an unsupported component", cp(place(h, "task.ics"), place("events", "task.ics"), collection.CopyRequest{Move: true}, always), hasType(&unsupported)},
		{"COPY without overwrite", cp(place(h, "tea.ics"), place(w, "tea.ics"), collection.CopyRequest{}, always), hasKind(svc.Stale)},
		{"COPY over another UID", cp(place(h, "cake.ics"), place(w, "tea.ics"), collection.CopyRequest{Overwrite: true}, always), hasType(&conflict)},
		{"COPY within a calendar", cp(place(h, "tea.ics"), place(h, "copy.ics"), collection.CopyRequest{}, always), hasType(&conflict)},
		{"COPY beside the same UID", cp(place(h, "tea.ics"), place(w, "other.ics"), collection.CopyRequest{}, always), hasType(&conflict)},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := snapshot(f)
			if err := f.TryWrite(c.write); !c.want(err) {
				t.Errorf("got error %v", err)
			}
			if after := snapshot(f); !slices.Equal(after, before) {
				t.Errorf("got rows %q, want %q", after, before)
			}
		})
	}
	if conflict.Error() == "" || unsupported.Error() == "" {
		t.Error("got errors without text")
	}
}

// snapshot returns the rows that writes of objects change.
func snapshot(f *calendartest.Fixture) []string {
	return storetest.Rows(f.T, f.DB, `
		SELECT 'object', id, calendar_id, segment, etag, seq FROM calendar_object
		UNION ALL SELECT 'calendar', id, seq, home_seq, objects, octets FROM calendar_calendar
		UNION ALL SELECT 'tombstone', calendar_id, segment, seq, 0, 0 FROM calendar_tombstone
		UNION ALL SELECT 'trash', id, calendar_id, segment, 0, 0 FROM calendar_trashed ORDER BY 1, 2, 3`)
}

// A moved object keeps its id, a copy has a new id, and a replaced object moves to the trash.
// Covers RFC 4918 §9.8 and §9.9.
func TestMoveKeepsTheIDAndCopyGetsANewOne(t *testing.T) {
	for _, move := range []bool{false, true} {
		t.Run(fmt.Sprint("move ", move), func(t *testing.T) {
			f := calendartest.New(t)
			ann := f.Member("ann")
			defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
			f.Put(ann, defaultCal, "a.ics", event("a", "New"))
			f.Put(ann, work, "a.ics", event("a", "Old"))
			f.Write(func(tx *store.Tx) error {
				return f.Collections.SetProperties(tx, ann, collection.Place{Calendar: defaultCal.Segment, Segment: "a.ics"}, false,
					[]collection.Property{{Space: "urn:x", Local: "mood", Element: "<mood/>"}}, 1000, calendartest.NoPrecondition)
			})
			id := f.IDAt(defaultCal, "a.ics")
			token := changes(f, ann, defaultCal, "", 0).Token
			f.Write(func(tx *store.Tx) error {
				created, err := f.Collections.Copy(tx, ann, collection.Place{Calendar: defaultCal.Segment, Segment: "a.ics"}, collection.Place{Calendar: work.Segment, Segment: "a.ics"},
					collection.CopyRequest{Move: move, Overwrite: true}, calendartest.NoPrecondition)
				if created {
					t.Error("got created, want replaced")
				}
				return err
			})
			if got := f.TrashTitles(ann); !slices.Equal(got, []string{"Old"}) {
				t.Errorf("got %q in the trash, want Old", got)
			}
			if got := f.Text(ann, work, "a.ics"); got != event("a", "New") {
				t.Errorf("got\n%s", got)
			}
			if got := f.IDAt(work, "a.ics") == id; got != move {
				t.Errorf("got the same id %t, want %t", got, move)
			}
			wantDeleted := []string(nil)
			if move {
				wantDeleted = []string{"a.ics"}
			}
			if got := changes(f, ann, defaultCal, token, 0); !slices.Equal(got.Deleted, wantDeleted) || len(got.Changed) != 0 {
				t.Errorf("got changes %+v, want deleted %q", got, wantDeleted)
			}
			f.Read(func(tx *store.Tx) error {
				list, err := f.Collections.Properties(tx, ann, collection.Place{Calendar: work.Segment, Segment: "a.ics"}, false)
				if len(list) != 1 || list[0].Local != "mood" {
					t.Errorf("got properties %+v, %v, want mood", list, err)
				}
				return err
			})
			f.WantCounts()
		})
	}
}

// Renaming an object within a calendar is a change of two segments.
func TestMoveWithinACalendarChangesTwoSegments(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "a.ics", event("a", "Tea"))
	token := changes(f, ann, defaultCal, "", 0).Token
	f.Write(func(tx *store.Tx) error {
		created, err := f.Collections.Copy(tx, ann, collection.Place{Calendar: defaultCal.Segment, Segment: "a.ics"}, collection.Place{Calendar: defaultCal.Segment, Segment: "b.ics"},
			collection.CopyRequest{Move: true}, calendartest.NoPrecondition)
		if !created {
			t.Error("got replaced, want created")
		}
		return err
	})
	got := changes(f, ann, defaultCal, token, 0)
	if !slices.Equal(got.Deleted, []string{"a.ics"}) || !slices.Equal(segments(got.Changed), []string{"b.ics"}) {
		t.Errorf("got %+v", got)
	}
}

// WebDAV clients do not find a hidden mirror in lists, by name, in queries, as a source of COPY or
// by its properties. In the changes of the calendar, a mirror that becomes hidden is deleted, and
// one that becomes visible is changed. Covers T-24 and C-26.
func TestHiddenMirrorsAreNotFoundByClients(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "own.ics", event("own", "Own"))
	f.Write(func(tx *store.Tx) error {
		_, err := f.Mirrors.Push(tx, mirror.EventPush{
			Operation: "create", EventID: "evt_1", Revision: 1, Audience: []svc.Attendee{{MemberID: ann.Member(), RSVP: "going", Role: "host"}},
			Event: mirror.PushedEvent{
				Title: "Dinner", Start: "2026-12-24T18:00:00", Timezone: "UTC", RRule: new("FREQ=WEEKLY"), Status: "scheduled", Host: svc.EventHost{ID: ann.Member()},
			},
		})
		return err
	})
	segment := slices.DeleteFunc(f.Segments(ann, defaultCal), func(s string) bool { return s == "own.ics" })[0]
	id := f.IDAt(defaultCal, segment)
	at := collection.Place{Calendar: defaultCal.Segment, Segment: segment}
	f.Write(func(tx *store.Tx) error {
		return f.Collections.SetProperties(tx, ann, at, false, []collection.Property{{Space: "urn:x", Local: "mood", Element: "<mood/>"}}, 1000, calendartest.NoPrecondition)
	})
	setVisibility := func(visibility string) {
		t.Helper()
		f.Write(func(tx *store.Tx) error {
			_, err := f.Calendar.Patch(tx, ann, id, edit.ObjectChange{Change: edit.Change{LocalVisibility: svc.Some(view.LocalVisibility(visibility))}}, nil)
			return err
		})
	}
	shown := changes(f, ann, defaultCal, "", 0)
	if got := segments(shown.Changed); !slices.Contains(got, segment) {
		t.Fatalf("got %q, want the mirror among them", got)
	}
	setVisibility("hidden")
	for _, limit := range []int{0, 1, 2} { // changes requests only ETags for an even limit
		hidden := changes(f, ann, defaultCal, shown.Token, limit)
		if !slices.Equal(hidden.Deleted, []string{segment}) || len(hidden.Changed) != 0 {
			t.Errorf("limit %d: got %+v, want the mirror deleted", limit, hidden)
		}
		if got := changes(f, ann, defaultCal, "", limit); slices.Contains(segments(got.Changed), segment) || len(got.Deleted) != 0 {
			t.Errorf("limit %d: a first sync got %+v, want no mirror", limit, got)
		}
	}
	hidden := changes(f, ann, defaultCal, shown.Token, 0)
	f.Read(func(tx *store.Tx) error {
		all, err := f.Collections.Resources(tx, ann, defaultCal.Segment, false)
		if err != nil {
			return err
		}
		etags, err := f.Collections.Resources(tx, ann, defaultCal.Segment, true)
		if err != nil {
			return err
		}
		byName, err := f.Collections.ResourcesByName(tx, ann, defaultCal.Segment, []string{segment, "own.ics"}, true)
		if err != nil {
			return err
		}
		matching, err := f.Collections.MatchingResources(tx, ann, defaultCal.Segment, ics.Filter{}, nil)
		if err != nil {
			return err
		}
		inRange, err := f.Collections.MatchingResources(tx, ann, defaultCal.Segment, rangeFilter("20261201T000000Z", "20261231T000000Z"), nil)
		if err != nil {
			return err
		}
		afterIndex, err := f.Collections.MatchingResources(tx, ann, defaultCal.Segment, rangeFilter("20301201T000000Z", "20301231T000000Z"), nil)
		if err != nil {
			return err
		}
		if got := segments(afterIndex); len(got) != 0 {
			t.Errorf("Matching a range after the index: got %q, want nothing", got)
		}
		for name, list := range map[string][]collection.Resource{"Resources": all, "Resources with ETags only": etags, "ResourcesByName": byName, "Matching": matching, "Matching a range": inRange} {
			if got := segments(list); !slices.Equal(got, []string{"own.ics"}) {
				t.Errorf("%s: got %q, want own.ics", name, got)
			}
		}
		members, err := f.Collections.MemberProperties(tx, ann, collection.Place{Calendar: defaultCal.Segment}, false)
		if len(members) != 0 || err != nil {
			t.Errorf("got member properties %+v, %v, want none", members, err)
		}
		if _, err := f.Collections.Properties(tx, ann, at, false); !errors.Is(err, object.ErrNotFound) {
			t.Errorf("Properties: got %v, want ErrNotFound", err)
		}
		return nil
	})
	err := f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Collections.Copy(tx, ann, at, collection.Place{Calendar: defaultCal.Segment, Segment: "copy.ics"}, collection.CopyRequest{}, calendartest.NoPrecondition)
		return err
	})
	if !errors.Is(err, object.ErrNotFound) {
		t.Errorf("Copy: got %v, want ErrNotFound", err)
	}
	setVisibility("visible")
	if again := changes(f, ann, defaultCal, hidden.Token, 0); !slices.Equal(segments(again.Changed), []string{segment}) || len(again.Deleted) != 0 {
		t.Errorf("shown again: got %+v, want the mirror changed", again)
	}
}

func rangeFilter(from, to string) ics.Filter {
	at := func(text string) time.Time {
		t, err := time.Parse("20060102T150405Z", text)
		if err != nil {
			panic(err)
		}
		return t
	}
	return ics.Filter{Comp: ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT", TimeRange: &ics.TimeRange{Start: at(from), End: at(to)}}}}}
}

// A calendar-query in the time zone of the calendar or in another one finds the
// objects that overlap its time range. Covers C-17 and C-18.
func TestQueryFindsOverlappingObjects(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for name, lines := range map[string][]string{
		"single":   {"DTSTART:20261214T120000Z", "DURATION:PT1H"},
		"series":   {"DTSTART:20261101T120000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"},
		"far":      {"DTSTART:20301214T120000Z", "DURATION:PT1H", "RRULE:FREQ=YEARLY"},
		"floating": {"DTSTART:20261214T120000", "DURATION:PT1H"},
		"date":     {"DTSTART;VALUE=DATE:20261214"},
	} {
		f.Put(ann, defaultCal, name+".ics", icstest.Event(name, lines...))
	}
	f.Put(ann, defaultCal, "task.ics", icstest.Object("VTODO", "task", "DUE:20261214T120000Z"))
	for _, c := range []struct {
		from, to string
		zone     string // "" for the zone of the calendar, Europe/Berlin
		want     string
	}{
		{"20261214T120000Z", "20261214T130000Z", "", "date series single"},
		{"20261214T110000Z", "20261214T120000Z", "", "date floating"},
		{"20261214T120000Z", "20261214T130000Z", "UTC", "date floating series single"},
		{"20261214T230000Z", "20261215T000000Z", "", ""},
		{"20261214T230000Z", "20261215T000000Z", "UTC", "date"},
		{"20401214T120000Z", "20401214T130000Z", "", "far series"},
	} {
		var zone *time.Location
		if c.zone != "" {
			zone, _ = svc.Zone(c.zone)
		}
		f.Read(func(tx *store.Tx) error {
			list, err := f.Collections.MatchingResources(tx, ann, defaultCal.Segment, rangeFilter(c.from, c.to), zone)
			if got := strings.ReplaceAll(strings.Join(segments(list), " "), ".ics", ""); got != c.want {
				t.Errorf("%s to %s in %q: got %q, want %q", c.from, c.to, c.zone, got, c.want)
			}
			return err
		})
	}
	f.Read(func(tx *store.Tx) error {
		tasks, err := f.Collections.MatchingResources(tx, ann, defaultCal.Segment, ics.Filter{Comp: ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VTODO"}}}}, nil)
		if got := segments(tasks); !slices.Equal(got, []string{"task.ics"}) {
			t.Errorf("got tasks %q", got)
		}
		return err
	})
}

// The home, calendars and objects of another member are not found. Covers C-28,
// T-06 and PT-07.
func TestResourcesOfOtherMembersAreNotFound(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "a.ics", event("a", "A"))
	f.Write(func(tx *store.Tx) error { return f.Collections.MakeCollection(tx, ann, "notes") })
	token := changes(f, ann, defaultCal, "", 0).Token
	f.Read(func(tx *store.Tx) error {
		c := f.Collections
		_, resources := c.Resources(tx, bea, defaultCal.Segment, true)
		_, byName := c.ResourcesByName(tx, bea, defaultCal.Segment, []string{"a.ics"}, true)
		_, changed := c.Changes(tx, bea, defaultCal.Segment, token, 0, false)
		_, matching := c.MatchingResources(tx, bea, defaultCal.Segment, ics.Filter{}, nil)
		_, properties := c.Properties(tx, bea, collection.Place{Calendar: defaultCal.Segment, Segment: "a.ics"}, false)
		_, members := c.MemberProperties(tx, bea, collection.Place{Calendar: defaultCal.Segment}, false)
		_, file := c.File(tx, bea, "notes", false)
		for name, err := range map[string]error{
			"Resources": resources, "ResourcesByName": byName, "Changes": changed, "Matching": matching, "Properties": properties, "MemberProperties": members, "File": file,
		} {
			if err == nil || svc.KindOf(err) != svc.Missing {
				t.Errorf("%s: got %v, want an error of kind Missing", name, err)
			}
		}
		defaultCal, err := c.HomeToken(tx, ann)
		if err != nil {
			return err
		}
		if _, err := c.HomeChanges(tx, bea, defaultCal, 0); !errors.Is(err, collection.ErrToken) {
			t.Errorf("HomeChanges: got %v, want ErrToken", err)
		}
		return nil
	})
}

// Many dead properties are changed in one short write. If the change names a property several
// times, the last value is stored. Covers B-130.
func TestManyDeadPropertiesAreOneShortWrite(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	at := collection.Place{Calendar: f.DefaultCalendar(ann).Segment}
	var set []collection.Property
	for i := range 1000 {
		set = append(set, collection.Property{Space: "urn:x", Local: fmt.Sprint("p", i), Element: "<p/>"})
	}
	for i := range 950 {
		set = append(set, collection.Property{Space: "urn:x", Local: fmt.Sprint("p", i)})
	}
	apply := func(set []collection.Property) error {
		return f.TryWrite(func(tx *store.Tx) error {
			return f.Collections.SetProperties(tx, ann, at, false, set, 1000, calendartest.NoPrecondition)
		})
	}
	if err := apply(set); err != nil {
		t.Fatal(err)
	}
	if err := apply(set[:101]); err != collection.ErrTooManyProperties {
		t.Errorf("101 properties: got %v, want %v", err, collection.ErrTooManyProperties)
	}
	f.Read(func(tx *store.Tx) error {
		list, err := f.Collections.Properties(tx, ann, at, false)
		if len(list) != 50 || list[0].Local != "p950" {
			t.Errorf("got %d properties, want p950 to p999", len(list))
		}
		return err
	})
}
