package identity

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/identity"
)

// doWithDelayedBody sends a request. When the server has authenticated it and asks for its
// body (100 Continue), doWithDelayedBody calls meanwhile, and then sends the body.
func doWithDelayedBody(c *apptest.Client, method, path, mediaType, body string, meanwhile func()) (status int, header http.Header) {
	c.T.Helper()
	bodyRequested := make(chan struct{})
	reader, writer := io.Pipe()
	ctx := httptrace.WithClientTrace(c.T.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(bodyRequested) }})
	r, err := http.NewRequestWithContext(ctx, method, c.URL+path, reader)
	if err != nil {
		c.T.Fatal(err)
	}
	r.ContentLength = int64(len(body))
	r.Header.Set("Expect", "100-continue")
	r.Header.Set("Content-Type", mediaType)
	for name, value := range c.Headers {
		r.Header.Set(name, value)
	}
	go func() {
		select {
		case <-bodyRequested:
			meanwhile()
			_, _ = io.WriteString(writer, body) // the response shows whether the server received the body
		case <-c.T.Context().Done():
		}
		writer.Close()
	}()
	web := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: 10 * time.Minute, DisableKeepAlives: true}, CheckRedirect: c.HTTP.CheckRedirect}
	resp, err := web.Do(r)
	if err != nil {
		c.T.Fatal(err)
	}
	defer resp.Body.Close()
	select {
	case <-bodyRequested:
	default:
		c.T.Fatalf("%s %s: got status %d, want 100 before the body", method, path, resp.StatusCode)
	}
	return resp.StatusCode, resp.Header
}

// The credentials of a request are checked again in its write transaction.
func TestWriteAfterRevocationIsRejected(t *testing.T) {
	const json, form = "application/json", "application/x-www-form-urlencoded"
	requests := map[string]struct {
		method, path, mediaType, body string
		basic                         bool
	}{
		"device password":                     {method: "POST", path: "/world/identity/device-passwords", mediaType: json, body: `{"label": "Theirs"}`},
		"device password on the account page": {method: "POST", path: "/account", mediaType: form, body: "do=create_device&label=Theirs"},
		"profile":                             {method: "PATCH", path: "/world/identity/me", mediaType: json, body: `{"display_name": "Theirs"}`},
		"calendar":                            {method: "POST", path: "/world/calendars", mediaType: json, body: `{"name": "Theirs"}`},
		"event by CalDAV":                     {method: "PUT", path: "CALENDARtheirs.ics", mediaType: "text/calendar", body: apptest.VEvent("theirs", "DTSTART:20261201T090000Z"), basic: true},
		"import of a calendar":                {method: "POST", path: "/world/calendars/ID/import", mediaType: "text/calendar", body: apptest.VEvent("theirs", "DTSTART:20261201T090000Z")},
		"calendar by CalDAV": {method: "MKCALENDAR", path: "HOMEtheirs/", mediaType: "text/xml", basic: true,
			body: `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav"/>`},
	}
	revocations := map[string]func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error{
		"password reset": func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error {
			l, err := h.App.Identity.AddResetLink(tx, by, ann.ID)
			if err == nil {
				_, err = h.App.Identity.ResetPassword(tx, l.Code, identity.PasswordHash{})
			}
			return err
		},
		"sign-out everywhere": func(h *apptest.Server, tx *store.Tx, _ identity.Actor, ann *apptest.Client) error {
			return h.App.Identity.RevokeTokens(tx, ann.Viewer(), "")
		},
		"disabled member": func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error {
			_, err := h.App.Identity.Update(tx, by, ann.ID, identity.Changes{Status: new(identity.Disabled)})
			return err
		},
		"deleted member": func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error {
			return h.App.Identity.Delete(tx, by, ann.ID)
		},
	}
	for request, r := range requests {
		for revocation, revoke := range revocations {
			t.Run(request+", "+revocation, func(t *testing.T) {
				h := apptest.New(t)
				ann := h.Member("ann")
				path := strings.Replace(r.path, "CALENDAR", ann.DefaultCalendar(), 1)
				path = strings.Replace(path, "HOME", "/caldav/1/calendars/", 1)
				path = strings.Replace(path, "/ID/", "/"+ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")+"/", 1)
				c := ann
				if r.basic {
					c = ann.Basic()
				}
				before := int64(-1)
				revision := func() (n int64) {
					err := h.DB.Read(t.Context(), func(tx *store.Tx) error {
						n = tx.Revision(int64(ann.ID))
						return nil
					})
					if err != nil {
						t.Fatal(err)
					}
					return n
				}
				status, header := doWithDelayedBody(c, r.method, path, r.mediaType, r.body, func() {
					err := h.DB.Write(t.Context(), func(tx *store.Tx) error { return revoke(h, tx, identity.CommandLine("test"), ann) })
					if err != nil {
						t.Error(err)
					}
					before = revision()
				})
				page := path == "/account"
				if page && status != http.StatusSeeOther || !page && status != http.StatusUnauthorized {
					t.Errorf("got status %d, want 401, or 303 for a page", status)
				}
				if r.basic && !strings.HasPrefix(header.Get("WWW-Authenticate"), "Basic ") {
					t.Errorf("challenge: got %q, want Basic", header.Get("WWW-Authenticate"))
				}
				if after := revision(); after != before {
					t.Errorf("revision: got %d, want %d", after, before)
				}
				err := h.DB.Read(t.Context(), func(tx *store.Tx) error {
					list, err := h.App.Identity.Devices(tx, ann.ID)
					if len(list) > 0 {
						t.Errorf("device passwords: got %v, want none", list)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

func TestRevokingASessionKeepsWritesOfOtherSessions(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Clock.Advance(time.Minute)
	ann.SignIn(apptest.Password) // list[0] in the list of sessions
	viewer := ann.Viewer()
	status, _ := doWithDelayedBody(ann, "POST", "/world/calendars", "application/json", `{"name": "Mine"}`, func() {
		err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
			list, err := h.App.Identity.Tokens(tx, ann.ID)
			if err != nil || len(list) != 2 {
				t.Errorf("got %d sessions, %v, want 2", len(list), err)
			}
			return h.App.Identity.RevokeToken(tx, viewer, list[0].ID)
		})
		if err != nil {
			t.Error(err)
		}
	})
	if status != http.StatusCreated {
		t.Errorf("got status %d, want 201", status)
	}
}

func TestServiceCannotWriteForADeletedMember(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServiceKey = "a long service key" })
	ann := h.Member("ann")
	service := h.Unauthenticated().With("Authorization", "Service a long service key").With("X-Service-Member-Id", ann.ID.String())
	status, _ := doWithDelayedBody(service, "POST", "/calendars", "application/json", `{"name": "Theirs"}`, func() {
		err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
			return h.App.Identity.Delete(tx, identity.CommandLine("test"), ann.ID)
		})
		if err != nil {
			t.Error(err)
		}
	})
	if status != http.StatusNotFound {
		t.Errorf("got status %d, want 404", status)
	}
}

// basicAuth returns an Authorization header with HTTP Basic credentials.
func basicAuth(login, password string) string {
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth(login, password)
	return r.Header.Get("Authorization")
}
