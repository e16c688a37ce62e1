package world

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"appliance/svc"
)

// entry is an object with the actions on it, encoded. It is kept between two
// reads: most objects have not changed.
type entry struct {
	id        string // world_object_id
	label     string
	actionIDs svc.List[string]
	object    []byte
	actions   []byte // with commas between

	// The object with its tie to that of another part, for a dataset that has
	// it; nil if there is none.
	tied   []byte
	tiedTo string // world_object_id
}

func (e *entry) size() int { return len(e.object) + len(e.tied) + len(e.actions) + 200 }

// entryKey is all that an entry depends on.
type entryKey struct {
	id      string // of the source
	version string
	around  int64 // hash or revision of what else shows of it
}

// entry returns the entry of a key: the one of the last time, or a new one.
func (c *composer) entry(key entryKey, make func() (*entry, error)) (e *entry, err error) {
	if e = c.before.made[key]; e == nil {
		if e, err = make(); err != nil {
			return nil, err
		}
	}
	c.made[key] = e
	return e, nil
}

// encodeEntry encodes an object and the actions on it.
func encodeEntry(o Object, actions []Action) (*entry, error) {
	e := &entry{id: o.WorldObjectID, label: o.Title, actionIDs: o.Actions}
	var err error
	if e.object, err = compact(o); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for i, a := range actions {
		text, err := compact(a)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text)
	}
	e.actions = b.Bytes()
	return e, nil
}

// compact encodes v without the line end.
func compact(v any) ([]byte, error) {
	text, err := svc.EncodeJSON(v)
	return bytes.TrimSuffix(text, []byte("\n")), err
}

// pieces are a text in parts, which nobody changes: what is kept between reads
// goes out without being copied.
type pieces [][]byte

// WriteTo implements [io.WriterTo].
func (p pieces) WriteTo(w io.Writer) (n int64, err error) {
	b := bufio.NewWriterSize(w, 64<<10)
	for _, piece := range p {
		k, err := b.Write(piece)
		n += int64(k)
		if err != nil {
			return n, err
		}
	}
	return n, b.Flush()
}

// Len returns how many bytes there are.
func (p pieces) Len() (n int) {
	for _, piece := range p {
		n += len(piece)
	}
	return n
}

// encode writes the dataset: what [Dataset] says, with the entries as they
// are. A section that was not asked for is empty.
func (c *composer) encode() (pieces, error) {
	q := c.question
	objects := make([][]byte, 0, len(c.entries))
	actions := append(make([][]byte, 0, len(c.actions)+len(c.entries)), c.actions...)
	here := c.tiedTo()
	for _, e := range c.entries {
		object := e.object
		if here[e.tiedTo] {
			object = e.tied
		}
		objects, actions = append(objects, object), append(actions, e.actions)
	}
	var out pieces
	for _, section := range []struct {
		name  string
		value any // or, if it is encoded already,
		texts [][]byte
	}{
		{"contract", DatasetContract, nil},
		{"member", c.member, nil},
		{"capabilities", q.Runtime.capabilities(), nil},
		{"workspace", Workspace{}, nil},
		{"objects", nil, wanted(c, "objects", objects)},
		{"contexts", nil, wanted(c, "contexts", c.contexts)},
		{"actions", nil, wanted(c, "actions", actions)},
		{"field", Field{Origin: q.Surroundings.Origin, RadiusMeters: q.Surroundings.Radius}, nil},
		{"findings", svc.List[Finding]{}, nil},
		{"fallbacks", svc.List[Fallback](c.fallbacks), nil},
		{"sources", svc.List[Provenance](c.sources), nil},
	} {
		before := `,"`
		if out == nil {
			before = `{"`
		}
		out = append(out, []byte(before+section.name+`":`))
		if section.value == nil {
			out = out.list(section.texts)
			continue
		}
		text, err := compact(section.value)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return append(out, []byte("}\n")), nil
}

// tiedTo returns which of the objects that others are tied to are in the
// dataset.
func (c *composer) tiedTo() map[string]bool {
	ties := make(map[string]bool)
	for _, e := range c.entries {
		if e.tied != nil {
			ties[e.tiedTo] = false
		}
	}
	if len(ties) > 0 {
		for _, e := range c.entries {
			if _, ok := ties[e.id]; ok {
				ties[e.id] = true
			}
		}
	}
	return ties
}

func wanted[T any](c *composer, section string, list []T) svc.List[T] {
	if !c.question.Surroundings.wants(section) {
		return nil
	}
	return list
}

// list adds a list of texts that are JSON already; empty ones are none.
func (p pieces) list(texts [][]byte) pieces {
	separator := []byte("[")
	p = slices.Grow(p, 2*len(texts)+1)
	for _, text := range texts {
		if len(text) > 0 {
			p = append(p, separator, text)
			separator = []byte(",")
		}
	}
	if separator[0] == '[' {
		return append(p, []byte("[]"))
	}
	return append(p, []byte("]"))
}
