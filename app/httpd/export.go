package httpd

import (
	"net/http"
	"strconv"

	"appliance/store"
	"appliance/svc"
)

// getExport responds with everything stored about the member.
func (s *Server) getExport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	release, err := s.exports.Acquire(r.Context(), v.String())
	if err != nil {
		return err
	}
	defer release()
	spool := &svc.Spool{Dir: s.settings.Data}
	defer spool.Close()
	err = s.db.Read(r.Context(), func(tx *store.Tx) error { return s.exporter.WriteJSON(tx, v.Member(), spool) })
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="appliance-export.json"`)
	h.Set("Content-Length", strconv.FormatInt(spool.Len(), 10))
	setPrivate(h)
	_, _ = spool.WriteTo(w) // fails if the client has disconnected
	return nil
}
