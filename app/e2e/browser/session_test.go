package browser

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// addAuthenticator adds a virtual authenticator with user verification to the tab.
func (b *browser) addAuthenticator() {
	b.server.T.Helper()
	_, err := chromedp.Call(b.ctx, webauthn.Enable, webauthn.EnableParams{})
	b.must(err)
	_, err = chromedp.Call(b.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		},
	})
	b.must(err)
}

// newAppMember returns a tab of the web app on a server with HTTPS, in which ann is signed in.
func newAppMember(t *testing.T) *webTab {
	t.Helper()
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.signInOutsideOfApp("ann")
	w := &webTab{browser: b}
	w.resize(1440, 900)
	return w
}

// revokeSession ends the session of the tab by a command, and makes the app read its data again.
func (w *webTab) revokeSession() {
	w.server.T.Helper()
	w.server.admin("revoke", "ann")
	w.expectMessages(statusMessage(401))
	inApp[bool](w.browser, `(app.reader.refreshParts(), true)`)
}

// A member whose session has ended signs in with the second factor over the screen. Entered text is
// kept.
func TestSignInOverTheScreenAsksForTheSecondFactor(t *testing.T) {
	w := newAppMember(t)
	w.visit("/app/settings/second_factor")
	w.click("button", "Add authenticator app")
	w.enter("textbox", "Current password", apptest.Password)
	w.click("button", "Continue")
	w.see("enter the six digits")
	secret := evaluate[string](w.browser, `document.querySelector("dialog .copy-text").textContent`)
	w.enter("textbox", "Code…", code(t, secret, 0))
	w.clickLast("button", "Confirm authenticator app")
	w.node("dialog", "Recovery codes")
	recovery := w.recoveryCodes()
	w.clickLast("button", "Close")

	w.visit("/app/settings/blocks")
	w.click("button", "Block…")
	w.enter("combobox", "…", "Draft")
	w.revokeSession()
	w.see("Sign in again")
	w.enter("textbox", "Password", apptest.Password)
	w.click("button", "Sign in")
	w.see("Confirm that it is you")
	w.enter("textbox", "Code…", "000000")
	w.click("button", "Sign in")
	w.see("The code is wrong")
	w.enter("textbox", "Code…", code(t, secret, 30*time.Second))
	w.click("button", "Sign in")
	w.notSee("Confirm that it is you")
	if got := evaluate[string](w.browser, `document.querySelector("dialog input").value`); got != "Draft" {
		t.Errorf("got the text %q after the sign-in, want that from before", got)
	}
	if got := inApp[int](w.browser, `fetch(app.paths.session, {headers: {"X-Service-Runtime": "web/1.0"}}).then(({status}) => status)`); got != 200 {
		t.Errorf("got status %d of the session after the sign-in, want 200", got)
	}

	w.revokeSession()
	w.see("Sign in again")
	w.enter("textbox", "Password", apptest.Password)
	w.click("button", "Sign in")
	w.enter("textbox", "Code…", recovery[0])
	w.click("button", "Sign in")
	w.notSee("Confirm that it is you")
	w.wantNoMessagesOrShifts()
}

// A sign-in in one tab is also valid in the other one, and entered text is kept there.
func TestSignInHoldsForAllTabs(t *testing.T) {
	w := newAppMember(t)
	w.visit("/app/settings/blocks")
	w.click("button", "Block…")
	w.enter("combobox", "…", "Draft")
	w.revokeSession()
	w.see("Sign in again")
	ctx, cancel := chromedp.NewContext(w.ctx)
	t.Cleanup(cancel)
	second := w.tabIn(ctx)
	second.signInOutsideOfApp("ann")
	evaluate[bool](w.browser, `window.dispatchEvent(new Event("focus"))`) // headless Chromium has no tab in the foreground
	w.notSee("Sign in again")
	if got := evaluate[string](w.browser, `document.querySelector("dialog input").value`); got != "Draft" {
		t.Errorf("got the text %q after the sign-in, want that from before", got)
	}
}

// A change of the member's language or of the form of dates changes the page, also in tabs of other
// devices. Names of days stay in the language.
func TestPageFollowsTheLanguage(t *testing.T) {
	w := newWebTab(serveHTTPLong(t), "ann")
	other := w.anotherMember("ann") // on another device
	other.visit("/app/")
	other.see("To do")
	inApp[bool](other.browser, `app.memberCache.flush().then(() => true)`)
	w.visit("/app/settings/appearance")
	w.click("button", "Edit: Dates and numbers")
	w.focus("combobox", "Dates and numbers")
	w.typeKeys("germ")
	w.clickPart("dialog [type=submit]")
	ann := w.server.SignIn("ann")
	w.until("the formats are stored", func() bool { return ann.Do("GET", "/world/identity/me").At("member.formats") == "en-DE" })
	formats := `app.words.locale + " " + app.words.number(1234.5) + " " + app.words.dayAndWeekday("2026-12-03")`
	w.visit("/app/")
	if got := inApp[string](w.browser, formats); got != "en-DE 1.234,5 Thursday 3 December" && got != "en-DE 1.234,5 Thursday, 3 December" {
		t.Errorf("got the formats %q in English, want those of Germany", got)
	}
	w.visit("/app/settings/appearance")
	w.click("button", "Edit: Language")
	w.focus("combobox", "Language")
	w.typeKeys("deu")
	w.clickPart("dialog [type=submit]")
	w.see("Sprache")
	other.see("Heute")
	if got := inApp[string](other.browser, formats); got != "de-DE 1.234,5 Donnerstag, 3. Dezember" {
		t.Errorf("got the formats %q in German, want those of Germany", got)
	}
	w.ignoreShifts()
	other.ignoreShifts()
}

// A passkey that was created in the settings is accepted as the second factor of a sign-in over the
// screen.
func TestPasskeyOfTheWebApp(t *testing.T) {
	w := newAppMember(t)
	w.addAuthenticator()
	w.visit("/app/settings/second_factor")
	w.click("button", "Add passkey")
	w.enter("textbox", "Current password", apptest.Password)
	w.click("button", "Continue")
	w.node("dialog", "Recovery codes")
	w.recoveryCodes()
	w.clickLast("button", "Close")
	w.see("Passkey of")

	w.revokeSession()
	w.see("Sign in again")
	w.enter("textbox", "Password", apptest.Password)
	w.click("button", "Sign in")
	w.click("button", "Use a passkey")
	w.notSee("Confirm that it is you")

	w.wantNoMessagesOrShifts()
}

// versionInPath matches the version in the paths of the files of the web app.
var versionInPath = regexp.MustCompile(`/assets/app/([0-9a-f]+)/`)

// update makes the stub respond like a server with another version of the web app: its files have
// other paths, and the earlier paths do not exist.
func (s *stub) serveNewVersion() {
	s.T.Helper()
	const next = "0123456789abcdef"
	behind := apptest.NewClient(s.T, s.behind.URL)
	present := versionInPath.FindStringSubmatch(behind.Do("GET", "/app/").Want(200).Body)[1]
	get := func(w http.ResponseWriter, r *http.Request) {
		response, err := http.Get(s.behind.URL + strings.ReplaceAll(r.URL.Path, next, present))
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		for _, name := range []string{"Content-Type", "Content-Security-Policy"} {
			w.Header().Set(name, response.Header.Get(name))
		}
		w.Header().Set("Cache-Control", "no-cache")
		w.WriteHeader(response.StatusCode)
		text = bytes.ReplaceAll(text, []byte(`"version":"`), []byte(`"version":"next`)) // in the service worker
		w.Write(bytes.ReplaceAll(text, []byte(present), []byte(next)))
	}
	for _, pattern := range []string{"/app/", "/app/*", "/app/*/*", "/assets/app/" + next + "/*", "/assets/app/" + next + "/*/*", "/assets/app/" + next + "/*/*/*"} {
		s.add(rule{method: "GET", pattern: pattern, handler: get})
	}
	for _, pattern := range []string{"*", "*/*", "*/*/*"} {
		s.add(rule{method: "GET", pattern: "/assets/app/" + present + "/" + pattern, handler: http.NotFound})
	}
}

// A page of an earlier version offers the new one. The next load of the page has the new version,
// even if the service worker has not stored it yet.
func TestWebAppOffersItsNewVersion(t *testing.T) {
	s := newStub(t)
	w := newWebTab(s.server, "ann")
	w.visit("/app/")
	w.see("ann")
	inApp[bool](w.browser, `navigator.serviceWorker.ready.then(() => true)`)
	assets := func() string { return evaluate[string](w.browser, `document.documentElement?.dataset.assets ?? ""`) }
	before := assets()
	s.serveNewVersion()
	w.visit("/app/in/messages")
	if assets() == before {
		w.see("There is a new version of the app.")
		w.click("button", "Reload")
	}
	w.until("the new version", func() bool { return assets() != before })
	w.see("Messages")
	stored := `caches.keys().then((names) => Promise.all(names.map((name) => caches.match("/app/", { cacheName: name }).then((page) => page?.text()))))
		.then((pages) => pages.some((text) => text?.includes(document.documentElement.dataset.assets)))`
	w.until("the new version in the service worker", func() bool { return inApp[bool](w.browser, stored) })
	w.until("the new service worker", func() bool {
		return inApp[bool](w.browser, `navigator.serviceWorker.getRegistration().then(({ active, installing, waiting }) => active.state === "activated" && !installing && !waiting)`)
	})
	s.disconnect()
	w.expectMessages("net::ERR_")
	w.visitApp("/app/", "ann")
	if after := assets(); after == before {
		t.Errorf("got the files %s, want those of the new version", after)
	}
}
