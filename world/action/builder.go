package action

import (
	"strings"

	"appliance/svc"
)

// Builder makes the actions of one member's dataset.
type Builder struct {
	Namer
	Member    svc.MemberID
	Forms     bool // the runtime declared actions.form
	Workspace bool // the workspace is available
}

// MissingForms is the fallback of actions that need a form, for a runtime that
// did not declare actions.form.
const MissingForms = "fb_capability_actions.form_unsupported"

// encodings are the formats in which a command's body may be sent.
var encodings = svc.List[string]{"application/json", "application/x-www-form-urlencoded"}

// action completes an action on a resource, "" for none.
func (b Builder) action(code, resource string, a Action) Action {
	a.ActionID = b.Action(code, resource, b.Member)
	a.Method = a.Command.Method
	a.Command.Encodings = encodings
	a.Availability = "enabled"
	if len(a.Controls) > 0 && !b.Forms {
		a.Availability = "unavailable"
		a.Fallback = new(MissingForms)
	}
	return a
}

// FieldChoice is the action that selects an item of a field control.
func (b Builder) FieldChoice(name, kind, label, url string) Action {
	return b.action("field_"+name, "", Action{
		Type: kind, Label: label, Target: Target{Kind: "field"}, Command: Command{URL: url, Method: "GET"},
	})
}

// list collects the actions on one target.
type list struct {
	Builder
	target   Target
	resource string // name of the target in action_ids
	actions  []Action
}

// add adds an action of Social. It does nothing if url is "": the viewer is not
// allowed to perform the action.
func (l *list) add(kind, label, method, url string, body svc.Map, controls ...Control) {
	if url == "" {
		return
	}
	kind = "social." + kind
	l.actions = append(l.actions, l.action(strings.ReplaceAll(kind, ".", "_"), l.resource, Action{
		Type: kind, Label: label, Target: l.target, Command: Command{URL: url, Method: method, Body: body}, Controls: controls,
	}))
}

// on sets the resource of the actions that are added next.
func (l *list) on(resource string) *list {
	l.resource = resource
	return l
}
