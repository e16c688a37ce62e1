package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// seen is what a client's dataset has of a type, by title.
func (c *client) seen(objectType string) string {
	c.t.Helper()
	a := c.runtime().do("GET", "/world/runtime").want(200)
	checkDataset(c.t.(*testing.T), a)
	var titles []string
	for _, o := range a.list("objects") {
		if dig(o, "object_type") == objectType {
			titles = append(titles, dig(o, "title").(string))
		}
	}
	return strings.Join(titles, ", ")
}

// begins begins a conversation, and returns its id.
func (c *client) begins(title, context string) string {
	c.t.Helper()
	return c.do("POST", "/world/social/conversations", fmt.Sprintf(`{"title": %q, "body": "About %s", "context": %s}`, title, title, context)).
		want(201).str("conversation.id")
}

// object returns what is called so of the social life in a dataset.
func (a *answer) object(title string) any {
	a.t.Helper()
	for _, o := range a.list("objects") {
		if dig(o, "title") == title && dig(o, "source.service") == "social" {
			return o
		}
	}
	a.t.Fatalf("there is no %s", title)
	return nil
}

// does returns the types of what a dataset says can be done with an object in
// social life.
func (a *answer) does(title string) string {
	a.t.Helper()
	var types []string
	ids := dig(a.object(title), "actions").([]any)
	for _, action := range a.list("actions") {
		kind, social := strings.CutPrefix(dig(action, "type").(string), "social.")
		if social && slices.Contains(ids, dig(action, "action_id")) {
			types = append(types, kind)
		}
	}
	return strings.Join(types, " ")
}

// Each finds in their dataset what they see of social life, tied to what else
// is in it, and nothing else. Covers O-32, O-36, O-37 and PT-03 as far as the
// dataset goes, B-18, and B-20.
func TestSocialDataset(t *testing.T) {
	h := open(t, unlimited, withKey)
	ann, bea, cem := h.member("ann"), h.member("bea"), h.member("cem")
	family := ann.community(`{"name": "Family", "summary": "All of us"}`, bea)
	ann.community(`{"name": "Choir", "visibility": "public"}`)
	trip := ann.begins("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, strings.TrimPrefix(family, communitiesURL+"/")))
	ann.do("POST", "/world/social/events", map[string]any{
		"title": "Dinner", "start": "2026-12-24T18:00:00", "visibility": "community", "community_id": strings.TrimPrefix(family, communitiesURL+"/"),
	}).want(201)
	bea.do("POST", "/world/social/events", `{"title": "Concert", "start": "2026-12-01T18:00:00", "visibility": "public"}`).want(201)
	ann.begins("Party", `{"kind": "circle", "depth": 1}`)
	ann.begins("Weather", `{"kind": "open"}`)
	bea.do("POST", "/world/social/conversations/"+trip+"/replies", `{"body": "Where to?"}`).want(201)
	bea.do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).want(201)
	bea.do("POST", "/world/social/presence", `{"state": "busy", "note": "at work", "visible_to": "inner"}`).want(200)
	bea.do("PATCH", "/world/social/profile", `{"bio": "I sing", "links": [{"label": "Me", "url": "https://example.org/panel"}]}`).want(200)

	for _, c := range []struct {
		who        *client
		kind, sees string
	}{
		{ann, "community", "Choir, Family"}, {bea, "community", "Family, Choir"}, {cem, "community", "Choir"},
		{ann, "conversation", "Trip, Weather, Party"}, {bea, "conversation", "Trip, Weather, Party"}, {cem, "conversation", "Weather"},
		{ann, "event", "Concert, Dinner"}, {bea, "event", "Concert, Dinner"}, {cem, "event", "Concert"},
		{ann, "social_dm", "Bea"}, {bea, "social_dm", "Ann"}, {cem, "social_dm", ""},
		{ann, "profile", "Ann, Bea"}, {bea, "profile", "Bea, Ann"}, {cem, "profile", "Cem"},
	} {
		if got := c.who.seen(c.kind); !sameSet(strings.ReplaceAll(got, ",", ""), strings.ReplaceAll(c.sees, ",", "")) {
			t.Errorf("%s sees of type %s: %s, want %s", c.who.name, c.kind, got, c.sees)
		}
	}
	if got := cem.runtime().do("GET", "/world/runtime").body; strings.Contains(got, "Family") || strings.Contains(got, "Dinner") {
		t.Errorf("Cem comes across what they do not see: %s", got)
	}

	a := ann.runtime().do("GET", "/world/runtime")
	tie := func(title string) string { return fmt.Sprint(dig(a.object(title), "relationships")) }
	id := func(title string) any { return dig(a.object(title), "world_object_id") }
	for title, want := range map[string]string{
		"Trip":    fmt.Sprintf("[map[target:map[kind:object world_object_id:%v] type:in]]", id("Family")),
		"Weather": "[]", "Choir": "[]",
	} {
		if got := tie(title); got != want {
			t.Errorf("%s is tied to %s, want %s", title, got, want)
		}
	}
	for _, o := range a.list("objects") {
		switch fmt.Sprint(dig(o, "object_type"), dig(o, "title")) {
		case "social_dmBea":
			if got := fmt.Sprint(dig(o, "relationships.0.type"), dig(o, "state.unread_count")); got != "participant1" {
				t.Errorf("the DM: %s", got)
			}
		case "profileBea":
			got := fmt.Sprintf("%v %v %v %v", dig(o, "relationships.0.target.world_object_id"), dig(o, "state.presence"), dig(o, "state.circle.depth"), dig(o, "state.bio"))
			if want := fmt.Sprintf("%v map[note:at work state:busy] 1 I sing", id("Family")); got != want {
				t.Errorf("the profile: %s, want %s", got, want)
			}
		}
	}
	// What is unread comes first, then what is newest.
	var items []string
	for _, c := range a.list("contexts") {
		if dig(c, "kind") == "social" {
			for _, item := range dig(c, "items").([]any) {
				items = append(items, dig(item, "label").(string))
			}
		}
	}
	if len(items) != 4 || !slices.Contains(items[:2], "Bea") || !slices.Contains(items[:2], "Trip") {
		t.Errorf("the context has %q", items)
	}

	// A block takes each out of the other's.
	bea.do("POST", "/world/social/blocks", `{"recipient": "ann"}`).want(201)
	if got := ann.seen("conversation") + "; " + ann.seen("profile") + "; " + bea.seen("conversation"); !strings.HasSuffix(got, "; Ann; ") || strings.Contains(got, "Bea") {
		t.Errorf("after a block: %s", got)
	}
	if got := bea.runtime().do("GET", "/world/runtime"); !strings.Contains(got.body, "No longer block Ann") {
		t.Error("there is no way to unblock")
	}
}

// An object can be done with what its permissions allow, and nothing else.
// Covers O-38 and B-64 (a).
func TestSocialActions(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cem := h.member("ann"), h.member("bea"), h.member("cem")
	family := ann.community(`{"name": "Family"}`, bea)
	ann.community(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`)
	trip := bea.begins("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, strings.TrimPrefix(family, communitiesURL+"/")))
	bea.do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).want(201)
	for _, c := range []struct {
		who         *client
		title, does string
	}{
		{ann, "Family", "community.open community.update community.delete community.invite conversation.create event.create"},
		{bea, "Family", "community.open community.leave conversation.create event.create"},
		{ann, "Choir", "community.open community.enclose community.update community.delete community.invite conversation.create event.create"},
		{cem, "Choir", "community.open community.join"},
		{bea, "Trip", "conversation.open conversation.reply conversation.update conversation.close"},
		{ann, "Trip", "conversation.open conversation.reply conversation.close"},
		{cem, "Cem", "profile.open profile.update presence.set"},
	} {
		if got := c.who.runtime().do("GET", "/world/runtime").does(c.title); got != c.does {
			t.Errorf("%s may, with %s: %s, want %s", c.who.name, c.title, got, c.does)
		}
	}
	ann.do("POST", "/world/social/events", `{"title": "Dinner", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 1}`).want(201)
	for _, c := range []struct {
		who  *client
		does string
	}{
		{ann, "event.open event.rsvp event.reply event.update event.cancel event.invite"}, {bea, "event.open event.rsvp event.reply"},
	} {
		if got := c.who.runtime().do("GET", "/world/runtime").does("Dinner"); got != c.does {
			t.Errorf("%s may, with an event: %s, want %s", c.who.name, got, c.does)
		}
	}
	types := map[string]int{}
	count := func(who *client) {
		for _, action := range who.runtime().do("GET", "/world/runtime").list("actions") {
			types[dig(action, "type").(string)]++
		}
	}
	count(ann)
	bea.do("DELETE", "/world/social/conversations/"+trip).want(200)
	if got := bea.runtime().do("GET", "/world/runtime").does("Trip"); got != "conversation.open conversation.update conversation.reopen" {
		t.Errorf("with a closed one Bea may %s", got)
	}
	cem.do("POST", communitiesURL+"/"+ann.idOf("Choir")+"/join").want(200)
	if got := cem.runtime().do("GET", "/world/runtime").does("Choir"); got != "community.open community.leave" {
		t.Errorf("whoever asks to join may %s", got)
	}

	// Whoever asks to join waits in the context of those who may let them in.
	asked := ann.runtime().do("GET", "/world/runtime").want(200)
	checkDataset(t, asked)
	if n := strings.Count(asked.body, `"label":"Cem asks to join Choir"`); n != 1 {
		t.Errorf("Cem asks %d times", n)
	}
	count(ann)

	// An invitation waits in the context, though what it is into is not seen.
	ann.invites(family, cem)
	a := cem.runtime().do("GET", "/world/runtime").want(200)
	checkDataset(t, a)
	if !strings.Contains(a.body, `"label":"Invitation to Family","target":{"kind":"workspace"}`) || strings.Contains(a.body, `"title":"Family"`) {
		t.Errorf("invited: %s", a.at("contexts"))
	}
	for _, who := range []*client{ann, bea, cem} {
		count(who)
	}
	ann.do("POST", "/world/social/blocks", `{"recipient": "cem"}`).want(201)
	count(ann)
	for _, want := range strings.Fields(`community.create community.update community.delete community.join community.leave community.invite community.member.admit community.member.role community.member.remove
		invitation.accept invitation.decline invitation.revoke conversation.create conversation.update conversation.close conversation.reply
		profile.update presence.set notifications.read block unblock dm.start dm.send dm.read event.create event.update event.cancel event.rsvp event.reply event.invite`) {
		if types["social."+want] == 0 {
			t.Errorf("nobody may %s", want)
		}
	}
	// All of them are known to a runtime that has no forms, too.
	plain := ann.with("X-Service-Runtime", `web/1; caps="objects"`).do("GET", "/world/runtime").want(200)
	checkDataset(t, plain)
}

// idOf returns the id of what has a title.
func (c *client) idOf(title string) string {
	c.t.Helper()
	return dig(c.runtime().do("GET", "/world/runtime").object(title), "source.resource_id").(string)
}

// Whatever a dataset offers about social life can be sent as it says, and is
// done. Covers PT-02 and W-36.
func TestSocialCommandsAreLive(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	h.member("cem")
	ann.invites(ann.community(`{"name": "Family"}`, bea), h.member("dan"))
	bea.invites(bea.community(`{"name": "Choir", "visibility": "public"}`), ann)
	ann.begins("Trip", `{"kind": "open"}`)
	bea.do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).want(201)
	last := []string{"DELETE", "social.block", "social.community.leave"} // what ends others comes after these
	rank := func(action any) int {
		return max(slices.Index(last, dig(action, "type").(string)), slices.Index(last, dig(action, "method").(string)))
	}
	done := map[string]bool{}
	for pass := range 2 {
		actions := ann.runtime().do("GET", "/world/runtime").list("actions")
		slices.SortStableFunc(actions, func(a, b any) int { return rank(a) - rank(b) })
		for _, action := range actions {
			kind, command := dig(action, "type").(string), dig(action, "command")
			if !strings.HasPrefix(kind, "social.") || done[dig(action, "action_id").(string)] || pass == 0 && rank(action) >= 0 {
				continue
			}
			done[dig(action, "action_id").(string)] = true
			body := maps.Clone(dig(command, "body").(map[string]any))
			for _, control := range dig(action, "controls").([]any) {
				value := dig(control, "default")
				switch {
				case dig(control, "id") == "recipient" && (kind == "social.dm.start" || kind == "social.event.invite"):
					value = "bea"
				case dig(control, "id") == "recipient":
					value = "cem"
				case value == "" && dig(control, "id") == "start":
					value = "2026-12-24T18:00:00"
				case value == "" && dig(control, "required") == true:
					value = "Something"
				}
				body[dig(control, "id").(string)] = value
			}
			a := ann.do(dig(command, "method").(string), dig(command, "url").(string), body)
			gone := a.status == 404 && rank(action) >= 0
			answered := kind == "social.invitation.decline" && a.status == 422 // accepted before
			if a.status >= 300 && !gone && !answered {
				t.Errorf("%s: %d %s", kind, a.status, a.body)
			}
		}
	}
	if len(done) < 20 {
		t.Errorf("only %d actions", len(done))
	}
}

// What Social tells whoever composes a dataset. Covers O-32, B-75 and X-04.
func TestSocialObjectSources(t *testing.T) {
	h := open(t, unlimited, withKey)
	ann, bea, cem := h.member("ann"), h.member("bea"), h.member("cem")
	family := ann.community(`{"name": "Family"}`, bea)
	trip := ann.begins("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, strings.TrimPrefix(family, communitiesURL+"/")))
	bea.do("POST", "/world/social/conversations/"+trip+"/replies", `{"body": "Where to?"}`).want(201)
	bea.do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).want(201)
	ann.do("POST", "/world/social/presence", `{"state": "online", "visible_to": "nobody"}`).want(200)
	ann.do("POST", "/world/social/events", `{"title": "Dinner", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 1}`).want(201)
	bea.do("GET", "/social/objects").refused(404, "not_found")
	a := ann.internally().do("GET", "/social/objects").want(200)
	counts := "map[communities:1 conversations:1 events:1 presence:1]"
	if got := fmt.Sprintf("%v %v %v", a.str("service"), a.at("counts"), a.at("truncated")); got != "social "+counts+" false" {
		t.Errorf("it says %s", got)
	}
	for kind, want := range map[string]string{"communities": "Family", "conversations": "Trip", "events": "Dinner", "dms": "Bea", "profiles": "Ann Bea"} {
		if got := a.column("objects."+kind, "title"); got != want {
			t.Errorf("%s %s, want %s", kind, got, want)
		}
		for _, o := range a.list("objects." + kind) {
			a.fits("service.social.object_source", o)
			if dig(o, "object_type") != dig(o, "source.resource_type") || dig(o, "source.service") != "social" {
				t.Errorf("source %v", dig(o, "source"))
			}
		}
	}
	for _, path := range []string{
		"communities.0.state.created_by", "conversations.0.state.author.id", "events.0.state.host.id", "dms.0.state.participants.1.id", "profiles.1.state.member_id",
	} {
		if _, text := a.at("objects." + path).(string); !text {
			t.Errorf("%s is %v, no text", path, a.at("objects."+path))
		}
	}
	if strings.Contains(a.body, "/world") || strings.Contains(a.body, "http") {
		t.Errorf("there are addresses in %s", a.body)
	}
	if got := fmt.Sprint(a.at("objects.conversations.0.relationships.0.target.resource_id")); !strings.HasSuffix(family, got) {
		t.Errorf("the conversation is in %s", got)
	}
	if got := cem.internally().do("GET", "/social/objects").want(200); strings.Contains(got.body, "Family") || strings.Contains(got.body, "Trip") ||
		fmt.Sprint(got.at("counts")) != "map[communities:0 conversations:0 events:0 presence:0]" {
		t.Errorf("Cem is told %s", got.body)
	}
}

// An event that is over is one of the past, and not before. Covers O-18 as far
// as the dataset goes.
func TestEventEndsInTheDataset(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	ann.do("POST", "/world/social/events", `{"title": "Tea", "start": "2026-11-21T10:30:00", "end": "2026-11-21T11:00:00", "timezone": "Europe/Berlin"}`).want(201)
	on := ann.runtime().do("GET", "/world/runtime").want(200)
	h.clock.Advance(59 * time.Minute)
	ann.runtime().with("If-None-Match", on.header.Get("ETag")).do("GET", "/world/runtime").want(304)
	h.clock.Advance(2 * time.Minute)
	over := ann.runtime().with("If-None-Match", on.header.Get("ETag")).do("GET", "/world/runtime").want(200)
	if got := fmt.Sprint(dig(on.object("Tea"), "state.status"), dig(over.object("Tea"), "state.status"), " ", over.does("Tea")); got !=
		"scheduledended event.open event.reply event.update event.cancel" {
		t.Errorf("it was, is, and can be: %s", got)
	}
}

// A presence that ends by itself makes the dataset another one, and not
// before. Covers O-23 and B-84 as far as Social goes.
func TestPresenceEndsInTheDataset(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	ann.community(`{"name": "Family"}`, bea)
	bea.do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 60}`).want(200)
	there := ann.runtime().do("GET", "/world/runtime").want(200)
	again := func() *answer {
		return ann.runtime().with("If-None-Match", there.header.Get("ETag")).do("GET", "/world/runtime")
	}
	h.clock.Advance(59 * time.Second)
	again().want(304)
	h.clock.Advance(2 * time.Second)
	if gone := again().want(200); strings.Contains(gone.body, `"state":"online"`) || !strings.Contains(there.body, `"state":"online"`) {
		t.Error("she is there for ever")
	}
}

// group are members who may have to do with one another.
type group struct {
	dice
	members       []*client
	communities   []string
	conversations []string
}

// step has one of the group do something that nobody else sees.
func (c *group) step() string {
	who, other := pick(c.dice, c.members...), pick(c.dice, c.members...)
	post := func(path string, body any) *answer { return who.do("POST", "/world/social/"+path, body) }
	var a *answer
	switch c.IntN(11) {
	case 0:
		a = post("communities", `{"name": "Secret"}`)
		if a.status == 201 {
			c.communities = append(c.communities, a.str("community.id"))
		}
	case 1:
		if len(c.communities) > 0 {
			a = post("communities/"+pick(c.dice, c.communities...)+"/invitations", map[string]any{"recipient": other.name})
			if a.status == 201 && !c.one(3) {
				other.answers(a.str("invitation.id"), "accept")
			}
		}
	case 2:
		a = post("conversations", `{"title": "Quiet", "body": "Sh", "context": {"kind": "circle", "depth": 3}}`)
		if a.status == 201 {
			c.conversations = append(c.conversations, a.str("conversation.id"))
		}
	case 3, 4:
		if len(c.conversations) > 0 {
			a = post("conversations/"+pick(c.dice, c.conversations...)+"/replies", `{"body": "Yes"}`)
		}
	case 5:
		a = post("dms", map[string]any{"recipient": other.name, "body": "Psst"})
	case 6:
		a = post("presence", map[string]any{"state": pick(c.dice, "online", "busy", "offline"), "visible_to": pick(c.dice, "inner", "extended", "nobody")})
	case 7:
		a = post("notifications/read", `{"all": true}`)
	case 8:
		if len(c.communities) > 0 {
			a = post("communities/"+pick(c.dice, c.communities...)+"/leave", `{}`)
		}
	case 10:
		a = post("events", `{"title": "Quiet", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 3}`)
		if a.status == 201 {
			other.do("POST", "/world/social/events/"+a.str("event.id")+"/rsvp", `{"response": "going"}`)
		}
	case 9:
		if a = post("blocks", map[string]any{"recipient": other.name}); c.one(2) {
			who.do("DELETE", other.path("/world/social/blocks"))
		}
	}
	if a == nil {
		return "nothing"
	}
	return fmt.Sprint(a.about, " ", a.status)
}

// What one group does among itself changes no byte of another's datasets, and
// two reads of the same are the same. Covers PT-07, PT-42 and PT-47 as far as
// Social goes.
func TestGroupsAreApart(t *testing.T) {
	long(t)
	for seed := range uint64(3) {
		h := open(t, unlimited, withKey)
		d := newDice(seed)
		ours := &group{dice: d, members: []*client{h.member("ann"), h.member("bea")}}
		theirs := &group{dice: d, members: []*client{h.member("cem"), h.member("dan"), h.member("eve")}}
		for range 60 {
			h.clock.Advance(time.Second)
			did := ours.step()
			for _, c := range ours.members {
				c.countsAreLists(did)
			}
			before := ours.look()
			for range 2 {
				theirDoing := theirs.step()
				if after := ours.look(); after != before {
					t.Fatalf("seed %d: after %s, and then %s of others:\n%s\n%s", seed, did, theirDoing, before, after)
				}
			}
		}
		if len(ours.communities) == 0 || len(theirs.communities) == 0 || len(theirs.conversations) == 0 {
			t.Errorf("seed %d: nothing much has happened", seed)
		}
	}
}

// look is all that the group sees.
func (c *group) look() string {
	var all strings.Builder
	for _, m := range c.members {
		a := m.runtime().do("GET", "/world/runtime").want(200)
		all.WriteString(a.body)
	}
	return all.String()
}

// countsAreLists fails the test unless each count is how long its list is.
func (c *client) countsAreLists(did string) {
	c.t.Helper()
	counts := c.internally().do("GET", "/social/objects").want(200)
	for _, kind := range []string{"communities", "conversations", "events", "presence"} {
		n, cursor := 0, ""
		for {
			page := c.do("GET", "/world/social/"+kind+"?limit=3&cursor="+cursor).want(200)
			n += len(page.list(kind))
			if cursor = page.str("page.next_cursor"); cursor == "" {
				break
			}
		}
		if got := counts.at("counts." + kind); got != float64(n) {
			c.t.Errorf("after %s, %s counts %v %s of %d", did, c.name, got, kind, n)
		}
	}
}

// A member with 30 communities, 300 conversations, 100 events, 200 DMs, and 200 who are
// close to her and there.
func BenchmarkSocialRuntime(b *testing.B) {
	h := open(b, unlimited)
	ann := h.member("ann").runtime()
	h.crowd(ann, 0, 200)
	for i := range 28 {
		ann.community(fmt.Sprintf(`{"name": "Community %d", "summary": "What we do together"}`, i))
	}
	var conversations []string
	for i := range 300 {
		conversations = append(conversations, ann.begins(fmt.Sprint("Conversation ", i), `{"kind": "circle", "depth": 2}`))
	}
	for i := range 100 {
		ann.do("POST", "/world/social/events", map[string]any{
			"title": fmt.Sprint("Event ", i), "start": fmt.Sprintf("2027-01-%02dT18:00:00", i%30+1), "visibility": "circle", "circle_depth": 2,
		}).want(201)
	}
	get := ann.request(b, "GET", 200)
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			h.restart()
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("again", func(b *testing.B) {
		b.ReportAllocs()
		var size int64
		for b.Loop() {
			size = get("/world/runtime", "")
		}
		b.ReportMetric(float64(size), "bytes")
	})
	b.Run("after a change", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			ann.do("POST", "/world/social/conversations/"+conversations[7]+"/replies", `{"body": "Yes"}`).want(201)
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		b.ReportAllocs()
		etag := ann.do("GET", "/world/runtime").header.Get("ETag")
		get := ann.with("If-None-Match", etag).request(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
}

// The calendar entry of an event is tied to the event, where the dataset has
// that. Covers W-15.
func TestMirrorsAreTiedToTheirEvents(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	id := ann.plan("title", "Dinner", "visibility", "public")
	bea.rsvp(id, "going").want(200)
	ties := func() (ties, event any) {
		a := bea.runtime().do("GET", "/world/runtime").want(200)
		checkDataset(t, a)
		for _, o := range a.list("objects") {
			switch dig(o, "object_type") {
			case "event":
				event = dig(o, "world_object_id")
			case "calendar_event":
				ties = dig(o, "relationships")
			}
		}
		return ties, event
	}
	got, event := ties()
	if want := fmt.Sprintf("[map[target:map[kind:object world_object_id:%v] type:mirror_of]]", event); fmt.Sprint(got) != want {
		t.Errorf("tied to %v, want %s", got, want)
	}
	h.settings.ServicesOff = []string{"social"}
	h.restart()
	if got, _ := ties(); fmt.Sprint(got) != "[]" {
		t.Errorf("without events it is tied to %v", got)
	}
}
