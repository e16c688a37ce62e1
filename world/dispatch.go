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

// Dispatch asks for what an action_id stands for. What a member gives is in
// input (B-29) or, as with every other command, beside it.
type Dispatch struct {
	ActionID string `json:"-" path:"action_id"`
	Given    Input  `json:"input"`
	Context  struct {
		Location *dataset.Coordinates `json:"location"` // of the runtime, for the dataset that it gets
	} `json:"context"`
	Input

	looked *looked // nil if nobody has looked yet
}

// Input is what the actions of the workspace take: each a part of it.
type Input struct {
	Before string `json:"before"` // world_object_id
	After  string `json:"after"`  // world_object_id
	Order  *Names `json:"order"`
}

// Names are world_object_ids: a list, or a text with spaces between them.
type Names []string

// UnmarshalJSON reads either.
func (n *Names) UnmarshalJSON(text []byte) error {
	var one string
	list := []string{}
	if json.Unmarshal(text, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(text, &list) != nil {
		return svc.FieldError(svc.MalformedBody, "order", "order must be a list of world_object_ids.")
	}
	*n = strings.Fields(strings.Join(list, " "))
	return nil
}

// given returns what was given, wherever it stands.
func (d Dispatch) given() Input {
	return Input{cmp.Or(d.Given.Before, d.Before), cmp.Or(d.Given.After, d.After), cmp.Or(d.Given.Order, d.Order)}
}

// Request returns what the runtime asks with the action: for the dataset as
// it is then. header is its X-Service-Runtime, "" if it does not say.
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

// act is one action that is being done.
type act struct {
	*World
	tx       *store.Tx
	viewer   svc.Viewer
	names    action.Namer
	resource string        // what it is about, as action_ids have it
	source   action.Source // the same, if another service has it
	input    Input
	looked   *looked
	target   action.Target
}

// worldActions are the actions that are done here, by the codes in their ids.
var worldActions = map[string]struct {
	done string // what the member is told
	do   func(*act) error
}{
	action.FocusCode:   {"This has your attention now.", (*act).focus},
	action.EarlierCode: {"This comes earlier now.", (*act).earlier},
	action.LaterCode:   {"This comes later now.", (*act).later},
	action.RemoveCode:  {"This is no longer in the workspace.", (*act).remove},
	action.OrderCode:   {"The workspace is in this order now.", (*act).order},
	action.ClearCode:   {"Nothing has your attention now.", (*act).clear},
	action.OpenCode:    {"The place is in the workspace now.", (*act).open},
	action.SaveCode:    {"This is in the workspace now.", (*act).save},
}

// errNoAction is the answer to an action_id that was never made for this
// member, and to one whose target they do not see any more.
var errNoAction = svc.Errorf(svc.NotFound, "There is no such action.")

// act reads what an action is from its id.
func (w *World) act(tx *store.Tx, v svc.Viewer, in Dispatch) (a *act, code string, err error) {
	n := action.Namer{Key: tx.InstanceKey()}
	code, resource, ok := n.Parse(in.ActionID, v.Member())
	if !ok || worldActions[code].do == nil {
		return nil, "", errNoAction
	}
	a = &act{World: w, tx: tx, viewer: v, names: n, resource: resource, input: in.given(), looked: in.looked, target: action.Workspace}
	if a.isObject() {
		service, rest, _ := strings.Cut(resource, "__")
		kind, id, _ := strings.Cut(rest, "__")
		a.source = action.Source{Kind: "service", Service: service, ResourceType: kind, ResourceID: id}
		a.target = action.Object(n.Object(a.source))
	}
	return a, code, nil
}

// looked is what an action was found to be about.
type looked struct {
	at    int64 // revision: while that is the member's, nothing that they see has changed
	thing surface.BringRequest
}

// Prepare reads what an action is about before it is done: that may take a while,
// during which others can write. An error is none of the action yet.
func (w *World) Prepare(tx *store.Tx, v svc.Viewer, in *Dispatch) error {
	a, code, err := w.act(tx, v, *in)
	if err != nil || !a.isObject() || code == action.RemoveCode {
		return err
	}
	at := tx.Revision(int64(v.Member()))
	thing, err := a.look()
	if err == nil {
		in.looked = &looked{at, thing}
	}
	return err
}

// Perform does what an action_id stands for, if it was made for v and v still may.
// The answer has no dataset yet: see [World.Refreshed].
func (w *World) Perform(tx *store.Tx, v svc.Viewer, in Dispatch) (ActionResponse, error) {
	a, code, err := w.act(tx, v, in)
	if err != nil {
		return ActionResponse{}, err
	}
	d := worldActions[code]
	err = d.do(a)
	if kind := svc.KindOf(err); kind == svc.Missing || kind == svc.Forbidden {
		err = errNoAction
	}
	return ActionResponse{actionResult: actionResult{
		Contract: dataset.Contract{Name: "service.world.action_response", Version: 1}, ActionID: in.ActionID, Type: action.DispatchedType(code), Status: "completed", Message: d.done,
		Target: a.target, Refresh: Refresh{Requested: true},
	}}, err
}

// Refreshed returns the response to an action with the dataset as it is then.
// response is the encoded [ActionResponse]. If the dataset cannot be read, the
// action is done nevertheless, and the response says so.
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
