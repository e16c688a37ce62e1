package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// A member signs in, sees today, reads a message that arrives while the app is open, and
// signs out. This is the only test of the package that runs without -long.
func TestMemberUsesTheWebApp(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Chromium")
	}
	s := serveHTTP(t)
	bea := s.addMember("bea")
	s.SignIn("ann").Do("POST", "/world/time/objects", map[string]any{"object_type": "calendar_event", "title": "Dentist", "start": day(0), "all_day": true}).Want(201)
	b := newBrowser(s)
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(s.URL+"/world/login?return_to=/app/")))
	b.fill("User name or e-mail address", "ann")
	b.fill("Password", apptest.Password)
	w := &webTab{browser: b}
	w.resize(1440, 900)
	w.click("button", "Sign in")
	w.see("Dentist")
	w.node("link", "Today")
	bea.SendMessage("ann", "I will bring bread")
	w.see("I will bring bread")
	w.click("link", "Messages…")
	w.node("heading", "Messages")
	w.see("Bea", "I will bring bread")
	w.click("button", "…Profile, settings and more")
	w.wantNoMessagesOrShifts()
	w.expectMessages(statusMessage(401)) // of reads that are answered after the sign-out
	w.click("menuitem", "Sign out…")
	w.until("the sign-in page", func() bool { return b.path() == "/world/login" })
	w.wantNoMessagesOrShifts()
}

// The web app shows a change as soon as another client has written it. Scripts of the page
// can read no credentials.
func TestWebAppFollowsChanges(t *testing.T) {
	longBrowserTest(t)
	w := newWebTab(serveHTTP(t), "ann")
	w.visit("/app/")
	w.see("ann")
	w.rename("Ann of Mill Lane")
	w.see("Ann of Mill Lane")
	if readable := evaluate[string](w.browser, `document.cookie + JSON.stringify({...localStorage, ...sessionStorage})`); strings.Contains(readable, apptest.CookieName) {
		t.Errorf("scripts can read %s, want no credentials", readable)
	}
}

// rename changes the display name of the member in another session.
func (w *webTab) rename(name string) {
	w.server.T.Helper()
	w.member.Do("PATCH", "/world/identity/me", map[string]any{"display_name": name}).Want(200)
}

// newTab opens another tab of the same member.
func (w *webTab) newTab() *webTab {
	w.server.T.Helper()
	ctx, _ := chromedp.NewContext(w.ctx)
	return w.tabIn(ctx).webTab(w.member.Name)
}

// Two tabs share one stream. The tab with the lock reads it; if that tab is closed, the other one
// takes over.
func TestTabsOfTheWebAppShareOneStream(t *testing.T) {
	longBrowserTest(t)
	first := newWebTab(serveHTTP(t), "ann")
	second := first.newTab()
	for _, tab := range []*webTab{first, second} {
		tab.visit("/app/")
		tab.see("ann")
	}
	first.rename("Ann One")
	for _, tab := range []*webTab{first, second} {
		tab.see("Ann One")
	}
	locks := `navigator.locks.query().then(({held, pending}) => held.length + " held, " + pending.length + " pending")`
	got, err := chromedp.Run(second.ctx, chromedp.Evaluate[string](locks, chromedp.EvalAwaitPromise))
	if err != nil || got != "1 held, 1 pending" {
		t.Errorf("got the locks %s, %v, want one held and one pending", got, err)
	}
	first.must(chromedp.Do(first.ctx, chromedp.Navigate("about:blank"))) // leaves the page, as closing the tab does
	second.rename("Ann Two")
	second.see("Ann Two")
}

// Without a session, the web app redirects to the sign-in page, and the sign-in redirects back to
// the path.
func TestWebAppAsksForTheSignIn(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(b.server.URL+"/app/in/time?view=week")))
	b.must(chromedp.Do(b.ctx, chromedp.WaitVisible("input[name=password]")))
	b.messages() // Chromium reports the 401 of the session
	b.fill("User name or e-mail address", "ann")
	b.fill("Password", apptest.Password)
	w := &webTab{browser: b}
	b.must(chromedp.Do(b.ctx, chromedp.Click(b.find("button", "Sign in"))))
	w.until("the place before the sign-in", func() bool { return w.address() == "/app/in/time?view=week" })
	w.see("ann")
	w.wantNoMessagesOrShifts()
}
