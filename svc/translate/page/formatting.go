package page

import "golang.org/x/net/html/atom"

// Limits of formatting elements.
const (
	maxExtraNodes    = 100_000 // nodes that html.Parse may create in addition to those of tags
	freeFormatting   = 2       // open formatting elements that are not counted
	maxFormattingTag = 128     // bytes of a tag that are compared
)

// formatting estimates how many nodes html.Parse creates in addition to those of tags.
// html.Parse opens unclosed formatting elements again in every following block, so that
// 20 KB of tags can become 300 MB. The estimate is an upper bound. End tags close only
// elements that were opened after the last marker, which is the start tag of a table cell
// or of a similar element, because html.Parse ignores other end tags.
type formatting struct {
	cost         int
	open         map[atom.Atom][]string // start tags since the last marker
	opened       int                    // start tags in open
	earlier      map[string]int         // start tags before the last marker, by tag
	earlierCount int                    // sum of earlier
}

func (f *formatting) reset() {
	f.open, f.earlier = make(map[atom.Atom][]string), make(map[string]int)
}

// node counts a text or a start tag.
func (f *formatting) node() { f.cost += max(0, f.opened+f.earlierCount-freeFormatting) }

// start counts the start tag of an element, whose source is raw.
func (f *formatting) start(tag atom.Atom, raw []byte) {
	switch tag {
	case atom.A, atom.Nobr: // a start tag closes the previous element
		f.opened += 1 - len(f.open[tag])
		f.open[tag] = append(f.open[tag][:0], tag.String())
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		f.open[tag] = append(f.open[tag], string(raw))
		f.opened++
	case atom.Applet, atom.Caption, atom.Marquee, atom.Object, atom.Td, atom.Template, atom.Th:
		for _, list := range f.open {
			for _, raw := range list {
				if f.earlier[raw] < 3 { // html.Parse keeps three equal elements
					f.earlier[raw]++
					f.earlierCount++
				}
			}
		}
		clear(f.open)
		f.opened = 0
	}
}

func (f *formatting) end(tag atom.Atom) {
	if list := f.open[tag]; len(list) > 0 {
		f.open[tag] = list[:len(list)-1]
		f.opened--
	}
}
