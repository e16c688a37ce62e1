package browser

import "testing"

// The menu of a member leads to the help, which begins with the pages for members.
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
	w.takeScreenshot("help")
	w.ignoreShifts()
}
