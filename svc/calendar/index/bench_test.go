package index_test

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
)

// BenchmarkUpcoming measures the list of 1,000 events, a daily series and 200
// open tasks.
func BenchmarkUpcoming(b *testing.B) {
	f := calendartest.New(b)
	ann := f.Member("ann")
	calendar := f.DefaultCalendar(ann)
	now := f.Clock.Now()
	for i := range 1000 {
		start := now.Add(time.Duration(i) * time.Hour).UTC().Format("20060102T150405Z")
		f.Put(ann, calendar, fmt.Sprintf("e%d.ics", i), icstest.Event(fmt.Sprint("e", i), "DTSTART:"+start, "DURATION:PT1H"))
	}
	f.Put(ann, calendar, "daily.ics", icstest.Event("daily", "DTSTART:20260101T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY"))
	for i := range 200 {
		f.Put(ann, calendar, fmt.Sprintf("t%d.ics", i), icstest.Object("VTODO", fmt.Sprint("t", i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		f.Read(func(tx *store.Tx) error {
			_, err := f.Index.Upcoming(tx, ann, time.UTC)
			return err
		})
	}
}
