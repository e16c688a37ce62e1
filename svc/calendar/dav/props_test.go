package dav

import (
	"strings"
	"testing"

	"appliance/svc/calendar/ics"
)

func TestTheTableOfProperties(t *testing.T) {
	if len(propertyOf) != len(properties) {
		t.Errorf("%d rows have %d names", len(properties), len(propertyOf))
	}
	for _, p := range properties {
		if p.kinds == 0 || p.value == nil || prefixOf(p.name.Space) == foreignPrefix {
			t.Errorf("%v is incomplete", p.name)
		}
		if (p.set != nil || p.initial != nil) && p.kinds&(kindHome|kindCalendar) == 0 {
			t.Errorf("%v can be set, and not on homes or calendars", p.name)
		}
		if (p.set != nil) != (p.field != "" || p.inDeadProperties) {
			t.Errorf("%v can be set without a name for errors, or the other way round", p.name)
		}
	}
}

// Nothing is advertised that does not work, and nothing works that is not
// advertised.
func TestReportsThatAreAdvertisedWork(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, path := range []string{"/caldav/", "/caldav/1/", "/caldav/1/calendars/", "/caldav/1/calendars/home/", "/caldav/1/calendars/home/lunch.ics"} {
		set := read(t, ask(t, h, 1, "PROPFIND", path, `<propfind xmlns="DAV:"><prop><supported-report-set/></prop></propfind>`, "Depth: 0"))
		for _, row := range reports {
			r := ask(t, h, 1, "REPORT", path, `<`+row.name.Local+` xmlns="`+row.name.Space+`"/>`)
			advertised := strings.Contains(set, "<"+prefixOf(row.name.Space)+row.name.Local+"/>")
			if refused := strings.Contains(read(t, r), "<D:supported-report/>"); refused == advertised {
				t.Errorf("%s on %s: advertised %t, refused %t", row.name.Local, path, advertised, refused)
			}
		}
	}
}

// Free-busy scheduling, sharing and push are not here, and no client may think
// so: it would look for inboxes.
func TestNothingOfSchedulingIsAdvertised(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, path := range []string{"/caldav/", "/caldav/1/", "/caldav/1/calendars/", "/caldav/1/calendars/home/"} {
		r := ask(t, h, 1, "OPTIONS", path, "")
		if got := r.Header.Get("DAV"); got != "1, 3, access-control, calendar-access, calendar-no-timezone, extended-mkcol" {
			t.Errorf("%s: DAV %q", path, got)
		}
		names := read(t, ask(t, h, 1, "PROPFIND", path, `<propfind xmlns="DAV:"><propname/></propfind>`, "Depth: 1"))
		if strings.Contains(names, "schedule-inbox") || strings.Contains(names, "schedule-outbox") {
			t.Errorf("%s: %s", path, names)
		}
	}
}

// The protocol does not mind what a filter means; it hands it on.
func TestAQueryHandsOnItsFilterAndZone(t *testing.T) {
	m := newMemory(t)
	h := New(m, "", "/caldav", t.TempDir())
	r := ask(t, h, 1, "REPORT", "/caldav/1/calendars/home/", `<calendar-query xmlns="urn:ietf:params:xml:ns:caldav">
		<filter><comp-filter name="VCALENDAR"><prop-filter name="X-WR-CALNAME"/></comp-filter></filter>
		<timezone>BEGIN:VCALENDAR`+"\nBEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nEND:VTIMEZONE\nEND:VCALENDAR"+`</timezone></calendar-query>`)
	if r.StatusCode != 207 || m.zone == nil || m.zone.String() != "Asia/Tokyo" {
		t.Errorf("%d, zone %v", r.StatusCode, m.zone)
	}
	if want := (ics.PropFilter{Name: "X-WR-CALNAME"}); len(m.filter.Comp.Props) != 1 || m.filter.Comp.Props[0].Name != want.Name {
		t.Errorf("filter %+v", m.filter)
	}
}
