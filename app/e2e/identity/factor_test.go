package identity

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc/identity"
)

const factorAPI = "/world/identity/second-factor"

// For a member with a second factor, CalDAV accepts device passwords only.
// Covers B-108.
func TestCalDAVRequiresADevicePasswordIfThereIsASecondFactor(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	propfind := func() *apptest.Answer { return ann.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/") }
	propfind().Want(207)
	if body := ann.Do("GET", "/account").Want(200).Body; strings.Contains(body, "cannot use your account password") {
		t.Error("without a second factor: the account page rejects the account password")
	}
	apptest.AddApp(ann)
	propfind().Want(401)
	if body := ann.Do("GET", "/account").Want(200).Body; !strings.Contains(body, "cannot use your account password, because they cannot ask for your second factor") {
		t.Errorf("account page: got %s, want the reason", body)
	}
	device := ann.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.password")
	basic := s.Unauthenticated()
	r := basic.With("Depth", "0").With("Authorization", basicAuth("ann", device))
	r.Do("PROPFIND", "/caldav/").Want(207)
	ann.Do("DELETE", factorAPI+"/totp", map[string]any{"current_password": apptest.Password}).Want(200)
	propfind().Want(207)
}

// The response with the secret of an authenticator app contains its QR code.
func TestSecretOfAnAuthenticatorAppHasAQRCode(t *testing.T) {
	ann := apptest.New(t).Member("ann")
	a := ann.Do("POST", "/world/identity/second-factor/totp", map[string]any{"current_password": apptest.Password}).Want(201)
	if a.Str("totp.secret") == "" || a.Str("totp.qr.path") == "" || a.At("totp.qr.size").(float64) < 29 {
		t.Errorf("got %s, want the secret and a QR code of at least 29 units", a.Body)
	}
}

var qrCode = regexp.MustCompile(`<svg class="qr" viewBox="0 0 (\d+) `)

// hiddenValue returns the value of a hidden field or of a data attribute of a page.
func hiddenValue(a *apptest.Answer, name string) string {
	a.T.Helper()
	m := regexp.MustCompile(`(?:name="` + name + `" value|` + name + `)="([^"]*)"`).FindStringSubmatch(a.Body)
	if m == nil {
		a.T.Fatalf("%s: got no %s, want it\n%s", a.About, name, a.Body)
	}
	return html.UnescapeString(m[1])
}

// form returns a form with the fields in pairs, which alternates names and values.
func form(pairs ...string) apptest.Form {
	values := make(url.Values)
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return apptest.Form(values.Encode())
}

func TestPagesAddUseAndRemoveAnApp(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	if body := ann.Do("GET", "/account").Want(200).Body; !strings.Contains(body, "Passkeys are not available") || !strings.Contains(body, "Add authenticator app") {
		t.Errorf("got %s, want authenticator apps only, without HTTPS", body)
	}
	if a := ann.Do("POST", "/account", form("do", "enroll_totp", "current_password", "wrong")).Want(200); !strings.Contains(a.Body, "Current password is wrong") {
		t.Errorf("wrong password: got %s, want an error", a.Body)
	}
	if a := ann.Do("POST", "/account", form("do", "enroll_totp")).Want(200); !strings.Contains(a.Body, "Enter your current password") {
		t.Errorf("no password: got %s, want an error", a.Body)
	}
	page := ann.Do("POST", "/account", form("do", "enroll_totp", "current_password", apptest.Password)).Want(200)
	if !qrCode.MatchString(page.Body) || page.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("got %s, want a QR code that is not cached", page.Body)
	}
	secret := shownSecret(page)
	wrong := ann.Do("POST", "/account", form("do", "confirm_totp", "code", "1")).Want(200)
	if !strings.Contains(wrong.Body, "This code is wrong") || !qrCode.MatchString(wrong.Body) {
		t.Errorf("wrong code: got %s, want an error and the QR code again", wrong.Body)
	}
	confirmed := ann.Do("POST", "/account", form("do", "confirm_totp", "code", apptest.AppCode(ann, secret))).Want(200)
	codes := regexp.MustCompile(`<li><code>([^<]*)</code>`).FindAllStringSubmatch(confirmed.Body, -1)
	if len(codes) != 10 {
		t.Fatalf("got %d recovery codes, want 10\n%s", len(codes), confirmed.Body)
	}
	if again := ann.Do("GET", "/account").Want(200).Body; strings.Contains(again, codes[0][1]) || strings.Contains(again, secret) {
		t.Error("got a secret on the page again, want it shown once")
	}

	s.Clock.Advance(time.Minute)
	web := s.Unauthenticated()
	second := web.Do("POST", "/world/login", form("login", "ann", "password", apptest.Password, "return_to", "/account")).Want(200)
	answer := func(page *apptest.Answer, code string) *apptest.Answer {
		return web.Do("POST", "/world/login/second-factor", form("challenge", hiddenValue(page, "challenge"), "return_to", hiddenValue(page, "return_to"), "code", code))
	}
	second = answer(second, "000000").Want(401)
	if !strings.Contains(second.Body, "This code is wrong") {
		t.Errorf("wrong code: got %s, want an error", second.Body)
	}
	signedIn := answer(second, apptest.AppCode(ann, secret)).Want(303)
	if got := signedIn.Header.Get("Location"); got != "/account" {
		t.Errorf("got a redirect to %s, want /account", got)
	}
	me := browser(web, signedIn)
	me.Do("GET", "/account").Want(200)
	if a := answer(second, codes[1][1]).Want(401); !strings.Contains(a.Body, "took too long") {
		t.Errorf("used challenge: got %s, want the sign-in page", a.Body)
	}
	renewed := me.Do("POST", "/account", form("do", "renew_recovery_codes", "code", codes[2][1])).Want(200)
	if strings.Contains(renewed.Body, codes[3][1]) || strings.Count(renewed.Body, "<li><code>") != 10 {
		t.Errorf("got %s, want ten new recovery codes", renewed.Body)
	}
	removed := me.Do("POST", "/account", form("do", "remove_totp", "current_password", apptest.Password)).Want(200)
	if !strings.Contains(removed.Body, "The authenticator app is removed.") {
		t.Errorf("got %s, want it removed", removed.Body)
	}
	late := me.Do("POST", "/account", form("do", "confirm_totp", "code", "000000")).Want(200)
	if !strings.Contains(late.Body, "No authenticator app is waiting") || strings.Contains(late.Body, "is a second factor now") {
		t.Errorf("code without an app: got %s, want an error", late.Body)
	}
	web.Do("POST", "/world/login", form("login", "ann", "password", apptest.Password)).Want(303)
}

// homeURL is a base URL with HTTPS and a host name, which passkeys require.
const homeURL = "https://home.example.org"

func withHTTPS(s *config.Settings) { s.BaseURL = homeURL }

func TestPagesAddAndUseAPasskey(t *testing.T) {
	s := apptest.New(t, withHTTPS)
	ann := s.Member("ann")
	device := apptest.NewAuthenticator(t, homeURL, "home.example.org")
	options := func(a *apptest.Answer) (v any) {
		if err := json.Unmarshal([]byte(hiddenValue(a, "data-options")), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	page := ann.Do("POST", "/account", form("do", "begin_passkey", "current_password", apptest.Password, "label", "Phone")).Want(200)
	if csp := page.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self'") || strings.Contains(csp, "unsafe") {
		t.Errorf("got the policy %s, want scripts of this server only", csp)
	}
	script := regexp.MustCompile(`<script type="module" src="(/assets/app/[0-9a-f]+/passkey.js)" data-base="">`).FindStringSubmatch(page.Body)
	if script == nil {
		t.Fatalf("got %s, want the script", page.Body)
	}
	if got := ann.Do("GET", script[1]).Want(200).Header.Get("Content-Type"); !strings.Contains(got, "javascript") {
		t.Errorf("script: got the type %s, want JavaScript", got)
	}
	ann.Do("POST", "/account", form("do", "add_passkey", "challenge", hiddenValue(page, "challenge"), "label", "Phone", "passkey", text(device.Create(options(page))))).Want(200)

	web := s.Unauthenticated()
	second := web.Do("POST", "/world/login", form("login", "ann", "password", apptest.Password, "return_to", "/account")).Want(200)
	signedIn := web.Do("POST", "/world/login/second-factor", form("challenge", hiddenValue(second, "challenge"), "return_to", "/account", "passkey", text(device.Get(options(second))))).Want(303)
	me := browser(web, signedIn)
	if methods := me.Do("GET", "/world/identity/sessions").Want(200).Values("sessions", "method"); !slices.Contains(methods, "password+passkey") {
		t.Errorf("got sessions by %q, want one by password and passkey", methods)
	}
	late := me.Do("POST", "/account", form("do", "begin_passkey", "current_password", apptest.Password, "label", "Late")).Want(200)
	s.Clock.Advance(5 * time.Minute)
	expired := me.Do("POST", "/account", form("do", "add_passkey", "challenge", hiddenValue(late, "challenge"), "label", "Late", "passkey", "{}")).Want(200)
	if !strings.Contains(expired.Body, "This took too long") || expired.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("expired challenge: got %s, want an error on the page", expired.Body)
	}
	remove := form("do", "remove_passkey", "id", me.Do("GET", factorAPI).Want(200).Str("second_factor.passkeys.0.id"), "current_password", apptest.Password)
	for range 2 { // a repeated removal succeeds
		if a := me.Do("POST", "/account", remove).Want(200); !strings.Contains(a.Body, "The passkey is removed.") {
			t.Errorf("got %s, want the passkey removed", a.Body)
		}
	}
	web.Do("POST", "/world/login", form("login", "ann", "password", apptest.Password)).Want(303)
}

// If the setting second-factor requires a second factor, a session of a member without one permits
// only adding one.
func TestRequiredSecondFactorLeadsToEnrollment(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.SecondFactor = "all" })
	ann := s.Member("ann")
	login := s.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
	login.WantValues("", map[string]any{"second_factor": identity.EnrollmentRequired})
	for _, path := range []string{"/world/runtime", "/identity/me", "/world/identity/export", "/world/identity/sessions"} {
		ann.AsRuntime().Do("GET", path).WantError(403, "second_factor_enrollment_required")
	}
	ann.Do("POST", "/world/calendars", `{"name": "Work"}`).WantError(403, "second_factor_enrollment_required")
	ann.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(401)
	wantOnlyFactors(ann)
	web := s.Unauthenticated()
	if got := web.Do("POST", "/world/login", form("login", "ann", "password", apptest.Password, "return_to", "/app/")).Want(303).Header.Get("Location"); got != "/account" {
		t.Errorf("sign-in page: got a redirect to %s, want the account page", got)
	}
	ann.Do("GET", factorAPI).Want(200).WantValues("second_factor", map[string]any{"required": true, "enabled": false})
	enrolled := ann.Do("POST", "/account", form("do", "enroll_totp", "current_password", apptest.Password)).Want(200)
	confirmed := ann.Do("POST", "/account", form("do", "confirm_totp", "code", apptest.AppCode(ann, shownSecret(enrolled)))).Want(200)
	for _, want := range []string{"Your recovery codes", "Create device password", "Change password", "Open the app"} {
		if !strings.Contains(confirmed.Body, want) {
			t.Errorf("after the enrollment: got\n%s\nwant %s", confirmed.Body, want)
		}
	}
	ann.Do("GET", "/identity/me").Want(200)
}

// wantOnlyFactors fails the test unless the account page has only the forms that add a second
// factor, and rejects the others.
func wantOnlyFactors(c *apptest.Client) {
	c.T.Helper()
	page := c.Do("GET", "/account").Want(200).Body
	forms := regexp.MustCompile(`name="do" value="(\w+)"`).FindAllStringSubmatch(page, -1)
	if len(forms) != 1 || forms[0][1] != "enroll_totp" || !strings.Contains(page, "Add one to continue.") || !strings.Contains(page, `action="/world/logout"`) {
		c.T.Errorf("account page: got\n%s\nwant only the form that adds an authenticator app, and the sign-out", page)
	}
	c.Server.WantUnchanged("forms before the enrollment", func() {
		for _, fields := range [][]string{
			{"do", "change_password", "current_password", apptest.Password, "new_password", "battery staple horse"},
			{"do", "create_device", "label", "Phone"}, {"do", "remove_device", "id", "dev_x"},
		} {
			if got := c.Do("POST", "/account", form(fields...)).Want(303).Header.Get("Location"); got != "/account" {
				c.T.Errorf("%s: got a redirect to %s, want the account page", fields[1], got)
			}
		}
	})
}

// shownSecret returns the secret of an authenticator app on the account page.
func shownSecret(page *apptest.Answer) string {
	page.T.Helper()
	shown := regexp.MustCompile(`<output class="secret">([^<]*)`).FindStringSubmatch(page.Want(200).Body)
	if shown == nil {
		page.T.Fatalf("%s: got no secret\n%s", page.About, page.Body)
	}
	return strings.ReplaceAll(shown[1], " ", "")
}

// Backups contain no key of second factors.
func TestKeyFileIsPrivate(t *testing.T) {
	s := apptest.New(t)
	secret, _ := apptest.AddApp(s.Member("ann"))
	info, err := os.Stat(s.Settings.FactorKeyFile())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("got the mode %v (%v), want 0600", info.Mode(), err)
	}
	for table, rows := range s.Rows() {
		if strings.Contains(rows, secret) {
			t.Errorf("table %s contains the secret of the authenticator app", table)
		}
	}
	if strings.Contains(s.Log.String(), secret) {
		t.Error("the log contains the secret of the authenticator app")
	}
}
