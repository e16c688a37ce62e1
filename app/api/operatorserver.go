package api

import (
	"errors"
	"net/http"
	"strconv"

	"appliance/app/backups"
	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/provider"
	"appliance/world/action"
	"appliance/world/panel"
)

// serverOperations declares the panel of operators, and their operations on backups,
// regions and providers.
func (s *Server) serverOperations() []declaration {
	return []declaration{
		operation[panel.OperatorQuery, panel.OperatorPanel]{
			Action: action.Operators.Endpoint("open_members"), Access: httpd.Operator,
			Summary: "Read a view of the administration", Params: panelParameters, ETag: true, Errors: notFoundErrors,
			Serve: s.getOperatorPanel,
		},
		operation[struct{}, backupResponse]{
			Action: action.Operators.Endpoint("back_up"), Access: httpd.Operator,
			Summary: "Start a backup", Status: http.StatusAccepted, Errors: conflictErrors,
			Handle: s.startBackup,
		},
		operation[idRequest, removedRegion]{
			Action: action.MapRegions.Endpoint("remove"), Access: httpd.Operator, Service: "maps",
			Summary: "Remove a region of the map", Errors: conflictErrors,
			Handle: s.removeRegion,
		},
		operation[idRequest, syncedProvider]{
			Action: action.ManagedProviders.Endpoint("sync"), Access: httpd.Operator, Service: "find",
			Summary: "Acquire the objects of a provider", Errors: []int{http.StatusConflict, http.StatusFailedDependency},
			Handle: s.syncProvider,
		},
		operation[idRequest, removedProvider]{
			Action: action.ManagedProviders.Endpoint("remove"), Access: httpd.Operator, Service: "find",
			Summary: "Remove a provider with its objects",
			Handle:  s.removeProvider,
		},
	}
}

type backupResponse = struct {
	BackupJob *panel.BackupJob `json:"backup_job"`
}

// startBackup begins a backup and responds before it is complete: the panel of operators
// shows its progress.
func (s *Server) startBackup(_ http.ResponseWriter, r *http.Request, v svc.Viewer, _ struct{}) (out backupResponse, err error) {
	attempt, err := s.Backups.Start(r.Context())
	if errors.Is(err, backups.ErrRunning) {
		err = svc.Errorf(svc.ActionUnavailable, "A backup is being made. Wait until it is complete.")
	}
	if err != nil {
		return out, err
	}
	s.Log.Info("an operator requested a backup", "member", v.String(), "file", attempt.Name)
	return backupResponse{backupJob(v.Language(), attempt)}, nil
}

type removedRegion = struct {
	Removed string `json:"removed"` // name of the region
}

// removeRegion removes a region of the map. A job deletes its rows.
func (s *Server) removeRegion(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (out removedRegion, err error) {
	id, err := strconv.ParseInt(in.ID, 10, 64)
	if err != nil {
		return out, errNoRegion()
	}
	var region maps.Region
	err = s.DB.Read(r.Context(), func(tx *store.Tx) error {
		regions, err := s.Maps.Regions(tx)
		for _, candidate := range regions {
			if candidate.ID == id {
				region = candidate
			}
		}
		return err
	})
	switch {
	case err != nil:
		return out, err
	case region.ID == 0:
		return out, errNoRegion()
	case region.Format == maps.Gazetteer:
		return out, svc.Errorf(svc.ActionUnavailable, "This region is part of the program and cannot be removed.")
	}
	if err := s.Maps.Clear(r.Context(), s.DB, region.Name); err != nil {
		return out, err
	}
	s.SweepMaps()
	s.Log.Info("an operator removed a region of the map", "member", v.String(), "region", region.Name)
	return removedRegion{region.Name}, nil
}

func errNoRegion() error {
	return svc.Errorf(svc.NotFound, "There is no such region. It may have been removed or imported again.")
}

// managedProvider returns a provider. Providers of single members are private and reported
// as not found.
func (s *Server) managedProvider(r *http.Request, id string) (p provider.Provider, err error) {
	err = s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		p, err = s.Providers.Provider(tx, id)
		return err
	})
	if err == nil && p.Owner != 0 {
		err = svc.Errorf(svc.NotFound, "There is no provider %s.", svc.Excerpt(id))
	}
	return p, err
}

// syncedProvider is the response to the acquisition of the objects of a provider.
type syncedProvider struct {
	acquisition
	Refresh refreshHint `json:"refresh"`
}

// syncProvider acquires the objects of a provider now.
func (s *Server) syncProvider(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (out syncedProvider, err error) {
	p, err := s.managedProvider(r, in.ID)
	if err != nil {
		return out, err
	}
	if err := s.Rates.Take(limits.ProviderActions, v.String()); err != nil {
		return out, err
	}
	if err := s.DB.Write(r.Context(), func(tx *store.Tx) error { return s.Feeds.Refresh(tx, p.ID) }); err != nil {
		return out, err
	}
	counts, err := s.Providers.Acquire(r.Context(), p.ID, nil)
	return syncedProvider{acquisition{"ingested", p.ID, counts}, providerRefresh}, err
}

type removedProvider = struct {
	Removed string      `json:"removed"` // id of the provider
	Refresh refreshHint `json:"refresh"`
}

// removeProvider removes a provider with its objects. A job deletes its rows.
func (s *Server) removeProvider(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in idRequest) (out removedProvider, err error) {
	p, err := s.managedProvider(r, in.ID)
	if err != nil {
		return out, err
	}
	err = s.DB.Write(r.Context(), func(tx *store.Tx) error {
		return errors.Join(s.Providers.Remove(tx, p.ID), s.Feeds.Remove(tx, p.ID))
	})
	if err != nil {
		return out, err
	}
	s.Log.Info("an operator removed a provider", "member", v.String(), "provider", p.ID)
	return removedProvider{p.ID, providerRefresh}, nil
}
