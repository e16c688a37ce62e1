package action

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/provider/contract"
	"appliance/svc/words"
)

// Builder builds the actions of one member's dataset.
type Builder struct {
	Namer
	Member    svc.MemberID
	Language  words.Language
	Forms     bool // whether the runtime declared actions.form
	Workspace bool // whether the workspace is available
}

// FormUnsupportedFallback is the fallback_id of actions that need a form, for a runtime that
// did not declare actions.form.
const FormUnsupportedFallback = "fb_capability_actions.form_unsupported"

// encodings are the formats in which a command's body may be sent, unless it is a file.
var encodings = svc.List[string]{"application/json", "application/x-www-form-urlencoded"}

// action returns an offer as an action of the dataset. resource is "" for an action
// on no object.
func (b Builder) action(code, resource string, target Target, o Offer) Action {
	a := Action{
		ActionID: b.RoutedActionID(code, resource, b.Member), Type: o.Type, Label: o.Label, Confirm: o.Confirm, Destructive: o.Destructive,
		Target: target, Method: o.Method,
		Command:  Command{URL: o.URL, Method: o.Method, Encodings: encodings, Body: o.Body},
		Controls: o.Controls(), Availability: contract.Enabled,
	}
	if len(a.Controls) > 0 && a.Controls[0].Type == FileInput {
		a.Command.Encodings = a.Controls[0].Accept
	}
	if o.URL == "" {
		a.ActionID = b.ActionID(code, resource, b.Member)
		a.Method = http.MethodPost
		a.Command.URL, a.Command.Method = ActionsURL+a.ActionID, a.Method
	}
	if len(a.Controls) > 0 && !b.Forms {
		a.Availability = contract.Unavailable
		a.Fallback = new(FormUnsupportedFallback)
	}
	return a
}
