package api

import (
	"net/http"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/world/action"
	"appliance/world/panel"
)

// socialPanelOperations declares the operations that read the panel of Social.
func (s *Server) socialPanelOperations() []declaration {
	return []declaration{
		operation[panel.SocialQuery, panel.Panel]{
			Request: "GET " + action.SocialPanelURL, ServicePath: "/runtime/panel/social", Service: "social",
			Summary: "Read a view of the panel of Social", Params: panelParameters, ETag: true, Errors: notFoundErrors,
			Serve: s.getSocialPanel,
		},
		operation[panel.SocialQuery, panel.Panel]{
			Request: "GET /runtime/panel/social-dms", Access: httpd.OnBehalf, Service: "social",
			Summary: "Read the direct messages in the panel of Social", Params: panelParameters, ETag: true, Errors: notFoundErrors,
			Serve: s.getDMPanel,
		},
	}
}

// getSocialPanel responds with the panel of Social in the view of the query.
func (s *Server) getSocialPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.socialPanel(w, r, v, "")
}

// getDMPanel responds with the DM view of the panel.
func (s *Server) getDMPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.socialPanel(w, r, v, "dms")
}

func (s *Server) socialPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer, view string) error {
	var in panel.SocialQuery
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	if view != "" {
		in.View = view
	}
	in.Sections = panel.ParseSections(r.URL.Query())
	return s.respondWithPanel(w, r, v, "social/"+view, func(tx *store.Tx) (panelResult, error) {
		p, err := panel.SocialPanels{Social: s.Social, Members: s.Identity}.Render(tx, v, in)
		if err != nil {
			return panelResult{}, err
		}
		expires, err := s.Social.Expires(tx, v, in.ID)
		return panelResult{p, expires}, err
	})
}

// todayOperations declares the panel of today.
func (s *Server) todayOperations() []declaration {
	return []declaration{
		operation[todayQuery, panel.TodayPanel]{
			Request: "GET " + action.TodayPanelURL,
			Summary: "Read the panel of today", Params: panelParameters, ETag: true,
			Serve: s.getTodayPanel,
		},
	}
}

// todayQuery selects the time zone of the panel of today.
type todayQuery struct {
	Timezone string `json:"-" query:"timezone"` // "" for that of the member
}

// getTodayPanel responds with the panel of today, in the time zone of the member or
// of the query.
func (s *Server) getTodayPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in todayQuery
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	return s.respondWithHashedPanel(w, r, func(tx *store.Tx) (any, error) {
		zone, err := s.zone(tx, v, in.Timezone)
		if err != nil {
			return nil, err
		}
		panels := panel.TodayPanels{
			SocialPanels: panel.SocialPanels{Social: s.Social, Members: s.Identity}, Time: s.TimeIndex, Messages: s.Messages,
			Hosted: func(service string) svc.HostedService { return s.Hosted[service] },
		}
		return panels.Render(tx, v, zone, panel.ParseSections(r.URL.Query()))
	})
}
