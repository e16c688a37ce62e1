package find

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Covers B-42 and F-33.
func TestSearchesAreRecordedPerMember(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	f.mustSearch(`{"query": " tea ", "scope": "everywhere"}`, StatusOK)
	f.clock.Advance(29 * time.Minute)
	f.mustSearch(`{"query": "tea near tea", "scope": "everywhere", "radius_meters": 700}`, StatusOK)
	f.clock.Advance(31 * time.Minute)
	if _, err := f.search(bea, `{"query": "other", "scope": "nearby"}`); err != nil {
		t.Fatal(err)
	}
	f.mustSearch(`{"query": "tea", "scope": "everywhere"}`, StatusOK)
	h := f.history(ann)
	if len(h) != 3 || len(f.history(bea)) != 1 {
		t.Fatalf("got %d and %d searches, want 3 and 1", len(h), len(f.history(bea)))
	}
	wantEqual(t, "query", joinValues(h[1].Query, h[1].Scope, h[1].AppliedScope, *h[1].Origin, h[1].RadiusMeters, *h[1].Place, h[1].Status, h[1].FindingCount), "tea near tea everywhere nearby {38.7 -9.1} 700 tea ok 1")
	wantEqual(t, "trimmed text", h[2].Query, "tea")
	wantEqual(t, "session within half an hour", h[1].FindSessionID == h[2].FindSessionID, true)
	wantEqual(t, "session after half an hour", h[0].FindSessionID == h[1].FindSessionID, false)
	heads := storetest.Rows(t, f.db, "SELECT finding_id, rank, score, seen_count, last_seen_at - first_seen_at FROM find_head")
	wantEqual(t, "heads", strings.Join(heads, ";"), "osm:node/1 1 1 3 3600000")
}

func TestHistoryIsLimited(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	storetest.Exec(t, f.db, "INSERT INTO find_session VALUES ('fs_0', 1, 0, 0), ('fs_old', 1, 0, 0)")
	storetest.Exec(t, f.db, `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 198)
		INSERT INTO find_query SELECT 'fq_' || i, 1, iif(i = 0, 'fs_old', 'fs_0'), 'q' || i, 'everywhere', 'everywhere', NULL, NULL, 5000, NULL, 'ok', 0, i FROM n`)
	for i := maxQueries - 1; i < maxQueries+3; i++ {
		f.clock.Advance(time.Hour)
		f.mustSearch(fmt.Sprintf(`{"query": "q%d", "scope": "everywhere"}`, i), StatusOK)
	}
	h := f.history(ann)
	if len(h) != maxQueries || h[0].Query != fmt.Sprint("q", maxQueries+2) || h[maxQueries-1].Query != "q3" {
		t.Errorf("got %d searches from %s, want the latest %d", len(h), h[0].Query, maxQueries)
	}
	wantEqual(t, "sessions", storetest.Rows(t, f.db, "SELECT count(*) FROM find_session")[0], "5")
}

// Covers S-44 for the records of Find.
func TestNothingIsRecordedIfTheOverlayFails(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	f.failure = errors.New("fault")
	if _, err := f.search(ann, `{"query": "tea", "scope": "everywhere"}`); !errors.Is(err, f.failure) {
		t.Errorf("got %v, want the error of the overlay", err)
	}
	wantEqual(t, "searches", len(f.history(ann)), 0)
}

func TestClearHistoryAndDeletion(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	for _, member := range []svc.MemberID{ann, bea} {
		if _, err := f.search(member, `{"query": "tea", "scope": "everywhere"}`); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.db.Write(t.Context(), func(tx *store.Tx) error { return f.ClearHistory(tx, svc.Trust(ann)) }); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "searches", fmt.Sprint(len(f.history(ann)), len(f.history(bea))), "0 1")
	wantEqual(t, "overlay", len(f.shown[ann]), 1)
	if err := f.db.Write(t.Context(), func(tx *store.Tx) error { _, err := f.DeleteData(tx, bea, 100); return err }); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"find_query", "find_session", "find_head"} {
		wantEqual(t, table, storetest.Rows(t, f.db, "SELECT count(*) FROM "+table)[0], "0")
	}
	if err := f.db.Write(t.Context(), func(tx *store.Tx) error { return f.ClearHistory(tx, svc.Viewer{}) }); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("without a member: got %v, want it rejected", err)
	}
}

func TestOldSearchesAreSwept(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	f.mustSearch(`{"query": "old", "scope": "everywhere"}`, StatusOK)
	f.mustSearch(`{"query": "tea", "scope": "everywhere"}`, StatusOK)
	f.clock.Advance(Retention - time.Minute)
	sweep := func() {
		t.Helper()
		err := f.db.Write(t.Context(), func(tx *store.Tx) error {
			more, err := f.Sweep(tx)
			wantEqual(t, "more to sweep", more, false)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	wantEqual(t, "before the end of the retention", len(f.history(ann)), 2)
	f.mustSearch(`{"query": "new", "scope": "everywhere"}`, StatusOK)
	f.clock.Advance(2 * time.Minute)
	sweep()
	wantEqual(t, "after it", len(f.history(ann)), 1)
	wantEqual(t, "sessions", storetest.Rows(t, f.db, "SELECT count(*) FROM find_session")[0], "1")
	wantEqual(t, "heads", storetest.Rows(t, f.db, "SELECT count(*) FROM find_head")[0], "0")
}

func TestExport(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	for i := range exportBatch + 5 {
		if i%10 == 0 {
			f.clock.Advance(time.Hour)
		}
		f.mustSearch(fmt.Sprintf(`{"query": "tea", "scope": "everywhere", "radius_meters": %d}`, 100+i), StatusOK)
	}
	var queries, sessions, heads int
	err := f.read(func(tx *store.Tx) error {
		return errors.Join(
			f.ExportQueries(tx, ann, func(QueryRecord) error { queries++; return nil }),
			f.ExportSessions(tx, ann, func(Session) error { sessions++; return nil }),
			f.ExportHeads(tx, ann, func(h Head) error { heads++; wantEqual(t, "seen", h.SeenCount, exportBatch+5); return nil }))
	})
	wantEqual(t, "records", fmt.Sprint(queries, sessions, heads, err), fmt.Sprint(exportBatch+5, 11, 1, nil))
}
