package caldav

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
)

// impatient returns the client with no more than this for an answer. An answer
// takes a fraction of a second, and the rest is for slow machines.
func impatient(c *apptest.Client) *apptest.Client {
	d := *c
	d.HTTP = &http.Client{CheckRedirect: c.HTTP.CheckRedirect, Timeout: 45 * time.Second}
	return &d
}

// Whatever comes, the answer says what is wrong with it in good time, and
// nothing has changed. Covers PT-45 and E-17 over HTTP, with PT-40.
func TestHostileBodies(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := impatient(h.Member("ann"))
	dav, at := ann.Basic(), ann.DefaultCalendar()
	dav.Do("PUT", at+"tea.ics", apptest.VEvent("tea", "DTSTART:20261201T150000Z")).Want(201)
	deep := func(open, inside, close string, n int) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(close, n)
	}
	prop := func(inside string) string { return `<propfind xmlns="DAV:"><prop>` + inside + `</prop></propfind>` }
	var manyNames, manyFilters, manyNamespaces strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&manyNames, "<p%d/>", i)
		fmt.Fprintf(&manyNamespaces, ` xmlns:n%d="urn:%d"`, i, i)
		manyFilters.WriteString(`<C:prop-filter name="SUMMARY"/>`)
	}
	query := func(inside string) string {
		return `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR">` + inside + `</C:comp-filter></C:filter></C:calendar-query>`
	}
	for _, c := range []struct{ name, method, path, body string }{
		{"elements 100,000 deep", "PROPFIND", at, deep("<a>", "", "</a>", 100_000)},
		{"elements that are never closed", "PROPFIND", at, strings.Repeat("<a>", 400_000)},
		{"filters 10,000 deep", "REPORT", at, query(deep(`<C:comp-filter name="VEVENT">`, "", `</C:comp-filter>`, 10_000))},
		{"20,000 filters", "REPORT", at, query(manyFilters.String())},
		{"an entity that is many", "PROPFIND", at, `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>` + prop("<a>&b;</a>")},
		{"an entity that is a file", "PROPFIND", at, `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + prop("<displayname>&a;</displayname>")},
		{"a document type", "PROPFIND", at, `<!DOCTYPE propfind SYSTEM "http://127.0.0.1/x">` + prop("<displayname/>")},
		{"20,000 namespaces", "PROPFIND", at, `<propfind xmlns="DAV:"` + manyNamespaces.String() + `><prop/></propfind>`},
		{"a NUL", "PROPFIND", at, prop("<a>\x00</a>")},
		{"what is not UTF-8", "PROPFIND", at, prop("<a>\xff\xfe</a>")},
		{"another encoding", "PROPFIND", at, `<?xml version="1.0" encoding="utf-7"?>` + prop("<a/>")},
		{"UTF-16", "PROPFIND", at, "\xff\xfe<\x00a\x00/\x00>\x00"},
		{"no element", "PROPFIND", at, "hello"},
		{"two elements", "PROPFIND", at, prop("") + prop("")},
		{"another element", "PROPFIND", at, "<a/>"},
		{"a report without a body", "REPORT", at, ""},
		{"a report that nobody knows", "REPORT", at, `<x xmlns="DAV:"/>`},
		{"a text to look for that is long", "REPORT", at, query(`<C:comp-filter name="VEVENT"><C:prop-filter name="SUMMARY"><C:text-match>` + strings.Repeat("x", 100_000) + `</C:text-match></C:prop-filter></C:comp-filter>`)},
		{"a range that ends first", "REPORT", at, query(`<C:comp-filter name="VEVENT"><C:time-range start="20270101T000000Z" end="20260101T000000Z"/></C:comp-filter>`)},
		{"a range without bounds", "REPORT", at, query(`<C:comp-filter name="VEVENT"><C:time-range/></C:comp-filter>`)},
		{"a range of year 0", "REPORT", at, query(`<C:comp-filter name="VEVENT"><C:time-range start="00000000T000000Z"/></C:comp-filter>`)},
		{"a token of somebody else", "REPORT", at, apptest.SyncCollection("urn:appliance:sync:cal_x:y:1")},
		{"a token that is long", "REPORT", at, apptest.SyncCollection(strings.Repeat("x", 1<<20))},
		{"no more than none", "REPORT", at, strings.Replace(apptest.SyncCollection(""), "<prop>", "<limit><nresults>0</nresults></limit><prop>", 1)},
		{"no more than too many", "REPORT", at, strings.Replace(apptest.SyncCollection(""), "<prop>", "<limit><nresults>99999999999999999999</nresults></limit><prop>", 1)},
		{"a colour that is long", "PROPPATCH", at, `<propertyupdate xmlns="DAV:"><set><prop><displayname>` + strings.Repeat("x", 1<<20) + `</displayname></prop></set></propertyupdate>`},
		{"a query of the home", "REPORT", "/caldav/1/calendars/", query(`<C:comp-filter name="VEVENT"/>`)},
		{"components 50,000 deep", "PUT", at + "c.ics", "BEGIN:VCALENDAR\r\n" + deep("BEGIN:X\r\n", "", "END:X\r\n", 45_000) + "END:VCALENDAR\r\n"},
		{"components that are never closed", "PUT", at + "c.ics", strings.Repeat("BEGIN:VCALENDAR\r\n", 50_000)},
		{"60,000 lines", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART:20261201T150000Z", strings.Repeat("X:1\r\n", 60_000)+"X:1")},
		{"2,000 parameters", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART"+strings.Repeat(";X=1", 2000)+":20261201T150000Z")},
		{"a parameter without an end", "PUT", at + "c.ics", apptest.VEvent("c", `DTSTART;X="abc:20261201T150000Z`)},
		{"no colon", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART;TZID=Foo")},
		{"a NUL in a value", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART:20261201T150000Z", "SUMMARY:a\x00b")},
		{"a value that is not UTF-8", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART:20261201T150000Z", "SUMMARY:\xff\xfe")},
		{"a UID that is not UTF-8", "PUT", at + "c.ics", apptest.VEvent("\xff\xfe", "DTSTART:20261201T150000Z")},
		{"a rule of no interval", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART:20261201T150000Z", "RRULE:FREQ=DAILY;INTERVAL=0")},
		{"a rule with a number that is long", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART:20261201T150000Z", "RRULE:FREQ=DAILY;INTERVAL="+strings.Repeat("9", 1000))},
		{"a million numbers in a rule", "PUT", at + "c.ics", apptest.VEvent("c", "DTSTART:20261201T150000Z", "RRULE:FREQ=YEARLY;BYYEARDAY="+strings.Repeat("1,", 400_000)+"x")},
		{"JSON 100,000 deep", "POST", "/world/time/objects", deep(`{"a":`, "1", "}", 100_000)},
		{"JSON that is not UTF-8", "POST", "/world/time/objects", "{\"object_type\": \"task\", \"title\": \"\xff\"}"},
		{"JSON with half a letter", "POST", "/world/time/objects", `{"object_type": "task", "title": "\ud800\u0000"}`},
		{"a body of 2 MiB", "POST", "/world/time/objects", `{"title": "` + strings.Repeat("x", 2<<20) + `"}`},
		{"300 alarms", "POST", "/world/time/objects", `{"object_type": "task", "title": "x", "alarms": [` + strings.Repeat(`{"trigger": "-PT1M"},`, 300) + `{"trigger": "-PT1M"}]}`},
		{"an alarm before the world", "POST", "/world/time/objects", `{"object_type": "task", "title": "x", "alarms": [{"trigger": "-P99999999999999999999W"}]}`},
	} {
		h.WantUnchanged(c.name, func() {
			as := dav.With("Depth", "1")
			if c.method == "POST" {
				as = ann
			}
			a := as.Do(c.method, c.path, c.body)
			if a.Status == 207 && c.method == "PROPPATCH" { // it says so for each property
				if !strings.Contains(a.Body, "HTTP/1.1 4") {
					t.Errorf("%s: %.500s", c.name, a.Body)
				}
			} else if a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s: status %d: %.500s", c.name, a.Status, a.Body)
			}
		})
	}
}

// What is within the limits is accepted, and answered for within bounds
// however often it recurs. Covers B-60, PT-22 and PT-45.
func TestEntriesThatRecurTooOften(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := impatient(h.Member("ann"))
	dav, at := ann.Basic().With("Depth", "1"), ann.DefaultCalendar()
	var overrides, dates strings.Builder
	for i := range 4000 {
		day := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC).AddDate(0, 0, i).Format("20060102T150405Z")
		fmt.Fprintf(&overrides, "BEGIN:VEVENT\r\nUID:overrides\r\nRECURRENCE-ID:%s\r\nDTSTART:%s\r\nEND:VEVENT\r\n", day, day)
		fmt.Fprintf(&dates, ",%s", day)
	}
	series := func(name, rule string) string {
		return apptest.VEvent(name, "DTSTART:20260101T090000Z", "DURATION:PT1S", "SUMMARY:"+name, "RRULE:"+rule)
	}
	for name, text := range map[string]string{
		"seconds":   series("seconds", "FREQ=SECONDLY"),
		"many":      series("many", "FREQ=SECONDLY;COUNT=100000"),
		"never":     series("never", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
		"rarely":    series("rarely", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1;BYMINUTE=1;BYSECOND=1;BYDAY=MO"),
		"sets":      series("sets", "FREQ=YEARLY;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,10,20,30,40,50;BYHOUR=1,2,3,4,5,6,7,8,9;BYSETPOS=-1"),
		"overrides": strings.Replace(apptest.VEvent("overrides", "DTSTART:20260101T090000Z", "RRULE:FREQ=DAILY;COUNT=4000"), "END:VCALENDAR", overrides.String()+"END:VCALENDAR", 1),
		"dates":     apptest.VEvent("dates", "DTSTART:20260101T090000Z", "RRULE:FREQ=DAILY", "EXDATE:20260101T090000Z"+dates.String()),
		"html":      apptest.VEvent("html", `DTSTART:20260101T090000Z`, `SUMMARY;ALTREP="data:text/html,`+strings.Repeat("x", 400_000)+`":html`),
		"long":      series("long", "FREQ=DAILY;BYMONTHDAY="+strings.TrimSuffix(strings.Repeat("1,", 400), ",")),
		"forever":   apptest.VEvent("forever", "DTSTART:16000101T000000Z", "DTEND:89991231T235959Z"),
	} {
		dav.Do("PUT", at+name, text).Want(201)
		if got := dav.Do("GET", at+name).Want(200).Body; got != text {
			t.Errorf("%s is another one now", name)
		}
	}
	for name, c := range map[string]struct{ text, condition string }{
		"million": {series("million", "FREQ=SECONDLY;COUNT=1000000"), "max-instances"},
		"ancient": {apptest.VEvent("ancient", "DTSTART:00010101T000000Z"), "min-date-time"},
		"distant": {apptest.VEvent("distant", "DTSTART:99991231T235959Z"), "max-date-time"},
	} {
		if a := dav.Do("PUT", at+name, c.text).Want(403); !strings.Contains(a.Body, c.condition) {
			t.Errorf("%s is refused with %s", name, a.Body)
		}
	}
	const ask = `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/>%s</D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="%s" end="%s"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
	for _, from := range []string{"2026-12-01", "2036-12-01", "8999-12-01"} {
		start := strings.ReplaceAll(from, "-", "") + "T000000Z"
		end := strings.ReplaceAll(from[:8]+"02", "-", "") + "T000000Z"
		names := dav.Do("REPORT", at, fmt.Sprintf(ask, "", start, end)).Multistatus().Names()
		if found := " " + strings.Join(names, " ") + " "; !strings.Contains(found, " seconds ") || !strings.Contains(found, " forever ") || strings.Contains(found, " html ") {
			t.Errorf("from %s there are %q", from, names)
		}
		if a := dav.Do("REPORT", at, fmt.Sprintf(ask, `<C:calendar-data><C:expand start="`+start+`" end="`+end+`"/></C:calendar-data>`, start, end)); a.Status >= 500 || len(a.Body) > 32<<20 {
			t.Errorf("expanded: status %d, %d octets", a.Status, len(a.Body))
		}
		page := ann.Do("GET", "/world/time/objects?limit=200&start="+from).Want(200)
		if n := len(page.List("objects")); n != 200 || page.Str("page.next_cursor") == "" {
			t.Errorf("from %s a page has %d entries", from, n)
		}
	}
	ann.Runtime().Do("GET", "/world/runtime").Want(200)
	dav.Do("REPORT", at, apptest.SyncCollection("")).Want(207)
}

// Whatever is stored, answers about it can be read.
func TestAnswersCanBeReadWhateverIsStored(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	for c := range 0x100 {
		text := apptest.VEvent(fmt.Sprint(c), "DTSTART:20261201T150000Z", "SUMMARY:a"+string(rune(c))+"b", "X-P;X=a"+string(rune(c))+"b:c")
		dav.Do("PUT", fmt.Sprintf("%s%d.ics", at, c), text)
	}
	for i, c := range []string{"\ufffe", "\uffff", "\ufdd0", "\u202e", "\U0001ffff", "\ufeff", "\r", "\r\r\n ", "\xed\xa0\x80", "\xf4\x90\x80\x80"} {
		dav.Do("PUT", fmt.Sprintf("%sodd-%d.ics", at, i), apptest.VEvent(fmt.Sprint("odd", i), "DTSTART:20261201T150000Z", "SUMMARY:a"+c+"b", "UID;X="+c+":"+fmt.Sprint("odd", i)))
	}
	const data = `<prop xmlns="DAV:"><getetag/><calendar-data xmlns="urn:ietf:params:xml:ns:caldav"/></prop>`
	all := dav.Do("REPORT", at, `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level>`+data+`</sync-collection>`).Multistatus()
	if len(all.Entries) < 200 {
		t.Errorf("only %d were stored", len(all.Entries))
	}
	inXML := strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd") // which XML cannot say (XML 1.0 §2.2)
	for _, e := range all.Entries {
		if got := inXML.Replace(dav.Do("GET", e.Href).Want(200).Body); got != e.Data {
			t.Errorf("%s is %q, and in XML %q", e.Href, got, e.Data)
		}
	}
	dav.Do("REPORT", at, `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><prop><C:calendar-data><C:expand start="20261201T000000Z" end="20261202T000000Z"/></C:calendar-data></prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20261201T000000Z" end="20261202T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`).Multistatus()
	list := ann.Do("GET", "/world/time/objects?limit=200&start=2026-12-01&end=2026-12-02").Want(200)
	for _, o := range list.List("objects")[:20] {
		ann.Do("PATCH", apptest.At(o, "links.self").(string), `{"location": "x"}`).Want(200)
	}
	ann.Runtime().Do("GET", "/world/runtime").Want(200).At("")
}

// A name is whatever a client says, and nothing in it leads anywhere else.
func TestNamesOfEntries(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	for i, name := range []string{
		"plain.ics", "with%20space.ics", "quote%22.ics", "apostrophe'.ics", "%C3%BCml%C3%A4ut.ics", "%F0%9F%A5%A7.ics", "a&b.ics", "%3Ca%3E.ics", "semi;colon.ics",
		"per%25cent.ics", "plus+.ics", "hash%23.ics", "what%3F.ics", "star*.ics", "colon:.ics", "back%5Cslash.ics", "UPPER.ICS", "upper.ics", "none", ".hidden", "...",
		"e%CC%81.ics", "%C3%A9.ics", // the same letter, composed in two ways: two names
		strings.Repeat("x", 255),
	} {
		text := apptest.VEvent(fmt.Sprint(i), "DTSTART:20261201T150000Z")
		dav.Do("PUT", at+name, text).Want(201)
		if got := dav.Do("GET", at+name).Want(200).Body; got != text {
			t.Errorf("%s is\n%s", name, got)
		}
		found := 0
		for _, e := range dav.With("Depth", "1").Do("PROPFIND", at, apptest.PropfindETags).Multistatus().Entries {
			a := dav.Do("GET", e.Href)
			if e.ETag != "" && a.Want(200).Body == text {
				found++
				multiget := dav.Do("REPORT", at, `<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><prop><getetag/></prop><href>`+strings.ReplaceAll(e.Href, "&", "&amp;")+`</href></C:calendar-multiget>`).Multistatus()
				if len(multiget.Entries) != 1 || multiget.Entries[0].ETag != e.ETag || multiget.Entries[0].Href != e.Href {
					t.Errorf("%s: multiget gives %+v", name, multiget)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s is listed %d times", name, found)
		}
		dav.Do("DELETE", at+name).Want(204)
		if i%2 == 0 { // the others are there when the next ones come
			dav.Do("PUT", at+name, text).Want(201)
		}
	}
	h.WantUnchanged("paths that lead elsewhere", func() {
		for _, path := range []string{
			at + "..", at + "%2e%2e", at + "../x.ics", at + "%2e%2e/x.ics", at + "a%2fb.ics", at + "a%2Fb", at + "./x.ics", at + "%2e/x.ics", at + "/x.ics", at + "a/b.ics",
			at + "%00.ics", at + "a%0d%0ab.ics", at + "%ff.ics", at + "%ed%a0%80.ics", at + strings.Repeat("x", 256), at + strings.Repeat("y", 8000), at + "x.ics/",
			"//caldav/1/calendars/x/y", "/caldav//1/calendars/x/y", "/caldav/1/calendars//y", "/caldav/1/Calendars/x/y", "/caldav/01/calendars/x/y", "/caldav/+1/calendars/x/y",
			"/caldav/1.0/calendars/x/y", "/caldav/-1/calendars/x/y", "/caldav/0/calendars/x/y", "/caldav/99999999999999999999/calendars/x/y", "/caldav/%31/calendars/../../2/calendars/",
			"/CALDAV/1/calendars/x/y", "/caldav/1/calendars/%2e%2e/%2e%2e/2/", "/dav/../caldav/1/", "/world/%2e%2e/caldav/1/", "/caldav/1/calendars/" + strings.Repeat("a/", 2000),
			strings.Replace(at, "cal_", "CAL_", 1) + "x.ics",
		} {
			for _, method := range []string{"PUT", "GET", "DELETE", "PROPFIND", "MKCALENDAR"} {
				body := ""
				if method == "PUT" {
					body = apptest.VEvent("path", "DTSTART:20261201T150000Z")
				}
				r, err := http.NewRequest(method, h.HTTP.URL, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				r.URL.Opaque = path // sent as it is
				if strings.HasPrefix(path, "//") {
					r.URL.Opaque = strings.TrimPrefix(h.HTTP.URL, "http:") + path
				}
				r.Header.Set("Authorization", dav.Headers["Authorization"])
				r.Header.Set("Depth", "0")
				resp, err := dav.HTTP.Do(r)
				if err != nil {
					t.Fatalf("%s %s: %v", method, path, err)
				}
				resp.Body.Close()
				if resp.StatusCode < 300 || resp.StatusCode >= 500 {
					t.Errorf("%s %.80s: status %d", method, path, resp.StatusCode)
				}
			}
		}
	})
}

// Headers that no client sends.
func TestHostileHeaders(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := impatient(h.Member("ann"))
	dav, at := ann.Basic(), ann.DefaultCalendar()
	text := apptest.VEvent("tea", "DTSTART:20261201T150000Z")
	etag := dav.Do("PUT", at+"tea.ics", text).Want(201).Header.Get("ETag")
	tags := strings.Repeat(`"0",`, 10_000)
	h.WantUnchanged("headers", func() {
		for _, c := range []struct {
			name, value, method string
			status              int
		}{
			{"If-Match", tags + `"1"`, "PUT", 412},
			{"If-Match", strings.Repeat(`"`, 9_999), "PUT", 400},
			{"If-Match", strings.Repeat("W/", 9_999), "PUT", 412},
			{"If-Match", strings.Repeat(",", 50_000), "PUT", 412},
			{"If-Match", "*, " + etag, "PUT", 400},
			{"If-Match", "ÿ", "PUT", 412},
			{"If-None-Match", tags + etag, "PUT", 412},
			{"If-None-Match", tags + etag, "GET", 304},
			{"If-Modified-Since", "yesterday", "GET", 200},
			{"If-Unmodified-Since", strings.Repeat("x", 10_000), "GET", 200},
			{"Range", "bytes=" + strings.Repeat("0-1,", 10_000) + "0-1", "GET", 200},
			{"Range", "bytes=5-1", "GET", 416},
			{"Depth", "99999", "PROPFIND", 400},
			{"Depth", "-1", "PROPFIND", 400},
			{"Depth", strings.Repeat("0", 10_000), "PROPFIND", 400},
			{"Prefer", strings.Repeat("return=minimal,", 10_000), "PROPFIND", 207},
			{"Content-Type", strings.Repeat("text/", 10_000), "PUT", 415},
			{"Authorization", "Basic " + strings.Repeat("A", 100_000), "GET", 401},
			{"X-Filler", strings.Repeat("x", 2<<20), "GET", 431},
		} {
			body := ""
			if c.method == "PUT" {
				body = text
			}
			if a := dav.With(c.name, c.value).Do(c.method, at+"tea.ics", body); a.Status != c.status {
				t.Errorf("%s with %s: %.40s: status %d, want %d: %.300s", c.method, c.name, c.value, a.Status, c.status, a.Body)
			}
		}
	})
	dav.With("If-Match", tags+etag).Do("PUT", at+"tea.ics", text).Want(204)
}

// Of many who do the same at once, one is the first. Covers C-15, C-24 and
// PT-39.
func TestManyAtOnce(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	dav.HTTP.Transport = &http.Transport{MaxIdleConnsPerHost: 100}
	dav.Do("OPTIONS", at).Want(200) // a hundred who are unknown yet would not all have room in line
	together := func(n int, do func(i int) int) (statuses map[int]int) {
		statuses = make(map[int]int)
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				status := do(i)
				mu.Lock()
				defer mu.Unlock()
				statuses[status]++
			})
		}
		all.Wait()
		return statuses
	}
	send := func(c *apptest.Client, method, path string, body ...any) int {
		a, err := c.Try(method, path, body...)
		if err != nil {
			t.Error(err)
			return 0
		}
		return a.Status
	}
	text := func(uid string, i int) string {
		return apptest.VEvent(uid, "DTSTART:20261201T150000Z", fmt.Sprintf("SUMMARY:%d", i))
	}
	if got := together(100, func(i int) int {
		return send(dav.With("If-None-Match", "*"), "PUT", at+"one.ics", text("one", i))
	}); got[201] != 1 || got[412] != 99 {
		t.Errorf("a new name: %v", got)
	}
	if got := together(100, func(i int) int { return send(dav, "PUT", fmt.Sprintf("%suid-%d.ics", at, i), text("clash", i)) }); got[201] != 1 || got[403] != 99 {
		t.Errorf("a UID: %v", got)
	}
	etag := dav.Do("GET", at+"one.ics").Header.Get("ETag")
	if got := together(50, func(i int) int { return send(dav.With("If-Match", etag), "PUT", at+"one.ics", text("one", 1000+i)) }); got[204] != 1 || got[412] != 49 {
		t.Errorf("a change: %v", got)
	}
	if got := together(50, func(i int) int { return send(dav, "DELETE", at+"one.ics") }); got[204] != 1 || got[404] != 49 {
		t.Errorf("a deletion: %v", got)
	}
	if got := together(20, func(i int) int { return send(dav, "MKCALENDAR", "/caldav/1/calendars/new/") }); got[201] != 1 || got[403] != 19 {
		t.Errorf("a calendar: %v", got)
	}
	id := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
	old := id.Str("object.state.etag")
	if got := together(50, func(i int) int {
		return send(ann.With("If-Match", old), "PATCH", id.Str("object.links.self"), fmt.Sprintf(`{"title": "%d"}`, i))
	}); got[200] != 1 || got[412] != 49 {
		t.Errorf("a native change: %v", got)
	}

	// Who synchronizes while others delete and create gets to what there is.
	r := apptest.Replica{ETags: make(map[string]string)}
	var writing sync.WaitGroup
	for w := range 4 {
		writing.Go(func() {
			for i := range 25 {
				name := fmt.Sprintf("%sbusy-%d-%d.ics", at, w, i%5)
				if i%10 < 5 {
					send(dav, "PUT", name, text(fmt.Sprintf("busy-%d-%d", w, i%5), i))
				} else {
					send(dav, "DELETE", name)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writing.Wait(); close(done) }()
	p := &playground{EntryFixture: &apptest.EntryFixture{Server: h, Ann: ann}, Rand: apptest.NewRand(1)}
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		r = p.sync(&shelfModel{path: at}, r)
	}
	now := make(map[string]string)
	for _, e := range dav.With("Depth", "1").Do("PROPFIND", at, apptest.PropfindETags).Multistatus().Entries {
		if e.ETag != "" {
			now[e.Href] = e.ETag
		}
	}
	if fmt.Sprint(r.ETags) != fmt.Sprint(now) {
		t.Errorf("a client got to\n%v\nand there is\n%v", r.ETags, now)
	}
}
