package ics

import (
	"bytes"
	"fmt"
	"slices"
)

// composer adds components of other objects to a VCALENDAR, with the VTIMEZONEs that they refer
// to. Different VTIMEZONEs with one TZID get different TZIDs.
type composer struct {
	calendar *Block
	zones    map[string]*Block // the VTIMEZONEs of calendar by TZID
}

func newComposer(d *Document) composer {
	return composer{d.Calendar, zoneBlocks(d.Calendar)}
}

// zoneBlocks returns the VTIMEZONEs of a VCALENDAR by TZID.
func zoneBlocks(calendar *Block) map[string]*Block {
	zones := make(map[string]*Block)
	for _, b := range calendar.Blocks("VTIMEZONE") {
		zones[unescapeText(b.Value("TZID"))] = b
	}
	return zones
}

// append adds all components of another VCALENDAR.
func (c *composer) append(other *Block) {
	zones := zoneBlocks(other)
	for _, b := range other.Blocks() {
		if b.Name != "VTIMEZONE" {
			c.addZones(b, zones)
			c.calendar.AppendBlock(b)
		}
	}
}

// addZones adds the VTIMEZONEs that a component refers to. The component gets other TZIDs if those
// that it has are in use for other definitions.
func (c *composer) addZones(b *Block, own map[string]*Block) {
	for _, tzid := range b.tzids() {
		zone := own[tzid]
		present := c.zones[tzid]
		switch {
		case zone == nil || present != nil && (present.hasLinesOf(zone) || namesZone(tzid)):
			continue
		case present == nil:
			c.addZone(tzid, zone)
			continue
		}
		name, renamed := tzid, zone
		for n := 2; c.zones[name] != nil && !c.zones[name].hasLinesOf(renamed); n++ {
			name = fmt.Sprintf("%s (%d)", tzid, n)
			renamed = zone.Clone()
			renamed.Set(TextProp("TZID", name))
		}
		if c.zones[name] == nil {
			c.addZone(name, renamed)
		}
		b.editTZIDs(func(other string, _ []byte) string {
			if other == tzid {
				return name
			}
			return other
		})
	}
}

func (c *composer) addZone(tzid string, zone *Block) {
	c.zones[tzid] = zone
	i := slices.IndexFunc(c.calendar.items, func(it item) bool { return it.block != nil && it.block.Name != "VTIMEZONE" })
	if i < 0 {
		i = len(c.calendar.items)
	}
	c.calendar.items = slices.Insert(c.calendar.items, i, item{block: zone})
}

// namesZone reports whether a TZID is resolved without a VTIMEZONE.
func namesZone(tzid string) bool {
	return namedLocation(tzid) != nil || offsetLocation(tzid) != nil
}

// hasLinesOf reports whether two components have the same content lines, apart from properties
// with the names in except.
func (b *Block) hasLinesOf(other *Block, except ...string) bool {
	return slices.EqualFunc(b.lines(except...), other.lines(except...), bytes.Equal)
}

// lines returns the content lines of the component, unfolded, without those with the names in
// except.
func (b *Block) lines(except ...string) (list [][]byte) {
	list = append(list, unfold(b.begin))
	for _, it := range b.items {
		switch {
		case it.block != nil:
			list = append(list, it.block.lines()...)
		case it.name != "" && !slices.Contains(except, it.name):
			list = append(list, unfold(it.raw))
		}
	}
	return append(list, unfold(b.end))
}

// Update returns the text of the object with those components of source that the object does not
// have, or of which source has a later revision: a higher SEQUENCE, or an equal one and a later
// DTSTAMP. It returns nil if there are none, or if they differ in the time of the revision only.
func (o *Object) Update(source *Object) []byte {
	d, from := o.Edit(), source.Edit()
	c, zones := newComposer(d), zoneBlocks(from.Calendar)
	series := o
	if o.Master == nil {
		series = source
	}
	present := make(map[recurrenceKey]*Component)
	for _, c := range o.Components() {
		present[c.keyIn(series)] = c
	}
	isChanged := false
	for _, added := range source.Components() {
		b, old := from.Block(added), present[added.keyIn(series)]
		if old != nil && !added.supersedes(old) {
			continue
		}
		c.addZones(b, zones)
		if old == nil {
			d.Calendar.AppendBlock(b)
		} else if replaced := d.Block(old); !b.hasLinesOf(replaced, "DTSTAMP", "LAST-MODIFIED") {
			d.Calendar.replaceBlock(replaced, b)
		} else {
			continue
		}
		isChanged = true
	}
	if !isChanged {
		return nil
	}
	return d.Bytes()
}

// keyIn returns the key of the component among those of a series, in whose form RECURRENCE-IDs
// are compared.
func (c *Component) keyIn(series *Object) (k recurrenceKey) {
	if !c.RecurrenceID.IsZero() {
		id := series.normalizeRecurrenceID(c.RecurrenceID)
		k.wall, k.form = id.wall, id.form
		if series.Master == nil && id.zone != nil {
			k.tzid = id.zone.TZID
		}
	}
	return k
}

// supersedes reports whether the component is a later revision of another one.
func (c *Component) supersedes(other *Component) bool {
	a, b := c.revision(), other.revision()
	a.modified, b.modified = 0, 0
	return compareRevisions(a, b) > 0
}

// replaceBlock replaces a subcomponent.
func (b *Block) replaceBlock(old, replacement *Block) {
	i := slices.IndexFunc(b.items, func(it item) bool { return it.block == old })
	b.items[i].block = replacement
}
