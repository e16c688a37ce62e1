package store

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
)

// schemaOf returns the statements of the schema of a file, in the order of the names.
func schemaOf(t *testing.T, path string) (list []string) {
	t.Helper()
	var pool *sqlx.DB
	pool, err := openPool(path, "mode=ro")
	if err == nil {
		defer pool.Close()
		err = pool.Select(&list, "SELECT coalesce(sql, name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name")
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Covers B-124.
func TestBackupWithoutTablesHasTheWholeSchemaAndOtherRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	pool, err := openPool(path, "mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.MustExec(`INSERT INTO messages_search (rowid, terms) VALUES (7, 'hello'), (8, 'bye');
		INSERT INTO maps_place_text (rowid, name) VALUES (1, 'Vienna');
		INSERT INTO maps_place_position VALUES (1, 0, 1, 0, 1);
		INSERT INTO maps_cluster VALUES (1, 1, '', 1, 1, 0, 0);
		INSERT INTO identity_operator_email VALUES ('ann@example.org'); ANALYZE`)
	dest := filepath.Join(t.TempDir(), "copy.db")
	if err := Backup(t.Context(), path, dest, BackupOptions{EmptyPrefix: "maps_", Note: `{"a":1}`}, nil); err != nil {
		t.Fatal(err)
	}
	want, got := schemaOf(t, path), schemaOf(t, dest)
	if len(got) != len(want) {
		t.Fatalf("got %d objects in the schema, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("schema: got %s, want %s", got[i], want[i])
		}
	}
	if status, err := Inspect(t.Context(), dest); err != nil || len(status.Pending) > 0 {
		t.Errorf("got %+v (%v), want a current schema", status, err)
	}
	if note, err := ReadNote(t.Context(), dest); err != nil || note != `{"a":1}` {
		t.Errorf("got the note %q (%v), want the one of the options", note, err)
	}
	restored := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := Restore(t.Context(), dest, restored, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if note, err := ReadNote(t.Context(), restored); err != nil || note != "" {
		t.Errorf("restored: got the note %q (%v), want none", note, err)
	}
	copied, err := openPool(restored, "mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages_search WHERE messages_search MATCH 'hello'":  1,
		"SELECT count(*) FROM identity_operator_email":                              1,
		"SELECT count(*) FROM store_migration":                                      len(mustMigrations(t)),
		"SELECT count(*) FROM maps_place_text WHERE maps_place_text MATCH 'vienna'": 0,
		"SELECT count(*) FROM maps_place_position":                                  0,
		"SELECT count(*) FROM maps_cluster":                                         0,
	} {
		var n int
		if err := copied.Get(&n, query); err != nil || n != want {
			t.Errorf("%s: got %d (%v), want %d", query, n, err, want)
		}
	}
	copied.MustExec("INSERT INTO maps_place_text (rowid, name) VALUES (1, 'Vienna'); INSERT INTO messages_search (rowid, terms) VALUES (9, 'x'); DELETE FROM messages_search WHERE rowid = 7")
	var result string
	if err := copied.Get(&result, "PRAGMA integrity_check"); err != nil || result != "ok" {
		t.Errorf("got %q (%v), want an intact database that accepts writes", result, err)
	}
}

func mustMigrations(t *testing.T) []Migration {
	t.Helper()
	list, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The copy of a table keeps the rowids of its rows, to which other tables refer. It does not
// keep the highest id that AUTOINCREMENT has assigned, which therefore no table has.
func TestBackupKeepsRowids(t *testing.T) {
	path, dest := filepath.Join(t.TempDir(), "appliance.db"), filepath.Join(t.TempDir(), "copy.db")
	if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	for _, statement := range schemaOf(t, path) {
		if strings.Contains(strings.ToUpper(statement), "AUTOINCREMENT") {
			t.Errorf("got AUTOINCREMENT in %s, want an INTEGER PRIMARY KEY whose rows stay", statement)
		}
	}
	pool, err := openPool(path, "mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.MustExec(`CREATE TABLE notice (id TEXT, "a ""b" TEXT) STRICT; INSERT INTO notice (rowid, id, "a ""b") VALUES (7, 'x', 'y'), (90, 'z', '');
		CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (5, 'five');
		CREATE TABLE pair (a TEXT PRIMARY KEY, b TEXT) WITHOUT ROWID; INSERT INTO pair VALUES ('a', 'b')`)
	if err := copyTables(t.Context(), path, dest, "maps_", nil); err != nil {
		t.Fatal(err)
	}
	copied, err := openPool(dest, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	var rows []string
	err = copied.Select(&rows, `SELECT rowid || id || "a ""b" FROM notice UNION ALL SELECT id || name FROM item UNION ALL SELECT a || b FROM pair`)
	if got := strings.Join(rows, " "); err != nil || got != "7xy 90z 5five ab" {
		t.Errorf("got the rows %q, %v, want them with their rowids", got, err)
	}
}
