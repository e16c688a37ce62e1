package dav

import (
	"slices"
	"strings"
	"time"

	"appliance/svc/calendar/ics"
)

// Limits of a query: each filter is evaluated for every object.
const (
	maxFilters = 64
	maxText    = 1024 // octets of a CALDAV:text-match
)

// subcomponents lists the components that a comp-filter may name, by the name
// of the enclosing component (RFC 5545 §3.4 and §3.6).
var subcomponents = map[string][]string{
	"VCALENDAR": {"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"},
	"VEVENT":    {"VALARM"},
	"VTODO":     {"VALARM"},
	"VTIMEZONE": {"STANDARD", "DAYLIGHT"},
}

// Components and properties for which a time-range is defined (RFC 4791 §9.9).
var (
	rangeComponents = []string{"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VALARM"}
	rangeProperties = []string{"COMPLETED", "CREATED", "DTEND", "DTSTAMP", "DTSTART", "DUE", "LAST-MODIFIED", "RECURRENCE-ID"}
)

// filterReader parses CALDAV:filter (RFC 4791 §9.7) and counts its filters.
type filterReader struct{ filters int }

func readFilter(e *element) (ics.Filter, error) {
	if e == nil {
		return ics.Filter{}, invalidFilter("CALDAV:calendar-query requires a CALDAV:filter.")
	}
	if len(e.children) != 1 || e.children[0].name != calName("comp-filter") {
		return ics.Filter{}, invalidFilter("CALDAV:filter must contain exactly one CALDAV:comp-filter.")
	}
	var r filterReader
	comp, err := r.comp(e.children[0], []string{"VCALENDAR"})
	return ics.Filter{Comp: comp}, err
}

func invalidFilter(format string, args ...any) error {
	return forbidden(calName("valid-filter"), format, args...)
}

// unsupportedFilter rejects a filter with an unsupported part. The response names
// the filter (RFC 4791 §7.8).
func unsupportedFilter(e *element, name, problem string) error {
	err := forbidden(calName("supported-filter"), "The filter %q is not supported: %s.", name, problem)
	err.content = func(x *writer) {
		x.raw("<C:" + e.name.Local + ` name="`)
		x.escape(name, true)
		x.raw(`"/>`)
	}
	return err
}

// name returns the name of a filter in upper case, and counts the filter.
func (r *filterReader) name(e *element) (string, error) {
	if r.filters++; r.filters > maxFilters {
		return "", invalidFilter("A query may contain at most %d filters.", maxFilters)
	}
	name, _ := e.attr("name")
	if name == "" || len(name) > maxSegment {
		return "", invalidFilter("CALDAV:%s requires the attribute name, of at most %d octets.", e.name.Local, maxSegment)
	}
	return strings.ToUpper(name), nil
}

// comp parses a comp-filter (RFC 4791 §9.7.1), which must name one of the known
// components.
func (r *filterReader) comp(e *element, known []string) (f ics.CompFilter, err error) {
	if f.Name, err = r.name(e); err != nil {
		return f, err
	}
	if !slices.Contains(known, f.Name) {
		if isComponent(f.Name) {
			return f, invalidFilter("The component %s cannot occur at this place of the filter.", f.Name)
		}
		return f, unsupportedFilter(e, f.Name, "the component is unknown")
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

// prop parses a prop-filter (RFC 4791 §9.7.2).
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
		return f, invalidFilter("CALDAV:prop-filter may contain a time-range or a text-match, not both.")
	}
	return f, checkNotDefinedAlone(f.IsNotDefined, e)
}

// param parses a param-filter (RFC 4791 §9.7.3).
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

// checkUnknownChild checks a child of a filter that RFC 4791 does not define. It
// ignores elements of other namespaces, and rejects elements of the CalDAV
// namespace, because they would change the meaning of the filter.
func checkUnknownChild(e *element, name string, child *element) error {
	if child.name.Space != nsCalDAV {
		return nil
	}
	return unsupportedFilter(e, name, "the element CALDAV:"+child.name.Local+" is unknown")
}

// checkNotDefinedAlone returns an error if a filter has is-not-defined and other
// children.
func checkNotDefinedAlone(isNotDefined bool, e *element) error {
	if isNotDefined && len(e.children) > 1 {
		return invalidFilter("CALDAV:is-not-defined must be the only child of CALDAV:%s.", e.name.Local)
	}
	return nil
}

// readTimeRange parses a time-range (RFC 4791 §9.9) for the component or property
// on. defined contains the names that may have a time-range.
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
		return nil, invalidFilter("The start and end of CALDAV:time-range must be UTC times such as 20261201T090000Z.")
	case !from && !to:
		return nil, invalidFilter("CALDAV:time-range requires the attribute start or end.")
	case !t.Start.IsZero() && !t.End.IsZero() && !t.End.After(t.Start):
		return nil, invalidFilter("The end of CALDAV:time-range must be after its start.")
	}
	return &t, nil
}

// readTextMatch parses a text-match (RFC 4791 §9.7.5).
func readTextMatch(e *element) (*ics.TextMatch, error) {
	m := &ics.TextMatch{Text: string(e.text), Collation: ics.Collations[0]}
	if len(m.Text) > maxText {
		return nil, invalidFilter("CALDAV:text-match may have at most %d octets.", maxText)
	}
	if c, ok := e.attr("collation"); ok && c != "default" {
		if !slices.Contains(ics.Collations, c) {
			return nil, forbidden(calName("supported-collation"), "The collation %q is not supported.", c)
		}
		m.Collation = c
	}
	negate, _ := e.attr("negate-condition")
	if negate != "" && negate != "yes" && negate != "no" {
		return nil, invalidFilter(`negate-condition must be "yes" or "no".`)
	}
	m.Negate = negate == "yes"
	return m, nil
}

// isComponent reports whether name is a component that a filter may name.
func isComponent(name string) bool {
	for _, list := range subcomponents {
		if slices.Contains(list, name) {
			return true
		}
	}
	return name == "VCALENDAR"
}
