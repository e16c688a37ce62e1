package httpd

import (
	"net/http"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world/action"
	"appliance/world/panel"
	"appliance/world/record"
)

// getSettingsPanel responds with the panel of settings in the view of the query. A
// member who must add a second factor sees only the view of second factors.
func (s *Server) getSettingsPanel(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in panel.SettingsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	caller, err := s.authenticate(r)
	if err != nil {
		return err
	}
	if caller.MustEnroll && in.View != "" && in.View != panel.FactorView {
		return s.errMustEnroll()
	}
	panels := panel.SettingsPanels{
		Identity: s.identity, Calendar: s.calendar, Social: s.social, Limiter: s.storage,
		IsOff: func(service string) bool { return s.hosted[service].IsOff() },
	}
	return s.respondWithHashedPanel(w, r, func(tx *store.Tx) (any, error) {
		p, err := panels.Render(tx, caller, in)
		p.SelectSections(panel.ParseSections(r.URL.Query()))
		return p, err
	})
}

// optionsQuery selects options that contain a text.
type optionsQuery struct {
	Q      string `json:"-" query:"q"`
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// getTimezoneOptions lists the time zones that contain a text, for controls.
func (s *Server) getTimezoneOptions(w http.ResponseWriter, r *http.Request, _ svc.Viewer) error {
	var in optionsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	part := strings.ReplaceAll(strings.ToLower(in.Q), " ", "_")
	names := timezones()
	o := record.Options{Page: svc.Page{Limit: len(names)}} // all are on one page
	for _, name := range names {
		if !strings.Contains(strings.ToLower(name), part) {
			continue
		}
		o.Options = append(o.Options, action.Option{Value: name, Label: strings.ReplaceAll(name, "_", " "), Name: true})
	}
	return writeJSON(w, http.StatusOK, o)
}

// getMemberOptions lists the other members for controls, except for those hidden by
// blocks.
func (s *Server) getMemberOptions(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in optionsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		hidden, err := s.social.Hidden(tx, v.Member())
		if err != nil {
			return nil, err
		}
		list, err := s.identity.Directory(tx, v, identity.DirectoryQuery{Q: in.Q, Hidden: append(hidden, v.Member()), Limit: in.Limit, Cursor: in.Cursor})
		return record.MemberOptions(list.Members, linked(r, list.Page)), err
	})
}

// deleteOtherSessions ends all sessions of the member except that of the request.
func (s *Server) deleteOtherSessions(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	caller, err := s.authenticate(r)
	if err != nil {
		return err
	}
	return s.write(w, r, http.StatusOK, func(tx *store.Tx) (any, error) {
		return map[string]bool{"deleted": true}, s.identity.RevokeTokens(tx, v, caller.TokenID)
	})
}
