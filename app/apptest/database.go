package apptest

import (
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Rows returns the rows of every table as text, except the audit log, the
// search index and the tables of SQLite.
func (s *Server) Rows() map[string]string {
	s.T.Helper()
	db, err := sql.Open("sqlite", "file:"+s.Settings.Database()+"?mode=ro")
	if err != nil {
		s.T.Fatal(err)
	}
	defer db.Close()
	names, err := db.Query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'identity_audit'" +
		" AND sql NOT LIKE 'CREATE VIRTUAL%'")
	if err != nil {
		s.T.Fatal(err)
	}
	all := make(map[string]string)
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			s.T.Fatal(err)
		}
		all[name] = tableText(s.T, db, name)
	}
	if names.Err() != nil || len(all) < 10 {
		s.T.Fatalf("got %d tables, %v, want at least 10", len(all), names.Err())
	}
	return all
}

func tableText(t testing.TB, db *sql.DB, name string) string {
	rows, err := db.Query("SELECT *, NULL FROM " + name + " ORDER BY 1, 2") // NULL: some tables have one column
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for rows.Next() {
		values := make([]any, len(columns))
		destinations := make([]any, len(columns))
		for i := range values {
			destinations[i] = &values[i]
		}
		if err := rows.Scan(destinations...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%q\n", values)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// WantUnchanged fails the test if do changes a row of the database (PT-40).
func (s *Server) WantUnchanged(about string, do func()) {
	s.T.Helper()
	before := s.Rows()
	do()
	after := s.Rows()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] != after[name] {
			s.T.Errorf("%s: table %s: got\n%.2000s\nwant it unchanged:\n%.2000s", about, name, after[name], before[name])
		}
	}
}

// WantStorageCounted fails the test unless the storage usage of each member equals a
// recount.
func (s *Server) WantStorageCounted(about string) {
	s.T.Helper()
	wrong := storetest.Rows(s.T, s.DB, `SELECT u.member_id, u.octets, coalesce(c.octets, 0) AS want FROM storage_usage AS u
		LEFT JOIN (SELECT member_id, sum(octets) AS octets FROM storage_counted GROUP BY member_id) AS c ON c.member_id = u.member_id
		WHERE u.octets <> coalesce(c.octets, 0)`)
	if len(wrong) > 0 {
		s.T.Fatalf("%s: got these members, storage usages and recounts, want the usage to equal the recount: %q", about, wrong)
	}
}

// QueryInt returns the integer result of a query on the database file.
func (s *Server) QueryInt(query string) int {
	s.T.Helper()
	rows := storetest.Rows(s.T, s.DB, query)
	n, err := strconv.Atoi(strings.Join(rows, " "))
	if err != nil {
		s.T.Fatalf("%s: got %q, want one integer", query, rows)
	}
	return n
}

// Exec runs a statement on a separate connection. It can damage the data or
// create states that the program does not create. It does not invalidate caches
// of the server.
func (s *Server) Exec(statement string, args ...any) {
	s.T.Helper()
	storetest.Exec(s.T, s.DB, statement, args...)
}

// InvalidateAll marks all topics as changed for every member, so that no cached
// part of a dataset is used.
func (s *Server) InvalidateAll() {
	s.Write(func(tx *store.Tx) error {
		tx.Touch(svc.MemberUpdated, store.Everyone)
		return nil
	})
}

// InvalidateCircles marks all cached circles as outdated, as every change of a
// membership does.
func (s *Server) InvalidateCircles() {
	s.T.Helper()
	s.Exec("UPDATE social_graph SET revision = random()")
}

// OpenDatabase opens the database of a data directory, which a server or a command may
// be using, for reading.
func OpenDatabase(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "appliance.db")+"?mode=ro&_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Count returns the number that a query returns.
func Count(t testing.TB, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// WaitForRow returns when a query returns a number that is not 0. Between two queries it
// leaves the processor to the program that the test waits for.
func WaitForRow(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	for Count(t, db, query) == 0 {
		<-time.After(2 * time.Millisecond)
	}
}
