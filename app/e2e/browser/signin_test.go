package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// signIn signs a member in on the sign-in page.
func (b *browser) signIn(name, password string) {
	b.server.T.Helper()
	b.open("/login", 200)
	b.wantPath("/world/login")
	b.fill("User name or e-mail address", name)
	b.fill("Password", password)
	b.press("Sign in")
}

// signInToAccount signs a member in and opens the account page.
func (b *browser) signInToAccount(name, password string) {
	b.server.T.Helper()
	b.signIn(name, password)
	b.wantPath("/app/")
	b.open("/account", 200)
}

// newMember starts a server with the operator ann, and a browser in which ann is
// signed in and sees the account page.
func newMember(t *testing.T) *browser {
	t.Helper()
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.signInToAccount("ann", apptest.Password)
	return b
}

func TestFirstOperatorSetsUpTheServer(t *testing.T) {
	s := serve(t, emptyDir)
	s.WaitForLog("a link to create one is in a file")
	link, err := os.ReadFile(filepath.Join(s.dir, "setup-link"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(s)
	b.setZone("Asia/Tokyo")
	b.open("/", 200)
	b.wantText("This server is not set up yet", "appliance setup --link")
	b.check()
	b.open(s.path(string(link)), 200)
	if got := b.value("Time zone"); got != "Asia/Tokyo" {
		t.Errorf("time zone: got %s, want Asia/Tokyo, that of the browser", got)
	}
	b.fill("E-mail address", "ann@example.org")
	b.fill("Display name", "Ann")
	b.fill("User name", "ann")
	if got := b.value("Address of the server"); got != s.URL {
		t.Errorf("address of the server: got %s, want %s, which the browser has used", got, s.URL)
	}
	b.fill("Name of the server", "Mill Lane")
	b.fill("Password", "password")
	b.press("Create account")
	b.wantText("Many people use this password")
	if got := b.value("E-mail address"); got != "ann@example.org" {
		t.Errorf("e-mail address after a mistake: got %q, want it preserved", got)
	}
	b.fill("Password", apptest.Password)
	b.press("Create account")
	b.wantPath("/app/")
	me := inApp[string](b, `fetch("/identity/me").then((r) => r.json()).then(({member}) => member.timezone + " " + member.is_operator)`)
	if want := "Asia/Tokyo true"; me != want {
		t.Errorf("got the time zone and the rights %s, want %s", me, want)
	}
	b.open("/account", 200)
	b.wantText("Sign out Ann")
	b.open(s.path(string(link)), 404)
	b.wantText("This link is no longer valid", "Sign in instead")
}

func TestMemberSignsIn(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.signIn("ann", "wrong password")
	b.wantPath("/world/login")
	b.wantText("wrong")
	if got := b.value("User name or e-mail address"); got != "ann" {
		t.Errorf("user name after a wrong password: got %q, want it preserved", got)
	}
	b.fill("Password", apptest.Password)
	b.press("Sign in")
	b.wantPath("/app/")
	b.open("/login", 200)
	b.wantPath("/app/")
	b.open("/account", 200)
	b.press("Sign out ann")
	b.wantPath("/world/login")
	b.open("/", 200)
	b.wantPath("/world/login")
}

// After the sign-in, the page that required it is opened.
func TestSignInLeadsBack(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.open("/account", 200)
	b.wantPath("/world/login")
	b.fill("User name or e-mail address", "ann@example.org")
	b.fill("Password", apptest.Password)
	b.press("Sign in")
	b.wantPath("/account")
}

func TestKeyboardSignsIn(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.open("/login", 200)
	focused := func() string {
		return evaluate[string](b, "document.activeElement.name || document.activeElement.textContent")
	}
	(&webTab{browser: b}).until("the focus on the first field", func() bool { return focused() == "login" })
	if evaluate[string](b, "getComputedStyle(document.activeElement).outlineStyle") == "none" {
		t.Error("focused field: got no outline, want one")
	}
	b.keys("ann" + kb.Tab + apptest.Password)
	b.load(chromedp.KeyEvent(kb.Enter))
	b.wantPath("/app/")
}

// The manual and the page for an unknown path are public.
func TestPublicPages(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	b.open("/nothing/here", 404)
	b.wantText("Page not found")
	b.follow("Help")
	topics := regexp.MustCompile(`href="(/help/[a-z-]+)"`).FindAllStringSubmatch(evaluate[string](b, "document.body.innerHTML"), -1)
	seen := make(map[string]bool)
	for _, topic := range topics {
		if path := topic[1]; !seen[path] {
			seen[path] = true
			b.open(path, 200)
		}
	}
	if len(seen) < 10 {
		t.Errorf("manual: got %d topics, want at least 10", len(seen))
	}
}
