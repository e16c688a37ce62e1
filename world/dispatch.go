package world

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/action"
	"appliance/world/dataset"
)

// Dispatch is a request to perform an action of a dataset. Input may be in the
// field input or beside it; the field input takes precedence.
type Dispatch struct {
	ActionID string `json:"-" path:"action_id"`
	Nested   Input  `json:"input"`
	Context  struct {
		Location *dataset.Coordinates `json:"location"` // of the runtime, for the dataset in the response
	} `json:"context"`
	Input

	prepared *prepared // nil unless Prepare has read the object
}

// Input contains the values of the actions of the workspace. Each action takes at
// most one.
type Input struct {
	Before string     `json:"before"` // world_object_id
	After  string     `json:"after"`  // world_object_id
	Order  *ObjectIDs `json:"order"`
}

// ObjectIDs is a list of world_object_ids. In JSON it is an array, or a string
// with spaces between the ids.
type ObjectIDs []string

// UnmarshalJSON implements [json.Unmarshaler].
func (ids *ObjectIDs) UnmarshalJSON(text []byte) error {
	var joined string
	list := []string{}
	if json.Unmarshal(text, &joined) == nil {
		list = []string{joined}
	} else if json.Unmarshal(text, &list) != nil {
		return svc.FieldError(svc.MalformedBody, "order", "order must be a list of world_object_ids.")
	}
	*ids = strings.Fields(strings.Join(list, " "))
	return nil
}

// input returns the input of the action.
func (d Dispatch) input() Input {
	return Input{cmp.Or(d.Nested.Before, d.Before), cmp.Or(d.Nested.After, d.After), cmp.Or(d.Nested.Order, d.Order)}
}

// Request returns the request for the dataset in the response. header is the
// X-Service-Runtime header, or "".
func (d Dispatch) Request(header string) (r dataset.Request, err error) {
	r = dataset.Request{Runtime: dataset.GenericRuntime, Params: dataset.DefaultParams()}
	if header != "" {
		if r.Runtime, err = dataset.ParseRuntime(header); err != nil {
			return r, err
		}
	}
	if d.Context.Location != nil {
		r.Params.Origin, err = d.Context.Location.Check("context.location")
	}
	return r, err
}

// ActionResponse is the response to an action. Schema:
// service.world.action_response.
type ActionResponse struct {
	actionResult
	Dataset *dataset.Dataset `json:"dataset"` // null if it is not refreshed
}

// actionResult holds the fields of an [ActionResponse] besides the dataset.
type actionResult struct {
	Contract dataset.Contract `json:"contract"`
	ActionID string           `json:"action_id"`
	Type     string           `json:"type"`
	Status   string           `json:"status"` // "completed", "accepted", "rejected" or "failed"
	Message  string           `json:"message"`
	Target   action.Target    `json:"target"`
	Facts    svc.List[Fact]   `json:"facts"`
	Error    *svc.ErrorDetail `json:"error"`
	Refresh  Refresh          `json:"refresh"`
}

// Fact is a result of an action.
type Fact struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Refresh says whether the action changed the dataset and whether the response
// contains it.
type Refresh struct {
	Requested bool `json:"requested"`
	Performed bool `json:"performed"`
}

// execution is the execution of one action.
type execution struct {
	*World
	tx       *store.Tx
	viewer   svc.Viewer
	namer    action.Namer
	resource string        // the resource in the action_id, "" for the workspace as a whole
	source   action.Source // of the object, if the resource is one of another service
	input    Input
	prepared *prepared
	target   action.Target
}

// workspaceActions lists the actions of the workspace by the codes in their ids.
var workspaceActions = map[string]struct {
	message string // of the response
	run     func(*execution) error
}{
	action.FocusCode:   {"The object is focused.", (*execution).focus},
	action.EarlierCode: {"The object was moved earlier.", (*execution).moveEarlier},
	action.LaterCode:   {"The object was moved later.", (*execution).moveLater},
	action.RemoveCode:  {"The object was removed from the workspace.", (*execution).remove},
	action.OrderCode:   {"The workspace was reordered.", (*execution).order},
	action.ClearCode:   {"No object is focused.", (*execution).clearFocus},
	action.OpenCode:    {"The place was added to the workspace.", (*execution).open},
	action.SaveCode:    {"The page was added to the workspace.", (*execution).save},
}

// errNoAction is the error for an action_id that this server did not issue to the
// member, and for an action on an object that the member can no longer see.
var errNoAction = svc.Errorf(svc.NotFound, "This action does not exist or is no longer available.")

// newExecution returns the execution of the action with an action_id, and its
// code.
func (w *World) newExecution(tx *store.Tx, v svc.Viewer, in Dispatch) (x *execution, code string, err error) {
	n := action.Namer{Key: tx.InstanceKey()}
	code, resource, ok := n.Parse(in.ActionID, v.Member())
	if !ok || workspaceActions[code].run == nil {
		return nil, "", errNoAction
	}
	x = &execution{World: w, tx: tx, viewer: v, namer: n, resource: resource, input: in.input(), prepared: in.prepared, target: action.Workspace}
	if x.concernsObject() {
		service, rest, _ := strings.Cut(resource, "__")
		kind, id, _ := strings.Cut(rest, "__")
		x.source = action.Source{Kind: "service", Service: service, ResourceType: kind, ResourceID: id}
		x.target = action.Object(n.Object(x.source))
	}
	return x, code, nil
}

// prepared is the object of an action as [World.Prepare] has read it.
type prepared struct {
	revision int64 // of the member; the object is valid until it changes
	object   surface.BringRequest
}

// Prepare reads the object of an action before the write transaction, because
// that may take long. Its errors need not be reported: Perform returns them.
func (w *World) Prepare(tx *store.Tx, v svc.Viewer, in *Dispatch) error {
	x, code, err := w.newExecution(tx, v, *in)
	if err != nil || !x.concernsObject() || code == action.RemoveCode {
		return err
	}
	revision := tx.Revision(int64(v.Member()))
	object, err := x.object()
	if err == nil {
		in.prepared = &prepared{revision, object}
	}
	return err
}

// Perform performs an action for v. The response has no dataset: see
// [World.Refreshed].
func (w *World) Perform(tx *store.Tx, v svc.Viewer, in Dispatch) (ActionResponse, error) {
	x, code, err := w.newExecution(tx, v, in)
	if err != nil {
		return ActionResponse{}, err
	}
	a := workspaceActions[code]
	err = a.run(x)
	if kind := svc.KindOf(err); kind == svc.Missing || kind == svc.Forbidden {
		err = errNoAction
	}
	return ActionResponse{actionResult: actionResult{
		Contract: dataset.Contract{Name: "service.world.action_response", Version: 1}, ActionID: in.ActionID, Type: action.DispatchedType(code),
		Status: "completed", Message: a.message, Target: x.target, Refresh: Refresh{Requested: true},
	}}, err
}

// Refreshed returns the response to an action with the current dataset. response
// is the encoded [ActionResponse]. If the dataset cannot be read, Refreshed
// returns the response without it, and the error: the action is performed.
func (w *World) Refreshed(ctx context.Context, v svc.Viewer, r dataset.Request, response []byte) (dataset.Body, error) {
	unchanged := dataset.Chunks{response}
	var a ActionResponse
	if err := json.Unmarshal(response, &a); err != nil || !a.Refresh.Requested {
		return unchanged, err
	}
	current, err := w.Read(ctx, v, r)
	if err != nil {
		return unchanged, err
	}
	a.Refresh.Performed = true
	var e dataset.Encoder
	e.Begin()
	e.Fields(a.actionResult)
	e.EncodedField("dataset", current.Body.(dataset.Chunks)...)
	e.End()
	e.Newline()
	return e.Chunks()
}
