package social

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// Covers W-120 as far as Social goes, O-33, O-34, T-34, B-28 and B-75: every
// view, for somebody who is new and for those who are not.
func TestSocialPanel(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	everybody := []*apptest.Client{s.Ann, s.Bea, s.Cem, s.Dan, s.Member("eve")}
	for _, view := range apptest.SocialViews {
		for _, c := range everybody {
			t.Run(fmt.Sprint(view, " of ", c.Name), func(t *testing.T) {
				a := c.SocialPanel(view).Want(200)
				checkSocialPanel(t, a, view)
				if in := c.AsService().Do("GET", "/runtime/panel/social?view="+view).Want(200); in.Body != a.Body {
					t.Error("the route of the service shows something else")
				}
			})
		}
	}
	first := s.Ann.Do("GET", apptest.SocialPanelPath).Want(200)
	if first.Body != s.Ann.SocialPanel("dashboard").Body {
		t.Error("without a view, it is not the dashboard")
	}
	dms := s.Ann.AsService().Do("GET", "/runtime/panel/social-dms").Want(200)
	if dms.Body != s.Ann.SocialPanel("dms").Body {
		t.Error("the panel of DMs is not the view of them")
	}
	if one := s.Ann.AsService().Do("GET", "/runtime/panel/social-dms?view=people&id="+s.DM).Want(200); one.Body != s.Ann.SocialPanel("dms", s.DM).Body {
		t.Error("the panel of DMs shows one of them otherwise")
	}
	s.Ann.SocialPanel("year").WantError(400, "invalid_parameter").WantFields("view")
	s.Ann.Do("GET", apptest.SocialPanelPath+"?view=conversations&cursor=x").WantError(400, "invalid_parameter").WantFields("cursor")
	s.Unauthenticated().SocialPanel("dashboard").WantError(401, "unauthenticated")
	s.Ann.Do("GET", "/runtime/panel/social").WantError(404, "not_found")
}

// checkSocialPanel fails the test unless a panel is as all are.
func checkSocialPanel(t *testing.T, a *apptest.Answer, view string) {
	t.Helper()
	a.WantSchema("service.world.panel", a.At(""))
	if a.Str("kind") != "social" || a.Str("view") != view || a.Str("title") == "" || a.Str("summary") == "" {
		t.Errorf("kind %q, view %q, title %q, summary %q", a.Str("kind"), a.Str("view"), a.Str("title"), a.Str("summary"))
	}
	var selected []string
	for _, item := range a.List("nav") {
		action := apptest.At(item, "action").(string)
		if !strings.HasPrefix(action, apptest.SocialPanelPath+"?view=") || apptest.At(item, "label") == "" {
			t.Errorf("nav item %v", item)
		}
		if apptest.At(item, "selected") == true {
			selected = append(selected, apptest.At(item, "id").(string))
		}
	}
	if !slices.Equal(selected, []string{view}) {
		t.Errorf("selected %v", selected)
	}
	for _, s := range a.List("sections") {
		list := apptest.At(s, "items").([]any)
		if len(list) == 0 && apptest.At(s, "summary") == "" {
			t.Errorf("section %v is empty and does not say so", apptest.At(s, "title"))
		}
		seen := make(map[any]bool)
		for _, item := range list {
			if seen[apptest.At(item, "id")] || apptest.At(item, "title") == "" {
				t.Errorf("the item %v is there twice, or says nothing", item)
			}
			seen[apptest.At(item, "id")] = true
		}
	}
	for _, form := range a.List("action_descriptors") {
		for _, control := range apptest.At(form, "controls").([]any) {
			choices, _ := apptest.At(control, "options").([]any)
			if (apptest.At(control, "type") == "selector") != (len(choices) > 0) {
				t.Errorf("the %v %v has %d options", apptest.At(control, "type"), apptest.At(control, "id"), len(choices))
			}
			if apptest.At(control, "type") == "text" || apptest.At(control, "type") == "textarea" {
				if _, bounded := apptest.At(control, "max_length").(float64); !bounded && apptest.At(control, "id") != "recipient" {
					t.Errorf("the text %v has no bound", apptest.At(control, "id"))
				}
			}
		}
	}
	for _, text := range apptest.HumanTexts.FindAllString(a.Body, -1) {
		if strings.Contains(strings.ToLower(text), "calendar") {
			t.Errorf("%s: a Social event is no calendar event", text)
		}
	}
	apptest.CheckPaths(t, "", a.At(""))
}

// What each sees at a glance, and in full. Covers O-36 as far as the panel
// goes, B-75, X-43.
func TestWhatThePanelOfSocialShows(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	for _, c := range []struct {
		who           *apptest.Client
		view          string
		id            any
		section, want string
	}{
		{s.Ann, "dashboard", nil, "Unread", "Bea sent you a message, Bea replied, Bea mentioned you, Cem asked to join"},
		{s.Ann, "dashboard", nil, "Latest conversations", "Street party, Trip <i>"},
		{s.Ann, "dashboard", nil, "Online", "Bea"},
		{s.Ann, "dashboard", nil, "Invitations", ""},
		{s.Dan, "dashboard", nil, "Unread", "Cem invited you, Ann invited you"},
		{s.Dan, "dashboard", nil, "Invitations", "Street party, Club <b>"},
		{s.Dan, "dashboard", nil, "Latest conversations", "Street party"},
		{s.Dan, "dashboard", nil, "Online", ""},
		{s.Ann, "dashboard", nil, "Upcoming events", "Game <b>, Street party"},
		{s.Dan, "dashboard", nil, "Upcoming events", "Street party"},
		{s.Dan, "events", nil, "Upcoming events", "Street party"},
		{s.Ann, "events", s.Game, "Event", "Bea"},
		{s.Ann, "events", s.Game, "Guests", "Bea, Ann"},
		{s.Ann, "events", s.Game, "Replies", "Ann"},
		{s.Ann, "events", s.Game, "Invitations", "no such section"},
		{s.Cem, "events", s.Party, "Invitations", "Dan"},
		{s.Ann, "communities", apptest.LastSegment(s.Club), "Upcoming events", "Game <b>"},
		{s.Ann, "communities", apptest.LastSegment(s.Choir), "Upcoming events", ""},
		{s.Bea, "communities", nil, "Communities", "Choir, Club <b>"},
		{s.Dan, "communities", nil, "Communities", "Choir"},
		{s.Ann, "communities", apptest.LastSegment(s.Club), "Members", "Ann, Bea"},
		{s.Ann, "communities", apptest.LastSegment(s.Club), "Latest conversations", "Trip <i>"},
		{s.Ann, "communities", apptest.LastSegment(s.Club), "Invitations", "Dan, Bea"},
		{s.Bea, "communities", apptest.LastSegment(s.Club), "Invitations", "no such section"},
		{s.Ann, "communities", apptest.LastSegment(s.Choir), "Members", "Cem, Ann, Bea"},
		{s.Bea, "communities", apptest.LastSegment(s.Choir), "Members", "Ann, Bea"},
		{s.Dan, "communities", apptest.LastSegment(s.Choir), "Latest conversations", ""},
		{s.Bea, "conversations", s.Talk, "Conversation", "Bea"},
		{s.Bea, "conversations", s.Talk, "Replies", "Ann, Bea"},
		{s.Dan, "activity", nil, "Latest", "Cem created an event, Bea replied, Cem started a conversation, Bea joined a community, Ann created a community"},
		{s.Dan, "notifications", s.Invited, "Invitation", "Club <b>"},
		{s.Ann, "dms", nil, "Direct messages", "Bea"},
		{s.Ann, "dms", s.DM, "Messages", "Bea"},
		{s.Cem, "people", nil, "People", "Ann, Bea, Cem, Dan"},
		{s.Bea, "people", s.Ann.ID, "About", "Ann, Home"},
		{s.Bea, "people", s.Ann.ID, "Shared communities", "Choir, Club <b>"},
		{s.Ann, "profile", nil, "Status", "Ann"},
		{s.Cem, "people", s.Bea.ID, "Shared communities", ""},
	} {
		var a *apptest.Answer
		if c.id == nil {
			a = c.who.SocialPanel(c.view).Want(200)
		} else {
			a = c.who.SocialPanel(c.view, c.id).Want(200)
		}
		if got := a.Titles(c.section); got != c.want {
			t.Errorf("%s of %s in %s: %s, want %s", c.section, c.who.Name, c.view, got, c.want)
		}
	}
	for want, got := range map[string]string{
		"Ann":                       s.Bea.SocialPanel("profile", s.Ann.ID).Want(200).Str("title"),
		"2 unread":                  unreadDMs(s),
		"To the sea?\nOr @ann not?": s.Ann.SocialPanel("conversations", s.Talk).Str("sections.0.items.0.summary"),
		"Yes & soon":                s.Ann.SocialPanel("conversations", s.Talk).Str("sections.1.items.0.summary"),
		"Thu 3 Dec 2026 19:00 Europe/Berlin · At the lake · 1 going, 1 maybe, you may go": s.Ann.SocialPanel("events").Str("sections.0.items.0.summary"),
		"Bring a board\n& a clock": s.Ann.SocialPanel("events", s.Game).Str("sections.0.items.0.summary"),
		"Maybe · late":             s.Bea.SocialPanel("events", s.Game).Str("sections.1.items.1.summary"),
		"Sat 5 Dec 2026 · 1 going": s.Dan.SocialPanel("events").Str("sections.0.items.0.summary"),
		"Chess & more":             s.Ann.SocialPanel("communities", apptest.LastSegment(s.Club)).Str("sections.0.items.0.summary"),
		"I <3 chess":               s.Bea.SocialPanel("people", s.Ann.ID).Str("sections.0.items.0.summary"),
		"@bea · Inner circle · Online: at the lake":      s.Ann.SocialPanel("people").Str("sections.0.items.1.summary"),
		"Bea · 2 replies · 1 unread":                     s.Ann.SocialPanel("conversations").Str("sections.0.items.1.summary"),
		"4 unread notifications":                         s.Ann.SocialPanel("dashboard").Str("summary"),
		"2 unread notifications · 2 pending invitations": s.Dan.SocialPanel("dashboard").Str("summary"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// dm2unread is what the list of DMs says after a second message.
func unreadDMs(s *apptest.SocialFixture) string {
	s.T.Helper()
	s.Bea.Do("POST", "/world/social/dms/"+s.DM+"/messages", `{"body": "Well?"}`).Want(201)
	return s.Ann.SocialPanel("dms").Want(200).Str("summary")
}

// What somebody cannot see is not there, in the same words as what is not
// there at all. Covers O-17, O-31, O-36 and PT-21 as far as the panel goes.
func TestPanelOfSocialHidesWhatIsHidden(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	hidden := func(c *apptest.Client, view string, id any, none string) {
		t.Helper()
		a, other := c.SocialPanel(view, id).WantError(404, "not_found"), c.SocialPanel(view, none).WantError(404, "not_found")
		if a.Str("error.message") != other.Str("error.message") {
			t.Errorf("%s learns of %v: %q and %q", c.Name, id, a.Str("error.message"), other.Str("error.message"))
		}
	}
	hidden(s.Dan, "conversations", s.Talk, "cnv_x")
	hidden(s.Dan, "communities", apptest.LastSegment(s.Club), "com_x")
	hidden(s.Dan, "dms", s.DM, "sdm_x")
	hidden(s.Cem, "events", s.Game, "evt_x")
	hidden(s.Dan, "people", s.Ann.ID, "99")
	hidden(s.Dan, "profile", s.Ann.ID, "ann")
	hidden(s.Cem, "notifications", s.Invited, "inv_x")
	for _, view := range []string{"dashboard", "activity"} {
		s.Ann.SocialPanel(view, s.Talk).WantError(404, "not_found")
	}
	for _, view := range apptest.SocialViews {
		for _, secret := range []string{"Trip", "Psst", "chess", "lake", "Game"} {
			if a := s.Dan.SocialPanel(view).Want(200); strings.Contains(a.Body, secret) {
				t.Errorf("dan reads %q in %s", secret, view)
			}
		}
	}
	// After a block the two are absent for each other, in what others see too
	// nothing changes.
	before := s.Dan.SocialPanel("conversations", s.Open).Want(200).Body
	s.Bea.Do("POST", "/world/social/blocks", map[string]any{"recipient": "cem"}).Want(201)
	hidden(s.Bea, "conversations", s.Open, "cnv_x")
	hidden(s.Bea, "events", s.Party, "evt_x")
	hidden(s.Bea, "people", s.Cem.ID, "99")
	hidden(s.Cem, "people", s.Bea.ID, "99")
	if got := s.Cem.SocialPanel("conversations", s.Open).Titles("Replies"); got != "" {
		t.Errorf("cem reads the reply of %s", got)
	}
	if after := s.Dan.SocialPanel("conversations", s.Open).Want(200).Body; after != before {
		t.Errorf("dan sees another conversation:\n%s\n%s", before, after)
	}
	for view, who := range map[*apptest.Client]string{s.Bea: "Cem", s.Cem: "Bea"} {
		for _, name := range apptest.SocialViews {
			section := view.SocialPanel(name).Want(200).Sections()
			delete(section, "Blocked")
			if strings.Contains(fmt.Sprint(section), who) {
				t.Errorf("%s meets %s in %s", view.Name, who, name)
			}
		}
	}
	// Their community stays usable, but for what the other says there; who looks
	// after it meets everybody, though not by name.
	s.Ann.Do("POST", "/world/social/blocks", map[string]any{"recipient": "bea"}).Want(201)
	game := s.Ann.SocialPanel("events", s.Game).Want(200)
	if game.Titles("Replies") != "Ann" || !strings.Contains(game.Body, "social.event.rsvp") || strings.Contains(game.Body, "Bea") {
		t.Errorf("of an event in a common community ann sees %s", game.Body)
	}
	if got := s.Ann.SocialPanel("communities", apptest.LastSegment(s.Club)).Titles("Members"); got != "Ann, Former member" {
		t.Errorf("in the club ann meets %s", got)
	}
	s.Ann.Do("DELETE", fmt.Sprint("/world/social/blocks/", s.Bea.ID)).Want(200)
	if got := s.Bea.SocialPanel("people").Titles("Blocked") + s.Cem.SocialPanel("people").Titles("Blocked"); got != "Cem" {
		t.Errorf("blocked: %s", got)
	}
}

// Nothing counts as read by looking at a panel (B-50, and M-21 for Social).
func TestLookingAtThePanelOfSocialReadsNothing(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	unread := func() string {
		notes := s.Ann.Do("GET", "/world/social/notifications").Want(200)
		return fmt.Sprint(notes.At("unread_count"), unreadIn(s.Ann, s.Talk), s.Ann.Do("GET", "/world/social/dms").Want(200).At("unread_total"))
	}
	before := unread()
	for _, view := range apptest.SocialViews {
		s.Ann.SocialPanel(view).Want(200)
	}
	s.Ann.SocialPanel("conversations", s.Talk).Want(200)
	s.Ann.SocialPanel("dms", s.DM).Want(200)
	if after := unread(); after != before || before != "4 1 1" {
		t.Errorf("unread %s and then %s", before, after)
	}
}

// filledSocial is what a member says in a form.
func filledSocial(form any) map[string]any {
	body := apptest.FillForm(form)
	if _, asks := body["recipient"]; asks && body["recipient"] == "Something" {
		body["recipient"] = "eve"
	}
	if body["start"] == "Something" {
		body["start"] = "2026-12-24T18:00:00"
	}
	return body
}

// crawl follows every link of the panel, and returns the panels by address.
func crawl(c *apptest.Client) map[string]*apptest.Answer {
	c.T.Helper()
	found := make(map[string]*apptest.Answer)
	for todo := []string{apptest.SocialPanelPath}; len(todo) > 0; todo = todo[1:] {
		if found[todo[0]] != nil {
			continue
		}
		a := c.Do("GET", todo[0]).Want(200)
		found[todo[0]] = a
		for _, item := range a.List("nav") {
			todo = append(todo, apptest.At(item, "action").(string))
		}
		for _, section := range a.List("sections") {
			for _, item := range apptest.At(section, "items").([]any) {
				for _, action := range apptest.At(item, "actions").([]any) {
					if apptest.At(action, "method") == "GET" {
						todo = append(todo, apptest.At(action, "url").(string))
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
	svctest.Long(t)
	done := make(map[string]bool)
	for _, name := range []string{"ann", "bea", "cem", "dan"} {
		links := func(s *apptest.SocialFixture) (c *apptest.Client, addresses []string) {
			c = map[string]*apptest.Client{"ann": s.Ann, "bea": s.Bea, "cem": s.Cem, "dan": s.Dan}[name]
			all := s.Ann.CreateCommunity(`{"name": "All", "visibility": "public"}`)
			eve := s.Member("eve")
			for _, m := range []*apptest.Client{s.Bea, s.Cem, s.Dan, eve} {
				m.Do("POST", all+"/join").Want(200)
			}
			eve.AnswerInvitation(s.Ann.InviteToCommunity(s.Club, eve), "accept").Want(200)
			return c, slices.Sorted(maps.Keys(crawl(c)))
		}
		s := apptest.NewSocialFixture(t)
		c, pages := links(s)
		for _, page := range pages {
			a := c.Do("GET", page)
			if a.Status != 200 { // the profile of whom a form has blocked
				continue
			}
			checkSocialPanel(t, a, a.Str("view"))
			for _, form := range a.List("action_descriptors") {
				sendForm(t, c, page, form)
				done["form "+apptest.At(form, "id").(string)] = true
			}
		}
		for _, fromBelow := range []bool{false, true} {
			c, pages := links(apptest.NewSocialFixture(t))
			for _, page := range pages {
				for tried := make(map[string]bool); ; {
					action := untried(c.Do("GET", page), tried, fromBelow)
					if action == nil {
						break
					}
					if a := c.Do(apptest.At(action, "method").(string), apptest.At(action, "url").(string), apptest.At(action, "body")); a.Status != 200 && a.Status != 201 {
						t.Errorf("%s: %v of %s: %d %s", c.Name, action, page, a.Status, a.Body)
					}
					done[apptest.At(action, "type").(string)] = true
				}
			}
		}
	}
	want := []string{
		"form block", "form create_community", "form create_conversation", "form create_event", "form invite", "form read_notifications", "form reply", "form rsvp",
		"form send_message", "form set_presence", "form start_dm", "form update",
		"open_panel", "social.block", "social.community.delete", "social.community.join", "social.community.leave", "social.community.member.admit",
		"social.community.make_private", "social.community.member.remove", "social.community.member.role", "social.conversation.close", "social.conversation.read",
		"social.conversation.reopen", "social.dm.read", "social.event.cancel", "social.event.rsvp", "social.invitation.accept", "social.invitation.decline", "social.invitation.revoke",
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
func sendForm(t *testing.T, c *apptest.Client, page string, form any) {
	t.Helper()
	body := filledSocial(form)
	values := make(url.Values)
	for name, v := range body {
		if v != nil {
			values.Set(name, fmt.Sprint(v))
		}
	}
	for _, sent := range []any{apptest.Form(values.Encode()), body} {
		a := c.Do(apptest.At(form, "method").(string), apptest.At(form, "url").(string), sent)
		again := a.Status == 409 && apptest.At(form, "id") == "invite" // they have been asked a moment ago
		if a.Status != 200 && a.Status != 201 && !again {
			t.Errorf("%s: %v of %s, sent as %v: %d %s", c.Name, apptest.At(form, "id"), page, sent, a.Status, a.Body)
		}
	}
}

// untried returns an action of a panel that was not tried yet: the first, with
// those that leave nothing to be done after all others, or the last one of
// these.
func untried(a *apptest.Answer, tried map[string]bool, fromBelow bool) (action any) {
	if a.Status != 200 {
		return nil // by what was done, it is not to be seen any more
	}
	var list [4][]any
	for _, section := range a.List("sections") {
		for _, item := range apptest.At(section, "items").([]any) {
			for _, action := range apptest.At(item, "actions").([]any) {
				rank := 0
				switch id := apptest.At(action, "id").(string); {
				case tried[fmt.Sprint(action)]:
					continue
				case apptest.At(action, "method") == "DELETE" || id == "leave":
					rank = 3
				case strings.HasPrefix(id, "role_"):
					rank = 2
				case id == "make_private":
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
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	talk := ann.StartConversation("Counting")
	for i := range 120 {
		ann.Reply(talk, fmt.Sprint("n", i))
		ann.StartConversation(fmt.Sprint("c", i))
	}
	count := func(at, section string) (titles []string) {
		for at != "" {
			a := ann.Do("GET", at).Want(200)
			var page []string
			for _, item := range a.Sections()[section] {
				page = append(page, apptest.At(item, "title").(string)+apptest.At(item, "summary").(string))
			}
			if section == "Replies" {
				titles = append(page, titles...)
			} else {
				titles = append(titles, page...)
			}
			at = ""
			for _, item := range a.List("nav") {
				if apptest.At(item, "id") == "more" {
					at = apptest.At(item, "action").(string)
				}
			}
		}
		return titles
	}
	said := count(apptest.SocialPanelPath+"?view=conversations&id="+talk, "Replies")
	if len(said) != 120 || said[0] != "Annn0" || said[119] != "Annn119" {
		t.Errorf("%d replies: %q", len(said), said)
	}
	all := count(apptest.SocialPanelPath+"?view=conversations", "Conversations")
	if slices.Sort(all); len(slices.Compact(all)) != 121 {
		t.Errorf("%d conversations", len(all))
	}
}
