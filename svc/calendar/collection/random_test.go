package collection_test

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/svctest"
)

// A calendar-query with a time range finds the objects in which expansion finds
// an occurrence. Covers C-17 and C-18.
func TestTimeRangeFindsObjectsWithOccurrences(t *testing.T) {
	for seed := range svctest.Seeds(2) {
		d := icstest.NewRand(seed)
		f := calendartest.New(t)
		ann := f.Member("ann")
		calendars := []calendar.Calendar{f.DefaultCalendar(ann), f.AddCalendar(ann, "Second")}
		stored := f.PutRandom(ann, calendars, d, 120)
		if d.OneIn(2) {
			f.Reindex(f.Objects.AllObjects)
		}
		for range 150 {
			from, to := d.Range()
			switch d.IntN(8) {
			case 0:
				from = time.Time{}
			case 1:
				to = time.Time{}
			}
			wantTimeRangeMatches(f, ann, icstest.Pick(d, calendars...).Segment, stored, icstest.Pick(d, "VEVENT", "VTODO"), d.Zone(), from, to)
		}
	}
}

// wantTimeRangeMatches fails the test unless a query finds exactly the objects in
// stored that have an occurrence in the range.
func wantTimeRangeMatches(f *calendartest.Fixture, v svc.Viewer, segment string, stored []calendartest.StoredObject, component string, zone *time.Location, from, to time.Time) {
	f.T.Helper()
	filter := ics.Filter{Comp: ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: component, TimeRange: &ics.TimeRange{Start: from, End: to}}}}}
	var found []collection.Resource
	f.Read(func(tx *store.Tx) (err error) {
		found, err = f.Collections.MatchingResources(tx, v, segment, filter, zone)
		return err
	})
	got := make(map[string]bool)
	for _, r := range found {
		if got[r.Segment] {
			f.T.Errorf("%s is found twice", r.Segment)
		}
		got[r.Segment] = true
	}
	for _, o := range stored {
		if o.Calendar != segment || o.Object.Component != component {
			if got[o.Segment] {
				f.T.Errorf("%s is found, in another calendar or component", o.Segment)
			}
			continue
		}
		list, truncated := o.Object.Instances(from, to, zone, 1)
		if i, ok := o.Object.UncountedInstance(zone); ok && i.From < to.UnixMilli() && i.To > from.UnixMilli() {
			list = append(list, i)
		}
		if want := len(list) > 0; got[o.Segment] != want && !(truncated && got[o.Segment]) {
			f.T.Errorf("from %s to %s in %s: found %t, want %t %+v\n%s", from, to, zone, got[o.Segment], want, list, o.Object.Raw)
		}
	}
}

// A time range finds floating times even if a change of clocks repeats or skips
// them.
func TestTimeRangeFindsFloatingTimesAtClockChanges(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var stored []calendartest.StoredObject
	for _, day := range []string{"20261025", "20270328", "20270404", "20261004"} {
		for quarter := range 5 * 4 {
			for _, minutes := range []int{0, 20, 90} {
				uid := fmt.Sprintf("%s-%d-%d", day, quarter, minutes)
				start := fmt.Sprintf("DTSTART:%sT%02d%02d00", day, quarter/4, quarter%4*15)
				o := icstest.Parse(t, icstest.Event(uid, start, fmt.Sprintf("DURATION:PT%dM", minutes)))
				stored = append(stored, calendartest.StoredObject{Calendar: defaultCal.Segment, Segment: uid, Object: o})
			}
		}
	}
	f.PutAll(ann, stored)
	for _, zone := range []string{"Europe/Berlin", "Australia/Lord_Howe"} {
		loc := svc.StoredZone(zone)
		for _, day := range []string{"2026-10-25", "2027-03-28", "2027-04-04", "2026-10-04"} {
			midnight, err := time.ParseInLocation(time.DateOnly, day, loc)
			if err != nil {
				t.Fatal(err)
			}
			for quarter := range 6 * 4 {
				for _, minutes := range []int{10, 45, 120} {
					from := midnight.Add(time.Duration(quarter) * 15 * time.Minute)
					wantTimeRangeMatches(f, ann, defaultCal.Segment, stored, "VEVENT", loc, from, from.Add(time.Duration(minutes)*time.Minute))
				}
			}
		}
	}
}
