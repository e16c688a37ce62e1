package pages_test

import (
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Before the set-up there is no account to sign in to: in place of the sign-in page, a page says where the
// set-up link is. It does not contain the link.
func TestSignInPageOfAnEmptyServerNamesTheSetupLink(t *testing.T) {
	s := apptest.New(t)
	web := s.Unauthenticated().With("Accept", browserAccept)
	code := s.SetupCode()
	if got := web.Do("GET", "/").Want(303).Header.Get("Location"); !strings.HasPrefix(got, "/world/login") {
		t.Errorf("/: got a redirect to %q, want /world/login", got)
	}
	page := web.Do("GET", "/world/login").Want(200)
	wantPage(t, page, "This server is not set up yet", "appliance setup --link", "appliance serve")
	if strings.Contains(page.Body, code) || strings.Contains(page.Body, "password") {
		t.Errorf("got\n%s\nwant neither the code of the link nor a form", page.Body)
	}
	wantPage(t, web.With("Accept-Language", "de").Do("GET", "/world/login").Want(200), "Dieser Server ist noch nicht eingerichtet", "appliance setup --link")

	web.Do("POST", "/setup", form("code", code, "email", "ann@example.org", "display_name", "Ann", "password", apptest.Password)).Want(303)
	wantPage(t, web.Do("GET", "/world/login").Want(200), `name="password"`)
}

// With open registration, an empty server has a sign-in page, because it leads to the registration.
func TestSignInPageOfAnOpenServerLeadsToTheRegistration(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.Registration = "open" })
	wantPage(t, s.Unauthenticated().With("Accept", browserAccept).Do("GET", "/world/login").Want(200), "/world/register")
}
