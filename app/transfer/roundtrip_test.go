package transfer_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// calendarProperties returns the properties of the calendars of a member, sorted, with the number of
// their entries.
func calendarProperties(c *apptest.Client) string {
	c.T.Helper()
	var list []string
	for _, calendar := range c.Do("GET", "/world/calendars").Want(200).List("calendars") {
		at := func(path string) any { return apptest.At(calendar, path) }
		list = append(list, fmt.Sprintf("%v|%v|%v|%v|%v|%d", at("name"), at("description"), at("color"), at("timezone"), at("components"), c.CountEntries(at("caldav_path").(string))))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// The calendars of a member keep their properties on another server, whether they are imported from
// files, from the export of the member or from the server. Covers B-118.
func TestImportedCalendarsKeepTheirProperties(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	created := ann.Do("POST", "/world/calendars", `{"name": "School", "description": "Holidays\nand more", "color": "#ff2d55", "timezone": "America/New_York"}`).Want(201)
	dav := ann.Basic()
	dav.Do("PUT", created.Str("calendar.caldav_path")+"a.ics", apptest.VEvent("a", "DTSTART:20261201T090000")).Want(201)
	dav.Do("PUT", ann.DefaultCalendar()+"b.ics", apptest.VEvent("b", "DTSTART;TZID=Europe/Berlin:20261201T090000")).Want(201)
	dav.Do("MKCALENDAR", "/caldav/1/calendars/tasks/", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><set><prop><displayname>Tasks</displayname>`+
		`<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>`).Want(201)
	dav.Do("PUT", "/caldav/1/calendars/tasks/c.ics", apptest.VObject("VTODO", "c", "SUMMARY:Taxes")).Want(201)
	want := calendarProperties(ann)

	dir := t.TempDir()
	files, export := filepath.Join(dir, "files"), filepath.Join(dir, "export")
	for _, args := range [][]string{{"calendar", "export", "ann", files}, {"admin", "members", "export", "ann", export}} {
		if status, _, errs := s.RunCommand("", args...); status != 0 {
			t.Fatal(errs)
		}
	}
	allComponents := strings.NewReplacer("[VTODO]", "[VEVENT VTODO VJOURNAL VFREEBUSY]") // a file does not say which ones it may contain
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"files":  {[]string{files}, allComponents.Replace(want)},
		"export": {[]string{export}, want},
		"server": {[]string{"--from", s.HTTP.URL, "--user", "ann", "--password-stdin"}, want},
	} {
		other := apptest.New(t)
		bea := other.Member("bea")
		for i, imported := range []string{"Imported: 3.", "Imported: 0. Already present: 3."} {
			status, out, errs := other.RunCommand(apptest.Password+"\n", append([]string{"calendar", "import", "bea"}, c.args...)...)
			if status != 0 || out != imported+"\n" {
				t.Errorf("%s, import %d: got status %d, %s%s, want %s", name, i, status, out, errs, imported)
			}
			if got := calendarProperties(bea); got != c.want {
				t.Errorf("%s, import %d: got the calendars\n%s\nwant\n%s", name, i, got, c.want)
			}
		}
	}
}
