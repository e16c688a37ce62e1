package ics

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
)

// assemble returns the entries of texts, which are streams with the names a, b and so on.
func assemble(t testing.TB, texts ...string) []Entry {
	t.Helper()
	var a Assembly
	for i, text := range texts {
		a.Add(string(rune('a'+i)), readStream(t, text))
	}
	return slices.Collect(a.Entries(svc.WorkOf(t.Context())))
}

// summarize describes entries: the texts of their components in their order, and the reasons of
// refusals.
func summarize(list []Entry) string {
	var lines []string
	for _, e := range list {
		if bad, ok := errors.AsType[*Error](e.Err); ok {
			lines = append(lines, fmt.Sprintf("%s:%d %s refused: %s", e.Source, e.Line, e.Date, bad.Reason))
			continue
		}
		line := fmt.Sprintf("%s:%d +%d", e.Source, e.Line, e.Joined)
		for _, c := range e.Object.Components() {
			line += " " + c.Text("SUMMARY")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// vevent returns the lines of a VEVENT.
func vevent(uid string, lines ...string) []string {
	return slices.Concat([]string{"BEGIN:VEVENT", "UID:" + uid}, lines, []string{"END:VEVENT"})
}

func TestEntryHasTheTextOfItsComponents(t *testing.T) {
	event := []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20260501T090000", "RRULE:FREQ=DAILY", "END:VEVENT"}
	override := []string{"BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;TZID=Own:20260502T090000", "DTSTART;tzid=O", " wn:20260502T100000",
		"BEGIN:VALARM", "UID:alarm", "END:VALARM", "END:VEVENT"}
	task := []string{"BEGIN:VTODO", "UID:1", "SUMMARY:Same UID", "END:VTODO"}
	// Some programs export several VCALENDARs in one file.
	text := calendar(slices.Concat([]string{"METHOD:PUBLISH", "CALSCALE:GREGORIAN"}, ownZone("Own"), ownZone("Other"), event, task)...) +
		strings.Replace(calendar(slices.Concat(ownZone("Own"), override)...), "//Test//", "//Other//", 1)
	list := assemble(t, text)
	head := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "CALSCALE:GREGORIAN"}
	end := []string{"END:VCALENDAR", ""}
	for i, want := range []struct {
		component string
		joined    int
		text      []string
	}{
		{"VEVENT", 1, slices.Concat(head, ownZone("Own"), event, override, end)},
		{"VTODO", 0, slices.Concat(head, task, end)},
	} {
		e := list[i]
		if e.Err != nil {
			t.Fatal(e.Err)
		}
		if got := string(e.Object.Raw); e.Component != want.component || e.UID != "1" || e.Joined != want.joined || got != strings.Join(want.text, "\r\n") {
			t.Errorf("entry %d: got %s, UID %q, %d joined:\n%s\nwant %s, UID 1, %d joined:\n%s", i, e.Component, e.UID, e.Joined, got, want.component, want.joined, strings.Join(want.text, "\r\n"))
		}
		if line := strings.Split(text, "\n")[e.Line-1]; !strings.HasPrefix(line, "BEGIN:"+want.component) {
			t.Errorf("entry %d: got line %d (%s), want its BEGIN line", i, e.Line, line)
		}
	}
}

// The components of one entry meet, whatever source they are in and in whatever order. Of several
// revisions the latest one is kept. Covers B-118.
func TestComponentsOfOneEntryAreJoined(t *testing.T) {
	const start, rule, may2 = "DTSTART;TZID=Europe/Berlin:20260501T090000", "RRULE:FREQ=DAILY", "RECURRENCE-ID;TZID=Europe/Berlin:20260502T090000"
	of := func(lines ...string) string { return calendar(vevent("1", lines...)...) }
	series := of(start, rule, "SUMMARY:series")
	override := of(may2, "DTSTART:20260502T100000Z", "SUMMARY:override")
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"a series and its override", []string{series, override}, "a:4 +1 series override"},
		{"an override before its series", []string{override, series}, "a:4 +1 series override"},
		{"overrides without a series", []string{override, of("RECURRENCE-ID:20260503T070000Z", "DTSTART:20260503T100000Z", "SUMMARY:second")}, "a:4 +1 override second"},
		{"the same file twice", []string{series, series}, "a:4 +1 series"},
		{"a higher SEQUENCE", []string{of(start, "SEQUENCE:1", "DTSTAMP:20260101T000000Z", "SUMMARY:new"), of(start, "DTSTAMP:20260201T000000Z", "SUMMARY:old")}, "a:4 +1 new"},
		{"a later DTSTAMP", []string{of(start, "DTSTAMP:20260101T000000Z", "SUMMARY:old"), of(start, "DTSTAMP:20260101T000001Z", "SUMMARY:new")}, "b:4 +1 new"},
		{"a later LAST-MODIFIED", []string{of(start, "LAST-MODIFIED:20260101T000000Z", "SUMMARY:old"), of(start, "LAST-MODIFIED:20260102T000000Z", "SUMMARY:new")}, "b:4 +1 new"},
		{"two series, neither newer", []string{of(start, "SUMMARY:a"), of(start, "SUMMARY:b")}, // a hash decides, not the order
			"b:4 2026-05-01 refused: Another entry with this UID and date has other content, and neither of the two is newer.\na:4 +0 a"},
		{"a doubled override in another form", []string{series, override, of("RECURRENCE-ID:20260502T070000Z", "SEQUENCE:1", "DTSTART:20260502T110000Z", "SUMMARY:new")}, "a:4 +2 series new"},
		{"a doubled override by its date", []string{of("RECURRENCE-ID;VALUE=DATE:20260502", "SEQUENCE:1", "DTSTART:20260502T110000Z", "SUMMARY:new"), override, series}, "a:4 +2 series new"},
		{"an override that cannot be read", []string{series, of(may2, "DTSTART:tomorrow", "SUMMARY:bad"), override},
			"b:4 2026-05-02 refused: DTSTART of the event is invalid: \"tomorrow\".\na:4 +1 series override"},
		{"a series that cannot be read", []string{of(start, "RRULE:FREQ=NEVER"), override},
			"a:4 2026-05-01 refused: RRULE of the event is invalid: FREQ=NEVER is not supported.\nb:4 +0 override"},
		{"a line that cannot be read", []string{series, of(may2, "DTSTART:20260502T100000Z", "SUMMARY;X:bad")},
			"b:4 2026-05-02 refused: Line 8 has a parameter without a value.\na:4 +0 series"},
		{"too many overrides", []string{series, calendar(slices.Repeat(vevent("1", may2, "DTSTART:20260502T100000Z", "X-NOTE:"+strings.Repeat("x", 70_000), "SUMMARY:override"), 20)...)},
			"a:4 +20 series override"},
	} {
		if got := summarize(assemble(t, c.texts...)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// The kept revisions do not depend on the order of the components and of the sources. Covers B-118.
func TestJoinedEntryDoesNotDependOnTheOrder(t *testing.T) {
	d := rand.New(rand.NewPCG(1, 118))
	for range 300 {
		var list [][]string
		for n := range 2 + d.IntN(6) {
			lines := []string{"DTSTART;TZID=Europe/Berlin:20260501T090000", "RRULE:FREQ=DAILY"}
			if d.IntN(3) > 0 {
				lines = []string{[]string{"RECURRENCE-ID;TZID=Europe/Berlin:20260502T090000", "RECURRENCE-ID:20260502T070000Z", "RECURRENCE-ID;VALUE=DATE:20260503"}[d.IntN(3)], "DTSTART:20260501T120000Z"}
			}
			lines = append(lines, fmt.Sprintf("SUMMARY:%d", n), fmt.Sprintf("SEQUENCE:%d", d.IntN(2)), fmt.Sprintf("DTSTAMP:2026010%dT000000Z", 1+d.IntN(2)))
			if d.IntN(8) == 0 {
				lines = append(lines, "DUE;X")
			}
			list = append(list, vevent("1", lines...))
		}
		result := func() (kept []string, components, refused int) {
			for _, e := range assemble(t, calendar(slices.Concat(list[:1]...)...), calendar(slices.Concat(list[1:]...)...)) {
				if components += 1 + e.Joined; e.Err != nil {
					refused++
					continue
				}
				for _, c := range e.Object.Components() {
					kept = append(kept, c.Text("SUMMARY"))
				}
			}
			slices.Sort(kept)
			return kept, components, refused
		}
		kept, components, refused := result()
		if components != len(list) {
			t.Fatalf("%q: got %d components, want %d", list, components, len(list))
		}
		d.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got, _, n := result(); !slices.Equal(got, kept) || n != refused {
			t.Fatalf("%q: got %q and %d refused, want %q and %d", list, got, n, kept, refused)
		}
	}
}

// Parts of VCALENDARs with different definitions of one TZID keep their instants.
func TestJoinedComponentsKeepTheirZones(t *testing.T) {
	zone := func(offset string) []string {
		return []string{"BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:" + offset, "TZOFFSETTO:" + offset, "END:STANDARD", "END:VTIMEZONE"}
	}
	const tzid = `;TZID="Customized Time Zone":`
	series := calendar(slices.Concat(zone("+0100"), vevent("1", "DTSTART"+tzid+"20260501T090000", "RRULE:FREQ=DAILY;COUNT=3"))...)
	override := calendar(slices.Concat(zone("-0500"), vevent("1", "RECURRENCE-ID:20260502T080000Z", "DTSTART"+tzid+"20260502T090000"))...)
	other := calendar(slices.Concat(zone("-0500"), vevent("2", "DTSTART"+tzid+"20260601T090000"))...)
	var got []string
	for _, e := range assemble(t, series+other+override) {
		for _, c := range e.Object.Components() {
			got = append(got, c.Time("DTSTART").Instant(nil).Format("0102T1504"))
		}
	}
	if want := []string{"0501T0800", "0502T1400", "0601T1400"}; !slices.Equal(got, want) {
		t.Errorf("got starts at %q, want %q", got, want)
	}
}

// An entry without a UID gets one that depends on its content, not on the time of the export.
// Covers B-118.
func TestUIDIsDerivedFromTheContent(t *testing.T) {
	derived := func(lines ...string) string {
		list := assemble(t, calendar(slices.Concat([]string{"BEGIN:VEVENT"}, lines, []string{"END:VEVENT"})...))
		if len(list) != 1 || list[0].Err != nil || !strings.HasPrefix(list[0].Object.UID, derivedUID) || list[0].UID != "" {
			t.Fatalf("got %+v, want one entry with a derived UID", list)
		}
		return list[0].Object.UID
	}
	bins := []string{"DTSTART;VALUE=DATE:20261203", "SUMMARY:Bins", "BEGIN:VALARM", "UID:alarm", "END:VALARM"}
	want := derived(bins...)
	for name, lines := range map[string][]string{
		"another time of export": append([]string{"DTSTAMP:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z", "CREATED:20260101T000000Z", "SEQUENCE:4"}, bins...),
		"an empty UID":           append([]string{"UID:"}, bins...),
		"a blank UID":            append([]string{"UID: "}, bins...),
		"other folds":            append([]string{"DTSTART;VALUE=DATE:2026", " 1203"}, bins[1:]...),
	} {
		if got := derived(lines...); got != want {
			t.Errorf("%s: got UID %s, want %s", name, got, want)
		}
	}
	if got := derived(append([]string{"LOCATION:Yard"}, bins...)...); got == want {
		t.Errorf("other content: got UID %s, want another one", got)
	}
	same := calendar(slices.Repeat(slices.Concat([]string{"BEGIN:VEVENT"}, bins, []string{"END:VEVENT"}), 2)...)
	if got := assemble(t, same); len(got) != 2 || got[0].Object.UID != got[1].Object.UID {
		t.Errorf("equal entries: got %+v, want two with one UID", got)
	}
}

// Overrides move to the Assembly that has their series.
func TestOverridesMoveToTheirSeries(t *testing.T) {
	override := func(uid string) []string {
		return vevent(uid, "RECURRENCE-ID:20260502T090000Z", "DTSTART:20260502T100000Z", "SUMMARY:override of "+uid)
	}
	var from, to Assembly
	from.Add("from", readStream(t, calendar(slices.Concat(override("1"), override("2"), override("3"), vevent("4", "DTSTART:20260501", "SUMMARY:4"), override("1"))...)))
	to.Add("to", readStream(t, calendar(slices.Concat(vevent("1", "DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY", "SUMMARY:1"), override("2"), vevent("4", "DTSTART:20260501", "SUMMARY:4"))...)))
	from.MoveOverrides(&to)
	work := svc.WorkOf(t.Context())
	if got, want := summarize(slices.Collect(to.Entries(work))), "to:4 +2 1 override of 1\nto:10 +0 override of 2\nto:16 +0 4"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := summarize(slices.Collect(from.Entries(work))), "from:10 +0 override of 2\nfrom:16 +0 override of 3\nfrom:22 +0 4"; got != want {
		t.Errorf("left: got\n%s\nwant\n%s", got, want)
	}
}
