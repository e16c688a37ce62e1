package ics

import (
	"bytes"
	"iter"
	"slices"
)

// MaxImport is how many octets a whole calendar may have that is imported.
const MaxImport = 32 << 20

// Objects takes a whole calendar apart, as programs export them: one VCALENDAR
// with everything in it. It returns the text of one calendar object resource
// for each UID, with the VTIMEZONEs that it needs. They are in the order of the
// calendar, and for [Parse] to judge. An error is an [*Error].
func Objects(calendar []byte) ([][]byte, error) {
	d, err := readDocument(calendar, importLimits)
	if err != nil {
		return nil, err
	}
	type key struct{ kind, uid string }
	var order []key
	groups := make(map[key][]*Block)
	zones := make(map[string]*Block)
	for _, b := range d.Calendar.Blocks() {
		if b.Name == "VTIMEZONE" {
			zones[unescape(b.Value("TZID"))] = b
			continue
		}
		k := key{b.Name, b.Value("UID")}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], b)
	}
	// METHOD and the name of the calendar are not the objects'.
	head := *d.Calendar
	head.items = slices.DeleteFunc(head.items, func(it item) bool {
		return !slices.Contains([]string{"VERSION", "PRODID", "CALSCALE"}, it.name)
	})
	var objects [][]byte
	for _, k := range order {
		object := Document{Calendar: head.Clone()}
		explained := make(map[string]bool)
		for _, b := range groups[k] {
			for tzid := range b.tzids() {
				if zone := zones[tzid]; zone != nil && !explained[tzid] {
					explained[tzid] = true
					object.Calendar.Append(zone)
				}
			}
		}
		for _, b := range groups[k] {
			object.Calendar.Append(b)
		}
		objects = append(objects, object.Bytes())
	}
	return objects, nil
}

// tzids yields the TZIDs that the lines of b name.
func (b *Block) tzids() iter.Seq[string] {
	const param = ";TZID="
	return func(yield func(string) bool) {
		for _, it := range b.items {
			if it.block != nil {
				for tzid := range it.block.tzids() {
					if !yield(tzid) {
						return
					}
				}
			}
			text := unfold(it.raw)
			if i := bytes.Index(text, []byte(param)); i >= 0 {
				begin, end, _ := paramValue(text, i+len(param))
				if end >= 0 && !yield(decodeParam(string(text[begin:end]))) {
					return
				}
			}
		}
	}
}
