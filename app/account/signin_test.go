package account_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc/identity"
)

// Neither the response nor its duration reveals whether an account exists.
// Covers I-20.
func TestUnknownMemberIsRejectedLikeAWrongPassword(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	type outcome struct {
		message string
		hashes  int64
	}
	ask := func(login, pass string) outcome {
		before := h.App.Identity.Hashes()
		a := h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": login, "password": pass}).WantError(401, "invalid_credentials")
		return outcome{a.Str("error.message"), h.App.Identity.Hashes() - before}
	}
	known, unknown := ask("ann", "wrong password 1"), ask("unknown", "wrong password 2")
	if known != unknown || known.hashes != 1 {
		t.Errorf("wrong password: got %v, unknown member: got %v, want the same with one hash", known, unknown)
	}
}

// Covers I-21.
func TestInvalidRegistrationNamesItsFields(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.Registration = "open" })
	h.Member("ann")
	register := func(change ...string) *apptest.Answer {
		body := map[string]any{"email": "bea@example.org", "username": "bea", "password": apptest.Password}
		for i := 0; i < len(change); i += 2 {
			body[change[i]] = change[i+1]
		}
		return h.Unauthenticated().Do("POST", "/identity/register", body)
	}
	h.Unauthenticated().Do("POST", "/identity/register", `{}`).WantError(400, "field_required").WantFields("email", "password")
	register("email", "no address").WantError(422, "invalid_value").WantFields("email")
	register("password", "short").WantError(422, "weak_password").WantFields("password")
	register("password", "bea@example.org").WantError(422, "weak_password").WantFields("password")
	register("username", "12345").WantError(422, "invalid_value").WantFields("username")
	register("email", "ANN@example.org", "username", "ann").WantError(409, "already_exists").WantFields("email", "username")
	register().Want(201)
	if got := register("email", "ann@other.example", "username", "").Want(201).Str("member.username"); got != "ann-2" {
		t.Errorf("user name derived from a taken one: got %q, want ann-2", got)
	}
}

// Covers I-22, B-07 and X-25.
func TestRegistrationFollowsThePolicy(t *testing.T) {
	body := map[string]any{"email": "bea@example.org", "password": apptest.Password}
	h := apptest.New(t)
	h.Unauthenticated().Do("POST", "/identity/register", body).WantError(403, "registration_closed")
	h.Unauthenticated().Do("GET", "/world/register").Want(403)
	h = apptest.New(t, func(s *config.Settings) { s.Registration = "open"; s.AdminAllowedEmails = []string{"op@example.org"} })
	h.Unauthenticated().Do("POST", "/identity/register", map[string]any{"email": "OP@example.org", "password": apptest.Password}).WantError(403, "email_reserved")
	h.Unauthenticated().Do("POST", "/identity/register", body).Want(201)
	h.Unauthenticated().Do("GET", "/world/register").Want(200)
}

// No member can have a login of this length, so the request must cost neither a
// hash nor memory.
func TestTooLongLoginIsRejectedWithoutAHash(t *testing.T) {
	h := apptest.New(t)
	long := strings.Repeat("x", identity.MaxLogin+1)
	hashes := h.App.Identity.Hashes()
	for range 40 {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": long, "password": "x"}).WantError(401, "invalid_credentials")
	}
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth(long, "x")
	h.Unauthenticated().With("Authorization", r.Header.Get("Authorization")).Do("PROPFIND", "/caldav/").Want(401)
	if n := h.App.Identity.Hashes() - hashes; n != 0 {
		t.Errorf("got %d hashes, want 0", n)
	}
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": long[1:], "password": "x"}).Want(401)
}

// The recorded failed attempts are discarded when the account changes.
func TestRejectedPasswordIsCheckedAgainAfterTheAccountChanges(t *testing.T) {
	h := apptest.New(t)
	logIn := func() *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "bea", "password": apptest.Password})
	}
	logIn().WantError(401, "invalid_credentials")
	bea := h.Member("bea")
	calendars := func() *apptest.Answer { return bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/") }
	op := h.Member("op")
	set := func(status string) {
		op.UpdateMember(bea.ID, map[string]any{"status": status}).Want(200)
	}
	set("disabled")
	logIn().WantError(401, "invalid_credentials")
	calendars().Want(401)
	set("active")
	logIn().Want(200)
	calendars().Want(207)
}

func TestInvalidInvitationsCostNoHashAndAreLimited(t *testing.T) {
	h := apptest.New(t)
	hashes := h.App.Identity.Hashes()
	join := func(code string) *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/register", map[string]any{"email": "bea@example.org", "password": apptest.Password, "invite_code": code})
	}
	for range 50 {
		join("a repeated code").WantError(404, "link_expired")
	}
	for i := range 9 {
		join(fmt.Sprint("code ", i)).WantError(404, "link_expired")
	}
	join("an eleventh").WantError(429, "rate_limited")
	if n := h.App.Identity.Hashes() - hashes; n != 0 {
		t.Errorf("got %d hashes, want 0", n)
	}
}

// The response to a registration reveals whether an e-mail address belongs to a
// member. Invalid requests do not count. Covers B-81.
func TestRegistrationsAreLimited(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.Registration = "open"; s.RateLimits = map[string]int{"registrations": 3} })
	register := func(name, password string) *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/register", map[string]any{"email": name + "@example.org", "password": password})
	}
	for range 5 {
		register("ann", "short").WantError(422, "weak_password")
	}
	register("ann", apptest.Password).Want(201)
	register("ann", apptest.Password).WantError(409, "already_exists")
	register("bea", apptest.Password).Want(201)
	register("cid", apptest.Password).WantError(429, "rate_limited")
	register("ann", apptest.Password).WantError(429, "rate_limited")
}
