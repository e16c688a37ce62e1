package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"appliance/svc/svctest"
)

// sql/schema.sql is the schema that the migrations produce.
func TestSchemaFileMatchesMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	pool, err := openPool(path, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var parts []string
	// The shadow tables of virtual tables are left out.
	err = pool.Select(&parts, `SELECT sql FROM sqlite_schema AS s WHERE sql IS NOT NULL AND NOT EXISTS (
		SELECT 1 FROM pragma_table_list AS l WHERE l.name = s.tbl_name AND l.type = 'shadow') ORDER BY rowid`)
	if err != nil {
		t.Fatal(err)
	}
	got := "-- The schema after all migrations. Written by go test ./store -run SchemaFile -update\n\n" +
		strings.Join(parts, ";\n\n") + ";\n"
	if *svctest.Update {
		if err := os.WriteFile("../sql/schema.sql", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("../sql/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("sql/schema.sql differs from the schema after all migrations; run with -update and review the difference")
	}
}

func TestMigrateOfCurrentFileAppliesNothing(t *testing.T) {
	db := open(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	applied, err := Migrate(t.Context(), db.path, t.TempDir(), nil)
	if err != nil || len(applied) != 0 {
		t.Errorf("got %d applied migrations (%v), want 0", len(applied), err)
	}
}

// Migrate continues after an interruption at any migration.
func TestMigrateContinuesAfterInterruption(t *testing.T) {
	embedded, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for _, last := range embedded {
		path := filepath.Join(t.TempDir(), "appliance.db")
		ctx, interrupt := context.WithCancel(t.Context())
		_, err := Migrate(ctx, path, t.TempDir(), func(m Migration) {
			if m.Version == last.Version {
				interrupt()
			}
		})
		if err == nil {
			t.Fatalf("migration %d: got no error, want one from the cancelled context", last.Version)
		}
		if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
			t.Errorf("second run after an interruption at migration %d: %v", last.Version, err)
		}
		if s, err := Inspect(t.Context(), path); err != nil || !s.Exists || len(s.Pending) > 0 {
			t.Errorf("interrupted at migration %d: got status %+v (%v), want no pending migrations", last.Version, s, err)
		}
	}
	// The process was killed after SQLite had written the header of an empty database.
	path := filepath.Join(t.TempDir(), "appliance.db")
	execFile(t, path, "PRAGMA user_version = 0")
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Fatalf("got file %v (%v), want a header without content", info, err)
	}
	if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Error(err)
	}
}

// Migrate writes a snapshot of an existing file before it changes the file, and a
// failed migration changes nothing. Covers L-18.
func TestMigrateWritesSnapshotFirst(t *testing.T) {
	db := open(t)
	if err := db.Write(t.Context(), add("kept")); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	latest, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	// Mark the last migration as pending again. It must fail, since its tables
	// exist.
	execFile(t, db.path, "DELETE FROM store_migration WHERE version = (SELECT max(version) FROM store_migration)")
	execFile(t, db.path, "PRAGMA user_version = "+fmt.Sprint(len(latest)-1))
	if _, err := Open(t.Context(), db.path, Options{}); err == nil || !strings.Contains(err.Error(), "migrate up") {
		t.Errorf("opening a file with pending migrations: got %v, want an error that names migrate up", err)
	}
	snapshots := t.TempDir()
	if _, err := Migrate(t.Context(), db.path, snapshots, nil); err == nil {
		t.Error("got no error, want the migration to fail")
	}
	list, _ := filepath.Glob(filepath.Join(snapshots, "before-schema-*.db"))
	if len(list) != 1 {
		t.Fatalf("got snapshots %v, want one", list)
	}
	if err := Verify(t.Context(), list[0]); err != nil {
		t.Error(err)
	}
	if s, err := Inspect(t.Context(), db.path); err != nil || len(s.Pending) != 1 {
		t.Errorf("after the failure: got status %+v (%v), want one pending migration", s, err)
	}
}

func TestUnsupportedFilesAreRejected(t *testing.T) {
	for name, c := range map[string]struct{ change, want string }{
		"newer":     {"PRAGMA user_version = 999", "newer version"},
		"rewritten": {"UPDATE store_migration SET checksum = 'x' WHERE version = 1", "0001_store has since been rewritten"},
		"foreign":   {"PRAGMA application_id = 7", "not a database of this program"},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			execFile(t, db.path, c.change)
			before := fileSum(t, db.path)
			_, errOpen := Open(t.Context(), db.path, Options{})
			_, errMigrate := Migrate(t.Context(), db.path, t.TempDir(), nil)
			for _, err := range []error{errOpen, errMigrate} {
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), db.path) {
					t.Errorf("got %v, want %q and the name of the file", err, c.want)
				}
			}
			if fileSum(t, db.path) != before {
				t.Error("the file was modified")
			}
		})
	}
	path := filepath.Join(t.TempDir(), "appliance.db")
	if err := os.WriteFile(path, []byte("Dear diary, this is not a database at all."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Migrate(t.Context(), path, t.TempDir(), nil); err == nil {
		t.Error("migrating a text file: got no error, want one")
	}
}

func fileSum(t *testing.T, path string) [32]byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(b)
}
