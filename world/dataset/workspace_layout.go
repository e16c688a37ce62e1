package dataset

import (
	"slices"
	"strings"

	"appliance/svc"
	"appliance/world/action"
)

// workspaceLayout is the workspace in a dataset. It is immutable.
type workspaceLayout struct {
	items     *workspaceItems
	order     []*slot          // slots of the items whose objects are in the dataset
	slots     map[string]*slot // the same slots by world_object_id
	workspace Workspace
	encoded   []byte // encoded workspace
	context   *encodedContext
	actions   []records // actions of the slots and of the workspace as a whole
	size      int       // bytes, approximately
}

// slot is one object in the workspace.
type slot struct {
	slotKey
	object    *object
	actionIDs svc.List[string]
	actions   records
	place     []byte // encoded fields of ObjectPlace
	item      []byte // encoded ContextItem
}

// slotKey identifies the place of a slot. A slot depends on it and on the object.
type slotKey struct {
	before, after string // world_object_ids of the neighbours, "" for none
	position      int
	focused       bool
	focusedAt     string // RFC 3339, "" for never
}

// newWorkspaceLayout returns the previous layout if it is valid, otherwise a new
// layout with the valid slots of the previous one. previous may be nil.
func (c *composition) newWorkspaceLayout(previous *workspaceLayout) (*workspaceLayout, error) {
	if previous == nil {
		previous = new(workspaceLayout)
	}
	l := &workspaceLayout{items: new(workspaceItems)}
	if r := c.next.results.workspace; r != nil {
		l.items = r.items
	}
	placed, hidden := c.splitItems(l.items.list)
	var err error
	if l.order, err = c.newSlots(previous.slots, placed, l.items.focus); err != nil {
		return nil, err
	}
	if l.items == previous.items && slices.Equal(l.order, previous.order) {
		return previous, nil
	}
	l.setWorkspace(placed)
	if l.encoded, err = encode(l.workspace); err != nil {
		return nil, err
	}
	return l, c.addWorkspaceContext(l, hidden)
}

// placedItem is an item of the workspace with its object in the dataset.
type placedItem struct {
	workspaceItem
	object *object
}

// splitItems returns the items whose objects are in the dataset, and the items whose
// objects are not.
func (c *composition) splitItems(items []workspaceItem) (placed []placedItem, hidden []workspaceItem) {
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
			placed = append(placed, placedItem{item, o})
		} else {
			hidden = append(hidden, item)
		}
	}
	return placed, hidden
}

// newSlots returns the slots of items, in order.
func (c *composition) newSlots(previous map[string]*slot, items []placedItem, focus string) (slots []*slot, err error) {
	slots = make([]*slot, len(items))
	for i, item := range items {
		key := slotKey{position: i, focused: item.id == focus}
		if i > 0 {
			key.before = items[i-1].id
		}
		if i+1 < len(items) {
			key.after = items[i+1].id
		}
		if item.focusedAt != nil {
			key.focusedAt = *item.focusedAt
		}
		if slots[i], err = c.newSlot(previous[item.id], item, key); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// newSlot returns the slot of an item: the previous slot if it is valid, otherwise
// a new one. If the neighbours are the same, the new slot reuses the actions of the
// previous slot. previous may be nil.
func (c *composition) newSlot(previous *slot, item placedItem, key slotKey) (s *slot, err error) {
	if previous == nil {
		previous = new(slot)
	}
	if previous.slotKey == key && previous.object == item.object {
		return previous, nil
	}
	s = &slot{slotKey: key, object: item.object}
	if previous.object != nil && previous.before == key.before && previous.after == key.after {
		s.actionIDs, s.actions = previous.actionIDs, previous.actions
	} else {
		actions := action.WorkspaceItems.Actions(c.actionBuilder, action.Object(item.id), action.WorkspaceItem{
			Resource: c.actionBuilder.Resource(item.source), Placed: true, Before: key.before, After: key.after,
		})
		s.actionIDs = action.IDs(actions)
		if s.actions, err = encodeActions(actions); err != nil {
			return nil, err
		}
	}
	if s.place, err = encodeFields(ObjectPlace{Placement{CarryArea, &key.position}, Focus{true, key.focused, item.focusedAt}}); err != nil {
		return nil, err
	}
	s.item, err = encode(ContextItem{
		ItemID: item.id, Label: item.object.label, Target: action.Object(item.id), Selected: key.focused,
		ActionIDs: slices.Concat(item.object.actionIDs, s.actionIDs),
	})
	return s, err
}

// setWorkspace sets slots and workspace.
func (l *workspaceLayout) setWorkspace(items []placedItem) {
	l.slots = make(map[string]*slot, len(items))
	w := Workspace{Placement: make(svc.Dict[Placement], len(items)), Continuity: l.items.continuity}
	for i, item := range items {
		l.slots[item.id] = l.order[i]
		w.Order, w.Placement[item.id] = append(w.Order, item.id), Placement{CarryArea, &i}
		if item.id == l.items.focus {
			w.Focus.WorldObjectID = &item.id
			if item.source.Service == "messages" {
				w.SelectedMessageThread = &item.id
			}
		}
	}
	w.WorkingSet = w.Order
	l.workspace = w
}

// addWorkspaceContext adds the context and the actions. The member can only remove
// the hidden items, whose objects are not in the dataset.
func (c *composition) addWorkspaceContext(l *workspaceLayout, hidden []workspaceItem) (err error) {
	var ids []string
	var items [][]byte
	for _, s := range l.order {
		l.actions, ids, items = append(l.actions, s.actions), append(ids, s.object.id), append(items, s.item)
		l.size += s.actions.size() + len(s.place) + len(s.item) + 1000
	}
	var removals []action.Action
	state := action.WorkspaceState{Focused: l.workspace.Focus.WorldObjectID != nil}
	if len(l.workspace.Order) > 1 {
		state.Order = strings.Join(l.workspace.Order, " ")
	}
	workspaceActions := action.Workspaces.Actions(c.actionBuilder, action.Workspace, state)
	for _, item := range hidden {
		removal := action.WorkspaceItems.Actions(c.actionBuilder, action.Workspace, action.WorkspaceItem{
			Resource: c.actionBuilder.Item(item.source), Placed: true,
		})
		text, err := encode(ContextItem{
			ItemID: item.id, Label: item.title, Target: action.Workspace, ActionIDs: action.IDs(removal),
		})
		if err != nil {
			return err
		}
		removals, ids, items = append(removals, removal...), append(ids, item.id), append(items, text)
	}
	general, err := encodeActions(slices.Concat(workspaceActions, removals))
	if err != nil {
		return err
	}
	l.actions = append(l.actions, general)
	l.context, err = encodeContextOf(Context{
		ContextID: "ctx_workspace", Kind: "workspace", Label: c.key.language.Text("Carried"), Target: action.Workspace, ActionIDs: action.IDs(workspaceActions),
	}, joinRecords(ids, items))
	if err != nil {
		return err
	}
	l.size += len(l.encoded) + l.context.size() + general.size() + 1000*len(hidden)
	return nil
}
