package httpd

import (
	"net/http"
	"strconv"

	"appliance/store"
	"appliance/svc"
)

// getExport responds with everything stored about the member.
func (s *Server) getExport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	text := &svc.Spool{Dir: s.settings.Data}
	defer text.Close()
	err := s.db.Read(r.Context(), func(tx *store.Tx) error { return s.exporter.WriteJSON(tx, v.Member(), text) })
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="appliance-export.json"`)
	h.Set("Content-Length", strconv.FormatInt(text.Len(), 10))
	setPrivate(h)
	_, _ = text.WriteTo(w) // fails if the client has disconnected
	return nil
}
