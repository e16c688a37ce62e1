package app

import (
	"fmt"
	"strings"
	"testing"
)

// What members learn of what they do not see, or not any more, and of whom they
// do not meet: nothing.

// blocks has a member block another.
func (c *client) blocks(other *client) *answer {
	c.t.Helper()
	return c.do("POST", "/world/social/blocks", map[string]any{"member_id": other.id})
}

// comID is the id of a community by its address.
func comID(at string) string { return strings.TrimPrefix(at, communitiesURL+"/") }

// Covers O-17, O-36 and B-76: an invitation tells the name of what it is to as
// long as its invitee may come, and not what it is called later.
func TestAnInvitationTellsNoLaterName(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	titles := func() string {
		t.Helper()
		list := bea.do("GET", "/world/social/invitations").want(200)
		for _, i := range list.list("invitations") {
			list.fits("service.social.invitation", i)
		}
		told := bea.do("GET", "/world/social/notifications").want(200)
		for _, n := range told.list("notifications") {
			told.fits("service.social.notification", n)
		}
		return list.column("invitations", "target.title") + "|" + told.column("notifications", "summary")
	}
	for _, c := range []struct {
		name string
		end  func(community, invitation string)
	}{
		{"declined", func(_, i string) { bea.answers(i, "decline").want(200) }},
		{"revoked", func(_, i string) { ann.answers(i, "revoke").want(200) }},
		{"left", func(at, i string) { bea.answers(i, "accept").want(200); bea.do("POST", at+"/leave").want(200) }},
		{"removed", func(at, i string) {
			bea.answers(i, "accept").want(200)
			ann.do("DELETE", bea.path(at+"/members")).want(200)
		}},
	} {
		at := ann.community(`{"name": "Before"}`)
		i := ann.invites(at, bea)
		if got := titles(); !strings.HasPrefix(got, "Before") || !strings.Contains(got, "|Before") {
			t.Errorf("%s: at first the titles are %s", c.name, got)
		}
		c.end(at, i)
		ann.do("PATCH", at, `{"name": "After"}`).want(200)
		if got := titles(); strings.Trim(got, " |") != "" {
			t.Errorf("%s: the titles are %s", c.name, got)
		}
	}

	// The same with events: of one that is for guests, and of a community's.
	quiet := ann.plan("title", "Before")
	i := ann.asks(bea, quiet)
	at := ann.community(`{"name": "Us"}`, bea)
	common := ann.plan("title", "Before", "visibility", "community", "community_id", comID(at))
	ann.asks(bea, common)
	if got := titles(); !strings.HasPrefix(got, "Before Us Before") {
		t.Errorf("the titles are %s", got)
	}
	ann.answers(i, "revoke").want(200)
	bea.do("POST", at+"/leave").want(200)
	for _, e := range []string{quiet, common} {
		ann.do("PATCH", "/world/social/events/"+e, `{"title": "After"}`).want(200)
	}
	if got := titles(); strings.Trim(got, " |") != "" {
		t.Errorf("the titles are %s", got)
	}
	for _, i := range bea.do("GET", "/world/social/invitations").list("invitations") {
		if dig(i, "permissions.can_accept") == true {
			t.Errorf("there is something to accept: %v", i)
		}
	}
}

// Covers O-36 and PT-21 as far as calendars go: an event leaves them when it is
// out of sight, whoever's it is and however it came to be so.
func TestAnEventOutOfSightLeavesTheCalendar(t *testing.T) {
	h := open(t)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	family, club := ann.community(`{"name": "Family"}`, bea), dan.community(`{"name": "Club"}`, cid)
	bea.community(`{"name": "Work"}`, cid)
	for _, c := range []struct {
		name string
		end  func()
	}{
		{"leaving", func() { bea.do("POST", family+"/leave").want(200) }},
		{"removal", func() { ann.do("DELETE", bea.path(family+"/members")).want(200) }},
		{"a block on the way", func() { ann.blocks(bea).want(201) }},
		{"the end of the community", func() { ann.do("DELETE", family).want(200) }},
	} {
		e := ann.plan("visibility", "circle", "circle_depth", 2)
		for _, who := range []*client{bea, cid} {
			who.rsvp(e, "going").want(200)
			who.mirror()
		}
		c.end()
		for _, who := range []*client{bea, cid} {
			who.event(e).refused(404, "not_found")
			if got := who.mirrors(); len(got) != 0 {
				t.Errorf("after %s, %s has %v", c.name, who.name, got)
			}
		}
		if got := ann.event(e).want(200); got.at("event.rsvp.counts.going") != 1.0 || len(got.list("attendees")) != 1 {
			t.Errorf("after %s, the host reads %s", c.name, got.body)
		}
		ann.do("DELETE", "/world/social/events/"+e+"?purge=true").want(200)
		ann.do("DELETE", bea.path("/world/social/blocks"))
		if ann.do("GET", family).status == 200 && bea.do("GET", family).status == 404 {
			bea.answers(ann.invites(family, bea), "accept").want(200)
		}
	}

	// A host who is removed does not read on what the others make of the event.
	e := cid.plan("visibility", "community", "community_id", comID(club))
	cid.mirror()
	dan.rsvp(e, "going").want(200)
	dan.do("DELETE", cid.path(club+"/members")).want(200)
	if got := cid.mirrors(); len(got) != 0 {
		t.Errorf("who was removed has %v", got)
	}
	dan.do("PATCH", "/world/social/events/"+e, `{"title": "Among us"}`).want(200)
	if got := cid.mirrors(); len(got) != 0 {
		t.Errorf("who was removed has %v", got)
	}
	if _, text := dan.mirror(); !strings.Contains(text, "Among us") {
		t.Errorf("who stayed has\n%s", text)
	}
}

// Covers B-72: whom somebody can block does not tell who blocks them. A blocker
// is blocked, and listed, like somebody whose account is disabled.
func TestBlockingTellsNothing(t *testing.T) {
	h := open(t, unlimited)
	op, ann, bea, cid, dan := h.member("op"), h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	bea.blocks(ann).want(201)
	op.do("POST", "/admin/members/update", map[string]any{"id": cid.id, "changes": map[string]any{"status": "disabled"}}).want(200)

	plain := func(c *client, a *answer) string {
		for _, id := range []string{`"id":` + c.id.String(), `"member_id":` + c.id.String(), "“" + c.id.String() + "”", a.header.Get("X-Request-Id"), c.name} {
			a.body = strings.ReplaceAll(a.body, id, "…")
		}
		return fmt.Sprint(a.status, " ", a.body)
	}
	for _, name := range []func(*client) any{
		func(c *client) any { return map[string]any{"recipient": c.name} },
		func(c *client) any { return map[string]any{"recipient": c.name + "@example.org"} },
		func(c *client) any { return map[string]any{"recipient": strings.ToUpper(c.name[:1]) + c.name[1:]} },
		func(c *client) any { return map[string]any{"recipient": c.id.String()} },
		func(c *client) any { return map[string]any{"member_id": c.id} },
	} {
		if one, other := plain(bea, ann.do("POST", "/world/social/blocks", name(bea))), plain(cid, ann.do("POST", "/world/social/blocks", name(cid))); strings.ReplaceAll(one, "Bea", "Cid") != other {
			t.Errorf("the answers are\n%s\n%s", one, other)
		}
	}
	if got := ann.do("GET", "/world/social/blocks").want(200).column("blocks", "display_name"); got != "Former member Former member" {
		t.Errorf("ann blocks %s", got)
	}
	if got := bea.do("GET", "/world/social/blocks").want(200).column("blocks", "display_name"); got != "Former member" {
		t.Errorf("bea blocks %s", got)
	}
	bea.do("DELETE", ann.path("/world/social/blocks")).want(200)
	if got := ann.do("GET", "/world/social/blocks").want(200).column("blocks", "display_name"); !strings.Contains(got, "Bea") {
		t.Errorf("ann blocks %s", got)
	}
	ann.do("POST", "/world/social/blocks", `{"member_id": 99}`).refused(404, "recipient_not_found").names("member_id")
	ann.blocks(dan).want(201)
}

// Covers B-72 and PT-42: those who look after a community reach everybody in
// it. Who has blocked them is there like somebody whose account is disabled.
func TestABlockIsNoShelterInACommunity(t *testing.T) {
	h := open(t, unlimited)
	op, ann, bea, cid, dan := h.member("op"), h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	at := ann.community(`{"name": "Club"}`, bea, cid, dan)
	bea.blocks(ann).want(201)
	bea.blocks(dan).want(201)
	op.do("POST", "/admin/members/update", map[string]any{"id": cid.id, "changes": map[string]any{"status": "disabled"}}).want(200)

	list := ann.do("GET", at+"/members").want(200)
	if got := list.column("members", "display_name"); got != "Ann Former member Former member Dan" {
		t.Errorf("ann sees %s", got)
	}
	if got := ann.do("GET", at).at("community.member_count"); got != 4.0 {
		t.Errorf("ann counts %v", got)
	}
	one, other := dig(list.at("members.1"), "permissions"), dig(list.at("members.2"), "permissions")
	if asJSON(one) != asJSON(other) || dig(one, "can_remove") != true {
		t.Errorf("she may %v and %v", one, other)
	}
	// For a member without that task the two do not meet.
	if got := dan.do("GET", at+"/members").column("members", "display_name"); got != "Ann Former member Dan" {
		t.Errorf("dan sees %s", got)
	}
	if got := dan.do("GET", at).at("community.member_count"); got != 3.0 {
		t.Errorf("dan counts %v", got)
	}
	ann.do("PATCH", bea.path(at+"/members"), `{"role": "moderator"}`).want(200)
	if got := bea.do("GET", at+"/members").column("members", "display_name"); got != "Former member Bea Former member Former member" {
		t.Errorf("bea, who is a moderator, sees %s", got)
	}
	bea.do("DELETE", ann.path(at+"/members")).refused(403, "permission_denied")
	ann.do("DELETE", bea.path(at+"/members")).want(200)
	bea.do("GET", at).refused(404, "not_found")
	ann.do("DELETE", bea.path(at+"/members")).refused(404, "not_found")
	ann.do("DELETE", cid.path(at+"/members")).want(200)
	if got := ann.do("GET", at).at("community.member_count"); got != 2.0 {
		t.Errorf("ann counts %v", got)
	}
}

// Covers B-67 and B-72: an event of a community, and what is said about it, is
// there for whoever is in the community, without those they do not meet.
func TestAnEventOfACommunityAcrossABlock(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	at := ann.community(`{"name": "Club"}`, bea, cid)
	e := bea.plan("visibility", "community", "community_id", comID(at))
	replies := "/world/social/events/" + e + "/replies"
	cid.blocks(bea).want(201)
	ann.do("POST", replies, `{"body": "Who comes? @cid"}`).want(201)
	bea.do("POST", replies, `{"body": "Me, @cid"}`).want(201)
	cid.do("POST", replies, `{"body": "And me"}`).want(201)
	for _, c := range []struct {
		who          *client
		said, host   string
		participants float64
	}{{ann, "Who comes? @cid|Me, @cid|And me", "Bea", 3}, {bea, "Who comes? @cid|Me, @cid", "Bea", 2}, {cid, "Who comes? @cid|And me", "Former member", 2}} {
		var said []string
		for _, r := range c.who.do("GET", replies).want(200).list("replies") {
			said = append(said, dig(r, "body").(string))
		}
		if got := strings.Join(said, "|"); got != c.said {
			t.Errorf("%s reads %s", c.who.name, got)
		}
		shown := c.who.event(e).want(200)
		talk := c.who.do("GET", "/world/social/conversations/"+shown.str("event.conversation_id")+"?peek=1").want(200)
		if got := talk.at("conversation.reply_count"); got != float64(len(said)) {
			t.Errorf("%s counts %v replies", c.who.name, got)
		}
		if got := talk.at("conversation.participant_count"); got != c.participants {
			t.Errorf("%s counts %v participants", c.who.name, got)
		}
		if shown.str("event.host.display_name") != c.host || talk.str("conversation.author.display_name") != c.host {
			t.Errorf("%s is told of %v and %v", c.who.name, shown.at("event.host"), talk.at("conversation.author"))
		}
	}
	// Where nothing can be said any more, nobody is told that they can.
	ann.do("DELETE", "/world/social/conversations/"+ann.event(e).str("event.conversation_id")).want(200)
	for _, c := range []*client{ann, bea, cid} {
		if shown := c.event(e); shown.at("event.permissions.can_reply") != false || strings.Contains(asJSON(shown.at("event.actions")), "replies") {
			t.Errorf("%s may reply: %s", c.name, shown.body)
		}
		c.do("POST", replies, `{"body": "Hello?"}`).refused(422, "conversation_closed")
	}
	if got := cid.do("GET", "/world/social/notifications").column("notifications", "title"); got != "Ann mentioned you Ann invited you" {
		t.Errorf("cid is told: %s", got)
	}
	cid.rsvp(e, "going").want(200)
	ann.do("PATCH", "/world/social/events/"+e, `{"location": {"label": "Elsewhere"}}`).want(200)
	if got := cid.do("GET", "/world/social/notifications").column("notifications", "title"); !strings.HasPrefix(got, "Ann changed the event") {
		t.Errorf("cid is told: %s", got)
	}
}

// Covers O-36 and B-84: the ETag of a dataset does not tell of what is for
// others.
func TestTheTagOfADatasetTellsNothingOfOthers(t *testing.T) {
	h := open(t)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	at := ann.community(`{"name": "Family"}`, bea)
	bea.community(`{"name": "Work"}`, cid)
	tag := func(c *client) string {
		t.Helper()
		return c.runtime().do("GET", "/world/runtime").want(200).header.Get("ETag")
	}
	circle := map[string]any{"title": "T", "body": "B", "context": map[string]any{"kind": "circle", "depth": 1}}
	common := map[string]any{"title": "T", "body": "B", "context": map[string]any{"kind": "community", "id": comID(at)}}
	for _, c := range []struct {
		what string
		do   func()
		told bool // Bea, who may see it
	}{
		{"a message", func() { ann.do("POST", "/world/messages", `{"recipient": "bea", "body": "B"}`).want(201) }, true},
		{"a DM", func() { ann.do("POST", "/world/social/dms", `{"recipient": "bea", "body": "B"}`).want(201) }, true},
		{"presence", func() {
			ann.do("POST", "/world/social/presence", `{"state": "online", "visible_to": "inner"}`).want(200)
		}, true},
		{"presence for nobody", func() {
			ann.do("POST", "/world/social/presence", `{"state": "busy", "visible_to": "nobody"}`).want(200)
			ann.do("POST", "/world/social/presence", `{"state": "away", "visible_to": "nobody"}`).want(200)
		}, true}, // that it ended
		{"a conversation of a circle", func() { ann.do("POST", "/world/social/conversations", circle).want(201) }, true},
		{"a conversation of a community", func() { ann.do("POST", "/world/social/conversations", common).want(201) }, true},
		{"an event for a circle", func() { ann.plan("visibility", "circle", "circle_depth", 1) }, true},
		{"an event for guests", func() { ann.plan() }, false},
	} {
		before := []string{tag(bea), tag(cid), tag(dan)}
		c.do()
		after := []string{tag(bea), tag(cid), tag(dan)}
		if (before[0] != after[0]) != c.told || before[1] != after[1] || before[2] != after[2] {
			t.Errorf("of %s: the tags were %v and are %v", c.what, before, after)
		}
	}
}

// What a member has before them keeps nothing of what others wrote: that stays
// with the service that asks who may read it. Covers S-73, B-76 and PT-21 as far
// as the workspace goes.
func TestTheWorkspaceKeepsNothingOthersWrote(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	const words = "At the old mill"
	family := ann.community(fmt.Sprintf(`{"name": "Family", "summary": %q}`, words), bea)
	ann.do("POST", "/world/social/conversations", map[string]any{"title": "Trip", "body": words, "context": map[string]any{"kind": "community", "id": comID(family)}}).want(201)
	ann.plan("title", "Supper", "description", words, "visibility", "community", "community_id", comID(family))
	ann.tell("bea", words)
	ann.writes(bea, words)
	for _, name := range []string{"community Family", "conversation Trip", "event Supper", "message_thread Ann", "social_dm Ann"} {
		bea.done(bea.acts("focus_object", name))
		now := bea.desktop()
		panel := dig(now.one("surfaces", now.str("stacks.0.focused_surface_id")), "content_source.url").(string)
		if !strings.Contains(bea.do("GET", panel).want(200).body, words) {
			t.Errorf("%s is not shown at %s", name, panel)
		}
		if strings.Contains(now.body, words) {
			t.Errorf("%s: what it says is kept:\n%s", name, now.body)
		}
	}
	ann.do("DELETE", bea.path(family+"/members")).want(200)
	bea.arranges("Ann, Ann*")
}
