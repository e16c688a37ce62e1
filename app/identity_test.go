package app

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

	"appliance/app/config"
	"appliance/store"
	"appliance/svc/identity"
)

// jar is a browser: it keeps the cookie.
func (c *client) jar(a *answer) *client {
	c.t.Helper()
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if cookie.Name == cookieName {
			return c.with("Cookie", cookieName+"="+cookie.Value)
		}
	}
	c.t.Fatalf("%s: no cookie", a.about)
	return nil
}

// Covers I-01, I-02, I-03, I-04, I-05, I-07, I-28, W-140, W-141 and B-07.
func TestRegisterLoginLogout(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.Registration = "open" })
	who := h.nobody()
	a := who.do("POST", "/identity/register", map[string]any{
		"email": "ann@example.org", "username": "ann", "display_name": "Ann", "password": password, "password_confirmation": password,
	}).want(201)
	if a.at("member.id") != 1.0 || a.str("member.status") != "active" || a.str("member.timezone") != "Europe/Berlin" || a.str("token.token_type") != "Bearer" {
		t.Errorf("registered as %s", a.body)
	}
	bearer := who.with("Authorization", "Bearer "+a.str("token.access_token"))
	me := bearer.do("GET", "/world/identity/me").want(200)
	if me.str("member.email") != "ann@example.org" || me.str("email") != "ann@example.org" || me.at("id") != 1.0 || me.str("display_name") != "Ann" {
		t.Errorf("me: %s", me.body)
	}
	for _, body := range []any{
		map[string]any{"login": "ann", "password": password},
		map[string]any{"login": "ANN@example.org", "password": password},
		map[string]any{"email": "ann@example.org", "password": password},
		map[string]any{"username": "ann", "password": password},
		formBody("login=ann&password=" + url.QueryEscape(password)),
	} {
		who.do("POST", "/identity/login", body).want(200)
	}
	login := who.do("POST", "/identity/login", map[string]any{"login": "ann", "password": password})
	browser := who.jar(login)
	browser.do("GET", "/identity/me").want(200)
	browser.runtime().do("GET", "/world/runtime").want(200)
	// The header counts before the cookie, even a bad one.
	bea := h.member("bea")
	if got := browser.with("Authorization", bea.headers["Authorization"]).do("GET", "/identity/me"); got.str("display_name") != "Bea" {
		t.Errorf("with both credentials: %s", got.body)
	}
	browser.with("Authorization", "Bearer bad").do("GET", "/identity/me").refused(401, "unauthenticated")

	out := browser.do("POST", "/identity/logout").want(200)
	if c := out.header.Get("Set-Cookie"); !strings.Contains(c, "Max-Age=0") {
		t.Errorf("logout leaves the cookie: %s", c)
	}
	browser.do("GET", "/identity/me").refused(401, "unauthenticated")
	bearer.do("GET", "/identity/me").want(200)
	bearer.do("POST", "/identity/logout", `{"all": true}`).want(200)
	bearer.do("GET", "/identity/me").refused(401, "unauthenticated")
}

// Covers I-17.
func TestCookie(t *testing.T) {
	for base, secure := range map[string]bool{"": false, "https://example.org": true} {
		h := open(t, func(s *config.Settings) { s.BaseURL = base })
		h.member("ann")
		c := h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": password}).header.Get("Set-Cookie")
		if !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Lax") || !strings.Contains(c, "Path=/;") || strings.Contains(c, "Secure") != secure {
			t.Errorf("base-url %q: cookie %s", base, c)
		}
	}
}

// Nothing tells a wrong password from an unknown member: not the answer, and
// not the work done for it. Covers I-20.
func TestWrongPasswordAndUnknownMemberAreTheSame(t *testing.T) {
	h := open(t)
	h.member("ann")
	type outcome struct {
		message string
		hashes  int64
	}
	ask := func(login, pass string) outcome {
		before := h.identity.Hashes()
		a := h.nobody().do("POST", "/identity/login", map[string]any{"login": login, "password": pass}).refused(401, "invalid_credentials")
		return outcome{a.str("error.message"), h.identity.Hashes() - before}
	}
	known, unknown := ask("ann", "wrong password 1"), ask("nobody", "wrong password 2")
	if known != unknown || known.hashes != 1 {
		t.Errorf("a wrong password: %v; an unknown member: %v; want the same, and one hash", known, unknown)
	}
}

// Covers I-21.
func TestRegistrationIsChecked(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.Registration = "open" })
	h.member("ann")
	register := func(change ...string) *answer {
		body := map[string]any{"email": "bea@example.org", "username": "bea", "password": password}
		for i := 0; i < len(change); i += 2 {
			body[change[i]] = change[i+1]
		}
		return h.nobody().do("POST", "/identity/register", body)
	}
	h.nobody().do("POST", "/identity/register", `{}`).refused(400, "field_required").names("email", "password")
	register("email", "no address").refused(422, "invalid_value").names("email")
	register("password", "short").refused(422, "weak_password").names("password")
	register("password", "bea@example.org").refused(422, "weak_password").names("password")
	register("username", "12345").refused(422, "invalid_value").names("username")
	register("email", "ANN@example.org", "username", "ann").refused(409, "already_exists").names("email", "username")
	register().want(201)
	if got := register("email", "ann@other.example", "username", "").want(201).str("member.username"); got != "ann-2" {
		t.Errorf("the username made of a taken one is %q", got)
	}
}

// Covers I-22, B-07's policies and X-25.
func TestWhoMayRegister(t *testing.T) {
	body := map[string]any{"email": "bea@example.org", "password": password}
	h := open(t)
	h.nobody().do("POST", "/identity/register", body).refused(403, "registration_closed")
	h.nobody().do("GET", "/world/register").want(403)
	h = open(t, func(s *config.Settings) { s.Registration = "open"; s.AdminAllowedEmails = []string{"op@example.org"} })
	h.nobody().do("POST", "/identity/register", map[string]any{"email": "OP@example.org", "password": password}).refused(403, "email_reserved")
	h.nobody().do("POST", "/identity/register", body).want(201)
	h.nobody().do("GET", "/world/register").want(200)
}

// Covers I-24 and B-81: the eleventh wrong password has to wait, and the one
// that a phone repeats counts once.
func TestGuessingIsSlow(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	wrong := func(i int) *answer {
		return h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": fmt.Sprint("guess number ", i)})
	}
	for range 20 {
		wrong(0).refused(401, "invalid_credentials")
	}
	hashes := h.identity.Hashes()
	wrong(0).refused(401, "invalid_credentials")
	if h.identity.Hashes() != hashes {
		t.Error("repeating a wrong password costs hashes")
	}
	for i := range 9 {
		wrong(i+1).refused(401, "invalid_credentials")
	}
	a := wrong(10).refused(429, "rate_limited")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	// Not even the right one, for as long as it takes.
	h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": password}).refused(429, "rate_limited")
	ann.do("GET", "/identity/me").want(200)
	h.clock.Advance(15 * time.Minute)
	h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": password}).want(200)
}

// atOnce sends n logins together and counts the statuses.
func (h *house) atOnce(n int, login, password func(i int) string) map[int]int {
	h.t.Helper()
	statuses := make([]int, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			statuses[i] = h.nobody().do("POST", "/identity/login", map[string]any{"login": login(i), "password": password(i)}).status
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
	h := open(t)
	h.member("ann")
	for range 3 {
		if got := h.atOnce(25, always("ann"), always(password)); got[200] != 25 {
			t.Fatalf("the right password, 25 times at once: %v", got)
		}
	}
	if got := h.atOnce(25, always("ann"), always("what a phone repeats")); got[401] != 25 {
		t.Fatalf("one wrong password, 25 times at once: %v", got)
	}
	hashes := h.identity.Hashes()
	got := h.atOnce(60, always("ann"), func(i int) string { return fmt.Sprint("guess number ", i) })
	if got[401] != 9 || got[429] != 51 || h.identity.Hashes()-hashes != 9 {
		t.Errorf("60 guesses at once: %v, and %d hashes; want 9 to be looked at beside the phone's", got, h.identity.Hashes()-hashes)
	}
}

// The names of one account have one count between them.
func TestGuessingByOtherNames(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	names := []string{"ann", "ANN", " ann@example.org", "Ann@Example.Org"}
	for i := range 8 {
		h.nobody().do("POST", "/identity/login", map[string]any{"login": names[i%4], "password": fmt.Sprint("guess ", i)}).want(401)
	}
	// One password is one guess, whatever the name.
	for _, name := range names {
		h.nobody().do("POST", "/identity/login", map[string]any{"login": name, "password": "the same"}).want(401)
	}
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth("ann%40example.org", "a tenth")
	h.nobody().with("Authorization", r.Header.Get("Authorization")).do("PROPFIND", "/caldav/").want(401)
	for _, name := range names {
		h.nobody().do("POST", "/identity/login", map[string]any{"login": name, "password": "one more"}).want(429)
	}
	ann.do("POST", "/world/identity/password", map[string]any{"current_password": "one more", "new_password": "a new password"}).want(429)
}

// A password that was wrong a moment ago is answered as the question asks,
// wherever it was tried before.
func TestAWrongPasswordIsAnsweredWhereItIsTried(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	for range 2 {
		h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": "not this"}).refused(401, "invalid_credentials")
		change := map[string]any{"current_password": "not this", "new_password": "a new password"}
		ann.do("POST", "/world/identity/password", change).refused(422, "invalid_value").names("current_password")
	}
}

// A login that nobody can have is refused for nothing, and none is kept.
func TestLongLogins(t *testing.T) {
	h := open(t)
	long := strings.Repeat("x", identity.MaxLogin+1)
	hashes := h.identity.Hashes()
	for range 40 {
		h.nobody().do("POST", "/identity/login", map[string]any{"login": long, "password": "x"}).refused(401, "invalid_credentials")
	}
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth(long, "x")
	h.nobody().with("Authorization", r.Header.Get("Authorization")).do("PROPFIND", "/caldav/").want(401)
	if n := h.identity.Hashes() - hashes; n != 0 {
		t.Errorf("it cost %d hashes", n)
	}
	h.nobody().do("POST", "/identity/login", map[string]any{"login": long[1:], "password": "x"}).want(401)
}

// What was refused is looked at anew once the account is another one.
func TestRefusalEndsWithTheAccount(t *testing.T) {
	h := open(t)
	logIn := func() *answer {
		return h.nobody().do("POST", "/identity/login", map[string]any{"login": "bea", "password": password})
	}
	logIn().refused(401, "invalid_credentials")
	bea := h.member("bea") // signs in
	calendars := func() *answer { return bea.basic().with("Depth", "0").do("PROPFIND", "/caldav/") }
	op := h.member("op")
	set := func(status string) {
		op.do("POST", "/admin/members/update", map[string]any{"id": bea.id, "changes": map[string]any{"status": status}}).want(200)
	}
	set("disabled")
	logIn().refused(401, "invalid_credentials")
	calendars().want(401)
	set("active")
	logIn().want(200)
	calendars().want(207)
}

// Covers I-06.
func TestTokensEnd(t *testing.T) {
	h := open(t)
	ann, idle := h.member("ann"), h.member("idle")
	for day := range 170 {
		h.clock.Advance(24 * time.Hour)
		if a := ann.do("GET", "/identity/me"); a.status != 200 {
			t.Fatalf("used every day, it ended on day %d", day+1)
		}
		if day == 31 {
			idle.do("GET", "/identity/me").refused(401, "unauthenticated")
		}
	}
	h.clock.Advance(11 * 24 * time.Hour)
	ann.do("GET", "/identity/me").refused(401, "unauthenticated")
}

// Covers I-12, I-13, I-14, I-25 and C-06.
func TestOperators(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{" OP@example.org ", ""} })
	op, ann := h.member("op"), h.member("ann")
	ann.do("GET", "/admin/members").refused(403, "permission_denied")
	list := op.do("GET", "/admin/members").want(200)
	if len(list.list("members")) != 2 || list.at("members.0.is_operator") != true || list.at("members.1.token_count") != 1.0 {
		t.Errorf("members: %s", list.body)
	}
	update := func(body string) *answer { return op.do("POST", "/admin/members/update", body) }
	if got := update(`{"id": 2, "changes": {"display_name": "Anna"}}`).want(200).str("member.display_name"); got != "Anna" {
		t.Errorf("renamed to %q", got)
	}
	update(`{"changes": {}}`).refused(400, "field_required").names("id")
	update(`{"id": 99, "changes": {"display_name": "x"}}`).refused(404, "not_found")
	update(`{"id": 2, "changes": {"email": "op@example.org"}}`).refused(409, "already_exists")
	update(`{"id": 2, "changes": {"status": "gone"}}`).refused(422, "invalid_value")
	update(`{"id": 1, "changes": {"status": "disabled"}}`).refused(422, "last_operator")
	ann.basic().with("Depth", "0").do("PROPFIND", "/caldav/").want(207)
	update(`{"id": 2, "changes": {"status": "disabled"}}`).want(200)
	ann.do("GET", "/identity/me").refused(401, "unauthenticated")
	ann.basic().do("PROPFIND", "/caldav/").want(401)
	update(`{"id": 2, "changes": {"status": "active", "password": "another password"}}`).want(200)
	h.nobody().do("POST", "/identity/login", `{"login": "ann", "password": "another password"}`).want(200)
}

// Covers I-08, I-09, C-06 and B-12: for whoever has the service key.
func TestServicesAskIdentity(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.ServiceKey = "a long service key"; s.DirectoryEmail = "masked" })
	ann := h.member("ann")
	h.member("bea")
	key := h.nobody().with("Authorization", "Service a long service key")
	key.do("GET", "/identity/members").refused(400, "member_context_required")
	if got := key.do("PUT", "/identity/members").refused(405, "method_not_allowed").header.Get("Allow"); got != "GET" {
		t.Errorf("the directory takes %s", got)
	}
	forAnn := key.with("X-Service-Member-Id", "1")
	list := forAnn.do("GET", "/identity/members").want(200)
	if list.str("members.1.email") != "b…@example.org" || list.str("members.1.display_name") != "Bea" {
		t.Errorf("directory: %s", list.body)
	}
	key.with("X-Service-Member-Id", "77").do("GET", "/identity/members").refused(404, "not_found")
	good := key.do("POST", "/identity/dav/validate", map[string]any{"login": "ann@example.org", "password": password}).want(200)
	if good.at("valid") != true || good.at("member.id") != 1.0 || good.at("generation") == nil {
		t.Errorf("good credentials: %s", good.body)
	}
	bad := key.do("POST", "/identity/dav/validate", map[string]any{"login": "ann", "password": "wrong wrong"}).want(200)
	if strings.TrimSpace(bad.body) != `{"valid":false}` {
		t.Errorf("bad credentials: %s", bad.body)
	}
	// The header alone makes nobody anybody (W-05, C-07).
	if got := ann.with("X-Service-Member-Id", "2").do("GET", "/identity/me").str("display_name"); got != "Ann" {
		t.Errorf("Ann is now %s", got)
	}
}

var secretShown = regexp.MustCompile(`<output class="secret">([^<]*)</output>\s*<p class="quiet">It is shown`)

// Everything a member does on the account page. Covers I-16 and B-09.
func TestPages(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{"op@example.org"} })
	op := h.member("op")
	web := h.nobody()
	page := web.do("GET", "/world/login?return_to=/account").want(200)
	if !strings.Contains(page.body, `<form class="sheet narrow" method="post" action="/world/login">`) || !strings.Contains(page.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the login page: %s", page.body)
	}
	login := func(back string) *answer {
		return web.do("POST", "/world/login", formBody("login=op&password="+url.QueryEscape(password)+"&return_to="+url.QueryEscape(back)))
	}
	for back, want := range map[string]string{
		"/account": "/account", "/help/?x=1#y": "/help/?x=1#y", "": "/world/login/done",
		"//evil.example": "/world/login/done", "https://evil.example": "/world/login/done", "/\\evil.example": "/world/login/done",
		"/a\r\nSet-Cookie: x=y": "/world/login/done", "javascript:alert(1)": "/world/login/done", "/../..//evil.example": "/world/login/done",
	} {
		if got := login(back).want(303).header.Get("Location"); got != want {
			t.Errorf("return_to %q leads to %q, want %q", back, got, want)
		}
	}
	wrong := web.do("POST", "/world/login", formBody(`login=%3Cscript%3E&password=wrong`)).want(401)
	if strings.Contains(wrong.body, "<script>") || !strings.Contains(wrong.body, "is wrong") || wrong.header.Get("WWW-Authenticate") != "" {
		t.Errorf("after a wrong password: %s", wrong.body)
	}
	web.do("GET", "/").want(303)
	if got := web.do("GET", "/account").want(303).header.Get("Location"); got != "/world/login?return_to=%2Faccount" {
		t.Errorf("not signed in, /account leads to %s", got)
	}

	browser := web.jar(login("/account"))
	account := browser.do("GET", "/account").want(200).body
	for _, part := range []string{"iPhone", "Thunderbird", "DAVx", "GNOME", "/caldav/", "Invite a member", "Sign out everywhere"} {
		if !strings.Contains(account, part) {
			t.Errorf("the account page does not say %q", part)
		}
	}
	secret := func(a *answer) string {
		m := secretShown.FindStringSubmatch(a.want(200).body)
		if m == nil {
			t.Fatalf("%s: no secret in %s", a.about, a.body)
		}
		return m[1]
	}
	device := secret(browser.do("POST", "/account/devices", formBody("name=Phone")))
	phone := h.nobody()
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth("op", strings.ToUpper(strings.ReplaceAll(device, "-", " ")))
	phone = phone.with("Authorization", r.Header.Get("Authorization")).with("Depth", "0")
	phone.do("PROPFIND", "/caldav/").want(207)
	if again := browser.do("GET", "/account").body; strings.Contains(again, device) || !strings.Contains(again, "Phone") {
		t.Error("the device password is shown again, or not listed")
	}
	id := regexp.MustCompile(`/account/devices/(dev_\w+)/delete`).FindStringSubmatch(browser.do("GET", "/account").body)[1]
	browser.do("POST", "/account/devices/"+id+"/delete").want(200)
	phone.do("PROPFIND", "/caldav/").want(401)
	browser.do("POST", "/account/devices/"+id+"/delete").want(200)

	invitation := strings.TrimPrefix(secret(browser.do("POST", "/account/invitations", formBody("email=bea@example.org"))), h.settings.URL().String())
	if !strings.Contains(web.do("GET", invitation).want(200).body, "bea@example.org") {
		t.Error("the invitation does not say whom it is for")
	}
	join := func(email string) *answer {
		return web.do("POST", invitation, formBody("email="+email+"&display_name=Bea&password="+url.QueryEscape(password)))
	}
	if a := join("mallory@example.org").want(422); !strings.Contains(a.body, "bea@example.org") {
		t.Errorf("somebody else's use of it: %s", a.body)
	}
	bea := web.jar(join("bea@example.org").want(303))
	web.do("GET", invitation).want(404)
	join("bea@example.org").want(404)
	if strings.Contains(bea.do("GET", "/account").want(200).body, "Invite a member") {
		t.Error("Bea may invite")
	}
	bea.do("POST", "/account/invitations", formBody("email=")).want(403)

	if a := bea.do("POST", "/account/profile", formBody("display_name=Beatrix&timezone=Mars/X")).want(200); !strings.Contains(a.body, `role="alert"`) {
		t.Error("a wrong time zone was accepted")
	}
	bea.do("POST", "/account/profile", formBody("display_name=Beatrix&timezone=Asia/Tokyo")).want(200)
	if me := bea.do("GET", "/identity/me"); me.str("display_name") != "Beatrix" || me.str("member.timezone") != "Asia/Tokyo" {
		t.Errorf("the profile is %s", me.body)
	}

	other := web.jar(web.do("POST", "/world/login", formBody("login=bea&password="+url.QueryEscape(password))))
	change := func(now, next string) *answer {
		return bea.do("POST", "/account/password", formBody("current_password="+url.QueryEscape(now)+"&new_password="+url.QueryEscape(next)))
	}
	if a := change("not it", "a new password"); !strings.Contains(a.want(200).body, "not your current password") {
		t.Error("the wrong current password was accepted")
	}
	if a := change(password, "short"); !strings.Contains(a.want(200).body, "at least 8") {
		t.Errorf("a short password was accepted: %s", a.body)
	}
	other.do("GET", "/identity/me").want(200)
	change(password, "a new password").want(200)
	bea.do("GET", "/identity/me").want(200)
	other.do("GET", "/identity/me").want(401)

	// A reset link, which an operator hands over.
	var code string
	err := h.db.Write(t.Context(), func(tx *store.Tx) error {
		by, err := h.identity.Operator(tx, op.viewer())
		if err != nil {
			return err
		}
		link, err := h.identity.AddResetLink(tx, by, 2)
		code = link.Code
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(web.do("GET", "/world/reset/"+code).want(200).body, "Beatrix") {
		t.Error("the page does not say whose password it is")
	}
	web.do("POST", "/world/reset/"+code, formBody("password=short")).want(422)
	web.do("POST", "/world/reset/"+code, formBody("password=yet+another+one")).want(303)
	web.do("GET", "/world/reset/"+code).want(404)
	bea.do("GET", "/identity/me").want(401)

	browser.do("POST", "/account/sessions/delete").want(303)
	browser.do("GET", "/identity/me").want(401)
	web.do("POST", "/world/logout").want(303)
	for _, topic := range manual() {
		if a := web.do("GET", "/help/"+topic.name).want(200); !strings.Contains(a.body, "<h1>") {
			t.Errorf("help %s: %s", topic.name, a.body)
		}
	}
	web.do("GET", "/help/nothing").want(404)
	web.do("GET", h.pages.style).want(200)
	web.do("GET", "/assets/old/style.css").want(404)
}

// The set-up link makes one operator, once. Covers I-22 and SH-03.
func TestSetupLink(t *testing.T) {
	h := open(t)
	code := h.newSetupCode()
	web := h.nobody()
	web.do("GET", "/setup?code=guess").want(404)
	web.do("GET", "/setup?code="+code).want(200)
	form := func(code, email string) formBody {
		return formBody("code=" + code + "&email=" + email + "&display_name=Ann&password=" + url.QueryEscape(password))
	}
	web.do("POST", "/setup", form("guess", "ann@example.org")).want(404)
	web.do("POST", "/setup", form(code, "no-address")).want(422)
	if _, err := os.Stat(h.settings.File()); err == nil {
		t.Error("a refused set-up wrote the settings file")
	}
	ann := web.jar(web.do("POST", "/setup", form(code, "ann@example.org")).want(303))
	if ann.do("GET", "/identity/me").want(200).at("member.is_operator") != true {
		t.Error("the first member is no operator")
	}
	ann.do("GET", "/admin/members").want(200)
	web.do("GET", "/setup?code="+code).want(404)
	web.do("POST", "/setup", form(code, "eve@example.org")).want(404)
	text, err := os.ReadFile(h.settings.File())
	if err != nil || string(text) != "admin-allowed-emails = \"ann@example.org\"\n" {
		t.Errorf("the settings file says %q, %v", text, err)
	}

	late := open(t)
	code = late.newSetupCode()
	late.clock.Advance(time.Hour)
	late.nobody().do("GET", "/setup?code="+code).want(404)

	fixed := open(t, func(s *config.Settings) {
		*s = *loadSettings(t, config.OperatorsVariable+"=op@example.org")
	})
	code = fixed.newSetupCode()
	fixed.nobody().do("POST", "/setup", form(code, "eve@example.org")).want(403)
	fixed.nobody().do("POST", "/setup", form(code, "op@example.org")).want(303)
}

// Two at once, from the same link: one operator.
func TestSetupTwiceAtOnce(t *testing.T) {
	h := open(t)
	code := h.newSetupCode()
	var all sync.WaitGroup
	statuses := make([]int, 6)
	for i := range statuses {
		all.Go(func() {
			body := fmt.Sprintf("code=%s&email=m%d@example.org&display_name=M&password=%s", code, i, url.QueryEscape(password))
			statuses[i] = h.nobody().do("POST", "/setup", formBody(body)).status
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
	err := h.db.Read(t.Context(), func(tx *store.Tx) (err error) {
		members, err = h.identity.Members(tx, identity.CommandLine("test"), identity.MemberQuery{})
		return err
	})
	if err != nil || len(members.Members) != 1 {
		t.Errorf("%d members, %v", len(members.Members), err)
	}
	if text, _ := os.ReadFile(h.settings.File()); strings.Count(string(text), "@") != 1 {
		t.Errorf("the settings file has more than one operator: %s", text)
	}
}
