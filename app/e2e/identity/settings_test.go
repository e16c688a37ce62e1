package identity

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/identity"
)

// settings is a client that uses the panel of settings with the URLs from its session.
type settings struct {
	*apptest.Client
	panel *apptest.Answer // the first view
}

// openSettings opens the panel that the session names.
func openSettings(c *apptest.Client) settings {
	c.T.Helper()
	url := apptest.At(c.Session().Service("settings"), "content_source").(string)
	return settings{c, c.Do("GET", url).Want(200)}
}

// view opens a view that the navigation of the panel names.
func (s settings) view(id string) *apptest.Answer {
	s.T.Helper()
	for _, item := range s.panel.List("nav") {
		if apptest.At(item, "id") == id {
			a := s.Do("GET", apptest.At(item, "action").(string)).Want(200)
			a.WantSchema("service.settings.panel", a.At(""))
			apptest.CheckPaths(s.T.(*testing.T), "", a.At(""))
			return a
		}
	}
	s.T.Fatalf("%s: the panel has no view %s", s.Name, id)
	return nil
}

// withID returns the entry of a list with an id, nil if there is none.
func withID(list any, id string) any {
	entries, _ := list.([]any)
	for _, entry := range entries {
		if apptest.At(entry, "id") == id {
			return entry
		}
	}
	return nil
}

// item returns the item of a view with a title.
func (s settings) item(view, title string) any {
	s.T.Helper()
	a := s.view(view)
	for _, section := range a.List("sections") {
		for _, item := range apptest.At(section, "items").([]any) {
			if apptest.At(item, "title") == title {
				return item
			}
		}
	}
	s.T.Fatalf("%s: got no item %s, want it\n%s", a.About, title, a.Body)
	return nil
}

// submit sends a form with the defaults of its controls and the values in pairs.
func (s settings) submit(form any, pairs ...string) *apptest.Answer {
	s.T.Helper()
	if form == nil {
		s.T.Fatalf("%s: got no form, want one", s.Name)
	}
	body := make(map[string]any)
	for _, control := range apptest.At(form, "controls").([]any) {
		if value := apptest.At(control, "default"); value != nil {
			body[apptest.At(control, "id").(string)] = value
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i]] = pairs[i+1]
	}
	return s.Do(apptest.At(form, "method").(string), apptest.At(form, "url").(string), body)
}

// form sends a form of a view.
func (s settings) form(view, id string, pairs ...string) *apptest.Answer {
	s.T.Helper()
	return s.submit(withID(s.view(view).At("action_descriptors"), id), pairs...)
}

// itemForm sends a form of an item.
func (s settings) itemForm(view, title, id string, pairs ...string) *apptest.Answer {
	s.T.Helper()
	return s.submit(withID(apptest.At(s.item(view, title), "action_descriptors"), id), pairs...)
}

// press sends the request of a button of an item.
func (s settings) press(view, title, id string) *apptest.Answer {
	s.T.Helper()
	button := withID(apptest.At(s.item(view, title), "actions"), id)
	if button == nil {
		s.T.Fatalf("%s: the item %s has no button %s", s.Name, title, id)
	}
	return s.Do(apptest.At(button, "method").(string), apptest.At(button, "url").(string), apptest.At(button, "body"))
}

// dispatch sends the action of a type on the account, from the dataset.
func (s settings) dispatch(actionType string, input map[string]any) *apptest.Answer {
	s.T.Helper()
	d := s.Dataset()
	member := withKey(d.List("contexts"), "kind", "member")
	for _, a := range d.List("actions") {
		if apptest.At(a, "type") != actionType {
			continue
		}
		if apptest.At(a, "target.kind") != "member" || !slices.Contains(apptest.At(member, "action_ids").([]any), apptest.At(a, "action_id")) {
			s.T.Errorf("%s: got an action on %v, want one on the member in ctx_member", actionType, apptest.At(a, "target"))
		}
		return s.SendAction(a, input)
	}
	s.T.Fatalf("%s: the dataset has no action %s", s.Name, actionType)
	return nil
}

// withKey returns the entry of a list with a value.
func withKey(list []any, key, value string) any {
	for _, entry := range list {
		if apptest.At(entry, key) == value {
			return entry
		}
	}
	return nil
}

// wantNoSecrets fails the test if a view, the session or the dataset contains one of
// the secrets.
func (s settings) wantNoSecrets(secrets ...string) {
	s.T.Helper()
	answers := []*apptest.Answer{s.Dataset(), s.Session()}
	for _, item := range s.panel.List("nav") {
		answers = append(answers, s.view(apptest.At(item, "id").(string)))
	}
	for _, a := range answers {
		for _, secret := range secrets {
			if secret == "" || strings.Contains(a.Body, secret) {
				s.T.Errorf("%s: got the secret %q, want it only in the response that created it", a.About, secret)
			}
		}
	}
}

// Names, time zone, language and sign-in details are changed by published actions
// only. A wrong value names its field. Covers B-106 and B-108.
func TestSettingsChangeTheAccount(t *testing.T) {
	h := apptest.New(t)
	h.Member("bea")
	ann := openSettings(h.Member("ann"))
	zone := withID(apptest.At(withID(ann.view("profile").At("action_descriptors"), "update"), "controls"), "timezone")
	options := ann.Do("GET", apptest.At(zone, "options_url").(string)+"?q=lisb").Want(200)
	options.WantSchema("service.world.options", options.At(""))
	options.WantValues("options", map[string]any{"0.value": "Europe/Lisbon", "1": nil})
	ann.form("profile", "update", "display_name", "Anna", "timezone", options.Str("options.0.value")).Want(200)
	ann.form("appearance", "appearance", "locale", "de-CH", "formats", "de-AT").Want(200)
	ann.form("appearance", "set_preferences", "week_start", "sunday").Want(200)
	ann.view("appearance").WantValues("", map[string]any{
		"member.display_name": "Anna", "member.timezone": "Europe/Lisbon", "member.locale": "de-CH", "boundaries.week_start": "sunday",
	})
	ann.Dataset().WantValues("member", map[string]any{"display_name": "Anna", "timezone": "Europe/Lisbon", "locale": "de-CH", "formats": "de-AT"})
	ann.form("profile", "update", "timezone", "Mars/X").WantError(422, "invalid_value").WantFields("timezone")
	ann.dispatch("member.profile.update", map[string]any{"display_name": "Ann", "locale": "x"}).WantError(422, "invalid_value").WantFields("locale")

	ann.form("profile", "sign_in_details", "username", "anna").WantError(400, "field_required").WantFields("current_password")
	ann.form("profile", "sign_in_details", "username", "anna", "current_password", "wrong").WantError(422, "invalid_value").WantFields("current_password")
	ann.form("profile", "sign_in_details", "username", "bea", "current_password", apptest.Password).WantError(409, "already_exists").WantFields("username")
	ann.dispatch("member.sign_in_details.update", map[string]any{"username": "anna", "current_password": apptest.Password}).Want(200)
	ann.view("profile").WantValues("member", map[string]any{"username": "anna", "email": "ann@example.org"})

	ann.form("password", "change_password", "current_password", apptest.Password, "new_password", "short").WantError(422, "weak_password").WantFields("new_password")
	ann.form("password", "change_password", "current_password", apptest.Password, "new_password", "battery staple horse").Want(200)
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "anna", "password": "battery staple horse"}).Want(200)
	ann.wantNoSecrets(apptest.Password, "battery staple horse")
}

// Panels and pages show dates in the formats that the member has chosen, apart from the language.
func TestChosenFormatsApplyToPanelsAndPages(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	ann.Do("POST", "/account", form("do", "create_device", "label", "Phone")).Want(200)
	now := h.Clock.Now().UTC()
	for _, c := range []struct{ formats, day, dayInWeek string }{
		{"en-US", now.Format("January 2, 2006"), now.Format("Monday, January 2, 2006")},
		{"en-GB", now.Format("2 January 2006"), now.Format("Monday, 2 January 2006")},
	} {
		ann.form("appearance", "appearance", "locale", "en", "formats", c.formats).Want(200)
		for path, want := range map[string]string{"/world/panels/time?view=day&timezone=UTC": c.dayInWeek, "/world/panels/today": c.dayInWeek, "/account": "Created " + c.day} {
			if got := ann.Do("GET", path).Want(200).Body; !strings.Contains(got, want) {
				t.Errorf("%s with the formats %s: got no %q in %s", path, c.formats, want, got)
			}
		}
	}
}

// Wrong passwords in the forms count like those at the sign-in. Covers B-81.
func TestWrongPasswordsInSettingsAreLimited(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	for i := range 30 {
		a := ann.form("password", "change_password", "current_password", fmt.Sprint("wrong ", i), "new_password", "battery staple horse")
		if a.Status != 429 {
			a.WantError(422, "invalid_value").WantFields("current_password")
			continue
		}
		if a.Header.Get("Retry-After") == "" {
			t.Error("got no Retry-After, want it")
		}
		ann.form("profile", "sign_in_details", "username", "anna", "current_password", apptest.Password).WantError(429, "rate_limited")
		return
	}
	t.Error("got 30 wrong passwords without a limit, want status 429")
}

// The panel contains the values that a CalDAV client needs. The device password is only in the
// response that creates it. Covers B-106 and PT-08.
func TestSettingsCreateAndRemoveADevicePassword(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	created := ann.form("devices", "create_device", "label", "Phone").Want(201)
	password := created.Str("device_password.password")
	if encoding := created.Header.Get("Content-Encoding"); encoding != "" {
		t.Errorf("got a response with a secret in %s, want it uncompressed", encoding)
	}
	ann.wantNoSecrets(password)
	access := ann.view("devices").At("caldav")
	device := h.Unauthenticated().With("Depth", "0").With("Authorization", basicAuth(apptest.At(access, "username").(string), password))
	for _, path := range []string{"caldav_path", "calendars.0.caldav_path"} {
		device.Do("PROPFIND", apptest.At(access, path).(string)).Want(207)
	}
	if got := apptest.At(ann.item("devices", "Phone"), "metadata.last_used_at"); got == nil {
		t.Error("got no last use of the device password, want it")
	}
	ann.press("devices", "Phone", "delete").Want(200)
	device.Do("PROPFIND", "/caldav/").Want(401)
	if got := ann.view("devices").Titles("Device passwords"); got != "" {
		t.Errorf("got the device passwords %q, want none", got)
	}
	ann.dispatch("member.device.create", map[string]any{"label": ""}).WantError(400, "field_required").WantFields("label")
}

// A member can end one session, all other sessions, and the session of the request. Covers B-106.
func TestSettingsEndSessions(t *testing.T) {
	h := apptest.New(t)
	member := h.Member("ann")
	ann := openSettings(member)
	signIn := func(name string) *apptest.Client {
		return member.With("Authorization", "").With("User-Agent", name).SignIn(apptest.Password)
	}
	phone, tablet, desktop := signIn("phone"), signIn("tablet"), signIn("desktop")
	if current := apptest.At(ann.item("sessions", "phone"), "metadata.current"); current != false {
		t.Errorf("another session: got current %v, want false", current)
	}
	ann.press("sessions", "phone", "delete").Want(200)
	phone.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	tablet.Do("GET", "/identity/me").Want(200)
	ann.form("sessions", "sign_out_others").Want(200)
	for _, c := range []*apptest.Client{tablet, desktop} {
		c.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	}
	var current []any
	for _, item := range ann.view("sessions").Sections()["Sessions"] {
		current = append(current, apptest.At(item, "metadata.current"))
	}
	if fmt.Sprint(current) != "[true]" {
		t.Errorf("got the sessions %v, want the current one only", current)
	}
	other := signIn("laptop")
	out := ann.dispatch("member.sign_out", nil).Want(200)
	if c := out.Header.Get("Set-Cookie"); !strings.Contains(c, "Max-Age=0") {
		t.Errorf("sign-out: got the cookie %s, want it deleted", c)
	}
	ann.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	laptop := openSettings(other)
	third := signIn("television")
	laptop.dispatch("member.sessions.delete_all", nil).Want(200)
	for _, c := range []*apptest.Client{other, third} {
		c.Do("GET", "/identity/me").WantError(401, "unauthenticated")
	}
}

// An authenticator app is added, used and removed by published actions only. Its
// secret and the recovery codes are only in the responses that create them.
// Covers B-106, B-108 and PT-08.
func TestSettingsManageAnAuthenticatorApp(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	ann.form("second_factor", "enroll_totp", "current_password", "wrong").WantError(422, "invalid_value").WantFields("current_password")
	secret := ann.dispatch("member.totp.enroll", map[string]any{"current_password": apptest.Password}).Want(201).Str("totp.secret")
	ann.wantNoSecrets(secret)
	ann.dispatch("member.totp.confirm", map[string]any{"code": "1"}).WantError(422, "invalid_value").WantFields("code")
	confirmed := ann.form("second_factor", "confirm_totp", "code", apptest.AppCode(ann.Client, secret)).Want(200)
	first := confirmed.Str("recovery_codes.0")
	ann.wantNoSecrets(secret, first)
	ann.view("second_factor").WantValues("second_factor", map[string]any{"enabled": true, "totp_pending": false, "recovery_codes": 10})
	ann.view("devices").WantValues("caldav", map[string]any{"device_required": true})
	renewed := ann.form("second_factor", "renew_recovery_codes", "code", first).Want(201)
	ann.wantNoSecrets(renewed.Str("recovery_codes.0"))
	ann.form("second_factor", "renew_recovery_codes", "code", first).WantError(422, "invalid_value").WantFields("code")
	ann.form("second_factor", "remove_totp").WantError(400, "field_required")
	ann.dispatch("member.totp.delete", map[string]any{"current_password": apptest.Password}).Want(200)
	ann.view("second_factor").WantValues("second_factor", map[string]any{"enabled": false})
}

// Passkeys are offered with HTTPS only. The item of a passkey has the form that
// removes it. Covers B-106 and B-108.
func TestSettingsManagePasskeys(t *testing.T) {
	plain := openSettings(apptest.New(t).Member("ann")).view("second_factor")
	if withID(plain.At("action_descriptors"), "begin_passkey") != nil || plain.At("actions.add_passkey") != nil {
		t.Errorf("without HTTPS: got %s, want no action on passkeys", plain.Body)
	}
	h := apptest.New(t, withHTTPS)
	ann := openSettings(h.Member("ann"))
	device := apptest.NewAuthenticator(t, homeURL, "home.example.org")
	begun := ann.form("second_factor", "begin_passkey", "current_password", apptest.Password).Want(201)
	ann.Do("POST", ann.view("second_factor").Str("actions.add_passkey"), map[string]any{
		"challenge": begun.At("challenge"), "label": "Key", "passkey": device.Create(begun.At("options")),
	}).Want(201)
	ann.itemForm("second_factor", "Key", "delete", "current_password", "wrong").WantError(422, "invalid_value").WantFields("current_password")
	ann.itemForm("second_factor", "Key", "delete", "current_password", apptest.Password).Want(200)
	ann.view("second_factor").WantValues("second_factor", map[string]any{"enabled": false, "passkeys": "[]"})
}

// A member who must add a second factor sees only the view that adds one. Covers
// B-108.
func TestSettingsOfAMemberWithoutARequiredSecondFactor(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.SecondFactor = "all" })
	member := h.Member("ann")
	ann := settings{member, member.Do("GET", "/world/panels/settings").Want(200)}
	if got := ann.panel.Column("nav", "id"); got != "second_factor" || ann.panel.Str("view") != "second_factor" {
		t.Errorf("got the view %s of %q, want only second_factor", ann.panel.Str("view"), got)
	}
	for _, view := range []string{"profile", "devices", "sessions", "data", "nope"} {
		member.Do("GET", "/world/panels/settings?view="+view).WantError(403, "second_factor_enrollment_required")
	}
	secret := ann.form("second_factor", "enroll_totp", "current_password", apptest.Password).Want(201).Str("totp.secret")
	ann.form("second_factor", "confirm_totp", "code", apptest.AppCode(member, secret)).Want(200)
	openSettings(member).view("profile")
	other := h.Member("bea")
	bea := settings{other, other.Do("GET", "/world/panels/settings").Want(200)}
	bea.form("second_factor", "sign_out").Want(200)
	other.Do("GET", "/world/panels/settings").WantError(401, "unauthenticated")
}

const importedEvent = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:dentist\r\nDTSTAMP:20261101T000000Z\r\n" +
	"DTSTART:20261203T100000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

// Calendars, their links and the trash are managed by published actions only. The
// link of a feed is only in the response that creates it. Covers B-106 and PT-08.
func TestSettingsManageCalendars(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	ann.form("calendars", "create_calendar", "name", "Work").Want(201)
	ann.itemForm("calendars", "Work", "update", "name", "Office", "color", "#112233").Want(200)
	form := withID(apptest.At(ann.item("calendars", "Office"), "action_descriptors"), "import")
	file := withID(apptest.At(form, "controls"), "file")
	report := ann.With("Content-Type", apptest.At(file, "accept.0").(string)).Do(apptest.At(form, "method").(string), apptest.At(form, "url").(string), importedEvent).Want(200)
	report.WantValues("report", map[string]any{"imported": 1})
	if text := ann.press("calendars", "Office", "open_export").Want(200).Body; !strings.Contains(text, "SUMMARY:Dentist") {
		t.Errorf("export: got %s, want the imported event", text)
	}

	link := ann.itemForm("calendars", "Office", "create_feed").Want(201).Str("feed.path")
	h.Unauthenticated().Do("GET", link).Want(200)
	ann.wantNoSecrets(link, strings.TrimSuffix(strings.TrimPrefix(link, "/feeds/"), ".ics"))
	if got := apptest.At(ann.item("calendars", "Office"), "metadata.feed.created_at"); got == nil {
		t.Error("got no creation time of the feed, want it")
	}
	ann.press("calendars", "Office", "delete_feed").Want(200)
	h.Unauthenticated().Do("GET", link).Want(404)

	ann.press("calendars", "Office", "delete").Want(200)
	if got := ann.view("calendars").Titles("Trash"); got != "Office" {
		t.Errorf("got the trash %q, want Office", got)
	}
	ann.press("calendars", "Office", "restore").Want(200)
	ann.press("calendars", "Office", "delete").Want(200)
	ann.form("calendars", "empty_trash").Want(200)
	if a := ann.view("calendars"); a.Titles("Trash") != "" || withID(a.At("action_descriptors"), "empty_trash") != nil {
		t.Errorf("got %s, want an empty trash without an action", a.Body)
	}
}

// The trash is listed page by page, with links in the panel.
func TestSettingsPageTheTrash(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := openSettings(h.Member("ann"))
	for i := range 60 {
		id := ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", i)}).Want(201).Str("object.id")
		ann.Do("DELETE", "/world/time/objects/"+id).Want(200)
	}
	first := ann.view("calendars")
	second := ann.Do("GET", first.Str("page.next")).Want(200)
	if n, m := len(first.Sections()["Trash"]), len(second.Sections()["Trash"]); n != 50 || m != 10 || second.At("page.next") != nil {
		t.Errorf("got pages of %d and %d entries, then %v, want 50 and 10", n, m, second.At("page.next"))
	}
}

// Members are blocked and unblocked. The options leave out the member and the members that
// a block hides. Covers B-106.
func TestSettingsBlockMembers(t *testing.T) {
	h := apptest.New(t)
	member, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	cem.Block(member)
	ann := openSettings(member)
	control := apptest.At(withID(ann.view("blocks").At("action_descriptors"), "block"), "controls.0")
	url := apptest.At(control, "options_url").(string)
	options := ann.Do("GET", url).Want(200)
	options.WantSchema("service.world.options", options.At(""))
	if got := options.Column("options", "label"); got != "Bea (@bea)" {
		t.Errorf("got the options %q, want bea", got)
	}
	ann.form("blocks", "block", "recipient", options.Str("options.0.value")).Want(201)
	if n := len(ann.Do("GET", url).Want(200).List("options")); n != 0 {
		t.Errorf("got %d options, want none", n)
	}
	ann.press("blocks", "Bea", "unblock").Want(200)
	ann.form("blocks", "block", "recipient", "@bea").Want(201)
	bea.Do("GET", "/world/panels/settings?view=blocks").Want(200).WantValues("", map[string]any{"sections.0.items": "[]"})
}

// The panel links the export and shows the storage limit.
func TestSettingsExportAllData(t *testing.T) {
	h := apptest.New(t)
	ann := openSettings(h.Member("ann"))
	if text := ann.press("data", "Export", "open_export").Want(200).Body; !strings.Contains(text, `"ann@example.org"`) {
		t.Errorf("got %.200s, want the data of ann", text)
	}
	ann.dispatch("member.export", nil).Want(200)
	if limit := ann.view("data").At("storage.limit_bytes"); limit != float64(2<<30) {
		t.Errorf("got the limit %v, want 2 GiB", limit)
	}
}

// The view of a service that is switched off contains a reason and none of the routes of the
// service.
func TestSettingsWithoutTimeAndSocial(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"time", "social"} })
	ann := openSettings(h.Member("ann"))
	route := regexp.MustCompile(`"/world/(time|calendars|social)[^"]*"`)
	for _, item := range ann.panel.List("nav") {
		a := ann.view(apptest.At(item, "id").(string))
		if found := route.FindString(a.Body); found != "" {
			t.Errorf("%s: got %s of a service that is switched off, want none", a.About, found)
		}
		for _, section := range a.List("sections") {
			if apptest.At(section, "summary") == "" && len(apptest.At(section, "items").([]any)) == 0 {
				t.Errorf("%s: got the empty section %v, want a reason", a.About, apptest.At(section, "title"))
			}
		}
	}
}

func TestSettingsRejectAnUnknownView(t *testing.T) {
	ann := apptest.New(t).Member("ann")
	ann.Do("GET", "/world/panels/settings?view=nope").WantError(400, "invalid_parameter").WantFields("view")
	ann.Do("GET", "/world/panels/settings?view=calendars&cursor=nope").WantError(400, "invalid_parameter").WantFields("cursor")
	ann.With("Authorization", "").Do("GET", "/world/panels/settings").WantError(401, "unauthenticated")
}

// The audit log does not depend on whether the member uses the panel or the account
// page. Covers B-90.
func TestSettingsAreAuditedLikeTheAccountPage(t *testing.T) {
	h := apptest.New(t)
	ann, bea := openSettings(h.Member("ann")), h.Member("bea")
	ann.form("devices", "create_device", "label", "Phone").Want(201)
	bea.Do("POST", "/account", form("do", "create_device", "label", "Phone")).Want(200)
	ann.press("devices", "Phone", "delete").Want(200)
	bea.Do("POST", "/account", form("do", "remove_device", "id", shownDevice(bea.Do("GET", "/account")))).Want(200)
	ann.form("password", "change_password", "current_password", apptest.Password, "new_password", "battery staple horse").Want(200)
	bea.Do("POST", "/account", form("do", "change_password", "current_password", apptest.Password, "new_password", "battery staple horse")).Want(200)
	actions := make(map[string]int)
	err := h.DB.Read(t.Context(), func(tx *store.Tx) error {
		for c, n := range map[*apptest.Client]int{ann.Client: 1, bea: -1} {
			page, err := h.App.Identity.Audit(tx, identity.CommandLine("test"), identity.AuditQuery{Member: c.ID})
			if err != nil {
				return err
			}
			if len(page.Entries) < 3 {
				t.Errorf("%s: got %d entries, want at least 3", c.Name, len(page.Entries))
			}
			for _, e := range page.Entries {
				actions[e.Action] += n
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(actions, func(_ string, n int) bool { return n == 0 })
	if len(actions) > 0 {
		t.Errorf("got the differences %v between the audit logs, want none", actions)
	}
}
