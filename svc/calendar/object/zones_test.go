package object_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/object"
	"appliance/svc/zoneinfo/zoneinfotest"
)

// New time zone data changes the index of the objects whose occurrences differ, and of no
// others.
func TestIndexFollowsTheTimeZoneData(t *testing.T) {
	objects := map[string]string{
		"single":  icstest.Event("single", "DTSTART;TZID=Europe/Berlin:20261201T090000", "DURATION:PT1H"),
		"series":  icstest.Event("series", "DTSTART;TZID=Europe/Berlin:20200101T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"),
		"ended":   icstest.Event("ended", "DTSTART;TZID=Europe/Berlin:20200101T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3"),
		"windows": icstest.Event("windows", `DTSTART;TZID="W. Europe Standard Time":20261201T090000`, "DURATION:PT1H"),
		"utc":     icstest.Event("utc", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY"),
		"date":    icstest.Event("date", "DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=MONTHLY"),
		"tokyo":   icstest.Event("tokyo", "DTSTART;TZID=Asia/Tokyo:20261201T090000", "RRULE:FREQ=WEEKLY"),
		"dense":   icstest.Event("dense", "DTSTART;TZID=Asia/Tokyo:20261201T090000", "RRULE:FREQ=MINUTELY"),
	}
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	home := f.DefaultCalendar(ann)
	for name, text := range objects {
		f.Put(ann, home, name+".ics", text)
	}
	const query = "SELECT o.uid, x.floating, x.band, x.starts, x.ends, x.recurrence_id, x.busy, o.first_start, o.last_end, o.indexed_from, o.indexed_to" +
		" FROM calendar_object AS o LEFT JOIN calendar_occurrence AS x USING (n) WHERE o.calendar_id = ? ORDER BY 1, 4, 6"
	before := storetest.Rows(t, f.DB, query, home.ID)
	if n := followZones(f); n != 0 {
		t.Errorf("the same data: got %d changed objects, want none", n)
	}
	f.Clock.Advance(3 * 24 * time.Hour) // moves the range of the series that change
	zoneinfotest.Use(t, "2099a", map[string]int{"Europe/Berlin": 5})
	if n := followZones(f); n != 4 {
		t.Errorf("other data of Berlin: got %d changed objects, want 4", n)
	}
	other := f.DefaultCalendar(bea)
	for name := range objects {
		f.Put(bea, other, name+".ics", objects[name])
	}
	changes := func(row string) bool {
		uid, _, _ := strings.Cut(row, " ")
		return slices.Contains([]string{"ended", "series", "single", "windows"}, uid)
	}
	isOther := func(row string) bool { return !changes(row) }
	want := slices.Concat(slices.DeleteFunc(before, changes), slices.DeleteFunc(storetest.Rows(t, f.DB, query, other.ID), isOther))
	got := storetest.Rows(t, f.DB, query, home.ID)
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) || len(got) < 50 {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := followZones(f); n != 0 {
		t.Errorf("a second time: got %d changed objects, want none", n)
	}
}

// followZones rebuilds the index as the background job does and returns the number of objects
// that changed.
func followZones(f *calendartest.Fixture) (n int) {
	f.T.Helper()
	var b object.Batch
	for more := true; more; more = b.Last > 0 {
		f.Read(func(tx *store.Tx) (err error) {
			b, err = f.Objects.ZoneBatch(tx, b.Last)
			return err
		})
		for list := range b.Prepare(f.Clock.Now()) {
			f.Write(func(tx *store.Tx) error { return f.Objects.FollowZones(tx, list) })
			n += len(list)
		}
	}
	return n
}
