package dav

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"appliance/svc/calendar/ics"
)

// parseFilter parses a filter whose comp-filter for VCALENDAR contains the
// given elements.
func parseFilter(inside string) (ics.Filter, error) {
	root, err := readXML(strings.NewReader(
		`<filter xmlns="urn:ietf:params:xml:ns:caldav"><comp-filter name="VCALENDAR">` + inside + `</comp-filter></filter>`))
	if err != nil {
		return ics.Filter{}, err
	}
	return readFilter(root)
}

func TestReadFilter(t *testing.T) {
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
		{"an empty VCALENDAR", ``, ics.CompFilter{Name: "VCALENDAR"}},
		{"a time-range on a VEVENT", `<comp-filter name="vevent"><time-range start="20261201T000000Z" end="20270101T000000Z"/></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT",
				TimeRange: &ics.TimeRange{Start: at("20261201T000000Z"), End: at("20270101T000000Z")}}}}},
		{"a time-range without end", `<comp-filter name="VEVENT"><time-range start="20261201T000000Z"/></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VEVENT", TimeRange: &ics.TimeRange{Start: at("20261201T000000Z")}}}}},
		{"a time-range on RECURRENCE-ID", `<comp-filter name="VEVENT"><prop-filter name="recurrence-id"><time-range start="20261201T000000Z"/></prop-filter></comp-filter>`,
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
		{"elements of other namespaces are ignored", `<z:limit xmlns:z="urn:z"/><comp-filter name="VJOURNAL"><is-not-defined/></comp-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: "VJOURNAL", IsNotDefined: true}}}},
		{"the default collation", `<prop-filter name="X-WR-CALNAME"><text-match collation="default">a</text-match></prop-filter>`,
			ics.CompFilter{Name: "VCALENDAR", Props: []ics.PropFilter{{Name: "X-WR-CALNAME", TextMatch: &ics.TextMatch{Text: "a", Collation: "i;ascii-casemap"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseFilter(c.inside)
			if err != nil || !reflect.DeepEqual(got.Comp, c.want) {
				t.Errorf("got %+v, %v; want %+v", got.Comp, err, c.want)
			}
		})
	}
}

func TestReadFilterRejectsInvalidFilters(t *testing.T) {
	for _, c := range []struct{ name, inside, condition string }{
		{"VEVENT in VTODO", `<comp-filter name="VTODO"><comp-filter name="VEVENT"/></comp-filter>`, "valid-filter"},
		{"VCALENDAR in VCALENDAR", `<comp-filter name="VCALENDAR"/>`, "valid-filter"},
		{"no name", `<comp-filter/>`, "valid-filter"},
		{"a time-range on SUMMARY", `<comp-filter name="VEVENT"><prop-filter name="SUMMARY"><time-range start="20261201T000000Z"/></prop-filter></comp-filter>`, "valid-filter"},
		{"a time-range on VCALENDAR", `<time-range start="20261201T000000Z"/>`, "valid-filter"},
		{"a time-range without start and end", `<comp-filter name="VEVENT"><time-range/></comp-filter>`, "valid-filter"},
		{"an empty time-range", `<comp-filter name="VEVENT"><time-range start="20261201T000000Z" end="20261201T000000Z"/></comp-filter>`, "valid-filter"},
		{"a time-range in local time", `<comp-filter name="VEVENT"><time-range start="20261201T000000"/></comp-filter>`, "valid-filter"},
		{"a time-range and a text-match", `<comp-filter name="VEVENT"><prop-filter name="DUE"><time-range start="20261201T000000Z"/><text-match>2</text-match></prop-filter></comp-filter>`, "valid-filter"},
		{"is-not-defined with other children", `<comp-filter name="VEVENT"><is-not-defined/><prop-filter name="UID"/></comp-filter>`, "valid-filter"},
		{"an invalid negate-condition", `<prop-filter name="A"><text-match negate-condition="maybe">x</text-match></prop-filter>`, "valid-filter"},
		{"a text-match of 1,025 octets", `<prop-filter name="A"><text-match>` + strings.Repeat("x", maxText+1) + `</text-match></prop-filter>`, "valid-filter"},
		{"an unknown collation", `<prop-filter name="A"><text-match collation="i;unicode">x</text-match></prop-filter>`, "supported-collation"},
		{"an X- component", `<comp-filter name="X-NOTE"/>`, "supported-filter"},
		{"an unsupported component", `<comp-filter name="VAVAILABILITY"/>`, "supported-filter"},
		{"an unknown CalDAV element", `<prop-filter name="A"><regex>x</regex></prop-filter>`, "supported-filter"},
		{"a time-range on a parameter", `<prop-filter name="A"><param-filter name="B"><time-range start="20261201T000000Z"/></param-filter></prop-filter>`, "supported-filter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseFilter(c.inside)
			var e *Error
			if !errors.As(err, &e) || e.Condition != calName(c.condition) || e.Status != 403 {
				t.Errorf("got %v, want 403 with %s", err, c.condition)
			}
		})
	}
	for _, text := range []string{"<filter/>", "<filter><prop-filter name='A'/></filter>", "<filter><comp-filter name='VEVENT'/></filter>"} {
		root, err := readXML(strings.NewReader(strings.Replace(text, "<filter", `<filter xmlns="urn:ietf:params:xml:ns:caldav"`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = readFilter(root); err == nil {
			t.Errorf("%s: got no error", text)
		}
	}
}

// A filter that is formatted and parsed again is the same filter, and is valid.
func FuzzFilter(f *testing.F) {
	f.Add(`<comp-filter name="VEVENT"><time-range start="20261201T000000Z" end="20270101T000000Z"/><prop-filter name="a&quot;b"><text-match collation="i;octet" negate-condition="yes">x &lt; y</text-match><param-filter name="c"><is-not-defined/></param-filter></prop-filter></comp-filter>`)
	f.Add(`<comp-filter name="VTODO"><prop-filter name="DUE"><time-range end="20270101T000000Z"/></prop-filter><comp-filter name="VALARM"><is-not-defined/></comp-filter></comp-filter>`)
	f.Fuzz(func(t *testing.T, inside string) {
		got, err := parseFilter(inside)
		if err != nil {
			return
		}
		if got.Comp.Name != "VCALENDAR" || got.Comp.TimeRange != nil {
			t.Errorf("%q: got %+v, want VCALENDAR without time-range", inside, got)
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
			t.Errorf("%q: formatted as %q: got %+v, %v, want %+v", inside, x.buf, again, err, got)
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
