package browser

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// tabWithoutPanel returns a tab of a member whose requests for a panel fail with status 503 and the
// message "The cellar is flooded."
func (s *stub) tabWithoutPanel(name, path string) *webTab {
	s.T.Helper()
	s.fail("GET", path, 503, "The cellar is flooded.")
	w := newWebTab(s.server, name)
	w.expectMessages(statusMessage(503))
	return w
}

// "Try again" repeats a failed read, any number of times, also if the repetition shows the same
// error.
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
			w := s.tabWithoutPanel("ann", c.panel)
			w.visit(c.path)
			w.see("The cellar is flooded.")
			w.notSee("No messages yet", c.text)
			w.clickLast("button", "Try again")
			w.see("The cellar is flooded.")
			s.reset()
			w.clickLast("button", "Try again")
			w.see(c.text)
			w.ignoreShifts()
		})
	}
}

// If threads of one kind cannot be read, the list shows the error, also beside threads of the other
// kind. It does not show the text of an empty list.
func TestThreadListShowsAFailedRead(t *testing.T) {
	s := newStub(t)
	w := s.tabWithoutPanel("ann", "/world/panels/social")
	w.visit("/app/in/messages")
	w.see("The cellar is flooded.")
	w.notSee("No messages yet")
	s.SignIn("bea").SendMessage("ann", "Who brings the ladder?")
	w.see("Who brings the ladder?", "The cellar is flooded.")
	w.ignoreShifts()
}

// On a phone, the settings show an error if their list of views cannot be read.
func TestSettingsShowAFailedRead(t *testing.T) {
	s := newStub(t)
	w := s.tabWithoutPanel("bea", "/world/panels/settings")
	w.resize(390, 844)
	w.visit("/app/settings")
	w.see("The cellar is flooded.")
	s.reset()
	w.clickLast("button", "Try again")
	w.node("link", "Devices")
	w.ignoreShifts()
}

// A message that the server rejects is kept, with the reason, until the member sends it again.
func TestRejectedMessageIsKept(t *testing.T) {
	s := newStub(t)
	bea := s.SignIn("bea")
	path := bea.SendMessage("ann", "Who brings the ladder?")
	const reason = "Bea does not receive messages today."
	s.fail("POST", "/world/messages/*/messages", http.StatusForbidden, reason)
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(http.StatusForbidden))
	w.visit("/app/in/messages")
	w.click("link", "…Who brings the ladder?…")
	thread := w.address()
	w.enter("textbox", "Message to Bea", "I do")
	w.typeKeys(kb.Enter)
	w.see("I do", reason)
	w.visit("/app/")
	w.see("One change was not sent.")
	w.visit(thread)
	w.see("I do", reason)
	s.reset()
	w.click("button", "Send again")
	w.until("the message to be sent", func() bool { return len(w.nodes("button", "Send again")) == 0 })
	w.visit(thread)
	w.until("the message with its time", func() bool { return !strings.Contains(w.text(), "Sending") && strings.Contains(w.text(), "You:\nI do") })
	w.wantNo("button", "Send again")
	want := []string{"Who brings the ladder?", "I do"}
	if got := bea.Do("GET", path+"/messages").Want(200).Values("messages", "body"); !slices.Equal(got, want) {
		t.Errorf("got the messages %q, want %q", got, want)
	}
}

// A note to the host that is entered while the answer is queued for a connection is sent with the
// answer.
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
	w.waitUntilIdle()
	s.reset()
	w.until("the answer with the note", func() bool {
		return strings.Contains(s.SignIn("bea").Do("GET", "/world/social/events/"+event).Want(200).Body, "I bring cake")
	})
	w.ignoreShifts()
}

// An Undo that failed can be repeated.
func TestUndoIsTriedAgain(t *testing.T) {
	s := newStub(t)
	ann := s.SignIn("ann")
	ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": "Order seed potatoes"}).Want(201)
	w := newWebTab(s.server, "ann")
	w.expectMessages(statusMessage(503))
	w.visit("/app/in/time?view=tasks")
	w.click("button", "More for Order seed potatoes")
	w.click("menuitem", "Delete")
	w.until("the end of the task", func() bool { return len(openTasks(ann)) == 0 })
	w.waitUntilIdle()
	s.fail("POST", "/world/*/*/*/*", http.StatusServiceUnavailable, "The cellar is flooded.")
	w.typeKeys("u")
	w.see("The cellar is flooded.")
	s.reset()
	w.typeKeys("u")
	w.see("Order seed potatoes")
	w.waitUntilIdle()
	w.ignoreShifts()
}
