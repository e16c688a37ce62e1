package apptest

import (
	"fmt"
	"regexp"
	"strings"

	"appliance/svc/calendar/ics/icstest"
)

// VEvent returns a calendar object with one event.
func VEvent(uid string, lines ...string) string { return icstest.Event(uid, lines...) }

// VObject returns a calendar object with one component.
func VObject(component, uid string, lines ...string) string {
	return icstest.Object(component, uid, lines...)
}

var hrefElement = regexp.MustCompile(`href>([^<]+)</`)

// Mirrors returns the iCalendar texts of all entries in the default calendar, by
// path. The tests that call it store only mirrors there.
func (c *Client) Mirrors() map[string]string {
	c.T.Helper()
	texts := make(map[string]string)
	path := c.DefaultCalendar()
	for _, href := range hrefElement.FindAllStringSubmatch(c.Basic().With("Depth", "1").Do("PROPFIND", path, PropfindETags).Want(207).Body, -1) {
		if strings.HasSuffix(href[1], ".ics") {
			texts[href[1]] = c.Basic().Do("GET", href[1]).Want(200).Body
		}
	}
	return texts
}

// Mirror returns the path and the text of the member's only mirror.
func (c *Client) Mirror() (href, text string) {
	c.T.Helper()
	list := c.Mirrors()
	if len(list) != 1 {
		c.T.Fatalf("%s: got %d mirrors, want 1: %v", c.Name, len(list), list)
	}
	for href, text = range list {
	}
	return href, text
}

// CreateEntries creates events and tasks of every kind, through World and CalDAV.
func (c *Client) CreateEntries() {
	c.T.Helper()
	for _, body := range []string{
		`{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00", "end": "2026-12-01T09:30:00", "location": "Main St 1", "alarms": [{"trigger": "-PT15M"}]}`,
		`{"object_type": "calendar_event", "title": "Choir <b>", "start": "2026-11-16T19:00:00", "rrule": "FREQ=WEEKLY", "exdates": ["2026-11-23T19:00:00"]}`,
		`{"object_type": "calendar_event", "title": "Holiday", "start": "2026-12-24", "end": "2026-12-27"}`,
		`{"object_type": "task", "title": "Taxes", "due": "2027-05-31", "priority": 1}`,
		`{"object_type": "task", "title": "Some day"}`,
		`{"object_type": "calendar_event", "title": "Next year", "start": "2027-08-01T09:00:00"}`,
	} {
		c.Do("POST", "/world/time/objects", body).Want(201)
	}
	path := c.DefaultCalendar()
	c.Basic().Do("PUT", path+"minutely.ics", VEvent("minutely", "DTSTART:20261121T000000Z", "RRULE:FREQ=MINUTELY", "SUMMARY:Every minute")).Want(201)
	c.Basic().Do("PUT", path+"floating.ics", VEvent("floating", "DTSTART:20261122T080000", "DURATION:PT1H", "SUMMARY:Wherever I am")).Want(201)
}

// PutSeries stores n series in the calendar with a path segment. Each has an
// occurrence every twelve hours, which is close to the limit of indexed
// occurrences.
func (c *Client) PutSeries(n int, segment string) {
	c.T.Helper()
	for i := range n {
		text := VEvent(fmt.Sprint("series-", i), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12", fmt.Sprint("SUMMARY:Number ", i))
		c.Basic().Do("PUT", fmt.Sprintf("/caldav/%d/calendars/%s/%d.ics", c.ID, segment, i), text).Want(201)
	}
}

// CreateCalendar creates a calendar with n entries, of which every tenth recurs, and returns
// its id and its path. name must be a path segment.
func (c *Client) CreateCalendar(name string, n int) (id, path string) {
	c.T.Helper()
	created := c.Do("POST", "/world/calendars", map[string]any{"name": name}).Want(201)
	id, path = created.Str("calendar.id"), created.Str("calendar.caldav_path")
	if n == 0 {
		return id, path
	}
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n")
	for i := range n {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%s-%d\r\nDTSTAMP:20261121T000000Z\r\nDTSTART:20261201T090000Z\r\nDURATION:PT1H\r\nSUMMARY:%d\r\n", name, i, i)
		if i%10 == 0 {
			text.WriteString("RRULE:FREQ=WEEKLY;COUNT=20\r\n")
		}
		text.WriteString("END:VEVENT\r\n")
	}
	text.WriteString("END:VCALENDAR\r\n")
	imported := c.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+id+"/import", text.String()).Want(200)
	if got := imported.At("report.imported"); got != float64(n) {
		c.T.Fatalf("imported %v entries, want %d", got, n)
	}
	return id, path
}

// CountEntries returns the number of entries of the calendar at a path, as a CalDAV client
// sees it.
func (c *Client) CountEntries(path string) int {
	c.T.Helper()
	list := c.Basic().With("Depth", "1").Do("PROPFIND", path, `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`).Want(207)
	return strings.Count(list.Body, ".ics<")
}

// TrashTitles returns the titles in the member's trash, separated by commas.
func (c *Client) TrashTitles() string {
	c.T.Helper()
	return strings.Join(c.Do("GET", "/world/time/trash").Want(200).Values("trash", "title"), ", ")
}
