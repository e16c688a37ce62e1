package world

import (
	"encoding/base64"
	"encoding/xml"
	"maps"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// If the clock is set back an hour, or forward a year and back again, no data is damaged: sessions,
// device passwords and sync tokens stay valid, changes made meanwhile are synchronized, and deleted
// entries can be restored. Rate limits do not block for longer than their period. The dataset and
// its ETag follow the changes.
func TestSettingTheClockDamagesNothing(t *testing.T) {
	const year = 365 * 24 * time.Hour
	s := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"writes": 100} })
	ann := s.Member("ann")
	password := ann.Do("POST", "/world/identity/device-passwords", `{"name": "Phone"}`).Want(201).Str("device_password.password")
	dav := ann.With("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("ann:"+password))).With("Depth", "1")
	calendar := ann.DefaultCalendar()
	put := func(name string) {
		t.Helper()
		dav.Do("PUT", calendar+name+".ics", apptest.VEvent(name, "DTSTART:20261201T090000Z", "SUMMARY:"+name)).Want(201)
	}
	multistatus := func(method, body string) (m apptest.Multistatus) {
		t.Helper()
		if err := xml.Unmarshal([]byte(dav.Do(method, calendar, body).Want(207).Body), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	put("before")
	put("trashed")
	trashed := ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-02").Want(200)
	id := ""
	for i, title := range trashed.Values("objects", "title") {
		if title == "trashed" {
			id = apptest.At(trashed.List("objects")[i], "id").(string)
		}
	}
	ann.Do("DELETE", "/world/time/objects/"+id).Want(200)
	trashID := ann.Do("GET", "/world/time/trash").Want(200).Str("trash.0.id")
	replica := apptest.NewReplica(multistatus("REPORT", apptest.SyncCollection("")))
	replica.Apply(multistatus("REPORT", apptest.SyncCollection("")))
	etag := ann.AsRuntime().Do("GET", "/world/runtime").Want(200).Header.Get("ETag")

	for _, step := range []struct {
		name   string
		change time.Duration
	}{
		{"back-an-hour", -time.Hour}, {"forward-again", time.Hour}, {"forward-a-year", year}, {"corrected", -year},
	} {
		s.Clock.Advance(step.change)
		ann.Do("GET", "/identity/me") // may be rejected, because the token bucket counts as empty after the clock is set back
		s.Clock.Advance(time.Minute)  // the period of the rate limits
		if step.change == year {      // the session is expired until the clock is corrected
			ann.Do("GET", "/identity/me").Want(401)
			dav.Do("PROPFIND", calendar).Want(207)
			continue
		}
		ann.Do("GET", "/identity/me").Want(200)
		put(step.name)
		token := replica.Token
		replica.Apply(multistatus("REPORT", apptest.SyncCollection(token)))
		if current := apptest.NewReplica(multistatus("PROPFIND", apptest.PropfindETags)); !maps.Equal(replica.ETags, current.ETags) {
			t.Errorf("%s: synchronization from %s: got %v, want %v", step.name, token, replica.ETags, current.ETags)
		}
		after := ann.AsRuntime().With("If-None-Match", etag).Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
		if after == etag {
			t.Errorf("%s: got the ETag %s again, want another after a write", step.name, etag)
		}
		etag = after
	}
	if got := ann.Do("GET", "/world/time/trash").Want(200).Str("trash.0.id"); got != trashID {
		t.Errorf("trash: got %s, want %s", got, trashID)
	}
	ann.Do("POST", "/world/time/trash/"+trashID+"/restore").Want(200)

	for ann.Do("POST", "/world/calendars", `{"name": ""}`).Status != 429 { // uses up the rate limit
	}
	s.Clock.Advance(-time.Hour)
	ann.Do("POST", "/world/calendars", `{"name": "Too soon"}`).Want(429)
	s.Clock.Advance(time.Minute)
	ann.Do("POST", "/world/calendars", `{"name": "A minute later"}`).Want(201)
	s.Clock.Advance(year)
	ann.Do("POST", "/world/calendars", `{"name": "In a year"}`)
	s.Clock.Advance(-year)
	ann.Do("POST", "/world/calendars", `{"name": "Too soon"}`)
	s.Clock.Advance(time.Minute)
	ann.Do("POST", "/world/calendars", `{"name": "After a year"}`).Want(201)
}
