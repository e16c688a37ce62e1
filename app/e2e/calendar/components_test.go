package calendar

import (
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// componentSet returns a CALDAV:supported-calendar-component-set.
func componentSet(components ...string) string {
	return `<C:supported-calendar-component-set><C:comp name="` + strings.Join(components, `"/><C:comp name="`) + `"/></C:supported-calendar-component-set>`
}

// mkcolCalendar returns the body of an extended MKCOL (RFC 5689 §3) that creates
// a calendar.
func mkcolCalendar(properties string) string {
	return `<mkcol` + namespaces + `>` + setProperties("<resourcetype><collection/><C:calendar/></resourcetype>"+properties) + `</mkcol>`
}

// components returns the component set that PROPFIND reports.
func (f *fixture) components(path string) []string {
	f.T.Helper()
	a := f.dav.With("Depth", "0").Do("PROPFIND", path, propfind("<C:supported-calendar-component-set/>")).Want(207)
	var names []string
	for part := range strings.SplitSeq(a.Body, `name="`) {
		if name, _, ok := strings.Cut(part, `"`); ok && strings.HasPrefix(name, "V") {
			names = append(names, name)
		}
	}
	return names
}

// A new calendar has the components that the client names, or all of them by
// default. The set cannot be changed later (RFC 4791 §5.2.3). Covers B-94 and
// C-11.
func TestComponentSetOfNewCalendarIsThatOfTheRequest(t *testing.T) {
	f := newFixture(t)
	all := []string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"}
	if got := f.components(f.path); !slices.Equal(got, all) {
		t.Errorf("the first calendar: got %q, want %q", got, all)
	}
	for _, c := range []struct {
		name, method, body string
		want               []string
	}{
		{"plain", "MKCALENDAR", "", all},
		{"named", "MKCALENDAR", mkcalendar("<displayname>Mixed</displayname>"), all},
		{"tasks", "MKCALENDAR", mkcalendar(componentSet("VTODO")), []string{"VTODO"}},
		{"events", "MKCALENDAR", mkcalendar(componentSet("vevent", "VEVENT")), []string{"VEVENT"}},
		{"journal", "MKCOL", mkcolCalendar(componentSet("VJOURNAL", "VTODO")), []string{"VJOURNAL", "VTODO"}},
		{"mixed", "MKCOL", mkcolCalendar(""), all},
	} {
		path := homePath + c.name + "/"
		f.dav.Do(c.method, path, c.body).Want(201)
		if got := f.components(path); !slices.Equal(got, c.want) {
			t.Errorf("%s: got components %q, want %q", c.name, got, c.want)
		}
	}
	f.WantUnchanged("PROPPATCH of the set, which is protected", func() {
		a := f.dav.Do("PROPPATCH", homePath+"tasks/", proppatch(componentSet("VEVENT"))).Want(207)
		if !strings.Contains(a.Body, "cannot-modify-protected-property") {
			t.Errorf("got %s, want cannot-modify-protected-property", a.Body)
		}
	})
}

// A component set that is empty or contains an unknown component is rejected:
// no calendar is created, and the error names the property (RFC 4791 §5.3.1,
// RFC 5689 §3). Covers B-94.
func TestInvalidComponentSetCreatesNoCalendar(t *testing.T) {
	f := newFixture(t)
	for name, set := range map[string]string{
		"an unknown component":       componentSet("VEVENT", "VPOLL"),
		"a component of an object":   componentSet("VALARM"),
		"no component":               `<C:supported-calendar-component-set/>`,
		"an element without a name":  `<C:supported-calendar-component-set><C:comp/></C:supported-calendar-component-set>`,
		"an element of another kind": `<C:supported-calendar-component-set><C:prop name="VEVENT"/></C:supported-calendar-component-set>`,
	} {
		f.WantUnchanged(name, func() {
			for _, c := range []struct {
				method, body string
				status       int
			}{
				{"MKCALENDAR", mkcalendar("<displayname>x</displayname>" + set), 207},
				{"MKCOL", mkcolCalendar(set), 403},
			} {
				a := f.dav.Do(c.method, homePath+"new/", c.body).Want(c.status)
				if !strings.Contains(a.Body, "supported-calendar-component-set") || !strings.Contains(a.Body, " 403 ") || !strings.Contains(a.Body, " 424 ") {
					t.Errorf("%s with %s: got %s, want 403 for the set and 424 for other properties", c.method, name, a.Body)
				}
			}
		})
	}
}

// PUT, POST, COPY and MOVE of an object into a calendar without its component
// are rejected (RFC 4791 §5.3.2.1). Covers B-94 and C-24.
func TestObjectsOutsideTheComponentSetAreRejected(t *testing.T) {
	f := newFixture(t)
	const tasks = homePath + "tasks/"
	f.dav.Do("MKCALENDAR", tasks, mkcalendar(componentSet("VTODO"))).Want(201)
	f.dav.Do("PUT", tasks+"taxes.ics", apptest.VObject("VTODO", "taxes")).Want(201)
	f.put("tea.ics", event("tea"))
	f.WantUnchanged("an event in a calendar of tasks", func() {
		wantDAVError(f.dav.Do("PUT", tasks+"tea.ics", event("tea")), 403, "supported-calendar-component")
		wantDAVError(f.dav.Do("PUT", tasks+"taxes.ics", event("taxes")), 403, "supported-calendar-component")
		wantDAVError(f.dav.Do("POST", tasks, event("tea")), 403, "supported-calendar-component")
		wantDAVError(f.dav.With("Destination", tasks+"tea.ics").Do("COPY", f.path+"tea.ics"), 403, "supported-calendar-component")
		wantDAVError(f.dav.With("Destination", tasks+"tea.ics").Do("MOVE", f.path+"tea.ics"), 403, "supported-calendar-component")
	})
}

// A write over the JSON API into a calendar without the component names the
// calendars of the member that accept it. Covers B-94.
func TestUnsupportedComponentErrorListsSuitableCalendars(t *testing.T) {
	f := newFixture(t)
	for name, component := range map[string]string{"tasks": "VTODO", "events": "VEVENT"} {
		f.dav.Do("MKCALENDAR", homePath+name+"/", mkcalendar(componentSet(component))).Want(201)
	}
	f.Member("bea").Basic().Do("MKCALENDAR", "/caldav/2/calendars/other/").Want(201)
	ids := map[string]string{}
	list := f.ann.Do("GET", "/world/calendars").Want(200)
	for i, name := range list.Values("calendars", "name") {
		ids[name] = list.Values("calendars", "id")[i]
	}
	f.dav.Do("PUT", homePath+"events/tea.ics", event("tea")).Want(201)
	tea := "/world/time/objects/" + f.ann.Do("GET", "/world/time/objects").Want(200).Str("objects.0.id")
	f.dav.Do("PUT", homePath+"events/deleted.ics", event("deleted")).Want(201)
	f.dav.Do("DELETE", homePath+"events/deleted.ics").Want(204)
	restore := f.ann.Do("GET", "/world/time/trash").Want(200).Str("trash.0.actions.restore")
	for _, c := range []struct {
		name, method, path string
		body               any
		field              string
	}{
		{"a new event", "POST", "/world/time/objects", map[string]any{"object_type": "calendar_event", "title": "x", "start": "2026-12-01T09:00:00", "calendar_id": ids["tasks"]}, "calendar_id"},
		{"a moved event", "PATCH", tea, map[string]any{"calendar_id": ids["tasks"]}, "calendar_id"},
		{"the events of a deleted calendar", "DELETE", "/world/calendars/" + ids["events"] + "?move_to=" + ids["tasks"], nil, "move_to"},
		{"a restored event", "POST", restore, map[string]any{"calendar_id": ids["tasks"]}, "calendar_id"},
	} {
		f.WantUnchanged(c.name, func() {
			a := f.ann.Do(c.method, c.path, c.body).WantError(422, "component_not_supported").WantFields(c.field)
			if got, want := a.Column("error.fields.0.calendars", "name"), "Calendar events"; got != want {
				t.Errorf("%s: got calendars %q, want %q", c.name, got, want)
			}
		})
	}
	f.ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": "x", "calendar_id": ids["tasks"]}).Want(201)
}
