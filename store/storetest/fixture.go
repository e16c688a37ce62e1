package storetest

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"

	"appliance/store"
)

// Exec runs a statement on a connection that db does not use. Tests use it to insert rows of
// other services and to damage the database.
func Exec(t testing.TB, db *store.DB, statement string, args ...any) {
	t.Helper()
	if err := TryExec(t, db, statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// TryExec is like Exec and returns the error of the statement.
func TryExec(t testing.TB, db *store.DB, statement string, args ...any) error {
	t.Helper()
	file := open(t, db)
	_, err := file.Exec(statement, args...)
	return err
}

// Rows returns the rows of a query, the columns of a row separated by spaces.
func Rows(t testing.TB, db *store.DB, query string, args ...any) (list []string) {
	t.Helper()
	file := open(t, db)
	rows, err := file.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, dests := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			dests[i] = &values[i]
		}
		if err := rows.Scan(dests...); err != nil {
			t.Fatal(err)
		}
		list = append(list, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// connections are the connections of Exec, TryExec, Rows and AddMembers. A new connection reads
// the whole schema, which takes longer than most statements of tests.
var connections sync.Map // *store.DB to *sql.DB

// open returns the connection of db. The connection is closed at the end of the test that opened
// it.
func open(t testing.TB, db *store.DB) *sql.DB {
	t.Helper()
	if file, ok := connections.Load(db); ok {
		return file.(*sql.DB)
	}
	file, err := sql.Open("sqlite", db.Path()+"?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	connections.Store(db, file)
	t.Cleanup(func() {
		connections.Delete(db)
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return file
}

// AddMembers inserts active members, so that the rows of other services can
// refer to them. The ids of the first members of a database are 1, 2, 3, ….
func AddMembers(t testing.TB, db *store.DB, usernames ...string) {
	t.Helper()
	file := open(t, db)
	for _, name := range usernames {
		email := name + "@example.org"
		_, err := file.Exec(`INSERT INTO identity_member (email, email_key, username, display_name, name_key, status, timezone, locale,
			password_hash, generation, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 'active', 'UTC', 'en', '', 0, 0, 0)`,
			email, email, name, name, name)
		if err != nil {
			t.Fatal(err)
		}
	}
}
