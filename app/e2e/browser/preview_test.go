package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"appliance/app/apptest"
)

// The conversation that the app shows beside the list of conversations is not marked as read until the member
// chooses it.
func TestListOfConversationsMarksNothingRead(t *testing.T) {
	longBrowserTest(t)
	s := serveHTTP(t)
	bea := s.addMember("bea")
	bea.StartConversationIn("Plums", `{"kind": "open"}`)
	id := bea.StartConversationIn("Cherries", `{"kind": "open"}`)
	bea.Do("POST", apptest.ConversationsPath+"/"+id+"/replies", `{"body": "They are ripe."}`).Want(201)
	w := newBrowser(s).webTab("ann")
	unread := func() any {
		return w.member.Do("GET", apptest.ConversationsPath+"/"+id+"?peek=1").Want(200).At("conversation.unread_count")
	}
	before := unread()
	w.visit("/app/in/social?view=conversations")
	w.wantText("They are ripe.")
	// The app marks posts 700 ms after they have come into view.
	evaluate[bool](w.browser, `new Promise((done) => setTimeout(() => done(true), 1500))`, chromedp.EvalAwaitPromise)
	w.waitUntilIdle()
	if got := unread(); got != before || got == 0.0 {
		t.Errorf("list of conversations: got %v unread posts, want %v, at least one", got, before)
	}
	w.click("link", "Cherries…")
	w.until("the read conversation", func() bool { return unread() == 0.0 })
	const hasUnread = `[...document.querySelectorAll(".comm-list a.row")].find((row) => row.textContent.includes("Plums"))?.classList.contains("is-unread")`
	if !evaluate[bool](w.browser, hasUnread) {
		t.Error("got a read row of a first post that the member has not opened, want an unread one")
	}
	w.click("link", "Plums…")
	w.until("the read first post", func() bool { return !evaluate[bool](w.browser, hasUnread) })
	w.ignoreShifts()
}
