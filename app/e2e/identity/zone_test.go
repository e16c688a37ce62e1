package identity

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
)

// wantZone compares the time zone of the account, of the dataset and of the panels of a member. account is nil
// for a member without a time zone.
func wantZone(t *testing.T, c *apptest.Client, account any, used, source string) {
	t.Helper()
	if got := c.Do("GET", "/world/identity/me").Want(200).At("member.timezone"); got != account {
		t.Errorf("account: got the time zone %v, want %v", got, account)
	}
	c.Dataset().WantValues("member", map[string]any{"timezone": used, "timezone_source": source})
	for _, path := range []string{"/world/panels/time", "/world/panels/today"} {
		p := c.Do("GET", path).Want(200)
		if got, want := p.Str("timezone")+" "+p.Str("timezone_source"), used+" "+source; got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// Until a browser reports a time zone, that of the server is used. The first report is stored, a later one is only
// offered, once per zone. Covers B-126.
func TestFirstBrowserSetsTheTimeZone(t *testing.T) {
	s := apptest.New(t)
	added := s.Member("op").Do("POST", "/world/operator/members", `{"email": "ann@example.org", "username": "ann", "password": "`+apptest.Password+`"}`).Want(201)
	if got := added.At("member.timezone"); got != nil {
		t.Errorf("added member: got the time zone %v, want null", got)
	}
	ann := s.Unauthenticated()
	ann.Name = "ann"
	ann = ann.SignIn(apptest.Password)
	wantZone(t, ann, nil, "Europe/Berlin", "server")
	p := ann.Do("GET", "/world/panels/time?timezone=UTC").Want(200)
	if got, want := p.Str("timezone")+" "+p.Str("timezone_source"), "UTC request"; got != want {
		t.Errorf("panel of a request with a time zone: got %s, want %s", got, want)
	}
	report := func(body, want string) {
		t.Helper()
		a := ann.Do("POST", "/world/identity/me/browser-timezone", body).Want(200)
		if got := fmt.Sprintf("%s %s stored:%v ask:%v", a.Str("timezone"), a.Str("timezone_source"), a.At("stored"), a.At("ask")); got != want {
			t.Errorf("report %s: got %s, want %s", body, got, want)
		}
	}
	ann.Do("POST", "/world/identity/me/browser-timezone", `{"timezone": "Mars/X"}`).WantError(422, "invalid_value").WantFields("timezone")
	report(`{"timezone": "Asia/Tokyo"}`, "Asia/Tokyo member stored:true ask:false")
	wantZone(t, ann, "Asia/Tokyo", "Asia/Tokyo", "member")
	report(`{"timezone": "Asia/Tokyo"}`, "Asia/Tokyo member stored:false ask:false")
	report(`{"timezone": "Europe/Paris"}`, "Asia/Tokyo member stored:false ask:true")
	report(`{"timezone": "Europe/Paris", "decline": true}`, "Asia/Tokyo member stored:false ask:false")
	report(`{"timezone": "Europe/Paris"}`, "Asia/Tokyo member stored:false ask:false")
	report(`{"timezone": "America/New_York"}`, "Asia/Tokyo member stored:false ask:true")
}

// Calendars whose time zone no client has set have that of their owner. Covers B-126.
func TestCalendarsFollowTheTimeZoneOfTheirOwner(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	create := func(body string) string {
		t.Helper()
		return ann.Do("POST", "/world/calendars", body).Want(201).Str("calendar.id")
	}
	plain, own, reset := create(`{"name": "Plain"}`), create(`{"name": "Own", "timezone": "Europe/Berlin"}`), create(`{"name": "Reset", "timezone": "UTC"}`)
	created := create(`{"name": "Changed"}`)
	ann.Do("PATCH", "/world/calendars/"+created, `{"timezone": "UTC"}`).Want(200)
	lunch := ann.Do("POST", "/world/time/objects", map[string]any{
		"object_type": "calendar_event", "calendar_id": plain, "title": "Lunch", "start": "2026-12-01T12:30:00", "timezone": "",
	}).Want(201).Str("object.id")
	before := ann.Do("GET", "/world/panels/time?view=month&date=2026-12-01").Want(200)
	ann.Do("POST", "/world/identity/me/browser-timezone", `{"timezone": "Asia/Tokyo"}`).Want(200)
	ann.Do("PATCH", "/world/calendars/"+reset, `{"timezone": null}`).Want(200)
	for id, want := range map[string]string{plain: "Asia/Tokyo false", own: "Europe/Berlin true", created: "UTC true", reset: "Asia/Tokyo false"} {
		c := ann.Do("GET", "/world/calendars/"+id).Want(200)
		if got := fmt.Sprint(c.Str("calendar.timezone"), " ", c.At("calendar.own_timezone")); got != want {
			t.Errorf("calendar %s: got the time zone and whether it is its own: %s, want %s", c.Str("calendar.name"), got, want)
		}
	}
	if got := ann.Do("GET", "/world/time/objects/"+lunch).Want(200).Str("object.title"); got != "Lunch" {
		t.Errorf("got the entry %s, want Lunch", got)
	}
	if after := ann.Do("GET", "/world/panels/time?view=month&date=2026-12-01").Want(200); after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Errorf("got the ETag %s of the panel before the report, want another one", after.Header.Get("ETag"))
	}
}
