package panel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// mark is part of all names and texts of members in the tests of languages.
const mark = "§"

// fieldsWithTexts are the fields of a panel that contain texts of the server.
var fieldsWithTexts = []string{"title", "summary", "label", "confirm", "message", "name", "excerpt", "can_reply_reason", "display_name"}

// untranslatedTexts are the texts that are equal in English and in German.
var untranslatedTexts = []string{"Online", "Offline", "Status", "Social", "Moderator", "Name", "Text", "RSVP", "Rose", "Iris", "ann", "bea", "dan", "@ann", "@bea", "@dan",
	"Calendar"} // the name of the first calendar of a member

// wantTranslated fails for each text of the server that is equal in the English and the
// German form of the same panel, and for each other difference of the two.
func wantTranslated(t *testing.T, about string, english, german any) {
	t.Helper()
	decode := func(x any) (v any) {
		if err := json.Unmarshal([]byte(store.JSON(x)), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	compareTexts(t, about, "", decode(english), decode(german))
}

func compareTexts(t *testing.T, path, field string, english, german any) {
	t.Helper()
	switch e := english.(type) {
	case map[string]any:
		g, _ := german.(map[string]any)
		if e["type"] == "hidden" { // a control without a label for members
			return
		}
		for name, x := range e {
			compareTexts(t, path+"."+name, name, x, g[name])
		}
	case []any:
		g, _ := german.([]any)
		if len(e) != len(g) {
			t.Errorf("%s: got %d items in German, want %d", path, len(g), len(e))
			return
		}
		for i, x := range e {
			compareTexts(t, fmt.Sprintf("%s[%d]", path, i), field, x, g[i])
		}
	case string:
		g, _ := german.(string)
		if !slices.Contains(fieldsWithTexts, field) {
			if e != g {
				t.Errorf("%s: got %q in German, want %q", path, g, e)
			}
			return
		}
		germanParts := strings.Split(g, " · ")
		for i, part := range strings.Split(e, " · ") {
			if part != "" && !strings.Contains(part, mark) && !slices.Contains(untranslatedTexts, part) && i < len(germanParts) && germanParts[i] == part {
				t.Errorf("%s: got %q in German, too", path, part)
			}
		}
	default:
		if fmt.Sprint(english) != fmt.Sprint(german) {
			t.Errorf("%s: got %v in German, want %v", path, german, english)
		}
	}
}

// populate creates records of all kinds, whose texts contain the mark. It returns the ids
// of one record for each view.
func (f *fixture) populate() map[string]string {
	s := f.panels.Social
	f.createCommunity(social.NewCommunity{Name: "Open §", Visibility: "public", JoinPolicy: "request"})
	c := f.createCommunity(social.NewCommunity{Name: "Club §", Visibility: "private"})
	var today time.Time
	f.Read(func(tx *store.Tx) error { today = tx.Now().UTC(); return nil })
	for _, v := range []svc.Viewer{f.ann, f.bea} {
		f.Create(v, `{"object_type": "calendar_event", "title": "Choir §", "start": "`+today.Format(time.DateOnly)+`T19:00:00", "rrule": "FREQ=WEEKLY"}`)
		for n := range todayTasks + 1 {
			due := today.AddDate(0, 0, n%3-1).Format(time.DateOnly)
			f.Create(v, `{"object_type": "task", "title": "Taxes §", "due": "`+due+`"}`)
		}
	}
	ids := map[string]string{"communities": c.ID, "people": f.bea.Member().String(), "profile": ""}
	f.Fill(func(tx *store.Tx) error {
		conversation, err := s.StartConversation(tx, f.ann, social.NewConversation{Title: "Trip §", Body: "To the sea? §", Audience: social.AudienceSpec(c.ID)})
		if err != nil {
			return err
		}
		ids["conversations"] = conversation.ID
		for _, audience := range []social.AudienceSpec{"open", "circle:1", "circle:2", "circle:3"} {
			if _, err := s.StartConversation(tx, f.bea, social.NewConversation{Title: "Question §", Body: "Who? §", Audience: audience}); err != nil {
				return err
			}
		}
		if _, err := s.Reply(tx, f.bea, conversation.ID, social.NewReply{Body: "Yes § @ann"}); err != nil {
			return err
		}
		capacity := 5
		for i, audience := range []social.AudienceSpec{social.AudienceSpec(c.ID), "open", "circle:3", "invited"} {
			e, err := s.CreateEvent(tx, f.ann, social.NewEvent{
				Title: "Game §", Start: fmt.Sprintf("2026-12-%dT18:00:00", 10+i), Timezone: "Europe/Berlin", Audience: audience, Capacity: &capacity,
			})
			if err != nil {
				return err
			}
			ids["events"] = e.ID
			if _, err := s.InviteToEvent(tx, f.ann, e.ID, social.NewInvitation{Recipient: "bea"}); err != nil && i == 3 {
				return err
			}
			if _, _, err := s.Respond(tx, f.bea, e.ID, social.NewRSVP{Response: []svc.Response{"maybe", "going", "declined", "maybe"}[i], Note: "Cake §"}); err != nil {
				return err
			}
		}
		i, err := s.InviteToCommunity(tx, f.ann, c.ID, social.NewInvitation{Recipient: "dan"})
		if err != nil {
			return err
		}
		ids["invitations"], ids["notifications"] = i.ID, i.ID
		dm, err := s.StartDM(tx, f.ann, social.NewDM{Recipient: "bea", Body: "Psst §"})
		if err != nil {
			return err
		}
		ids["dms"] = dm.Thread.ID
		if _, err := f.messages.Start(tx, f.ann, messages.StartRequest{Recipient: messages.Recipients{"bea"}, Body: "Hello §"}); err != nil {
			return err
		}
		_, err = s.SetPresence(tx, f.bea, social.NewPresence{State: "away", Note: "at lunch §"})
		return err
	})
	return ids
}

func TestPanelsOfTodaySocialAndMessagesAreInTheLanguageOfTheMember(t *testing.T) {
	f := newFixture(t)
	compareSocial := func(about string, viewers ...svc.Viewer) {
		for _, v := range viewers {
			for _, view := range socialViews {
				wantTranslated(t, about+view.id, f.socialPanel(v, view.id, ""), f.socialPanel(v.In(words.German), view.id, ""))
			}
			wantTranslated(t, about+"today", f.todayPanel(v, nil, nil), f.todayPanel(v.In(words.German), nil, nil))
			wantTranslated(t, about+"messages", f.messagesPanels(v), f.messagesPanels(v.In(words.German)))
		}
	}
	compareSocial("empty ", f.ann)
	ids := f.populate()
	compareSocial("", f.ann, f.bea, f.dan)
	for view, id := range ids {
		if id == "" {
			continue
		}
		for _, v := range []svc.Viewer{f.ann, f.bea, f.dan} {
			f.Read(func(tx *store.Tx) error {
				english, err := f.panels.Render(tx, v, SocialQuery{View: view, ID: id})
				if err != nil {
					return nil // the member does not see the record
				}
				german, err := f.panels.Render(tx, v.In(words.German), SocialQuery{View: view, ID: id})
				wantTranslated(t, view+" "+v.String(), english, german)
				return err
			})
		}
	}
	write(f, func(tx *store.Tx) (social.Block, error) {
		return f.panels.Social.Block(tx, f.ann, social.NewBlock{Recipient: "bea"})
	})
	compareSocial("after a block: ", f.ann, f.bea)
	wantTranslated(t, "other threads", f.messagesPanels(f.bea), f.messagesPanels(f.bea.In(words.German)))
	german := f.bea.In(words.German)
	want(t, "former member", f.messagesPanels(german)[0].(*MessagesPanel).Threads[0].Title, "Ehemaliges Mitglied")
}

// messagesPanels returns the panel of Messages with the first thread, if there is one,
// and the rail.
func (f *fixture) messagesPanels(v svc.Viewer) (panels []any) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		inbox, err := f.messages.List(tx, v, 0, "")
		if err != nil {
			return err
		}
		var selected *thread.Detail
		if len(inbox.Threads) > 0 {
			d, err := f.messages.Peek(tx, v, inbox.Threads[0].ID, svc.HistoryQuery{})
			if err != nil {
				return err
			}
			selected = &d
		}
		p, rail := NewMessagesPanel(v.Language(), inbox, selected), NewMessagesRail(v.Language(), inbox)
		panels = []any{&p, rail}
		if err := CompleteActors(tx, f.panels.Social, v, rail.Sections); err != nil {
			return err
		}
		return p.Complete(tx, f.panels.Social, v, SectionFilter{})
	})
	return panels
}

// Summaries of events and of the day have dates in the language of the member.
func TestDatesAreInTheLanguageOfTheMember(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"})
	e := f.createEvent(c.ID)
	german := f.bea.In(words.German)
	want(t, "event", itemOf(t, f.socialPanel(german, "events", ""), "upcoming_events", e.ID).Summary, "Do 24. Dez 2026 18:00 Europe/Berlin · 2 dabei, du: dabei")
	p := f.todayPanel(german, nil, nil)
	date, err := time.Parse(time.DateOnly, p.Date)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "today", p.Summary, words.German.Date(date, "Monday, 2 January 2006")+" · keine Termine · nichts wartet")
}
