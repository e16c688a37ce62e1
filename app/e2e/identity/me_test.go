package identity

import (
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// A change of the e-mail address or the user name needs the password, and the audit log
// keeps the previous address.
func TestMemberChangesSignInDetails(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.AdminAllowedEmails = []string{"boss@example.org"} })
	ann := s.Member("ann")
	s.Member("bea")
	change := func(body map[string]any) *apptest.Answer { return ann.Do("PATCH", "/world/identity/me", body) }
	s.WantUnchanged("rejected changes", func() {
		change(map[string]any{"email": "ann@new.example"}).WantError(400, "field_required").WantFields("current_password")
		change(map[string]any{"email": "ann@new.example", "current_password": "wrong"}).WantError(422, "invalid_value").WantFields("current_password")
		change(map[string]any{"email": "no address", "username": "!", "current_password": apptest.Password}).WantError(422, "invalid_value").WantFields("email", "username")
		change(map[string]any{"email": "BEA@example.org", "username": "bea", "current_password": apptest.Password}).WantError(409, "already_exists").WantFields("email", "username")
		change(map[string]any{"email": "Boss@example.org", "current_password": apptest.Password}).WantError(403, "email_reserved").WantFields("email")
		change(map[string]any{"username": "anna", "timezone": "Mars/X", "current_password": apptest.Password}).WantError(422, "invalid_value").WantFields("timezone")
	})
	change(map[string]any{"email": "ann@new.example", "username": "anna", "display_name": "Anna", "current_password": apptest.Password}).Want(200).
		WantValues("member", map[string]any{"email": "ann@new.example", "username": "anna", "display_name": "Anna"})
	login := func(name string) *apptest.Answer {
		return s.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": name, "password": apptest.Password})
	}
	login("anna").Want(200)
	login("ann@new.example").Want(200)
	login("ann@example.org").Want(401)
	if got := ann.Do("GET", "/world/identity/export").Want(200).Body; !strings.Contains(got, `"action":"change-email","member_id":1,"detail":"ann@example.org"`) {
		t.Errorf("got %s, want the previous address in the audit log", got)
	}

	secret, _ := apptest.AddApp(ann)
	change(map[string]any{"username": "ann", "code": apptest.AppCode(ann, secret)}).Want(200)
	change(map[string]any{"username": "annie", "current_password": apptest.Password}).Want(200)
}

// An operator who changes their e-mail address stays one.
func TestOperatorRightsFollowTheAddress(t *testing.T) {
	s := apptest.New(t)
	op := s.Member("op")
	op.Do("PATCH", "/world/identity/me", map[string]any{"email": "op@new.example", "current_password": apptest.Password}).Want(200).
		WantValues("member", map[string]any{"email": "op@new.example", "is_operator": true})
	op.Do("GET", "/admin/members").Want(200)
	s.Restart()
	op.Do("GET", "/admin/members").Want(200)
}

// runAdmin runs a command of appliance admin beside the server.
func runAdmin(s *apptest.Server, args ...string) {
	s.T.Helper()
	if status, _, stderr := s.RunCommand("", append([]string{"admin"}, args...)...); status != 0 {
		s.T.Fatalf("%q: got status %d, want 0\n%s", args, status, stderr)
	}
}

// Covers B-109.
func TestPromotionTakesEffectInTheRunningServer(t *testing.T) {
	s := apptest.New(t)
	s.Member("op")
	bea := s.Member("bea")
	bea.Do("GET", "/admin/members").WantError(403, "permission_denied")
	runAdmin(s, "members", "promote", "bea")
	bea.Do("GET", "/admin/members").Want(200)
	bea.Do("GET", "/identity/me").Want(200).WantValues("member", map[string]any{"is_operator": true})
	runAdmin(s, "members", "demote", "bea")
	bea.Do("GET", "/admin/members").WantError(403, "permission_denied")
}

// The command revoke ends the sessions or one device password of a member.
func TestRevokeEndsSessionsAndDevicePasswords(t *testing.T) {
	s := apptest.New(t)
	bea := s.Member("bea")
	device := bea.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201)
	phone := s.Unauthenticated().With("Depth", "0").With("Authorization", basicAuth("bea", device.Str("device_password.password")))
	phone.Do("PROPFIND", "/caldav/").Want(207)
	runAdmin(s, "members", "revoke", "bea", "--sessions")
	bea.Do("GET", "/identity/me").Want(401)
	phone.Do("PROPFIND", "/caldav/").Want(207)
	runAdmin(s, "members", "revoke", "bea", "--devices", device.Str("device_password.id"))
	phone.Do("PROPFIND", "/caldav/").Want(401)
	bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207) // the main password stays valid
}
