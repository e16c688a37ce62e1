package calendar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics/icstest"
)

// task returns a task with a title and further lines.
func task(title string, lines ...string) string {
	return icstest.Object("VTODO", title, append([]string{"SUMMARY:" + title}, lines...)...)
}

// override ends a component and begins an override of the same task.
func override(title, recurrenceID string, lines ...string) string {
	return strings.Join(append([]string{"END:VTODO", "BEGIN:VTODO", "UID:" + title, "SUMMARY:" + title, "DTSTAMP:20261101T120000Z",
		"RECURRENCE-ID;VALUE=DATE:" + recurrenceID, "DTSTART;VALUE=DATE:" + recurrenceID}, lines...), "\r\n")
}

// clientTasks are tasks as CalDAV clients store them, with the status that the member sees,
// and the day on which a task without it is due. Today is Saturday, 21 November 2026.
var clientTasks = []struct {
	title, lines string
	want         string // status, day of the occurrence, "overdue"
}{
	{"open", "DUE;VALUE=DATE:20261130", "needs_action 2026-11-30"},
	{"late", "DUE;VALUE=DATE:20261112", "needs_action 2026-11-12 overdue"},
	{"open, with COMPLETED", "DUE;VALUE=DATE:20261112\r\nSTATUS:NEEDS-ACTION\r\nCOMPLETED:20261112T100000Z", "needs_action 2026-11-12 overdue"},
	{"begun, with COMPLETED", "DUE;VALUE=DATE:20261112\r\nSTATUS:IN-PROCESS\r\nCOMPLETED:20261112T100000Z\r\nPERCENT-COMPLETE:100", "in_process 2026-11-12 overdue"},
	{"completed", "DUE;VALUE=DATE:20261119\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261119T100000Z", "completed 2026-11-19"},
	{"only COMPLETED", "DUE;VALUE=DATE:20261119\r\nCOMPLETED:20261119T100000Z", "completed 2026-11-19"},
	{"only a progress", "DUE;VALUE=DATE:20261119\r\nPERCENT-COMPLETE:100\r\nLAST-MODIFIED:20261119T100000Z", "completed 2026-11-19"},
	{"weekly", "DTSTART;VALUE=DATE:20261112\r\nDUE;VALUE=DATE:20261112\r\nRRULE:FREQ=WEEKLY", "needs_action 2026-11-12 overdue"},
	{"weekly, DUE only", "DUE;VALUE=DATE:20261112\r\nRRULE:FREQ=WEEKLY", "needs_action 2026-11-12 overdue"},
	{"weekly, KDE", "DTSTART;VALUE=DATE:20261112\r\nDUE;VALUE=DATE:20261112\r\nRRULE:FREQ=WEEKLY\r\nPERCENT-COMPLETE:0\r\nX-KDE-LIBKCAL-DTRECURRENCE:20261126T000000", "needs_action 2026-11-26"},
	{"weekly, KDE and late again", "DTSTART;VALUE=DATE:20261105\r\nDUE;VALUE=DATE:20261105\r\nRRULE:FREQ=WEEKLY\r\nX-KDE-LIBKCAL-DTRECURRENCE:20261119T000000", "needs_action 2026-11-19 overdue"},
	{"weekly, Evolution", "DTSTART;VALUE=DATE:20261126\r\nDUE;VALUE=DATE:20261126\r\nRRULE:FREQ=WEEKLY;COUNT=4\r\nSTATUS:NEEDS-ACTION\r\nPERCENT-COMPLETE:0", "needs_action 2026-11-26"},
	{"weekly, Evolution at the end", "DTSTART;VALUE=DATE:20261119\r\nDUE;VALUE=DATE:20261119\r\nRRULE:FREQ=WEEKLY;COUNT=1\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261119T100000Z", "completed 2026-11-19"},
	{"weekly, jtx Board", "DTSTART;VALUE=DATE:20261112\r\nDUE;VALUE=DATE:20261112\r\nRRULE:FREQ=WEEKLY\r\n" +
		override("weekly, jtx Board", "20261112", "DUE;VALUE=DATE:20261112", "STATUS:COMPLETED", "PERCENT-COMPLETE:100"), "needs_action 2026-11-19 overdue"},
	{"weekly, jtx Board at the end", "DTSTART;VALUE=DATE:20261119\r\nDUE;VALUE=DATE:20261119\r\nRRULE:FREQ=WEEKLY;COUNT=1\r\nSTATUS:NEEDS-ACTION\r\n" +
		override("weekly, jtx Board at the end", "20261119", "DUE;VALUE=DATE:20261119", "STATUS:COMPLETED", "COMPLETED:20261119T100000Z"), "completed 2026-11-19"},
}

// seen returns the status of a task, the day of its occurrence, and whether it is overdue.
func seen(state any) string {
	day := apptest.At(state, "occurrence.end.date")
	text := fmt.Sprint(apptest.At(state, "status"), " ", day)
	if apptest.At(state, "is_overdue") == true {
		text += " overdue"
	}
	return text
}

// Whether a task is open, done or overdue is the same in the dataset, in the panels, in
// the record of the task and in counts, in the shape of every client. The text is not
// changed. Covers B-113.
func TestTasksOfClientsAreOpenDoneOrOverdue(t *testing.T) {
	f := newFixture(t)
	var overdue, open []string
	for _, c := range clientTasks {
		name := regexp.MustCompile("[^a-zA-Z]+").ReplaceAllString(c.title, "-") + ".ics"
		f.put(name, task(c.title, c.lines))
		if got := f.dav.Do("GET", f.path+name).Want(200).Body; got != task(c.title, c.lines) {
			t.Errorf("%s: got the text\n%s, want what was stored", c.title, got)
		}
		if strings.HasSuffix(c.want, "overdue") {
			overdue = append(overdue, c.title)
		}
		if !strings.HasPrefix(c.want, "completed") {
			open = append(open, c.title)
		}
	}
	dataset, panel, today := f.ann.Dataset(), f.ann.Do("GET", "/world/panels/time?view=tasks").Want(200), f.ann.Do("GET", "/world/panels/today").Want(200)
	of := func(list []any, title string) any {
		for _, o := range list {
			if apptest.At(o, "title") == title {
				return o
			}
		}
		t.Errorf("%s is missing", title)
		return map[string]any{"state": map[string]any{}, "links": map[string]any{"self": ""}}
	}
	for _, c := range clientTasks {
		record := of(panel.List("tasks"), c.title)
		for where, got := range map[string]string{
			"the panel":   seen(apptest.At(record, "state")),
			"the record":  seen(f.ann.Do("GET", apptest.Text(apptest.At(record, "links.self"))).Want(200).At("object.state")),
			"the dataset": seen(apptest.At(of(dataset.List("objects"), c.title), "state")),
		} {
			if got != c.want {
				t.Errorf("%s in %s: got %s, want %s", c.title, where, got, c.want)
			}
		}
	}
	const day = "/world/time/objects?object_type=task&start=2026-11-12&end=2026-11-13"
	if got := apptest.At(of(f.ann.Do("GET", day).Want(200).List("objects"), "weekly, KDE"), "state.status"); got != "completed" {
		t.Errorf("got the status %v of the occurrence that KDE completed, want completed", got)
	}
	section := func(id string) (titles []string) {
		for _, s := range today.List("sections") {
			if apptest.At(s, "id") == id {
				titles = apptest.Values(apptest.At(s, "items").([]any), "title")
			}
		}
		return titles
	}
	if got := section("waiting"); !sameElements(got, overdue) {
		t.Errorf("Today: got %q waiting, want the overdue tasks %q", got, overdue)
	}
	if got := section("tasks"); !sameElements(got, open) {
		t.Errorf("Today: got the tasks %q, want the open ones %q", got, open)
	}
	if got, want := panel.Str("summary"), fmt.Sprintf("%d tasks: %d to do, %d done", len(clientTasks), len(open), len(clientTasks)-len(open)); got != want {
		t.Errorf("got the summary %s, want %s", got, want)
	}
	for _, item := range panel.List("nav") {
		if apptest.At(item, "id") == "tasks" && fmt.Sprint(apptest.At(item, "badge.count")) != fmt.Sprint(len(overdue)) {
			t.Errorf("got the badge %s, want %d due tasks", apptest.JSON(apptest.At(item, "badge")), len(overdue))
		}
	}
}

func sameElements(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// Filters of CalDAV read what is stored. Covers B-113.
func TestFiltersOfTasksReadStoredProperties(t *testing.T) {
	f := newFixture(t)
	for _, c := range clientTasks[:7] {
		f.put(regexp.MustCompile("[^a-zA-Z]+").ReplaceAllString(c.title, "-")+".ics", task(c.title, c.lines))
	}
	for _, c := range []struct {
		filter string
		want   int
	}{
		{`<C:prop-filter name="COMPLETED"><C:is-not-defined/></C:prop-filter>`, 3},
		{`<C:prop-filter name="STATUS"><C:text-match>NEEDS-ACTION</C:text-match></C:prop-filter>`, 1},
		{`<C:prop-filter name="STATUS"><C:text-match negate-condition="yes">COMPLETED</C:text-match></C:prop-filter>`, 2},
		{timeRange("20261111T120000Z", "20261112T120000Z"), 3},
	} {
		a := f.dav.Do("REPORT", f.path, query("<getetag/>", `<C:comp-filter name="VTODO">`+c.filter+`</C:comp-filter>`)).Want(207)
		if got := strings.Count(a.Body, "<d:href>") + strings.Count(a.Body, "<href>") + strings.Count(a.Body, "<D:href>"); got != c.want {
			t.Errorf("%s: got %d tasks, want %d", c.filter, got, c.want)
		}
	}
}

// storedTasks returns the tasks that a CalDAV client reads, each as the lines that concern
// time, rule and status, sorted.
func (f *fixture) storedTasks() []string {
	f.t.Helper()
	a := f.dav.Do("REPORT", f.path, query(calendarData, `<C:comp-filter name="VTODO"/>`)).Want(207)
	var list []string
	for _, text := range strings.Split(a.Body, "BEGIN:VTODO")[1:] {
		text, _, _ = strings.Cut(text, "END:VTODO")
		lines := regexp.MustCompile(`(?m)^(DTSTART|DUE|RRULE|STATUS|PERCENT-COMPLETE|RECURRENCE-ID|EXDATE|X-KDE)[^\r\n&]*`).FindAllString(text, -1)
		list = append(list, strings.ReplaceAll(strings.Join(lines, " "), ";VALUE=DATE", ""))
	}
	slices.Sort(list)
	return list
}

// A weekly task that is late is completed by its published actions, only this one or all
// up to today, in the dataset, in the panel of tasks and on Today. CalDAV clients read a
// series that begins at the next occurrence, and the completed occurrence as a task
// of its own. The undo restores the series. Covers B-113.
func TestLateRecurringTaskIsCompleted(t *testing.T) {
	f := newFixture(t)
	id := f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bins", "start": "2026-11-05", "due": "2026-11-05", "rrule": "FREQ=WEEKLY;COUNT=9"}`).Want(201).Str("object.id")
	before := f.storedTasks()
	fromDataset := func(action string) *apptest.Answer {
		d := f.ann.Dataset()
		object := d.Object("objects", "Bins")
		for _, a := range d.List("actions") {
			body := apptest.At(a, "command.body.scope")
			if slices.Contains(apptest.At(object, "actions").([]any), apptest.At(a, "action_id")) && apptest.At(a, "command.body.status") == "completed" && (body == "up_to_today") == (action == "complete_up_to_today") {
				return f.ann.SendAction(a)
			}
		}
		t.Fatalf("no action %s in the dataset", action)
		return nil
	}
	fromPanel := func(action string) *apptest.Answer {
		tasks := f.ann.Do("GET", "/world/panels/time?view=tasks").List("tasks")
		return send(f.ann, descriptor(t, apptest.At(tasks[0], "action_descriptors"), action), nil)
	}
	fromToday := func(action string) *apptest.Answer {
		for _, s := range f.ann.Do("GET", "/world/panels/today").List("sections") {
			if apptest.At(s, "id") == "tasks" {
				return send(f.ann, descriptor(t, apptest.At(s, "items.0.actions"), action), nil)
			}
		}
		t.Fatal("Today has no tasks")
		return nil
	}
	for where, act := range map[string]func(string) *apptest.Answer{"dataset": fromDataset, "tasks": fromPanel, "today": fromToday} {
		for action, want := range map[string]string{
			"complete":             "DTSTART:20261105 DUE:20261105 STATUS:COMPLETED PERCENT-COMPLETE:100 / DTSTART:20261112 DUE:20261112 RRULE:FREQ=WEEKLY;COUNT=8",
			"complete_up_to_today": "DTSTART:20261105 DUE:20261105 STATUS:COMPLETED PERCENT-COMPLETE:100 / DTSTART:20261126 DUE:20261126 RRULE:FREQ=WEEKLY;COUNT=6",
		} {
			done := act(action).Want(200)
			if got := strings.Join(f.storedTasks(), " / "); got != want {
				t.Errorf("%s, %s: got\n%s, want\n%s", where, action, got, want)
			}
			undo := done.At("undo")
			f.ann.Do(apptest.At(undo, "method").(string), apptest.At(undo, "url").(string), apptest.At(undo, "body")).Want(200)
			if got := f.storedTasks(); !slices.Equal(got, before) {
				t.Errorf("%s, %s, undone: got %q, want %q", where, action, got, before)
			}
		}
	}
	done := f.ann.Do("PATCH", "/world/time/objects/"+id, `{"scope": "this", "recurrence_id": "2026-11-05", "status": "completed"}`).Want(200)
	if got := seen(done.At("object.state")); got != "completed 2026-11-05" {
		t.Errorf("got %s, want the completed occurrence", got)
	}
	again := f.ann.Do("GET", "/world/time/objects/"+id+"?recurrence_id=2026-11-05").Want(200)
	if got, want := again.Str("object.id"), done.Str("object.id"); got != want {
		t.Errorf("got the object %s at the completed occurrence, want %s", got, want)
	}
	if got := seen(f.ann.Dataset().Object("objects", "Bins")); got == "" {
		t.Error("the series is missing in the dataset")
	}
}

// An occurrence that is not late, or the only one of its series that is, has no action for all up
// to today.
func TestOccurrenceThatIsNotLateIsCompletedAlone(t *testing.T) {
	f := newFixture(t)
	for title, fields := range map[string]string{"Later": `"due": "2026-11-26", "rrule": "FREQ=WEEKLY"`, "Only this": `"due": "2026-11-12", "rrule": "FREQ=MONTHLY"`, "Once": `"due": "2026-11-12"`} {
		created := f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "`+title+`", `+fields+`}`).Want(201)
		if ids := apptest.Values(created.List("object.action_descriptors"), "id"); slices.Contains(ids, "complete_up_to_today") || !slices.Contains(ids, "complete") {
			t.Errorf("%s: got the actions %q, want complete only", title, ids)
		}
	}
}

// A change of the status of a task that another client has left contradictory is a change.
// Covers B-113.
func TestContradictoryTaskIsReopened(t *testing.T) {
	f := newFixture(t)
	f.put("a.ics", task("Taxes", "STATUS:NEEDS-ACTION", "COMPLETED:20261112T100000Z", "PERCENT-COMPLETE:100"))
	self := f.ann.Do("GET", "/world/panels/time?view=tasks").Str("tasks.0.links.self")
	f.ann.Do("PATCH", self, `{"status": "needs_action"}`).Want(200).WantValues("object.state", map[string]any{"status": "needs_action", "completed_at": nil, "percent_complete": 0})
	if text := f.dav.Do("GET", f.path+"a.ics").Want(200).Body; strings.Contains(text, "COMPLETED:") || strings.Contains(text, "PERCENT-COMPLETE") {
		t.Errorf("got\n%s, want neither COMPLETED nor PERCENT-COMPLETE", text)
	}
}

// An alarm of a task with only a due time is relative to it, for CalDAV clients too.
func TestAlarmOfATaskIsRelatedToItsDueTime(t *testing.T) {
	f := newFixture(t)
	f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes", "due": "2026-12-01T10:00:00", "alarm_minutes": 15}`).Want(201).
		WantValues("object.state.alarms.0", map[string]any{"trigger": "-PT15M", "related": "end"})
	a := f.dav.Do("REPORT", f.path, query(calendarData, `<C:comp-filter name="VTODO"/>`)).Want(207)
	if !strings.Contains(a.Body, "TRIGGER;RELATED=END:-PT15M") {
		t.Errorf("got\n%s, want an alarm with RELATED=END", a.Body)
	}
}
