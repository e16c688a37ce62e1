package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// waitForText waits until the page contains a text.
func (b *browser) waitForText(text string) {
	b.server.T.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`new Promise((done) => {
		const observer = new MutationObserver(() => check());
		const check = () => document.body.innerText.includes(%q) && (observer.disconnect(), done(true));
		observer.observe(document.body, {subtree: true, childList: true, characterData: true});
		check();
	})`, text), chromedp.EvalAwaitPromise))
	b.must(err)
}

// The web app opens at any of its paths without a message in the console, so its policy
// permits all that it does. It shows a change as soon as another client has written it.
func TestWebAppFollowsChanges(t *testing.T) {
	b := newMember(t)
	b.open("/app/in/time?view=week", 200)
	b.waitForText("ann")
	b.rename("Ann of Mill Lane")
	b.waitForText("Ann of Mill Lane")
	if token := evaluate[string](b, `document.cookie + JSON.stringify({...localStorage, ...sessionStorage})`); token != "{}" {
		t.Errorf("scripts can read %s, want no credentials", token)
	}
	b.check()
}

// rename changes the display name of the member, as another client does.
func (b *browser) rename(name string) {
	b.server.T.Helper()
	api := fmt.Sprintf(`fetch("/world/identity/me", {method: "PATCH", headers: {"Content-Type": "application/json"}, body: JSON.stringify({display_name: %q})}).then((r) => r.status)`, name)
	status, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](api, chromedp.EvalAwaitPromise))
	b.must(err)
	if status != 200 {
		b.server.T.Fatalf("got status %d of the change, want 200", status)
	}
}

// newTab opens another tab of the browser.
func (b *browser) newTab() *browser {
	b.server.T.Helper()
	ctx, _ := chromedp.NewContext(b.ctx)
	tab := &browser{server: b.server, ctx: ctx}
	tab.area = area{b: tab}
	b.must(chromedp.Listen(ctx, tab.listen))
	return tab
}

// Two tabs share one stream: the one with the lock reads it. If it is closed, the other
// one does.
func TestTabsOfTheWebAppShareOneStream(t *testing.T) {
	b := newMember(t)
	first, second := b.newTab(), b.newTab()
	for _, tab := range []*browser{first, second} {
		tab.open("/app/", 200)
		tab.waitForText("ann")
	}
	first.rename("Ann One")
	for _, tab := range []*browser{first, second} {
		tab.waitForText("Ann One")
	}
	locks := `navigator.locks.query().then(({held, pending}) => held.length + " held, " + pending.length + " pending")`
	got, err := chromedp.Run(second.ctx, chromedp.Evaluate[string](locks, chromedp.EvalAwaitPromise))
	if err != nil || got != "1 held, 1 pending" {
		t.Errorf("got the locks %s, %v, want one held and one pending", got, err)
	}
	b.must(chromedp.Cancel(first.ctx))
	second.rename("Ann Two")
	second.waitForText("Ann Two")
}

// Without a session, the web app leads to the sign-in page and back to where it was.
func TestWebAppAsksForTheSignIn(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(b.server.URL+"/app/in/time?view=week")))
	b.must(chromedp.Do(b.ctx, chromedp.WaitVisible("input[name=password]")))
	b.messages() // Chromium reports the 401 of the session
	b.fill("User name or e-mail address", "ann")
	b.fill("Password", apptest.Password)
	b.press("Sign in")
	b.wantPath("/app/in/time")
	b.waitForText("ann")
	if got := evaluate[string](b, "location.search"); got != "?view=week" {
		t.Errorf("got the query %q after the sign-in, want ?view=week", got)
	}
}
