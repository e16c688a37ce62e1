package identity

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store/storetest"
)

// The command lists the sessions and the device passwords of the member, with the times
// when they were created and last used.
func TestCommandListsSessionsAndDevicePasswords(t *testing.T) {
	s := apptest.New(t)
	s.Clock.Set(time.Date(2026, 11, 20, 9, 10, 0, 0, time.UTC))
	bea, ann := s.Member("bea"), s.Member("ann")
	device := bea.Do("POST", "/world/identity/device-passwords", `{"label": "Phone\ue000"}`).Want(201)
	ann.Do("POST", "/world/identity/device-passwords", `{"label": "Tablet"}`).Want(201)
	phone := bea.With("User-Agent", "App").SignIn(apptest.Password)
	s.Clock.Advance(26 * time.Hour)
	for _, c := range []*apptest.Client{bea, phone} {
		c.Do("GET", "/world/identity/me").Want(200)
	}
	s.Unauthenticated().With("Depth", "0").With("Authorization", basicAuth("bea", device.Str("device_password.password"))).Do("PROPFIND", "/caldav/").Want(207)
	status, out, messages := s.RunCommand("", "admin", "members", "tokens", "bea")
	want := regexp.MustCompile(`^TYPE +NAME +ID +CREATED +LAST USED +FROM
(session +(Go-http-client\S*|App) +tok_\w+ +2026-11-20 +2026-11-21 11:10 +127\.0\.0\.1
){2}device password +"Phone\\ue000" +` + device.Str("device_password.id") + ` +2026-11-20 +2026-11-21 *
$`)
	if status != 0 || !want.MatchString(out) || !strings.Contains(out, " App ") {
		t.Errorf("got status %d and\n%s%s\nwant a match of\n%s", status, out, messages, want)
	}
}

// Without flags, the command ends all access of a member; each flag ends one kind.
func TestCommandRevokesSelectedAccess(t *testing.T) {
	s := apptest.New(t)
	for flags, want := range map[string]string{"": "401 401 401", "--sessions": "401 207 207", "--devices first": "200 401 207", "--sessions --devices first": "401 401 207"} {
		name := "bea" + fmt.Sprint(len(flags))
		bea := s.Member(name)
		args := []string{"admin", "members", "revoke", name}
		var phones []*apptest.Client
		for _, label := range []string{"first", "second"} {
			device := bea.Do("POST", "/world/identity/device-passwords", map[string]any{"label": label}).Want(201)
			phones = append(phones, s.Unauthenticated().With("Depth", "0").With("Authorization", basicAuth(name, device.Str("device_password.password"))))
			flags = strings.ReplaceAll(flags, label, device.Str("device_password.id"))
		}
		if status, out, messages := s.RunCommand("", append(args, strings.Fields(flags)...)...); status != 0 || !strings.Contains(out, "  "+name+"  ") {
			t.Errorf("%s: got status %d, %s%s, want the member", flags, status, out, messages)
		}
		if got := fmt.Sprint(bea.Do("GET", "/identity/me").Status, phones[0].Do("PROPFIND", "/caldav/").Status, phones[1].Do("PROPFIND", "/caldav/").Status); got != want {
			t.Errorf("%s: got the statuses %s of the session and the device passwords, want %s", flags, got, want)
		}
	}
}

// The command lists at most --limit entries, 100 by default, also if they are more than a page.
func TestCommandListsTheAuditLogPageByPage(t *testing.T) {
	s := apptest.New(t)
	bea := s.Member("bea")
	storetest.Exec(t, s.DB, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
		INSERT INTO identity_audit (at, actor, action, member_id, detail) SELECT 1000 * i, 'setup', 'add', ?, i FROM n`, bea.ID)
	s.Member("ann") // adds an entry for another member
	for limit, want := range map[string]int{"": 100, "3": 3, "200": 200, "201": 201, "430": 430} {
		args := []string{"admin", "members", "audit", "bea", "--json"}
		if limit != "" {
			args = append(args, "--limit", limit)
		}
		status, out, messages := s.RunCommand("", args...)
		var entries []struct{ Detail string }
		if err := json.Unmarshal([]byte(out), &entries); status != 0 || err != nil {
			t.Fatalf("limit %q: got status %d, %v\n%s", limit, status, err, messages)
		}
		if len(entries) != want {
			t.Errorf("limit %q: got %d entries, want %d", limit, len(entries), want)
		}
		for i, e := range entries {
			if want := fmt.Sprint(450 - i); e.Detail != want {
				t.Fatalf("limit %q: got entry %d with the detail %s, want %s, the newest first", limit, i, e.Detail, want)
			}
		}
	}
	status, out, _ := s.RunCommand("", "admin", "members", "audit", "--limit", "1", "--json", "ann-is-absent")
	if status != 3 || out != "" {
		t.Errorf("unknown member: got status %d, %q, want 3", status, out)
	}
	if status, out, _ := s.RunCommand("", "admin", "members", "audit", "bea", "--limit", "1"); status != 0 || !regexp.MustCompile(`1970-01-01T00:07:30Z +setup +add +`+fmt.Sprint(bea.ID)+` +450\n$`).MatchString(out) {
		t.Errorf("got status %d and\n%s\nwant the newest entry", status, out)
	}
}
