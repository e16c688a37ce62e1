package ics_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// Whether a task is done follows from STATUS, and without one from COMPLETED or
// PERCENT-COMPLETE:100. Covers B-113.
func TestProgressFollowsFromStatusFirst(t *testing.T) {
	for _, c := range []struct {
		lines string
		want  ics.TaskProgress
	}{
		{"SUMMARY:x", ics.NeedsAction},
		{"STATUS:NEEDS-ACTION", ics.NeedsAction},
		{"STATUS:NEEDS-ACTION\nCOMPLETED:20261120T080000Z", ics.NeedsAction},
		{"STATUS:NEEDS-ACTION\nPERCENT-COMPLETE:100", ics.NeedsAction},
		{"STATUS:IN-PROCESS\nCOMPLETED:20261120T080000Z\nPERCENT-COMPLETE:100", ics.InProcess},
		{"STATUS: completed ", ics.Completed},
		{"STATUS:COMPLETED\nPERCENT-COMPLETE:0", ics.Completed},
		{"STATUS:CANCELLED\nCOMPLETED:20261120T080000Z", ics.Cancelled},
		{"COMPLETED:20261120T080000Z", ics.Completed},
		{"COMPLETED:yesterday", ics.NeedsAction},
		{"PERCENT-COMPLETE:100", ics.Completed},
		{"PERCENT-COMPLETE: 100 ", ics.Completed},
		{"PERCENT-COMPLETE:99", ics.NeedsAction},
		{"STATUS:X-WAITING\nPERCENT-COMPLETE:100", ics.Completed},
		{"STATUS:X-WAITING", ics.NeedsAction},
		{"STATUS:", ics.NeedsAction},
	} {
		o := icstest.Parse(t, icstest.Object("VTODO", "a", strings.Split(c.lines, "\n")...))
		if got := o.Master.Progress(); got != c.want {
			t.Errorf("%q: got %s, want %s", c.lines, got, c.want)
		}
	}
}

// The clock of the tests of recurring tasks: Sunday, 29 November 2026.
var taskNow = time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)

// taskShapes are recurring tasks in the shapes that programs write, most after an
// occurrence was completed.
var taskShapes = []struct {
	name string
	text string // the components, separated by empty lines
	want string // start or due time of the first open instance; "" for none
}{
	{"never completed", "DUE;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY", "20261126"},
	{"never completed, with a start", "DTSTART:20261126T080000Z\nDUE:20261126T100000Z\nRRULE:FREQ=WEEKLY", "20261126T080000Z"},
	{"not yet due", "DUE;VALUE=DATE:20261203\nRRULE:FREQ=WEEKLY", "20261203"},
	{"not recurring", "DUE;VALUE=DATE:20261126", "20261126"},
	{"not recurring, completed", "DUE;VALUE=DATE:20261126\nSTATUS:COMPLETED", ""},
	{"in process", "DUE;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\nSTATUS:IN-PROCESS\nPERCENT-COMPLETE:50", "20261126"},
	{"first occurrence deleted", "DTSTART;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261126", "20261203"},
	{"all occurrences deleted", "DTSTART;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY;COUNT=1\nEXDATE;VALUE=DATE:20261126", ""},

	{"KDE, one completed", "DTSTART;TZID=Europe/Berlin:20261126T090000\nDUE;TZID=Europe/Berlin:20261126T100000\nRRULE:FREQ=WEEKLY\nPERCENT-COMPLETE:0\n" +
		"X-KDE-LIBKCAL-DTRECURRENCE;TZID=Europe/Berlin:20261203T090000", "20261203T090000"},
	{"KDE, a second one completed", "X-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z\nDTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261210T080000Z", "20261210T080000Z"},
	{"KDE, the last value invalid", "X-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z\nDTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:soon", "20261203T080000Z"},
	{"KDE, in UTC", "DTSTART;TZID=Europe/Berlin:20261126T090000\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z", "20261203T090000"},
	{"KDE, whole days", "DTSTART;VALUE=DATE:20261126\nDUE;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261203T000000", "20261203"},
	{"KDE, whole days in a time zone", "DTSTART;VALUE=DATE:20261126\nDUE;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\nPERCENT-COMPLETE:0\n" +
		"X-KDE-LIBKCAL-DTRECURRENCE;VALUE=DATE-TIME;TZID=Europe/Berlin:20261203T000000", "20261203"},
	{"KDE, missed again", "DTSTART;VALUE=DATE:20261105\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261119T000000", "20261119"},
	{"KDE, not completed", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261126T080000Z", "20261126T080000Z"},
	{"KDE, another client moved the series", "DTSTART:20261210T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z", "20261210T080000Z"},
	{"KDE, between two occurrences", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261130T080000Z", "20261203T080000Z"},
	{"KDE, after the end", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY;COUNT=2\nX-KDE-LIBKCAL-DTRECURRENCE:20261210T080000Z", ""},
	{"KDE, invalid", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:soon", "20261126T080000Z"},
	{"KDE, last one completed", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY;COUNT=2\nX-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z\n" +
		"COMPLETED:20261203T090000Z\nPERCENT-COMPLETE:100\nSTATUS:COMPLETED", ""},
	{"KDE, an earlier one open again", "DTSTART:20261112T080000Z\nRRULE:FREQ=WEEKLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z\n\n" +
		"RECURRENCE-ID:20261119T080000Z\nDTSTART:20261119T080000Z\nSTATUS:NEEDS-ACTION", "20261119T080000Z"},

	{"Evolution, one completed", "DTSTART;VALUE=DATE:20261203\nDUE;VALUE=DATE:20261204\nRRULE:FREQ=WEEKLY;COUNT=3\nPERCENT-COMPLETE:0\nSTATUS:NEEDS-ACTION", "20261203"},
	{"Evolution, last one completed", "DTSTART;VALUE=DATE:20261126\nDUE;VALUE=DATE:20261127\nRRULE:FREQ=WEEKLY;COUNT=1\nPERCENT-COMPLETE:100\n" +
		"STATUS:COMPLETED\nCOMPLETED:20261126T090000Z", ""},
	{"Tasks.org, one completed", "DUE;VALUE=DATE:20261203\nRRULE:FREQ=WEEKLY;COUNT=3", "20261203"},
	{"Tasks.org, due at a time", "DUE;TZID=Europe/Berlin:20261203T180000\nRRULE:FREQ=WEEKLY", "20261203T180000"},

	{"jtx Board, one completed", "DTSTART;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID;VALUE=DATE:20261126\nDTSTART;VALUE=DATE:20261126\nSTATUS:COMPLETED\nPERCENT-COMPLETE:100\nCOMPLETED:20261126T090000Z", "20261203"},
	{"jtx Board, a later one completed", "DTSTART;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID;VALUE=DATE:20261203\nDTSTART;VALUE=DATE:20261203\nSTATUS:COMPLETED", "20261126"},
	{"jtx Board, one cancelled", "DTSTART;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID;VALUE=DATE:20261126\nDTSTART;VALUE=DATE:20261126\nSTATUS:CANCELLED", "20261203"},
	{"jtx Board, all completed", "DTSTART;VALUE=DATE:20261126\nRRULE:FREQ=WEEKLY;COUNT=2\nSTATUS:NEEDS-ACTION\n\n" +
		"RECURRENCE-ID;VALUE=DATE:20261126\nDTSTART;VALUE=DATE:20261126\nSTATUS:COMPLETED\n\n" +
		"RECURRENCE-ID;VALUE=DATE:20261203\nDTSTART;VALUE=DATE:20261203\nSTATUS:COMPLETED", ""},
	{"Apple, override without STATUS", "DTSTART:20261126T080000Z\nDUE:20261126T080000Z\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID:20261126T080000Z\nDTSTART:20261126T080000Z\nDUE:20261126T080000Z\nPERCENT-COMPLETE:100\nCOMPLETED:20261126T090000Z", "20261203T080000Z"},
	{"Apple, master moved", "DTSTART:20261203T080000Z\nDUE:20261203T080000Z\nRRULE:FREQ=WEEKLY;UNTIL=20261231T080000Z\nSTATUS:NEEDS-ACTION", "20261203T080000Z"},
	{"Nextcloud, completed before the start", "DTSTART:20261203T080000Z\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID:20261126T080000Z\nDTSTART:20261126T080000Z\nSTATUS:COMPLETED", "20261203T080000Z"},
	{"Thunderbird, one moved past the next", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID:20261126T080000Z\nDTSTART:20261204T080000Z", "20261203T080000Z"},
	{"Thunderbird, one moved earlier", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID:20261203T080000Z\nDTSTART:20261120T080000Z", "20261120T080000Z"},
	{"Thunderbird, all completed but one", "DTSTART:20261126T080000Z\nRRULE:FREQ=WEEKLY\nSTATUS:COMPLETED\n\n" +
		"RECURRENCE-ID:20261203T080000Z\nDTSTART:20261203T080000Z\nSTATUS:NEEDS-ACTION", "20261203T080000Z"},
	{"only an invited occurrence", "RECURRENCE-ID:20261126T080000Z\nDTSTART:20261126T080000Z", "20261126T080000Z"},
	{"completed up to a date", "DTSTART;VALUE=DATE:20261105\nRRULE:FREQ=WEEKLY\nSTATUS:COMPLETED\n\n" +
		"RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261119\nDTSTART;VALUE=DATE:20261119", "20261119"},
	{"completed from a date on", "DTSTART;VALUE=DATE:20261105\nRRULE:FREQ=WEEKLY\n\n" +
		"RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261112\nDTSTART;VALUE=DATE:20261112\nSTATUS:COMPLETED", "20261105"},
}

// shapeText returns the object with the components of a shape.
func shapeText(components string) string {
	var parts []string
	for part := range strings.SplitSeq(components, "\n\n") {
		parts = append(parts, "BEGIN:VTODO\r\nUID:a\r\n"+strings.ReplaceAll(part, "\n", "\r\n")+"\r\nEND:VTODO\r\n")
	}
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n" + strings.Join(parts, "") + "END:VCALENDAR\r\n"
}

// whenOf returns the start of an instance, or its due time if it has none.
func whenOf(i ics.Instance) string {
	if i.Start.IsZero() {
		return i.End.String()
	}
	return i.Start.String()
}

// A recurring task shows its first open instance, whatever a client wrote when an
// instance was completed. Covers B-113.
func TestFirstOpenInstance(t *testing.T) {
	for _, c := range taskShapes {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, shapeText(c.text))
			i, found := o.FirstOpen(taskNow, time.UTC)
			if found != (c.want != "") || found && whenOf(i) != c.want {
				t.Errorf("got %q, want %q", whenOf(i), c.want)
			}
			if found && i.Progress().IsDone() {
				t.Errorf("got the progress %s of the first open instance", i.Progress())
			}
		})
	}
}

// Instances before the first one that KDE names as open are completed.
func TestInstancesBeforeTheFirstOpenOneOfKDEAreCompleted(t *testing.T) {
	o := icstest.Parse(t, shapeText("DTSTART:20261112T080000Z\nRRULE:FREQ=WEEKLY;COUNT=5\nX-KDE-LIBKCAL-DTRECURRENCE:20261203T080000Z\n\n"+
		"RECURRENCE-ID:20261119T080000Z\nDTSTART:20261119T080000Z\nSTATUS:NEEDS-ACTION\n\n"+
		"RECURRENCE-ID:20261210T080000Z\nDTSTART:20261210T080000Z\nSTATUS:CANCELLED"))
	var got []string
	list, _ := o.Instances(time.Time{}, time.Time{}, time.UTC, 10)
	for _, i := range list {
		got = append(got, fmt.Sprint(i.StartsAt.Day(), " ", i.Progress()))
	}
	if got, want := strings.Join(got, ", "), "12 COMPLETED, 19 NEEDS-ACTION, 26 COMPLETED, 3 NEEDS-ACTION, 10 CANCELLED"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// After 1,000 instances, the search ends at the newest past one.
func TestSearchForAnOpenInstanceIsBounded(t *testing.T) {
	start := taskNow.AddDate(0, 0, -1100)
	const layout = "20060102T150405Z"
	text := []string{"DTSTART:" + start.Format(layout) + "\nRRULE:FREQ=DAILY"}
	for n := range 1050 {
		at := start.AddDate(0, 0, n).Format(layout)
		text = append(text, "RECURRENCE-ID:"+at+"\nDTSTART:"+at+"\nSTATUS:COMPLETED")
	}
	for done, want := range map[int]time.Time{
		999:  start.AddDate(0, 0, 999),
		1050: taskNow,
	} {
		o := icstest.Parse(t, shapeText(strings.Join(text[:done+1], "\n\n")))
		if i, found := o.FirstOpen(taskNow, time.UTC); !found || !i.StartsAt.Equal(want) {
			t.Errorf("after %d completed instances: got %v, found %t; want %v", done, i.StartsAt, found, want)
		}
	}
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"each second, completed":     {"DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY\nSTATUS:COMPLETED", false},
		"each second, open in a day": {"DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY\nX-KDE-LIBKCAL-DTRECURRENCE:20261130T000000Z", true},
		"each second, completed by KDE": {"DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY;UNTIL=20201231T000000Z\n" +
			"X-KDE-LIBKCAL-DTRECURRENCE:20261130T000000Z", false},
		"each second, completed up to a year": {"DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY\nSTATUS:COMPLETED\n\n" +
			"RECURRENCE-ID;RANGE=THISANDFUTURE:20250101T000000Z\nDTSTART:20250101T000000Z", true},
	} {
		o, steps := icstest.Parse(t, shapeText(c.text)).Counted()
		if _, found := o.FirstOpen(taskNow, time.UTC); found != c.want || steps() > 5_000_000 {
			t.Errorf("%s: found %t with %d steps, want %t with at most 5,000,000", name, found, steps(), c.want)
		}
	}
}
