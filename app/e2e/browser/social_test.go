package browser

import (
	"fmt"
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

// The cards of the communities show the next event and the latest conversation. Invitations are above them.
func TestCardsOfCommunities(t *testing.T) {
	f := newPopulatedServer(t)
	f.cem.CreateCommunity(`{"name": "Roof garden", "visibility": "public", "join_policy": "open", "summary": "Who waters when"}`)
	w := newWebTab(f.server, "ann")
	w.visit("/app/in/social?view=communities")
	w.node("heading", "You are invited")
	w.see("Rowing club", "Who waters when")
	w.node("link", "Who has the long ladder? · 1 new")
	w.node("link", "…6:00 PM: Supper")
	w.click("button", "Accept…")
	w.wantNo("heading", "You are invited")
	w.click("button", "Join…")
	w.wantNo("heading", "Other communities")
	w.node("link", "Roof garden…")
}

// On a tablet, the bar shows words and badges, and one item for Find and Around, which are one screen.
func TestBarOfATablet(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.resize(820, 1180)
	w.visit("/app/in/field")
	const items = `[...document.querySelectorAll(".side .nav:first-child .nav-item")]`
	got := evaluate[[]string](w.browser, items+`.map((a) => a.querySelector(".clip").textContent)`)
	if want := []string{"Today", "Find", "Social", "Calendar", "Messages", "Profile"}; !slices.Equal(got, want) {
		t.Errorf("got the items %q, want %q", got, want)
	}
	const visible = `.every((a) => { const { width, height } = a.getBoundingClientRect(); return width > 5 && height > 5; })`
	if !evaluate[bool](w.browser, items+`.map((a) => a.querySelector(".clip"))`+visible) || !evaluate[bool](w.browser, `[...document.querySelectorAll(".side .badge")]`+visible) {
		t.Error("got items without words or badges")
	}
	if got := evaluate[string](w.browser, `document.querySelector(".side [aria-current]")?.title ?? ""`); got != "Find" {
		t.Errorf("got the current item %q at the address of Around, want Find", got)
	}
	if got := evaluate[int](w.browser, `[...document.querySelectorAll(".side use")].filter((u) => u.href.baseVal.endsWith("search") && u.getBoundingClientRect().width > 0).length`); got != 1 {
		t.Errorf("got %d magnifiers, want one", got)
	}
}

// Beside the list of tasks, the calendar has no second list of them.
func TestTasksAppearOnce(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.visit("/app/in/time?view=tasks")
	w.see("Order seed potatoes")
	w.wantNo("heading", "To do")
	w.visit("/app/in/time?view=month")
	w.node("heading", "To do")
}

// Links outside of running text are at least 44 pixels high on a phone.
func TestLinksAreLargeEnoughToTouch(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.resize(390, 844)
	for _, path := range []string{
		"/app/", "/app/in/social", "/app/in/social?view=conversations", "/app/in/social?view=events", "/app/in/social?view=communities",
		"/app/in/social?view=people", "/app/in/social?view=notifications", "/app/in/messages",
	} {
		w.visit(path)
		small := evaluate[[]string](w.browser, `[...document.querySelectorAll("main a[href], .dock a")].filter((a) => a.checkVisibility() && !a.closest("p, .act-t"))
			.map((a) => [a.textContent, a.getBoundingClientRect()]).filter(([, { height }]) => height > 1 && height < 43.5).map(([text, { height }]) => text + ": " + height)`)
		if len(small) > 0 {
			t.Errorf("%s: got the links %q, want 44 pixels", path, small)
		}
	}
}

// An invitation has one color on Today and in Social, and the side shows who wrote the last message.
func TestInvitationHasOneColor(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	const classes = `[...document.querySelectorAll(".wait")].filter((c) => c.textContent.includes("Rowing club")).map((c) => c.querySelector(".av").className).join()`
	w.visit("/app/")
	w.node("link", "Cem…You: Is there room for one more?…")
	w.node("link", "Bea…I will bring bread…")
	today := evaluate[string](w.browser, classes)
	w.visit("/app/in/social")
	w.see("Rowing club")
	if social := evaluate[string](w.browser, classes); social != today || social == "" {
		t.Errorf("got the classes %q on Today and %q in Social, want the same", today, social)
	}
}

// The editor and the confirmation of the cancellation name the number of dates of a series.
func TestChangesOfASeriesNameItsDates(t *testing.T) {
	longBrowserTest(t)
	s := serveHTTP(t)
	w := newBrowser(s).webTab("ann")
	id := w.member.CreateEvent("title", "Rehearsal", "visibility", "public", "rrule", "FREQ=WEEKLY;COUNT=4")
	w.visit("/app/in/social?view=events&id=" + id)
	w.click("button", "Edit")
	w.see("This changes all 4 dates of the series.")
	w.click("button", "Cancel")
	w.click("button", "More for…")
	w.click("menuitem", "Cancel event…")
	w.see("All 4 dates of the series are cancelled.")
	w.ignoreShifts()
}

// The gaps between the children of a stack come from the stack: a child has no margin that would add to them.
func TestStacksHaveEvenGaps(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	for _, path := range []string{
		"/app/", "/app/in/social", "/app/in/social?view=events", "/app/in/social?view=communities", "/app/in/social?view=notifications",
		"/app/settings/profile", "/app/settings/calendars", "/app/settings/second_factor", "/app/operator",
	} {
		w.visit(path)
		w.waitUntilIdle()
		got := evaluate[[]string](w.browser, `[...document.querySelectorAll("main :is(.stack, .stack-s, .stack-l)")].flatMap((stack) => (
			[...stack.children].filter((child) => child.offsetHeight > 0).flatMap((child, i, all) => {
				const { marginTop, marginBottom } = getComputedStyle(child);
				const isUneven = (i > 0 && parseFloat(marginTop) > 0) || (i < all.length - 1 && parseFloat(marginBottom) > 0);
				return isUneven ? [stack.className + " > " + child.className + ": " + marginTop + ", " + marginBottom] : [];
			})))`)
		if len(got) > 0 {
			t.Errorf("%s: got margins at %q, want none", path, got)
		}
	}
}

// An event without an answer is a card in the view of the events, and the badge of the tab counts the cards.
func TestUnansweredEventsAreCards(t *testing.T) {
	f := newPopulatedServer(t)
	w := newWebTab(f.server, "ann")
	w.visit("/app/in/social?view=events")
	w.node("heading", "Waiting for you")
	w.tabNames()
	got := evaluate[[]int](w.browser, `[document.querySelectorAll("main .card.wait").length, Number(document.querySelector(".places [aria-current] .badge [aria-hidden]").textContent),
		[...document.querySelectorAll("main a")].filter((a) => a.textContent.includes("Supper")).length]`)
	if !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("got the numbers of cards, in the badge and of links to the event %v, want one each", got)
	}
}

// On a phone, a conversation begins below its bar, also if the title needs two lines.
func TestConversationBeginsBelowItsBar(t *testing.T) {
	s := serveHTTPLong(t)
	id := s.SignIn("ann").StartConversation("Who has the long ladder of the sailing club, and does anyone need it in the next week?")
	w := newWebTab(s, "ann")
	w.resize(390, 844)
	w.visit("/app/in/social?view=conversations&id=" + id)
	w.until("the first post", func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".post")`) })
	bottom := evaluate[float64](w.browser, `document.querySelector(".bar").getBoundingClientRect().bottom`)
	if top := evaluate[float64](w.browser, `document.querySelector(".post").getBoundingClientRect().top`); bottom < 70 || top < bottom {
		t.Errorf("got the first post at %v pixels and the end of the bar at %v, want the post below a bar with two lines", top, bottom)
	}
	if got := evaluate[float64](w.browser, `document.scrollingElement.scrollHeight`); got > 844 {
		t.Errorf("got a page of %v pixels, want one that fits into the window", got)
	}
}

// Many questions leave room for the rest of Today and of Lately: only the next four are cards there, and a link leads
// to the others.
func TestManyQuestionsLeaveRoomForTheRest(t *testing.T) {
	s := serveHTTPLong(t)
	bea := s.addMember("bea")
	for i := range 7 {
		bea.CreateEvent("title", fmt.Sprint("Race ", i), "visibility", "public", "start", day(i+1)+"T18:00:00")
	}
	w := newWebTab(s, "ann")
	cards := func() int { return evaluate[int](w.browser, `document.querySelectorAll("main .card.wait").length`) }
	w.visit("/app/")
	w.until("four cards on Today", func() bool { return cards() == 4 })
	w.click("link", "3 more")
	w.until("four cards in Lately", func() bool { return cards() == 4 && evaluate[bool](w.browser, `!!document.querySelector(".places a")`) })
	w.clickPart("main section:has(.card.wait) .section-head a")
	w.until("all cards in Events", func() bool { return cards() == 7 })
	w.ignoreShifts()
}
