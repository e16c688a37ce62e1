package calendar

import "testing"

// The body of a report that violates its document type is rejected with 400
// (RFC 4918 §8.2), and no precondition is named.
func TestMalformedReportsAreRejected(t *testing.T) {
	f := newFixture(t)
	f.put("tea.ics", event("tea"))
	window := timeRange("20261201T000000Z", "20261202T000000Z")
	filter := `<C:filter><C:comp-filter name="VCALENDAR"/></C:filter>`
	report := func(name, content string) string { return `<` + name + namespaces + `>` + content + `</` + name + `>` }
	for _, c := range []struct{ name, path, body string }{
		{"calendar-query with two filters (RFC 4791 §9.5)", f.path, report("C:calendar-query", "<prop><getetag/></prop>"+filter+filter)},
		{"calendar-query with two selections (RFC 4791 §9.5)", f.path, report("C:calendar-query", "<prop><getetag/></prop><allprop/>"+filter)},
		{"calendar-query with two time zones (RFC 7809 §5.2)", f.path, report("C:calendar-query", filter+"<C:timezone-id>Europe/Berlin</C:timezone-id><C:timezone>x</C:timezone>")},
		{"expand and limit-recurrence-set (RFC 4791 §9.6)", f.path, query(`<C:calendar-data><C:expand start="20261201T000000Z" end="20261202T000000Z"/>`+
			`<C:limit-recurrence-set start="20261201T000000Z" end="20261202T000000Z"/></C:calendar-data>`, "")},
		{"calendar-multiget without href (RFC 4791 §9.10)", f.path, report("C:calendar-multiget", "<prop><getetag/></prop>")},
		{"free-busy-query without a range (RFC 4791 §9.11)", f.path, report("C:free-busy-query", "")},
		{"free-busy-query with two ranges (RFC 4791 §9.11)", f.path, report("C:free-busy-query", window+window)},
		{"sync-collection with two selections (RFC 6578 §6.1)", f.path, report("sync-collection", "<sync-token/><sync-level>1</sync-level><prop/><prop/>")},
		{"sync-collection with an unknown level (RFC 6578 §6.3)", f.path, report("sync-collection", "<sync-token/><sync-level>2</sync-level><prop/>")},
		{"principal-match with both conditions (RFC 3744 §9.3)", homePath, report("principal-match", "<self/><principal-property><owner/></principal-property>")},
		{"principal-match without a condition (RFC 3744 §9.3)", homePath, report("principal-match", "")},
		{"principal-property-search without a term (RFC 3744 §9.4)", "/caldav/", report("principal-property-search", "<prop><displayname/></prop>")},
		{"expand-property without a name (RFC 3253 §3.8)", homePath, report("expand-property", "<property/>")},
	} {
		if a := f.dav.With("Depth", "0").Do("REPORT", c.path, c.body); a.Status != 400 {
			t.Errorf("%s: got status %d, %s, want 400", c.name, a.Status, a.Body)
		}
	}
}
