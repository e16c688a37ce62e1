package ics

import (
	"slices"
	"strings"
	"testing"
)

// An object gets the components of another one that it does not have, and the later revisions.
// Covers B-118.
func TestObjectIsUpdatedWithLaterRevisions(t *testing.T) {
	const start, rule, may2 = "DTSTART;TZID=Europe/Berlin:20260501T090000", "RRULE:FREQ=DAILY", "RECURRENCE-ID;TZID=Europe/Berlin:20260502T090000"
	const stamp1, stamp2 = "DTSTAMP:20260101T000000Z", "DTSTAMP:20260102T000000Z"
	of := func(components ...[]string) string {
		var lines []string
		for _, c := range components {
			lines = append(lines, vevent("1", c...)...)
		}
		return calendar(lines...)
	}
	series := []string{start, rule, stamp1, "SUMMARY:series"}
	override := []string{may2, "DTSTART:20260502T100000Z", stamp1, "SUMMARY:override"}
	change := func(lines []string, changes ...string) []string {
		return append(slices.Clone(lines[:len(lines)-1]), changes...)
	}
	for _, c := range []struct{ name, stored, source, want string }{
		{"the same", of(series, override), of(series, override), ""},
		{"a missing override", of(series), of(series, override), "series override"},
		{"only an override", of(series), of(override), "series override"},
		{"a missing series", of(override), of(series), "series override"},
		{"a lower SEQUENCE", of(change(series, "SEQUENCE:2", "SUMMARY:series")), of(change(series, "SEQUENCE:1", "SUMMARY:old")), ""},
		{"a higher SEQUENCE", of(series, override), of(change(series, "SEQUENCE:1", "SUMMARY:new")), "new override"},
		{"an equal SEQUENCE and no later DTSTAMP", of(series), of(change(series, "LAST-MODIFIED:20260301T000000Z", "SUMMARY:other")), ""},
		{"a later DTSTAMP", of(series), of([]string{start, rule, stamp2, "SUMMARY:new"}), "new"},
		{"a later DTSTAMP of the same content", of(series), of([]string{start, rule, stamp2, "SUMMARY:series"}), ""},
		{"a later override", of(series, override), of(series, change(override, "SEQUENCE:1", "SUMMARY:new")), "series new"},
		{"a later override in another form", of(series, override), of([]string{"RECURRENCE-ID:20260502T070000Z", "DTSTART:20260502T110000Z", "SEQUENCE:1", "SUMMARY:new"}), "series new"},
		{"a missing override of the same day in UTC", of(series, override), of([]string{"RECURRENCE-ID:20260502T090000Z", "DTSTART:20260502T110000Z", "SUMMARY:second"}), "series override second"},
	} {
		stored := mustParse(t, c.stored)
		got := stored.Update(mustParse(t, c.source))
		if c.want == "" {
			if got != nil {
				t.Errorf("%s: got\n%s\nwant no change", c.name, got)
			}
			continue
		}
		if got == nil {
			t.Errorf("%s: got no change, want %s", c.name, c.want)
			continue
		}
		var titles []string
		for _, component := range mustParse(t, string(got)).Components() {
			titles = append(titles, component.Text("SUMMARY"))
		}
		if text := strings.Join(titles, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
		again := mustParse(t, string(got)).Update(mustParse(t, c.source))
		if again != nil {
			t.Errorf("%s, twice: got\n%s\nwant no change", c.name, again)
		}
	}
}

// An update keeps the octets of the components that it does not replace, and the instants of those
// that it adds.
func TestUpdateKeepsOctetsAndInstants(t *testing.T) {
	zone := func(offset string) string {
		return "BEGIN:VTIMEZONE\nTZID:Own\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:" + offset + "\nTZOFFSETTO:" + offset + "\nEND:STANDARD\nEND:VTIMEZONE\n"
	}
	const stored = "BEGIN:VEVENT\nuid:1\nDTSTART;TZID=Own:20260501T090000\nRRULE:FREQ=DAILY\nX-LONG:fol\n ded\nEND:VEVENT\n"
	const added = "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260502T080000Z\nDTSTART;X-A=\"b;c\";TZID=Own;X-D=e:20260502T090000\nEND:VEVENT\n"
	const head, end = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n", "END:VCALENDAR\n"
	o := mustParse(t, head+zone("+0100")+stored+end)
	got := string(o.Update(mustParse(t, head+zone("-0500")+added+end)))
	want := head + zone("+0100") + strings.Replace(zone("-0500"), "TZID:Own", "TZID:Own (2)", 1) + stored +
		strings.Replace(added, "TZID=Own", "TZID=Own (2)", 1) + end
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// For any two objects, an update is idempotent and has all their components.
func FuzzUpdate(f *testing.F) {
	f.Add([]byte(event("DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY")), []byte(event("RECURRENCE-ID:20260502", "DTSTART;TZID=Own:20260502T100000")))
	f.Add([]byte(calendar(append(ownZone("Own"), vevent("1", "DTSTART;TZID=Own:20260501T090000")...)...)), []byte(event("DTSTART;TZID=\"Own\":20260501T090000", "SEQUENCE:1")))
	f.Fuzz(func(t *testing.T, stored, source []byte) {
		o, err := Parse(stored)
		if err != nil {
			return
		}
		added, err := Parse(source)
		if err != nil || added.UID != o.UID || added.Component != o.Component {
			return
		}
		text := o.Update(added)
		if text == nil {
			return
		}
		updated, err := Parse(text)
		if err != nil {
			return // too large, or too many overrides with RANGE=THISANDFUTURE
		}
		if n := len(updated.Components()); n < max(len(o.Components()), len(added.Components())) {
			t.Errorf("got %d components in %q, want those of %q and %q", n, text, stored, source)
		}
		if again := updated.Update(added); again != nil {
			t.Errorf("updated twice: got %q after %q, want no change", again, text)
		}
	})
}
