package browser

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var screenshots = flag.String("screenshots", "", "directory for pictures of all pages")

// screens are the window sizes and color schemes in which every page is checked. The last one
// remains for the next steps of the test.
var screens = []struct {
	name          string
	width, height int64
	dark          bool
}{
	{"phone-light", 360, 740, false},
	{"phone-dark", 360, 740, true},
	{"wide-dark", 1280, 800, true},
	{"wide-light", 1280, 800, false},
}

//go:embed testdata/check.js
var checkScript string

// awaitApp is an expression for a promise that is resolved when the page is loaded and, on a page
// of the web app, its first screen is rendered, or after ten seconds.
const awaitApp = `new Promise((done) => {
	const end = Date.now() + 10_000;
	const isShown = () => document.readyState === "complete" && (!document.documentElement.dataset.session || document.querySelector(".main h1"));
	const check = () => (isShown() || Date.now() > end ? done(true) : setTimeout(check, 50));
	check();
})`

// check checks the current page on all screens, and the messages of the console.
func (b *browser) check() {
	b.server.T.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](awaitApp, chromedp.EvalAwaitPromise))
	b.must(err)
	b.pages++
	for _, screen := range screens {
		scheme := "light"
		if screen.dark {
			scheme = "dark"
		}
		b.must(chromedp.Do(b.ctx, chromedp.EmulateViewport(screen.width, screen.height)))
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		b.must(err)
		for _, problem := range evaluate[[]string](b, fmt.Sprintf("(%s)(%t)", checkScript, screen.dark)) {
			b.server.T.Errorf("%s, %s: %s", b.path(), screen.name, problem)
		}
		b.takeScreenshot(screen.name)
	}
	for _, message := range b.messages() {
		b.server.T.Errorf("%s: got the message %q in the console, want none", b.path(), message)
	}
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// takeScreenshot stores a picture of the whole page if the flag -screenshots is set.
func (b *browser) takeScreenshot(screen string) {
	b.server.T.Helper()
	if *screenshots == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	b.must(err)
	title := notInNames.ReplaceAllString(strings.ToLower(evaluate[string](b, "document.title")), "-")
	name := fmt.Sprintf("%s-%02d-%s-%s.png", strings.TrimPrefix(b.server.T.Name(), "Test"), b.pages, title, screen)
	b.must(os.MkdirAll(*screenshots, 0o700))
	b.must(os.WriteFile(filepath.Join(*screenshots, name), picture, 0o600))
}
