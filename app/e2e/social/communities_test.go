package social

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
)

// near is who is in each of the client's circles, such as "Bea | Cem Dan | ".
func near(c *apptest.Client) string {
	c.T.Helper()
	a := c.Do("GET", "/world/social/circles").Want(200)
	var circles []string
	for i, circle := range a.List("circles") {
		a.WantSchema("service.social.circle", circle)
		circles = append(circles, a.Column(fmt.Sprintf("circles.%d.members", i), "display_name"))
	}
	return strings.Join(circles, " | ")
}

func path(c *apptest.Client, suffix string) string { return fmt.Sprintf("%s/%d", suffix, c.ID) }

// What a community may be like, and become. Covers O-01, B-65, B-83 and PT-40
// as far as they go.
func TestCommunity(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	for _, c := range []struct {
		body   string
		status int
		code   string
		fields []string
	}{
		{`{}`, 400, "field_required", []string{"name"}},
		{`{"name": " \t "}`, 400, "field_required", []string{"name"}},
		{`{"name": "` + strings.Repeat("é", 81) + `"}`, 422, "too_long", []string{"name"}},
		{`{"name": "a\nb"}`, 422, "invalid_value", []string{"name"}},
		{`{"name": "a", "summary": "` + strings.Repeat("x", 1001) + `"}`, 422, "too_long", []string{"summary"}},
		{`{"name": "a", "visibility": "secret", "join_policy": "never"}`, 422, "invalid_value", []string{"visibility", "join_policy"}},
		{`{"name": "a", "join_policy": "open"}`, 422, "invalid_value", []string{"join_policy"}},
		{`{"name": "a", "visibility": "private", "join_policy": "request"}`, 422, "invalid_value", []string{"join_policy"}},
	} {
		ann.Do("POST", apptest.CommunitiesPath, c.body).WantError(c.status, c.code).WantFields(c.fields...)
	}
	if got := ann.Do("GET", apptest.CommunitiesPath).Column("communities", "name"); got != "" {
		t.Fatalf("there are %s after all those refusals", got)
	}
	name := " " + strings.Repeat("é", 78) + " " // as it was written
	at := ann.CreateCommunity(`{"name": "` + name + `", "visibility": "public", "join_policy": "request"}`)
	if got := cem.Do("GET", at).Want(200).Str("community.name"); got != name {
		t.Errorf("name %q", got)
	}
	ann.Do("POST", apptest.CommunitiesPath, apptest.Form("name=Form&visibility=public")).Want(201)
	if got := bea.Do("GET", apptest.CommunitiesPath).Want(200); got.Column("communities", "name") != "Form "+name || got.Column("communities", "join_policy") != "open request" {
		t.Errorf("communities %s", got.Body)
	}

	// Only owners change it, and never into the open.
	bea.AnswerInvitation(ann.InviteToCommunity(at, bea), "accept").Want(200)
	ann.Do("PATCH", path(bea, at+"/members"), `{"role": "moderator"}`).Want(200)
	for _, c := range []*apptest.Client{bea, cem} {
		c.Do("PATCH", at, `{"name": "b"}`).WantError(403, "permission_denied")
		c.Do("DELETE", at).WantError(403, "permission_denied")
	}
	ann.Do("PATCH", at, `{"visibility": "private", "join_policy": "open"}`).WantError(422, "invalid_value").WantFields("join_policy")
	ann.Do("PATCH", at, `{"name": null}`).WantError(400, "field_required").WantFields("name")
	cem.Do("POST", at+"/join").Want(200)
	if got := near(ann) + near(bea); got != " |  |  |  | " {
		t.Errorf("a public community makes bonds: %s", got)
	}
	a := ann.Do("PATCH", at, `{"name": "Choir", "summary": "We sing", "visibility": "private"}`).Want(200)
	if a.Str("community.join_policy") != "invite" || a.Str("community.name") != "Choir" || a.Str("community.summary") != "We sing" {
		t.Errorf("turned private: %s", a.Body)
	}
	if near(ann) != "Bea |  | " || near(bea) != "Ann |  | " {
		t.Errorf("no bonds: %s, %s", near(ann), near(bea))
	}
	// Whoever asked to join a public community has not asked to join this one.
	cem.Do("GET", at).WantError(404, "not_found")
	if got := ann.Do("GET", at+"/members").Column("members", "display_name"); got != "Ann Bea" {
		t.Errorf("members %s", got)
	}
	ann.Do("PATCH", at, `{"visibility": "public"}`).WantError(422, "invalid_value").WantFields("visibility")
	ann.Do("PATCH", at, `{"visibility": "private", "name": "Choir"}`).Want(200)

	// When it is gone, it is gone for all.
	invitation := ann.InviteToCommunity(at, cem)
	ann.Do("DELETE", at).Want(200)
	for _, c := range []*apptest.Client{ann, bea, cem} {
		c.Do("GET", at).WantError(404, "not_found")
		c.Do("GET", at+"/members").WantError(404, "not_found")
		c.Do("POST", at+"/join").WantError(404, "not_found")
		if near(c) != " |  | " {
			t.Errorf("%s still has bonds: %s", c.Name, near(c))
		}
	}
	cem.AnswerInvitation(invitation, "accept").WantError(422, "invitation_closed")
	if got := cem.Do("GET", "/world/social/invitations").Column("invitations", "state"); got != "revoked" {
		t.Errorf("the invitation is %s", got)
	}
}

// Who may come in by themselves, and who may come back. Covers O-13, O-14 and
// B-65.
func TestJoining(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	state := func(at string) string { return bea.Do("GET", at).Want(200).Str("community.membership.state") }
	for _, c := range []struct{ policy, joined, again string }{
		{"open", "active", ""},
		{"request", "requested", ""},
		{"invite", "", ""},
	} {
		at := ann.CreateCommunity(`{"name": "x", "visibility": "public", "join_policy": "` + c.policy + `"}`)
		bea.Do("POST", at+"/leave").Want(200) // nothing to leave, and nothing happens
		if c.joined == "" {
			bea.Do("POST", at+"/join").WantError(403, "permission_denied")
			bea.AnswerInvitation(ann.InviteToCommunity(at, bea), "decline").Want(200)
			bea.Do("POST", at+"/join").WantError(403, "permission_denied")
			ann.InviteToCommunity(at, bea)
			if got := state(at); got != "invited" {
				t.Errorf("invited: %s", got)
			}
			bea.Do("POST", at+"/join").Want(200)
			if got := state(at); got != "active" {
				t.Errorf("joined by invitation: %s", got)
			}
			continue
		}
		first := bea.Do("POST", at+"/join").Want(200)
		if again := bea.Do("POST", at+"/join").Want(200); again.Body != first.Body || state(at) != c.joined {
			t.Errorf("%s: joined once %s and twice %s", c.policy, first.Body, again.Body)
		}
		bea.Do("POST", at+"/leave").Want(200)
		if got := state(at); got != "left" {
			t.Errorf("%s: left is %s", c.policy, got)
		}
		bea.Do("POST", at+"/join").Want(200)
		ann.Do("DELETE", path(bea, at+"/members")).Want(200)
		bea.Do("POST", at+"/join").WantError(403, "permission_denied")
		bea.AnswerInvitation(ann.InviteToCommunity(at, bea), "accept").Want(200)
		if got := state(at); got != "active" {
			t.Errorf("%s: back by invitation: %s", c.policy, got)
		}
	}

	// Two who share another private community stay close.
	one, other := ann.CreateCommunity(`{"name": "x"}`, bea), ann.CreateCommunity(`{"name": "y"}`, bea)
	bea.Do("POST", one+"/leave").Want(200)
	if near(bea) != "Ann |  | " {
		t.Errorf("circles %s", near(bea))
	}
	bea.Do("POST", other+"/leave").Want(200)
	if near(bea) != " |  | " || near(ann) != " |  | " {
		t.Errorf("circles %s and %s", near(bea), near(ann))
	}
	bea.Do("POST", other+"/join").WantError(404, "not_found")
}

// Who may do what to whom. Covers B-65 and O-40.
func TestRoles(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cem, dan, eve := h.Member("ann"), h.Member("bea"), h.Member("cem"), h.Member("dan"), h.Member("eve")
	at := ann.CreateCommunity(`{"name": "x", "visibility": "public", "join_policy": "request"}`, bea, cem, dan)
	members := at + "/members"
	ann.Do("PATCH", path(bea, members), `{"role": "moderator"}`).Want(200)
	ann.Do("PATCH", path(cem, members), `{"role": "moderator"}`).Want(200)
	eve.Do("POST", at+"/join").Want(200)

	for _, c := range []struct {
		by     *apptest.Client
		method string
		whom   *apptest.Client
		body   string
		status int
	}{
		{dan, "PATCH", cem, `{"role": "member"}`, 403}, {dan, "DELETE", cem, ``, 403}, {dan, "PATCH", eve, `{"state": "active"}`, 404},
		{eve, "DELETE", dan, ``, 403}, {eve, "PATCH", eve, `{"state": "active"}`, 404},
		{bea, "PATCH", dan, `{"role": "moderator"}`, 403}, {bea, "PATCH", eve, `{"state": "active", "role": "moderator"}`, 403},
		{bea, "DELETE", cem, ``, 403}, {bea, "DELETE", ann, ``, 403},
		{ann, "PATCH", dan, `{"role": "king"}`, 422}, {ann, "PATCH", dan, `{"state": "removed"}`, 422}, {ann, "PATCH", dan, `{"role": null}`, 422},
		{ann, "PATCH", eve, `{"role": "moderator"}`, 422}, {ann, "PATCH", ann, `{"role": "moderator"}`, 422}, {ann, "DELETE", ann, ``, 422},
	} {
		before := ann.Do("GET", members).Body
		if a := c.by.Do(c.method, path(c.whom, members), c.body); a.Status != c.status || ann.Do("GET", members).Body != before {
			t.Errorf("%s %s of %s with %s: %s", c.by.Name, c.method, c.whom.Name, c.body, a.Body)
		}
	}
	ann.Do("DELETE", members+"/none").WantError(404, "not_found")
	ann.Do("DELETE", members+"/77").WantError(404, "not_found")

	bea.Do("DELETE", path(eve, members)).Want(200) // declined
	eve.Do("POST", at+"/join").WantError(403, "permission_denied")
	bea.Do("DELETE", path(dan, members)).Want(200)
	cem.Do("DELETE", path(cem, members)).Want(200) // the same as to leave
	ann.Do("PATCH", path(bea, members), `{"role": "owner"}`).Want(200)
	a := bea.Do("PATCH", path(ann, members), `{"role": "member"}`).Want(200)
	a.WantSchema("service.social.community_member", a.At("member"))
	bea.Do("POST", at+"/leave").WantError(422, "last_owner")
	ann.Do("POST", at+"/leave").Want(200)
	if got := bea.Do("GET", members).Column("members", "display_name"); got != "Bea" {
		t.Errorf("members %s", got)
	}
}

// The life of an invitation. Covers B-65 and B-52.
func TestCommunityInvitations(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cem, dan := h.Member("ann"), h.Member("bea"), h.Member("cem"), h.Member("dan")
	at := ann.CreateCommunity(`{"name": "Family"}`, bea)
	invitations := at + "/invitations"
	invite := func(recipient string) *apptest.Answer {
		return ann.Do("POST", invitations, map[string]any{"recipient": recipient})
	}
	invite("").WantError(400, "field_required").WantFields("recipient")
	invite("ann").WantError(422, "invalid_value").WantFields("recipient")
	invite("bea").WantError(409, "already_exists").WantFields("recipient")
	invite("nobody").WantError(404, "recipient_not_found").WantFields("recipient")
	bea.Do("POST", invitations, `{"recipient": "cem"}`).WantError(403, "permission_denied")
	bea.Do("GET", invitations).WantError(403, "permission_denied")
	cem.Do("POST", invitations, `{"recipient": "cem"}`).WantError(404, "not_found")
	cem.Do("GET", invitations).WantError(404, "not_found")

	first := ann.InviteToCommunity(at, cem)
	invite("cem").WantError(409, "already_exists").WantFields("recipient")
	cem.AnswerInvitation(first, "revoke").WantError(403, "permission_denied")
	for _, c := range []*apptest.Client{bea, dan} {
		c.AnswerInvitation(first, "revoke").WantError(404, "not_found")
	}
	ann.Do("PATCH", path(bea, at+"/members"), `{"role": "moderator"}`).Want(200)
	bea.AnswerInvitation(first, "decline").WantError(403, "permission_denied")
	bea.AnswerInvitation(first, "revoke").Want(200)
	bea.AnswerInvitation(first, "revoke").Want(200) // the same again
	cem.AnswerInvitation(first, "accept").WantError(422, "invitation_closed")
	cem.Do("POST", at+"/join").WantError(404, "not_found")

	second := ann.InviteToCommunity(at, cem)
	h.Clock.Advance(14*24*time.Hour - time.Second)
	cem.SignIn(apptest.Password).Do("GET", "/world/social/invitations").Want(200)
	h.Clock.Advance(time.Second)
	ann, bea, cem = ann.SignIn(apptest.Password), bea.SignIn(apptest.Password), cem.SignIn(apptest.Password)
	cem.AnswerInvitation(second, "accept").WantError(422, "invitation_closed")
	cem.Do("POST", at+"/join").WantError(404, "not_found")
	third := ann.InviteToCommunity(at, cem)
	list := cem.Do("GET", "/world/social/invitations").Want(200)
	if got := list.Column("invitations", "state"); got != "pending expired revoked" {
		t.Errorf("invitations are %s", got)
	}
	if got := list.Column("invitations", "target.title"); got != "Family  " { // the others lead nowhere
		t.Errorf("invitations into %s", got)
	}
	cem.AnswerInvitation(third, "accept").Want(200)
	cem.Do("POST", at+"/leave").Want(200)
	cem.AnswerInvitation(third, "accept").Want(200) // was accepted, and lets nobody in again
	cem.Do("GET", at).WantError(404, "not_found")
	if got := bea.Do("GET", invitations).Want(200).Column("invitations", "state"); got != "accepted expired revoked accepted" {
		t.Errorf("invitations into the community are %s", got)
	}
}

// Two who block one another do not meet in a community either, and are not
// told. Covers O-27 and B-72 as far as communities and circles go.
func TestBlocksInCommunities(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cem, dan := h.Member("ann"), h.Member("bea"), h.Member("cem"), h.Member("dan")
	at := cem.CreateCommunity(`{"name": "Village"}`, ann, bea)
	bea.CreateCommunity(`{"name": "Rowing"}`, dan)
	choir := ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`)
	pending := ann.InviteToCommunity(choir, bea)
	a := ann.Do("POST", "/world/social/blocks", map[string]any{"member_id": bea.ID}).Want(201)
	a.WantSchema("service.social.block", a.At("block"))

	for _, c := range []struct {
		who, other *apptest.Client
		names      string
		near       string
	}{{ann, bea, "Ann Cem", "Cem |  | Dan"}, {bea, ann, "Bea Cem", "Cem Dan |  | "}, {cem, nil, "Ann Bea Cem", "Ann Bea | Dan | "}} {
		list := c.who.Do("GET", at+"/members").Want(200)
		if got := list.Column("members", "display_name"); got != c.names {
			t.Errorf("%s sees %s", c.who.Name, got)
		}
		if got := c.who.Do("GET", at).Want(200).At("community.member_count"); got != float64(len(list.List("members"))) {
			t.Errorf("%s counts %v", c.who.Name, got)
		}
		if got := near(c.who); got != c.near {
			t.Errorf("%s is near %s, want %s", c.who.Name, got, c.near)
		}
		graph := c.who.Do("GET", "/world/social/discovery/graph?depth=3").Want(200)
		graph.WantSchema("service.social.graph", graph.At(""))
		for _, node := range graph.List("nodes") {
			if c.other != nil && apptest.At(node, "member_id") == float64(c.other.ID) {
				t.Errorf("%s sees %s in the graph", c.who.Name, c.other.Name)
			}
		}
	}
	if got := near(dan); got != "Bea | Cem | Ann" { // as far as Dan is from Ann
		t.Errorf("dan is near %s", got)
	}
	for _, c := range []*apptest.Client{ann, bea} {
		if got := c.Do("GET", "/world/social/invitations").Column("invitations", "id"); strings.Contains(got, pending) {
			t.Errorf("%s still sees the invitation", c.Name)
		}
		c.AnswerInvitation(pending, "revoke").WantError(404, "not_found")
	}
	ann.Do("POST", choir+"/invitations", `{"recipient": "bea"}`).WantError(404, "recipient_not_found")
	ann.Do("PATCH", path(bea, at+"/members"), `{"role": "owner"}`).WantError(404, "not_found")

	// The choir is there for Bea as before, and who looks after it sees that
	// somebody asks.
	bea.Do("POST", choir+"/join").Want(200)
	if got := ann.Do("GET", choir+"/members").Column("members", "display_name"); got != "Former member Ann" {
		t.Errorf("ann sees %s", got)
	}
	ann.Do("DELETE", fmt.Sprintf("/world/social/blocks/%d", bea.ID)).Want(200)
	if got := ann.Do("GET", choir+"/members").Column("members", "display_name"); got != "Bea Ann" {
		t.Errorf("after the block ann sees %s", got)
	}
	if got := near(ann); got != "Bea Cem | Dan | " {
		t.Errorf("after the block ann is near %s", got)
	}
}

// Chains of communities. Covers O-06, O-07, O-08, O-09, O-12 and O-15.
func TestCirclesOfAChain(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cem, dan, eve := h.Member("ann"), h.Member("bea"), h.Member("cem"), h.Member("dan"), h.Member("eve")
	pq := ann.CreateCommunity(`{"name": "1"}`, bea)
	bea.CreateCommunity(`{"name": "2"}`, cem)
	cem.CreateCommunity(`{"name": "3"}`, dan)
	dan.CreateCommunity(`{"name": "4"}`, eve)
	for c, want := range map[*apptest.Client]string{
		ann: "Bea | Cem | Dan", bea: "Ann Cem | Dan | Eve", cem: "Bea Dan | Ann Eve | ", dan: "Cem Eve | Bea | Ann", eve: "Dan | Cem | Bea",
	} {
		if got := near(c); got != want {
			t.Errorf("%s: %s, want %s", c.Name, got, want)
		}
	}
	for depth, want := range map[string]string{"1": "Bea", "2": "Bea Cem", "3": "Bea Cem Dan"} {
		g := ann.Do("GET", "/world/social/discovery/graph?depth="+depth).Want(200)
		if got := g.Column("nodes", "display_name"); got != want || len(g.List("edges")) != len(g.List("nodes")) {
			t.Errorf("graph of depth %s: %s", depth, g.Body)
		}
		if strings.Contains(g.Body, "com_") {
			t.Errorf("the graph names communities: %s", g.Body)
		}
	}
	ann.Do("GET", "/world/social/discovery/graph?depth=4").WantError(400, "invalid_parameter")
	ann.Do("POST", "/world/social/circles", `{"member_id": 5}`).WantError(405, "method_not_allowed")
	dan.AnswerInvitation(ann.InviteToCommunity(pq, dan), "accept").Want(200)
	if got := near(ann); got != "Bea Dan | Cem Eve | " {
		t.Errorf("by a shorter way: %s", got)
	}
}

// A house that somebody leaves for good. Covers PT-46 as far as communities
// go, and B-65.
func TestWhoeverLeavesTheHouseLeavesCommunities(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	op, ann, bea, cem, dan := h.Member("op"), h.Member("ann"), h.Member("bea"), h.Member("cem"), h.Member("dan")
	moderated := ann.CreateCommunity(`{"name": "moderated"}`, bea, cem)
	ann.Do("PATCH", path(cem, moderated+"/members"), `{"role": "moderator"}`).Want(200)
	plain := ann.CreateCommunity(`{"name": "plain"}`, dan)
	h.Clock.Advance(time.Minute)
	bea.AnswerInvitation(ann.InviteToCommunity(plain, bea), "accept").Want(200)
	alone := ann.CreateCommunity(`{"name": "alone", "visibility": "public"}`)
	shared := bea.CreateCommunity(`{"name": "shared"}`, ann)
	toAnn, byAnn := bea.InviteToCommunity(bea.CreateCommunity(`{"name": "x"}`), ann), ann.InviteToCommunity(plain, cem)
	op.Do("POST", "/admin/members/update", map[string]any{"id": dan.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	if got := bea.Do("GET", plain+"/members").Column("members", "display_name"); got != "Ann Bea Former member" {
		t.Errorf("members %s", got)
	}
	h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), ann.ID) })

	role := func(c *apptest.Client, at string) string {
		return c.Do("GET", at).Want(200).Str("community.membership.role")
	}
	if a, b := role(cem, moderated), role(bea, moderated); a != "owner" || b != "member" {
		t.Errorf("where there is a moderator: %s and %s", a, b)
	}
	if got := role(bea, plain); got != "owner" { // Dan was here before her, but cannot sign in
		t.Errorf("where there is none: %s", got)
	}
	if got := role(bea, shared); got != "owner" {
		t.Errorf("where there is another owner: %s", got)
	}
	bea.Do("GET", alone).WantError(404, "not_found")
	if got := bea.Do("GET", shared).Want(200).At("community.member_count"); got != 1.0 {
		t.Errorf("%v members", got)
	}
	if got := near(bea); got != "Cem |  | " {
		t.Errorf("circles %s", got)
	}
	bea.AnswerInvitation(toAnn, "revoke").Want(200)
	cem.AnswerInvitation(byAnn, "accept").WantError(422, "invitation_closed")
}

// Covers PT-30 and B-82 as far as communities and their members go.
func TestPagesOfCommunities(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	var want []string
	for i := range 7 {
		visibility := []string{"private", "public"}[i%2]
		want = append(want, fmt.Sprint(i))
		ann.CreateCommunity(fmt.Sprintf(`{"name": "%d", "visibility": "%s"}`, i, visibility))
		bea.CreateCommunity(fmt.Sprintf(`{"name": "bea's %d"}`, i))
		if i > 3 { // the others are of one moment
			h.Clock.Advance(time.Second)
		}
	}
	slices.Reverse(want)
	walk := func(c *apptest.Client, path, list, column string) (got []string) {
		cursor := ""
		for {
			a := c.Do("GET", path+"limit=2"+cursor).Want(200)
			got = append(got, strings.Fields(a.Column(list, column))...)
			next := a.Str("page.next_cursor")
			if next == "" {
				return got
			}
			cursor = "&cursor=" + next
			bea.Do("GET", path+"limit=2"+cursor).WantError(400, "invalid_parameter").WantFields("cursor")
			ann.CreateCommunity(`{"name": "new", "visibility": "public"}`) // stands before all of them
		}
	}
	if got := walk(ann, apptest.CommunitiesPath+"?mine=true&", "communities", "name"); !slices.Equal(got, want) {
		t.Errorf("pages of her own: %s, want %s", got, want)
	}
	ann.Do("GET", apptest.CommunitiesPath+"?mine=perhaps").WantError(400, "invalid_parameter").WantFields("mine")
	ann.Do("GET", apptest.CommunitiesPath+"?limit=-1").WantError(400, "invalid_parameter").WantFields("limit")

	at := ann.CreateCommunity(`{"name": "all", "visibility": "public", "join_policy": "request"}`)
	for i := range 5 {
		c := h.Member(fmt.Sprintf("m%d", i))
		c.Do("POST", at+"/join").Want(200)
		if i > 1 {
			ann.Do("PATCH", path(c, at+"/members"), `{"state": "active"}`).Want(200)
		}
	}
	if got := strings.Join(walk(ann, at+"/members?", "members", "display_name"), " "); got != "M0 M1 Ann M2 M3 M4" {
		t.Errorf("members %s", got)
	}
	if got := bea.Do("GET", at+"/members?limit=2").Want(200).Column("members", "display_name"); got != "Ann M2" {
		t.Errorf("bea sees %s", got)
	}
}

// The same for whoever has the service key, and nothing depends on how much
// there is. Covers W-06 as far as communities go.
func TestCommunitiesBetweenServices(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	at := ann.CreateCommunity(`{"name": "x"}`, bea)
	paths := []string{apptest.CommunitiesPath, at, at + "/members", at + "/invitations", "/world/social/invitations", "/world/social/circles"}
	measure := func() (counts []map[string]int) {
		for _, path := range paths {
			h.Restart()
			h.Queries.Take()
			a := ann.AsService().Do("GET", strings.TrimPrefix(path, "/world")).Want(200)
			counts = append(counts, h.Queries.Take())
			if b := ann.Do("GET", path).Want(200); a.Body != b.Body {
				t.Errorf("%s: %s and %s", path, a.Body, b.Body)
			}
		}
		return counts
	}
	few := measure()
	for i := range 6 {
		c := h.Member(fmt.Sprintf("m%d", i))
		c.AnswerInvitation(ann.InviteToCommunity(at, c), "accept").Want(200)
		ann.AnswerInvitation(c.InviteToCommunity(c.CreateCommunity(`{"name": "y"}`), ann), "accept").Want(200)
	}
	for i, many := range measure() {
		if !maps.Equal(few[i], many) || len(many) == 0 {
			t.Errorf("%s: first %v, then %v", paths[i], few[i], many)
		}
	}
}

// A write that a member sends twice is done once. Covers B-88 as far as
// communities go.
func TestCommunityTwice(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann").With("Idempotency-Key", "1")
	first, again := ann.Do("POST", apptest.CommunitiesPath, `{"name": "x"}`).Want(201), ann.Do("POST", apptest.CommunitiesPath, `{"name": "x"}`).Want(201)
	if first.Body != again.Body || len(ann.Do("GET", apptest.CommunitiesPath).List("communities")) != 1 {
		t.Errorf("done twice: %s", again.Body)
	}
}

// village fills a house with so many members in so many private communities,
// each of about ten of them, the same each time, and returns its members.
func village(h *apptest.Server, members, communities int) (list []svc.MemberID) {
	h.T.Helper()
	d := apptest.NewRand(uint64(members))
	for i := range members {
		name := fmt.Sprintf("villager%d", i)
		a, err := h.App.Identity.Prepare(h.T.Context(), identity.Registration{Email: name + "@example.org", Username: name, DisplayName: name, Password: apptest.Password})
		if err != nil {
			h.T.Fatal(err)
		}
		var id svc.MemberID
		h.Write(func(tx *store.Tx) error {
			m, err := h.App.Identity.AddMember(tx, identity.CommandLine("test"), a)
			id = m.ID
			return err
		})
		list = append(list, id)
	}
	for i := range communities {
		founder := list[i%members]
		h.Write(func(tx *store.Tx) error {
			v := svc.Trust(founder)
			c, err := h.App.Social.CreateCommunity(tx, v, social.NewCommunity{Name: fmt.Sprint("Club ", i)})
			for range 9 {
				other := apptest.Pick(d, list...)
				i, no := h.App.Social.InviteToCommunity(tx, v, c.ID, social.NewInvitation{Recipient: other.String()})
				if svc.KindOf(no) == svc.Conflict || other == founder || err != nil {
					continue
				}
				_, err = h.App.Social.AnswerInvitation(tx, svc.Trust(other), i.ID, "accepted")
			}
			return err
		})
	}
	return list
}

// The circles of somebody among 1,000 members in 200 private communities.
func BenchmarkCircles(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	list := village(h, 1000, 200)
	circles := func(s *social.Service) (n int) {
		err := h.DB.Read(b.Context(), func(tx *store.Tx) error {
			circles, err := s.Circles(tx, svc.Trust(list[0]))
			for _, c := range circles {
				n += len(c.Members)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	b.Run("cold", func(b *testing.B) {
		n := 0
		for b.Loop() {
			s := social.New(h.App.Identity, nil)
			n = circles(s)
		}
		b.ReportMetric(float64(n), "members")
	})
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			circles(h.App.Social)
		}
	})
}
