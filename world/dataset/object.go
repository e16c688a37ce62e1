package dataset

import (
	"time"

	"appliance/svc"
	"appliance/world/action"
)

// object is an encoded object with the actions on it.
//
// Its text consists of data and a suffix. data depends on the version of the object
// only. The suffix also depends on the other objects of the dataset: it contains the
// action_ids of the workspace, the relationships, and [ObjectPlace] or the fields
// that another representation has instead.
type object struct {
	id         string // world_object_id
	objectType string // object_type
	label      string
	actionIDs  svc.List[string]
	data       []byte // from the opening brace to the last of actionIDs; the suffix continues the list
	dataHash   uint64
	actions    records
	relations  []relation

	provider    string   // id of the provider, "" for the object of a service
	fallbackIDs []string // of its actions that cannot be performed

	expires       time.Time // when the object changes without a write; zero for never
	unread        bool      // whether a conversation or DM has unread messages; false for other objects
	latestMessage time.Time // time of the latest message in a conversation or DM; zero for other objects
}

// relation is a relationship to an object that may be in the dataset.
type relation struct {
	target string // world_object_id
	text   []byte // encoded Relationship
}

// expired reports whether the object has changed without a write.
func (o *object) expired(now time.Time) bool { return !o.expires.IsZero() && !now.Before(o.expires) }

// size returns the approximate size in bytes.
func (o *object) size() int {
	n := len(o.data) + o.actions.size() + 350
	for _, r := range o.relations {
		n += len(r.text) + 80
	}
	return n
}

// encodeObject encodes an object and the actions on it. The suffix of the object
// contains only the relationships whose targets are in the dataset.
func (env *environment) encodeObject(data ObjectData, actions []action.Action, relationships []Relationship) (*object, error) {
	actions = append(actions, action.WorkspaceItems.Actions(env.actionBuilder, action.Object(data.WorldObjectID), action.WorkspaceItem{
		Resource: env.actionBuilder.Resource(data.Source), Focusable: env.actionBuilder.Workspace,
	})...)
	o := &object{id: data.WorldObjectID, objectType: data.ObjectType, label: data.Title, actionIDs: action.IDs(actions)}
	for _, a := range actions {
		if a.Fallback != nil {
			o.fallbackIDs = append(o.fallbackIDs, *a.Fallback)
		}
	}
	var err error
	if o.data, err = encodeWith(func(e *Encoder) {
		e.Begin()
		e.Fields(data)
		e.List("actions")
		for _, id := range o.actionIDs {
			e.Item(id)
		}
	}); err != nil {
		return nil, err
	}
	o.dataHash = hashOf(o.data)
	if o.actions, err = encodeActions(actions); err != nil {
		return nil, err
	}
	for _, r := range relationships {
		text, err := encode(r)
		if err != nil {
			return nil, err
		}
		o.relations = append(o.relations, relation{r.Target.WorldObjectID, text})
	}
	return o, nil
}

// item returns the object as an item of a context.
func (o *object) item() ContextItem {
	return ContextItem{ItemID: o.id, Label: o.label, Target: action.Object(o.id), ActionIDs: o.actionIDs}
}

// encodeSuffix encodes the suffix of the object: further action_ids, the relationships to
// present objects, and the encoded fields of place.
func (o *object) encodeSuffix(further []string, present map[string]bool, place []byte) ([]byte, error) {
	return encodeWith(func(e *Encoder) {
		e.needsComma = len(o.actionIDs) > 0
		for _, id := range further {
			e.Item(id)
		}
		e.EndList()
		e.List("relationships")
		for _, r := range o.relations {
			if present[r.target] {
				e.writeCopy(r.text)
			}
		}
		e.EndList()
		e.writeCopy(place)
		e.End()
	})
}
