package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics/icstest"
)

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
