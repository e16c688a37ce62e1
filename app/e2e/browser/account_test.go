package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

func TestMemberChangesTheAccount(t *testing.T) {
	b := newMember(t)
	profile := b.section("Profile")
	profile.fill("Display name", "Ann B.")
	profile.fill("Time zone", "America/New_York")
	profile.press("Save")
	b.wantText("Saved.", "Sign out Ann B.")
	if got := profile.value("Time zone"); got != "America/New_York" {
		t.Errorf("time zone: got %s, want America/New_York", got)
	}

	details := b.section("Sign-in details")
	details.fill("E-mail address", "ann@new.example")
	details.fill("User name", "annie")
	details.fill("Current password", "wrong password")
	details.press("Save")
	b.wantText("Current password is wrong")
	if got := details.value("E-mail address") + " " + details.value("User name"); got != "ann@new.example annie" {
		t.Errorf("sign-in details after a mistake: got %s, want them preserved", got)
	}
	details.fill("Current password", apptest.Password)
	details.press("Save")
	b.wantText("Saved. Sign in with the new names from now on.")
	if got := details.value("E-mail address") + " " + details.value("User name"); got != "ann@new.example annie" {
		t.Errorf("sign-in details: got %s, want ann@new.example annie", got)
	}

	const password = "another horse battery"
	secret := b.section("Password")
	secret.fill("Current password", apptest.Password)
	secret.fill("New password", password)
	secret.press("Change password")
	b.wantText("Your password is changed.")
	b.press("Sign out Ann B.")
	b.signIn("annie", password)
	b.wantPath("/app/")
}

func TestMemberManagesDevicePasswords(t *testing.T) {
	b := newMember(t)
	devices := b.section("Device passwords")
	devices.fill("Device name", "Phone")
	devices.press("Create device password")
	b.wantText("Password for Phone", "It is shown only once.")
	password := b.section("Password for Phone").secret()
	if got := b.server.propfind("ann", password); got != 207 {
		t.Errorf("calendar app with the password: got status %d, want 207", got)
	}
	devices.press("Remove device password Phone")
	b.wantText("The device password is removed.", "None yet.")
	if got := b.server.propfind("ann", password); got != 401 {
		t.Errorf("calendar app with the removed password: got status %d, want 401", got)
	}
	b.section("Connect your devices").expand("iPhone and iPad")
	b.section("Connect your devices").expand("Other CalDAV clients")
}

// The account page shows a code; the device that scans it gets its password without the
// session of the member, and appears in the list.
func TestMemberSetsUpADeviceByACode(t *testing.T) {
	b := newMember(t)
	connect := b.section("Connect your devices")
	connect.fill("Device name", "Phone")
	connect.press("Show a code to scan")
	b.wantText("Set up Phone", "good until")
	link := b.server.path(b.section("Set up Phone").secret())
	if dark := evaluate[int](b, `document.querySelector(".qr .qr-fg").getAttribute("d").length`); dark < 1000 {
		t.Errorf("got a QR code of %d characters, want a picture", dark)
	}
	phone := newBrowser(b.server)
	phone.open(link, 200)
	phone.wantText("Set up Phone", "Install on an iPhone, iPad or Mac")
	phone.press("Show the password")
	password := evaluate[string](phone, `[...document.querySelectorAll("output.secret")].at(-1).value`)
	if got := b.server.propfind("ann", password); got != 207 {
		t.Errorf("calendar app with the password: got status %d, want 207", got)
	}
	phone.section("Add a CalDAV account").expand("Android (DAVx⁵)")
	phone.open(link, 404)
	b.open("/account", 200)
	b.section("Device passwords").press("Remove device password Phone")
	if got := b.server.propfind("ann", password); got != 401 {
		t.Errorf("calendar app with the removed password: got status %d, want 401", got)
	}
}

func TestMemberDownloadsAllData(t *testing.T) {
	b := newMember(t)
	dir, events := t.TempDir(), true
	progress := chromedp.BrowserEvents(b.ctx, cdpbrowser.DownloadProgress)
	_, err := chromedp.CallBrowser(b.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, EventsEnabled: &events, BrowserContextID: b.profile(),
	})
	b.must(err)
	b.must(chromedp.Do(b.ctx, chromedp.Click(b.section("Your data").find("button", "Download all your data"))))
	for e, err := range progress {
		b.must(err)
		if e.State == cdpbrowser.DownloadProgressStateCanceled {
			t.Fatal("the download was canceled")
		}
		if e.State == cdpbrowser.DownloadProgressStateCompleted {
			break
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	b.must(err)
	if len(files) != 1 || !strings.HasSuffix(files[0], ".json") {
		t.Fatalf("got the files %q, want one JSON file", files)
	}
	text, err := os.ReadFile(files[0])
	b.must(err)
	var data map[string]any
	if err := json.Unmarshal(text, &data); err != nil || !strings.Contains(string(text), "ann@example.org") {
		t.Errorf("got %.200s, %v, want the data of ann", text, err)
	}
}

func TestMemberSharesACalendar(t *testing.T) {
	b := newMember(t)
	b.follow("Your calendars")
	b.wantPath("/account/calendars")
	b.press("Create read-only link")
	b.wantText("It is shown only once.")
	b.wantText("Anyone with the link")
	name := evaluate[string](b, `document.querySelector("button[aria-label^='Stop sharing']").ariaLabel`)
	b.press(name)
	b.wantText("Create read-only link")
}
