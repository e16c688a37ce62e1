package world

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/surface"
	"appliance/world/action"
	"appliance/world/dataset"
)

// Dispatch is a request to perform an action of a dataset. The values of [Input]
// may be in the field input or at the top level; the field input takes
// precedence.
type Dispatch struct {
	ActionID string `json:"-" path:"action_id"`
	Nested   Input  `json:"input"`
	Context  struct {
		Location *dataset.Coordinates `json:"location"` // position of the runtime, for the dataset in the response
	} `json:"context"`
	Input

	// Preview is the page that a translate_finding action has read; nil for other
	// actions.
	Preview *Preview `json:"-"`

	// Relay is the command to a provider; nil for actions of World.
	Relay *Relay `json:"-"`

	IdempotencyKey string `json:"-" header:"Idempotency-Key"`
	RequestID      string `json:"-"` // as in the header X-Request-Id of the response
	Body           []byte `json:"-"` // of the request, as JSON

	prepared *preparedObject // nil if Prepare has not read the object
}

// Input contains the values that workspace actions take. Each action takes at most
// one of them.
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
		return svc.FieldError(svc.MalformedBody, "order", "The order must be a list of object IDs.")
	}
	*ids = strings.Fields(strings.Join(list, " "))
	return nil
}

// input returns the input of the action.
func (d Dispatch) input() Input {
	return Input{cmp.Or(d.Nested.Before, d.Before), cmp.Or(d.Nested.After, d.After), cmp.Or(d.Nested.Order, d.Order)}
}

// values returns the values of the controls of an action of a provider, in the field
// input or at the top level.
func (d Dispatch) values() svc.Map {
	var body struct {
		Input svc.Map `json:"input"`
	}
	if json.Unmarshal(d.Body, &body) == nil && body.Input != nil {
		return body.Input
	}
	values := make(svc.Map)
	_ = json.Unmarshal(d.Body, &values) // has been decoded before
	return values
}

// Request returns the request for the dataset in the response. header is the
// X-Service-Runtime header, or ""; query contains the parameters of the dataset.
func (d Dispatch) Request(header string, query url.Values) (r dataset.Request, err error) {
	if r, err = dataset.ParseRequest(cmp.Or(header, "generic"), query); err != nil {
		return r, err
	}
	if header == "" && !query.Has("caps") {
		r.Runtime = dataset.GenericRuntime
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

// actionResult contains the fields of an [ActionResponse] except the dataset.
type actionResult struct {
	Contract dataset.Contract      `json:"contract"`
	ActionID string                `json:"action_id"`
	Type     string                `json:"type"`
	Status   contract.ResultStatus `json:"status"`
	Message  string                `json:"message"`
	Target   action.Target         `json:"target"`
	Facts    svc.List[Fact]        `json:"facts"`
	Error    *svc.ErrorDetail      `json:"error"`
	Refresh  Refresh               `json:"refresh"`
}

// Fact is a result of an action.
type Fact struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Refresh states whether the action changed the dataset and whether the response
// contains the dataset.
type Refresh struct {
	Requested bool `json:"requested"`
	Performed bool `json:"performed"`
}

// execution is the state of one action while World performs it.
type execution struct {
	*World
	tx       *store.Tx
	viewer   svc.Viewer
	namer    action.Namer
	resource string        // the resource in the action_id, "" for the workspace as a whole
	source   action.Source // source of the object, if it is an object of another service
	input    Input
	prepared *preparedObject
	preview  *Preview
	target   action.Target
}

// workspaceActions lists the actions of the workspace by the codes in their ids.
var workspaceActions = map[string]struct {
	message string // message of the response, in English
	run     func(*execution) error
}{
	action.FocusCode:   {"The object is focused.", (*execution).focus},
	action.EarlierCode: {"The object was moved earlier.", (*execution).moveEarlier},
	action.LaterCode:   {"The object was moved later.", (*execution).moveLater},
	action.RemoveCode:  {"The object is no longer carried.", (*execution).remove},
	action.OrderCode:   {"What you carry is reordered.", (*execution).order},
	action.ClearCode:   {"No object is focused.", (*execution).clearFocus},
	action.OpenCode:    {"The place is now carried.", (*execution).openFinding},
	action.SaveCode:    {"The page is now carried.", (*execution).saveFinding},

	action.TranslateCode: {"The page was read.", (*execution).translateFinding},

	action.OpenPlaceCode: {"The place is now carried.", (*execution).openPlace},
}

// errNoAction is the error for an action_id that this server did not issue to the
// member, and for an action on an object that the member can no longer see.
var errNoAction = svc.Errorf(svc.NotFound, "This action does not exist or is no longer available.")

// newExecution returns the execution of the action with an action_id, and its code.
func (w *World) newExecution(tx *store.Tx, v svc.Viewer, in Dispatch) (x *execution, code string, err error) {
	n := action.Namer{Key: tx.InstanceKey()}
	code, resource, ok := n.Parse(in.ActionID, v.Member())
	if !ok || workspaceActions[code].run == nil && code != action.ProviderCode {
		return nil, "", errNoAction
	}
	x = &execution{World: w, tx: tx, viewer: v, namer: n, resource: resource, input: in.input(), prepared: in.prepared, preview: in.Preview, target: action.Workspace}
	if object, ok := action.ObjectIDOfItem(resource); ok {
		x.target = action.Object(object)
	} else if place, ok := action.PlaceOf(resource); ok {
		x.target = action.Object(n.ObjectID(place.Source()))
	} else if code != action.ProviderCode && x.concernsObject() {
		service, rest, _ := strings.Cut(resource, "__")
		kind, id, _ := strings.Cut(rest, "__")
		x.source = action.Source{Kind: action.ServiceSource, Service: service, ResourceType: kind, ResourceID: id}
		x.target = action.Object(n.ObjectID(x.source))
	}
	return x, code, nil
}

// preparedObject is the object of an action that [World.Prepare] has read.
type preparedObject struct {
	revision int64 // revision of the member; request is valid until the revision changes
	request  surface.BringRequest
}

// Prepare reads the object of an action before the write transaction, because the
// read may take long. For translate_finding it sets in.Preview, whose page the caller
// reads; for an action of a provider it sets in.Relay, whose command the caller sends.
// The caller can ignore the error: Perform returns it again.
func (w *World) Prepare(tx *store.Tx, v svc.Viewer, in *Dispatch) error {
	x, code, err := w.newExecution(tx, v, *in)
	switch {
	case err != nil:
		return err
	case code == action.TranslateCode:
		id, err := x.page()
		if err == nil {
			in.Preview = &Preview{SurfaceID: id}
		}
		return err
	case code == action.ProviderCode:
		in.Relay, err = x.relayAction(in)
		return err
	case !x.concernsObject() || code == action.RemoveCode:
		return nil
	}
	revision := tx.Revision(int64(v.Member()))
	request, err := x.bringRequest()
	if err == nil {
		in.prepared = &preparedObject{revision, request}
	}
	return err
}

// Perform performs an action for v. The response has no dataset: see
// [World.AddDataset].
func (w *World) Perform(tx *store.Tx, v svc.Viewer, in Dispatch) (ActionResponse, error) {
	x, code, err := w.newExecution(tx, v, in)
	if err != nil {
		return ActionResponse{}, err
	}
	if code == action.ProviderCode {
		return x.relayedResponse(in)
	}
	if err := x.requireService("surface"); err != nil {
		return ActionResponse{}, err
	}
	a := workspaceActions[code]
	err = a.run(x)
	if kind := svc.KindOf(err); kind == svc.Missing || kind == svc.Forbidden {
		err = errNoAction
	}
	return ActionResponse{actionResult: actionResult{
		Contract: responseContract, ActionID: in.ActionID, Type: action.DispatchedType(code),
		Status: contract.Completed, Message: v.Language().Text(a.message), Target: x.target, Refresh: Refresh{Requested: true, Performed: true},
	}}, err
}

// Refreshable reports whether the encoded response to a write names sections of the
// dataset that have changed.
func Refreshable(response []byte) bool {
	var a struct {
		Refresh *struct{} `json:"refresh"`
	}
	return json.Unmarshal(response, &a) == nil && a.Refresh != nil
}

// WithDataset returns the encoded response to a write with the current dataset as
// its last field. If the dataset cannot be read, WithDataset returns the response
// without it, and the error: the write itself has succeeded.
func (w *World) WithDataset(ctx context.Context, v svc.Viewer, r dataset.Request, response []byte) (dataset.Body, error) {
	current, err := w.Read(ctx, v, r)
	fields, isObject := bytes.CutSuffix(bytes.TrimSpace(response), []byte("}"))
	if err != nil || !isObject {
		return dataset.Chunks{response}, err
	}
	body := dataset.Chunks{fields, []byte(`,"dataset":`)}
	return append(append(body, current.Body.(dataset.Chunks)...), []byte("}\n")), nil
}

// AddDataset returns the response to an action with the current dataset. response is
// the encoded [ActionResponse]. If the dataset cannot be read, AddDataset returns
// the response without it, and the error: the action itself has succeeded.
func (w *World) AddDataset(ctx context.Context, v svc.Viewer, r dataset.Request, response []byte) (dataset.Body, error) {
	unchanged := dataset.Chunks{response}
	var a ActionResponse
	if err := json.Unmarshal(response, &a); err != nil || !a.Refresh.Performed {
		return unchanged, err
	}
	current, err := w.Read(ctx, v, r)
	if err != nil {
		a.Refresh.Performed = false
		text, encodeErr := svc.EncodeJSON(a)
		return dataset.Chunks{text}, errors.Join(err, encodeErr)
	}
	var e dataset.Encoder
	e.Begin()
	e.Fields(a.actionResult)
	e.EncodedField("dataset", current.Body.(dataset.Chunks)...)
	e.End()
	e.Newline()
	return e.Chunks()
}
