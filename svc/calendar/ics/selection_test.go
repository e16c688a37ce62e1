package ics

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestSelectionAppliesToText(t *testing.T) {
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
		{"VCALENDAR without children is the whole object", Selection{Name: "VCALENDAR"}, untidyText},
		{"allprop and allcomp", Selection{Name: "vcalendar", AllProps: true, AllComps: true}, untidyText},
		{"only allprop", Selection{Name: "VCALENDAR", AllProps: true}, begin + "VERSION:2.0\r\n\r\n" + end},
		{"only allcomp", Selection{Name: "VCALENDAR", AllComps: true}, begin + untidyText[strings.Index(untidyText, "begin:VEVENT"):]},
		{"a whole component", Selection{Name: "VCALENDAR", Props: props("version"), Comps: []Selection{{Name: "vevent"}}},
			begin + "VERSION:2.0\r\n" + untidyText[strings.Index(untidyText, "begin:VEVENT"):]},
		{"some properties keep their folds and line endings", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", Props: props("Summary", "LOCATION", "ATTENDEE")}}},
			begin + "begin:VEVENT \nsummary;LANGUAGE=de:Erster\r\n\t Titel\r\nSUMMARY:Zweiter\r\nLOCATION:b\r\n  ehind the alarm\r\nend:vevent\r\n" + end},
		{"novalue removes the value", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", Props: []SelectedProp{{"SUMMARY", true}, {"X-THING", true}, {"DTSTART", false}}}}},
			begin + "begin:VEVENT \nDTSTART:20260501T090000Z\r\nsummary;LANGUAGE=de:\nX-Thing;A=\"b;c\":\nSUMMARY:\nend:vevent\r\n" + end},
		{"a nested component", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", Props: props("UID"), Comps: []Selection{{Name: "VALARM", Props: props("ACTION")}}}}},
			begin + "begin:VEVENT \nUID:1\r\nBEGIN:VALARM\r\nEND:VALARM\r\nend:vevent\r\n" + end},
		{"allcomp in a component, without its properties", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VEVENT", AllComps: true, Props: props("X")}}},
			begin + "begin:VEVENT \nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nend:vevent\r\n" + end},
		{"an absent component", Selection{Name: "VCALENDAR", Comps: []Selection{{Name: "VTODO"}}}, begin + end},
		{"another component than VCALENDAR at the top", Selection{Name: "VEVENT", Props: props("UID")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(c.selection.Apply([]byte(untidyText))); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
	s := Selection{Name: "VCALENDAR", Props: props("VERSION")}
	if got, want := string(s.Apply([]byte("not iCalendar"))), "not iCalendar"; got != want {
		t.Errorf("invalid text: got %q, want %q", got, want)
	}
	large := bytes.Repeat([]byte("BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\n"), 60_000)
	large = slices.Concat([]byte("BEGIN:VCALENDAR\r\n"), large, []byte("END:VCALENDAR\r\n"))
	if got := s.Apply(large); string(got) != "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" {
		t.Errorf("text beyond MaxSize: got %d octets, want an empty VCALENDAR", len(got))
	}
}

func TestOmitIANATimeZones(t *testing.T) {
	rest := []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Berlin:20260501T090000", "END:VEVENT"}
	for _, c := range []struct {
		name       string
		text, want string
	}{
		{"an IANA name is removed", calendar(append(ownZone("Europe/Berlin"), rest...)...), calendar(rest...)},
		{"an old IANA name is removed", calendar(append(ownZone("US/Eastern"), rest...)...), calendar(rest...)},
		{"an unknown name stays", calendar(append(ownZone("My Zone"), rest...)...), calendar(append(ownZone("My Zone"), rest...)...)},
		{"a Windows name stays", calendar(append(ownZone("W. Europe Standard Time"), rest...)...), calendar(append(ownZone("W. Europe Standard Time"), rest...)...)},
		{"an IANA name with a vendor prefix stays", calendar(append(ownZone("/x.org/Europe/Berlin"), rest...)...), calendar(append(ownZone("/x.org/Europe/Berlin"), rest...)...)},
		{"one of two VTIMEZONEs is removed", calendar(slices.Concat(ownZone("Own"), ownZone("Asia/Tokyo"), rest)...), calendar(append(ownZone("Own"), rest...)...)},
		{"no VTIMEZONE", untidyText, untidyText},
		{"invalid text", "not iCalendar", "not iCalendar"},
	} {
		if got := string(OmitIANATimeZones([]byte(c.text))); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// For any selection of any text, each line of the result is a line of the text
// or such a line without its value, in the same order. The result is
// well-formed, and selecting again does not change it.
//
// Covers PT-45.
func FuzzSelection(f *testing.F) {
	f.Add([]byte(weeklyEvent), "VEVENT", "SUMMARY", "X-A", true, false)
	f.Add([]byte(untidyText), "vevent", "summary", "LOCATION", false, true)
	f.Add([]byte(calendar(append(ownZone("Own"), "BEGIN:VTODO", "x;a=\"b:c\":d\r\n e", "END:VTODO")...)), "VTIMEZONE", "TZID", "X", true, true)
	f.Fuzz(func(t *testing.T, raw []byte, comp, prop, other string, noValue, all bool) {
		s := Selection{Name: "VCALENDAR", AllProps: all, Props: []SelectedProp{{prop, noValue}, {other, false}},
			Comps: []Selection{{Name: comp, AllComps: all, Props: []SelectedProp{{prop, noValue}}, Comps: []Selection{{Name: other}}}}}
		if problem := scan(raw, objectLimits, func(contentLine) {}); problem != nil {
			return
		}
		got := s.Apply(raw)
		var have []string // lines of raw
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
				t.Fatalf("got the line %q, want only lines of the text, in order", line.raw)
			}
			have = have[1:]
		})
		if problem != nil {
			t.Fatalf("%v: %q", problem, got)
		}
		if again := s.Apply(got); !bytes.Equal(again, got) {
			t.Errorf("applied twice: got %q, want %q", again, got)
		}
		if less := OmitIANATimeZones(got); len(less) > len(got) {
			t.Errorf("OmitIANATimeZones: got a longer text %q", less)
		}
	})
}
