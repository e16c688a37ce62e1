package transfer

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"appliance/svc/calendar/ics"

	"github.com/emersion/go-webdav"
	"github.com/emersion/go-webdav/caldav"
)

// DAVClient accesses the calendars of a user on a CalDAV server.
type DAVClient struct {
	http      webdav.HTTPClient
	address   *url.URL
	files     *webdav.Client
	calendars *caldav.Client
	principal string // path
	home      string // path
}

// ServerCalendar is a calendar of a CalDAV server.
type ServerCalendar struct {
	Path string
	ics.CalendarInfo
	Components []string // nil if the server does not list them
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

// calendarProperties is a request for the properties of [ServerCalendar].
const calendarProperties = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/"><prop>
<resourcetype/><displayname/><C:calendar-description/><C:supported-calendar-component-set/>
<C:calendar-timezone-id/><C:calendar-timezone/><A:calendar-color/>
</prop></propfind>`

// calendarResponses are the responses to calendarProperties.
type calendarResponses struct {
	Responses []struct {
		Href  string `xml:"DAV: href"`
		Props []struct {
			Type struct {
				Calendar *struct{} `xml:"urn:ietf:params:xml:ns:caldav calendar"`
			} `xml:"DAV: resourcetype"`
			Name        string `xml:"DAV: displayname"`
			Description string `xml:"urn:ietf:params:xml:ns:caldav calendar-description"`
			ZoneID      string `xml:"urn:ietf:params:xml:ns:caldav calendar-timezone-id"`
			Zone        string `xml:"urn:ietf:params:xml:ns:caldav calendar-timezone"`
			Color       string `xml:"http://apple.com/ns/ical/ calendar-color"`
			Components  []struct {
				Name string `xml:"name,attr"`
			} `xml:"urn:ietf:params:xml:ns:caldav supported-calendar-component-set>comp"`
		} `xml:"DAV: propstat>prop"`
	} `xml:"DAV: response"`
}

// maxProperties limits the octets of a response with the properties of all calendars.
const maxProperties = 16 << 20

// Calendars lists the calendars of the user.
func (d *DAVClient) Calendars(ctx context.Context) (list []ServerCalendar, err error) {
	r, err := http.NewRequestWithContext(ctx, "PROPFIND", d.address.ResolveReference(&url.URL{Path: d.home}).String(), strings.NewReader(calendarProperties))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Depth", "1")
	r.Header.Set("Content-Type", "application/xml; charset=utf-8")
	answer, err := d.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusMultiStatus {
		return nil, fmt.Errorf("%s responds with %s", d.home, answer.Status)
	}
	var found calendarResponses
	if err := xml.NewDecoder(io.LimitReader(answer.Body, maxProperties)).Decode(&found); err != nil {
		return nil, err
	}
	for _, response := range found.Responses {
		at, err := url.Parse(strings.TrimSpace(response.Href))
		if err != nil {
			return nil, err
		}
		c := ServerCalendar{Path: at.Path}
		isCalendar := false
		for _, p := range response.Props { // absent properties are in a propstat of their own, and empty
			isCalendar = isCalendar || p.Type.Calendar != nil
			c.Name = cmp.Or(c.Name, p.Name)
			c.Description = cmp.Or(c.Description, p.Description)
			c.Color = cmp.Or(c.Color, p.Color)
			c.Timezone = cmp.Or(c.Timezone, strings.TrimSpace(p.ZoneID), zoneName(p.Zone))
			for _, component := range p.Components {
				c.Components = append(c.Components, component.Name)
			}
		}
		if isCalendar {
			list = append(list, c)
		}
	}
	return list, nil
}

// zoneName returns the name of the time zone in a CALDAV:calendar-timezone, "" if there is none.
func zoneName(text string) string {
	z, err := ics.ParseZone(text)
	if err != nil {
		return ""
	}
	return z.Name()
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
	return &DAVClient{http: client, address: at, files: files, calendars: calendars, principal: principal}, err
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
