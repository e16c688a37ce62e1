package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// datasetTitles returns the sorted titles of the objects of one type in a dataset.
func datasetTitles(a *apptest.Answer, objectType string) string {
	a.T.Helper()
	var titles []string
	for _, o := range a.List("objects") {
		if apptest.At(o, "object_type") == objectType {
			titles = append(titles, apptest.At(o, "title").(string))
		}
	}
	slices.Sort(titles)
	return strings.Join(titles, " ")
}

// Covers O-32, O-36, O-37, PT-03, B-18 and B-20 for the dataset.
func TestDatasetContainsTheRecordsThatTheMemberSees(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family", "summary": "All of us"}`, bea)
	ann.CreateCommunity(`{"name": "Choir", "visibility": "public"}`)
	trip := ann.StartConversationIn("Trip", communityContext(family))
	ann.StartConversationIn("Party", `{"kind": "circle", "depth": 1}`)
	ann.StartConversationIn("Weather", `{"kind": "open"}`)
	createCommunityEvent(ann, family)
	bea.CreateEvent("title", "Concert", "visibility", "public")
	bea.Reply(trip, "Where to?")
	bea.SendDM(ann, "Psst")
	bea.Do("POST", presencePath, `{"state": "busy", "note": "at work", "visible_to": "inner"}`).Want(200)
	bea.Do("PATCH", profilePath, `{"bio": "I sing", "links": [{"label": "Me", "url": "https://example.org/panel"}]}`).Want(200)

	annDataset, beaDataset, cemDataset := ann.Dataset(), bea.Dataset(), cem.Dataset()
	for _, c := range []struct{ objectType, ann, bea, cem string }{
		{"community", "Choir Family", "Choir Family", "Choir"},
		{"conversation", "Party Trip Weather", "Party Trip Weather", "Weather"},
		{"event", "Concert Dinner", "Concert Dinner", "Concert"},
		{"social_dm", "Bea", "Ann", ""},
		{"profile", "Ann Bea", "Ann Bea", "Cem"},
	} {
		want(t, c.objectType+" for ann", datasetTitles(annDataset, c.objectType), c.ann)
		want(t, c.objectType+" for bea", datasetTitles(beaDataset, c.objectType), c.bea)
		want(t, c.objectType+" for cem", datasetTitles(cemDataset, c.objectType), c.cem)
	}
	for _, hidden := range []string{"Family", "Dinner", "Trip"} {
		if strings.Contains(cemDataset.Body, hidden) {
			t.Errorf("the dataset of cem contains %q: %s", hidden, cemDataset.Body)
		}
	}

	familyID := apptest.At(annDataset.Object("objects", "Family"), "world_object_id")
	inFamily := map[string]any{"type": "in", "target": map[string]any{"kind": "object", "world_object_id": familyID}}
	want(t, "relationships of Trip", apptest.At(annDataset.Object("objects", "Trip"), "relationships"), []any{inFamily})
	want(t, "relationships of Weather", apptest.At(annDataset.Object("objects", "Weather"), "relationships"), []any{})
	dm, profile := annDataset.Object("objects", "social_dm Bea"), annDataset.Object("objects", "profile Bea")
	want(t, "the DM", fmt.Sprint(apptest.At(dm, "relationships.0.type"), " ", apptest.At(dm, "state.unread_count")), "participant 1")
	want(t, "relationships of the profile", apptest.At(profile, "relationships"), []any{inFamily})
	want(t, "presence in the profile", apptest.At(profile, "state.presence"), map[string]any{"note": "at work", "state": "busy"})

	var items []string
	for _, c := range annDataset.List("contexts") {
		if apptest.At(c, "kind") == "social" {
			items = apptest.Values(apptest.At(c, "items").([]any), "label")
		}
	}
	if len(items) != 4 || !slices.Contains(items[:2], "Bea") || !slices.Contains(items[:2], "Trip") {
		t.Errorf("items of the social context: got %q, want the unread ones Bea and Trip first of 4", items)
	}

	bea.Block(ann).Want(201)
	annDataset, beaDataset = ann.Dataset(), bea.Dataset()
	want(t, "conversations of bea after a block", datasetTitles(beaDataset, "conversation"), "")
	want(t, "profiles of ann after a block", datasetTitles(annDataset, "profile"), "Ann")
	if !strings.Contains(beaDataset.Body, "social.unblock") {
		t.Error("the dataset of bea has no action to unblock")
	}
}

// presenceDefaults returns the defaults of the controls that set the presence, as the
// dataset of a member declares them.
func presenceDefaults(c *apptest.Client) string {
	c.T.Helper()
	for _, action := range c.Dataset().List("actions") {
		if apptest.At(action, "type") == "social.presence.set" {
			return strings.Join(apptest.Values(apptest.At(action, "controls").([]any)[:3], "default"), " ")
		}
	}
	return "no action"
}

// A client that sends the defaults of the controls does not show the presence to more
// members than before.
func TestDatasetDeclaresThePresenceAsDefaults(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	connectChain(ann, bea)
	ann.Do("POST", presencePath, `{"state": "away", "note": "Soup", "ttl_seconds": 3600}`).Want(200)
	want(t, "without a presence", presenceDefaults(bea), "offline  members")
	bea.Do("POST", presencePath, `{"state": "busy", "note": "Tea", "visible_to": "inner"}`).Want(200)
	want(t, "with a presence", presenceDefaults(bea), "busy Tea inner")
	bea.Do("POST", presencePath, `{"state": "busy", "note": "Tea", "visible_to": "trusted"}`).Want(200)
	want(t, "with another audience", presenceDefaults(bea), "busy Tea trusted")
	s.Clock.Advance(301 * time.Second)
	want(t, "after the presence has expired", presenceDefaults(bea), "offline  trusted")
}

// socialActions returns the types of the actions that a dataset declares for the
// Social object with a title, without the prefix "social.".
func socialActions(a *apptest.Answer, title string) string {
	a.T.Helper()
	ids := apptest.At(a.Object("objects", title), "actions").([]any)
	var types []string
	for _, action := range a.List("actions") {
		kind, social := strings.CutPrefix(apptest.At(action, "type").(string), "social.")
		if social && slices.Contains(ids, apptest.At(action, "action_id")) {
			types = append(types, kind)
		}
	}
	return strings.Join(types, " ")
}

// Covers O-38 and B-64: an object has the actions that the member is permitted.
func TestDatasetActionsFollowPermissions(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family"}`, bea)
	choir := ann.CreateCommunity(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`)
	trip := bea.StartConversationIn("Trip", communityContext(family))
	ann.CreateEvent("visibility", "circle", "circle_depth", 1)
	for _, c := range []struct {
		by             *apptest.Client
		title, actions string
	}{
		{ann, "community Family", "community.open conversation.create event.create community.invite community.update community.color community.avatar.set community.delete"},
		{bea, "community Family", "community.open community.leave conversation.create event.create"},
		{ann, "community Choir", "community.open conversation.create event.create community.invite community.update community.color community.avatar.set community.make_private community.delete"},
		{cem, "community Choir", "community.open community.join"},
		{bea, "conversation Trip", "conversation.open conversation.reply conversation.update conversation.close"},
		{ann, "conversation Trip", "conversation.open conversation.reply conversation.read conversation.close"},
		{ann, "event Dinner", "event.open event.rsvp event.reply event.update event.cancel event.invite"},
		{bea, "event Dinner", "event.open event.rsvp event.reply"},
		{cem, "profile Cem", "profile.open profile.update profile.avatar.set presence.set"},
	} {
		want(t, c.by.Name+", "+c.title, socialActions(c.by.Dataset(), c.title), c.actions)
	}
	bea.Do("DELETE", apptest.ConversationsPath+"/"+trip).Want(200)
	want(t, "a closed conversation", socialActions(bea.Dataset(), "conversation Trip"), "conversation.open conversation.update conversation.reopen")

	cem.Do("POST", choir+"/join").Want(200)
	want(t, "a requested membership", socialActions(cem.Dataset(), "community Choir"), "community.open community.leave")
	want(t, "requests that ann can admit", strings.Count(ann.Dataset().Body, `"label":"Cem asks to join Choir"`), 1)

	// The invitee does not see the community yet.
	ann.InviteToCommunity(family, cem)
	invited := cem.Dataset()
	if !strings.Contains(invited.Body, `"label":"Invitation to Family","target":{"kind":"workspace"}`) || invited.Object("objects", "Family") != nil {
		t.Errorf("the dataset of the invitee: got contexts %s, want the invitation without the community", apptest.JSON(invited.At("contexts")))
	}
	plain := ann.With("X-Service-Runtime", `web/1; caps="objects"`).Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, plain) // for a runtime without the capability forms
}

// Covers O-32, B-75 and X-04: the sources of Social for a service that composes datasets. They
// contain no URLs, member ids are strings, and the domain actions are the same as in the dataset.
func TestSourcesHaveNoURLs(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	family := ann.CreateCommunity(`{"name": "Family"}`, bea)
	bea.Reply(ann.StartConversationIn("Trip", communityContext(family)), "Where to?")
	bea.SendDM(ann, "Psst")
	ann.Do("POST", presencePath, `{"state": "online", "visible_to": "nobody"}`).Want(200)
	ann.CreateEvent("visibility", "circle", "circle_depth", 1)
	bea.Do("GET", "/social/objects").WantError(404, "not_found")
	a, dataset := ann.AsService().Do("GET", "/social/objects").Want(200), ann.Dataset()
	a.WantValues("", map[string]any{
		"service": "social", "truncated": false, "counts": map[string]any{"communities": 1, "conversations": 1, "events": 1, "presence": 1},
	})
	for list, titles := range map[string]string{"communities": "Family", "conversations": "Trip", "events": "Dinner", "dms": "Bea", "profiles": "Ann Bea"} {
		want(t, list, a.Column("objects."+list, "title"), titles)
		for _, o := range a.List("objects." + list) {
			a.WantSchema("service.social.object_source", o)
			want(t, "service of a source", apptest.At(o, "source.service"), "social")
			want(t, "resource_type of a source", apptest.At(o, "source.resource_type"), apptest.At(o, "object_type"))
			name := fmt.Sprint(apptest.At(o, "object_type"), " ", apptest.At(o, "title"))
			domain := strings.Trim(fmt.Sprint(apptest.At(o, "domain_actions")), "[]")
			want(t, "domain actions of the "+name, strings.ReplaceAll(domain, "social.", ""), socialActions(dataset, name))
		}
	}
	for _, path := range []string{
		"communities.0.state.created_by", "conversations.0.state.author.id", "events.0.state.host.id", "dms.0.state.participants.1.id", "profiles.1.state.member_id",
	} {
		if id, ok := a.At("objects." + path).(string); !ok {
			t.Errorf("%s: got %v, want a string", path, id)
		}
	}
	if strings.Contains(a.Body, "/world") || strings.Contains(a.Body, "http") {
		t.Errorf("got a URL in %s", a.Body)
	}
	want(t, "community of the conversation", a.Str("objects.conversations.0.relationships.0.target.resource_id"), apptest.LastSegment(family))
	cem.AsService().Do("GET", "/social/objects").Want(200).WantValues("", map[string]any{
		"counts": map[string]any{"communities": 0, "conversations": 0, "events": 0, "presence": 0}, "objects.conversations": []any{}, "objects.communities": []any{},
	})
}

// Covers O-18, O-23 and B-84: the dataset changes when a presence expires or an
// event ends, and not earlier.
func TestDatasetChangesWhenARecordExpires(t *testing.T) {
	for _, c := range []struct {
		name          string
		create        func(ann, bea *apptest.Client)
		after         time.Duration
		before, later string
	}{
		{"presence", func(_, bea *apptest.Client) {
			bea.Do("POST", presencePath, `{"state": "online", "ttl_seconds": 60}`).Want(200)
		}, time.Minute, `"state":"online"`, `"presence":null`},
		{"event", func(ann, _ *apptest.Client) {
			ann.CreateEvent("start", "2026-11-21T10:30:00", "end", "2026-11-21T11:00:00")
		}, time.Hour, `"status":"scheduled"`, `"status":"ended"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := apptest.New(t, apptest.Unlimited)
			ann, bea := s.Member("ann"), s.Member("bea")
			connectChain(ann, bea)
			c.create(ann, bea)
			first := ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
			cached := ann.AsRuntime().With("If-None-Match", first.Header.Get("ETag"))
			s.Clock.Advance(c.after - time.Second)
			cached.Do("GET", "/world/runtime").Want(304)
			s.Clock.Advance(2 * time.Second)
			later := cached.Do("GET", "/world/runtime").Want(200)
			if !strings.Contains(first.Body, c.before) || strings.Contains(later.Body, c.before) || !strings.Contains(later.Body, c.later) {
				t.Errorf("got\n%s\nand later\n%s\nwant %s and then %s", first.Body, later.Body, c.before, c.later)
			}
		})
	}
}

// Covers O-36 and B-84: the ETag of a dataset changes only with the records that
// its member sees.
func TestDatasetTagIsIndependentOfHiddenRecords(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cid, dan := s.Member("ann"), s.Member("bea"), s.Member("cid"), s.Member("dan")
	family := ann.CreateCommunity(`{"name": "Family"}`, bea)
	connectChain(bea, cid)
	setPresence := func(body string) { ann.Do("POST", presencePath, body).Want(200) }
	for _, c := range []struct {
		name    string
		change  func()
		wantBea bool // whether the ETag of bea's dataset changes
	}{
		{"a message", func() { ann.SendMessage("bea", "B") }, true},
		{"a DM", func() { ann.SendDM(bea, "B") }, true},
		{"presence for the inner circle", func() { setPresence(`{"state": "online", "visible_to": "inner"}`) }, true},
		{"the same presence again", func() { setPresence(`{"state": "online", "visible_to": "inner"}`) }, false},
		{"the end of this presence", func() { setPresence(`{"state": "busy", "visible_to": "nobody"}`) }, true},
		{"presence hidden from all members", func() { setPresence(`{"state": "away", "visible_to": "nobody"}`) }, false},
		{"a conversation of a circle", func() { ann.StartConversationIn("T", `{"kind": "circle", "depth": 1}`) }, true},
		{"a conversation of a community", func() { ann.StartConversationIn("T", communityContext(family)) }, true},
		{"an event of a circle", func() { ann.CreateEvent("visibility", "circle", "circle_depth", 1) }, true},
		{"an event for guests", func() { ann.CreateEvent() }, false},
	} {
		clients := []*apptest.Client{bea, cid, dan}
		var before []string
		for _, client := range clients {
			before = append(before, datasetTag(client))
		}
		c.change()
		for i, client := range clients {
			if changed := datasetTag(client) != before[i]; changed != (c.wantBea && client == bea) {
				t.Errorf("%s: the ETag of %s: got changed %t, want %t", c.name, client.Name, changed, !changed)
			}
		}
	}
}

// Covers S-73, B-76 and PT-21 for the workspace: surfaces store no text that
// another member wrote.
func TestSurfacesStoreNoTextsOfOtherMembers(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	const text = "At the old mill"
	family := ann.CreateCommunity(fmt.Sprintf(`{"name": "Family", "summary": %q}`, text), bea)
	ann.Do("POST", apptest.ConversationsPath, map[string]any{"title": "Trip", "body": text, "among": apptest.LastSegment(family)}).Want(201)
	createCommunityEvent(ann, family, "title", "Supper", "description", text)
	ann.SendMessage("bea", text)
	ann.SendDM(bea, text)
	for _, name := range []string{"community Family", "conversation Trip", "event Supper", "message_thread Ann", "social_dm Ann"} {
		bea.WantDone(bea.Act("focus_object", name))
		stored := bea.SurfaceRuntime()
		panel := apptest.At(stored.Surface("surfaces", stored.Str("stacks.0.focused_surface_id")), "content_source.url").(string)
		if body := bea.Do("GET", panel).Want(200).Body; !strings.Contains(body, text) {
			t.Errorf("%s: got the panel %s, want the text", name, body)
		}
		if strings.Contains(stored.Body, text) {
			t.Errorf("%s: the surface runtime contains the text:\n%s", name, stored.Body)
		}
	}
	ann.Do("DELETE", memberPath(family+"/members", bea)).Want(200)
	bea.WantWorkspace("Ann, Ann*")
}

// group is a set of members who send random requests about each other.
type group struct {
	apptest.Rand
	members       []*apptest.Client
	communities   []string
	conversations []string
}

// sendRandom sends a random request of a member of the group. It must not
// affect what members outside the group see.
func (g *group) sendRandom() (request string) {
	by, other := apptest.Pick(g.Rand, g.members...), apptest.Pick(g.Rand, g.members...)
	post := func(path string, body any) *apptest.Answer { return by.Do("POST", "/world/social/"+path, body) }
	var a *apptest.Answer
	switch n := g.IntN(11); {
	case n == 0:
		if a = post("communities", `{"name": "Secret"}`); a.Status == 201 {
			g.communities = append(g.communities, a.Str("community.id"))
		}
	case n == 1 && len(g.communities) > 0:
		a = post("communities/"+apptest.Pick(g.Rand, g.communities...)+"/invitations", map[string]any{"recipient": other.Name})
		if a.Status == 201 && !g.OneIn(3) {
			other.AnswerInvitation(a.Str("invitation.id"), "accept")
		}
	case n == 2:
		a = post("conversations", `{"title": "Quiet", "body": "Sh", "context": {"kind": "circle", "depth": 3}}`)
		g.conversations = append(g.conversations, a.Str("conversation.id"))
	case n <= 4 && len(g.conversations) > 0:
		a = post("conversations/"+apptest.Pick(g.Rand, g.conversations...)+"/replies", `{"body": "Yes"}`)
	case n == 5:
		a = post("dms", map[string]any{"recipient": other.Name, "body": "Psst"})
	case n == 6:
		a = post("presence", map[string]any{"state": apptest.Pick(g.Rand, "online", "busy", "offline"), "visible_to": apptest.Pick(g.Rand, "inner", "extended", "nobody")})
	case n == 7:
		a = post("notifications/read", `{"all": true}`)
	case n == 8 && len(g.communities) > 0:
		a = post("communities/"+apptest.Pick(g.Rand, g.communities...)+"/leave", `{}`)
	case n == 9:
		if a = post("blocks", map[string]any{"recipient": other.Name}); g.OneIn(2) {
			by.Do("DELETE", memberPath(blocksPath, other))
		}
	case n == 10:
		a = post("events", `{"title": "Quiet", "start": "2026-12-24T18:00:00", "visibility": "circle", "circle_depth": 3}`)
		rsvp(other, a.Str("event.id"), "going")
	default:
		return "no request"
	}
	return fmt.Sprint(a.About, " ", a.Status)
}

// datasets returns the datasets of all members of the group.
func (g *group) datasets() string {
	var all strings.Builder
	for _, m := range g.members {
		all.WriteString(m.AsRuntime().Do("GET", "/world/runtime").Want(200).Body)
	}
	return all.String()
}

// Covers PT-07, PT-42 and PT-47 for Social: the writes of one group change no byte
// of the datasets of another, and each count is the length of its list.
func TestGroupsDoNotAffectEachOther(t *testing.T) {
	svctest.Long(t)
	for seed := range uint64(3) {
		s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
		random := apptest.NewRand(seed)
		firstGroup := &group{Rand: random, members: []*apptest.Client{s.Member("ann"), s.Member("bea")}}
		secondGroup := &group{Rand: random, members: []*apptest.Client{s.Member("cem"), s.Member("dan"), s.Member("eve")}}
		for range 60 {
			s.Clock.Advance(time.Second)
			request := firstGroup.sendRandom()
			for _, c := range firstGroup.members {
				wantCountsOfLists(c, request)
			}
			before := firstGroup.datasets()
			for range 2 {
				other := secondGroup.sendRandom()
				if after := firstGroup.datasets(); after != before {
					t.Fatalf("seed %d: after %s and %s of the other group: got\n%s\nwant\n%s", seed, request, other, after, before)
				}
			}
		}
		if len(firstGroup.communities) == 0 || len(secondGroup.communities) == 0 || len(secondGroup.conversations) == 0 {
			t.Errorf("seed %d: got %d and %d communities and %d conversations, want some", seed, len(firstGroup.communities), len(secondGroup.communities), len(secondGroup.conversations))
		}
	}
}

// wantCountsOfLists fails the test unless each count is the length of its list.
func wantCountsOfLists(c *apptest.Client, after string) {
	c.T.Helper()
	counts := c.AsService().Do("GET", "/social/objects").Want(200)
	for _, kind := range []string{"communities", "conversations", "events", "presence"} {
		n := 0
		for cursor, more := "", true; more; more = cursor != "" {
			page := c.Do("GET", "/world/social/"+kind+"?limit=3&cursor="+cursor).Want(200)
			n += len(page.List(kind))
			cursor = page.Str("page.next_cursor")
		}
		want(c.T, fmt.Sprintf("count of %s for %s after %s", kind, c.Name, after), counts.At("counts."+kind), n)
	}
}
