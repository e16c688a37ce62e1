package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// hostileBody is a request whose body must be rejected.
type hostileBody struct{ name, method, path, body string }

// nested returns text inside n levels of an element.
func nested(open, text, close string, n int) string {
	return strings.Repeat(open, n) + text + strings.Repeat(close, n)
}

// formatNumbers formats the numbers 0 to n-1 and concatenates the results.
func formatNumbers(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func hostileXML(path string) []hostileBody {
	queryWithLimit := func(limit string) string {
		return strings.Replace(apptest.SyncCollection(""), "<prop>", "<limit><nresults>"+limit+"</nresults></limit><prop>", 1)
	}
	longTextMatch := `<C:prop-filter name="SUMMARY"><C:text-match>` + strings.Repeat("x", 100_000) + `</C:text-match></C:prop-filter>`
	return []hostileBody{
		{"100,000 levels", "PROPFIND", path, nested("<a>", "", "</a>", 100_000)},
		{"unclosed elements", "PROPFIND", path, strings.Repeat("<a>", 400_000)},
		{"10,000 levels of filters", "REPORT", path, query("<getetag/>", nested(`<C:comp-filter name="VEVENT">`, "", `</C:comp-filter>`, 10_000))},
		{"20,000 filters", "REPORT", path, query("<getetag/>", strings.Repeat(`<C:prop-filter name="SUMMARY"/>`, 20_000))},
		{"20,000 namespaces", "PROPFIND", path, `<propfind xmlns="DAV:"` + formatNumbers(` xmlns:n%d="urn:%[1]d"`, 20_000) + `><prop/></propfind>`},
		{"20,000 properties", "PROPFIND", path, propfind(formatNumbers("<p%d/>", 20_000))},
		{"expanding entities", "PROPFIND", path, `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>` + propfind("<a>&b;</a>")},
		{"an entity from a file", "PROPFIND", path, `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + propfind("<displayname>&a;</displayname>")},
		{"a document type", "PROPFIND", path, `<!DOCTYPE propfind SYSTEM "http://127.0.0.1/x">` + propfind("<displayname/>")},
		{"NUL", "PROPFIND", path, propfind("<a>\x00</a>")},
		{"invalid UTF-8", "PROPFIND", path, propfind("<a>\xff\xfe</a>")},
		{"UTF-7", "PROPFIND", path, `<?xml version="1.0" encoding="utf-7"?>` + propfind("<a/>")},
		{"UTF-16", "PROPFIND", path, "\xff\xfe<\x00a\x00/\x00>\x00"},
		{"no element", "PROPFIND", path, "hello"},
		{"two root elements", "PROPFIND", path, propfind("") + propfind("")},
		{"another root element", "PROPFIND", path, "<a/>"},
		{"a report without body", "REPORT", path, ""},
		{"an unknown report", "REPORT", path, `<x xmlns="DAV:"/>`},
		{"a text-match of 100,000 octets", "REPORT", path, query("<getetag/>", eventFilter(longTextMatch))},
		{"a range that ends before its start", "REPORT", path, query("<getetag/>", eventFilter(timeRange("20270101T000000Z", "20260101T000000Z")))},
		{"a range without bounds", "REPORT", path, query("<getetag/>", eventFilter("<C:time-range/>"))},
		{"a range from the year 0", "REPORT", path, query("<getetag/>", eventFilter(`<C:time-range start="00000000T000000Z"/>`))},
		{"the sync token of another calendar", "REPORT", path, apptest.SyncCollection("urn:appliance:sync:cal_x:y:1")},
		{"a sync token of 1 MiB", "REPORT", path, apptest.SyncCollection(strings.Repeat("x", 1<<20))},
		{"a limit of 0", "REPORT", path, queryWithLimit("0")},
		{"a limit of 20 digits", "REPORT", path, queryWithLimit("99999999999999999999")},
		{"a name of 1 MiB", "PROPPATCH", path, proppatch("<displayname>" + strings.Repeat("x", 1<<20) + "</displayname>")},
	}
}

func hostileObjects(path string) []hostileBody {
	var list []hostileBody
	for _, c := range []struct{ name, body string }{
		{"45,000 levels of components", "BEGIN:VCALENDAR\r\n" + nested("BEGIN:X\r\n", "", "END:X\r\n", 45_000) + "END:VCALENDAR\r\n"},
		{"unclosed components", strings.Repeat("BEGIN:VCALENDAR\r\n", 50_000)},
		{"60,000 lines", event("c", strings.Repeat("X:1\r\n", 60_000)+"X:1")},
		{"2,000 parameters", apptest.VEvent("c", "DTSTART"+strings.Repeat(";X=1", 2000)+":20261201T150000Z")},
		{"an unclosed parameter", apptest.VEvent("c", `DTSTART;X="abc:20261201T150000Z`)},
		{"no colon", apptest.VEvent("c", "DTSTART;TZID=Foo")},
		{"NUL in a value", event("c", "SUMMARY:a\x00b")},
		{"a value in invalid UTF-8", event("c", "SUMMARY:\xff\xfe")},
		{"a UID in invalid UTF-8", event("\xff\xfe")},
		{"an interval of 0", event("c", "RRULE:FREQ=DAILY;INTERVAL=0")},
		{"an interval of 1,000 digits", event("c", "RRULE:FREQ=DAILY;INTERVAL="+strings.Repeat("9", 1000))},
		{"400,000 numbers in a rule", event("c", "RRULE:FREQ=YEARLY;BYYEARDAY="+strings.Repeat("1,", 400_000)+"x")},
	} {
		list = append(list, hostileBody{c.name, "PUT", path + "c.ics", c.body})
	}
	return list
}

func hostileJSON() []hostileBody {
	var list []hostileBody
	for _, c := range []struct{ name, body string }{
		{"100,000 levels of JSON", nested(`{"a":`, "1", "}", 100_000)},
		{"JSON in invalid UTF-8", "{\"object_type\": \"task\", \"title\": \"\xff\"}"},
		{"half a surrogate pair and NUL", `{"object_type": "task", "title": "\ud800\u0000"}`},
		{"2 MiB of JSON", `{"title": "` + strings.Repeat("x", 2<<20) + `"}`},
		{"301 alarms", `{"object_type": "task", "title": "x", "alarms": [` + strings.Repeat(`{"trigger": "-PT1M"},`, 300) + `{"trigger": "-PT1M"}]}`},
		{"an alarm 10^20 weeks early", `{"object_type": "task", "title": "x", "alarms": [{"trigger": "-P99999999999999999999W"}]}`},
	} {
		list = append(list, hostileBody{c.name, "POST", "/world/time/objects", c.body})
	}
	return list
}

// Hostile XML, iCalendar and JSON bodies change nothing. The response is 4xx
// or, for PROPPATCH, 207 with 4xx for each property. Covers PT-40, PT-45 and
// E-17 over HTTP.
func TestHostileBodiesChangeNothing(t *testing.T) {
	f := newFixture(t, apptest.Unlimited)
	f.put("tea.ics", event("tea"))
	list := append(hostileXML(f.path), hostileObjects(f.path)...)
	for _, c := range append(list, hostileJSON()...) {
		f.WantUnchanged(c.name, func() {
			client := f.dav.With("Depth", "1")
			if c.method == "POST" {
				client = f.ann
			}
			a := client.Do(c.method, c.path, c.body)
			if c.method == "PROPPATCH" && a.Status == 207 {
				if !strings.Contains(a.Body, "HTTP/1.1 4") {
					t.Errorf("%s: got %.500s, want a status of 4xx for the property", c.name, a.Body)
				}
			} else if a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s: got status %d, want 4xx: %.500s", c.name, a.Status, a.Body)
			}
		})
	}
}
