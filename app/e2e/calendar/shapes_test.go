package calendar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// The window of all checks of shapes, in the three forms of dates.
const (
	shapeWindow           = "start=2026-11-01&end=2027-05-01"
	shapeFrom, shapeUntil = "20261101T000000Z", "20270501T000000Z"
	utcLayout             = "20060102T150405Z"
	dateLayout            = "20060102"
)

// berlin is the time zone of the members, in which floating times and dates are read.
var berlin = func() *time.Location {
	z, ok := ics.LoadZone("Europe/Berlin")
	if !ok {
		panic("no time zone Europe/Berlin")
	}
	return z.Location()
}()

// minShapes is the least number of rows.
const minShapes = 80

// Each shape of testdata/calendar, which is an object as one real program writes it, is stored
// unchanged, and every reader finds the same occurrences in it.
func TestShapesOfRealPrograms(t *testing.T) {
	server := apptest.New(t, apptest.Unlimited)
	shapes := apptest.Shapes(t, "../../../testdata/calendar")
	if len(shapes) < minShapes {
		t.Errorf("got %d shapes, want at least %d", len(shapes), minShapes)
	}
	for i, s := range shapes {
		t.Run(s.Name, func(t *testing.T) {
			ann := server.Member(fmt.Sprint("shape", i))
			ann.T = t
			f := &shapeFixture{Shape: s, t: t, ann: ann, dav: ann.Basic(), path: ann.DefaultCalendar(), name: "shape.ics"}
			f.run()
		})
	}
}

// shapeFixture is a shape in the default calendar of a member of its own.
type shapeFixture struct {
	apptest.Shape
	t        *testing.T
	ann, dav *apptest.Client
	path     string // of the default calendar
	name     string // of the object in it

	expanded []occurrence // by CalDAV
	listed   []any        // records of the JSON list
	failures []string     // of the current check
}

// occurrence is an occurrence as text: a date, a local time, or a time in UTC.
type occurrence struct {
	start, end string
	id         string // RECURRENCE-ID
}

func (o occurrence) String() string {
	if o.end == "" {
		return o.start
	}
	return o.start + "/" + o.end
}

// run stores the shape and runs all checks.
func (f *shapeFixture) run() {
	if f.Fields["put"] != "" {
		f.check("put", f.checkRefusal)
		f.check("import", f.checkImportOfRefused)
		return
	}
	f.check("put", f.put)
	if len(f.failures) > 0 {
		return
	}
	for _, c := range []struct {
		name  string
		check func()
	}{
		{"octets", f.checkOctets}, {"expand", f.checkExpand}, {"list", f.checkList}, {"free-busy", f.checkFreeBusy}, {"dataset", f.checkDataset},
		{"month", f.checkMonth}, {"progress", f.checkProgress}, {"title", f.checkTitle}, {"move", f.checkMove}, {"shift", f.checkShift}, {"feed", f.checkFeed}, {"import", f.checkImport},
	} {
		f.check(c.name, c.check)
	}
}

// check runs a check. If the row names it as pending, it must fail.
func (f *shapeFixture) check(name string, run func()) {
	f.failures = nil
	run()
	pending := f.Is("pending", name)
	if pending && len(f.failures) == 0 {
		f.t.Errorf("%s: got no failure, want one: remove it from the field pending of the row", name)
	}
	if !pending {
		for _, failure := range f.failures {
			f.t.Errorf("%s: %s", name, failure)
		}
	}
}

// fail records a failure of the current check.
func (f *shapeFixture) fail(format string, args ...any) {
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}

// wantSame records a failure if the two lists differ.
func wantSame[T fmt.Stringer](f *shapeFixture, about string, got, want []T) {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		f.fail("%s: got %.1500s, want %.1500s", about, g, w)
	}
}

func (f *shapeFixture) href() string { return f.path + f.name }

// put stores the object. A calendar with METHOD is not for CalDAV (RFC 4791 §4.1): it is imported,
// and the object in it is the text from then on.
func (f *shapeFixture) put() {
	if strings.Contains(f.Text, "\nMETHOD:") {
		f.importInto(f.calendarID(), f.Text)
		entries := f.dav.Do("REPORT", f.path, query(calendarData, "")).Multistatus().Entries
		if len(entries) != 1 {
			f.fail("got %d objects after the import, want 1", len(entries))
			return
		}
		if got, want := contentLines(entries[0].Data), contentLines(f.Text); !slices.Equal(got, want) {
			f.fail("after the import: got lines\n%q\nwant\n%q", got, want)
		}
		f.Text, f.name = entries[0].Data, apptest.LastSegment(entries[0].Href)
	}
	a := f.dav.Do("PUT", f.href(), f.Text)
	if a.Status != 201 && a.Status != 204 {
		f.fail("PUT: got %d %s, want 201 or 204", a.Status, a.Body)
	}
}

// calendarID returns the id of the default calendar.
func (f *shapeFixture) calendarID() string {
	return apptest.LastSegment(strings.TrimSuffix(f.path, "/"))
}

// importInto imports a text into a calendar over the JSON API.
func (f *shapeFixture) importInto(calendar, text string) *apptest.Answer {
	f.t.Helper()
	return f.ann.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+calendar+"/import", text)
}

// isListed reports whether lists, panels and the dataset contain the object.
func (f *shapeFixture) isListed() bool {
	return strings.Contains(f.Text, "BEGIN:VEVENT") || strings.Contains(f.Text, "BEGIN:VTODO")
}

func (f *shapeFixture) checkOctets() {
	if got := f.dav.Do("GET", f.href()).Want(200).Body; got != f.Text {
		f.fail("GET: got %q, want %q", got, f.Text)
	}
	if got := f.dav.Do("REPORT", f.path, multiget(calendarData, f.href())).Multistatus().Entries[0].Data; got != f.Text {
		f.fail("calendar-multiget: got %q, want %q", got, f.Text)
	}
}

// expand returns the occurrences of the objects in a calendar by CalDAV.
func (f *shapeFixture) expand(calendar string) []occurrence {
	f.t.Helper()
	var list []occurrence
	for _, e := range f.dav.Do("REPORT", calendar, query(expand(shapeFrom, shapeUntil), "")).Multistatus().Entries {
		if e.Data == "" {
			f.fail("expand: got %s without data", e.Status)
			continue
		}
		list = append(list, f.occurrences(e.Data)...)
	}
	sortOccurrences(list)
	return list
}

// occurrences returns the occurrences in a calendar of any number of objects.
func (f *shapeFixture) occurrences(text string) (list []occurrence) {
	stream, err := ics.ReadStream(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		f.fail("cannot read the calendar: %v\n%s", err, text)
		return nil
	}
	from, _ := time.Parse(utcLayout, shapeFrom)
	until, _ := time.Parse(utcLayout, shapeUntil)
	var entries ics.Assembly
	entries.Add("", stream)
	for entry := range entries.Entries(svc.WorkOf(f.t.Context())) {
		if entry.Err != nil {
			f.fail("cannot read the entry: %v\n%s", entry.Err, text)
			continue
		}
		instances, _ := entry.Object.Instances(from, until, berlin, 10_000)
		for _, i := range instances {
			one := occurrence{start: momentText(i.Start, i.StartsAt), end: momentText(i.End, i.EndsAt)}
			if id := i.RecurrenceID; !id.IsZero() {
				one.id = momentText(id, id.Instant(berlin))
			}
			if one.String() != "" { // a task without dates has no time
				list = append(list, one)
			}
		}
	}
	sortOccurrences(list)
	return list
}

// momentText formats a date or a floating time t as it is written, and any other t as its
// instant at in UTC.
func momentText(t ics.Time, at time.Time) string {
	if t.IsZero() || t.IsDate() || t.IsFloating() {
		return t.String()
	}
	return at.UTC().Format(utcLayout)
}

func sortOccurrences(list []occurrence) {
	slices.SortFunc(list, func(a, b occurrence) int { return strings.Compare(a.String(), b.String()) })
}

// checkExpand compares the expansion with the row, in which "…" stands for further occurrences
// and "none" for none.
func (f *shapeFixture) checkExpand() {
	f.expanded = f.expand(f.path)
	want := f.Want
	var got []string
	for i, o := range f.expanded {
		if i < len(want) && !strings.Contains(want[i], "/") {
			o.end = ""
		}
		got = append(got, o.String())
	}
	switch last := len(want) - 1; {
	case want[last] == "…":
		want = want[:last]
		got = got[:min(len(got), last)]
	case want[last] == "none":
		want = nil
	}
	if !slices.Equal(got, want) {
		f.fail("got %q, want %q", got, want)
	}
}

// fromRecord returns the occurrence of a record of the JSON API.
func fromRecord(record any) occurrence {
	moment := func(v any) string {
		if v == nil {
			return ""
		}
		m := v.(map[string]any)
		for _, key := range []string{"date", "utc", "date_time"} {
			if text, ok := m[key].(string); ok {
				return strings.NewReplacer("-", "", ":", "").Replace(text)
			}
		}
		return ""
	}
	at := apptest.At(record, "state.occurrence")
	if at == nil {
		return occurrence{}
	}
	return occurrence{start: moment(apptest.At(at, "start")), end: moment(apptest.At(at, "end"))}
}

// fromRecords returns the occurrences of records in order.
func fromRecords(records []any) (list []occurrence) {
	for _, r := range records {
		if o := fromRecord(r); o.String() != "" {
			list = append(list, o)
		}
	}
	sortOccurrences(list)
	return list
}

// withoutEnds returns occurrences without their ends, or only their ends where they have no start.
func withoutEnds(list []occurrence) (short []occurrence) {
	for _, o := range list {
		if o.start != "" {
			o.end = ""
		}
		short = append(short, o)
	}
	return short
}

// checkList compares the JSON list with the expansion. The list names the end of an occurrence
// also where the object does not.
func (f *shapeFixture) checkList() {
	if !f.isListed() {
		return
	}
	a := f.ann.Do("GET", "/world/time/objects?limit=200&"+shapeWindow).Want(200)
	f.listed = a.List("objects")
	wantSame(f, "list", withoutEnds(fromRecords(f.listed)), withoutEnds(f.expanded))
	if len(f.listed) == 0 { // a task without dates, or an event that is over
		f.listed = slices.DeleteFunc(f.dataset(), func(o any) bool { return apptest.At(o, "state.uid") == nil })
	}
	if len(f.listed) == 0 && f.Fields["state"] != "" {
		f.fail("got no record, want one")
		return
	}
	for _, field := range strings.Fields(f.Fields["state"]) {
		path, want, _ := strings.Cut(field, "=")
		if got := fmt.Sprint(apptest.At(f.listed[0], "state."+path)); got != want {
			f.fail("got the state %s %q, want %q", path, got, want)
		}
	}
}

// busyTimes returns the merged times of the events in a calendar that are not free.
func busyTimes(text string) []string {
	o, err := ics.Parse([]byte(text))
	if err != nil || len(o.Components()) == 0 || o.Component != "VEVENT" {
		return nil
	}
	var list []ics.Period
	from, _ := time.Parse(utcLayout, shapeFrom)
	until, _ := time.Parse(utcLayout, shapeUntil)
	instances, _ := o.Instances(from, until, berlin, 10_000)
	for _, i := range instances {
		if c := i.Component; !strings.EqualFold(c.Text("TRANSP"), "TRANSPARENT") && !strings.EqualFold(c.Text("STATUS"), "CANCELLED") && i.StartsAt.Before(i.EndsAt) {
			list = append(list, ics.Period{From: i.StartsAt, To: i.EndsAt})
		}
	}
	var times []string
	for _, p := range ics.MergePeriods(list) {
		times = append(times, p.From.UTC().Format(utcLayout)+"/"+p.To.UTC().Format(utcLayout))
	}
	return times
}

// checkFreeBusy compares the busy times with the expansion.
func (f *shapeFixture) checkFreeBusy() {
	entries := f.dav.Do("REPORT", f.path, query(expand(shapeFrom, shapeUntil), "")).Multistatus().Entries
	want := busyTimes(entries[0].Data)
	text := f.dav.With("Depth", "1").Do("REPORT", f.path, `<C:free-busy-query`+namespaces+`>`+timeRange(shapeFrom, shapeUntil)+`</C:free-busy-query>`).Want(200).Body
	var got []string
	for line := range strings.Lines(unfold(text)) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); strings.HasPrefix(name, "FREEBUSY") {
			got = append(got, strings.Split(value, ",")...)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		f.fail("got busy times %q, want %q", got, want)
	}
}

// checkDataset compares the dataset with the list: it has no other occurrences of an event, and
// has the events of the next week.
func (f *shapeFixture) checkDataset() {
	if !f.isListed() {
		return
	}
	f.wantSubset("dataset", f.dataset(), "20261121", "20261128")
}

// dataset returns the records of the dataset.
func (f *shapeFixture) dataset() []any {
	return f.ann.AsRuntime().Do("GET", "/world/runtime").Want(200).List("objects")
}

// checkMonth compares the month of the first occurrence with the list.
func (f *shapeFixture) checkMonth() {
	if !f.isListed() || len(f.expanded) == 0 {
		return
	}
	first := f.expanded[0]
	month, err := time.Parse(dateLayout, strings.TrimPrefix(first.String(), "/")[:8])
	if err != nil {
		f.fail("cannot read the occurrence %s: %v", first, err)
		return
	}
	month = month.AddDate(0, 0, 1-month.Day())
	panel := f.ann.Do("GET", "/world/panels/time?view=month&date="+month.Format(time.DateOnly)).Want(200)
	f.wantSubset("panel", append(panel.List("appointments"), panel.List("tasks")...), month.AddDate(0, 0, 1).Format(dateLayout), month.AddDate(0, 1, -1).Format(dateLayout))
}

// wantSubset records a failure if records contain occurrences of an event that the list does not
// have, or do not contain those that begin between two dates.
func (f *shapeFixture) wantSubset(about string, records []any, from, until string) {
	if !strings.Contains(f.Text, "BEGIN:VEVENT") {
		if len(records) == 0 && f.Fields["state"] == "" {
			f.fail("%s: got no task, want one", about)
		}
		return
	}
	got := fromRecords(records)
	want := fromRecords(f.listed)
	for _, o := range got {
		if o.start > "20261101" && !slices.Contains(want, o) {
			f.fail("%s: got the occurrence %s, want only those of the list %v", about, o, want)
		}
	}
	for _, o := range want {
		if o.start >= from && o.start < until && !slices.Contains(got, o) {
			f.fail("%s: got %v, want also %s", about, got, o)
		}
	}
}
