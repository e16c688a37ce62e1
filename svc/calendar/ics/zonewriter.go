package ics

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"appliance/svc/zoneinfo"

	"github.com/emersion/go-ical"
)

// zoneWriter defines the TZIDs in texts that are written into one VCALENDAR, each of
// them once. For a zone that the TZID names, it writes the IANA name and the rules of
// the time zone data. A VTIMEZONE of an object keeps its TZID, unless it is a name, or
// stands for something else in another text.
type zoneWriter struct {
	first int                  // year from which rules are written; 0 if it follows from the first text that needs them
	names map[zoneRules]string // TZIDs that are defined
	taken map[string]bool      // the same TZIDs
}

// zoneRules identifies the rules of a zone. Two VTIMEZONEs of one TZID can have different
// rules.
type zoneRules struct{ name, digest string }

func newZoneWriter(first int) *zoneWriter {
	return &zoneWriter{first: first, names: make(map[zoneRules]string), taken: make(map[string]bool)}
}

// use is the use of a zone in a text.
type use struct {
	zone *Zone
	tzid string // as it is written
	year int    // of the earliest time
}

// add replaces the TZIDs in the components of d by those that are written, and removes
// its VTIMEZONEs. It returns the VTIMEZONEs that are not yet written. zones are those of
// the object with the text of d. A TZID that could not be resolved is removed: its times
// are read as floating.
func (w *zoneWriter) add(d *Document, zones map[string]*Zone) (definitions []*Block) {
	d.Calendar.RemoveBlocks(d.Calendar.Blocks("VTIMEZONE")...)
	var added []*use
	for _, b := range d.Calendar.Blocks() {
		b.editTZIDs(func(tzid string, value []byte) string {
			z := zones[tzid]
			if z == nil || z.loc == nil {
				return ""
			}
			name, isNew := w.name(z)
			if isNew {
				added = append(added, &use{z, name, maxYear})
			}
			if i := slices.IndexFunc(added, func(u *use) bool { return u.tzid == name }); i >= 0 {
				added[i].year = min(added[i].year, yearOf(value))
			}
			return name
		})
	}
	for _, u := range added {
		definitions = append(definitions, w.define(u))
	}
	return definitions
}

// name returns the TZID that is written for a zone, and whether it is not yet defined.
func (w *zoneWriter) name(z *Zone) (tzid string, isNew bool) {
	rules := zoneRules{name: z.loc.String()}
	if z.definition != nil {
		rules = zoneRules{z.TZID, z.definition.digest}
	}
	if tzid, ok := w.names[rules]; ok {
		return tzid, false
	}
	tzid = rules.name
	if z.definition != nil && namedLocation(tzid) != nil || w.taken[tzid] {
		tzid += " (" + cmp.Or(rules.digest, "UTC") + ")" // resolves to no zone
	}
	w.names[rules], w.taken[tzid] = tzid, true
	return tzid, true
}

// define returns the VTIMEZONE of a zone.
func (w *zoneWriter) define(u *use) *Block {
	if u.zone.definition == nil {
		return newTimeZone(u.tzid, u.zone.loc, min(u.year, cmp.Or(w.first, maxYear), zoneinfo.Current().Year()), "\r\n")
	}
	text := slices.Concat([]byte("BEGIN:VCALENDAR\r\n"), u.zone.definition.text, []byte(endOfCalendar))
	d, err := parseDocument(text, noLimits)
	if err != nil {
		panic(err) // the VTIMEZONE has been parsed
	}
	b := d.components[0]
	if u.tzid != u.zone.TZID {
		b.Set(TextProp("TZID", u.tzid))
	}
	return b
}

// maxYear is later than the year of any time.
const maxYear = 10_000

// yearOf returns the year of the first time in a value, maxYear if there is none.
func yearOf(value []byte) int {
	if year, ok := parseDigits(string(value[:min(4, len(value))]), 0, 4); ok {
		return max(year, 1)
	}
	return maxYear
}

// IncludeTimeZones returns the text with a VTIMEZONE for each TZID, for clients that
// request them (RFC 7809 §7.1), and the number of steps for the evaluation of those
// in the text. Text that is not iCalendar is returned unchanged.
func IncludeTimeZones(text []byte) (defined []byte, steps int) {
	o, problem := decode(text, noLimits)
	if problem != nil || len(o.zones) == 0 {
		return text, 0
	}
	d, err := parseDocument(text, noLimits)
	if err != nil {
		return text, o.zoneSteps
	}
	d.insert(newZoneWriter(0).add(d, o.zones))
	return d.Bytes(), o.zoneSteps
}

// ParseDefined parses text that the program has written. The object has a VTIMEZONE, by
// the time zone data, for each TZID that names a zone and had no VTIMEZONE, or another one
// in the years of the data. The TZIDs do not change. Its error is an [*Error].
func ParseDefined(raw []byte) (*Object, error) {
	o, err := Parse(raw)
	if err != nil {
		return nil, err
	}
	if text, changed := o.withTimeZones(); changed {
		return Parse(text)
	}
	return o, nil
}

// withTimeZones returns the text of ParseDefined, false if it is the same.
func (o *Object) withTimeZones() (text []byte, changed bool) {
	if len(o.zones) == 0 {
		return nil, false
	}
	d := o.Edit()
	years := make(map[string]int)
	d.Calendar.editTZIDs(func(tzid string, value []byte) string {
		years[tzid] = min(cmp.Or(years[tzid], maxYear), yearOf(value))
		return tzid
	})
	for _, tzid := range slices.Sorted(maps.Keys(o.zones)) {
		z := o.zones[tzid]
		if z.loc == nil || z.definition != nil || !z.placed {
			continue
		}
		present := slices.DeleteFunc(d.Calendar.Blocks("VTIMEZONE"), func(b *Block) bool { return unescapeText(b.Value("TZID")) != tzid })
		if len(present) == 0 || o.isOutdated(z) {
			d.Calendar.RemoveBlocks(present...)
			d.insert([]*Block{newTimeZone(tzid, z.loc, min(years[tzid], zoneinfo.Current().Year()), d.Calendar.newline)})
			changed = true
		}
	}
	if !changed {
		return nil, false
	}
	return d.Bytes(), true
}

// isOutdated reports whether the object has a definition of a named zone that differs from
// it. Those of objects that the program has written are not evaluated before.
func (o *Object) isOutdated(z *Zone) bool {
	if !o.isOwn() {
		return z.conflicts
	}
	i := slices.IndexFunc(o.calendar.Children, func(c *ical.Component) bool {
		return c.Name == "VTIMEZONE" && unescapeText(firstValue(c, "TZID")) == z.TZID
	})
	if i < 0 {
		return false
	}
	v := vtimezone{tree: o.calendar.Children[i]}
	d := v.evaluateRules(z.loc, newBudget())
	return d.loc == nil || d.conflicts
}

// insert adds components before the others.
func (d *Document) insert(blocks []*Block) {
	items := make([]item, len(blocks))
	for i, b := range blocks {
		items[i].block = b
	}
	d.Calendar.items = slices.Insert(d.Calendar.items, d.Calendar.firstBlockIndex(), items...)
}

// editTZIDs calls edit with each TZID in the lines of b and the value of its line. It
// replaces the TZID by the result, and removes it if the result is "".
func (b *Block) editTZIDs(edit func(tzid string, value []byte) string) {
	for i := range b.items {
		it := &b.items[i]
		if it.block != nil {
			it.block.editTZIDs(edit)
			continue
		}
		semicolon := bytes.IndexByte(it.raw, ';')
		if semicolon < 0 || bytes.IndexByte(it.raw[:semicolon], ':') >= 0 { // no parameters
			continue
		}
		line := it.line()
		at := slices.IndexFunc(line.params, func(p param) bool { return strings.EqualFold(string(p.name), "TZID") })
		if at < 0 {
			continue
		}
		tzid := decodeParam(string(line.params[at].value))
		if replaced := edit(tzid, line.value); replaced != tzid {
			it.raw = fold(line.replaceTZID(replaced), lineEnding(it.raw))
		}
	}
}

// tzids returns the different TZIDs in the lines of b.
func (b *Block) tzids() (list []string) {
	b.editTZIDs(func(tzid string, _ []byte) string {
		if !slices.Contains(list, tzid) {
			list = append(list, tzid)
		}
		return tzid
	})
	return list
}

// replaceTZID returns the text of the line with the value as its only TZID, without a TZID
// if the value is "".
func (l *contentLine) replaceTZID(value string) string {
	offset := func(part []byte) int { return cap(l.text) - cap(part) } // in l.text, whose array it shares
	type span struct{ begin, end int }
	var found []span // parameters with their semicolons
	for _, p := range l.params {
		if !strings.EqualFold(string(p.name), "TZID") {
			continue
		}
		at := span{offset(p.name) - 1, offset(p.value) + len(p.value)}
		if l.text[offset(p.value)-1] == '"' {
			at.end++
		}
		if n := len(found); n > 0 && found[n-1].begin == at.begin { // a further value of the same parameter
			found = found[:n-1]
		}
		found = append(found, at)
	}
	text := string(l.text)
	for i, at := range slices.Backward(found) {
		tzid := ""
		if i == 0 && value != "" {
			tzid = ";TZID=" + encodeParam(value)
		}
		text = text[:at.begin] + tzid + text[at.end:]
	}
	return text
}
