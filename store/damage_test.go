package store_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
)

// openDamaged opens a database in which the root page of a table or an index is
// damaged; "" damages nothing.
func openDamaged(t *testing.T, name string) *store.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := store.Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	if name != "" {
		storetest.Damage(t, path, name)
	}
	db, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// The first query that reads a damaged page reports it, later ones do not. Errors of
// other kinds are not damage.
func TestDamageIsReportedOnce(t *testing.T) {
	db := openDamaged(t, "storage_usage")
	var q struct {
		Usage  store.Query `sql:"usage"`
		Usages store.Query `sql:"usages"`
	}
	store.Bind("storage", &q)
	reports := 0
	db.OnDamage(func(error) { reports++ })
	usage := func(tx *store.Tx) error {
		var n int64
		return tx.Get(&n, q.Usage, store.Args{"member": 1})
	}
	misuse := func(tx *store.Tx) error { _, err := tx.Exec(q.Usage, store.Args{}); return err }
	if err := db.Read(t.Context(), misuse); err == nil || db.Damage() != nil || reports != 0 {
		t.Errorf("after another error %v: got damage %v and %d reports, want none", err, db.Damage(), reports)
	}
	for name, run := range map[string]func() error{
		"Read":   func() error { return db.Read(t.Context(), usage) },
		"Lookup": func() error { return db.Lookup(t.Context(), usage) },
		"Write":  func() error { return db.Write(t.Context(), usage) },
	} {
		if err := run(); !store.IsDamage(err) || db.Damage() == nil || reports != 1 {
			t.Errorf("%s: got error %v, damage %v and %d reports, want damage and 1 report", name, err, db.Damage(), reports)
		}
	}
	late := 0
	if db.OnDamage(func(error) { late++ }); late != 1 {
		t.Errorf("OnDamage after the damage: got %d reports, want 1", late)
	}
}

// check runs a check to its end and returns the number of its steps.
func check(t *testing.T, db *store.DB, between func()) (steps int) {
	t.Helper()
	c, err := db.NewCheck(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for more := true; more; steps++ {
		if more, err = c.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		between()
	}
	return steps
}

// A check finds damage that no query reads.
func TestCheckFindsDamage(t *testing.T) {
	for _, name := range []string{"social_reply", "social_reply_author", "messages_search_data", "sqlite_autoindex_social_reply_1"} {
		db := openDamaged(t, name)
		if db.Damage() != nil {
			t.Errorf("%s: got damage %v before the check, want none", name, db.Damage())
		}
		check(t, db, func() {})
		if db.Damage() == nil {
			t.Errorf("%s: got no damage after the check", name)
		}
	}
}

// A check of an intact database has one step per table and finds nothing, also while
// the database is written.
func TestCheckOfAnIntactDatabaseFindsNothing(t *testing.T) {
	db := openDamaged(t, "")
	storetest.AddMembers(t, db, "ann")
	steps := check(t, db, func() { storetest.Exec(t, db, "UPDATE identity_member SET updated_at = updated_at + 1") })
	if err := db.Damage(); err != nil {
		t.Errorf("got damage %v, want none", err)
	}
	tables := storetest.Rows(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if want := len(tables) + 1; steps != want { // and sqlite_schema
		t.Errorf("got %d steps, want %d: %s", steps, want, strings.Join(tables, " "))
	}
}

// Verify rejects a database in which a row refers to a missing one, which the check of the pages
// does not find.
func TestVerifyRejectsMissingRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := store.Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	if err := store.Verify(t.Context(), path); err != nil {
		t.Fatalf("an intact database: got %v", err)
	}
	db, err := sql.Open("sqlite", path) // does not enforce foreign keys
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO maps_tile (z, x, y, region_id, data) VALUES (0, 0, 0, 7, x'00')"); err != nil {
		t.Fatal(err)
	}
	if err := store.Verify(t.Context(), path); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "maps_tile") {
		t.Errorf("got %v, want an error that names maps_tile", err)
	}
}
