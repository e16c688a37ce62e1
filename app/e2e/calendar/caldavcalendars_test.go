package calendar

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

// MKCALENDAR and extended MKCOL create a calendar. CalDAV and the JSON API show
// the same name, color and order, and each shows the changes of the other. Covers C-22, C-23,
// T-01, T-02, T-03 and B-55.
func TestCalendarPropertiesAreSharedWithWorld(t *testing.T) {
	f := newFixture(t)
	const name = "<displayname>Café &amp; <![CDATA[<Bar>]]></displayname>"
	for i, c := range []struct{ method, body string }{
		{"MKCALENDAR", mkcalendar(name)},
		{"MKCOL", `<mkcol` + namespaces + `>` + setProperties("<resourcetype><collection/><C:calendar/></resourcetype>"+name) + `</mkcol>`},
	} {
		t.Run(c.method, func(t *testing.T) {
			path := fmt.Sprintf("%snew-%d/", homePath, i)
			f.dav.Do(c.method, path, c.body).Want(201)
			created := f.ann.Do("GET", "/world/calendars").Want(200)
			created.WantValues(fmt.Sprintf("calendars.%d", i+1), map[string]any{"name": "Café & <Bar>"})
			apiPath := "/world/calendars/" + created.Str(fmt.Sprintf("calendars.%d.id", i+1))

			f.dav.Do("PROPPATCH", path, proppatch("<displayname>Work</displayname><A:calendar-color>#FF2968FF</A:calendar-color><A:calendar-order>7</A:calendar-order>")).Want(207)
			byDAV := f.ann.Do("GET", apiPath).Want(200)
			byDAV.WantValues("calendar", map[string]any{"name": "Work", "color": "#ff2968", "order": 7})
			read := f.dav.With("Depth", "0").Do("PROPFIND", path, propfind("<displayname/><A:calendar-color/><A:calendar-order/>")).Want(207).Body
			for _, want := range []string{">work<", ">7<", "#ff2968"} {
				if !strings.Contains(strings.ToLower(read), want) {
					t.Errorf("PROPFIND: got %s, want %s in it", read, want)
				}
			}

			byWorld := f.ann.Do("PATCH", apiPath, `{"name": "Play", "color": "#00FF00", "description": "Games"}`).Want(200)
			byWorld.WantValues("calendar", map[string]any{"name": "Play", "color": "#00ff00"})
			if got := byWorld.Str("calendar.etag"); got == byDAV.Str("calendar.etag") {
				t.Errorf("JSON ETag after a change: got %s as before, want another one", got)
			}
			if got, want := f.dav.With("Depth", "0").Do("PROPFIND", path, propfind("<displayname/>")).Want(207).Body, ">Play<"; !strings.Contains(got, want) {
				t.Errorf("PROPFIND: got %s, want %s in it", got, want)
			}
		})
	}
}

// PROPPATCH and DELETE of a calendar accept the ETag of the exported calendar
// as a condition, in If-Match and If. Covers C-15.
func TestCalendarWritesCheckTheETagOfTheExport(t *testing.T) {
	f := newFixture(t)
	const path = homePath + "new/"
	f.dav.Do("MKCALENDAR", path).Want(201)
	etag := func() string { return f.dav.Do("GET", path).Want(200).Header.Get("ETag") }
	stale := etag()
	f.dav.Do("PUT", path+"tea.ics", event("tea")).Want(201)
	rename := proppatch("<displayname>Work</displayname>")
	f.dav.With("If-Match", stale).Do("PROPPATCH", path, rename).Want(412)
	f.dav.With("If-Match", stale).Do("DELETE", path).Want(412)
	f.dav.With("If", "(["+stale+"])").Do("DELETE", path).Want(412)
	f.dav.With("If-Match", etag()).Do("PROPPATCH", path, rename).Want(207)
	f.dav.With("If-Match", "*").Do("PROPPATCH", path, rename).Want(207)
	f.dav.With("If", "(["+etag()+"])").Do("DELETE", path).Want(204)
}

// PROPPATCH accepts the calendar-timezone that PROPFIND returns (RFC 4791 §5.2.2), also for UTC,
// the time zone of new calendars.
func TestCalendarTimezoneRoundTrips(t *testing.T) {
	f := newFixture(t)
	apiPath := strings.Replace(strings.TrimSuffix(f.path, "/"), "/caldav/1", "/world", 1)
	for _, zone := range []string{"UTC", "Europe/Berlin"} {
		f.ann.Do("PATCH", apiPath, `{"timezone": "`+zone+`"}`).Want(200)
		var read struct {
			Text string `xml:"response>propstat>prop>calendar-timezone"`
		}
		a := f.dav.With("Depth", "0").Do("PROPFIND", f.path, propfind("<C:calendar-timezone/>")).Want(207)
		if err := xml.Unmarshal([]byte(a.Body), &read); err != nil || !strings.Contains(read.Text, "TZID:"+zone) {
			t.Errorf("%s: got %v and calendar-timezone %q, want TZID:%s in it", zone, err, read.Text, zone)
		}
		written := f.dav.Do("PROPPATCH", f.path, proppatch("<C:calendar-timezone>"+read.Text+"</C:calendar-timezone>")).Want(207).Body
		if !strings.Contains(written, "HTTP/1.1 200") || strings.Contains(written, "HTTP/1.1 4") {
			t.Errorf("%s: PROPPATCH: got %s, want status 200", zone, written)
		}
	}
}
