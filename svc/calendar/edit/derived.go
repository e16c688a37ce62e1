package edit

import (
	"slices"
	"strings"

	"appliance/svc/calendar/ics"

	"github.com/emersion/go-ical"
)

// derivedProperties lists for a property the properties that programs derive from its
// value, and prefer to it. A name that ends in an asterisk is a prefix.
var derivedProperties = map[string][]string{
	"DESCRIPTION": {"X-ALT-DESC"},
	"LOCATION":    {"X-APPLE-STRUCTURED-LOCATION", "X-APPLE-TRAVEL-*", "X-MICROSOFT-LOCATION*", "X-MICROSOFT-LATITUDE", "X-MICROSOFT-LONGITUDE"},
	"TRANSP":      {"X-MICROSOFT-CDO-BUSYSTATUS", "X-MICROSOFT-CDO-INTENDEDSTATUS"},
	"DTSTART":     {"X-MICROSOFT-CDO-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY"}, // if a date becomes a time, or a time a date
}

// RemoveDerived removes the lines in block that are derived from the value that a
// property has in c, which has the lines of block before a change. Parameters of the
// property itself, such as ALTREP, go with its line.
func RemoveDerived(block *ics.Block, c *ics.Component, property string) {
	names := derivedProperties[property]
	isStyled := func(ical.Prop) bool { return false }
	switch property {
	case "DESCRIPTION":
		isSource := slices.ContainsFunc(c.Props(property), isDerived)
		isStyled = func(p ical.Prop) bool { return p.Name == "STYLED-DESCRIPTION" && (isSource || isDerived(p)) }
	case "LOCATION":
		removePlaces(block, c)
	}
	if len(names) == 0 {
		return
	}
	block.RemoveFunc(func(p ical.Prop) bool {
		return isStyled(p) || slices.ContainsFunc(names, func(name string) bool {
			prefix, isPrefix := strings.CutSuffix(name, "*")
			return p.Name == name || isPrefix && strings.HasPrefix(p.Name, prefix)
		})
	})
}

// isDerived reports whether a program has derived the property from another one
// (RFC 9073 §5.3). A STYLED-DESCRIPTION may be derived from the DESCRIPTION, or the
// reverse.
func isDerived(p ical.Prop) bool { return strings.EqualFold(p.Params.Get("DERIVED"), "TRUE") }

// removePlaces removes the VLOCATION components (RFC 9073 §7.2) with the name of the
// place.
func removePlaces(block *ics.Block, c *ics.Component) {
	name := c.Text("LOCATION")
	places := block.Blocks("VLOCATION")
	block.RemoveBlocks(slices.DeleteFunc(places, func(place *ics.Block) bool { return name == "" || place.Text("NAME") != name })...)
}

// putText changes a TEXT property. If the value differs from the one before, it removes
// what is derived from that one.
func (e *componentEditor) putText(name, text string) {
	c := e.component
	if c != nil && c.Text(name) == text {
		return
	}
	e.put(ics.TextProp(name, text), text != "")
	if c != nil && name == "LOCATION" && (c.Text(name) != "" || c.Text("X-APPLE-STRUCTURED-LOCATION") != "") { // otherwise GEO does not belong to a place
		e.block.Remove("GEO")
	}
	e.removeDerived(name)
}

// removeDerived removes the lines that are derived from the former value of a property.
func (e *componentEditor) removeDerived(property string) {
	if e.component != nil {
		RemoveDerived(e.block, e.component, property)
	}
}
