package store

import (
	"database/sql"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	sqlfiles "appliance/sql"
)

// Every query compiles against the migrated schema, scans no table without a
// "-- scan:" comment that states the reason, and uses only the tables of its own
// service. Covers I-11, P-12, S-73, T-25 and PT-41.
func TestQueriesUseIndexesAndOwnTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := Migrate(t.Context(), file, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	pool, err := openPool(file, liveParams)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var tables []string
	if err := pool.Select(&tables, "SELECT name FROM sqlite_schema WHERE type = 'table'"); err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(sqlfiles.Files, "queries/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatal("no query files", err)
	}
	for _, name := range names {
		for _, st := range statementsOf(t, strings.TrimSuffix(path.Base(name), ".sql"), tables) {
			t.Run(st.name, func(t *testing.T) {
				checkTables(t, st, tables)
				if listJoin.MatchString(st.text) {
					t.Error("SQLite may evaluate json_each for each row of the table; CROSS JOIN makes it the outer loop")
				}
				var plan []struct {
					ID, Parent, Notused int
					Detail              string
				}
				var list []any
				for _, p := range st.params {
					list = append(list, sql.Named(p, 1))
				}
				if err := pool.Select(&plan, "EXPLAIN QUERY PLAN "+st.text, list...); err != nil {
					t.Fatal(err)
				}
				var scans []string
				for _, step := range plan {
					if table, ok := strings.CutPrefix(step.Detail, "SCAN "); ok && isTable(tables, st.text, table) {
						scans = append(scans, step.Detail)
					}
				}
				if len(scans) > 0 && st.scan == "" {
					t.Errorf("full scan without a -- scan: comment: %s", strings.Join(scans, "; "))
				}
				if len(scans) == 0 && st.scan != "" {
					t.Error("unnecessary -- scan: comment")
				}
			})
		}
	}
}

// statementsOf returns the statements of a file, for each prefix of tables if it has several.
func statementsOf(t *testing.T, file string, tables []string) (list []*statement) {
	prefixes := []string{""}
	if file == "thread" {
		prefixes = nil
		for _, table := range tables {
			if prefix, ok := strings.CutSuffix(table, "_thread"); ok {
				prefixes = append(prefixes, prefix)
			}
		}
	}
	for _, prefix := range prefixes {
		byName, err := statements(file, prefix)
		if err != nil {
			t.Fatal(err)
		}
		list = slices.AppendSeq(list, maps.Values(byName))
	}
	return list
}

// listJoin matches a join of json_each that is not a CROSS JOIN, so that SQLite
// may choose the order of the tables.
var listJoin = regexp.MustCompile(`json_each\([^)]*\)(\s+AS\s+\w+)?\s+JOIN`)

// isTable reports whether the first word of detail is a table of the schema or an
// alias of one in text.
func isTable(tables []string, text, detail string) bool {
	name := strings.Fields(detail)[0]
	for _, table := range tables {
		if name == table || strings.Contains(text, table+" AS "+name) {
			return true
		}
	}
	return false
}

// checkTables fails t if st uses a table of another service.
func checkTables(t *testing.T, st *statement, tables []string) {
	file, _, _ := strings.Cut(st.name, "/")
	service, _, _ := strings.Cut(file, "_")
	for _, table := range tables {
		owner, _, _ := strings.Cut(table, "_")
		if owner != service && strings.Contains(st.text, table) {
			t.Errorf("uses table %s of service %s", table, owner)
		}
	}
}
