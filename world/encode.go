package world

import (
	"bufio"
	"bytes"
	"cmp"
	"io"

	"appliance/svc"
)

// entry is an object with the actions on it, encoded. It is kept between two
// reads: most objects have not changed. What the workspace alone decides, the
// end of the object, is not: see [ending].
type entry struct {
	id        string // world_object_id
	label     string
	actionIDs svc.List[string]
	object    []byte // up to the end of its actions
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
func (c *composer) encodeEntry(o Object, actions []Action) (*entry, error) {
	actions = append(actions, c.focusing(o)...)
	o.Actions = actionIDs(actions)
	e := &entry{id: o.WorldObjectID, label: o.Title, actionIDs: o.Actions}
	var err error
	if e.object, err = beginning(o); err != nil {
		return nil, err
	}
	e.actions, err = encodeActions(actions)
	return e, err
}

// encodeActions encodes actions with commas between.
func encodeActions(actions []Action) ([]byte, error) {
	texts, err := encodeAll(actions)
	return bytes.Join(texts, comma), err
}

func actionIDs(actions []Action) svc.List[string] {
	ids := make(svc.List[string], len(actions))
	for i, a := range actions {
		ids[i] = a.ActionID
	}
	return ids
}

// ending is the end of an object that is encoded: where it is in the workspace,
// what can be done with it there, and whether it has the member's attention. A
// change of those encodes no object anew.
type ending struct {
	Actions   svc.List[string] `json:"actions"` // more of them
	Placement Placement        `json:"placement"`
	Focus     Focus            `json:"focus"`
}

// nowhere is the ending of what is not in the workspace.
var nowhere = must(ending{Placement: Placement{Area: "none"}, Focus: Focus{Focusable: true}}.encode())

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// encode returns what follows the actions of an object that has some.
func (e ending) encode() ([]byte, error) {
	text, err := compact(e)
	text = bytes.TrimPrefix(text, []byte(`{"actions":[`))
	if len(e.Actions) > 0 {
		text = append([]byte(","), text...)
	}
	return text, err
}

// beginning encodes an object without its ending.
func beginning(o Object) ([]byte, error) {
	o.Placement, o.Focus = Placement{Area: "none"}, Focus{Focusable: true}
	text, err := compact(o)
	return bytes.TrimSuffix(text, nowhere), err
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
	objects := make([][]byte, 0, 3*len(c.entries))
	actions := append(make([][]byte, 0, len(c.actions)+len(c.entries)), c.actions...)
	here := c.tiedTo()
	for i, e := range c.entries {
		object := e.object
		if here[e.tiedTo] {
			object = e.tied
		}
		end := nowhere
		if seat := c.arranged.seats[e.id]; seat != nil {
			end = seat.ending
		}
		if i > 0 {
			objects = append(objects, comma)
		}
		objects, actions = append(objects, object, end), append(actions, e.actions)
	}
	var out pieces
	for _, section := range []struct {
		name  string
		value any
	}{
		{"contract", cmp.Or(q.Contract, DatasetContract)},
		{"member", c.member},
		{"capabilities", q.Runtime.capabilities()},
		{"workspace", c.workspaceText()},
		{"objects", wanted(c, "objects", objects)},
		{"contexts", wanted(c, "contexts", separated(c.contexts))},
		{"actions", wanted(c, "actions", separated(actions))},
		{"field", c.around},
		{"findings", wanted(c, "findings", separated(c.findings))},
		{"fallbacks", svc.List[Fallback](c.fallbacks)},
		{"sources", svc.List[Provenance](c.sources)},
	} {
		before := `,"`
		if out == nil {
			before = `{"`
		}
		out = append(out, []byte(before+section.name+`":`))
		switch value := section.value.(type) {
		case encodedList:
			out = append(append(append(out, []byte("[")), value...), []byte("]"))
		case []byte:
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

// workspaceText is what the dataset says of the workspace, encoded.
func (c *composer) workspaceText() any {
	if !c.question.Surroundings.wants("workspace") {
		return Workspace{}
	}
	return c.arranged.present
}

// encodedList is what stands between the brackets of a list, in pieces.
type encodedList [][]byte

func wanted(c *composer, section string, list encodedList) encodedList {
	if !c.question.Surroundings.wants(section) {
		return nil
	}
	return list
}

var comma = []byte(",")

// separated puts commas between texts that are JSON already; empty ones are
// none.
func separated(texts [][]byte) [][]byte {
	list := make([][]byte, 0, 2*len(texts))
	for _, text := range texts {
		if len(text) > 0 {
			list = append(list, comma, text)
		}
	}
	return list[min(1, len(list)):]
}
