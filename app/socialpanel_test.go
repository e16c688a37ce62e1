package app

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const socialPanelPath = "/world/panels/social"

// socialViews are the views of the panel of Social.
var socialViews = []string{"dashboard", "conversations", "communities", "events", "people", "activity", "notifications", "dms", "profile"}

// panel returns a view of the panel of Social, or one thing in it.
func (c *client) panel(view string, id ...any) *answer {
	c.t.Helper()
	at := socialPanelPath + "?view=" + view
	if len(id) > 0 {
		at += fmt.Sprintf("&id=%v", id[0])
	}
	return c.do("GET", at)
}

// street is a house in which something of everything has happened: ann has a
// private club with bea, in which they talk, and a public choir that cem asks
// to join; dan is asked into the club, and is a stranger to everybody else.
type street struct {
	*house
	ann, bea, cem, dan      *client
	club, choir             string // their addresses
	talk, open, dm, invited string // ids; open is for everybody
	game, party             string // events: of the club, and for everybody
}

func newStreet(t testing.TB) *street {
	t.Helper()
	s := &street{house: open(t, unlimited, withKey)}
	s.ann, s.bea, s.cem, s.dan = s.member("ann"), s.member("bea"), s.member("cem"), s.member("dan")
	s.club = s.ann.community(`{"name": "Club <b>", "summary": "Chess & more"}`, s.bea)
	s.choir = s.ann.community(`{"name": "Choir", "visibility": "public", "join_policy": "request"}`, s.bea)
	s.cem.do("POST", s.choir+"/join").want(200)
	s.invited = s.ann.invites(s.club, s.dan)
	s.talk = s.bea.do("POST", conversationsPath, map[string]any{"title": "Trip <i>", "body": "To the sea?\nOr @ann not?", "among": last(s.club)}).want(201).str("conversation.id")
	s.ann.says(s.talk, "Yes & soon")
	s.bea.says(s.talk, "When?")
	s.open = s.cem.converse("Street party")
	s.bea.says(s.open, "Nice")
	s.game = s.bea.do("POST", "/world/social/events", map[string]any{"title": "Game <b>", "start": "2026-12-03T19:00:00", "timezone": "Europe/Berlin",
		"description": "Bring a board\n& a clock", "location": "At the lake", "among": last(s.club)}).want(201).str("event.id")
	s.ann.do("POST", "/world/social/events/"+s.game+"/rsvp", `{"response": "maybe", "note": "late"}`).want(200)
	s.ann.do("POST", "/world/social/events/"+s.game+"/replies", `{"body": "How long?"}`).want(201)
	s.party = s.cem.do("POST", "/world/social/events", `{"title": "Street party", "start": "2026-12-05", "timezone": "UTC", "among": "open"}`).want(201).str("event.id")
	s.cem.do("POST", "/world/social/events/"+s.party+"/invitations", `{"recipient": "dan"}`).want(201)
	s.dm = s.bea.do("POST", "/world/social/dms", `{"recipient": "ann", "body": "Psst <b>"}`).want(201).str("dm.id")
	s.bea.do("POST", "/world/social/presence", `{"state": "online", "note": "at the lake", "visible_to": "inner", "ttl_seconds": 3600}`).want(200)
	s.ann.do("PATCH", "/world/social/profile", `{"visibility": "circle", "bio": "I <3 chess", "links": [{"label": "Home", "url": "https://ann.example.org/"}]}`).want(200)
	return s
}

// last is what comes last in a path.
func last(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// items are all items of a panel, by their titles.
func (a *answer) items() map[string][]any {
	a.t.Helper()
	found := make(map[string][]any)
	for _, section := range a.list("sections") {
		found[dig(section, "title").(string)] = dig(section, "items").([]any)
	}
	return found
}

// titles are those of the items of a section.
func (a *answer) titles(section string) string {
	a.t.Helper()
	list, there := a.items()[section]
	if !there {
		return "no such section"
	}
	var titles []string
	for _, item := range list {
		titles = append(titles, dig(item, "title").(string))
	}
	return strings.Join(titles, ", ")
}

// Covers W-120 as far as Social goes, O-33, O-34, T-34, B-28 and B-75: every
// view, for somebody who is new and for those who are not.
func TestSocialPanel(t *testing.T) {
	s := newStreet(t)
	everybody := []*client{s.ann, s.bea, s.cem, s.dan, s.member("eve")}
	for _, view := range socialViews {
		for _, c := range everybody {
			t.Run(fmt.Sprint(view, " of ", c.name), func(t *testing.T) {
				a := c.panel(view).want(200)
				checkSocialPanel(t, a, view)
				if in := c.internally().do("GET", "/runtime/panel/social?view="+view).want(200); in.body != a.body {
					t.Error("the route of the service shows something else")
				}
			})
		}
	}
	first := s.ann.do("GET", socialPanelPath).want(200)
	if first.body != s.ann.panel("dashboard").body {
		t.Error("without a view, it is not the dashboard")
	}
	dms := s.ann.internally().do("GET", "/runtime/panel/social-dms").want(200)
	if dms.body != s.ann.panel("dms").body {
		t.Error("the panel of DMs is not the view of them")
	}
	if one := s.ann.internally().do("GET", "/runtime/panel/social-dms?view=people&id="+s.dm).want(200); one.body != s.ann.panel("dms", s.dm).body {
		t.Error("the panel of DMs shows one of them otherwise")
	}
	s.ann.panel("year").refused(400, "invalid_parameter").names("view")
	s.ann.do("GET", socialPanelPath+"?view=conversations&cursor=x").refused(400, "invalid_parameter").names("cursor")
	s.nobody().panel("dashboard").refused(401, "unauthenticated")
	s.ann.do("GET", "/runtime/panel/social").refused(404, "not_found")
}

// checkSocialPanel fails the test unless a panel is as all are.
func checkSocialPanel(t *testing.T, a *answer, view string) {
	t.Helper()
	a.fits("service.world.panel", a.at(""))
	if a.str("kind") != "social" || a.str("view") != view || a.str("title") == "" || a.str("summary") == "" {
		t.Errorf("kind %q, view %q, title %q, summary %q", a.str("kind"), a.str("view"), a.str("title"), a.str("summary"))
	}
	var selected []string
	for _, item := range a.list("nav") {
		action := dig(item, "action").(string)
		if !strings.HasPrefix(action, socialPanelPath+"?view=") || dig(item, "label") == "" {
			t.Errorf("nav item %v", item)
		}
		if dig(item, "selected") == true {
			selected = append(selected, dig(item, "id").(string))
		}
	}
	if !slices.Equal(selected, []string{view}) {
		t.Errorf("selected %v", selected)
	}
	for _, s := range a.list("sections") {
		list := dig(s, "items").([]any)
		if len(list) == 0 && dig(s, "summary") == "" {
			t.Errorf("section %v is empty and does not say so", dig(s, "title"))
		}
		seen := make(map[any]bool)
		for _, item := range list {
			if seen[dig(item, "id")] || dig(item, "title") == "" {
				t.Errorf("the item %v is there twice, or says nothing", item)
			}
			seen[dig(item, "id")] = true
		}
	}
	for _, form := range a.list("action_descriptors") {
		for _, control := range dig(form, "controls").([]any) {
			choices, _ := dig(control, "options").([]any)
			if (dig(control, "type") == "selector") != (len(choices) > 0) {
				t.Errorf("the %v %v has %d options", dig(control, "type"), dig(control, "id"), len(choices))
			}
			if dig(control, "type") == "text" || dig(control, "type") == "textarea" {
				if _, bounded := dig(control, "max_length").(float64); !bounded && dig(control, "id") != "recipient" {
					t.Errorf("the text %v has no bound", dig(control, "id"))
				}
			}
		}
	}
	for _, text := range humanTexts.FindAllString(a.body, -1) {
		if strings.Contains(strings.ToLower(text), "calendar") {
			t.Errorf("%s: a Social event is no calendar event", text)
		}
	}
	addresses(t, "", a.at(""))
}

// What each sees at a glance, and in full. Covers O-36 as far as the panel
// goes, B-75, X-43.
func TestWhatThePanelOfSocialShows(t *testing.T) {
	s := newStreet(t)
	for _, c := range []struct {
		who           *client
		view          string
		id            any
		section, want string
	}{
		{s.ann, "dashboard", nil, "New for you", "Bea sent you a message, Bea replied, Bea mentioned you, Cem asked to join"},
		{s.ann, "dashboard", nil, "Latest conversations", "Street party, Trip <i>"},
		{s.ann, "dashboard", nil, "Who is there", "Bea"},
		{s.ann, "dashboard", nil, "Invitations", ""},
		{s.dan, "dashboard", nil, "New for you", "Cem invited you, Ann invited you"},
		{s.dan, "dashboard", nil, "Invitations", "Street party, Club <b>"},
		{s.dan, "dashboard", nil, "Latest conversations", "Street party"},
		{s.dan, "dashboard", nil, "Who is there", ""},
		{s.ann, "dashboard", nil, "Next events", "Game <b>, Street party"},
		{s.dan, "dashboard", nil, "Next events", "Street party"},
		{s.dan, "events", nil, "Next events", "Street party"},
		{s.ann, "events", s.game, "Event", "Bea"},
		{s.ann, "events", s.game, "Who comes", "Bea, Ann"},
		{s.ann, "events", s.game, "Replies", "Ann"},
		{s.ann, "events", s.game, "Invitations", "no such section"},
		{s.cem, "events", s.party, "Invitations", "Dan"},
		{s.ann, "communities", last(s.club), "Next events", "Game <b>"},
		{s.ann, "communities", last(s.choir), "Next events", ""},
		{s.bea, "communities", nil, "Communities", "Choir, Club <b>"},
		{s.dan, "communities", nil, "Communities", "Choir"},
		{s.ann, "communities", last(s.club), "Members", "Ann, Bea"},
		{s.ann, "communities", last(s.club), "Latest conversations", "Trip <i>"},
		{s.ann, "communities", last(s.club), "Invitations", "Dan, Bea"},
		{s.bea, "communities", last(s.club), "Invitations", "no such section"},
		{s.ann, "communities", last(s.choir), "Members", "Cem, Ann, Bea"},
		{s.bea, "communities", last(s.choir), "Members", "Ann, Bea"},
		{s.dan, "communities", last(s.choir), "Latest conversations", ""},
		{s.bea, "conversations", s.talk, "Conversation", "Bea"},
		{s.bea, "conversations", s.talk, "Replies", "Ann, Bea"},
		{s.dan, "activity", nil, "Latest", "Cem plans an event, Bea replied, Cem began a conversation, Bea joined a community, Ann made a community"},
		{s.dan, "notifications", s.invited, "Invitation", "Club <b>"},
		{s.ann, "dms", nil, "Direct messages", "Bea"},
		{s.ann, "dms", s.dm, "Messages", "Bea"},
		{s.cem, "people", nil, "People", "Ann, Bea, Cem, Dan"},
		{s.bea, "people", s.ann.id, "About", "Ann, Home"},
		{s.bea, "people", s.ann.id, "Communities that you share", "Choir, Club <b>"},
		{s.ann, "profile", nil, "Presence", "Ann"},
		{s.cem, "people", s.bea.id, "Communities that you share", ""},
	} {
		var a *answer
		if c.id == nil {
			a = c.who.panel(c.view).want(200)
		} else {
			a = c.who.panel(c.view, c.id).want(200)
		}
		if got := a.titles(c.section); got != c.want {
			t.Errorf("%s of %s in %s: %s, want %s", c.section, c.who.name, c.view, got, c.want)
		}
	}
	for want, got := range map[string]string{
		"Ann":                       s.bea.panel("profile", s.ann.id).want(200).str("title"),
		"2 unread":                  s.dm2unread(),
		"To the sea?\nOr @ann not?": s.ann.panel("conversations", s.talk).str("sections.0.items.0.summary"),
		"Yes & soon":                s.ann.panel("conversations", s.talk).str("sections.1.items.0.summary"),
		"Thu 3 Dec 2026 19:00 Europe/Berlin · At the lake · 1 going, 1 maybe, you may come": s.ann.panel("events").str("sections.0.items.0.summary"),
		"Bring a board\n& a clock": s.ann.panel("events", s.game).str("sections.0.items.0.summary"),
		"Maybe · late":             s.bea.panel("events", s.game).str("sections.1.items.1.summary"),
		"Sat 5 Dec 2026 · 1 going": s.dan.panel("events").str("sections.0.items.0.summary"),
		"Chess & more":             s.ann.panel("communities", last(s.club)).str("sections.0.items.0.summary"),
		"I <3 chess":               s.bea.panel("people", s.ann.id).str("sections.0.items.0.summary"),
		"@bea · Inner circle · Online: at the lake":        s.ann.panel("people").str("sections.0.items.1.summary"),
		"Bea · 2 replies · 1 new":                          s.ann.panel("conversations").str("sections.0.items.1.summary"),
		"4 unread notifications":                           s.ann.panel("dashboard").str("summary"),
		"2 unread notifications · 2 invitations to answer": s.dan.panel("dashboard").str("summary"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// dm2unread is what the list of DMs says after a second message.
func (s *street) dm2unread() string {
	s.t.Helper()
	s.bea.do("POST", "/world/social/dms/"+s.dm+"/messages", `{"body": "Well?"}`).want(201)
	return s.ann.panel("dms").want(200).str("summary")
}

// What somebody cannot see is not there, in the same words as what is not
// there at all. Covers O-17, O-31, O-36 and PT-21 as far as the panel goes.
func TestPanelOfSocialHidesWhatIsHidden(t *testing.T) {
	s := newStreet(t)
	hidden := func(c *client, view string, id any, none string) {
		t.Helper()
		a, other := c.panel(view, id).refused(404, "not_found"), c.panel(view, none).refused(404, "not_found")
		if a.str("error.message") != other.str("error.message") {
			t.Errorf("%s learns of %v: %q and %q", c.name, id, a.str("error.message"), other.str("error.message"))
		}
	}
	hidden(s.dan, "conversations", s.talk, "cnv_x")
	hidden(s.dan, "communities", last(s.club), "com_x")
	hidden(s.dan, "dms", s.dm, "sdm_x")
	hidden(s.cem, "events", s.game, "evt_x")
	hidden(s.dan, "people", s.ann.id, "99")
	hidden(s.dan, "profile", s.ann.id, "ann")
	hidden(s.cem, "notifications", s.invited, "inv_x")
	for _, view := range []string{"dashboard", "activity"} {
		s.ann.panel(view, s.talk).refused(404, "not_found")
	}
	for _, view := range socialViews {
		for _, secret := range []string{"Trip", "Psst", "chess", "lake", "Game"} {
			if a := s.dan.panel(view).want(200); strings.Contains(a.body, secret) {
				t.Errorf("dan reads %q in %s", secret, view)
			}
		}
	}
	// After a block the two are absent for each other, in what others see too
	// nothing changes.
	before := s.dan.panel("conversations", s.open).want(200).body
	s.bea.do("POST", "/world/social/blocks", map[string]any{"recipient": "cem"}).want(201)
	hidden(s.bea, "conversations", s.open, "cnv_x")
	hidden(s.bea, "events", s.party, "evt_x")
	hidden(s.bea, "people", s.cem.id, "99")
	hidden(s.cem, "people", s.bea.id, "99")
	if got := s.cem.panel("conversations", s.open).titles("Replies"); got != "" {
		t.Errorf("cem reads the reply of %s", got)
	}
	if after := s.dan.panel("conversations", s.open).want(200).body; after != before {
		t.Errorf("dan sees another conversation:\n%s\n%s", before, after)
	}
	for view, who := range map[*client]string{s.bea: "Cem", s.cem: "Bea"} {
		for _, name := range socialViews {
			section := view.panel(name).want(200).items()
			delete(section, "Blocked")
			if strings.Contains(fmt.Sprint(section), who) {
				t.Errorf("%s meets %s in %s", view.name, who, name)
			}
		}
	}
	// Their community stays usable, but for what the other says there; who looks
	// after it meets everybody, though not by name.
	s.ann.do("POST", "/world/social/blocks", map[string]any{"recipient": "bea"}).want(201)
	game := s.ann.panel("events", s.game).want(200)
	if game.titles("Replies") != "Ann" || !strings.Contains(game.body, "social.event.rsvp") || strings.Contains(game.body, "Bea") {
		t.Errorf("of an event in a common community ann sees %s", game.body)
	}
	if got := s.ann.panel("communities", last(s.club)).titles("Members"); got != "Ann, Former member" {
		t.Errorf("in the club ann meets %s", got)
	}
	s.ann.do("DELETE", fmt.Sprint("/world/social/blocks/", s.bea.id)).want(200)
	if got := s.bea.panel("people").titles("Blocked") + s.cem.panel("people").titles("Blocked"); got != "Cem" {
		t.Errorf("blocked: %s", got)
	}
}

// Nothing counts as read by looking at a panel (B-50, and M-21 for Social).
func TestLookingAtThePanelOfSocialReadsNothing(t *testing.T) {
	s := newStreet(t)
	unread := func() string {
		notes := s.ann.do("GET", "/world/social/notifications").want(200)
		return fmt.Sprint(notes.at("unread_count"), s.ann.unreadIn(s.talk), s.ann.do("GET", "/world/social/dms").want(200).at("unread_total"))
	}
	before := unread()
	for _, view := range socialViews {
		s.ann.panel(view).want(200)
	}
	s.ann.panel("conversations", s.talk).want(200)
	s.ann.panel("dms", s.dm).want(200)
	if after := unread(); after != before || before != "4 1 1" {
		t.Errorf("unread %s and then %s", before, after)
	}
}

// filledSocial is what a member says in a form.
func filledSocial(form any) map[string]any {
	body := filled(form)
	if _, asks := body["recipient"]; asks && body["recipient"] == "Something" {
		body["recipient"] = "eve"
	}
	if body["start"] == "Something" {
		body["start"] = "2026-12-24T18:00:00"
	}
	return body
}

// crawl follows every link of the panel, and returns the panels by address.
func (c *client) crawl() map[string]*answer {
	c.t.Helper()
	found := make(map[string]*answer)
	for todo := []string{socialPanelPath}; len(todo) > 0; todo = todo[1:] {
		if found[todo[0]] != nil {
			continue
		}
		a := c.do("GET", todo[0]).want(200)
		found[todo[0]] = a
		for _, item := range a.list("nav") {
			todo = append(todo, dig(item, "action").(string))
		}
		for _, section := range a.list("sections") {
			for _, item := range dig(section, "items").([]any) {
				for _, action := range dig(item, "actions").([]any) {
					if dig(action, "method") == "GET" {
						todo = append(todo, dig(action, "url").(string))
					}
				}
			}
		}
	}
	return found
}

// Whatever is offered works, for whoever it is offered to: every link, every
// form, as JSON and as a form, and every action. Covers PT-02 as far as this
// panel goes, and O-38.
func TestEverythingThatThePanelOfSocialOffers(t *testing.T) {
	long(t)
	done := make(map[string]bool)
	for _, name := range []string{"ann", "bea", "cem", "dan"} {
		links := func(s *street) (c *client, addresses []string) {
			c = map[string]*client{"ann": s.ann, "bea": s.bea, "cem": s.cem, "dan": s.dan}[name]
			all := s.ann.community(`{"name": "All", "visibility": "public"}`)
			eve := s.member("eve")
			for _, m := range []*client{s.bea, s.cem, s.dan, eve} {
				m.do("POST", all+"/join").want(200)
			}
			eve.answers(s.ann.invites(s.club, eve), "accept").want(200)
			return c, slices.Sorted(maps.Keys(c.crawl()))
		}
		s := newStreet(t)
		c, pages := links(s)
		for _, page := range pages {
			a := c.do("GET", page)
			if a.status != 200 { // the profile of whom a form has blocked
				continue
			}
			checkSocialPanel(t, a, a.str("view"))
			for _, form := range a.list("action_descriptors") {
				sendForm(t, c, page, form)
				done["form "+dig(form, "id").(string)] = true
			}
		}
		for _, fromBelow := range []bool{false, true} {
			c, pages := links(newStreet(t))
			for _, page := range pages {
				for tried := make(map[string]bool); ; {
					action := untried(c.do("GET", page), tried, fromBelow)
					if action == nil {
						break
					}
					if a := c.do(dig(action, "method").(string), dig(action, "url").(string), dig(action, "body")); a.status != 200 && a.status != 201 {
						t.Errorf("%s: %v of %s: %d %s", c.name, action, page, a.status, a.body)
					}
					done[dig(action, "type").(string)] = true
				}
			}
		}
	}
	want := []string{
		"form block", "form create_community", "form create_conversation", "form create_event", "form invite", "form read_notifications", "form reply", "form rsvp",
		"form send_message", "form set_presence", "form start_dm", "form update_community", "form update_conversation", "form update_event", "form update_profile",
		"open_panel", "social.block", "social.community.delete", "social.community.join", "social.community.leave", "social.community.member.admit",
		"social.community.member.remove", "social.community.member.role", "social.community.update", "social.conversation.close", "social.conversation.read",
		"social.conversation.update", "social.dm.read", "social.event.cancel", "social.event.rsvp", "social.invitation.accept", "social.invitation.decline", "social.invitation.revoke",
		"social.notifications.read", "social.unblock",
	}
	for _, kind := range want {
		if !done[kind] {
			t.Errorf("nobody was offered %s", kind)
		}
		delete(done, kind)
	}
	for kind := range done {
		t.Errorf("%s is offered, and not in the list", kind)
	}
}

// sendForm sends a form as a form and as JSON.
func sendForm(t *testing.T, c *client, page string, form any) {
	t.Helper()
	body := filledSocial(form)
	values := make(url.Values)
	for name, v := range body {
		if v != nil {
			values.Set(name, fmt.Sprint(v))
		}
	}
	for _, sent := range []any{formBody(values.Encode()), body} {
		a := c.do(dig(form, "method").(string), dig(form, "url").(string), sent)
		again := a.status == 409 && dig(form, "id") == "invite" // they have been asked a moment ago
		if a.status != 200 && a.status != 201 && !again {
			t.Errorf("%s: %v of %s, sent as %v: %d %s", c.name, dig(form, "id"), page, sent, a.status, a.body)
		}
	}
}

// untried returns an action of a panel that was not tried yet: the first, with
// those that leave nothing to be done after all others, or the last one of
// these.
func untried(a *answer, tried map[string]bool, fromBelow bool) (action any) {
	if a.status != 200 {
		return nil // by what was done, it is not to be seen any more
	}
	var list [4][]any
	for _, section := range a.list("sections") {
		for _, item := range dig(section, "items").([]any) {
			for _, action := range dig(item, "actions").([]any) {
				rank := 0
				switch id := dig(action, "id").(string); {
				case tried[fmt.Sprint(action)]:
					continue
				case dig(action, "method") == "DELETE" || id == "leave":
					rank = 3
				case strings.HasPrefix(id, "role_"):
					rank = 2
				case id == "update":
					rank = 1
				}
				list[rank] = append(list[rank], action)
			}
		}
	}
	all := slices.Concat(list[:]...)
	if fromBelow {
		slices.Reverse(all)
	}
	if len(all) == 0 {
		return nil
	}
	tried[fmt.Sprint(all[0])] = true
	return all[0]
}

// All there is can be reached by the links alone, page by page. Covers PT-30
// as far as the panel goes.
func TestPagesOfThePanelOfSocial(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	talk := ann.converse("Counting")
	for i := range 120 {
		ann.says(talk, fmt.Sprint("n", i))
		ann.converse(fmt.Sprint("c", i))
	}
	count := func(at, section string) (titles []string) {
		for at != "" {
			a := ann.do("GET", at).want(200)
			var page []string
			for _, item := range a.items()[section] {
				page = append(page, dig(item, "title").(string)+dig(item, "summary").(string))
			}
			if section == "Replies" {
				titles = append(page, titles...)
			} else {
				titles = append(titles, page...)
			}
			at = ""
			for _, item := range a.list("nav") {
				if dig(item, "id") == "more" {
					at = dig(item, "action").(string)
				}
			}
		}
		return titles
	}
	said := count(socialPanelPath+"?view=conversations&id="+talk, "Replies")
	if len(said) != 120 || said[0] != "Annn0" || said[119] != "Annn119" {
		t.Errorf("%d replies: %q", len(said), said)
	}
	all := count(socialPanelPath+"?view=conversations", "Conversations")
	if slices.Sort(all); len(slices.Compact(all)) != 121 {
		t.Errorf("%d conversations", len(all))
	}
}
