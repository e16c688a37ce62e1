package calendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/mirror"
)

// prepare returns the entries of streams, which have the names a.ics, b.ics and so on.
func prepare(f *calendartest.Fixture, texts ...string) (list []calendar.ImportEntry) {
	f.T.Helper()
	var a ics.Assembly
	for i, text := range texts {
		s, err := ics.ReadStream(strings.NewReader(text), int64(len(text)), nil)
		if err != nil {
			f.T.Fatal(err)
		}
		a.Add(string(rune('a'+i))+".ics", s)
	}
	work := svc.WorkOf(f.T.Context())
	for e := range a.Entries(work) {
		in, err := calendar.PrepareEntry(work, e, f.Clock.Now())
		if err != nil {
			f.T.Fatal(err)
		}
		list = append(list, in)
	}
	return list
}

// importTexts imports streams and returns the report and the error.
func importTexts(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar, texts ...string) (report calendar.ImportReport, err error) {
	f.T.Helper()
	for list := prepare(f, texts...); len(list) > 0; {
		var done calendar.ImportResult
		err = f.TryWrite(func(tx *store.Tx) error {
			done, err = f.Calendar.Import(tx, v, c.ID, list)
			return err
		})
		if err != nil {
			return report, err
		}
		report.Add(done.Report)
		f.Read(func(tx *store.Tx) error { return f.Calendar.ResolveImport(tx, v, c.ID, done.Unresolved) })
		list = append(done.Unresolved, done.Rest...)
	}
	return report, nil
}

// counts returns the numbers of a report: imported, changed, present, merged and refused.
func counts(r calendar.ImportReport) string {
	return fmt.Sprint(r.Imported, r.Changed, r.Present, r.Merged, r.RefusedCount)
}

// notes returns the notes of a report.
func notes(r calendar.ImportReport) string {
	var list []string
	for _, n := range r.Notes {
		var entries []string
		for _, e := range n.Entries {
			entries = append(entries, strings.Trim(e.Title+"@"+e.Calendar, "@"))
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s", n.Code, n.Zone))+fmt.Sprintf(" %d: %s", n.Count, strings.Join(entries, ", ")))
	}
	return strings.Join(list, "; ")
}

// An import of a stream stores its objects once, and reports the rejected objects with the reasons.
func TestImportStoresTheObjectsOfAStream(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	f.Put(ann, f.DefaultCalendar(ann), "a.ics", icstest.Event("series", "DTSTART;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY", "SUMMARY:Chœur"))
	f.Put(ann, f.DefaultCalendar(ann), "b.ics", icstest.Object("VTODO", "task", "SUMMARY:Taxes"))
	text, _ := stream(f, ann, f.DefaultCalendar(ann))
	text = strings.Replace(text, "END:VCALENDAR\r\n",
		"BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:20261301\r\nEND:VEVENT\r\nBEGIN:VJUNK\r\nUID:junk\r\nDTSTART:20261201\r\nEND:VJUNK\r\nEND:VCALENDAR\r\n", 1)
	defaultCal := f.DefaultCalendar(bea)
	report, err := importTexts(f, bea, defaultCal, text)
	if got, want := counts(report), "2 0 0 0 2"; err != nil || got != want {
		t.Fatalf("got %s, %v, want %s", got, err, want)
	}
	var refused []string
	for _, r := range report.Refused {
		if refused = append(refused, r.UID+" "+r.Date); r.Source != "a.ics" || r.Line == 0 || r.Reason == "" {
			t.Errorf("got %+v, want a source, a line and a reason", r)
		}
	}
	if want := []string{"bad ", "junk 2026-12-01"}; !slices.Equal(refused, want) {
		t.Errorf("refused %q, want %q", refused, want)
	}
	if got, _ := stream(f, bea, defaultCal); strings.Count(got, "BEGIN:VEVENT") != 1 || !strings.Contains(got, "SUMMARY:Chœur") || !strings.Contains(got, "SUMMARY:Taxes") {
		t.Errorf("got\n%s\nwant the objects of the stream", got)
	}
	report, err = importTexts(f, bea, defaultCal, text)
	if got, want := counts(report), "0 0 2 0 2"; err != nil || got != want {
		t.Errorf("again: got %s, %v, want %s", got, err, want)
	}
	_, err = importTexts(f, ann, defaultCal, text)
	wantKind(t, "an import to another member's calendar", err, svc.Missing)
	f.WantCounts()
}

// One write stores a limited number of entries with few statements, whatever happens to them. Each
// entry has its own text and change number. Covers B-130.
func TestImportStoresTheFirstEntriesInOneWrite(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "old.ics", event("5"))
	write := func(list []calendar.ImportEntry, want string) (rest []calendar.ImportEntry) {
		t.Helper()
		f.Write(func(tx *store.Tx) error {
			done, err := f.Calendar.Import(tx, ann, defaultCal.ID, list)
			got := fmt.Sprintf("%s, %d unresolved, %d left", counts(done.Report), len(done.Unresolved), len(done.Rest))
			if got != want || tx.Statements() > 22 {
				t.Errorf("got %s and %d statements, want %s and at most 22 statements", got, tx.Statements(), want)
			}
			rest = append(done.Unresolved, done.Rest...)
			return err
		})
		f.Read(func(tx *store.Tx) error { return f.Calendar.ResolveImport(tx, ann, defaultCal.ID, rest) })
		return rest
	}
	var texts, want []string
	for i := range 130 {
		texts = append(texts, icstest.Event(fmt.Sprint(i), "DTSTART:20261124T090000Z", "SEQUENCE:1", "SUMMARY:"+strings.Repeat("é", i)))
		want = append(want, texts[i])
	}
	rest := write(prepare(f, texts...), "99 0 0 0 0, 1 unresolved, 30 left")
	rest = write(rest, "30 1 0 0 0, 0 unresolved, 0 left")
	if len(rest) > 0 {
		t.Fatalf("got %d entries left", len(rest))
	}
	var got []string
	for _, segment := range f.Segments(ann, defaultCal) {
		got = append(got, strings.Replace(f.Text(ann, defaultCal, segment), "PRODID:-//a//EN", "PRODID:-//test//EN", 1))
		if i := len(got) - 1; i%2 == 0 {
			f.Delete(ann, f.IDAt(defaultCal, segment))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got the texts\n%q\nwant\n%q", got, want)
	}
	if got := storetest.Rows(t, f.DB, "SELECT count(*) - count(DISTINCT seq) FROM calendar_object"); !slices.Equal(got, []string{"0"}) {
		t.Errorf("got %s objects with the number of change of another, want 0", got)
	}

	for i := range texts {
		texts[i] = strings.Replace(texts[i], "SEQUENCE:1", "SEQUENCE:2", 1)
	}
	rest = write(prepare(f, texts...), "0 0 0 0 0, 100 unresolved, 30 left")
	rest = write(rest, "50 50 0 0 0, 0 unresolved, 30 left")
	rest = write(rest, "15 15 0 0 0, 0 unresolved, 0 left")
	if got := f.TrashTitles(ann); len(rest) != 0 || len(got) != 0 {
		t.Errorf("got %d entries left and %q in the trash, want none", len(rest), got)
	}

	var bells []string
	for i := range 3 {
		bells = append(bells, icstest.Event(fmt.Sprint("series", i), "DTSTART:20261124T090000Z", "RRULE:FREQ=HOURLY;COUNT=900", "SEQUENCE:1", "SUMMARY:Bell"))
	}
	rest = write(prepare(f, bells...), "2 0 0 0 0, 0 unresolved, 1 left")
	write(rest, "1 0 0 0 0, 0 unresolved, 0 left")
	for i := range bells {
		bells[i] = strings.Replace(bells[i], "SEQUENCE:1", "SEQUENCE:2", 1)
	}
	rest = write(prepare(f, bells...), "0 0 0 0 0, 3 unresolved, 0 left")
	write(rest, "0 1 0 0 0, 0 unresolved, 2 left")
	f.WantCounts()
}

// What happens to an entry depends on its revision, and on what the calendar, the other calendars
// of the member and the trash have. Each component counts once. Covers B-118.
func TestImportCountsEachEntryOnce(t *testing.T) {
	const start, rule = "DTSTART;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY"
	const second = "RECURRENCE-ID;TZID=Europe/Berlin:20261201T190000"
	choir := icstest.Event("choir", start, rule, "SUMMARY:Choir")
	override := icstest.Event("choir", second, "DTSTART:20261201T190000Z", "SUMMARY:Late choir")
	newer := icstest.Event("choir", start, rule, "SEQUENCE:1", "SUMMARY:Choir of 2027")
	bins := strings.Replace(icstest.Event("x", "DTSTART;VALUE=DATE:20261203", "SUMMARY:Bins"), "UID:x\r\n", "", 1)
	for _, c := range []struct {
		name    string
		before  []string // texts in the calendar
		texts   []string // to import
		entries int
		counts  string
		notes   string
		titles  string // of the components in the calendar
	}{
		{"an override in a file of its own", nil, []string{choir, override}, 2, "1 0 0 1 0", "", "Choir, Late choir"},
		{"an override before its series", nil, []string{override, choir}, 2, "1 0 0 1 0", "", "Choir, Late choir"},
		{"an override of a series in the calendar", []string{choir}, []string{override}, 1, "0 1 0 0 0", "", "Choir, Late choir"},
		{"a series of an override in the calendar", []string{override}, []string{choir}, 1, "0 1 0 0 0", "", "Choir, Late choir"},
		{"a series and override in the calendar", []string{choir, override}, []string{choir, override}, 2, "0 0 1 1 0", "", "Choir, Late choir"},
		{"two revisions", nil, []string{choir, newer}, 2, "1 0 0 1 0", "", "Choir of 2027"},
		{"a later revision", []string{choir, override}, []string{newer}, 1, "0 1 0 0 0", "", "Choir of 2027, Late choir"},
		{"an earlier revision", []string{newer}, []string{choir}, 1, "0 0 1 0 0", "", "Choir of 2027"},
		{"the same with other octets", []string{choir}, []string{strings.ReplaceAll(choir, "\r\n", "\n")}, 1, "0 0 1 0 0", "", "Choir"},
		{"an event with the UID of a task", []string{icstest.Object("VTODO", "choir", "SUMMARY:Task")}, []string{choir, override}, 2, "0 0 0 0 2", "", "Task"},
		{"an event and a task with one UID", nil, []string{choir, icstest.Object("VTODO", "choir", "SUMMARY:Task")}, 2, "1 0 0 0 1", "", "Choir"},
		{"entries without UID", nil, []string{bins, bins}, 2, "1 0 0 1 0", "without_uid 1: Bins", "Bins"},
		{"an entry without UID again", []string{bins}, []string{strings.Replace(bins, "DTSTAMP:20261101T120000Z", "DTSTAMP:20271101T120000Z", 1)}, 1, "0 0 1 0 0", "", "Bins"},
		{"an entry without UID with other content", []string{bins}, []string{strings.Replace(bins, "Bins", "Paper", 1)}, 1, "1 0 0 0 0", "without_uid 1: Paper", "Bins, Paper"},
		{"a UID that an earlier import has derived", nil, []string{icstest.Event("content-00112233445566778899aabbccddeeff", "DTSTART;VALUE=DATE:20261203", "SUMMARY:Bins")}, 1, "1 0 0 0 0", "", "Bins"},
		{"an unknown time zone", nil, []string{icstest.Event("a", `DTSTART;TZID=Customized Time Zone:20261201T090000`, "SUMMARY:Talk")}, 1, "1 0 0 0 0",
			"unknown_timezone Customized Time Zone 1: Talk@Calendar", "Talk"},
		{"a long name of an unknown time zone", nil, []string{icstest.Event("a", "DTSTART;TZID="+strings.Repeat("z", 5000)+":20261201T090000", "SUMMARY:Talk")}, 1, "1 0 0 0 0",
			"unknown_timezone " + strings.Repeat("z", svc.MaxName) + "… 1: Talk@Calendar", "Talk"},
		{"a name of a time zone without effect", nil, []string{icstest.Event("a", `DTSTART;VALUE=DATE;TZID="Amsterdam, Belgrade":20261201`, "SUMMARY:Talk")}, 1, "1 0 0 0 0", "", "Talk"},
		{"a floating time in another time zone", nil, []string{strings.Replace(icstest.Event("a", "DTSTART:20261201T090000", "SUMMARY:Talk"), "VERSION:2.0", "VERSION:2.0\r\nX-WR-TIMEZONE:America/New_York", 1)}, 1, "1 0 0 0 0",
			"other_timezone America/New_York 1: Talk@Calendar", "Talk"},
		{"a floating time in the same time zone", nil, []string{strings.Replace(icstest.Event("a", "DTSTART:20261201T090000", "SUMMARY:Talk"), "VERSION:2.0", "VERSION:2.0\r\nX-WR-TIMEZONE:Europe/Berlin", 1)}, 1, "1 0 0 0 0", "", "Talk"},
	} {
		f := calendartest.New(t)
		ann := f.Member("ann")
		defaultCal := f.DefaultCalendar(ann)
		if _, err := importTexts(f, ann, defaultCal, c.before...); err != nil {
			t.Fatal(c.name, err)
		}
		report, err := importTexts(f, ann, defaultCal, c.texts...)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := counts(report); got != c.counts || notes(report) != c.notes {
			t.Errorf("%s: got %s with notes %q and refused %q, want %s with notes %q", c.name, got, notes(report), report.Refused, c.counts, c.notes)
		}
		if sum := report.Imported + report.Changed + report.Present + report.Merged + report.RefusedCount; sum != c.entries {
			t.Errorf("%s: got a sum of %d, want %d", c.name, sum, c.entries)
		}
		if got := componentTitles(f, ann, defaultCal); got != c.titles {
			t.Errorf("%s: got the components %s, want %s", c.name, got, c.titles)
		}
		f.WantCounts()
	}
}

// componentTitles returns the titles of all components in a calendar, sorted.
func componentTitles(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar) string {
	var titles []string
	for _, segment := range f.Segments(v, c) {
		for _, component := range icstest.Parse(f.T, f.Text(v, c, segment)).Components() {
			titles = append(titles, component.Text("SUMMARY"))
		}
	}
	slices.Sort(titles)
	return strings.Join(titles, ", ")
}

// An entry of another calendar is imported, and the report names that calendar. Covers B-118.
func TestImportNamesEntriesOfOtherCalendars(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	work := f.AddCalendar(ann, "Work")
	f.Put(ann, f.DefaultCalendar(ann), "a.ics", event("talk"))
	f.Put(bea, f.DefaultCalendar(bea), "a.ics", event("other"))
	report, err := importTexts(f, ann, work, event("talk"), event("other"))
	if got, want := notes(report), "in_other_calendar 1: talk@Calendar"; err != nil || counts(report) != "2 0 0 0 0" || got != want {
		t.Errorf("got %s with notes %q, %v; want 2 imported with %q", counts(report), got, err, want)
	}
}

// An entry in the trash is restored with its id, its segment and its properties, not added beside
// it. Its revision decides which text it gets. Covers B-118.
func TestImportRestoresEntriesFromTheTrash(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	trashed := func(c calendar.Calendar, segment, text string) (id string) {
		f.Put(ann, c, segment, text)
		id = f.IDAt(c, segment)
		at := collection.Place{Calendar: c.Segment, Segment: segment}
		f.Write(func(tx *store.Tx) error {
			return f.Collections.SetProperties(tx, ann, at, false, []collection.Property{{Space: "urn:x", Local: "a", Element: "<a>" + id + "</a>"}}, 1000, calendartest.NoPrecondition)
		})
		f.Delete(ann, id)
		return id
	}
	revision := func(uid, sequence, title string) string {
		return icstest.Event(uid, "DTSTART:20261201T090000Z", "SEQUENCE:"+sequence, "SUMMARY:"+title)
	}
	wantProperty := map[string]string{}
	older := trashed(defaultCal, "a.ics", revision("a", "1", "first"))
	trashed(work, "z.ics", revision("a", "1", "of another calendar"))
	wantProperty["a.ics"] = older
	newer := trashed(defaultCal, "b.ics", revision("b", "2", "second"))
	f.Put(ann, defaultCal, "b.ics", event("taken"))
	wantProperty[newer+".ics"] = newer
	trashed(defaultCal, "c.ics", icstest.Object("VTODO", "c", "SUMMARY:a task"))
	moved := trashed(work, "d.ics", revision("d", "1", "fourth"))
	wantProperty["d.ics"] = moved

	report, err := importTexts(f, ann, defaultCal, revision("a", "2", "first, changed"), revision("b", "1", "second, earlier"), revision("c", "1", "an event"), revision("d", "1", "fourth"))
	if got, want := counts(report), "4 0 0 0 0"; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, want := notes(report), "restored 3: first, changed, second, earlier, fourth"; got != want {
		t.Errorf("got the notes %q, want %q", got, want)
	}
	if got, want := componentTitles(f, ann, defaultCal), "an event, first, changed, fourth, second, taken"; got != want {
		t.Errorf("got the entries %s, want %s", got, want)
	}
	if got, want := f.TrashTitles(ann), []string{"a task", "of another calendar"}; !slices.Equal(got, want) {
		t.Errorf("got %q in the trash, want %q", got, want)
	}
	for segment, id := range wantProperty {
		var list []collection.Property
		f.Read(func(tx *store.Tx) (err error) {
			list, err = f.Collections.Properties(tx, ann, collection.Place{Calendar: defaultCal.Segment, Segment: segment}, false)
			return err
		})
		if got := f.IDAt(defaultCal, segment); got != id || len(list) != 1 || list[0].Element != "<a>"+id+"</a>" {
			t.Errorf("%s: got the id %s and the properties %v, want those of %s", segment, got, list, id)
		}
	}
	f.WantCounts()
}

// A mirror of an event is present, in whatever calendar its text is imported. Covers B-118.
func TestImportKeepsMirrors(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	f.Write(func(tx *store.Tx) error {
		_, err := f.Mirrors.Push(tx, mirror.EventPush{
			Operation: "update", EventID: "evt_dinner", Revision: 1, Audience: []svc.Attendee{{MemberID: ann.Member(), RSVP: "going", Role: "guest"}},
			Event: mirror.PushedEvent{
				Title: "Dinner", Start: "2026-12-24T18:00:00", End: "2026-12-24T22:00:00", Timezone: "Europe/Berlin", Status: "scheduled",
				Host: svc.EventHost{ID: 1, DisplayName: "Ann"},
			},
		})
		return err
	})
	text, _ := stream(f, ann, defaultCal)
	for _, c := range []calendar.Calendar{defaultCal, work} {
		report, err := importTexts(f, ann, c, strings.Replace(text, "SEQUENCE:0", "SEQUENCE:9", 1))
		if got := counts(report); err != nil || got != "0 0 1 0 0" || notes(report) != "belongs_to_event 1: Dinner" {
			t.Errorf("%s: got %s with notes %q, %v; want one present mirror", c.Name, got, notes(report), err)
		}
	}
	if got := f.Segments(ann, work); len(got) != 0 {
		t.Errorf("got %q in the other calendar, want nothing", got)
	}
}

// An entry that changes after its comparison is compared again: a concurrent change is not lost.
func TestImportComparesWithTheCurrentObject(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	revision := func(sequence int) string {
		return icstest.Event("a", "DTSTART:20261201T090000Z", fmt.Sprintf("SEQUENCE:%d", sequence), fmt.Sprintf("SUMMARY:revision %d", sequence))
	}
	f.Put(ann, defaultCal, "a.ics", revision(1))
	list := prepare(f, revision(2))
	write := func(want string) {
		t.Helper()
		f.Write(func(tx *store.Tx) error {
			done, err := f.Calendar.Import(tx, ann, defaultCal.ID, list)
			if got := fmt.Sprintf("%s, %d unresolved", counts(done.Report), len(done.Unresolved)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			return err
		})
	}
	resolve := func() {
		f.Read(func(tx *store.Tx) error { return f.Calendar.ResolveImport(tx, ann, defaultCal.ID, list) })
	}
	write("0 0 0 0 0, 1 unresolved")
	resolve()
	f.Put(ann, defaultCal, "a.ics", revision(3))
	write("0 0 0 0 0, 1 unresolved")
	resolve()
	write("0 0 1 0 0, 0 unresolved")
	f.Delete(ann, f.IDAt(defaultCal, "a.ics"))
	write("0 0 0 0 0, 1 unresolved")
	resolve()
	f.Write(func(tx *store.Tx) error { _, err := f.Calendar.Purge(tx, ann, ""); return err })
	write("1 0 0 0 0, 0 unresolved")
	if got, want := componentTitles(f, ann, defaultCal), "revision 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Entries with a component that the calendar does not accept are refused.
func TestImportRefusesOtherComponents(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	var events calendar.Calendar
	f.Write(func(tx *store.Tx) (err error) {
		events, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Events", Components: []string{"VEVENT"}})
		return err
	})
	report, err := importTexts(f, ann, events, icstest.Object("VTODO", "task", "SUMMARY:Taxes"))
	if err != nil || report.Imported != 0 || len(report.Refused) != 1 {
		t.Fatalf("got %+v, %v, want 1 refused", report, err)
	}
	if got := report.Refused[0]; got.UID != "task" || !strings.Contains(got.Reason, `"Events" does not accept tasks`) {
		t.Errorf("got %+v, want task with the names of the calendar and of its component", got)
	}
}

// The quota counts what an import adds, not what it replaces or restores.
func TestImportIsLimitedByTheQuota(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Objects.Quota.Objects = 2
	f.Put(ann, defaultCal, "a.ics", event("a"))
	f.Put(ann, defaultCal, "b.ics", event("b"))
	f.Delete(ann, f.IDAt(defaultCal, "b.ics"))
	report, err := importTexts(f, ann, defaultCal, event("a", "SEQUENCE:1", "X-NOTE:longer"), event("b"))
	if got, want := counts(report), "1 1 0 0 0"; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	_, err = importTexts(f, ann, defaultCal, event("c"))
	calendartest.WantError(t, err, svc.QuotaExceeded)
	f.WantCounts()
}
