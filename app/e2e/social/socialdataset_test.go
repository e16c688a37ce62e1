package social

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// seen is what a client's dataset has of a type, by title.
func seen(c *apptest.Client, objectType string) string {
	c.T.Helper()
	a := c.Runtime().Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(c.T.(*testing.T), a)
	var titles []string
	for _, o := range a.List("objects") {
		if apptest.At(o, "object_type") == objectType {
			titles = append(titles, apptest.At(o, "title").(string))
		}
	}
	return strings.Join(titles, ", ")
}

// object returns what is called so of the social life in a dataset.
func object(a *apptest.Answer, title string) any {
	a.T.Helper()
	for _, o := range a.List("objects") {
		if apptest.At(o, "title") == title && apptest.At(o, "source.service") == "social" {
			return o
		}
	}
	a.T.Fatalf("there is no %s", title)
	return nil
}

// does returns the types of what a dataset says can be done with an object in
// social life.
func does(a *apptest.Answer, title string) string {
	a.T.Helper()
	var types []string
	ids := apptest.At(object(a, title), "actions").([]any)
	for _, action := range a.List("actions") {
		kind, social := strings.CutPrefix(apptest.At(action, "type").(string), "social.")
		if social && slices.Contains(ids, apptest.At(action, "action_id")) {
			types = append(types, kind)
		}
	}
	return strings.Join(types, " ")
}

// Each finds in their dataset what they see of social life, tied to what else
// is in it, and nothing else. Covers O-32, O-36, O-37 and PT-03 as far as the
// dataset goes, B-18, and B-20.
func TestSocialDataset(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family", "summary": "All of us"}`, bea)
	ann.CreateCommunity(`{"name": "Choir", "visibility": "public"}`)
	trip := ann.StartConversationIn("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, strings.TrimPrefix(family, apptest.CommunitiesPath+"/")))
	ann.Do("POST", "/world/social/events", map[string]any{
		"title": "Dinner", "start": "2026-12-24T18:00:00", "visibility": "community", "community_id": strings.TrimPrefix(family, apptest.CommunitiesPath+"/"),
	}).Want(201)
	bea.Do("POST", "/world/social/events", `{"title": "Concert", "start": "2026-12-01T18:00:00", "visibility": "public"}`).Want(201)
	ann.StartConversationIn("Party", `{"kind": "circle", "depth": 1}`)
	ann.StartConversationIn("Weather", `{"kind": "open"}`)
	bea.Do("POST", "/world/social/conversations/"+trip+"/replies", `{"body": "Where to?"}`).Want(201)
	bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).Want(201)
	bea.Do("POST", "/world/social/presence", `{"state": "busy", "note": "at work", "visible_to": "inner"}`).Want(200)
	bea.Do("PATCH", "/world/social/profile", `{"bio": "I sing", "links": [{"label": "Me", "url": "https://example.org/panel"}]}`).Want(200)

	for _, c := range []struct {
		who        *apptest.Client
		kind, sees string
	}{
		{ann, "community", "Choir, Family"}, {bea, "community", "Family, Choir"}, {cem, "community", "Choir"},
		{ann, "conversation", "Trip, Weather, Party"}, {bea, "conversation", "Trip, Weather, Party"}, {cem, "conversation", "Weather"},
		{ann, "event", "Concert, Dinner"}, {bea, "event", "Concert, Dinner"}, {cem, "event", "Concert"},
		{ann, "social_dm", "Bea"}, {bea, "social_dm", "Ann"}, {cem, "social_dm", ""},
		{ann, "profile", "Ann, Bea"}, {bea, "profile", "Bea, Ann"}, {cem, "profile", "Cem"},
	} {
		if got := seen(c.who, c.kind); !apptest.SameWords(strings.ReplaceAll(got, ",", ""), strings.ReplaceAll(c.sees, ",", "")) {
			t.Errorf("%s sees of type %s: %s, want %s", c.who.Name, c.kind, got, c.sees)
		}
	}
	if got := cem.Runtime().Do("GET", "/world/runtime").Body; strings.Contains(got, "Family") || strings.Contains(got, "Dinner") {
		t.Errorf("Cem comes across what they do not see: %s", got)
	}

	a := ann.Runtime().Do("GET", "/world/runtime")
	tie := func(title string) string { return fmt.Sprint(apptest.At(object(a, title), "relationships")) }
	id := func(title string) any { return apptest.At(object(a, title), "world_object_id") }
	for title, want := range map[string]string{
		"Trip":    fmt.Sprintf("[map[target:map[kind:object world_object_id:%v] type:in]]", id("Family")),
		"Weather": "[]", "Choir": "[]",
	} {
		if got := tie(title); got != want {
			t.Errorf("%s is tied to %s, want %s", title, got, want)
		}
	}
	for _, o := range a.List("objects") {
		switch fmt.Sprint(apptest.At(o, "object_type"), apptest.At(o, "title")) {
		case "social_dmBea":
			if got := fmt.Sprint(apptest.At(o, "relationships.0.type"), apptest.At(o, "state.unread_count")); got != "participant1" {
				t.Errorf("the DM: %s", got)
			}
		case "profileBea":
			got := fmt.Sprintf("%v %v %v %v", apptest.At(o, "relationships.0.target.world_object_id"), apptest.At(o, "state.presence"), apptest.At(o, "state.circle.depth"), apptest.At(o, "state.bio"))
			if want := fmt.Sprintf("%v map[note:at work state:busy] 1 I sing", id("Family")); got != want {
				t.Errorf("the profile: %s, want %s", got, want)
			}
		}
	}
	// What is unread comes first, then what is newest.
	var items []string
	for _, c := range a.List("contexts") {
		if apptest.At(c, "kind") == "social" {
			for _, item := range apptest.At(c, "items").([]any) {
				items = append(items, apptest.At(item, "label").(string))
			}
		}
	}
	if len(items) != 4 || !slices.Contains(items[:2], "Bea") || !slices.Contains(items[:2], "Trip") {
		t.Errorf("the context has %q", items)
	}

	// A block takes each out of the other's.
	bea.Do("POST", "/world/social/blocks", `{"recipient": "ann"}`).Want(201)
	if got := seen(ann, "conversation") + "; " + seen(ann, "profile") + "; " + seen(bea, "conversation"); !strings.HasSuffix(got, "; Ann; ") || strings.Contains(got, "Bea") {
		t.Errorf("after a block: %s", got)
	}
	if got := bea.Runtime().Do("GET", "/world/runtime"); !strings.Contains(got.Body, "Unblock Ann") {
		t.Error("there is no way to unblock")
	}
}

// An object can be done with what its permissions allow, and nothing else.
// Covers O-38 and B-64 (a).
func TestSocialActions(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family"}`, bea)
	ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`)
	trip := bea.StartConversationIn("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, strings.TrimPrefix(family, apptest.CommunitiesPath+"/")))
	bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).Want(201)
	for _, c := range []struct {
		who         *apptest.Client
		title, does string
	}{
		{ann, "Family", "community.open conversation.create event.create community.invite community.update community.delete"},
		{bea, "Family", "community.open community.leave conversation.create event.create"},
		{ann, "Choir", "community.open conversation.create event.create community.invite community.update community.make_private community.delete"},
		{cem, "Choir", "community.open community.join"},
		{bea, "Trip", "conversation.open conversation.reply conversation.update conversation.close"},
		{ann, "Trip", "conversation.open conversation.reply conversation.close"},
		{cem, "Cem", "profile.open profile.update presence.set"},
	} {
		if got := does(c.who.Runtime().Do("GET", "/world/runtime"), c.title); got != c.does {
			t.Errorf("%s may, with %s: %s, want %s", c.who.Name, c.title, got, c.does)
		}
	}
	ann.Do("POST", "/world/social/events", `{"title": "Dinner", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 1}`).Want(201)
	for _, c := range []struct {
		who  *apptest.Client
		does string
	}{
		{ann, "event.open event.rsvp event.reply event.update event.cancel event.invite"}, {bea, "event.open event.rsvp event.reply"},
	} {
		if got := does(c.who.Runtime().Do("GET", "/world/runtime"), "Dinner"); got != c.does {
			t.Errorf("%s may, with an event: %s, want %s", c.who.Name, got, c.does)
		}
	}
	types := map[string]int{}
	count := func(who *apptest.Client) {
		for _, action := range who.Runtime().Do("GET", "/world/runtime").List("actions") {
			types[apptest.At(action, "type").(string)]++
		}
	}
	count(ann)
	bea.Do("DELETE", "/world/social/conversations/"+trip).Want(200)
	if got := does(bea.Runtime().Do("GET", "/world/runtime"), "Trip"); got != "conversation.open conversation.update conversation.reopen" {
		t.Errorf("with a closed one Bea may %s", got)
	}
	cem.Do("POST", apptest.CommunitiesPath+"/"+idOf(ann, "Choir")+"/join").Want(200)
	if got := does(cem.Runtime().Do("GET", "/world/runtime"), "Choir"); got != "community.open community.leave" {
		t.Errorf("whoever asks to join may %s", got)
	}

	// Whoever asks to join waits in the context of those who may let them in.
	asked := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, asked)
	if n := strings.Count(asked.Body, `"label":"Cem asks to join Choir"`); n != 1 {
		t.Errorf("Cem asks %d times", n)
	}
	count(ann)

	// An invitation waits in the context, though what it is into is not seen.
	ann.InviteToCommunity(family, cem)
	a := cem.Runtime().Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	if !strings.Contains(a.Body, `"label":"Invitation to Family","target":{"kind":"workspace"}`) || strings.Contains(a.Body, `"title":"Family"`) {
		t.Errorf("invited: %s", a.At("contexts"))
	}
	for _, who := range []*apptest.Client{ann, bea, cem} {
		count(who)
	}
	ann.Do("POST", "/world/social/blocks", `{"recipient": "cem"}`).Want(201)
	count(ann)
	for _, want := range strings.Fields(`community.create community.update community.delete community.join community.leave community.invite community.member.admit community.member.role community.member.remove
		invitation.accept invitation.decline invitation.revoke conversation.create conversation.update conversation.close conversation.reply
		profile.update presence.set notifications.read block unblock dm.start dm.send dm.read event.create event.update event.cancel event.rsvp event.reply event.invite`) {
		if types["social."+want] == 0 {
			t.Errorf("nobody may %s", want)
		}
	}
	// All of them are known to a runtime that has no forms, too.
	plain := ann.With("X-Service-Runtime", `web/1; caps="objects"`).Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, plain)
}

// idOf returns the id of what has a title.
func idOf(c *apptest.Client, title string) string {
	c.T.Helper()
	return apptest.At(object(c.Runtime().Do("GET", "/world/runtime"), title), "source.resource_id").(string)
}

// Whatever a dataset offers about social life can be sent as it says, and is
// done. Covers PT-02 and W-36.
func TestSocialCommandsAreLive(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.Member("cem")
	ann.InviteToCommunity(ann.CreateCommunity(`{"name": "Family"}`, bea), h.Member("dan"))
	bea.InviteToCommunity(bea.CreateCommunity(`{"name": "Choir", "visibility": "public"}`), ann)
	ann.StartConversationIn("Trip", `{"kind": "open"}`)
	bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).Want(201)
	last := []string{"DELETE", "social.block", "social.community.leave"} // what ends others comes after these
	rank := func(action any) int {
		return max(slices.Index(last, apptest.At(action, "type").(string)), slices.Index(last, apptest.At(action, "method").(string)))
	}
	done := map[string]bool{}
	for pass := range 2 {
		actions := ann.Runtime().Do("GET", "/world/runtime").List("actions")
		slices.SortStableFunc(actions, func(a, b any) int { return rank(a) - rank(b) })
		for _, action := range actions {
			kind, command := apptest.At(action, "type").(string), apptest.At(action, "command")
			if !strings.HasPrefix(kind, "social.") || done[apptest.At(action, "action_id").(string)] || pass == 0 && rank(action) >= 0 {
				continue
			}
			done[apptest.At(action, "action_id").(string)] = true
			body := maps.Clone(apptest.At(command, "body").(map[string]any))
			for _, control := range apptest.At(action, "controls").([]any) {
				value := apptest.At(control, "default")
				switch {
				case apptest.At(control, "id") == "recipient" && (kind == "social.dm.start" || kind == "social.event.invite"):
					value = "bea"
				case apptest.At(control, "id") == "recipient":
					value = "cem"
				case value == "" && apptest.At(control, "id") == "start":
					value = "2026-12-24T18:00:00"
				case value == "" && apptest.At(control, "required") == true:
					value = "Something"
				}
				body[apptest.At(control, "id").(string)] = value
			}
			a := ann.Do(apptest.At(command, "method").(string), apptest.At(command, "url").(string), body)
			gone := a.Status == 404 && rank(action) >= 0
			answered := kind == "social.invitation.decline" && a.Status == 422 // accepted before
			if a.Status >= 300 && !gone && !answered {
				t.Errorf("%s: %d %s", kind, a.Status, a.Body)
			}
		}
	}
	if len(done) < 20 {
		t.Errorf("only %d actions", len(done))
	}
}

// What Social tells whoever composes a dataset. Covers O-32, B-75 and X-04.
func TestSocialObjectSources(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family"}`, bea)
	trip := ann.StartConversationIn("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, strings.TrimPrefix(family, apptest.CommunitiesPath+"/")))
	bea.Do("POST", "/world/social/conversations/"+trip+"/replies", `{"body": "Where to?"}`).Want(201)
	bea.Do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst"}`).Want(201)
	ann.Do("POST", "/world/social/presence", `{"state": "online", "visible_to": "nobody"}`).Want(200)
	ann.Do("POST", "/world/social/events", `{"title": "Dinner", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 1}`).Want(201)
	bea.Do("GET", "/social/objects").WantError(404, "not_found")
	a := ann.AsService().Do("GET", "/social/objects").Want(200)
	counts := "map[communities:1 conversations:1 events:1 presence:1]"
	if got := fmt.Sprintf("%v %v %v", a.Str("service"), a.At("counts"), a.At("truncated")); got != "social "+counts+" false" {
		t.Errorf("it says %s", got)
	}
	for kind, want := range map[string]string{"communities": "Family", "conversations": "Trip", "events": "Dinner", "dms": "Bea", "profiles": "Ann Bea"} {
		if got := a.Column("objects."+kind, "title"); got != want {
			t.Errorf("%s %s, want %s", kind, got, want)
		}
		for _, o := range a.List("objects." + kind) {
			a.WantSchema("service.social.object_source", o)
			if apptest.At(o, "object_type") != apptest.At(o, "source.resource_type") || apptest.At(o, "source.service") != "social" {
				t.Errorf("source %v", apptest.At(o, "source"))
			}
		}
	}
	for _, path := range []string{
		"communities.0.state.created_by", "conversations.0.state.author.id", "events.0.state.host.id", "dms.0.state.participants.1.id", "profiles.1.state.member_id",
	} {
		if _, text := a.At("objects." + path).(string); !text {
			t.Errorf("%s is %v, no text", path, a.At("objects."+path))
		}
	}
	if strings.Contains(a.Body, "/world") || strings.Contains(a.Body, "http") {
		t.Errorf("there are addresses in %s", a.Body)
	}
	if got := fmt.Sprint(a.At("objects.conversations.0.relationships.0.target.resource_id")); !strings.HasSuffix(family, got) {
		t.Errorf("the conversation is in %s", got)
	}
	if got := cem.AsService().Do("GET", "/social/objects").Want(200); strings.Contains(got.Body, "Family") || strings.Contains(got.Body, "Trip") ||
		fmt.Sprint(got.At("counts")) != "map[communities:0 conversations:0 events:0 presence:0]" {
		t.Errorf("Cem is told %s", got.Body)
	}
}

// An event that is over is one of the past, and not before. Covers O-18 as far
// as the dataset goes.
func TestEventEndsInTheDataset(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	ann.Do("POST", "/world/social/events", `{"title": "Tea", "start": "2026-11-21T10:30:00", "end": "2026-11-21T11:00:00", "timezone": "Europe/Berlin"}`).Want(201)
	on := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	h.Clock.Advance(59 * time.Minute)
	ann.Runtime().With("If-None-Match", on.Header.Get("ETag")).Do("GET", "/world/runtime").Want(304)
	h.Clock.Advance(2 * time.Minute)
	over := ann.Runtime().With("If-None-Match", on.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200)
	if got := fmt.Sprint(apptest.At(object(on, "Tea"), "state.status"), apptest.At(object(over, "Tea"), "state.status"), " ", does(over, "Tea")); got !=
		"scheduledended event.open event.reply event.update event.cancel" {
		t.Errorf("it was, is, and can be: %s", got)
	}
}

// A presence that ends by itself makes the dataset another one, and not
// before. Covers O-23 and B-84 as far as Social goes.
func TestPresenceEndsInTheDataset(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.CreateCommunity(`{"name": "Family"}`, bea)
	bea.Do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 60}`).Want(200)
	there := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	again := func() *apptest.Answer {
		return ann.Runtime().With("If-None-Match", there.Header.Get("ETag")).Do("GET", "/world/runtime")
	}
	h.Clock.Advance(59 * time.Second)
	again().Want(304)
	h.Clock.Advance(2 * time.Second)
	if gone := again().Want(200); strings.Contains(gone.Body, `"state":"online"`) || !strings.Contains(there.Body, `"state":"online"`) {
		t.Error("she is there for ever")
	}
}

// group are members who may have to do with one another.
type group struct {
	apptest.Rand
	members       []*apptest.Client
	communities   []string
	conversations []string
}

// step has one of the group do something that nobody else sees.
func (c *group) step() string {
	who, other := apptest.Pick(c.Rand, c.members...), apptest.Pick(c.Rand, c.members...)
	post := func(path string, body any) *apptest.Answer { return who.Do("POST", "/world/social/"+path, body) }
	var a *apptest.Answer
	switch c.IntN(11) {
	case 0:
		a = post("communities", `{"name": "Secret"}`)
		if a.Status == 201 {
			c.communities = append(c.communities, a.Str("community.id"))
		}
	case 1:
		if len(c.communities) > 0 {
			a = post("communities/"+apptest.Pick(c.Rand, c.communities...)+"/invitations", map[string]any{"recipient": other.Name})
			if a.Status == 201 && !c.OneIn(3) {
				other.AnswerInvitation(a.Str("invitation.id"), "accept")
			}
		}
	case 2:
		a = post("conversations", `{"title": "Quiet", "body": "Sh", "context": {"kind": "circle", "depth": 3}}`)
		if a.Status == 201 {
			c.conversations = append(c.conversations, a.Str("conversation.id"))
		}
	case 3, 4:
		if len(c.conversations) > 0 {
			a = post("conversations/"+apptest.Pick(c.Rand, c.conversations...)+"/replies", `{"body": "Yes"}`)
		}
	case 5:
		a = post("dms", map[string]any{"recipient": other.Name, "body": "Psst"})
	case 6:
		a = post("presence", map[string]any{"state": apptest.Pick(c.Rand, "online", "busy", "offline"), "visible_to": apptest.Pick(c.Rand, "inner", "extended", "nobody")})
	case 7:
		a = post("notifications/read", `{"all": true}`)
	case 8:
		if len(c.communities) > 0 {
			a = post("communities/"+apptest.Pick(c.Rand, c.communities...)+"/leave", `{}`)
		}
	case 10:
		a = post("events", `{"title": "Quiet", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 3}`)
		if a.Status == 201 {
			other.Do("POST", "/world/social/events/"+a.Str("event.id")+"/rsvp", `{"response": "going"}`)
		}
	case 9:
		if a = post("blocks", map[string]any{"recipient": other.Name}); c.OneIn(2) {
			who.Do("DELETE", path(other, "/world/social/blocks"))
		}
	}
	if a == nil {
		return "nothing"
	}
	return fmt.Sprint(a.About, " ", a.Status)
}

// What one group does among itself changes no byte of another's datasets, and
// two reads of the same are the same. Covers PT-07, PT-42 and PT-47 as far as
// Social goes.
func TestGroupsAreApart(t *testing.T) {
	svctest.Long(t)
	for seed := range uint64(3) {
		h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
		d := apptest.NewRand(seed)
		ours := &group{Rand: d, members: []*apptest.Client{h.Member("ann"), h.Member("bea")}}
		theirs := &group{Rand: d, members: []*apptest.Client{h.Member("cem"), h.Member("dan"), h.Member("eve")}}
		for range 60 {
			h.Clock.Advance(time.Second)
			did := ours.step()
			for _, c := range ours.members {
				countsAreLists(c, did)
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
		a := m.Runtime().Do("GET", "/world/runtime").Want(200)
		all.WriteString(a.Body)
	}
	return all.String()
}

// countsAreLists fails the test unless each count is how long its list is.
func countsAreLists(c *apptest.Client, did string) {
	c.T.Helper()
	counts := c.AsService().Do("GET", "/social/objects").Want(200)
	for _, kind := range []string{"communities", "conversations", "events", "presence"} {
		n, cursor := 0, ""
		for {
			page := c.Do("GET", "/world/social/"+kind+"?limit=3&cursor="+cursor).Want(200)
			n += len(page.List(kind))
			if cursor = page.Str("page.next_cursor"); cursor == "" {
				break
			}
		}
		if got := counts.At("counts." + kind); got != float64(n) {
			c.T.Errorf("after %s, %s counts %v %s of %d", did, c.Name, got, kind, n)
		}
	}
}

// A member with 30 communities, 300 conversations, 100 events, 200 DMs, and 200 who are
// close to her and there.
func BenchmarkSocialRuntime(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann").Runtime()
	crowd(h, ann, 0, 200)
	for i := range 28 {
		ann.CreateCommunity(fmt.Sprintf(`{"name": "Community %d", "summary": "What we do together"}`, i))
	}
	var conversations []string
	for i := range 300 {
		conversations = append(conversations, ann.StartConversationIn(fmt.Sprint("Conversation ", i), `{"kind": "circle", "depth": 2}`))
	}
	for i := range 100 {
		ann.Do("POST", "/world/social/events", map[string]any{
			"title": fmt.Sprint("Event ", i), "start": fmt.Sprintf("2027-01-%02dT18:00:00", i%30+1), "visibility": "circle", "circle_depth": 2,
		}).Want(201)
	}
	get := ann.Bench(b, "GET", 200)
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			h.Restart()
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
			ann.Do("POST", "/world/social/conversations/"+conversations[7]+"/replies", `{"body": "Yes"}`).Want(201)
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		b.ReportAllocs()
		etag := ann.Do("GET", "/world/runtime").Header.Get("ETag")
		get := ann.With("If-None-Match", etag).Bench(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
}

// The calendar entry of an event is tied to the event, where the dataset has
// that. Covers W-15.
func TestMirrorsAreTiedToTheirEvents(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	id := ann.CreateEvent("title", "Dinner", "visibility", "public")
	rsvp(bea, id, "going").Want(200)
	ties := func() (ties, event any) {
		a := bea.Runtime().Do("GET", "/world/runtime").Want(200)
		apptest.CheckDataset(t, a)
		for _, o := range a.List("objects") {
			switch apptest.At(o, "object_type") {
			case "event":
				event = apptest.At(o, "world_object_id")
			case "calendar_event":
				ties = apptest.At(o, "relationships")
			}
		}
		return ties, event
	}
	got, event := ties()
	if want := fmt.Sprintf("[map[target:map[kind:object world_object_id:%v] type:mirror_of]]", event); fmt.Sprint(got) != want {
		t.Errorf("tied to %v, want %s", got, want)
	}
	h.Settings.ServicesOff = []string{"social"}
	h.Restart()
	if got, _ := ties(); fmt.Sprint(got) != "[]" {
		t.Errorf("without events it is tied to %v", got)
	}
}
