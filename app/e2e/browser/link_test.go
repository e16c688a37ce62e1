package browser

import (
	"testing"

	"appliance/app/apptest"
)

func TestInvitationLeadsToAnAccount(t *testing.T) {
	operator := newMember(t)
	invite := operator.section("Invite a member")
	invite.fill("E-mail address", "bea@example.org")
	invite.press("Create invitation link")
	link := operator.section("Invitation link").secret()

	b := newBrowser(operator.server)
	b.open(b.server.path(link), 200)
	b.wantText("You are invited")
	if got := b.value("E-mail address") + " " + b.value("Time zone"); got != "bea@example.org "+browserZone {
		t.Errorf("form: got %s, want bea@example.org %s", got, browserZone)
	}
	b.fill("Display name", "Bea")
	b.fill("Password", apptest.Password)
	b.fill("Time zone", "Europe/Vienna")
	b.press("Create account")
	b.wantPath("/app/")
	b.open("/account", 200)
	b.wantText("Sign out Bea")
	if got := b.section("Profile").value("Time zone"); got != "Europe/Vienna" {
		t.Errorf("time zone: got %s, want Europe/Vienna", got)
	}
	b.open(b.server.path(link), 404)

	invite.press("Create invitation link")
	invite.press("Cancel invitation for any person with the link")
	operator.wantText("The invitation is canceled.")
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
