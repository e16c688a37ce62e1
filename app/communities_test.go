package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
)

const communitiesURL = "/world/social/communities"

// community makes a community and brings others into it, and returns its
// address.
func (c *client) community(body string, others ...*client) string {
	c.t.Helper()
	a := c.do("POST", communitiesURL, body).want(201)
	a.fits("service.social.community", a.at("community"))
	at := communitiesURL + "/" + a.str("community.id")
	for _, other := range others {
		other.answers(c.invites(at, other), "accept").want(200)
	}
	return at
}

// invites asks another into a community, and returns the id of the invitation.
func (c *client) invites(at string, other *client) string {
	c.t.Helper()
	a := c.do("POST", at+"/invitations", map[string]any{"recipient": other.name}).want(201)
	a.fits("service.social.invitation", a.at("invitation"))
	return a.str("invitation.id")
}

// answers is accept, decline or revoke.
func (c *client) answers(invitation, how string) *answer {
	c.t.Helper()
	return c.do("POST", "/world/social/invitations/"+invitation+"/"+how)
}

// near is who is in each of the client's circles, such as "Bea | Cem Dan | ".
func (c *client) near() string {
	c.t.Helper()
	a := c.do("GET", "/world/social/circles").want(200)
	var circles []string
	for i, circle := range a.list("circles") {
		a.fits("service.social.circle", circle)
		circles = append(circles, a.column(fmt.Sprintf("circles.%d.members", i), "display_name"))
	}
	return strings.Join(circles, " | ")
}

func (c *client) path(suffix string) string { return fmt.Sprintf("%s/%d", suffix, c.id) }

// What a community may be like, and become. Covers O-01, B-65, B-83 and PT-40
// as far as they go.
func TestCommunity(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cem := h.member("ann"), h.member("bea"), h.member("cem")
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
		ann.do("POST", communitiesURL, c.body).refused(c.status, c.code).names(c.fields...)
	}
	if got := ann.do("GET", communitiesURL).column("communities", "name"); got != "" {
		t.Fatalf("there are %s after all those refusals", got)
	}
	name := " " + strings.Repeat("é", 78) + " " // as it was written
	at := ann.community(`{"name": "` + name + `", "visibility": "public", "join_policy": "request"}`)
	if got := cem.do("GET", at).want(200).str("community.name"); got != name {
		t.Errorf("name %q", got)
	}
	ann.do("POST", communitiesURL, formBody("name=Form&visibility=public")).want(201)
	if got := bea.do("GET", communitiesURL).want(200); got.column("communities", "name") != "Form "+name || got.column("communities", "join_policy") != "open request" {
		t.Errorf("communities %s", got.body)
	}

	// Only owners change it, and never into the open.
	bea.answers(ann.invites(at, bea), "accept").want(200)
	ann.do("PATCH", bea.path(at+"/members"), `{"role": "moderator"}`).want(200)
	for _, c := range []*client{bea, cem} {
		c.do("PATCH", at, `{"name": "b"}`).refused(403, "permission_denied")
		c.do("DELETE", at).refused(403, "permission_denied")
	}
	ann.do("PATCH", at, `{"visibility": "private", "join_policy": "open"}`).refused(422, "invalid_value").names("join_policy")
	ann.do("PATCH", at, `{"name": null}`).refused(400, "field_required").names("name")
	cem.do("POST", at+"/join").want(200)
	if got := ann.near() + bea.near(); got != " |  |  |  | " {
		t.Errorf("a public community makes bonds: %s", got)
	}
	a := ann.do("PATCH", at, `{"name": "Choir", "summary": "We sing", "visibility": "private"}`).want(200)
	if a.str("community.join_policy") != "invite" || a.str("community.name") != "Choir" || a.str("community.summary") != "We sing" {
		t.Errorf("turned private: %s", a.body)
	}
	if ann.near() != "Bea |  | " || bea.near() != "Ann |  | " {
		t.Errorf("no bonds: %s, %s", ann.near(), bea.near())
	}
	// Whoever asked to join a public community has not asked to join this one.
	cem.do("GET", at).refused(404, "not_found")
	if got := ann.do("GET", at+"/members").column("members", "display_name"); got != "Ann Bea" {
		t.Errorf("members %s", got)
	}
	ann.do("PATCH", at, `{"visibility": "public"}`).refused(422, "invalid_value").names("visibility")
	ann.do("PATCH", at, `{"visibility": "private", "name": "Choir"}`).want(200)

	// When it is gone, it is gone for all.
	invitation := ann.invites(at, cem)
	ann.do("DELETE", at).want(200)
	for _, c := range []*client{ann, bea, cem} {
		c.do("GET", at).refused(404, "not_found")
		c.do("GET", at+"/members").refused(404, "not_found")
		c.do("POST", at+"/join").refused(404, "not_found")
		if c.near() != " |  | " {
			t.Errorf("%s still has bonds: %s", c.name, c.near())
		}
	}
	cem.answers(invitation, "accept").refused(422, "invitation_closed")
	if got := cem.do("GET", "/world/social/invitations").column("invitations", "state"); got != "revoked" {
		t.Errorf("the invitation is %s", got)
	}
}

// Who may come in by themselves, and who may come back. Covers O-13, O-14 and
// B-65.
func TestJoining(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	state := func(at string) string { return bea.do("GET", at).want(200).str("community.membership.state") }
	for _, c := range []struct{ policy, joined, again string }{
		{"open", "active", ""},
		{"request", "requested", ""},
		{"invite", "", ""},
	} {
		at := ann.community(`{"name": "x", "visibility": "public", "join_policy": "` + c.policy + `"}`)
		bea.do("POST", at+"/leave").want(200) // nothing to leave, and nothing happens
		if c.joined == "" {
			bea.do("POST", at+"/join").refused(403, "permission_denied")
			bea.answers(ann.invites(at, bea), "decline").want(200)
			bea.do("POST", at+"/join").refused(403, "permission_denied")
			ann.invites(at, bea)
			if got := state(at); got != "invited" {
				t.Errorf("invited: %s", got)
			}
			bea.do("POST", at+"/join").want(200)
			if got := state(at); got != "active" {
				t.Errorf("joined by invitation: %s", got)
			}
			continue
		}
		first := bea.do("POST", at+"/join").want(200)
		if again := bea.do("POST", at+"/join").want(200); again.body != first.body || state(at) != c.joined {
			t.Errorf("%s: joined once %s and twice %s", c.policy, first.body, again.body)
		}
		bea.do("POST", at+"/leave").want(200)
		if got := state(at); got != "left" {
			t.Errorf("%s: left is %s", c.policy, got)
		}
		bea.do("POST", at+"/join").want(200)
		ann.do("DELETE", bea.path(at+"/members")).want(200)
		bea.do("POST", at+"/join").refused(403, "permission_denied")
		bea.answers(ann.invites(at, bea), "accept").want(200)
		if got := state(at); got != "active" {
			t.Errorf("%s: back by invitation: %s", c.policy, got)
		}
	}

	// Two who share another private community stay close.
	one, other := ann.community(`{"name": "x"}`, bea), ann.community(`{"name": "y"}`, bea)
	bea.do("POST", one+"/leave").want(200)
	if bea.near() != "Ann |  | " {
		t.Errorf("circles %s", bea.near())
	}
	bea.do("POST", other+"/leave").want(200)
	if bea.near() != " |  | " || ann.near() != " |  | " {
		t.Errorf("circles %s and %s", bea.near(), ann.near())
	}
	bea.do("POST", other+"/join").refused(404, "not_found")
}

// Who may do what to whom. Covers B-65 and O-40.
func TestRoles(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cem, dan, eve := h.member("ann"), h.member("bea"), h.member("cem"), h.member("dan"), h.member("eve")
	at := ann.community(`{"name": "x", "visibility": "public", "join_policy": "request"}`, bea, cem, dan)
	members := at + "/members"
	ann.do("PATCH", bea.path(members), `{"role": "moderator"}`).want(200)
	ann.do("PATCH", cem.path(members), `{"role": "moderator"}`).want(200)
	eve.do("POST", at+"/join").want(200)

	for _, c := range []struct {
		by     *client
		method string
		whom   *client
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
		before := ann.do("GET", members).body
		if a := c.by.do(c.method, c.whom.path(members), c.body); a.status != c.status || ann.do("GET", members).body != before {
			t.Errorf("%s %s of %s with %s: %s", c.by.name, c.method, c.whom.name, c.body, a.body)
		}
	}
	ann.do("DELETE", members+"/none").refused(404, "not_found")
	ann.do("DELETE", members+"/77").refused(404, "not_found")

	bea.do("DELETE", eve.path(members)).want(200) // declined
	eve.do("POST", at+"/join").refused(403, "permission_denied")
	bea.do("DELETE", dan.path(members)).want(200)
	cem.do("DELETE", cem.path(members)).want(200) // the same as to leave
	ann.do("PATCH", bea.path(members), `{"role": "owner"}`).want(200)
	a := bea.do("PATCH", ann.path(members), `{"role": "member"}`).want(200)
	a.fits("service.social.community_member", a.at("member"))
	bea.do("POST", at+"/leave").refused(422, "last_owner")
	ann.do("POST", at+"/leave").want(200)
	if got := bea.do("GET", members).column("members", "display_name"); got != "Bea" {
		t.Errorf("members %s", got)
	}
}

// The life of an invitation. Covers B-65 and B-52.
func TestCommunityInvitations(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cem, dan := h.member("ann"), h.member("bea"), h.member("cem"), h.member("dan")
	at := ann.community(`{"name": "Family"}`, bea)
	invitations := at + "/invitations"
	invite := func(recipient string) *answer {
		return ann.do("POST", invitations, map[string]any{"recipient": recipient})
	}
	invite("").refused(400, "field_required").names("recipient")
	invite("ann").refused(422, "invalid_value").names("recipient")
	invite("bea").refused(409, "already_exists").names("recipient")
	invite("nobody").refused(404, "recipient_not_found").names("recipient")
	bea.do("POST", invitations, `{"recipient": "cem"}`).refused(403, "permission_denied")
	bea.do("GET", invitations).refused(403, "permission_denied")
	cem.do("POST", invitations, `{"recipient": "cem"}`).refused(404, "not_found")
	cem.do("GET", invitations).refused(404, "not_found")

	first := ann.invites(at, cem)
	invite("cem").refused(409, "already_exists").names("recipient")
	cem.answers(first, "revoke").refused(403, "permission_denied")
	for _, c := range []*client{bea, dan} {
		c.answers(first, "revoke").refused(404, "not_found")
	}
	ann.do("PATCH", bea.path(at+"/members"), `{"role": "moderator"}`).want(200)
	bea.answers(first, "decline").refused(403, "permission_denied")
	bea.answers(first, "revoke").want(200)
	bea.answers(first, "revoke").want(200) // the same again
	cem.answers(first, "accept").refused(422, "invitation_closed")
	cem.do("POST", at+"/join").refused(404, "not_found")

	second := ann.invites(at, cem)
	h.clock.Advance(14*24*time.Hour - time.Second)
	cem.signedIn(password).do("GET", "/world/social/invitations").want(200)
	h.clock.Advance(time.Second)
	ann, bea, cem = ann.signedIn(password), bea.signedIn(password), cem.signedIn(password)
	cem.answers(second, "accept").refused(422, "invitation_closed")
	cem.do("POST", at+"/join").refused(404, "not_found")
	third := ann.invites(at, cem)
	list := cem.do("GET", "/world/social/invitations").want(200)
	if got := list.column("invitations", "state"); got != "pending expired revoked" {
		t.Errorf("invitations are %s", got)
	}
	if got := list.column("invitations", "target.title"); got != "Family  " { // the others lead nowhere
		t.Errorf("invitations into %s", got)
	}
	cem.answers(third, "accept").want(200)
	cem.do("POST", at+"/leave").want(200)
	cem.answers(third, "accept").want(200) // was accepted, and lets nobody in again
	cem.do("GET", at).refused(404, "not_found")
	if got := bea.do("GET", invitations).want(200).column("invitations", "state"); got != "accepted expired revoked accepted" {
		t.Errorf("invitations into the community are %s", got)
	}
}

// Two who block one another do not meet in a community either, and are not
// told. Covers O-27 and B-72 as far as communities and circles go.
func TestBlocksInCommunities(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cem, dan := h.member("ann"), h.member("bea"), h.member("cem"), h.member("dan")
	at := cem.community(`{"name": "Village"}`, ann, bea)
	bea.community(`{"name": "Rowing"}`, dan)
	choir := ann.community(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`)
	pending := ann.invites(choir, bea)
	a := ann.do("POST", "/world/social/blocks", map[string]any{"member_id": bea.id}).want(201)
	a.fits("service.social.block", a.at("block"))

	for _, c := range []struct {
		who, other *client
		names      string
		near       string
	}{{ann, bea, "Ann Cem", "Cem |  | Dan"}, {bea, ann, "Bea Cem", "Cem Dan |  | "}, {cem, nil, "Ann Bea Cem", "Ann Bea | Dan | "}} {
		list := c.who.do("GET", at+"/members").want(200)
		if got := list.column("members", "display_name"); got != c.names {
			t.Errorf("%s sees %s", c.who.name, got)
		}
		if got := c.who.do("GET", at).want(200).at("community.member_count"); got != float64(len(list.list("members"))) {
			t.Errorf("%s counts %v", c.who.name, got)
		}
		if got := c.who.near(); got != c.near {
			t.Errorf("%s is near %s, want %s", c.who.name, got, c.near)
		}
		graph := c.who.do("GET", "/world/social/discovery/graph?depth=3").want(200)
		graph.fits("service.social.graph", graph.at(""))
		for _, node := range graph.list("nodes") {
			if c.other != nil && dig(node, "member_id") == float64(c.other.id) {
				t.Errorf("%s sees %s in the graph", c.who.name, c.other.name)
			}
		}
	}
	if got := dan.near(); got != "Bea | Cem | Ann" { // as far as Dan is from Ann
		t.Errorf("dan is near %s", got)
	}
	for _, c := range []*client{ann, bea} {
		if got := c.do("GET", "/world/social/invitations").column("invitations", "id"); strings.Contains(got, pending) {
			t.Errorf("%s still sees the invitation", c.name)
		}
		c.answers(pending, "revoke").refused(404, "not_found")
	}
	ann.do("POST", choir+"/invitations", `{"recipient": "bea"}`).refused(404, "recipient_not_found")
	ann.do("PATCH", bea.path(at+"/members"), `{"role": "owner"}`).refused(404, "not_found")

	// The choir is there for Bea as before, and who looks after it sees that
	// somebody asks.
	bea.do("POST", choir+"/join").want(200)
	if got := ann.do("GET", choir+"/members").column("members", "display_name"); got != "Former member Ann" {
		t.Errorf("ann sees %s", got)
	}
	ann.do("DELETE", fmt.Sprintf("/world/social/blocks/%d", bea.id)).want(200)
	if got := ann.do("GET", choir+"/members").column("members", "display_name"); got != "Bea Ann" {
		t.Errorf("after the block ann sees %s", got)
	}
	if got := ann.near(); got != "Bea Cem | Dan | " {
		t.Errorf("after the block ann is near %s", got)
	}
}

// Chains of communities. Covers O-06, O-07, O-08, O-09, O-12 and O-15.
func TestCirclesOfAChain(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cem, dan, eve := h.member("ann"), h.member("bea"), h.member("cem"), h.member("dan"), h.member("eve")
	pq := ann.community(`{"name": "1"}`, bea)
	bea.community(`{"name": "2"}`, cem)
	cem.community(`{"name": "3"}`, dan)
	dan.community(`{"name": "4"}`, eve)
	for c, want := range map[*client]string{
		ann: "Bea | Cem | Dan", bea: "Ann Cem | Dan | Eve", cem: "Bea Dan | Ann Eve | ", dan: "Cem Eve | Bea | Ann", eve: "Dan | Cem | Bea",
	} {
		if got := c.near(); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	for depth, want := range map[string]string{"1": "Bea", "2": "Bea Cem", "3": "Bea Cem Dan"} {
		g := ann.do("GET", "/world/social/discovery/graph?depth="+depth).want(200)
		if got := g.column("nodes", "display_name"); got != want || len(g.list("edges")) != len(g.list("nodes")) {
			t.Errorf("graph of depth %s: %s", depth, g.body)
		}
		if strings.Contains(g.body, "com_") {
			t.Errorf("the graph names communities: %s", g.body)
		}
	}
	ann.do("GET", "/world/social/discovery/graph?depth=4").refused(400, "invalid_parameter")
	ann.do("POST", "/world/social/circles", `{"member_id": 5}`).refused(405, "method_not_allowed")
	dan.answers(ann.invites(pq, dan), "accept").want(200)
	if got := ann.near(); got != "Bea Dan | Cem Eve | " {
		t.Errorf("by a shorter way: %s", got)
	}
}

// A house that somebody leaves for good. Covers PT-46 as far as communities
// go, and B-65.
func TestWhoeverLeavesTheHouseLeavesCommunities(t *testing.T) {
	h := open(t, unlimited)
	op, ann, bea, cem, dan := h.member("op"), h.member("ann"), h.member("bea"), h.member("cem"), h.member("dan")
	moderated := ann.community(`{"name": "moderated"}`, bea, cem)
	ann.do("PATCH", cem.path(moderated+"/members"), `{"role": "moderator"}`).want(200)
	plain := ann.community(`{"name": "plain"}`, dan)
	h.clock.Advance(time.Minute)
	bea.answers(ann.invites(plain, bea), "accept").want(200)
	alone := ann.community(`{"name": "alone", "visibility": "public"}`)
	shared := bea.community(`{"name": "shared"}`, ann)
	toAnn, byAnn := bea.invites(bea.community(`{"name": "x"}`), ann), ann.invites(plain, cem)
	op.do("POST", "/admin/members/update", map[string]any{"id": dan.id, "changes": map[string]any{"status": "disabled"}}).want(200)
	if got := bea.do("GET", plain+"/members").column("members", "display_name"); got != "Ann Bea Former member" {
		t.Errorf("members %s", got)
	}
	h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), ann.id) })

	role := func(c *client, at string) string {
		return c.do("GET", at).want(200).str("community.membership.role")
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
	bea.do("GET", alone).refused(404, "not_found")
	if got := bea.do("GET", shared).want(200).at("community.member_count"); got != 1.0 {
		t.Errorf("%v members", got)
	}
	if got := bea.near(); got != "Cem |  | " {
		t.Errorf("circles %s", got)
	}
	bea.answers(toAnn, "revoke").want(200)
	cem.answers(byAnn, "accept").refused(422, "invitation_closed")
}

// Covers PT-30 and B-82 as far as communities and their members go.
func TestPagesOfCommunities(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	var want []string
	for i := range 7 {
		visibility := []string{"private", "public"}[i%2]
		want = append(want, fmt.Sprint(i))
		ann.community(fmt.Sprintf(`{"name": "%d", "visibility": "%s"}`, i, visibility))
		bea.community(fmt.Sprintf(`{"name": "bea's %d"}`, i))
		if i > 3 { // the others are of one moment
			h.clock.Advance(time.Second)
		}
	}
	slices.Reverse(want)
	walk := func(c *client, path, list, column string) (got []string) {
		cursor := ""
		for {
			a := c.do("GET", path+"limit=2"+cursor).want(200)
			got = append(got, strings.Fields(a.column(list, column))...)
			next := a.str("page.next_cursor")
			if next == "" {
				return got
			}
			cursor = "&cursor=" + next
			bea.do("GET", path+"limit=2"+cursor).refused(400, "invalid_parameter").names("cursor")
			ann.community(`{"name": "new", "visibility": "public"}`) // stands before all of them
		}
	}
	if got := walk(ann, communitiesURL+"?mine=true&", "communities", "name"); !slices.Equal(got, want) {
		t.Errorf("pages of her own: %s, want %s", got, want)
	}
	ann.do("GET", communitiesURL+"?mine=perhaps").refused(400, "invalid_parameter").names("mine")
	ann.do("GET", communitiesURL+"?limit=-1").refused(400, "invalid_parameter").names("limit")

	at := ann.community(`{"name": "all", "visibility": "public", "join_policy": "request"}`)
	for i := range 5 {
		c := h.member(fmt.Sprintf("m%d", i))
		c.do("POST", at+"/join").want(200)
		if i > 1 {
			ann.do("PATCH", c.path(at+"/members"), `{"state": "active"}`).want(200)
		}
	}
	if got := strings.Join(walk(ann, at+"/members?", "members", "display_name"), " "); got != "M0 M1 Ann M2 M3 M4" {
		t.Errorf("members %s", got)
	}
	if got := bea.do("GET", at+"/members?limit=2").want(200).column("members", "display_name"); got != "Ann M2" {
		t.Errorf("bea sees %s", got)
	}
}

// The same for whoever has the service key, and nothing depends on how much
// there is. Covers W-06 as far as communities go.
func TestCommunitiesBetweenServices(t *testing.T) {
	h := open(t, unlimited, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	at := ann.community(`{"name": "x"}`, bea)
	paths := []string{communitiesURL, at, at + "/members", at + "/invitations", "/world/social/invitations", "/world/social/circles"}
	measure := func() (counts []map[string]int) {
		for _, path := range paths {
			h.restart()
			h.ran.take()
			a := ann.internally().do("GET", strings.TrimPrefix(path, "/world")).want(200)
			counts = append(counts, h.ran.take())
			if b := ann.do("GET", path).want(200); a.body != b.body {
				t.Errorf("%s: %s and %s", path, a.body, b.body)
			}
		}
		return counts
	}
	few := measure()
	for i := range 6 {
		c := h.member(fmt.Sprintf("m%d", i))
		c.answers(ann.invites(at, c), "accept").want(200)
		ann.answers(c.invites(c.community(`{"name": "y"}`), ann), "accept").want(200)
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
	h := open(t, unlimited)
	ann := h.member("ann").with("Idempotency-Key", "1")
	first, again := ann.do("POST", communitiesURL, `{"name": "x"}`).want(201), ann.do("POST", communitiesURL, `{"name": "x"}`).want(201)
	if first.body != again.body || len(ann.do("GET", communitiesURL).list("communities")) != 1 {
		t.Errorf("done twice: %s", again.body)
	}
}

// village fills a house with so many members in so many private communities,
// each of about ten of them, the same each time, and returns its members.
func (h *house) village(members, communities int) (list []svc.MemberID) {
	h.t.Helper()
	d := newDice(uint64(members))
	for i := range members {
		name := fmt.Sprintf("villager%d", i)
		a, err := h.identity.Prepare(h.t.Context(), identity.Registration{Email: name + "@example.org", Username: name, DisplayName: name, Password: password})
		if err != nil {
			h.t.Fatal(err)
		}
		var id svc.MemberID
		h.write(func(tx *store.Tx) error {
			m, err := h.identity.AddMember(tx, identity.CommandLine("test"), a)
			id = m.ID
			return err
		})
		list = append(list, id)
	}
	for i := range communities {
		founder := list[i%members]
		h.write(func(tx *store.Tx) error {
			v := svc.Trust(founder)
			c, err := h.social.CreateCommunity(tx, v, social.NewCommunity{Name: fmt.Sprint("Club ", i)})
			for range 9 {
				other := pick(d, list...)
				i, no := h.social.InviteToCommunity(tx, v, c.ID, social.NewInvitation{Recipient: other.String()})
				if svc.KindOf(no) == svc.Conflict || other == founder || err != nil {
					continue
				}
				_, err = h.social.AnswerInvitation(tx, svc.Trust(other), i.ID, "accepted")
			}
			return err
		})
	}
	return list
}

// The circles of somebody among 1,000 members in 200 private communities.
func BenchmarkCircles(b *testing.B) {
	h := open(b, unlimited)
	list := h.village(1000, 200)
	circles := func(s *social.Service) (n int) {
		err := h.db.Read(b.Context(), func(tx *store.Tx) error {
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
			s := social.New(h.identity, nil)
			n = circles(s)
		}
		b.ReportMetric(float64(n), "members")
	})
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			circles(h.social)
		}
	})
}
