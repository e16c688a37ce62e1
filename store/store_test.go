package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// testTables are the tables that the tests write to.
const testTables = `
CREATE TABLE item (id INTEGER PRIMARY KEY, v TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE child (parent INTEGER NOT NULL REFERENCES item(id) DEFERRABLE INITIALLY DEFERRED) STRICT;
CREATE TRIGGER item_doom BEFORE INSERT ON item WHEN new.v = 'doom' BEGIN SELECT RAISE(ROLLBACK, 'doom'); END;
`

var (
	addItem   = query("INSERT INTO item (v) VALUES (:v)")
	countItem = query("SELECT count(*) FROM item")
	addOrphan = query("INSERT INTO child (parent) VALUES (999)")
)

func query(text string) Query {
	code, params, err := parseStatement(text)
	if err != nil {
		panic(err)
	}
	return Query{&statement{name: "test", text: code, params: params}}
}

// open returns a migrated database with testTables.
func open(t testing.TB) *DB {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "appliance.db")
	if _, err := Migrate(t.Context(), path, dir, nil); err != nil {
		t.Fatal(err)
	}
	execFile(t, path, testTables)
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// execFile runs statements on a file on a connection of its own.
func execFile(t testing.TB, path, text string) {
	t.Helper()
	pool, err := openPool(path, "_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(text); err != nil {
		t.Fatal(err)
	}
}

func add(v string) func(*Tx) error {
	return func(tx *Tx) error {
		_, err := tx.Exec(addItem, Args{"v": v})
		return err
	}
}

func count(t testing.TB, db *DB) (n int) {
	t.Helper()
	err := db.Read(context.Background(), func(tx *Tx) error { return tx.Get(&n, countItem, nil) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The driver only works with the version of modernc.org/libc that it was
// generated for. SQLite before 3.51.3 could reset a write-ahead log in use.
func TestDriverIsPinned(t *testing.T) {
	text, err := os.ReadFile("../go.mod") // the build information of a test lists no dependencies
	if err != nil {
		t.Fatal(err)
	}
	versions := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 2 {
			versions[f[0]] = f[1]
		}
	}
	for module, want := range map[string]string{"modernc.org/sqlite": "v1.62.0", "modernc.org/libc": "v1.80.1"} {
		if got := versions[module]; got != want {
			t.Errorf("%s: got version %q, want %s", module, got, want)
		}
	}
	db := open(t)
	var version string
	err = db.Read(t.Context(), func(tx *Tx) error { return tx.Get(&version, query("SELECT sqlite_version()"), nil) })
	if err != nil {
		t.Fatal(err)
	}
	if version < "3.51.3" || len(version) != len("3.51.3") {
		t.Errorf("SQLite: got version %s, want 3.51.3 or later", version)
	}
}

func TestReadCannotWrite(t *testing.T) {
	db := open(t)
	if err := db.Read(t.Context(), add("a")); err == nil {
		t.Error("a write in a read transaction: got no error, want one")
	}
	if n := count(t, db); n != 0 {
		t.Errorf("got %d rows, want 0", n)
	}
}

func TestReadSeesOneSnapshot(t *testing.T) {
	db := open(t)
	err := db.Read(t.Context(), func(tx *Tx) error {
		if err := db.Write(t.Context(), add("a")); err != nil {
			return err
		}
		var n int
		if err := tx.Get(&n, countItem, nil); err != nil {
			return err
		}
		if n != 0 {
			t.Errorf("got %d rows of a later write, want 0", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, db); n != 1 {
		t.Errorf("got %d rows after the write, want 1", n)
	}
}

func TestScanIsInterruptedByContext(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	endless := query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
	endless.scan = "endless"
	err := db.Read(ctx, func(tx *Tx) error {
		time.AfterFunc(10*time.Millisecond, cancel)
		var n int
		return tx.Get(&n, endless, nil)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	err = db.Read(t.Context(), func(tx *Tx) error {
		ctx, cancel := context.WithCancel(tx.ctx)
		tx.ctx = ctx
		cancel()
		var n int
		return tx.Get(&n, countItem, nil)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("statement after the context ended: got %v, want the context's error", err)
	}
	if n := count(t, db); n != 0 {
		t.Errorf("got %d rows on the connection afterwards, want 0", n)
	}
}

func TestRowsEndWithTheContext(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	numbers := query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n")
	numbers.scan = "a thousand numbers"
	n := 0
	err := db.Read(ctx, func(tx *Tx) error {
		return tx.runStatement(numbers, nil, func(ctx context.Context, st *preparedStatement, list []driver.NamedValue) error {
			return st.eachRow(ctx, list, reflect.TypeFor[int](), func(resultRow) (more bool, err error) {
				if n++; n == 2 {
					cancel()
				}
				return true, nil
			})
		})
	})
	if !errors.Is(err, context.Canceled) || n != 2 {
		t.Errorf("got %v after %d rows, want context.Canceled after 2", err, n)
	}
}

func TestTxFailsAfterItsFunctionReturned(t *testing.T) {
	db := open(t)
	var kept *Tx
	keepTx := func(tx *Tx) error { kept = tx; return nil }
	for name, run := range map[string]func(context.Context, func(*Tx) error) error{"read": db.Read, "write": db.Write} {
		if err := run(t.Context(), keepTx); err != nil {
			t.Fatal(err)
		}
		if err := add("late")(kept); !errors.Is(err, errDone) {
			t.Errorf("%s: got %v, want errDone", name, err)
		}
	}
	if n := count(t, db); n != 0 {
		t.Errorf("got %d rows written after the end, want 0", n)
	}
}

func TestBadArgumentsAreRejected(t *testing.T) {
	db := open(t)
	for name, args := range map[string]Args{
		"missing":    {},
		"surplus":    {"v": "a", "w": "b"},
		"misspelled": {"w": "a"},
		"bare time":  {"v": time.Now()},
	} {
		err := db.Write(t.Context(), func(tx *Tx) error {
			_, err := tx.Exec(addItem, args)
			return err
		})
		if err == nil {
			t.Errorf("%s argument: got no error, want one", name)
		}
	}
}

func TestSeveralStatementsAreRejected(t *testing.T) {
	for text, ok := range map[string]bool{
		"SELECT 1":                             true,
		"SELECT 1;\n\n-- done\n":               true,
		"SELECT ';' -- a ; here\n , 2;":        true,
		"SELECT 'it''s' || :a || ':b' || :c_1": true,
		"SELECT 1; SELECT 2":                   false,
		"DELETE FROM x;;UPDATE y SET z = 1":    false,
		"SELECT 'open":                         false,
		"-- nothing":                           false,
	} {
		_, _, err := parseStatement(text)
		if (err == nil) != ok {
			t.Errorf("%q: got error %v, want valid %v", text, err, ok)
		}
	}
	_, params, _ := parseStatement("SELECT 'it''s' || :a || ':b' || :c_1 || :a")
	if got := strings.Join(params, ","); got != "a,c_1" {
		t.Errorf("got parameters %q, want a,c_1", got)
	}
}

// The schema contains nothing that could roll back a whole group commit.
func TestSchemaIsSafeForGroupCommit(t *testing.T) {
	text, err := os.ReadFile("../sql/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`--.*`).ReplaceAll(text, nil)
	for _, forbidden := range []string{`DEFERRABLE`, `OR\s+ROLLBACK`, `RAISE\s*\(\s*ROLLBACK`} {
		if regexp.MustCompile(`(?i)` + forbidden).Match(text) {
			t.Errorf("got %s in the schema, want none", forbidden)
		}
	}
	for _, table := range regexp.MustCompile(`(?s)CREATE TABLE (\w+)(.*?);`).FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(table[2][strings.LastIndex(table[2], ")"):], "STRICT") {
			t.Errorf("table %s is not STRICT", table[1])
		}
	}
}

// Lookup uses a reserved connection, so that it does not wait while all others
// are in use.
func TestLookupDoesNotWaitForReads(t *testing.T) {
	db := open(t)
	var reads sync.WaitGroup
	begun, done := make(chan bool), make(chan bool)
	for range cap(db.readers.slots) {
		reads.Go(func() {
			if err := db.Read(t.Context(), func(*Tx) error { begun <- true; <-done; return nil }); err != nil {
				t.Error(err)
			}
		})
		<-begun
	}
	defer reads.Wait()
	defer close(done)
	var n int
	if err := db.Lookup(t.Context(), func(tx *Tx) error { return tx.Get(&n, countItem, nil) }); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Read(ctx, func(*Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("another read: got %v, want it to wait until its context ends", err)
	}
}

// No more connections are opened than are used at the same time, since each has
// its own page cache.
func TestReadConnectionsAreReused(t *testing.T) {
	db := open(t)
	for range 2 * cap(db.readers.slots) {
		count(t, db)
		if err := db.Lookup(t.Context(), func(*Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(db.readers.idle); n != 1 {
		t.Errorf("got %d open connections for one reader, want 1", n)
	}
	err := db.Read(t.Context(), func(*Tx) error { count(t, db); return nil })
	if n := len(db.readers.idle); n != 2 || err != nil {
		t.Errorf("got %d open connections for two readers (%v), want 2", n, err)
	}
	if n := len(db.readers.slots); n != cap(db.readers.slots) {
		t.Errorf("got %d available connections, want %d", n, cap(db.readers.slots))
	}
}
