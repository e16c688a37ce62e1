package ics

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
)

// fixedZone returns a VTIMEZONE with one offset.
func fixedZone(tzid, offset string) []string {
	return vtimezoneOf(tzid, observance("STANDARD", "19700101T000000", offset, offset))
}

// zonedEvent returns an object with an event, after other components.
func zonedEvent(uid string, zone []string, lines ...string) string {
	return calendar(slices.Concat(zone, []string{"BEGIN:VEVENT", "UID:" + uid}, lines, []string{"END:VEVENT"})...)
}

// withProdID returns an object with another PRODID.
func withProdID(raw, prodID string) string {
	return regexp.MustCompile(`PRODID:[^\r\n]*`).ReplaceAllLiteralString(raw, "PRODID:"+prodID)
}

// merge writes objects into one calendar of this program.
func merge(t testing.TB, first int, objects ...string) string {
	t.Helper()
	var out bytes.Buffer
	m, err := NewMerger(&out, NewDocument(ProdID), first)
	for _, raw := range objects {
		if err == nil {
			err = m.Add(svc.WorkOf(t.Context()), []byte(raw), nil)
		}
	}
	if err == nil {
		err = m.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	tzidParameter = regexp.MustCompile(`(?i);TZID=("[^"]*"|[^":;]*)`)
	tzidProperty  = regexp.MustCompile(`(?m)^TZID:(.*)\r$`)
)

// instantsOf returns the first instances of each entry of a calendar, by its UID.
func instantsOf(t testing.TB, text string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, e := range assemble(t, text) {
		if e.Err != nil {
			t.Fatal(e.Err)
		}
		instances, _ := e.Object.Instances(time.Time{}, time.Time{}, nil, 5)
		for _, i := range instances {
			found[e.UID] += fmt.Sprint(i.From, "-", i.To, " ")
		}
	}
	return found
}

// onlyDefinitions returns the text of a calendar for a reader that knows no names: each TZID is
// replaced by one that only the VTIMEZONE defines. It fails unless each TZID has one VTIMEZONE.
func onlyDefinitions(t testing.TB, text string) string {
	t.Helper()
	unfolded := strings.ReplaceAll(text, "\r\n ", "")
	defined := make(map[string]int)
	for _, m := range tzidProperty.FindAllStringSubmatch(unfolded, -1) {
		defined[unescapeText(m[1])]++
	}
	for _, m := range tzidParameter.FindAllStringSubmatch(unfolded, -1) {
		if n := defined[strings.Trim(m[1], `"`)]; n != 1 {
			t.Errorf("TZID %q: got %d definitions, want 1, in\n%s", m[1], n, text)
		}
	}
	opaque := func(name string) string { return fmt.Sprintf("opaque %x", name) }
	unfolded = tzidProperty.ReplaceAllStringFunc(unfolded, func(line string) string {
		return "TZID:" + opaque(unescapeText(strings.TrimSpace(strings.TrimPrefix(line, "TZID:")))) + "\r"
	})
	unfolded = tzidParameter.ReplaceAllStringFunc(unfolded, func(s string) string {
		return ";TZID=" + opaque(strings.Trim(tzidParameter.FindStringSubmatch(s)[1], `"`))
	})
	return strings.ReplaceAll(unfolded, ProdID, "-//Reader//EN")
}

// wantInstants compares the instants of a written calendar with those of the objects, for this
// program and for a reader that knows only the definitions.
func wantInstants(t testing.TB, text string, objects ...string) {
	t.Helper()
	want := make(map[string]string)
	for _, raw := range objects {
		for uid, instants := range instantsOf(t, raw) {
			want[uid] = instants
		}
	}
	for reader, text := range map[string]string{"this program": text, "a reader of the definitions": onlyDefinitions(t, text)} {
		got := instantsOf(t, text)
		for uid, instants := range want {
			if got[uid] != instants || instants == "" {
				t.Errorf("%s, %s: got %s, want %s, in\n%s", reader, uid, got[uid], instants, text)
			}
		}
	}
}

// The entries of one calendar keep their instants: two VTIMEZONEs with one TZID, names that only
// the server resolves, and names that stand for something else.
func TestMergedEntriesKeepTheirInstants(t *testing.T) {
	const custom = "Customized Time Zone"
	objects := []string{
		zonedEvent("custom-1", fixedZone(custom, "+0100"), "DTSTART;TZID="+custom+":20260501T090000"),
		zonedEvent("custom-2", fixedZone(custom, "-0500"), "DTSTART;TZID="+custom+":20260501T090000"),
		zonedEvent("custom-3", fixedZone(custom, "+0100"), "DTSTART;TZID="+custom+":20260601T090000"),
		zonedEvent("windows", nil, `DTSTART;TZID="W. Europe Standard Time":20260501T090000`, "RRULE:FREQ=MONTHLY"),
		zonedEvent("windows-2", ownZone("W. Europe Standard Time"), `DTSTART;TZID="W. Europe Standard Time":20261201T090000`),
		zonedEvent("prefix", nil, "DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20260501T090000"),
		zonedEvent("link", nil, "DTSTART;TZID=US/Pacific:20260501T090000"),
		zonedEvent("iana", nil, "DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Asia/Tokyo:20261202T040000"),
		zonedEvent("outdated", vtimezoneOf("America/Vancouver", observance("STANDARD", "20071104T020000", "-0700", "-0800", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
			observance("DAYLIGHT", "20070311T020000", "-0800", "-0700", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU")), "DTSTART;TZID=America/Vancouver:20261215T100000"),
		zonedEvent("other", fixedZone("Europe/Berlin", "+0500"), "DTSTART;TZID=Europe/Berlin:20260501T090000"),
		zonedEvent("offset", nil, `DTSTART;TZID="(UTC+05:45) Nowhere":20260501T090000`),
		zonedEvent("offset-2", fixedZone("(UTC+05:45) Nowhere", "+0100"), `DTSTART;TZID="(UTC+05:45) Nowhere":20260501T090000`),
		zonedEvent("utc", nil, "DTSTART;TZID=UTC:20260501T090000"),
		zonedEvent("lower", nil, "DTSTART;tzid=Asia/Tokyo:20260501T090000"),
		zonedEvent("folded", nil, "DTSTART;X-LONG="+strings.Repeat("x", 60)+";TZ", " ID=Asia/Tokyo:20260501T090000"),
		zonedEvent("two", slices.Concat(fixedZone("A", "+0100"), fixedZone("B", "+0200")), "DTSTART;TZID=A:20260501T090000", "DTEND;TZID=B:20260501T120000"),
		zonedEvent("date", nil, "DTSTART;VALUE=DATE;TZID=Nowhere:20260501"),
		zonedEvent("none", nil, "DTSTART:20260501T090000Z"),
		zonedEvent("floating", nil, "DTSTART;TZID=Nowhere:20260501T090000"),
		zonedEvent("early", nil, "DTSTART;TZID=Europe/Berlin:19300501T090000"),
		zonedEvent("late", nil, "DTSTART;TZID=Europe/Berlin:20450501T090000"),
	}
	text := merge(t, 1930, objects...)
	wantInstants(t, text, objects...)
	if strings.Contains(text, "W. Europe") || strings.Contains(text, "TZID=Nowhere") || strings.Count(text, "TZID:Europe/Berlin\r\n") != 1 {
		t.Errorf("got\n%s\nwant the IANA name once", text)
	}
}

// What is written natively or for a client that requests time zones is defined, also years ago
// and years ahead.
func TestIncludedTimeZonesHaveTheInstants(t *testing.T) {
	for _, tzid := range []string{"Europe/Berlin", "America/Vancouver", "America/New_York", "Africa/Casablanca", "Asia/Kolkata", "Asia/Tokyo", "UTC", "Etc/GMT+5", "Pacific/Apia", "Eastern Standard Time", "/mozilla.org/20050126_1/Australia/Lord_Howe"} {
		for year := 1902; year < 2060; year += 13 {
			raw := zonedEvent("1", nil, fmt.Sprintf(`DTSTART;TZID="%s":%d0715T090000`, tzid, year), fmt.Sprintf(`EXDATE;TZID="%s":%d0715T090000`, tzid, year+1), "RRULE:FREQ=MONTHLY;COUNT=5")
			text, _ := IncludeTimeZones([]byte(raw))
			wantInstants(t, string(text), raw)
			defined, changed := mustParse(t, raw).withTimeZones()
			if !changed {
				t.Fatalf("%s: got no VTIMEZONE, want one", tzid)
			}
			wantInstants(t, string(defined), raw)
			if _, again := mustParse(t, string(defined)).withTimeZones(); again || !strings.Contains(string(defined), tzid+`":`) && !strings.Contains(string(defined), tzid+":") {
				t.Errorf("%s: got changes of the result, or another TZID\n%s", tzid, defined)
			}
		}
	}
}

// A native edit replaces the definition of an earlier law, and keeps those of the object.
func TestOutdatedDefinitionIsReplaced(t *testing.T) {
	outdated := vtimezoneOf("America/Vancouver", observance("DAYLIGHT", "20070311T020000", "-0800", "-0700", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
		observance("STANDARD", "20071104T020000", "-0700", "-0800", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"))
	raw := zonedEvent("1", slices.Concat(outdated, fixedZone("Own", "+0100")), "DTSTART;TZID=America/Vancouver:20261215T100000", "DTEND;TZID=Own:20261216T100000", "X-KEPT: as it is")
	for _, prodID := range []string{"-//Test//EN", ProdID} {
		text, changed := mustParse(t, withProdID(raw, prodID)).withTimeZones()
		if !changed || strings.Contains(string(text), "BYMONTH=11") {
			t.Errorf("PRODID %s: got\n%s\nwant the VTIMEZONE of Vancouver replaced", prodID, text)
		}
		wantInstants(t, string(text), raw)
	}
	text, _ := mustParse(t, raw).withTimeZones()
	for _, line := range []string{"X-KEPT: as it is", "TZID:Own", "DTSTART;TZID=America/Vancouver:20261215T100000"} {
		if !strings.Contains(string(text), "\r\n"+line+"\r\n") {
			t.Errorf("got no line %q in\n%s", line, text)
		}
	}
	if _, changed := mustParse(t, zonedEvent("1", ownZone("Europe/Berlin"), "DTSTART;TZID=Europe/Berlin:20261215T100000")).withTimeZones(); changed {
		t.Error("got a change of a definition with the rules of the zone, want none")
	}
}

// For any object, the VTIMEZONEs that are included change no instant, and there is one for each
// TZID.
func FuzzIncludeTimeZones(f *testing.F) {
	f.Add(zonedEvent("1", ownZone("Own"), "DTSTART;TZID=Own:20260501T090000", "DTEND;TZID=Europe/Berlin:20260501T100000"))
	f.Add(zonedEvent("1", fixedZone("Europe/Berlin", "+0500"), `DTSTART;X=a;TZID="Europe/Berlin";Y="b;c":20260501T090000`, "RDATE;TZID=Nowhere:20260502T090000,20260503T090000"))
	f.Add(strings.ReplaceAll(zonedEvent("1", nil, "DTSTART;TZID=Asia/Tokyo:00010501T090000"), "\r\n", "\n"))
	f.Add(zonedEvent("1", nil, "DTSTART:20260501", `X;TZID=a,"b",,:1`, `Y;TZID="";Z="":1`, "X;TZID=a;Y=b;tzid=Europe/Berlin:1"))
	f.Fuzz(func(t *testing.T, raw string) {
		o, err := Parse([]byte(raw))
		if err != nil {
			return
		}
		text, _ := IncludeTimeZones([]byte(raw))
		got, err := Parse(text)
		if err != nil {
			if len(text) > MaxSize {
				return
			}
			t.Fatalf("got %v for the text\n%s", err, text)
		}
		want, _ := o.Instances(time.Time{}, time.Time{}, nil, 20)
		list, _ := got.Instances(time.Time{}, time.Time{}, nil, 20)
		if len(list) != len(want) {
			t.Fatalf("got %d instances, want %d\n%s", len(list), len(want), text)
		}
		for i := range list {
			if list[i].From != want[i].From || list[i].To != want[i].To {
				t.Errorf("instance %d: got %d to %d, want %d to %d\n%s", i, list[i].From, list[i].To, want[i].From, want[i].To, text)
			}
		}
	})
}
