package browser

import (
	"slices"
	"testing"
)

// tabNames returns the names of the tabs of Social, and that of the current one.
func (w *webTab) tabNames() (names []string, current string) {
	w.server.T.Helper()
	w.until("the tabs of Social", func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".places a")`) })
	const label = `.firstElementChild.textContent`
	return evaluate[[]string](w.browser, `[...document.querySelectorAll(".places a")].map((a) => a`+label+`)`),
		evaluate[string](w.browser, `document.querySelector(".places [aria-current]")?`+label+` ?? ""`)
}

// Social has five tabs, and each view of its panel opens its place.
func TestViewsOfSocialOpenTheirPlaces(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	for _, size := range []struct{ width, height int64 }{{1440, 900}, {390, 844}} {
		w.resize(size.width, size.height)
		for view, want := range map[string]string{
			"dashboard": "Lately", "activity": "Lately", "invitations": "Lately", "conversations": "Talk", "events": "Events",
			"communities": "Communities", "people": "People", "circles": "People",
		} {
			w.visit("/app/in/social?view=" + view)
			names, current := w.tabNames()
			if !slices.Equal(names, []string{"Lately", "Talk", "Events", "Communities", "People"}) || current != want {
				t.Errorf("%d pixels, view %q: got the tabs %q with %q, want five with %q", size.width, view, names, current, want)
			}
			if end := evaluate[float64](w.browser, `document.querySelector(".places a:last-child").getBoundingClientRect().right`); end > float64(size.width) {
				t.Errorf("%d pixels, view %q: the last tab ends at %v", size.width, view, end)
			}
		}
		for view, want := range map[string]string{"notifications": "Notifications", "dms": "Messages", "blocks": "Blocked members", "profile": "Your profile"} {
			w.visit("/app/in/social?view=" + view)
			w.node("heading", want)
		}
		w.ignoreShifts() // caused by resizing the window
	}
}

// An entry of the navigation that the app does not know is one more tab.
func TestUnknownViewOfSocialIsATab(t *testing.T) {
	s := newStub(t)
	s.edit("/world/panels/social", func(v any) any {
		return set(v, "nav.-", decodeJSON(`{"id": "polls", "label": "Polls & votes", "action": "/world/panels/social?view=polls", "selected": false}`))
	})
	w := newWebTab(s.server, "ann")
	w.visit("/app/in/social")
	if names, _ := w.tabNames(); len(names) != 6 || names[5] != "Polls & votes" {
		t.Errorf("got the tabs %q, want a sixth tab for the unknown view", names)
	}
}

// Lately shows the latest activity; the keys [ and ] open the tabs beside the current one.
func TestLatelyShowsTheLatestReplies(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.visit("/app/in/social")
	w.node("link", "Who has the long ladder?…Bea: @ann, in the loft?…1 new")
	w.node("link", "Bea created Supper…")
	w.typeKeys("]")
	w.until("the tab Talk", func() bool { _, current := w.tabNames(); return current == "Talk" })
	w.typeKeys("[")
	w.until("the tab Lately", func() bool { _, current := w.tabNames(); return current == "Lately" })
	w.click("link", "Who has the long ladder?…")
	w.node("heading", "Who has the long ladder?")
}

// On a phone, what waits for the member is drawn first and is first in the document.
func TestWaitingIsFirstOnAPhone(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.resize(390, 844)
	for path, next := range map[string]string{"/app/": "Today", "/app/in/social": "Today"} {
		w.visit(path)
		w.node("heading", "Waiting for you")
		const drawn = `[...document.querySelectorAll("main .two h2")].map((h) => [h.textContent, h.getBoundingClientRect().top]).filter(([, top]) => top > 0)`
		inDocument := evaluate[[]string](w.browser, drawn+`.map(([text]) => text)`)
		byPosition := evaluate[[]string](w.browser, drawn+`.sort(([, a], [, b]) => a - b).map(([text]) => text)`)
		if !slices.Equal(inDocument, byPosition) || inDocument[0] != "Waiting for you" || inDocument[1] != next {
			t.Errorf("%s: got the headings %q in the document and %q on the screen, want Waiting for you and %s first in both", path, inDocument, byPosition, next)
		}
	}
}
