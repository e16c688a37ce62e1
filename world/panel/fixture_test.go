package panel

import (
	"net/url"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/index"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/world/action"
)

// fixture is a server with the members ann, bea and dan, and renders their
// panels.
type fixture struct {
	*calendartest.Fixture
	panels        SocialPanels
	messages      *messages.Service
	ann, bea, dan svc.Viewer
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{Fixture: calendartest.New(t)}
	f.ann, f.bea, f.dan = f.Member("ann"), f.Member("bea"), f.Member("dan")
	members := identity.New(identity.Config{})
	f.panels = SocialPanels{Social: social.New(members, f.Mirrors, f.Storage), Members: members}
	f.messages = messages.New(members, f.panels.Social, f.Storage)
	return f
}

// write runs fn, which must succeed, in a write transaction.
func write[T any](f *fixture, fn func(tx *store.Tx) (T, error)) (result T) {
	f.T.Helper()
	f.Fill(func(tx *store.Tx) (err error) {
		result, err = fn(tx)
		return err
	})
	return result
}

// createCommunity creates a community of ann that bea has joined.
func (f *fixture) createCommunity(in social.NewCommunity) social.Community {
	f.T.Helper()
	return write(f, func(tx *store.Tx) (social.Community, error) {
		c, err := f.panels.Social.CreateCommunity(tx, f.ann, in)
		if err != nil {
			return c, err
		}
		i, err := f.panels.Social.InviteToCommunity(tx, f.ann, c.ID, social.NewInvitation{Recipient: "bea"})
		if err != nil {
			return c, err
		}
		_, err = f.panels.Social.AnswerInvitation(tx, f.bea, i.ID, social.Accept)
		return c, err
	})
}

// createConversation starts a conversation of ann in a community, with a reply of
// bea.
func (f *fixture) createConversation(community string) social.Conversation {
	f.T.Helper()
	return write(f, func(tx *store.Tx) (social.Conversation, error) {
		c, err := f.panels.Social.StartConversation(tx, f.ann, social.NewConversation{Title: "Trip", Body: "To the sea?", Audience: social.AudienceSpec(community)})
		if err != nil {
			return c, err
		}
		_, err = f.panels.Social.Reply(tx, f.bea, c.ID, social.NewReply{Body: "Yes"})
		return c, err
	})
}

// createEvent creates an event of ann for a community, which bea attends.
func (f *fixture) createEvent(community string) social.Event {
	f.T.Helper()
	return write(f, func(tx *store.Tx) (social.Event, error) {
		e, err := f.panels.Social.CreateEvent(tx, f.ann, social.NewEvent{
			Title: "Game", Start: "2026-12-24T18:00:00", Timezone: "Europe/Berlin", Audience: social.AudienceSpec(community),
		})
		if err != nil {
			return e, err
		}
		_, _, err = f.panels.Social.Respond(tx, f.bea, e.ID, social.NewRSVP{Response: "going", Note: "With cake"})
		return e, err
	})
}

// socialPanel returns a view of the social panel.
func (f *fixture) socialPanel(v svc.Viewer, view, id string) (p Panel) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		p, err = f.panels.Render(tx, v, SocialQuery{View: view, ID: id})
		return err
	})
	return p
}

// selectedPanel returns one record of a view of the social panel, with the selected
// sections.
func (f *fixture) selectedPanel(v svc.Viewer, view, id, sections string) (p Panel) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) (err error) {
		p, err = f.panels.Render(tx, v, SocialQuery{View: view, ID: id, Sections: ParseSections(url.Values{"sections": {sections}})})
		return err
	})
	return p
}

// panelAt returns the social panel at a path that a panel contains.
func (f *fixture) panelAt(v svc.Viewer, path string) (p Panel) {
	f.T.Helper()
	at, err := url.Parse(path)
	if err != nil || at.Path != action.SocialPanelURL {
		f.T.Fatalf("got the path %s, %v, want the panel of Social", path, err)
	}
	values := at.Query()
	f.Read(func(tx *store.Tx) (err error) {
		p, err = f.panels.Render(tx, v, SocialQuery{View: values.Get("view"), ID: values.Get("id"), Cursor: values.Get("cursor"), Sections: ParseSections(values)})
		return err
	})
	return p
}

// timePanel returns a view of the panel of Time in Europe/Berlin.
func (f *fixture) timePanel(v svc.Viewer, view index.View, date string) (p TimePanel) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		loc := svc.StoredZone("Europe/Berlin")
		w, err := f.Index.Workspace(tx, v, index.WorkspaceQuery{View: view, Date: date, Zone: loc})
		p = NewTimePanel(w, TimeOptions{})
		return err
	})
	return p
}

// section formats a section of a panel: one line for each item, with its actions,
// or the summary if there are no items.
func section(t *testing.T, p Panel, title string) string {
	t.Helper()
	for _, s := range p.Sections {
		if s.Title != title {
			continue
		}
		if len(s.Items) == 0 {
			return s.Summary
		}
		var lines []string
		for _, item := range s.Items {
			line := item.Title + ": " + item.Summary
			var labels []string
			for _, a := range item.Actions {
				labels = append(labels, a.Label)
			}
			if len(labels) > 0 {
				line += " [" + strings.Join(labels, ", ") + "]"
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n")
	}
	return "no such section"
}

// formsOf formats the forms of a panel: "id: controls".
func formsOf(p Panel) string {
	var lines []string
	for _, d := range p.ActionDescriptors {
		var ids []string
		for _, c := range d.Controls {
			ids = append(ids, c.ID)
		}
		lines = append(lines, d.ID+": "+strings.Join(ids, " "))
	}
	return strings.Join(lines, "\n")
}

func want(t *testing.T, about, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", about, got, want)
	}
}
