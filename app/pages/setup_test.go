package pages_test

import (
	"os"
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

// The set-up asks for the name and the address of the server, and suggests the address that the
// browser has used. The name has effect at once, the address after a restart.
func TestSetupStoresTheNameAndTheAddressOfTheServer(t *testing.T) {
	s := apptest.New(t)
	web := s.Unauthenticated().With("Accept", browserAccept)
	code := s.SetupCode()
	wantPage(t, web.With("Sec-Fetch-Mode", "navigate").Do("GET", "/setup?code="+code).Want(200), `name="server_name"`, `name="base_url" type="url" value="`+s.HTTP.URL+`"`, "certificate can be set up later")
	setUp := func(name, address string) *apptest.Answer {
		return web.Do("POST", "/setup", form("code", code, "email", "ann@example.org", "display_name", "Ann", "password", apptest.Password, "server_name", name, "base_url", address))
	}
	wantPage(t, setUp("Mill Lane", "home.example.org").Want(422), "begins with http:// or https://", `name="server_name" type="text" value="Mill Lane"`)
	wantPage(t, setUp(strings.Repeat("x", 61), "https://home.example.org").Want(422), "at most 60 characters")
	page := setUp(`The "Mill"`, "https://Home.Example.org/")
	wantPage(t, page.Want(200), "The address https://home.example.org is stored", "Restart the server",
		"Without a reverse proxy, other devices cannot open https://home.example.org. Set listen")

	ann := withCookieOf(web, page)
	wantPage(t, web.Do("GET", "/world/login").Want(200), "<h1>The &#34;Mill&#34;</h1>")
	wantPage(t, web.Do("GET", "/app/").Want(200), "<title>The &#34;Mill&#34;</title>")
	text, err := os.ReadFile(s.Settings.File())
	if want := "base-url = \"https://home.example.org\"\nserver-name = \"The \\\"Mill\\\"\"\n"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("got the settings file\n%s(%v)\nwant in it\n%s", text, err, want)
	}
	wantPage(t, web.Do("GET", invitationTo(ann, "")).Want(200), "Ann invites you to The &#34;Mill&#34;.")
}

// A name and an address that are set already are shown, but a form cannot change them.
func TestSetupKeepsWhatIsSetElsewhere(t *testing.T) {
	s := apptest.NewWith(t, apptest.LoadSettings(t, "APPLIANCE_SERVER_NAME=Mill Lane", "APPLIANCE_BASE_URL=http://home.example.org"))
	web := s.Unauthenticated().With("Accept", browserAccept)
	code := s.SetupCode()
	wantPage(t, web.Do("GET", "/setup?code="+code).Want(200), "set by the variable APPLIANCE_SERVER_NAME", `value="Mill Lane" required readonly`, "set by the variable APPLIANCE_BASE_URL", `value="http://home.example.org" required readonly`)
	web.Do("POST", "/setup", form("code", code, "email", "ann@example.org", "display_name", "Ann", "password", apptest.Password, "server_name", "Eve", "base_url", "https://eve.example")).Want(303)
	if text, err := os.ReadFile(s.Settings.File()); err == nil && strings.Contains(string(text), "eve") || s.Settings.Title() != "Mill Lane" {
		t.Errorf("got the name %q and the settings file\n%s\nwant both unchanged", s.Settings.Title(), text)
	}
}
