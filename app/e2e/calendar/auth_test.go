package calendar

import (
	"net/http"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// CalDAV accepts only the user name or e-mail address of a member with the password. Tokens,
// cookies and headers of other services are rejected. The principal identifies the member. Covers
// C-01, C-02, C-03, C-04, C-05, C-07, C-10 and B-14.
func TestCalDAVRequiresThePasswordOfAMember(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	client := func(header, value string) *apptest.Client { return h.Unauthenticated().With(header, value) }
	basic := func(login, password string) *apptest.Client {
		r, _ := http.NewRequest("GET", "/", nil)
		r.SetBasicAuth(login, password)
		return client("Authorization", r.Header.Get("Authorization"))
	}
	const challenge = `Basic realm="appliance calendar", charset="UTF-8"`
	for _, c := range []struct {
		name   string
		client *apptest.Client
		status int
	}{
		{"user name", basic("ann", apptest.Password), 207},
		{"user name with a capital letter", basic("Ann", apptest.Password), 207},
		{"e-mail address", basic("ann@example.org", apptest.Password), 207},
		{"header with another member", basic("ann", apptest.Password).With("X-Service-Member-Id", "2"), 207},
		{"cookie of another member", basic("ann", apptest.Password).With("Cookie", "world_session="+bea.Token), 207},
		{"no credentials", h.Unauthenticated(), 401},
		{"wrong password", basic("ann", "wrong"), 401},
		{"no password", basic("ann", ""), 401},
		{"unknown name", basic("cleo", apptest.Password), 401},
		{"no name", basic("", apptest.Password), 401},
		{"name with NUL", basic("ann\x00", apptest.Password), 401},
		{"name in invalid UTF-8", basic("\xff\xfe", apptest.Password), 401},
		{"password in invalid UTF-8", basic("ann", "\xff\xfe"), 401},
		{"name of 5,000 letters", basic(strings.Repeat("a", 5000), apptest.Password), 401},
		{"bearer token", ann, 401},
		{"token as password", basic("ann", ann.Token), 401},
		{"cookie only", client("Cookie", "world_session="+ann.Token), 401},
		{"invalid Base64", client("Authorization", "Basic §§§"), 401},
	} {
		for _, root := range []string{"/caldav/", "/dav/", "/caldav"} {
			a := c.client.With("Depth", "0").Do("PROPFIND", root, propfind("<current-user-principal/>"))
			if a.Status != c.status {
				t.Errorf("%s at %s: got status %d, want %d", c.name, root, a.Status, c.status)
			}
			if got := a.Header.Get("WWW-Authenticate"); a.Status == 401 && got != challenge {
				t.Errorf("%s at %s: got challenge %q, want %q", c.name, root, got, challenge)
			}
			mount := strings.TrimSuffix(root, "/")
			if want := "<D:href>" + mount + "/1/</D:href>"; a.Status == 207 && (!strings.Contains(a.Body, want) || strings.Contains(a.Body, mount+"/2/")) {
				t.Errorf("%s at %s: got %s, want %s", c.name, root, a.Body, want)
			}
		}
	}
	if got := h.Unauthenticated().Do("GET", "/.well-known/caldav").Want(301).Header.Get("Location"); got != "/caldav/" {
		t.Errorf("well-known URL: got Location %s, want /caldav/", got)
	}
}

// A renamed member authenticates with the new name, and sync tokens stay valid. A
// disabled member cannot authenticate, and keeps all objects. Covers C-06 during
// a session, and PT-46 for calendars.
func TestRenamedMemberAuthenticatesAndDisabledMemberDoesNot(t *testing.T) {
	h := apptest.New(t)
	op, ann := h.Member("op"), h.Member("ann")
	dav, path := ann.Basic(), ann.DefaultCalendar()
	tea := path + "tea.ics"
	updateMember := func(changes map[string]any) {
		t.Helper()
		op.UpdateMember(ann.ID, changes).Want(200)
	}
	dav.Do("PUT", tea, event("tea")).Want(201)
	token := dav.Do("REPORT", path, apptest.SyncCollection("")).Multistatus().Token

	updateMember(map[string]any{"username": "anna"})
	dav.Do("GET", tea).Want(401)
	renamed := *ann
	renamed.Name = "anna"
	dav = renamed.Basic()
	dav.Do("GET", tea).Want(200)
	if got := dav.Do("REPORT", path, apptest.SyncCollection(token)).Multistatus(); len(got.Entries) != 0 || got.Token != token {
		t.Errorf("changes after the renaming: got %+v, want none and the token %s", got, token)
	}

	updateMember(map[string]any{"status": "disabled"})
	h.WantUnchanged("disabled", func() {
		dav.Do("GET", tea).Want(401)
		dav.Do("DELETE", tea).Want(401)
		ann.Do("GET", "/world/calendars").Want(401)
	})
	updateMember(map[string]any{"status": "active"})
	if got, want := dav.Do("GET", tea).Want(200).Body, event("tea"); got != want {
		t.Errorf("object after the reactivation: got %q, want %q", got, want)
	}
}
