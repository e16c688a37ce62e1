package social

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers O-17, O-36 and B-76: an invitation tells the name of what it is to as
// long as its invitee may come, and not what it is called later.
func TestAnInvitationTellsNoLaterName(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	titles := func() string {
		t.Helper()
		list := bea.Do("GET", "/world/social/invitations").Want(200)
		for _, i := range list.List("invitations") {
			list.WantSchema("service.social.invitation", i)
		}
		told := bea.Do("GET", "/world/social/notifications").Want(200)
		for _, n := range told.List("notifications") {
			told.WantSchema("service.social.notification", n)
		}
		return list.Column("invitations", "target.title") + "|" + told.Column("notifications", "summary")
	}
	for _, c := range []struct {
		name string
		end  func(community, invitation string)
	}{
		{"declined", func(_, i string) { bea.AnswerInvitation(i, "decline").Want(200) }},
		{"revoked", func(_, i string) { ann.AnswerInvitation(i, "revoke").Want(200) }},
		{"left", func(at, i string) { bea.AnswerInvitation(i, "accept").Want(200); bea.Do("POST", at+"/leave").Want(200) }},
		{"removed", func(at, i string) {
			bea.AnswerInvitation(i, "accept").Want(200)
			ann.Do("DELETE", path(bea, at+"/members")).Want(200)
		}},
	} {
		at := ann.CreateCommunity(`{"name": "Before"}`)
		i := ann.InviteToCommunity(at, bea)
		if got := titles(); !strings.HasPrefix(got, "Before") || !strings.Contains(got, "|Before") {
			t.Errorf("%s: at first the titles are %s", c.name, got)
		}
		c.end(at, i)
		ann.Do("PATCH", at, `{"name": "After"}`).Want(200)
		if got := titles(); strings.Trim(got, " |") != "" {
			t.Errorf("%s: the titles are %s", c.name, got)
		}
	}

	// The same with events: of one that is for guests, and of a community's.
	quiet := ann.CreateEvent("title", "Before")
	i := asks(ann, bea, quiet)
	at := ann.CreateCommunity(`{"name": "Us"}`, bea)
	common := ann.CreateEvent("title", "Before", "visibility", "community", "community_id", apptest.LastSegment(at))
	asks(ann, bea, common)
	if got := titles(); !strings.HasPrefix(got, "Before Us Before") {
		t.Errorf("the titles are %s", got)
	}
	ann.AnswerInvitation(i, "revoke").Want(200)
	bea.Do("POST", at+"/leave").Want(200)
	for _, e := range []string{quiet, common} {
		ann.Do("PATCH", "/world/social/events/"+e, `{"title": "After"}`).Want(200)
	}
	if got := titles(); strings.Trim(got, " |") != "" {
		t.Errorf("the titles are %s", got)
	}
	for _, i := range bea.Do("GET", "/world/social/invitations").List("invitations") {
		if apptest.At(i, "permissions.can_accept") == true {
			t.Errorf("there is something to accept: %v", i)
		}
	}
}

// Covers O-36 and PT-21 as far as calendars go: an event leaves them when it is
// out of sight, whoever's it is and however it came to be so.
func TestAnEventOutOfSightLeavesTheCalendar(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	family, club := ann.CreateCommunity(`{"name": "Family"}`, bea), dan.CreateCommunity(`{"name": "Club"}`, cid)
	bea.CreateCommunity(`{"name": "Work"}`, cid)
	for _, c := range []struct {
		name string
		end  func()
	}{
		{"leaving", func() { bea.Do("POST", family+"/leave").Want(200) }},
		{"removal", func() { ann.Do("DELETE", path(bea, family+"/members")).Want(200) }},
		{"a block on the way", func() { ann.Block(bea).Want(201) }},
		{"the end of the community", func() { ann.Do("DELETE", family).Want(200) }},
	} {
		e := ann.CreateEvent("visibility", "circle", "circle_depth", 2)
		for _, who := range []*apptest.Client{bea, cid} {
			rsvp(who, e, "going").Want(200)
			who.Mirror()
		}
		c.end()
		for _, who := range []*apptest.Client{bea, cid} {
			event(who, e).WantError(404, "not_found")
			if got := who.Mirrors(); len(got) != 0 {
				t.Errorf("after %s, %s has %v", c.name, who.Name, got)
			}
		}
		if got := event(ann, e).Want(200); got.At("event.rsvp.counts.going") != 1.0 || len(got.List("attendees")) != 1 {
			t.Errorf("after %s, the host reads %s", c.name, got.Body)
		}
		ann.Do("DELETE", "/world/social/events/"+e+"?purge=true").Want(200)
		ann.Do("DELETE", path(bea, "/world/social/blocks"))
		if ann.Do("GET", family).Status == 200 && bea.Do("GET", family).Status == 404 {
			bea.AnswerInvitation(ann.InviteToCommunity(family, bea), "accept").Want(200)
		}
	}

	// A host who is removed does not read on what the others make of the event.
	e := cid.CreateEvent("visibility", "community", "community_id", apptest.LastSegment(club))
	cid.Mirror()
	rsvp(dan, e, "going").Want(200)
	dan.Do("DELETE", path(cid, club+"/members")).Want(200)
	if got := cid.Mirrors(); len(got) != 0 {
		t.Errorf("who was removed has %v", got)
	}
	dan.Do("PATCH", "/world/social/events/"+e, `{"title": "Among us"}`).Want(200)
	if got := cid.Mirrors(); len(got) != 0 {
		t.Errorf("who was removed has %v", got)
	}
	if _, text := dan.Mirror(); !strings.Contains(text, "Among us") {
		t.Errorf("who stayed has\n%s", text)
	}
}

// Covers B-72: whom somebody can block does not tell who blocks them. A blocker
// is blocked, and listed, like somebody whose account is disabled.
func TestBlockingTellsNothing(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	op, ann, bea, cid, dan := h.Member("op"), h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	bea.Block(ann).Want(201)
	op.Do("POST", "/admin/members/update", map[string]any{"id": cid.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)

	plain := func(c *apptest.Client, a *apptest.Answer) string {
		for _, id := range []string{`"id":` + c.ID.String(), `"member_id":` + c.ID.String(), "“" + c.ID.String() + "”", a.Header.Get("X-Request-Id"), c.Name} {
			a.Body = strings.ReplaceAll(a.Body, id, "…")
		}
		return fmt.Sprint(a.Status, " ", a.Body)
	}
	for _, name := range []func(*apptest.Client) any{
		func(c *apptest.Client) any { return map[string]any{"recipient": c.Name} },
		func(c *apptest.Client) any { return map[string]any{"recipient": c.Name + "@example.org"} },
		func(c *apptest.Client) any {
			return map[string]any{"recipient": strings.ToUpper(c.Name[:1]) + c.Name[1:]}
		},
		func(c *apptest.Client) any { return map[string]any{"recipient": c.ID.String()} },
		func(c *apptest.Client) any { return map[string]any{"member_id": c.ID} },
	} {
		if one, other := plain(bea, ann.Do("POST", "/world/social/blocks", name(bea))), plain(cid, ann.Do("POST", "/world/social/blocks", name(cid))); strings.ReplaceAll(one, "Bea", "Cid") != other {
			t.Errorf("the answers are\n%s\n%s", one, other)
		}
	}
	if got := ann.Do("GET", "/world/social/blocks").Want(200).Column("blocks", "display_name"); got != "Former member Former member" {
		t.Errorf("ann blocks %s", got)
	}
	if got := bea.Do("GET", "/world/social/blocks").Want(200).Column("blocks", "display_name"); got != "Former member" {
		t.Errorf("bea blocks %s", got)
	}
	bea.Do("DELETE", path(ann, "/world/social/blocks")).Want(200)
	if got := ann.Do("GET", "/world/social/blocks").Want(200).Column("blocks", "display_name"); !strings.Contains(got, "Bea") {
		t.Errorf("ann blocks %s", got)
	}
	ann.Do("POST", "/world/social/blocks", `{"member_id": 99}`).WantError(404, "recipient_not_found").WantFields("member_id")
	ann.Block(dan).Want(201)
}

// Covers B-72 and PT-42: those who look after a community reach everybody in
// it. Who has blocked them is there like somebody whose account is disabled.
func TestABlockIsNoShelterInACommunity(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	op, ann, bea, cid, dan := h.Member("op"), h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	at := ann.CreateCommunity(`{"name": "Club"}`, bea, cid, dan)
	bea.Block(ann).Want(201)
	bea.Block(dan).Want(201)
	op.Do("POST", "/admin/members/update", map[string]any{"id": cid.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)

	list := ann.Do("GET", at+"/members").Want(200)
	if got := list.Column("members", "display_name"); got != "Ann Former member Former member Dan" {
		t.Errorf("ann sees %s", got)
	}
	if got := ann.Do("GET", at).At("community.member_count"); got != 4.0 {
		t.Errorf("ann counts %v", got)
	}
	one, other := apptest.At(list.At("members.1"), "permissions"), apptest.At(list.At("members.2"), "permissions")
	if apptest.JSON(one) != apptest.JSON(other) || apptest.At(one, "can_remove") != true {
		t.Errorf("she may %v and %v", one, other)
	}
	// For a member without that task the two do not meet.
	if got := dan.Do("GET", at+"/members").Column("members", "display_name"); got != "Ann Former member Dan" {
		t.Errorf("dan sees %s", got)
	}
	if got := dan.Do("GET", at).At("community.member_count"); got != 3.0 {
		t.Errorf("dan counts %v", got)
	}
	ann.Do("PATCH", path(bea, at+"/members"), `{"role": "moderator"}`).Want(200)
	if got := bea.Do("GET", at+"/members").Column("members", "display_name"); got != "Former member Bea Former member Former member" {
		t.Errorf("bea, who is a moderator, sees %s", got)
	}
	bea.Do("DELETE", path(ann, at+"/members")).WantError(403, "permission_denied")
	ann.Do("DELETE", path(bea, at+"/members")).Want(200)
	bea.Do("GET", at).WantError(404, "not_found")
	ann.Do("DELETE", path(bea, at+"/members")).WantError(404, "not_found")
	ann.Do("DELETE", path(cid, at+"/members")).Want(200)
	if got := ann.Do("GET", at).At("community.member_count"); got != 2.0 {
		t.Errorf("ann counts %v", got)
	}
}

// Covers B-67 and B-72: an event of a community, and what is said about it, is
// there for whoever is in the community, without those they do not meet.
func TestAnEventOfACommunityAcrossABlock(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	at := ann.CreateCommunity(`{"name": "Club"}`, bea, cid)
	e := bea.CreateEvent("visibility", "community", "community_id", apptest.LastSegment(at))
	replies := "/world/social/events/" + e + "/replies"
	cid.Block(bea).Want(201)
	ann.Do("POST", replies, `{"body": "Who comes? @cid"}`).Want(201)
	bea.Do("POST", replies, `{"body": "Me, @cid"}`).Want(201)
	cid.Do("POST", replies, `{"body": "And me"}`).Want(201)
	for _, c := range []struct {
		who          *apptest.Client
		said, host   string
		participants float64
	}{{ann, "Who comes? @cid|Me, @cid|And me", "Bea", 3}, {bea, "Who comes? @cid|Me, @cid", "Bea", 2}, {cid, "Who comes? @cid|And me", "Former member", 2}} {
		var said []string
		for _, r := range c.who.Do("GET", replies).Want(200).List("replies") {
			said = append(said, apptest.At(r, "body").(string))
		}
		if got := strings.Join(said, "|"); got != c.said {
			t.Errorf("%s reads %s", c.who.Name, got)
		}
		shown := event(c.who, e).Want(200)
		talk := c.who.Do("GET", "/world/social/conversations/"+shown.Str("event.conversation_id")+"?peek=1").Want(200)
		if got := talk.At("conversation.reply_count"); got != float64(len(said)) {
			t.Errorf("%s counts %v replies", c.who.Name, got)
		}
		if got := talk.At("conversation.participant_count"); got != c.participants {
			t.Errorf("%s counts %v participants", c.who.Name, got)
		}
		if shown.Str("event.host.display_name") != c.host || talk.Str("conversation.author.display_name") != c.host {
			t.Errorf("%s is told of %v and %v", c.who.Name, shown.At("event.host"), talk.At("conversation.author"))
		}
	}
	// Where nothing can be said any more, nobody is told that they can.
	ann.Do("DELETE", "/world/social/conversations/"+event(ann, e).Str("event.conversation_id")).Want(200)
	for _, c := range []*apptest.Client{ann, bea, cid} {
		if shown := event(c, e); shown.At("event.permissions.can_reply") != false || strings.Contains(apptest.JSON(shown.At("event.actions")), "replies") {
			t.Errorf("%s may reply: %s", c.Name, shown.Body)
		}
		c.Do("POST", replies, `{"body": "Hello?"}`).WantError(422, "conversation_closed")
	}
	if got := cid.Do("GET", "/world/social/notifications").Column("notifications", "title"); got != "Ann mentioned you Ann invited you" {
		t.Errorf("cid is told: %s", got)
	}
	rsvp(cid, e, "going").Want(200)
	ann.Do("PATCH", "/world/social/events/"+e, `{"location": {"label": "Elsewhere"}}`).Want(200)
	if got := cid.Do("GET", "/world/social/notifications").Column("notifications", "title"); !strings.HasPrefix(got, "Ann changed the event") {
		t.Errorf("cid is told: %s", got)
	}
}

// Covers O-36 and B-84: the ETag of a dataset does not tell of what is for
// others.
func TestTheTagOfADatasetTellsNothingOfOthers(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	at := ann.CreateCommunity(`{"name": "Family"}`, bea)
	bea.CreateCommunity(`{"name": "Work"}`, cid)
	tag := func(c *apptest.Client) string {
		t.Helper()
		return c.Runtime().Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
	}
	circle := map[string]any{"title": "T", "body": "B", "context": map[string]any{"kind": "circle", "depth": 1}}
	common := map[string]any{"title": "T", "body": "B", "context": map[string]any{"kind": "community", "id": apptest.LastSegment(at)}}
	for _, c := range []struct {
		what string
		do   func()
		told bool // Bea, who may see it
	}{
		{"a message", func() { ann.Do("POST", "/world/messages", `{"recipient": "bea", "body": "B"}`).Want(201) }, true},
		{"a DM", func() { ann.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "B"}`).Want(201) }, true},
		{"presence", func() {
			ann.Do("POST", "/world/social/presence", `{"state": "online", "visible_to": "inner"}`).Want(200)
		}, true},
		{"presence for nobody", func() {
			ann.Do("POST", "/world/social/presence", `{"state": "busy", "visible_to": "nobody"}`).Want(200)
			ann.Do("POST", "/world/social/presence", `{"state": "away", "visible_to": "nobody"}`).Want(200)
		}, true}, // that it ended
		{"a conversation of a circle", func() { ann.Do("POST", "/world/social/conversations", circle).Want(201) }, true},
		{"a conversation of a community", func() { ann.Do("POST", "/world/social/conversations", common).Want(201) }, true},
		{"an event for a circle", func() { ann.CreateEvent("visibility", "circle", "circle_depth", 1) }, true},
		{"an event for guests", func() { ann.CreateEvent() }, false},
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
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	const words = "At the old mill"
	family := ann.CreateCommunity(fmt.Sprintf(`{"name": "Family", "summary": %q}`, words), bea)
	ann.Do("POST", "/world/social/conversations", map[string]any{"title": "Trip", "body": words, "context": map[string]any{"kind": "community", "id": apptest.LastSegment(family)}}).Want(201)
	ann.CreateEvent("title", "Supper", "description", words, "visibility", "community", "community_id", apptest.LastSegment(family))
	ann.SendMessage("bea", words)
	ann.SendDM(bea, words)
	for _, name := range []string{"community Family", "conversation Trip", "event Supper", "message_thread Ann", "social_dm Ann"} {
		bea.WantDone(bea.Act("focus_object", name))
		now := bea.SurfaceRuntime()
		panel := apptest.At(now.Surface("surfaces", now.Str("stacks.0.focused_surface_id")), "content_source.url").(string)
		if !strings.Contains(bea.Do("GET", panel).Want(200).Body, words) {
			t.Errorf("%s is not shown at %s", name, panel)
		}
		if strings.Contains(now.Body, words) {
			t.Errorf("%s: what it says is kept:\n%s", name, now.Body)
		}
	}
	ann.Do("DELETE", path(bea, family+"/members")).Want(200)
	bea.WantWorkspace("Ann, Ann*")
}
