package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// What has been written since the last visit stands below a line, also if the screen first
// shows what the browser has stored in that visit.
func TestNewStandsBeforeWhatWasWrittenSinceTheLastVisit(t *testing.T) {
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
			w.visit(c.path) // stores what has been read
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
			w.settle()
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

// "Try again" reads the part that could not be read, also where the screen stays the same.
func TestTryAgainReadsThePartAgain(t *testing.T) {
	s := newStub(t)
	bea := s.SignIn("bea")
	bea.SendMessage("ann", "Who brings the ladder?")
	bea.CreateCommunity(`{"name": "Family"}`, s.SignIn("ann"))
	for _, c := range []struct{ name, path, panel, text string }{
		{"today", "/app/", "/world/panels/today", "To do"},
		{"messages", "/app/in/messages", "/world/panels/messages", "Who brings the ladder?"},
		{"people", "/app/in/social?view=people", "/world/panels/social", "Bea"},
		{"circles", "/app/in/social?view=circles", "/world/panels/social", "Bea"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.reset()
			s.fail("GET", c.panel, 503, "The cellar is flooded.")
			w := newWebTab(s.server, "ann")
			w.expectMessages(statusMessage(503))
			w.visit(c.path)
			w.see("The cellar is flooded.")
			w.notSee("No messages yet", c.text)
			s.reset()
			w.clickLast("button", "Try again")
			w.see(c.text)
			w.forgetShifts()
		})
	}
}

// If one kind of threads cannot be read, the list says so beside the other kind. Without
// others, it does not say that there are none.
func TestListSaysThatThreadsAreMissing(t *testing.T) {
	s := newStub(t)
	s.fail("GET", "/world/panels/social", 503, "The cellar is flooded.")
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(503))
	w.visit("/app/in/messages")
	w.see("The cellar is flooded.")
	w.notSee("No messages yet")
	s.SignIn("bea").SendMessage("ann", "Who brings the ladder?")
	w.see("Who brings the ladder?", "The cellar is flooded.")
	w.forgetShifts()
}

// A thread that was read in this visit is shown as unread after it was marked as unread.
func TestThreadIsUnreadAgain(t *testing.T) {
	s := newStub(t)
	thread := s.SignIn("bea").SendMessage("ann", "Who brings the ladder?")
	w := newWebTab(s.server, "ann")
	isUnread := func() bool { return evaluate[bool](w.browser, `!!document.querySelector(".inbox-list .is-unread")`) }
	w.visit("/app/in/messages?thread=" + apptest.LastSegment(thread))
	w.until("the thread without a mark", func() bool { return !isUnread() })
	w.settle()
	w.clickLast("button", "More for Bea")
	w.click("menuitem", "Mark as unread")
	w.until("the thread with a mark", isUnread)
}

// On a phone, the settings begin with the list of their parts. If it cannot be read, they say so.
func TestSettingsSayThatTheirListIsMissing(t *testing.T) {
	s := newStub(t)
	s.fail("GET", "/world/panels/settings", 503, "The cellar is flooded.")
	w := newWebTab(s.server, "bea")
	w.expectMessages(statusMessage(503))
	w.resize(390, 844)
	w.visit("/app/settings")
	w.see("The cellar is flooded.")
	s.reset()
	w.clickLast("button", "Try again")
	w.node("link", "Devices")
	w.forgetShifts()
}

// A note to the host that is written while the answer waits for a connection is sent with it.
func TestNoteToTheHostWaitsWithTheAnswer(t *testing.T) {
	s := newStub(t)
	event := s.SignIn("bea").CreateEvent("title", "Harvest", "visibility", "public", "start", "2030-11-21T10:30:00", "end", "2030-11-21T11:00:00")
	w := newWebTab(s.server, "ann")
	w.expectMessages("net::ERR_", statusMessage(502))
	w.visit("/app/in/social?view=events&id=" + event)
	w.see("Will you come?")
	s.disconnect()
	w.choose("Going")
	w.enter("textbox", "Note to Bea (optional)", "I bring cake")
	w.pressKey('\r', 0)
	w.settle()
	s.reset()
	w.until("the answer with the note", func() bool {
		return strings.Contains(s.SignIn("bea").Do("GET", "/world/social/events/"+event).Want(200).Body, "I bring cake")
	})
	w.forgetShifts()
}

// The list of members to mention closes when the caret leaves the mention.
func TestMentionListClosesWhenTheCaretMoves(t *testing.T) {
	s := newStub(t)
	bea := s.SignIn("bea")
	conversation := bea.StartConversationIn("Cherries", `{"kind": "open"}`)
	w := newWebTab(s.server, "ann")
	w.visit("/app/in/social?view=conversations&id=" + conversation)
	w.focus("textbox", "Reply")
	w.typeKeys("Hi @be")
	w.node("option", "Bea…")
	w.typeKeys(kb.ArrowLeft)
	w.until("the closed list", func() bool { return len(w.nodes("option", "Bea…")) == 0 })
	w.typeKeys(kb.Enter)
	w.until("the reply", func() bool {
		return strings.Contains(bea.Do("GET", apptest.ConversationsPath+"/"+conversation).Want(200).Body, `"Hi @be"`)
	})
}
