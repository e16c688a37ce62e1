package dataset

import (
	"slices"
	"strings"

	"appliance/svc"
	"appliance/world/action"
)

// layout is what depends on all parts of a dataset: the positions of objects in
// the workspace, the actions that these allow, and the relationships between
// objects. It is immutable. The next layout reuses what has not changed.
type layout struct {
	parts     map[string]*result
	slots     map[string]*slot // by world_object_id
	workspace Workspace

	encodedWorkspace []byte
	context          []byte   // Context of the workspace
	actions          [][]byte // of the slots and of the workspace
	objects          Chunks   // the section objects
	objectActions    Chunks   // the actions on objects
	size             int      // bytes, approximately
}

// slot is the place of one object in the workspace.
type slot struct {
	slotKey
	object    *object
	actionIDs svc.List[string]
	actions   []byte // with commas between them
	place     []byte // fields of ObjectPlace
	item      []byte // ContextItem
}

// slotKey is everything besides the object on which a slot depends.
type slotKey struct {
	before, after string // world_object_ids of the neighbours, "" for none
	position      int
	focused       bool
	focusedAt     string // RFC 3339, "" for never
}

// addLayout adds the layout of the parts.
func (c *composition) addLayout() error {
	l := c.previous.layout
	if l == nil || !sameResults(l.parts, c.next.parts) {
		var err error
		if l, err = c.newLayout(l); err != nil {
			return err
		}
	}
	c.next.layout = l
	c.actions = append(c.actions, l.actions...)
	c.contexts = append(c.contexts, l.context)
	return nil
}

func sameResults(a, b map[string]*result) bool {
	if len(a) != len(b) {
		return false
	}
	for name, r := range a {
		if b[name] != r {
			return false
		}
	}
	return true
}

// newLayout returns a layout that reuses the slots of the previous one, which may
// be nil.
func (c *composition) newLayout(previous *layout) (*layout, error) {
	if previous == nil {
		previous = new(layout)
	}
	l := &layout{parts: c.next.parts, slots: make(map[string]*slot)}
	items := new(workspaceItems)
	if r := c.next.parts[workspaceService]; r != nil {
		items = r.workspace
	}
	here, away := c.split(items.items)
	contextItems, err := c.addSlots(l, previous, here, items.focus)
	if err != nil {
		return nil, err
	}
	l.workspace.Continuity = items.continuity
	if l.encodedWorkspace, err = encode(l.workspace); err != nil {
		return nil, err
	}
	if err := c.addWorkspaceContext(l, contextItems, away); err != nil {
		return nil, err
	}
	outside, err := encodeFields(ObjectPlace{Placement: Placement{Area: "none"}, Focus: Focus{Focusable: true}})
	if err != nil {
		return nil, err
	}
	if l.objects, err = encodeEnds(c.objects, l.slots, func(_ *object, s *slot) ([]byte, error) {
		if s == nil {
			return outside, nil
		}
		return s.place, nil
	}); err != nil {
		return nil, err
	}
	var actions [][]byte
	for _, o := range c.objects {
		if len(o.actions) > 0 {
			actions = append(actions, o.actions)
		}
	}
	l.objectActions = commas(actions)
	l.measure()
	return l, nil
}

// placedItem is an item of the workspace whose object is in the dataset.
type placedItem struct {
	workspaceItem
	object *object
}

// split returns the items whose objects are in the dataset, and the others.
func (c *composition) split(items []workspaceItem) (here []placedItem, away []workspaceItem) {
	objects := make(map[string]*object, len(items))
	for _, item := range items {
		objects[item.id] = nil
	}
	for _, o := range c.objects {
		if _, ok := objects[o.id]; ok {
			objects[o.id] = o
		}
	}
	for _, item := range items {
		if o := objects[item.id]; o != nil {
			here = append(here, placedItem{item, o})
		} else {
			away = append(away, item)
		}
	}
	return here, away
}

// addSlots adds the slots of items, sets the workspace accordingly, and returns
// the items of its context.
func (c *composition) addSlots(l, previous *layout, here []placedItem, focus string) (contextItems [][]byte, err error) {
	w := &l.workspace
	w.Placement = make(svc.Map, len(here))
	for i, item := range here {
		key := slotKey{position: i, focused: item.id == focus}
		if i > 0 {
			key.before = here[i-1].id
		}
		if i+1 < len(here) {
			key.after = here[i+1].id
		}
		if item.focused != nil {
			key.focusedAt = *item.focused
		}
		s, err := c.slot(previous.slots[item.id], item, key)
		if err != nil {
			return nil, err
		}
		l.slots[item.id] = s
		l.actions = append(l.actions, s.actions)
		contextItems = append(contextItems, s.item)
		w.Order, w.Placement[item.id] = append(w.Order, item.id), Placement{"carry", &i}
		if key.focused {
			w.Focus.WorldObjectID = &item.id
			if item.source.Service == "messages" {
				w.SelectedMessageThread = &item.id
			}
		}
	}
	w.WorkingSet = w.Order
	return contextItems, nil
}

// slot returns the slot of an item, with everything that is still valid of the
// previous one, which may be nil.
func (c *composition) slot(previous *slot, item placedItem, key slotKey) (s *slot, err error) {
	if previous != nil && previous.slotKey == key && previous.object == item.object {
		return previous, nil
	}
	s = &slot{slotKey: key, object: item.object}
	if previous != nil && previous.before == key.before && previous.after == key.after {
		s.actionIDs, s.actions = previous.actionIDs, previous.actions
	} else {
		actions := c.actionsOf.WorkspaceItem(item.source, item.id, key.before, key.after)
		s.actionIDs = action.IDs(actions)
		var list Encoder
		for _, a := range actions {
			list.Item(a)
		}
		if s.actions, err = list.Text(); err != nil {
			return nil, err
		}
	}
	if s.place, err = encodeFields(ObjectPlace{Placement{"carry", &key.position}, Focus{true, key.focused, item.focused}}); err != nil {
		return nil, err
	}
	s.item, err = encode(ContextItem{
		ItemID: item.id, Label: item.object.label, Target: action.Object(item.id), Selected: key.focused,
		ActionIDs: slices.Concat(item.object.actionIDs, s.actionIDs),
	})
	return s, err
}

// addWorkspaceContext adds the context of the workspace, and the actions on the
// workspace as a whole. items are those of the slots; away are items whose
// objects are not in the dataset, which the member can only remove.
func (c *composition) addWorkspaceContext(l *layout, items [][]byte, away []workspaceItem) error {
	var whole, removals []action.Action
	if len(l.workspace.Order) > 1 {
		whole = append(whole, c.actionsOf.Order(strings.Join(l.workspace.Order, " ")))
	}
	if l.workspace.Focus.WorldObjectID != nil {
		whole = append(whole, c.actionsOf.Clear())
	}
	for _, item := range away {
		removal := c.actionsOf.Remove(item.source, action.Workspace)
		removals = append(removals, removal)
		text, err := encode(ContextItem{
			ItemID: item.id, Label: item.title, Target: action.Workspace, ActionIDs: svc.List[string]{removal.ActionID},
		})
		if err != nil {
			return err
		}
		items = append(items, text)
	}
	texts, err := encodeItems(slices.Concat(whole, removals))
	if err != nil {
		return err
	}
	l.actions = append(l.actions, texts...)
	var e Encoder
	e.Begin()
	e.Field("context_id", "ctx_workspace")
	e.Field("kind", "workspace")
	e.Field("label", "Workspace")
	e.Field("target", action.Workspace)
	e.EncodedList("items", commas(items))
	e.Field("action_ids", action.IDs(whole))
	e.End()
	l.context, err = e.Text()
	return err
}

// encodeEnds returns the list of objects with their ends. place returns the
// encoded fields that an object has at its end; its slot is nil outside of the
// workspace.
func encodeEnds(objects []*object, slots map[string]*slot, place func(*object, *slot) ([]byte, error)) (Chunks, error) {
	present := presentTargets(objects)
	shared := make(map[*byte][]byte) // ends of objects that differ in nothing, by the fields
	list := make(Chunks, 0, 3*len(objects))
	for i, o := range objects {
		s := slots[o.id]
		fields, err := place(o, s)
		if err != nil {
			return nil, err
		}
		plain := s == nil && len(o.relations) == 0 && len(o.actionIDs) > 0
		end := shared[&fields[0]]
		if !plain || end == nil {
			var further svc.List[string]
			if s != nil {
				further = s.actionIDs
			}
			if end, err = o.end(further, present, fields); err != nil {
				return nil, err
			}
			if plain {
				shared[&fields[0]] = end
			}
		}
		if i > 0 {
			list = append(list, comma)
		}
		list = append(list, o.data, end)
	}
	return list, nil
}

// presentTargets returns which targets of relationships are among the objects.
func presentTargets(objects []*object) map[string]bool {
	targets := make(map[string]bool)
	for _, o := range objects {
		for _, r := range o.relations {
			targets[r.target] = false
		}
	}
	if len(targets) == 0 {
		return nil
	}
	for _, o := range objects {
		if _, ok := targets[o.id]; ok {
			targets[o.id] = true
		}
	}
	return targets
}

// measure sets the size. What belongs to objects is counted there.
func (l *layout) measure() {
	l.size = len(l.encodedWorkspace) + len(l.context) + 24*(len(l.objects)+len(l.objectActions)) + 300*len(l.workspace.Order)
	for _, s := range l.slots {
		l.size += len(s.actions) + len(s.place) + len(s.item) + 500
	}
}
