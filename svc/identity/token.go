package identity

import (
	"cmp"
	"crypto/sha256"
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

type tokenQueries struct {
	AddToken            store.Query `sql:"add-token"`
	TokenByHash         store.Query `sql:"token-by-hash"`
	TokenValid          store.Query `sql:"token-valid"`
	ExtendToken         store.Query `sql:"extend-token"`
	Tokens              store.Query `sql:"tokens"`
	DeleteToken         store.Query `sql:"delete-token"`
	DeleteTokens        store.Query `sql:"delete-tokens"`
	DeleteSurplusTokens store.Query `sql:"delete-surplus-tokens"`
	DeleteExpiredTokens store.Query `sql:"delete-expired-tokens"`
}

const day = 24 * time.Hour

// A token expires tokenIdleTime after its last use, and tokenLifetime after its
// creation at the latest.
const (
	tokenIdleTime = 30 * day
	tokenLifetime = 180 * day
)

// maxTokens limits the tokens of a member, since scripts may sign in each time they
// run. A new token then replaces the least recently used one.
const maxTokens = 100

const (
	tokenPrefix = "svc_"
	tokenLength = len(tokenPrefix) + 43 // 32 bytes in base64url
)

// AccessToken is a bearer token as the client receives it (RFC 6750).
type AccessToken struct {
	AccessToken string    `json:"access_token"`
	TokenType   string    `json:"token_type"` // always "Bearer"
	ExpiresAt   time.Time `json:"expires_at"`
}

func (s *Service) addToken(tx *store.Tx, member memberRow, method string, client Client) (AccessToken, error) {
	token := svc.NewSecret(tokenPrefix)
	expires := store.MillisOf(tx.Now().Add(tokenIdleTime))
	_, err := tx.Exec(s.q.AddToken, store.Args{
		"id": svc.NewID("tok"), "member": member.ID, "hash": digest(token), "label": cleanLabel(client.Label.In(words.For(member.Locale))),
		"method": method, "address": addressText(client.Address),
		"now": store.MillisOf(tx.Now()), "expires": expires,
	})
	if err != nil {
		return AccessToken{}, err
	}
	surplus, err := tx.Exec(s.q.DeleteSurplusTokens, store.Args{"member": member.ID, "keep": maxTokens})
	if surplus > 0 {
		tx.Touch(svc.CredentialsChanged, int64(member.ID))
	}
	return AccessToken{AccessToken: token, TokenType: "Bearer", ExpiresAt: expires.Timestamp()}, err
}

// digest returns the SHA-256 of a random secret. Secrets of 100 bits and more
// cannot be guessed, so they need no slow hash.
func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// cleanLabel removes invisible characters from a label that a client sent, such as
// its User-Agent, and truncates it to [svc.MaxName] characters.
func cleanLabel(label string) string {
	label = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, label)
	n := 0
	for i := range label {
		if n == svc.MaxName {
			return label[:i]
		}
		n++
	}
	return label
}

// Authentication is the authenticated member of a request, with the token of the request.
type Authentication struct {
	Viewer     svc.Viewer
	Operator   bool
	Generation int64
	TokenID    string
	UseDue     bool // an hour has passed since the last recorded use: call RecordUse

	// MustEnroll means that operators require a second factor and the member has none.
	// The session permits nothing but adding one.
	MustEnroll bool
}

func errSessionEnded() error {
	return svc.Errorf(svc.Unauthenticated, "Your session has ended. Sign in again.")
}

// Authenticate returns the member who owns a token.
func (s *Service) Authenticate(tx *store.Tx, token string) (Authentication, error) {
	errEnded := errSessionEnded()
	if len(token) != tokenLength || !strings.HasPrefix(token, tokenPrefix) {
		return Authentication{}, errEnded
	}
	var row struct {
		TokenID    string       `db:"token_id"`
		LastUsedAt store.Millis `db:"last_used_at"`
		Member     svc.MemberID `db:"id"`
		Locale     string       `db:"locale"`
		Formats    string       `db:"formats"`
		Generation int64        `db:"generation"`
		HasFactor  bool         `db:"has_factor"`
		Operator   bool         `db:"is_operator"`
	}
	err := tx.Get(&row, s.q.TokenByHash, store.Args{"hash": digest(token), "now": store.MillisOf(tx.Now())})
	if store.IsNoRows(err) {
		return Authentication{}, errEnded
	}
	if err != nil {
		return Authentication{}, err
	}
	return Authentication{
		Viewer:     svc.Trust(row.Member).In(words.WithFormats(row.Locale, row.Formats)),
		Operator:   row.Operator,
		Generation: row.Generation,
		TokenID:    row.TokenID,
		UseDue:     isUseDue(tx, row.LastUsedAt),
		MustEnroll: !row.HasFactor && s.requiresFactor(row.Operator),
	}, nil
}

// Revalidate returns an error if c is no longer valid. A client can take a minute to
// send a request, and the token may be revoked or the member disabled meanwhile. An
// authentication without a token, by service key, is valid while the member is
// active.
func (s *Service) Revalidate(tx *store.Tx, c Authentication) error {
	if c.TokenID == "" {
		_, err := s.OnBehalf(tx, c.Viewer.Member())
		return err
	}
	return s.checkValid(tx, s.q.TokenValid, store.Args{"id": c.TokenID})
}

// checkValid returns an error unless q, which checks an authentication, returns true.
func (s *Service) checkValid(tx *store.Tx, q store.Query, args store.Args) error {
	var valid bool
	if err := tx.Get(&valid, q, args); err != nil || valid {
		return err
	}
	return errSessionEnded()
}

// useInterval is the time between two records of the use of a credential.
const useInterval = time.Hour

// isUseDue reports whether a new use should be recorded if the latest recorded use
// was at last.
func isUseDue(tx *store.Tx, last store.Millis) bool { return tx.Now().Sub(last.Time()) >= useInterval }

// RecordUse records that a client at an address uses the token of c, which extends
// the token. It writes at most once an hour.
func (s *Service) RecordUse(tx *store.Tx, c Authentication, address netip.Addr) error {
	now := tx.Now()
	rows, err := tx.Exec(s.q.ExtendToken, store.Args{
		"id": c.TokenID, "now": store.MillisOf(now), "since": timeAgo(tx, useInterval), "address": addressText(address),
		"sliding": tokenIdleTime.Milliseconds(), "absolute": tokenLifetime.Milliseconds(),
	})
	if err != nil || rows == 0 {
		return err
	}
	if err := s.recordNetwork(tx, c.Viewer.Member(), address); err != nil {
		return err
	}
	return s.setLastSeen(tx, c.Viewer.Member())
}

// Token is a valid token as its owner sees it.
type Token struct {
	ID         string    `json:"id"`
	Label      string    `json:"label"`
	Method     string    `json:"method"`  // how the member signed in, such as "password+totp"; "" if unknown
	Address    string    `json:"address"` // IP address of the client at the last recorded use; "" if unknown
	CreatedAt  time.Time `json:"created_at"`
	LastUsedAt time.Time `json:"last_used_at"` // accurate to an hour
	ExpiresAt  time.Time `json:"expires_at"`
}

// Tokens returns the valid tokens of a member, the most recently used first.
func (s *Service) Tokens(tx *store.Tx, member svc.MemberID) ([]Token, error) {
	var rows []struct {
		ID         string       `db:"id"`
		Label      string       `db:"label"`
		Method     string       `db:"method"`
		Address    string       `db:"address"`
		CreatedAt  store.Millis `db:"created_at"`
		LastUsedAt store.Millis `db:"last_used_at"`
		ExpiresAt  store.Millis `db:"expires_at"`
	}
	err := tx.Select(&rows, s.q.Tokens, store.Args{"member": member, "now": store.MillisOf(tx.Now())})
	list := make([]Token, len(rows))
	for i, r := range rows {
		list[i] = Token{
			ID: r.ID, Label: r.Label, Method: r.Method, Address: r.Address,
			CreatedAt: r.CreatedAt.Timestamp(), LastUsedAt: r.LastUsedAt.Timestamp(), ExpiresAt: r.ExpiresAt.Timestamp(),
		}
	}
	return list, err
}

// DescribeMethod describes a way of signing in, such as "password+totp", in the language l.
func DescribeMethod(l words.Language, method string) string {
	descriptions := map[string]string{
		"password": l.Text("password"), "passkey": l.Text("passkey"), withTOTP: l.Text("authenticator app"), withRecoveryCode: l.Text("recovery code"),
		"registration": l.Text("a registration"), "set-up": l.Text("the set-up link"), "reset-link": l.Text("a reset link"),
	}
	parts := strings.Split(method, "+")
	for i, part := range parts {
		parts[i] = cmp.Or(descriptions[part], part)
	}
	text := parts[0]
	for _, part := range parts[1:] {
		text = l.Textf("%s and %s", text, part)
	}
	return text
}

// Logout revokes the token of c.
func (s *Service) Logout(tx *store.Tx, c Authentication) error {
	tx.Touch(svc.CredentialsChanged, int64(c.Viewer.Member()))
	_, err := tx.Exec(s.q.DeleteToken, store.Args{"id": c.TokenID, "member": c.Viewer.Member()})
	return err
}

// RevokeToken revokes a token of v.
func (s *Service) RevokeToken(tx *store.Tx, v svc.Viewer, id string) error {
	member, err := v.Require()
	if err != nil {
		return err
	}
	return s.revokeOne(tx, s.q.DeleteToken, member.String(), member, id, id)
}

// RevokeTokens revokes all tokens of v except the one with the id keepTokenID, or all if
// keepTokenID is "".
func (s *Service) RevokeTokens(tx *store.Tx, v svc.Viewer, keepTokenID string) error {
	id, err := v.Require()
	if err != nil {
		return err
	}
	if err := s.deleteTokens(tx, id, keepTokenID); err != nil {
		return err
	}
	revoked := revokedSessions
	if keepTokenID != "" {
		revoked = revokedOtherSessions
	}
	if err := s.audit(tx, id.String(), auditRevoke, id, revoked); err != nil {
		return err
	}
	return s.bumpGeneration(tx, id)
}

// Details of the audit log for all sessions, all sessions except one, and all device
// passwords of a member.
const (
	revokedSessions      = "sessions"
	revokedOtherSessions = "other-sessions"
	revokedDevices       = "device-passwords"
)

// revokeOne deletes a token or a device password of a member with the query. detail is that of the
// entry in the audit log.
func (s *Service) revokeOne(tx *store.Tx, query store.Query, actor string, member svc.MemberID, id, detail string) error {
	rows, err := tx.Exec(query, store.Args{"id": id, "member": member})
	if err != nil {
		return err
	}
	if rows == 0 {
		return svc.Errorf(svc.NotFound, "It has already been removed.")
	}
	tx.Touch(svc.CredentialsChanged, int64(member))
	if err := s.audit(tx, actor, auditRevoke, member, detail); err != nil {
		return err
	}
	return s.bumpGeneration(tx, member)
}

// bumpGeneration increments the generation of a member.
func (s *Service) bumpGeneration(tx *store.Tx, id svc.MemberID) error {
	row, err := s.memberByID(tx, id)
	if err != nil {
		return err
	}
	row.Generation++
	return s.save(tx, row)
}

// deleteTokens deletes the tokens of a member except the one with the id keepTokenID, and the link
// to set up a device that a session may have created.
func (s *Service) deleteTokens(tx *store.Tx, member svc.MemberID, keepTokenID string) error {
	tx.Touch(svc.CredentialsChanged, int64(member))
	if _, err := tx.Exec(s.q.DeleteDeviceLinks, store.Args{"member": member}); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.DeleteTokens, store.Args{"member": member, "keep": keepTokenID})
	return err
}
