package browser

import (
	"testing"

	"appliance/app/apptest"
)

func TestInvitationLeadsToAnAccount(t *testing.T) {
	s := serveHTTPLong(t)
	operator := s.SignIn("ann")
	link := operator.Do("POST", "/world/operator/invitations", `{"email": "bea@example.org"}`).Want(201).Str("link")
	b := newBrowser(s)
	b.setZone("Asia/Tokyo")
	b.open(b.server.path(link), 200)
	b.wantText("ann invites you to")
	if got := b.value("E-mail address") + " " + b.value("Time zone"); got != "bea@example.org Asia/Tokyo" {
		t.Errorf("form: got %s, want bea@example.org Asia/Tokyo", got)
	}
	b.fill("Display name", "Bea")
	b.fill("Password", apptest.Password)
	b.fill("Time zone", "Europe/Vienna")
	b.press("Create account")
	b.wantPath("/app/")
	b.open("/account", 200)
	b.wantText("Sign out Bea")
	if got := s.SignIn("bea@example.org").Do("GET", "/identity/me").Want(200).Str("member.timezone"); got != "Europe/Vienna" {
		t.Errorf("time zone: got %s, want Europe/Vienna", got)
	}
	b.open(b.server.path(link), 404)

	canceled := operator.Do("POST", "/world/operator/invitations", `{}`).Want(201)
	b.open(b.server.path(canceled.Str("link")), 200)
	operator.Do("DELETE", "/world/operator/invitations/"+canceled.Str("invitation.id")).Want(200)
	b.open(b.server.path(canceled.Str("link")), 404)
}

func TestResetLinkSetsANewPassword(t *testing.T) {
	s := serve(t, apptest.NewDataDir)
	link := s.path(s.admin("reset-password", "ann"))
	b := newBrowser(s)
	b.open(link, 200)
	b.fill("New password", "short")
	b.press("Save")
	b.wantText("at least 8 characters")
	b.fill("New password", "another horse battery")
	b.press("Save")
	b.wantPath("/app/")
	b.open("/account", 200)
	b.press("Sign out ann")
	b.open(link, 404)
	b.signIn("ann", "another horse battery")
	b.wantPath("/app/")
}
