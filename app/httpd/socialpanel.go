package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/world/panel"
)

// getSocialPanel answers with what the member looks at.
func (s *Server) getSocialPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.socialPanel(w, r, v, "")
}

// getDMPanel answers with DMs, whatever view is asked for.
func (s *Server) getDMPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.socialPanel(w, r, v, "dms")
}

func (s *Server) socialPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer, view string) error {
	var in panel.SocialQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	if view != "" {
		in.View = view
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		return panel.SocialPanels{Social: s.social, Members: s.identity}.See(tx, v, in)
	})
}
