package calendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics/icstest"
)

// importText imports a text into a calendar of ann and returns the response.
func (f *fixture) importText(calendarID, text string) *apptest.Answer {
	f.t.Helper()
	return f.ann.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+calendarID+"/import", text)
}

// defaultID returns the id of the default calendar.
func (f *fixture) defaultID() string {
	return apptest.LastSegment(strings.TrimSuffix(f.path, "/"))
}

// numbers returns the numbers of a report, and fails the test unless their sum is that of the
// entries.
func numbers(t *testing.T, a *apptest.Answer) string {
	t.Helper()
	sum := 0.0
	var list []string
	for _, name := range []string{"imported", "changed", "present", "merged", "refused_count"} {
		n := a.At("report." + name).(float64)
		sum += n
		list = append(list, fmt.Sprint(n))
	}
	if got := a.At("report.entries"); got != sum {
		t.Errorf("got %v entries, want %v, the sum of %v", got, sum, list)
	}
	return strings.Join(list, " ")
}

// component returns the text of a component.
func component(name string, lines ...string) string {
	return "BEGIN:" + name + "\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:" + name + "\r\n"
}

// file returns a calendar with components, as a program exports it.
func file(components ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//School//EN\r\nMETHOD:PUBLISH\r\nX-WR-TIMEZONE:Europe/London\r\n" + strings.Join(components, "") + "END:VCALENDAR\r\n"
}

// The files of a school, a waste collector and a club are imported whole, and the report says in
// the language of the member what happened to each entry. Covers B-118.
func TestImportReportsEachEntry(t *testing.T) {
	f := newFixture(t)
	f.put("own.ics", apptest.VEvent("own", "DTSTART:20261205T090000Z", "SUMMARY:Sports day", "SEQUENCE:3"))
	second := f.ann.Do("POST", "/world/calendars", `{"name": "Choir"}`).Want(201).Str("calendar.caldav_path")
	f.dav.Do("PUT", second+"a.ics", apptest.VEvent("elsewhere", "DTSTART:20261206T090000Z", "SUMMARY:Concert")).Want(201)
	f.put("gone.ics", apptest.VEvent("gone", "DTSTART:20261207T090000Z", "SUMMARY:Market"))
	f.dav.Do("DELETE", f.path+"gone.ics").Want(204)
	const stamp = "DTSTAMP:20261101T120000Z"
	text := file(
		component("VEVENT", stamp, "DTSTART;VALUE=DATE:20261203", "SUMMARY:Paper"),
		component("VEVENT", stamp, "DTSTART;VALUE=DATE:20261210", "SUMMARY:Glass"),
		component("VEVENT", "UID:lessons", stamp, "RECURRENCE-ID:20261208T080000Z", "DTSTART:20261208T100000Z", "SUMMARY:Late lesson"),
		component("VEVENT", "UID:lessons", stamp, "DTSTART:20261201T080000Z", "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Old lesson"),
		component("VEVENT", "UID:lessons", stamp, "SEQUENCE:1", "DTSTART:20261201T080000Z", "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Lesson"),
		component("VEVENT", "UID:own", stamp, "SEQUENCE:2", "DTSTART:20261205T100000Z", "SUMMARY:Earlier sports day"),
		component("VEVENT", "UID:elsewhere", stamp, "DTSTART:20261206T090000Z", "SUMMARY:Concert"),
		component("VEVENT", "UID:gone", stamp, "SEQUENCE:1", "DTSTART:20261207T110000Z", "SUMMARY:Market"),
		component("VEVENT", "UID:talk", stamp, "DTSTART;TZID=Customized Time Zone:20261209T090000", "SUMMARY:Talk"),
		component("VEVENT", "UID:floating", stamp, "DTSTART:20261211T090000", "SUMMARY:Tea"),
		component("VEVENT", "UID:bad", stamp, "DTSTART:20261299T090000Z", "SUMMARY:"+strings.Repeat("Fair\\, ", 30)),
		"BEGIN:VEVENT\r\nUID:cut\r\nDTSTART:20261212T090000Z\r\n",
	)
	a := f.importText(f.defaultID(), text).Want(200)
	if got, want := numbers(t, a), "7 0 1 2 2"; got != want {
		t.Errorf("got the numbers %s, want %s: %s", got, want, a.Body)
	}
	if got, want := a.Column("report.refused", "uid")+" "+a.Column("report.refused", "date"), "bad cut  2026-12-12"; got != want {
		t.Errorf("got the refused entries %s, want %s", got, want)
	}
	if got, want := a.Column("report.refused", "code"), "unreadable unreadable"; got != want {
		t.Errorf("got the codes %s, want %s", got, want)
	}
	if got, want := a.Str("report.refused.0.title"), strings.Repeat("Fair, ", 13)+"Fa…"; got != want {
		t.Errorf("got the title %q, want %q", got, want)
	}
	f.ann.Do("PATCH", "/world/identity/me", map[string]any{"locale": "de"}).Want(200)
	german := f.importText(f.defaultID(), text).Want(200)
	if got, want := german.Str("report.refused.0.reason"), "Der Eintrag ist beschädigt, unvollständig oder hat einen ungültigen Wert."; got != want {
		t.Errorf("got the reason %q in German, want %q", got, want)
	}
	if got, want := german.Str("report.refused.0.detail"), a.Str("report.refused.0.detail"); got != want || !strings.Contains(got, "DTSTART") {
		t.Errorf("got the detail %q, want that of the English report, %q", got, want)
	}
	f.ann.Do("PATCH", "/world/identity/me", map[string]any{"locale": "en"}).Want(200)
	for i, entry := range a.List("report.refused") {
		if line := int(apptest.At(entry, "line").(float64)); strings.Split(text, "\r\n")[line-1] != "BEGIN:VEVENT" || apptest.At(entry, "reason") == "" {
			t.Errorf("refused entry %d: got %v, want the line of its BEGIN and a reason", i, entry)
		}
	}
	if got, want := a.Column("report.notes", "code"), "without_uid in_other_calendar unknown_timezone other_timezone restored"; got != want {
		t.Errorf("got the notes %s, want %s", got, want)
	}
	if got, want := a.At("report.sentences.0"), "Imported: 7. Already present: 1. Merged with these: 2. Not imported: 2."; got != want {
		t.Errorf("got the sentence %q, want %q", got, want)
	}
	list := f.ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-31").Want(200)
	titles := list.Values("objects", "title")
	slices.Sort(titles)
	if got, want := strings.Join(titles, ", "), "Concert, Concert, Glass, Late lesson, Lesson, Lesson, Lesson, Market, Paper, Sports day, Talk, Tea"; got != want {
		t.Errorf("got the entries %s, want %s", got, want)
	}
	if got := f.ann.TrashTitles(); got != "" {
		t.Errorf("got %s in the trash, want nothing", got)
	}

	f.ann.Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200)
	a = f.importText(f.defaultID(), text).Want(200)
	if got, want := numbers(t, a), "0 0 8 2 2"; got != want {
		t.Errorf("again: got the numbers %s, want %s", got, want)
	}
	if got, want := a.At("report.sentences.0"), "Importiert: 0. Schon vorhanden: 8. Mit diesen zusammengeführt: 2. Nicht importiert: 2."; got != want {
		t.Errorf("again: got the sentence %q, want %q", got, want)
	}
}

// Hostile and broken files get a report that counts each entry, and nothing twice.
func TestImportOfInvalidFilesIsReported(t *testing.T) {
	f := newFixture(t)
	const start, rule = "DTSTART;TZID=Europe/Berlin:20261201T090000", "RRULE:FREQ=DAILY;COUNT=10"
	override := func(day int, lines ...string) string {
		id := fmt.Sprintf("RECURRENCE-ID;TZID=Europe/Berlin:202612%02dT090000", day)
		return component("VEVENT", append([]string{"UID:a", id, fmt.Sprintf("DTSTART:202612%02dT120000Z", day)}, lines...)...)
	}
	var overrides []string
	for i := range 5000 {
		overrides = append(overrides, component("VEVENT", "UID:a", fmt.Sprintf("RECURRENCE-ID:%d0101T%02d%02d00Z", 2027+i/1440, i/60%24, i%60), "DTSTART:20270101T000000Z"))
	}
	zone := "BEGIN:VTIMEZONE\r\nTZID:Own\r\n" + strings.Repeat(component("STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "RRULE:FREQ=DAILY"), 10_000) + "END:VTIMEZONE\r\n"
	for _, c := range []struct {
		name, text, want string
		occurrences      int // in December
	}{
		{"two series", file(component("VEVENT", "UID:a", start, "SUMMARY:1"), component("VEVENT", "UID:a", start, "SUMMARY:2")), "1 0 0 0 1", 1},
		{"a doubled override", file(component("VEVENT", "UID:a", start, rule), override(2), override(2)), "1 0 0 2 0", 10},
		{"overrides outside the series", file(component("VEVENT", "UID:a", start, rule), override(28), override(29, "SUMMARY:later")), "1 0 0 2 0", 12},
		{"5,000 overrides", file(component("VEVENT", "UID:a", start, rule), strings.Join(overrides, "")), "1 0 0 5000 0", 10},
		{"a VTIMEZONE with 10,000 rules", file(zone, component("VEVENT", "UID:a", "DTSTART;TZID=Own:20261201T090000")), "1 0 0 0 0", 1},
		{"a rule without instances", file(component("VEVENT", "UID:a", start, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")), "1 0 0 0 0", 1},
		{"an end before the start in another zone", file(component("VEVENT", "UID:a", start, "DTEND;TZID=Asia/Tokyo:20261201T090000")), "1 0 0 0 0", 1},
		{"an excluded date", file(component("VEVENT", "UID:a", start, rule, "EXDATE;VALUE=DATE:20261202")), "1 0 0 0 0", 9},
		{"an excluded time in UTC", file(component("VEVENT", "UID:a", start, rule, "EXDATE:20261202T080000Z")), "1 0 0 0 0", 9},
		{"an excluded local time", file(component("VEVENT", "UID:a", start, rule, "EXDATE:20261202T090000")), "1 0 0 0 0", 9},
		{"an excluded time in another zone", file(component("VEVENT", "UID:a", start, rule, "EXDATE;TZID=Asia/Tokyo:20261202T170000")), "1 0 0 0 0", 9},
		{"a list of excluded times", file(component("VEVENT", "UID:a", start, rule, "EXDATE;TZID=Europe/Berlin:20261202T090000,20261203T090000", "EXDATE;VALUE=DATE:20261204")), "1 0 0 0 0", 7},
		{"a date with a time that excludes", file(component("VEVENT", "UID:a", start, rule, "EXDATE;VALUE=DATE:20261202T000000")), "1 0 0 0 0", 9},
		{"an empty exclusion", file(component("VEVENT", "UID:a", start, rule, "EXDATE:")), "1 0 0 0 0", 10},
		{"an excluded period", file(component("VEVENT", "UID:a", start, rule, "EXDATE;VALUE=PERIOD:20261202T080000Z/PT1H")), "0 0 0 0 1", 0},
		{"nested events", file("BEGIN:VEVENT\r\nUID:b\r\nDTSTART:20261201T090000Z\r\n" + component("VEVENT", "UID:a", start)), "1 0 0 0 1", 1},
		{"a file that is cut in an entry", strings.TrimSuffix(file(component("VEVENT", "UID:a", start), component("VEVENT", "UID:b", start)), "END:VEVENT\r\nEND:VCALENDAR\r\n"), "1 0 0 0 1", 1},
		{"a file that is cut between entries", strings.TrimSuffix(file(component("VEVENT", "UID:a", start)), "END:VCALENDAR\r\n"), "1 0 0 0 1", 1},
	} {
		created := f.ann.Do("POST", "/world/calendars", `{"name": "New"}`).Want(201)
		id := created.Str("calendar.id")
		a := f.importText(id, c.text).Want(200)
		if got := numbers(t, a); got != c.want {
			t.Errorf("%s: got the numbers %s, want %s: %.500s", c.name, got, c.want, a.At("report.refused"))
		}
		list := f.ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2027-01-01&calendar_id="+id).Want(200).List("objects")
		if got := len(list); got != c.occurrences {
			t.Errorf("%s: got %d occurrences in December, want %d", c.name, got, c.occurrences)
		}
		again := f.importText(id, c.text).Want(200)
		if numbers(t, again); again.At("report.imported") != 0.0 || again.At("report.changed") != 0.0 {
			t.Errorf("%s, again: got %s, want nothing new", c.name, numbers(t, again))
		}
		f.ann.Do("DELETE", "/world/calendars/"+id).Want(200)
		f.ann.Do("DELETE", "/world/time/trash").Want(200)
	}
	f.importText(f.defaultID(), "no calendar").WantError(400, "malformed_body")
}

// Imports of one file at the same time store each entry once.
func TestSimultaneousImportsStoreEachEntryOnce(t *testing.T) {
	f := newFixture(t)
	var entries []string
	for i := range 300 {
		entries = append(entries, component("VEVENT", fmt.Sprint("UID:", i), "DTSTART:20261201T090000Z"))
	}
	var imports sync.WaitGroup
	answers := make([]*apptest.Answer, 2)
	for i := range answers {
		imports.Go(func() { answers[i] = f.importText(f.defaultID(), file(entries...)).Want(200) })
	}
	imports.Wait()
	imported := 0.0
	for _, a := range answers {
		numbers(t, a)
		imported += a.At("report.imported").(float64)
	}
	if got := f.ann.CountEntries(f.path); got != 300 || imported != 300 {
		t.Errorf("got %d entries, %v of them reported as new, want 300", got, imported)
	}
}

// An export of all shapes keeps them in another calendar, and changes nothing in the calendar from
// which it was exported. Covers B-118.
func TestExportOfAllShapesIsImportedWhole(t *testing.T) {
	f := newFixture(t)
	for i, s := range apptest.Shapes(t, "../../../testdata/calendar") {
		if f.dav.Do("PUT", fmt.Sprintf("%s%d.ics", f.path, i), s.Text).Status != 201 { // an import accepts more
			f.importText(f.defaultID(), s.Text).Want(200)
		}
	}
	exported := f.ann.Do("GET", "/world/calendars/"+f.defaultID()+"/export").Want(200).Body
	objects := func(path string) map[string]string {
		found := make(map[string]string)
		for _, e := range f.dav.Do("REPORT", path, query(calendarData, "")).Multistatus().Entries {
			o := icstest.Parse(t, e.Data)
			instances, _ := o.Instances(time.Time{}, time.Time{}, nil, 50)
			text := strings.ReplaceAll(strings.Join(contentLines(e.Data), "\n"), ";TZID=:", ":") // an export leaves out undefined ones (B-117)
			for _, i := range instances {
				text += fmt.Sprintf("\n%d-%d", i.From, i.To)
			}
			found[o.Component+" "+o.UID] = text
		}
		return found
	}
	want := objects(f.path)
	if len(want) < minShapes {
		t.Errorf("got %d objects, want at least %d", len(want), minShapes)
	}
	second := f.ann.Do("POST", "/world/calendars", `{"name": "Copy"}`).Want(201)
	copied := f.importText(second.Str("calendar.id"), exported).Want(200)
	if got, want := copied.At("report.imported"), float64(len(want)); got != want || copied.At("report.refused_count") != 0.0 {
		t.Errorf("got %v imported, want %v: %s", got, want, copied.At("report.refused"))
	}
	again := f.importText(f.defaultID(), exported).Want(200)
	if got, want := again.At("report.present"), float64(len(want)); got != want || again.At("report.changed") != 0.0 {
		t.Errorf("into the same calendar: got %v present, want %v", got, want)
	}
	got := objects(second.Str("calendar.caldav_path"))
	for uid := range want {
		if got[uid] != want[uid] {
			t.Errorf("%s: got\n%s\nwant\n%s", uid, got[uid], want[uid])
		}
	}
	if after := objects(f.path); !maps.Equal(after, want) {
		t.Error("got other objects in the exported calendar, want them unchanged")
	}
}
