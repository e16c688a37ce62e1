package calendar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
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

// failureRecorder records the failures of a helper for tests.
type failureRecorder struct {
	testing.TB
	f *shapeFixture
}

func (r failureRecorder) Helper() {}

func (r failureRecorder) Errorf(format string, args ...any) { r.f.fail(format, args...) }

// checkTitle changes the title over the JSON API. Only the lines of the title change, and the
// occurrences stay.
func (f *shapeFixture) checkTitle() {
	if len(f.listed) == 0 {
		return
	}
	defer f.put()
	a := f.ann.Do("PATCH", f.self(), `{"title": "A title with Ümlauts"}`)
	if a.Status != 200 {
		f.fail("PATCH: got %d %s, want 200", a.Status, a.Body)
		return
	}
	after := f.dav.Do("GET", f.href()).Want(200).Body
	icstest.WantSameLines(failureRecorder{f.t, f}, strings.TrimRight(f.Text, "\r\n")+f.lineEnd(), strings.TrimRight(after, "\r\n")+f.lineEnd(), "SUMMARY VTIMEZONE inherited") // the server defines the time zones of what it writes
	wantSame(f, "occurrences after the edit", f.expand(f.path), f.expanded)
}

// lineEnd returns the line end of the text.
func (f *shapeFixture) lineEnd() string {
	if strings.Contains(f.Text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// self returns the path of the record.
func (f *shapeFixture) self() string { return apptest.At(f.listed[0], "links.self").(string) }

// checkMove moves the whole series over the JSON API: one with times by half an hour, one with
// dates by a day. Each occurrence moves, except an override that has its own time.
func (f *shapeFixture) checkMove() {
	if len(f.listed) == 0 || f.Is("move", "none") {
		return
	}
	defer f.put()
	a, by := f.moveBy(0)
	if want := f.Fields["move"]; want != "" {
		if got := fmt.Sprint(a.Status, " ", a.At("error.code")); got != want {
			f.fail("PATCH: got %s %s, want %s", got, a.Body, want)
		}
		return
	}
	var want []occurrence
	for _, o := range f.expanded {
		if o.id == "" || o.id == o.start || o.start == "" && o.id == o.end {
			o.start, o.end = movedText(o.start, by), movedText(o.end, by)
		}
		want = append(want, o)
	}
	f.wantMoved(a, want)
}

// checkShift moves the whole series by the duration of the field shift.
func (f *shapeFixture) checkShift() {
	by, err := time.ParseDuration(f.Fields["shift"])
	if err != nil {
		return
	}
	defer f.put()
	a, _ := f.moveBy(by)
	var want []occurrence
	for _, text := range strings.Fields(f.Fields["shifted"]) {
		start, end, _ := strings.Cut(text, "/")
		want = append(want, occurrence{start: start, end: end})
	}
	f.wantMoved(a, want)
}

// moveBy moves the whole series over the JSON API by a duration, by default a day for dates and
// half an hour for times.
func (f *shapeFixture) moveBy(by time.Duration) (*apptest.Answer, time.Duration) {
	f.t.Helper()
	record := f.ann.Do("GET", f.self()).Want(200)
	if by == 0 && record.At("object.state.all_day") == true {
		by = 24 * time.Hour
	} else if by == 0 {
		by = 30 * time.Minute
	}
	body := map[string]any{}
	for _, name := range []string{"start", "end", "due"} {
		m, ok := record.At("object.state." + name).(map[string]any)
		if ok && (name != "end" || strings.Contains(f.Text, "\nDTEND") && m["timezone"] == record.At("object.state.start.timezone")) {
			body[name] = movedMoment(m, by)
		}
	}
	if len(body) == 0 { // a task without dates
		return record, by
	}
	if record.At("object.state.recurrence.is_recurring") == true {
		body["scope"] = "all"
	}
	return f.ann.Do("PATCH", f.self(), body), by
}

// wantMoved records a failure unless the series was moved and has the occurrences.
func (f *shapeFixture) wantMoved(a *apptest.Answer, want []occurrence) {
	if a.Status != 200 {
		f.fail("PATCH: got %d %s, want 200", a.Status, a.Body)
		return
	}
	sortOccurrences(want)
	wantSame(f, "occurrences after the move", inner(f.expand(f.path)), inner(want))
}

// inner returns the occurrences that are not near the ends of the window.
func inner(list []occurrence) (in []occurrence) {
	for _, o := range list {
		if at := strings.TrimPrefix(o.String(), "/"); at > "20261103" && at < "20270428" {
			in = append(in, o)
		}
	}
	return in
}

// movedMoment returns the input for a time of the JSON API that is moved.
func movedMoment(m map[string]any, by time.Duration) string {
	if date, ok := m["date"].(string); ok {
		return addTime(date, time.DateOnly, by)
	}
	return addTime(m["date_time"].(string), "2006-01-02T15:04:05", by)
}

// movedText returns a time of an occurrence, moved.
func movedText(text string, by time.Duration) string {
	switch len(text) {
	case 0:
		return ""
	case len(dateLayout):
		return addTime(text, dateLayout, by)
	}
	return addTime(text, utcLayout[:len(text)], by)
}

func addTime(text, layout string, by time.Duration) string {
	t, err := time.Parse(layout, text)
	if err != nil {
		return err.Error()
	}
	return t.Add(by).Format(layout)
}

// checkFeed compares the occurrences in the feed with those of the expansion.
func (f *shapeFixture) checkFeed() {
	path := f.ann.Do("POST", "/world/calendars/"+f.calendarID()+"/feed").Want(201).Str("feed.path")
	text := f.ann.Server.Unauthenticated().Do("GET", path).Want(200).Body
	f.wantZones(text)
	want := f.expanded
	switch f.Fields["feed"] {
	case "none":
		want = nil
	case "busy":
		if strings.Contains(text, "DESCRIPTION:") || strings.Contains(text, "LOCATION:") {
			f.fail("got the description or the place of a confidential entry in\n%s", text)
		}
	}
	wantSame(f, "occurrences", withoutEnds(f.occurrences(text)), withoutEnds(want))
}

// tzidParameter matches the parameter TZID of a property.
var tzidParameter = regexp.MustCompile(`(?i);TZID=("[^"]*"|[^;:]*)`)

// wantZones records a failure if a TZID of a text is not defined in it. One of a date has no
// effect.
func (f *shapeFixture) wantZones(text string) {
	text = unfold(text)
	for line := range strings.Lines(text) {
		match := tzidParameter.FindStringSubmatch(line)
		if match == nil || strings.Contains(line, "VALUE=DATE:") || strings.Contains(line, "VALUE=DATE;") || strings.HasSuffix(line, "Z\r\n") {
			continue
		}
		defined := "TZID:" + strings.ReplaceAll(strings.Trim(match[1], `"`), ",", `\,`) + "\r\n"
		if !strings.Contains(text, defined) {
			f.fail("got %q without a definition of the time zone", line)
			return
		}
	}
}

// unfold joins the folded lines of a text.
func unfold(text string) string {
	return strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(text)
}

// checkImport exports the calendar and imports it into a new one, which has the same occurrences
// and the same lines.
func (f *shapeFixture) checkImport() {
	text := f.ann.Do("GET", "/world/calendars/"+f.calendarID()+"/export").Want(200).Body
	f.wantZones(text)
	second := f.ann.Do("POST", "/world/calendars", `{"name": "Copy"}`).Want(201)
	report := f.importInto(second.Str("calendar.id"), text)
	path := second.Str("calendar.caldav_path")
	entries := f.dav.Do("REPORT", path, query(calendarData, "")).Multistatus().Entries
	if len(entries) != 1 {
		f.fail("got %d objects after the import, want 1: %s", len(entries), report.Body)
		return
	}
	wantSame(f, "occurrences", f.expand(path), f.expanded)
	got, want := contentLines(entries[0].Data), contentLines(f.Text)
	if !slices.Equal(got, want) {
		f.fail("got lines\n%q\nwant\n%q", got, want)
	}
}

// contentLines returns the unfolded lines of the components of an object, without those of the
// calendar itself, without definitions of time zones, and without the names of zones.
func contentLines(text string) (list []string) {
	depth, skipped := 0, false
	for line := range strings.Lines(unfold(strings.TrimPrefix(text, "\ufeff"))) {
		line = strings.TrimRight(line, "\r\n")
		upper := strings.ToUpper(line)
		if strings.HasPrefix(upper, "BEGIN:") {
			depth++
			skipped = skipped || upper == "BEGIN:VTIMEZONE"
		}
		if depth > 1 && !skipped {
			line = tzidParameter.ReplaceAllString(line, ";TZID=")
			list = append(list, strings.Replace(line, ";VALUE=DATE;TZID=:", ";VALUE=DATE:", 1)) // without effect (B-119)
		}
		if strings.HasPrefix(upper, "END:") {
			depth--
			skipped = skipped && upper != "END:VTIMEZONE"
		}
	}
	return list
}

// checkRefusal stores an object that the server refuses with a precondition.
func (f *shapeFixture) checkRefusal() {
	a := f.dav.Do("PUT", f.href(), f.Text)
	if status, precondition, _ := strings.Cut(f.Fields["put"], " "); fmt.Sprint(a.Status) != status || !strings.Contains(a.Body, precondition) {
		f.fail("PUT: got %d %s, want %s", a.Status, a.Body, f.Fields["put"])
	}
}

// checkImportOfRefused imports an object that CalDAV clients may not store.
func (f *shapeFixture) checkImportOfRefused() {
	f.importInto(f.calendarID(), f.Text)
	f.checkExpand()
}
