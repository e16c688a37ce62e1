package dav

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics"
)

// filterOf reads a filter of which only the inside of VCALENDAR is given.
func filterOf(inside string) (ics.Filter, error) {
	root, err := readXML(strings.NewReader(
		`<filter xmlns="urn:ietf:params:xml:ns:caldav"><comp-filter name="VCALENDAR">` + inside + `</comp-filter></filter>`))
	if err != nil {
		return ics.Filter{}, err
	}
	return readFilter(root)
}

func TestFilters(t *testing.T) {
	at := func(s string) time.Time {
		u, err := time.Parse("20060102T150405Z", s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for _, c := range []struct {
		name, inside string
		want         ics.CompFilter
	}{
		{"everything", ``, ics.CompFilter{Name: "VCALENDAR"}},
		{"events of a month", `<comp-filter name="vevent"><time-range start="20261201T000000Z" end="20270101T000000Z"/></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT",
				TimeRange: &ics.TimeRange{Start: at("20261201T000000Z"), End: at("20270101T000000Z")}}}}},
		{"from now on", `<comp-filter name="VEVENT"><time-range start="20261201T000000Z"/></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT", TimeRange: &ics.TimeRange{Start: at("20261201T000000Z")}}}}},
		{"instances by when they were to be", `<comp-filter name="VEVENT"><prop-filter name="recurrence-id"><time-range start="20261201T000000Z"/></prop-filter></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT", Props: []ics.PropFilter{{Name: "RECURRENCE-ID", TimeRange: &ics.TimeRange{Start: at("20261201T000000Z")}}}}}}},
		{"pending to-dos (RFC 4791 §7.8.9)", `<comp-filter name="VTODO"><prop-filter name="COMPLETED"><is-not-defined/></prop-filter>` +
			`<prop-filter name="STATUS"><text-match negate-condition="yes">CANCELLED</text-match></prop-filter></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VTODO", Props: []ics.PropFilter{
				{Name: "COMPLETED", IsNotDefined: true},
				{Name: "STATUS", TextMatch: &ics.TextMatch{Text: "CANCELLED", Collation: "i;ascii-casemap", Negate: true}}}}}}},
		{"by PARTSTAT (RFC 4791 §7.8.7)", `<comp-filter name="VEVENT"><prop-filter name="ATTENDEE">` +
			`<text-match collation="i;ascii-casemap">mailto:lisa@example.com</text-match>` +
			`<param-filter name="PARTSTAT"><text-match collation="i;octet"> NEEDS-ACTION</text-match></param-filter></prop-filter></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT", Props: []ics.PropFilter{{Name: "ATTENDEE",
				TextMatch: &ics.TextMatch{Text: "mailto:lisa@example.com", Collation: "i;ascii-casemap"},
				Params:    []ics.ParamFilter{{Name: "PARTSTAT", TextMatch: &ics.TextMatch{Text: " NEEDS-ACTION", Collation: "i;octet"}}}}}}}}},
		{"by alarms (RFC 4791 §7.8.5)", `<comp-filter name="VTODO"><comp-filter name="VALARM"><time-range start="20060106T100000Z" end="20060107T100000Z"/></comp-filter></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VTODO", Comps: []ics.CompFilter{{Name: "VALARM",
				TimeRange: &ics.TimeRange{Start: at("20060106T100000Z"), End: at("20060107T100000Z")}}}}}}},
		{"what others add is left alone", `<z:limit xmlns:z="urn:z"/><comp-filter name="VJOURNAL"><is-not-defined/></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VJOURNAL", IsNotDefined: true}}}},
		{"the default collation", `<prop-filter name="X-WR-CALNAME"><text-match collation="default">a</text-match></prop-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Props: []ics.PropFilter{{Name: "X-WR-CALNAME", TextMatch: &ics.TextMatch{Text: "a", Collation: "i;ascii-casemap"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := filterOf(c.inside)
			if err != nil || !reflect.DeepEqual(got.Comp, c.want) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestFiltersThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, inside, condition string }{
		{"an event in a to-do", `<comp-filter name="VTODO"><comp-filter name="VEVENT"/></comp-filter>`, "valid-filter"},
		{"a calendar in a calendar", `<comp-filter name="VCALENDAR"/>`, "valid-filter"},
		{"no name", `<comp-filter/>`, "valid-filter"},
		{"a range of a summary", `<comp-filter name="VEVENT"><prop-filter name="SUMMARY"><time-range start="20261201T000000Z"/></prop-filter></comp-filter>`, "valid-filter"},
		{"a range of a calendar", `<time-range start="20261201T000000Z"/>`, "valid-filter"},
		{"a range without ends", `<comp-filter name="VEVENT"><time-range/></comp-filter>`, "valid-filter"},
		{"a range that is empty", `<comp-filter name="VEVENT"><time-range start="20261201T000000Z" end="20261201T000000Z"/></comp-filter>`, "valid-filter"},
		{"a range in local time", `<comp-filter name="VEVENT"><time-range start="20261201T000000"/></comp-filter>`, "valid-filter"},
		{"a range and a text", `<comp-filter name="VEVENT"><prop-filter name="DUE"><time-range start="20261201T000000Z"/><text-match>2</text-match></prop-filter></comp-filter>`, "valid-filter"},
		{"not defined, and more", `<comp-filter name="VEVENT"><is-not-defined/><prop-filter name="UID"/></comp-filter>`, "valid-filter"},
		{"neither yes nor no", `<prop-filter name="A"><text-match negate-condition="maybe">x</text-match></prop-filter>`, "valid-filter"},
		{"a text of 1,025 octets", `<prop-filter name="A"><text-match>` + strings.Repeat("x", maxText+1) + `</text-match></prop-filter>`, "valid-filter"},
		{"a collation from nowhere", `<prop-filter name="A"><text-match collation="i;unicode">x</text-match></prop-filter>`, "supported-collation"},
		{"a component of somebody's own", `<comp-filter name="X-NOTE"/>`, "supported-filter"},
		{"a component of later", `<comp-filter name="VAVAILABILITY"/>`, "supported-filter"},
		{"an element of later", `<prop-filter name="A"><regex>x</regex></prop-filter>`, "supported-filter"},
		{"a range of a parameter", `<prop-filter name="A"><param-filter name="B"><time-range start="20261201T000000Z"/></param-filter></prop-filter>`, "supported-filter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := filterOf(c.inside)
			var e *Error
			if !errors.As(err, &e) || e.Condition != calName(c.condition) || e.Status != 403 {
				t.Errorf("got %v", err)
			}
		})
	}
	for _, text := range []string{"<filter/>", "<filter><prop-filter name='A'/></filter>", "<filter><comp-filter name='VEVENT'/></filter>"} {
		root, err := readXML(strings.NewReader(strings.Replace(text, "<filter", `<filter xmlns="urn:ietf:params:xml:ns:caldav"`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = readFilter(root); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// A filter that is read and written is the same filter, and asks for nothing
// that has no meaning.
func FuzzFilter(f *testing.F) {
	f.Add(`<comp-filter name="VEVENT"><time-range start="20261201T000000Z" end="20270101T000000Z"/><prop-filter name="a&quot;b"><text-match collation="i;octet" negate-condition="yes">x &lt; y</text-match><param-filter name="c"><is-not-defined/></param-filter></prop-filter></comp-filter>`)
	f.Add(`<comp-filter name="VTODO"><prop-filter name="DUE"><time-range end="20270101T000000Z"/></prop-filter><comp-filter name="VALARM"><is-not-defined/></comp-filter></comp-filter>`)
	f.Fuzz(func(t *testing.T, inside string) {
		got, err := filterOf(inside)
		if err != nil {
			return
		}
		if got.Comp.Name != "VCALENDAR" || got.Comp.TimeRange != nil {
			t.Errorf("%q is %+v", inside, got)
		}
		var x writer
		x.root(calName("filter"))
		x.comp(got.Comp)
		x.end(calName("filter"))
		root, err := readXML(strings.NewReader(string(x.buf)))
		if err != nil {
			t.Fatalf("%v in %q", err, x.buf)
		}
		if again, err := readFilter(root); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%q became %q: %v", inside, x.buf, err)
		}
	})
}

func (x *writer) comp(f ics.CompFilter) {
	x.filter("comp-filter", f.Name, f.IsNotDefined)
	x.timeRange(f.TimeRange)
	for _, p := range f.Props {
		x.filter("prop-filter", p.Name, p.IsNotDefined)
		x.timeRange(p.TimeRange)
		x.textMatch(p.TextMatch)
		for _, q := range p.Params {
			x.filter("param-filter", q.Name, q.IsNotDefined)
			x.textMatch(q.TextMatch)
			x.end(calName("param-filter"))
		}
		x.end(calName("prop-filter"))
	}
	for _, c := range f.Comps {
		x.comp(c)
	}
	x.end(calName("comp-filter"))
}

func (x *writer) filter(element, name string, isNotDefined bool) {
	x.raw("<C:" + element + ` name="`)
	x.escape(name, true)
	x.raw(`">`)
	if isNotDefined {
		x.empty(calName("is-not-defined"))
	}
}

func (x *writer) timeRange(r *ics.TimeRange) {
	if r != nil {
		x.raw("<C:time-range")
		x.raw(r.Start.Format(` start="20060102T150405Z"`))
		x.raw(r.End.Format(` end="20060102T150405Z"`))
		x.raw("/>")
	}
}

func (x *writer) textMatch(m *ics.TextMatch) {
	if m != nil {
		x.raw(`<C:text-match collation="` + m.Collation + `" negate-condition="` + map[bool]string{true: "yes", false: "no"}[m.Negate] + `">`)
		x.text(m.Text)
		x.raw("</C:text-match>")
	}
}
