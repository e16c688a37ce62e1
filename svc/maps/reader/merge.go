package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// maxLines limits the lines with a name in memory. Each needs about 500 bytes.
const maxLines = 100_000

// namedLines merges the ways of a street, a river or a railway: those with one name
// in one town become one place. Its position is on the longest way, and its id that
// of the oldest.
type namedLines struct {
	lines map[lineKey][]*namedLine
	count int
}

type lineKey struct{ kind, name, city string }

// Ways with one name are parts of different lines if they are farther from each other
// than these distances in degrees: many towns have one name, and without a town most
// names are those of many streets.
const (
	sameTownDistance = 0.1
	sameLineDistance = 0.02
)

// maxSameName limits the lines with one name and town that a way is compared with.
const maxSameName = 500

type namedLine struct {
	place  mapdata.Place
	oldest int64
	length float64
}

// add adds a way. p is its place without an id and a position.
func (n *namedLines) add(id int64, line []geo.Point, p mapdata.Place) {
	key, reach := lineKey{p.Kind, p.Name, p.Address.City}, sameTownDistance
	if key.city == "" {
		reach = sameLineDistance
	}
	point, length := midpoint(line)
	recent := n.lines[key][max(0, len(n.lines[key])-maxSameName):]
	i := slices.IndexFunc(recent, func(l *namedLine) bool { return degrees(l.place.Point, point) < reach+length })
	if i < 0 {
		p.Point = point
		p = clonePlace(p)
		key = lineKey{p.Kind, p.Name, p.Address.City}
		n.lines[key] = append(n.lines[key], &namedLine{p, id, length})
		n.count++
		return
	}
	known := recent[i]
	known.oldest = min(known.oldest, id)
	known.place.Importance = max(known.place.Importance, p.Importance)
	for language, name := range p.Names {
		if _, ok := known.place.Names[language]; !ok && known.place.Names != nil {
			known.place.Names[strings.Clone(language)] = strings.Clone(name)
		}
	}
	if length > known.length {
		known.length, known.place.Point = length, point
	}
}

// isFull reports whether the lines must be flushed before another is added.
func (n *namedLines) isFull() bool { return n.count >= maxLines }

// flush passes all lines to the sink, in the order of their ids.
func (n *namedLines) flush(sink mapdata.Sink) error {
	list := make([]*namedLine, 0, n.count)
	for _, l := range n.lines {
		list = append(list, l...)
	}
	slices.SortFunc(list, func(a, b *namedLine) int {
		return cmp.Compare(a.oldest, b.oldest)
	})
	clear(n.lines)
	n.count = 0
	for _, l := range list {
		l.place.ProviderID = fmt.Sprint("way/", l.oldest)
		if err := sink.Place(l.place); err != nil {
			return err
		}
	}
	return nil
}

// clonePlace returns a copy that does not keep the block of the file in memory.
func clonePlace(p mapdata.Place) mapdata.Place {
	clone := strings.Clone
	p.Name, p.Kind, p.Category = clone(p.Name), clone(p.Kind), clone(p.Category)
	a := p.Address
	p.Address = mapdata.Address{HouseNumber: clone(a.HouseNumber), Street: clone(a.Street), Postcode: clone(a.Postcode), City: clone(a.City), Country: clone(a.Country)}
	p.Names, p.Tags = cloneMap(p.Names), cloneMap(p.Tags)
	return p
}

func cloneMap(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	copied := make(map[string]string, len(m))
	for k, v := range m {
		copied[strings.Clone(k)] = strings.Clone(v)
	}
	return copied
}
