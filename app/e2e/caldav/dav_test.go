package caldav

import (
	"bytes"
	"crypto/tls"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc/calendar/ics"
)

// condition fails the test unless the answer is a DAV:error with the
// condition in it, or with a word at least.
func condition(a *apptest.Answer, status int, name string) *apptest.Answer {
	a.T.Helper()
	a.Want(status)
	var e struct {
		XMLName xml.Name `xml:"DAV: error"`
		Inside  []struct {
			XMLName xml.Name
			Text    string `xml:",innerxml"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(a.Body), &e); err != nil || len(e.Inside) == 0 {
		a.T.Fatalf("%s: %v in %s", a.About, err, a.Body)
	}
	if kind := a.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/xml") {
		a.T.Errorf("%s: an error of type %s", a.About, kind)
	}
	if name != "" && e.Inside[0].XMLName.Local != name {
		a.T.Errorf("%s: the condition is %s, want %s", a.About, e.Inside[0].XMLName.Local, name)
	}
	return a
}

// Covers C-01, C-02, C-03, C-04, C-05, C-07, C-10 and B-14.
func TestCalendarsAreBehindAPassword(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	basic := func(login, password string) *apptest.Client {
		r, _ := http.NewRequest("GET", "/", nil)
		r.SetBasicAuth(login, password)
		return h.Unauthenticated().With("Authorization", r.Header.Get("Authorization"))
	}
	principal := `<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>`
	for _, c := range []struct {
		name   string
		as     *apptest.Client
		status int
	}{
		{"the user name", basic("ann", apptest.Password), 207},
		{"the user name as a phone writes it", basic("Ann", apptest.Password), 207},
		{"the address", basic("ann@example.org", apptest.Password), 207},
		{"a header that names somebody else", basic("ann", apptest.Password).With("X-Service-Member-Id", "2"), 207},
		{"somebody else's token in a cookie", basic("ann", apptest.Password).With("Cookie", "world_session="+bea.Token), 207},
		{"nothing", h.Unauthenticated(), 401},
		{"a wrong password", basic("ann", "wrong"), 401},
		{"no password", basic("ann", ""), 401},
		{"nobody's name", basic("cleo", apptest.Password), 401},
		{"no name", basic("", apptest.Password), 401},
		{"a name with a NUL", basic("ann\x00", apptest.Password), 401},
		{"a name that is not UTF-8", basic("\xff\xfe", apptest.Password), 401},
		{"a password that is not UTF-8", basic("ann", "\xff\xfe"), 401},
		{"a very long name", basic(strings.Repeat("a", 5000), apptest.Password), 401},
		{"a token", ann, 401},
		{"a token as a password", basic("ann", ann.Token), 401},
		{"a cookie", h.Unauthenticated().With("Cookie", "world_session="+ann.Token), 401},
		{"what is not Base64", h.Unauthenticated().With("Authorization", "Basic §§§"), 401},
	} {
		for _, root := range []string{"/caldav/", "/dav/", "/caldav"} {
			a := c.as.With("Depth", "0").Do("PROPFIND", root, principal)
			if a.Status != c.status {
				t.Errorf("%s at %s: status %d, want %d", c.name, root, a.Status, c.status)
			}
			if challenge := `Basic realm="appliance calendar", charset="UTF-8"`; a.Status == 401 && a.Header.Get("WWW-Authenticate") != challenge {
				t.Errorf("%s at %s: asks for %q", c.name, root, a.Header.Get("WWW-Authenticate"))
			}
			mount := strings.TrimSuffix(root, "/")
			if a.Status == 207 && (!strings.Contains(a.Body, "<D:href>"+mount+"/1/</D:href>") || strings.Contains(a.Body, mount+"/2/")) {
				t.Errorf("%s at %s: %s", c.name, root, a.Body)
			}
		}
	}
	if got := h.Unauthenticated().Do("GET", "/.well-known/caldav").Want(301).Header.Get("Location"); got != "/caldav/" {
		t.Errorf("the well-known address leads to %s", got)
	}
}

// What a client PUT comes back octet for octet whichever way it is asked for,
// under the ETag that the PUT was answered with. Covers C-12, C-13, C-14,
// C-16, C-30, T-07 and PT-22.
func TestObjectsComeBackAsTheyWere(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	objects := maps.Clone(apptest.RealObjects)
	objects["newlines-only"] = strings.ReplaceAll(apptest.VEvent("lf", "DTSTART:20261201T090000Z", "SUMMARY:LF"), "\r\n", "\n")
	objects["byte-order-mark"] = "\ufeff" + apptest.VEvent("bom", "DTSTART:20261201T090000Z", "SUMMARY:BOM")
	objects["blank-lines"] = "\r\n" + apptest.VEvent("blank", "DTSTART:20261201T090000Z", "", "SUMMARY:Blank") + "\r\n\r\n"
	objects["no-last-line-end"] = strings.TrimSpace(apptest.VEvent("end", "DTSTART:20261201T090000Z", "SUMMARY:End"))
	objects["markup"] = apptest.VEvent("markup", "DTSTART:20261201T090000Z", "SUMMARY:]]> & <b>Markup</b> &#13;")
	objects["white-space"] = apptest.VEvent("space", "DTSTART:20261201T090000Z", "SUMMARY:White space", "DESCRIPTION:\ta\u00a0b\u2028c\u0085d  ")
	for name, text := range objects {
		t.Run(name, func(t *testing.T) {
			path := at + name + ".ics"
			first := dav.Do("PUT", path, text).Want(201).Header.Get("ETag")
			if again := dav.Do("PUT", path, text).Want(204).Header.Get("ETag"); again != first || !strings.HasPrefix(first, `"`) {
				t.Errorf("the ETag of the same octets was %s and is %s", first, again)
			}
			got := dav.Do("GET", path).Want(200)
			if got.Body != text || got.Header.Get("ETag") != first {
				t.Errorf("%s became %s\n%s", first, got.Header.Get("ETag"), got.Body)
			}
			if head := dav.Do("HEAD", path).Want(200); head.Header.Get("ETag") != first || head.Header.Get("Content-Length") != fmt.Sprint(len(text)) || head.Body != "" {
				t.Errorf("HEAD: %v", head.Header)
			}
			dav.With("If-None-Match", first).Do("GET", path).Want(304)
			data := `<prop xmlns="DAV:"><getetag/><calendar-data xmlns="urn:ietf:params:xml:ns:caldav"/></prop>`
			for report, body := range map[string]string{
				"multiget": `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">` + data + `<D:href>` + path + `</D:href></C:calendar-multiget>`,
				"query":    `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav">` + data + `<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`,
				"sync":     `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level>` + data + `</sync-collection>`,
			} {
				found := false
				for _, e := range dav.Do("REPORT", at, body).Multistatus().Entries {
					if e.Href == path {
						found = true
						if e.ETag != first || e.Data != text {
							t.Errorf("%s: ETag %s, data %q", report, e.ETag, e.Data)
						}
					}
				}
				if !found {
					t.Errorf("%s does not find it", report)
				}
			}
			dav.Do("DELETE", path).Want(204)
			dav.Do("GET", path).Want(404)
			dav.Do("DELETE", path).Want(404)
			if dav.Do("PUT", path, text).Want(201).Header.Get("ETag") != first {
				t.Error("the ETag is another one after a deletion")
			}
			if native := ann.Do("GET", "/world/time/objects?start=2026-01-01&end=2028-01-01&limit=200").Want(200); !strings.Contains(native.Body, titleOf(t, text)) {
				t.Errorf("%q is not there natively", titleOf(t, text))
			}
		})
	}
	kinds := dav.With("Depth", "1").Do("PROPFIND", at, `<propfind xmlns="DAV:"><prop><getcontenttype/></prop></propfind>`).Want(207).Body
	if !strings.Contains(kinds, "component=VEVENT") || !strings.Contains(kinds, "component=VTODO") {
		t.Errorf("one calendar holds %s", kinds)
	}
}

// titleOf returns the title of an object.
func titleOf(t *testing.T, text string) string {
	t.Helper()
	o, err := ics.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o.Components()[0].Text("SUMMARY")
}

// sized is calendar text of that many octets.
func sized(size int) string {
	text := apptest.VEvent("big", "DTSTART:20261201T090000Z", "X-FILLER:%")
	line := strings.Repeat("x", 70) + "\r\n "
	missing := size - len(text) + 1
	return strings.Replace(text, "%", strings.Repeat(line, missing/len(line))+strings.Repeat("x", missing%len(line)), 1)
}

// Every write that is refused says why in XML, by the name that the RFCs have
// for it, and changes nothing. Covers C-15, C-24, C-31, C-32, E-17, E-18, B-63,
// B-83 and PT-40.
func TestRefusedWritesChangeNothing(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	tea := apptest.VEvent("tea", "DTSTART:20261201T150000Z", "SUMMARY:Tea")
	etag := dav.Do("PUT", at+"tea.ics", tea).Want(201).Header.Get("ETag")
	dav.Do("PUT", at+"other.ics", apptest.VEvent("other", "DTSTART:20261201T150000Z")).Want(201)
	dav.Do("MKCALENDAR", "/caldav/1/calendars/work/").Want(201)
	changed := strings.Replace(tea, "Tea", "Cake", 1)
	for _, c := range []struct {
		name, method, path string
		header, value      string
		body               string
		status             int
		condition          string
	}{
		{"something is there", "PUT", at + "tea.ics", "If-None-Match", "*", changed, 412, ""},
		{"it has this ETag", "PUT", at + "tea.ics", "If-None-Match", etag, changed, 412, ""},
		{"a stale ETag", "PUT", at + "tea.ics", "If-Match", `"0"`, changed, 412, ""},
		{"a weak ETag", "PUT", at + "tea.ics", "If-Match", "W/" + etag, changed, 412, ""},
		{"nothing is there to match", "PUT", at + "new.ics", "If-Match", "*", changed, 412, ""},
		{"a stale ETag for what is not there", "PUT", at + "new.ics", "If-Match", etag, changed, 412, ""},
		{"a stale ETag of a deletion", "DELETE", at + "tea.ics", "If-Match", `"0"`, "", 412, ""},
		{"an ETag that is not closed", "PUT", at + "tea.ics", "If-Match", `"0`, changed, 400, ""},
		{"a collection has no ETag", "DELETE", "/caldav/1/calendars/work/", "If-Match", etag, "", 412, ""},
		{"the UID of another object", "PUT", at + "b.ics", "", "", tea, 403, "no-uid-conflict"},
		{"another UID than before", "PUT", at + "tea.ics", "", "", apptest.VEvent("another", "DTSTART:20261201T150000Z"), 403, "no-uid-conflict"},
		{"the UID of what it would not replace", "PUT", at + "tea.ics", "", "", apptest.VEvent("other", "DTSTART:20261201T150000Z"), 403, "no-uid-conflict"},
		{"no calendar data", "PUT", at + "c.ics", "", "", "Hello", 403, "valid-calendar-data"},
		{"nothing at all", "PUT", at + "c.ics", "", "", "", 403, "valid-calendar-data"},
		{"half an object", "PUT", at + "c.ics", "", "", tea[:len(tea)/2], 403, "valid-calendar-data"},
		{"a date that is none", "PUT", at + "c.ics", "", "", apptest.VEvent("c", "DTSTART:20261301T150000Z"), 403, "valid-calendar-data"},
		{"no time", "PUT", at + "c.ics", "", "", apptest.VEvent("c", "DTSTART:2026-12-01"), 403, "valid-calendar-data"},
		{"a rule that is none", "PUT", at + "c.ics", "", "", apptest.VEvent("c", "DTSTART:20261201T150000Z", "RRULE:FREQ=SOMETIMES"), 403, "valid-calendar-data"},
		{"a message", "PUT", at + "c.ics", "", "", strings.Replace(apptest.VEvent("c", "DTSTART:20261201T150000Z"), "VERSION:2.0", "VERSION:2.0\r\nMETHOD:REQUEST", 1), 403, "valid-calendar-object-resource"},
		{"an event and a task", "PUT", at + "c.ics", "", "", strings.Replace(apptest.VEvent("c", "DTSTART:20261201T150000Z"), "END:VCALENDAR", "BEGIN:VTODO\r\nUID:c\r\nEND:VTODO\r\nEND:VCALENDAR", 1), 403, "valid-calendar-object-resource"},
		{"two UIDs", "PUT", at + "c.ics", "", "", strings.Replace(apptest.VEvent("c", "DTSTART:20261201T150000Z"), "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:d\r\nDTSTART:20261201T150000Z\r\nEND:VEVENT\r\nEND:VCALENDAR", 1), 403, "valid-calendar-object-resource"},
		{"no UID", "PUT", at + "c.ics", "", "", strings.Replace(apptest.VEvent("c", "DTSTART:20261201T150000Z"), "UID:c\r\n", "", 1), 403, "valid-calendar-object-resource"},
		{"no component", "PUT", at + "c.ics", "", "", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", 403, "valid-calendar-object-resource"},
		{"a journal", "PUT", at + "c.ics", "", "", apptest.VObject("VJOURNAL", "c", "DTSTART:20261201T150000Z"), 403, "supported-calendar-component"},
		{"vCalendar 1.0", "PUT", at + "c.ics", "", "", strings.Replace(tea, "VERSION:2.0", "VERSION:1.0", 1), 403, "valid-calendar-data"},
		{"too large", "PUT", at + "c.ics", "", "", sized(1<<20 + 1), 403, "max-resource-size"},
		{"far too large", "PUT", at + "c.ics", "", "", sized(32<<20 + 1), 413, ""},
		{"a vCard", "PUT", at + "c.ics", "Content-Type", "text/vcard", tea, 415, "supported-calendar-data"},
		{"a part", "PUT", at + "tea.ics", "Content-Range", "bytes 0-9/100", tea, 400, ""},
		{"the calendar itself", "PUT", at, "", "", tea, 409, ""},
		{"a calendar that is not there", "PUT", "/caldav/1/calendars/none/c.ics", "", "", tea, 409, ""},
		{"below an object", "PUT", at + "tea.ics/c.ics", "", "", tea, 409, ""},
		{"the home", "PUT", "/caldav/1/calendars/", "", "", tea, 405, ""},
		{"the default calendar", "DELETE", at, "", "", "", 403, ""},
		{"the home, away", "DELETE", "/caldav/1/calendars/", "", "", "", 405, ""},
		{"what is not there", "DELETE", at + "none.ics", "", "", "", 404, ""},
		{"a calendar where one is", "MKCALENDAR", "/caldav/1/calendars/work/", "", "", "", 403, "resource-must-be-null"},
		{"a calendar in a calendar", "MKCALENDAR", at + "sub/", "", "", "", 403, "calendar-collection-location-ok"},
		{"a calendar outside of the home", "MKCALENDAR", "/caldav/1/sub/", "", "", "", 403, "calendar-collection-location-ok"},
		{"a copy", "COPY", at + "tea.ics", "Destination", h.HTTP.URL + at + "copy.ics", "", 403, "no-uid-conflict"},
		{"a copy elsewhere", "COPY", at + "tea.ics", "Destination", "/elsewhere/copy.ics", "", 502, ""},
		{"a lock", "LOCK", at + "tea.ics", "", "", "", 501, ""},
		{"properties that are not XML", "PROPPATCH", at, "", "", "<propertyupdate", 400, ""},
	} {
		h.WantUnchanged(c.name, func() {
			condition(dav.With(c.header, c.value).Do(c.method, c.path, c.body), c.status, c.condition)
		})
	}
	conflict := dav.Do("PUT", at+"b.ics", tea).Want(403)
	if !strings.Contains(conflict.Body, "<D:href>"+at+"tea.ics</D:href>") {
		t.Errorf("it does not say with what: %s", conflict.Body)
	}
	h.WantUnchanged("several properties, one of which is wrong", func() {
		const colour = `<set><prop><displayname>New</displayname><calendar-color xmlns="http://apple.com/ns/ical/">reddish</calendar-color></prop></set>`
		a := dav.Do("PROPPATCH", at, `<propertyupdate xmlns="DAV:">`+colour+`</propertyupdate>`).Want(207)
		if strings.Contains(a.Body, "200 OK") || !strings.Contains(a.Body, "424") {
			t.Errorf("%s: %s", a.About, a.Body)
		}
		dav.Do("MKCALENDAR", "/caldav/1/calendars/new/", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:">`+colour+`</C:mkcalendar>`).Want(403)
	})
	limit := dav.With("Depth", "0").Do("PROPFIND", at, `<propfind xmlns="DAV:"><prop><max-resource-size xmlns="urn:ietf:params:xml:ns:caldav"/></prop></propfind>`)
	if !strings.Contains(limit.Want(207).Body, ">1048576<") {
		t.Errorf("the limit is not told: %s", limit.Body)
	}
	dav.Do("PUT", at+"big.ics", sized(1<<20)).Want(201)
}

// Covers C-32 and B-83 for bodies that do not say how long they are.
func TestLongBodiesWithoutALength(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	for _, c := range []struct {
		name, method, path string
		size               int
		status             int
	}{
		{"an object", "PUT", at + "c.ics", 1<<20 + 1, 403},
		{"an object far too large", "PUT", at + "c.ics", 33 << 20, 413},
		{"a report", "REPORT", at, 3 << 20, 413},
		{"a PROPFIND", "PROPFIND", at, 3 << 20, 413},
	} {
		h.WantUnchanged(c.name, func() {
			// A pipe has no length, so that the body goes in chunks.
			body, in := io.Pipe()
			go func() {
				_, err := io.Copy(in, io.LimitReader(spaces{}, int64(c.size)))
				in.CloseWithError(err)
			}()
			r, err := http.NewRequest(c.method, dav.URL+c.path, body)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", dav.Headers["Authorization"])
			r.Header.Set("Depth", "1")
			resp, err := dav.HTTP.Do(r)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			resp.Body.Close()
			if resp.StatusCode != c.status {
				t.Errorf("%s: status %d, want %d", c.name, resp.StatusCode, c.status)
			}
		})
	}
}

// spaces never end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte(" "), len(p)))
	return len(p), nil
}

// What a query finds, by the tables of RFC 4791 §9.9. Covers C-17, C-18 and
// C-30 over HTTP.
func TestQueriesFindWhatOverlaps(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	for name, text := range map[string]string{
		"event":   apptest.VEvent("1", "DTSTART:20261201T100000Z", "DTEND:20261201T120000Z"),
		"weekly":  apptest.VEvent("2", "DTSTART;TZID=W. Europe Standard Time:20260105T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"),
		"day":     apptest.VEvent("3", "DTSTART;VALUE=DATE:20261210", "DTEND;VALUE=DATE:20261211"),
		"moment":  apptest.VEvent("4", "DTSTART:20261212T100000Z"),
		"camp":    apptest.VEvent("5", "DTSTART:20260101T000000Z", "DTEND:20270101T000000Z"),
		"moved":   strings.Replace(apptest.VEvent("6", "DTSTART:20261202T100000Z", "RRULE:FREQ=DAILY;COUNT=2"), "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:6\r\nRECURRENCE-ID:20261203T100000Z\r\nDTSTART:20261220T100000Z\r\nDTEND:20261220T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR", 1),
		"due":     apptest.VObject("VTODO", "7", "DUE:20261215T120000Z"),
		"span":    apptest.VObject("VTODO", "8", "DTSTART:20261214T120000Z", "DUE:20261216T120000Z"),
		"done":    apptest.VObject("VTODO", "9", "COMPLETED:20261218T120000Z", "CREATED:20261217T120000Z"),
		"created": apptest.VObject("VTODO", "10", "CREATED:20261217T120000Z"),
		"any":     apptest.VObject("VTODO", "11"),
		"started": apptest.VObject("VTODO", "12", "DTSTART:20261215T120000Z"),
	} {
		dav.Do("PUT", at+name, text).Want(201)
	}
	for _, c := range []struct{ name, component, from, to, want string }{
		{"it starts with the range", "VEVENT", "20261201T100000Z", "20261201T100001Z", "camp event"},
		{"it ends with the range", "VEVENT", "20261201T115959Z", "20261201T120000Z", "camp event"},
		{"it is under way", "VEVENT", "20261201T103000Z", "20261201T103001Z", "camp event"},
		{"it ended when the range starts", "VEVENT", "20261201T120000Z", "20261201T130000Z", "camp"},
		{"it starts when the range ends", "VEVENT", "20261201T090000Z", "20261201T100000Z", "camp"},
		{"a series, in winter", "VEVENT", "20261207T080000Z", "20261207T080001Z", "camp weekly"},
		{"a series, under way in summer", "VEVENT", "20260706T073000Z", "20260706T074000Z", "camp weekly"},
		{"a series, too early in summer", "VEVENT", "20260706T083000Z", "20260706T084000Z", "camp"},
		{"a series, far away", "VEVENT", "20360108T000000Z", "20360113T000000Z", ""},
		{"a series, in ten years", "VEVENT", "20360107T070000Z", "20360107T100000Z", "weekly"},
		{"a day in the zone of the calendar", "VEVENT", "20261209T230000Z", "20261209T233000Z", "camp day"},
		{"the end of a day", "VEVENT", "20261210T230000Z", "20261210T233000Z", "camp"},
		{"a moment", "VEVENT", "20261212T100000Z", "20261212T110000Z", "camp moment"},
		{"where an instance was", "VEVENT", "20261203T100000Z", "20261203T110000Z", "camp"},
		{"where it is now", "VEVENT", "20261220T103000Z", "20261220T110000Z", "camp moved"},
		{"without an end", "VEVENT", "20261222T000000Z", "", "camp weekly"},
		{"without a start", "VEVENT", "", "20260102T000000Z", "camp"},
		{"tasks when one is due", "VTODO", "20261215T120000Z", "20261215T120001Z", "any span started"},
		{"tasks until one is due", "VTODO", "20261215T110000Z", "20261215T120000Z", "any due span"},
		{"tasks when one was done", "VTODO", "20261218T110000Z", "20261218T130000Z", "any created done"},
		{"tasks before anything was created", "VTODO", "20261001T000000Z", "20261002T000000Z", "any"},
	} {
		text := `<C:time-range`
		if c.from != "" {
			text += ` start="` + c.from + `"`
		}
		if c.to != "" {
			text += ` end="` + c.to + `"`
		}
		got := strings.Join(dav.With("Depth", "1").Do("REPORT", at, `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop>`+
			`<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="`+c.component+`">`+text+`/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`).Multistatus().Names(), " ")
		if got != c.want {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

// The marks of a calendar change with what it holds, and with nothing else.
// Covers C-19, C-20 and C-21.
func TestMarksChangeWithWhatIsThere(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	id := ""
	last := ""
	for _, c := range []struct {
		name    string
		changes bool
		do      func()
	}{
		{"a PUT", true, func() { dav.Do("PUT", at+"a.ics", apptest.VEvent("a", "DTSTART:20261201T150000Z")).Want(201) }},
		{"a GET", false, func() { dav.Do("GET", at+"a.ics").Want(200) }},
		{"a list", false, func() { ann.Do("GET", "/world/time/objects").Want(200) }},
		{"a report", false, func() { dav.Do("REPORT", at, apptest.SyncCollection("")).Want(207) }},
		{"a native entry", true, func() {
			id = ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201).Str("object.id")
		}},
		{"a native change", true, func() { ann.Do("PATCH", "/world/time/objects/"+id, `{"title": "y"}`).Want(200) }},
		{"a native change that is refused", false, func() { ann.Do("PATCH", "/world/time/objects/"+id, `{"status": "y"}`).Want(422) }},
		{"a PUT that is refused", false, func() { dav.Do("PUT", at+"b.ics", apptest.VEvent("a", "DTSTART:20261201T150000Z")).Want(403) }},
		{"another name of the calendar", false, func() {
			dav.Do("PROPPATCH", at, `<propertyupdate xmlns="DAV:"><set><prop><displayname>Home</displayname></prop></set></propertyupdate>`).Want(207)
		}},
		{"another calendar's entry", false, func() {
			other := ann.Do("POST", "/world/calendars", `{"name": "x"}`).Want(201).Str("calendar.caldav_path")
			dav.Do("PUT", other+"a.ics", apptest.VEvent("a", "DTSTART:20261201T150000Z")).Want(201)
		}},
		{"a native deletion", true, func() { ann.Do("DELETE", "/world/time/objects/"+id).Want(200) }},
		{"a DELETE", true, func() { dav.Do("DELETE", at+"a.ics").Want(204) }},
		{"a DELETE of nothing", false, func() { dav.Do("DELETE", at+"a.ics").Want(404) }},
	} {
		c.do()
		now := dav.With("Depth", "0").Do("PROPFIND", at, apptest.PropfindSyncToken).Want(207).Body
		if changed := now != last; changed != c.changes {
			t.Errorf("%s: changed %v, want %v", c.name, changed, c.changes)
		}
		last = now
	}
}

// Covers C-22, C-23, T-01, T-02, T-03 and B-55.
func TestCalendarsAreMadeAndChangedBothWays(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav := ann.Basic()
	for i, c := range []struct{ name, method, body string }{
		{"MKCALENDAR", "MKCALENDAR", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><set><prop><displayname>Café &amp; <![CDATA[<Bar>]]></displayname></prop></set></C:mkcalendar>`},
		{"extended MKCOL", "MKCOL", `<mkcol xmlns="DAV:"><set><prop><resourcetype><collection/><C:calendar xmlns:C="urn:ietf:params:xml:ns:caldav"/></resourcetype><displayname>Café &amp; &lt;Bar&gt;</displayname></prop></set></mkcol>`},
	} {
		path := fmt.Sprintf("/caldav/1/calendars/new-%d/", i)
		dav.Do(c.method, path, c.body).Want(201)
		list := ann.Do("GET", "/world/calendars").Want(200)
		if got := list.Str(fmt.Sprintf("calendars.%d.name", i+1)); got != "Café & <Bar>" {
			t.Errorf("%s: the name is %q", c.name, got)
		}
		id := list.Str(fmt.Sprintf("calendars.%d.id", i+1))
		dav.Do("PROPPATCH", path, `<propertyupdate xmlns="DAV:"><set><prop><displayname>Work</displayname><calendar-color xmlns="http://apple.com/ns/ical/">#FF2968FF</calendar-color><calendar-order xmlns="http://apple.com/ns/ical/">7</calendar-order></prop></set></propertyupdate>`).Want(207)
		got := ann.Do("GET", "/world/calendars/"+id).Want(200)
		if got.Str("calendar.name") != "Work" || got.Str("calendar.color") != "#ff2968" || got.At("calendar.order") != 7.0 {
			t.Errorf("%s: %s", c.name, got.Body)
		}
		back := dav.With("Depth", "0").Do("PROPFIND", path, `<propfind xmlns="DAV:"><prop><displayname/><calendar-color xmlns="http://apple.com/ns/ical/"/><calendar-order xmlns="http://apple.com/ns/ical/"/></prop></propfind>`).Want(207).Body
		for _, want := range []string{">Work<", ">7<", "#ff2968"} {
			if !strings.Contains(strings.ToLower(back), strings.ToLower(want)) {
				t.Errorf("%s: no %s in %s", c.name, want, back)
			}
		}
		changed := ann.Do("PATCH", "/world/calendars/"+id, `{"name": "Play", "color": "#00FF00", "description": "Games"}`).Want(200)
		if changed.Str("calendar.name") != "Play" || changed.Str("calendar.color") != "#00ff00" || changed.Str("calendar.etag") == got.Str("calendar.etag") {
			t.Errorf("%s: %s", c.name, changed.Body)
		}
		if back := dav.With("Depth", "0").Do("PROPFIND", path, `<propfind xmlns="DAV:"><prop><displayname/></prop></propfind>`).Want(207).Body; !strings.Contains(back, ">Play<") {
			t.Errorf("%s: %s", c.name, back)
		}
	}
}

// The ETag of a calendar's text is a condition for what is done to the calendar.
// Covers C-15.
func TestCalendarsAreChangedOnlyAsTheyWereRead(t *testing.T) {
	h := apptest.New(t)
	dav, at := h.Member("ann").Basic(), "/caldav/1/calendars/new/"
	dav.Do("MKCALENDAR", at).Want(201)
	old := dav.Do("GET", at).Want(200).Header.Get("ETag")
	dav.Do("PUT", at+"tea.ics", apptest.VEvent("tea", "DTSTART:20261201T150000Z")).Want(201)
	rename := `<propertyupdate xmlns="DAV:"><set><prop><displayname>Work</displayname></prop></set></propertyupdate>`
	dav.With("If-Match", old).Do("PROPPATCH", at, rename).Want(412)
	dav.With("If-Match", old).Do("DELETE", at).Want(412)
	dav.With("If", "(["+old+"])").Do("DELETE", at).Want(412)
	dav.With("If-Match", dav.Do("GET", at).Header.Get("ETag")).Do("PROPPATCH", at, rename).Want(207)
	dav.With("If-Match", "*").Do("PROPPATCH", at, rename).Want(207)
	dav.With("If", "(["+dav.Do("GET", at).Header.Get("ETag")+"])").Do("DELETE", at).Want(204)
}

// What a calendar says of its time zone is what it can be told (RFC 4791
// §5.2.2), also in UTC, in which calendars are made.
func TestTheZoneOfACalendarCanBeGivenBack(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	for _, zone := range []string{"UTC", "Europe/Berlin"} {
		ann.Do("PATCH", strings.Replace(at[:len(at)-1], "/caldav/1", "/world", 1), `{"timezone": "`+zone+`"}`).Want(200)
		const element = `<calendar-timezone xmlns="urn:ietf:params:xml:ns:caldav"`
		var said struct {
			Text string `xml:"response>propstat>prop>calendar-timezone"`
		}
		ask := `<propfind xmlns="DAV:"><prop>` + element + `/></prop></propfind>`
		if err := xml.Unmarshal([]byte(dav.With("Depth", "0").Do("PROPFIND", at, ask).Want(207).Body), &said); err != nil || !strings.Contains(said.Text, "TZID:"+zone) {
			t.Errorf("%v: of %s the calendar says\n%s", err, zone, said.Text)
		}
		answer := dav.Do("PROPPATCH", at, `<propertyupdate xmlns="DAV:"><set><prop>`+element+`>`+said.Text+`</calendar-timezone></prop></set></propertyupdate>`).Want(207).Body
		if !strings.Contains(answer, "HTTP/1.1 200") || strings.Contains(answer, "HTTP/1.1 4") {
			t.Errorf("%s given back: %s", zone, answer)
		}
	}
}

// Every CalDAV answer is about calendars, and tells a client nothing of the
// world that it is part of. Covers C-29.
func TestCalDAVSpeaksOfCalendarsAlone(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
	everything := `<propfind xmlns="DAV:"><allprop/></propfind>`
	for _, a := range []*apptest.Answer{
		dav.With("Depth", "1").Do("PROPFIND", "/caldav/", everything),
		dav.With("Depth", "1").Do("PROPFIND", "/caldav/1/", everything),
		dav.With("Depth", "1").Do("PROPFIND", "/caldav/1/calendars/", everything),
		dav.With("Depth", "1").Do("PROPFIND", at, everything),
		dav.Do("REPORT", at, apptest.SyncCollection("")),
		dav.Do("REPORT", at, apptest.SyncCollection("urn:x")),
		dav.Do("OPTIONS", at),
		dav.Do("GET", at),
		dav.Do("GET", at+"none"),
		dav.Do("PUT", at+"x", "x"),
		dav.Do("TRACE", at),
		h.Unauthenticated().Do("GET", at),
	} {
		for _, word := range []string{"/world", "surface", "dataset", "runtime", "gateway"} {
			if strings.Contains(strings.ToLower(a.Body+fmt.Sprint(a.Header)), word) && word != "runtime" || strings.Contains(a.Body, word) {
				t.Errorf("%s: %q in %s %s", a.About, word, a.Header, a.Body)
			}
		}
	}
}

// What is Ann's does not exist for Bea, by any method at any address. Covers
// C-28, T-06 and PT-07.
func TestNothingOfAnnsIsThereForBea(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	home := ann.DefaultCalendar()
	work := ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	ann.Basic().Do("PUT", home+"tea.ics", apptest.VEvent("tea", "DTSTART:20261201T150000Z")).Want(201)
	tea := ann.Do("GET", "/world/time/objects?start=2026-12-01").Str("objects.0.id")
	ann.Basic().Do("GET", home+"tea.ics").Want(200)
	bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207) // both programs have been seen, which is noted

	h.WantUnchanged("CalDAV", func() {
		for _, method := range []string{"OPTIONS", "GET", "HEAD", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "MKCALENDAR", "MKCOL"} {
			for _, path := range []string{"1/", "1", "1/calendars/", home[len("/caldav/"):], home[len("/caldav/"):] + "tea.ics", home[len("/caldav/"):] + "new.ics", work.Str("calendar.caldav_path")[len("/caldav/"):], "1/calendars/none/", "1/calendars/none/x.ics"} {
				for _, mount := range []string{"/caldav/", "/dav/"} {
					body := map[string]string{"PUT": apptest.VEvent("x", "DTSTART:20261201T150000Z"), "PROPFIND": apptest.PropfindETags, "REPORT": apptest.SyncCollection("")}[method]
					if a := bea.Basic().With("Depth", "0").Do(method, mount+path, body); a.Status != 404 {
						t.Errorf("%s: status %d\n%s", a.About, a.Status, a.Body)
					}
				}
			}
		}
		multiget := bea.Basic().Do("REPORT", bea.DefaultCalendar(), `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><prop><getetag/></prop><href>`+home+`tea.ics</href></C:calendar-multiget>`).Multistatus()
		if len(multiget.Entries) != 1 || !strings.Contains(multiget.Entries[0].Status, "404") {
			t.Errorf("multiget: %+v", multiget)
		}
		token := ann.Basic().Do("REPORT", home, apptest.SyncCollection("")).Multistatus().Token
		condition(bea.Basic().Do("REPORT", bea.DefaultCalendar(), apptest.SyncCollection(token)), 403, "valid-sync-token")
	})

	own := bea.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bea's"}`).Want(201).Str("object.id")
	second := bea.Do("POST", "/world/calendars", `{"name": "Bea's"}`).Want(201).Str("calendar.id")
	workID := work.Str("calendar.id")
	h.WantUnchanged("native", func() {
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/world/calendars/" + workID, ""},
			{"PATCH", "/world/calendars/" + workID, `{"name": "x"}`},
			{"DELETE", "/world/calendars/" + workID, ""},
			{"DELETE", "/world/calendars/" + second + "?move_to=" + workID, ""},
			{"GET", "/world/time/objects?calendar_id=" + workID, ""},
			{"GET", "/world/time/objects/" + tea, ""},
			{"PATCH", "/world/time/objects/" + tea, `{"title": "x"}`},
			{"PATCH", "/world/time/objects/" + tea, `{"nothing": "known"}`},
			{"DELETE", "/world/time/objects/" + tea, ""},
			{"POST", "/world/time/objects", `{"object_type": "task", "title": "x", "calendar_id": "` + workID + `"}`},
		} {
			for _, headers := range [][2]string{{}, {"X-Service-Member-Id", "1"}, {"If-Match", `"0"`}} {
				if c.body == "" {
					bea.With(headers[0], headers[1]).Do(c.method, c.path).WantError(404, "not_found")
				} else {
					bea.With(headers[0], headers[1]).Do(c.method, c.path, c.body).WantError(404, "not_found")
				}
			}
		}
		bea.Do("PATCH", "/world/time/objects/"+own, `{"calendar_id": "`+workID+`"}`).WantError(404, "not_found")
	})
}

// Covers C-06 for the middle of a session, and PT-46 for calendars.
func TestMembersWhoAreRenamedOrDisabled(t *testing.T) {
	h := apptest.New(t)
	op, ann := h.Member("op"), h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	dav.Do("PUT", at+"tea.ics", apptest.VEvent("tea", "DTSTART:20261201T150000Z")).Want(201)
	token := dav.Do("REPORT", at, apptest.SyncCollection("")).Multistatus().Token
	op.Do("POST", "/admin/members/update", map[string]any{"id": ann.ID, "changes": map[string]any{"username": "anna"}}).Want(200)
	dav.Do("GET", at+"tea.ics").Want(401)
	renamed := *ann
	renamed.Name = "anna"
	dav = renamed.Basic()
	dav.Do("GET", at+"tea.ics").Want(200)
	if again := dav.Do("REPORT", at, apptest.SyncCollection(token)).Multistatus(); len(again.Entries) != 0 || again.Token != token {
		t.Errorf("a new name changed the calendar: %+v", again)
	}
	op.Do("POST", "/admin/members/update", map[string]any{"id": ann.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	h.WantUnchanged("disabled", func() {
		dav.Do("GET", at+"tea.ics").Want(401)
		dav.Do("DELETE", at+"tea.ics").Want(401)
		ann.Do("GET", "/world/calendars").Want(401)
	})
	op.Do("POST", "/admin/members/update", map[string]any{"id": ann.ID, "changes": map[string]any{"status": "active"}}).Want(200)
	if got := dav.Do("GET", at+"tea.ics").Want(200).Body; !strings.Contains(got, "UID:tea") {
		t.Error(got)
	}
}

// A password that comes in the clear is taken from where nobody listens, and
// from nowhere else. Covers B-14.
func TestPasswordsInTheClear(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("198.51.100.7/32")}}
	})
	ann := h.Member("ann").Basic()
	for _, c := range []struct {
		name, from string
		secure     bool
		status     int
	}{
		{"this machine", "127.0.0.1:4000", false, 200},
		{"this machine, by its other name", "[::1]:4000", false, 200},
		{"the home", "192.168.178.20:4000", false, 200},
		{"the home, as IPv6 has it", "[fd00::20]:4000", false, 200},
		{"the home, as IPv6 writes IPv4", "[::ffff:10.0.0.5]:4000", false, 200},
		{"behind a carrier", "100.64.3.2:4000", false, 200},
		{"the reverse proxy", "198.51.100.7:4000", false, 200},
		{"the Internet", "203.0.113.5:4000", false, 403},
		{"the Internet by IPv6", "[2001:db8::5]:4000", false, 403},
		{"beside the reverse proxy", "198.51.100.8:4000", false, 403},
		{"the Internet, by HTTPS", "203.0.113.5:4000", true, 200},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "OPTIONS", "/caldav/1/", nil)
		r.RemoteAddr = c.from
		r.Header.Set("Authorization", ann.Headers["Authorization"])
		if c.secure {
			r.TLS = new(tls.ConnectionState)
		}
		w := httptest.NewRecorder()
		h.App.ServeHTTP(w, r)
		if w.Code != c.status || w.Code == 403 && !strings.Contains(w.Body.String(), "HTTPS") {
			t.Errorf("%s: status %d, want %d: %s", c.name, w.Code, c.status, w.Body)
		}
	}
	const warning = "sent a password without HTTPS"
	if n := strings.Count(h.Log.String(), warning); n != 1 {
		t.Errorf("the log warns %d times", n)
	}
	h.Clock.Advance(25 * time.Hour)
	r := httptest.NewRequestWithContext(t.Context(), "OPTIONS", "/caldav/1/", nil)
	r.RemoteAddr = "192.168.178.20:4000"
	r.Header.Set("Authorization", ann.Headers["Authorization"])
	h.App.ServeHTTP(httptest.NewRecorder(), r)
	if n := strings.Count(h.Log.String(), warning); n != 2 {
		t.Errorf("a day later the log has warned %d times", n)
	}
}

// Each object comes with its own data, in whatever order clients ask
// (RFC 4791 §7.9).
func TestMultigetInTheOrderOfItsHrefs(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	at, dav := ann.DefaultCalendar(), ann.Basic()
	for _, name := range []string{"a", "b", "c"} {
		dav.Do("PUT", at+name+".ics", apptest.VEvent(name, "DTSTART:20261201T090000Z", "SUMMARY:"+name)).Want(201)
	}
	ask := `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><prop><C:calendar-data/></prop>`
	asked := []string{"c", "a", "b"}
	for _, name := range asked {
		ask += "<href>" + at + name + ".ics</href>"
	}
	var got []string
	for _, e := range dav.Do("REPORT", at, ask+"</C:calendar-multiget>").Multistatus().Entries {
		name := strings.TrimSuffix(strings.TrimPrefix(e.Href, at), ".ics")
		got = append(got, name)
		if titleOf(t, e.Data) != name {
			t.Errorf("%s has the data of %s", name, titleOf(t, e.Data))
		}
	}
	if !slices.Equal(got, asked) {
		t.Errorf("asked for %q, got %q", asked, got)
	}
}
