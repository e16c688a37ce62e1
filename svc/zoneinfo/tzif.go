package zoneinfo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Transition is a change of the offset from UTC.
type Transition struct {
	At     int64 // Unix time
	Offset int   // from then on, in seconds
	DST    bool
	Name   string // abbreviation; may be ""
}

// NewLocation returns a location with transitions, sorted by time. The offset before the first
// one is before.Offset. After the last one, the rule applies, a TZ string (RFC 9636 §3.3); ""
// if there is none. Package time has no other constructor for a location with transitions.
func NewLocation(name string, before Transition, list []Transition, rule string) (*time.Location, error) {
	return time.LoadLocationFromTZData(name, encode(before, list, rule))
}

// encode returns a TZif file (RFC 9636). It ends before the transition for which there would
// be too many types.
func encode(before Transition, list []Transition, rule string) []byte {
	before.At = 0
	types := []Transition{before} // with the time 0
	times, kinds := make([]byte, 0, 8*len(list)), make([]byte, 0, len(list))
	for _, t := range list {
		at := t.At
		t.At = 0
		i := slices.Index(types[1:], t) + 1 // the first type is that before the first transition
		if i == 0 {
			if i = len(types); i > math.MaxUint8 {
				break
			}
			types = append(types, t)
		}
		times = binary.BigEndian.AppendUint64(times, uint64(at))
		kinds = append(kinds, byte(i))
	}
	var encoded, names []byte
	for _, t := range types {
		encoded = binary.BigEndian.AppendUint32(encoded, uint32(int32(t.Offset)))
		var dst byte
		if t.DST {
			dst = 1
		}
		at := strings.Index(string(names), t.Name+"\x00")
		if at < 0 {
			at = len(names)
			names = append(names, t.Name+"\x00"...)
		}
		if at > math.MaxUint8 { // more names than any zone has
			at = 0
		}
		encoded = append(encoded, dst, byte(at))
	}
	// The block for readers of version 1 is minimal, because other readers skip it.
	data := append(header(0, 1, 1), make([]byte, 7)...)
	data = append(data, header(len(kinds), len(types), len(names))...)
	return slices.Concat(data, times, kinds, encoded, names, []byte("\n"+rule+"\n"))
}

// header returns the header of a block with numbers of transitions, types and octets of names.
func header(times, types, names int) []byte {
	b := append([]byte("TZif2"), make([]byte, 15+3*4)...)
	b = binary.BigEndian.AppendUint32(b, uint32(times))
	b = binary.BigEndian.AppendUint32(b, uint32(types))
	return binary.BigEndian.AppendUint32(b, uint32(names))
}

// Limits of the zones that are accepted. They exclude no zone that has existed.
const (
	maxTransitions  = 2000
	maxOffset       = 26 * 60 * 60 // seconds
	maxAbbreviation = 16
)

// The transitions of a zone are listed until here: looking up a time in a list takes a seventh
// of the time that its TZ string takes.
var lastListed = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// parse returns the location of a TZif file. It refuses offsets and names that no zone has.
func parse(name string, data []byte) (*time.Location, error) {
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, err
	}
	t := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).In(loc)
	before, err := typeAt(t)
	if err != nil {
		return nil, err
	}
	var list []Transition
	for n := 0; ; n++ {
		_, next := t.ZoneBounds()
		if next.IsZero() || next.After(lastListed) {
			break
		}
		if n == maxTransitions {
			return nil, errors.New("the zone has too many transitions")
		}
		if !next.After(t) { // at the end of leap years, package time returns the end of the day before
			next = t.AddDate(0, 0, 1)
		}
		t = next
		last, err := typeAt(t)
		if err != nil {
			return nil, err
		}
		list = append(list, last)
	}
	return NewLocation(name, before, distinct(before, list), ruleOf(data))
}

// distinct removes the transitions that change nothing.
func distinct(before Transition, list []Transition) []Transition {
	return slices.DeleteFunc(list, func(t Transition) bool {
		same := t.Offset == before.Offset && t.DST == before.DST && t.Name == before.Name
		before = t
		return same
	})
}

// typeAt returns the offset of t as a transition at t.
func typeAt(t time.Time) (Transition, error) {
	name, offset := t.Zone()
	if offset < -maxOffset || offset > maxOffset {
		return Transition{}, fmt.Errorf("the zone has the offset %d s", offset)
	}
	if len(name) > maxAbbreviation || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Transition{}, fmt.Errorf("the zone has the abbreviation %.40q", name)
	}
	return Transition{t.Unix(), offset, t.IsDST(), name}, nil
}

// ruleOf returns the TZ string of a TZif file, "" if there is none.
func ruleOf(data []byte) string {
	if len(data) < 5 || data[4] == 0 || data[len(data)-1] != '\n' {
		return ""
	}
	text := string(data[:len(data)-1])
	return text[strings.LastIndexByte(text, '\n')+1:]
}
