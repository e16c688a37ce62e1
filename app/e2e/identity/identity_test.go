package identity

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
)

// browser returns the client with the session cookie that the answer sets.
func browser(c *apptest.Client, a *apptest.Answer) *apptest.Client {
	c.T.Helper()
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		if cookie.Name == apptest.CookieName {
			return c.With("Cookie", apptest.CookieName+"="+cookie.Value)
		}
	}
	c.T.Fatalf("%s: got no session cookie", a.About)
	return nil
}

// Covers I-01, I-02, I-03, I-04, I-05, I-07, I-28, W-140, W-141 and B-07.
func TestSessionLastsFromSignInToSignOut(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.Registration = "open" })
	client := h.Unauthenticated()
	a := client.Do("POST", "/identity/register", map[string]any{
		"email": "ann@example.org", "username": "ann", "display_name": "Ann", "password": apptest.Password, "password_confirmation": apptest.Password,
	}).Want(201)
	if a.At("member.id") != 1.0 || a.Str("member.status") != "active" || a.At("member.timezone") != nil || a.Str("token.token_type") != "Bearer" {
		t.Errorf("registration: got %s, want the active member 1 without a time zone, and a bearer token", a.Body)
	}
	bearer := client.With("Authorization", "Bearer "+a.Str("token.access_token"))
	me := bearer.Do("GET", "/world/identity/me").Want(200)
	if me.Str("member.email") != "ann@example.org" || me.Str("email") != "ann@example.org" || me.At("id") != 1.0 || me.Str("display_name") != "Ann" {
		t.Errorf("own member: got %s, want ann with the ID 1", me.Body)
	}
	for _, body := range []any{
		map[string]any{"login": "ann", "password": apptest.Password},
		map[string]any{"login": "ANN@example.org", "password": apptest.Password},
		map[string]any{"email": "ann@example.org", "password": apptest.Password},
		map[string]any{"username": "ann", "password": apptest.Password},
		apptest.Form("login=ann&password=" + url.QueryEscape(apptest.Password)),
	} {
		client.Do("POST", "/identity/login", body).Want(200)
	}
	login := client.Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password})
	web := browser(client, login)
	web.Do("GET", "/identity/me").Want(200)
	web.AsRuntime().Do("GET", "/world/runtime").Want(200)
	// The Authorization header takes precedence over the cookie, even if it is invalid.
	bea := h.Member("bea")
	if got := web.With("Authorization", bea.Headers["Authorization"]).Do("GET", "/identity/me").Str("display_name"); got != "Bea" {
		t.Errorf("header and cookie: got %s, want the member of the header, Bea", got)
	}
	web.With("Authorization", "Bearer bad").Do("GET", "/identity/me").WantError(401, "unauthenticated")

	out := web.Do("POST", "/identity/logout").Want(200)
	if c := out.Header.Get("Set-Cookie"); !strings.Contains(c, "Max-Age=0") {
		t.Errorf("sign-out: got the cookie %s, want it deleted", c)
	}
	web.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	bearer.Do("GET", "/identity/me").Want(200)
	bearer.Do("POST", "/identity/logout", `{"all": true}`).Want(200)
	bearer.Do("GET", "/identity/me").WantError(401, "unauthenticated")
}

// Covers I-17.
func TestSessionCookieIsSecureWithHTTPS(t *testing.T) {
	for base, secure := range map[string]bool{"": false, "https://example.org": true} {
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL = base })
		h.Member("ann")
		c := h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Header.Get("Set-Cookie")
		if !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Lax") || !strings.Contains(c, "Path=/;") || strings.Contains(c, "Secure") != secure {
			t.Errorf("base-url %q: got the cookie %s, want HttpOnly, SameSite=Lax and Secure %t", base, c, secure)
		}
	}
}

// A second cookie, which scripts can read, contains only the ID of the member. The sign-out
// deletes both, and with HTTPS all that the browser has stored.
func TestSignOutClearsTheBrowser(t *testing.T) {
	for base, want := range map[string]string{"http://example.org": "", "https://example.org": `"cache", "storage"`} {
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL = base })
		ann := h.Member("ann")
		in := h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
		cookies := in.Header.Values("Set-Cookie")
		if readable := slices.DeleteFunc(slices.Clone(cookies), func(c string) bool { return strings.Contains(c, "HttpOnly") }); len(cookies) != 2 ||
			len(readable) != 1 || !strings.HasPrefix(readable[0], fmt.Sprintf("service_member=%d;", ann.ID)) {
			t.Errorf("%s: got the cookies %q, want one that scripts can read, with the member", base, cookies)
		}
		if got := in.Header.Get("Clear-Site-Data"); got != "" {
			t.Errorf("%s: got Clear-Site-Data %s at the sign-in, want none", base, got)
		}
		for path, status := range map[string]int{"/world/logout": 303, "/identity/logout": 200} {
			out := browser(h.Unauthenticated(), h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password})).Do("POST", path).Want(status)
			if got := out.Header.Get("Clear-Site-Data"); got != want {
				t.Errorf("%s: POST %s: got Clear-Site-Data %q, want %q", base, path, got, want)
			}
			for _, c := range out.Header.Values("Set-Cookie") {
				if !strings.Contains(c, "Max-Age=0") {
					t.Errorf("%s: POST %s: got the cookie %s, want it deleted", base, path, c)
				}
			}
		}
	}
}

// A new member chooses a time zone. Without a choice the account has none.
func TestRegistrationAsksForATimeZone(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.Registration = "open" })
	web := s.Unauthenticated()
	page := web.Do("GET", "/world/register").Want(200)
	if !strings.Contains(page.Body, `<select class="input" name="timezone" data-timezones="this browser"><option value="">that of your browser</option><option>Africa/Abidjan</option>`) ||
		strings.Count(page.Body, "<option>Europe/Berlin</option>") != 1 {
		t.Errorf("got %s, want time zones to choose from, none of them selected", page.Body)
	}
	register := func(name, zone string) *apptest.Answer {
		return web.Do("POST", "/world/register", form("email", name+"@example.org", "display_name", name, "password", apptest.Password, "timezone", zone))
	}
	wrong := register("", "Asia/Tokyo").Want(422)
	if !strings.Contains(wrong.Body, "<option selected>Asia/Tokyo</option>") {
		t.Errorf("rejected form: got %s, want the choice preserved", wrong.Body)
	}
	register("ann", "Mars/X").Want(422)
	for name, zone := range map[string]any{"bea": "Asia/Tokyo", "cem": nil} {
		chosen, _ := zone.(string)
		me := browser(web, register(name, chosen).Want(303)).Do("GET", "/identity/me").Want(200)
		if got := me.At("member.timezone"); got != zone {
			t.Errorf("time zone %q: got %v, want %v", chosen, got, zone)
		}
	}
}

// A wrong password that a client repeats counts once. Covers I-24 and B-81.
func TestEleventhWrongPasswordIsRejected(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	guess := func(i int) *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": fmt.Sprint("guess number ", i)})
	}
	for range 20 {
		guess(0).WantError(401, "invalid_credentials")
	}
	hashes := h.App.Identity.Hashes()
	guess(0).WantError(401, "invalid_credentials")
	if h.App.Identity.Hashes() != hashes {
		t.Errorf("repeated wrong password: got %d hashes, want none", h.App.Identity.Hashes()-hashes)
	}
	for i := range 9 {
		guess(i+1).WantError(401, "invalid_credentials")
	}
	a := guess(10).WantError(429, "rate_limited")
	if a.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After, want one")
	}
	// The limit also rejects the right password.
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).WantError(429, "rate_limited")
	ann.Do("GET", "/identity/me").Want(200)
	h.Clock.Advance(15 * time.Minute)
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
}

// logInParallel sends n sign-in requests at once and counts the statuses.
func logInParallel(h *apptest.Server, n int, login, password func(i int) string) map[int]int {
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

// constantFunc returns a function that returns s for each number.
func constantFunc(s string) func(int) string { return func(int) string { return s } }

func TestParallelGuessesAreLimitedLikeSequentialOnes(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	for range 3 {
		if got := logInParallel(h, 25, constantFunc("ann"), constantFunc(apptest.Password)); got[200] != 25 {
			t.Fatalf("right password 25 times at once: got %v, want 25 times 200", got)
		}
	}
	if got := logInParallel(h, 25, constantFunc("ann"), constantFunc("an outdated password")); got[401] != 25 {
		t.Fatalf("one wrong password 25 times at once: got %v, want 25 times 401", got)
	}
	hashes := h.App.Identity.Hashes()
	got := logInParallel(h, 60, constantFunc("ann"), func(i int) string { return fmt.Sprint("guess number ", i) })
	if got[401] != 9 || got[429] != 51 || h.App.Identity.Hashes()-hashes != 9 {
		t.Errorf("60 wrong passwords at once: got %v and %d hashes, want 9 of 10 left to be checked", got, h.App.Identity.Hashes()-hashes)
	}
}

// Failed attempts are counted by account, not by the spelling of the login.
func TestSpellingsOfALoginShareOneLimit(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	names := []string{"ann", "ANN", " ann@example.org", "Ann@Example.Org"}
	for i := range 8 {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": names[i%4], "password": fmt.Sprint("guess ", i)}).Want(401)
	}
	// The same wrong password counts once, whatever the spelling of the login.
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

// A failed attempt that is recorded for one route does not determine the response
// of another route.
func TestWrongPasswordIsReportedInTheFormOfEachRoute(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for range 2 {
		h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": "not this"}).WantError(401, "invalid_credentials")
		change := map[string]any{"current_password": "not this", "new_password": "a new password"}
		ann.Do("POST", "/world/identity/password", change).WantError(422, "invalid_value").WantFields("current_password")
	}
}

// Covers I-06.
func TestSessionEndsWithoutUseAndAfterHalfAYear(t *testing.T) {
	h := apptest.New(t)
	ann, idle := h.Member("ann"), h.Member("idle")
	for day := range 170 {
		h.Clock.Advance(24 * time.Hour)
		if a := ann.Do("GET", "/identity/me"); a.Status != 200 {
			t.Fatalf("session used every day: got status %d on day %d, want 200", a.Status, day+1)
		}
		if day == 31 {
			idle.Do("GET", "/identity/me").WantError(401, "unauthenticated")
		}
	}
	h.Clock.Advance(11 * 24 * time.Hour)
	ann.Do("GET", "/identity/me").WantError(401, "unauthenticated")
}

// Covers I-12, I-13, I-14, I-25 and C-06.
func TestOperatorsAdministerMembers(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{" OP@example.org ", ""} })
	op, ann := h.Member("op"), h.Member("ann")
	ann.Do("GET", "/admin/members").WantError(403, "permission_denied")
	list := op.Do("GET", "/admin/members").Want(200)
	if len(list.List("members")) != 2 || list.At("members.0.is_operator") != true || list.At("members.1.token_count") != 1.0 {
		t.Errorf("members: got %s, want an operator and a member with a session", list.Body)
	}
	post := func(body string) *apptest.Answer { return op.Do("POST", "/admin/members/update", body) }
	if got := post(`{"id": 2, "changes": {"display_name": "Anna"}}`).Want(200).Str("member.display_name"); got != "Anna" {
		t.Errorf("display name: got %q, want Anna", got)
	}
	post(`{"changes": {}}`).WantError(400, "field_required").WantFields("id")
	op.UpdateMember(99, map[string]any{"display_name": "x"}).WantError(404, "not_found")
	op.UpdateMember(2, map[string]any{"email": "op@example.org"}).WantError(409, "already_exists")
	op.UpdateMember(2, map[string]any{"status": "gone"}).WantError(422, "invalid_value")
	op.UpdateMember(1, map[string]any{"status": "disabled"}).WantError(422, "last_operator")
	ann.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
	op.UpdateMember(2, map[string]any{"status": "disabled"}).Want(200)
	ann.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	ann.Basic().Do("PROPFIND", "/caldav/").Want(401)
	op.UpdateMember(2, map[string]any{"status": "active", "password": "another password"}).Want(200)
	h.Unauthenticated().Do("POST", "/identity/login", `{"login": "ann", "password": "another password"}`).Want(200)
}

// An operator confirms each change of another member's sign-in details with a password or a code,
// so a stolen session is not sufficient. Covers B-108.
func TestOperatorsConfirmChangesOfSignIns(t *testing.T) {
	s := apptest.New(t)
	op, ann := s.Member("op"), s.Member("ann")
	update := func(changes string, confirmation ...string) *apptest.Answer {
		t.Helper()
		return op.Do("POST", "/admin/members/update", fmt.Sprintf(`{"id": %d, "changes": %s%s}`, ann.ID, changes, strings.Join(confirmation, "")))
	}
	const password = `, "current_password": "` + apptest.Password + `"`
	secret, _ := apptest.AddApp(op)
	s.WantUnchanged("not confirmed", func() {
		for _, changes := range []string{`{"email": "x@example.org"}`, `{"username": "xenia"}`, `{"password": "another password", "display_name": "X"}`} {
			update(changes).WantError(400, "field_required").WantFields("current_password")
			update(changes, `, "current_password": "wrong"`).WantError(422, "invalid_value").WantFields("current_password")
		}
		update(`{"username": "xenia"}`, `, "code": "000000"`).WantError(422, "invalid_value").WantFields("code")
		update(`{"password": "short"}`, password).WantError(422, "weak_password").WantFields("password")
		ann.UpdateMember(ann.ID, map[string]any{"status": "disabled"}).WantError(403, "permission_denied")
	})
	update(`{"display_name": "Anna"}`).Want(200)
	code := apptest.AppCode(op, secret)
	update(`{"email": "no address"}`, `, "code": "`+code+`"`).WantError(422, "invalid_value").WantFields("email") // does not use up the code
	update(`{"username": "anna"}`, `, "code": "`+code+`"`).Want(200)
	update(`{"username": "annie"}`, `, "code": "`+code+`"`).WantError(422, "invalid_value").WantFields("code")
	update(`{"username": "annie"}`, password).Want(200)
	update(`{"status": "disabled"}`).Want(200) // needs no confirmation, to be quick in an emergency
}

// Covers I-08, I-09, C-06, B-12, W-05 and C-07.
func TestServicesUseIdentityWithTheServiceKey(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServiceKey = "a long service key"; s.DirectoryEmail = "masked" })
	ann := h.Member("ann")
	h.Member("bea")
	key := h.Unauthenticated().With("Authorization", "Service a long service key")
	key.Do("GET", "/identity/members").WantError(400, "member_context_required")
	if got := key.Do("PUT", "/identity/members").WantError(405, "method_not_allowed").Header.Get("Allow"); got != "GET" {
		t.Errorf("methods of the directory: got %s, want GET", got)
	}
	forAnn := key.With("X-Service-Member-Id", "1")
	list := forAnn.Do("GET", "/identity/members").Want(200)
	if list.Str("members.1.email") != "b…@example.org" || list.Str("members.1.display_name") != "Bea" {
		t.Errorf("directory: got %s, want Bea with a masked e-mail address", list.Body)
	}
	key.With("X-Service-Member-Id", "77").Do("GET", "/identity/members").WantError(404, "not_found")
	valid := key.Do("POST", "/identity/dav/validate", map[string]any{"login": "ann@example.org", "password": apptest.Password}).Want(200)
	if valid.At("valid") != true || valid.At("member.id") != 1.0 || valid.At("generation") == nil {
		t.Errorf("valid credentials: got %s, want member 1 with a generation", valid.Body)
	}
	invalid := key.Do("POST", "/identity/dav/validate", map[string]any{"login": "ann", "password": "wrong wrong"}).Want(200)
	if strings.TrimSpace(invalid.Body) != `{"valid":false}` {
		t.Errorf("invalid credentials: got %s, want valid false", invalid.Body)
	}
	// Without the service key, the header has no effect.
	if got := ann.With("X-Service-Member-Id", "2").Do("GET", "/identity/me").Str("display_name"); got != "Ann" {
		t.Errorf("with the header of another member: got %s, want Ann", got)
	}
}

// secretShown matches a secret that a page shows once.
var secretShown = regexp.MustCompile(`<output class="secret">([^<]*)</output>\s*<p class="quiet">It is shown`)

// shownDevice returns the id of the first device password on the account page.
func shownDevice(page *apptest.Answer) string {
	page.T.Helper()
	id := regexp.MustCompile(`name="id" value="(dev_\w+)"`).FindStringSubmatch(page.Want(200).Body)
	if id == nil {
		page.T.Fatalf("%s: got no device password, want one\n%s", page.About, page.Body)
	}
	return id[1]
}

// Covers I-16 and B-09.
func TestAccountPages(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{"op@example.org"} })
	member := h.Member("op")
	web := h.Unauthenticated()
	page := web.Do("GET", "/world/login?return_to=/account").Want(200)
	if !strings.Contains(page.Body, `method="post" action="/world/login">`) || !strings.Contains(page.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("sign-in page: got %s, want the form and a content security policy", page.Body)
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
			t.Errorf("return_to %q: got a redirect to %q, want %q", back, got, want)
		}
	}
	wrong := web.Do("POST", "/world/login", apptest.Form(`login=%3Cscript%3E&password=wrong`)).Want(401)
	if strings.Contains(wrong.Body, "<script>") || !strings.Contains(wrong.Body, "is wrong") || wrong.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("wrong password: got %s, want an error without markup and challenge", wrong.Body)
	}
	web.Do("GET", "/").Want(303)
	if got := web.Do("GET", "/account").Want(303).Header.Get("Location"); got != "/world/login?return_to=%2Faccount" {
		t.Errorf("unauthenticated: got a redirect to %s, want the sign-in page", got)
	}

	op := browser(web, login("/account"))
	account := op.Do("GET", "/account").Want(200).Body
	for _, part := range []string{"iPhone", "Thunderbird", "DAVx", "GNOME", "/caldav/", "Open the app", "Sign out Op"} {
		if !strings.Contains(account, part) {
			t.Errorf("account page: got no %q, want it", part)
		}
	}
	secret := func(a *apptest.Answer) string {
		m := secretShown.FindStringSubmatch(a.Want(200).Body)
		if m == nil {
			t.Fatalf("%s: got no secret, want one\n%s", a.About, a.Body)
		}
		return m[1]
	}
	device := secret(op.Do("POST", "/account", form("do", "create_device", "label", " <b>Phone</b> ")))
	phone := h.Unauthenticated()
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth("op", strings.ToUpper(strings.ReplaceAll(device, "-", " ")))
	phone = phone.With("Authorization", r.Header.Get("Authorization")).With("Depth", "0")
	phone.Do("PROPFIND", "/caldav/").Want(207)
	again := op.Do("GET", "/account").Want(200)
	if strings.Contains(again.Body, device) || !strings.Contains(again.Body, `aria-label="Remove device password &lt;b&gt;Phone&lt;/b&gt;"`) {
		t.Errorf("account page: got %s, want the device listed without its password", again.Body)
	}
	for range 2 { // a repeated removal succeeds
		if a := op.Do("POST", "/account", form("do", "remove_device", "id", shownDevice(again))).Want(200); !strings.Contains(a.Body, "The device password is removed.") {
			t.Errorf("got %s, want the device password removed", a.Body)
		}
		phone.Do("PROPFIND", "/caldav/").Want(401)
	}
	if a := op.Do("POST", "/account", form("do", "create_device", "label", " ")).Want(200); !strings.Contains(a.Body, `role="alert"`) || secretShown.MatchString(a.Body) {
		t.Errorf("device without a name: got %s, want an error", a.Body)
	}
	for _, do := range []string{"", "create_invitation"} {
		if a := op.Do("POST", "/account", form("do", do)).Want(400); !strings.Contains(a.Body, "does not know this form") {
			t.Errorf("form %q: got %s, want an error", do, a.Body)
		}
	}

	invitation := strings.TrimPrefix(op.Do("POST", "/world/operator/invitations", `{"email": "bea@example.org"}`).Want(201).Str("link"), h.Settings.URL().String())
	if !strings.Contains(web.Do("GET", invitation).Want(200).Body, "bea@example.org") {
		t.Error("invitation: got a page without the e-mail address of the invitee, want it")
	}
	join := func(email string) *apptest.Answer {
		return web.Do("POST", invitation, apptest.Form("email="+email+"&display_name=Bea&password="+url.QueryEscape(apptest.Password)))
	}
	if a := join("mallory@example.org").Want(422); !strings.Contains(a.Body, "bea@example.org") {
		t.Errorf("another e-mail address: got %s, want an error that names the right one", a.Body)
	}
	bea := browser(web, join("bea@example.org").Want(303))
	web.Do("GET", invitation).Want(404)
	join("bea@example.org").Want(404)
	bea.Do("PATCH", "/world/identity/me", `{"display_name": "Beatrix"}`).Want(200)

	other := browser(web, web.Do("POST", "/world/login", apptest.Form("login=bea&password="+url.QueryEscape(apptest.Password))))
	change := func(now, next string) *apptest.Answer {
		return bea.Do("POST", "/account", form("do", "change_password", "current_password", now, "new_password", next))
	}
	if a := change("not it", "a new password"); !strings.Contains(a.Want(200).Body, "Current password is wrong") {
		t.Errorf("wrong current password: got %s, want an error", a.Body)
	}
	if a := change(apptest.Password, "short"); !strings.Contains(a.Want(200).Body, "at least 8") {
		t.Errorf("short password: got %s, want an error", a.Body)
	}
	other.Do("GET", "/identity/me").Want(200)
	change(apptest.Password, "a new password").Want(200)
	bea.Do("GET", "/identity/me").Want(200)
	other.Do("GET", "/identity/me").Want(401)

	// The operator creates a reset link on the command line.
	var code string
	err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
		by, err := h.App.Identity.Operator(tx, member.Viewer())
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
		t.Error("reset page: got no display name, want Beatrix")
	}
	web.Do("POST", "/world/reset/"+code, apptest.Form("password=short")).Want(422)
	web.Do("POST", "/world/reset/"+code, apptest.Form("password=yet+another+one")).Want(303)
	web.Do("GET", "/world/reset/"+code).Want(404)
	bea.Do("GET", "/identity/me").Want(401)

	op.Do("POST", "/world/logout").Want(303)
	op.Do("GET", "/identity/me").Want(401)
	manual := web.Do("GET", "/help/").Want(200).Body
	if !strings.Contains(manual, "<h1>The web app</h1>") || strings.Index(manual, ">For members<") > strings.Index(manual, ">For operators<") {
		t.Errorf("got %s, want a page for members, and the pages for members before those for operators", manual)
	}
	if got := member.Do("GET", "/help/").Want(200).Body; !strings.Contains(got, "<h1>Get started</h1>") || strings.Index(got, ">For members<") < strings.Index(got, ">For operators<") {
		t.Errorf("operator: got %s, want a page for operators, and the pages for operators first", got)
	}
	topics := regexp.MustCompile(`href="(/help/[a-z-]+)"`).FindAllStringSubmatch(manual, -1)
	if len(topics) < 10 {
		t.Errorf("manual: got %d topics, want at least 10", len(topics))
	}
	for _, topic := range topics {
		if a := web.Do("GET", topic[1]).Want(200); !strings.Contains(a.Body, "<h1>") {
			t.Errorf("%s: got %s, want a heading", topic[1], a.Body)
		}
	}
	web.Do("GET", "/help/nothing").Want(404)
	web.Do("GET", regexp.MustCompile(`/assets/app/[0-9a-f]+/pages.css`).FindString(manual)).Want(200)
}

// Covers I-22 and SH-03.
func TestSetupPageCreatesTheFirstOperator(t *testing.T) {
	s := apptest.New(t)
	code := s.SetupCode()
	web := s.Unauthenticated()
	web.Do("GET", "/setup?code=wrong").Want(404)
	web.Do("GET", "/setup?code="+code).Want(200)
	form := func(code, email string) apptest.Form {
		return apptest.Form("code=" + code + "&email=" + email + "&display_name=Ann&password=" + url.QueryEscape(apptest.Password))
	}
	web.Do("POST", "/setup", form("wrong", "ann@example.org")).Want(404)
	web.Do("POST", "/setup", apptest.Form("base_url=x")).Want(404) // before the values are checked
	web.Do("POST", "/setup", form(code, "no-address")).Want(422)
	ann := browser(web, web.Do("POST", "/setup", form(code, "ann@example.org")).Want(303))
	ann.Do("GET", "/identity/me").Want(200).WantValues("member", map[string]any{"is_operator": true})
	ann.Do("GET", "/admin/members").Want(200)
	web.Do("GET", "/setup?code="+code).Want(404)
	web.Do("POST", "/setup", form(code, "eve@example.org")).Want(404)
}

// A restored server can have members and no operator. Covers B-124.
func TestSetupPageMakesAMemberTheOperator(t *testing.T) {
	s := apptest.New(t)
	s.Member("ann")
	code := s.SetupCode()
	web := s.Unauthenticated()
	page := web.Do("GET", "/setup?code="+code).Want(200)
	if !strings.Contains(page.Body, "I have an account on this server") {
		t.Errorf("got %s, want a link to the form for members", page.Body)
	}
	offer := web.Do("POST", "/setup", apptest.Form("code="+code+"&email=ann@example.org&display_name=Ann&password="+url.QueryEscape(apptest.Password))).Want(409)
	for _, part := range []string{"You have an account on this server", `name="member"`, `value="ann@example.org"`} {
		if !strings.Contains(offer.Body, part) {
			t.Errorf("got %s, want the form for members with %q", offer.Body, part)
		}
	}
	form := func(code, password string) apptest.Form {
		return apptest.Form("member=1&login=ann@example.org&code=" + code + "&password=" + url.QueryEscape(password))
	}
	web.Do("POST", "/setup", form("wrong", apptest.Password)).Want(404)
	web.Do("POST", "/setup", form(code, "wrong")).Want(401)
	ann := browser(web, web.Do("POST", "/setup", form(code, apptest.Password)).Want(303))
	ann.Do("GET", "/admin/members").Want(200)
	web.Do("POST", "/setup", form(code, apptest.Password)).Want(404)
}

// The member must still pass the second factor to be signed in. Covers B-124.
func TestSetupPageAsksAMemberForTheSecondFactor(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	apptest.AddApp(ann)
	code := s.SetupCode()
	a := s.Unauthenticated().Do("POST", "/setup", apptest.Form("member=1&login=ann&code="+code+"&password="+url.QueryEscape(apptest.Password))).Want(200)
	if !strings.Contains(a.Body, "Confirm that it is you") || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("got %s, want the page of the second factor and no session", a.Body)
	}
	ann.Do("GET", "/admin/members").Want(200)
}
