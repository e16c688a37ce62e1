package dataset_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/provider/contract"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// fixture is a server with three members: ann and bea share communities, and cem
// is an outsider.
type fixture struct {
	*worldtest.Server
	ann, bea, cem svc.Viewer
	thread        string // id of the thread of ann and bea
	community     string // public community of ann and bea; they also share a private one
	event         string // public event of ann
	conversation  string // open conversation of ann
	task          string // id of the task of ann
}

// newFixture returns a fixture in which ann has an object of every kind.
func newFixture(t testing.TB) *fixture {
	t.Helper()
	s, v := worldtest.New(t, "ann", "bea", "cem")
	f := &fixture{Server: s, ann: v[0], bea: v[1], cem: v[2]}
	f.thread = s.SendMessage(f.bea, f.ann, "Hello")
	f.community = s.CreateCommunity(f.ann, "Choir", f.bea)
	s.MakePrivate(f.ann, s.CreateCommunity(f.ann, "Family", f.bea))
	f.event = s.CreateEvent(f.ann, "Concert", "2026-12-01T19:00:00")
	f.conversation = s.StartConversation(f.ann, "Trip")
	f.task = s.CreateTask(f.ann, "Taxes")
	s.CreateAppointment(f.ann, "Dentist", "2026-11-23T10:00:00")
	s.SendDM(f.bea, f.ann, "See you")
	return f
}

// read returns the dataset of v for a runtime that declares no capabilities.
func (f *fixture) read(v svc.Viewer) dataset.Dataset {
	f.T.Helper()
	return f.Dataset(v, request(f.T, ""))
}

func request(t testing.TB, query string) dataset.Request {
	t.Helper()
	return requestOf(t, "test/1.0", query)
}

// object returns the object of a dataset whose object_type and title are name.
func object(t testing.TB, d dataset.Dataset, name string) dataset.Object {
	t.Helper()
	for _, o := range d.Objects {
		if o.ObjectType+" "+o.Title == name {
			return o
		}
	}
	t.Fatalf("got objects %q, want %s among them", worldtest.Titles(d), name)
	return dataset.Object{}
}

// actionTypes returns the types of the actions on an object.
func actionTypes(d dataset.Dataset, o dataset.Object) []string {
	types := make(map[string]bool)
	for _, a := range d.Actions {
		if slices.Contains(o.Actions, a.ActionID) {
			types[a.Type] = true
		}
	}
	return slices.Sorted(maps.Keys(types))
}

// fallback returns the fallback for a scope, or nil.
func fallback(d dataset.Dataset, scope dataset.Scope) *dataset.Fallback {
	for _, f := range d.Fallbacks {
		if f.Scope == scope {
			return &f
		}
	}
	return nil
}

// source returns the provenance of a service.
func source(t testing.TB, d dataset.Dataset, id string) dataset.Provenance {
	t.Helper()
	for _, s := range d.Sources {
		if s.SourceID == id {
			return s
		}
	}
	t.Fatalf("got sources %+v, want %s among them", d.Sources, id)
	return dataset.Provenance{}
}

// Covers W-22, W-30, W-34, W-50 and W-53.
func TestDatasetContainsTheObjectsThatTheMemberCanSee(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		name   string
		viewer svc.Viewer
		want   []string
	}{
		{"owner", f.ann, []string{
			"calendar_event Concert", "calendar_event Dentist", "community Choir", "community Family", "conversation Trip", "event Concert", "message_thread bea",
			"profile ann", "profile bea", "social_dm bea", "task Taxes",
		}},
		{"participant", f.bea, []string{
			"community Choir", "community Family", "conversation Trip", "event Concert", "message_thread ann", "profile ann", "profile bea", "social_dm ann",
		}},
		{"outsider", f.cem, []string{"community Choir", "conversation Trip", "event Concert", "profile cem"}},
	} {
		d := f.read(c.viewer)
		if got := worldtest.Titles(d); !slices.Equal(got, c.want) {
			t.Errorf("%s: got objects %q, want %q", c.name, got, c.want)
		}
		if len(d.Objects) != len(c.want) {
			t.Errorf("%s: got %d objects, want %d", c.name, len(d.Objects), len(c.want))
		}
		worldtest.WantReferences(t, d)
		total := 0
		for _, id := range []string{"time", "messages", "social"} {
			total += source(t, d, id).ObjectCount
		}
		if total != len(d.Objects) {
			t.Errorf("%s: got %d objects of sources, want %d", c.name, total, len(d.Objects))
		}
	}
}

func TestObjectHasTheSameIDForEveryMember(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{"community Choir", "event Concert", "conversation Trip"} {
		ann, cem := object(t, f.read(f.ann), name), object(t, f.read(f.cem), name)
		if ann.WorldObjectID != cem.WorldObjectID {
			t.Errorf("%s: got the ids %s and %s, want equal ids", name, ann.WorldObjectID, cem.WorldObjectID)
		}
		if slices.ContainsFunc(ann.Actions, func(id string) bool { return slices.Contains(cem.Actions, id) }) {
			t.Errorf("%s: got a common action_id of two members", name)
		}
	}
}

func TestActionsFollowTheRoleOfTheMember(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		name, object, action string
		owner, outsider      bool
	}{
		{"change a community", "community Choir", "social.community.update", true, false},
		{"join a community", "community Choir", "social.community.join", false, true},
		{"reply", "conversation Trip", "social.conversation.reply", true, true},
		{"close a conversation", "conversation Trip", "social.conversation.close", true, false},
		{"focus", "event Concert", "focus_object", true, true},
		{"cancel an event", "event Concert", "social.event.cancel", true, false},
	} {
		for _, r := range []struct {
			role   string
			viewer svc.Viewer
			want   bool
		}{{"owner", f.ann, c.owner}, {"outsider", f.cem, c.outsider}} {
			d := f.read(r.viewer)
			types := actionTypes(d, object(t, d, c.object))
			if got := slices.Contains(types, c.action); got != r.want {
				t.Errorf("%s: action of the %s: got %v in %q, want %v", c.name, r.role, got, types, r.want)
			}
		}
	}
}

func TestMirrorIsRelatedToItsEvent(t *testing.T) {
	f := newFixture(t)
	d := f.read(f.ann)
	mirror, event := object(t, d, "calendar_event Concert"), object(t, d, "event Concert")
	want := dataset.Relationship{Type: "mirror_of", Target: action.Object(event.WorldObjectID)}
	if !slices.Contains(mirror.Relationships, want) {
		t.Errorf("got relationships %+v, want %+v among them", mirror.Relationships, want)
	}
	if o := object(t, d, "task Taxes"); len(o.Relationships) > 0 {
		t.Errorf("task: got relationships %+v, want none", o.Relationships)
	}
}

func TestRelationshipIsOmittedIfItsTargetIsNotInTheDataset(t *testing.T) {
	f := newFixture(t)
	f.Hosted("social").SwitchOff()
	d := f.read(f.ann)
	if got := object(t, d, "calendar_event Concert").Relationships; len(got) > 0 {
		t.Errorf("got relationships %+v of a mirror without its event, want none", got)
	}
	worldtest.WantReferences(t, d)
}

// A fallback names the days of the calendar that the dataset contains. After
// midnight it names the days of the new date.
func TestDatasetNamesItsDays(t *testing.T) {
	f := newFixture(t)
	message := func() string {
		for _, b := range f.read(f.ann).Fallbacks {
			if b.Reason == "limited" && b.Scope.Service == "time" {
				return b.Message
			}
		}
		return ""
	}
	days := func(now time.Time) string {
		const layout = "2 January 2006"
		return "from " + now.AddDate(0, 0, -7).Format(layout) + " to " + now.AddDate(0, 0, 59).Format(layout)
	}
	for range 2 {
		if got, want := message(), days(f.Clock.Now().UTC()); !strings.Contains(got, want) {
			t.Errorf("got %q, want the days %q", got, want)
		}
		f.Clock.Advance(24 * time.Hour)
	}
}

func TestContextsListTheNextItems(t *testing.T) {
	f := newFixture(t)
	d := f.read(f.ann)
	got := make(map[string]string)
	for _, c := range d.Contexts {
		var labels []string
		for _, item := range c.Items {
			labels = append(labels, item.Label)
		}
		got[c.ContextID] = strings.Join(labels, ", ")
	}
	want := map[string]string{
		"ctx_member": "", "ctx_time": "Dentist, Concert, Taxes", "ctx_messages": "bea", "ctx_social": "bea, Trip", "ctx_field": "",
		"ctx_find": "", "ctx_feeds": "", "ctx_workspace": "",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got contexts %v, want %v", got, want)
	}
}

// Invitations and requests to join precede conversations.
func TestSocialContextBeginsWithInvitationsAndRequests(t *testing.T) {
	f := newFixture(t)
	f.Write(func(tx *store.Tx) error {
		board, err := f.Social.CreateCommunity(tx, f.bea, social.NewCommunity{Name: "Board", Visibility: "private"})
		if err == nil {
			_, err = f.Social.InviteToCommunity(tx, f.bea, board.ID, social.NewInvitation{Recipient: f.ann.String()})
		}
		return err
	})
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.UpdateCommunity(tx, f.ann, f.community, social.CommunityChange{JoinPolicy: svc.Some(social.JoinRequest)})
		if err == nil {
			_, err = f.Social.JoinCommunity(tx, f.cem, f.community)
		}
		if err == nil {
			_, err = f.Social.InviteToEvent(tx, f.ann, f.event, social.NewInvitation{Recipient: f.bea.String()})
		}
		return err
	})
	d := f.read(f.ann)
	worldtest.WantReferences(t, d)
	var labels []string
	for _, c := range d.Contexts {
		if c.ContextID != "ctx_social" {
			continue
		}
		for _, item := range c.Items {
			labels = append(labels, item.Label)
			if want := fmt.Sprint(item.Label == "Invitation to Board"); fmt.Sprint(item.Target.Kind == "workspace") != want {
				t.Errorf("%s: got target %+v; only a community that ann cannot see has the workspace", item.Label, item.Target)
			}
		}
	}
	if want := []string{"Invitation to Board", "cem asks to join Choir", "bea", "Trip"}; !slices.Equal(labels, want) {
		t.Errorf("got items %q, want %q", labels, want)
	}
}

// Covers W-24, W-31 and W-33.
func TestEmptyDatasetExplainsEverySection(t *testing.T) {
	s, v := worldtest.New(t, "ann")
	d := s.Dataset(v[0], request(t, ""))
	for section, want := range map[string]string{
		"findings": "no_findings", "workspace": "nothing_brought", "field.objects": "no_location", "objects": "", "actions": "", "contexts": "",
	} {
		f := fallback(d, dataset.Scope{Kind: "section", Section: section})
		switch {
		case f == nil && want != "":
			t.Errorf("section %s: got no fallback, want %s", section, want)
		case f != nil && (f.Reason != want || f.Message == ""):
			t.Errorf("section %s: got fallback %+v, want the reason %q", section, *f, want)
		}
	}
	for _, service := range []string{"find"} {
		if f := fallback(d, dataset.Scope{Kind: "service", Service: service}); f == nil || f.State != "unavailable" || f.Reason != "not_configured" {
			t.Errorf("service %s: got fallback %+v, want not_configured", service, f)
		}
		if got := source(t, d, service).Status; got != "unavailable" {
			t.Errorf("source %s: got status %s, want unavailable", service, got)
		}
	}
}

// Covers W-25, W-26 and W-52.
func TestDatasetContainsOnlyTheRequestedSections(t *testing.T) {
	f := newFixture(t)
	f.ReplaceFindings(f.ann, worldtest.Place(1))
	f.focus(f.ann, "task Taxes")
	sections := map[string]func(dataset.Dataset) int{
		"objects":   func(d dataset.Dataset) int { return len(d.Objects) },
		"contexts":  func(d dataset.Dataset) int { return len(d.Contexts) },
		"actions":   func(d dataset.Dataset) int { return len(d.Actions) },
		"findings":  func(d dataset.Dataset) int { return len(d.Findings) },
		"workspace": func(d dataset.Dataset) int { return len(d.Workspace.Order) },
		"field":     func(d dataset.Dataset) int { return len(d.Field.Controls) },
	}
	for requested := range sections {
		d := f.Dataset(f.ann, request(t, "sections="+requested))
		for name, count := range sections {
			if got := count(d) > 0; got != (name == requested) {
				t.Errorf("sections=%s: section %s: got %d items", requested, name, count(d))
			}
			scope := dataset.Scope{Kind: "section", Section: strings.Replace(name, "field", "field.objects", 1)}
			if f := fallback(d, scope); name != requested && (f == nil || f.Reason != "not_requested") {
				t.Errorf("sections=%s: section %s: got fallback %+v, want not_requested", requested, name, f)
			}
		}
	}
}

// Covers W-21, B-03 and W-27.
func TestFormsAreUnavailableUnlessDeclared(t *testing.T) {
	f := newFixture(t)
	for header, want := range map[string]contract.Availability{
		"test/1.0": contract.Enabled, `test/1.0; caps="objects actions.form"`: contract.Enabled, `test/1.0; caps="objects hologram"`: contract.Unavailable,
	} {
		d := f.Dataset(f.ann, requestOf(t, header, ""))
		worldtest.WantReferences(t, d)
		forms := 0
		for _, a := range d.Actions {
			switch {
			case len(a.Controls) == 0:
				if a.Availability != "enabled" {
					t.Errorf("%s: %s: got %s, want enabled", header, a.Type, a.Availability)
				}
			case a.Availability != want || (a.Fallback != nil) != (want == "unavailable"):
				t.Errorf("%s: %s with a form: got %s, want %s", header, a.Type, a.Availability, want)
			default:
				forms++
			}
		}
		if forms == 0 {
			t.Errorf("%s: got no forms", header)
		}
	}
	c := f.Dataset(f.ann, requestOf(t, `test/1.0; caps="objects hologram"`, "")).Capabilities
	got := fmt.Sprint(c.Runtime, c.Declared, c.Applied, c.Unsupported)
	if want := "{test 1.0} [objects hologram] [objects] [{hologram unknown}]"; got != want {
		t.Errorf("got capabilities %s, want %s", got, want)
	}
}

func TestTruncatedServiceIsReported(t *testing.T) {
	f := newFixture(t)
	const limit = 120
	for i := range limit {
		f.StartConversation(f.ann, fmt.Sprint("Conversation ", i))
	}
	findings := make([]svc.Finding, 21)
	for i := range findings {
		findings[i] = worldtest.Page(i)
	}
	f.ReplaceFindings(f.ann, findings...)
	d := f.read(f.ann)
	worldtest.WantReferences(t, d)
	conversations := 0
	for _, o := range d.Objects {
		if o.ObjectType == "conversation" {
			conversations++
		}
	}
	if conversations != limit || len(d.Findings) != 20 {
		t.Errorf("got %d conversations and %d findings, want %d and 20", conversations, len(d.Findings), limit)
	}
	for _, scope := range []dataset.Scope{{Kind: "service", Service: "social"}, {Kind: "section", Section: "findings"}} {
		if f := fallback(d, scope); f == nil || f.Reason != "truncated" || f.Message == "" {
			t.Errorf("%+v: got fallback %+v, want truncated", scope, f)
		}
	}
}

// Covers B-29 for the state of one member.
func TestThreadShowsTheUnreadCountOfTheViewer(t *testing.T) {
	f := newFixture(t)
	unread := func(v svc.Viewer, name string) any {
		return object(t, f.read(v), name).State.(map[string]any)["unread_count"]
	}
	if ann, bea := unread(f.ann, "message_thread bea"), unread(f.bea, "message_thread ann"); ann != 1.0 || bea != 0.0 {
		t.Errorf("got %v and %v unread messages, want 1 and 0", ann, bea)
	}
	f.Write(func(tx *store.Tx) error {
		_, err := f.Messages.Open(tx, f.ann, f.thread, svc.HistoryQuery{})
		return err
	})
	if got := unread(f.ann, "message_thread bea"); got != 0.0 {
		t.Errorf("after reading: got %v unread messages, want 0", got)
	}
}

func TestCalendarChangeRendersItsEntriesAgain(t *testing.T) {
	f := newFixture(t)
	calendarOf := func() any {
		return object(t, f.read(f.ann), "task Taxes").State.(map[string]any)["calendar_name"]
	}
	before := calendarOf()
	f.Write(func(tx *store.Tx) error {
		list, err := f.Calendar.Calendars(tx, f.ann)
		if err == nil {
			_, err = f.Calendar.UpdateCalendar(tx, f.ann, list[0].ID, calendar.CalendarChange{Name: svc.Some("Private")})
		}
		return err
	})
	if after := calendarOf(); before == "Private" || after != "Private" {
		t.Errorf("got the calendar %v, then %v, want Private last", before, after)
	}
}

func TestSelectedThreadIsTheFocusedThread(t *testing.T) {
	f := newFixture(t)
	f.focus(f.ann, "message_thread bea")
	d := f.read(f.ann)
	id := object(t, d, "message_thread bea").WorldObjectID
	if got := d.Workspace.SelectedMessageThread; got == nil || *got != id {
		t.Errorf("got the selected thread %v, want %s", got, id)
	}
	f.focus(f.ann, "task Taxes")
	if got := f.read(f.ann).Workspace.SelectedMessageThread; got != nil {
		t.Errorf("got the selected thread %s with a focused task, want none", *got)
	}
}

func TestBlockedPartnerCannotBeAnswered(t *testing.T) {
	f := newFixture(t)
	if !object(t, f.read(f.ann), "message_thread bea").Permissions.CanReply {
		t.Error("got can_reply false, want true before the block")
	}
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.Block(tx, f.bea, social.NewBlock{MemberID: f.ann.Member()})
		return err
	})
	d := f.read(f.ann)
	for _, o := range d.Objects {
		if o.ObjectType == "message_thread" && o.Permissions.CanReply {
			t.Errorf("thread %q: got can_reply true, want false after the block", o.Title)
		}
	}
}
