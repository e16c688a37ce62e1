package dataset

import (
	"bytes"
	"slices"

	"appliance/svc"
	"appliance/world/action"
)

// entry is an object with the actions on it, encoded. It is kept between two
// reads: most objects have not changed. What the workspace alone decides, the
// end of the object, is not: see [ending].
type entry struct {
	id        string // world_object_id
	kind      string // object_type
	label     string
	actionIDs svc.List[string]
	object    []byte // up to the last of its actions
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
func (c *composition) entry(key entryKey, make func() (*entry, error)) (e *entry, err error) {
	if e = c.before.made[key]; e == nil {
		if e, err = make(); err != nil {
			return nil, err
		}
	}
	c.made[key] = e
	return e, nil
}

// encodeEntry encodes an object and the actions on it.
func (c *composition) encodeEntry(o Object, actions []action.Action) (*entry, error) {
	actions = append(actions, c.builder.Focus(o.Source, o.WorldObjectID)...)
	o.Actions = action.IDs(actions)
	e := &entry{id: o.WorldObjectID, kind: o.ObjectType, label: o.Title, actionIDs: o.Actions}
	var err error
	if e.object, err = beginning(o); err != nil {
		return nil, err
	}
	e.actions, err = encodeActions(actions)
	return e, err
}

// encodeActions encodes actions with commas between.
func encodeActions(actions []action.Action) ([]byte, error) {
	texts, err := encodeAll(actions)
	return bytes.Join(texts, comma), err
}

// further encodes action_ids as what follows others in a list.
func further(ids svc.List[string]) ([]byte, error) {
	text, err := compact(ids)
	if len(ids) == 0 {
		return nil, err
	}
	return slices.Concat(comma, bytes.Trim(text, "[]")), err
}

// ending is the end of an object that is encoded: where it is in the workspace,
// and whether it has the member's attention. A change of those encodes no object
// anew.
type ending struct {
	Placement Placement `json:"placement"`
	Focus     Focus     `json:"focus"`
}

// nowhere is the ending of what is not in the workspace.
var nowhere = must(Suffix(ending{Placement: Placement{Area: "none"}, Focus: Focus{Focusable: true}}))

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// Ending encodes the fields of v as those that follow the actions of an object.
func Suffix(v any) ([]byte, error) {
	text, err := compact(v)
	return slices.Concat([]byte("],"), bytes.TrimPrefix(text, []byte("{"))), err
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

var comma = []byte(",")
