package record

import (
	"appliance/svc"
	"appliance/world/action"
)

// Options is a page of the options of a control. Schema: service.world.options.
type Options struct {
	Options svc.List[action.Option] `json:"options"`
	Page    svc.Page                `json:"page"`
}

// MemberOptions returns members as options. The value is the id of the member.
func MemberOptions(people []svc.Person, page svc.Page) Options {
	o := Options{Page: page}
	for _, p := range people {
		o.Options = append(o.Options, action.Option{Value: p.ID.String(), Label: p.DisplayName + " (@" + p.Username + ")", Name: true})
	}
	return o
}
