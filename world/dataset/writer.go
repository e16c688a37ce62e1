package dataset

import (
	"bufio"
	"cmp"
	"io"

	"appliance/svc"
)

// Writer is a dataset that is ready to be written, in the shape of [Dataset] or
// in another. What is kept of it between two reads is encoded already, and is
// passed on as it is. A section that was not asked for is empty.
type Writer struct{ c *composition }

// Capabilities are what the runtime said it can do.
func (d Writer) Capabilities() Capabilities { return d.c.request.Runtime.capabilities() }

// Workspace is what the member has in front of them.
func (d Writer) Workspace() Workspace {
	if !d.wants("workspace") {
		return Workspace{}
	}
	return d.c.arranged.workspace
}

// Field is the part of the earth around the runtime.
func (d Writer) Field() Field { return d.c.around }

// Fallbacks say why something is not there.
func (d Writer) Fallbacks() svc.List[Fallback] { return d.c.fallbacks }

// Contexts are what the member can turn to.
func (d Writer) Contexts() EncodedList { return d.list("contexts", d.c.contexts) }

// Actions are what the member can do.
func (d Writer) Actions() EncodedList {
	c := d.c
	actions := append(make([][]byte, 0, len(c.actions)+len(c.entries)), c.actions...)
	for _, e := range c.entries {
		actions = append(actions, e.actions)
	}
	return d.list("actions", actions)
}

// ObjectView is an object of a dataset, as far as its ending may depend on it.
type ObjectView struct {
	WorldObjectID string
	ObjectType    string
	Area          string // of the workspace, as in Placement
	Focused       bool

	ending []byte // in the dataset
}

// Objects are the objects, each of them up to the last of its actions and then as
// end says: see [Ending].
func (d Writer) Objects(end func(ObjectView) ([]byte, error)) (EncodedList, error) {
	if !d.wants("objects") {
		return nil, nil
	}
	entries, seats, here := d.c.entries, d.c.arranged.seats, d.c.tiedTo()
	list := make(EncodedList, 0, 3*len(entries)+len(seats))
	for i, e := range entries {
		if i > 0 {
			list = append(list, comma)
		}
		object, o := e.object, ObjectView{e.id, e.kind, "none", false, nowhere}
		if here[e.tiedTo] {
			object = e.tied
		}
		list = append(list, object)
		if s := seats[e.id]; s != nil {
			list, o = append(list, s.more), ObjectView{e.id, e.kind, "carry", s.focused, s.ending}
		}
		ending, err := end(o)
		if err != nil {
			return nil, err
		}
		list = append(list, ending)
	}
	return list, nil
}

// write writes the dataset: what [Dataset] says.
func (d Writer) write() (Body, error) {
	c := d.c
	objects, err := d.Objects(func(o ObjectView) ([]byte, error) { return o.ending, nil })
	if err != nil {
		return nil, err
	}
	var workspace any = Workspace{}
	if d.wants("workspace") {
		workspace = encoded(c.arranged.present)
	}
	return Assemble([]NamedValue{
		{"contract", cmp.Or(c.request.Contract, DatasetContract)},
		{"member", c.member},
		{"capabilities", d.Capabilities()},
		{"workspace", workspace},
		{"objects", objects},
		{"contexts", d.Contexts()},
		{"actions", d.Actions()},
		{"field", d.Field()},
		{"findings", d.list("findings", c.findings)},
		{"fallbacks", d.Fallbacks()},
		{"sources", svc.List[Provenance](c.sources)},
	})
}

func (d Writer) wants(section string) bool { return d.c.request.Params.wants(section) }

// list puts commas between texts that are JSON already; empty ones are none.
func (d Writer) list(section string, texts [][]byte) EncodedList {
	if !d.wants(section) {
		return nil
	}
	list := make(EncodedList, 0, 2*len(texts))
	for _, text := range texts {
		if len(text) > 0 {
			list = append(list, comma, text)
		}
	}
	return list[min(1, len(list)):]
}

// tiedTo returns which of the objects that others are tied to are in the
// dataset.
func (c *composition) tiedTo() map[string]bool {
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

// EncodedList is what stands between the brackets of a list, in Chunks that
// nobody changes.
type EncodedList [][]byte

// encoded is a value that is encoded already.
type encoded []byte

// NamedValue is one field of an answer.
type NamedValue struct {
	Name  string
	Value any // an [EncodedList], or what is to be encoded
}

// Assemble returns an object of those fields.
func Assemble(fields []NamedValue) (Body, error) {
	var out Chunks
	before := "{"
	for _, f := range fields {
		out = append(out, []byte(before+`"`+f.Name+`":`))
		before = ","
		switch value := f.Value.(type) {
		case EncodedList:
			out = append(append(append(out, []byte("[")), value...), []byte("]"))
		case encoded:
			out = append(out, value)
		default:
			text, err := compact(value)
			if err != nil {
				return nil, err
			}
			out = append(out, text)
		}
	}
	return append(out, []byte("}\n")), nil
}

// Chunks are a text in parts, which nobody changes: what is kept between reads
// goes out without being copied.
type Chunks [][]byte

// WriteTo implements [io.WriterTo].
func (p Chunks) WriteTo(w io.Writer) (n int64, err error) {
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
func (p Chunks) Len() (n int) {
	for _, piece := range p {
		n += len(piece)
	}
	return n
}
