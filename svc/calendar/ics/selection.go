package ics

import (
	"slices"
	"strings"

	"appliance/svc"
)

// Selection is CALDAV:comp (RFC 4791 §9.6.1): what of a component is wanted. One
// that says neither which properties nor which components is the component as
// a whole, as the VTIMEZONE in the example of §7.8.1.
type Selection struct {
	Name string // of the component; VCALENDAR at the top

	AllProps bool // CALDAV:allprop, or
	Props    []SelectedProp

	AllComps bool // CALDAV:allcomp, or
	Comps    []Selection
}

// SelectedProp is CALDAV:prop (RFC 4791 §9.6.4). With NoValue, name and
// parameters are wanted and the value is not.
type SelectedProp struct {
	Name    string
	NoValue bool
}

// Apply returns what of an iCalendar object is selected. Lines that stay are as
// they were. Text that is not iCalendar stays as a whole.
func (s *Selection) Apply(text []byte) []byte {
	d, err := readDocument(text, noLimits)
	if err != nil || s.whole() {
		return text
	}
	if !strings.EqualFold(s.Name, d.Calendar.Name) {
		return nil
	}
	s.apply(d.Calendar)
	return d.Bytes()
}

func (s *Selection) whole() bool {
	return (s.AllProps || len(s.Props) == 0) && (s.AllComps || len(s.Comps) == 0) && s.AllProps == s.AllComps
}

// apply removes from b what is not selected.
func (s *Selection) apply(b *Block) {
	if s.whole() {
		return
	}
	kept := b.items[:0]
	for _, it := range b.items {
		if it.block != nil && s.component(it.block) || it.block == nil && s.property(&it, b.newline) {
			kept = append(kept, it)
		}
	}
	b.items = kept
}

// component reports whether something of a component is selected, and removes
// the rest of it.
func (s *Selection) component(b *Block) bool {
	if s.AllComps {
		return true
	}
	i := slices.IndexFunc(s.Comps, func(c Selection) bool { return strings.EqualFold(c.Name, b.Name) })
	if i >= 0 {
		s.Comps[i].apply(b)
	}
	return i >= 0
}

// property reports whether a line is selected, and removes its value if that is
// not.
func (s *Selection) property(it *item, newline string) bool {
	if s.AllProps {
		return true
	}
	i := slices.IndexFunc(s.Props, func(p SelectedProp) bool { return strings.EqualFold(p.Name, it.name) })
	if i >= 0 && s.Props[i].NoValue {
		line := it.line()
		it.raw = fold(string(line.text[:len(line.text)-len(line.value)]), newline)
	}
	return i >= 0
}

// OmitIANATimeZones returns the text without the VTIMEZONEs whose TZID is the
// name of a zone of the IANA, which a client knows that asks for time zones by
// reference (RFC 7809 §3.1). Text that is not iCalendar stays as it is.
func OmitIANATimeZones(text []byte) []byte {
	d, err := readDocument(text, noLimits)
	if err != nil {
		return text
	}
	var known []*Block
	for _, b := range d.Calendar.Blocks("VTIMEZONE") {
		if _, ok := svc.Zone(unescapeText(b.Value("TZID"))); ok {
			known = append(known, b)
		}
	}
	if len(known) == 0 {
		return text
	}
	d.Calendar.RemoveBlocks(known...)
	return d.Bytes()
}
