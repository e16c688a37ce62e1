package httpd

import (
	"net/http"
	"strconv"

	"appliance/store"
	"appliance/svc"
)

// getExport responds with everything stored about the member.
func (s *Server) getExport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.export(w, r, v, v.Member())
}

// exportManaged responds with everything stored about a member, to an operator who
// confirms the request. The audit log has an entry of it.
func (s *Server) exportManaged(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	m, proof, err := s.confirmFor(r, v)
	if err != nil {
		return err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) error {
		by, err := s.identity.ProvenOperator(tx, proof)
		if err != nil {
			return err
		}
		return s.identity.RecordExport(tx, by, m.ID)
	})
	if err != nil {
		return err
	}
	return s.export(w, r, v, m.ID)
}

// export responds with everything stored about a member, as a file.
func (s *Server) export(w http.ResponseWriter, r *http.Request, v svc.Viewer, member svc.MemberID) error {
	release, err := s.exports.Acquire(r.Context(), v.String())
	if err != nil {
		return err
	}
	defer release()
	spool := &svc.Spool{Dir: s.settings.Data}
	defer spool.Close()
	err = s.db.Read(r.Context(), func(tx *store.Tx) error { return s.exporter.WriteJSON(tx, member, spool) })
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
