package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/store"
	"appliance/svc/identity"
)

// Covers O-21, O-36 and PT-21 as far as events go: who sees what, and who may
// change it, on every path there is.
func TestWhoSeesAnEvent(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cid, dan, eve, fay := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan"), h.member("eve"), h.member("fay")
	gather(t, h, "com_family", "private", ann, bea)
	gather(t, h, "com_work", "private", bea, cid)
	gather(t, h, "com_choir", "private", cid, dan)
	gather(t, h, "com_town", "public", eve, ann, fay)
	ann.do("POST", "/world/social/blocks", map[string]any{"member_id": fay.id}).want(201)
	everybody := []*client{ann, bea, cid, dan, eve, fay}
	for _, c := range []struct {
		fields []any
		sees   string
		runs   string
	}{
		{[]any{"visibility", "public"}, "ann bea cid dan eve", "ann"},
		{[]any{"visibility", "community", "community_id", "com_family"}, "ann bea", "ann"},
		{[]any{"visibility", "community", "community_id", "com_town"}, "ann eve fay", "ann eve"},
		{[]any{"visibility", "circle", "circle_depth", 1}, "ann bea", "ann"},
		{[]any{"visibility", "circle", "circle_depth", 2}, "ann bea cid", "ann"},
		{[]any{"visibility", "circle", "circle_depth", 3}, "ann bea cid dan", "ann"},
		{[]any{}, "ann", "ann"},
	} {
		e := ann.plan(c.fields...)
		self := "/world/social/events/" + e
		sees, runs := strings.Fields(c.sees), strings.Fields(c.runs)
		for _, who := range everybody {
			t.Run(fmt.Sprint(who.name, " ", c.fields), func(t *testing.T) {
				var listed []any
				for _, item := range who.do("GET", "/world/social/events").want(200).list("events") {
					listed = append(listed, dig(item, "id"))
				}
				if slices.Contains(listed, any(e)) != slices.Contains(sees, who.name) {
					t.Errorf("the list has %v", listed)
				}
				if who.has(e) != slices.Contains(sees, who.name) {
					t.Error("the dataset says otherwise")
				}
				if !slices.Contains(sees, who.name) {
					for _, a := range []*answer{who.event(e), who.rsvp(e, "going"), who.do("PATCH", self, `{"title": "x"}`), who.do("DELETE", self),
						who.do("GET", self+"/invitations"), who.do("POST", self+"/invitations", `{"recipient": "ann"}`)} {
						a.refused(404, "not_found")
					}
					if len(who.mirrors()) != 0 {
						t.Error("there is a mirror")
					}
					return
				}
				who.event(e).want(200)
				who.rsvp(e, "maybe").want(200)
				if _, text := who.mirror(); !strings.Contains(text, e) {
					t.Errorf("the mirror is\n%s", text)
				}
				if slices.Contains(runs, who.name) {
					who.do("PATCH", self, map[string]any{"description": who.name}).want(200)
				} else {
					who.do("PATCH", self, `{"title": "x"}`).refused(403, "permission_denied")
					who.do("DELETE", self).refused(403, "permission_denied")
				}
				if who != ann {
					who.do("GET", self+"/invitations").refused(403, "permission_denied")
				}
			})
		}
		// Whoever is hidden is in no count.
		want := len(sees)
		if slices.Contains(sees, "fay") {
			want--
		}
		if got := ann.event(e).want(200); got.at("event.rsvp.counts.maybe") != float64(want) || len(got.list("attendees")) != want {
			t.Errorf("%v: the host counts %s", c.fields, got.body)
		}
		ann.do("DELETE", self+"?purge=true").want(200)
	}
}

// Covers B-72 and the calendar's part of O-36: what two have answered one
// another is taken back when one blocks the other, but not what they do in a
// common community.
func TestABlockTakesEventsOutOfCalendars(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	gather(t, h, "com_town", "public", ann, bea)
	theirs, mine, common := ann.plan("visibility", "public"), bea.plan("visibility", "public"), ann.plan("visibility", "community", "community_id", "com_town")
	for _, e := range []string{theirs, common} {
		bea.rsvp(e, "going").want(200)
	}
	ann.rsvp(mine, "going").want(200)
	bea.do("POST", "/world/social/blocks", map[string]any{"member_id": ann.id}).want(201)
	bea.event(theirs).refused(404, "not_found")
	ann.event(mine).refused(404, "not_found")
	has := func(c *client, event string) bool {
		return strings.Contains(strings.Join(slices.Collect(maps.Values(c.mirrors())), ""), event)
	}
	if has(bea, theirs) || has(ann, mine) || !has(bea, common) || !has(ann, theirs) || !has(bea, mine) {
		t.Errorf("ann has %v\nbea has %v", ann.mirrors(), bea.mirrors())
	}
	if got := ann.event(theirs).want(200); got.at("event.rsvp.counts.going") != 1.0 {
		t.Errorf("the host counts %s", got.body)
	}
}

// Covers the calendar's part of O-36 and PT-21: who came and does not see an
// event any more does not hear what becomes of it.
func TestChangesReachOnlyThoseWhoSeeAnEvent(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	gather(t, h, "com_family", "private", ann, bea)
	gather(t, h, "com_work", "private", bea, cid)
	events := []string{ann.plan("visibility", "circle", "circle_depth", 2), ann.plan("visibility", "community", "community_id", "com_family")}
	for _, e := range events {
		bea.rsvp(e, "going").want(200)
	}
	cid.rsvp(events[0], "going").want(200)
	meddle(t, h, "UPDATE social_membership SET state = 'left' WHERE community_id = 'com_family' AND member_id = 2")
	meddle(t, h, "UPDATE social_graph SET revision = revision + 1")
	for _, e := range events {
		bea.event(e).refused(404, "not_found")
		ann.do("PATCH", "/world/social/events/"+e, `{"title": "Among us"}`).want(200)
	}
	if len(ann.mirrors()) != 2 || len(bea.mirrors()) != 0 || len(cid.mirrors()) != 0 {
		t.Errorf("bea has %v, and cid %v", bea.mirrors(), cid.mirrors())
	}
}

// Covers B-67: no more come than there is room for, however many ask at once.
func TestAnEventIsFull(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	e := ann.plan("visibility", "public", "capacity", 3)
	var all []*client
	for i := range 8 {
		all = append(all, h.member(fmt.Sprint("m", i)))
	}
	var wait sync.WaitGroup
	statuses := make([]int, len(all))
	for i, c := range all {
		wait.Go(func() {
			if a, err := c.try("POST", "/world/social/events/"+e+"/rsvp", `{"response": "going"}`); err == nil {
				statuses[i] = a.status
			}
		})
	}
	wait.Wait()
	slices.Sort(statuses)
	if !slices.Equal(statuses, []int{200, 200, 422, 422, 422, 422, 422, 422}) {
		t.Errorf("they got %v", statuses)
	}
	got := ann.event(e).want(200)
	if got.at("event.rsvp.counts.going") != 3.0 {
		t.Errorf("going: %s", got.body)
	}
	var in, out *client
	for _, c := range all {
		if c.event(e).str("event.rsvp.mine") == "going" {
			in = c
		} else {
			out = c
		}
	}
	out.rsvp(e, "going").refused(422, "event_full")
	out.rsvp(e, "maybe").want(200)
	in.rsvp(e, "going").want(200)
	ann.do("PATCH", "/world/social/events/"+e, `{"capacity": 2}`).refused(422, "invalid_value").names("capacity")
	in.rsvp(e, "declined").want(200)
	out.rsvp(e, "going").want(200)
	in.rsvp(e, "going").refused(422, "event_full")
	ann.do("PATCH", "/world/social/events/"+e, `{"capacity": null}`).want(200)
	in.rsvp(e, "going").want(200)
}

// Covers O-11: no bond comes of an event.
func TestEventsMakeNoBonds(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	e := ann.plan("visibility", "public")
	bea.rsvp(e, "going").want(200)
	f := ann.plan()
	ann.asks(bea, f)
	bea.rsvp(f, "going").want(200)
	for _, c := range []*client{ann, bea} {
		if got := c.do("GET", "/world/social/circles").want(200); len(got.list("circles.0.members")) != 0 {
			t.Errorf("%s is close to %s", c.name, got.body)
		}
	}
}

// Covers B-64's invitations to events: who can be asked, and what becomes of it.
func TestMembersAreAskedToAnEvent(t *testing.T) {
	h := open(t)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	gather(t, h, "com_family", "private", ann, bea)
	e := ann.plan()
	path := "/world/social/events/" + e + "/invitations"
	ann.do("POST", path, `{"recipient": "nobody"}`).refused(404, "recipient_not_found")
	ann.do("POST", path, `{"recipient": "ann"}`).refused(422, "invalid_value").names("recipient")
	ann.do("POST", path, `{}`).refused(400, "field_required").names("recipient")
	asked := ann.asks(bea, e)
	ann.do("POST", path, `{"recipient": "bea"}`).refused(409, "already_exists")
	bea.do("POST", path, `{"recipient": "cid"}`).refused(403, "permission_denied")
	list := ann.do("GET", path).want(200)
	list.fits("service.social.invitation", list.at("invitations.0"))
	if got := fmt.Sprint(append(bea.told(), list.str("invitations.0.state"))); got != "[invitation by 1 pending]" {
		t.Errorf("asked: %s", got)
	}
	cid.answers(asked, "accept").refused(404, "not_found")
	bea.answers(asked, "revoke").refused(403, "permission_denied")
	if a := bea.answers(asked, "accept").want(200); a.str("invitation.state") != "accepted" || bea.event(e).str("event.rsvp.mine") != "going" {
		t.Errorf("accepted: %s", a.body)
	}
	bea.answers(asked, "accept").want(200)
	ann.answers(asked, "revoke").refused(422, "invitation_closed")
	if a := cid.answers(ann.asks(cid, e), "decline").want(200); a.str("invitation.state") != "declined" || cid.event(e).str("event.rsvp.mine") != "declined" {
		t.Errorf("declined: %s", a.body)
	}
	// Revoked, a guest who has not answered sees it no more.
	id := ann.asks(dan, e)
	dan.event(e).want(200)
	if got := dan.do("GET", "/world/social/invitations").want(200).column("invitations", "target.title"); got != "Dinner" {
		t.Errorf("asked to %q", got)
	}
	ann.answers(id, "revoke").want(200)
	dan.event(e).refused(404, "not_found")
	if got := ann.event(e).at("event.rsvp.counts.none"); got != 0.0 {
		t.Errorf("not answered have %v", got)
	}
	if got := fmt.Sprint(ann.told()); got != "[rsvp by 2 rsvp by 3]" {
		t.Errorf("the host is told %s", got)
	}
	// It can be answered as long as the event is to come, whenever that is.
	id = ann.asks(dan, e)
	ann.do("PATCH", "/world/social/events/"+e, `{"start": "2026-12-27T18:00:00", "end": "2026-12-27T22:00:00"}`).want(200)
	if got := ann.do("GET", path).str("invitations.0.expires_at"); got != "2026-12-27T21:00:00Z" {
		t.Errorf("it can be answered until %s", got)
	}
	dan.answers(id, "accept").want(200)
	// Of what is for others, nobody learns by being asked.
	inner := ann.plan("visibility", "circle", "circle_depth", 1)
	ann.do("POST", "/world/social/events/"+inner+"/invitations", `{"recipient": "cid"}`).refused(422, "invalid_value").names("recipient")
	cid.event(inner).refused(404, "not_found")
	ann.asks(bea, inner)
	family := ann.plan("visibility", "community", "community_id", "com_family")
	ann.do("POST", "/world/social/events/"+family+"/invitations", `{"recipient": "cid"}`).refused(422, "invalid_value").names("recipient")
	ann.asks(bea, family)
	// Whoever blocks the host cannot be asked, as if they were not there.
	dan.do("POST", "/world/social/blocks", map[string]any{"member_id": ann.id}).want(201)
	ann.do("POST", path, `{"recipient": "dan"}`).refused(404, "recipient_not_found")
}

// Covers PT-46 as far as events go: a host who is deleted leaves cancelled
// events, and a guest a place.
func TestEventsOfThoseWhoAreDeleted(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	theirs, other := ann.plan("visibility", "public"), bea.plan("visibility", "public", "capacity", 2)
	bea.rsvp(theirs, "going").want(200)
	ann.rsvp(other, "going").want(200)
	cid.rsvp(other, "going").refused(422, "event_full")
	h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), ann.id) })
	if got := bea.event(theirs).want(200); got.str("event.status") != "cancelled" || got.str("event.host.display_name") != "Former member" {
		t.Errorf("the event is %s", got.body)
	}
	if !strings.Contains(strings.Join(slices.Collect(maps.Values(bea.mirrors())), ""), "STATUS:CANCELLED") {
		t.Errorf("the guest has %v", bea.mirrors())
	}
	cid.rsvp(other, "going").want(200)
	if got := bea.event(other).want(200); got.at("event.rsvp.counts.going") != 2.0 || len(got.list("attendees")) != 2 {
		t.Errorf("the other event is %s", got.body)
	}
}

// What is said about an event is at its own address too, for whoever sees it.
// Covers O-04 and O-05.
func TestReplyingToAnEvent(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	e := ann.plan()
	ann.asks(bea, e)
	path := "/world/social/events/" + e + "/replies"
	said := bea.do("POST", path, `{"body": "I bring a cake"}`).want(201)
	if said.str("reply.event_id") != e {
		t.Errorf("it is a reply to %v", said.at("reply.event_id"))
	}
	seen := ann.do("GET", path).want(200)
	if seen.column("replies", "body") != "I bring a cake" {
		t.Errorf("the host reads %s", seen.body)
	}
	bea.do("POST", path, `{"body": " "}`).refused(400, "field_required").names("body")
	cid.do("GET", path).refused(404, "not_found")
	cid.do("POST", path, `{"body": "I come too"}`).refused(404, "not_found")
}

// An event of a community is in the calendars of those who are in it, as long
// as they and it are. Covers O-17 and O-36 as far as calendars go.
func TestEventsGoWithTheirCommunity(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	at := ann.community(`{"name": "Family"}`, bea, cid)
	e := ann.plan("visibility", "community", "community_id", strings.TrimPrefix(at, communitiesURL+"/"))
	entries := func(c *client) int {
		return len(c.do("GET", "/world/time/objects?start=2026-12-01&end=2027-01-01").want(200).list("objects"))
	}
	for _, c := range []*client{bea, cid} {
		c.rsvp(e, "going").want(200)
		if entries(c) != 1 {
			t.Errorf("%s has %d entries", c.name, entries(c))
		}
	}
	bea.do("POST", at+"/leave").want(200)
	if entries(bea) != 0 || entries(cid) != 1 {
		t.Errorf("when bea has left, she has %d entries and cid %d", entries(bea), entries(cid))
	}
	if got := ann.event(e).at("event.rsvp.counts.going"); got != 2.0 {
		t.Errorf("%v are going", got)
	}
	ann.do("DELETE", at).want(200)
	if entries(cid) != 0 {
		t.Errorf("of a community that is gone, cid has %d entries", entries(cid))
	}
	cid.event(e).refused(404, "not_found")
}
