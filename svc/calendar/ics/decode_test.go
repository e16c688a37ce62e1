package ics

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/emersion/go-ical"
)

// The tree equals that of go-ical's decoder for the same lines, unfolded.
//
// Covers PT-45.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(weeklyEvent))
	f.Add([]byte(untidyText))
	f.Add([]byte(event("DTSTART;TZID=Europe/Berlin:20260501T090000", `ATTENDEE;CN="a;b",c;cn=d;X="":mailto:a@example.com`, "X;A=^n^'^^^x:y")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 10_000 { // go-ical takes quadratic time
			return
		}
		var text []byte
		err := scan(raw, objectLimits, func(line contentLine) {
			switch line.name {
			case "":
			case "BEGIN", "END":
				text = append(append(append(text, line.name+":"...), line.value...), '\n')
			default:
				text = append(append(text, line.text...), '\n')
			}
		})
		o, problem := decode(raw, objectLimits)
		if (problem == nil) != (err == nil) {
			t.Fatalf("got %v from decode and %v from scan, want both or none", problem, err)
		}
		if err != nil {
			return
		}
		want, other := ical.NewDecoder(bytes.NewReader(text)).Decode()
		if other != nil {
			t.Skip(other)
		}
		sameTree(t, o.calendar, want.Component)
	})
}

func sameTree(t *testing.T, got, want *ical.Component) {
	t.Helper()
	if got.Name != want.Name || len(got.Props) != len(want.Props) || len(got.Children) != len(want.Children) {
		t.Fatalf("got %s with %d properties and %d components, want %s with %d and %d",
			got.Name, len(got.Props), len(got.Children), want.Name, len(want.Props), len(want.Children))
	}
	for name, props := range want.Props {
		if !slices.EqualFunc(got.Props[name], props, sameProp) {
			t.Errorf("got %v, want %v", got.Props[name], props)
		}
	}
	for i := range want.Children {
		sameTree(t, got.Children[i], want.Children[i])
	}
}

// sameProp compares a property with that of go-ical, which does not decode
// parameter values.
func sameProp(got, want ical.Prop) bool {
	return got.Name == want.Name && got.Value == want.Value && maps.EqualFunc(got.Params, want.Params, func(got, want []string) bool {
		return slices.EqualFunc(got, want, func(got, want string) bool { return got == decodeParam(want) })
	})
}
