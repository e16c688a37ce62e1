package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// Without JavaScript, a member signs in, changes the password, manages device passwords and the
// second factor, and signs out.
func TestAccountWithoutJavaScript(t *testing.T) {
	b := newBrowser(serve(t, apptest.NewDataDir))
	_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.must(err)
	signIn := func(password string) {
		t.Helper()
		b.open("/world/login?return_to=/account", 200)
		b.fill("User name or e-mail address", "ann")
		b.fill("Password", password)
		b.press("Sign in")
	}
	signIn(apptest.Password)
	b.wantPath("/account")

	const password = "another horse battery"
	change := b.section("Password")
	change.fill("Current password", "wrong password")
	change.fill("New password", password)
	change.press("Change password")
	b.wantText("Current password is wrong")
	change.fill("Current password", apptest.Password)
	change.fill("New password", password)
	change.press("Change password")
	b.wantText("Your password is changed.")

	devices := b.section("Device passwords")
	devices.fill("Device name", "Phone")
	devices.press("Create device password")
	b.wantText("Password for Phone", "It is shown only once.")
	secret := b.section("Password for Phone").secret()
	if got := b.server.propfind("ann", secret); got != 207 {
		t.Errorf("calendar app with the password: got status %d, want 207", got)
	}
	devices.expand("iPhone and iPad")
	devices.press("Remove device password Phone")
	b.wantText("The device password is removed.", "None yet.")
	if got := b.server.propfind("ann", secret); got != 401 {
		t.Errorf("calendar app with the removed password: got status %d, want 401", got)
	}

	app := b.section("Authenticator app")
	app.fill("Current password", password)
	app.press("Add authenticator app")
	key := b.section("Add the authenticator app").secret()
	b.fill("Code that the app shows", "000000")
	b.press("Confirm")
	b.wantText("This code is wrong")
	b.fill("Code that the app shows", code(t, key, 0))
	b.press("Confirm")
	b.wantText("Your authenticator app is a second factor now.")
	codes := b.recoveryCodes()
	passkeys := b.section("Passkeys")
	passkeys.fill("Name", "Laptop")
	passkeys.fill("Current password", password)
	passkeys.press("Add passkey")
	b.wantText("Passkeys need JavaScript.")
	b.follow("Cancel")
	b.press("Sign out ann")

	signIn(password)
	b.wantText("Confirm that it is you")
	b.fill("Code", "000000")
	b.press("Sign in")
	b.wantText("wrong")
	b.fill("Code", code(t, key, 30*time.Second))
	b.press("Sign in")
	b.wantPath("/account")
	b.wantText("Signing in requires your password and a second factor.")
	b.press("Sign out ann")

	signIn(password)
	b.fill("Code", codes[0])
	b.press("Sign in")
	b.wantText("Unused codes: 9")
	recovery := b.section("Recovery codes")
	recovery.fill("or a code of your second factor", codes[1])
	recovery.press("Create new recovery codes")
	b.recoveryCodes()
	app.fill("Current password", password)
	app.press("Remove authenticator app")
	b.wantText("The authenticator app is removed.")
	b.press("Sign out ann")
	b.wantPath("/world/login")
}

// A member who must add a second factor sees only the forms that add one.
func TestRequiredSecondFactorIsAddedOnTheAccountPage(t *testing.T) {
	longBrowserTest(t)
	b := newBrowser(serveHTTP(t, "--second-factor", "all"))
	b.signIn("ann", apptest.Password)
	b.wantPath("/account")
	b.wantText("Add one to continue.")
	if text := b.text(); strings.Contains(text, "Device passwords") || strings.Contains(text, "Open the app") {
		t.Errorf("got the text below, want only second factors\n%s", text)
	}
	app := b.section("Authenticator app")
	app.fill("Current password", apptest.Password)
	app.press("Add authenticator app")
	key := b.section("Add the authenticator app").secret()
	b.fill("Code that the app shows", code(t, key, 0))
	b.press("Confirm")
	b.recoveryCodes()
	b.follow("Open the app")
	b.wantPath("/app/")
}

// The forms of the account page can be reached with the Tab key and submitted with Enter.
func TestKeyboardCreatesADevicePassword(t *testing.T) {
	b := newMember(t)
	focused := func() string {
		return evaluate[string](b, `document.activeElement.name || document.activeElement.textContent.trim()`)
	}
	for n := 0; focused() != "label"; n++ {
		if n == 30 {
			t.Fatalf("got the focus on %q after %d keys, want it on the name of a device", focused(), n)
		}
		b.keys(kb.Tab)
	}
	b.keys("Phone")
	b.load(chromedp.KeyEvent(kb.Enter))
	b.wantText("Password for Phone")
}

func TestMemberDownloadsAllData(t *testing.T) {
	w := newAppMember(t)
	w.visit("/app/settings/data")
	dir, events := t.TempDir(), true
	progress := chromedp.BrowserEvents(w.ctx, cdpbrowser.DownloadProgress)
	_, err := chromedp.CallBrowser(w.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, EventsEnabled: &events, BrowserContextID: w.profile(),
	})
	w.must(err)
	w.click("link", "Download")
	for e, err := range progress {
		w.must(err)
		if e.State == cdpbrowser.DownloadProgressStateCanceled {
			t.Fatal("the download was canceled")
		}
		if e.State == cdpbrowser.DownloadProgressStateCompleted {
			break
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	w.must(err)
	if len(files) != 1 || !strings.HasSuffix(files[0], ".json") {
		t.Fatalf("got the files %q, want one JSON file", files)
	}
	text, err := os.ReadFile(files[0])
	w.must(err)
	var data map[string]any
	if err := json.Unmarshal(text, &data); err != nil || !strings.Contains(string(text), "ann@example.org") {
		t.Errorf("got %.200s, %v, want the data of ann", text, err)
	}
}

func TestMemberSharesACalendar(t *testing.T) {
	w := newAppMember(t)
	w.visit("/app/settings/calendars")
	more := func(item string) {
		t.Helper()
		w.click("button", "More for Calendar")
		w.click("menuitem", item)
	}
	more("Create read-only link")
	w.see("Private entries are left out")
	w.clickPart("dialog[open] .primary")
	w.see("Anyone with this link can read the calendar")
	w.clickLast("button", "Close")
	more("Stop sharing")
	w.clickPart("dialog[open] .primary")
	w.see("no longer works")
	more("Create read-only link")
}

// The report of an import names the entries that were not imported, with their lines, dates and the
// reasons. A report without such entries and notes is a toast.
func TestMemberSeesTheReportOfAnImport(t *testing.T) {
	w := newAppMember(t)
	w.visit("/app/settings/calendars")
	upload := func(text string) {
		t.Helper()
		w.click("button", "More for Calendar")
		w.click("menuitem", "Import a file")
		w.until("the form is shown", func() bool {
			return evaluate[bool](w.browser, `document.querySelector("dialog[open] input[type=file]") !== null`)
		})
		evaluate[bool](w.browser, fmt.Sprintf(`(() => {
			const input = document.querySelector("dialog[open] input[type=file]");
			const files = new DataTransfer();
			files.items.add(new File([%q], "school.ics", { type: "text/calendar" }));
			input.files = files.files;
			return input.dispatchEvent(new Event("change", { bubbles: true }));
		})()`, text))
		w.clickPart("dialog[open] .primary")
	}
	const head, end = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "END:VCALENDAR\r\n"
	const valid = "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261203\r\nSUMMARY:Bins\r\nEND:VEVENT\r\n"
	upload(head + valid + "BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:20261204T090000Z\r\nRRULE:FREQ=NEVER\r\nEND:VEVENT\r\n" + end)
	w.see("Import into Calendar", "Imported: 1. Not imported: 1.", "1 entry has no UID.", "Line 7", "December 4, 2026", "FREQ=NEVER")
	w.clickLast("button", "Close")
	upload(head + valid + end)
	w.see("Imported: 0. Already present: 1.")
	w.wantNo("dialog", "Import into Calendar")
}
