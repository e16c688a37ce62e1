package find

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// recordQueries store a search.
type recordQueries struct {
	OpenSession         store.Query `sql:"open-session"`
	PutSession          store.Query `sql:"put-session"`
	AddQuery            store.Query `sql:"add-query"`
	DeleteOldestQueries store.Query `sql:"delete-oldest-queries"`
	DeleteEmptySessions store.Query `sql:"delete-empty-sessions"`
	PutHeads            store.Query `sql:"put-heads"`
	DeleteOldestHeads   store.Query `sql:"delete-oldest-heads"`
}

const (
	sessionIdle = 30 * time.Minute        // without a search, after which a session ends
	maxQueries  = 200                     // of one member; older ones are deleted
	maxHeads    = 2000                    // of one member
	maxHistory  = 2*maxQueries + maxHeads // rows of one member; each query has at most one session
)

// headRow is a row of find_head to store.
type headRow struct {
	ID    string  `json:"id"`
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// Record stores a search, and if providers have answered, replaces the findings in
// the member's overlay.
func (s *Service) Record(tx *store.Tx, v svc.Viewer, f *Found) error {
	member, err := v.Require()
	if err != nil {
		return err
	}
	if f.Outcome.Status == StatusOK {
		if err := s.config.Overlay.ShowFindings(tx, v, f.Outcome.Findings); err != nil {
			return err
		}
	}
	if err := s.addQuery(tx, member, f); err != nil {
		return err
	}
	return s.putHeads(tx, member, f.Outcome.Findings)
}

// addQuery adds a search to the history of a member.
func (s *Service) addQuery(tx *store.Tx, member svc.MemberID, f *Found) error {
	session, err := s.session(tx, member)
	if err != nil {
		return err
	}
	o := f.Outcome
	args := store.Args{
		"id": o.QueryID, "member": member, "session": session, "query": f.request.Query, "scope": f.request.Scope, "applied": o.Applied.Scope,
		"latitude": nil, "longitude": nil, "radius": o.Applied.RadiusMeters, "place": o.Applied.Place, "status": o.Status,
		"count": len(o.Findings), "now": store.MillisOf(tx.Now()),
	}
	if p := o.Applied.Origin; p != nil {
		args["latitude"], args["longitude"] = p.Latitude, p.Longitude
	}
	if _, err := tx.Exec(s.q.record.AddQuery, args); err != nil {
		return err
	}
	tx.Touch(svc.SearchesChanged, int64(member))
	n, err := tx.Exec(s.q.record.DeleteOldestQueries, store.Args{"member": member, "keep": maxQueries})
	if err == nil && n > 0 {
		_, err = tx.Exec(s.q.record.DeleteEmptySessions, store.Args{"member": member})
	}
	return err
}

// session returns the session of a member, a new one if the latest has ended.
func (s *Service) session(tx *store.Tx, member svc.MemberID) (id string, err error) {
	now := tx.Now()
	err = tx.Get(&id, s.q.record.OpenSession, store.Args{"member": member, "since": store.MillisOf(now.Add(-sessionIdle)), "now": store.MillisOf(now)})
	if store.IsNoRows(err) {
		id, err = svc.NewID("fs"), nil
	}
	if err == nil {
		_, err = tx.Exec(s.q.record.PutSession, store.Args{"id": id, "member": member, "now": store.MillisOf(now)})
	}
	return id, err
}

// putHeads stores the findings as heads of a member.
func (s *Service) putHeads(tx *store.Tx, member svc.MemberID, findings []svc.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	rows := make([]headRow, len(findings))
	for i, f := range findings {
		rows[i] = headRow{f.FindingID, i + 1, 1 - float64(i)/maxFindings}
	}
	_, err := tx.Exec(s.q.record.PutHeads, store.Args{"member": member, "heads": store.JSONArray(rows), "now": store.MillisOf(tx.Now())})
	if err == nil {
		_, err = tx.Exec(s.q.record.DeleteOldestHeads, store.Args{"member": member, "keep": maxHeads})
	}
	return err
}
