package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store/storetest"

	"github.com/pquerna/otp/totp"
)

// confirmationBody is the body of a request that its member confirms with the password.
const confirmationBody = `{"current_password": "` + apptest.Password + `"}`

// An operator must confirm the changes that would let them sign in as another member. Covers
// I-12 and B-109.
func testOperators(t *testing.T, f *routesFixture) {
	path := "/world/operator/members"
	f.Op.Do("POST", path, `{"username": "eve"}`).WantError(400, "field_required")
	eve := f.Op.Do("POST", path, map[string]any{"username": "eve", "display_name": "Eve", "email": "eve@example.org", "password": apptest.Password}).Want(201)
	member := path + "/" + apptest.Text(eve.At("member.id"))
	client := f.Unauthenticated()
	client.Name = "eve"
	client = client.SignIn(apptest.Password)

	f.Op.Do("PATCH", member, `{"display_name": "Eva"}`).Want(200).WantValues("member", map[string]any{"display_name": "Eva"})
	f.Op.Do("PATCH", member, `{"email": "eva@example.org"}`).WantError(400, "field_required").WantFields("current_password")
	f.Op.Do("PATCH", member, `{"email": "eva@example.org", "current_password": "wrong"}`).WantError(422, "invalid_value").WantFields("current_password")
	f.Op.Do("PATCH", member, `{"email": "ann@example.org", "current_password": "`+apptest.Password+`"}`).WantError(409, "already_exists").WantFields("email")
	f.Op.Do("PATCH", member, `{"email": "eva@example.org", "current_password": "`+apptest.Password+`"}`).Want(200).WantValues("member", map[string]any{"email": "eva@example.org"})
	f.Op.Do("PATCH", member, `{"email": "eva@example.org", "username": "eve"}`).Want(200) // a form sends unchanged values, too
	list := f.Op.Do("GET", "/admin/members?q=eva").Want(200)
	if got := list.Column("members", "username"); got != "eve" {
		t.Errorf("members: got %q, want eve", got)
	}
	f.Op.Do("POST", "/admin/members/update", `{"changes": {}}`).WantError(400, "field_required").WantFields("id")

	f.Op.Do("POST", member+"/end_sessions", `{}`).Want(200)
	client.Do("GET", "/world/identity/me").WantError(401, "unauthenticated")
	client = client.SignIn(apptest.Password)
	device := client.Do("POST", "/world/identity/device-passwords", `{"name": "Phone"}`).Want(201).Str("device_password.id")
	f.Op.Do("DELETE", member+"/devices/"+device).Want(200)
	f.Op.Do("DELETE", member+"/devices/"+device).WantError(404, "not_found")
	client.Do("POST", "/world/identity/device-passwords", `{"label": "Tablet"}`).Want(201)
	f.Op.Do("POST", member+"/revoke_access", `{}`).Want(200)
	client = client.SignIn(apptest.Password)
	if got := client.Do("GET", "/world/identity/device-passwords").Want(200).List("device_passwords"); len(got) != 0 {
		t.Errorf("after the revocation: got %d device passwords, want none", len(got))
	}
	f.Op.Do("POST", member+"/disable", `{}`).Want(200).WantValues("member", map[string]any{"status": "disabled"})
	client.Do("GET", "/world/identity/me").WantError(401, "unauthenticated")
	f.Op.Do("POST", member+"/enable", `{}`).Want(200).WantValues("member", map[string]any{"status": "active"})

	for _, action := range []string{"/reset_password", "/reset_factor", "/export", "/promote", "/demote", "/delete"} {
		f.Op.Do("POST", member+action, `{}`).WantError(400, "field_required").WantFields("current_password")
		f.Op.Do("POST", member+action, `{"current_password": "wrong"}`).WantError(422, "invalid_value").WantFields("current_password")
	}
	link := f.Op.Do("POST", member+"/reset_password", confirmationBody).Want(201)
	if !strings.Contains(link.Str("link"), "/world/reset/") || link.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("reset: got %s with Cache-Control %q, want a link that nothing stores", link.Body, link.Header.Get("Cache-Control"))
	}
	f.Op.Do("POST", member+"/reset_factor", confirmationBody).WantError(404, "not_found") // the member has none
	export := f.Op.Do("POST", member+"/export", confirmationBody).Want(200)
	if got := export.Header.Get("Content-Disposition"); got != `attachment; filename="appliance-export.json"` || !strings.Contains(export.Body, "eva@example.org") {
		t.Errorf("export: got Content-Disposition %q, want a file with the member", got)
	}
	client = client.SignIn(apptest.Password)
	f.Op.Do("POST", member+"/promote", confirmationBody).Want(200).WantValues("member", map[string]any{"is_operator": true})
	client.Do("GET", "/world/panels/operator").Want(200)
	f.Op.Do("POST", member+"/demote", confirmationBody).Want(200).WantValues("member", map[string]any{"is_operator": false})
	client.Do("GET", "/world/panels/operator").WantError(403, "permission_denied")
	f.Op.Do("DELETE", member, confirmationBody).Want(200).WantValues("", map[string]any{"deleted": true})
	f.Op.Do("PATCH", member, `{"display_name": "Eve"}`).WantError(404, "not_found")

	invited := f.Op.Do("POST", "/world/operator/invitations", `{"email": "guest@example.org"}`).Want(201)
	if !strings.Contains(invited.Str("link"), "/world/invite/") {
		t.Errorf("invitation: got the link %q, want one to the form", invited.Str("link"))
	}
	id := invited.Str("invitation.id")
	f.Op.Do("DELETE", "/world/operator/invitations/"+id).Want(200)
	f.Op.Do("DELETE", "/world/operator/invitations/"+id).WantError(404, "not_found")

	for _, view := range []string{"", "?view=members", "?view=invitations", "?view=backups", "?view=regions", "?view=providers", "?view=services", "?view=audit"} {
		f.Op.Do("GET", "/world/panels/operator"+view).Want(200)
	}
	f.Op.Do("GET", "/world/panels/operator?view=none").WantError(400, "invalid_parameter").WantFields("view")
	backup := f.Op.Do("POST", "/world/operator/backups", `{}`).Want(202)
	if backup.At("backup_job.name") == nil {
		t.Errorf("backup: got %s, want the name of the file", backup.Body)
	}
	f.App.Backups.Stop() // waits for the backup
	if panel := f.Op.Do("GET", "/world/panels/operator?view=backups").Want(200); !strings.Contains(panel.Body, backup.Str("backup_job.name")) {
		t.Errorf("panel: got %s, want the backup", panel.Body)
	}
}

// Covers B-110 and V-01 for operators.
func testRegionsAndProviders(t *testing.T, f *routesFixture) {
	f.ImportPlaces("malta", apptest.Places...)
	id := f.QueryInt("SELECT max(id) FROM maps_region")
	f.Op.Do("DELETE", fmt.Sprint("/world/operator/regions/", id)).Want(200).WantValues("", map[string]any{"removed": "malta"})
	f.Op.Do("DELETE", fmt.Sprint("/world/operator/regions/", id)).WantError(404, "not_found")
	f.ImportTowns()
	towns := f.QueryInt("SELECT max(id) FROM maps_region")
	f.Op.Do("DELETE", fmt.Sprint("/world/operator/regions/", towns)).WantError(409, "action_unavailable")
	f.Op.Do("POST", "/world/operator/providers/none/sync", `{}`).WantError(404, "not_found")
	f.Op.Do("DELETE", "/world/operator/providers/none").WantError(404, "not_found")
	f.Ann.Do("POST", "/world/feeds", `{}`).WantError(400, "field_required").WantFields("url")
	f.Ann.Do("POST", "/world/feeds", `{"url": "http://127.0.0.1:1/feed"}`).WantError(424, "source_fetch_failed")
	service := f.Ann.AsService()
	service.Do("POST", "/find/provider-source", `{}`).WantError(400, "field_required").WantFields("provider")
	service.Do("POST", "/find/provider-source", `{"provider": "none"}`).WantError(404, "not_found")
	service.Do("POST", "/find/provider-actions", `{"provider": "none"}`).Want(422)
}

// A change of credentials needs the password. Covers I-12, L-10 and B-109.
func testAccount(t *testing.T, f *routesFixture) {
	me := "/world/identity/me"
	f.Dan.Do("PATCH", me, `{"display_name": "Daniel", "locale": "de"}`).Want(200).WantValues("member", map[string]any{"display_name": "Daniel", "locale": "de"})
	f.Dan.Do("PATCH", me, `{"locale": "no language"}`).WantError(422, "invalid_value").WantFields("locale")
	f.Dan.Do("PATCH", me, `{"email": "daniel@example.org"}`).WantError(400, "field_required").WantFields("current_password")
	f.Dan.Do("PATCH", me, `{"email": "daniel@example.org", "current_password": "wrong"}`).WantError(422, "invalid_value").WantFields("current_password")
	f.Dan.Do("PATCH", me, `{"email": "ann@example.org", "current_password": "`+apptest.Password+`"}`).WantError(409, "already_exists").WantFields("email")
	storetest.Exec(t, f.DB, "INSERT INTO identity_operator_email (email_key) VALUES ('chief@example.org')")
	f.Dan.Do("PATCH", me, `{"email": "chief@example.org", "current_password": "`+apptest.Password+`"}`).WantError(403, "email_reserved")
	f.Dan.Do("PATCH", me, `{"email": "daniel@example.org", "locale": "en", "current_password": "`+apptest.Password+`"}`).
		Want(200).WantValues("member", map[string]any{"email": "daniel@example.org"})

	f.Dan.Do("POST", "/world/identity/password", `{}`).WantError(400, "field_required").WantFields("current_password", "new_password")
	f.Dan.Do("POST", "/world/identity/password", `{"current_password": "wrong", "new_password": "quite another phrase"}`).
		WantError(422, "invalid_value").WantFields("current_password")
	f.Dan.Do("POST", "/world/identity/password", `{"current_password": "`+apptest.Password+`", "new_password": "short"}`).Want(422).WantFields("new_password")
	other := f.Dan.SignIn(apptest.Password)
	f.Dan.Do("POST", "/world/identity/password", `{"current_password": "`+apptest.Password+`", "new_password": "quite another phrase"}`).Want(200)
	other.Do("GET", me).WantError(401, "unauthenticated")
	f.Dan.Do("GET", me).Want(200)

	known := f.Dan.Do("GET", "/world/identity/sessions").Want(200).Column("sessions", "id")
	other = f.Dan.SignIn("quite another phrase")
	for _, id := range f.Dan.Do("GET", "/world/identity/sessions").Want(200).Values("sessions", "id") {
		if !strings.Contains(known, id) {
			f.Ann.Do("DELETE", "/world/identity/sessions/"+id).WantError(404, "not_found")
			f.Dan.Do("DELETE", "/world/identity/sessions/"+id).Want(200)
		}
	}
	other.Do("GET", me).WantError(401, "unauthenticated")
	other = f.Dan.SignIn("quite another phrase")
	f.Dan.Do("DELETE", "/world/identity/sessions").Want(200)
	other.Do("GET", me).WantError(401, "unauthenticated")
	id := f.Dan.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.id")
	f.Ann.Do("DELETE", "/world/identity/device-passwords/"+id).WantError(404, "not_found")
	f.Dan.Do("DELETE", "/world/identity/device-passwords/"+id).Want(200)
	f.Dan.Do("POST", "/world/identity/device-setups", `{"label": "Phone"}`).WantError(409, "action_unavailable") // without HTTPS

	first, second := f.Dan.SignIn("quite another phrase"), f.Dan.SignIn("quite another phrase")
	first.Do("POST", "/world/identity/logout", `{}`).Want(200)
	first.Do("GET", me).WantError(401, "unauthenticated")
	second.Do("POST", "/world/identity/logout/all", `{}`).Want(200)
	f.Dan.Do("GET", me).WantError(401, "unauthenticated")

	for _, c := range []struct{ body, fields string }{{`{}`, "login password"}, {`{"username": "dan"}`, "password"}, {`{"password": "x"}`, "login"}} {
		f.Unauthenticated().Do("POST", "/identity/login", c.body).WantError(400, "field_required").WantFields(strings.Fields(c.fields)...)
	}
	web := f.Unauthenticated().Do("POST", "/identity/login", `{"email": "daniel@example.org", "password": "quite another phrase", "stay": false}`).Want(200)
	if cookie := web.Header.Get("Set-Cookie"); strings.Contains(cookie, "Max-Age") || !strings.Contains(cookie, "HttpOnly") {
		t.Errorf("got the cookie %q, want one for scripts of no page that ends with the browser", cookie)
	}
	f.Unauthenticated().Do("POST", "/identity/register", `{"username": "x", "email": "x@example.org", "password": "quite another phrase"}`).Want(403)

	service := f.Ann.AsService()
	service.Do("POST", "/identity/dav/validate", `{"login": "ann", "password": "`+apptest.Password+`"}`).Want(200).WantValues("", map[string]any{"valid": true})
	service.Do("POST", "/identity/dav/validate", `{"login": "ann", "password": "wrong"}`).Want(200).WantValues("", map[string]any{"valid": false})
	if got := service.Do("GET", "/identity/members?q=bea").Want(200).Column("members", "display_name"); got != "Bea" {
		t.Errorf("directory: got %q, want Bea", got)
	}
	service.With("X-Service-Member-Id", "").Do("GET", "/identity/members").WantError(400, "member_context_required")
	if got := f.Ann.Do("GET", "/world/options/timezones?q=new+york").Want(200).Column("options", "value"); got != "America/New_York" {
		t.Errorf("time zones: got %q, want America/New_York", got)
	}
}

// A second factor is added and removed with the password, or with a code of the factor,
// which counts once. Covers B-108.
func testSecondFactor(t *testing.T, f *routesFixture) {
	path := "/world/identity/second-factor"
	f.Cem.Do("POST", path+"/totp", `{}`).WantError(400, "field_required").WantFields("current_password")
	f.Cem.Do("POST", path+"/totp", `{"current_password": "wrong"}`).WantError(422, "invalid_value").WantFields("current_password")
	f.Cem.Do("POST", path+"/totp/confirm", `{}`).WantError(400, "field_required").WantFields("code")
	enrolled := f.Cem.Do("POST", path+"/totp", confirmationBody).Want(201)
	if enrolled.At("totp.qr") == nil {
		t.Errorf("got %s, want a QR code", enrolled.Body)
	}
	code := func() string {
		f.Clock.Advance(time.Minute) // each code is accepted once
		code, err := totp.GenerateCode(enrolled.Str("totp.secret"), f.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	f.Cem.Do("POST", path+"/totp/confirm", `{"code": "000000"}`).Want(422)
	codes := f.Cem.Do("POST", path+"/totp/confirm", map[string]any{"code": code()}).Want(200).List("recovery_codes")
	state := f.Cem.Do("GET", path).Want(200)
	if strings.Contains(state.Body, enrolled.Str("totp.secret")) || strings.Contains(state.Body, codes[0].(string)) {
		t.Errorf("got %s, want neither the secret nor a code", state.Body)
	}
	challenge := f.Unauthenticated().Do("POST", "/identity/login", `{"login": "cem", "password": "`+apptest.Password+`"}`).
		WantError(401, "second_factor_required").Str("error.second_factor.challenge")
	f.Unauthenticated().Do("POST", "/identity/login", map[string]any{"challenge": challenge}).WantError(400, "field_required").WantFields("code")
	f.Unauthenticated().Do("POST", "/identity/login", map[string]any{"challenge": challenge, "recovery_code": codes[0]}).Want(200)
	once := code()
	renewed := f.Cem.Do("POST", path+"/recovery-codes", map[string]any{"code": once}).Want(201)
	if got := renewed.List("recovery_codes"); len(got) != len(codes) || got[0] == codes[0] {
		t.Errorf("got the recovery codes %v, want other ones", got)
	}
	f.Cem.Do("POST", path+"/recovery-codes", map[string]any{"code": once}).WantError(422, "invalid_value").WantFields("code")
	f.Cem.Do("POST", path+"/passkeys/begin", confirmationBody).WantError(409, "action_unavailable") // without HTTPS
	f.Cem.Do("POST", path+"/passkeys", `{"challenge": "none", "label": "Key", "passkey": {}}`).WantError(401, "challenge_expired")
	f.Cem.Do("DELETE", path+"/passkeys/none", confirmationBody).WantError(404, "not_found")
	f.Cem.Do("DELETE", path+"/totp", `{}`).WantError(400, "field_required")
	f.Cem.Do("DELETE", path+"/totp", confirmationBody).Want(200)
	f.Unauthenticated().Do("POST", "/identity/login", `{"login": "cem", "password": "`+apptest.Password+`"}`).Want(200)
}

// An export contains the data of its member, and no private data of other members.
func testExport(t *testing.T, f *routesFixture) {
	a := f.Bea.With("Accept-Encoding", "identity").Do("GET", "/world/identity/export").Want(200)
	var export map[string]any
	if err := json.Unmarshal([]byte(a.Body), &export); err != nil || a.Header.Get("Content-Length") != fmt.Sprint(len(a.Body)) {
		t.Fatalf("got %.200s, %v, want a JSON document of the announced length", a.Body, err)
	}
	if !strings.Contains(a.Body, "bea@example.org") || strings.Contains(a.Body, "ann@example.org") {
		t.Error("got an export without the address of the member, or with that of another one")
	}
}
