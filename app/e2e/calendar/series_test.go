package calendar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// extremeSeries returns valid objects that are expensive to expand.
func extremeSeries() map[string]string {
	var overrides, dates strings.Builder
	for i := range 4000 {
		day := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC).AddDate(0, 0, i).Format("20060102T150405Z")
		fmt.Fprintf(&overrides, "BEGIN:VEVENT\r\nUID:overrides\r\nRECURRENCE-ID:%s\r\nDTSTART:%s\r\nEND:VEVENT\r\n", day, day)
		fmt.Fprintf(&dates, ",%s", day)
	}
	const start = "DTSTART:20260101T090000Z"
	return map[string]string{
		"seconds":   series("seconds", "FREQ=SECONDLY"),
		"many":      series("many", "FREQ=SECONDLY;COUNT=100000"),
		"never":     series("never", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
		"rarely":    series("rarely", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1;BYMINUTE=1;BYSECOND=1;BYDAY=MO"),
		"sets":      series("sets", "FREQ=YEARLY;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,10,20,30,40,50;BYHOUR=1,2,3,4,5,6,7,8,9;BYSETPOS=-1"),
		"overrides": strings.Replace(apptest.VEvent("overrides", start, "RRULE:FREQ=DAILY;COUNT=4000"), "END:VCALENDAR", overrides.String()+"END:VCALENDAR", 1),
		"dates":     apptest.VEvent("dates", start, "RRULE:FREQ=DAILY", "EXDATE:20260101T090000Z"+dates.String()),
		"html":      apptest.VEvent("html", start, `SUMMARY;ALTREP="data:text/html,`+strings.Repeat("x", 400_000)+`":html`),
		"long":      series("long", "FREQ=DAILY;BYMONTHDAY="+strings.TrimSuffix(strings.Repeat("1,", 400), ",")),
		"forever":   apptest.VEvent("forever", "DTSTART:16000101T000000Z", "DTEND:89991231T235959Z"),
	}
}

func series(name, rule string) string {
	return apptest.VEvent(name, "DTSTART:20260101T090000Z", "DURATION:PT1S", "SUMMARY:"+name, "RRULE:"+rule)
}

// Series within the limits are stored, and lists of them have a limited size.
// Series beyond the limits are rejected. Covers B-60, PT-22 and PT-45.
func TestExtremeSeriesAreLimited(t *testing.T) {
	f := newFixture(t, apptest.Unlimited)
	for name, text := range extremeSeries() {
		f.put(name, text)
		if got := f.dav.Do("GET", f.path+name).Want(200).Body; got != text {
			t.Errorf("%s: got %.300q, want %.300q", name, got, text)
		}
	}
	for _, c := range []struct{ name, text, precondition string }{
		{"million", series("million", "FREQ=SECONDLY;COUNT=1000000"), "max-instances"},
		{"ancient", apptest.VEvent("ancient", "DTSTART:00010101T000000Z"), "min-date-time"},
		{"distant", apptest.VEvent("distant", "DTSTART:99991231T235959Z"), "max-date-time"},
	} {
		wantDAVError(f.dav.Do("PUT", f.path+c.name, c.text), 403, c.precondition)
	}
	for _, month := range []string{"2026-12-", "2036-12-", "8999-12-"} {
		f.wantListsOfOneDay(month+"01", month+"02")
	}
	f.ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	f.dav.Do("REPORT", f.path, apptest.SyncCollection("")).Want(207)
}

// wantListsOfOneDay checks the lists of a day on which "seconds" and "forever"
// have occurrences, and "html" has none.
func (f *fixture) wantListsOfOneDay(day, next string) {
	f.t.Helper()
	midnight := func(date string) string { return strings.ReplaceAll(date, "-", "") + "T000000Z" }
	start, end := midnight(day), midnight(next)
	filter := eventFilter(timeRange(start, end))
	names := f.dav.Do("REPORT", f.path, query("<getetag/>", filter)).Multistatus().Names()
	if !slices.Contains(names, "seconds") || !slices.Contains(names, "forever") || slices.Contains(names, "html") {
		f.t.Errorf("%s: got %q, want seconds and forever, and not html", day, names)
	}
	const maxResponse = 32 << 20
	if a := f.dav.Do("REPORT", f.path, query("<getetag/>"+expand(start, end), filter)); a.Status >= 500 || len(a.Body) > maxResponse {
		f.t.Errorf("%s expanded: got status %d and %d octets, want a status below 500 and at most %d octets", day, a.Status, len(a.Body), maxResponse)
	}
	page := f.ann.Do("GET", "/world/time/objects?limit=200&start="+day).Want(200)
	if n := len(page.List("objects")); n != 200 || page.Str("page.next_cursor") == "" {
		f.t.Errorf("%s: got a page of %d objects and cursor %q, want 200 and a cursor", day, n, page.Str("page.next_cursor"))
	}
}
