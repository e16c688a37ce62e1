package panel

import (
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/view"
	"appliance/svc/find"
	"appliance/svc/find/provider"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// The summary of an empty section gives the reason. Covers W-124.
func TestEmptySectionsHaveASummary(t *testing.T) {
	f := newFixture(t)
	for _, view := range socialViews {
		p := f.socialPanel(f.dan, view.id, "")
		if p.Title == "" || p.Summary == "" || p.View != view.id {
			t.Errorf("%s: got view %q, title %q, summary %q", view.id, p.View, p.Title, p.Summary)
		}
		for _, s := range p.Sections {
			if len(s.Items) == 0 && s.Summary == "" {
				t.Errorf("%s: section %s: got no summary, want one", view.id, s.Title)
			}
		}
	}
	want(t, "communities", section(t, f.socialPanel(f.dan, "communities", ""), "Communities"), "No communities yet.")
}

// The views of a community show its records with the actions of the viewer.
// Covers W-120 and O-38.
func TestSocialViewsShowRecordsWithTheirActions(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Summary: "Chess", Visibility: "private"})
	conversation, e := f.createConversation(c.ID), f.createEvent(c.ID)
	for _, test := range []struct {
		viewer            svc.Viewer
		view, id, section string
		want              string
	}{
		{f.ann, "communities", c.ID, "About", "Club: Chess [Delete community]"},
		{f.bea, "communities", c.ID, "About", "Club: Chess [Leave]"},
		{f.ann, "communities", c.ID, "Members", "ann: Owner\nbea: Member [Make owner, Make moderator, Remove bea]"},
		{f.bea, "communities", c.ID, "Members", "ann: Owner\nbea: Member"},
		{f.ann, "communities", "", "Communities", "Club: Private · 2 members · you are an owner [Open]"},
		{f.bea, "communities", c.ID, "Invitations", "no such section"},
		{f.ann, "communities", c.ID, "Upcoming events", "Game: Thu 24 Dec 2026 18:00 Europe/Berlin · 2 going, you: going [Open, Maybe, Not going, No answer]"},
		{f.ann, "conversations", "", "Conversations", "Trip: ann · 1 reply · 1 unread [Open, Mark as read, Close conversation]"},
		{f.bea, "conversations", conversation.ID, "Conversation", "ann: To the sea? [Mark as unread]"},
		{f.bea, "conversations", conversation.ID, "Replies", "bea: Yes"},
		{f.bea, "events", e.ID, "Event", "ann:  [Maybe, Not going, No answer]"},
		{f.ann, "events", e.ID, "Event", "ann:  [Maybe, Not going, No answer, Cancel event, Close conversation]"},
		{f.ann, "events", e.ID, "Guests", "ann: Going\nbea: Going · With cake"},
		{f.ann, "events", "", "Past events", "No past events."},
		{f.bea, "people", "1", "Shared communities", "Club: Private · 2 members · you are a member [Open, Leave]"},
		{f.bea, "people", "1", "About", "ann:  [Block]"},
		{f.ann, "profile", "", "Status", "ann: Offline"},
		{f.dan, "communities", "", "Communities", "No communities yet."},
		{f.ann, "activity", "", "Latest", "bea answered an event: Game [Open]\nann created an event: Game [Open]\nbea replied: Trip [Open]\n" +
			"ann started a conversation: Trip [Open]\nbea joined a community: Club [Open]\nann created a community: Club [Open]"},
	} {
		want(t, test.viewer.String()+" "+test.view+" "+test.section, section(t, f.socialPanel(test.viewer, test.view, test.id), test.section), test.want)
	}
	want(t, "forms of a community", formsOf(f.socialPanel(f.ann, "communities", c.ID)), "create_conversation: title body among\n"+
		"create_event: title start end all_day location description rrule capacity timezone among\ninvite: recipient\nupdate: name summary\ncolor: color\nset_avatar: file")
	want(t, "forms of an event", formsOf(f.socialPanel(f.bea, "events", e.ID)), "rsvp: response note\nreply: body")
	want(t, "forms of a profile", formsOf(f.socialPanel(f.ann, "profile", "")), "update: display_name pronouns bio visibility show_last_seen color\nset_avatar: file\nset_presence: state note visible_to ttl_seconds")
	if got := f.socialPanel(f.bea, "events", e.ID).ActionDescriptors[0].Controls[1].Default; got != "With cake" {
		t.Errorf("default of the note in the RSVP form: got %v, want the present note", got)
	}
}

// Invitations, notifications, blocks and direct messages have buttons for the
// members who can use them.
func TestSocialViewsHaveButtonsForTheirMember(t *testing.T) {
	f := newFixture(t)
	c := f.createCommunity(social.NewCommunity{Name: "Club", Visibility: "private"})
	invitation := write(f, func(tx *store.Tx) (social.Invitation, error) {
		return f.panels.Social.InviteToCommunity(tx, f.ann, c.ID, social.NewInvitation{Recipient: "dan"})
	})
	sent := write(f, func(tx *store.Tx) (thread.Sent, error) {
		return f.panels.Social.StartDM(tx, f.ann, social.NewDM{Recipient: "bea", Body: "Psst"})
	})
	write(f, func(tx *store.Tx) (social.Presence, error) {
		return f.panels.Social.SetPresence(tx, f.bea, social.NewPresence{State: "away", Note: "at lunch"})
	})
	want(t, "dashboard of dan", f.socialPanel(f.dan, "", "").Summary, "1 unread notification · 1 item is waiting")
	want(t, "invitation", section(t, f.socialPanel(f.dan, "notifications", invitation.ID), "Invitation"), "Club: ann invites dan to a community · pending [Accept, Decline]")
	want(t, "invitations of the community", section(t, f.socialPanel(f.ann, "communities", c.ID), "Invitations"),
		"dan: ann invites dan to a community · pending [Cancel invitation of dan]\nbea: ann invites bea to a community · accepted")
	want(t, "notifications", section(t, f.socialPanel(f.dan, "notifications", ""), "Notifications"), "ann invited you: Club [Open, Mark as read]")
	want(t, "form of notifications", formsOf(f.socialPanel(f.dan, "notifications", "")), "read_notifications: ")
	want(t, "list of DMs", section(t, f.socialPanel(f.bea, "dms", ""), "Direct messages"), "ann: Psst [Open, Mark as read]")
	want(t, "messages of a DM", section(t, f.socialPanel(f.bea, "dms", sent.Thread.ID), "Messages"), "ann: Psst")
	want(t, "online", section(t, f.socialPanel(f.ann, "dashboard", ""), "Online"), "bea: @bea · Inner circle · Away: at lunch [Open, Block]")
	write(f, func(tx *store.Tx) (social.Block, error) {
		return f.panels.Social.Block(tx, f.ann, social.NewBlock{Recipient: "dan"})
	})
	want(t, "blocked members", section(t, f.socialPanel(f.ann, "people", ""), "Blocked"), "dan:  [Unblock dan]")
}

// A view that does not exist is a parameter error; a record that the viewer cannot
// see is not found. Covers B-28.
func TestUnknownViewsAndRecordsAreRejected(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		view, id string
		want     svc.Kind
	}{
		{"year", "", svc.Malformed}, {"dashboard", "1", svc.Missing}, {"communities", "com_x", svc.Missing}, {"people", "ann", svc.Missing}, {"people", "99", svc.Missing},
	} {
		f.Read(func(tx *store.Tx) error {
			if _, err := f.panels.Render(tx, f.ann, SocialQuery{View: c.view, ID: c.id}); svc.KindOf(err) != c.want {
				t.Errorf("view %q, id %q: got %v, want kind %v", c.view, c.id, err, c.want)
			}
			return nil
		})
	}
}

// The lists of a month cover the six weeks of the grid; its sections have the items of
// the month, as its summary counts them.
func TestSectionsOfAMonthHaveTheItemsOfTheMonth(t *testing.T) {
	f := newFixture(t)
	f.Create(f.ann, `{"object_type": "calendar_event", "title": "Before", "start": "2026-11-30T19:00:00"}`)
	f.Create(f.ann, `{"object_type": "calendar_event", "title": "Across", "start": "2026-11-30T23:00:00", "end": "2026-12-01T01:00:00"}`)
	f.Create(f.ann, `{"object_type": "calendar_event", "title": "At once", "start": "2026-12-01T00:00:00", "end": "2026-12-01T00:00:00"}`)
	f.Create(f.ann, `{"object_type": "task", "title": "After", "due": "2027-01-02"}`)
	month := f.timePanel(f.ann, "month", "2026-12-24")
	want(t, "summary", month.Summary, "December 2026 · 2 calendar events, no tasks")
	if got := len(month.Appointments) + len(month.Tasks); got != 4 {
		t.Errorf("got %d entries in the grid, want 4", got)
	}
	want(t, "tasks", section(t, month.Panel, "Tasks"), "No tasks in this range.")
	events := section(t, month.Panel, "Calendar events")
	if strings.Contains(events, "Before") || !strings.Contains(events, "Across") || !strings.Contains(events, "At once") {
		t.Errorf("got the events %s, want only Across and At once", events)
	}
}

// The panel of Time lists entries with their actions and forms for new ones.
// Covers W-131 and T-31.
func TestTimePanelShowsEntriesWithTheirActions(t *testing.T) {
	f := newFixture(t)
	f.Create(f.ann, `{"object_type": "calendar_event", "title": "Choir", "start": "2026-12-22T19:00:00", "rrule": "FREQ=WEEKLY"}`)
	f.Create(f.ann, `{"object_type": "task", "title": "Taxes", "due": "2026-12-23"}`)
	task := f.Create(f.ann, `{"object_type": "task", "title": "Bins", "due": "2026-11-20"}`)
	f.Patch(f.ann, task.ID, `{"status": "completed"}`)
	week := f.timePanel(f.ann, "week", "2026-12-24")
	want(t, "summary", week.Summary, "21 December – 27 December 2026 · 1 calendar event, 1 task")
	want(t, "events", section(t, week.Panel, "Calendar events"), "Choir: Tue 22 Dec 19:00 · Calendar [Open, Edit, Delete occurrence, Delete this and later, Delete series]")
	want(t, "tasks", section(t, week.Panel, "Tasks"), "Taxes: Wed 23 Dec · Calendar [Open, Mark as done, Edit, Delete]")
	tasks := f.timePanel(f.ann, "tasks", "2026-11-21")
	want(t, "summary of tasks", tasks.Summary, "2 tasks: 1 to do, 1 done")
	want(t, "completed tasks", section(t, tasks.Panel, "Done"), "Bins: Fri 20 Nov · Calendar [Open, Mark as not done, Edit, Delete]")
	want(t, "forms", formsOf(week.Panel), "create_event: title start end all_day timezone end_timezone location description rrule alarm_minutes calendar_id class object_type\n"+
		"create_task: title due timezone priority description rrule calendar_id class object_type\ncreate_calendar: name color timezone\nset_preferences: day_start day_end week_start slot_minutes")
	if got := week.Actions["create_object"]; got != "/world/time/objects" {
		t.Errorf("create_object: got %q, want /world/time/objects", got)
	}
	want(t, "empty month", section(t, f.timePanel(f.dan, "month", "2026-12-24").Panel, "Tasks"), "No tasks in this range.")
	want(t, "empty day", f.timePanel(f.dan, "day", "2026-12-24").Summary, "Thursday, 24 December 2026 · no calendar events, no tasks")
	for _, field := range week.EditableFields {
		if field.Label == "" || len(field.AppliesTo) == 0 {
			t.Errorf("editable field %s: got label %q for %v", field.ID, field.Label, field.AppliesTo)
		}
	}
}

// The panel of Messages shows threads and the messages of the selected one; the
// rail only opens threads. Covers W-134, W-135 and M-37.
func TestMessagesPanelShowsThreads(t *testing.T) {
	f := newFixture(t)
	sent := write(f, func(tx *store.Tx) (thread.Sent, error) {
		return f.messages.Start(tx, f.ann, messages.StartRequest{Recipient: messages.Recipients{"bea"}, Body: "Hello"})
	})
	f.Read(func(tx *store.Tx) error {
		inbox, err := f.messages.List(tx, f.bea, 0, "")
		if err != nil {
			return err
		}
		d, err := f.messages.Peek(tx, f.bea, sent.Thread.ID, svc.HistoryQuery{})
		if err != nil {
			return err
		}
		p := NewMessagesPanel(words.English, inbox, &d)
		want(t, "summary", p.Summary, "1 unread")
		want(t, "threads", section(t, p.Panel, "Threads"), "ann: Hello [Open, Show here, Mark as read]")
		want(t, "messages", section(t, p.Panel, "ann"), "ann: Hello")
		want(t, "forms", formsOf(p.Panel), "start_thread: recipient body\nsend_message: body\nsearch: q")
		want(t, "rail", section(t, NewMessagesRail(words.English, inbox), "Threads"), "ann: Hello [Open]")
		if p.SelectedThread == nil || p.SelectedThread.ID != sent.Thread.ID {
			t.Errorf("selected thread: got %+v, want %s", p.SelectedThread, sent.Thread.ID)
		}
		return nil
	})
	empty := NewMessagesPanel(words.English, thread.List{}, nil)
	want(t, "empty inbox", section(t, empty.Panel, "Threads"), "No messages yet.")
	want(t, "summary of an empty inbox", empty.Summary, "No unread messages")
}

// A section of Time with only the first entries of a list has the number of all of them.
// Covers B-106.
func TestLongSectionOfTimeHasItsTotal(t *testing.T) {
	for _, n := range []int{0, maxItems, maxItems + 1} {
		s := timeSection(words.English, "tasks", "Tasks", "No open tasks.", make([]view.Object, n), nil)
		total := len(s.Items)
		if s.Total != nil {
			total = *s.Total
		}
		if total != n || len(s.Items) != min(n, maxItems) || (s.Total != nil) != (n > maxItems) || (s.Summary == "") != (n == maxItems) {
			t.Errorf("%d entries: got %d items, the total %v and the summary %q", n, len(s.Items), s.Total, s.Summary)
		}
	}
}

// The panel of Find offers the scopes that can be searched, the searches of the member,
// the providers and the findings of the overlay. Covers W-129 and B-46.
func TestFindPanel(t *testing.T) {
	place := "Lisbon"
	p := NewFindPanel(words.English, FindState{
		Available: find.Available{Local: true},
		Providers: []find.ProviderState{{ID: "maps", Label: "Places on this server", Summary: "Ready"}, {ID: "web", Label: "Web search", Summary: "It failed.", Failure: &provider.Error{Code: provider.Timeout}}},
		History: []find.QueryRecord{
			{QueryID: "fq_3", Query: "tea", Scope: "nearby", AppliedScope: "nearby", Origin: &find.Position{Latitude: 1, Longitude: 2}, RadiusMeters: 700, Status: "ok", FindingCount: 2},
			{QueryID: "fq_2", Query: "tea near Lisbon", Scope: "everywhere", AppliedScope: "nearby", Origin: &find.Position{}, Place: &place, Status: "provider_error"},
			{QueryID: "fq_1", Query: "x", Scope: "nearby", AppliedScope: "nearby", Status: "location_required"},
			{QueryID: "fq_0", Query: "y", Scope: "everywhere", AppliedScope: "everywhere", Status: "ok"},
		},
		Findings: []svc.Finding{{FindingID: "osm:1", Title: "Café", Summary: "Opens at nine"}},
	})
	want(t, "results", section(t, p.Panel, "Results"), "Café: Opens at nine")
	want(t, "recent", section(t, p.Panel, "Recent"), "tea: Nearby, 2 results [Search again]\ntea near Lisbon: Near Lisbon, failed [Search again]\nx: Nearby, without a position [Search again]\ny: Everywhere, no results [Search again]")
	want(t, "providers", section(t, p.Panel, "Providers"), "Places on this server: Ready\nWeb search: It failed.")
	want(t, "summary", p.Summary, "Search places.")
	want(t, "composer", fmt.Sprintf("%s %s %v %s", p.Composer.Query, p.Composer.Scope, p.Composer.Scopes, p.Composer.Action.URL), "tea nearby [{nearby Nearby true} {everywhere Everywhere true}] /world/find/query")
	want(t, "repeated search", store.JSON(p.Sections[0].Items[0].Actions[0].Body), `{"origin":{"latitude":1,"longitude":2},"query":"tea","radius_meters":700,"scope":"nearby"}`)
	if _, ok := p.Sections[0].Items[1].Actions[0].Body["origin"]; ok {
		t.Error("search near a place: got the origin of the place in its repetition, want none")
	}
	want(t, "forms", fmt.Sprintf("%d %s %s", len(p.ActionDescriptors), p.ActionDescriptors[0].ID, p.ActionDescriptors[1].ID), "2 find clear_history")
}

func TestFindPanelWithoutSearches(t *testing.T) {
	for name, c := range map[string]struct {
		available find.Available
		summary   string
		scopes    string
	}{
		"nothing":          {find.Available{}, "There is nothing to search yet. The operator imports a region or configures a search server.", "[{nearby Nearby false} {everywhere Everywhere false}]"},
		"loading":          {find.Available{Loading: true}, "The towns of the world are being loaded. Try again in a minute.", "[{nearby Nearby false} {everywhere Everywhere false}]"},
		"pages":            {find.Available{Web: true}, "Search web pages.", "[{nearby Nearby false} {everywhere Everywhere true}]"},
		"places and pages": {find.Available{Geocoder: true, Web: true}, "Search places and web pages.", "[{nearby Nearby true} {everywhere Everywhere true}]"},
	} {
		p := NewFindPanel(words.English, FindState{Available: c.available})
		want(t, name+": summary", p.Summary, c.summary)
		want(t, name+": scopes", fmt.Sprint(p.Composer.Scopes), c.scopes)
		want(t, name+": recent", section(t, p.Panel, "Recent"), "No searches yet.")
		want(t, name+": results", section(t, p.Panel, "Results"), "No results yet.")
	}
	want(t, "overlay that cannot be read", section(t, NewFindPanel(words.English, FindState{Unread: "Surface is off."}).Panel, "Results"), "Surface is off.")
}
