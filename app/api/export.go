package api

import (
	"errors"
	"net/http"
	"strconv"

	"appliance/app/httpd"
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
	var in confirmation
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	m, proof, err := s.confirmFor(r, v, in)
	if err != nil {
		return err
	}
	err = s.DB.Write(r.Context(), func(tx *store.Tx) error {
		by, err := s.Identity.ProvenOperator(tx, proof)
		if err != nil {
			return err
		}
		return s.Identity.RecordExport(tx, by, m.ID)
	})
	if err != nil {
		return err
	}
	return s.export(w, r, v, m.ID)
}

// exportError returns the error of an export, which cannot be narrowed.
func exportError(err error) error {
	if errors.Is(err, svc.ErrTooMuchWork) {
		return svc.Errorf(svc.WorkLimitExceeded, "The export is too large for one response. Ask the operator to export it with a command.")
	}
	return err
}

// octetsPerStep is the number of octets of an export that are written in a step. With it, the
// limit of an export is above that of the storage of a member.
const octetsPerStep = 4

// export responds with everything stored about a member, as a file.
func (s *Server) export(w http.ResponseWriter, r *http.Request, v svc.Viewer, member svc.MemberID) error {
	release, err := s.exports.Acquire(r.Context(), v.String())
	if err != nil {
		return err
	}
	defer release()
	spool := &svc.Spool{Dir: s.Settings.Data}
	defer spool.Close()
	err = s.DB.Read(svc.WithTransferWork(r.Context()), func(tx *store.Tx) error {
		return s.Exporter.WriteJSON(tx, member, svc.WorkOf(tx.Context()).Writer(spool, octetsPerStep))
	})
	if err != nil {
		return exportError(err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="appliance-export.json"`)
	h.Set("Content-Length", strconv.FormatInt(spool.Len(), 10))
	httpd.SetPrivate(h)
	_, _ = spool.WriteTo(w) // fails if the client has disconnected
	return nil
}
