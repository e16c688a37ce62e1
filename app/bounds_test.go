package app

import (
	"testing"
)

// keeps stores an entry over CalDAV, and returns where World has it.
func (c *client) keeps(uid, text string) (path string) {
	c.t.Helper()
	c.basic().do("PUT", c.defaultCalendar()+uid+".ics", text).want(201)
	for _, o := range c.do("GET", "/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200").want(200).list("objects") {
		if dig(o, "state.uid") == uid {
			return dig(o, "links.self").(string)
		}
	}
	c.t.Fatalf("%s is not listed", uid)
	return ""
}

// A time zone that nobody knows is no zone: a time that is given as an instant
// stays one.
func TestChangingAnEntryInAnUnknownTimeZone(t *testing.T) {
	ann := open(t).member("ann")
	path := ann.keeps("nowhere", vevent("nowhere", "DTSTART;TZID=Nowhere/Else:20261125T090000", "RRULE:FREQ=DAILY", "SUMMARY:Somewhere"))
	one := ann.do("PATCH", path, `{"title": "Elsewhere", "scope": "this", "recurrence_id": "2026-12-25T09:00:00Z"}`).want(200)
	if got := one.str("object.state.occurrence.recurrence_id"); got != "2026-12-25T09:00:00" {
		t.Errorf("the change is to %s", got)
	}
	ann.do("DELETE", path+"?scope=this&recurrence_id=2026-12-26T09:00:00Z").want(200)
	ann.do("PATCH", path, `{"exdates": ["2026-12-27T09:00:00Z"]}`).want(200)
	moved := ann.do("PATCH", path, `{"start": "2026-11-25T10:00:00Z"}`).want(200)
	if got := moved.str("object.state.start.utc"); got != "2026-11-25T10:00:00Z" {
		t.Errorf("it starts at %s", got)
	}
}
