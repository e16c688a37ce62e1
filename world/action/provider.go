package action

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/contract"
)

// Feeds declares the action that adds a feed for the member alone.
var Feeds = Table[struct{}]{
	Kind: "feed",
	Entries: []Entry[struct{}]{{
		Name: "add", Type: "add_feed", Label: "Add a feed", Request: "POST /world/feeds",
		Controls: func(struct{}) svc.List[Control] {
			return svc.List[Control]{requiredControl("url", "Address of the feed", maxAddress, "")}
		},
	}},
}

// maxAddress limits the address of a feed, in characters.
const maxAddress = 2048

// ProviderCode is the code of the actions of providers.
const ProviderCode = "provider"

// ProviderAction returns an action of a provider on an object. fallback is "" if the
// action can be performed; otherwise it is the fallback_id of the reason.
func (b Builder) ProviderAction(a provider.Action, target Target, fallback string) Action {
	rendered := b.action(ProviderCode, a.Key, target, Offer{
		Type: a.Type, Label: a.Label, Method: http.MethodPost, Controls: func() svc.List[Control] { return controlsOf(a.Input) },
	})
	if fallback != "" {
		rendered.Availability, rendered.Fallback = a.Availability, &fallback
		if a.Availability == contract.Enabled { // the provider accepts no operations
			rendered.Availability = contract.Unavailable
		}
	}
	return rendered
}

// controlsOf returns the controls of the input of an action.
func controlsOf(input contract.Input) (controls svc.List[Control]) {
	for _, c := range input {
		control := Control{ID: c.ID, Type: ControlType(c.Type), Label: c.Label, Required: c.Required, Default: c.Default, MaxLength: c.MaxLength}
		for _, o := range c.Options {
			control.Options = append(control.Options, Option{Value: o.Value, Label: o.Label, Name: true})
		}
		controls = append(controls, control)
	}
	return controls
}
