package browser

import (
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// setLanguage sets the header Accept-Language of the browser.
func (b *browser) setLanguage(language string) {
	b.server.T.Helper()
	_, err := chromedp.Call(b.ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}})
	b.must(err)
}

// The pages fit, also with the longer German words, and messages are in German.
func TestPagesInGerman(t *testing.T) {
	b := newBrowser(serveHTTPLong(t))
	b.setLanguage("de-DE,de;q=0.9")
	b.open("/nirgends", 404)
	b.wantText("Seite nicht gefunden")
	b.open("/world/login?return_to=/account", 200)
	b.fill("Benutzername oder E-Mail-Adresse", "ann")
	b.fill("Passwort", "wrong password")
	b.press("Anmelden")
	b.wantText("Passwort ist falsch")
	b.fill("Passwort", apptest.Password)
	b.press("Anmelden")
	b.wantPath("/account")
	b.server.SignIn("ann").Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200)
	b.setLanguage("en")
	b.open("/account", 200)
	b.wantText("Dein Konto", "Abmelden: ann")
	b.section("Gerätepasswörter").fill("Name des Geräts", "Küche")
	b.section("Gerätepasswörter").press("Gerätepasswort erstellen")
	b.wantText("Passwort für Küche")
	b.section("Authenticator-App").fill("Aktuelles Passwort", apptest.Password)
	b.section("Authenticator-App").press("Authenticator-App hinzufügen")
	b.wantText("Scanne dieses Bild")
	b.press("Abmelden: ann")
	b.wantText("Sign in")
}

// Axe finds nothing on the pages of the server.
func TestPagesHaveNoAxeFindings(t *testing.T) {
	script := axe(t)
	b := newBrowser(serveHTTPLong(t))
	b.signInToAccount("ann", apptest.Password)
	for _, locale := range []string{"en", "de"} {
		b.server.SignIn("ann").Do("PATCH", "/world/identity/me", map[string]string{"locale": locale}).Want(200)
		signedOut := newBrowser(b.server)
		signedOut.setLanguage(locale)
		for _, page := range []struct {
			tab    *browser
			path   string
			status int64
		}{
			{signedOut, "/world/login", 200}, {signedOut, "/nowhere", 404}, {signedOut, "/world/reset/none", 404},
			{b, "/account", 200}, {b, "/help/", 200},
		} {
			page.tab.open(page.path, page.status)
			for _, finding := range page.tab.runAxe(script) {
				t.Errorf("%s in %s: %s", page.path, locale, finding)
			}
		}
	}
}
