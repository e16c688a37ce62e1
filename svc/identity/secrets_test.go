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

// cells returns what is in a table: a list of rows, each a list of cells as
// bytes.
func cells(w *world, table string) (rows [][][]byte) {
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

func tables(w *world) (names []string) {
	w.Helper()
	for _, row := range cells(w, "sqlite_schema WHERE type = 'table' AND name LIKE 'identity_%'") {
		names = append(names, string(row[1]))
	}
	if len(names) < 5 {
		w.Fatalf("tables %q", names)
	}
	return names
}

// No cell of any table of ours holds a secret that was ever handed out or
// typed in; passwords are there as salted Argon2id, what was drawn here as
// SHA-256. Covers I-26, I-27 and PT-08.
func TestTheDatabaseHoldsNoSecrets(t *testing.T) {
	w := newWorld(t, Config{Argon2: DefaultArgon2})
	ann := w.add("ann")
	token, device := w.token("ann"), w.device(ann, "Phone")
	canonical, _ := canonicalDevice(device.Password)
	var invitation NewInvitation
	var reset ResetLink
	w.must(w.write(func(tx *store.Tx) (err error) {
		if invitation, err = w.Invite(tx, shell, "bea@example.org"); err != nil {
			return err
		}
		reset, err = w.AddResetLink(tx, shell, ann)
		return err
	}))
	w.dav("ann", passwordOf("ann"))

	secrets := map[string]string{
		"the password":            passwordOf("ann"),
		"the token":               token,
		"the token's random part": strings.TrimPrefix(token, tokenPrefix),
		"the device password":     device.Password,
		"its characters":          canonical,
		"the invitation's code":   invitation.Code,
		"the reset link's code":   reset.Code,
	}
	hashed := map[string]bool{token: false, canonical: false, invitation.Code: false, reset.Code: false}
	phcs := 0
	for _, table := range tables(w) {
		for _, row := range cells(w, table) {
			for i, cell := range row {
				for name, secret := range secrets {
					if bytes.Contains(bytes.ToLower(cell), []byte(strings.ToLower(secret))) {
						t.Errorf("%s is in column %d of %s", name, i, table)
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
						t.Errorf("the password is stored as %s", cell)
					}
				}
			}
		}
	}
	for secret, found := range hashed {
		if !found {
			t.Errorf("there is no hash of %s", secret)
		}
	}
	if phcs != 1 {
		t.Errorf("there are %d password hashes, want 1", phcs)
	}
}

// Of a deleted member there is nothing personal left in any table.
func TestDeletionLeavesNothingPersonal(t *testing.T) {
	w := newWorld(t, Config{Operators: []string{"wilhelmina@example.org"}})
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
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, shell, id) }))
	for _, table := range tables(w) {
		for _, row := range cells(w, table) {
			if text := strings.ToLower(fmt.Sprintf("%s", row)); strings.Contains(text, "wilhelmina") {
				t.Errorf("%s still says %s", table, text)
			}
		}
	}
}
