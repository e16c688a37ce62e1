package calendar

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// homePath is the path of the calendar home of the first member.
const homePath = "/caldav/1/calendars/"

// fixture is a server with the member ann.
type fixture struct {
	*apptest.Server
	t    *testing.T
	ann  *apptest.Client // of the JSON API
	dav  *apptest.Client // with Basic credentials
	path string          // of the default calendar
}

func newFixture(t *testing.T, change ...func(*config.Settings)) *fixture {
	t.Helper()
	s := apptest.New(t, change...)
	ann := s.Member("ann")
	return &fixture{Server: s, t: t, ann: ann, dav: ann.Basic(), path: ann.DefaultCalendar()}
}

// put stores a new object in the default calendar and returns its ETag.
func (f *fixture) put(name, text string) (etag string) {
	f.t.Helper()
	return f.dav.Do("PUT", f.path+name, text).Want(201).Header.Get("ETag")
}

// teaTime is the start of most events.
const teaTime = "DTSTART:20261201T150000Z"

// event returns an event on 1 December 2026 with additional lines.
func event(uid string, lines ...string) string {
	return apptest.VEvent(uid, append([]string{teaTime}, lines...)...)
}

// Request bodies. The default namespace is DAV:. The prefix C is CalDAV, A is Apple's calendar
// properties, and X is urn:example.
const namespaces = ` xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/" xmlns:X="urn:example"`

const calendarData = `<C:calendar-data/>`

func propfind(properties string) string {
	return `<propfind` + namespaces + `><prop>` + properties + `</prop></propfind>`
}

func setProperties(properties string) string { return `<set><prop>` + properties + `</prop></set>` }

func proppatch(properties string) string {
	return `<propertyupdate` + namespaces + `>` + setProperties(properties) + `</propertyupdate>`
}

func mkcalendar(properties string) string {
	return `<C:mkcalendar` + namespaces + `>` + setProperties(properties) + `</C:mkcalendar>`
}

// query returns a calendar-query with a filter inside VCALENDAR.
func query(properties, filter string) string {
	return `<C:calendar-query` + namespaces + `><prop>` + properties + `</prop><C:filter><C:comp-filter name="VCALENDAR">` + filter +
		`</C:comp-filter></C:filter></C:calendar-query>`
}

// eventFilter returns a filter for events that match a condition.
func eventFilter(condition string) string {
	return `<C:comp-filter name="VEVENT">` + condition + `</C:comp-filter>`
}

func timeRange(start, end string) string {
	return fmt.Sprintf(`<C:time-range start="%s" end="%s"/>`, start, end)
}

func expand(start, end string) string {
	return fmt.Sprintf(`<C:calendar-data><C:expand start="%s" end="%s"/></C:calendar-data>`, start, end)
}

func multiget(properties string, hrefs ...string) string {
	body := `<C:calendar-multiget` + namespaces + `><prop>` + properties + `</prop>`
	for _, href := range hrefs {
		body += `<href>` + strings.ReplaceAll(href, "&", "&amp;") + `</href>`
	}
	return body + `</C:calendar-multiget>`
}

// firstSync returns a sync-collection report without a token, for the initial
// synchronization.
func firstSync(properties string) string {
	return `<sync-collection` + namespaces + `><sync-token/><sync-level>1</sync-level><prop>` + properties + `</prop></sync-collection>`
}

// wantDAVError fails the test unless the response has the status and a DAV:error
// whose first element is the precondition. An empty name stands for any element.
func wantDAVError(a *apptest.Answer, status int, precondition string) {
	a.T.Helper()
	a.Want(status)
	var e struct {
		XMLName  xml.Name                     `xml:"DAV: error"`
		Children []struct{ XMLName xml.Name } `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(a.Body), &e); err != nil || len(e.Children) == 0 {
		a.T.Fatalf("%s: got %v in %s, want a DAV:error with content", a.About, err, a.Body)
	}
	if got := a.Header.Get("Content-Type"); !strings.HasPrefix(got, "application/xml") {
		a.T.Errorf("%s: got an error of type %s, want application/xml", a.About, got)
	}
	if got := e.Children[0].XMLName.Local; precondition != "" && got != precondition {
		a.T.Errorf("%s: got precondition %s, want %s", a.About, got, precondition)
	}
}
