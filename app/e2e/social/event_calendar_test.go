package social

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/identity"
	"appliance/svc/zoneinfo/zoneinfotest"
)

// mirrorTexts returns the texts of the mirrors of c.
func mirrorTexts(c *apptest.Client) string {
	c.T.Helper()
	return strings.Join(slices.Collect(maps.Values(c.Mirrors())), "")
}

// Covers T-20, O-18 and O-35: members with the response "going" or "maybe" have
// the event in their calendar.
func TestRSVPDeterminesTheMirror(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	event := ann.CreateEvent("visibility", "public", "location", map[string]any{"label": "Home"})
	if text := mirrorTexts(ann); !strings.Contains(text, "SUMMARY:Dinner") || !strings.Contains(text, "LOCATION:Home") {
		t.Errorf("the mirror of the host: got\n%s\nwant the title and the place", text)
	}
	for _, c := range []struct{ response, participation string }{
		{"going", "PARTSTAT=ACCEPTED"}, {"maybe", "PARTSTAT=TENTATIVE"}, {"declined", ""}, {"going", "PARTSTAT=ACCEPTED"}, {"none", ""},
	} {
		rsvp(bea, event, c.response).Want(200)
		if text := mirrorTexts(bea); !strings.Contains(text, c.participation) || (text == "") != (c.participation == "") {
			t.Errorf("the mirror after %s: got\n%s\nwant %q", c.response, text, c.participation)
		}
	}
}

// Covers O-20, O-39, T-21, T-26, T-27 and C-26: changes by the host reach all mirrors and preserve
// the properties that members have added to a mirror.
func TestEventChangesReachTheMirrors(t *testing.T) {
	s := apptest.New(t)
	ann, bea, dan := s.Member("ann"), s.Member("bea"), s.Member("dan")
	event := ann.CreateEvent("visibility", "public")
	rsvp(bea, event, "maybe").Want(200)
	rsvp(dan, event, "declined").Want(200)
	href, text := bea.Mirror()
	alarm := strings.Replace(text, "END:VEVENT", "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT", 1)
	dav := bea.Basic()
	dav.With("If-Match", dav.Do("GET", href).Header.Get("ETag")).Do("PUT", href, alarm).Want(204)
	dav.Do("PUT", href, strings.Replace(alarm, "SUMMARY:Dinner", "SUMMARY:Mine", 1)).Want(403)

	ann.Do("PATCH", eventsPath+"/"+event, `{"title": "Supper", "start": "2026-12-24T19:00:00", "location": {"label": "Town"}}`).Want(200).
		WantValues("event", map[string]any{"title": "Supper", "start": "2026-12-24T19:00:00", "end": "2026-12-24T22:00:00"})
	for _, c := range []*apptest.Client{ann, bea} {
		text := mirrorTexts(c)
		want(t, "mirror of "+c.Name, apptest.ContentLines(text, "SUMMARY", "LOCATION"), []string{"SUMMARY:Supper", "LOCATION:Town"})
		if !strings.Contains(text, "20261224T190000") {
			t.Errorf("the mirror of %s: got\n%s\nwant the start 20261224T190000", c.Name, text)
		}
	}
	if text := mirrorTexts(bea); !strings.Contains(text, "TRIGGER:-PT5M") {
		t.Errorf("the mirror of bea: got\n%s\nwant the alarm", text)
	}
	want(t, "mirrors of a member who has declined", len(dan.Mirrors()), 0)
	ann.Do("DELETE", eventsPath+"/"+event).Want(200)
	for _, c := range []*apptest.Client{ann, bea} {
		if text := mirrorTexts(c); !strings.Contains(text, "STATUS:CANCELLED") {
			t.Errorf("the mirror of %s after the cancellation: got\n%s\nwant STATUS:CANCELLED", c.Name, text)
		}
	}
}

// Covers O-17, O-36, B-72 and PT-21 for calendars: the mirror of an event is
// removed from the calendar of a member who can no longer see the event, and later
// changes of the event do not add it again.
func TestMirrorIsRemovedWhenAccessEnds(t *testing.T) {
	for name, end := range map[string]func(ann, bea *apptest.Client, community string){
		"leaving":  func(_, bea *apptest.Client, c string) { bea.Do("POST", c+"/leave").Want(200) },
		"removal":  func(ann, bea *apptest.Client, c string) { ann.Do("DELETE", memberPath(c+"/members", bea)).Want(200) },
		"a block":  func(ann, bea *apptest.Client, _ string) { ann.Block(bea).Want(201) },
		"deletion": func(ann, _ *apptest.Client, c string) { ann.Do("DELETE", c).Want(200) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time is spent on commits
			s := apptest.New(t)
			ann, bea, cid := s.Member("ann"), s.Member("bea"), s.Member("cid")
			family := ann.CreateCommunity(`{"name": "Family"}`, bea)
			connectChain(bea, cid)
			event := ann.CreateEvent("visibility", "circle", "circle_depth", 2)
			for _, c := range []*apptest.Client{bea, cid} {
				rsvp(c, event, "going").Want(200)
				c.Mirror()
			}
			end(ann, bea, family)
			ann.Do("PATCH", eventsPath+"/"+event, `{"title": "Among us"}`).Want(200)
			for _, c := range []*apptest.Client{bea, cid} { // cid was in ann's circles only through bea
				c.Do("GET", eventsPath+"/"+event).WantError(404, "not_found")
				want(t, "mirrors of "+c.Name, c.Mirrors(), map[string]string{})
			}
			a := ann.Do("GET", eventsPath+"/"+event).Want(200)
			want(t, "guests for the host", fmt.Sprint(a.At("event.rsvp.counts.going"), len(a.List("attendees"))), "1 1")
		})
	}
}

// ownBlock matches the entry of member 1 in the list of blocks, in which the
// blocking member may read the name.
var ownBlock = regexp.MustCompile(`\{"member_id":1,"display_name":"Ann","color":"sea","avatar":null,"created_at":"[^"]*"\}`)

func updateMember(c *apptest.Client, changes identity.Changes) {
	c.Server.Write(func(tx *store.Tx) error {
		_, err := c.Server.App.Identity.Update(tx, identity.CommandLine("test"), c.ID, changes)
		return err
	})
}

// Covers B-98, O-36 and PT-21 for calendars: a member from whom Social hides
// the name of the host gets it in no response, and a client that synchronizes
// gets the mirror with the placeholder name.
func TestNameOfAHiddenHostIsInNoResponse(t *testing.T) {
	disabled := identity.Disabled
	for name, hide := range map[string]func(ann, bea *apptest.Client){
		"block by the guest": func(ann, bea *apptest.Client) { bea.Block(ann).Want(201) },
		"block by the host":  func(ann, bea *apptest.Client) { ann.Block(bea).Want(201) },
		"disabled host":      func(ann, _ *apptest.Client) { updateMember(ann, identity.Changes{Status: &disabled}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time is spent on commits
			s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
			ann, bea, cid := s.Member("ann"), s.Member("bea"), s.Member("cid")
			community := cid.CreateCommunity(`{"name": "Family"}`, ann, bea)
			event := createCommunityEvent(ann, community)
			rsvp(bea, event, "going").Want(200)
			feed := bea.Do("POST", "/world/calendars/"+bea.Do("GET", "/world/calendars").Str("calendars.0.id")+"/feed").Want(201).Str("feed.path")
			href, before := bea.Mirror()
			want(t, "the mirror names the host", strings.Contains(before, `CN=Ann`), true)
			etag := bea.Basic().Do("GET", href).Want(200).Header.Get("ETag")
			token := bea.Basic().Do("REPORT", bea.DefaultCalendar(), apptest.SyncCollection("")).Want(207).Multistatus().Token

			hide(ann, bea)
			if name != "disabled host" {
				ann.Do("PATCH", eventsPath+"/"+event, `{"description": "Bring cake"}`).Want(200)
			}
			_, hidden := bea.Mirror()
			want(t, "the mirror names a former member", strings.Contains(hidden, `CN=Former member`), true)
			if got := bea.Basic().Do("GET", href).Want(200).Header.Get("ETag"); got == etag {
				t.Errorf("ETag of the mirror: got %s as before, want another one", got)
			}
			changes := bea.Basic().Do("REPORT", bea.DefaultCalendar(), apptest.SyncCollection(token)).Want(207).Multistatus()
			want(t, "changed resources", changes.Names(), []string{apptest.LastSegment(href)})
			bodies := map[string]string{"mirror": hidden, "feed": s.Unauthenticated().Do("GET", feed).Want(200).Body}
			for _, path := range []string{
				eventsPath, eventsPath + "/" + event, "/world/runtime", apptest.SessionPath, "/world/identity/export", "/world/time/objects", peoplePath,
				activityPath, notificationsPath,
			} {
				bodies[path] = bea.AsRuntime().Do("GET", path).Want(200).Body
			}
			for _, view := range apptest.SocialViews {
				if name != "block by the guest" { // bea's panels list the members that bea has blocked
					bodies["panel "+view] = bea.SocialPanel(view).Want(200).Body
				}
			}
			for path, body := range bodies {
				body = strings.ReplaceAll(ownBlock.ReplaceAllString(body, ""), "Unblock Ann", "")
				for _, text := range []string{"Ann\"", "Ann:", "=Ann", "ann@example.org"} {
					if at := strings.Index(body, text); at >= 0 {
						t.Errorf("%s contains %s: %s", path, text, body[max(0, at-200):min(len(body), at+80)])
					}
				}
			}
			switch name {
			case "block by the guest":
				bea.Do("DELETE", memberPath(blocksPath, ann)).Want(200)
			case "block by the host":
				ann.Do("DELETE", memberPath(blocksPath, bea)).Want(200)
			default:
				active := identity.Active
				updateMember(ann, identity.Changes{Status: &active})
			}
			if _, after := bea.Mirror(); !strings.Contains(after, `CN=Ann`) {
				t.Errorf("afterwards: got the mirror\n%s\nwant it to name Ann", after)
			}
		})
	}
}

// Covers T-20: an endless series that several members attend is found by time
// in each calendar, after each change.
func TestSeriesIsFoundInTheCalendarsOfItsGuests(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	event := ann.CreateEvent("visibility", "public", "start", "2026-11-23T18:00:00", "end", nil, "rrule", "FREQ=DAILY")
	const query = `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop>
		<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20270601T000000Z" end="20270602T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
	for i := range 3 {
		c := s.Member(fmt.Sprint("m", i))
		rsvp(c, event, "going").Want(200)
		ann.Do("PATCH", eventsPath+"/"+event, map[string]any{"start": fmt.Sprintf("2026-11-23T1%d:00:00", i), "end": nil}).Want(200)
		list := c.Do("GET", "/world/time/objects?start=2027-06-01&end=2027-06-11").Want(200)
		want(t, c.Name+", occurrences", len(list.List("objects")), 10)
		if got, suffix := list.Str("objects.3.state.occurrence.start.date_time"), fmt.Sprintf("T1%d:00:00", i); !strings.HasSuffix(got, suffix) {
			t.Errorf("%s: got an occurrence at %s, want %s", c.Name, got, suffix)
		}
		found := c.Basic().With("Depth", "1").Do("REPORT", c.DefaultCalendar(), query).Want(207)
		want(t, c.Name+", objects in the range", strings.Count(found.Body, "<D:response>"), 1)
	}
	if err := s.App.Reindex(t.Context()); err != nil {
		t.Errorf("reindex: %v", err)
	}
}

// Covers W-15: the calendar entry refers to the event in the dataset, unless
// Social is off.
func TestMirrorRefersToItsEventInTheDataset(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	rsvp(bea, ann.CreateEvent("visibility", "public"), "going").Want(200)
	a := bea.Dataset()
	event, entry := a.Object("objects", "event Dinner"), a.Object("objects", "calendar_event Dinner")
	want(t, "relationships", apptest.At(entry, "relationships"), []any{map[string]any{
		"type": "mirror_of", "target": map[string]any{"kind": "object", "world_object_id": apptest.At(event, "world_object_id")},
	}})
	s.Settings.ServicesOff = []string{"social"}
	s.Restart()
	want(t, "relationships without Social", apptest.At(bea.Dataset().Object("objects", "calendar_event Dinner"), "relationships"), []any{})
}

// A change that calendars cannot apply is logged, does not block the next change, and is tried
// again in the next run of the job. Covers B-130.
func TestChangeThatFailsIsTriedAgain(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	for range 8 {
		ann.CreateEvent("visibility", "public")
		bea.CreateEvent("visibility", "public")
	}
	for _, c := range []*apptest.Client{ann, bea} {
		c.Do("PATCH", "/world/identity/me", map[string]any{"display_name": "New " + c.Name}).Want(200)
	}
	s.Exec("ALTER TABLE calendar_event_sync RENAME TO lost")
	if err := s.App.FollowUp(t.Context()); err == nil {
		t.Error("got no error from changes that fail, want one")
	}
	if got := s.Unauthenticated().Do("GET", "/ready").Want(200).Body; !strings.Contains(got, "2, after an error: 2") {
		t.Errorf("/ready: got %q, want two changes after an error", got)
	}
	s.Exec("ALTER TABLE lost RENAME TO calendar_event_sync")
	if err := s.App.FollowUp(t.Context()); err != nil {
		t.Error(err)
	}
	for _, c := range []*apptest.Client{ann, bea} {
		for href, text := range c.Mirrors() {
			if !strings.Contains(text, "CN=New "+c.Name) {
				t.Errorf("%s: got another name of the host in\n%s", href, text)
			}
		}
	}
}

// New time zone data changes when an event begins and ends, and not its local times.
func TestEventsFollowTheTimeZoneData(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	id := ann.CreateEvent("visibility", "public", "start", "2026-12-01T09:00:00", "end", "2026-12-01T10:00:00", "timezone", "Europe/Berlin")
	instants := func() string {
		return strings.Join(storetest.Rows(t, s.DB, "SELECT datetime(starts_at / 1000, 'unixepoch'), datetime(ends_at / 1000, 'unixepoch') FROM social_event WHERE id = ?", id), "")
	}
	want(t, "before", instants(), "2026-12-01 08:00:00 2026-12-01 09:00:00")
	zoneinfotest.Use(t, "2099a", map[string]int{"Europe/Berlin": 5})
	if err := s.App.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, "after", instants(), "2026-12-01 04:00:00 2026-12-01 05:00:00")
	want(t, "local time", ann.Do("GET", eventsPath+"/"+id).Want(200).Str("event.start"), "2026-12-01T09:00:00")
}
