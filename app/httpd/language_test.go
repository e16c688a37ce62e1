package httpd_test

import (
	"testing"

	"appliance/app/apptest"
)

// Messages of errors are in the language of the member, and for other clients in one
// that the client accepts.
func TestErrorsAreInTheLanguageOfTheReader(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	message := func(c *apptest.Client, path, want string) {
		t.Helper()
		a := c.Do("POST", path, `{}`)
		if got := a.At("error.message"); got != want {
			t.Errorf("%s: got %v, want %s", path, got, want)
		}
		if code, field := a.At("error.code"), a.At("error.fields.0.message"); code == "field_required" && field != want {
			t.Errorf("%s: got the message %v of the field, want %s", path, field, want)
		}
	}
	message(ann, "/world/messages", "Recipient is required.")
	message(ann.With("Accept-Language", "de"), "/world/messages", "Recipient is required.")
	ann.Do("PATCH", "/world/identity/me", `{"locale": "de-CH"}`).Want(200)
	message(ann, "/world/messages", "Empfänger fehlt.")
	message(ann, "/world/social/communities", "Name fehlt.")
	public := s.Unauthenticated()
	message(public.With("Accept-Language", "de-DE, en;q=0.5"), "/world/messages", "Melde dich zuerst an.")
	message(public.With("Accept-Language", "fr"), "/world/messages", "Sign in first.")
}
