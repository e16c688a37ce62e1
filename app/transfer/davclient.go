package transfer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/emersion/go-webdav"
	"github.com/emersion/go-webdav/caldav"
)

// DAVClient accesses the calendars of a user on a CalDAV server.
type DAVClient struct {
	files     *webdav.Client
	calendars *caldav.Client
	principal string // path
	home      string // path
}

// Discover finds the calendars of a user on the server at the address as CalDAV
// clients do: it asks for the principal at the address and, if that fails, at the
// target of /.well-known/caldav (RFC 6764 §6). log receives a line for each step.
func Discover(ctx context.Context, address *url.URL, user, password string, log func(format string, args ...any)) (*DAVClient, error) {
	web := &http.Client{Timeout: 2 * time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // net/http turns a redirected PROPFIND into a GET
	}}
	d, err := findPrincipal(ctx, web, address, user, password)
	if err != nil {
		target, wellKnownErr := wellKnownTarget(ctx, web, address)
		if wellKnownErr != nil {
			return nil, fmt.Errorf("%s does not name a principal: %w (%w)", address, err, wellKnownErr)
		}
		log("%s leads to %s", address.JoinPath("/.well-known/caldav"), target)
		if d, err = findPrincipal(ctx, web, target, user, password); err != nil {
			return nil, fmt.Errorf("%s does not name a principal: %w", target, err)
		}
	}
	log("The principal is %s", d.principal)
	if d.home, err = d.calendars.FindCalendarHomeSet(ctx, d.principal); err != nil {
		return nil, fmt.Errorf("%s does not name a calendar home: %w", d.principal, err)
	}
	log("The calendars are in %s", d.home)
	return d, nil
}

// Calendars lists the calendars of the user.
func (d *DAVClient) Calendars(ctx context.Context) ([]caldav.Calendar, error) {
	return d.calendars.FindCalendars(ctx, d.home)
}

// findPrincipal asks for the principal of the user at a URL and returns a client
// for it.
func findPrincipal(ctx context.Context, web *http.Client, at *url.URL, user, password string) (*DAVClient, error) {
	client := webdav.HTTPClientWithBasicAuth(web, user, password)
	files, err := webdav.NewClient(client, at.String())
	if err != nil {
		return nil, err
	}
	calendars, err := caldav.NewClient(client, at.String())
	if err != nil {
		return nil, err
	}
	principal, err := files.FindCurrentUserPrincipal(ctx)
	return &DAVClient{files: files, calendars: calendars, principal: principal}, err
}

// wellKnownTarget returns the target of /.well-known/caldav. The password is sent
// there, so the target must be on the same host or use HTTPS.
func wellKnownTarget(ctx context.Context, web *http.Client, address *url.URL) (*url.URL, error) {
	at := &url.URL{Scheme: address.Scheme, Host: address.Host, Path: "/.well-known/caldav"}
	r, err := http.NewRequestWithContext(ctx, "PROPFIND", at.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Depth", "0")
	answer, err := web.Do(r)
	if err != nil {
		return nil, err
	}
	answer.Body.Close()
	to, err := answer.Location()
	if err != nil {
		return nil, fmt.Errorf("%s responds with %s, not with a redirect", at, answer.Status)
	}
	if to.Host != at.Host && to.Scheme != "https" {
		return nil, errors.New("it redirects to another host without HTTPS")
	}
	return to, nil
}
