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

// midway sends a request whose body is held back until the server, which has
// let its sender in, asks for it; meanwhile something happens.
func midway(c *apptest.Client, method, path, kind, body string, meanwhile func()) (status int, header http.Header) {
	c.T.Helper()
	asked := make(chan struct{})
	held, send := io.Pipe()
	ctx := httptrace.WithClientTrace(c.T.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(asked) }})
	r, err := http.NewRequestWithContext(ctx, method, c.URL+path, held)
	if err != nil {
		c.T.Fatal(err)
	}
	r.ContentLength = int64(len(body))
	r.Header.Set("Expect", "100-continue")
	r.Header.Set("Content-Type", kind)
	for name, value := range c.Headers {
		r.Header.Set(name, value)
	}
	go func() {
		select {
		case <-asked:
			meanwhile()
			_, _ = io.WriteString(send, body) // the answer tells whether it arrived
		case <-c.T.Context().Done():
		}
		send.Close()
	}()
	web := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true}, CheckRedirect: c.HTTP.CheckRedirect}
	resp, err := web.Do(r)
	if err != nil {
		c.T.Fatal(err)
	}
	defer resp.Body.Close()
	select {
	case <-asked:
	default:
		c.T.Fatalf("%s %s: %d before the body was asked for", method, path, resp.StatusCode)
	}
	return resp.StatusCode, resp.Header
}

// A request that is under way when its member is shut out changes nothing: what
// let it in is looked at once more when it writes.
func TestNothingIsWrittenForWhoeverIsShutOutMeanwhile(t *testing.T) {
	const json, form = "application/json", "application/x-www-form-urlencoded"
	requests := map[string]struct {
		method, path, kind, body string
		basic                    bool
	}{
		"a device password":                 {method: "POST", path: "/world/identity/device-passwords", kind: json, body: `{"label": "Theirs"}`},
		"a device password, on the page":    {method: "POST", path: "/account/devices", kind: form, body: "name=Theirs"},
		"a profile":                         {method: "POST", path: "/account/profile", kind: form, body: "display_name=Theirs&timezone=UTC"},
		"a calendar":                        {method: "POST", path: "/world/calendars", kind: json, body: `{"name": "Theirs"}`},
		"an event, from a calendar program": {method: "PUT", path: "CALENDARtheirs.ics", kind: "text/calendar", body: apptest.VEvent("theirs", "DTSTART:20261201T090000Z"), basic: true},
		"a calendar as a whole":             {method: "POST", path: "/world/calendars/ID/import", kind: "text/calendar", body: apptest.VEvent("theirs", "DTSTART:20261201T090000Z")},
		"a calendar, from a calendar program": {method: "MKCALENDAR", path: "HOMEtheirs/", kind: "text/xml", basic: true,
			body: `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav"/>`},
	}
	ends := map[string]func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error{
		"a reset": func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error {
			l, err := h.App.Identity.AddResetLink(tx, by, ann.ID)
			if err == nil {
				_, err = h.App.Identity.ResetPassword(tx, l.Code, identity.PasswordHash{})
			}
			return err
		},
		"the sessions end": func(h *apptest.Server, tx *store.Tx, _ identity.Actor, ann *apptest.Client) error {
			return h.App.Identity.RevokeTokens(tx, ann.Viewer())
		},
		"the member is disabled": func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error {
			_, err := h.App.Identity.Update(tx, by, ann.ID, identity.Changes{Status: new(identity.Disabled)})
			return err
		},
		"the member is deleted": func(h *apptest.Server, tx *store.Tx, by identity.Actor, ann *apptest.Client) error {
			return h.App.Identity.Delete(tx, by, ann.ID)
		},
	}
	for what, q := range requests {
		for end, do := range ends {
			t.Run(what+", and "+end, func(t *testing.T) {
				h := apptest.New(t)
				ann := h.Member("ann")
				path := strings.Replace(q.path, "CALENDAR", ann.DefaultCalendar(), 1)
				path = strings.Replace(path, "HOME", "/caldav/1/calendars/", 1)
				path = strings.Replace(path, "/ID/", "/"+ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")+"/", 1)
				c := ann
				if q.basic {
					c = ann.Basic()
				}
				before := int64(-1)
				changes := func() (n int64) {
					err := h.DB.Read(t.Context(), func(tx *store.Tx) error {
						n = tx.Revision(int64(ann.ID))
						return nil
					})
					if err != nil {
						t.Fatal(err)
					}
					return n
				}
				status, header := midway(c, q.method, path, q.kind, q.body, func() {
					err := h.DB.Write(t.Context(), func(tx *store.Tx) error { return do(h, tx, identity.CommandLine("test"), ann) })
					if err != nil {
						t.Error(err)
					}
					before = changes()
				})
				page := strings.HasPrefix(path, "/account")
				if page && status != http.StatusSeeOther || !page && status != http.StatusUnauthorized {
					t.Errorf("the answer is %d", status)
				}
				if q.basic && !strings.HasPrefix(header.Get("WWW-Authenticate"), "Basic ") {
					t.Errorf("a calendar program is asked for %q", header.Get("WWW-Authenticate"))
				}
				if after := changes(); after != before {
					t.Error("something was written nevertheless")
				}
				err := h.DB.Read(t.Context(), func(tx *store.Tx) error {
					list, err := h.App.Identity.Devices(tx, ann.ID)
					if len(list) > 0 {
						t.Errorf("there is a device password: %v", list)
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

// What ends another session of the member leaves this one's requests alone.
func TestARequestGoesOnWhenAnotherSessionEnds(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Clock.Advance(time.Minute)
	ann.SignIn(apptest.Password) // the one that is listed first
	viewer := ann.Viewer()
	status, _ := midway(ann, "POST", "/world/calendars", "application/json", `{"name": "Mine"}`, func() {
		err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
			list, err := h.App.Identity.Tokens(tx, ann.ID)
			if err != nil || len(list) != 2 {
				t.Errorf("%d sessions, %v", len(list), err)
			}
			return h.App.Identity.RevokeToken(tx, viewer, list[0].ID)
		})
		if err != nil {
			t.Error(err)
		}
	})
	if status != http.StatusCreated {
		t.Errorf("the answer is %d", status)
	}
}

// Nor is anything written for a member who is gone when another service speaks
// for them.
func TestNobodySpeaksForWhoeverIsGone(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServiceKey = "a long service key" })
	ann := h.Member("ann")
	service := h.Unauthenticated().With("Authorization", "Service a long service key").With("X-Service-Member-Id", ann.ID.String())
	status, _ := midway(service, "POST", "/calendars", "application/json", `{"name": "Hers"}`, func() {
		err := h.DB.Write(t.Context(), func(tx *store.Tx) error {
			return h.App.Identity.Delete(tx, identity.CommandLine("test"), ann.ID)
		})
		if err != nil {
			t.Error(err)
		}
	})
	if status != http.StatusNotFound {
		t.Errorf("the answer is %d", status)
	}
}
