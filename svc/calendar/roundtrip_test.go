package calendar_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
)

// An export that is imported keeps the content lines of each component and all instants, apart from
// the names of time zones. It changes nothing in the calendar from which it was exported. Covers
// B-118.
func TestExportAndImportKeepObjects(t *testing.T) {
	var texts []string
	d := icstest.NewRand(118)
	for i := range 150 {
		texts = append(texts, d.CalendarObject(fmt.Sprintf("random-%d", i)))
	}
	for _, name := range slices.Sorted(maps.Keys(icstest.RealObjects)) {
		texts = append(texts, icstest.RealObjects[name])
	}
	wantRoundTrip(t, texts)
}

// wantRoundTrip stores objects, imports an export of them into another calendar and into the same
// one, and fails the test unless both have the same objects afterwards.
func wantRoundTrip(t *testing.T, texts []string) {
	t.Helper()
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	from, to := f.DefaultCalendar(ann), f.DefaultCalendar(bea)
	for i, text := range texts {
		f.Put(ann, from, fmt.Sprintf("%d.ics", i), text)
	}
	exported, _ := stream(f, ann, from)
	for _, c := range []struct {
		member svc.Viewer
		into   calendar.Calendar
		want   string
	}{{bea, to, fmt.Sprint(len(texts), 0, 0)}, {bea, to, fmt.Sprint(0, 0, len(texts))}, {ann, from, fmt.Sprint(0, 0, len(texts))}} {
		report, err := importTexts(f, c.member, c.into, exported)
		if got := fmt.Sprint(report.Imported, report.Changed, report.Present); err != nil || got != c.want || report.RefusedCount > 0 {
			t.Errorf("got %s imported, changed and present, %v, refused %v; want %s", got, err, report.Refused, c.want)
		}
	}
	imported := make(map[string]string)
	for _, segment := range f.Segments(bea, to) {
		text := f.Text(bea, to, segment)
		imported[icstest.Parse(t, text).UID] = text
	}
	for _, want := range texts {
		o := icstest.Parse(t, want)
		got := imported[o.UID]
		if got == "" {
			t.Errorf("got no object with the UID %s", o.UID)
			continue
		}
		if a, b := componentLines(got), componentLines(want); !slices.Equal(a, b) {
			t.Errorf("%s: got lines\n%q\nwant\n%q", o.UID, a, b)
		}
		if a, b := instances(t, got), instances(t, want); !slices.Equal(a, b) {
			t.Errorf("%s: got instances\n%q\nwant\n%q, of\n%s", o.UID, a, b, want)
		}
	}
}

var (
	tzidParameter = regexp.MustCompile(`(?i);TZID=("[^"]*"|[^":;]*)`)
	folds         = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "")
)

// componentLines returns the content lines of the components of an object, without those of the
// calendar and of its time zones, and without the names of time zones.
func componentLines(text string) (lines []string) {
	depth, isZone := 0, false
	for line := range strings.Lines(folds.Replace(strings.TrimPrefix(text, "\ufeff"))) {
		line = strings.TrimRight(line, "\r\n")
		upper := strings.ToUpper(line)
		if strings.HasPrefix(upper, "BEGIN:") {
			depth++
			isZone = isZone || upper == "BEGIN:VTIMEZONE"
		}
		if depth > 1 && !isZone && line != "" {
			lines = append(lines, tzidParameter.ReplaceAllString(line, ";TZID="))
		}
		if strings.HasPrefix(upper, "END:") {
			depth--
			isZone = isZone && upper != "END:VTIMEZONE"
		}
	}
	return lines
}

// instances returns the instances of an object in the years around [storetest.Start].
func instances(t *testing.T, text string) (list []string) {
	found, _ := icstest.Parse(t, text).Instances(storetest.Start.AddDate(-2, 0, 0), storetest.Start.AddDate(2, 0, 0), nil, 200)
	for _, i := range found {
		list = append(list, fmt.Sprintf("%s %d-%d", i.RecurrenceID, i.From, i.To))
	}
	return list
}
