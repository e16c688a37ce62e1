package edit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// taskLines returns the lines of the VTODOs of an object that concern time and status,
// separated by "/" for each component.
func taskLines(o *ics.Object) string {
	if o == nil {
		return "none"
	}
	_, text, _ := strings.Cut(strings.ReplaceAll(string(o.Raw), "\r\n", " "), "BEGIN:VTODO ")
	text = regexp.MustCompile(` ?(UID|DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE|SUMMARY|COMPLETED)[:;][^ ]*`).ReplaceAllString(" "+text, "")
	text = strings.NewReplacer(" END:VTODO", "", " END:VCALENDAR", "", "BEGIN:VTODO", "/", "PERCENT-COMPLETE", "PERCENT", "VALUE=DATE:", "").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// An occurrence that is completed leaves its series, which begins at the next open one:
// all clients read this. The clock is at Saturday, 21 November 2026, 09:00 UTC. Covers
// B-113.
func TestCompletedOccurrenceLeavesTheSeries(t *testing.T) {
	weekly := func(lines ...string) string {
		return icstest.Object("VTODO", "a", append([]string{"SUMMARY:Bins", "DTSTART;VALUE=DATE:20261105", "DUE;VALUE=DATE:20261106"}, lines...)...)
	}
	override := func(day, status string) string {
		return "END:VTODO\r\nBEGIN:VTODO\r\nUID:a\r\nRECURRENCE-ID;VALUE=DATE:202611" + day + "\r\nDTSTART;VALUE=DATE:202611" + day + "\r\n" + status
	}
	const done = `"status": "completed"`
	for _, c := range []struct{ name, text, scope, id, change, series, detached string }{
		{"the first one", weekly("RRULE:FREQ=WEEKLY"), "this", "2026-11-05", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"with a number of occurrences", weekly("RRULE:FREQ=WEEKLY;COUNT=3"), "this", "2026-11-05", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY;COUNT=2", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"cancelled", weekly("RRULE:FREQ=WEEKLY"), "this", "2026-11-05", `"status": "cancelled"`,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY", "DTSTART;20261105 DUE;20261106 STATUS:CANCELLED"},
		{"in process", weekly("RRULE:FREQ=WEEKLY", "STATUS:IN-PROCESS", "PERCENT-COMPLETE:50"), "this", "2026-11-05", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY STATUS:NEEDS-ACTION", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"with other fields", weekly("RRULE:FREQ=WEEKLY"), "this", "2026-11-05", done + `, "location": "Yard"`,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY", "DTSTART;20261105 DUE;20261106 LOCATION:Yard STATUS:COMPLETED PERCENT:100"},
		{"with DUE only", icstest.Object("VTODO", "a", "DUE;TZID=Europe/Berlin:20261105T180000", "RRULE:FREQ=WEEKLY"), "this", "2026-11-05T18:00:00", done,
			"DUE;TZID=Europe/Berlin:20261112T180000 RRULE:FREQ=WEEKLY", "DUE;TZID=Europe/Berlin:20261105T180000 STATUS:COMPLETED PERCENT:100"},
		{"with DURATION", icstest.Object("VTODO", "a", "DTSTART:20261105T180000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"), "this", "2026-11-05T18:00:00", done,
			"DTSTART:20261112T180000Z DURATION:PT1H RRULE:FREQ=WEEKLY", "DTSTART:20261105T180000Z DURATION:PT1H STATUS:COMPLETED PERCENT:100"},
		{"with an alarm", weekly("RRULE:FREQ=WEEKLY", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM"), "this", "2026-11-05", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY BEGIN:VALARM ACTION:DISPLAY TRIGGER:-PT5M END:VALARM", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"KDE completed one before", weekly("RRULE:FREQ=WEEKLY;COUNT=4", "X-KDE-LIBKCAL-DTRECURRENCE:20261112T000000"), "this", "2026-11-12", done,
			"DTSTART;20261119 DUE;20261120 RRULE:FREQ=WEEKLY;COUNT=2", "DTSTART;20261112 DUE;20261113 STATUS:COMPLETED PERCENT:100"},
		{"the next one is excluded", weekly("RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;VALUE=DATE:20261112"), "this", "2026-11-05", done,
			"DTSTART;20261119 DUE;20261120 RRULE:FREQ=WEEKLY;COUNT=2 EXDATE;20261112", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"the next one was completed by jtx Board", weekly("RRULE:FREQ=WEEKLY", override("12", "STATUS:COMPLETED")), "this", "2026-11-05", done,
			"DTSTART;20261119 DUE;20261120 RRULE:FREQ=WEEKLY / RECURRENCE-ID;20261112 DTSTART;20261112 STATUS:COMPLETED", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"the next one was moved", weekly("RRULE:FREQ=WEEKLY", strings.Replace(override("12", "STATUS:NEEDS-ACTION"), "DATE:20261112\r\nS", "DATE:20261130\r\nS", 1)), "this", "2026-11-05", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY / RECURRENCE-ID;20261112 DTSTART;20261130 STATUS:NEEDS-ACTION", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"it has an override", weekly("RRULE:FREQ=WEEKLY", override("05", "LOCATION:Yard")), "this", "2026-11-05", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY", "DTSTART;20261105 LOCATION:Yard STATUS:COMPLETED PERCENT:100"},
		{"a later one", weekly("RRULE:FREQ=WEEKLY"), "this", "2026-11-12", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY / DTSTART;20261112 DUE;20261113 RECURRENCE-ID;20261112 STATUS:COMPLETED PERCENT:100", "none"},
		{"the last one", weekly("RRULE:FREQ=WEEKLY;COUNT=1"), "this", "2026-11-05", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY;COUNT=1 STATUS:COMPLETED PERCENT:100", "none"},
		{"the last one, in a time zone", icstest.Object("VTODO", "a", "DUE;TZID=Europe/Berlin:20261105T180000", "RRULE:FREQ=WEEKLY;COUNT=1"), "this", "2026-11-05T18:00:00", done,
			"DUE;TZID=Europe/Berlin:20261105T180000 RRULE:FREQ=WEEKLY;COUNT=1 STATUS:COMPLETED PERCENT:100", "none"},
		{"the last one after KDE", weekly("RRULE:FREQ=WEEKLY;COUNT=2", "X-KDE-LIBKCAL-DTRECURRENCE:20261112T000000"), "this", "2026-11-12", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY;COUNT=1 STATUS:COMPLETED PERCENT:100", "none"},
		{"the last one after jtx Board", weekly("RRULE:FREQ=WEEKLY;UNTIL=20261112", override("05", "STATUS:COMPLETED")), "this", "2026-11-12", done,
			"DTSTART;20261112 DUE;20261113 RRULE:FREQ=WEEKLY;UNTIL=20261112 STATUS:COMPLETED PERCENT:100 / RECURRENCE-ID;20261105 DTSTART;20261105 STATUS:COMPLETED", "none"},
		{"additional dates", weekly("RRULE:FREQ=WEEKLY", "RDATE;VALUE=DATE:20261107"), "this", "2026-11-05", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY RDATE;20261107 / DTSTART;20261105 DUE;20261106 RECURRENCE-ID;20261105 STATUS:COMPLETED PERCENT:100", "none"},
		{"the day is that of the start", icstest.Object("VTODO", "a", "DTSTART;VALUE=DATE:20261031", "RRULE:FREQ=MONTHLY;COUNT=3"), "this", "2026-10-31", done,
			"DTSTART;20261231 RRULE:FREQ=MONTHLY;COUNT=2", "DTSTART;20261031 STATUS:COMPLETED PERCENT:100"},

		{"all up to today", weekly("RRULE:FREQ=WEEKLY;COUNT=5"), "up_to_today", "2026-11-05", done,
			"DTSTART;20261126 DUE;20261127 RRULE:FREQ=WEEKLY;COUNT=2", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"up to today, due today", icstest.Object("VTODO", "a", "DUE;VALUE=DATE:20261114", "RRULE:FREQ=WEEKLY"), "up_to_today", "2026-11-14", done,
			"DUE;20261128 RRULE:FREQ=WEEKLY", "DUE;20261114 STATUS:COMPLETED PERCENT:100"},
		{"up to today, one was moved", weekly("RRULE:FREQ=WEEKLY", override("12", "STATUS:IN-PROCESS")), "up_to_today", "2026-11-05", done,
			"DTSTART;20261126 DUE;20261127 RRULE:FREQ=WEEKLY / RECURRENCE-ID;20261112 DTSTART;20261112 STATUS:COMPLETED PERCENT:100", "DTSTART;20261105 DUE;20261106 STATUS:COMPLETED PERCENT:100"},
		{"up to today, ended", weekly("RRULE:FREQ=WEEKLY;COUNT=2"), "up_to_today", "2026-11-05", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY;COUNT=2 STATUS:COMPLETED PERCENT:100", "none"},
		{"up to today, ended, with additional dates", weekly("RRULE:FREQ=WEEKLY;COUNT=2", "RDATE;VALUE=DATE:20261107"), "up_to_today", "2026-11-05", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY;COUNT=2 RDATE;20261107 STATUS:COMPLETED PERCENT:100", "none"},
		{"the last one, with additional dates", weekly("RRULE:FREQ=WEEKLY;COUNT=1", "RDATE;VALUE=DATE:20261107", override("05", "STATUS:COMPLETED")), "this", "2026-11-07", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY;COUNT=1 RDATE;20261107 STATUS:COMPLETED PERCENT:100 / RECURRENCE-ID;20261105 DTSTART;20261105 STATUS:COMPLETED", "none"},
		{"up to today, additional dates", weekly("RRULE:FREQ=WEEKLY", "RDATE;VALUE=DATE:20261107"), "up_to_today", "2026-11-05", done,
			"DTSTART;20261105 DUE;20261106 RRULE:FREQ=WEEKLY RDATE;20261107 X-KDE-LIBKCAL-DTRECURRENCE:20261126T000000 / DTSTART;20261105 DUE;20261106 RECURRENCE-ID;20261105 STATUS:COMPLETED PERCENT:100", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, c.text)
			r := mustApply(t, o, fmt.Sprintf(`{"scope": %q, "recurrence_id": %q, %s}`, c.scope, c.id, c.change))
			if got := taskLines(r.Object); got != c.series {
				t.Errorf("got the series\n%s, want\n%s", got, c.series)
			}
			if got := taskLines(r.Detached); got != c.detached {
				t.Errorf("got the occurrence\n%s, want\n%s", got, c.detached)
			}
			if r.Detached != nil && (r.Detached.UID == o.UID || r.Detached.Recurs()) {
				t.Errorf("got the occurrence\n%s, want one that does not recur, with another UID", r.Detached.Raw)
			}
		})
	}
}

// completedRules are rules of tasks with their DTSTART.
var completedRules = []struct {
	start, rule string
	isExtra     bool // the rule does not have DTSTART, so that the series cannot return to it
}{
	{"DTSTART;VALUE=DATE:20260831", "FREQ=DAILY", false},
	{"DTSTART;VALUE=DATE:20260831", "FREQ=DAILY;INTERVAL=3;COUNT=9", false},
	{"DTSTART;TZID=Europe/Berlin:20261022T023000", "FREQ=DAILY;COUNT=8", false},
	{"DTSTART;TZID=Europe/Berlin:20260324T023000", "FREQ=DAILY;UNTIL=20261201T000000Z", false},
	{"DTSTART:20260831T080000Z", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU;WKST=SU", false},
	{"DTSTART:20260902T080000Z", "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=6", true},
	{"DTSTART;VALUE=DATE:20260131", "FREQ=MONTHLY", false},
	{"DTSTART;VALUE=DATE:20260131", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1,15", false},
	{"DTSTART;VALUE=DATE:20260130", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", false},
	{"DTSTART;VALUE=DATE:20240229", "FREQ=YEARLY", false},
	{"DTSTART;VALUE=DATE:20240229", "FREQ=YEARLY;BYMONTH=2,3", false},
	{"DTSTART:20260831T080000", "FREQ=HOURLY;INTERVAL=7;COUNT=20", false},
	{"DTSTART:20260831T080000Z", "FREQ=DAILY;BYHOUR=8,20", false},
}

// Completing one occurrence after the other yields each occurrence once, and the series
// keeps the others. Each step can be reverted. Covers B-113.
func TestOccurrencesAreCompletedOneAfterTheOther(t *testing.T) {
	for _, c := range completedRules {
		t.Run(c.rule, func(t *testing.T) {
			o := icstest.Parse(t, icstest.Object("VTODO", "a", c.start, "DURATION:P1D", "RRULE:"+c.rule))
			all, _ := o.Instances(time.Time{}, time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC), berlin.Location(), 60)
			for n := range 5 {
				id := formatID(all[n])
				r := mustApply(t, o, fmt.Sprintf(`{"scope": "this", "recurrence_id": %q, "status": "completed"}`, id))
				if r.Detached == nil {
					t.Fatalf("%s: the occurrence has not left the series\n%s", id, r.Object.Raw)
				}
				single, _ := r.Detached.Instances(time.Time{}, time.Time{}, berlin.Location(), 2)
				if len(single) != 1 || !single[0].StartsAt.Equal(all[n].StartsAt) || !single[0].EndsAt.Equal(all[n].EndsAt) || !single[0].Progress().IsDone() {
					t.Errorf("%s: got the occurrence\n%s, want the same times, completed", id, r.Detached.Raw)
				}
				rest, _ := r.Object.Instances(time.Time{}, time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC), berlin.Location(), 60-n-1)
				same := func(a, b ics.Instance) bool { return a.StartsAt.Equal(b.StartsAt) && a.EndsAt.Equal(b.EndsAt) }
				if !slices.EqualFunc(rest[:min(len(rest), len(all)-n-1)], all[n+1:], same) || len(rest) < len(all)-n-1 {
					t.Fatalf("%s: got %d other occurrences, want %d\n%s", id, len(rest), len(all)-n-1, r.Object.Raw)
				}
				wantRewound(t, r.Object, o, id, n > 0 || !c.isExtra)
				o = r.Object
			}
		})
	}
}

func formatID(i ics.Instance) string {
	if i.RecurrenceID.IsDate() {
		return i.RecurrenceID.Clock().Format(time.DateOnly)
	}
	return i.RecurrenceID.Clock().Format("2006-01-02T15:04:05")
}

// wantRewound checks that reopening the occurrence id of the series after returns it to the
// series before, if want is true.
func wantRewound(t *testing.T, after, before *ics.Object, id string, want bool) {
	t.Helper()
	in := decode(t, fmt.Sprintf(`{"scope": "this", "recurrence_id": %q, "status": "needs_action"}`, id))
	if uid := DetachedUID(after, id); uid == "" {
		t.Errorf("%s: got no UID, want that of the object of the occurrence", id)
	}
	r, ok, err := in.Rewind(after, storetest.Start)
	if err != nil || ok != want {
		t.Fatalf("%s: got %t, %v, want %t\n%s", id, ok, err, want, after.Raw)
	}
	if got, want := taskLines(r.Object), taskLines(before); ok && got != want {
		t.Errorf("%s: got the series\n%s, want\n%s", id, got, want)
	}
}

// An occurrence that has left the series can be reopened after later ones were completed:
// these stay completed with the scope this, and return with the scope up_to_today.
func TestReopenedOccurrenceReturnsToTheSeries(t *testing.T) {
	text := icstest.Object("VTODO", "a", "DTSTART;VALUE=DATE:20261203", "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20261112", "STATUS:NEEDS-ACTION")
	for _, c := range []struct{ name, change, want string }{
		{"one", `"scope": "this", "recurrence_id": "2026-11-05", "status": "needs_action"`,
			"DTSTART;20261105 RRULE:FREQ=WEEKLY;COUNT=7 EXDATE;20261112 STATUS:NEEDS-ACTION EXDATE;20261119,20261126"},
		{"all", `"scope": "up_to_today", "recurrence_id": "2026-11-05", "status": "needs_action"`,
			"DTSTART;20261105 RRULE:FREQ=WEEKLY;COUNT=7 EXDATE;20261112 STATUS:NEEDS-ACTION"},
		{"in process", `"scope": "this", "recurrence_id": "2026-11-26", "status": "in_process", "percent_complete": 40`,
			"DTSTART;20261126 RRULE:FREQ=WEEKLY;COUNT=4 EXDATE;20261112 STATUS:IN-PROCESS PERCENT:40"},
		{"not an occurrence", `"scope": "this", "recurrence_id": "2026-11-06", "status": "needs_action"`, "none"},
		{"long ago", `"scope": "this", "recurrence_id": "1990-11-01", "status": "needs_action"`, "none"},
	} {
		r, ok, err := decode(t, "{"+c.change+"}").Rewind(icstest.Parse(t, text), storetest.Start)
		if err != nil || ok != (c.want != "none") || taskLines(r.Object) != c.want {
			t.Errorf("%s: got %s, %t, %v; want %s", c.name, taskLines(r.Object), ok, err, c.want)
		}
	}
}

// The last occurrence is reopened with its series.
func TestReopenedLastOccurrenceReopensTheSeries(t *testing.T) {
	for _, c := range []struct{ name, text, scope, id, want string }{
		{"the only one", icstest.Object("VTODO", "a", "DTSTART;VALUE=DATE:20261105", "RRULE:FREQ=WEEKLY;COUNT=1"), "this", "2026-11-05",
			"DTSTART;20261105 RRULE:FREQ=WEEKLY;COUNT=1 STATUS:NEEDS-ACTION"},
		{"all up to today", icstest.Object("VTODO", "a", "DTSTART;VALUE=DATE:20261105", "RRULE:FREQ=WEEKLY;COUNT=2"), "up_to_today", "2026-11-05",
			"DTSTART;20261105 RRULE:FREQ=WEEKLY;COUNT=2 STATUS:NEEDS-ACTION"},
		{"not the first one", icstest.Object("VTODO", "a", "DTSTART;VALUE=DATE:20261105", "RDATE;VALUE=DATE:20261107",
			"END:VTODO", "BEGIN:VTODO", "UID:a", "RECURRENCE-ID;VALUE=DATE:20261105", "DTSTART;VALUE=DATE:20261105", "STATUS:COMPLETED"), "this", "2026-11-07",
			"DTSTART;20261105 RDATE;20261107 STATUS:NEEDS-ACTION / RECURRENCE-ID;20261105 DTSTART;20261105 STATUS:COMPLETED"},
	} {
		change := fmt.Sprintf(`{"scope": %q, "recurrence_id": %q, "status": `, c.scope, c.id)
		done := mustApply(t, icstest.Parse(t, c.text), change+`"completed"}`).Object
		if _, open := done.FirstOpen(storetest.Start, time.UTC); open {
			t.Errorf("%s: the series is open after its last occurrence was completed\n%s", c.name, done.Raw)
		}
		if got := taskLines(mustApply(t, done, change+`"needs_action"}`).Object); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// The scope up_to_today applies to the status of tasks only.
func TestScopeUpToTodayCompletesTasksOnly(t *testing.T) {
	task := icstest.Object("VTODO", "a", "DTSTART:20261105T080000Z", "RRULE:FREQ=WEEKLY")
	for name, c := range map[string]struct{ text, change string }{
		"an event":  {icstest.Event("a", "DTSTART:20261105T080000Z", "RRULE:FREQ=WEEKLY"), `"status": "cancelled"`},
		"a title":   {task, `"status": "completed", "title": "x"`},
		"nothing":   {task, `"etag": ""`},
		"no series": {icstest.Object("VTODO", "a"), `"status": "completed"`},
	} {
		_, err := apply(t, icstest.Parse(t, c.text), `{"scope": "up_to_today", "recurrence_id": "2026-11-05T08:00:00", `+c.change+`}`)
		if svc.KindOf(err) == svc.Internal || err == nil {
			t.Errorf("%s: got %v, want a field error", name, err)
		}
	}
	if _, err := (Deletion{Scope: UpToToday, RecurrenceID: "2026-11-05T08:00:00"}).Apply(icstest.Parse(t, task), time.UTC, storetest.Start); err == nil {
		t.Error("got no error for a deletion up to today")
	}
}

// Whatever a task contains, completing its first open occurrence makes this one done, and
// reopening it in the series makes it open again.
func FuzzCompletionOfTheFirstOpenOccurrence(f *testing.F) {
	for _, lines := range []string{
		"DUE;VALUE=DATE:20261112\r\nRRULE:FREQ=WEEKLY\r\nX-KDE-LIBKCAL-DTRECURRENCE:20261119T000000",
		"DTSTART;TZID=Europe/Berlin:20261112T090000\r\nRRULE:FREQ=MONTHLY;COUNT=3\r\nSTATUS:IN-PROCESS\r\nPERCENT-COMPLETE:50\r\nEXDATE;TZID=Europe/Berlin:20261212T090000",
		"DTSTART:20261112T080000Z\r\nRRULE:FREQ=DAILY\r\nRDATE:20261101T080000Z\r\nEND:VTODO\r\nBEGIN:VTODO\r\nUID:a\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261114T080000Z\r\nDTSTART:20261114T090000Z\r\nSTATUS:COMPLETED",
		"RECURRENCE-ID:20261112T080000Z\r\nSTATUS:NEEDS-ACTION\r\nCOMPLETED:20261112T100000Z",
	} {
		f.Add(lines, false)
		f.Add(lines, true)
	}
	f.Fuzz(func(t *testing.T, lines string, upToToday bool) {
		o, err := ics.Parse([]byte(icstest.Object("VTODO", "a", lines)))
		if err != nil || o.Component != "VTODO" {
			return
		}
		i, found := o.FirstOpen(storetest.Start, berlin.Location())
		if !found || i.RecurrenceID.IsZero() {
			return
		}
		scope := map[bool]Scope{false: This, true: UpToToday}[upToToday]
		change := func(status string) ObjectChange {
			return decode(t, fmt.Sprintf(`{"scope": %q, "recurrence_id": %q, "status": %q}`, scope, formatID(i), status))
		}
		if same, err := FindOccurrence(o, formatID(i), berlin.Location()); err != nil || same.RecurrenceID != i.RecurrenceID {
			return // such as the second of two instances at a local time that occurs twice
		}
		r, err := change("completed").Apply(o, berlin.Location(), storetest.Start)
		if err != nil {
			return // such as a change of an override with RANGE=THISANDFUTURE
		}
		after, _ := FindOccurrence(r.Object, formatID(i), berlin.Location())
		if r.Detached == nil && !after.Progress().IsDone() || r.Detached != nil && !r.Detached.Master.Progress().IsDone() {
			t.Fatalf("got the progress %s of the completed occurrence\n%s", after.Progress(), r.Object.Raw)
		}
		if r.Detached == nil {
			return
		}
		back, ok, err := change("needs_action").Rewind(r.Object, storetest.Start)
		if err != nil || !ok {
			return // the rule does not have the start
		}
		if again, err := FindOccurrence(back.Object, formatID(i), berlin.Location()); err != nil || again.Progress().IsDone() {
			t.Errorf("got the progress %s, %v after reopening\n%s", again.Progress(), err, back.Object.Raw)
		}
	})
}

// A series that KDE has completed in part keeps its first open occurrence when it is moved.
func TestMovedSeriesKeepsItsFirstOpenOccurrence(t *testing.T) {
	for _, c := range []struct{ start, kde, change, want string }{
		{"DTSTART;VALUE=DATE:20261105", "20261119T000000", `"start": "2026-11-04"`, "20261118"},
		{"DTSTART;VALUE=DATE:20261105", "20261119T000000", `"start": "2026-11-06"`, "20261120"},
		{"DTSTART;TZID=Europe/Berlin:20261105T090000", "20261119T080000Z", `"start": "2026-11-05T10:00:00"`, "20261119T100000"},
	} {
		o := icstest.Parse(t, icstest.Object("VTODO", "a", c.start, "RRULE:FREQ=WEEKLY", "X-KDE-LIBKCAL-DTRECURRENCE:"+c.kde))
		after := mustApply(t, o, "{"+c.change+"}").Object
		if i, found := after.FirstOpen(storetest.Start, time.UTC); !found || i.Start.String() != c.want {
			t.Errorf("%s: got %s, want %s\n%s", c.change, i.Start, c.want, after.Raw)
		}
	}
}
