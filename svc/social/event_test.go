package social

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

func (a actor) tryCreateEvent(change func(*NewEvent)) error {
	in := NewEvent{Title: "Dinner", Start: "2026-12-24T18:00:00"}
	change(&in)
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Event, error) { return a.CreateEvent(tx, v, in) })
	return err
}

// Covers O-03 and PT-40.
func TestNewEventIsValidated(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	public, private := bea.community("public"), bea.community("private")
	id := func(id string) *string { return &id }
	for _, c := range []struct {
		about  string
		change func(*NewEvent)
		code   svc.Code
		field  string
	}{
		{"a blank title", func(e *NewEvent) { e.Title = " " }, svc.FieldRequired, "title"},
		{"a long title", func(e *NewEvent) { e.Title = strings.Repeat("x", 201) }, svc.TooLong, "title"},
		{"a long description", func(e *NewEvent) { e.Description = strings.Repeat("x", 8001) }, svc.TooLong, "description"},
		{"a bad start", func(e *NewEvent) { e.Start = "soon" }, svc.InvalidValue, "start"},
		{"an early end", func(e *NewEvent) { e.End = "2026-12-24T17:00:00" }, svc.EndBeforeStart, "end"},
		{"no capacity", func(e *NewEvent) { e.Capacity = new(0) }, svc.InvalidValue, "capacity"},
		{"half a point", func(e *NewEvent) { e.Location.Latitude = new(1.0) }, svc.InvalidValue, "location.latitude"},
		{"a point off the globe", func(e *NewEvent) { e.Location.Latitude, e.Location.Longitude = new(1.0), new(181.0) }, svc.InvalidValue, "location.longitude"},
		{"a long place", func(e *NewEvent) { e.Location.Label = strings.Repeat("x", 201) }, svc.TooLong, "location.label"},
		{"an unknown visibility", func(e *NewEvent) { e.Visibility = "secret" }, svc.InvalidValue, "visibility"},
		{"a circle without a depth", func(e *NewEvent) { e.Visibility = "circle" }, svc.FieldRequired, "circle_depth"},
		{"a circle too deep", func(e *NewEvent) { e.Visibility, e.CircleDepth = "circle", new(4) }, svc.InvalidValue, "circle_depth"},
		{"a depth without a circle", func(e *NewEvent) { e.CircleDepth = new(1) }, svc.InvalidValue, "circle_depth"},
		{"a community without an id", func(e *NewEvent) { e.Visibility = "community" }, svc.FieldRequired, "community_id"},
		{"an id without a community", func(e *NewEvent) { e.Visibility, e.CommunityID = "public", &public }, svc.InvalidValue, "community_id"},
		{"a public community of others", func(e *NewEvent) { e.Visibility, e.CommunityID = "community", &public }, svc.PermissionDenied, "community_id"},
		{"a private community of others", func(e *NewEvent) { e.Visibility, e.CommunityID = "community", &private }, svc.NotFound, "community_id"},
		{"an unknown community", func(e *NewEvent) { e.Visibility, e.CommunityID = "community", id("com_none") }, svc.NotFound, "community_id"},
		{"an unknown audience", func(e *NewEvent) { e.Audience = "all" }, svc.InvalidValue, "among"},
	} {
		wantError(t, c.about, ann.tryCreateEvent(c.change), c.code, c.field)
	}
	wantEqual(t, "events after rejected requests", ann.events(EventQuery{}), "[]")
}

func TestAudienceSpecSelectsTheVisibilityOfAnEvent(t *testing.T) {
	_, m := newServer(t, "ann")
	community := m[0].community("private")
	for spec, want := range map[AudienceSpec]string{
		"": "invited", "invited": "invited", "open": "public", "circle:2": "circle", AudienceSpec(community): "community",
	} {
		e, err := m[0].event(m[0].createEvent("", func(e *NewEvent) { e.Audience = spec }))
		wantEqual(t, fmt.Sprint(spec, err), e.Visibility, want)
	}
}

func TestLocationIsTextOrAPoint(t *testing.T) {
	for text, want := range map[string]string{
		`"Home"`: "Home false", `{"label": "Home", "latitude": 1, "longitude": 2}`: "Home true", `{"label": ""}`: " false",
	} {
		l := Location{Label: "old", Latitude: new(5.0)}
		if !strings.HasPrefix(text, `"`) {
			l = Location{}
		}
		err := json.Unmarshal([]byte(text), &l)
		wantEqual(t, fmt.Sprint(text, err), fmt.Sprint(l.Label, " ", l.Latitude != nil), want)
	}
}

// Covers O-03, O-04, O-18, O-19, T-20, O-35 and B-67.
func TestNewEventIsAttendedByItsHost(t *testing.T) {
	s, m := newServer(t, "ann")
	id := m[0].createEvent("")
	e, err := m[0].event(id)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "the event", fmt.Sprint(e.Visibility, e.Status, e.RSVP.Mine, e.RSVP.Counts, e.Host.DisplayName, e.Start, e.End),
		"invitedscheduledgoing{1 0 0 0}Ann2026-12-24T18:00:002026-12-24T22:00:00")
	wantEqual(t, "the mirrors", s.calendars.mirrorOwners(id), "1:going")
	wantEqual(t, "the title in the mirror", s.calendars.synced[id].Event.Title, "Dinner")
	wantEqual(t, "the activity", m[0].activity()[0].Kind, "event.created")
}

// Covers O-20, O-39, T-21, T-26 and T-27.
func TestEventChangesReachMirrorsAndGuests(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	id := ann.createEvent("public")
	bea.mustRespond(id, "going")
	cid.mustRespond(id, "maybe")
	dan.mustRespond(id, "declined")
	e, err := ann.updateEvent(id, EventChange{Title: svc.Some("Supper"), Start: svc.Some("2026-12-24T19:00:00"), Location: svc.Some(Location{Label: "Town"})})
	if err != nil || e.Title != "Supper" || e.Start != "2026-12-24T19:00:00" || e.Location.Label != "Town" {
		t.Fatalf("got %+v, %v, want the changes", e, err)
	}
	wantEqual(t, "mirrors", s.calendars.mirrorOwners(id), "1:going 2:going 3:maybe")
	wantEqual(t, "the mirror", s.calendars.synced[id].Event.Title+" "+s.calendars.synced[id].Event.Location, "Supper Town")
	again, err := ann.updateEvent(id, EventChange{Title: svc.Some("Supper")})
	wantEqual(t, fmt.Sprint("the revision after no change ", err), again.Revision, e.Revision)
	if _, err := ann.updateEvent(id, EventChange{Description: svc.Some("Bring a story")}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "notifications after a new place and a new description", fmt.Sprint(bea.notificationTitles(), cid.notificationTitles(), dan.notificationTitles()),
		"[Ann changed the event] [Ann changed the event] []")

	for range 2 { // idempotent
		if e, err = ann.cancelEvent(id); err != nil || e.Status != "cancelled" {
			t.Fatalf("got status %s, %v, want cancelled", e.Status, err)
		}
	}
	wantEqual(t, "the mirror is cancelled", s.calendars.synced[id].Event.Cancelled, true)
	wantEqual(t, "notifications after the cancellation", fmt.Sprint(len(bea.notificationTitles()), len(dan.notificationTitles())), "2 0")
	wantError(t, "a response", bea.respond(id, "declined"), svc.EventCancelled)
	_, err = ann.updateEvent(id, EventChange{Title: svc.Some("Breakfast")})
	wantError(t, "an update", err, svc.EventCancelled)
	_, err = ann.inviteToEvent(id, dan)
	wantError(t, "an invitation", err, svc.EventCancelled)
	e, _ = bea.event(id)
	wantEqual(t, "permissions of a guest", e.Permissions, EventPermissions{CanView: true, CanReply: true})
}

// Covers B-67.
func TestAudienceOfAnEventIsFixed(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.createEvent("public")
	_, err := ann.updateEvent(id, EventChange{Visibility: svc.Some(EventInvited), CommunityID: svc.Some(""), CircleDepth: svc.Some(1), Title: svc.Some("x")})
	wantError(t, "another audience", err, svc.InvalidValue, "visibility", "community_id", "circle_depth")
	_, err = bea.updateEvent(id, EventChange{Title: svc.Some("x")})
	wantError(t, "an update by a guest", err, svc.PermissionDenied)
	_, err = bea.cancelEvent(id)
	wantError(t, "a cancellation by a guest", err, svc.PermissionDenied)
}

func TestCommunityStaffManagesItsEvents(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	community := ann.community("public", bea, cid)
	ann.setRole(community, cid, "moderator")
	id := bea.createEvent("community", forCommunity(community))
	for _, a := range []actor{ann, cid} {
		e, err := a.updateEvent(id, EventChange{Title: svc.Some("By " + a.name)})
		wantEqual(t, fmt.Sprint("an update by ", a.name, err), e.Title, "By "+a.name)
	}
	if _, err := cid.cancelEvent(id); err != nil {
		t.Errorf("a moderator cannot cancel: %v", err)
	}
}

// Covers B-67: on the first day after its creation, the host can purge an event: all records about
// it are deleted.
func TestPurgeDeletesAllTracesOfAnEvent(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.createEvent("invited")
	if _, err := ann.inviteToEvent(id, bea); err != nil {
		t.Fatal(err)
	}
	bea.mustRespond(id, "going")
	e, _ := ann.event(id)
	bea.reply(e.ConversationID, "Hello")
	purge := func(a actor, id string) error {
		return a.db.Write(t.Context(), func(tx *store.Tx) error { return a.PurgeEvent(tx, a.viewer(), id) })
	}
	wantError(t, "a guest", purge(bea, id), svc.PermissionDenied)
	if err := purge(ann, id); err != nil {
		t.Fatal(err)
	}
	for _, a := range m {
		_, err := a.event(id)
		wantError(t, "the event for "+a.name, err, svc.NotFound)
		wantError(t, "the conversation for "+a.name, a.conversationError(e.ConversationID), svc.NotFound)
		wantEqual(t, "traces for "+a.name, fmt.Sprint(a.notificationTitles(), a.activity(), a.receivedInvitations()), "[] [] []")
	}
	wantEqual(t, "mirrors", s.calendars.mirrorOwners(id), "")
	late := ann.createEvent("public")
	s.clock.Advance(25 * time.Hour)
	wantError(t, "a day later", purge(ann, late), svc.InvalidValue, "purge")
}

// Covers B-67 and PT-30.
func TestEventsAreListedByTime(t *testing.T) {
	s, m := newServer(t, "ann")
	ann := m[0]
	var want []string
	for i := range 7 {
		want = append(want, ann.createEvent("invited", func(e *NewEvent) { e.Start, e.End = fmt.Sprintf("2026-12-%02dT18:00:00", 1+i/2), "" }))
	}
	series := func(start, rrule string) func(*NewEvent) {
		return func(e *NewEvent) { e.Start, e.End, e.RRule = start, "", &rrule }
	}
	weekly := ann.createEvent("invited", series("2026-12-05T18:00:00", "FREQ=WEEKLY;COUNT=3"))
	endless := ann.createEvent("invited", series("2026-12-06T18:00:00", "FREQ=WEEKLY"))
	want = append(want, weekly, endless)
	sorted := func(ids []string) []string { return slices.Sorted(slices.Values(ids)) }
	got := ann.allEvents(EventQuery{Limit: 2})
	wantEqual(t, "upcoming events", sorted(got), sorted(want))
	wantEqual(t, "the last of them", got[len(got)-1], endless)
	day := func(n int) time.Time { return time.Date(2026, 12, n, 0, 0, 0, 0, time.UTC) }
	wantEqual(t, "events on one day", sorted(ann.allEvents(EventQuery{Limit: 2, From: day(3), To: day(4)})), sorted(want[4:6]))
	wantEqual(t, "past events", len(ann.allEvents(EventQuery{Past: true})), 0)
	s.clock.Set(day(13))
	wantEqual(t, "upcoming events later", ann.allEvents(EventQuery{Limit: 2}), []string{weekly, endless})
	past := ann.allEvents(EventQuery{Limit: 2, Past: true})
	wantEqual(t, "past events later", sorted(past), sorted(want[:7]))
	wantEqual(t, "the first of them", past[0], want[6])
	e, _ := ann.event(want[0])
	wantEqual(t, "status of a past event", e.Status, "ended")
	wantError(t, "a response to a past event", ann.respond(want[0], "maybe"), svc.EventEnded)
	s.clock.Set(day(13).AddDate(10, 0, 0))
	wantEqual(t, "upcoming events ten years later", ann.allEvents(EventQuery{}), []string{endless})
	_, err := tryRead(ann, func(tx *store.Tx, v svc.Viewer) (EventPage, error) { return ann.Events(tx, v, EventQuery{Cursor: "x"}) })
	wantError(t, "a bad cursor", err, svc.InvalidParameter, "cursor")
}

// allEvents returns the ids of the events on all pages.
func (a actor) allEvents(q EventQuery) (ids []string) {
	a.Helper()
	for more := true; more; more = q.Cursor != "" {
		page := read(a, func(tx *store.Tx, v svc.Viewer) (EventPage, error) { return a.Events(tx, v, q) })
		for _, e := range page.Events {
			ids = append(ids, e.ID)
		}
		q.Cursor = ""
		if page.Page.NextCursor != nil {
			q.Cursor = *page.Page.NextCursor
		}
	}
	return ids
}

// Covers B-72 and PT-30: upcoming and past events of hidden hosts are on no page, and do not reduce
// the number of events per page.
func TestEventsOfHiddenHostsAreOnNoPage(t *testing.T) {
	for _, past := range []bool{false, true} {
		t.Run(fmt.Sprint("past ", past), func(t *testing.T) {
			s, m := newServer(t, "ann", "bea", "cid")
			ann, bea, cid := m[0], m[1], m[2]
			community := ann.community("public", bea, cid)
			var want []string
			for day := 1; day <= 9; day++ {
				on := func(e *NewEvent) { e.Start, e.End = fmt.Sprintf("2026-12-%02dT18:00:00", day), "" }
				bea.createEvent("public", on) // hidden from ann by a block
				want = append(want, ann.createEvent("public", on))
			}
			// A block does not hide an event of a community.
			want = append(want, bea.createEvent("community", forCommunity(community), func(e *NewEvent) { e.Start, e.End = "2026-12-10T18:00:00", "" }))
			bea.block(cid)
			if past {
				s.clock.Set(time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC))
				slices.Reverse(want)
			}
			q := EventQuery{Past: past, Limit: 4}
			wantEqual(t, "events on all pages", cid.allEvents(q), want)
			wantEqual(t, "events on the first page", cid.events(q), want[:4])
			wantEqual(t, "number of events of the host", len(bea.allEvents(q)), 19)
		})
	}
}

// An event contains the time until which members can respond, its status, and its audience. Covers
// B-106 and B-67.
func TestEventsSayWhenTheyAreOverAndWhoSeesThem(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	private := ann.community("private", bea)
	community, err := ann.getCommunity(private)
	if err != nil {
		t.Fatal(err)
	}
	describe := func(a actor, id string) string {
		e, err := a.event(id)
		until, name := "-", "-"
		if e.CanAnswerUntil != nil {
			until = e.CanAnswerUntil.Format(localTime)
		}
		if e.Community != nil {
			name = e.Community.ID + " " + e.Community.Title
		}
		return fmt.Sprintf("%s|%s|%t|%s %v", e.AudienceTitle, name, e.IsOver, until, err)
	}
	times := func(rule string) func(*NewEvent) {
		return func(in *NewEvent) {
			in.Start, in.End = "2026-12-24T18:00:00", "2026-12-24T20:00:00"
			if rule != "" {
				in.RRule = &rule
			}
		}
	}
	public, ofCommunity := ann.createEvent("public", times("")), ann.createEvent("community", times("FREQ=WEEKLY;COUNT=2"), func(in *NewEvent) { in.CommunityID = &private })
	inner, endless := ann.createEvent("circle", times(""), func(in *NewEvent) { in.CircleDepth = new(1) }), ann.createEvent("public", times("FREQ=WEEKLY"))
	wantEqual(t, "public", describe(bea, public), "Everyone|-|false|2026-12-24T20:00:00 <nil>")
	wantEqual(t, "of a community", describe(bea, ofCommunity), community.Name+"|"+private+" "+community.Name+"|false|2026-12-31T20:00:00 <nil>")
	wantEqual(t, "of the host's circle", describe(ann, inner), "Your inner circle|-|false|2026-12-24T20:00:00 <nil>")
	wantEqual(t, "of another member's circle", describe(bea, inner), "Ann: inner circle|-|false|2026-12-24T20:00:00 <nil>")
	wantEqual(t, "an endless series", describe(bea, endless), "Everyone|-|false|- <nil>")
	if _, err := ann.cancelEvent(public); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "cancelled", describe(bea, public), "Everyone|-|true|- <nil>")
	s.clock.Advance(60 * 24 * time.Hour)
	wantEqual(t, "ended", describe(bea, inner), "Ann: inner circle|-|true|- <nil>")
	if err := bea.respond(ofCommunity, "going"); err == nil {
		t.Error("an answer to an event that is over: got no error")
	}
	bea.leave(private)
	_, err = bea.event(ofCommunity)
	wantError(t, "after leaving the community", err, svc.NotFound)
}
