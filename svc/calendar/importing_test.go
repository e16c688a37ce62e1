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
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// importStream imports a calendar and returns the report and the error.
func importStream(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar, text string) (report calendar.ImportReport, err error) {
	f.T.Helper()
	s, err := ics.ReadStream(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		f.T.Fatal(err)
	}
	var list []calendar.ImportEntry
	for e := range s.Entries() {
		entry, err := calendar.PrepareEntry(svc.WorkOf(f.T.Context()), "a.ics", e, f.Clock.Now())
		if err != nil {
			f.T.Fatal(err)
		}
		list = append(list, entry)
	}
	err = f.TryWrite(func(tx *store.Tx) error {
		report, _, err = f.Calendar.Import(tx, v, c.ID, list)
		return err
	})
	return report, err
}

// An import of a stream stores its objects once, and reports the rejected objects with the reasons.
func TestImportStoresTheObjectsOfAStream(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	f.Put(ann, f.DefaultCalendar(ann), "a.ics", icstest.Event("series", "DTSTART;TZID=Europe/Berlin:20261124T190000", "RRULE:FREQ=WEEKLY", "SUMMARY:Chœur"))
	f.Put(ann, f.DefaultCalendar(ann), "b.ics", icstest.Object("VTODO", "task", "SUMMARY:Taxes"))
	text, _ := stream(f, ann, f.DefaultCalendar(ann))
	text = strings.Replace(text, "END:VCALENDAR\r\n",
		"BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:tomorrow\r\nEND:VEVENT\r\nBEGIN:VJUNK\r\nUID:junk\r\nEND:VJUNK\r\nEND:VCALENDAR\r\n", 1)
	defaultCal := f.DefaultCalendar(bea)
	report, err := importStream(f, bea, defaultCal, text)
	if err != nil || report.Imported != 2 || report.Present != 0 || report.RefusedCount != 2 {
		t.Fatalf("got %+v, %v, want 2 imported and 2 refused", report, err)
	}
	var refused []string
	for _, r := range report.Refused {
		if refused = append(refused, r.UID); r.Source != "a.ics" || r.Line == 0 || r.Reason == "" {
			t.Errorf("got %+v, want a source, a line and a reason", r)
		}
	}
	if !slices.Equal(refused, []string{"bad", "junk"}) {
		t.Errorf("refused %q, want bad and junk", refused)
	}
	if got, _ := stream(f, bea, defaultCal); strings.Count(got, "BEGIN:VEVENT") != 1 || !strings.Contains(got, "SUMMARY:Chœur") || !strings.Contains(got, "SUMMARY:Taxes") {
		t.Errorf("got\n%s\nwant the objects of the stream", got)
	}
	if report, err = importStream(f, bea, defaultCal, text); err != nil || report.Imported != 0 || report.Present != 2 {
		t.Errorf("again: got %+v, %v, want 2 present", report, err)
	}
	if got := report.String(); got != "Imported: 0. Already present: 2. Not imported: 2." {
		t.Errorf("got %q", got)
	}
	_, err = importStream(f, ann, defaultCal, text)
	wantKind(t, "an import to another member's calendar", err, svc.Missing)
	f.WantCounts()
}

// One write stores a limited number of entries with few statements. Each entry has its own text and
// change number. Covers B-130.
func TestImportStoresTheFirstEntriesInOneWrite(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	f.Put(ann, defaultCal, "old.ics", event("5"))
	var list []calendar.ImportEntry
	add := func(text string) {
		e, err := calendar.PrepareEntry(svc.WorkOf(t.Context()), "", ics.Entry{Text: []byte(text)}, f.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	write := func(imported, present int) {
		t.Helper()
		f.Write(func(tx *store.Tx) error {
			report, rest, err := f.Calendar.Import(tx, ann, defaultCal.ID, list)
			if report.Imported != imported || report.Present != present || tx.Statements() > 12 {
				t.Errorf("got %+v and %d statements, want %d imported, %d present and at most 12 statements", report, tx.Statements(), imported, present)
			}
			list = rest
			return err
		})
	}
	want := []string{event("5")}
	for i := range 30 {
		text := icstest.Event(fmt.Sprint(i), "DTSTART:20261124T090000Z", "SUMMARY:"+strings.Repeat("é", i))
		if add(text); i != 5 {
			want = append(want, text)
		}
		if i == 7 {
			add(icstest.Event("7", "DTSTART:20271124T090000Z", "SUMMARY:Another with this UID"))
		}
	}
	write(18, 2)
	write(11, 0)
	var got []string
	for _, segment := range f.Segments(ann, defaultCal) {
		got = append(got, f.Text(ann, defaultCal, segment))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got the texts\n%q\nwant\n%q", got, want)
	}
	if got := storetest.Rows(t, f.DB, "SELECT count(*) - count(DISTINCT seq) FROM calendar_object"); !slices.Equal(got, []string{"0"}) {
		t.Errorf("got %s objects with the number of change of another, want 0", got)
	}

	for i := range 3 {
		add(icstest.Event(fmt.Sprint("series", i), "DTSTART:20261124T090000Z", "RRULE:FREQ=HOURLY;COUNT=900", "SUMMARY:Bell"))
	}
	write(2, 0)
	write(1, 0)
	f.WantCounts()
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
	report, err := importStream(f, ann, events, icstest.Object("VTODO", "task", "SUMMARY:Taxes"))
	if err != nil || report.Imported != 0 || len(report.Refused) != 1 {
		t.Fatalf("got %+v, %v, want 1 refused", report, err)
	}
	if got := report.Refused[0]; got.UID != "task" || !strings.Contains(got.Reason, `"Events" does not accept tasks`) {
		t.Errorf("got %+v, want task with the names of the calendar and of its component", got)
	}
}

// A report counts all refused entries and lists the first thousand.
func TestReportListsALimitedNumberOfRefusedEntries(t *testing.T) {
	var report calendar.ImportReport
	for i := range 1500 {
		report.Refuse(calendar.RefusedEntry{Source: "a.ics", Line: i + 1, UID: "x", Reason: "It is invalid."})
	}
	report.Add(calendar.ImportReport{Imported: 3, Present: 2})
	if report.RefusedCount != 1500 || len(report.Refused) != 1000 || report.Imported != 3 || report.Present != 2 {
		t.Errorf("got %d refused, %d listed, %d imported, %d present", report.RefusedCount, len(report.Refused), report.Imported, report.Present)
	}
	for want, r := range map[string]calendar.RefusedEntry{
		"a.ics:7: x: It is invalid.": {Source: "a.ics", Line: 7, UID: "x", Reason: "It is invalid."},
		"a.ics: It is invalid.":      {Source: "a.ics", Reason: "It is invalid."},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := fmt.Sprint(calendar.ImportReport{Imported: 2}), "Imported: 2."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The size of an entry is that of its text, or 0 if it cannot be imported.
func TestImportEntryHasTheSizeOfItsText(t *testing.T) {
	f := calendartest.New(t)
	text := event("a")
	for name, c := range map[string]struct {
		entry ics.Entry
		want  int
	}{
		"valid":   {ics.Entry{Component: "VEVENT", UID: "a", Text: []byte(text)}, len(text)},
		"invalid": {ics.Entry{Component: "VEVENT", UID: "a", Text: []byte("BEGIN:VCALENDAR")}, 0},
	} {
		e, err := calendar.PrepareEntry(svc.WorkOf(t.Context()), "", c.entry, f.Clock.Now())
		if got := e.Size(); err != nil || got != c.want {
			t.Errorf("%s: got size %d and %v, want %d", name, got, err, c.want)
		}
	}
}
