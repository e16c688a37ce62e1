package object_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	"appliance/svc/calendar/object"
	"appliance/svc/svctest"
)

func prepareText(t testing.TB, text string) *object.Prepared {
	t.Helper()
	return object.Prepare(icstest.Parse(t, text), storetest.Start)
}

// event returns an event whose description has size octets.
func event(uid string, size int) string {
	return icstest.Event(uid, "DTSTART:20261125T090000Z", "SUMMARY:S", "DESCRIPTION:"+strings.Repeat("d", size))
}

// A member who has reached the quota can store no more objects until some are purged. Other members
// are not affected.
func TestQuotaLimitsStorageOfAMember(t *testing.T) {
	f := calendartest.New(t)
	f.Objects.Quota = object.Quota{Calendars: 2, Objects: 3}
	f.Storage.Limit = 3000
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	wantOverQuota := func(what string, err error) {
		t.Helper()
		if svc.KindOf(err) != svc.OverQuota {
			t.Errorf("%s: got %v, want an error of kind OverQuota", what, err)
		}
	}
	f.Put(ann, defaultCal, "a.ics", event("a", 100))
	f.Put(ann, defaultCal, "b.ics", event("b", 2000))
	wantOverQuota("a larger object", f.TryPut(ann, defaultCal, "a.ics", event("a", 1000)))
	wantOverQuota("a new object", f.TryPut(ann, defaultCal, "c.ics", event("c", 1000)))
	f.Put(ann, defaultCal, "b.ics", event("b", 1500))
	f.Put(ann, defaultCal, "c.ics", event("c", 10))
	wantOverQuota("a fourth object", f.TryPut(ann, defaultCal, "d.ics", event("d", 10)))
	deleteObject := func(segment string) {
		f.Write(func(tx *store.Tx) error {
			return f.Collections.Delete(tx, ann, defaultCal.Segment, segment, calendartest.NoPrecondition)
		})
	}
	deleteObject("c.ics")
	wantOverQuota("an object beside the trash", f.TryPut(ann, defaultCal, "d.ics", event("d", 10)))
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.Purge(tx, ann, "")
		return err
	})
	f.Put(ann, defaultCal, "d.ics", event("d", 10))

	second := f.AddCalendar(ann, "Second")
	wantOverQuota("a copy", f.TryWrite(func(tx *store.Tx) error {
		r, _, err := f.Objects.At(tx, defaultCal.ID, "a.ics")
		if err != nil {
			return err
		}
		to, err := f.Objects.Calendar(tx, ann.Member(), second.ID)
		if err != nil {
			return err
		}
		return f.Objects.Copy(tx, r.Ref, to, "a.ics")
	}))
	wantOverQuota("a third calendar", f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Third"})
		return err
	}))
	f.Put(bea, f.DefaultCalendar(bea), "a.ics", event("a", 2000))
	f.WantCounts()
}

// A calendar is found by id, by segment and as the default, only by members with access, and for
// writing only by members with write access.
func TestCalendarsAreFoundThroughAccess(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal, shared := f.DefaultCalendar(ann), f.AddCalendar(ann, "Shared")
	storetest.Exec(t, f.DB, "INSERT INTO calendar_access VALUES (?, ?, 'read', 'shared', 5, 1)", bea.Member(), shared.ID)
	f.Read(func(tx *store.Tx) error {
		for _, c := range []struct {
			name string
			find func() (object.Calendar, error)
			want string // id of the calendar; "" if an error is expected
			kind svc.Kind
		}{
			{"by id", func() (object.Calendar, error) { return f.Objects.Calendar(tx, ann.Member(), shared.ID) }, shared.ID, 0},
			{"by segment", func() (object.Calendar, error) { return f.Objects.CalendarAt(tx, ann.Member(), shared.Segment) }, shared.ID, 0},
			{"the default", func() (object.Calendar, error) { return f.Objects.WritableCalendar(tx, ann.Member(), "") }, defaultCal.ID, 0},
			{"another member's", func() (object.Calendar, error) { return f.Objects.Calendar(tx, bea.Member(), defaultCal.ID) }, "", svc.Missing},
			{"another member's, by segment", func() (object.Calendar, error) { return f.Objects.CalendarAt(tx, bea.Member(), defaultCal.Segment) }, "", svc.Missing},
			{"a shared one", func() (object.Calendar, error) { return f.Objects.CalendarAt(tx, bea.Member(), "shared") }, shared.ID, 0},
			{"a shared one for writing", func() (object.Calendar, error) { return f.Objects.WritableCalendar(tx, bea.Member(), shared.ID) }, "", svc.Forbidden},
			{"a shared one for writing, by segment", func() (object.Calendar, error) { return f.Objects.WritableCalendarAt(tx, bea.Member(), "shared") }, "", svc.Forbidden},
		} {
			got, err := c.find()
			if c.want != "" && (err != nil || got.ID != c.want) || c.want == "" && (err == nil || svc.KindOf(err) != c.kind) {
				t.Errorf("%s: got %s, %v", c.name, got.ID, err)
			}
		}
		return nil
	})
	f.Put(ann, shared, "a.ics", event("a", 1))
	f.Read(func(tx *store.Tx) error {
		id := f.IDAt(shared, "a.ics")
		if r, err := f.Objects.Visible(tx, bea.Member(), id); err != nil || r.IsWritable() || !r.Info().ReadOnly {
			t.Errorf("got %+v, %v, want a read-only object", r, err)
		}
		if _, _, err := f.Objects.Open(tx, bea.Member(), "tob_none"); !errors.Is(err, object.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
		return nil
	})
}

// A segment of a calendar home belongs to at most one calendar, file or
// collection.
func TestClaimedSegmentsAreFree(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Write(func(tx *store.Tx) error { return f.Collections.MakeCollection(tx, ann, "notes") })
	for segment, taken := range map[string]bool{defaultCal.Segment: true, "notes": true, "free": false} {
		err := f.TryWrite(func(tx *store.Tx) error { return f.Objects.ClaimSegment(tx, ann.Member(), segment) })
		if errors.Is(err, object.ErrTaken) != taken || !taken && err != nil {
			t.Errorf("%s: got %v, want taken %t", segment, err, taken)
		}
	}
}

// An object gets another segment if its own is taken, and is in a calendar at
// most once.
func TestFreeSegmentAvoidsTakenSegments(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "a.ics", event("a", 1))
	f.Read(func(tx *store.Tx) error {
		if got, err := f.Objects.FreeSegment(tx, defaultCal.ID, "b.ics", "tob_1", "b"); got != "b.ics" || err != nil {
			t.Errorf("got %s, %v, want b.ics", got, err)
		}
		if got, err := f.Objects.FreeSegment(tx, defaultCal.ID, "a.ics", "tob_1", "b"); got != "tob_1.ics" || err != nil {
			t.Errorf("got %s, %v, want tob_1.ics", got, err)
		}
		_, err := f.Objects.FreeSegment(tx, defaultCal.ID, "c.ics", "tob_1", "a")
		calendartest.WantError(t, err, svc.AlreadyExists, "calendar_id")
		return nil
	})
}

// After any sequence of writes, the columns and occurrences of all objects are
// those that follow from their text, and the counts are right. Covers PT-23.
func TestColumnsFollowFromTheText(t *testing.T) {
	for seed := range svctest.Seeds(8) {
		d := icstest.NewRand(seed)
		f := calendartest.New(t)
		ann := f.Member("ann")
		list := []calendar.Calendar{f.DefaultCalendar(ann), f.AddCalendar(ann, "Second"), f.AddCalendar(ann, "Third")}
		for n := range 120 {
			randomWrite(f, ann, d, list, n)
		}
		const query = `SELECT id, component, title, etag, size, floating, first_start, last_end, indexed_from, indexed_to, open, completed_at FROM calendar_object ORDER BY n`
		const occurrences = `SELECT calendar_id, n, floating, band, starts, ends, recurrence_id, busy FROM calendar_occurrence ORDER BY 1, 2, 3, 4, 5, 7`
		columns, rows := storetest.Rows(t, f.DB, query), storetest.Rows(t, f.DB, occurrences)
		f.Reindex(f.Objects.AllObjects)
		if got := storetest.Rows(t, f.DB, query); !slices.Equal(columns, got) {
			t.Errorf("seed %d: got columns\n%q\nwant\n%q", seed, columns, got)
		}
		if got := storetest.Rows(t, f.DB, occurrences); !slices.Equal(rows, got) {
			t.Errorf("seed %d: got %d occurrences, want %d", seed, len(rows), len(got))
		}
		f.WantCounts()
		if len(columns) == 0 || len(rows) == 0 {
			t.Errorf("seed %d: nothing was stored", seed)
		}
	}
}

// randomWrite makes a random write, which may be rejected.
func randomWrite(f *calendartest.Fixture, v svc.Viewer, d icstest.Rand, list []calendar.Calendar, n int) {
	c, other := icstest.Pick(d, list...), icstest.Pick(d, list...)
	segments := append(f.Segments(v, c), fmt.Sprint(n, ".ics"))
	segment := icstest.Pick(d, segments...)
	uid := fmt.Sprint("uid-", n)
	text := d.CalendarObject(uid)
	o, err := ics.Parse([]byte(text))
	if err != nil {
		f.T.Fatal(err)
	}
	_ = f.TryWrite(func(tx *store.Tx) error {
		row, found, err := f.Objects.At(tx, c.ID, segment)
		if err != nil {
			return err
		}
		from, err := f.Objects.Calendar(tx, v.Member(), c.ID)
		if err != nil {
			return err
		}
		to, err := f.Objects.Calendar(tx, v.Member(), other.ID)
		if err != nil {
			return err
		}
		p := object.Prepare(o, tx.Now())
		switch action := d.IntN(8); {
		case !found || action == 0:
			_, err = f.Objects.Add(tx, from, "", p)
		case action <= 2:
			err = f.Objects.Replace(tx, c.ID, row.N, p)
		case action == 3:
			err = f.Objects.Remove(tx, row)
		case action == 4:
			err = f.Objects.Move(tx, row, to, fmt.Sprint("moved-", n, ".ics"))
		case action == 5 && c.ID != other.ID:
			err = f.Objects.Copy(tx, row.Ref, to, fmt.Sprint("copy-", n, ".ics"))
		case action == 6 && c.ID != other.ID && d.OneIn(4):
			_, err = moveAll(f, tx, from, to)
		default:
			err = f.Objects.SetDisplay(tx, row, new("#112233"), false)
		}
		return err
	})
}

// excludedSeries returns a series with an occurrence each second, all of which
// are excluded for 900 days.
func excludedSeries(uid string) string {
	var minutes, days []string
	for i := range 60 {
		minutes = append(minutes, strconv.Itoa(i))
	}
	for i := range 900 {
		days = append(days, storetest.Start.AddDate(0, 0, i-30).Format("20060102"))
	}
	all := strings.Join(minutes, ",")
	return icstest.Event(uid, "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;BYMINUTE="+all+";BYSECOND="+all, "EXDATE;VALUE=DATE:"+strings.Join(days, ","))
}

// A request evaluates each series within a limit. If the limit is reached, the
// result is marked as truncated, and the other series are still evaluated.
func TestWorkOfARequestIsLimited(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var refs []object.Ref
	for i, text := range []string{excludedSeries("a"), excludedSeries("b"), excludedSeries("c"), icstest.Event("daily", "DTSTART:20261121T100000Z", "RRULE:FREQ=DAILY")} {
		f.Put(ann, defaultCal, fmt.Sprint(i, ".ics"), text)
		f.Read(func(tx *store.Tx) error {
			r, _, err := f.Objects.At(tx, defaultCal.ID, fmt.Sprint(i, ".ics"))
			refs = append(refs, r.Ref)
			return err
		})
	}
	f.Read(func(tx *store.Tx) error {
		counts := make(map[string]int)
		visited, truncated, err := f.Objects.EachWithin(tx, refs, func(_ int, o *ics.Object) error {
			list, _ := o.Instances(storetest.Start, storetest.Start.AddDate(0, 0, 30), time.UTC, 100)
			counts[o.UID] = len(list)
			return nil
		})
		if visited != 4 || !truncated || err != nil || counts["daily"] != 30 {
			t.Errorf("got visited %d, truncated %t, %v, %v; want 4, true, 30 occurrences of daily", visited, truncated, err, counts)
		}
		return nil
	})
}

// If the work of the request is exceeded, the remaining objects are not visited: EachWithin reports
// a truncated result, EachCounted returns an error.
func TestObjectsBeyondTheWorkOfARequestAreNotVisited(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var refs []object.Ref
	for _, uid := range []string{"a", "b"} {
		f.Put(ann, defaultCal, uid+".ics", event(uid, 1))
		f.Read(func(tx *store.Tx) error {
			r, _, err := f.Objects.At(tx, defaultCal.ID, uid+".ics")
			refs = append(refs, r.Ref)
			return err
		})
	}
	for _, each := range []struct {
		name string
		call func(tx *store.Tx, visit func(int, *ics.Object) error) error
		want error
	}{
		{"EachCounted", func(tx *store.Tx, visit func(int, *ics.Object) error) error {
			return f.Objects.EachCounted(tx, refs, visit)
		}, svc.ErrTooMuchWork},
		{"EachWithin", func(tx *store.Tx, visit func(int, *ics.Object) error) error {
			visited, truncated, err := f.Objects.EachWithin(tx, refs, visit)
			if visited != 1 || !truncated {
				t.Errorf("EachWithin: got visited %d, truncated %t, want 1 and true", visited, truncated)
			}
			return err
		}, nil},
	} {
		ctx := svc.WithWork(t.Context(), svc.MaxWork, nil)
		if err := svc.WorkOf(ctx).Take(svc.MaxWork - refs[0].Size - 1); err != nil {
			t.Fatal(err)
		}
		n := 0
		err := f.DB.Read(ctx, func(tx *store.Tx) error {
			return each.call(tx, func(int, *ics.Object) error { n++; return nil })
		})
		if n != 1 || !errors.Is(err, each.want) {
			t.Errorf("%s: got %d objects and %v, want 1 and %v", each.name, n, err, each.want)
		}
	}
}

// The text of many objects is read in batches of bounded size, in any order.
func TestTextIsReadInBatches(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var refs []object.Ref
	for i := range 9 { // more than one batch
		f.Put(ann, defaultCal, fmt.Sprint(i, ".ics"), event(fmt.Sprint("uid-", i), 900_000))
		f.Read(func(tx *store.Tx) error {
			r, _, err := f.Objects.At(tx, defaultCal.ID, fmt.Sprint(i, ".ics"))
			refs = append(refs, r.Ref)
			return err
		})
	}
	order := []int{8, 0, 3, 3, 1, 7}
	list := make([]object.Ref, len(order))
	for i, n := range order {
		list[i] = refs[n]
	}
	f.Read(func(tx *store.Tx) error {
		var got []int
		err := f.Objects.Each(tx, list, func(i int, text []byte) error {
			if !strings.Contains(string(text), fmt.Sprintf("UID:uid-%d\r\n", order[i])) {
				t.Errorf("object %d has the text of another one", i)
			}
			got = append(got, i)
			return nil
		})
		if want := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(got, want) {
			t.Errorf("got order %v, want %v", got, want)
		}
		return err
	})
}

// Whether a task is open, and when it was completed, follows from its components.
func TestTaskProgressFollowsFromItsComponents(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for i, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"SUMMARY:x"}, "1 <nil>"},
		{[]string{"STATUS:CANCELLED"}, "0 <nil>"},
		{[]string{"STATUS:COMPLETED"}, "0 <nil>"},
		{[]string{"COMPLETED:20261120T080000Z"}, "0 " + fmt.Sprint(time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC).UnixMilli())},
		{[]string{"PERCENT-COMPLETE:100", "LAST-MODIFIED:20261120T080000Z"}, "0 " + fmt.Sprint(time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC).UnixMilli())},
		{[]string{"STATUS:IN-PROCESS", "COMPLETED:20261120T080000Z"}, "1 <nil>"},
		{[]string{"STATUS:NEEDS-ACTION", "PERCENT-COMPLETE:100"}, "1 <nil>"},
		{[]string{"DTSTART:20261101T080000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "X-KDE-LIBKCAL-DTRECURRENCE:20261108T080000Z"}, "1 <nil>"},
		{[]string{"DTSTART:20261101T080000Z", "RRULE:FREQ=WEEKLY;COUNT=2", "X-KDE-LIBKCAL-DTRECURRENCE:20261115T080000Z"}, "0 <nil>"},
	} {
		segment := fmt.Sprint(i, ".ics")
		f.Put(ann, defaultCal, segment, icstest.Object("VTODO", segment, c.lines...))
		got := storetest.Rows(t, f.DB, "SELECT open, completed_at FROM calendar_object WHERE segment = ?", segment)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%q: got %q, want %q", c.lines, got, c.want)
		}
	}
}

// moveAll moves the objects of a calendar to another one. They must fit into one write.
func moveAll(f *calendartest.Fixture, tx *store.Tx, from, to object.Calendar) (moved int, err error) {
	m, err := f.Objects.NextMoveBatch(tx, from, to, false)
	if err != nil {
		return 0, err
	}
	return f.Objects.MoveObjects(tx, m)
}

// Each change increments the seq of its calendar; a move increments it for
// each object.
func TestChangesIncrementSeq(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, other := f.DefaultCalendar(ann), f.AddCalendar(ann, "Other")
	seq := func(c calendar.Calendar) (n int64) {
		f.Read(func(tx *store.Tx) error {
			row, err := f.Objects.Calendar(tx, ann.Member(), c.ID)
			n = row.Seq
			return err
		})
		return n
	}
	f.Put(ann, defaultCal, "a.ics", event("a", 1))
	f.Put(ann, defaultCal, "b.ics", event("b", 1))
	f.Put(ann, defaultCal, "b.ics", event("b", 2))
	if got := seq(defaultCal); got != 3 {
		t.Errorf("got seq %d, want 3", got)
	}
	f.Write(func(tx *store.Tx) error {
		to, err := f.Objects.Calendar(tx, ann.Member(), other.ID)
		if err != nil {
			return err
		}
		from, err := f.Objects.Calendar(tx, ann.Member(), defaultCal.ID)
		if err != nil {
			return err
		}
		moved, err := moveAll(f, tx, from, to)
		if moved != 2 {
			t.Errorf("moved %d objects, want 2", moved)
		}
		return err
	})
	if got := seq(other); got != 2 {
		t.Errorf("got seq %d of the target, want 2", got)
	}
	if got := f.Segments(ann, other); !slices.Equal(got, []string{"a.ics", "b.ics"}) {
		t.Errorf("got %q in the target", got)
	}
	f.Put(ann, defaultCal, "c.ics", event("a", 1))
	err := f.TryWrite(func(tx *store.Tx) error {
		to, err := f.Objects.Calendar(tx, ann.Member(), other.ID)
		if err != nil {
			return err
		}
		from, err := f.Objects.Calendar(tx, ann.Member(), defaultCal.ID)
		if err != nil {
			return err
		}
		_, err = moveAll(f, tx, from, to)
		return err
	})
	calendartest.WantError(t, err, svc.AlreadyExists, "move_to")
}

// A calendar rejects an object whose component is not in its set (RFC 4791 §5.2.3).
func TestCalendarAcceptsOnlyItsComponents(t *testing.T) {
	c := object.Calendar{Components: "VEVENT,VJOURNAL"}
	for component, want := range map[string]bool{"VEVENT": true, "VJOURNAL": true, "VTODO": false, "VEVENT,VJOURNAL": false} {
		if got := c.Accepts(component); got != want {
			t.Errorf("%s: got %t, want %t", component, got, want)
		}
	}
	if p := prepareText(t, event("a", 1)); p.ETag != object.ETag([]byte(event("a", 1))) {
		t.Errorf("got ETag %s, want that of the text", p.ETag)
	}
}

// One write copies as many objects as the limits of rows and text allow, at least one, with their
// occurrences. Covers B-130.
func TestCopiesAreLimitedByRowsAndText(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	from, to := f.AddCalendar(ann, "From"), f.AddCalendar(ann, "To")
	for i := range 5 {
		f.Put(ann, from, fmt.Sprint("large", i), event(fmt.Sprint("large", i), 900<<10))
	}
	for i := range 4 {
		f.Put(ann, from, fmt.Sprint("series", i), icstest.Event(fmt.Sprint("series", i), "DTSTART:20261125T090000Z", "RRULE:FREQ=HOURLY;COUNT=900"))
	}
	var list []object.CopySource
	f.Read(func(tx *store.Tx) (err error) {
		list, err = f.Objects.CopySources(tx, from.ID, 100)
		return err
	})
	var batches []int
	for len(list) > 0 {
		f.Write(func(tx *store.Tx) error {
			n, err := f.Objects.CopyNext(tx, list, to.ID)
			batches, list = append(batches, n), list[n:]
			return err
		})
	}
	if fmt.Sprint(batches) != "[2 2 3 2]" {
		t.Errorf("got batches of %v objects, want those of 2 MiB and of two series", batches)
	}
	copied := storetest.Rows(t, f.DB, "SELECT count(*), (SELECT count(*) FROM calendar_occurrence WHERE calendar_id = ?1) FROM calendar_object WHERE calendar_id = ?1", to.ID)
	original := storetest.Rows(t, f.DB, "SELECT count(*), (SELECT count(*) FROM calendar_occurrence WHERE calendar_id = ?1) FROM calendar_object WHERE calendar_id = ?1", from.ID)
	if fmt.Sprint(copied) != fmt.Sprint(original) {
		t.Errorf("got %v objects and occurrences, want %v", copied, original)
	}
}

// The steps of the index are part of the work of a request.
func TestPreparationTakesWork(t *testing.T) {
	o := icstest.Parse(t, icstest.Event("1", "DTSTART:20261125T090000Z", "RRULE:FREQ=HOURLY;COUNT=900"))
	for limit, want := range map[int64]error{100_000: nil, 1000: svc.ErrTooMuchWork} {
		ctx := svc.WithWork(t.Context(), limit, nil)
		if _, err := object.PrepareCounted(svc.WorkOf(ctx), o, storetest.Start); !errors.Is(err, want) {
			t.Errorf("%d steps: got %v, want %v", limit, err, want)
		}
	}
}

func TestCalendarsRefuseOtherComponents(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	tasks := f.AddCalendar(ann, "Tasks")
	storetest.Exec(t, f.DB, "UPDATE calendar_calendar SET components = 'VTODO' WHERE id = ?", tasks.ID)
	f.Read(func(tx *store.Tx) error {
		c, err := f.Objects.Calendar(tx, ann.Member(), tasks.ID)
		if err != nil {
			return err
		}
		if err := f.Objects.CheckAccepts(tx, ann.Member(), c, "VTODO", "calendar_id"); err != nil {
			t.Errorf("a task: got %v, want no error", err)
		}
		refused, _ := errors.AsType[*svc.Error](f.Objects.CheckAccepts(tx, ann.Member(), c, "VEVENT", "calendar_id"))
		if refused == nil || len(refused.Fields) != 1 || refused.Fields[0].Name != "calendar_id" || len(refused.Fields[0].Calendars) != 1 {
			t.Errorf("an event: got %+v, want an error for calendar_id that names the other calendar", refused)
		}
		return nil
	})
}
