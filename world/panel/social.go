package panel

import (
	"fmt"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/world/action"
)

// SocialPanels renders the panel of Social. A read of a panel does not mark anything
// as read.
type SocialPanels struct {
	Social  *social.Service
	Members *identity.Service
}

// SocialQuery selects a view.
type SocialQuery struct {
	View   string `json:"-" query:"view"` // "" for the dashboard
	ID     string `json:"-" query:"id"`   // one record of the view; "" for its list
	Cursor string `json:"-" query:"cursor"`
}

// socialViews are the views, the default first, with the functions that render
// the list and one record of it; nil if the view has no records.
var socialViews = []struct {
	id, label string
	list, one func(*socialPage) error
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

// Render returns the panel for v.
func (s SocialPanels) Render(tx *store.Tx, v svc.Viewer, q SocialQuery) (Panel, error) {
	if q.View == "" {
		q.View = socialViews[0].id
	}
	p := &socialPage{SocialPanels: s, tx: tx, viewer: v, query: q}
	render := func(*socialPage) error {
		return svc.ParameterError("view", "There is no view %.64q.", q.View)
	}
	badges, err := p.badges()
	if err != nil {
		return Panel{}, err
	}
	for _, view := range socialViews {
		selected := view.id == q.View
		p.Nav = append(p.Nav, NavItem{view.id, view.label, action.SocialViewURL(view.id, "", ""), selected, badges[view.id]})
		switch {
		case selected && q.ID == "":
			p.Title, render = view.label, view.list
		case selected && view.one != nil:
			render = view.one
		case selected:
			render = func(*socialPage) error {
				return svc.Errorf(svc.NotFound, "This view has no pages for single records.")
			}
		}
	}
	p.Kind, p.View, p.Actions = "social", q.View, action.Social.URLs(action.General{Presence: new(social.Presence)})
	err = render(p)
	return p.Panel, err
}

// badges returns the badges of the views.
func (p *socialPage) badges() (map[string]*Badge, error) {
	attention, _, err := p.Social.Attention(p.tx, p.viewer)
	if err != nil {
		return nil, err
	}
	conversations, err := p.Social.UnreadConversations(p.tx, p.viewer)
	return map[string]*Badge{
		"conversations": NewBadge(conversations, Unread), "communities": NewBadge(attention.CommunityInvitations, Waiting),
		"events": NewBadge(attention.EventInvitations, Waiting), "notifications": NewBadge(attention.Notifications, Unread),
		"dms": NewBadge(attention.DMs, Unread),
	}, err
}

// socialPage is a panel under construction.
type socialPage struct {
	SocialPanels
	Panel
	tx     *store.Tx
	viewer svc.Viewer
	query  SocialQuery
}

// overviewItems limits the lists of the dashboard and of a community.
const overviewItems = 5

// addSection adds a section. empty is its summary if there are no items.
func (p *socialPage) addSection(title, empty string, items svc.List[PanelItem]) {
	s := Section{Title: title, Items: items}
	if len(items) == 0 {
		s.Summary = empty
	}
	p.Sections = append(p.Sections, s)
}

// addNextPage adds a link to the next page, if there is a cursor.
func (p *socialPage) addNextPage(label string, cursor *string) {
	if cursor != nil {
		p.Nav = append(p.Nav, NavItem{ID: "more", Label: label, Action: action.SocialViewURL(p.View, p.query.ID, *cursor)})
	}
}

// addForms adds forms to the panel.
func (p *socialPage) addForms(forms []Descriptor) {
	p.ActionDescriptors = append(p.ActionDescriptors, forms...)
}

// addGeneralForms adds forms of the actions that concern no record.
func (p *socialPage) addGeneralForms(presence *social.Presence, names ...string) error {
	mine, _, err := p.Social.Communities(p.tx, p.viewer, true, social.ListQuery{Limit: svc.MaxLimit})
	general := action.General{Presence: presence}
	for _, c := range mine {
		general.Communities = append(general.Communities, action.Option{Value: c.ID, Label: c.Name})
	}
	p.addForms(forms(&action.Social, general, names...))
	return err
}

// openRecord returns the action that shows one record of a view.
func openRecord(view, id string) svc.List[PanelAction] {
	return svc.List[PanelAction]{openPanel("open", "Open", action.SocialViewURL(view, id, ""))}
}

// items returns the items of a list.
func items[T any](list []T, item func(T) PanelItem) svc.List[PanelItem] {
	result := make(svc.List[PanelItem], len(list))
	for i, x := range list {
		result[i] = item(x)
	}
	return result
}

// dashboard renders the latest records of each kind.
func (p *socialPage) dashboard() error {
	notifications, err := p.Social.UnreadNotifications(p.tx, p.viewer, overviewItems)
	if err != nil {
		return err
	}
	invitations, err := p.Social.PendingInvitations(p.tx, p.viewer, overviewItems)
	if err != nil {
		return err
	}
	upcoming, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Limit: overviewItems})
	if err != nil {
		return err
	}
	conversations, err := p.Social.Conversations(p.tx, p.viewer, overviewItems, "")
	if err != nil {
		return err
	}
	presence, err := p.Social.Presence(p.tx, p.viewer, overviewItems, "")
	if err != nil {
		return err
	}
	present, err := p.presentPeople(presence.Presence)
	if err != nil {
		return err
	}
	p.Title = "Social"
	p.Summary = joinNonEmpty(capitalize(formatCount(notifications.UnreadCount, "unread notification", "unread notifications")), formatInvitationCount(len(invitations)))
	p.addSection("Unread", "No unread notifications.", items(notifications.Notifications, notificationItem))
	p.addSection("Invitations", noInvitations, items(invitations, invitationItem))
	p.addSection("Upcoming events", noUpcomingEvents, items(upcoming.Events, eventItem))
	p.addSection("Latest conversations", noConversations, items(conversations.Conversations, conversationItem))
	p.addSection("Online", "No members are online.", items(present, personItem))
	return p.addGeneralForms(&presence.Mine, "create_conversation", "set_presence")
}

// joinNonEmpty joins the parts of a line and omits empty parts.
func joinNonEmpty(parts ...string) string {
	var filled []string
	for _, part := range parts {
		if part != "" {
			filled = append(filled, part)
		}
	}
	return strings.Join(filled, " · ")
}

// pageSummary formats the number of records on a page of a list.
func pageSummary(n int, page svc.Page, one, many string) string {
	if page.NextCursor != nil {
		return fmt.Sprintf("%d %s, and more", n, many)
	}
	return capitalize(formatCount(n, one, many))
}
