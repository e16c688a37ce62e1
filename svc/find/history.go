package find

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// historyQueries read and delete the searches of a member.
type historyQueries struct {
	Queries        store.Query `sql:"queries"`
	Sessions       store.Query `sql:"sessions"`
	Heads          store.Query `sql:"heads"`
	DeleteQueries  store.Query `sql:"delete-queries"`
	DeleteSessions store.Query `sql:"delete-sessions"`
	DeleteHeads    store.Query `sql:"delete-heads"`
}

// QueryRecord is a search in the history of a member.
type QueryRecord struct {
	QueryID       string    `json:"query_id"`
	FindSessionID string    `json:"find_session_id"`
	Query         string    `json:"query"`
	Scope         Scope     `json:"scope"` // as requested
	AppliedScope  Scope     `json:"applied_scope"`
	Origin        *Position `json:"origin"` // null for everywhere
	RadiusMeters  int       `json:"radius_meters"`
	Place         *string   `json:"place"` // of a search near a place
	Status        Status    `json:"status"`
	FindingCount  int       `json:"finding_count"`
	CreatedAt     time.Time `json:"created_at"`
}

type queryRow struct {
	ID           string       `db:"id"`
	SessionID    string       `db:"session_id"`
	Query        string       `db:"query"`
	Scope        Scope        `db:"scope"`
	AppliedScope Scope        `db:"applied_scope"`
	Latitude     *float64     `db:"latitude"`
	Longitude    *float64     `db:"longitude"`
	Radius       int          `db:"radius"`
	Place        *string      `db:"place"`
	Status       Status       `db:"status"`
	FindingCount int          `db:"finding_count"`
	CreatedAt    store.Millis `db:"created_at"`
}

func (r queryRow) record() QueryRecord {
	q := QueryRecord{
		QueryID: r.ID, FindSessionID: r.SessionID, Query: r.Query, Scope: r.Scope, AppliedScope: r.AppliedScope, RadiusMeters: r.Radius,
		Place: r.Place, Status: r.Status, FindingCount: r.FindingCount, CreatedAt: r.CreatedAt.Timestamp(),
	}
	if r.Latitude != nil && r.Longitude != nil {
		q.Origin = &Position{*r.Latitude, *r.Longitude}
	}
	return q
}

// History returns the latest searches of a member, the latest first.
func (s *Service) History(tx *store.Tx, v svc.Viewer, limit int) ([]QueryRecord, error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	return s.queriesBefore(tx, member, math.MaxInt64, "", limit)
}

// queriesBefore returns the searches of a member before a position in the history,
// the latest first.
func (s *Service) queriesBefore(tx *store.Tx, member svc.MemberID, before store.Millis, id string, limit int) ([]QueryRecord, error) {
	var rows []queryRow
	err := tx.Select(&rows, s.q.history.Queries, store.Args{"member": member, "before": before, "before_id": id, "limit": limit})
	list := make([]QueryRecord, len(rows))
	for i, r := range rows {
		list[i] = r.record()
	}
	return list, err
}

// ClearHistory deletes the searches of a member. The findings stay in the overlay.
func (s *Service) ClearHistory(tx *store.Tx, v svc.Viewer) error {
	member, err := v.Require()
	if err != nil {
		return err
	}
	tx.Touch(svc.SearchesChanged, int64(member))
	_, err = s.DeleteData(tx, member, maxHistory)
	return err
}

// exportBatch is the number of records that an export reads at a time.
const exportBatch = 100

// ExportQueries calls add with every search of a member, the latest first.
func (s *Service) ExportQueries(tx *store.Tx, member svc.MemberID, add func(QueryRecord) error) error {
	before, id := store.Millis(math.MaxInt64), ""
	for {
		list, err := s.queriesBefore(tx, member, before, id, exportBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, q := range list {
			if err := add(q); err != nil {
				return err
			}
			before, id = store.MillisOf(q.CreatedAt), q.QueryID
		}
	}
}

// Session is a series of searches of a member without a pause of half an hour.
type Session struct {
	FindSessionID string    `json:"find_session_id"`
	StartedAt     time.Time `json:"started_at"`
	LastQueryAt   time.Time `json:"last_query_at"`
}

// ExportSessions calls add with every session of a member.
func (s *Service) ExportSessions(tx *store.Tx, member svc.MemberID, add func(Session) error) error {
	for after := ""; ; {
		var rows []struct {
			ID          string       `db:"id"`
			StartedAt   store.Millis `db:"started_at"`
			LastQueryAt store.Millis `db:"last_query_at"`
		}
		err := tx.Select(&rows, s.q.history.Sessions, store.Args{"member": member, "after": after, "limit": exportBatch})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := add(Session{r.ID, r.StartedAt.Timestamp(), r.LastQueryAt.Timestamp()}); err != nil {
				return err
			}
			after = r.ID
		}
	}
}

// Head says when a member has found something.
type Head struct {
	FindingID   string    `json:"finding_id"`
	Rank        int       `json:"rank"`  // in the latest search that found it, from 1
	Score       float64   `json:"score"` // 0 to 1
	FirstSeenAt time.Time `json:"first_seen_at"`
	LastSeenAt  time.Time `json:"last_seen_at"`
	SeenCount   int       `json:"seen_count"`
}

// ExportHeads calls add with everything that searches of a member have found.
func (s *Service) ExportHeads(tx *store.Tx, member svc.MemberID, add func(Head) error) error {
	for after := ""; ; {
		var rows []struct {
			FindingID   string       `db:"finding_id"`
			Rank        int          `db:"rank"`
			Score       float64      `db:"score"`
			FirstSeenAt store.Millis `db:"first_seen_at"`
			LastSeenAt  store.Millis `db:"last_seen_at"`
			SeenCount   int          `db:"seen_count"`
		}
		err := tx.Select(&rows, s.q.history.Heads, store.Args{"member": member, "after": after, "limit": exportBatch})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := add(Head{r.FindingID, r.Rank, r.Score, r.FirstSeenAt.Timestamp(), r.LastSeenAt.Timestamp(), r.SeenCount}); err != nil {
				return err
			}
			after = r.FindingID
		}
	}
}
