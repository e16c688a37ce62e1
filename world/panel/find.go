package panel

import (
	"net/http"

	"appliance/svc"
	"appliance/svc/find"
	"appliance/svc/words"
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
	Query  string              `json:"query"` // of the latest search
	Scope  find.Scope          `json:"scope"`
	Scopes svc.List[FindScope] `json:"scopes"`
	Action PanelAction         `json:"action"` // searches; its body takes query, scope, origin and radius_meters
}

// FindScope is the scope of a query.
type FindScope struct {
	Value     find.Scope `json:"value"`
	Label     string     `json:"label"`
	Available bool       `json:"available"`
}

// FindState is the content of a FindPanel.
type FindState struct {
	Available find.Available
	Providers []find.ProviderState
	History   []find.QueryRecord // the latest first
	Findings  []svc.Finding      // in the overlay
	Unread    string             // why the findings cannot be read, in the language of the member; "" if they can
}

// NewFindPanel returns the panel of a member in the language l.
func NewFindPanel(l words.Language, s FindState) FindPanel {
	p := FindPanel{
		Panel: Panel{
			Kind: "find", View: "find", Title: l.Text("Find"), Summary: findSummary(l, s),
			Nav:      svc.List[NavItem]{{ID: "find", Label: l.Text("Find"), Action: action.FindPanelURL, Selected: true}},
			Sections: svc.List[Section]{recentSection(l, s.History), providerSection(l, s.Providers), resultSection(l, s)},
		},
		Composer: Composer{
			Scope:  find.Nearby,
			Scopes: svc.List[FindScope]{{find.Nearby, l.Text("Nearby"), s.Available.Places()}, {find.Everywhere, l.Text("Everywhere"), s.Available.Any()}},
			Action: PanelAction{ID: "find", Label: l.Text("Find"), Type: "submit_form", Method: http.MethodPost, URL: action.FindQueryURL},
		},
		Findings: s.Findings,
	}
	p.Actions = svc.Dict[string]{"find": action.FindQueryURL}
	p.ActionDescriptors = forms(l, &action.Finds, s.Available)
	if len(s.History) > 0 {
		latest := s.History[0]
		p.Composer.Query, p.Composer.Scope = latest.Query, latest.Scope
		p.Actions["clear_history"] = action.ClearHistoryURL
		p.ActionDescriptors = append(p.ActionDescriptors, forms(l, &action.FindHistories, struct{}{})...)
	}
	return p
}

// findSummary returns the summary of the panel: which kinds of searches are
// available.
func findSummary(l words.Language, s FindState) string {
	switch a := s.Available; {
	case a.Places() && a.Web:
		return l.Text("Search places and web pages.")
	case a.Places():
		return l.Text("Search places.")
	case a.Web:
		return l.Text("Search web pages.")
	case a.Loading:
		return l.Text("The towns of the world are being loaded. Try again in a minute.")
	}
	return l.Text("There is nothing to search yet. The operator imports a region or configures a search server.")
}

// recentSection lists the latest searches, each with the action that repeats it.
func recentSection(l words.Language, history []find.QueryRecord) Section {
	s := Section{ID: "recent", Title: l.Text("Recent")}
	if len(history) == 0 {
		s.Summary = l.Text("No searches yet.")
	}
	for _, q := range history {
		body := svc.Map{"query": q.Query, "scope": q.Scope, "radius_meters": q.RadiusMeters}
		if q.Origin != nil && q.Place == nil {
			body["origin"] = q.Origin
		}
		s.Items = append(s.Items, PanelItem{
			ID: q.QueryID, Title: q.Query, Summary: querySummary(l, q),
			Metadata: svc.Map{"scope": q.Scope, "applied_scope": q.AppliedScope, "status": q.Status, "finding_count": q.FindingCount, "place": q.Place, "created_at": q.CreatedAt},
			Actions:  svc.List[PanelAction]{{ID: "repeat", Label: l.Text("Search again"), Type: "find", Method: http.MethodPost, URL: action.FindQueryURL, Body: body}},
		})
	}
	return s
}

// querySummary returns the area of a search and the number of its findings.
func querySummary(l words.Language, q find.QueryRecord) string {
	where := l.Text("Everywhere")
	switch {
	case q.Place != nil:
		where = l.Textf("Near %s", *q.Place)
	case q.AppliedScope == find.Nearby:
		where = l.Text("Nearby")
	}
	switch q.Status {
	case find.StatusLocationRequired:
		return l.Textf("%s, without a position", where)
	case find.StatusProviderError:
		return l.Textf("%s, failed", where)
	}
	return where + ", " + l.Textf("{0, plural, =0 {no results} one {# result} other {# results}}", q.FindingCount)
}

// providerSection lists the searches with their states.
func providerSection(l words.Language, providers []find.ProviderState) Section {
	s := Section{ID: "providers", Title: l.Text("Providers")}
	for _, p := range providers {
		item := PanelItem{ID: p.ID, Title: p.Label, Summary: p.Summary}
		if p.Failure != nil {
			item.Metadata = svc.Map{"error": p.Failure.Code}
		}
		s.Items = append(s.Items, item)
	}
	return s
}

// resultSection lists the findings in the overlay.
func resultSection(l words.Language, s FindState) Section {
	results := Section{ID: "results", Title: l.Text("Results"), Summary: s.Unread}
	for _, f := range s.Findings {
		results.Items = append(results.Items, PanelItem{
			ID: f.FindingID, Title: f.Title, Summary: f.Summary, Metadata: svc.Map{"object_type": f.ObjectType, "source_url": f.SourceURL},
		})
	}
	switch {
	case len(s.Findings) > 0:
		results.Summary = l.Textf("{0, plural, =0 {No results} one {# result} other {# results}}", len(s.Findings))
	case s.Unread == "":
		results.Summary = l.Text("No results yet.")
	}
	return results
}
