package panel

import (
	"fmt"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// SocialPanels are the panels of Social. Nothing counts as read by looking at
// one (B-50).
type SocialPanels struct {
	Social  *social.Service
	Members *identity.Service
}

// SocialQuery says what to look at.
type SocialQuery struct {
	View   string `json:"-" query:"view"` // "" for the dashboard
	ID     string `json:"-" query:"id"`   // one thing in full, or "" for the view itself
	Cursor string `json:"-" query:"cursor"`
}

// socialViews are the views by their names (B-28): what each shows, and what it
// shows of one thing. The first is the one that is shown to whoever names none.
var socialViews = []struct {
	id, label string
	all, one  func(*socialPage) error
}{
	{"dashboard", "Dashboard", (*socialPage).dashboard, nil},
	{"conversations", "Conversations", (*socialPage).conversations, (*socialPage).conversation},
	{"communities", "Communities", (*socialPage).communities, (*socialPage).community},
	{"events", "Events", (*socialPage).events, (*socialPage).event},
	{"people", "People", (*socialPage).people, (*socialPage).person},
	{"activity", "Activity", (*socialPage).activity, nil},
	{"notifications", "Notifications", (*socialPage).notifications, (*socialPage).invitation},
	{"dms", "Direct messages", (*socialPage).dms, (*socialPage).dm},
	{"profile", "Profile", (*socialPage).profile, (*socialPage).person},
}

// See returns the panel as v sees it.
func (s SocialPanels) See(tx *store.Tx, v svc.Viewer, q SocialQuery) (Panel, error) {
	if q.View == "" {
		q.View = socialViews[0].id
	}
	p := &socialPage{SocialPanels: s, tx: tx, viewer: v, query: q}
	show := func(*socialPage) error {
		return svc.ParameterError("view", "There is no view %.64q.", q.View)
	}
	for _, view := range socialViews {
		selected := view.id == q.View
		p.Nav = append(p.Nav, NavItem{view.id, view.label, action.SocialViewURL(view.id, "", ""), selected})
		switch {
		case selected && q.ID == "":
			p.Title, show = view.label, view.all
		case selected && view.one != nil:
			show = view.one
		case selected:
			show = func(*socialPage) error {
				return svc.Errorf(svc.NotFound, "There is nothing of that kind in this view.")
			}
		}
	}
	p.Kind, p.View = "social", q.View
	p.Actions = svc.Dict[string]{
		"create_conversation": action.ConversationsURL, "create_community": action.CommunitiesURL, "create_event": action.EventsURL, "set_presence": action.PresenceURL, "start_dm": action.DMsURL,
		"block": action.BlocksURL, "read_notifications": action.ReadNotificationsURL,
	}
	err := show(p)
	return p.Panel, err
}

// socialPage is a panel that is being made.
type socialPage struct {
	SocialPanels
	Panel
	tx     *store.Tx
	viewer svc.Viewer
	query  SocialQuery
}

// atAGlance is how much of everything the dashboard shows, and a community of
// what belongs to it.
const atAGlance = 5

// section adds a section. none is what it says without items.
func (p *socialPage) section(title, none string, items svc.List[PanelItem]) {
	s := Section{Title: title, Items: items}
	if len(items) == 0 {
		s.Summary = none
	}
	p.Sections = append(p.Sections, s)
}

// more leads to what comes after a cursor in what is looked at.
func (p *socialPage) more(label string, cursor *string) {
	if cursor != nil {
		p.Nav = append(p.Nav, NavItem{ID: "more", Label: label, Action: action.SocialViewURL(p.View, p.query.ID, *cursor)})
	}
}

// offer adds forms.
func (p *socialPage) offer(forms ...Descriptor) {
	p.ActionDescriptors = append(p.ActionDescriptors, forms...)
}

// items are the items of a list.
func items[T any](list []T, item func(T) PanelItem) svc.List[PanelItem] {
	shown := make(svc.List[PanelItem], len(list))
	for i, of := range list {
		shown[i] = item(of)
	}
	return shown
}

// dashboard is what is new, at a glance.
func (p *socialPage) dashboard() error {
	told, err := p.Social.UnreadNotifications(p.tx, p.viewer, atAGlance)
	if err != nil {
		return err
	}
	asked, err := p.Social.PendingInvitations(p.tx, p.viewer, atAGlance)
	if err != nil {
		return err
	}
	next, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Limit: atAGlance})
	if err != nil {
		return err
	}
	talk, err := p.Social.Conversations(p.tx, p.viewer, atAGlance, "")
	if err != nil {
		return err
	}
	there, err := p.Social.Presence(p.tx, p.viewer, atAGlance, "")
	if err != nil {
		return err
	}
	present, err := p.present(there.Presence)
	if err != nil {
		return err
	}
	p.Title = "Social"
	p.Summary = sentence(upper(counted(told.UnreadCount, "unread notification", "unread notifications")), pending(len(asked)))
	p.section("New for you", "Nothing is new for you.", items(told.Notifications, notificationItem))
	p.section("Invitations", "No invitation waits for your answer.", items(asked, invitationItem))
	p.section("Next events", noEvents, items(next.Events, eventItem))
	p.section("Latest conversations", "Nobody has begun a conversation yet.", items(talk.Conversations, conversationItem))
	p.section("Who is there", "Nobody has said that they are there.", items(present, personItem))
	begin, err := p.beginForm()
	p.offer(begin, presenceForm(there.Mine))
	return err
}

// pending says how many invitations are to be answered, as far as they are
// shown.
func pending(n int) string {
	if n == 0 {
		return ""
	}
	return counted(n, "invitation to answer", "invitations to answer")
}

// sentence joins what there is to say into a line.
func sentence(parts ...string) string {
	var said []string
	for _, part := range parts {
		if part != "" {
			said = append(said, part)
		}
	}
	return strings.Join(said, " · ")
}

// counted says how many there are of something.
func counted[N int | int64](n N, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// upper begins a text with a capital letter.
func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// shown says how many of something a page of a list shows.
func shown(n int, page svc.Page, one, many string) string {
	if page.NextCursor != nil {
		return fmt.Sprintf("%d %s, and more", n, many)
	}
	return upper(counted(n, one, many))
}

// activity is what happened.
func (p *socialPage) activity() error {
	page, err := p.Social.Activity(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = "What happened among the people and in the communities you see"
	p.section("Latest", "Nothing has happened yet.", items(page.Activity, activityItem))
	p.more("Before that", page.Page.NextCursor)
	return err
}

// happened says what somebody did, by the kind of an activity.
var happened = map[string]string{
	"community.created": "made a community", "member.joined": "joined a community", "conversation.started": "began a conversation",
	"reply.posted": "replied", "event.created": "plans an event", "event.updated": "changed an event",
	"event.cancelled": "cancelled an event", "rsvp.changed": "answered for an event",
}

func activityItem(a social.Activity) PanelItem {
	return PanelItem{
		ID: a.ID, Title: a.Actor.DisplayName + " " + happened[a.Kind], Summary: a.Target.Title,
		Metadata: svc.Map{"kind": a.Kind, "target_type": a.Target.Type, "created_at": a.CreatedAt},
		Actions:  svc.List[PanelAction]{opening(action.TargetViews[a.Target.Type], a.Target.ID)},
	}
}

// notifications are what the member should know of, and what they should
// answer.
func (p *socialPage) notifications() error {
	asked, err := p.Social.PendingInvitations(p.tx, p.viewer, maxItems)
	if err != nil {
		return err
	}
	page, err := p.Social.Notifications(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = sentence(fmt.Sprintf("%d unread", page.UnreadCount), pending(len(asked)))
	p.section("Invitations", "No invitation waits for your answer.", items(asked, invitationItem))
	p.section("Notifications", "Nothing to tell.", items(page.Notifications, notificationItem))
	p.more("Before that", page.Page.NextCursor)
	if page.UnreadCount > 0 {
		p.offer(form("read_notifications", "Mark all as read", "POST", action.ReadNotificationsURL,
			action.Control{ID: "all", Type: "hidden", Label: "all", Required: true, Default: true}))
	}
	return err
}

func notificationItem(n social.Notification) PanelItem {
	item := PanelItem{
		ID: n.ID, Title: n.Title, Summary: n.Summary,
		Metadata: svc.Map{"kind": n.Kind, "target_type": n.Target.Type, "created_at": n.CreatedAt, "unread": n.ReadAt == nil},
		Actions:  svc.List[PanelAction]{opening(action.TargetViews[n.Target.Type], n.Target.ID)},
	}
	if n.ReadAt == nil {
		item.Actions = append(item.Actions, PanelAction{"mark_read", markAsRead, "social.notifications.read", "POST",
			action.ReadNotificationsURL, svc.Map{"ids": svc.List[string]{n.ID}}})
	}
	return item
}

const markAsRead = "Mark as read"

// opening opens one thing in a view.
func opening(view, id string) PanelAction {
	return PanelAction{ID: "open", Label: "Open", Type: "open_panel", Method: "GET", URL: action.SocialViewURL(view, id, "")}
}

// doing is something that can be done with an item, if its record offers it
// under that name.
type doing struct {
	name, label, kind, method string
	body                      svc.Map
}

// doings are those of a list that a record offers, as actions of Social.
func doings(offered svc.Dict[string], list ...doing) (actions svc.List[PanelAction]) {
	for _, d := range list {
		if at, ok := offered[d.name]; ok {
			actions = append(actions, PanelAction{d.name, d.label, "social." + d.kind, d.method, at, d.body})
		}
	}
	return actions
}

// invitation is one invitation.
func (p *socialPage) invitation() error {
	i, err := p.Social.Invitation(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	p.Title, p.Summary = i.Target.Title, invited(i)
	p.section("Invitation", "", svc.List[PanelItem]{invitationItem(i)})
	return nil
}

// invitations are those into what is looked at, under the names of those who
// were asked.
func (p *socialPage) invitations(list []social.Invitation) {
	p.section("Invitations", "Nobody has been invited yet.", items(list, func(i social.Invitation) PanelItem {
		item := invitationItem(i)
		item.Title = i.Invitee.DisplayName
		return item
	}))
}

// invited says who was asked to what.
func invited(i social.Invitation) string {
	to := "into a community"
	if i.Kind == "event" {
		to = "to an event"
	}
	return fmt.Sprintf("%s invites %s %s", i.Inviter.DisplayName, i.Invitee.DisplayName, to)
}

func invitationItem(i social.Invitation) PanelItem {
	offered := record.NewInvitation(i).Actions
	return PanelItem{
		ID: i.ID, Title: i.Target.Title, Summary: sentence(invited(i), i.State),
		Metadata: svc.Map{"object_type": i.Type, "state": i.State, "created_at": i.CreatedAt, "expires_at": i.ExpiresAt},
		Actions: doings(offered,
			doing{"accept", "Accept", "invitation.accept", "POST", nil},
			doing{"decline", "Decline", "invitation.decline", "POST", nil},
			doing{"revoke", "Take back", "invitation.revoke", "POST", nil}),
	}
}
