package browser

import (
	"slices"
	"testing"
)

// The menu of a member leads to the help, which begins with the pages for members, in paragraphs with gaps.
func TestMenuLeadsToHelp(t *testing.T) {
	longBrowserTest(t)
	s := serveHTTP(t)
	s.addMember("bea")
	w := newBrowser(s).webTab("bea")
	w.visit("/app/")
	w.click("button", "Bea…")
	w.click("menuitem", "Help")
	w.wantPath("/help/")
	w.wantText("The web app", "For members", "For operators")
	const gaps = `[...document.querySelectorAll("main > * + *")].map((node) => node.getBoundingClientRect().top - node.previousElementSibling.getBoundingClientRect().bottom)`
	if got := slices.Min(evaluate[[]float64](w.browser, gaps)); got < 8 {
		t.Errorf("got a gap of %v px between paragraphs, want at least 8", got)
	}
	w.takeScreenshot("help")
	w.ignoreShifts()
}
