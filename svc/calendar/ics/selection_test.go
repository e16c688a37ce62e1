package ics

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestSelection(t *testing.T) {
	props := func(names ...string) (list []SelectedProp) {
		for _, n := range names {
			list = append(list, SelectedProp{Name: n})
		}
		return list
	}
	begin, end := "\ufeffBEGIN:VCALENDAR\r\n", "END:VCALENDAR\r\n\r\n"
	for _, c := range []struct {
		name      string
		selection Selection
		want      string
	}{
		{"a calendar without anything said of it is the whole", Selection{Name: "VCALENDAR"}, untidy},
		{"everything", Selection{Name: "vcalendar", AllProps: true, AllComps: true}, untidy},
		{"properties and no components", Selection{Name: "VCALENDAR", AllProps: true}, begin + "VERSION:2.0\r\n\r\n" + end},
		{"components and no properties", Selection{Name: "VCALENDAR", AllComps: true}, begin + untidy[strings.Index(untidy, "begin:VEVENT"):]},
		{"a component as a whole", Selection{Name: "VCALENDAR", Props: props("version"), Comps: []Selection{{Name: "vevent"}}},
			begin + "VERSION:2.0\r\n" + untidy[strings.Index(untidy, "begin:VEVENT"):]},
		{"some properties, with their folds and their line ends", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", Props: props("Summary", "LOCATION", "ATTENDEE")}}},
			begin + "begin:VEVENT \nsummary;LANGUAGE=de:Erster\r\n\t Titel\r\nSUMMARY:Zweiter\r\nLOCATION:b\r\n  ehind the alarm\r\nend:vevent\r\n" + end},
		{"properties whose values are not wanted", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", Props: []SelectedProp{{"SUMMARY", true}, {"X-THING", true}, {"DTSTART", false}}}}},
			begin + "begin:VEVENT \nDTSTART:20260501T090000Z\r\nsummary;LANGUAGE=de:\nX-Thing;A=\"b;c\":\nSUMMARY:\nend:vevent\r\n" + end},
		{"a component in a component", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", Props: props("UID"), Comps: []Selection{{Name: "VALARM", Props: props("ACTION")}}}}},
			begin + "begin:VEVENT \nUID:1\r\nBEGIN:VALARM\r\nEND:VALARM\r\nend:vevent\r\n" + end},
		{"all components in one, and none of its properties", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", AllComps: true, Props: props("X")}}},
			begin + "begin:VEVENT \nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nend:vevent\r\n" + end},
		{"nothing that is there", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VTODO"}}}, begin + end},
		{"something else than a calendar", Selection{Name: "VEVENT", Props: props("UID")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(c.selection.Apply([]byte(untidy))); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
	s := Selection{Name: "VCALENDAR", Props: props("VERSION")}
	if got := string(s.Apply([]byte("rubbish"))); got != "rubbish" {
		t.Errorf("of rubbish, %q", got)
	}
	large := bytes.Repeat([]byte("BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\n"), 60_000)
	large = slices.Concat([]byte("BEGIN:VCALENDAR\r\n"), large, []byte("END:VCALENDAR\r\n"))
	if got := s.Apply(large); string(got) != "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" {
		t.Errorf("of an expansion that is larger than an object may be, %d octets", len(got))
	}
}

func TestWithoutTimeZones(t *testing.T) {
	rest := []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Berlin:20260501T090000", "END:VEVENT"}
	for _, c := range []struct {
		name       string
		text, want string
	}{
		{"a name of the IANA goes", calendar(append(own("Europe/Berlin"), rest...)...), calendar(rest...)},
		{"an old name of the IANA goes", calendar(append(own("US/Eastern"), rest...)...), calendar(rest...)},
		{"a made-up one stays", calendar(append(own("My Zone"), rest...)...), calendar(append(own("My Zone"), rest...)...)},
		{"one that Windows names stays", calendar(append(own("W. Europe Standard Time"), rest...)...), calendar(append(own("W. Europe Standard Time"), rest...)...)},
		{"one behind a vendor's name stays", calendar(append(own("/x.org/Europe/Berlin"), rest...)...), calendar(append(own("/x.org/Europe/Berlin"), rest...)...)},
		{"one of two", calendar(slices.Concat(own("Own"), own("Asia/Tokyo"), rest)...), calendar(append(own("Own"), rest...)...)},
		{"none", untidy, untidy},
		{"rubbish", "rubbish", "rubbish"},
	} {
		if got := string(OmitIANATimeZones([]byte(c.text))); got != c.want {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}

// Whatever is selected of whatever text, each line of it is a line of the text,
// in its order, or one without its value; the text is still well formed; and
// selecting again changes nothing.
//
// Covers PT-45.
func FuzzSelection(f *testing.F) {
	f.Add([]byte(weekly), "VEVENT", "SUMMARY", "X-A", true, false)
	f.Add([]byte(untidy), "vevent", "summary", "LOCATION", false, true)
	f.Add([]byte(calendar(append(own("Own"), "BEGIN:VTODO", "x;a=\"b:c\":d\r\n e", "END:VTODO")...)), "VTIMEZONE", "TZID", "X", true, true)
	f.Fuzz(func(t *testing.T, raw []byte, comp, prop, other string, noValue, all bool) {
		s := Selection{Name: "VCALENDAR", AllProps: all, Props: []SelectedProp{{prop, noValue}, {other, false}},
			Comps: []Selection{{Name: comp, AllComps: all, Props: []SelectedProp{{prop, noValue}}, Comps: []Selection{{Name: other}}}}}
		if problem := scan(raw, objectLimits, func(contentLine) {}); problem != nil {
			return
		}
		got := s.Apply(raw)
		var have []string // the lines of raw
		scan(raw, noLimits, func(line contentLine) { have = append(have, string(line.raw)) })
		problem := scan(got, noLimits, func(line contentLine) {
			for len(have) > 0 && have[0] != string(line.raw) {
				head := contentLine{text: unfold([]byte(have[0]))}
				if head.parse(); noValue && len(line.value) == 0 && string(line.text)+string(head.value) == string(head.text) {
					break
				}
				have = have[1:]
			}
			if len(have) == 0 {
				t.Fatalf("%q is no line of the text, or stood before another", line.raw)
			}
			have = have[1:]
		})
		if problem != nil {
			t.Fatalf("%v: %q", problem, got)
		}
		if again := s.Apply(got); !bytes.Equal(again, got) {
			t.Errorf("at first %q, then %q", got, again)
		}
		if less := OmitIANATimeZones(got); len(less) > len(got) {
			t.Errorf("without time zones there is more: %q", less)
		}
	})
}
