package httpd

import (
	"errors"
	"net/http"
	"strconv"

	"appliance/app/backups"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/provider"
)

// startBackup begins a backup and responds before it is complete: the panel of operators
// shows its progress.
func (s *Server) startBackup(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	attempt, err := s.backups.Start(r.Context())
	if errors.Is(err, backups.ErrRunning) {
		err = svc.Errorf(svc.ActionUnavailable, "A backup is being made. Wait until it is complete.")
	}
	if err != nil {
		return err
	}
	s.log.Info("an operator requested a backup", "member", v.String(), "file", attempt.Name)
	return writeJSON(w, http.StatusAccepted, map[string]any{"backup_job": backupJob(v.Language(), attempt)})
}

// removeRegion removes a region of the map. A job deletes its rows.
func (s *Server) removeRegion(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return errNoRegion()
	}
	var region maps.Region
	err = s.db.Read(r.Context(), func(tx *store.Tx) error {
		regions, err := s.maps.Regions(tx)
		for _, candidate := range regions {
			if candidate.ID == id {
				region = candidate
			}
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case region.ID == 0:
		return errNoRegion()
	case region.Format == maps.Gazetteer:
		return svc.Errorf(svc.ActionUnavailable, "This region is part of the program and cannot be removed.")
	}
	if err := s.maps.Clear(r.Context(), s.db, region.Name); err != nil {
		return err
	}
	s.sweepMaps()
	s.log.Info("an operator removed a region of the map", "member", v.String(), "region", region.Name)
	return writeJSON(w, http.StatusOK, map[string]any{"removed": region.Name})
}

func errNoRegion() error {
	return svc.Errorf(svc.NotFound, "There is no such region. It may have been removed or imported again.")
}

// managedProvider returns the provider in the path of a request. Providers of single
// members are private and reported as not found.
func (s *Server) managedProvider(r *http.Request) (p provider.Provider, err error) {
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		p, err = s.providers.Provider(tx, r.PathValue("id"))
		return err
	})
	if err == nil && p.Owner != 0 {
		err = svc.Errorf(svc.NotFound, "There is no provider %s.", svc.Excerpt(r.PathValue("id")))
	}
	return p, err
}

// syncedProvider is the response to the acquisition of the objects of a provider.
type syncedProvider struct {
	acquisition
	Refresh refreshHint `json:"refresh"`
}

// syncProvider acquires the objects of a provider now.
func (s *Server) syncProvider(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	p, err := s.managedProvider(r)
	if err != nil {
		return err
	}
	if err := s.rates.Take(limits.ProviderActions, v.String()); err != nil {
		return err
	}
	if err := s.db.Write(r.Context(), func(tx *store.Tx) error { return s.feeds.Refresh(tx, p.ID) }); err != nil {
		return err
	}
	counts, err := s.providers.Acquire(r.Context(), p.ID, nil)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, syncedProvider{acquisition{"ingested", p.ID, counts}, providerRefresh})
}

// removeProvider removes a provider with its objects. A job deletes its rows.
func (s *Server) removeProvider(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	p, err := s.managedProvider(r)
	if err != nil {
		return err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) error {
		return errors.Join(s.providers.Remove(tx, p.ID), s.feeds.Remove(tx, p.ID))
	})
	if err != nil {
		return err
	}
	s.log.Info("an operator removed a provider", "member", v.String(), "provider", p.ID)
	return writeJSON(w, http.StatusOK, map[string]any{"removed": p.ID, "refresh": providerRefresh})
}
