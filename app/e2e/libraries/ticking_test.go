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
	name               string
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
	return map[string]any{"uid": c.name, "start": start, "due": c.dueAt(0), "rule": c.rule}
}

// tickedTasks returns tasks that are late, and tasks that are not due. None is due on the day
// before today, on this day or on the next one, so that the time of day has no effect.
func tickedTasks(today time.Time) (list []tickedTask) {
	everyThird, ahead, ended := dates(today, -8, 3), dates(today, 2, 3)[:3], dates(today, -8, 3)[:2]
	weekday := func(n int) string { return strings.ToUpper(today.AddDate(0, 0, n).Weekday().String()[:2]) }
	twice := slices.SortedFunc(slices.Values(append(dates(today, -9, 7), dates(today, -4, 7)...)), time.Time.Compare)
	weekly := fmt.Sprintf("FREQ=WEEKLY;BYDAY=%s,%s", weekday(-9), weekday(-4))
	monthly := []time.Time{today.AddDate(0, 0, -40)}
	for monthly[0].Day() > 28 || max(monthly[0].Day()-today.Day(), today.Day()-monthly[0].Day()) < 2 {
		monthly[0] = monthly[0].AddDate(0, 0, -1)
	}
	for n := range 8 {
		monthly = append(monthly, monthly[0].AddDate(0, n+1, 0))
	}
	for _, times := range []tickedTask{
		{name: "a start and a due time", hasStart: true, startTime: "T18:00:00", dueTime: "T19:30:00"},
		{name: "a due time", dueTime: "T19:30:00"},
		{name: "a start and a due date", hasStart: true},
		{name: "a due date"},
	} {
		add := func(name, rule string, dates []time.Time) {
			c := times
			c.name, c.rule, c.dates = strings.ReplaceAll(name+" with "+times.name, " ", "-"), rule, dates
			list = append(list, c)
		}
		add("each third day", "FREQ=DAILY;INTERVAL=3", everyThird)
		add("twice a week", weekly, twice)
		add("each month", "FREQ=MONTHLY", monthly)
		add("three times", "FREQ=DAILY;INTERVAL=3;COUNT=3", ahead)
		add("late and ended", "FREQ=DAILY;INTERVAL=3;COUNT=2", ended)
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

// ticks is the number of occurrences that are completed in a task.
const ticks = 4

// engines are the calendar libraries of other programs.
var engines = []struct {
	name  string
	start func(*testing.T, *tickFixture) engine
}{{"KCalendarCore", newKDE}, {"evolution-data-server", newEvolution}}

// A recurring task that another program creates and ticks has the same open occurrence on the
// server. Covers B-113.
func TestTasksTickedByOtherProgramsAgree(t *testing.T) {
	svctest.Long(t)
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			f := newTickFixture(t)
			f.engine = e.start(t, f)
			for _, c := range tickedTasks(f.today) {
				f.engine.create(f, c.fields())
				uid := c.name
				f.want(c.name+", created", uid, c.dueAt(0))
				for n := 0; n < min(ticks, len(c.dates)); n++ {
					f.engine.tick(f, uid)
					f.want(fmt.Sprint(c.name, ", ticked ", n+1), uid, c.dueAt(n+1))
				}
				f.delete(uid)
			}
		})
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
}

func newTickFixture(t *testing.T) *tickFixture {
	t.Helper()
	f := &tickFixture{t: t, server: apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "reads=0,writes=0")}
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
	a := f.dav.With("Depth", "1").Do("REPORT", f.path, `<C:calendar-query xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><getetag/><C:calendar-data/></prop><C:filter><C:comp-filter name="VCALENDAR">`+
		`<C:comp-filter name="VTODO"><C:prop-filter name="UID"><C:text-match collation="i;octet">`+uid+`</C:text-match></C:prop-filter></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`).Want(207)
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

// want fails the test unless the server says the same about a task in all places, and the engine
// too. due is the time of the first open occurrence, "" if there is none.
func (f *tickFixture) want(about, uid, due string) {
	f.t.Helper()
	want := progress{Done: due == "", Due: due, Overdue: due != "" && due < f.today.Format(time.DateOnly)}
	dataset := f.record(f.ann.Dataset().List("objects"), uid)
	panel := f.record(f.ann.Do("GET", "/world/panels/time?view=tasks").Want(200).List("tasks"), uid)
	record := f.ann.Do("GET", apptest.At(panel, "links.self").(string)).Want(200).At("object")
	got := map[string]progress{
		"dataset": progressOf(apptest.At(dataset, "state")), "panel": progressOf(apptest.At(panel, "state")),
		"record": progressOf(apptest.At(record, "state")), f.engine.String(): f.engine.read(f, uid),
	}
	maps.DeleteFunc(got, func(_ string, p progress) bool { return p == want })
	if open := f.firstOpen(uid); len(got) > 0 || open != due {
		f.t.Errorf("%s: got %+v, and the open occurrence %q in the list, want %+v\n%s", about, got, open, want, f.stored(uid))
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
