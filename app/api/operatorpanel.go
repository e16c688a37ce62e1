package api

import (
	"context"
	"net/http"
	"os"
	"slices"
	"time"

	"appliance/app/backups"
	"appliance/app/health"
	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/svc/zoneinfo"
	"appliance/world/panel"
)

// getOperatorPanel responds with the panel of operators in the view of the query.
func (s *Server) getOperatorPanel(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in panel.OperatorQuery
	if err := httpd.Decode(r, &in); err != nil {
		return err
	}
	server, err := s.operatorServer(r, v.Language())
	if err != nil {
		return err
	}
	return s.respondWithHashedPanel(w, r, func(tx *store.Tx) (any, error) {
		p, err := panel.OperatorPanels{
			Identity: s.Identity, Storage: s.Storage, Maps: s.Maps, Providers: s.Providers, Feeds: s.Feeds, Server: server,
		}.Render(tx, v, in)
		p.SelectSections(panel.ParseSections(r.URL.Query()))
		return p, err
	})
}

// operatorServer reads the state of the server for a request of an operator, with texts in the
// language l.
func (s *Server) operatorServer(r *http.Request, l words.Language) (panel.OperatorServer, error) {
	latest := s.Backups.Latest() // before the list, which then contains this backup if it is done
	list, err := backups.List(s.Settings.BackupDir())
	if err != nil {
		return panel.OperatorServer{}, err
	}
	state := panel.OperatorServer{
		Version: s.Version, BackupJob: backupJob(l, latest), BackupEvery: s.Settings.BackupEvery, BackupKeep: s.Settings.BackupKeep,
		BackupWithoutMaps: s.Settings.BackupMaps == "off", OperatorsFixed: s.Settings.OperatorsSource(), Off: make(map[string]bool),
	}
	for name, h := range s.Hosted {
		state.Off[name] = h.IsOff()
	}
	for _, b := range slices.Backward(list) {
		state.Backups = append(state.Backups, panel.ServerBackup{Name: b.Name(), Kind: panel.BackupKind(b.Kind), CreatedAt: b.CreatedAt, SizeBytes: b.Size, Verified: b.Verified})
	}
	pending, err := s.pendingFollowUps(r.Context())
	if err != nil {
		return panel.OperatorServer{}, err
	}
	state.Health = s.health(l, r, list, pending)
	return state, nil
}

// health returns the state of the server for a request of an operator, with texts in the language l.
// list are the backups, the oldest first; pending are the changes that calendars have not yet followed.
func (s *Server) health(l words.Language, r *http.Request, list []backups.Backup, pending social.PendingFollowUps) panel.ServerHealth {
	now, cert := s.DB.Now(), s.Certificate()
	h := panel.ServerHealth{
		State:    health.StateOK,
		Database: panel.DatabaseHealth{Damaged: s.DB.Damage() != nil, CheckedAt: optionalTime(s.LastCheck())},
	}
	if cert != nil {
		h.CertificateExpiresAt = optionalTime(cert.NotAfter)
	}
	zones := zoneinfo.Current().Info
	h.TimeZones = panel.ZoneData{Version: zones.Version, Source: panel.ZoneSource(zones.Source), ReleasedAt: utcSecond(zones.Released)}
	if info, err := os.Stat(s.DB.Path()); err == nil {
		h.Database.SizeBytes = info.Size()
	}
	if _, free, err := store.FileSystem(s.Settings.Data); err == nil {
		h.FreeBytes = new(int64(free))
	}
	var lastChange time.Time // by the names of the backups: the files of the running server have the time of its clock
	if n := len(list); n > 0 && list[n-1].CreatedAt.After(now) {
		lastChange = list[n-1].CreatedAt
	}
	if usable := backups.Usable(list); len(usable) > 0 {
		last := usable[len(usable)-1]
		h.LastBackup = &panel.LastBackup{Name: last.Name(), CreatedAt: last.CreatedAt, AgeSeconds: int64(now.Sub(last.CreatedAt) / time.Second)}
	}
	foreignHost, forwarded := s.ForeignHost(r)
	results := slices.Concat(s.serviceHealth(&h), []health.Diagnosis{health.Clock(now, lastChange, s.Settings.Location()), health.Backups(s.Settings, list, now)},
		health.Zones(zones, zoneinfo.Refused(), now), health.Disk(s.Settings.Data), health.Certificate(cert, s.Settings.URL(), now),
		health.Address(foreignHost, forwarded, s.Settings.URL()), s.reach())
	if pending.IsDelayed(now) {
		results = append(results, health.Warning("calendars", "See the log of the server for the reason.",
			"Changes of Social that are not yet in all calendars: %d, after an error: %d.", pending.Changes, pending.Failed))
	}
	if h.Database.Damaged {
		results = append(results, health.Problem("database", "Stop the server, run appliance doctor, and restore the last backup.", "The database file is damaged."))
	}
	if latest := s.Backups.Latest(); latest.State == backups.Failed {
		results = append(results, health.Problem("backups", latest.Failure, "The backup %s was not made.", latest.Name))
	}
	for _, d := range results {
		if d.State == health.StateOK {
			continue
		}
		if d.State == health.StateProblem || h.State == health.StateOK {
			h.State = panel.HealthState(d.State)
		}
		message, remedy := d.In(l)
		h.Warnings = append(h.Warnings, panel.ServerWarning{Check: d.Check, State: panel.HealthState(d.State), Message: message, Remedy: remedy})
	}
	return h
}

// pendingFollowUps reads the changes of Social that events and calendars have not yet
// followed.
func (s *Server) pendingFollowUps(ctx context.Context) (p social.PendingFollowUps, err error) {
	err = s.DB.Read(ctx, func(tx *store.Tx) error {
		p, err = s.Social.PendingFollowUps(tx)
		return err
	})
	return p, err
}

// serviceHealth adds the states of the hosted services to h and diagnoses them.
func (s *Server) serviceHealth(h *panel.ServerHealth) (list []health.Diagnosis) {
	for _, name := range ServiceNames {
		state := s.Hosted[name].State()
		h.Services = append(h.Services, panel.ServiceHealth{ID: name, State: state})
		if state == svc.StateDegraded {
			list = append(list, health.Warning("service", "See the log of the server for the reason.", "The service %s is degraded: a job or a read failed.", name))
		}
	}
	return list
}

// backupJob returns the latest backup of this process, with its message in the language
// l; nil if there is none.
func backupJob(l words.Language, a backups.Attempt) *panel.BackupJob {
	if a.State == "" {
		return nil
	}
	return &panel.BackupJob{
		State: panel.JobState(a.State), Kind: panel.BackupKind(a.Kind), Name: a.Name, StartedAt: utcSecond(a.StartedAt), EndedAt: optionalTime(a.EndedAt),
		DoneBytes: a.Done, TotalBytes: a.Total, Message: l.Text(a.Failure),
	}
}

// optionalTime returns a time in UTC with the precision of a second, nil for the zero
// time.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return new(utcSecond(t))
}

func utcSecond(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
