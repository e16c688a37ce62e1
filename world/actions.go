package world

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
)

// actionsURL is below where the actions are that have no address of their own.
const actionsURL = "/world/actions/"

// Dispatch asks for what an action_id stands for. What a member gives is in
// input (B-29) or, as with every other command, beside it.
type Dispatch struct {
	ActionID string `json:"-" path:"action_id"`
	Given    Input  `json:"input"`
	Context  struct {
		Location *Whereabouts `json:"location"` // of the runtime, for the dataset that it gets
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

// Question returns what the runtime asks with the action: for the dataset as
// it is then. header is its X-Service-Runtime, "" if it does not say.
func (d Dispatch) Question(header string) (q Question, err error) {
	q = Question{Runtime: Runtime{Generic: true}, Surroundings: Surroundings{Radius: DefaultRadius, Categories: allCategories}}
	if header != "" {
		if q.Runtime, err = ParseRuntime(header); err != nil {
			return q, err
		}
	}
	if d.Context.Location != nil {
		q.Surroundings.Origin, err = d.Context.Location.check("context.location")
	}
	return q, err
}

// ActionResponse is the answer to an action. Schema:
// service.world.action_response.
type ActionResponse struct {
	Contract Contract         `json:"contract"`
	ActionID string           `json:"action_id"`
	Type     string           `json:"type"`
	Status   string           `json:"status"` // "completed", "accepted", "rejected" or "failed"
	Message  string           `json:"message"`
	Target   Target           `json:"target"`
	Facts    svc.List[Fact]   `json:"facts"`
	Error    *svc.ErrorDetail `json:"error"`
	Refresh  Refresh          `json:"refresh"`
	Dataset  *Dataset         `json:"dataset"` // null if it is not refreshed
}

// Fact is something that an action has made so.
type Fact struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Refresh says whether the dataset is another one now, and comes along.
type Refresh struct {
	Requested bool `json:"requested"`
	Performed bool `json:"performed"`
}

// act is one action that is being done.
type act struct {
	*World
	tx       *store.Tx
	viewer   svc.Viewer
	names    names
	resource string // what it is about, as action_ids have it
	source   Source // the same, if another service has it
	input    Input
	looked   *looked
	target   Target
}

// worldActions are the actions that are done here, by the codes in their ids.
var worldActions = map[string]struct {
	kind string // type of the action
	done string // what the member is told
	do   func(*act) error
}{
	"focus":   {"focus_object", "This has your attention now.", (*act).focus},
	"earlier": {"move_earlier", "This comes earlier now.", (*act).earlier},
	"later":   {"move_later", "This comes later now.", (*act).later},
	"remove":  {"remove_from_workspace", "This is no longer in the workspace.", (*act).remove},
	"order":   {"order_workspace", "The workspace is in this order now.", (*act).order},
	"clear":   {"clear_focus", "Nothing has your attention now.", (*act).clear},
	"open":    {"open_finding", "The place is in the workspace now.", (*act).open},
	"save":    {"save_object", "This is in the workspace now.", (*act).save},
}

// dispatched returns the action of a code, on a source or on none.
func (c *composer) dispatched(code string, s Source, label string, target Target, body svc.Map, controls ...Control) Action {
	id := c.names.action(code, c.names.resource(s), c.viewer.Member())
	return c.available(Action{
		ActionID: id, Type: worldActions[code].kind, Label: label, Target: target, Controls: controls,
		Command: Command{URL: actionsURL + id, Method: "POST", Body: body},
	})
}

// errNoAction is the answer to an action_id that was never made for this
// member, and to one whose target they do not see any more.
var errNoAction = svc.Errorf(svc.NotFound, "There is no such action.")

// act reads what an action is from its id.
func (w *World) act(tx *store.Tx, v svc.Viewer, in Dispatch) (a *act, code string, err error) {
	n := names{tx.InstanceKey()}
	code, resource, ok := n.parse(in.ActionID, v.Member())
	if !ok || worldActions[code].do == nil {
		return nil, "", errNoAction
	}
	a = &act{World: w, tx: tx, viewer: v, names: n, resource: resource, input: in.given(), looked: in.looked, target: Target{Kind: "workspace"}}
	if a.isObject() {
		service, rest, _ := strings.Cut(resource, "__")
		kind, id, _ := strings.Cut(rest, "__")
		a.source = Source{"service", service, kind, id}
		a.target = Target{Kind: "object", WorldObjectID: n.object(a.source)}
	}
	return a, code, nil
}

// looked is what an action was found to be about.
type looked struct {
	at    int64 // revision: while that is the member's, nothing that they see has changed
	thing surface.BringRequest
}

// Look reads what an action is about before it is done: that may take a while,
// during which others can write. An error is none of the action yet.
func (w *World) Look(tx *store.Tx, v svc.Viewer, in *Dispatch) error {
	a, code, err := w.act(tx, v, *in)
	if err != nil || !a.isObject() || code == "remove" {
		return err
	}
	at := tx.Revision(int64(v.Member()))
	thing, err := a.look()
	if err == nil {
		in.looked = &looked{at, thing}
	}
	return err
}

// Act does what an action_id stands for, if it was made for v and v still may.
// The answer has no dataset yet: see [World.Refreshed].
func (w *World) Act(tx *store.Tx, v svc.Viewer, in Dispatch) (ActionResponse, error) {
	a, code, err := w.act(tx, v, in)
	if err != nil {
		return ActionResponse{}, err
	}
	d := worldActions[code]
	err = d.do(a)
	if kind := svc.KindOf(err); kind == svc.Missing || kind == svc.Forbidden {
		err = errNoAction
	}
	return ActionResponse{
		Contract: Contract{"service.world.action_response", 1}, ActionID: in.ActionID, Type: d.kind, Status: "completed", Message: d.done,
		Target: a.target, Refresh: Refresh{Requested: true},
	}, err
}

// What an answer to an action ends with, without a dataset and before one.
var (
	unrefreshed = []byte(`"refresh":{"requested":true,"performed":false},"dataset":null}` + "\n")
	refreshed   = []byte(`"refresh":{"requested":true,"performed":true},"dataset":`)
)

// Refreshed returns the answer to an action with the dataset as it is then. If
// that cannot be read, the action is done all the same, and the answer says so.
func (w *World) Refreshed(ctx context.Context, v svc.Viewer, q Question, answer []byte) (Body, error) {
	head, ok := bytes.CutSuffix(answer, unrefreshed)
	if !ok {
		return pieces{answer}, nil
	}
	dataset, err := w.See(ctx, v, q)
	if err != nil {
		return pieces{answer}, err
	}
	all := append(pieces{head, refreshed}, dataset.Body.(pieces)...)
	return append(all, []byte("}\n")), nil
}
