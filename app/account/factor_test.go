package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

const (
	factorAPI = "/world/identity/second-factor"
	homeURL   = "https://home.example.org"
)

// Covers B-108.
func TestSignInWithASecondFactorTakesTwoSteps(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	secret, codes := apptest.AddApp(ann)
	if len(codes) != 10 {
		t.Errorf("got %d recovery codes, want 10", len(codes))
	}
	web := s.Unauthenticated()
	password := map[string]any{"login": "ann", "password": apptest.Password}
	first := web.Do("POST", "/identity/login", password).WantError(401, "second_factor_required")
	if strings.Contains(first.Body, "svc_") || first.Header.Get("Set-Cookie") != "" {
		t.Errorf("got %s, want no token and no cookie", first.Body)
	}
	if got := first.Column("error.second_factor.methods", ""); got != "totp recovery_code" {
		t.Errorf("got the methods %q, want totp recovery_code", got)
	}
	answer := func(challenge, code string) *apptest.Answer {
		return web.Do("POST", "/identity/login", map[string]any{"challenge": challenge, "code": code})
	}
	challenge := first.Str("error.second_factor.challenge")
	answer(challenge, "000000").WantError(401, "invalid_credentials")
	answer(challenge, "").WantError(400, "field_required").WantFields("code")
	answer("chl_x", apptest.AppCode(ann, secret)).WantError(401, "challenge_expired")
	session := answer(challenge, apptest.AppCode(ann, secret)).Want(200)
	session.WantSchema("service.identity.session", session.At(""))
	session.WantValues("", map[string]any{"second_factor": "verified", "member.username": "ann"})
	web.With("Authorization", "Bearer "+session.Str("token.access_token")).Do("GET", "/identity/me").Want(200)
	answer(challenge, codes[0]).WantError(401, "challenge_expired")

	// The code is not accepted again, not even after a restart.
	s.Restart()
	challenge = web.Do("POST", "/identity/login", password).Want(401).Str("error.second_factor.challenge")
	answer(challenge, apptest.AppCode(ann, secret)).WantError(401, "invalid_credentials")
	web.Do("POST", "/identity/login", map[string]any{"challenge": challenge, "recovery_code": codes[0]}).Want(200)
	if sessions := ann.Do("GET", "/world/identity/sessions").Want(200); !strings.Contains(sessions.Body, `"method":"password+recovery-code","address":"127.0.0.1"`) {
		t.Errorf("got %s, want the method and the address of the session", sessions.Body)
	}
}

// A wrong code counts like a wrong password. Covers B-81 and B-108.
func TestWrongCodesAreLimited(t *testing.T) {
	s := apptest.New(t)
	secret, _ := apptest.AddApp(s.Member("ann"))
	web := s.Unauthenticated()
	wrong := 0
	for range 20 {
		a := web.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password})
		challenge := a.Str("error.second_factor.challenge")
		if a.Status == 429 {
			break
		}
		for i := range 4 {
			a := web.Do("POST", "/identity/login", map[string]any{"challenge": challenge, "code": fmt.Sprintf("0000%dx", wrong%10) + strings.Repeat(" ", i)}) // never the code of the app
			if a.Status == 429 {
				if wrong != 10 {
					t.Errorf("got status 429 after %d wrong codes, want 10", wrong)
				}
				web.Do("POST", "/identity/login", map[string]any{"challenge": challenge, "code": apptest.AppCode(web, secret)}).WantError(429, "rate_limited")
				return
			}
			a.WantError(401, "invalid_credentials")
			wrong++
		}
	}
	t.Errorf("got %d wrong codes without a limit, want 10", wrong)
}

// A code that is wrong now may be right in a later period of the app, so a repeated code counts
// as a new guess in each period. Covers B-81 and B-108.
func TestRepeatedCodeCountsInEachPeriod(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	apptest.AddApp(ann)
	web := s.Unauthenticated()
	limited := map[string]func() *apptest.Answer{
		"sign-in": func() *apptest.Answer {
			a := web.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password})
			if a.Status == 429 {
				return a
			}
			return web.Do("POST", "/identity/login", map[string]any{"challenge": a.Str("error.second_factor.challenge"), "code": "00000x"})
		},
		"confirmation": func() *apptest.Answer {
			return ann.Do("POST", factorAPI+"/recovery-codes", map[string]any{"code": "00000x"})
		},
	}
	for name, guess := range limited {
		guesses := 0
		for ; guesses < 20 && guess().Status != 429; guesses++ {
			s.Clock.Advance(30 * time.Second)
		}
		if guesses == 20 {
			t.Errorf("%s: got 20 guesses of one code without a limit, want status 429", name)
		}
		s.Clock.Advance(time.Hour)
	}
}

func TestPasskeyIsASecondFactor(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.BaseURL = homeURL })
	ann := s.Member("ann")
	device := apptest.NewAuthenticator(t, homeURL, "home.example.org")
	begin := func() *apptest.Answer {
		return ann.Do("POST", factorAPI+"/passkeys/begin", map[string]any{"current_password": apptest.Password}).Want(201)
	}
	add := func(challenge, passkey any, label string) *apptest.Answer {
		return ann.Do("POST", factorAPI+"/passkeys", map[string]any{"challenge": challenge, "label": label, "passkey": passkey})
	}
	p := begin()
	foreignSite := apptest.NewAuthenticator(t, "https://evil.example", "home.example.org")
	add(p.At("challenge"), foreignSite.Create(p.At("options")), "Phone").WantError(422, "invalid_value").WantFields("passkey")
	add(p.At("challenge"), device.Create(p.At("options")), "").WantError(400, "field_required").WantFields("label")
	created := add(p.At("challenge"), device.Create(p.At("options")), "Phone").Want(201)
	if n := len(created.List("recovery_codes")); n != 10 {
		t.Errorf("got %d recovery codes, want 10", n)
	}
	add(p.At("challenge"), device.Create(p.At("options")), "Phone").WantError(401, "challenge_expired")
	late := begin()
	s.Clock.Advance(5 * time.Minute)
	add(late.At("challenge"), device.Create(late.At("options")), "Late").WantError(401, "challenge_expired")

	web := s.Unauthenticated()
	challenge := func() *apptest.Answer {
		return web.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).WantError(401, "second_factor_required")
	}
	answer := func(c *apptest.Answer, passkey any) *apptest.Answer {
		return web.Do("POST", "/identity/login", map[string]any{"challenge": c.Str("error.second_factor.challenge"), "passkey": passkey})
	}
	c := challenge()
	if got := c.Column("error.second_factor.methods", ""); got != "passkey recovery_code" {
		t.Errorf("got the methods %q, want passkey recovery_code", got)
	}
	options := c.At("error.second_factor.passkey_options")
	stranger := apptest.NewAuthenticator(t, homeURL, "home.example.org")
	stranger.UserHandle = device.UserHandle
	answer(c, stranger.Get(options)).WantError(401, "invalid_credentials")
	stranger.ID = device.ID // another key
	answer(c, stranger.Get(options)).WantError(401, "invalid_credentials")
	old := device.Get(options)
	answer(c, old).Want(200).WantValues("", map[string]any{"second_factor": "verified"})
	answer(challenge(), old).WantError(401, "invalid_credentials") // signed for another challenge

	state := ann.Do("GET", factorAPI).Want(200)
	state.WantValues("second_factor", map[string]any{"enabled": true, "passkeys.0.label": "Phone", "recovery_codes": 10})
	id := state.Str("second_factor.passkeys.0.id")
	if state.Str("second_factor.passkeys.0.last_used_at") == "" {
		t.Error("got no last use of the passkey, want it")
	}
	ann.Do("DELETE", factorAPI+"/passkeys/"+id, map[string]any{"current_password": "wrong"}).WantError(422, "invalid_value")
	ann.Do("DELETE", factorAPI+"/passkeys/"+id, map[string]any{"current_password": apptest.Password}).Want(200)
	web.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
}
