package identity

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/words"
)

// tableRows returns the rows of a table, each as a list of cells.
func tableRows(w *fixture, table string) (rows [][][]byte) {
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
	for _, row := range tableRows(w, "sqlite_schema WHERE type = 'table' AND name LIKE 'identity_%'") {
		names = append(names, string(row[1]))
	}
	if len(names) < 5 {
		w.Fatalf("got only tables %q", names)
	}
	return names
}

// The database contains passwords only as salted Argon2id hashes, the secrets
// of authenticator apps only encrypted, and other random secrets only as
// SHA-256. Covers I-26, I-27 and PT-08.
func TestDatabaseContainsNoSecrets(t *testing.T) {
	cfg := factorConfig()
	cfg.Argon2 = DefaultArgon2
	w := newFixture(t, cfg)
	ann := w.addMember("ann")
	app, codes := w.addApp("ann", "")
	recovery, _ := canonicalDevice(codes[0])
	w.clock.Advance(time.Minute)
	p, err := w.prove("ann", passwordOf("ann"))
	w.must(err)
	var challenge *svc.Challenge
	w.must(w.write(func(tx *store.Tx) (err error) { _, challenge, err = w.Login(tx, p, Client{}); return err }))
	var session Session
	w.must(w.write(func(tx *store.Tx) (err error) {
		session, _, err = w.AnswerChallenge(tx, challenge.Challenge, Answer{Code: w.code(app)}, Client{})
		return err
	}))
	w.must(w.write(func(tx *store.Tx) (err error) { _, challenge, err = w.Login(tx, p, Client{}); return err }))
	token := session.Token.AccessToken
	device := w.addDevice(ann, "Phone")
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
	w.authenticateDAV("ann", passwordOf("ann"))

	secrets := map[string]string{
		"password":                   passwordOf("ann"),
		"token":                      token,
		"random part of the token":   strings.TrimPrefix(token, tokenPrefix),
		"device password":            device.Password,
		"device password, canonical": canonical,
		"invitation code":            invitation.Code,
		"reset code":                 reset.Code,
		"secret of the app":          app,
		"recovery code":              codes[0],
		"recovery code, canonical":   recovery,
		"challenge":                  challenge.Challenge,
	}
	hashed := map[string]bool{token: false, canonical: false, invitation.Code: false, reset.Code: false, recovery: false, challenge.Challenge: false}
	phcs := 0
	for _, table := range tables(w) {
		for _, row := range tableRows(w, table) {
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
	cfg := factorConfig()
	cfg.Operators = []string{"wilhelmina@example.org"}
	w := newFixture(t, cfg)
	w.addMember("other")
	id := w.addMember("wilhelmina")
	w.must(w.write(func(tx *store.Tx) error {
		_, _, err := w.Login(tx, Proof{member: id, generation: 1, method: byPassword}, Client{Label: words.Textf("Wilhelmina's laptop"), Address: netip.MustParseAddr("203.0.113.77")})
		return err
	}))
	w.addApp("wilhelmina", "")
	storetest.Exec(t, w.db, `INSERT INTO identity_passkey (id, member_id, credential_id, credential, label, created_at) VALUES ('pky', ?, x'01', '{}', 'Wilhelmina''s key', 0)`, id)
	p, err := w.prove("wilhelmina", passwordOf("wilhelmina"))
	w.must(err)
	w.must(w.write(func(tx *store.Tx) error { _, _, err := w.Login(tx, p, Client{}); return err })) // a challenge
	w.must(w.write(func(tx *store.Tx) error {
		return w.ChangeSignInDetails(tx, p, SignInDetailsChanges{Email: ptr("w@wilhelmina.example")})
	}))
	w.addDevice(id, "Wilhelmina's phone")
	w.must(w.setOperator(w.addMember("fourth"), true))
	by := w.operator(id)
	w.must(w.write(func(tx *store.Tx) error {
		_, err := w.Invite(tx, by, "guest@wilhelmina.example")
		return err
	}))
	w.must(w.update(id, Changes{DisplayName: ptr("Wilhelmina")}))
	w.must(w.write(func(tx *store.Tx) error { return w.Delete(tx, cli, id) }))
	w.deleteData()
	for _, table := range []string{"identity_factor", "identity_totp", "identity_recovery_code", "identity_passkey", "identity_challenge", "identity_network"} {
		if n := len(tableRows(w, table)); n != 0 {
			t.Errorf("%s: got %d rows of the deleted member, want none", table, n)
		}
	}
	for _, table := range tables(w) {
		for _, row := range tableRows(w, table) {
			if text := strings.ToLower(fmt.Sprintf("%s", row)); strings.Contains(text, "wilhelmina") || strings.Contains(text, "203.0.113") {
				t.Errorf("%s: got the row %s, want no text of the deleted member", table, text)
			}
		}
	}
}
