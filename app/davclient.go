package app

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

// davRemote is a CalDAV server as a calendar program sees it.
type davRemote struct {
	files     *webdav.Client
	calendars *caldav.Client
	principal string // path
	home      string // path
}

// dialDAV finds a member's calendars from the address of a server, as calendar
// programs do: by asking for the principal there and, if that leads nowhere,
// where the well-known address leads (RFC 6764 §6). step hears of each thing
// that was found.
func dialDAV(ctx context.Context, address *url.URL, name, password string, step func(format string, args ...any)) (*davRemote, error) {
	web := &http.Client{Timeout: 2 * time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a PROPFIND that is redirected would become a GET
	}}
	d, err := findPrincipal(ctx, web, address, name, password)
	if err != nil {
		known, wellKnownErr := wellKnownDAV(ctx, web, address)
		if wellKnownErr != nil {
			return nil, fmt.Errorf("%s does not say whose calendars it has: %w (%w)", address, err, wellKnownErr)
		}
		step("%s leads to %s", address.JoinPath("/.well-known/caldav"), known)
		if d, err = findPrincipal(ctx, web, known, name, password); err != nil {
			return nil, fmt.Errorf("%s does not say whose calendars it has: %w", known, err)
		}
	}
	step("The principal is %s", d.principal)
	if d.home, err = d.calendars.FindCalendarHomeSet(ctx, d.principal); err != nil {
		return nil, fmt.Errorf("%s does not say where the calendars are: %w", d.principal, err)
	}
	step("The calendars are in %s", d.home)
	return d, nil
}

func findPrincipal(ctx context.Context, web *http.Client, at *url.URL, name, password string) (*davRemote, error) {
	client := webdav.HTTPClientWithBasicAuth(web, name, password)
	files, err := webdav.NewClient(client, at.String())
	if err != nil {
		return nil, err
	}
	calendars, err := caldav.NewClient(client, at.String())
	if err != nil {
		return nil, err
	}
	principal, err := files.FindCurrentUserPrincipal(ctx)
	return &davRemote{files: files, calendars: calendars, principal: principal}, err
}

// wellKnownDAV returns where /.well-known/caldav leads. The password goes
// wherever that is, so it must be the same server, or one with HTTPS.
func wellKnownDAV(ctx context.Context, web *http.Client, address *url.URL) (*url.URL, error) {
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
		return nil, fmt.Errorf("%s answers %s, not a redirection", at, answer.Status)
	}
	if to.Host != at.Host && to.Scheme != "https" {
		return nil, errors.New("it leads to another server, without HTTPS")
	}
	return to, nil
}
