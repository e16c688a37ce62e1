package calendar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

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
