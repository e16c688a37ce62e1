package panel

import (
	"appliance/svc"
	"appliance/world/action"
)

// FindPanel is the panel of Find: the query and the latest findings. Schema:
// service.find.panel.
type FindPanel struct {
	Panel
	Composer Composer              `json:"composer"`
	Findings svc.List[svc.Finding] `json:"findings"`
}

// Composer is the input for a query.
type Composer struct {
	Query  string              `json:"query"`
	Scope  string              `json:"scope"` // one of the scopes
	Scopes svc.List[FindScope] `json:"scopes"`
}

// FindScope is a scope that a query can have.
type FindScope struct {
	Value     string `json:"value"` // "nearby" or "everywhere"
	Label     string `json:"label"`
	Available bool   `json:"available"`
}

// NewFindPanel returns the panel of a server that cannot search, with the
// findings that other services have put into the member's overlay. unread is the
// reason why these cannot be read, "" if they can.
func NewFindPanel(found []svc.Finding, unread string) FindPanel {
	results := Section{Title: "Results", Summary: unread}
	for _, f := range found {
		results.Items = append(results.Items, PanelItem{
			ID: f.FindingID, Title: f.Title, Summary: f.Summary, Metadata: svc.Map{"object_type": f.ObjectType, "source_url": f.SourceURL},
		})
	}
	switch {
	case len(found) > 0:
		results.Summary = upper(counted(len(found), "result", "results"))
	case unread == "":
		results.Summary = "No results yet."
	}
	return FindPanel{
		Panel: Panel{
			Kind: "find", View: "find", Title: "Find", Summary: "Search is not available on this server.",
			Nav: svc.List[NavItem]{{"find", "Find", action.FindPanelURL, true}},
			Sections: svc.List[Section]{
				{Title: "Recent", Summary: "No searches yet."},
				{Title: "Providers", Summary: "No search providers."},
				results,
			},
		},
		Composer: Composer{Scope: "nearby", Scopes: svc.List[FindScope]{{"nearby", "Nearby", false}, {"everywhere", "Everywhere", false}}},
		Findings: found,
	}
}
