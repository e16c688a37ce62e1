package app

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
)

// export is all that is kept about a member.
type export struct {
	Identity    identity.Export     `json:"identity"`
	Calendars   []calendar.Exported `json:"calendars"`
	Preferences calendar.Boundaries `json:"time_preferences"`
}

// export collects it. The caller has made sure that it may be seen.
func (s *server) export(tx *store.Tx, id svc.MemberID) (e export, err error) {
	if e.Identity, err = s.identity.Export(tx, id); err != nil {
		return e, err
	}
	if e.Calendars, err = s.calendar.Export(tx, id); err != nil {
		return e, err
	}
	e.Preferences, err = s.calendar.Boundaries(tx, id)
	return e, err
}

// getExport gives members everything that is kept about them.
func (s *server) getExport(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	w.Header().Set("Content-Disposition", `attachment; filename="appliance-export.json"`)
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.export(tx, v.Member()) })
}
