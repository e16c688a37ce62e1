package apptest

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
)

// Rows returns the rows of every table as text, except the audit log, the
// search index and the tables of SQLite.
func (h *Server) Rows() map[string]string {
	h.T.Helper()
	db, err := sql.Open("sqlite", "file:"+h.Settings.Database()+"?mode=ro")
	if err != nil {
		h.T.Fatal(err)
	}
	defer db.Close()
	names, err := db.Query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'identity_audit'" +
		" AND sql NOT LIKE 'CREATE VIRTUAL%'")
	if err != nil {
		h.T.Fatal(err)
	}
	all := make(map[string]string)
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			h.T.Fatal(err)
		}
		all[name] = tableText(h.T, db, name)
	}
	if names.Err() != nil || len(all) < 10 {
		h.T.Fatal(names.Err(), len(all))
	}
	return all
}

func tableText(t testing.TB, db *sql.DB, name string) string {
	rows, err := db.Query("SELECT * FROM " + name + " ORDER BY 1, 2")
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
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
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
func (h *Server) WantUnchanged(about string, do func()) {
	h.T.Helper()
	before := h.Rows()
	do()
	after := h.Rows()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] != after[name] {
			h.T.Errorf("%s: table %s changed from\n%.2000s\nto\n%.2000s", about, name, before[name], after[name])
		}
	}
}

// dense stores n series with an instance each twelve hours, which is nearly as
// many as are indexed of one, in the calendar of that name.
func (c *Client) Dense(n int, segment string) {
	c.T.Helper()
	v, ok := c.Viewer(), func(string) error { return nil }
	for i := range n {
		o, err := ics.Parse([]byte(VEvent(fmt.Sprint("dense-", i), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12", fmt.Sprint("SUMMARY:Number ", i))))
		if err != nil {
			c.T.Fatal(err)
		}
		c.Server.Write(func(tx *store.Tx) error {
			_, _, err := c.Server.App.Collections.Put(tx, v, segment, fmt.Sprint(i, ".ics"), object.Prepare(o, tx.Now()), ok)
			return err
		})
	}
}

// QueryInt returns the integer result of a query on the database file.
func (h *Server) QueryInt(query string) (n int) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.Settings.Database())
	if err != nil {
		h.T.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		h.T.Fatal(err)
	}
	return n
}

// Exec runs a statement on the database file. The server is not told.
func (h *Server) Exec(statement string, args ...any) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.Settings.Database())
	if err != nil {
		h.T.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		h.T.Fatal(err)
	}
}

// InvalidateAll marks everything as changed for every member, so that no cached
// part is used.
func (h *Server) InvalidateAll() {
	h.Write(func(tx *store.Tx) error {
		tx.Touch(store.AllTopics, store.Everyone)
		return nil
	})
}
