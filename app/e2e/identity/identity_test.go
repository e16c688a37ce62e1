package identity

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/identity"
)

// jar is a browser: it keeps the cookie.
func jar(c *apptest.Client, a *apptest.Answer) *apptest.Client {
	c.T.Helper()
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		if cookie.Name == apptest.CookieName {
			return c.With("Cookie", apptest.CookieName+"="+cookie.Value)
		}
	}
	c.T.Fatalf("%s: no cookie", a.About)
	return nil
}

// Covers I-01, I-02, I-03, I-04, I-05, I-07, I-28, W-140, W-141 and B-07.
func TestRegisterLoginLogout(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.Registration = "open" })
	who := h.Unauthenticated()
	a := who.Do("POST", "/identity/register", map[string]any{
		"email": "ann@example.org", "username": "ann", "display_name": "Ann", "password": apptest.Password, "password_confirmation": apptest.Password,
	}).Want(201)
	if a.At("member.id") != 1.0 || a.Str("member.status") != "active" || a.Str("member.timezone") != "Europe/Berlin" || a.Str("token.token_type") != "Bearer" {
		t.Errorf("registered as %s", a.Body)
	}
	bearer := who.With("Authorization", "Bearer "+a.Str("token.access_token"))
	me := bearer.Do("GET", "/world/identity/me").Want(200)
	if me.Str("member.email") != "ann@example.org" || me.Str("email") != "ann@example.org" || me.At("id") != 1.0 || me.Str("display_name") != "Ann" {
		t.Errorf("me: %s", me.Body)
	}
	for _, body := range []any{
		map[string]any{"login": "ann", "password": apptest.Password},
		map[string]any{"login": "ANN@example.org", "password": apptest.Password},
		map[string]any{"email": "ann@example.org", "password": apptest.Password},
		map[string]any{"username": "ann", "password": apptest.Password},
		apptest.Form("login=ann&password=" + url.QueryEscape(apptest.Password)),
	} {
		who.Do("POST", "/identity/login", body).Want(200)
	}
	login := who.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password})
	browser := jar(who, login)
	browser.Do("GET", "/identity/me").Want(200)
	browser.Runtime().Do("GET", "/world/runtime").Want(200)
	// The header counts before the cookie, even a bad one.
	bea := h.Member("bea")
	if got := browser.With("Authorization", bea.Headers["Authorization"]).Do("GET", "/identity/me"); got.Str("display_name") != "Bea" {
		t.Errorf("with both credentials: %s", got.Body)
	}
	browser.With("Authorization", "Bearer bad").Do("GET", "/identity/me").WantError(401, "unauthenticated")

	out := browser.Do("POST", "/identity/logout").Want(200)
	if c := out.Header.Get("Set-Cookie"); !strings.Contains(c, "Max-Age=0") {
		t.Errorf("logout leaves the cookie: %s", c)
	}
	browser.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	bearer.Do("GET", "/identity/me").Want(200)
	bearer.Do("POST", "/identity/logout", `{"all": true}`).Want(200)
	bearer.Do("GET", "/identity/me").WantError(401, "unauthenticated")
}

// Covers I-17.
func TestCookie(t *testing.T) {
	for base, secure := range map[string]bool{"": false, "https://example.org": true} {
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL = base })
		h.Member("ann")
		c := h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Header.Get("Set-Cookie")
		if !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Lax") || !strings.Contains(c, "Path=/;") || strings.Contains(c, "Secure") != secure {
			t.Errorf("base-url %q: cookie %s", base, c)
		}
	}
}

// Nothing tells a wrong password from an unknown member: not the answer, and
// not the work done for it. Covers I-20.
func TestWrongPasswordAndUnknownMemberAreTheSame(t *testing.T) {
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
	known, unknown := ask("ann", "wrong password 1"), ask("nobody", "wrong password 2")
	if known != unknown || known.hashes != 1 {
		t.Errorf("a wrong password: %v; an unknown member: %v; want the same, and one hash", known, unknown)
	}
}

// Covers I-21.
func TestRegistrationIsChecked(t *testing.T) {
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
		t.Errorf("the username made of a taken one is %q", got)
	}
}

// Covers I-22, B-07's policies and X-25.
func TestWhoMayRegister(t *testing.T) {
	body := map[string]any{"email": "bea@example.org", "password": apptest.Password}
	h := apptest.New(t)
	h.Unauthenticated().Do("POST", "/identity/register", body).WantError(403, "registration_closed")
	h.Unauthenticated().Do("GET", "/world/register").Want(403)
	h = apptest.New(t, func(s *config.Settings) { s.Registration = "open"; s.AdminAllowedEmails = []string{"op@example.org"} })
	h.Unauthenticated().Do("POST", "/identity/register", map[string]any{"email": "OP@example.org", "password": apptest.Password}).WantError(403, "email_reserved")
	h.Unauthenticated().Do("POST", "/identity/register", body).Want(201)
	h.Unauthenticated().Do("GET", "/world/register").Want(200)
}

// Covers I-24 and B-81: the eleventh wrong password has to wait, and the one
// that a phone repeats counts once.
func TestGuessingIsSlow(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	wrong := func(i int) *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": fmt.Sprint("guess number ", i)})
	}
	for range 20 {
		wrong(0).WantError(401, "invalid_credentials")
	}
	hashes := h.App.Identity.Hashes()
	wrong(0).WantError(401, "invalid_credentials")
	if h.App.Identity.Hashes() != hashes {
		t.Error("repeating a wrong password costs hashes")
	}
	for i := range 9 {
		wrong(i+1).WantError(401, "invalid_credentials")
	}
	a := wrong(10).WantError(429, "rate_limited")
	if a.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	// Not even the right one, for as long as it takes.
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).WantError(429, "rate_limited")
	ann.Do("GET", "/identity/me").Want(200)
	h.Clock.Advance(15 * time.Minute)
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
}

// atOnce sends n logins together and counts the statuses.
func atOnce(h *apptest.Server, n int, login, password func(i int) string) map[int]int {
	h.T.Helper()
	statuses := make([]int, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			statuses[i] = h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": login(i), "password": password(i)}).Status
		})
	}
	all.Wait()
	counts := make(map[int]int)
	for _, s := range statuses {
		counts[s]++
	}
	return counts
}

func always(s string) func(int) string { return func(int) string { return s } }

// Guesses are counted before they are looked at, so that many at once are no
// more than one after the other; and what proves right costs nothing.
func TestGuessingInParallelIsSlow(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	for range 3 {
		if got := atOnce(h, 25, always("ann"), always(apptest.Password)); got[200] != 25 {
			t.Fatalf("the right password, 25 times at once: %v", got)
		}
	}
	if got := atOnce(h, 25, always("ann"), always("what a phone repeats")); got[401] != 25 {
		t.Fatalf("one wrong password, 25 times at once: %v", got)
	}
	hashes := h.App.Identity.Hashes()
	got := atOnce(h, 60, always("ann"), func(i int) string { return fmt.Sprint("guess number ", i) })
	if got[401] != 9 || got[429] != 51 || h.App.Identity.Hashes()-hashes != 9 {
		t.Errorf("60 guesses at once: %v, and %d hashes; want 9 to be looked at beside the phone's", got, h.App.Identity.Hashes()-hashes)
	}
}

// The names of one account have one count between them.
func TestGuessingByOtherNames(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	names := []string{"ann", "ANN", " ann@example.org", "Ann@Example.Org"}
	for i := range 8 {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": names[i%4], "password": fmt.Sprint("guess ", i)}).Want(401)
	}
	// One password is one guess, whatever the name.
	for _, name := range names {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": name, "password": "the same"}).Want(401)
	}
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth("ann%40example.org", "a tenth")
	h.Unauthenticated().With("Authorization", r.Header.Get("Authorization")).Do("PROPFIND", "/caldav/").Want(401)
	for _, name := range names {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": name, "password": "one more"}).Want(429)
	}
	ann.Do("POST", "/world/identity/password", map[string]any{"current_password": "one more", "new_password": "a new password"}).Want(429)
}

// A password that was wrong a moment ago is answered as the question asks,
// wherever it was tried before.
func TestAWrongPasswordIsAnsweredWhereItIsTried(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for range 2 {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": "not this"}).WantError(401, "invalid_credentials")
		change := map[string]any{"current_password": "not this", "new_password": "a new password"}
		ann.Do("POST", "/world/identity/password", change).WantError(422, "invalid_value").WantFields("current_password")
	}
}

// A login that nobody can have is refused for nothing, and none is kept.
func TestLongLogins(t *testing.T) {
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
		t.Errorf("it cost %d hashes", n)
	}
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": long[1:], "password": "x"}).Want(401)
}

// What was refused is looked at anew once the account is another one.
func TestRefusalEndsWithTheAccount(t *testing.T) {
	h := apptest.New(t)
	logIn := func() *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "bea", "password": apptest.Password})
	}
	logIn().WantError(401, "invalid_credentials")
	bea := h.Member("bea") // signs in
	calendars := func() *apptest.Answer { return bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/") }
	op := h.Member("op")
	set := func(status string) {
		op.Do("POST", "/admin/members/update", map[string]any{"id": bea.ID, "changes": map[string]any{"status": status}}).Want(200)
	}
	set("disabled")
	logIn().WantError(401, "invalid_credentials")
	calendars().Want(401)
	set("active")
	logIn().Want(200)
	calendars().Want(207)
}

// Covers I-06.
func TestTokensEnd(t *testing.T) {
	h := apptest.New(t)
	ann, idle := h.Member("ann"), h.Member("idle")
	for day := range 170 {
		h.Clock.Advance(24 * time.Hour)
		if a := ann.Do("GET", "/identity/me"); a.Status != 200 {
			t.Fatalf("used every day, it ended on day %d", day+1)
		}
		if day == 31 {
			idle.Do("GET", "/identity/me").WantError(401, "unauthenticated")
		}
	}
	h.Clock.Advance(11 * 24 * time.Hour)
	ann.Do("GET", "/identity/me").WantError(401, "unauthenticated")
}

// Covers I-12, I-13, I-14, I-25 and C-06.
func TestOperators(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{" OP@example.org ", ""} })
	op, ann := h.Member("op"), h.Member("ann")
	ann.Do("GET", "/admin/members").WantError(403, "permission_denied")
	list := op.Do("GET", "/admin/members").Want(200)
	if len(list.List("members")) != 2 || list.At("members.0.is_operator") != true || list.At("members.1.token_count") != 1.0 {
		t.Errorf("members: %s", list.Body)
	}
	update := func(body string) *apptest.Answer { return op.Do("POST", "/admin/members/update", body) }
	if got := update(`{"id": 2, "changes": {"display_name": "Anna"}}`).Want(200).Str("member.display_name"); got != "Anna" {
		t.Errorf("renamed to %q", got)
	}
	update(`{"changes": {}}`).WantError(400, "field_required").WantFields("id")
	update(`{"id": 99, "changes": {"display_name": "x"}}`).WantError(404, "not_found")
	update(`{"id": 2, "changes": {"email": "op@example.org"}}`).WantError(409, "already_exists")
	update(`{"id": 2, "changes": {"status": "gone"}}`).WantError(422, "invalid_value")
	update(`{"id": 1, "changes": {"status": "disabled"}}`).WantError(422, "last_operator")
	ann.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
	update(`{"id": 2, "changes": {"status": "disabled"}}`).Want(200)
	ann.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	ann.Basic().Do("PROPFIND", "/caldav/").Want(401)
	update(`{"id": 2, "changes": {"status": "active", "password": "another password"}}`).Want(200)
	h.Unauthenticated().Do("POST", "/identity/login", `{"login": "ann", "password": "another password"}`).Want(200)
}

// Covers I-08, I-09, C-06 and B-12: for whoever has the service key.
func TestServicesAskIdentity(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServiceKey = "a long service key"; s.DirectoryEmail = "masked" })
	ann := h.Member("ann")
	h.Member("bea")
	key := h.Unauthenticated().With("Authorization", "Service a long service key")
	key.Do("GET", "/identity/members").WantError(400, "member_context_required")
	if got := key.Do("PUT", "/identity/members").WantError(405, "method_not_allowed").Header.Get("Allow"); got != "GET" {
		t.Errorf("the directory takes %s", got)
	}
	forAnn := key.With("X-Service-Member-Id", "1")
	list := forAnn.Do("GET", "/identity/members").Want(200)
	if list.Str("members.1.email") != "b…@example.org" || list.Str("members.1.display_name") != "Bea" {
		t.Errorf("directory: %s", list.Body)
	}
	key.With("X-Service-Member-Id", "77").Do("GET", "/identity/members").WantError(404, "not_found")
	good := key.Do("POST", "/identity/dav/validate", map[string]any{"login": "ann@example.org", "password": apptest.Password}).Want(200)
	if good.At("valid") != true || good.At("member.id") != 1.0 || good.At("generation") == nil {
		t.Errorf("good credentials: %s", good.Body)
	}
	bad := key.Do("POST", "/identity/dav/validate", map[string]any{"login": "ann", "password": "wrong wrong"}).Want(200)
	if strings.TrimSpace(bad.Body) != `{"valid":false}` {
		t.Errorf("bad credentials: %s", bad.Body)
	}
	// The header alone makes nobody anybody (W-05, C-07).
	if got := ann.With("X-Service-Member-Id", "2").Do("GET", "/identity/me").Str("display_name"); got != "Ann" {
		t.Errorf("Ann is now %s", got)
	}
}

var secretShown = regexp.MustCompile(`<output class="secret">([^<]*)</output>\s*<p class="quiet">It is shown`)

// Everything a member does on the account page. Covers I-16 and B-09.
func TestPages(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{"op@example.org"} })
	op := h.Member("op")
	web := h.Unauthenticated()
	page := web.Do("GET", "/world/login?return_to=/account").Want(200)
	if !strings.Contains(page.Body, `<form class="sheet narrow" method="post" action="/world/login">`) || !strings.Contains(page.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the login page: %s", page.Body)
	}
	login := func(back string) *apptest.Answer {
		return web.Do("POST", "/world/login", apptest.Form("login=op&password="+url.QueryEscape(apptest.Password)+"&return_to="+url.QueryEscape(back)))
	}
	for back, want := range map[string]string{
		"/account": "/account", "/help/?x=1#y": "/help/?x=1#y", "": "/world/login/done",
		"//evil.example": "/world/login/done", "https://evil.example": "/world/login/done", "/\\evil.example": "/world/login/done",
		"/a\r\nSet-Cookie: x=y": "/world/login/done", "javascript:alert(1)": "/world/login/done", "/../..//evil.example": "/world/login/done",
	} {
		if got := login(back).Want(303).Header.Get("Location"); got != want {
			t.Errorf("return_to %q leads to %q, want %q", back, got, want)
		}
	}
	wrong := web.Do("POST", "/world/login", apptest.Form(`login=%3Cscript%3E&password=wrong`)).Want(401)
	if strings.Contains(wrong.Body, "<script>") || !strings.Contains(wrong.Body, "is wrong") || wrong.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("after a wrong password: %s", wrong.Body)
	}
	web.Do("GET", "/").Want(303)
	if got := web.Do("GET", "/account").Want(303).Header.Get("Location"); got != "/world/login?return_to=%2Faccount" {
		t.Errorf("not signed in, /account leads to %s", got)
	}

	browser := jar(web, login("/account"))
	account := browser.Do("GET", "/account").Want(200).Body
	for _, part := range []string{"iPhone", "Thunderbird", "DAVx", "GNOME", "/caldav/", "Invite a member", "Sign out everywhere"} {
		if !strings.Contains(account, part) {
			t.Errorf("the account page does not say %q", part)
		}
	}
	secret := func(a *apptest.Answer) string {
		m := secretShown.FindStringSubmatch(a.Want(200).Body)
		if m == nil {
			t.Fatalf("%s: no secret in %s", a.About, a.Body)
		}
		return m[1]
	}
	device := secret(browser.Do("POST", "/account/devices", apptest.Form("name=Phone")))
	phone := h.Unauthenticated()
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth("op", strings.ToUpper(strings.ReplaceAll(device, "-", " ")))
	phone = phone.With("Authorization", r.Header.Get("Authorization")).With("Depth", "0")
	phone.Do("PROPFIND", "/caldav/").Want(207)
	if again := browser.Do("GET", "/account").Body; strings.Contains(again, device) || !strings.Contains(again, "Phone") {
		t.Error("the device password is shown again, or not listed")
	}
	id := regexp.MustCompile(`/account/devices/(dev_\w+)/delete`).FindStringSubmatch(browser.Do("GET", "/account").Body)[1]
	browser.Do("POST", "/account/devices/"+id+"/delete").Want(200)
	phone.Do("PROPFIND", "/caldav/").Want(401)
	browser.Do("POST", "/account/devices/"+id+"/delete").Want(200)

	invitation := strings.TrimPrefix(secret(browser.Do("POST", "/account/invitations", apptest.Form("email=bea@example.org"))), h.Settings.URL().String())
	if !strings.Contains(web.Do("GET", invitation).Want(200).Body, "bea@example.org") {
		t.Error("the invitation does not say whom it is for")
	}
	join := func(email string) *apptest.Answer {
		return web.Do("POST", invitation, apptest.Form("email="+email+"&display_name=Bea&password="+url.QueryEscape(apptest.Password)))
	}
	if a := join("mallory@example.org").Want(422); !strings.Contains(a.Body, "bea@example.org") {
		t.Errorf("somebody else's use of it: %s", a.Body)
	}
	bea := jar(web, join("bea@example.org").Want(303))
	web.Do("GET", invitation).Want(404)
	join("bea@example.org").Want(404)
	if strings.Contains(bea.Do("GET", "/account").Want(200).Body, "Invite a member") {
		t.Error("Bea may invite")
	}
	bea.Do("POST", "/account/invitations", apptest.Form("email=")).Want(403)

	if a := bea.Do("POST", "/account/profile", apptest.Form("display_name=Beatrix&timezone=Mars/X")).Want(200); !strings.Contains(a.Body, `role="alert"`) {
		t.Error("a wrong time zone was accepted")
	}
	bea.Do("POST", "/account/profile", apptest.Form("display_name=Beatrix&timezone=Asia/Tokyo")).Want(200)
	if me := bea.Do("GET", "/identity/me"); me.Str("display_name") != "Beatrix" || me.Str("member.timezone") != "Asia/Tokyo" {
		t.Errorf("the profile is %s", me.Body)
	}

	other := jar(web, web.Do("POST", "/world/login", apptest.Form("login=bea&password="+url.QueryEscape(apptest.Password))))
	change := func(now, next string) *apptest.Answer {
		return bea.Do("POST", "/account/password", apptest.Form("current_password="+url.QueryEscape(now)+"&new_password="+url.QueryEscape(next)))
	}
	if a := change("not it", "a new password"); !strings.Contains(a.Want(200).Body, "Current password is wrong") {
		t.Error("the wrong current password was accepted")
	}
	if a := change(apptest.Password, "short"); !strings.Contains(a.Want(200).Body, "at least 8") {
		t.Errorf("a short password was accepted: %s", a.Body)
	}
	other.Do("GET", "/identity/me").Want(200)
	change(apptest.Password, "a new password").Want(200)
	bea.Do("GET", "/identity/me").Want(200)
	other.Do("GET", "/identity/me").Want(401)

	// A reset link, which an operator hands over.
	var code string
	err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
		by, err := h.App.Identity.Operator(tx, op.Viewer())
		if err != nil {
			return err
		}
		link, err := h.App.Identity.AddResetLink(tx, by, 2)
		code = link.Code
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(web.Do("GET", "/world/reset/"+code).Want(200).Body, "Beatrix") {
		t.Error("the page does not say whose password it is")
	}
	web.Do("POST", "/world/reset/"+code, apptest.Form("password=short")).Want(422)
	web.Do("POST", "/world/reset/"+code, apptest.Form("password=yet+another+one")).Want(303)
	web.Do("GET", "/world/reset/"+code).Want(404)
	bea.Do("GET", "/identity/me").Want(401)

	browser.Do("POST", "/account/sessions/delete").Want(303)
	browser.Do("GET", "/identity/me").Want(401)
	web.Do("POST", "/world/logout").Want(303)
	manual := web.Do("GET", "/help/").Want(200).Body
	topics := regexp.MustCompile(`href="(/help/[a-z-]+)"`).FindAllStringSubmatch(manual, -1)
	if len(topics) < 10 {
		t.Errorf("the manual has %d topics, want more", len(topics))
	}
	for _, topic := range topics {
		if a := web.Do("GET", topic[1]).Want(200); !strings.Contains(a.Body, "<h1>") {
			t.Errorf("%s: %s", topic[1], a.Body)
		}
	}
	web.Do("GET", "/help/nothing").Want(404)
	web.Do("GET", regexp.MustCompile(`/assets/[0-9a-f]+/style.css`).FindString(manual)).Want(200)
	web.Do("GET", "/assets/old/style.css").Want(404)
}

// The set-up link makes one operator, once. Covers I-22 and SH-03.
func TestSetupLink(t *testing.T) {
	h := apptest.New(t)
	code := h.App.Setup.NewCode()
	web := h.Unauthenticated()
	web.Do("GET", "/setup?code=guess").Want(404)
	web.Do("GET", "/setup?code="+code).Want(200)
	form := func(code, email string) apptest.Form {
		return apptest.Form("code=" + code + "&email=" + email + "&display_name=Ann&password=" + url.QueryEscape(apptest.Password))
	}
	web.Do("POST", "/setup", form("guess", "ann@example.org")).Want(404)
	web.Do("POST", "/setup", form(code, "no-address")).Want(422)
	if _, err := os.Stat(h.Settings.File()); err == nil {
		t.Error("a refused set-up wrote the settings file")
	}
	ann := jar(web, web.Do("POST", "/setup", form(code, "ann@example.org")).Want(303))
	if ann.Do("GET", "/identity/me").Want(200).At("member.is_operator") != true {
		t.Error("the first member is no operator")
	}
	ann.Do("GET", "/admin/members").Want(200)
	web.Do("GET", "/setup?code="+code).Want(404)
	web.Do("POST", "/setup", form(code, "eve@example.org")).Want(404)
	text, err := os.ReadFile(h.Settings.File())
	if err != nil || string(text) != "admin-allowed-emails = \"ann@example.org\"\n" {
		t.Errorf("the settings file says %q, %v", text, err)
	}

	late := apptest.New(t)
	code = late.App.Setup.NewCode()
	late.Clock.Advance(time.Hour)
	late.Unauthenticated().Do("GET", "/setup?code="+code).Want(404)

	fixed := apptest.New(t, func(s *config.Settings) {
		*s = *apptest.LoadSettings(t, config.OperatorsVariable+"=op@example.org")
	})
	code = fixed.App.Setup.NewCode()
	fixed.Unauthenticated().Do("POST", "/setup", form(code, "eve@example.org")).Want(403)
	fixed.Unauthenticated().Do("POST", "/setup", form(code, "op@example.org")).Want(303)
}

// Two at once, from the same link: one operator.
func TestSetupTwiceAtOnce(t *testing.T) {
	h := apptest.New(t)
	code := h.App.Setup.NewCode()
	var all sync.WaitGroup
	statuses := make([]int, 6)
	for i := range statuses {
		all.Go(func() {
			body := fmt.Sprintf("code=%s&email=m%d@example.org&display_name=M&password=%s", code, i, url.QueryEscape(apptest.Password))
			statuses[i] = h.Unauthenticated().Do("POST", "/setup", apptest.Form(body)).Status
		})
	}
	all.Wait()
	done := 0
	for _, s := range statuses {
		if s == 303 {
			done++
		}
	}
	if done != 1 {
		t.Errorf("statuses %v, want one 303", statuses)
	}
	var members identity.MemberPage
	err := h.DB.Read(t.Context(), func(tx *store.Tx) (err error) {
		members, err = h.App.Identity.Members(tx, identity.CommandLine("test"), identity.MemberQuery{})
		return err
	})
	if err != nil || len(members.Members) != 1 {
		t.Errorf("%d members, %v", len(members.Members), err)
	}
	if text, _ := os.ReadFile(h.Settings.File()); strings.Count(string(text), "@") != 1 {
		t.Errorf("the settings file has more than one operator: %s", text)
	}
}
