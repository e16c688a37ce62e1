package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"appliance/app/apptest"
)

// newHowlTab returns a tab with the form of an action.
func newHowlTab(t *testing.T) *webTab {
	t.Helper()
	s := newStub(t)
	s.addMoon()
	w := newWebTab(s.server, "ann")
	w.visit("/app/at/wo_moon")
	w.click("button", "Howl")
	return w
}

// Back closes a dialog, also on the first screen of the app.
func TestBackClosesADialog(t *testing.T) {
	w := newHowlTab(t)
	w.node("dialog", "…")
	evaluate[bool](w.browser, "history.back(), true")
	w.wantNo("dialog", "…")
	if got := w.address(); got != "/app/at/wo_moon" {
		t.Errorf("got the address %s, want that of the screen with the dialog", got)
	}
}

// The text of a form stays as a draft after Cancel, and is gone after a confirmed Discard.
func TestDiscardedFormLeavesNoDraft(t *testing.T) {
	w := newHowlTab(t)
	w.enter("textbox", "How loud", "very")
	w.click("button", "Cancel")
	w.click("button", "Howl")
	if got := w.value("textbox", "How loud"); got != "very" {
		t.Errorf("got %q in the field after Cancel, want the draft", got)
	}
	w.typeKeys(kb.Escape)
	w.click("button", "Discard")
	w.until("the end of the dialogs", func() bool { return len(w.nodes("dialog", "…")) == 0 })
	w.click("button", "Howl")
	if got := w.value("textbox", "How loud"); got != "" {
		t.Errorf("got %q in the field after Discard, want nothing", got)
	}
}

// A field of the own profile that was saved can be cleared and saved again.
func TestSavedFieldOfTheProfileCanBeCleared(t *testing.T) {
	w := newWebTab(newStub(t).server, "ann")
	w.visit("/app/in/social?view=profile")
	for _, text := range []string{"she/her", ""} {
		w.enter("textbox", "Pronouns", text)
		if text == "" {
			w.pressKey('\b', 0)
		}
		w.clickLast("button", "Save")
		w.until("the saved profile", func() bool {
			return w.member.Do("GET", "/world/social/profile").Want(200).At("profile.pronouns") == text
		})
		w.settle()
	}
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
