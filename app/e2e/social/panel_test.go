package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers W-120, O-33, O-34, T-34, B-28 and B-75: every view, for members with and
// without records.
func TestEveryViewOfThePanelIsWellFormed(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	members := []*apptest.Client{s.Ann, s.Bea, s.Cem, s.Dan, s.Member("eve")}
	for _, view := range apptest.SocialViews {
		for _, c := range members {
			t.Run(fmt.Sprint(view, " of ", c.Name), func(t *testing.T) {
				a := c.SocialPanel(view).Want(200)
				wantPanel(t, a, view)
				want(t, "response to a service", c.AsService().Do("GET", "/runtime/panel/social?view="+view).Want(200).Body, a.Body)
			})
		}
	}
	want(t, "panel without a view", s.Ann.Do("GET", apptest.SocialPanelPath).Want(200).Body, s.Ann.SocialPanel("dashboard").Body)
	dms := s.Ann.AsService().Do("GET", "/runtime/panel/social-dms").Want(200)
	want(t, "panel of DMs", dms.Body, s.Ann.SocialPanel("dms").Body)
	dm := s.Ann.AsService().Do("GET", "/runtime/panel/social-dms?view=people&id="+s.DM).Want(200)
	want(t, "panel of a DM", dm.Body, s.Ann.SocialPanel("dms", s.DM).Body)
	s.Ann.SocialPanel("year").WantError(400, "invalid_parameter").WantFields("view")
	s.Ann.Do("GET", apptest.SocialPanelPath+"?view=conversations&cursor=x").WantError(400, "invalid_parameter").WantFields("cursor")
	s.Unauthenticated().SocialPanel("dashboard").WantError(401, "unauthenticated")
	s.Ann.Do("GET", "/runtime/panel/social").WantError(404, "not_found")
}

// wantPanel fails the test unless a is a well-formed panel of a view.
func wantPanel(t *testing.T, a *apptest.Answer, view string) {
	t.Helper()
	a.WantSchema("service.world.panel", a.At(""))
	a.WantValues("", map[string]any{"kind": "social", "view": view})
	if a.Str("title") == "" || a.Str("summary") == "" {
		t.Errorf("%s: got title %q and summary %q, want texts", a.About, a.Str("title"), a.Str("summary"))
	}
	var selected []any
	for _, item := range a.List("nav") {
		if url := apptest.At(item, "action").(string); !strings.HasPrefix(url, apptest.SocialPanelPath+"?view=") || apptest.At(item, "label") == "" {
			t.Errorf("%s: got nav item %v, want a label and a view", a.About, item)
		}
		if apptest.At(item, "selected") == true {
			selected = append(selected, apptest.At(item, "id"))
		}
	}
	want(t, a.About+", selected nav items", selected, []string{view})
	for _, section := range a.List("sections") {
		wantSection(t, a.About, section)
	}
	for _, form := range a.List("action_descriptors") {
		wantControls(t, a.About, form)
	}
	for _, text := range apptest.HumanTexts.FindAllString(a.Body, -1) {
		if strings.Contains(strings.ToLower(text), "calendar") {
			t.Errorf("%s: got %s, want the term event for Social events", a.About, text)
		}
	}
	apptest.CheckPaths(t, "", a.At(""))
}

// wantSection fails the test unless an empty section has a text, and items have titles and
// different ids.
func wantSection(t *testing.T, about string, section any) {
	t.Helper()
	items := apptest.At(section, "items").([]any)
	if len(items) == 0 && apptest.At(section, "summary") == "" {
		t.Errorf("%s: the empty section %v has no summary", about, apptest.At(section, "title"))
	}
	seen := make(map[any]bool)
	for _, item := range items {
		if id := apptest.At(item, "id"); seen[id] || apptest.At(item, "title") == "" {
			t.Errorf("%s: got item %v, want a title and an id of its own", about, item)
		} else {
			seen[id] = true
		}
	}
}

// wantControls checks that selectors have options, that other controls, except colors, have none,
// and that texts have a maximum length.
func wantControls(t *testing.T, about string, form any) {
	t.Helper()
	for _, control := range apptest.At(form, "controls").([]any) {
		id, kind := apptest.At(control, "id"), apptest.At(control, "type")
		options, _ := apptest.At(control, "options").([]any)
		if kind == "selector" && len(options) == 0 || kind != "selector" && kind != "color" && len(options) > 0 {
			t.Errorf("%s: got %d options for the %v %v", about, len(options), kind, id)
		}
		if _, limited := apptest.At(control, "max_length").(float64); !limited && (kind == "text" || kind == "textarea") && id != "recipient" {
			t.Errorf("%s: the text %v has no max_length", about, id)
		}
	}
}

// Covers O-36, B-75 and X-43 for the panel.
func TestPanelShowsTheRecordsOfTheMember(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	for _, c := range []struct {
		by            *apptest.Client
		view          string
		id            any
		section, want string
	}{
		{s.Ann, "dashboard", nil, "Unread", "Bea sent you a message, Bea replied, Bea mentioned you, Cem asked to join"},
		{s.Ann, "dashboard", nil, "Latest conversations", "Street party, Trip <i>"},
		{s.Ann, "dashboard", nil, "Online", "Bea"},
		{s.Ann, "dashboard", nil, "Waiting for you", "Street party"},
		{s.Dan, "dashboard", nil, "Unread", "Cem invited you, Ann invited you"},
		{s.Dan, "dashboard", nil, "Waiting for you", "Street party, Club <b>"},
		{s.Dan, "dashboard", nil, "Latest conversations", "Street party"},
		{s.Dan, "dashboard", nil, "Online", ""},
		{s.Ann, "dashboard", nil, "Upcoming events", "Game <b>, Street party"},
		{s.Dan, "dashboard", nil, "Upcoming events", "Street party"},
		{s.Dan, "events", nil, "Upcoming events", "Street party"},
		{s.Ann, "events", s.ClubEvent, "Event", "Bea"},
		{s.Ann, "events", s.ClubEvent, "Guests", "Bea, Ann"},
		{s.Ann, "events", s.ClubEvent, "Replies", "Ann"},
		{s.Ann, "events", s.ClubEvent, "Invitations", "no such section"},
		{s.Cem, "events", s.PublicEvent, "Invitations", "Dan"},
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
		{s.Bea, "conversations", s.ClubConversation, "Conversation", "Bea"},
		{s.Bea, "conversations", s.ClubConversation, "Replies", "Ann, Bea"},
		{s.Dan, "activity", nil, "Latest", "Cem created an event, Bea replied, Cem started a conversation, Bea joined a community, Ann created a community"},
		{s.Dan, "notifications", s.Invitation, "Invitation", "Club <b>"},
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
			a = c.by.SocialPanel(c.view).Want(200)
		} else {
			a = c.by.SocialPanel(c.view, c.id).Want(200)
		}
		want(t, fmt.Sprintf("%s of %s in %s", c.section, c.by.Name, c.view), a.Titles(c.section), c.want)
	}
	for text, got := range map[string]string{
		"Ann":                       s.Bea.SocialPanel("profile", s.Ann.ID).Want(200).Str("title"),
		"2 unread":                  dmSummaryAfterMessage(s),
		"To the sea?\nOr @ann not?": s.Ann.SocialPanel("conversations", s.ClubConversation).Str("sections.0.items.0.summary"),
		"Yes & soon":                s.Ann.SocialPanel("conversations", s.ClubConversation).Str("sections.1.items.0.summary"),
		"Thu 3 Dec 2026 19:00 Europe/Berlin · At the lake · 1 going, 1 maybe, you: maybe": s.Ann.SocialPanel("events").Str("sections.0.items.0.summary"),
		"Bring a board\n& a clock": s.Ann.SocialPanel("events", s.ClubEvent).Str("sections.0.items.0.summary"),
		"Maybe · late":             s.Bea.SocialPanel("events", s.ClubEvent).Str("sections.1.items.1.summary"),
		"Sat 5 Dec 2026 · 1 going": s.Dan.SocialPanel("events").Str("sections.0.items.0.summary"),
		"Chess & more":             s.Ann.SocialPanel("communities", apptest.LastSegment(s.Club)).Str("sections.0.items.0.summary"),
		"I <3 chess":               s.Bea.SocialPanel("people", s.Ann.ID).Str("sections.0.items.0.summary"),
		"@bea · Inner circle · Online: at the lake":    s.Ann.SocialPanel("people").Str("sections.0.items.1.summary"),
		"Bea · 2 replies · 1 unread":                   s.Ann.SocialPanel("conversations").Str("sections.0.items.1.summary"),
		"4 unread notifications · 1 item is waiting":   s.Ann.SocialPanel("dashboard").Str("summary"),
		"2 unread notifications · 2 items are waiting": s.Dan.SocialPanel("dashboard").Str("summary"),
	} {
		want(t, "text of a panel", got, text)
	}
}

// dmSummaryAfterMessage returns the summary of the list of DMs after a second message.
func dmSummaryAfterMessage(s *apptest.SocialFixture) string {
	s.T.Helper()
	s.Bea.Do("POST", "/world/social/dms/"+s.DM+"/messages", `{"body": "Well?"}`).Want(201)
	return s.Ann.SocialPanel("dms").Want(200).Str("summary")
}

// Covers O-17, O-31, O-36 and PT-21 for the panel: a record that the member does
// not see gets the same error as an absent one.
func TestPanelReportsHiddenRecordsAsAbsent(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	wantAbsent := func(c *apptest.Client, view string, id any, absent string) {
		t.Helper()
		got := c.SocialPanel(view, id).WantError(404, "not_found").Str("error.message")
		want(t, fmt.Sprintf("message for %s about %v", c.Name, id), got, c.SocialPanel(view, absent).WantError(404, "not_found").Str("error.message"))
	}
	wantAbsent(s.Dan, "conversations", s.ClubConversation, "cnv_x")
	wantAbsent(s.Dan, "communities", apptest.LastSegment(s.Club), "com_x")
	wantAbsent(s.Dan, "dms", s.DM, "sdm_x")
	wantAbsent(s.Cem, "events", s.ClubEvent, "evt_x")
	wantAbsent(s.Dan, "people", s.Ann.ID, "99")
	wantAbsent(s.Dan, "profile", s.Ann.ID, "ann")
	wantAbsent(s.Cem, "notifications", s.Invitation, "inv_x")
	for _, view := range []string{"dashboard", "activity"} {
		s.Ann.SocialPanel(view, s.ClubConversation).WantError(404, "not_found")
	}
	for _, view := range apptest.SocialViews {
		for _, secret := range []string{"Trip", "Psst", "chess", "lake", "Game"} {
			if a := s.Dan.SocialPanel(view).Want(200); strings.Contains(a.Body, secret) {
				t.Errorf("the view %s of dan contains %q: %s", view, secret, a.Body)
			}
		}
	}
}

// Covers O-27 and B-72 for the panel: a block hides two members from each other and
// changes nothing for a third member. Staff get hidden members without a name.
func TestPanelHidesBlockedMembers(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	before := s.Dan.SocialPanel("conversations", s.OpenConversation).Want(200).Body
	s.Bea.Block(s.Cem).Want(201)
	want(t, "conversation for dan", s.Dan.SocialPanel("conversations", s.OpenConversation).Want(200).Body, before)
	for _, record := range []struct {
		by   *apptest.Client
		view string
		id   any
	}{{s.Bea, "conversations", s.OpenConversation}, {s.Bea, "events", s.PublicEvent}, {s.Bea, "people", s.Cem.ID}, {s.Cem, "people", s.Bea.ID}} {
		record.by.SocialPanel(record.view, record.id).WantError(404, "not_found")
	}
	want(t, "replies for cem", s.Cem.SocialPanel("conversations", s.OpenConversation).Titles("Replies"), "")
	for c, hidden := range map[*apptest.Client]string{s.Bea: "Cem", s.Cem: "Bea"} {
		for _, view := range apptest.SocialViews {
			sections := c.SocialPanel(view).Want(200).Sections()
			delete(sections, "Blocked")
			if text := fmt.Sprint(sections); strings.Contains(text, hidden) {
				t.Errorf("the view %s of %s names %s: %s", view, c.Name, hidden, text)
			}
		}
	}
	want(t, "blocked members", s.Bea.SocialPanel("people").Titles("Blocked")+s.Cem.SocialPanel("people").Titles("Blocked"), "Cem")

	s.Ann.Block(s.Bea).Want(201)
	game := s.Ann.SocialPanel("events", s.ClubEvent).Want(200)
	want(t, "replies to an event of a common community", game.Titles("Replies"), "Ann")
	if !strings.Contains(game.Body, "social.event.rsvp") || strings.Contains(game.Body, "Bea") {
		t.Errorf("event of a common community: got %s, want an RSVP form without the name of the host", game.Body)
	}
	want(t, "members for the owner", s.Ann.SocialPanel("communities", apptest.LastSegment(s.Club)).Titles("Members"), "Ann, Former member")
}

// Covers B-50 and M-21.
func TestPanelMovesNoReadCursor(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.SocialPanel("dashboard").Want(200)
	s.WantUnchanged("panels", func() {
		for _, view := range apptest.SocialViews {
			s.Ann.SocialPanel(view).Want(200)
		}
		s.Ann.SocialPanel("conversations", s.ClubConversation).Want(200)
		s.Ann.SocialPanel("dms", s.DM).Want(200)
	})
}

// Covers PT-30 for the panel: the links lead to all pages of a list.
func TestPagesOfThePanelAreComplete(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	conversation := ann.StartConversation("Counting")
	for i := range 120 {
		ann.Reply(conversation, fmt.Sprint("n", i))
		ann.StartConversation(fmt.Sprint("c", i))
	}
	pages := func(url, section string) (texts []string) {
		for url != "" {
			a := ann.Do("GET", url).Want(200)
			var page []string
			for _, item := range a.Sections()[section] {
				page = append(page, fmt.Sprint(apptest.At(item, "title"), apptest.At(item, "summary")))
			}
			if section == "Replies" { // the newest page is first
				texts = append(page, texts...)
			} else {
				texts = append(texts, page...)
			}
			url = ""
			for _, item := range a.List("nav") {
				if apptest.At(item, "id") == "more" {
					url = apptest.At(item, "action").(string)
				}
			}
		}
		return texts
	}
	replies := pages(apptest.SocialPanelPath+"?view=conversations&id="+conversation, "Replies")
	if len(replies) != 120 || replies[0] != "Annn0" || replies[119] != "Annn119" {
		t.Errorf("got %d replies %q, want 120 from Annn0 to Annn119", len(replies), replies)
	}
	conversations := pages(apptest.SocialPanelPath+"?view=conversations", "Conversations")
	slices.Sort(conversations)
	want(t, "different conversations", len(slices.Compact(conversations)), 121)
}
