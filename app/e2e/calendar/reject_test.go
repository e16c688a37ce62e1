package calendar

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// sizedObject returns an object of size octets.
func sizedObject(size int) string {
	const placeholder = "%"
	text := event("big", "X-FILLER:"+placeholder)
	line := strings.Repeat("x", 70) + "\r\n "
	missing := size - len(text) + len(placeholder)
	return strings.Replace(text, placeholder, strings.Repeat(line, missing/len(line))+strings.Repeat("x", missing%len(line)), 1)
}

// rejectedWrite is a request that must change nothing.
type rejectedWrite struct {
	name, method, path string
	header             string // "Name: value"
	body               string
	status             int
	precondition       string // element of the DAV:error; "" if there is none
}

// newRejectedWritesFixture returns a fixture with two objects and a second
// calendar, and the ETag of tea.ics.
func newRejectedWritesFixture(t *testing.T) (f *fixture, etag string) {
	t.Helper()
	f = newFixture(t)
	etag = f.put("tea.ics", event("tea", "SUMMARY:Tea"))
	f.put("other.ics", event("other"))
	f.dav.Do("MKCALENDAR", homePath+"work/").Want(201)
	return f, etag
}

func (f *fixture) wantRejected(list []rejectedWrite) {
	f.t.Helper()
	for _, c := range list {
		f.WantUnchanged(c.name, func() {
			name, value, _ := strings.Cut(c.header, ": ")
			wantDAVError(f.dav.With(name, value).Do(c.method, c.path, c.body), c.status, c.precondition)
		})
	}
}

// Covers C-15 and PT-40.
func TestWritesWithFailedConditionsChangeNothing(t *testing.T) {
	f, etag := newRejectedWritesFixture(t)
	tea, absent, cake := f.path+"tea.ics", f.path+"new.ics", event("tea", "SUMMARY:Cake")
	f.wantRejected([]rejectedWrite{
		{"If-None-Match * on an object", "PUT", tea, "If-None-Match: *", cake, 412, ""},
		{"If-None-Match with the current ETag", "PUT", tea, "If-None-Match: " + etag, cake, 412, ""},
		{"another ETag", "PUT", tea, `If-Match: "0"`, cake, 412, ""},
		{"a weak ETag", "PUT", tea, "If-Match: W/" + etag, cake, 412, ""},
		{"If-Match * without an object", "PUT", absent, "If-Match: *", cake, 412, ""},
		{"an ETag without an object", "PUT", absent, "If-Match: " + etag, cake, 412, ""},
		{"another ETag on DELETE", "DELETE", tea, `If-Match: "0"`, "", 412, ""},
		{"an unclosed ETag", "PUT", tea, `If-Match: "0`, cake, 400, ""},
		{"an ETag of an object on its calendar", "DELETE", homePath + "work/", "If-Match: " + etag, "", 412, ""},
	})
}

// Covers C-24, C-31, C-32, E-17, E-18, B-83 and PT-40.
func TestInvalidObjectsChangeNothing(t *testing.T) {
	f, _ := newRejectedWritesFixture(t)
	const noData, noObject = "valid-calendar-data", "valid-calendar-object-resource"
	tea, c := event("tea", "SUMMARY:Tea"), event("c")
	replace := func(old, new string) string { return strings.Replace(c, old, new, 1) }
	addComponent := func(component string) string { return replace("END:VCALENDAR", component+"END:VCALENDAR") }
	list := []rejectedWrite{
		{name: "the UID of another object, new name", path: "b.ics", body: tea, precondition: "no-uid-conflict"},
		{name: "another UID than before", path: "tea.ics", body: event("another"), precondition: "no-uid-conflict"},
		{name: "the UID of another object, existing name", path: "tea.ics", body: event("other"), precondition: "no-uid-conflict"},
		{name: "text", body: "Hello", precondition: noData},
		{name: "an empty body", body: "", precondition: noData},
		{name: "a truncated object", body: tea[:len(tea)/2], precondition: noData},
		{name: "month 13", body: apptest.VEvent("c", "DTSTART:20261301T150000Z"), precondition: noData},
		{name: "a date with hyphens", body: apptest.VEvent("c", "DTSTART:2026-12-01"), precondition: noData},
		{name: "an unknown frequency", body: event("c", "RRULE:FREQ=SOMETIMES"), precondition: noData},
		{name: "vCalendar 1.0", body: replace("VERSION:2.0", "VERSION:1.0"), precondition: noData},
		{name: "METHOD", body: replace("VERSION:2.0", "VERSION:2.0\r\nMETHOD:REQUEST"), precondition: noObject},
		{name: "an event and a task", body: addComponent("BEGIN:VTODO\r\nUID:c\r\nEND:VTODO\r\n"), precondition: noObject},
		{name: "two UIDs", body: addComponent("BEGIN:VEVENT\r\nUID:d\r\nDTSTART:20261201T150000Z\r\nEND:VEVENT\r\n"), precondition: noObject},
		{name: "no UID", body: replace("UID:c\r\n", ""), precondition: noObject},
		{name: "no component", body: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", precondition: noObject},
		{name: "availability", body: apptest.VObject("VAVAILABILITY", "c"), precondition: "supported-calendar-component"},
		{name: "1 MiB and one octet", body: sizedObject(1<<20 + 1), precondition: "max-resource-size"},
		{name: "32 MiB and one octet", body: sizedObject(32<<20 + 1), status: 413},
		{name: "a vCard", header: "Content-Type: text/vcard", body: tea, status: 403, precondition: "supported-calendar-data"},
		{name: "a partial PUT", path: "tea.ics", header: "Content-Range: bytes 0-9/100", body: tea, status: 400},
	}
	for i := range list {
		r := &list[i]
		r.method = "PUT"
		if r.path == "" {
			r.path = "c.ics"
		}
		r.path = f.path + r.path
		if r.status == 0 {
			r.status = 403
		}
	}
	f.wantRejected(list)

	conflict := f.dav.Do("PUT", f.path+"b.ics", tea).Want(403)
	if want := "<D:href>" + f.path + "tea.ics</D:href>"; !strings.Contains(conflict.Body, want) {
		t.Errorf("UID conflict: got %s, want %s in it", conflict.Body, want)
	}
	limit := f.dav.With("Depth", "0").Do("PROPFIND", f.path, propfind("<C:max-resource-size/>")).Want(207)
	if want := ">1048576<"; !strings.Contains(limit.Body, want) {
		t.Errorf("max-resource-size: got %s, want %s in it", limit.Body, want)
	}
	f.put("big.ics", sizedObject(1<<20))
}

// Covers C-24, E-17, B-63 and PT-40.
func TestInvalidRequestsChangeNothing(t *testing.T) {
	f, _ := newRejectedWritesFixture(t)
	tea, text := f.path+"tea.ics", event("tea", "SUMMARY:Tea")
	f.wantRejected([]rejectedWrite{
		{"PUT of a calendar", "PUT", f.path, "", text, 409, ""},
		{"PUT in a calendar that does not exist", "PUT", homePath + "none/c.ics", "", text, 409, ""},
		{"PUT below an object", "PUT", tea + "/c.ics", "", text, 409, ""},
		{"PUT of the home", "PUT", homePath, "", text, 405, ""},
		{"DELETE of the default calendar", "DELETE", f.path, "", "", 403, ""},
		{"DELETE of the home", "DELETE", homePath, "", "", 405, ""},
		{"DELETE of nothing", "DELETE", f.path + "none.ics", "", "", 404, ""},
		{"MKCALENDAR of an existing calendar", "MKCALENDAR", homePath + "work/", "", "", 403, "resource-must-be-null"},
		{"MKCALENDAR in a calendar", "MKCALENDAR", f.path + "sub/", "", "", 403, "calendar-collection-location-ok"},
		{"MKCALENDAR outside of the home", "MKCALENDAR", "/caldav/1/sub/", "", "", 403, "calendar-collection-location-ok"},
		{"COPY within a calendar", "COPY", tea, "Destination: " + f.HTTP.URL + f.path + "copy.ics", "", 403, "no-uid-conflict"},
		{"COPY to another server", "COPY", tea, "Destination: /elsewhere/copy.ics", "", 502, ""},
		{"LOCK", "LOCK", tea, "", "", 501, ""},
		{"PROPPATCH without XML", "PROPPATCH", f.path, "", "<propertyupdate", 400, ""},
	})
	f.WantUnchanged("a valid and an invalid property", func() {
		const properties = "<displayname>New</displayname><A:calendar-color>reddish</A:calendar-color>"
		a := f.dav.Do("PROPPATCH", f.path, proppatch(properties)).Want(207)
		if strings.Contains(a.Body, "200 OK") || !strings.Contains(a.Body, "424") {
			t.Errorf("%s: got %s, want status 424 for the valid property", a.About, a.Body)
		}
		f.dav.Do("MKCALENDAR", homePath+"new/", mkcalendar("<displayname>New</displayname><getetag>x</getetag>")).Want(207)
	})
}
