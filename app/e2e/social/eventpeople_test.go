package social

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/identity"
)

// Covers O-21, O-36 and PT-21 as far as events go: who sees what, and who may
// change it, on every path there is.
func TestWhoSeesAnEvent(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cid, dan, eve, fay := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan"), h.Member("eve"), h.Member("fay")
	gather(t, h, "com_family", "private", ann, bea)
	gather(t, h, "com_work", "private", bea, cid)
	gather(t, h, "com_choir", "private", cid, dan)
	gather(t, h, "com_town", "public", eve, ann, fay)
	ann.Do("POST", "/world/social/blocks", map[string]any{"member_id": fay.ID}).Want(201)
	everybody := []*apptest.Client{ann, bea, cid, dan, eve, fay}
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
		e := ann.CreateEvent(c.fields...)
		self := "/world/social/events/" + e
		sees, runs := strings.Fields(c.sees), strings.Fields(c.runs)
		for _, who := range everybody {
			t.Run(fmt.Sprint(who.Name, " ", c.fields), func(t *testing.T) {
				var listed []any
				for _, item := range who.Do("GET", "/world/social/events").Want(200).List("events") {
					listed = append(listed, apptest.At(item, "id"))
				}
				if slices.Contains(listed, any(e)) != slices.Contains(sees, who.Name) {
					t.Errorf("the list has %v", listed)
				}
				if has(who, e) != slices.Contains(sees, who.Name) {
					t.Error("the dataset says otherwise")
				}
				if !slices.Contains(sees, who.Name) {
					for _, a := range []*apptest.Answer{event(who, e), rsvp(who, e, "going"), who.Do("PATCH", self, `{"title": "x"}`), who.Do("DELETE", self),
						who.Do("GET", self+"/invitations"), who.Do("POST", self+"/invitations", `{"recipient": "ann"}`)} {
						a.WantError(404, "not_found")
					}
					if len(who.Mirrors()) != 0 {
						t.Error("there is a mirror")
					}
					return
				}
				event(who, e).Want(200)
				rsvp(who, e, "maybe").Want(200)
				if _, text := who.Mirror(); !strings.Contains(text, e) {
					t.Errorf("the mirror is\n%s", text)
				}
				if slices.Contains(runs, who.Name) {
					who.Do("PATCH", self, map[string]any{"description": who.Name}).Want(200)
				} else {
					who.Do("PATCH", self, `{"title": "x"}`).WantError(403, "permission_denied")
					who.Do("DELETE", self).WantError(403, "permission_denied")
				}
				if who != ann {
					who.Do("GET", self+"/invitations").WantError(403, "permission_denied")
				}
			})
		}
		// Whoever is hidden is in no count.
		want := len(sees)
		if slices.Contains(sees, "fay") {
			want--
		}
		if got := event(ann, e).Want(200); got.At("event.rsvp.counts.maybe") != float64(want) || len(got.List("attendees")) != want {
			t.Errorf("%v: the host counts %s", c.fields, got.Body)
		}
		ann.Do("DELETE", self+"?purge=true").Want(200)
	}
}

// Covers B-72 and the calendar's part of O-36: what two have answered one
// another is taken back when one blocks the other, but not what they do in a
// common community.
func TestABlockTakesEventsOutOfCalendars(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	gather(t, h, "com_town", "public", ann, bea)
	theirs, mine, common := ann.CreateEvent("visibility", "public"), bea.CreateEvent("visibility", "public"), ann.CreateEvent("visibility", "community", "community_id", "com_town")
	for _, e := range []string{theirs, common} {
		rsvp(bea, e, "going").Want(200)
	}
	rsvp(ann, mine, "going").Want(200)
	bea.Do("POST", "/world/social/blocks", map[string]any{"member_id": ann.ID}).Want(201)
	event(bea, theirs).WantError(404, "not_found")
	event(ann, mine).WantError(404, "not_found")
	has := func(c *apptest.Client, event string) bool {
		return strings.Contains(strings.Join(slices.Collect(maps.Values(c.Mirrors())), ""), event)
	}
	if has(bea, theirs) || has(ann, mine) || !has(bea, common) || !has(ann, theirs) || !has(bea, mine) {
		t.Errorf("ann has %v\nbea has %v", ann.Mirrors(), bea.Mirrors())
	}
	if got := event(ann, theirs).Want(200); got.At("event.rsvp.counts.going") != 1.0 {
		t.Errorf("the host counts %s", got.Body)
	}
}

// Covers the calendar's part of O-36 and PT-21: who came and does not see an
// event any more does not hear what becomes of it.
func TestChangesReachOnlyThoseWhoSeeAnEvent(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	gather(t, h, "com_family", "private", ann, bea)
	gather(t, h, "com_work", "private", bea, cid)
	events := []string{ann.CreateEvent("visibility", "circle", "circle_depth", 2), ann.CreateEvent("visibility", "community", "community_id", "com_family")}
	for _, e := range events {
		rsvp(bea, e, "going").Want(200)
	}
	rsvp(cid, events[0], "going").Want(200)
	h.Exec("UPDATE social_membership SET state = 'left' WHERE community_id = 'com_family' AND member_id = 2")
	h.Exec("UPDATE social_graph SET revision = revision + 1")
	for _, e := range events {
		event(bea, e).WantError(404, "not_found")
		ann.Do("PATCH", "/world/social/events/"+e, `{"title": "Among us"}`).Want(200)
	}
	if len(ann.Mirrors()) != 2 || len(bea.Mirrors()) != 0 || len(cid.Mirrors()) != 0 {
		t.Errorf("bea has %v, and cid %v", bea.Mirrors(), cid.Mirrors())
	}
}

// Covers B-67: no more come than there is room for, however many ask at once.
func TestAnEventIsFull(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	e := ann.CreateEvent("visibility", "public", "capacity", 3)
	var all []*apptest.Client
	for i := range 8 {
		all = append(all, h.Member(fmt.Sprint("m", i)))
	}
	var wait sync.WaitGroup
	statuses := make([]int, len(all))
	for i, c := range all {
		wait.Go(func() {
			if a, err := c.Try("POST", "/world/social/events/"+e+"/rsvp", `{"response": "going"}`); err == nil {
				statuses[i] = a.Status
			}
		})
	}
	wait.Wait()
	slices.Sort(statuses)
	if !slices.Equal(statuses, []int{200, 200, 422, 422, 422, 422, 422, 422}) {
		t.Errorf("they got %v", statuses)
	}
	got := event(ann, e).Want(200)
	if got.At("event.rsvp.counts.going") != 3.0 {
		t.Errorf("going: %s", got.Body)
	}
	var in, out *apptest.Client
	for _, c := range all {
		if event(c, e).Str("event.rsvp.mine") == "going" {
			in = c
		} else {
			out = c
		}
	}
	rsvp(out, e, "going").WantError(422, "event_full")
	rsvp(out, e, "maybe").Want(200)
	rsvp(in, e, "going").Want(200)
	ann.Do("PATCH", "/world/social/events/"+e, `{"capacity": 2}`).WantError(422, "invalid_value").WantFields("capacity")
	rsvp(in, e, "declined").Want(200)
	rsvp(out, e, "going").Want(200)
	rsvp(in, e, "going").WantError(422, "event_full")
	ann.Do("PATCH", "/world/social/events/"+e, `{"capacity": null}`).Want(200)
	rsvp(in, e, "going").Want(200)
}

// Covers O-11: no bond comes of an event.
func TestEventsMakeNoBonds(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	e := ann.CreateEvent("visibility", "public")
	rsvp(bea, e, "going").Want(200)
	f := ann.CreateEvent()
	asks(ann, bea, f)
	rsvp(bea, f, "going").Want(200)
	for _, c := range []*apptest.Client{ann, bea} {
		if got := c.Do("GET", "/world/social/circles").Want(200); len(got.List("circles.0.members")) != 0 {
			t.Errorf("%s is close to %s", c.Name, got.Body)
		}
	}
}

// Covers B-64's invitations to events: who can be asked, and what becomes of it.
func TestMembersAreAskedToAnEvent(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	gather(t, h, "com_family", "private", ann, bea)
	e := ann.CreateEvent()
	path := "/world/social/events/" + e + "/invitations"
	ann.Do("POST", path, `{"recipient": "nobody"}`).WantError(404, "recipient_not_found")
	ann.Do("POST", path, `{"recipient": "ann"}`).WantError(422, "invalid_value").WantFields("recipient")
	ann.Do("POST", path, `{}`).WantError(400, "field_required").WantFields("recipient")
	asked := asks(ann, bea, e)
	ann.Do("POST", path, `{"recipient": "bea"}`).WantError(409, "already_exists")
	bea.Do("POST", path, `{"recipient": "cid"}`).WantError(403, "permission_denied")
	list := ann.Do("GET", path).Want(200)
	list.WantSchema("service.social.invitation", list.At("invitations.0"))
	if got := fmt.Sprint(append(told(bea), list.Str("invitations.0.state"))); got != "[invitation by 1 pending]" {
		t.Errorf("asked: %s", got)
	}
	cid.AnswerInvitation(asked, "accept").WantError(404, "not_found")
	bea.AnswerInvitation(asked, "revoke").WantError(403, "permission_denied")
	if a := bea.AnswerInvitation(asked, "accept").Want(200); a.Str("invitation.state") != "accepted" || event(bea, e).Str("event.rsvp.mine") != "going" {
		t.Errorf("accepted: %s", a.Body)
	}
	bea.AnswerInvitation(asked, "accept").Want(200)
	ann.AnswerInvitation(asked, "revoke").WantError(422, "invitation_closed")
	if a := cid.AnswerInvitation(asks(ann, cid, e), "decline").Want(200); a.Str("invitation.state") != "declined" || event(cid, e).Str("event.rsvp.mine") != "declined" {
		t.Errorf("declined: %s", a.Body)
	}
	// Revoked, a guest who has not answered sees it no more.
	id := asks(ann, dan, e)
	event(dan, e).Want(200)
	if got := dan.Do("GET", "/world/social/invitations").Want(200).Column("invitations", "target.title"); got != "Dinner" {
		t.Errorf("asked to %q", got)
	}
	ann.AnswerInvitation(id, "revoke").Want(200)
	event(dan, e).WantError(404, "not_found")
	if got := event(ann, e).At("event.rsvp.counts.none"); got != 0.0 {
		t.Errorf("not answered have %v", got)
	}
	if got := fmt.Sprint(told(ann)); got != "[rsvp by 2 rsvp by 3]" {
		t.Errorf("the host is told %s", got)
	}
	// It can be answered as long as the event is to come, whenever that is.
	id = asks(ann, dan, e)
	ann.Do("PATCH", "/world/social/events/"+e, `{"start": "2026-12-27T18:00:00", "end": "2026-12-27T22:00:00"}`).Want(200)
	if got := ann.Do("GET", path).Str("invitations.0.expires_at"); got != "2026-12-27T21:00:00Z" {
		t.Errorf("it can be answered until %s", got)
	}
	dan.AnswerInvitation(id, "accept").Want(200)
	// Of what is for others, nobody learns by being asked.
	inner := ann.CreateEvent("visibility", "circle", "circle_depth", 1)
	ann.Do("POST", "/world/social/events/"+inner+"/invitations", `{"recipient": "cid"}`).WantError(422, "invalid_value").WantFields("recipient")
	event(cid, inner).WantError(404, "not_found")
	asks(ann, bea, inner)
	family := ann.CreateEvent("visibility", "community", "community_id", "com_family")
	ann.Do("POST", "/world/social/events/"+family+"/invitations", `{"recipient": "cid"}`).WantError(422, "invalid_value").WantFields("recipient")
	asks(ann, bea, family)
	// Whoever blocks the host cannot be asked, as if they were not there.
	dan.Do("POST", "/world/social/blocks", map[string]any{"member_id": ann.ID}).Want(201)
	ann.Do("POST", path, `{"recipient": "dan"}`).WantError(404, "recipient_not_found")
}

// Covers PT-46 as far as events go: a host who is deleted leaves cancelled
// events, and a guest a place.
func TestEventsOfThoseWhoAreDeleted(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	theirs, other := ann.CreateEvent("visibility", "public"), bea.CreateEvent("visibility", "public", "capacity", 2)
	rsvp(bea, theirs, "going").Want(200)
	rsvp(ann, other, "going").Want(200)
	rsvp(cid, other, "going").WantError(422, "event_full")
	h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), ann.ID) })
	if got := event(bea, theirs).Want(200); got.Str("event.status") != "cancelled" || got.Str("event.host.display_name") != "Former member" {
		t.Errorf("the event is %s", got.Body)
	}
	if !strings.Contains(strings.Join(slices.Collect(maps.Values(bea.Mirrors())), ""), "STATUS:CANCELLED") {
		t.Errorf("the guest has %v", bea.Mirrors())
	}
	rsvp(cid, other, "going").Want(200)
	if got := event(bea, other).Want(200); got.At("event.rsvp.counts.going") != 2.0 || len(got.List("attendees")) != 2 {
		t.Errorf("the other event is %s", got.Body)
	}
}

// What is said about an event is at its own address too, for whoever sees it.
// Covers O-04 and O-05.
func TestReplyingToAnEvent(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	e := ann.CreateEvent()
	asks(ann, bea, e)
	path := "/world/social/events/" + e + "/replies"
	said := bea.Do("POST", path, `{"body": "I bring a cake"}`).Want(201)
	if said.Str("reply.event_id") != e {
		t.Errorf("it is a reply to %v", said.At("reply.event_id"))
	}
	seen := ann.Do("GET", path).Want(200)
	if seen.Column("replies", "body") != "I bring a cake" {
		t.Errorf("the host reads %s", seen.Body)
	}
	bea.Do("POST", path, `{"body": " "}`).WantError(400, "field_required").WantFields("body")
	cid.Do("GET", path).WantError(404, "not_found")
	cid.Do("POST", path, `{"body": "I come too"}`).WantError(404, "not_found")
}

// An event of a community is in the calendars of those who are in it, as long
// as they and it are. Covers O-17 and O-36 as far as calendars go.
func TestEventsGoWithTheirCommunity(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	at := ann.CreateCommunity(`{"name": "Family"}`, bea, cid)
	e := ann.CreateEvent("visibility", "community", "community_id", strings.TrimPrefix(at, apptest.CommunitiesPath+"/"))
	entries := func(c *apptest.Client) int {
		return len(c.Do("GET", "/world/time/objects?start=2026-12-01&end=2027-01-01").Want(200).List("objects"))
	}
	for _, c := range []*apptest.Client{bea, cid} {
		rsvp(c, e, "going").Want(200)
		if entries(c) != 1 {
			t.Errorf("%s has %d entries", c.Name, entries(c))
		}
	}
	bea.Do("POST", at+"/leave").Want(200)
	if entries(bea) != 0 || entries(cid) != 1 {
		t.Errorf("when bea has left, she has %d entries and cid %d", entries(bea), entries(cid))
	}
	if got := event(ann, e).At("event.rsvp.counts.going"); got != 2.0 {
		t.Errorf("%v are going", got)
	}
	ann.Do("DELETE", at).Want(200)
	if entries(cid) != 0 {
		t.Errorf("of a community that is gone, cid has %d entries", entries(cid))
	}
	event(cid, e).WantError(404, "not_found")
}
