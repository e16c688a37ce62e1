package dav

import (
	"slices"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
)

// What bounds a query: each filter is asked of every object.
const (
	maxFilters = 64
	maxText    = 1024 // octets to look for
)

// subcomponents lists the components that a comp-filter may look for, by the one
// around it (RFC 5545 §3.4 and §3.6).
var subcomponents = map[string][]string{
	"VCALENDAR": {"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"},
	"VEVENT":    {"VALARM"},
	"VTODO":     {"VALARM"},
	"VTIMEZONE": {"STANDARD", "DAYLIGHT"},
}

// What a time-range is defined for (RFC 4791 §9.9).
var (
	rangeComponents = []string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VALARM"}
	rangeProperties = []string{"COMPLETED", "CREATED", "DTEND", "DTSTAMP", "DTSTART", "DUE", "LAST-MODIFIED", "RECURRENCE-ID"}
)

// filterReader reads CALDAV:filter (RFC 4791 §9.7).
type filterReader struct{ filters int }

func readFilter(e *element) (ics.Filter, error) {
	if e == nil {
		return ics.Filter{}, invalidFilter("A calendar-query has a CALDAV:filter.")
	}
	if len(e.children) != 1 || e.children[0].name != calName("comp-filter") {
		return ics.Filter{}, invalidFilter("CALDAV:filter has one CALDAV:comp-filter in it.")
	}
	var r filterReader
	comp, err := r.comp(e.children[0], []string{"VCALENDAR"})
	return ics.Filter{Comp: comp}, err
}

func invalidFilter(format string, args ...any) error {
	return forbidden(calName("valid-filter"), format, args...)
}

// unsupportedFilter refuses a filter that asks for what is not known here, and
// names it (RFC 4791 §7.8).
func unsupportedFilter(e *element, name, what string) error {
	refusal := forbidden(calName("supported-filter"), "The filter %q cannot look for %s.", name, what)
	refusal.content = func(x *writer) {
		x.raw("<C:" + e.name.Local + ` name="`)
		x.escape(name, true)
		x.raw(`"/>`)
	}
	return refusal
}

// name returns the name of a filter, which is counted.
func (r *filterReader) name(e *element) (string, error) {
	if r.filters++; r.filters > maxFilters {
		return "", invalidFilter("A query has up to %d filters.", maxFilters)
	}
	name, _ := e.attr("name")
	if name == "" || len(name) > maxSegment {
		return "", invalidFilter("CALDAV:%s has a name.", e.name.Local)
	}
	return strings.ToUpper(name), nil
}

// comp reads a comp-filter (RFC 4791 §9.7.1) for one of the components.
func (r *filterReader) comp(e *element, known []string) (f ics.CompFilter, err error) {
	if f.Name, err = r.name(e); err != nil {
		return f, err
	}
	if !slices.Contains(known, f.Name) {
		if isComponent(f.Name) {
			return f, invalidFilter("A component %s does not stand there.", f.Name)
		}
		return f, unsupportedFilter(e, f.Name, "a component that is not standard")
	}
	for _, c := range e.children {
		switch c.name {
		case calName("is-not-defined"):
			f.IsNotDefined = true
		case calName("time-range"):
			f.TimeRange, err = readTimeRange(c, f.Name, rangeComponents)
		case calName("prop-filter"):
			var p ics.PropFilter
			p, err = r.prop(c)
			f.Props = append(f.Props, p)
		case calName("comp-filter"):
			var sub ics.CompFilter
			sub, err = r.comp(c, subcomponents[f.Name])
			f.Comps = append(f.Comps, sub)
		default:
			err = checkUnknownChild(e, f.Name, c)
		}
		if err != nil {
			return f, err
		}
	}
	return f, checkNotDefinedAlone(f.IsNotDefined, e)
}

// prop reads a prop-filter (RFC 4791 §9.7.2).
func (r *filterReader) prop(e *element) (f ics.PropFilter, err error) {
	if f.Name, err = r.name(e); err != nil {
		return f, err
	}
	for _, c := range e.children {
		switch c.name {
		case calName("is-not-defined"):
			f.IsNotDefined = true
		case calName("time-range"):
			f.TimeRange, err = readTimeRange(c, f.Name, rangeProperties)
		case calName("text-match"):
			f.TextMatch, err = readTextMatch(c)
		case calName("param-filter"):
			var p ics.ParamFilter
			p, err = r.param(c)
			f.Params = append(f.Params, p)
		default:
			err = checkUnknownChild(e, f.Name, c)
		}
		if err != nil {
			return f, err
		}
	}
	if f.TimeRange != nil && f.TextMatch != nil {
		return f, invalidFilter("CALDAV:prop-filter has a time-range or a text-match, not both.")
	}
	return f, checkNotDefinedAlone(f.IsNotDefined, e)
}

// param reads a param-filter (RFC 4791 §9.7.3).
func (r *filterReader) param(e *element) (f ics.ParamFilter, err error) {
	if f.Name, err = r.name(e); err != nil {
		return f, err
	}
	for _, c := range e.children {
		switch c.name {
		case calName("is-not-defined"):
			f.IsNotDefined = true
		case calName("text-match"):
			f.TextMatch, err = readTextMatch(c)
		default:
			err = checkUnknownChild(e, f.Name, c)
		}
		if err != nil {
			return f, err
		}
	}
	return f, checkNotDefinedAlone(f.IsNotDefined, e)
}

// checkUnknownChild judges a child of a filter that is not in its definition: what other
// specifications add is left alone, what CalDAV itself adds would change the
// meaning.
func checkUnknownChild(e *element, name string, child *element) error {
	if child.name.Space != nsCalDAV {
		return nil
	}
	return unsupportedFilter(e, name, child.name.Local)
}

// checkNotDefinedAlone makes sure that is-not-defined is all there is in a filter.
func checkNotDefinedAlone(isNotDefined bool, e *element) error {
	if isNotDefined && len(e.children) > 1 {
		return invalidFilter("CALDAV:is-not-defined stands alone in its CALDAV:%s.", e.name.Local)
	}
	return nil
}

// readTimeRange reads a time-range (RFC 4791 §9.9) on something that is to be
// one of those it is defined for.
func readTimeRange(e *element, on string, defined []string) (*ics.TimeRange, error) {
	if !slices.Contains(defined, on) {
		return nil, invalidFilter("CALDAV:time-range is not defined for %s.", on)
	}
	var t ics.TimeRange
	start, from := e.attr("start")
	end, to := e.attr("end")
	var err error
	if from {
		t.Start, err = time.Parse("20060102T150405Z", start)
	}
	if to && err == nil {
		t.End, err = time.Parse("20060102T150405Z", end)
	}
	switch {
	case err != nil:
		return nil, invalidFilter("A CALDAV:time-range goes by times in UTC, such as 20261201T090000Z.")
	case !from && !to:
		return nil, invalidFilter("CALDAV:time-range has a start or an end.")
	case !t.Start.IsZero() && !t.End.IsZero() && !t.End.After(t.Start):
		return nil, invalidFilter("CALDAV:time-range ends after its start.")
	}
	return &t, nil
}

// readTextMatch reads a text-match (RFC 4791 §9.7.5).
func readTextMatch(e *element) (*ics.TextMatch, error) {
	m := &ics.TextMatch{Text: string(e.text), Collation: ics.Collations[0]}
	if len(m.Text) > maxText {
		return nil, invalidFilter("A CALDAV:text-match has up to %d octets.", maxText)
	}
	if c, ok := e.attr("collation"); ok && c != "default" {
		if !slices.Contains(ics.Collations, c) {
			return nil, forbidden(calName("supported-collation"), "There is no collation %q here.", c)
		}
		m.Collation = c
	}
	negate, _ := e.attr("negate-condition")
	if negate != "" && negate != "yes" && negate != "no" {
		return nil, invalidFilter(`negate-condition is "yes" or "no".`)
	}
	m.Negate = negate == "yes"
	return m, nil
}

// isComponent reports whether the name is that of a standard component.
func isComponent(name string) bool {
	for _, list := range subcomponents {
		if slices.Contains(list, name) {
			return true
		}
	}
	return name == "VCALENDAR"
}
