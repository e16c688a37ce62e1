package dav

import (
	"strings"
	"testing"

	"appliance/svc/calendar/ics"
)

func TestTableOfPropertiesIsConsistent(t *testing.T) {
	if len(propertyOf) != len(properties) {
		t.Errorf("got %d names, want %d", len(propertyOf), len(properties))
	}
	for _, p := range properties {
		if p.kinds == 0 || p.value == nil || prefixOf(p.name.Space) == foreignPrefix {
			t.Errorf("%v: got an incomplete row", p.name)
		}
		if (p.set != nil || p.initial != nil) && p.kinds&(kindHome|kindCalendar) == 0 {
			t.Errorf("%v: got a setter, but it is defined neither on homes nor on calendars", p.name)
		}
		if (p.set != nil) != (p.field != "" || p.inDeadProperties) {
			t.Errorf("%v: want a setter if and only if it has a field or is a dead property", p.name)
		}
	}
}

// DAV:supported-report-set contains a REPORT if and only if the resource supports
// it.
func TestSupportedReportsAreAdvertised(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, path := range []string{"/caldav/", "/caldav/1/", "/caldav/1/calendars/", "/caldav/1/calendars/home/", "/caldav/1/calendars/home/lunch.ics"} {
		set := read(t, sendRequest(t, h, 1, "PROPFIND", path, `<propfind xmlns="DAV:"><prop><supported-report-set/></prop></propfind>`, "Depth: 0"))
		for _, row := range reports {
			r := sendRequest(t, h, 1, "REPORT", path, `<`+row.name.Local+` xmlns="`+row.name.Space+`"/>`)
			advertised := strings.Contains(set, "<"+prefixOf(row.name.Space)+row.name.Local+"/>")
			if rejected := strings.Contains(read(t, r), "<D:supported-report/>"); rejected == advertised {
				t.Errorf("%s on %s: got advertised %t, rejected %t", row.name.Local, path, advertised, rejected)
			}
		}
	}
}

// Scheduling, sharing and push are not advertised, because they are not
// implemented. Clients would otherwise search for scheduling inboxes.
func TestSchedulingIsNotAdvertised(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, path := range []string{"/caldav/", "/caldav/1/", "/caldav/1/calendars/", "/caldav/1/calendars/home/"} {
		r := sendRequest(t, h, 1, "OPTIONS", path, "")
		if got, want := r.Header.Get("DAV"), "1, 3, access-control, calendar-access, calendar-no-timezone, extended-mkcol"; got != want {
			t.Errorf("%s: got DAV %q, want %q", path, got, want)
		}
		names := read(t, sendRequest(t, h, 1, "PROPFIND", path, `<propfind xmlns="DAV:"><propname/></propfind>`, "Depth: 1"))
		if strings.Contains(names, "schedule-inbox") || strings.Contains(names, "schedule-outbox") {
			t.Errorf("%s: got %s, want neither inbox nor outbox", path, names)
		}
	}
}

func TestQueryPassesFilterAndZoneToTheBackend(t *testing.T) {
	m := newMemory(t)
	h := New(m, "", "/caldav", t.TempDir())
	r := sendRequest(t, h, 1, "REPORT", "/caldav/1/calendars/home/", `<calendar-query xmlns="urn:ietf:params:xml:ns:caldav">
		<filter><comp-filter name="VCALENDAR"><prop-filter name="X-WR-CALNAME"/></comp-filter></filter>
		<timezone>BEGIN:VCALENDAR`+"\nVERSION:2.0\nPRODID:x\nBEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nEND:VCALENDAR"+`</timezone></calendar-query>`)
	if r.StatusCode != 207 || m.zone == nil || m.zone.String() != "Asia/Tokyo" {
		t.Errorf("got %d, zone %v; want 207, Asia/Tokyo", r.StatusCode, m.zone)
	}
	if want := (ics.PropFilter{Name: "X-WR-CALNAME"}); len(m.filter.Comp.Props) != 1 || m.filter.Comp.Props[0].Name != want.Name {
		t.Errorf("got filter %+v, want %+v", m.filter, want)
	}
}
