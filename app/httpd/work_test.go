package httpd_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
)

// noCharge is the charge of a server without a rate limit of work.
func noCharge(string) error { return nil }

// workFixture is a server with a member whose calendar takes much work to read.
type workFixture struct {
	*apptest.Server
	ann      *apptest.Client
	path, id string // of the calendar, in CalDAV and in the JSON API
	feed     string
}

// workEntries is the number of entries of a workFixture, of about 40 kB each.
const workEntries = 40

func newWorkFixture(t *testing.T, change ...func(*config.Settings)) *workFixture {
	f := &workFixture{Server: apptest.New(t, append([]func(*config.Settings){apptest.Unlimited}, change...)...)}
	f.ann = f.Member("ann")
	f.path, f.id = f.ann.DefaultCalendar(), f.ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	for i := range workEntries {
		f.ann.Basic().Do("PUT", f.href(i), hourlySeries(fmt.Sprint("hourly", i))).Want(201)
	}
	f.feed = f.ann.Do("POST", "/world/calendars/"+f.id+"/feed").Want(201).Str("feed.path")
	return f
}

func (f *workFixture) href(i int) string { return fmt.Sprint(f.path, i, ".ics") }

// hourlySeries returns a series with more instances than are indexed. Its description is long.
func hourlySeries(uid string) string {
	return apptest.VEvent(uid, "DTSTART:20261101T000000Z", "DTEND:20261101T000100Z", "RRULE:FREQ=HOURLY", "SUMMARY:"+uid, "DESCRIPTION:"+strings.Repeat("x", 40_000))
}

// longZone returns a VTIMEZONE with many rules.
func longZone(tzid string) string {
	var s strings.Builder
	s.WriteString("BEGIN:VTIMEZONE\r\nTZID:" + tzid + "\r\n")
	for i := range 60 {
		fmt.Fprintf(&s, "BEGIN:STANDARD\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+%02d00\r\nDTSTART:197001%02dT000000\r\n", i%10, 1+i%28)
		s.WriteString("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:STANDARD\r\n")
	}
	return s.String() + "END:VTIMEZONE\r\n"
}

// zonedCalendar returns a calendar with short events in the time zone of longZone, which is expensive
// to evaluate.
func zonedCalendar(tzid string, events int) string {
	var s strings.Builder
	s.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + longZone(tzid))
	for i := range events {
		fmt.Fprintf(&s, "BEGIN:VEVENT\r\nUID:%s-%d\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=%s:20261201T100000\r\nEND:VEVENT\r\n", tzid, i, tzid)
	}
	return s.String() + "END:VCALENDAR\r\n"
}

const calDAV = `xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"`

// calendarQuery returns a calendar-query REPORT of December 2026.
func calendarQuery(data, more string) string {
	return `<C:calendar-query ` + calDAV + `><prop><C:calendar-data>` + data + `</C:calendar-data></prop><C:filter><C:comp-filter name="VCALENDAR">` +
		`<C:comp-filter name="VEVENT"><C:time-range start="20261201T000000Z" end="20270101T000000Z"/>` + more + `</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
}

const (
	expandDecember = `<C:expand start="20261201T000000Z" end="20270101T000000Z"/>`
	freeBusy       = `<C:free-busy-query ` + calDAV + `><C:time-range start="20261201T000000Z" end="20270101T000000Z"/></C:free-busy-query>`
)

// requests returns the requests that read, parse or expand calendars. The func want of each
// checks the response to a request that exceeds the limit of work.
func (f *workFixture) requests() map[string]workRequest {
	dav := f.ann.Basic().With("Depth", "1")
	ics := f.ann.With("Content-Type", "text/calendar")
	refused := func(a *apptest.Answer) { a.WantError(422, "work_limit_exceeded") }
	refusedDAV := func(a *apptest.Answer) {
		if a.Want(507); !strings.Contains(a.Body, "number-of-matches-within-limits") {
			f.T.Errorf("got no condition number-of-matches-within-limits in\n%s", a.Body)
		}
	}
	truncated := func(a *apptest.Answer) {
		if a.Want(200); !slices.ContainsFunc(a.List("fallbacks"), func(b any) bool { return apptest.At(b, "reason") == "truncated" }) {
			f.T.Errorf("got the fallbacks %v, want one with the reason truncated", a.At("fallbacks"))
		}
	}
	zone := strings.NewReplacer("\r\n", "\n").Replace("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + longZone("Own") + "END:VCALENDAR")
	return map[string]workRequest{
		"expand":        {dav, "REPORT", f.path, calendarQuery(expandDecember, ""), refusedDAV},
		"free-busy":     {dav, "REPORT", f.path, freeBusy, refusedDAV},
		"CalDAV export": {dav, "GET", f.path, nil, refusedDAV},
		"PUT":           {dav, "PUT", f.href(workEntries), zonedCalendar("Put", 1), refusedDAV},
		"time zone of a query": {dav, "REPORT", f.path,
			strings.Replace(calendarQuery("", ""), "</C:calendar-query>", "<C:timezone>"+zone+"</C:timezone></C:calendar-query>", 1), refusedDAV},
		"time zone of a calendar": {dav, "PROPPATCH", f.path,
			`<propertyupdate ` + calDAV + `><set><prop><C:calendar-timezone>` + zone + `</C:calendar-timezone></prop></set></propertyupdate>`, refusedDAV},
		"filter": {dav, "REPORT", f.path, calendarQuery("", `<C:prop-filter name="SUMMARY"><C:text-match>hourly7</C:text-match></C:prop-filter>`), func(a *apptest.Answer) {
			if n := len(a.Multistatus().Entries); n != workEntries-2 { // objects that were not examined are included, because they may match
				f.T.Errorf("got %d entries, want all except the two that were examined", n)
			}
		}},
		"export":     {f.ann, "GET", "/world/calendars/" + f.id + "/export", nil, refused},
		"everything": {f.ann, "GET", "/world/identity/export", nil, refused},
		"feed":       {f.Unauthenticated(), "GET", f.feed, nil, refused},
		"import": {ics, "POST", "/world/calendars/" + f.id + "/import", zonedCalendar("Import", 60), func(a *apptest.Answer) {
			if refused(a); a.Str("error.fields.0.name") != "file" {
				f.T.Errorf("got the fields %v, want file", a.At("error.fields"))
			}
		}},
		"list":    {f.ann, "GET", "/world/time/objects?start=2026-12-01&end=2027-01-01", nil, truncated},
		"panel":   {f.ann, "GET", "/world/panels/time?view=month&date=2026-12-01", nil, truncated},
		"dataset": {f.ann.AsRuntime(), "GET", "/world/runtime", nil, truncated},
	}
}

// workRequest is a request of a workFixture.
type workRequest struct {
	client       *apptest.Client
	method, path string
	body         any
	want         func(*apptest.Answer)
}

func (e workRequest) send() *apptest.Answer {
	if e.body == nil {
		return e.client.Do(e.method, e.path)
	}
	return e.client.Do(e.method, e.path, e.body)
}

// Every request that reads, parses or expands calendars ends at the limit of its work, and its
// response reports that. A rejected write changes nothing, and a rejected import can be
// completed.
func TestWorkOfEveryRequestIsLimited(t *testing.T) {
	f := newWorkFixture(t)
	before := f.ann.Basic().Do("GET", f.path).Want(200).Body
	for name, e := range f.requests() {
		t.Run(name, func(t *testing.T) {
			f.T = t
			limit := int64(90_000) // two entries
			if name == "everything" {
				limit = 40_000 // an export may take more steps, and writes several octets in a step
			} else if name == "import" || name == "PUT" || strings.HasPrefix(name, "time zone") {
				limit = 5_000
			}
			f.App.HTTP.SetWork(limit, noCharge)
			e.want(e.send())
		})
	}
	f.T = t
	f.App.HTTP.SetWork(svc.MaxWork, noCharge)
	if after := f.ann.Basic().Do("GET", f.path).Want(200).Body; strings.Count(after, "UID:Import") >= 60 ||
		strings.Count(after, "BEGIN:VEVENT")-strings.Count(after, "UID:Import") != strings.Count(before, "BEGIN:VEVENT") {
		t.Errorf("after the refused requests: got %d entries, %d of them imported, want %d and less than 60 imported",
			strings.Count(after, "BEGIN:VEVENT"), strings.Count(after, "UID:Import"), workEntries)
	}
	report := f.requests()["import"].send().Want(200)
	if got := report.At("report.imported").(float64) + report.At("report.present").(float64); got != 60 {
		t.Errorf("the import again: got %v entries stored or present, want 60", got)
	}
}

// After the client has disconnected, a request ends with the current object, and an import or an
// export with the next octets. A complete request takes at least five units of work; a single
// object takes one or two.
func TestWorkEndsWithTheRequest(t *testing.T) {
	f := newWorkFixture(t)
	for name, e := range f.requests() {
		t.Run(name, func(t *testing.T) {
			f.T = t
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			units := 0
			handler := f.HTTP.Config.Handler
			f.HTTP.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				f.App.HTTP.ServeHTTP(httptest.NewRecorder(), r.WithContext(ctx))
			})
			defer func() { f.HTTP.Config.Handler = handler }()
			f.App.HTTP.SetWork(math.MaxInt64/16, func(string) error { units++; cancel(); return nil })
			e.send()
			if units == 0 || units > 3 { // an object may take several units, and two goroutines expand objects
				t.Errorf("got %d units of work, want those of the first objects", units)
			}
		})
	}
}

// A member beyond the rate limit of work gets a dataset without the entries of Time, whose
// fallback says when to try again. The client need not read it earlier, and then gets the
// entries, also as changes. The service is not degraded: nothing changes for other members.
// Covers W-54, B-24 and L-13.
func TestDatasetBeyondTheRateLimitOfWorkHasAFallback(t *testing.T) {
	f := newWorkFixture(t, func(s *config.Settings) { s.RateLimits["work"] = 200 })
	bea := f.Member("bea")
	bea.CreateEntries()
	useUp := func() {
		t.Helper()
		for n := 0; f.ann.Do("GET", "/world/calendars/"+f.id+"/export").Status != http.StatusTooManyRequests; n++ {
			if n > 20 {
				t.Fatal("got no status 429")
			}
		}
	}
	useUp()
	limited := f.ann.Do("GET", "/world/calendars/"+f.id+"/export").WantError(429, "rate_limited")
	if got := limited.Header.Get("Retry-After"); got != "60" {
		t.Errorf("got Retry-After %q, want 60: the time after which any request is possible", got)
	}
	first := f.ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	got := fallbackOf(first, "time")
	for key, want := range map[string]any{"state": "degraded", "reason": "rate_limited", "retryable": true, "message": "Too many large requests. Try again in 60 seconds."} {
		if got := apptest.At(got, key); got != want {
			t.Errorf("fallback: got %s %v, want %v", key, got, want)
		}
	}
	if n := countEvents(first); n != 0 {
		t.Errorf("got %d events, want none", n)
	}
	if got := fallbackOf(f.ann.Do("GET", "/world/panels/today").Want(200), "time"); apptest.At(got, "reason") != "rate_limited" {
		t.Errorf("panel of today: got the fallback %v, want the reason rate_limited", got)
	}
	f.ann.Do("GET", "/world/panels/time?view=month&date=2026-12-01").WantError(429, "rate_limited")
	f.ann.AsRuntime().With("If-None-Match", first.Header.Get("ETag")).Do("GET", "/world/runtime").Want(304)

	if got := f.App.API.Hosted["time"].State(); got != "ready" {
		t.Errorf("service time: got %s, want ready", got)
	}
	if got := fallbackOf(bea.AsRuntime().Do("GET", "/world/runtime").Want(200), "time"); apptest.At(got, "reason") == "rate_limited" {
		t.Errorf("another member: got the fallback %v", got)
	}

	f.Clock.Advance(time.Minute)
	again := f.ann.AsRuntime().With("If-None-Match", first.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200)
	if n := countEvents(again); n != workEntries {
		t.Errorf("after the wait: got %d events, want %d", n, workEntries)
	}
	changes := f.ann.AsRuntime().Do("GET", first.Str("capabilities.changes.url")).Want(200)
	if n := len(changes.List("delta.changed.objects")); n != workEntries {
		t.Errorf("changes after the wait: got %d objects, want %d", n, workEntries)
	}
}

// countEvents returns the number of calendar events in a dataset.
func countEvents(a *apptest.Answer) (n int) {
	for _, o := range a.List("objects") {
		if apptest.At(o, "object_type") == "calendar_event" {
			n++
		}
	}
	return n
}

// fallbackOf returns the fallback of a service, nil if there is none.
func fallbackOf(a *apptest.Answer, service string) any {
	for _, b := range a.List("fallbacks") {
		if apptest.At(b, "scope.service") == service {
			return b
		}
	}
	return nil
}

// Ordinary data is far from the limits: a hundredth of 25,000 entries, as Outlook writes them,
// is exported, imported and read with a hundredth of the work.
func TestOrdinaryDataIsBelowTheLimitOfWork(t *testing.T) {
	const entries = 25_000 / 100
	f := &workFixture{Server: apptest.New(t, apptest.Unlimited)}
	f.ann = f.Member("ann")
	f.path, f.id = f.ann.DefaultCalendar(), f.ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	f.feed = f.ann.Do("POST", "/world/calendars/"+f.id+"/feed").Want(201).Str("feed.path")
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VTIMEZONE\r\nTZID:Work\r\n" +
		"BEGIN:STANDARD\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nDTSTART:16010101T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\n" +
		"BEGIN:DAYLIGHT\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nDTSTART:16010101T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n")
	for i := range entries {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Work:202611%02dT100000\r\nDURATION:PT1H\r\n", i, 1+i%28)
		fmt.Fprintf(&text, "SUMMARY:%d\r\nDESCRIPTION:%s\r\n", i, strings.Repeat("x", 400))
		if i%5 == 0 {
			text.WriteString("RRULE:FREQ=WEEKLY\r\n")
		}
		text.WriteString("END:VEVENT\r\n")
	}
	text.WriteString("END:VCALENDAR\r\n")
	f.App.HTTP.SetWork(svc.MaxWork/100, noCharge)
	imported := f.ann.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+f.id+"/import", text.String()).Want(200)
	imported.WantValues("report", map[string]any{"imported": float64(entries)})
	if text.Len() < 10<<20/100 {
		t.Errorf("the import has %d octets, want a hundredth of 10 MiB", text.Len())
	}
	all := f.requests()
	for _, name := range []string{"CalDAV export", "export", "everything", "feed", "free-busy", "panel", "dataset"} {
		if a := all[name].send().Want(200); strings.Contains(a.Body, `"truncated"`) {
			t.Errorf("%s: got a truncated answer", name)
		}
	}
	for _, name := range []string{"filter", "expand"} {
		all[name].send().Want(207)
	}
}

// A link to a calendar has a rate limit of its own: its clients cannot use up that of the
// member, and the member cannot use up that of the link. Covers L-13.
func TestFeedHasItsOwnRateLimitOfWork(t *testing.T) {
	f := newWorkFixture(t, func(s *config.Settings) { s.RateLimits["work"] = 100 })
	read := func() int { return f.Unauthenticated().Do("GET", f.feed).Status }
	for n := 0; read() != http.StatusTooManyRequests; n++ {
		if n > 20 {
			t.Fatal("got no status 429")
		}
	}
	f.ann.Do("GET", "/world/calendars/"+f.id+"/export").Want(200)
	f.Clock.Advance(time.Minute)
	for range 3 {
		f.ann.Do("GET", "/world/calendars/"+f.id+"/export")
	}
	if got := read(); got != http.StatusOK {
		t.Errorf("a minute later: got status %d, want 200", got)
	}
}
