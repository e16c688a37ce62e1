package ics

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/emersion/go-ical"
)

// decode returns the object with its components, properties and time zones. It
// does not interpret other property values.
func decode(raw []byte, limit limits) (*Object, *Error) {
	o := &Object{Raw: raw, zones: make(map[string]*Zone)}
	var open []*ical.Component
	var zones []vtimezone
	offset, zoneStart := 0, 0
	problem := scan(raw, limit, func(line contentLine) {
		begin := offset
		offset += len(line.raw)
		switch line.name {
		case "":
		case "BEGIN":
			c := ical.NewComponent(line.component)
			if len(open) == 0 {
				o.calendar = c
			} else {
				parent := open[len(open)-1]
				parent.Children = append(parent.Children, c)
			}
			open = append(open, c)
			if len(open) == 2 {
				zoneStart = begin
			}
		case "END":
			if c := open[len(open)-1]; len(open) == 2 && c.Name == "VTIMEZONE" {
				zones = append(zones, vtimezone{c, raw[zoneStart:offset]})
			}
			open = open[:len(open)-1]
		default:
			props := open[len(open)-1].Props
			props[line.name] = append(props[line.name], o.prop(&line))
		}
	})
	if problem != nil {
		return nil, problem
	}
	o.resolveZones(zones)
	return o, nil
}

// prop returns the property of a content line and records its TZID in o.zones.
func (o *Object) prop(line *contentLine) ical.Prop {
	p := line.prop()
	if tzid := p.Params.Get("TZID"); tzid != "" {
		z := o.zones[tzid]
		if z == nil {
			z = &Zone{TZID: tzid}
			o.zones[tzid] = z
		}
		z.placed = z.placed || isPlacedBy(line.name) && hasLocalTime(line.value) && !strings.EqualFold(p.Params.Get("VALUE"), "DATE")
	}
	return p
}

// prop returns the property of a content line.
func (l *contentLine) prop() ical.Prop {
	p := ical.Prop{Name: l.name, Value: string(l.value)}
	if len(l.params) == 0 {
		return p
	}
	p.Params = make(ical.Params, len(l.params))
	for _, param := range l.params {
		name := upperName(param.name)
		value := string(param.value)
		if bytes.IndexByte(param.value, '^') >= 0 {
			value = decodeParam(value)
		}
		p.Params[name] = append(p.Params[name], value)
	}
	return p
}

// isPlacedBy reports whether times of an object depend on a property.
func isPlacedBy(property string) bool {
	switch property {
	case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "RDATE", "EXDATE", "TRIGGER", "COMPLETED":
		return true
	}
	return false
}

// hasLocalTime reports whether a list of dates, times or periods contains a local
// time, which a TZID concerns. A TZID of other values has no meaning, but some
// programs write it (RFC 5545 §3.2.19).
func hasLocalTime(value []byte) bool {
	const local = len("20260501T090000")
	for len(value) >= local {
		end := bytes.IndexAny(value, ",/")
		if end < 0 {
			end = len(value)
		}
		part := bytes.TrimSpace(value[:end])
		if len(part) == local && part[8] == 'T' && part[0] != 'P' {
			return true
		}
		value = value[min(end+1, len(value)):]
	}
	return false
}

// resolveZones sets the locations of the zones that the object names. It runs
// once, because an Object is immutable after parsing.
func (o *Object) resolveZones(list []vtimezone) {
	b := newBudget()
	b.counter = &o.zoneSteps
	ownObject := o.isOwn()
	tzids := slices.Sorted(maps.Keys(o.zones))
	for _, tzid := range tzids[:min(len(tzids), maxZones)] {
		o.zones[tzid].resolve(list, ownObject, b)
	}
}

// isOwn reports whether the program has written the object.
func (o *Object) isOwn() bool { return unescapeText(firstValue(o.calendar, "PRODID")) == ProdID }

// dedent removes the indentation that a pretty printer of XML added to the
// text, which would otherwise be parsed as folds. In a text with folds, some
// line begins without white space, at least the last one.
func dedent(text string) string {
	text = strings.Trim(text, " \t\r\n")
	lines := strings.SplitAfter(text, "\n")
	indent := -1
	for _, line := range lines[1:] {
		if rest := strings.TrimLeft(line, " \t"); strings.TrimSpace(rest) != "" && (indent < 0 || len(line)-len(rest) < indent) {
			indent = len(line) - len(rest)
		}
	}
	if indent <= 0 {
		return text
	}
	for i, line := range lines[1:] {
		lines[i+1] = line[min(indent, len(line)-len(strings.TrimLeft(line, " \t"))):]
	}
	return strings.Join(lines, "")
}
