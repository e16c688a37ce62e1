package dataset

import (
	"bytes"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/world/action"
)

// arrangement is where the objects of a dataset are in the workspace, and what
// can be done with them there, encoded. It is kept between two reads: what has
// not changed by the next one is not encoded again.
type arrangement struct {
	carried *carried
	entries []*entry         // of the objects that are there, in order
	seats   map[string]*seat // by world_object_id

	workspace Workspace
	present   []byte // the same
	context   []byte // Context
	whole     []byte // the actions on the workspace as a whole, with commas between
}

func (a *arrangement) size() int {
	n := len(a.present) + len(a.context) + len(a.whole) + 300*len(a.carried.order)
	for _, s := range a.seats {
		n += len(s.ending) + len(s.more) + len(s.actions) + len(s.item) + 400
	}
	return n
}

// seat is where one object is in the workspace.
type seat struct {
	seatKey
	entry     *entry
	actionIDs svc.List[string]
	actions   []byte // with commas between
	more      []byte // actionIDs, after those of the entry
	ending    []byte // ending
	item      []byte // ContextItem
}

// seatKey is all that a seat depends on, but for its entry.
type seatKey struct {
	before, after string // world_object_ids of its neighbours, "" for none
	position      int
	focused       bool
	focusedAt     string // RFC 3339, "" if it never had the member's attention
}

// arrange says where the objects of the dataset are in the workspace, and what
// can be done with them there.
func (c *composition) arrange() error {
	if c.carried == nil {
		c.carried = nothing
	}
	here, away := c.seated()
	entries := make([]*entry, len(here))
	for i, o := range here {
		entries[i] = o.entry
	}
	key := memoryKey{c.viewer.Member(), "arrangement", c.forms()}
	a, _ := c.composer.memory.get(key).value.(*arrangement)
	if a == nil || a.carried != c.carried || !slices.Equal(a.entries, entries) {
		old := a
		a = &arrangement{carried: c.carried, entries: entries}
		if err := a.encode(c, old, here, away); err != nil {
			return err
		}
		c.composer.memory.put(key, kept{value: a})
	}
	for _, e := range entries {
		c.actions = append(c.actions, a.seats[e.id].actions)
	}
	c.actions, c.contexts = append(c.actions, a.whole), append(c.contexts, a.context)
	c.arranged = a
	return nil
}

var nothing = &carried{}

// seated is something that a member has before them and that is in the dataset.
type seated struct {
	carriedObject
	entry *entry
}

// seated tells what of that which the member has before them is in the dataset,
// and what is not.
func (c *composition) seated() (here []seated, away []carriedObject) {
	entries := make(map[string]*entry, len(c.carried.order))
	for _, o := range c.carried.order {
		entries[o.id] = nil
	}
	for _, e := range c.entries {
		if _, ok := entries[e.id]; ok {
			entries[e.id] = e
		}
	}
	for _, o := range c.carried.order {
		if e := entries[o.id]; e != nil {
			here = append(here, seated{o, e})
		} else {
			away = append(away, o)
		}
	}
	return here, away
}

// encode fills an arrangement in with what still is good of the old one, if there
// is one.
func (a *arrangement) encode(c *composition, old *arrangement, here []seated, away []carriedObject) error {
	var items [][]byte
	w := Workspace{Placement: make(svc.Map, len(here)), Continuity: a.carried.continuity}
	a.seats = make(map[string]*seat, len(here))
	for i, o := range here {
		var before *seat
		if old != nil {
			before = old.seats[o.id]
		}
		s, err := c.seat(before, here, i)
		if err != nil {
			return err
		}
		a.seats[o.id] = s
		items = append(items, s.item)
		w.Order, w.Placement[o.id] = append(w.Order, o.id), Placement{"carry", &i}
		if s.focused {
			w.Focus.WorldObjectID = &o.id
			if o.source.Service == "messages" {
				w.SelectedMessageThread = &o.id
			}
		}
	}
	w.WorkingSet = w.Order
	ctx := Context{ContextID: "ctx_workspace", Kind: "workspace", Label: "Workspace", Target: action.Workspace}
	var whole []action.Action
	if len(w.Order) > 1 {
		whole = append(whole, c.builder.Order(strings.Join(w.Order, " ")))
	}
	if w.Focus.WorldObjectID != nil {
		whole = append(whole, c.builder.Clear())
	}
	for _, o := range away {
		removing := c.builder.Remove(o.source, ctx.Target)
		whole = append(whole, removing)
		item, err := compact(ContextItem{ItemID: o.id, Label: o.title, Target: ctx.Target, ActionIDs: svc.List[string]{removing.ActionID}})
		if err != nil {
			return err
		}
		items = append(items, item)
	}
	ctx.ActionIDs = action.IDs(whole[:len(whole)-len(away)])
	var err error
	if a.whole, err = encodeActions(whole); err != nil {
		return err
	}
	if a.context, err = withItems(ctx, items); err != nil {
		return err
	}
	a.workspace = w
	a.present, err = compact(w)
	return err
}

// withItems encodes a context with items that are encoded. Nothing before them
// is a member's text.
func withItems(ctx Context, items [][]byte) ([]byte, error) {
	text, err := compact(ctx)
	head, tail, _ := bytes.Cut(text, []byte(`"items":[`))
	return slices.Concat(head, []byte(`"items":[`), bytes.Join(items, comma), tail), err
}

// seat returns the place of an object: as it was, if nothing about it is another.
func (c *composition) seat(old *seat, here []seated, i int) (s *seat, err error) {
	o := here[i]
	s = &seat{entry: o.entry, seatKey: seatKey{position: i, focused: o.id == c.carried.focus}}
	if i > 0 {
		s.before = here[i-1].id
	}
	if i+1 < len(here) {
		s.after = here[i+1].id
	}
	if o.focused != nil {
		s.focusedAt = *o.focused
	}
	if old == nil {
		old = &seat{}
	}
	if old.actions != nil && old.before == s.before && old.after == s.after {
		s.actionIDs, s.actions, s.more = old.actionIDs, old.actions, old.more
	} else {
		actions := c.builder.WorkspaceItem(o.source, o.id, s.before, s.after)
		s.actionIDs = action.IDs(actions)
		if s.actions, err = encodeActions(actions); err != nil {
			return nil, err
		}
		if s.more, err = further(s.actionIDs); err != nil {
			return nil, err
		}
	}
	if old.ending != nil && old.seatKey == s.seatKey {
		s.ending = old.ending
	} else if s.ending, err = Suffix(ending{Placement{"carry", &i}, Focus{true, s.focused, o.focused}}); err != nil {
		return nil, err
	}
	if old.item != nil && old.seatKey == s.seatKey && old.entry == s.entry {
		s.item = old.item
		return s, nil
	}
	s.item, err = compact(ContextItem{
		ItemID: o.id, Label: o.entry.label, Target: action.Object(o.id), Selected: s.focused,
		ActionIDs: slices.Concat(o.entry.actionIDs, s.actionIDs),
	})
	return s, err
}
