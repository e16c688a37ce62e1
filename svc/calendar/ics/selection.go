package ics

import (
	"slices"
	"strings"

	"appliance/svc"
)

// Selection is CALDAV:comp (RFC 4791 §9.6.1): the parts of a component to return.
// A Selection without properties and components selects the whole component, like
// the VTIMEZONE in the example of RFC 4791 §7.8.1.
type Selection struct {
	Name string // of the component; VCALENDAR at the top level

	AllProps bool           // CALDAV:allprop
	Props    []SelectedProp // unless AllProps

	AllComps bool        // CALDAV:allcomp
	Comps    []Selection // unless AllComps
}

// SelectedProp is CALDAV:prop (RFC 4791 §9.6.4). NoValue selects the name and the
// parameters without the value.
type SelectedProp struct {
	Name    string
	NoValue bool
}

// Apply returns the selected parts of an iCalendar object, with their lines
// unchanged. Text that is not iCalendar is returned unchanged.
func (s *Selection) Apply(text []byte) []byte {
	d, err := parseDocument(text, noLimits)
	if err != nil || s.isWhole() {
		return text
	}
	if !strings.EqualFold(s.Name, d.Calendar.Name) {
		return nil
	}
	s.apply(d.Calendar)
	return d.Bytes()
}

// isWhole reports whether the whole component is selected.
func (s *Selection) isWhole() bool {
	return (s.AllProps || len(s.Props) == 0) && (s.AllComps || len(s.Comps) == 0) && s.AllProps == s.AllComps
}

// apply removes the parts of b that are not selected.
func (s *Selection) apply(b *Block) {
	if s.isWhole() {
		return
	}
	kept := b.items[:0]
	for _, it := range b.items {
		if it.block != nil {
			if sub, ok := s.comp(it.block.Name); ok {
				sub.apply(it.block)
				kept = append(kept, it)
			}
		} else if p, ok := s.prop(it.name); ok {
			if p.NoValue {
				line := it.line()
				it.raw = fold(string(line.text[:len(line.text)-len(line.value)]), b.newline)
			}
			kept = append(kept, it)
		}
	}
	b.items = kept
}

// wholeComponent selects a whole component of any name.
var wholeComponent = new(Selection)

// comp returns the selection within the subcomponents with that name. It
// returns false if they are not selected.
func (s *Selection) comp(name string) (*Selection, bool) {
	if s.AllComps {
		return wholeComponent, true
	}
	i := slices.IndexFunc(s.Comps, func(c Selection) bool { return strings.EqualFold(c.Name, name) })
	if i < 0 {
		return nil, false
	}
	return &s.Comps[i], true
}

// prop returns how the properties with that name are selected. It returns false
// if they are not.
func (s *Selection) prop(name string) (SelectedProp, bool) {
	if s.AllProps {
		return SelectedProp{}, true
	}
	i := slices.IndexFunc(s.Props, func(p SelectedProp) bool { return strings.EqualFold(p.Name, name) })
	if i < 0 {
		return SelectedProp{}, false
	}
	return s.Props[i], true
}

// OmitIANATimeZones returns the text without the VTIMEZONEs whose TZID is an IANA
// name, for clients that request time zones by reference (RFC 7809 §3.1). It
// keeps a VTIMEZONE that applies instead of the IANA zone. Text that is not
// iCalendar is returned unchanged.
func OmitIANATimeZones(text []byte) []byte {
	d, err := parseDocument(text, noLimits)
	if err != nil {
		return text
	}
	o, problem := decode(text, noLimits)
	if problem != nil {
		return text
	}
	var known []*Block
	for _, b := range d.Calendar.Blocks("VTIMEZONE") {
		tzid := unescapeText(b.Value("TZID"))
		if _, ok := svc.Zone(tzid); ok && (o.zones[tzid] == nil || o.zones[tzid].definition == nil) {
			known = append(known, b)
		}
	}
	if len(known) == 0 {
		return text
	}
	d.Calendar.RemoveBlocks(known...)
	return d.Bytes()
}
