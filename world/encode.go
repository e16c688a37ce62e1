package world

import (
	"bytes"

	"appliance/svc"
)

// entry is an object with the actions on it, encoded. It is what is kept
// between two reads: most objects have not changed.
type entry struct {
	id        string // world_object_id
	label     string
	actionIDs svc.List[string]
	object    []byte
	actions   []byte // with commas between
}

func (e *entry) size() int { return len(e.object) + len(e.actions) + 200 }

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

// encode writes the dataset: what [Dataset] says, with the entries as they
// are. A section that was not asked for is empty.
func (c *composer) encode() []byte {
	q := c.question
	size := 8 << 10
	for _, e := range c.entries {
		size += len(e.object) + len(e.actions) + 2
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	section := func(name string, v any) {
		if b.Len() == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		b.WriteString(`"` + name + `":`)
		text, err := compact(v)
		if err != nil {
			panic(err) // a type of this package that JSON cannot have
		}
		b.Write(text)
	}
	field := Field{Origin: q.Surroundings.Origin, RadiusMeters: q.Surroundings.Radius}
	section("contract", DatasetContract)
	section("member", c.member)
	section("capabilities", q.Runtime.capabilities())
	section("workspace", Workspace{})
	c.list(b, "objects", nil, func(e *entry) []byte { return e.object })
	section("contexts", wanted(c, "contexts", c.contexts))
	c.list(b, "actions", c.actions, func(e *entry) []byte { return e.actions })
	section("field", field)
	section("findings", svc.List[Finding]{})
	section("fallbacks", svc.List[Fallback](c.fallbacks))
	section("sources", svc.List[Provenance](c.sources))
	b.WriteString("}\n")
	return b.Bytes()
}

func wanted[T any](c *composer, section string, list []T) svc.List[T] {
	if !c.question.Surroundings.wants(section) {
		return nil
	}
	return list
}

// list writes a section of entries, after those that are of none.
func (c *composer) list(b *bytes.Buffer, name string, first []Action, of func(*entry) []byte) {
	b.WriteString(`,"` + name + `":[`)
	if c.question.Surroundings.wants(name) {
		comma := false
		write := func(text []byte) {
			if len(text) == 0 {
				return
			}
			if comma {
				b.WriteByte(',')
			}
			comma = true
			b.Write(text)
		}
		for _, a := range first {
			text, err := compact(a)
			if err != nil {
				panic(err)
			}
			write(text)
		}
		for _, e := range c.entries {
			write(of(e))
		}
	}
	b.WriteByte(']')
}
