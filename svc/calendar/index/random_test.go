package index_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
)

// randomFixture is a member with random objects in two calendars.
type randomFixture struct {
	*calendartest.Fixture
	ann       svc.Viewer
	calendars []calendar.Calendar
	stored    []calendartest.StoredObject
}

func newRandomFixture(t *testing.T, d icstest.Rand, count int) *randomFixture {
	t.Helper()
	f := &randomFixture{Fixture: calendartest.New(t)}
	f.ann = f.Member("ann")
	f.calendars = []calendar.Calendar{f.DefaultCalendar(f.ann), f.AddCalendar(f.ann, "Second")}
	f.stored = f.PutRandom(f.ann, f.calendars, d, count)
	if d.OneIn(2) {
		f.Reindex(f.Objects.AllObjects)
	}
	return f
}

// The pages of a list contain each occurrence of the expanded objects once, in
// the order of time, for any page size. Covers C-17 and C-18.
func TestListsContainAllOccurrences(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		d := icstest.NewRand(100 + seed)
		f := newRandomFixture(t, d, 60)
		for range 20 {
			q := index.Query{Limit: 1 + d.IntN(200)}
			q.From, q.To = d.Range()
			f.wantAllOccurrences(q, d.Zone())
		}
	}
}

// maxOccurrences limits the occurrences of an object that are compared.
const maxOccurrences = 3000

func (f *randomFixture) wantAllOccurrences(q index.Query, loc *time.Location) {
	f.T.Helper()
	want, tooMany := make(map[string]int64), make(map[string]bool)
	for _, o := range f.stored {
		list, truncated := o.Object.Instances(q.From, q.To, loc, maxOccurrences)
		tooMany[o.Object.UID] = truncated
		for _, i := range list {
			if !truncated {
				want[o.Object.UID+" "+calendartest.RecurrenceID(i)] = i.From
			}
		}
	}
	last := int64(math.MinInt64)
	for pages := 1; ; pages++ {
		p := f.page(q, loc)
		for _, o := range p.Objects {
			if tooMany[o.State.UID] {
				continue
			}
			id := o.State.UID + " " + recurrenceID(o)
			from, ok := want[id]
			if !ok || from < last {
				f.T.Errorf("from %s to %s in %s: got %q, wanted %t, in order %t", q.From, q.To, loc, id, ok, from >= last)
			}
			last = from
			delete(want, id)
		}
		if p.Page.NextCursor == nil || pages == 20 {
			for id, from := range want {
				if from < last || p.Page.NextCursor == nil {
					f.T.Errorf("from %s to %s in %s: %q is missing", q.From, q.To, loc, id)
				}
			}
			return
		}
		q.Cursor = *p.Page.NextCursor
	}
}

func (f *randomFixture) page(q index.Query, loc *time.Location) (p index.Page) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		p, err = f.Index.Occurrences(tx, f.ann, loc, q)
		return err
	})
	return p
}

// recurrenceID returns the recurrence id of the occurrence in a summarized
// object, "" if there is none.
func recurrenceID(o view.Object) string {
	if o.State.Occurrence == nil || o.State.Occurrence.RecurrenceID == nil {
		return ""
	}
	return *o.State.Occurrence.RecurrenceID
}

// A dataset contains the objects that have an occurrence near today, and all
// open tasks; each with the occurrence that is next, an open task with its first open
// one. Upcoming.Until is the time at which this changes. Covers B-61 and B-113.
func TestUpcomingObjectsAreThoseNearToday(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		d := icstest.NewRand(200 + seed)
		f := newRandomFixture(t, d, 100)
		for range 6 {
			f.Clock.Set(d.Clock().Add(time.Duration(d.IntN(900)) * time.Second))
			f.wantUpcoming(d.Zone())
		}
	}
}

func (f *randomFixture) wantUpcoming(loc *time.Location) {
	f.T.Helper()
	got, until := f.upcoming(loc)
	now := f.Clock.Now()
	today := now.In(loc)
	midnight := func(days int) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+days, 0, 0, 0, 0, loc)
	}
	for _, stored := range f.stored {
		o := stored.Object
		list, _ := o.Instances(midnight(-7), midnight(60), loc, 100_000)
		object, listed := got[o.UID]
		open := firstOpen(o, loc)
		if want := len(list) > 0 || open != nil; listed != want {
			f.T.Errorf("at %s in %s: listed %t, want %t, with %d occurrences\n%s", now, loc, listed, want, len(list), o.Raw)
		}
		if open != nil {
			if got, want := recurrenceID(object), calendartest.RecurrenceID(*open); listed && (object.State.Occurrence == nil || got != want || object.State.IsDone()) {
				f.T.Errorf("at %s in %s: got the occurrence %q with the status %s, want the first open one, %q\n%s", now, loc, got, object.State.Status, want, o.Raw)
			}
			continue
		}
		if !listed || len(list) == 0 {
			continue
		}
		next := slices.IndexFunc(list, func(i ics.Instance) bool { return i.To > now.UnixMilli() })
		if next >= 0 && list[next].To < midnight(1).UnixMilli() && until.UnixMilli() > list[next].To {
			f.T.Errorf("at %s in %s: valid until %s, but an occurrence ends earlier\n%s", now, loc, until, o.Raw)
		}
		if next < 0 {
			next = len(list) - 1
		}
		if got, want := recurrenceID(object), calendartest.RecurrenceID(list[next]); object.State.Occurrence == nil || got != want {
			f.T.Errorf("at %s in %s: got the occurrence %q, want %q\n%s", now, loc, got, want, o.Raw)
		}
	}
}

// upcoming returns the objects of a dataset by their UIDs.
func (f *randomFixture) upcoming(loc *time.Location) (objects map[string]view.Object, until time.Time) {
	f.T.Helper()
	objects = make(map[string]view.Object)
	f.Read(func(tx *store.Tx) error {
		u, err := f.Index.Upcoming(tx, f.ann, loc)
		if err != nil {
			return err
		}
		var ids []string
		for _, e := range u.Entries {
			ids = append(ids, e.ID)
		}
		list, _, err := f.Index.Load(tx, f.ann, loc, ids)
		for _, o := range list {
			objects[o.State.UID] = o
		}
		until = u.Until
		return err
	})
	return objects, until
}

// firstOpen returns the first occurrence of a task that is neither completed nor
// cancelled, nil if there is none.
func firstOpen(o *ics.Object, loc *time.Location) *ics.Instance {
	list, _ := o.Instances(time.Time{}, time.Time{}, loc, 2000)
	n := slices.IndexFunc(list, func(i ics.Instance) bool {
		status := i.Component.Text("STATUS")
		return o.Component == "VTODO" && (status == "IN-PROCESS" || status == "" && i.Component.Time("COMPLETED").IsZero())
	})
	if n < 0 {
		return nil
	}
	return &list[n]
}

// The free-busy times of a calendar are those of all its objects.
func TestFreeBusyTimesAreThoseOfAllObjects(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		d := icstest.NewRand(seed)
		f := newRandomFixture(t, d, 120)
		for range 100 {
			from, to := d.Range()
			f.wantFreeBusy(icstest.Pick(d, f.calendars...).Segment, d.Zone(), from, to)
		}
	}
}

func (f *randomFixture) wantFreeBusy(segment string, zone *time.Location, from, to time.Time) {
	f.T.Helper()
	const limit = 100_000
	var want []ics.Period
	for _, o := range f.stored {
		if o.Calendar == segment {
			periods, truncated := o.Object.FreeBusy(from, to, zone, limit)
			if truncated {
				return
			}
			want = append(want, periods...)
		}
	}
	var got []ics.Period
	f.Read(func(tx *store.Tx) (err error) {
		got, err = f.Index.FreeBusy(tx, f.ann, segment, from, to, zone, limit)
		return err
	})
	equalPeriods := func(a, b ics.Period) bool { return a.From.Equal(b.From) && a.To.Equal(b.To) && a.Type == b.Type }
	if want = ics.MergePeriods(want); !slices.EqualFunc(got, want, equalPeriods) {
		f.T.Errorf("from %s to %s in %s: got %v, want %v", from, to, zone, got, want)
	}
}
