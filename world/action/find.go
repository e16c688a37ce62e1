package action

import (
	"appliance/svc"
	"appliance/svc/find"
	"appliance/svc/maps"
)

// Finds declares the action that searches.
var Finds = Table[find.Available]{
	Kind: "find",
	Entries: []Entry[find.Available]{{
		Name: "find", Type: "find", Label: "Find", Request: "POST /world/find/query",
		Useful: find.Available.Any,
		Controls: func(find.Available) svc.List[Control] {
			return svc.List[Control]{
				requiredControl("query", "Search for", maps.MaxQuery, ""),
				selectorControl("scope", "Where", find.Everywhere, Options(find.Scope("").Values()...)),
			}
		},
	}},
}

// FindHistories declares the action that deletes the searches of a member.
var FindHistories = Table[struct{}]{
	Kind: "find",
	Entries: []Entry[struct{}]{{
		Name: "clear_history", Type: "clear_history", Label: "Delete all searches", Request: "POST /world/find/history/clear",
		Confirm: irreversibleWarning, Destructive: true,
	}},
}
