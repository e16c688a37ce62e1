package identity

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"appliance/store"
)

// cells returns the rows of a table, each as a list of cells.
func cells(w *fixture, table string) (rows [][][]byte) {
	w.Helper()
	pool, err := sql.Open("sqlite", "file:"+w.db.Path()+"?mode=ro")
	w.must(err)
	defer pool.Close()
	r, err := pool.QueryContext(w.Context(), "SELECT * FROM "+table)
	w.must(err)
	defer r.Close()
	columns, err := r.Columns()
	w.must(err)
	for r.Next() {
		row := make([][]byte, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		w.must(r.Scan(into...))
		rows = append(rows, row)
	}
	w.must(r.Err())
	return rows
}

// tables returns the names of the tables of this service.
func tables(w *fixture) (names []string) {
	w.Helper()
	for _, row := range cells(w, "sqlite_schema WHERE type = 'table' AND name LIKE 'identity_%'") {
		names = append(names, string(row[1]))
	}
	if len(names) < 5 {
		w.Fatalf("got only tables %q", names)
	}
	return names
}

// The database contains passwords only as salted Argon2id hashes and random secrets
// only as SHA-256. Covers I-26, I-27 and PT-08.
func TestDatabaseContainsNoSecrets(t *testing.T) {
	w := newFixture(t, Config{Argon2: DefaultArgon2})
	ann := w.add("ann")
	token, device := w.token("ann"), w.device(ann, "Phone")
	canonical, _ := canonicalDevice(device.Password)
	var invitation NewInvitation
	var reset ResetLink
	w.must(w.write(func(tx *store.Tx) (err error) {
		if invitation, err = w.Invite(tx, cli, "bea@example.org"); err != nil {
			return err
		}
		reset, err = w.AddResetLink(tx, cli, ann)
		return err
	}))
	w.dav("ann", passwordOf("ann"))

	secrets := map[string]string{
		"password":                   passwordOf("ann"),
		"token":                      token,
		"random part of the token":   strings.TrimPrefix(token, tokenPrefix),
		"device password":            device.Password,
		"device password, canonical": canonical,
		"invitation code":            invitation.Code,
		"reset code":                 reset.Code,
	}
	hashed := map[string]bool{token: false, canonical: false, invitation.Code: false, reset.Code: false}
	phcs := 0
	for _, table := range tables(w) {
		for _, row := range cells(w, table) {
			for i, cell := range row {
				for name, secret := range secrets {
					if bytes.Contains(bytes.ToLower(cell), []byte(strings.ToLower(secret))) {
						t.Errorf("got the %s in column %d of %s, want no secret", name, i, table)
					}
				}
				for secret := range hashed {
					if sum := sha256.Sum256([]byte(secret)); bytes.Equal(cell, sum[:]) {
						hashed[secret] = true
					}
				}
				if p, err := parsePHC(string(cell)); err == nil {
					phcs++
					if p.Argon2 != DefaultArgon2 || len(p.salt) != 16 {
						t.Errorf("got password hash %s, want default parameters and a salt of 16 bytes", cell)
					}
				}
			}
		}
	}
	for secret, found := range hashed {
		if !found {
			t.Errorf("got no SHA-256 of %s in any table, want one", secret)
		}
	}
	if phcs != 1 {
		t.Errorf("got %d password hashes, want 1", phcs)
	}
}

func TestDeletionRemovesPersonalData(t *testing.T) {
	w := newFixture(t, Config{Operators: []string{"wilhelmina@example.org"}})
	w.add("other")
	id := w.add("wilhelmina")
	w.token("wilhelmina")
	w.device(id, "Wilhelmina's phone")
	w.AddOperator("other@example.org")
	by := w.operator(id)
	w.must(w.write(func(tx *store.Tx) error {
		_, err := w.Invite(tx, by, "guest@wilhelmina.example")
		return err
	}))
	w.must(w.update(id, Changes{DisplayName: ptr("Wilhelmina")}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, id) }))
	for _, table := range tables(w) {
		for _, row := range cells(w, table) {
			if text := strings.ToLower(fmt.Sprintf("%s", row)); strings.Contains(text, "wilhelmina") {
				t.Errorf("%s: got the row %s, want no text of the deleted member", table, text)
			}
		}
	}
}
