package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
)

// screen is an address of the web app. path contains the addresses that depend on the data
// of the fixture, such as {event}; see populatedServer.addresses.
type screen struct {
	name, path string
}

// webScreens are all screens of the web app.
var webScreens = []screen{
	{"today", "/app/"},
	{"month", "/app/in/time?view=month"},
	{"week", "/app/in/time?view=week"},
	{"day", "/app/in/time?view=day"},
	{"agenda", "/app/in/time?view=agenda"},
	{"tasks", "/app/in/time?view=tasks"},
	{"entry", "/app/at/{entry}"},
	{"task", "/app/at/{task}"},
	{"messages", "/app/in/messages"},
	{"thread", "/app/at/{thread}"},
	{"social", "/app/in/social"},
	{"conversations", "/app/in/social?view=conversations"},
	{"communities", "/app/in/social?view=communities"},
	{"events", "/app/in/social?view=events"},
	{"people", "/app/in/social?view=people"},
	{"circles", "/app/in/social?view=circles"},
	{"activity", "/app/in/social?view=activity"},
	{"notifications", "/app/in/social?view=notifications"},
	{"invitations", "/app/in/social?view=invitations"},
	{"direct-messages", "/app/in/social?view=dms"},
	{"blocks", "/app/in/social?view=blocks"},
	{"community", "/app/at/{community}"},
	{"conversation", "/app/at/{conversation}"},
	{"event", "/app/at/{event}"},
	{"person", "/app/at/{person}"},
	{"around", "/app/in/field"},
	{"profile", "/app/in/profile"},
	{"place", "/app/on/{place}"},
	{"article", "/app/on/{article}"},
	{"gallery", "/app/on/{gallery}"},
	{"events-of-page", "/app/on/{events}"},
	{"business", "/app/on/{business}"},
	{"contact", "/app/on/{contact}"},
	{"settings", "/app/settings/"},
	{"settings-profile", "/app/settings/profile"},
	{"settings-appearance", "/app/settings/appearance"},
	{"settings-calendars", "/app/settings/calendars"},
	{"settings-devices", "/app/settings/devices"},
	{"settings-sessions", "/app/settings/sessions"},
	{"settings-password", "/app/settings/password"},
	{"settings-second-factor", "/app/settings/second_factor"},
	{"settings-blocks", "/app/settings/blocks"},
	{"settings-data", "/app/settings/data"},
	{"operator", "/app/operator/"},
	{"operator-members", "/app/operator/members"},
	{"operator-invitations", "/app/operator/invitations"},
	{"operator-backups", "/app/operator/backups"},
	{"operator-regions", "/app/operator/regions"},
	{"operator-services", "/app/operator/services"},
	{"operator-providers", "/app/operator/providers"},
	{"operator-audit", "/app/operator/audit"},
	{"gone", "/app/at/nothing-of-this-name"},
	{"find", "/app/find?q=coffee&scope=everywhere"}, // last, because the search replaces the results of the previous one
}

// In light and dark, every screen has one main heading, does not scroll sideways and does not
// shift, the console stays empty, and axe, if present, has no findings. Visits of the screens
// neither remove a surface from a stack nor move one.
func TestScreensOnADesktop(t *testing.T) { testScreens(t, "desktop", 1440, 900) }

func TestScreensOnAPhone(t *testing.T) { testScreens(t, "phone", 390, 844) }

func testScreens(t *testing.T, device string, width, height int64) {
	longBrowserTest(t)
	script := axeIfPresent(t)
	populated := newPopulatedServer(t)
	w := newWebTab(populated.server, "ann")
	w.resize(width, height)
	before := populated.stacks()
	for _, s := range webScreens {
		if s.name == "find" {
			if after := populated.stacks(); after != before {
				t.Errorf("got the stacks\n%s\nafter visits of all screens, want\n%s", after, before)
			}
		}
		w.visit(populated.resolve(s.path))
		w.until("a heading", func() bool {
			return evaluate[bool](w.browser, `!!document.querySelector("h1") && !document.querySelector("main.start")`)
		})
		for _, scheme := range []string{"light", "dark"} {
			w.setMediaFeatures(map[string]string{"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"})
			w.takePicture(fmt.Sprintf("%s-%s-%s", s.name, device, scheme))
			if script != "" {
				for _, finding := range w.runAxe(script) {
					t.Errorf("%s, %s: %s", s.name, scheme, finding)
				}
			}
		}
		if headings := w.names("heading"); evaluate[int](w.browser, `document.querySelectorAll("h1").length`) != 1 {
			t.Errorf("%s: got the headings %q, want one of the first level", s.name, headings)
		}
		w.wantNoMessagesOrShifts()
		widths := []int64{width}
		if device == "desktop" {
			widths = []int64{width, 320, 768, 1024, 2560}
		}
		w.wantFit(s.name, widths...)
		w.resize(width, height)
		w.ignoreShifts() // caused by resizing the window
	}
}

// wantFit fails the test unless the screen fits into windows with the widths, in both text
// directions.
func (w *webTab) wantFit(screen string, widths ...int64) {
	w.server.T.Helper()
	for _, width := range widths {
		w.resize(width, 900)
		for _, direction := range []string{"rtl", "ltr"} {
			evaluate[bool](w.browser, fmt.Sprintf(`document.documentElement.dir = %q, true`, direction))
			if got := evaluate[int64](w.browser, "document.documentElement.scrollWidth"); got > width {
				w.server.T.Errorf("%s: %d pixels, %s: the page is %d pixels wide", screen, width, direction, got)
			}
		}
	}
}

// takePicture stores a picture of the screen if the flag -screenshots is set.
func (w *webTab) takePicture(name string) {
	w.server.T.Helper()
	if *screenshots == "" {
		return
	}
	picture, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	w.must(err)
	w.must(os.MkdirAll(*screenshots, 0o700))
	w.must(os.WriteFile(filepath.Join(*screenshots, "app-"+name+".png"), picture, 0o600))
}

var addressName = regexp.MustCompile(`\{[a-z]+\}`)

// resolve returns the path of a screen.
func (f *populatedServer) resolve(path string) string {
	return addressName.ReplaceAllStringFunc(path, func(name string) string {
		id, ok := f.addresses[name[1:len(name)-1]]
		if !ok {
			f.T.Fatalf("the fixture has no %s", name)
		}
		return url.PathEscape(id)
	})
}
