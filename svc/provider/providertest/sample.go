package providertest

import (
	"appliance/svc"
	"appliance/svc/provider/contract"
)

// Sample returns a payload of a provider: the objects loan/88 and room/2, which all
// members see; the actions renew-88 (enabled, with controls), return-88 (disabled) and
// transfer-88 (denied) of the loan and reserve-2 (unavailable) of the room; the
// collection loans, the resource cover-88, the relationship kept-88 and the extension
// branch-88.
func Sample(id string) *contract.Source {
	loan := contract.Ref{Provider: id, SourceType: "loan", SourceID: "88"}
	room := contract.Ref{Provider: id, SourceType: "room", SourceID: "2"}
	action := func(name, label string, availability contract.Availability, target contract.Ref, controls ...contract.Control) contract.Action {
		operation := name + "_" + target.SourceType
		return contract.Action{
			ID: name + "-" + target.SourceID, Type: operation, Label: label, TargetSource: target, Availability: availability, Input: controls,
			Operation: &contract.Operation{Provider: id, Operation: operation, Metadata: svc.Map{"copy": "B12"}},
		}
	}
	return &contract.Source{
		Contract: contract.SourceContract,
		Provider: contract.Provider{ID: id, Label: "Provider " + id, Version: "1", GeneratedAt: "2026-11-24T06:00:00Z"},
		Objects: section("objects", contract.Object{
			Source: loan, Type: "loan", Title: "Dune", Summary: "Due on 3 January", Visibility: contract.Visibility{Group: contract.AllMembers},
			Permissions: svc.Dict[bool]{"can_view": true, "can_update": false}, Actions: svc.List[string]{"renew-88", "return-88", "transfer-88"},
			Resources: svc.List[string]{"cover-88"}, Metadata: svc.Map{"due_on": "2027-01-03"},
		}, contract.Object{
			Source: room, Type: "room", Title: "Reading room", Visibility: contract.Visibility{Group: contract.AllMembers},
			Permissions: svc.Dict[bool]{"can_view": true}, Actions: svc.List[string]{"reserve-2"},
		}),
		Relationships: section("relationships", contract.Relationship{ID: "kept-88", Type: "kept_in", Source: loan, Target: room}),
		Actions: section("actions",
			action("renew", "Renew", contract.Enabled, loan,
				contract.Control{ID: "weeks", Type: "selector", Label: "Weeks", Required: true, Default: "2", Options: svc.List[contract.Option]{{Value: "2", Label: "2 weeks"}, {Value: "4", Label: "4 weeks"}}},
				contract.Control{ID: "note", Type: "text", Label: "Note", MaxLength: 200},
			),
			action("return", "Return", contract.Disabled, loan),
			action("transfer", "Transfer", contract.Denied, loan),
			action("reserve", "Reserve", contract.Unavailable, room),
		),
		Collections: section("collections", contract.Collection{
			ID: "loans", Type: "list", Title: "Loans", Ordering: contract.Ordering{By: "due_on", Direction: "asc"},
			Pagination: contract.Pagination{Mode: "none", Total: 1}, Items: svc.List[contract.Ref]{loan},
		}),
		Resources: section("resources", contract.Resource{
			ID: "cover-88", Kind: "thumbnail", MediaType: "image/jpeg", Href: "https://covers.example/88.jpg", Label: "Cover of Dune",
			Cache: contract.Cache{MaxAgeSeconds: 86400},
		}),
		Extensions: section("extensions", contract.Extension{ID: "branch-88", Namespace: "library.example", Name: "branch", Target: &loan, Data: svc.Map{"code": "B12"}}),
	}
}

func section[T any](name string, items ...T) contract.Section[T] {
	return contract.Section[T]{Name: name, Version: 1, Items: items}
}
