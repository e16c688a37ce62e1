package browser

import "testing"

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
