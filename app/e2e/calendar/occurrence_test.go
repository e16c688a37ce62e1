package calendar

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
)

// stored is an entry as a test has put it.
type stored struct {
	name     string
	object   *ics.Object
	calendar int // which of the member's
}

// shelf is a member with two calendars full of entries of all kinds.
type shelf struct {
	*apptest.Server
	ann       *apptest.Client
	viewer    svc.Viewer
	calendars []calendar.Calendar
	all       []stored
}

// fill makes a shelf. The clock goes on while it is filled, so that the
// entries are indexed around different days, and after it.
func fill(t *testing.T, d apptest.Rand, count int) *shelf {
	s := &shelf{Server: apptest.New(t)}
	s.ann = s.Member("ann")
	s.viewer = s.ann.Viewer()
	s.ann.Do("POST", "/world/calendars", `{"name": "Far away", "timezone": "Pacific/Kiritimati"}`).Want(201)
	s.Read(func(tx *store.Tx) (err error) {
		s.calendars, err = s.App.Calendar.Calendars(tx, s.viewer)
		return err
	})
	start := s.Clock.Now()
	s.Clock.Advance(-500 * 24 * time.Hour)
	for n := range count {
		if n == count/2 {
			s.Clock.Set(start)
		}
		text := d.CalendarObject(fmt.Sprintf("uid-%d", n))
		o, err := ics.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		s.put(t, stored{fmt.Sprintf("%04d.ics", n), o, d.IntN(2)})
	}
	return s
}

// put stores one more entry.
func (s *shelf) put(t *testing.T, one stored) {
	t.Helper()
	entry := object.Prepare(one.object, s.DB.Now())
	err := s.DB.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := s.App.Collections.Put(tx, s.viewer, s.calendars[one.calendar].Segment, one.name, entry, func(string) error { return nil })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.all = append(s.all, one)
}

// What the index finds is what expanding every entry finds. Covers C-17, C-18,
// and the promise of occurrence.go.
func TestIndexFindsWhatIsThere(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		d := apptest.NewRand(seed)
		s := fill(t, d, 120)
		if d.OneIn(2) {
			if err := s.App.Reindex(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for range 150 {
			from, to := d.Range()
			if d.OneIn(8) {
				from = time.Time{}
			} else if d.OneIn(8) {
				to = time.Time{}
			}
			s.check(t, d.IntN(2), apptest.Pick(d, "VEVENT", "VTODO"), d.Zone(), from, to)
		}
	}
}

// check asks a calendar for a range of time, and each entry by itself.
func (s *shelf) check(t *testing.T, n int, component string, zone *time.Location, from, to time.Time) {
	t.Helper()
	filter := ics.Filter{Comp: ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: component, TimeRange: &ics.TimeRange{Start: from, End: to}}}}}
	var found []collection.Resource
	s.Read(func(tx *store.Tx) (err error) {
		found, err = s.App.Collections.Matching(tx, s.viewer, s.calendars[n].Segment, filter, zone)
		return err
	})
	got := make(map[string]bool)
	for _, r := range found {
		if got[r.Segment] {
			t.Errorf("%s is found twice", r.Segment)
		}
		got[r.Segment] = true
	}
	for _, one := range s.all {
		if one.calendar != n || one.object.Component != component {
			if got[one.name] {
				t.Errorf("%s is found in the wrong place", one.name)
			}
			continue
		}
		list, cut := one.object.Instances(from, to, zone, 1)
		if want := len(list) > 0; got[one.name] != want && !(cut && got[one.name]) {
			t.Errorf("from %s to %s in %s: found %v, want %v %+v\n%s", from, to, zone, got[one.name], want, list, one.object.Raw)
		}
	}
}

// A list of instances has all that expanding every entry gives, in order and
// each once, whatever the size of its pages.
func TestListsHaveAllInstances(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		d := apptest.NewRand(100 + seed)
		s := fill(t, d, 60)
		for range 20 {
			q := index.Query{Limit: 1 + d.IntN(200)}
			q.From, q.To = d.Range()
			s.checkList(t, q, d.Zone())
		}
	}
}

// dense is how many instances in a range are too many to compare.
const dense = 3000

func (s *shelf) checkList(t *testing.T, q index.Query, loc *time.Location) {
	t.Helper()
	want, tooMany := make(map[string]int64), make(map[string]bool)
	for _, one := range s.all {
		list, cut := one.object.Instances(q.From, q.To, loc, dense)
		tooMany[one.object.UID] = cut
		for _, i := range list {
			if !cut {
				want[one.object.UID+" "+RecurrenceIDOf(i)] = i.From
			}
		}
	}
	last := int64(math.MinInt64)
	for pages := 1; ; pages++ {
		var p index.Page
		s.Read(func(tx *store.Tx) (err error) {
			p, err = s.App.TimeIndex.Occurrences(tx, s.viewer, loc, q)
			return err
		})
		for _, o := range p.Objects {
			if tooMany[o.State.UID] {
				continue
			}
			id := o.State.UID + " "
			if o.State.Occurrence.RecurrenceID != nil {
				id += *o.State.Occurrence.RecurrenceID
			}
			from, ok := want[id]
			if !ok || from < last {
				t.Errorf("from %s to %s in %s: %s is there, wanted %v, in order %v", q.From, q.To, loc, id, ok, from >= last)
			}
			last = from
			delete(want, id)
		}
		if p.Page.NextCursor == nil || pages == 20 {
			for id, from := range want {
				if from < last || p.Page.NextCursor == nil {
					t.Errorf("from %s to %s in %s: %s is missing", q.From, q.To, loc, id)
				}
			}
			return
		}
		q.Cursor = *p.Page.NextCursor
	}
}

// idOf is the recurrence id of an instance as JSON has it.
func RecurrenceIDOf(i ics.Instance) string {
	switch {
	case i.RecurrenceID.IsZero():
		return ""
	case i.RecurrenceID.IsDate():
		return i.RecurrenceID.Clock().Format(time.DateOnly)
	}
	return i.RecurrenceID.Clock().Format("2006-01-02T15:04:05")
}

// A dataset has what is near, and of each the instance that is next. Covers
// B-61.
func TestUpcomingIsWhatIsNear(t *testing.T) {
	svctest.Long(t)
	for seed := range svctest.Seeds(2) {
		d := apptest.NewRand(200 + seed)
		s := fill(t, d, 150)
		for range 12 {
			s.Clock.Set(d.Clock().Add(time.Duration(d.IntN(900)) * time.Second))
			s.checkUpcoming(t, d.Zone())
		}
	}
}

func (s *shelf) checkUpcoming(t *testing.T, loc *time.Location) {
	t.Helper()
	var got []view.Object
	var upcoming index.Upcoming
	s.Read(func(tx *store.Tx) (err error) {
		if upcoming, err = s.App.TimeIndex.Upcoming(tx, s.viewer, loc); err != nil {
			return err
		}
		var ids []string
		for _, e := range upcoming.Entries {
			ids = append(ids, e.ID)
		}
		got, _, err = s.App.TimeIndex.Load(tx, s.viewer, loc, ids)
		return err
	})
	now := s.Clock.Now()
	today := now.In(loc)
	from := time.Date(today.Year(), today.Month(), today.Day()-7, 0, 0, 0, 0, loc)
	to := time.Date(today.Year(), today.Month(), today.Day()+60, 0, 0, 0, 0, loc)
	until := time.Date(today.Year(), today.Month(), today.Day()+1, 0, 0, 0, 0, loc)
	for _, one := range s.all {
		list, _ := one.object.Instances(from, to, loc, 100_000)
		open := one.object.Component == "VTODO" && slices.ContainsFunc(one.object.Components(), func(c *ics.Component) bool {
			return c.Text("STATUS") != "CANCELLED" && c.Text("STATUS") != "COMPLETED" && c.Time("COMPLETED").IsZero()
		})
		n := slices.IndexFunc(got, func(o view.Object) bool { return o.State.UID == one.object.UID })
		if (n >= 0) != (len(list) > 0 || open) {
			t.Errorf("at %s in %s: listed %v, with %d instances, open %v\n%s", now, loc, n >= 0, len(list), open, one.object.Raw)
		}
		if n < 0 || len(list) == 0 {
			continue
		}
		next := slices.IndexFunc(list, func(i ics.Instance) bool { return i.To > now.UnixMilli() })
		if next >= 0 && list[next].To < until.UnixMilli() && upcoming.Until.UnixMilli() > list[next].To {
			t.Errorf("at %s in %s: good until %s, but an instance ends before\n%s", now, loc, upcoming.Until, one.object.Raw)
		}
		if next < 0 {
			next = len(list) - 1
		}
		occurrence, id := got[n].State.Occurrence, ""
		if occurrence != nil && occurrence.RecurrenceID != nil {
			id = *occurrence.RecurrenceID
		}
		if want := RecurrenceIDOf(list[next]); occurrence == nil || id != want {
			t.Errorf("at %s in %s: the instance of %s, want %s\n%s", now, loc, id, want, one.object.Raw)
		}
	}
}

// Where clocks are changed, what a clock shows comes twice or never. What is
// in floating time is found there all the same, and nothing else is.
func TestFloatingTimesWhereClocksAreChanged(t *testing.T) {
	s := &shelf{Server: apptest.New(t)}
	s.ann = s.Member("ann")
	s.viewer = s.ann.Viewer()
	s.Read(func(tx *store.Tx) (err error) {
		s.calendars, err = s.App.Calendar.Calendars(tx, s.viewer)
		return err
	})
	for _, day := range []string{"20261025", "20270328", "20270404", "20261004"} {
		for quarter := range 5 * 4 {
			for _, minutes := range []int{0, 20, 90} {
				uid := fmt.Sprintf("%s-%d-%d", day, quarter, minutes)
				o, err := ics.Parse([]byte(apptest.VEvent(uid, fmt.Sprintf("DTSTART:%sT%02d%02d00", day, quarter/4, quarter%4*15), fmt.Sprintf("DURATION:PT%dM", minutes))))
				if err != nil {
					t.Fatal(err)
				}
				s.put(t, stored{uid, o, 0})
			}
		}
	}
	for _, zone := range []string{"Europe/Berlin", "Australia/Lord_Howe"} {
		z, _ := ics.LoadZone(zone)
		for _, day := range []string{"2026-10-25", "2027-03-28", "2027-04-04", "2026-10-04"} {
			midnight, _ := time.ParseInLocation(time.DateOnly, day, z.Location())
			for quarter := range 6 * 4 {
				for _, minutes := range []int{10, 45, 120} {
					from := midnight.Add(time.Duration(quarter) * 15 * time.Minute)
					s.check(t, 0, "VEVENT", z.Location(), from, from.Add(time.Duration(minutes)*time.Minute))
				}
			}
		}
	}
}
