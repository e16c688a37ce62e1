package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/social"
)

// reply posts replies of v in a conversation and returns the ids.
func (f *fixture) reply(v svc.Viewer, conversation string, bodies ...string) (ids []string) {
	f.T.Helper()
	for _, body := range bodies {
		ids = append(ids, write(f, func(tx *store.Tx) (social.Reply, error) {
			return f.panels.Social.Reply(tx, v, conversation, social.NewReply{Body: body})
		}).ID)
	}
	return ids
}

// block makes v block a member.
func (f *fixture) block(v svc.Viewer, name string) {
	f.T.Helper()
	write(f, func(tx *store.Tx) (social.Block, error) {
		return f.panels.Social.Block(tx, v, social.NewBlock{Recipient: name})
	})
}

// createEventAfter creates an event of ann for a community, days after the start of the
// test.
func (f *fixture) createEventAfter(community, title string, days int) social.Event {
	f.T.Helper()
	return write(f, func(tx *store.Tx) (social.Event, error) {
		return f.panels.Social.CreateEvent(tx, f.ann, social.NewEvent{
			Title: title, Start: storetest.Start.AddDate(0, 0, days).Format(localTime), Timezone: "UTC", Audience: social.AudienceSpec(community),
		})
	})
}

// titlesOf returns the titles of the items of a section, or its summary if it is empty.
func titlesOf(p Panel, section string) string {
	for _, s := range p.Sections {
		if s.ID != section {
			continue
		}
		var titles []string
		for _, item := range s.Items {
			titles = append(titles, item.Title)
		}
		if len(titles) == 0 {
			return s.Summary
		}
		return strings.Join(titles, ", ")
	}
	return "no such section"
}

// pageOf returns the links to other pages of a section, nil if it has none.
func pageOf(p Panel, section string) *SectionPage {
	for _, s := range p.Sections {
		if s.ID == section {
			return s.Page
		}
	}
	return nil
}

// The panel of a community has as many conversations, upcoming and past events as a page
// of their lists, the latest conversations and past events first. Covers B-106.
func TestCommunityHasItsConversationsAndEvents(t *testing.T) {
	f := newFixture(t)
	club := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"}).ID
	const n = svc.DefaultLimit + 1
	for i := range n {
		f.Clock.Advance(time.Second)
		f.createConversation(club)
		f.createEventAfter(club, fmt.Sprint("past ", i), 1+i)
		f.createEventAfter(club, fmt.Sprint("next ", i), 100+i)
	}
	other := f.createCommunity(social.NewCommunity{Name: "Choir", Visibility: "private"}).ID
	f.createEventAfter(other, "rehearsal", 2)
	f.Clock.Set(storetest.Start.AddDate(0, 0, 90))
	p := f.socialPanel(f.bea, "communities", club)
	counts, ids := make(map[string]int), ""
	for _, s := range p.Sections {
		counts[s.ID], ids = len(s.Items), ids+s.ID+" "
	}
	want(t, "sections", ids, "about members latest_conversations upcoming_events past_events ")
	want(t, "numbers of items", fmt.Sprint(counts["latest_conversations"], counts["upcoming_events"], counts["past_events"]), "50 50 50")
	for section, first := range map[string]string{"latest_conversations": "Trip, ", "upcoming_events": "next 0, next 1, ", "past_events": "past 50, past 49, "} {
		if got := titlesOf(p, section); !strings.HasPrefix(got, first) {
			t.Errorf("%s: got %s, want %s… first", section, got, first)
		}
	}
	for section, last := range map[string]string{"latest_conversations": "Trip", "upcoming_events": "next 50", "past_events": "past 0"} {
		first := pageOf(p, section)
		if first == nil || first.Next == nil {
			t.Fatalf("%s: got the page %+v of %d records, want a next one", section, first, n)
		}
		second := f.panelAt(f.bea, *first.Next)
		want(t, section+", sections of the next page", fmt.Sprint(len(second.Sections)), "1")
		want(t, section+", next page", titlesOf(second, section), last)
		if page := pageOf(second, section); page == nil || page.Next != nil {
			t.Errorf("%s: got the page %+v, want none after the second", section, page)
		}
	}
	want(t, "past events of another community", titlesOf(f.socialPanel(f.bea, "communities", other), "past_events"), "rehearsal")
	for ids, sections := range map[string]int{"past_events,members": 2, "latest_conversations": 1, "": 0} {
		if got := f.selectedPanel(f.bea, "communities", club, ids); len(got.Sections) != sections {
			t.Errorf("sections=%s: got %d sections, want %d", ids, len(got.Sections), sections)
		}
	}
}

// The conversations and events of a community are for its members. A block hides the
// conversations of a member, and the name on their events. Covers PT-21 and B-98.
func TestCommunityHidesItsRecords(t *testing.T) {
	f := newFixture(t)
	club := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "public"}).ID
	conversation := f.createConversation(club)
	f.createEventAfter(club, "Game", 1)
	f.createEventAfter(club, "Match", 100)
	f.Clock.Set(storetest.Start.AddDate(0, 0, 10))
	for section, summary := range map[string]string{"latest_conversations": noConversations, "upcoming_events": noUpcomingEvents, "past_events": noPastEvents} {
		want(t, "outsider, "+section, titlesOf(f.socialPanel(f.dan, "communities", club), section), summary)
	}
	write(f, func(tx *store.Tx) (social.Community, error) { return f.panels.Social.JoinCommunity(tx, f.dan, club) })
	joined := f.socialPanel(f.dan, "communities", club)
	want(t, "member", fmt.Sprint(titlesOf(joined, "latest_conversations"), titlesOf(joined, "upcoming_events"), titlesOf(joined, "past_events")), "TripMatchGame")
	f.reply(f.dan, conversation.ID, "No")
	participants := func(v svc.Viewer) string {
		return fmt.Sprint(itemOf(t, f.socialPanel(v, "communities", club), "latest_conversations", conversation.ID).Metadata["participant_count"])
	}
	want(t, "participants", participants(f.dan), "3")
	f.block(f.dan, "bea")
	want(t, "participants without a blocked member", participants(f.dan)+participants(f.ann), "23")
	f.block(f.dan, "ann")
	blocked := f.socialPanel(f.dan, "communities", club)
	want(t, "conversations of a blocked member", titlesOf(blocked, "latest_conversations"), noConversations)
	for _, section := range []string{"upcoming_events", "past_events"} {
		if text := store.JSON(f.selectedPanel(f.dan, "communities", club, section).Sections); !strings.Contains(text, "Former member") || strings.Contains(text, `"ann"`) {
			t.Errorf("%s of a blocked host: got %s, want the event without the name", section, text)
		}
	}
}

// An event panel contains the read state of the conversation. Covers B-50 and B-106.
func TestEventHasTheReadStateOfItsConversation(t *testing.T) {
	f := newFixture(t)
	e := f.createEvent(f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"}).ID)
	state := func(v svc.Viewer) string {
		m := itemOf(t, f.socialPanel(v, "events", e.ID), "event", e.ID).Metadata
		read := svc.Map{}
		for _, key := range []string{"state", "unread_count", "marked_unread", "read_up_to"} {
			if value, exists := m[key]; exists {
				read[key] = value
			}
		}
		return store.JSON(read)
	}
	want(t, "no replies", state(f.ann), `{"marked_unread":false,"read_up_to":null,"state":"open","unread_count":0}`)
	ids := f.reply(f.bea, e.ConversationID, "One", "Two")
	want(t, "new replies", state(f.ann), `{"marked_unread":false,"read_up_to":null,"state":"open","unread_count":2}`)
	want(t, "own replies", state(f.bea), `{"marked_unread":false,"read_up_to":"`+ids[1]+`","state":"open","unread_count":0}`)
	write(f, func(tx *store.Tx) (social.Conversation, error) {
		return f.panels.Social.MarkConversationRead(tx, f.ann, e.ConversationID, ids[0])
	})
	want(t, "one reply read", state(f.ann), `{"marked_unread":false,"read_up_to":"`+ids[0]+`","state":"open","unread_count":1}`)
	f.block(f.bea, "ann")
	want(t, "event of a hidden host", state(f.bea), `{"marked_unread":false,"read_up_to":"`+ids[1]+`","state":"open","unread_count":0}`)
	want(t, "replies of a hidden member", state(f.ann), `{"marked_unread":false,"read_up_to":null,"state":"open","unread_count":0}`)
}

// Today has the latest activity on each record, so that a busy conversation does not
// displace others. Covers B-106.
func TestTodayHasOneActivityOfEachRecord(t *testing.T) {
	f := newFixture(t)
	club := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"}).ID
	f.createEventAfter(club, "Game", 1)
	conversation := f.createConversation(club)
	for range todayActivity {
		f.Clock.Advance(time.Second)
		f.reply(f.bea, conversation.ID, "Yes")
	}
	lately := func(v svc.Viewer) string { return section(t, f.todayPanel(v, nil, nil).Panel, "Lately") }
	want(t, "a busy conversation", lately(f.bea), "bea replied: Trip [Open]\nann created an event: Game [Open]\nbea joined a community: Club [Open]")
	for range todayActivity {
		f.Clock.Advance(time.Second)
		f.createConversation(club)
	}
	want(t, "many records", lately(f.bea), strings.TrimSuffix(strings.Repeat("bea replied: Trip [Open]\n", todayActivity), "\n"))
	f.block(f.ann, "bea")
	want(t, "without a blocked member", lately(f.ann), strings.TrimSuffix(strings.Repeat("ann started a conversation: Trip [Open]\n", todayActivity), "\n"))
	want(t, "an outsider", lately(f.dan), "No activity yet.")
}
