package apptest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"appliance/svc/calendar/ics/icstest"
)

// VEvent returns a calendar object with one event.
func VEvent(uid string, lines ...string) string { return icstest.Event(uid, lines...) }

// VObject returns a calendar object with one component.
func VObject(component, uid string, lines ...string) string {
	return icstest.Object(component, uid, lines...)
}

var hrefElement = regexp.MustCompile(`href>([^<]+)</`)

// Mirrors returns the texts of the entries in the default calendar by path. In
// tests of mirrors it contains nothing else.
func (c *Client) Mirrors() map[string]string {
	c.T.Helper()
	list := make(map[string]string)
	path := c.DefaultCalendar()
	for _, href := range hrefElement.FindAllStringSubmatch(c.Basic().With("Depth", "1").Do("PROPFIND", path, PropfindETags).Want(207).Body, -1) {
		if strings.HasSuffix(href[1], ".ics") {
			list[href[1]] = c.Basic().Do("GET", href[1]).Want(200).Body
		}
	}
	return list
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

// PutSeries stores n series with an occurrence every twelve hours, which is close
// to the limit of indexed occurrences, in the calendar with the path segment.
func (c *Client) PutSeries(n int, segment string) {
	c.T.Helper()
	for i := range n {
		text := VEvent(fmt.Sprint("series-", i), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12", fmt.Sprint("SUMMARY:Number ", i))
		c.Basic().Do("PUT", fmt.Sprintf("/caldav/%d/calendars/%s/%d.ics", c.ID, segment, i), text).Want(201)
	}
}

// Trashed returns the titles in the member's trash, separated by commas.
func (c *Client) Trashed() string {
	c.T.Helper()
	return strings.Join(c.Do("GET", "/world/time/trash").Want(200).Values("trash", "title"), ", ")
}

// EntryFixture is a server on which ann has a default calendar and a calendar
// named Spare.
type EntryFixture struct {
	*Server
	Ann           *Client
	Calendar, Dav string // the calendar of the entry under test, and the path of the entry
	Spare         string // path of the calendar Spare
	ID            string // of the entry under test
}

// NewEntryFixture returns an EntryFixture without an entry.
func NewEntryFixture(t *testing.T) *EntryFixture {
	d := &EntryFixture{Server: New(t, Unlimited)}
	d.Ann = d.Member("ann")
	d.Spare = d.Ann.Do("POST", "/world/calendars", `{"name": "Spare", "timezone": "Europe/Berlin"}`).Want(201).Str("calendar.caldav_path")
	return d
}
