package browser

import (
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// Messages written since the last visit are below the line "New", also if the screen first shows
// stored data of the last visit.
func TestLinePrecedesMessagesSinceTheLastVisit(t *testing.T) {
	s := newStub(t)
	bea := s.SignIn("bea")
	thread := bea.SendMessage("ann", "Who brings the ladder?")
	conversation := bea.StartConversationIn("Cherries", `{"kind": "open"}`)
	bea.Reply(conversation, "Who brings the ladder?")
	for _, c := range []struct {
		name, path, panel string
		unread            func(ann *apptest.Client) any
		write             func(text string)
	}{
		{
			"messages", "/app/in/messages?thread=" + apptest.LastSegment(thread), "/world/panels/messages",
			func(ann *apptest.Client) any { return ann.Do("GET", thread).Want(200).At("thread.unread_count") },
			func(text string) { bea.SendInThread(thread, text) },
		},
		{
			"conversation", "/app/in/social?view=conversations&id=" + conversation, "/world/panels/social",
			func(ann *apptest.Client) any {
				return ann.Do("GET", apptest.ConversationsPath+"/"+conversation).Want(200).At("conversation.unread_count")
			},
			func(text string) { bea.Reply(conversation, text) },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.reset()
			w := newWebTab(s.server, "ann")
			w.visit(c.path)
			w.see("Who brings the ladder?")
			w.until("the mark as read", func() bool { return c.unread(w.member) == 0.0 })
			w.visit(c.path) // stores the messages as read
			w.wantNoLine()
			w.visit("/app/settings")
			for _, text := range []string{"I have one.", "It is long.", "It is heavy."} {
				c.write(text)
			}
			s.delay("GET", c.panel, time.Second)
			w.visit(c.path)
			w.see("It is heavy.")
			if got, want := w.afterLine(), "I have one."; !strings.HasSuffix(got, want) {
				t.Errorf("got %q after the line, want %q\n%s", got, want, w.text())
			}
			w.until("the mark as read", func() bool { return c.unread(w.member) == 0.0 })
			w.waitUntilIdle()
		})
	}
}

// afterLine returns the text of the first message after the line "New", or "" without a line.
func (w *webTab) afterLine() string {
	return evaluate[string](w.browser, `(() => {
		const all = [...document.querySelectorAll(".new-line, .bub, .said")];
		const at = all.findIndex((node) => node.matches(".new-line"));
		return at < 0 ? "" : all[at + 1]?.innerText ?? "";
	})()`)
}

// wantNoLine fails the test if the page has the line "New".
func (w *webTab) wantNoLine() {
	w.server.T.Helper()
	if got := w.afterLine(); got != "" {
		w.server.T.Errorf("%s: got the line \"New\" before %q, want none", w.address(), got)
	}
}

// A thread that was read in this visit can be marked as unread.
func TestReadThreadCanBeMarkedUnread(t *testing.T) {
	s := newStub(t)
	thread := s.SignIn("bea").SendMessage("ann", "Who brings the ladder?")
	w := newWebTab(s.server, "ann")
	isUnread := func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".inbox-list .is-unread")`) }
	w.visit("/app/in/messages?thread=" + apptest.LastSegment(thread))
	w.until("the thread without a mark", func() bool { return !isUnread() })
	w.waitUntilIdle()
	w.clickLast("button", "More for Bea")
	w.click("menuitem", "Mark as unread")
	w.until("the thread with a mark", isUnread)
}

// Threads and direct messages appear in one list at the same time, also if the server takes longer
// for one of them, so that no visible item moves.
func TestThreadsOfBothKindsAppearTogether(t *testing.T) {
	s := newStub(t)
	s.SignIn("bea").SendMessage("ann", "Who brings the ladder?")
	for _, panel := range []string{"/world/panels/social", "/world/panels/messages"} {
		t.Run(panel, func(t *testing.T) {
			s.reset()
			s.delay("GET", panel, time.Second)
			w := newWebTab(s.server, "ann")
			w.resize(390, 844)
			w.visit("/app/in/messages")
			w.see("Who brings the ladder?")
			w.wantNoMessagesOrShifts()
		})
	}
}
