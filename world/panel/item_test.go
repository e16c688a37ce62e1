package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/world/action"
)

// itemOf returns an item of a section.
func itemOf(t *testing.T, p Panel, section, id string) PanelItem {
	t.Helper()
	for _, s := range p.Sections {
		for _, item := range s.Items {
			if s.ID == section && item.ID == id {
				return item
			}
		}
	}
	t.Fatalf("panel %s: got no item %s in the section %s", p.View, id, section)
	return PanelItem{}
}

// describe formats the member, the latest reply and the context of an item.
func describe(i PanelItem) string {
	var parts []string
	if i.Actor != nil {
		parts = append(parts, i.Actor.DisplayName+"@"+i.Actor.Username)
	}
	if i.ItemReplies != nil {
		parts = append(parts, fmt.Sprint(i.ReplyCount))
		if i.LastReply != nil {
			parts = append(parts, i.LastReply.Actor.DisplayName+": "+i.LastReply.Excerpt)
		}
	}
	if i.Context != nil {
		parts = append(parts, string(i.Context.Type)+" "+i.Context.Title)
	}
	return strings.Join(parts, " | ")
}

// Covers B-106.
func TestItemsCarryMembersRepliesAndContexts(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"})
	conversation, e := f.createConversation(c.ID), f.createEvent(c.ID)
	sent := write(f, func(tx *store.Tx) (thread.Sent, error) {
		return f.panels.Social.StartDM(tx, f.ann, social.NewDM{Recipient: "bea", Body: "Psst, @ann"})
	})
	const trip = "ann@ann | 1 | bea: Yes | community Club"
	want(t, "conversation", describe(itemOf(t, f.socialPanel(f.bea, "conversations", ""), "conversations", conversation.ID)), trip)
	want(t, "dashboard", describe(itemOf(t, f.socialPanel(f.bea, "dashboard", ""), "latest_conversations", conversation.ID)), trip)
	page := f.socialPanel(f.bea, "conversations", conversation.ID)
	want(t, "open conversation", describe(itemOf(t, page, "conversation", conversation.ID)), trip)
	reply := page.Sections[1].Items[0]
	want(t, "reply", describe(reply)+" "+reply.Body, "bea@bea Yes")
	event := itemOf(t, f.socialPanel(f.bea, "events", ""), "upcoming_events", e.ID)
	want(t, "event", describe(event), "ann@ann | 0 | community Club")
	want(t, "times of the event", store.JSON(event.Start)+" "+event.End.UTC.Format(time.RFC3339),
		`{"date":null,"date_time":"2026-12-24T18:00:00","timezone":"Europe/Berlin","utc":"2026-12-24T17:00:00Z"} 2026-12-24T18:00:00Z`)
	want(t, "data of the event", fmt.Sprint(event.Counts.Going, event.Capacity, event.Host.DisplayName, event.Community.Title, event.IsOver, event.CanAnswerUntil),
		fmt.Sprint(2, (*int)(nil), "ann", "Club", false, event.End.UTC))
	activity := f.socialPanel(f.ann, "activity", "").Sections[0].Items
	want(t, "activity about the event", describe(activity[0]), "bea@bea | 0 | event Game")
	want(t, "activity about the conversation", describe(activity[2]), "bea@bea | 1 | bea: Yes | conversation Trip")
	want(t, "activity about the community", describe(activity[5]), "ann@ann | community Club")
	var notifications []string
	for _, n := range f.socialPanel(f.ann, "notifications", "").Sections[1].Items {
		notifications = append(notifications, describe(n))
	}
	want(t, "notifications", strings.Join(notifications, "\n"), "bea@bea | 0 | event Game\nbea@bea | 1 | bea: Yes | conversation Trip")
	want(t, "DM", describe(itemOf(t, f.socialPanel(f.bea, "dms", ""), "direct_messages", sent.Thread.ID)), "ann@ann | 1 | ann: Psst, @ann")
	message := f.socialPanel(f.bea, "dms", sent.Thread.ID).Sections[1].Items[0]
	want(t, "message", describe(message)+" "+store.JSON(message.Entities), `ann@ann [{"start":6,"end":10,"member_id":1}]`)
}

// The members, texts and contexts of items are hidden as in the lists. Covers PT-21,
// B-98 and B-106.
func TestItemsNameNoMemberAcrossABlock(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"})
	conversation := f.createConversation(c.ID)
	e := f.createEvent(c.ID)
	f.createCommunity(social.NewCommunity{Name: "Family", Visibility: "private"})
	write(f, func(tx *store.Tx) (social.Block, error) {
		return f.panels.Social.Block(tx, f.ann, social.NewBlock{Recipient: "bea"})
	})
	want(t, "reply of a blocked member", describe(itemOf(t, f.socialPanel(f.ann, "conversations", ""), "conversations", conversation.ID)), "ann@ann | 0 | community Club")
	event := itemOf(t, f.socialPanel(f.bea, "events", ""), "upcoming_events", e.ID)
	want(t, "host of a community event", describe(event)+" "+event.Host.DisplayName, "Former member@ | 0 | community Club Former member")
	for _, view := range socialViews {
		for viewer, name := range map[svc.Viewer]string{f.ann: `"bea"`, f.bea: `"ann"`, f.dan: `Club`} {
			p := f.socialPanel(viewer, view.id, "")
			p.Sections, p.ActionDescriptors = withoutBlocks(p.Sections), nil
			if text := store.JSON(p); strings.Contains(text, name) {
				t.Errorf("view %s of member %s: got %s, want no %s", view.id, viewer, text, name)
			}
		}
	}
	write(f, func(tx *store.Tx) (social.Membership, error) { return f.panels.Social.LeaveCommunity(tx, f.bea, c.ID) })
	if text := store.JSON(f.socialPanel(f.bea, "activity", "")); strings.Contains(text, c.ID) || strings.Contains(text, "Club") {
		t.Errorf("activity after leaving the community: got %s, want nothing about it", text)
	}
}

// withoutBlocks removes the sections that name the members whom the viewer blocks.
func withoutBlocks(sections []Section) (list []Section) {
	for _, s := range sections {
		if s.ID != "blocked" {
			list = append(list, s)
		}
	}
	return list
}

// The view of circles has the members by depth, with the communities that connect
// them. The views of invitations and blocks have the received invitations and the
// blocks. Covers B-106.
func TestCirclesInvitationsAndBlocksHaveViews(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{"Club", "Family"} {
		f.createCommunity(social.NewCommunity{Name: name, Visibility: "private"})
	}
	write(f, func(tx *store.Tx) (social.Invitation, error) {
		choir, err := f.panels.Social.CreateCommunity(tx, f.bea, social.NewCommunity{Name: "Choir", Visibility: "private"})
		if err != nil {
			return social.Invitation{}, err
		}
		i, err := f.panels.Social.InviteToCommunity(tx, f.bea, choir.ID, social.NewInvitation{Recipient: "dan"})
		if err != nil {
			return i, err
		}
		return f.panels.Social.AnswerInvitation(tx, f.dan, i.ID, social.Accept)
	})
	p := f.socialPanel(f.ann, "circles", "")
	want(t, "summary", p.Summary, "Inner: 1 · Trusted: 1 · Extended: 0")
	want(t, "inner circle", section(t, p, "Inner circle"), "bea: Through Club, Family [Open]")
	want(t, "trusted circle", section(t, p, "Trusted circle"), "dan:  [Open]")
	want(t, "extended circle", section(t, p, "Extended circle"), "No members.")
	via := p.Sections[0].Items[0].Metadata["via"].(svc.List[social.CommunityRef])
	want(t, "via", via[0].Title+" "+via[1].Title, "Club Family")
	want(t, "invitations", section(t, f.socialPanel(f.bea, "invitations", ""), "All invitations"),
		"Family: ann invites bea to a community · accepted\nClub: ann invites bea to a community · accepted")
	want(t, "pending", section(t, f.socialPanel(f.bea, "invitations", ""), "Pending"), noInvitations)
	write(f, func(tx *store.Tx) (social.Block, error) {
		return f.panels.Social.Block(tx, f.ann, social.NewBlock{Recipient: "dan"})
	})
	blocks := f.socialPanel(f.ann, "blocks", "")
	want(t, "blocks", section(t, blocks, "Blocked")+" "+formsOf(blocks), "dan:  [Unblock dan] block: recipient")
	want(t, "name of a blocked member", blocks.Sections[0].Items[0].Actor.DisplayName, "dan")
	want(t, "circles after the block", f.socialPanel(f.ann, "circles", "").Summary, "Inner: 1 · Trusted: 0 · Extended: 0")
}

// The parameter "sections" selects the sections of a panel, and the link to the next
// page keeps it. Covers B-106.
func TestSectionsCanBeSelected(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"})
	for range svc.DefaultLimit + 1 {
		f.createConversation(c.ID)
	}
	render := func(query string) Panel { return f.panelAt(f.bea, action.SocialPanelURL+"?"+query) }
	ids := func(p Panel) string {
		var list []string
		for _, s := range p.Sections {
			list = append(list, s.ID)
		}
		return strings.Join(list, " ")
	}
	want(t, "all", ids(render("view=dashboard")), "unread waiting upcoming_events latest_conversations latest online")
	want(t, "some", ids(render("view=dashboard&sections=online,unread,nope")), "unread online")
	want(t, "none", ids(render("view=dashboard&sections=")), "")
	first := render("view=conversations&sections=conversations").Sections[0]
	if first.Page == nil || first.Page.Next == nil || first.Page.Previous != nil {
		t.Fatalf("page of the section: got %+v, want a next page", first.Page)
	}
	second := f.panelAt(f.bea, *first.Page.Next)
	if s := second.Sections; len(s) != 1 || len(s[0].Items) != 1 || s[0].Page.Next != nil {
		t.Errorf("next page: got %d sections, want one with one item and no next page", len(s))
	}
	want(t, "none has no next page", fmt.Sprint(len(render("view=conversations&sections=").Sections)), "0")
}

// hostedService is a service in a fixed state.
type hostedService struct {
	state  svc.ServiceState
	failed bool
}

func (h *hostedService) State() svc.ServiceState { return h.state }
func (h *hostedService) Report(err error)        { h.failed = h.failed || err != nil }

// todayPanel returns the panel of today in Europe/Berlin with the states of the services.
func (f *fixture) todayPanel(v svc.Viewer, states map[string]svc.ServiceState, change func(*TodayPanels)) (p TodayPanel) {
	f.T.Helper()
	berlin := svc.StoredZone("Europe/Berlin")
	panels := TodayPanels{
		SocialPanels: f.panels, Time: f.Index, Messages: f.messages,
		Hosted: func(service string) svc.HostedService {
			if state, ok := states[service]; ok {
				return &hostedService{state: state}
			}
			return &hostedService{state: "ready"}
		},
	}
	if change != nil {
		change(&panels)
	}
	f.Read(func(tx *store.Tx) (err error) {
		p, err = panels.Render(tx, v, svc.ZoneInUse{Timezone: berlin.String(), Source: svc.ZoneOfMember}, SectionFilter{})
		return err
	})
	return p
}

// The panel of today composes the services. It lists invitations, events without an
// answer and overdue tasks as waiting. Covers B-106.
func TestTodayShowsPlannedAndPendingRecords(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"})
	f.createConversation(c.ID)
	event := write(f, func(tx *store.Tx) (social.Event, error) {
		return f.panels.Social.CreateEvent(tx, f.ann, social.NewEvent{Title: "Game", Start: "2026-12-24T18:00:00", Audience: social.AudienceSpec(c.ID)})
	})
	write(f, func(tx *store.Tx) (thread.Sent, error) {
		return f.messages.Start(tx, f.ann, messages.StartRequest{Recipient: messages.Recipients{"bea"}, Body: "Hello"})
	})
	var today string
	f.Read(func(tx *store.Tx) error { today = tx.Now().UTC().Format(time.DateOnly); return nil })
	yesterday, _ := time.Parse(time.DateOnly, today)
	f.Create(f.bea, `{"object_type": "calendar_event", "title": "Choir", "start": "`+today+`T19:00:00"}`)
	f.Create(f.bea, `{"object_type": "task", "title": "Taxes", "due": "`+yesterday.AddDate(0, 0, -1).Format(time.DateOnly)+`"}`)
	f.Create(f.bea, `{"object_type": "task", "title": "Bins", "due": "`+today+`"}`)
	p := f.todayPanel(f.bea, nil, nil)
	if got := section(t, p.Panel, "Schedule"); !strings.HasPrefix(got, "Choir: ") {
		t.Errorf("schedule: got %q, want Choir", got)
	}
	waiting := strings.Split(section(t, p.Panel, "Waiting for you"), "\n")
	if len(waiting) != 2 || !strings.HasPrefix(waiting[0], "Taxes: ") || !strings.HasPrefix(waiting[1], "Game: ") {
		t.Errorf("waiting: got %q, want the overdue task and the event", waiting)
	}
	want(t, "event that waits", describe(itemOf(t, p.Panel, "waiting", event.ID)), "ann@ann | 0 | community Club")
	if tasks := section(t, p.Panel, "Tasks"); !strings.Contains(tasks, "Taxes") || !strings.Contains(tasks, "Bins") {
		t.Errorf("tasks: got %q, want both", tasks)
	}
	want(t, "messages", section(t, p.Panel, "Messages"), "ann: Hello [Open, Show here, Mark as read]")
	if lately := section(t, p.Panel, "Lately"); !strings.Contains(lately, "ann created an event: Game") {
		t.Errorf("lately: got %q, want the event", lately)
	}
	want(t, "forms", formsOf(p.Panel)[:len("create_event")], "create_event")
	want(t, "date and zone", p.Date+" "+p.Timezone+" "+p.Kind, today+" Europe/Berlin today")
	write(f, func(tx *store.Tx) (social.Event, error) {
		e, _, err := f.panels.Social.Respond(tx, f.bea, event.ID, social.NewRSVP{Response: "maybe"})
		return e, err
	})
	if got := section(t, f.todayPanel(f.bea, nil, nil).Panel, "Waiting for you"); strings.Contains(got, "Game") {
		t.Errorf("after the answer: got %q, want no event", got)
	}
	want(t, "the host", section(t, f.todayPanel(f.ann, nil, nil).Panel, "Waiting for you"), "Nothing is waiting for you.")
	want(t, "an outsider", section(t, f.todayPanel(f.dan, nil, nil).Panel, "Lately"), "No activity yet.")
}

// A service that is off or fails is a fallback of the panel of today, and the sections
// of the other services are complete. Covers B-106 and W-124.
func TestTodayWorksWithoutAService(t *testing.T) {
	f := newFixture(t)
	f.Create(f.ann, `{"object_type": "task", "title": "Bins"}`)
	off := f.todayPanel(f.ann, map[string]svc.ServiceState{"social": "unavailable"}, nil)
	want(t, "fallbacks", store.JSON(off.Fallbacks), `[{"fallback_id":"fb_service_social_unavailable","state":"unavailable","scope":{"kind":"service","service":"social"},"reason":"switched_off","message":"The operator has switched this service off.","retryable":false,"action_ids":[]}]`)
	want(t, "section of the service", section(t, off.Panel, "Lately"), "The operator has switched this service off.")
	want(t, "section of another service", section(t, off.Panel, "Messages"), "No messages yet.")
	failing := f.todayPanel(f.ann, nil, func(p *TodayPanels) { p.Time = nil })
	if n := len(failing.Fallbacks); n != 1 || failing.Fallbacks[0].Reason != "failed" {
		t.Errorf("a service that fails: got %+v, want one fallback", failing.Fallbacks)
	}
	want(t, "section of the failed service", section(t, failing.Panel, "Tasks"), failing.Fallbacks[0].Message)
	for _, service := range []string{"time", "social", "messages"} {
		p := f.todayPanel(f.ann, map[string]svc.ServiceState{service: "unavailable"}, nil)
		if len(p.Sections) != 6 || len(p.Fallbacks) != 1 {
			t.Errorf("without %s: got %d sections and %d fallbacks, want 6 and 1", service, len(p.Sections), len(p.Fallbacks))
		}
		for _, s := range p.Sections {
			if len(s.Items) == 0 && s.Summary == "" {
				t.Errorf("without %s: section %s has neither items nor a summary", service, s.ID)
			}
		}
	}
}
