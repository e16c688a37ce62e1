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
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
)

// decemberQuery returns a query for the first days of December 2026.
func decemberQuery() index.Query {
	return index.Query{From: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 12, 4, 0, 0, 0, 0, time.UTC)}
}

// occurrences returns a page of occurrences and the error.
func occurrences(f *calendartest.Fixture, v svc.Viewer, q index.Query) (p index.Page, err error) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		p, err = f.Index.Occurrences(tx, v, time.UTC, q)
		return nil
	})
	return p, err
}

// addCalendar creates a calendar that accepts components.
func addCalendar(f *calendartest.Fixture, v svc.Viewer, components ...string) (c calendar.Calendar) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) (err error) {
		c, err = f.Calendar.CreateCalendar(tx, v, calendar.NewCalendar{Name: "New", Components: components})
		return err
	})
	return c
}

func titles(list []view.Object) (titles []string) {
	for _, o := range list {
		titles = append(titles, o.Title)
	}
	return titles
}

// A list contains the objects in the visible calendars of its member, or in the
// requested calendar. Covers T-13.
func TestListsContainOnlyVisibleCalendars(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, work := addCalendar(f, ann, "VEVENT", "VTODO", "VJOURNAL"), f.AddCalendar(ann, "Work")
	f.Put(ann, defaultCal, "a.ics", icstest.Event("a", "SUMMARY:Home", "DTSTART:20261201T100000Z"))
	f.Put(ann, defaultCal, "t.ics", icstest.Object("VTODO", "t", "SUMMARY:Task", "DUE:20261201T120000Z"))
	f.Put(ann, defaultCal, "j.ics", icstest.Object("VJOURNAL", "j", "SUMMARY:Journal", "DTSTART:20261201T110000Z"))
	f.Put(ann, work, "b.ics", icstest.Event("b", "SUMMARY:Work", "DTSTART:20261202T100000Z"))
	f.Put(bea, f.DefaultCalendar(bea), "c.ics", icstest.Event("c", "SUMMARY:Bea's", "DTSTART:20261201T100000Z"))
	setHidden := func(hidden bool) {
		f.Write(func(tx *store.Tx) error {
			_, err := f.Calendar.UpdateCalendar(tx, ann, work.ID, calendar.CalendarChange{Visible: svc.Some(!hidden)})
			return err
		})
	}
	for _, c := range []struct {
		name                 string
		calendar, objectType string
		hidden               bool
		want                 []string
	}{
		{"all calendars", "", "", false, []string{"Home", "Task", "Work"}},
		{"events", "", view.EventType, false, []string{"Home", "Work"}},
		{"tasks", "", view.TaskType, false, []string{"Task"}},
		{"one calendar", work.ID, "", false, []string{"Work"}},
		{"without an invisible calendar", "", "", true, []string{"Home", "Task"}},
		{"an invisible calendar", work.ID, "", true, []string{"Work"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			setHidden(c.hidden)
			q := decemberQuery()
			q.CalendarID, q.ObjectType = c.calendar, c.objectType
			page, err := occurrences(f, ann, q)
			if got := titles(page.Objects); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// An invalid query is rejected, and the error names the parameter. A cursor is
// only valid unmodified, and for the member to whom it was issued.
func TestInvalidQueriesAreRejected(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	for i := range 3 {
		f.Put(ann, f.DefaultCalendar(ann), fmt.Sprint(i), icstest.Event(fmt.Sprint(i), "DTSTART:20261201T100000Z"))
	}
	q := decemberQuery()
	q.Limit = 1
	first, err := occurrences(f, ann, q)
	if err != nil || first.Page.NextCursor == nil {
		t.Fatal(first.Page, err)
	}
	cursor := *first.Page.NextCursor
	for _, c := range []struct {
		name   string
		member svc.Viewer
		change func(*index.Query)
		code   svc.Code
		fields []string
	}{
		{"an unknown type", ann, func(q *index.Query) { q.ObjectType = "party" }, svc.InvalidParameter, []string{"object_type"}},
		{"an empty range", ann, func(q *index.Query) { q.To = q.From }, svc.InvalidParameter, []string{"end"}},
		{"a negative limit", ann, func(q *index.Query) { q.Limit = -1 }, svc.InvalidParameter, []string{"limit"}},
		{"an unknown cursor", ann, func(q *index.Query) { q.Cursor = "x" }, svc.InvalidParameter, []string{"cursor"}},
		{"a longer cursor", ann, func(q *index.Query) { q.Cursor = cursor + "x" }, svc.InvalidParameter, []string{"cursor"}},
		{"a shorter cursor", ann, func(q *index.Query) { q.Cursor = cursor[1:] }, svc.InvalidParameter, []string{"cursor"}},
		{"a cursor of another member", bea, func(q *index.Query) { q.Cursor = cursor }, svc.InvalidParameter, []string{"cursor"}},
		{"a calendar of another member", bea, func(q *index.Query) { q.CalendarID = f.DefaultCalendar(ann).ID }, svc.NotFound, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := decemberQuery()
			c.change(&q)
			_, err := occurrences(f, c.member, q)
			calendartest.WantError(t, err, c.code, c.fields...)
		})
	}
	q.Limit = 1000
	if all, err := occurrences(f, ann, q); err != nil || len(all.Objects) != 3 || all.Page.Limit != svc.MaxLimit {
		t.Errorf("got %d objects, limit %d, %v; want 3, limit %d", len(all.Objects), all.Page.Limit, err, svc.MaxLimit)
	}
}

// Pages contain no object twice. They contain each object that exists throughout, even if other
// objects are created and deleted between the requests. Covers L-12, B-82 and PT-30.
func TestPagesAreCompleteWhileObjectsAreWritten(t *testing.T) {
	for seed := range svctest.Seeds(6) {
		d := icstest.NewRand(400 + seed)
		f := calendartest.New(t)
		ann := f.Member("ann")
		add := func(title string) string {
			return f.Create(ann, fmt.Sprintf(`{"object_type": %q, "title": %q, "start": "2026-12-%02dT%02d:00:00Z"}`,
				icstest.Pick(d, view.EventType, view.TaskType), title, 1+d.IntN(3), d.IntN(4))).ID // many objects with the same start
		}
		var old, others []string
		for range 40 {
			old = append(old, add("old"))
		}
		seen := make(map[string]int)
		q := decemberQuery()
		for q.Limit = 1 + d.IntN(12); ; {
			page, err := occurrences(f, ann, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Objects {
				seen[o.ID]++
			}
			if page.Page.NextCursor == nil {
				break
			}
			q.Cursor = *page.Page.NextCursor
			others = append(others, add("new"), add("new"))
			if n := d.IntN(len(others)); d.OneIn(2) {
				f.Delete(ann, others[n])
				others = slices.Delete(others, n, n+1)
			}
		}
		for _, id := range old {
			if seen[id] != 1 {
				t.Errorf("seed %d: an object that exists all the time is listed %d times", seed, seen[id])
			}
		}
		for id, n := range seen {
			if n != 1 {
				t.Errorf("seed %d: %s is listed %d times", seed, id, n)
			}
		}
	}
}

// A page ends early if its objects have much text, and the next page continues
// after it. Covers L-12.
func TestPagesAreLimitedByText(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	const count = 120
	var stored []calendartest.StoredObject
	var want []string
	for i := range count {
		uid := fmt.Sprintf("long-%03d", i)
		want = append(want, uid)
		text := icstest.Event(uid, fmt.Sprintf("DTSTART:20261201T10%02d%02dZ", i/60, i%60), "SUMMARY:"+uid,
			"DESCRIPTION:"+strings.Repeat("字", 8000), "CATEGORIES:"+strings.Repeat(strings.Repeat("字", 80)+",", 199)+"d")
		stored = append(stored, calendartest.StoredObject{Calendar: defaultCal.Segment, Segment: uid, Object: icstest.Parse(t, text)})
	}
	f.PutAll(ann, stored)
	var got []string
	pages := 0
	for q := decemberQuery(); ; pages++ {
		q.Limit = svc.MaxLimit
		p, err := occurrences(f, ann, q)
		if err != nil {
			t.Fatal(err)
		}
		octets := 0
		for _, o := range p.Objects {
			got = append(got, o.Title)
			octets += o.TextSize()
		}
		if octets > view.MaxText || p.Page.Limit != svc.MaxLimit {
			t.Errorf("a page has %d octets of text and the limit %d; want at most %d, and %d", octets, p.Page.Limit, view.MaxText, svc.MaxLimit)
		}
		if p.Page.NextCursor == nil {
			break
		}
		q.Cursor = *p.Page.NextCursor
	}
	if !slices.Equal(got, want) || pages < 2 {
		t.Errorf("got %d objects on %d pages; want %d in order, on more than two pages", len(got), pages+1, count)
	}
}

// costlyEvent returns a series with an occurrence each second, on days that are
// all excluded.
func costlyEvent(uid string) string {
	var all, days []string
	for i := range 60 {
		all = append(all, fmt.Sprint(i))
	}
	for i := range 900 {
		days = append(days, storetest.Start.AddDate(0, 0, i-30).Format("20060102"))
	}
	numbers := strings.Join(all, ",")
	return icstest.Event(uid, "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;BYMINUTE="+numbers+";BYSECOND="+numbers,
		"EXDATE;VALUE=DATE:"+strings.Join(days, ","), "SUMMARY:Costly")
}

// A list that would need too much work contains the objects that need little work, and is marked as
// truncated.
func TestWorkOfAListIsLimited(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for i := range 3 {
		uid := fmt.Sprint("costly-", i)
		f.Put(ann, defaultCal, uid, costlyEvent(uid))
	}
	f.Put(ann, defaultCal, "daily.ics", icstest.Event("daily", "DTSTART:20261121T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Daily"))
	q := decemberQuery()
	list, err := occurrences(f, ann, q)
	if err != nil || len(list.Objects) != 3 || !list.Truncated {
		t.Errorf("got %d occurrences, truncated %t, %v; want 3, true", len(list.Objects), list.Truncated, err)
	}
	q.ObjectType = view.TaskType
	if list, err := occurrences(f, ann, q); err != nil || list.Truncated {
		t.Errorf("a list of tasks: got truncated %t, %v; want false", list.Truncated, err)
	}
	f.Read(func(tx *store.Tx) error {
		first, err := f.Index.Upcoming(tx, ann, time.UTC)
		if err != nil || !first.Truncated || len(first.Entries) != 1 {
			t.Errorf("a dataset: got %d entries, truncated %t, %v; want 1, true", len(first.Entries), first.Truncated, err)
		}
		again, err := f.Index.Upcoming(tx, ann, time.UTC)
		if !slices.Equal(again.Entries, first.Entries) {
			t.Errorf("the second time: got %v, want %v", again.Entries, first.Entries)
		}
		return err
	})
}

// A free-busy query that has more periods than the limit is rejected. A calendar
// of another member does not exist.
func TestFreeBusyBeyondTheLimitIsRejected(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := addCalendar(f, ann, "VEVENT", "VFREEBUSY")
	f.Put(ann, defaultCal, "a.ics", icstest.Event("a", "DTSTART:20261201T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"))
	f.Put(ann, defaultCal, "b.ics", icstest.Object("VFREEBUSY", "b", "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261202T180000Z/PT1H"))
	f.Put(ann, defaultCal, "free.ics", icstest.Event("free", "DTSTART:20261201T120000Z", "DURATION:PT1H", "TRANSP:TRANSPARENT"))
	f.Put(ann, defaultCal, "moment.ics", icstest.Event("moment", "DTSTART:20261201T140000Z"))
	busy := func(v svc.Viewer, limit int) (list []ics.Period, err error) {
		q := decemberQuery()
		f.Read(func(tx *store.Tx) error {
			list, err = f.Index.FreeBusy(tx, v, defaultCal.Segment, q.From.Add(10*time.Hour+30*time.Minute), q.To, time.UTC, limit)
			return nil
		})
		return list, err
	}
	list, err := busy(ann, 4)
	var got []string
	for _, p := range list {
		got = append(got, p.From.Format("02T15:04")+" "+p.To.Format("15:04"))
	}
	if want := []string{"01T10:30 11:00", "02T10:00 11:00", "02T18:00 19:00", "03T10:00 11:00"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	for _, limit := range []int{0, 3} {
		if _, err := busy(ann, limit); err != index.ErrTooManyPeriods {
			t.Errorf("limit %d: got error %v, want %v", limit, err, index.ErrTooManyPeriods)
		}
	}
	if _, err := busy(bea, 4); svc.KindOf(err) != svc.Missing {
		t.Errorf("another member: got error %v, want one of the kind Missing", err)
	}
}
