package api

import (
	"net/http"
	"strings"

	"appliance/app/httpd"
	"appliance/assets"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
	"appliance/world/panel"
	"appliance/world/record"
)

// settingsOperations declares the panel of settings and the options of controls that
// belong to no service.
func (s *Server) settingsOperations() []declaration {
	return []declaration{
		operation[panel.SettingsQuery, panel.SettingsPanel]{
			Request: "GET " + action.SettingsPanelURL, Traits: httpd.Traits{Enrollment: true},
			Summary: "Read a view of the settings", Params: panelParameters, ETag: true, Errors: notFoundErrors,
			Serve: s.getSettingsPanel,
		},
		operation[searchQuery, record.Options]{
			Request: "GET /world/options/timezones",
			Summary: "List the time zones for a control",
			Handle:  s.listTimezoneOptions,
		},
		operation[searchQuery, record.Options]{
			Request: "GET /world/options/members",
			Summary: "List the other members for a control",
			Do:      s.listMemberOptions,
		},
	}
}

// getSettingsPanel responds with the panel of settings in the view of the query. A
// member who must add a second factor sees only the view of second factors.
func (s *Server) getSettingsPanel(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in panel.SettingsQuery
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	caller, err := s.Accounts.Authenticate(r)
	if err != nil {
		return err
	}
	if caller.MustEnroll && in.View != "" && in.View != panel.FactorView {
		return s.ErrMustEnroll()
	}
	panels := panel.SettingsPanels{
		Identity: s.Identity, Calendar: s.Calendar, Social: s.Social, Limiter: s.Storage,
		IsOff: func(service string) bool { return s.Hosted[service].IsOff() },
	}
	return s.respondWithHashedPanel(w, r, func(tx *store.Tx) (any, error) {
		p, err := panels.Render(tx, caller, in)
		p.SelectSections(panel.ParseSections(r.URL.Query()))
		return p, err
	})
}

// listTimezoneOptions lists the time zones that contain a text.
func (s *Server) listTimezoneOptions(_ http.ResponseWriter, _ *http.Request, _ svc.Viewer, in searchQuery) (record.Options, error) {
	part := strings.ReplaceAll(strings.ToLower(in.Q), " ", "_")
	names := assets.Timezones()
	o := record.Options{Page: svc.Page{Limit: len(names)}} // all are on one page
	for _, name := range names {
		if !strings.Contains(strings.ToLower(name), part) {
			continue
		}
		o.Options = append(o.Options, action.Option{Value: name, Label: strings.ReplaceAll(name, "_", " "), Name: true})
	}
	return o, nil
}

// listMemberOptions lists the other members, except for those hidden by blocks.
func (s *Server) listMemberOptions(tx *store.Tx, v svc.Viewer, in searchQuery) (record.Options, error) {
	hidden, err := s.Social.Hidden(tx, v.Member())
	if err != nil {
		return record.Options{}, err
	}
	list, err := s.Identity.Directory(tx, v, identity.DirectoryQuery{Q: in.Q, Hidden: append(hidden, v.Member()), Limit: in.Limit, Cursor: in.Cursor})
	return record.MemberOptions(list.Members, list.Page), err
}

// searchQuery selects a page of records with the text Q.
type searchQuery struct {
	Q string `json:"-" query:"q"`
	svc.PageQuery
}
