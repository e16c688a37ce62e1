package social

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Covers W-06, B-15 and B-64: a service that acts on behalf of a member gets the
// responses that the member gets.
func TestServiceRoutesMirrorWorldRoutes(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	community, event := apptest.LastSegment(s.Club), s.ClubEvent
	for _, path := range []string{
		"/communities", "/communities/" + community, "/communities/" + community + "/members", "/communities/" + community + "/invitations",
		"/invitations", "/circles", "/discovery/graph", "/blocks", "/activity", "/notifications", "/conversations",
		"/profile", fmt.Sprint("/profiles/", s.Bea.ID), "/people", "/presence", "/dms",
		"/events", "/events/" + event, "/events/" + event + "/replies",
	} {
		member, service := s.Ann.Do("GET", "/world/social"+path).Want(200), s.Ann.AsService().Do("GET", "/social"+path).Want(200)
		want(t, "response to a service from "+path, service.Body, member.Body)
		s.Ann.Do("GET", "/social"+path).WantError(404, "not_found")
		s.Unauthenticated().Do("GET", "/world/social"+path).WantError(401, "unauthenticated")
	}
	ann, bea := s.Ann.AsService(), s.Bea.AsService()
	ann.Do("PATCH", "/social/profile", `{"bio": "Bakes"}`).Want(200)
	ann.Do("POST", "/social/presence", `{"state": "away"}`).Want(200)
	ann.Do("POST", "/social/conversations/"+s.ClubConversation+"/messages", `{"body": "Soon"}`).Want(201)
	ann.Do("POST", "/social/dms/"+s.DM+"/messages", `{"body": "Bea?"}`).Want(201)
	bea.Do("POST", "/social/dms/"+s.DM+"/read", "").Want(200)
}

func TestSocialCanBeOff(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"social"} })
	s.Member("ann").Do("GET", peoplePath).WantError(503, "service_unavailable")
}

// Covers B-88: a repeated write with an idempotency key is done once and gets
// the first response.
func TestRepeatedWritesAreDoneOnce(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	for i, request := range []struct{ path, body, list string }{
		{apptest.CommunitiesPath, `{"name": "Once"}`, "communities"},
		{apptest.ConversationsPath, `{"title": "Once", "body": "x", "context": {"kind": "open"}}`, "conversations"},
		{apptest.ConversationsPath + "/" + s.ClubConversation + "/replies", `{"body": "Once"}`, "replies"},
		{eventsPath, `{"title": "Once", "start": "2026-12-24"}`, "events"},
		{dmsPath + "/" + s.DM + "/messages", `{"body": "Once"}`, "messages"},
	} {
		before := len(s.Ann.Do("GET", request.path).Want(200).List(request.list))
		keyed := s.Ann.With("Idempotency-Key", fmt.Sprint("key-", i))
		first, again := keyed.Do("POST", request.path, request.body).Want(201), keyed.Do("POST", request.path, request.body).Want(201)
		want(t, "second response of "+request.path, again.Body, first.Body)
		want(t, "number of "+request.list, len(s.Ann.Do("GET", request.path).Want(200).List(request.list)), before+1)
	}
}

// Covers PT-46: the deletion of an account also changes the content of the member in
// Social and the mirrors of the guests.
func TestDeletedAccountLeavesSocial(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	community := ann.CreateCommunity(`{"name": "Family"}`, bea)
	event := ann.CreateEvent("visibility", "public")
	rsvp(bea, event, "going").Want(200)
	conversation := ann.StartConversation("Trip")
	dm := ann.SendDM(bea, "Hello")
	ann.Do("POST", presencePath, `{"state": "online"}`).Want(200)
	ann.Do("PATCH", profilePath, `{"bio": "Here"}`).Want(200)
	if status, out, errs := s.RunCommand("", "admin", "members", "delete", "--yes", "ann"); status != 0 {
		t.Fatalf("got status %d, %s %s", status, out, errs)
	}
	for _, table := range []string{"social_profile", "social_presence", "social_block", "social_read_cursor"} {
		want(t, "rows of "+table, s.Rows()[table], "")
	}
	bea.Do("GET", community).Want(200).WantValues("community", map[string]any{"membership.role": "owner", "member_count": 1})
	bea.Do("GET", eventsPath+"/"+event).Want(200).WantValues("event", map[string]any{"status": "cancelled", "host.display_name": "Former member"})
	if text := mirrorTexts(bea); !strings.Contains(text, "STATUS:CANCELLED") {
		t.Errorf("the mirror of the guest: got\n%s\nwant STATUS:CANCELLED", text)
	}
	bea.Do("GET", apptest.ConversationsPath+"/"+conversation).Want(200).WantValues("conversation", map[string]any{"author.display_name": "Former member"})
	bea.Do("GET", dm).Want(200).WantValues("", map[string]any{"dm.title": "Former member", "dm.can_reply": false, "messages.0.body": "Hello"})
	bea.Do("POST", dm+"/messages", `{"body": "Hello?"}`).WantError(422, "recipient_unavailable")
	bea.Do("GET", memberPath("/world/social/profiles", ann)).WantError(404, "not_found")
}

// The number of queries per request must not depend on the number of rows: no
// query runs in a loop over the rows of another.
func TestNumberOfQueriesIsIndependentOfTheNumberOfRows(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann := s.Member("ann")
	community := ann.CreateCommunity(`{"name": "Family"}`)
	event := createCommunityEvent(ann, community)
	count := 0
	addMembers := func(n int) {
		for ; n > 0; n-- {
			c := s.Member(fmt.Sprint("m", count))
			count++
			c.AnswerInvitation(ann.InviteToCommunity(community, c), "accept").Want(200)
			ann.AnswerInvitation(c.InviteToCommunity(c.CreateCommunity(`{"name": "Other"}`), ann), "accept").Want(200)
			c.Do("POST", presencePath, `{"state": "online", "ttl_seconds": 3600}`).Want(200)
			c.SendDM(ann, "Hello")
			rsvp(c, event, "going").Want(200)
			createCommunityEvent(c, community)
			c.StartConversationIn("Trip", communityContext(community))
		}
	}
	addMembers(2)
	dm := dmsPath + "/" + ann.Do("GET", dmsPath).Want(200).Str("dms.0.id")
	titles, responses := 0, 0
	requests := map[string]func() *apptest.Answer{
		"communities": func() *apptest.Answer { return ann.Do("GET", apptest.CommunitiesPath) },
		"members":     func() *apptest.Answer { return ann.Do("GET", community+"/members") },
		"invitations": func() *apptest.Answer { return ann.Do("GET", community+"/invitations") },
		"received":    func() *apptest.Answer { return ann.Do("GET", invitationsPath) },
		"circles":     func() *apptest.Answer { return ann.Do("GET", "/world/social/circles") },
		"people":      func() *apptest.Answer { return ann.Do("GET", peoplePath) },
		"presence":    func() *apptest.Answer { return ann.Do("GET", presencePath) },
		"profile":     func() *apptest.Answer { return ann.Do("GET", "/world/social/profiles/2") },
		"DMs":         func() *apptest.Answer { return ann.Do("GET", dmsPath) },
		"DM":          func() *apptest.Answer { return ann.Do("GET", dm+"?peek=1") },
		"message":     func() *apptest.Answer { return ann.Do("POST", dm+"/messages", `{"body": "Hello"}`) },
		"set presence": func() *apptest.Answer {
			return ann.Do("POST", presencePath, `{"state": "online"}`)
		},
		"events": func() *apptest.Answer { return ann.Do("GET", eventsPath) },
		"event":  func() *apptest.Answer { return ann.Do("GET", eventsPath+"/"+event) },
		"update of an event": func() *apptest.Answer {
			titles++
			return ann.Do("PATCH", eventsPath+"/"+event, map[string]any{"title": fmt.Sprint(titles)})
		},
		"response": func() *apptest.Answer {
			responses++
			return rsvp(ann, event, []string{"going", "maybe"}[responses%2])
		},
		"panel of a community": func() *apptest.Answer { return ann.SocialPanel("communities", apptest.LastSegment(community)) },
		"panel of an event":    func() *apptest.Answer { return ann.SocialPanel("events", event) },
		"panel of today":       func() *apptest.Answer { return ann.Do("GET", "/world/panels/today") },
		"sources":              func() *apptest.Answer { return ann.AsService().Do("GET", "/social/objects") },
	}
	measure := func() map[string]map[string]int {
		counts := make(map[string]map[string]int)
		for name, request := range requests {
			s.Restart() // empties the caches
			s.Queries.Take()
			if a := request(); a.Status >= 300 {
				t.Fatalf("%s: status %d\n%s", name, a.Status, a.Body)
			}
			counts[name] = s.Queries.Take()
		}
		return counts
	}
	measure() // creates the rows that later requests replace
	few := measure()
	addMembers(6)
	for name, many := range measure() {
		if len(many) == 0 || !maps.Equal(few[name], many) {
			t.Errorf("%s: got %v queries with 8 members, want %v as with 2", name, many, few[name])
		}
	}
}
