package calendar_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/words"
)

// A report counts all refused and noted entries and lists the first of them.
func TestReportListsALimitedNumberOfEntries(t *testing.T) {
	var report calendar.ImportReport
	for i := range 1500 {
		report.Add(calendar.ImportReport{
			Entries: 1, RefusedCount: 1, Refused: []calendar.RefusedEntry{{Source: "a.ics", Line: i + 1, UID: "x", Reason: "It is invalid."}},
			Notes: []calendar.ImportNote{
				{Code: calendar.NoteRestored, Count: 1, Entries: []calendar.NotedEntry{{UID: "x"}}},
				{Code: calendar.NoteUnknownZone, Zone: fmt.Sprint(i), Count: 1, Entries: []calendar.NotedEntry{{UID: "x"}}},
			},
		})
	}
	report.Add(calendar.ImportReport{Imported: 3, Present: 2})
	if report.Entries != 1500 || report.RefusedCount != 1500 || len(report.Refused) != 1000 || report.Imported != 3 || report.Present != 2 {
		t.Errorf("got %d entries, %d refused, %d listed, %d imported, %d present", report.Entries, report.RefusedCount, len(report.Refused), report.Imported, report.Present)
	}
	if n := report.Notes[0]; len(report.Notes) != 100 || n.Count != 1500 || len(n.Entries) != 100 {
		t.Errorf("got %d notes, the first with %d entries and %d listed; want 100, 1500 and 100", len(report.Notes), n.Count, len(n.Entries))
	}
	for want, r := range map[string]calendar.RefusedEntry{
		"a.ics:7: x: It is invalid.":             {Source: "a.ics", Line: 7, UID: "x", Reason: "It is invalid."},
		"a.ics:7: x: 2026-12-01: It is invalid.": {Source: "a.ics", Line: 7, UID: "x", Date: "2026-12-01", Reason: "It is invalid."},
		"a.ics: It is invalid.":                  {Source: "a.ics", Reason: "It is invalid."},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The sentences of a report are in the language of the member.
func TestReportHasSentences(t *testing.T) {
	noted := []calendar.NotedEntry{{Title: "Talk", Calendar: "Work"}, {UID: "uid-2", Calendar: "Home"}}
	report := calendar.ImportReport{Imported: 5, Changed: 1, Present: 2, Merged: 3, RefusedCount: 1, Notes: []calendar.ImportNote{
		{Code: calendar.NoteRestored, Count: 1},
		{Code: calendar.NoteInOtherCalendar, Count: 2, Entries: noted},
		{Code: calendar.NoteInOtherCalendar, Count: 7, Entries: slices.Repeat(noted[:1], 7)},
		{Code: calendar.NoteUnknownZone, Zone: "Mars/Olympus", Count: 4, Entries: noted},
	}}
	for l, want := range map[words.Language]string{
		words.English: "Imported: 5. Changed: 1. Already present: 2. Merged with these: 3. Not imported: 1.\n" +
			"1 entry was in the trash and is restored.\n" +
			"2 entries are also in other calendars: Talk (Work), uid-2 (Home).\n" +
			"7 entries are also in other calendars: Talk (Work), Talk (Work), Talk (Work), Talk (Work), Talk (Work), …\n" +
			`The time zone "Mars/Olympus" is unknown. Entries in it are read in the time zone of the calendar "Work": 4.`,
		words.German: "Importiert: 5. Geändert: 1. Schon vorhanden: 2. Mit diesen zusammengeführt: 3. Nicht importiert: 1.\n" +
			"1 Eintrag war im Papierkorb und ist wiederhergestellt.\n" +
			"2 Einträge stehen auch in anderen Kalendern: Talk (Work), uid-2 (Home).\n" +
			"7 Einträge stehen auch in anderen Kalendern: Talk (Work), Talk (Work), Talk (Work), Talk (Work), Talk (Work), …\n" +
			"Die Zeitzone \"Mars/Olympus\" ist unbekannt. Einträge darin werden in der Zeitzone des Kalenders \"Work\" gelesen: 4.",
	} {
		if got := strings.Join(report.In(l).Sentences, "\n"); got != want {
			t.Errorf("language %d: got\n%s\nwant\n%s", l, got, want)
		}
	}
	for _, code := range calendar.NoteCode("").Values() {
		one := calendar.ImportReport{Notes: []calendar.ImportNote{{Code: calendar.NoteCode(code), Count: 1}}}
		if got := one.In(words.English).Sentences[1]; got == code || !strings.HasSuffix(strings.TrimSuffix(got, " ."), ".") && code != string(calendar.NoteInOtherCalendar) {
			t.Errorf("%s: got %q, want a sentence", code, got)
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
	list := prepare(f, text, strings.Replace(event("b"), "DTSTART:", "DTSTART:x", 1))
	if got := []int{list[0].Size(), list[1].Size()}; !slices.Equal(got, []int{len(text), 0}) {
		t.Errorf("got sizes %d, want %d and 0", got, len(text))
	}
}

// An import creates a calendar with the properties of its source, as far as they are valid, and
// changes none of an existing calendar. Covers B-118.
func TestImportTargetHasThePropertiesOfItsSource(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for _, c := range []struct {
		name   string
		source ics.CalendarInfo
		want   string
		notes  string
	}{
		{"no name", ics.CalendarInfo{Description: "x", Color: "#ff0000", Timezone: "Asia/Tokyo"}, "Calendar||#4e7cfe|Europe/Berlin", ""},
		{"a new calendar", ics.CalendarInfo{Name: "School", Description: "Holidays\nand more", Color: "#FF2D55FF", Timezone: "America/New_York"}, "School|Holidays\nand more|#ff2d55|America/New_York", ""},
		{"an existing calendar", ics.CalendarInfo{Name: " School ", Description: "y", Color: "#00ff00", Timezone: "Asia/Tokyo"}, "School|Holidays\nand more|#ff2d55|America/New_York", ""},
		{"a name of Windows", ics.CalendarInfo{Name: "Office", Timezone: "W. Europe Standard Time"}, "Office||#b18216|Europe/Berlin", ""},
		{"invalid properties", ics.CalendarInfo{Name: "a\u202eb\x00" + strings.Repeat("é", 100), Description: "\x00\xff" + strings.Repeat("x", 2000), Color: "reddish", Timezone: "Customized Time Zone"},
			"ab " + strings.Repeat("é", 77) + "|\ufffd" + strings.Repeat("x", 999) + "|#212e42|Europe/Berlin", "unknown_source_timezone Customized Time Zone 0: @ab " + strings.Repeat("é", 77)},
		{"an invisible name", ics.CalendarInfo{Name: "\u200b\u2066 "}, "Calendar||#4e7cfe|Europe/Berlin", ""},
	} {
		var got calendar.Calendar
		var report calendar.ImportReport
		err := f.TryWrite(func(tx *store.Tx) (err error) {
			got, report, err = f.Calendar.ImportTarget(tx, ann, calendar.ImportSource{CalendarInfo: c.source})
			return err
		})
		if text := strings.Join([]string{got.Name, got.Description, got.Color, got.Timezone}, "|"); err != nil || text != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, text, err, c.want)
		}
		if got := notes(report); got != strings.Replace(c.notes, ": @", ": ", 1) {
			t.Errorf("%s: got the notes %q, want %q", c.name, got, c.notes)
		}
	}
	var tasks calendar.Calendar
	err := f.TryWrite(func(tx *store.Tx) (err error) {
		tasks, _, err = f.Calendar.ImportTarget(tx, ann, calendar.ImportSource{CalendarInfo: ics.CalendarInfo{Name: "Tasks"}, Components: []string{"VTODO"}})
		return err
	})
	_, putErr := importTexts(f, ann, tasks, icstest.Object("VTODO", "a"))
	if err := errors.Join(err, putErr); err != nil || !slices.Equal(tasks.Components, []string{"VTODO"}) {
		t.Errorf("got the components %q, %v, want VTODO", tasks.Components, err)
	}
}
