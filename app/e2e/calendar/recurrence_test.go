package calendar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// starts returns the starts of the occurrences of an entry in a range: "0612" for 12 June,
// followed by the time of day if it is not nine o'clock.
func (f *fixture) starts(from, to string) string {
	f.t.Helper()
	list := f.ann.Do("GET", "/world/time/objects?limit=200&start="+from+"&end="+to).Want(200)
	var texts []string
	for _, o := range list.List("objects") {
		start, _ := apptest.At(o, "state.occurrence.start.date_time").(string)
		if start == "" {
			start = apptest.Text(apptest.At(o, "state.occurrence.start.date")) + "T09:00:00"
		}
		text := strings.ReplaceAll(start[5:10], "-", "")
		if clock := start[11:16]; clock != "09:00" {
			text += "T" + clock
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

// putSeries stores a series at nine o'clock in Berlin over CalDAV, and returns its path in
// the JSON API.
func (f *fixture) putSeries(name, text string) string {
	f.t.Helper()
	f.put(name+".ics", text)
	for _, o := range f.ann.Do("GET", "/world/time/objects?limit=200&start=2026-01-01&end=2027-12-31").Want(200).List("objects") {
		if apptest.At(o, "state.uid") == name {
			return "/world/time/objects/" + apptest.Text(apptest.At(o, "id"))
		}
	}
	f.t.Fatalf("got no entry with the UID %s", name)
	return ""
}

func inBerlin(property, local string) string { return property + ";TZID=Europe/Berlin:" + local }

// stored returns the calendar as CalDAV clients read it.
func (f *fixture) stored() string {
	f.t.Helper()
	return f.dav.Do("GET", f.path).Want(200).Body
}

// A series that moves keeps its deleted and changed occurrences, over the JSON API as over
// CalDAV, and can be moved back by the undo of the response. Covers B-114.
func TestMovedSeriesKeepsItsExceptions(t *testing.T) {
	f := newFixture(t)
	path := f.putSeries("rent", strings.Replace(apptest.VEvent("rent", inBerlin("DTSTART", "20260610T090000"), inBerlin("DTEND", "20260610T100000"),
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=10", inBerlin("EXDATE", "20260710T090000")), "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:rent\r\n"+
		inBerlin("RECURRENCE-ID", "20260810T090000")+"\r\n"+inBerlin("DTSTART", "20260811T150000")+"\r\n"+inBerlin("DTEND", "20260811T160000")+"\r\nEND:VEVENT\r\nEND:VCALENDAR", 1))
	before := f.dav.Do("GET", f.path+"rent.ics").Want(200).Body
	a := f.ann.Do("PATCH", path, map[string]any{"scope": "all", "start": "2026-06-12T09:00:00", "end": "2026-06-12T10:00:00"}).Want(200)
	a.WantValues("object.state.recurrence", map[string]any{"rrule": "FREQ=MONTHLY;BYMONTHDAY=12", "overrides": 1.0})
	const moved = "0612 0811T15:00 0912 1012 1112"
	if got := f.starts("2026-06-01", "2026-12-01"); got != moved {
		t.Errorf("got occurrences at %s, want %s", got, moved)
	}
	expanded := f.dav.Do("REPORT", f.path, query(expand("20260601T000000Z", "20261201T000000Z"), eventFilter(""))).Want(207).Body
	if got := strings.Count(expanded, "BEGIN:VEVENT"); got != 5 || strings.Contains(expanded, "DTSTART:20260712") || !strings.Contains(expanded, "DTSTART:20260811T130000Z") {
		t.Errorf("got %d instances over CalDAV, want 5, without 12 July, with 11 August at 15:00\n%s", got, expanded)
	}
	undo := a.At("undo").(map[string]any)
	for range 2 { // a repetition has no effect
		f.ann.Do(undo["method"].(string), undo["url"].(string), undo["body"]).Want(200)
		if got := f.dav.Do("GET", f.path+"rent.ics").Want(200).Body; got != before {
			t.Errorf("got after the undo\n%s\nwant\n%s", got, before)
		}
	}
}

// The undo of a split series removes the later part. It is refused after another change, and
// after ten minutes. Covers B-114.
func TestUndoOfASplitSeries(t *testing.T) {
	f := newFixture(t)
	path := f.putSeries("choir", apptest.VEvent("choir", inBerlin("DTSTART", "20261203T190000"), inBerlin("DTEND", "20261203T203000"), "RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=6"))
	split := func() map[string]any {
		return f.ann.Do("PATCH", path, map[string]any{
			"scope": "this_and_future", "recurrence_id": "2026-12-17T19:00:00", "start": "2026-12-18T19:00:00", "end": "2026-12-18T20:30:00",
		}).Want(200).At("undo").(map[string]any)
	}
	const whole, parts = "1203T19:00 1210T19:00 1217T19:00 1224T19:00 1231T19:00 0107T19:00", "1203T19:00 1210T19:00 1218T19:00 1225T19:00 0101T19:00 0108T19:00"
	undo := split()
	if got := f.starts("2026-12-01", "2027-02-01"); got != parts {
		t.Errorf("got %s after the split, want %s", got, parts)
	}
	f.ann.Do("PATCH", undo["url"].(string), undo["body"]).Want(200)
	if got := f.starts("2026-12-01", "2027-02-01"); got != whole || f.ann.TrashTitles() != "" {
		t.Errorf("got %s after the undo and %q in the trash, want %s and nothing", got, f.ann.TrashTitles(), whole)
	}

	undo = split()
	list := f.ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2027-02-01").Want(200).List("objects")
	rest := apptest.Text(apptest.At(list[len(list)-1], "id"))
	f.ann.Do("PATCH", "/world/time/objects/"+rest, map[string]any{"title": "Rehearsal"}).Want(200)
	f.ann.Do("PATCH", undo["url"].(string), undo["body"]).WantError(412, "version_conflict")
	f.ann.Do("PATCH", path, map[string]any{"restore_version": `"unknown"`}).WantError(404, "not_found")
}

// A move that the rule can follow in several ways is refused with rules to choose from, and
// changes nothing. Covers B-114.
func TestAmbiguousMoveIsRefusedWithRules(t *testing.T) {
	f := newFixture(t)
	path := f.putSeries("pay", apptest.VEvent("pay", inBerlin("DTSTART", "20260130T090000"), inBerlin("DTEND", "20260130T100000"),
		"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", inBerlin("EXDATE", "20260227T090000")))
	move := map[string]any{"start": "2026-01-29T09:00:00", "end": "2026-01-29T10:00:00"}
	var refused *apptest.Answer
	f.WantUnchanged("an ambiguous move", func() {
		refused = f.ann.Do("PATCH", path, move).WantError(422, "recurrence_ambiguous").WantFields("rrule")
	})
	options := refused.List("error.fields.0.options")
	if got, want := refused.Column("error.fields.0.options", "label"), "Every month on the second to last day from Monday to Friday Every month on day 29 of the month Every month on the last Thursday Every month on the last day from Monday to Friday"; got != want {
		t.Errorf("got the options %s, want %s", got, want)
	}
	f.ann.Do("PATCH", "/world/identity/me", map[string]any{"locale": "de"}).Want(200)
	german := f.ann.Do("PATCH", path, move).WantError(422, "recurrence_ambiguous")
	if got, want := german.Str("error.fields.0.options.2.label"), "Jeden Monat am letzten Donnerstag"; got != want {
		t.Errorf("got the option %q in German, want %q", got, want)
	}
	for _, option := range options {
		if next, _ := apptest.At(option, "next").([]any); len(next) != 3 {
			t.Errorf("got the next dates %v, want three", next)
		}
		if got, want := apptest.At(option, "moved_from"), "2026-01-30T09:00:00"; got != want {
			t.Errorf("got the moved date %v, want %s", got, want)
		}
	}
	move["rrule"] = apptest.At(options[2], "rrule")
	a := f.ann.Do("PATCH", path, move).Want(200)
	if got, want := f.starts("2026-01-01", "2026-06-01"), "0129 0326 0430 0528"; got != want {
		t.Errorf("got occurrences at %s, want %s", got, want)
	}
	if got := a.At("removed_exceptions"); got != nil {
		t.Errorf("got %v removed exceptions, want none", got)
	}
}

// The last occurrence of a series stays when it moves or is split, whatever the form of its
// UNTIL. Covers B-114.
func TestMovedSeriesKeepsItsLastOccurrence(t *testing.T) {
	f := newFixture(t)
	for i, until := range []string{"20260622", "20260622T070000Z", "20260628T120000Z"} {
		name := fmt.Sprint("until", i)
		path := f.putSeries(name, apptest.VEvent(name, inBerlin("DTSTART", "20260601T090000"), inBerlin("DTEND", "20260601T100000"), "RRULE:FREQ=WEEKLY;UNTIL="+until))
		f.ann.Do("PATCH", path, map[string]any{"start": "2026-06-02T09:30:00", "end": "2026-06-02T10:30:00"}).Want(200)
		if got, want := f.starts("2026-06-01", "2026-07-31"), "0602T09:30 0609T09:30 0616T09:30 0623T09:30"; got != want {
			t.Errorf("UNTIL=%s: got %s, want %s", until, got, want)
		}
		f.ann.Do("PATCH", path, map[string]any{
			"scope": "this_and_future", "recurrence_id": "2026-06-16T09:30:00", "start": "2026-06-16T11:00:00", "end": "2026-06-16T12:00:00",
		}).Want(200)
		if got, want := f.starts("2026-06-01", "2026-07-31"), "0602T09:30 0609T09:30 0616T11:00 0623T11:00"; got != want {
			t.Errorf("UNTIL=%s: got %s after a split, want %s", until, got, want)
		}
		for _, o := range f.ann.Do("GET", "/world/time/objects?start=2026-06-01&end=2026-07-31").Want(200).List("objects") {
			f.ann.Do("DELETE", "/world/time/objects/"+apptest.Text(apptest.At(o, "id")))
		}
	}
}

// A change of a rule removes the exceptions of dates that are no longer in it, and says so.
// Covers B-114.
func TestAnotherRuleRemovesExceptions(t *testing.T) {
	f := newFixture(t)
	path := f.putSeries("run", strings.Replace(apptest.VEvent("run", inBerlin("DTSTART", "20260601T090000"), inBerlin("DTEND", "20260601T100000"), "RRULE:FREQ=DAILY",
		inBerlin("EXDATE", "20260602T090000,20260603T090000")), "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:run\r\n"+inBerlin("RECURRENCE-ID", "20260604T090000")+"\r\n"+
		inBerlin("DTSTART", "20260604T150000")+"\r\n"+inBerlin("DTEND", "20260604T160000")+"\r\nEND:VEVENT\r\nEND:VCALENDAR", 1))
	a := f.ann.Do("PATCH", path, map[string]any{"rrule": "FREQ=DAILY;INTERVAL=2"}).Want(200)
	a.WantValues("", map[string]any{
		"removed_exceptions": 2.0, "notice": "2 exceptions were removed, because the series no longer has their dates.", "object.state.recurrence.overrides": 0.0,
	})
	if got, want := f.starts("2026-06-01", "2026-06-10"), "0601 0605 0607 0609"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if text := f.stored(); !strings.Contains(text, inBerlin("EXDATE", "20260603T090000")+"\r\n") {
		t.Errorf("got %s, want only the exclusion of 3 June", text)
	}
}

// A native write moves a start that its rule does not match to the first date of the rule.
// From a client it stays, and only the time range of a query also covers the last date that
// other programs show. Covers B-115.
func TestStartOutsideItsRule(t *testing.T) {
	f := newFixture(t)
	a := f.ann.Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "title": "Choir", "start": "2026-12-03T09:00:00", "end": "2026-12-03T10:00:00", "rrule": "FREQ=WEEKLY;BYDAY=MO;COUNT=4",
	}).Want(201)
	a.WantValues("", map[string]any{
		"object.state.start.date_time": "2026-12-07T09:00:00", "object.state.end.date_time": "2026-12-07T10:00:00",
		"notice": "The series begins on 7 December 2026, the first date of its rule.",
	})
	if got, want := f.starts("2026-12-01", "2027-02-01"), "1207 1214 1221 1228"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	changed := f.ann.Do("PATCH", "/world/time/objects/"+a.Str("object.id"), map[string]any{"rrule": "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3"}).Want(200)
	changed.WantValues("", map[string]any{"object.state.start.date_time": "2026-12-08T09:00:00", "notice": "The series begins on 8 December 2026, the first date of its rule."})
	f.ann.Do("PATCH", "/world/time/objects/"+a.Str("object.id"), map[string]any{"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}).WantError(422, "invalid_recurrence")
	f.ann.Do("DELETE", "/world/time/objects/"+a.Str("object.id")).Want(200)

	text := apptest.VEvent("outside", inBerlin("DTSTART", "20261203T090000"), inBerlin("DTEND", "20261203T100000"), "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4", "SUMMARY:Outside")
	path := f.putSeries("outside", text)
	if got := f.dav.Do("GET", f.path+"outside.ics").Want(200).Body; got != text {
		t.Errorf("got %s, want %s", got, text)
	}
	const shown = "1203 1207 1214 1221"
	if got := f.starts("2026-12-01", "2027-02-01"); got != shown {
		t.Errorf("got %s, want %s", got, shown)
	}
	day := func(date, next string) []string {
		filter := eventFilter(timeRange(date+"T000000Z", next+"T000000Z"))
		return f.dav.Do("REPORT", f.path, query("<getetag/>", filter)).Multistatus().Names()
	}
	for date, want := range map[string]bool{"20261203": true, "20261221": true, "20261228": true, "20270104": false, "20261222": false} {
		next := fmt.Sprint(date[:7], string(date[7]+1))
		if got := slices.Contains(day(date, next), "outside.ics"); got != want {
			t.Errorf("%s: got a match %t in the time range, want %t", date, got, want)
		}
	}
	last := f.dav.Do("REPORT", f.path, query(expand("20261228T000000Z", "20261229T000000Z"), eventFilter(timeRange("20261228T000000Z", "20261229T000000Z")))).Want(207).Body
	if strings.Contains(last, "DTSTART:20261228") {
		t.Errorf("got %s, want no instance on 28 December", last)
	}
	f.ann.Do("PATCH", path, map[string]any{"title": "Inside"}).Want(200).WantValues("object.state.start", map[string]any{"date_time": "2026-12-03T09:00:00"})
	if got := f.starts("2026-12-01", "2027-02-01"); got != shown {
		t.Errorf("got %s after a change of the title, want %s", got, shown)
	}
}

// The hour that clocks skip in spring is no second instance of the next hour, and does not
// count.
func TestHourlySeriesOverTheSpringGap(t *testing.T) {
	f := newFixture(t)
	f.put("pills.ics", apptest.VEvent("pills", inBerlin("DTSTART", "20270328T010000"), "DURATION:PT5M", "RRULE:FREQ=HOURLY;COUNT=5"))
	if got, want := f.starts("2027-03-28", "2027-03-29"), "0328T01:00 0328T03:00 0328T04:00 0328T05:00 0328T06:00"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	expanded := f.dav.Do("REPORT", f.path, query(expand("20270327T000000Z", "20270330T000000Z"), eventFilter(""))).Want(207).Body
	if got := strings.Count(expanded, "BEGIN:VEVENT"); got != 5 {
		t.Errorf("got %d instances over CalDAV, want 5", got)
	}
}

// An occurrence that a client has changed or deleted over CalDAV follows its series, and a
// later change by a client is read as it is. Covers B-114.
func TestOccurrencesChangedOverCalDAVFollowTheirSeries(t *testing.T) {
	f := newFixture(t)
	f.put("tea.ics", apptest.VEvent("tea", inBerlin("DTSTART", "20260604T090000"), inBerlin("DTEND", "20260604T100000"), "RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=5", "SUMMARY:Tea"))
	override := "BEGIN:VEVENT\r\nUID:tea\r\nRECURRENCE-ID:20260611T070000Z\r\nDTSTART:20260611T120000Z\r\nDTEND:20260611T130000Z\r\nSUMMARY:Cake\r\nEND:VEVENT\r\nEND:VCALENDAR"
	text := strings.Replace(apptest.VEvent("tea", inBerlin("DTSTART", "20260604T090000"), inBerlin("DTEND", "20260604T100000"), "RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=5", "EXDATE:20260618T070000Z", "SUMMARY:Tea"),
		"END:VCALENDAR", override, 1)
	f.dav.Do("PUT", f.path+"tea.ics", text).Want(204)
	if got, want := f.starts("2026-06-01", "2026-07-31"), "0604 0611T12:00 0625 0702"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	list := f.ann.Do("GET", "/world/time/objects?start=2026-06-01&end=2026-07-31").Want(200)
	path := "/world/time/objects/" + list.Str("objects.0.id")
	f.ann.Do("PATCH", path, map[string]any{"scope": "all", "start": "2026-06-05T09:00:00", "end": "2026-06-05T10:00:00"}).Want(200)
	if got, want := f.starts("2026-06-01", "2026-07-31"), "0605 0611T12:00 0626 0703"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if text := f.stored(); !strings.Contains(text, inBerlin("RECURRENCE-ID", "20260612T090000")) || !strings.Contains(text, "DTSTART:20260611T120000Z") {
		t.Errorf("got %s, want the override of 12 June, at its time", text)
	}
}

// Hostile series are refused with a clear error, or handled within the limits.
func TestHostileSeriesAreRefusedOrMoved(t *testing.T) {
	f := newFixture(t)
	const start = "DTSTART:20260101T090000Z"
	two := strings.Replace(apptest.VEvent("two", start), "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:two\r\n"+start+"\r\nEND:VEVENT\r\nEND:VCALENDAR", 1)
	a := f.dav.Do("PUT", f.path+"two.ics", two)
	wantDAVError(a, 403, "valid-calendar-object-resource")
	if want := "Two VEVENT components have no RECURRENCE-ID"; !strings.Contains(a.Body, want) {
		t.Errorf("got %s, want %q in it", a.Body, want)
	}
	var overrides strings.Builder
	for i := range 5000 {
		id := fmt.Sprintf("20%02d%02d%02dT090000Z", 26+i/336, 1+i/28%12, 1+i%28)
		overrides.WriteString("BEGIN:VEVENT\r\nUID:many\r\nRECURRENCE-ID:" + id + "\r\nDTSTART:" + id + "\r\nEND:VEVENT\r\n")
	}
	many := f.putSeries("many", strings.Replace(apptest.VEvent("many", start, "RRULE:FREQ=DAILY"), "END:VCALENDAR", overrides.String()+"END:VCALENDAR", 1))
	moved := f.ann.Do("PATCH", many, map[string]any{"start": "2026-01-02T10:00:00Z"}).Want(200)
	moved.WantValues("object.state.recurrence", map[string]any{"overrides": 5000.0})
	outside := f.putSeries("stray", strings.Replace(apptest.VEvent("stray", "DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Stray"), "END:VCALENDAR",
		"BEGIN:VEVENT\r\nUID:stray\r\nRECURRENCE-ID:20260301T090000Z\r\nDTSTART:20260301T110000Z\r\nSUMMARY:Lone\r\nEND:VEVENT\r\nEND:VCALENDAR", 1))
	f.ann.Do("PATCH", outside, map[string]any{"start": "2026-01-06T09:00:00Z"}).Want(200).WantValues("object.state.recurrence", map[string]any{"overrides": 1.0})
	f.ann.Do("PATCH", outside, map[string]any{"scope": "this", "recurrence_id": "2026-02-01T09:00:00Z", "title": "x"}).WantError(404, "not_found").WantFields("recurrence_id")
	never := f.putSeries("never", apptest.VEvent("never", start, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "SUMMARY:Never"))
	f.ann.Do("PATCH", never, map[string]any{"start": "2026-01-02T09:00:00Z"}).WantError(422, "recurrence_ambiguous")
	f.ann.Do("PATCH", never, map[string]any{"rrule": "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31"}).WantError(422, "invalid_recurrence")
	seconds := f.putSeries("seconds", apptest.VEvent("seconds", start, "RRULE:FREQ=SECONDLY;UNTIL=20261231T000000Z", "EXDATE;VALUE=DATE:20260601", "SUMMARY:Seconds"))
	f.ann.Do("PATCH", seconds, map[string]any{"start": "2026-01-01T09:00:01Z"}).WantError(422, "work_limit_exceeded")
}
