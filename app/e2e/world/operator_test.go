package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/identity"
)

// administrator is an operator who follows only what the server publishes.
type administrator struct{ *apptest.Client }

// newAdministrator returns the operator op of a server.
func newAdministrator(t *testing.T) administrator {
	t.Helper()
	s := apptest.New(t, apptest.Unlimited)
	return administrator{s.Member("op").AsRuntime()}
}

// view reads a view of the panel that the session lists.
func (u administrator) view(id string) *apptest.Answer {
	u.T.Helper()
	start := u.Do("GET", apptest.At(u.Session().Service("operator"), "content_source").(string)).Want(200)
	for _, item := range start.List("nav") {
		if apptest.At(item, "id") == id {
			a := u.Do("GET", apptest.At(item, "action").(string)).Want(200)
			a.WantSchema("service.operator.panel", a.At(""))
			return a
		}
	}
	u.T.Fatalf("%s: got no view %s", start.About, id)
	return nil
}

// member searches a member and opens the view of the member.
func (u administrator) member(name string) *apptest.Answer {
	u.T.Helper()
	found := u.submit(u.view("members"), "open_members", map[string]any{"q": name}).Want(200)
	for _, item := range found.Sections()["Members"] {
		if apptest.At(item, "metadata.username") == name {
			a := u.press(item, "open").Want(200)
			a.WantSchema("service.operator.panel", a.At(""))
			return a
		}
	}
	u.T.Fatalf("%s: got no member %s", found.About, name)
	return nil
}

// press performs an action of an item.
func (u administrator) press(item any, id string) *apptest.Answer {
	u.T.Helper()
	for _, a := range apptest.At(item, "actions").([]any) {
		if apptest.At(a, "id") == id {
			return u.Do(apptest.At(a, "method").(string), apptest.At(a, "url").(string), apptest.At(a, "body"))
		}
	}
	u.T.Fatalf("got the item %v, want an action %s", item, id)
	return nil
}

// submit sends a form with values in place of its defaults. It confirms with the
// password of the operator.
func (u administrator) submit(a *apptest.Answer, id string, values map[string]any) *apptest.Answer {
	u.T.Helper()
	for _, form := range a.List("action_descriptors") {
		if apptest.At(form, "id") != id {
			continue
		}
		body := make(map[string]any)
		for _, control := range apptest.At(form, "controls").([]any) {
			name, value := apptest.At(control, "id").(string), apptest.At(control, "default")
			if name == "current_password" {
				value = apptest.Password
			}
			if value != nil {
				body[name] = value
			}
		}
		maps.Copy(body, values)
		method, url := apptest.At(form, "method").(string), apptest.At(form, "url").(string)
		if method != "GET" {
			return u.Do(method, url, body)
		}
		query := ""
		for name, value := range body {
			query += fmt.Sprintf("&%s=%v", name, value)
		}
		return u.Do(method, url+"?"+query[1:])
	}
	u.T.Fatalf("%s: got no form %s", a.About, id)
	return nil
}

// perform performs an action on a member, with a current view of the member.
func (u administrator) perform(member, id string, values map[string]any) *apptest.Answer {
	u.T.Helper()
	return u.submit(u.member(member), id, values).Want(200)
}

// auditLog returns all entries of the audit log except sign-ins, the oldest first. It reads
// all pages of the panel.
func (u administrator) auditLog() (list []string) {
	u.T.Helper()
	for a := u.view("audit"); ; {
		for _, e := range a.List("audit") {
			list = append(list, auditLine(apptest.Text(apptest.At(e, "actor")), apptest.Text(apptest.At(e, "action")), apptest.Text(apptest.At(e, "member_id")), apptest.Text(apptest.At(e, "detail"))))
		}
		next, ok := a.At("page.next").(string)
		if !ok {
			break
		}
		a = u.Do("GET", next).Want(200)
	}
	slices.Reverse(list)
	return withoutSignIns(list)
}

// identifiers matches the random part of ids in the audit log.
var identifiers = regexp.MustCompile(`\b(inv|dev)_[a-z0-9]+`)

// auditLine formats an entry of the audit log. The operator and the command line are the
// same actor.
func auditLine(actor, action, member, detail string) string {
	if actor == "1" || strings.HasPrefix(actor, "cli:") {
		actor = "operator"
	}
	return strings.Join([]string{actor, action, member, identifiers.ReplaceAllString(detail, "$1")}, " ")
}

// withoutSignIns removes the sign-ins, which differ between the commands and the panel.
func withoutSignIns(list []string) []string {
	return slices.DeleteFunc(list, func(line string) bool { return strings.Contains(line, " sign-in ") })
}

// prepareMember gives a member a second factor and two device passwords. It returns the
// id of the first one.
func prepareMember(u administrator, name, password string) (device string) {
	u.T.Helper()
	c := u.Server.Unauthenticated()
	c.Name = name
	c = c.SignIn(password)
	addFactor(c)
	device = c.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.id")
	c.Do("POST", "/world/identity/device-passwords", `{"label": "Laptop"}`).Want(201)
	return device
}

// administerByCommands performs every operation of the commands for members, and returns the audit
// log.
func administerByCommands(t *testing.T) (list []string) {
	t.Helper()
	u := newAdministrator(t)
	run := func(stdin string, args ...string) string {
		t.Helper()
		status, stdout, stderr := u.Server.RunCommand(stdin, append([]string{"admin", "members"}, args...)...)
		if status != 0 {
			t.Fatalf("%q: got status %d, want 0\n%s", args, status, stderr)
		}
		return stdout
	}
	run(apptest.Password+"\n", "add", "--email", "bea@example.org", "--username", "bea", "--display-name", "Bea", "--password-stdin")
	run("", "invite", "--email", "guest@example.org")
	run("", "update", "bea", "--display-name", "Beate")
	run("", "update", "bea", "--email", "beate@example.org", "--username", "beate")
	run("", "promote", "beate")
	run("", "demote", "beate")
	run("", "disable", "beate")
	run("", "enable", "beate")
	run("", "reset-password", "beate")
	device := prepareMember(u, "beate", apptest.Password)
	run("", "revoke", "beate", "--devices", device)
	run("", "revoke", "beate", "--sessions")
	run("", "revoke", "beate")
	run("", "reset-factor", "beate")
	run("", "export", "beate", t.TempDir()+"/beate")
	run("", "delete", "beate", "--yes")
	var entries []identity.AuditEntry
	if err := json.Unmarshal([]byte(run("", "audit", "--json", "--limit", "1000")), &entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		member := "-"
		if e.Member != nil {
			member = e.Member.String()
		}
		list = append(list, auditLine(e.Actor, e.Action, member, e.Detail))
	}
	slices.Reverse(list)
	return withoutSignIns(list)
}

// An operator can perform every operation of the commands for members by following the dataset, the
// session and the panels only, with the same audit log. Covers B-108, B-109 and PT-02.
func TestAdministrationInWorldEqualsTheCommands(t *testing.T) {
	u := newAdministrator(t)
	if a := u.Act("admin.member.add", "", map[string]any{"email": "bea@example.org", "username": "bea", "display_name": "Bea", "password": apptest.Password}).Want(201); strings.Contains(a.Body, apptest.Password) {
		t.Errorf("%s: the response contains the password", a.About)
	}
	link := u.Act("admin.invitation.create", "", map[string]any{"email": "guest@example.org"}).Want(201).Str("link")
	u.Server.Unauthenticated().Do("GET", strings.TrimPrefix(link, u.Server.Settings.URL().String())).Want(200)
	u.perform("bea", "update", map[string]any{"display_name": "Beate"})
	u.perform("bea", "update", map[string]any{"email": "beate@example.org", "username": "beate"})
	u.perform("beate", "promote", nil).WantValues("member", map[string]any{"is_operator": true})
	u.perform("beate", "demote", nil).WantValues("member", map[string]any{"is_operator": false})
	u.perform("beate", "disable", nil).WantValues("member", map[string]any{"status": "disabled"})
	u.perform("beate", "enable", nil).WantValues("member", map[string]any{"status": "active"})
	reset := u.submit(u.member("beate"), "reset_password", nil).Want(201).Str("link")
	u.Server.Unauthenticated().Do("GET", strings.TrimPrefix(reset, u.Server.Settings.URL().String())).Want(200)
	prepareMember(u, "beate", apptest.Password)
	beate := u.member("beate")
	if len(beate.List("sessions")) != 1 || len(beate.List("devices")) != 2 || beate.At("members.0.device_count") != 2.0 || beate.At("members.0.second_factor") != true {
		t.Errorf("%s: got %s, want a session, two device passwords and a second factor", beate.About, beate.Body)
	}
	u.press(beate.Sections()["Device passwords"][0], "remove").WantValues("member", map[string]any{"device_count": 1})
	u.perform("beate", "end_sessions", nil).WantValues("member", map[string]any{"token_count": 0, "device_count": 1})
	u.perform("beate", "revoke_access", nil).WantValues("member", map[string]any{"device_count": 0})
	u.perform("beate", "reset_factor", nil).WantValues("member", map[string]any{"second_factor": false})
	u.perform("beate", "export", nil).WantValues("identity", map[string]any{"member.email": "beate@example.org"})
	u.perform("beate", "delete", nil)
	if got := u.view("members").Column("members", "username"); got != "op" {
		t.Errorf("got the members %q, want op", got)
	}
	got, want := u.auditLog(), administerByCommands(t)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got the audit log\n%s\nwant that of the commands\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, view := range []string{"overview", "members", "invitations", "audit"} {
		if a := u.view(view); strings.Contains(a.Body, apptest.LastSegment(link)) || strings.Contains(a.Body, apptest.LastSegment(reset)) {
			t.Errorf("%s: the panel contains a one-time link", a.About)
		}
	}
	u.press(u.view("invitations").Sections()["Invitations"][0], "revoke").Want(200)
	u.Server.Unauthenticated().Do("GET", strings.TrimPrefix(link, u.Server.Settings.URL().String())).Want(404)
}

// administrationOf returns the parts of the administration that are published to a member: the
// context and the actions of the dataset, the service of the session, and the status of the panel.
func administrationOf(c *apptest.Client) string {
	c.T.Helper()
	d, list := c.Dataset(), []string{}
	for _, v := range d.List("contexts") {
		if apptest.At(v, "kind") == "operator" {
			list = append(list, apptest.Text(apptest.At(v, "context_id")))
		}
	}
	for _, a := range d.List("actions") {
		if strings.HasPrefix(apptest.At(a, "type").(string), "admin.") {
			list = append(list, apptest.At(a, "type").(string))
		}
	}
	for _, v := range c.Session().List("services") {
		if apptest.At(v, "id") == "operator" {
			list = append(list, "service")
		}
	}
	return strings.Join(append(list, fmt.Sprint(c.Do("GET", operatorPanel).Status)), " ")
}

// A promotion and a demotion, also by a command in another process, change the published
// administration and the ETag of the dataset at once. Covers B-109.
func TestDemotionRemovesTheAdministrationAtOnce(t *testing.T) {
	u := newAdministrator(t)
	s := u.Server
	bea := s.Member("bea").AsRuntime()
	const offered, none = "ctx_operator admin.member.add admin.invitation.create admin.backup.create service 200", "403"
	want := func(about, want string) {
		t.Helper()
		if got := administrationOf(bea); got != want {
			t.Errorf("%s: got %q, want %q", about, got, want)
		}
	}
	want("member", none)
	u.perform("bea", "promote", nil)
	want("promoted", offered)
	etag := bea.Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
	bea.With("If-None-Match", etag).Do("GET", "/world/runtime").Want(304)
	u.perform("bea", "demote", nil)
	bea.With("If-None-Match", etag).Do("GET", "/world/runtime").Want(200)
	want("demoted", none)
	bea.Do("POST", "/world/operator/backups").WantError(403, "permission_denied")
	for _, command := range []struct{ name, want string }{{"promote", offered}, {"demote", none}} {
		if status, _, stderr := s.RunCommand("", "admin", "members", command.name, "bea"); status != 0 {
			t.Fatalf("%s: got status %d, want 0\n%s", command.name, status, stderr)
		}
		want("after the command "+command.name, command.want)
	}
	u.submit(u.member("op"), "demote", nil).WantError(422, "last_operator")
}

// An operator confirms changes that take over an account or make an operator, so a stolen session
// is not sufficient. Covers B-108.
func TestOperatorsConfirmAccountTakeovers(t *testing.T) {
	u := newAdministrator(t)
	bea := u.Server.Member("bea")
	wrong, none := map[string]any{"current_password": "wrong"}, map[string]any{"current_password": ""}
	addFactor(bea)
	u.Server.Clock.Advance(61e9)
	view := u.member("bea")
	u.Server.WantUnchanged("not confirmed", func() {
		for _, form := range []string{"promote", "reset_password", "reset_factor", "export", "delete"} {
			u.submit(view, form, none).WantError(400, "field_required").WantFields("current_password")
			u.submit(view, form, wrong).WantError(422, "invalid_value").WantFields("current_password")
		}
		u.submit(view, "update", map[string]any{"username": "beate", "current_password": ""}).WantError(400, "field_required")
		u.submit(view, "update", map[string]any{"email": "op@example.org"}).WantError(409, "already_exists")
		u.Act("admin.member.add", "", map[string]any{"email": "", "password": ""}).WantError(400, "field_required").WantFields("email", "password")
		u.Act("admin.member.add", "", map[string]any{"email": "cem@example.org", "password": "short"}).WantError(422, "weak_password")
	})
	u.perform("bea", "update", map[string]any{"display_name": "Beate", "current_password": ""}) // needs no confirmation
	addFactor(u.Client)
	op := u.Server.Unauthenticated()
	op.Name = "op"
	if controls := u.member("bea"); !strings.Contains(controls.Body, `"id":"code"`) {
		t.Errorf("%s: got no control for a code, want one for an operator with a second factor", controls.About)
	}
}

// The number of queries of a view does not depend on the number of members, and lists are
// read page by page.
func TestOperatorsPageThroughMembers(t *testing.T) {
	u := newAdministrator(t)
	view := "/world/panels/operator?view=members&limit=2"
	queries := func() (n int) {
		u.Server.Queries.Take()
		u.Do("GET", "/world/panels/operator?view=members&limit=200").Want(200)
		for _, count := range u.Server.Queries.Take() {
			n += count
		}
		return n
	}
	few := queries()
	var want []string
	for i := range 5 {
		name := fmt.Sprint("member", i)
		u.Server.Member(name)
		want = append(want, name)
	}
	u.perform("member3", "update", map[string]any{"display_name": "<script>alert(1)</script>"})
	if many := queries(); many != few {
		t.Errorf("got %d queries for six members and %d for one, want the same number", many, few)
	}
	var got []string
	for a := u.Do("GET", view).Want(200); ; {
		got = append(got, a.Values("members", "username")...)
		next, ok := a.At("page.next").(string)
		if !ok {
			break
		}
		a = u.Do("GET", next).Want(200)
	}
	if want = append([]string{"op"}, want...); !slices.Equal(got, want) {
		t.Errorf("got the members %q, want %q", got, want)
	}
	if got := u.submit(u.view("members"), "open_members", map[string]any{"q": "member", "status": "disabled"}).Want(200).List("members"); len(got) != 0 {
		t.Errorf("disabled members: got %v, want none", got)
	}
	for _, query := range []string{"view=nope", "view=members&member=x", "view=members&status=gone", "view=members&limit=-1", "view=audit&cursor=x", "view=audit&member=-1"} {
		u.Do("GET", "/world/panels/operator?"+query).WantError(400, "invalid_parameter")
	}
	u.Do("GET", "/world/panels/operator?view=members&member=99").WantError(404, "not_found")
}

// A backup on request is made in the background. Writes continue, a second backup is refused
// meanwhile, and the panel shows the progress.
func TestOperatorsBackUpOnRequest(t *testing.T) {
	u := newAdministrator(t)
	if got := u.view("backups"); len(got.List("backups")) != 0 || got.At("backup_job") != nil {
		t.Errorf("%s: got %s, want no backups", got.About, got.Body)
	}
	job := u.Act("admin.backup.create", "").Want(202)
	if job.Str("backup_job.state") != "running" {
		t.Errorf("%s: got %s, want a running backup", job.About, job.Body)
	}
	if a := u.Act("admin.backup.create", ""); a.Status != 202 { // refused unless the first one is complete
		a.WantError(409, "action_unavailable")
	}
	u.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	waitForBackup(u.Server)
	a := u.view("backups")
	a.WantValues("backups.0", map[string]any{"kind": "manual", "verified": true})
	a.WantValues("backup_job", map[string]any{"state": "done", "message": ""})
	if a.Str("backups.0.name") != a.Str("backup_job.name") {
		t.Errorf("%s: got %s, want the new backup", a.About, a.Body)
	}
}

// The overview has a warning with a remedy for each problem of the server.
func TestOperatorsReadTheStateOfTheServer(t *testing.T) {
	u := newAdministrator(t)
	a := u.view("overview")
	a.WantValues("counts", map[string]any{"active": 1, "disabled": 0, "operators": 1, "invitations": 0})
	a.WantValues("health", map[string]any{"state": "warning", "database.damaged": false, "last_backup": nil, "certificate_expires_at": nil})
	if len(a.List("health.services")) != 8 || a.Str("version") == "" || a.At("health.free_bytes") == nil {
		t.Errorf("%s: got %s, want eight services, the version and the free space", a.About, a.Body)
	}
	for _, w := range a.List("health.warnings") {
		if apptest.At(w, "message") == "" || apptest.At(w, "remedy") == "" {
			t.Errorf("%s: got the warning %v, want a message and a remedy", a.About, w)
		}
	}
	u.Server.Exec(`INSERT INTO social_follow_up (guest_id, host_id, community_id, only_event_id, revoked_at, revoked_seq, cancelled, changed_at, ends_at, event_id, failed)
		VALUES (0, 1, '', '', 0, 0, 0, 1, 0, '', 1)`)
	if a := u.view("overview"); !slices.Contains(apptest.Values(a.List("health.warnings"), "check"), "calendars") {
		t.Errorf("%s: got %s, want a warning about calendars", a.About, a.Body)
	}
	u.Server.Exec("ALTER TABLE social_presence RENAME TO lost")
	u.Server.InvalidateAll()
	u.Do("GET", "/world/runtime").Want(200)
	if a := u.view("overview"); !slices.Contains(apptest.Values(a.List("health.warnings"), "check"), "service") {
		t.Errorf("%s: got %s, want a warning about the degraded service", a.About, a.Body)
	}
}

// Feeds that members add for themselves are private: operators neither see nor remove
// their provider.
func TestOperatorsDoNotSeeProvidersOfSingleMembers(t *testing.T) {
	u := newAdministrator(t)
	bea := u.Server.Member("bea")
	u.Server.Exec(`INSERT INTO provider_provider (id, member_id, label, source_url, action_url, secret, interval, created_at, generation, counts, failure, failures)
		VALUES (?, ?, 'My feeds', 'https://feeds.example.org/', '', x'00', 0, 0, 0, '{}', '', 0)`, "feeds-of-"+fmt.Sprint(bea.ID), bea.ID)
	if a := u.view("providers"); len(a.List("providers")) != 0 || strings.Contains(a.Body, "feeds-of") {
		t.Errorf("%s: got %s, want no providers", a.About, a.Body)
	}
	for _, path := range []string{"/sync", "/remove"} {
		u.Do("POST", "/world/operator/providers/feeds-of-"+fmt.Sprint(bea.ID)+path).WantError(404, "not_found")
	}
}
