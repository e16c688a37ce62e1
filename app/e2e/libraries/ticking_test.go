package libraries

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/svc/svctest"
)

// tickedTask is a recurring task whose occurrences are completed.
type tickedTask struct {
	name, uid          string
	isNative           bool // created over the JSON API
	hasStart           bool
	startTime, dueTime string // local times; "" for dates
	rule               string
	dates              []time.Time // of the occurrences, in order
}

// fields returns the task as the programs create it.
func (c tickedTask) fields() map[string]any {
	start := ""
	if c.hasStart {
		start = c.dates[0].Format(time.DateOnly) + c.startTime
	}
	return map[string]any{"uid": c.uid, "start": start, "due": c.dueAt(0), "rule": c.rule}
}

// tickedTasks returns tasks that are late, and tasks that are not due. None is due on the day
// before today, on this day or on the next one, so that the time at which the test runs has no
// effect.
func tickedTasks(today time.Time) (list []tickedTask) {
	everyFourth, ahead, ended := dates(today, -10, 4), dates(today, 2, 4)[:3], dates(today, -10, 4)[:2]
	weekday := func(n int) string { return strings.ToUpper(today.AddDate(0, 0, n).Weekday().String()[:2]) }
	twice := slices.SortedFunc(slices.Values(append(dates(today, -9, 7), dates(today, -4, 7)...)), time.Time.Compare)
	weekly := fmt.Sprintf("FREQ=WEEKLY;BYDAY=%s,%s", weekday(-9), weekday(-4))
	monthly := []time.Time{today.AddDate(0, 0, -40)}
	for monthly[0].Day() < 4 || monthly[0].Day() > 26 || max(monthly[0].Day()-today.Day(), today.Day()-monthly[0].Day()) < 2 {
		monthly[0] = monthly[0].AddDate(0, 0, -1)
	}
	for n := range 8 {
		monthly = append(monthly, monthly[0].AddDate(0, n+1, 0))
	}
	for _, times := range []tickedTask{
		{name: "a start and a due time", hasStart: true, startTime: "T18:00:00", dueTime: "T19:30:00"},
		{name: "an equal start", hasStart: true, startTime: "T19:30:00", dueTime: "T19:30:00"},
		{name: "a due time", dueTime: "T19:30:00"},
		{name: "a start and a due date", hasStart: true},
		{name: "a due date"},
	} {
		add := func(name, rule string, dates []time.Time) {
			c := times
			c.name, c.rule, c.dates = name+" with "+times.name, rule, dates
			c.uid = strings.ReplaceAll(c.name, " ", "-")
			list = append(list, c)
		}
		add("each fourth day", "FREQ=DAILY;INTERVAL=4", everyFourth)
		add("twice a week", weekly, twice)
		add("each month", "FREQ=MONTHLY", monthly)
		add("three times", "FREQ=DAILY;INTERVAL=4;COUNT=3", ahead)
		add("late and ended", "FREQ=DAILY;INTERVAL=4;COUNT=2", ended)
	}
	return list
}

// dates returns 20 dates, the first one so many days from today, at a distance in days.
func dates(today time.Time, first, distance int) (list []time.Time) {
	for n := range 20 {
		list = append(list, today.AddDate(0, 0, first+n*distance))
	}
	return list
}

// dueAt returns the due time of an occurrence, "" after the last one.
func (c tickedTask) dueAt(n int) string {
	if n >= len(c.dates) {
		return ""
	}
	return c.dates[n].Format(time.DateOnly) + c.dueTime
}

// next returns the number of the first occurrence on a day or later.
func (c tickedTask) next(day time.Time) int {
	n, _ := slices.BinarySearchFunc(c.dates, day, time.Time.Compare)
	return n
}

// tickDifference is a known difference of an engine: after it has ticked an occurrence of a
// task, another one than the next is open.
type tickDifference struct {
	engine, reason string
	applies        func(c tickedTask, n int, today time.Time) bool
	next           func(c tickedTask, n int, today time.Time) int // number of the open occurrence
}

var tickDifferences = []tickDifference{
	{
		engine: "KCalendarCore", reason: "completes all occurrences before the present time",
		applies: func(c tickedTask, n int, today time.Time) bool { return c.next(today) > n+1 },
		next:    func(c tickedTask, _ int, today time.Time) int { return c.next(today) },
	},
	{
		engine: "evolution-data-server", reason: "completes a series without DTSTART with its first occurrence",
		applies: func(c tickedTask, n int, _ time.Time) bool { return !c.hasStart && !c.isNative && n+1 < len(c.dates) },
		next:    func(c tickedTask, _ int, _ time.Time) int { return len(c.dates) },
	},
}

// engines are the calendar libraries of other programs.
var engines = []struct {
	name  string
	start func(*testing.T, *tickFixture) engine
}{{"KCalendarCore", newKDE}, {"evolution-data-server", newEvolution}}

// withEngines calls test with each engine and the recurring tasks.
func withEngines(t *testing.T, test func(f *tickFixture, list []tickedTask)) {
	svctest.Long(t)
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			f := newTickFixture(t)
			f.engine = e.start(t, f)
			test(f, tickedTasks(f.today))
		})
	}
}

// A recurring task that another program creates and ticks has the same open occurrence on the
// server. Covers B-113.
func TestTasksTickedByOtherProgramsAgree(t *testing.T) {
	withEngines(t, func(f *tickFixture, list []tickedTask) {
		for _, c := range list {
			f.engine.create(f, c.fields())
			f.want(c, "created", 0)
			for n, ticks := 0, 0; ticks < 3 && n < len(c.dates); ticks++ {
				n = f.tick(c, n)
			}
			f.delete(c.uid)
		}
		f.wantDifferencesUsed()
	})
}

// A recurring task that is created and completed over the JSON API has the same open occurrence
// in other programs, which tick it too. Covers B-113.
func TestTasksCompletedNativelyAgreeWithOtherPrograms(t *testing.T) {
	withEngines(t, func(f *tickFixture, list []tickedTask) {
		for _, c := range list {
			c = f.createNatively(c)
			f.completeAndTick(c)
			f.delete(c.uid)
		}
	})
}

// completeAndTick completes and reopens occurrences of a task in turn with the engine.
func (f *tickFixture) completeAndTick(c tickedTask) {
	f.t.Helper()
	f.want(c, "created", 0)
	first := f.openID(c)
	f.setStatus(c, "this", first, "completed")
	f.want(c, "completed", 1)
	f.setStatus(c, "this", first, "needs_action")
	f.want(c, "reopened", 0)
	f.setStatus(c, "up_to_today", first, "completed")
	n := max(1, c.next(f.today))
	f.want(c, "completed up to today", n)
	if n < len(c.dates) {
		n = f.tick(c, n)
	}
	if n < len(c.dates) {
		f.setStatus(c, "this", f.openID(c), "completed")
		f.want(c, "completed after a tick", n+1)
	}
}

// tickFixture is a server with the member ann, and an engine.
type tickFixture struct {
	t      *testing.T
	server *apptest.Process
	ann    *apptest.Client // of the JSON API
	dav    *apptest.Client
	path   string // of the default calendar
	today  time.Time
	engine engine
	used   map[string]bool // reasons of the known differences that were seen
}

func newTickFixture(t *testing.T) *tickFixture {
	t.Helper()
	f := &tickFixture{t: t, used: make(map[string]bool), server: apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "reads=0,writes=0")}
	f.ann = f.server.SignIn("ann").AsRuntime()
	f.dav, f.path = f.ann.Basic(), f.ann.DefaultCalendar()
	f.ann.Do("PATCH", "/world/identity/me", map[string]any{"timezone": engineZone}).Want(200)
	f.ann.Do("PATCH", "/world/calendars/"+f.ann.Do("GET", "/world/calendars").Str("calendars.0.id"), map[string]any{"timezone": engineZone}).Want(200)
	now, err := http.ParseTime(f.ann.Do("GET", "/ready").Want(200).Header.Get("Date"))
	if err != nil {
		t.Fatal(err)
	}
	zone, _ := svc.Zone(engineZone)
	year, month, day := now.In(zone).Date()
	f.today = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return f
}

// find returns the path and the text of a task on the server.
func (f *tickFixture) find(uid string) (path, text string) {
	f.t.Helper()
	a := f.dav.With("Depth", "1").Do("REPORT", f.path, `<C:calendar-query xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
		<prop><getetag/><C:calendar-data/></prop>
		<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO">
			<C:prop-filter name="UID"><C:text-match collation="i;octet">`+uid+`</C:text-match></C:prop-filter>
		</C:comp-filter></C:comp-filter></C:filter>
	</C:calendar-query>`).Want(207)
	for _, e := range a.Multistatus().Entries {
		if strings.Contains(e.Data, "\nUID:"+uid+"\r") {
			return e.Href, e.Data
		}
	}
	return f.path + uid + ".ics", ""
}

// stored returns the text of a task on the server.
func (f *tickFixture) stored(uid string) string {
	f.t.Helper()
	_, text := f.find(uid)
	if text == "" {
		f.t.Fatalf("%s: got no task on the server, want one", uid)
	}
	return text
}

// put stores the text of a task.
func (f *tickFixture) put(uid, text string) {
	f.t.Helper()
	path, _ := f.find(uid)
	if a := f.dav.Do("PUT", path, text); a.Status != http.StatusCreated && a.Status != http.StatusNoContent {
		f.t.Fatalf("PUT: got %d %s, want 201 or 204\n%s", a.Status, a.Body, text)
	}
}

// delete deletes a task.
func (f *tickFixture) delete(uid string) {
	f.t.Helper()
	path, _ := f.find(uid)
	f.dav.Do("DELETE", path).Want(http.StatusNoContent)
}

// record returns the record of a task in a list of the JSON API.
func (f *tickFixture) record(list []any, uid string) any {
	f.t.Helper()
	for _, o := range list {
		if apptest.At(o, "state.uid") == uid {
			return o
		}
	}
	f.t.Fatalf("%s: got no record, want one", uid)
	return nil
}

// progressOf returns what a record says about a task.
func progressOf(state any) (p progress) {
	status := apptest.At(state, "status")
	if p.Done = status == "completed" || status == "cancelled"; p.Done {
		return p
	}
	for _, key := range []string{"date", "date_time"} {
		if text, ok := apptest.At(state, "occurrence.end."+key).(string); ok {
			p.Due = text
		}
	}
	p.Overdue = apptest.At(state, "is_overdue") == true
	return p
}

// tick completes the occurrence n of a task with the engine, and returns the number of the next
// open one.
func (f *tickFixture) tick(c tickedTask, n int) int {
	f.t.Helper()
	f.engine.tick(f, c.uid)
	next := n + 1
	for _, d := range tickDifferences {
		if d.engine == f.engine.String() && d.applies(c, n, f.today) {
			next, f.used[d.reason] = d.next(c, n, f.today), true
		}
	}
	f.want(c, fmt.Sprint("ticked ", n+1), next)
	return next
}

// wantDifferencesUsed fails the test unless each known difference of the engine was seen.
func (f *tickFixture) wantDifferencesUsed() {
	f.t.Helper()
	for _, d := range tickDifferences {
		if d.engine == f.engine.String() && !f.used[d.reason] {
			f.t.Errorf("%s: got no task with the difference %q, want one", d.engine, d.reason)
		}
	}
}

// createNatively creates a task over the JSON API, and returns it with its UID.
func (f *tickFixture) createNatively(c tickedTask) tickedTask {
	f.t.Helper()
	task := map[string]any{"object_type": "task", "title": c.name, "rrule": c.rule, "due": c.dueAt(0)}
	if c.hasStart {
		task["start"] = c.fields()["start"]
	}
	if c.dueTime != "" {
		task["timezone"] = engineZone
	}
	c.uid, c.isNative = f.ann.Do("POST", "/world/time/objects", task).Want(http.StatusCreated).Str("object.state.uid"), true
	return c
}

// panel returns the record of a task in the panel of tasks.
func (f *tickFixture) panel(c tickedTask) any {
	f.t.Helper()
	return f.record(f.ann.Do("GET", "/world/panels/time?view=tasks").Want(http.StatusOK).List("tasks"), c.uid)
}

// openID returns the recurrence id of the first open occurrence.
func (f *tickFixture) openID(c tickedTask) string {
	f.t.Helper()
	return apptest.Text(apptest.At(f.panel(c), "state.occurrence.recurrence_id"))
}

// setStatus changes the status of occurrences over the JSON API.
func (f *tickFixture) setStatus(c tickedTask, scope, id, status string) {
	f.t.Helper()
	self := apptest.Text(apptest.At(f.panel(c), "links.self"))
	f.ann.Do("PATCH", self, map[string]any{"scope": scope, "recurrence_id": id, "status": status}).Want(http.StatusOK)
}

// want fails the test unless the first open occurrence of a task is that with the number n, in
// all places of the server and in the engine. The task is done after its last occurrence.
func (f *tickFixture) want(c tickedTask, about string, n int) {
	f.t.Helper()
	due := c.dueAt(n)
	want := progress{Done: due == "", Due: due, Overdue: due != "" && due < f.today.Format(time.DateOnly)}
	dataset, panel := f.record(f.ann.Dataset().List("objects"), c.uid), f.panel(c)
	record := f.ann.Do("GET", apptest.Text(apptest.At(panel, "links.self"))).Want(http.StatusOK).At("object")
	got := map[string]progress{
		"dataset": progressOf(apptest.At(dataset, "state")), "panel": progressOf(apptest.At(panel, "state")),
		"record": progressOf(apptest.At(record, "state")), f.engine.String(): f.engine.read(f, c.uid),
	}
	maps.DeleteFunc(got, func(_ string, p progress) bool { return p == want })
	if open := f.firstOpen(c.uid); len(got) > 0 || open != due {
		f.t.Errorf("%s, %s: got %+v, and the open occurrence %q in the list, want %+v\n%s", c.name, about, got, open, want, f.stored(c.uid))
	}
}

// firstOpen returns the due time of the first open occurrence of a task in the list of a year.
func (f *tickFixture) firstOpen(uid string) (due string) {
	f.t.Helper()
	from, until := f.today.AddDate(0, -6, 0).Format(time.DateOnly), f.today.AddDate(0, 6, 0).Format(time.DateOnly)
	for cursor := ""; ; {
		a := f.ann.Do("GET", "/world/time/objects?object_type=task&limit=200&start="+from+"&end="+until+"&cursor="+cursor).Want(200)
		for _, o := range a.List("objects") {
			if p := progressOf(apptest.At(o, "state")); apptest.At(o, "state.uid") == uid && !p.Done && (due == "" || p.Due < due) {
				due = p.Due
			}
		}
		next, ok := a.At("page.next_cursor").(string)
		if !ok {
			return due
		}
		cursor = next
	}
}
