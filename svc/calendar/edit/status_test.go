package edit

import (
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
)

// linesOf returns those lines of a task that concern its status, except COMPLETED
// lines of the present time.
func linesOf(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, name := range []string{"STATUS:", "COMPLETED:", "PERCENT-COMPLETE:"} {
			if strings.HasPrefix(line, name) {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, " ")
}

// Completing and reopening a task leave no line that contradicts the status,
// whatever another client wrote. Covers B-58 and B-113.
func TestStatusOfATaskIsConsistent(t *testing.T) {
	const done = "STATUS:COMPLETED COMPLETED:20261121T090000Z PERCENT-COMPLETE:100"
	for _, c := range []struct{ name, lines, change, want, status string }{
		{"reopened", "STATUS:COMPLETED\r\nCOMPLETED:20261120T080000Z\r\nPERCENT-COMPLETE:100", `"status": "needs_action"`, "STATUS:NEEDS-ACTION", "needs_action"},
		{"reopened without a status", "COMPLETED:20261120T080000Z", `"status": "needs_action"`, "STATUS:NEEDS-ACTION", "needs_action"},
		{"reopened with a progress of 100", "PERCENT-COMPLETE:100", `"status": "needs_action"`, "STATUS:NEEDS-ACTION", "needs_action"},
		{"open, completed by another client", "STATUS:NEEDS-ACTION\r\nCOMPLETED:20261120T080000Z\r\nPERCENT-COMPLETE:100", `"status": "needs_action"`, "STATUS:NEEDS-ACTION", "needs_action"},
		{"in process, completed by another client", "STATUS:IN-PROCESS\r\nCOMPLETED:20261120T080000Z", `"status": "in_process", "percent_complete": 20`, "STATUS:IN-PROCESS PERCENT-COMPLETE:20", "in_process"},
		{"other fields", "STATUS:NEEDS-ACTION\r\nCOMPLETED:20261120T080000Z", `"title": "x"`, "STATUS:NEEDS-ACTION COMPLETED:20261120T080000Z", "needs_action"},
		{"a progress of its own", "STATUS:NEEDS-ACTION\r\nPERCENT-COMPLETE:100", `"status": "needs_action", "percent_complete": 100`, "STATUS:NEEDS-ACTION PERCENT-COMPLETE:100", "needs_action"},
		{"completed", "STATUS:NEEDS-ACTION", `"status": "completed"`, done, "completed"},
		{"completed, open again before", "STATUS:NEEDS-ACTION\r\nCOMPLETED:20261101T080000Z", `"status": "completed"`, done, "completed"},
		{"progress of 100", "SUMMARY:x", `"percent_complete": 100`, "PERCENT-COMPLETE:100 STATUS:COMPLETED COMPLETED:20261121T090000Z", "completed"},
		{"progress of 100, in process", "STATUS:IN-PROCESS", `"percent_complete": 100`, "STATUS:IN-PROCESS PERCENT-COMPLETE:100", "in_process"},
		{"no longer completed", "COMPLETED:20261120T080000Z", `"completed_at": null`, "", "needs_action"},
	} {
		after := mustApply(t, icstest.Parse(t, icstest.Object("VTODO", "a", c.lines)), "{"+c.change+"}").Object
		if got := linesOf(string(after.Raw)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := view.Status(after.Master); got != c.status {
			t.Errorf("%s: got the status %s, want %s", c.name, got, c.status)
		}
	}
}

// The status of a series applies to the overrides that are as far as the series, also
// if one of them expresses it in another way.
func TestStatusOfASeriesKeepsCompletedOccurrences(t *testing.T) {
	o := icstest.Parse(t, icstest.Object("VTODO", "a", "DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=WEEKLY;COUNT=4", "END:VTODO",
		"BEGIN:VTODO", "UID:a", "RECURRENCE-ID;VALUE=DATE:20261201", "DTSTART;VALUE=DATE:20261201", "COMPLETED:20261120T080000Z", "END:VTODO",
		"BEGIN:VTODO", "UID:a", "RECURRENCE-ID;VALUE=DATE:20261208", "DTSTART;VALUE=DATE:20261209", "STATUS:NEEDS-ACTION"))
	var got []string
	list, _ := mustApply(t, o, `{"status": "in_process"}`).Object.Instances(time.Time{}, time.Time{}, time.UTC, 10)
	for _, i := range list {
		got = append(got, string(i.Progress()))
	}
	if got, want := strings.Join(got, " "), "COMPLETED IN-PROCESS IN-PROCESS IN-PROCESS"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
