package store

import (
	"database/sql"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sqlfiles "appliance/sql"
)

// Every statement compiles against the migrated schema and walks no table
// from end to end, unless a "-- scan:" line says why it may. Each speaks of
// its own service's tables only, and of nobody's but identity's member.
// Covers I-11, P-12, S-73, T-25 and PT-41.
func TestEveryQueryIsPlanned(t *testing.T) {
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
		file := strings.TrimSuffix(path.Base(name), ".sql")
		service, _, _ := strings.Cut(file, "_")
		all, err := statements(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range all {
			t.Run(st.name, func(t *testing.T) {
				foreign(t, service, st, tables)
				if listJoin.MatchString(st.text) {
					t.Error("SQLite may read the list anew for each row of the table; CROSS JOIN has the list come first")
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
					t.Errorf("it walks a whole table: %s", strings.Join(scans, "; "))
				}
				if len(scans) == 0 && st.scan != "" {
					t.Error("it says that it scans, and it does not")
				}
			})
		}
	}
}

// listJoin is a join of a list with a table whose order SQLite may choose.
var listJoin = regexp.MustCompile(`json_each\([^)]*\)(\s+AS\s+\w+)?\s+JOIN`)

// isTable reports whether the first word of detail is one of the schema's
// tables, or an alias for one in text.
func isTable(tables []string, text, detail string) bool {
	name := strings.Fields(detail)[0]
	for _, table := range tables {
		if name == table || strings.Contains(text, table+" AS "+name) {
			return true
		}
	}
	return false
}

// foreign fails t if st names a table of another service.
func foreign(t *testing.T, service string, st *statement, tables []string) {
	for _, table := range tables {
		owner, _, _ := strings.Cut(table, "_")
		if owner != service && strings.Contains(st.text, table) {
			t.Errorf("it names %s, which belongs to %s", table, owner)
		}
	}
}
