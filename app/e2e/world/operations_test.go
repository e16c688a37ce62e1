package world

import (
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/assets"
)

// accountFixture is a server with an operator and two members, who follow only what the server
// publishes to them.
type accountFixture struct {
	*apptest.Server
	op, ann, bea follower
}

// newAccountFixture creates the members op, ann and bea.
func newAccountFixture(t *testing.T) accountFixture {
	t.Helper()
	s := apptest.New(t, apptest.Unlimited, func(s *config.Settings) { s.BaseURL = "https://home.example.org" }) // links to set up a device need HTTPS
	return accountFixture{s, follower{s.Member("op")}, follower{s.Member("ann")}, follower{s.Member("bea")}}
}

// signIn signs in with a name and a password, on a device with a name.
func (h accountFixture) signIn(login, password, device string) *apptest.Answer {
	h.T.Helper()
	return h.Unauthenticated().With("User-Agent", device).Do("POST", "/identity/login", map[string]any{"login": login, "password": password})
}

// session returns a member with another session.
func (h accountFixture) session(f follower, device string) follower {
	h.T.Helper()
	return follower{f.With("Authorization", "Bearer "+h.signIn(f.Name, apptest.Password, device).Want(200).Str("token.access_token"))}
}

// wantEnded fails the test unless the session of a client has ended.
func wantEnded(f follower) {
	f.T.Helper()
	f.AsRuntime().Do("GET", "/world/session").WantError(401, "unauthenticated")
}

// code returns a code of an authenticator app with a secret.
func (h accountFixture) code(secret string) string {
	h.T.Helper()
	code, err := totp.GenerateCode(secret, h.Clock.Now())
	if err != nil {
		h.T.Fatal(err)
	}
	return code
}

// follow opens a link of the server without signing in.
func (h accountFixture) follow(link string) *apptest.Answer {
	h.T.Helper()
	return h.Unauthenticated().Do("GET", strings.TrimPrefix(link, h.Settings.URL().String()))
}

const newPassword = "battery staple horse"

const importedCalendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:dentist\r\nDTSTAMP:20261101T000000Z\r\n" +
	"DTSTART:20261203T100000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

// publishedOperations are operations of members and operators, each performed by published actions
// only. covers lists its forms on pages and its commands.
var publishedOperations = []struct {
	name   string
	covers []string
	do     func(t *testing.T, h accountFixture)
}{
	{"change names, time zone and language", nil, func(_ *testing.T, h accountFixture) {
		h.ann.submit(h.ann.panel("settings", "profile"), "update", "display_name", "Anna", "timezone", "Europe/Lisbon").Want(200)
		h.ann.submit(h.ann.panel("settings", "appearance"), "appearance", "locale", "de-CH").Want(200)
		h.ann.panel("settings", "profile").WantValues("member", map[string]any{"display_name": "Anna", "timezone": "Europe/Lisbon", "locale": "de-CH"})
	}},
	{"change the preferences of days and weeks", nil, func(_ *testing.T, h accountFixture) {
		h.ann.submit(h.ann.panel("settings", "appearance"), "set_preferences", "day_start", "06:00", "week_start", "sunday").Want(200)
		h.ann.panel("settings", "appearance").WantValues("boundaries", map[string]any{"day_start": "06:00", "week_start": "sunday"})
	}},
	{"change the sign-in details", nil, func(_ *testing.T, h accountFixture) {
		h.ann.submit(h.ann.panel("settings", "profile"), "sign_in_details", "email", "anna@example.org", "username", "anna", "current_password", apptest.Password).Want(200)
		h.signIn("anna@example.org", apptest.Password, "").Want(200)
		h.signIn("ann", apptest.Password, "").Want(401)
	}},
	{"change the password", []string{"form change_password"}, func(_ *testing.T, h accountFixture) {
		h.ann.submit(h.ann.panel("settings", "password"), "change_password", "current_password", apptest.Password, "new_password", newPassword).Want(200)
		h.signIn("ann", newPassword, "").Want(200)
		h.signIn("ann", apptest.Password, "").Want(401)
	}},
	{"create and remove a device password", []string{"form create_device", "form remove_device"}, func(_ *testing.T, h accountFixture) {
		password := h.ann.submit(h.ann.panel("settings", "devices"), "create_device", "label", "Phone").Want(201).Str("device_password.password")
		devices := h.ann.panel("settings", "devices")
		r, _ := http.NewRequest("GET", "/", nil)
		r.SetBasicAuth(devices.Str("caldav.username"), password)
		phone := h.Unauthenticated().With("Depth", "0").With("Authorization", r.Header.Get("Authorization"))
		phone.Do("PROPFIND", devices.Str("caldav.caldav_path")).Want(207)
		phone.Do("PROPFIND", devices.Str("caldav.calendars.0.caldav_path")).Want(207)
		h.ann.press(devices, "Phone", "delete").Want(200)
		phone.Do("PROPFIND", devices.Str("caldav.caldav_path")).Want(401)
	}},
	{"set up a device by a link", nil, func(_ *testing.T, h accountFixture) {
		a := h.ann.submit(h.ann.panel("settings", "devices"), "set_up_device", "label", "Phone").Want(201)
		link := strings.TrimPrefix(a.Str("device_setup.setup_url"), h.Settings.URL().String())
		h.Unauthenticated().Do("POST", link, apptest.Form("as=password")).Want(200)
		h.ann.press(h.ann.panel("settings", "devices"), "Phone", "delete").Want(200)
	}},
	{"end a session", nil, func(_ *testing.T, h accountFixture) {
		tablet, phone := h.session(h.ann, "tablet"), h.session(h.ann, "phone")
		h.ann.press(h.ann.panel("settings", "sessions"), "tablet", "delete").Want(200)
		wantEnded(tablet)
		h.ann.submit(h.ann.panel("settings", "sessions"), "sign_out_others").Want(200)
		wantEnded(phone)
		h.ann.panel("settings", "sessions")
	}},
	{"sign out everywhere", nil, func(_ *testing.T, h accountFixture) {
		phone := h.session(h.ann, "phone")
		h.ann.submit(h.ann.panel("settings", "sessions"), "sign_out_everywhere").Want(200)
		wantEnded(phone)
		wantEnded(h.ann)
	}},
	{"sign out", []string{"POST /world/logout"}, func(_ *testing.T, h accountFixture) {
		session := h.ann.AsRuntime().Do("GET", "/world/session").Want(200)
		h.ann.perform("sign_out", session.List("shell.actions"), nil).Want(200)
		wantEnded(h.ann)
	}},
	{"use an authenticator app", []string{"form enroll_totp", "form confirm_totp", "form remove_totp", "form renew_recovery_codes"}, func(_ *testing.T, h accountFixture) {
		view := func() *apptest.Answer { return h.ann.panel("settings", "second_factor") }
		secret := h.ann.submit(view(), "enroll_totp", "current_password", apptest.Password).Want(201).Str("totp.secret")
		old := h.ann.submit(view(), "confirm_totp", "code", h.code(secret)).Want(200).Str("recovery_codes.0")
		h.signIn("ann", apptest.Password, "").WantError(401, "second_factor_required")
		code := h.ann.submit(view(), "renew_recovery_codes", "code", old).Want(201).Str("recovery_codes.0")
		view().WantValues("second_factor", map[string]any{"enabled": true, "recovery_codes": 10})
		h.ann.submit(view(), "remove_totp", "code", code).Want(200)
		h.signIn("ann", apptest.Password, "").Want(200)
	}},
	{"read the storage and export all data", nil, func(_ *testing.T, h accountFixture) {
		data := h.ann.panel("settings", "data")
		h.ann.press(data, "Export", "open_export").Want(200).WantValues("identity.member", map[string]any{"email": "ann@example.org"})
		if data.At("storage.used_bytes") == nil {
			h.T.Errorf("%s: got no storage, want it", data.About)
		}
	}},
	{"create, edit and delete a calendar", nil, func(t *testing.T, h accountFixture) {
		view := func() *apptest.Answer { return h.ann.panel("settings", "calendars") }
		h.ann.submit(view(), "create_calendar", "name", "Work", "color", "#445566").Want(201)
		h.ann.press(view(), "Work", "update", "name", "Office", "color", "#112233").Want(200)
		if got := apptest.At(h.ann.itemOf(view(), "Office"), "metadata.color"); got != "#112233" {
			t.Errorf("got the color %v, want #112233", got)
		}
		h.ann.press(view(), "Office", "arrange", "visible", false, "order", -1).Want(200)
		if item := view().Sections()["Calendars"][0]; apptest.At(item, "title") != "Office" {
			t.Errorf("got the first calendar %v, want Office", item)
		}
		visible := listAt(apptest.At(h.ann.itemOf(view(), "Office"), "action_descriptors.1"), "controls")
		if got := apptest.At(visible[0], "default"); got != false {
			t.Errorf("got visible %v, want false", got)
		}
		h.ann.press(view(), "Office", "delete").Want(200)
		if got := view().Titles("Trash"); got != "Office" {
			t.Errorf("got the trash %q, want Office", got)
		}
	}},
	{"import and export a calendar", nil, func(t *testing.T, h accountFixture) {
		view := h.ann.panel("settings", "calendars")
		h.ann.press(view, "Calendar", "import", "file", importedCalendar).Want(200).WantValues("report", map[string]any{"imported": 1})
		if text := h.ann.press(view, "Calendar", "open_export").Want(200).Body; !strings.Contains(text, "SUMMARY:Dentist") {
			t.Errorf("got the export %s, want the imported event", text)
		}
	}},
	{"share a calendar by a link", nil, func(_ *testing.T, h accountFixture) {
		view := func() *apptest.Answer { return h.ann.panel("settings", "calendars") }
		first := h.ann.press(view(), "Calendar", "create_feed").Want(201).Str("feed.path")
		second := h.ann.press(view(), "Calendar", "create_feed").Want(201).Str("feed.path")
		h.follow(first).Want(404)
		h.follow(second).Want(200)
		h.ann.press(view(), "Calendar", "delete_feed").Want(200)
		h.follow(second).Want(404)
	}},
	{"restore and purge entries", nil, func(t *testing.T, h accountFixture) {
		view := func() *apptest.Answer { return h.ann.panel("settings", "calendars") }
		want := func(about, want string) {
			t.Helper()
			if got := view().Titles("Trash"); got != want {
				t.Errorf("%s: got the trash %q, want %q", about, got, want)
			}
		}
		for _, name := range []string{"Work", "Choir", "Garden"} {
			h.ann.submit(view(), "create_calendar", "name", name).Want(201)
			h.ann.press(view(), name, "delete").Want(200)
		}
		h.ann.press(view(), "Work", "restore").Want(200)
		want("restored", "Garden, Choir")
		h.ann.press(view(), "Choir", "delete").Want(200)
		want("purged", "Garden")
		h.ann.submit(view(), "empty_trash").Want(200)
		want("emptied", "")
	}},
	{"invite a member", []string{"admin members invite"}, func(_ *testing.T, h accountFixture) {
		link := h.op.submit(h.op.panel("operator", "invitations"), "invite", "email", "guest@example.org").Want(201).Str("link")
		h.follow(link).Want(200)
		h.op.press(h.op.panel("operator", "invitations"), "guest@example.org", "revoke").Want(200)
		h.follow(link).Want(404)
	}},
	{"find, read and add members", []string{"admin members list", "admin members show", "admin members add"}, func(t *testing.T, h accountFixture) {
		h.op.submit(h.op.panel("operator", "members"), "add_member", "email", "cem@example.org", "username", "cem", "display_name", "Cem", "password", newPassword).Want(201)
		h.signIn("cem", newPassword, "").Want(200)
		found := h.op.submit(h.op.panel("operator", "members"), "open_members", "q", "cem", "status", "active").Want(200)
		if got := found.Column("members", "email"); got != "cem@example.org" {
			t.Errorf("got the members %q, want cem", got)
		}
		h.op.managedMember("Cem").WantValues("members.0", map[string]any{"username": "cem", "status": "active", "is_operator": false, "token_count": 1, "timezone": nil})
	}},
	{"change a member", []string{"admin members update"}, func(_ *testing.T, h accountFixture) {
		h.op.submit(h.op.managedMember("Bea"), "update", "display_name", "Beate", "email", "beate@example.org", "username", "beate", "current_password", apptest.Password).Want(200)
		h.signIn("beate", apptest.Password, "").Want(200)
	}},
	{"disable and enable a member", []string{"admin members disable", "admin members enable"}, func(_ *testing.T, h accountFixture) {
		h.op.submit(h.op.managedMember("Bea"), "disable").Want(200)
		wantEnded(h.bea)
		h.signIn("bea", apptest.Password, "").WantError(401, "invalid_credentials")
		h.op.submit(h.op.managedMember("Bea"), "enable").Want(200)
		h.signIn("bea", apptest.Password, "").Want(200)
	}},
	{"delete a member", []string{"admin members delete"}, func(_ *testing.T, h accountFixture) {
		h.op.submit(h.op.managedMember("Bea"), "delete", "current_password", apptest.Password).Want(200)
		wantEnded(h.bea)
		h.signIn("bea", apptest.Password, "").Want(401)
	}},
	{"reset a password", []string{"admin members reset-password"}, func(_ *testing.T, h accountFixture) {
		link := h.op.submit(h.op.managedMember("Bea"), "reset_password", "current_password", apptest.Password).Want(201).Str("link")
		h.Unauthenticated().Do("POST", strings.TrimPrefix(link, h.Settings.URL().String()), apptest.Form("password="+strings.ReplaceAll(newPassword, " ", "+")))
		h.signIn("bea", newPassword, "").Want(200)
	}},
	{"reset a second factor", []string{"admin members reset-factor"}, func(_ *testing.T, h accountFixture) {
		addFactor(h.bea.Client)
		h.op.submit(h.op.managedMember("Bea"), "reset_factor", "current_password", apptest.Password).Want(200)
		h.signIn("bea", apptest.Password, "").Want(200)
	}},
	{"list and revoke the access of a member", []string{"admin members tokens", "admin members revoke"}, func(_ *testing.T, h accountFixture) {
		for _, label := range []string{"Phone", "Laptop"} {
			h.bea.submit(h.bea.panel("settings", "devices"), "create_device", "label", label).Want(201)
		}
		view := h.op.managedMember("Bea")
		view.WantValues("", map[string]any{"sessions.0.method": "password", "devices.1.id": apptest.At(view.List("devices")[1], "id")})
		h.op.press(view, "Phone", "remove").Want(200)
		h.op.submit(h.op.managedMember("Bea"), "end_sessions").Want(200)
		wantEnded(h.bea)
		h.op.managedMember("Bea").WantValues("members.0", map[string]any{"token_count": 0, "device_count": 1})
		h.op.submit(h.op.managedMember("Bea"), "revoke_access").Want(200)
		h.op.managedMember("Bea").WantValues("members.0", map[string]any{"device_count": 0})
	}},
	{"export the data of a member", []string{"admin members export"}, func(_ *testing.T, h accountFixture) {
		h.op.submit(h.op.managedMember("Bea"), "export", "current_password", "wrong").WantError(422, "invalid_value").WantFields("current_password")
		h.op.submit(h.op.managedMember("Bea"), "export", "current_password", apptest.Password).Want(200).WantValues("identity.member", map[string]any{"email": "bea@example.org"})
	}},
	{"promote and demote a member", []string{"admin members promote", "admin members demote"}, func(t *testing.T, h accountFixture) {
		h.op.submit(h.op.managedMember("Bea"), "promote", "current_password", apptest.Password).Want(200)
		h.bea.panel("operator", "members")
		h.op.submit(h.op.managedMember("Bea"), "demote", "current_password", apptest.Password).Want(200)
		if got := h.bea.AsRuntime().Do("GET", "/world/session").Want(200).Values("services", "id"); slices.Contains(got, "operator") {
			t.Errorf("got the services %q after the demotion, want none for operators", got)
		}
	}},
	{"read the audit log", []string{"admin members audit"}, func(t *testing.T, h accountFixture) {
		h.op.submit(h.op.managedMember("Bea"), "end_sessions").Want(200)
		all, one := h.op.panel("operator", "audit"), h.op.press(h.op.managedMember("Bea"), "Bea", "open_audit").Want(200)
		for _, a := range []*apptest.Answer{all, one} {
			a.WantValues("audit.0", map[string]any{"action": "revoke", "member_id": h.bea.ID, "detail": "sessions"})
		}
		if slices.Contains(one.Values("audit", "member_id"), "2") {
			t.Errorf("%s: got entries about ann, want only those about bea", one.About)
		}
	}},
}

// passkeyForms are the forms of the ceremony of passkeys, which needs an authenticator.
var passkeyForms = []string{"form begin_passkey", "form add_passkey", "form remove_passkey"}

// Every operation of the account page and of the commands for members can be performed by published
// actions only, starting from the session. Covers B-106 and B-109.
func TestPagesAndCommandsHavePublishedActions(t *testing.T) {
	for _, d := range publishedOperations {
		t.Run(d.name, func(t *testing.T) { d.do(t, newAccountFixture(t)) })
	}
}

// Each form of the account page and each command for members is in publishedOperations.
func TestEveryFormAndCommandIsPublished(t *testing.T) {
	s := apptest.New(t)
	covered := slices.Clone(passkeyForms)
	for _, d := range publishedOperations {
		covered = append(covered, d.covers...)
	}
	want := []string{"POST /world/logout"}
	page, err := fs.ReadFile(assets.Files, "pages/account.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range regexp.MustCompile(`name="do" value="([a-z_]+)"`).FindAllSubmatch(page, -1) {
		want = append(want, "form "+string(form[1]))
	}
	_, help, _ := s.RunCommand("", "admin", "members", "--help")
	_, commands, _ := strings.Cut(help, "Available Commands:\n")
	commands, _, _ = strings.Cut(commands, "\n\n")
	for line := range strings.Lines(commands) {
		want = append(want, "admin members "+strings.Fields(line)[0])
	}
	slices.Sort(covered)
	slices.Sort(want)
	if len(want) < 25 || !slices.Equal(covered, want) {
		t.Errorf("got published actions for\n%s\nwant\n%s", strings.Join(covered, "\n"), strings.Join(want, "\n"))
	}
}
