package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"

	"appliance/app/apptest"
)

// code returns the code of an authenticator app for the time in from now. The server accepts each
// code once, including the codes of the previous and the next 30 seconds.
func code(t *testing.T, secret string, in time.Duration) string {
	t.Helper()
	c, err := totp.GenerateCode(strings.ReplaceAll(secret, " ", ""), time.Now().Add(in))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recoveryCodes returns the recovery codes that the page shows.
func (b *browser) recoveryCodes() []string {
	b.server.T.Helper()
	codes := evaluate[[]string](b, `[...document.querySelectorAll(".codes code")].map((c) => c.textContent)`)
	if len(codes) != 10 {
		b.server.T.Fatalf("got %d recovery codes, want 10", len(codes))
	}
	return codes
}

// delayUntilPainted holds requests with a URL that matches a pattern until the page has been
// painted, to simulate a slow connection.
func (b *browser) delayUntilPainted(pattern string) {
	b.server.T.Helper()
	b.must(chromedp.Listen(b.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			go func() { // the evaluation waits for events that this listener must not block
				for isPainted := false; !isPainted && b.ctx.Err() == nil; {
					isPainted, _ = chromedp.Run(b.ctx, chromedp.Evaluate[bool](`performance.getEntriesByType("paint").length > 0`))
				}
				_, _ = chromedp.Call(b.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID}) // fails if the page has been closed
			}()
		}
	}))
	_, err := chromedp.Call(b.ctx, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}})
	b.must(err)
	_, err = chromedp.Call(b.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	b.must(err)
}

func TestPasskeyIsASecondFactor(t *testing.T) {
	b := newMember(t)
	b.addAuthenticator()
	passkeys := b.section("Passkeys")
	passkeys.fill("Name", "Laptop")
	passkeys.fill("Current password", apptest.Password)
	passkeys.press("Add passkey")
	b.press("Create passkey")
	b.wantText("The passkey is a second factor now.", "Laptop")
	b.recoveryCodes()
	b.press("Sign out ann")

	b.delayUntilPainted("*/passkey.js*")
	b.signIn("ann", apptest.Password)
	b.wantText("Recovery code")
	(&webTab{browser: b}).until("the focus on the button", func() bool {
		return evaluate[string](b, "document.activeElement.textContent") == "Use a passkey"
	})
	b.press("Use a passkey")
	b.wantPath("/app/")
	b.open("/account", 200)
	passkeys.expand("Laptop")
	passkeys.fill("Current password", apptest.Password)
	passkeys.press("Remove passkey Laptop")
	b.wantText("The passkey is removed.", "None yet.")
	b.press("Sign out ann")
	b.signIn("ann", apptest.Password)
	b.wantPath("/app/")
}
