package apptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Client sends requests as a member, or without credentials.
type Client struct {
	T       testing.TB
	Server  *Server // nil if the server is a Process
	URL     string  // base URL of the server
	HTTP    *http.Client
	ID      svc.MemberID
	Name    string // user name; "unauthenticated" without a member
	Token   string // token of the session
	Headers map[string]string
}

// Password is the account password of every member.
const Password = "correct horse battery"

// uncompressedTransport is the transport of all clients.
var uncompressedTransport = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	return t
}()

// NewClient returns a client without credentials for the server at url. It
// follows no redirects, and accepts compressed responses only with the header
// Accept-Encoding.
func NewClient(t testing.TB, url string) *Client {
	return &Client{T: t, Name: "unauthenticated", URL: url, HTTP: &http.Client{
		Transport:     uncompressedTransport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Timeout: 10 * time.Minute,
	}}
}

// SignIn returns the client with a new session of its member.
func (c *Client) SignIn(password string) *Client {
	c.T.Helper()
	answer := c.Do("POST", "/identity/login", map[string]any{"login": c.Name, "password": password})
	d := c.With("Authorization", "Bearer "+answer.Want(200).Str("token.access_token"))
	d.Token = answer.Str("token.access_token")
	return d
}

// With returns the client with one header changed. An empty value removes the
// header.
func (c *Client) With(name, value string) *Client {
	d := *c
	d.Headers = map[string]string{name: value}
	for n, v := range c.Headers {
		if n != name {
			d.Headers[n] = v
		}
	}
	return &d
}

// Basic returns the client with HTTP Basic credentials, which CalDAV clients
// send.
func (c *Client) Basic() *Client {
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth(c.Name, Password)
	d := c.With("Authorization", r.Header.Get("Authorization"))
	d.Token = ""
	return d
}

// AsRuntime returns a client that sends requests as a runtime: with the header X-Service-Runtime.
func (c *Client) AsRuntime() *Client { return c.With("X-Service-Runtime", "test/1.0") }

// Form is a request body that is sent as an HTML form.
type Form string

// Do sends a request. A body of type string is sent unchanged, a [Form] as a
// form, and any other type as JSON.
func (c *Client) Do(method, path string, body ...any) *Answer {
	c.T.Helper()
	a, err := c.Try(method, path, body...)
	if err != nil {
		c.T.Fatal(err)
	}
	return a
}

// Try is like [Client.Do], but returns an error if the server does not respond.
func (c *Client) Try(method, path string, body ...any) (*Answer, error) {
	var text io.Reader
	var sent []byte // as JSON; nil for a form
	contentType := ""
	if len(body) > 0 {
		switch b := body[0].(type) {
		case string:
			text = strings.NewReader(b)
			if strings.HasPrefix(b, "{") {
				contentType, sent = "application/json", []byte(b)
			}
		case Form:
			text, contentType = strings.NewReader(string(b)), "application/x-www-form-urlencoded"
		default:
			j, err := json.Marshal(b)
			if err != nil {
				return nil, err
			}
			text, contentType, sent = bytes.NewReader(j), "application/json", j
		}
	}
	r, err := http.NewRequest(method, c.URL+path, text)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for name, value := range c.Headers {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	resp, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	a := &Answer{T: c.T, About: c.Name + ": " + method + " " + path, Status: resp.StatusCode, Header: resp.Header, Body: string(b)}
	if a.Status >= 400 && a.Header.Get("Content-Type") == "application/json" {
		a.WantSchema("service.error", a.At(""))
	}
	a.wantDescribed(c, method, path, sent)
	return a, nil
}

// DefaultCalendar returns the CalDAV path of the default calendar.
func (c *Client) DefaultCalendar() string {
	c.T.Helper()
	return c.Do("GET", "/world/calendars").Want(200).Str("calendars.0.caldav_path")
}

// Viewer returns the client's member as a viewer, for calls of services.
func (c *Client) Viewer() (v svc.Viewer) {
	c.T.Helper()
	err := c.Server.DB.Read(c.T.Context(), func(tx *store.Tx) (err error) {
		v, err = c.Server.App.Identity.OnBehalf(tx, c.ID)
		return err
	})
	if err != nil {
		c.T.Fatal(err)
	}
	return v
}

// UpdateMember changes a member on behalf of the operator c, who confirms the change
// with their password.
func (c *Client) UpdateMember(id svc.MemberID, changes map[string]any) *Answer {
	c.T.Helper()
	return c.Do("POST", "/admin/members/update", map[string]any{"id": id, "changes": changes, "current_password": Password})
}

// AsService returns a client that sends requests as a service on behalf of the
// member. The server needs [WithServiceKey].
func (c *Client) AsService() *Client {
	return c.With("Authorization", "Service "+ServiceKey).With("X-Service-Member-Id", fmt.Sprint(c.ID))
}

// CookieName is the name of the session cookie.
const CookieName = "service_api_token"
