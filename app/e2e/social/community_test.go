package social

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers O-01, O-13, B-52, B-65, B-83 and PT-40: the statuses, codes and field
// names of errors. The rules are tested in svc/social.
func TestCommunityErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	private := ann.CreateCommunity(`{"name": "Family"}`, bea)
	closed := ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "invite"}`)
	revoked := ann.InviteToCommunity(private, cem)
	ann.AnswerInvitation(revoked, "revoke").Want(200)
	pending := ann.InviteToCommunity(private, cem)
	invitationBody := func(recipient string) any { return map[string]any{"recipient": recipient} }
	all, invitation := apptest.CommunitiesPath, invitationsPath+"/"
	wantRejected(s, []rejectedRequest{
		{ann, "POST", all, `{}`, "400 field_required name"},
		{ann, "POST", all, `{"name": "` + strings.Repeat("é", 81) + `"}`, "422 too_long name"},
		{ann, "POST", all, `{"name": "a", "visibility": "secret", "join_policy": "never"}`, "422 invalid_value visibility join_policy"},
		{ann, "PATCH", private, `{"name": null}`, "400 field_required name"},
		{ann, "PATCH", private, `{"visibility": "public"}`, "422 invalid_value visibility"},
		{bea, "PATCH", private, `{"name": "b"}`, "403 permission_denied"},
		{cem, "PATCH", private, `{"name": "b"}`, "404 not_found"},
		{bea, "DELETE", private, nil, "403 permission_denied"},
		{cem, "GET", private + "/members", nil, "404 not_found"},
		{cem, "POST", closed + "/join", nil, "403 permission_denied"},
		{ann, "POST", private + "/leave", nil, "422 last_owner"},
		{ann, "PATCH", memberPath(private+"/members", ann), `{"role": "member"}`, "422 last_owner"},
		{ann, "PATCH", memberPath(private+"/members", bea), `{"role": null}`, "400 field_required role"},
		{ann, "DELETE", private + "/members/none", nil, "404 not_found"},
		{ann, "DELETE", private + "/members/77", nil, "404 not_found"},
		{ann, "POST", private + "/invitations", `{}`, "400 field_required recipient"},
		{ann, "POST", private + "/invitations", invitationBody("zoe"), "404 recipient_not_found recipient"},
		{ann, "POST", private + "/invitations", invitationBody("bea"), "409 already_exists recipient"},
		{bea, "POST", private + "/invitations", invitationBody("cem"), "403 permission_denied"},
		{cem, "POST", invitation + revoked + "/accept", nil, "422 invitation_closed"},
		{cem, "POST", invitation + pending + "/revoke", nil, "403 permission_denied"},
		{bea, "POST", invitation + pending + "/accept", nil, "404 not_found"},
		{ann, "GET", all + "?mine=perhaps", nil, "400 invalid_parameter mine"},
		{ann, "GET", all + "?limit=-1", nil, "400 invalid_parameter limit"},
		{ann, "GET", all + "?cursor=x", nil, "400 invalid_parameter cursor"},
	})
}

// Covers O-40 and PT-31: requests that create, join and manage a community, and the
// schemas of the records.
func TestCommunityIsManagedOverHTTP(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	created := ann.Do("POST", apptest.CommunitiesPath, apptest.Form("name=Choir&visibility=public&join_policy=request")).Want(201)
	created.WantValues("community", map[string]any{"name": "Choir", "visibility": "public", "join_policy": "request", "membership.role": "owner"})
	at := apptest.CommunitiesPath + "/" + created.Str("community.id")
	bea.Do("POST", at+"/join").Want(200).WantValues("community", map[string]any{"membership.state": "requested"})
	cem.AnswerInvitation(ann.InviteToCommunity(at, cem), "accept").Want(200)

	membersPath := at + "/members"
	list := ann.Do("GET", membersPath).Want(200)
	for _, m := range list.List("members") {
		list.WantSchema("service.social.community_member", m)
	}
	want(t, "members", list.Column("members", "display_name"), "Bea Ann Cem")
	want(t, "states", list.Column("members", "state"), "requested active active")
	admitted := ann.Do("PATCH", memberPath(membersPath, bea), `{"state": "active", "role": "moderator"}`).Want(200)
	admitted.WantSchema("service.social.community_member", admitted.At("member"))
	bea.Do("DELETE", memberPath(membersPath, cem)).Want(200)
	cem.Do("POST", at+"/join").WantError(403, "permission_denied")

	ann.Do("PATCH", at, `{"visibility": "private", "summary": "We sing"}`).Want(200).
		WantValues("community", map[string]any{"visibility": "private", "join_policy": "invite", "summary": "We sing"})
	cem.Do("GET", at).WantError(404, "not_found")
	invitations := ann.Do("GET", at+"/invitations").Want(200)
	want(t, "invitations", invitations.Column("invitations", "state"), "accepted")
	ann.Do("DELETE", at).Want(200)
	bea.Do("GET", at).WantError(404, "not_found")
}

// Covers O-17, O-36 and PT-21: after a member has left a private community, no
// response to them contains its id or its later name.
func TestLeftCommunityIsInNoResponse(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	community := ann.CreateCommunity(`{"name": "Family"}`, bea)
	id := apptest.LastSegment(community)
	ann.Do("PATCH", fmt.Sprintf("%s/members/%d", community, bea.ID), `{"role": "moderator"}`).Want(200)
	bea.InviteToCommunity(community, cem)
	bea.Reply(bea.StartConversationIn("Trip", communityContext(community)), "I mean it")
	ann.Reply(ann.StartConversationIn("Party", communityContext(community)), "@bea?")
	rsvp(bea, createCommunityEvent(ann, community), "going")
	inviteToEvent(ann, bea, createCommunityEvent(ann, community))
	createCommunityEvent(bea, community)
	bea.SendDM(ann, "Hello")
	ann.SendDM(bea, "Hello")
	for _, name := range []string{"community Family", "conversation Trip", "event Dinner"} {
		bea.WantDone(bea.Act("focus_object", name))
	}
	responses := func() map[string]string {
		bodies := make(map[string]string)
		for _, path := range []string{
			apptest.CommunitiesPath, apptest.ConversationsPath, eventsPath, eventsPath + "?past=true", dmsPath, profilePath, peoplePath, presencePath,
			blocksPath, activityPath, invitationsPath, notificationsPath, "/world/social/circles", "/world/social/discovery/graph?depth=3",
			"/world/identity/export", "/world/runtime", apptest.SessionPath, "/world/time/objects", "/world/social/profiles/" + ann.ID.String(),
		} {
			bodies[path] = bea.AsRuntime().Do("GET", path).Want(200).Body
		}
		for _, view := range apptest.SocialViews {
			bodies["panel "+view] = bea.SocialPanel(view).Want(200).Body
		}
		bodies["sources"] = bea.AsService().Do("GET", "/social/objects").Want(200).Body
		bodies["calendar"] = fmt.Sprint(bea.Mirrors())
		return bodies
	}
	named := 0
	for _, body := range responses() {
		if strings.Contains(body, id) {
			named++
		}
	}
	want(t, "whether responses name the community before", named > 10, true)
	bea.Do("POST", community+"/leave").Want(200)
	ann.Do("PATCH", community, `{"name": "Secret"}`).Want(200)
	for path, body := range responses() {
		for _, text := range []string{id, "Secret"} {
			if at := strings.Index(body, text); at >= 0 {
				t.Errorf("%s contains %s: %s", path, text, body[max(0, at-200):min(len(body), at+80)])
			}
		}
	}
}

// Covers O-06 to O-09, O-12, O-15 and B-73.
func TestCirclesAndGraphHaveTheirSchemas(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	connectChain(ann, bea, cem)
	a := ann.Do("GET", "/world/social/circles").Want(200)
	var names []string
	for i, circle := range a.List("circles") {
		a.WantSchema("service.social.circle", circle)
		names = append(names, a.Column(fmt.Sprintf("circles.%d.members", i), "display_name"))
	}
	want(t, "circles", strings.Join(names, "|"), "Bea|Cem|")
	for depth, nodes := range map[string]string{"1": "Bea", "3": "Bea Cem"} {
		g := ann.Do("GET", "/world/social/discovery/graph?depth="+depth).Want(200)
		g.WantSchema("service.social.graph", g.At(""))
		want(t, "nodes up to depth "+depth, g.Column("nodes", "display_name"), nodes)
		if strings.Contains(g.Body, "com_") {
			t.Errorf("the graph names a community: %s", g.Body)
		}
	}
	ann.Do("GET", "/world/social/discovery/graph?depth=4").WantError(400, "invalid_parameter").WantFields("depth")
	ann.Do("POST", "/world/social/circles", `{"member_id": 3}`).WantError(405, "method_not_allowed")
}
