package calendar

import (
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// The VTIMEZONE of an object applies instead of the IANA zone of its TZID if it has
// an offset that the zone has not had (B-111), and is not omitted for clients that
// request time zones by reference (RFC 7809 §3.1).
func TestVTimezoneOfTheObjectApplies(t *testing.T) {
	f := newFixture(t)
	const head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\n"
	const tail = "END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:tea\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20261201T090000\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	window := `<C:free-busy-query` + namespaces + `>` + timeRange("20261201T000000Z", "20261202T000000Z") + `</C:free-busy-query>`
	for _, c := range []struct {
		name, rules, busy string
		isOmitted         bool
	}{
		{"the rules of Berlin", "DTSTART:19701025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\n" +
			"BEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\n",
			"20261201T080000Z/20261201T090000Z", true},
		{"other rules", "DTSTART:19700101T000000\r\nTZOFFSETFROM:+0500\r\nTZOFFSETTO:+0500\r\nEND:STANDARD\r\n", "20261201T040000Z/20261201T050000Z", false},
	} {
		f.dav.Do("PUT", f.path+"tea.ics", head+c.rules+tail)
		if got := f.dav.With("Depth", "1").Do("REPORT", f.path, window).Want(200).Body; !strings.Contains(got, c.busy) {
			t.Errorf("%s: got %s, want busy %s", c.name, got, c.busy)
		}
		got := f.dav.With("CalDAV-Timezones", "F").Do("REPORT", f.path, multiget(calendarData, f.path+"tea.ics")).Want(207).Body
		if strings.Contains(got, "VTIMEZONE") == c.isOmitted {
			t.Errorf("%s: got %s, want the VTIMEZONE omitted %t", c.name, got, c.isOmitted)
		}
	}
}

// A TZID that no time depends on is ignored and kept. Covers B-119.
func TestTZIDWithoutEffectIsStored(t *testing.T) {
	f := newFixture(t)
	text := apptest.VEvent("market", `DTSTART;VALUE=DATE;TZID="Amsterdam, Belgrade, Berlin":20261201`, `X-SEEN;TZID=Nowhere:20261201T090000`, "SUMMARY:Market")
	f.dav.Do("PUT", f.path+"market.ics", text).Want(201)
	if got := f.dav.Do("GET", f.path+"market.ics").Want(200).Body; got != text {
		t.Errorf("got\n%s\nwant the text as it was PUT\n%s", got, text)
	}
	list := f.ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-02").Want(200)
	if got := list.Column("objects", "state.occurrence.start.date"); got != "2026-12-01" {
		t.Errorf("got the date %s, want 2026-12-01", got)
	}
	timed := apptest.VEvent("talk", `DTSTART;TZID="Amsterdam, Belgrade, Berlin":20261201T090000`)
	wantDAVError(f.dav.Do("PUT", f.path+"talk.ics", timed), 403, "valid-timezone")
}

// vancouverOf2025 is the VTIMEZONE of a client that does not know the law of 2026.
const vancouverOf2025 = "BEGIN:VTIMEZONE\r\nTZID:America/Vancouver\r\n" +
	"BEGIN:DAYLIGHT\r\nDTSTART:20070311T020000\r\nTZOFFSETFROM:-0800\r\nTZOFFSETTO:-0700\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\nEND:DAYLIGHT\r\n" +
	"BEGIN:STANDARD\r\nDTSTART:20071104T020000\r\nTZOFFSETFROM:-0700\r\nTZOFFSETTO:-0800\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\nEND:STANDARD\r\n" +
	"END:VTIMEZONE\r\n"

// withZone returns an object with VTIMEZONEs and an event.
func withZone(zones, uid string, lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Client//EN\r\n" + zones + "BEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTAMP:20261101T000000Z\r\n" +
		strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

// A definition that a client wrote before a law changed does not apply, in no interface. The
// deletion of one occurrence moves no other. Covers B-111.
func TestDefinitionOfAnEarlierLawDoesNotApply(t *testing.T) {
	f := newFixture(t)
	f.put("tea.ics", withZone(vancouverOf2025, "tea", "DTSTART;TZID=America/Vancouver:20261215T100000", "DURATION:PT1H", "SUMMARY:Tea"))
	f.put("choir.ics", withZone(vancouverOf2025, "choir", "DTSTART;TZID=America/Vancouver:20251216T190000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", "SUMMARY:Choir"))
	expanded := func() string {
		return f.dav.Do("REPORT", f.path, multiget(expand("20261214T000000Z", "20261225T000000Z"), f.path+"tea.ics", f.path+"choir.ics")).Want(207).Body
	}
	starts := func(list []any) (starts []string) {
		for _, o := range list {
			starts = append(starts, apptest.At(o, "state.occurrence.start.utc").(string))
		}
		return starts
	}
	const window = "/world/time/objects?start=2026-12-14&end=2026-12-25"
	for range 2 {
		if got := expanded(); !strings.Contains(got, "DTSTART:20261215T170000Z") || !strings.Contains(got, "DTSTART:20261216T020000Z") || !strings.Contains(got, "DTSTART:20261223T020000Z") {
			t.Errorf("expanded: got %s, want 17:00Z, and 02:00Z on both days", got)
		}
		got := strings.Join(starts(f.ann.Do("GET", window).Want(200).List("objects")), " ")
		if want := "2026-12-15T17:00:00Z 2026-12-16T02:00:00Z 2026-12-23T02:00:00Z"; got != want {
			t.Errorf("objects: got %s, want %s", got, want)
		}
		f.dav.Do("PUT", f.path+"choir.ics", withZone(vancouverOf2025, "choir", "DTSTART;TZID=America/Vancouver:20251216T190000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY",
			"EXDATE;TZID=America/Vancouver:20270105T190000", "SUMMARY:Choir")).Want(204)
	}
}

// Two definitions of one TZID, and names that only the server knows, are defined in a feed and
// an export, each once and for a reader that knows no names. Covers B-117.
func TestFeedDefinesEachTimeZone(t *testing.T) {
	f := newFixture(t)
	custom := func(offset string) string {
		return "BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:" + offset + "\r\nTZOFFSETTO:" + offset + "\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
	}
	f.put("a.ics", withZone(custom("+0100"), "a", "DTSTART;TZID=Customized Time Zone:20261201T090000", "DURATION:PT1H"))
	f.put("b.ics", withZone(custom("-0500"), "b", "DTSTART;TZID=Customized Time Zone:20261201T090000", "DURATION:PT1H"))
	f.put("c.ics", withZone("", "c", `DTSTART;TZID="W. Europe Standard Time":20261201T090000`, "DURATION:PT1H"))
	f.put("d.ics", withZone("", "d", "DTSTART;TZID=/example.org/Europe/Berlin:20261201T090000", "DURATION:PT1H"))
	f.put("e.ics", withZone(vancouverOf2025, "e", "DTSTART;TZID=America/Vancouver:20261215T100000", "DURATION:PT1H"))
	id := f.ann.Do("GET", "/world/calendars").Str("calendars.0.id")
	feed := f.ann.Do("POST", "/world/calendars/"+id+"/feed").Want(201).Str("feed.path")
	for name, text := range map[string]string{"feed": f.Unauthenticated().Do("GET", feed).Want(200).Body, "export": f.dav.Do("GET", f.path).Want(200).Body} {
		for line, want := range map[string]int{
			"BEGIN:VTIMEZONE": 4, "TZID:Customized Time Zone": 1, "TZID:Europe/Berlin": 1, "TZID:America/Vancouver": 1,
			"DTSTART;TZID=Europe/Berlin:20261201T090000": 2, "DTSTART;TZID=Customized Time Zone:20261201T090000": 1,
			"RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU": 0, // the law of British Columbia has changed
		} {
			if got := strings.Count(text, "\r\n"+line+"\r\n"); got != want {
				t.Errorf("%s: got %d lines %q, want %d, in\n%s", name, got, line, want, text)
			}
		}
		other := newFixture(t)
		other.ann.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+other.ann.Do("GET", "/world/calendars").Str("calendars.0.id")+"/import", text).Want(200)
		got := other.dav.With("Depth", "1").Do("REPORT", other.path, `<C:free-busy-query`+namespaces+`>`+timeRange("20261201T000000Z", "20261216T000000Z")+`</C:free-busy-query>`).Want(200).Body
		if want := "FREEBUSY;FBTYPE=BUSY:20261201T080000Z/20261201T090000Z,20261201T140000Z/20261201T150000Z,\r\n 20261215T170000Z/20261215T180000Z"; !strings.Contains(strings.ReplaceAll(got, "\r\n ", ""), strings.ReplaceAll(want, "\r\n ", "")) {
			t.Errorf("%s imported on another server: got %s, want %s", name, got, want)
		}
	}
}

// A client that requests time zones gets a definition of each TZID, by the data of the server
// (RFC 7809 §7.1).
func TestRequestedTimeZonesAreIncluded(t *testing.T) {
	f := newFixture(t)
	f.put("tea.ics", withZone(vancouverOf2025, "tea", "DTSTART;TZID=America/Vancouver:20261215T100000", `DTEND;TZID="Tokyo Standard Time":20261216T100000`))
	plain := f.dav.Do("GET", f.path+"tea.ics").Want(200).Body
	if !strings.Contains(plain, "BYMONTH=11") || strings.Contains(plain, "Asia/Tokyo") {
		t.Errorf("without the header: got %s, want what the client stored", plain)
	}
	with := f.dav.With("CalDAV-Timezones", "T")
	for name, got := range map[string]string{
		"GET":               with.Do("GET", f.path+"tea.ics").Want(200).Body,
		"calendar-multiget": with.Do("REPORT", f.path, multiget(calendarData, f.path+"tea.ics")).Want(207).Body,
		"calendar-query":    with.With("Depth", "1").Do("REPORT", f.path, query(calendarData, eventFilter(""))).Want(207).Body,
	} {
		got = strings.ReplaceAll(strings.ReplaceAll(got, "&#13;", ""), "\r", "")
		for _, line := range []string{"TZID:America/Vancouver", "TZID:Asia/Tokyo", "DTEND;TZID=Asia/Tokyo:20261216T100000", "DTSTART;TZID=America/Vancouver:20261215T100000"} {
			if strings.Count(got, line+"\n") != 1 {
				t.Errorf("%s: got %s, want one line %s", name, got, line)
			}
		}
		if strings.Contains(got, "BYMONTH=11") {
			t.Errorf("%s: got %s, want the law of 2026", name, got)
		}
	}
}

// A change by the web app defines the time zones of the entry by the data of the server.
func TestNativeChangeDefinesTheTimeZones(t *testing.T) {
	f := newFixture(t)
	f.put("tea.ics", withZone(vancouverOf2025, "tea", "DTSTART;TZID=America/Vancouver:20261215T100000", `DTEND;TZID="Tokyo Standard Time":20261216T100000`, "SUMMARY:Tea", "X-KEPT: as it is"))
	objects := f.ann.Do("GET", "/world/time/objects?start=2026-12-14&end=2026-12-25").Want(200).List("objects")
	f.ann.Do("PATCH", "/world/time/objects/"+apptest.At(objects[0], "id").(string), map[string]any{"title": "Coffee"}).Want(200)
	got := f.dav.Do("GET", f.path+"tea.ics").Want(200).Body
	for line, want := range map[string]int{
		"SUMMARY:Coffee": 1, "X-KEPT: as it is": 1, "TZID:America/Vancouver": 1, "TZID:Tokyo Standard Time": 1, "DTSTART;TZID=America/Vancouver:20261215T100000": 1,
		`DTEND;TZID="Tokyo Standard Time":20261216T100000`: 1, "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU": 0,
	} {
		if n := strings.Count(got, "\r\n"+line+"\r\n"); n != want {
			t.Errorf("got %d lines %q, want %d, in\n%s", n, line, want, got)
		}
	}
}

// A TZID of a date is stored as it came; one of a time must have a definition or be a name. The
// time zone of a request is a whole VCALENDAR (RFC 4791 §5.2.2). Covers B-119.
func TestTimeZonesAreChecked(t *testing.T) {
	f := newFixture(t)
	date := withZone("", "date", `DTSTART;VALUE=DATE;TZID="Amsterdam, Belgrade, Berlin":20261201`)
	f.put("date.ics", date)
	if got := f.dav.Do("GET", f.path+"date.ics").Want(200).Body; got != date {
		t.Errorf("got %s, want %s", got, date)
	}
	wantDAVError(f.dav.Do("PUT", f.path+"time.ics", withZone("", "time", `DTSTART;TZID="Amsterdam, Belgrade, Berlin":20261201T090000`)), 403, "valid-timezone")
	endless := "BEGIN:VTIMEZONE\r\nTZID:Own\r\n" + strings.Repeat("BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0500\r\nTZOFFSETTO:+0500\r\nRRULE:FREQ=DAILY\r\nEND:STANDARD\r\n", 5000) + "END:VTIMEZONE\r\n"
	wantDAVError(f.dav.Do("PUT", f.path+"endless.ics", withZone(endless, "endless", "DTSTART;TZID=Own:20261201T090000")), 403, "valid-timezone")
	rules := strings.ReplaceAll(vancouverOf2025, "America/Vancouver", "Own")
	for head, valid := range map[string]bool{"VERSION:2.0\r\nPRODID:x\r\n": true, "VERSION:2.0\r\n": false, "PRODID:x\r\n": false, "": false} {
		zone := "BEGIN:VCALENDAR\r\n" + head + rules + "END:VCALENDAR\r\n"
		report := f.dav.With("Depth", "1").Do("REPORT", f.path, strings.Replace(query(`<getetag/>`, eventFilter("")), "</C:filter>", "</C:filter><C:timezone>"+zone+"</C:timezone>", 1))
		change := f.dav.Do("PROPPATCH", f.path, proppatch("<C:calendar-timezone>"+zone+"</C:calendar-timezone>")).Want(207)
		if valid {
			report.Want(207)
		} else {
			wantDAVError(report, 403, "valid-calendar-data")
		}
		if strings.Contains(change.Body, "200 OK") != valid {
			t.Errorf("calendar-timezone with %q: got %s, want it accepted: %t", head, change.Body, valid)
		}
	}
}

// After the operator has changed the time zone of the server, the calendars of members without
// a zone of their own have the new one. Covers B-126.
func TestCalendarsFollowTheZoneOfTheServer(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.Timezone = "Europe/Berlin" })
	ann, bea := s.Member("ann"), s.Member("bea")
	bea.Do("PATCH", "/world/identity/me", `{"timezone": "Europe/Lisbon"}`).Want(200)
	ann.Do("POST", "/world/calendars", `{"name": "Own", "timezone": "Asia/Tokyo"}`).Want(201)
	s.Settings.Timezone = "Europe/Helsinki"
	s.Restart()
	if err := s.App.FollowServerZone(t.Context()); err != nil {
		t.Fatal(err)
	}
	zones := func(c *apptest.Client) (list []string) {
		for _, calendar := range c.Do("GET", "/world/calendars").Want(200).List("calendars") {
			list = append(list, apptest.Text(apptest.At(calendar, "timezone")))
		}
		slices.Sort(list)
		return list
	}
	if got := zones(ann); !slices.Equal(got, []string{"Asia/Tokyo", "Europe/Helsinki"}) {
		t.Errorf("no zone of the member: got the zones %q, want the new one and that of the calendar", got)
	}
	if got := zones(bea); !slices.Equal(got, []string{"Europe/Lisbon"}) {
		t.Errorf("a zone of the member: got the zones %q, want it", got)
	}
}
