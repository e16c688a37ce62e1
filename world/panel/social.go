package panel

import (
	"slices"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/svc/words"
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

	Sections SectionFilter `json:"-"`
}

// socialViews are the views, the default first, with the functions that render
// the list and one record of it; nil if the view has no records.
var socialViews = []struct {
	id, label string // the label in English
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
	{"circles", "Circles", (*socialPage).circles, nil},
	{"invitations", "Invitations", (*socialPage).invitations, (*socialPage).invitation},
	{"blocks", "Blocked members", (*socialPage).blocks, nil},
}

// Render returns the panel for v.
func (s SocialPanels) Render(tx *store.Tx, v svc.Viewer, q SocialQuery) (Panel, error) {
	if q.View == "" {
		q.View = socialViews[0].id
	}
	p := &socialPage{SocialPanels: s, tx: tx, viewer: v, l: v.Language(), query: q}
	render := func(*socialPage) error {
		return svc.ParameterError("view", "There is no view %.64q.", q.View)
	}
	badges, err := p.badges()
	if err != nil {
		return Panel{}, err
	}
	for _, view := range socialViews {
		selected := view.id == q.View
		p.Nav = append(p.Nav, NavItem{view.id, p.l.Text(view.label), action.SocialViewURL(view.id, "", ""), selected, badges[view.id]})
		switch {
		case selected && q.ID == "":
			p.Title, render = p.l.Text(view.label), view.list
		case selected && view.one != nil:
			render = view.one
		case selected:
			render = func(*socialPage) error {
				return svc.Errorf(svc.NotFound, "This view has no pages for single records.")
			}
		}
	}
	p.Kind, p.View, p.Actions = "social", q.View, action.Social.URLs(action.SocialViewer{Presence: new(social.Presence)})
	if err := render(p); err != nil {
		return p.Panel, err
	}
	return p.Panel, CompleteActors(tx, s.Social, v, p.Sections)
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
		"events": NewBadge(attention.EventInvitations+attention.UnansweredEvents, Waiting), "notifications": NewBadge(attention.Notifications, Unread),
		"dms": NewBadge(attention.DMs, Unread), "invitations": NewBadge(attention.CommunityInvitations+attention.EventInvitations, Waiting),
	}, err
}

// socialPage is a panel under construction.
type socialPage struct {
	SocialPanels
	Panel
	tx     *store.Tx
	viewer svc.Viewer
	l      words.Language // of the viewer
	query  SocialQuery
}

// overviewItems limits the lists of the dashboard and the past events of the view of events.
const overviewItems = 5

// wants reports whether one of the sections is selected.
func (p *socialPage) wants(ids ...string) bool {
	return slices.ContainsFunc(ids, p.query.Sections.Wants)
}

// addSection adds a section if it is selected. title is in the language of the viewer, and
// so is empty, its summary if there are no items.
func (p *socialPage) addSection(id, title, empty string, items svc.List[PanelItem]) {
	if p.wants(id) {
		p.Sections = append(p.Sections, newSection(id, title, empty, items))
	}
}

// addPage adds a section with a page of a list, and a link to the next page.
func (p *socialPage) addPage(id, title, empty string, items svc.List[PanelItem], more string, cursor *string) {
	p.addSection(id, title, empty, items)
	p.linkPage(id, more, cursor, func(page *SectionPage, url *string) { page.Next = url })
}

// addHistory adds a section with a page of a history, the oldest item first, and a
// link to the items before them.
func (p *socialPage) addHistory(id, title, empty string, items svc.List[PanelItem], earlier string, cursor *string) {
	p.addSection(id, title, empty, items)
	p.linkPage(id, earlier, cursor, func(page *SectionPage, url *string) { page.Previous = url })
}

// addPageAlone adds a section of a panel with several lists. The link to its next page
// selects the section alone, because a cursor is for one list; see cursorOf.
func (p *socialPage) addPageAlone(id, title, empty string, items svc.List[PanelItem], cursor *string) {
	p.addSection(id, title, empty, items)
	if !p.wants(id) {
		return
	}
	page := new(SectionPage)
	if cursor != nil {
		url := action.SocialViewURL(p.View, p.query.ID, *cursor) + onlySection(id).parameter()
		page.Next = &url
	}
	p.Sections[len(p.Sections)-1].Page = page
}

// cursorOf returns the cursor of a section that addPageAlone adds: that of the query if it
// selects the section alone.
func (p *socialPage) cursorOf(id string) string {
	if p.query.Sections.selectsOnly(id) {
		return p.query.Cursor
	}
	return ""
}

// linkPage adds the URL of another page to the section that was added last.
func (p *socialPage) linkPage(id, label string, cursor *string, set func(page *SectionPage, url *string)) {
	if !p.wants(id) {
		return
	}
	page := new(SectionPage)
	if cursor != nil {
		url := action.SocialViewURL(p.View, p.query.ID, *cursor) + p.query.Sections.parameter()
		p.Nav = append(p.Nav, NavItem{ID: "more", Label: label, Action: url})
		set(page, &url)
	}
	p.Sections[len(p.Sections)-1].Page = page
}

func (p *socialPage) addForms(forms []Descriptor) {
	p.ActionDescriptors = append(p.ActionDescriptors, forms...)
}

// addGeneralForms adds forms of the actions that concern no record.
func (p *socialPage) addGeneralForms(presence *social.Presence, names ...string) error {
	mine, _, err := p.Social.Communities(p.tx, p.viewer, true, svc.PageQuery{Limit: svc.MaxLimit})
	general := action.SocialViewer{Communities: action.CommunityOptions(mine), Presence: presence}
	p.addForms(forms(p.l, &action.Social, general, names...))
	return err
}

// openRecord returns the action that shows one record of a view.
func (p *socialPage) openRecord(view, id string) svc.List[PanelAction] {
	return svc.List[PanelAction]{openPanel("open", p.l.Text("Open"), action.SocialViewURL(view, id, ""))}
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
	waiting, err := p.waitingItems(func(social.Question) bool { return true })
	if err != nil {
		return err
	}
	p.Title = p.l.Text("Social")
	p.Summary = p.l.Textf("{0, plural, =0 {No unread notifications} one {# unread notification} other {# unread notifications}}", notifications.UnreadCount)
	if len(waiting) > 0 {
		p.Summary = joinNonEmpty(p.Summary, waitingCount(p.l, len(waiting)))
	}
	if p.wants("unread") {
		unread, err := p.notificationItems(notifications.Notifications)
		if err != nil {
			return err
		}
		p.addSection("unread", p.l.Text("Unread"), p.l.Text("No unread notifications."), unread)
	}
	p.addWaiting(waiting)
	for _, add := range []func() error{p.addUpcoming, p.addLatestConversations, p.addLatest} {
		if err := add(); err != nil {
			return err
		}
	}
	presence, err := p.addPresent()
	if err != nil {
		return err
	}
	return p.addGeneralForms(&presence, "create_conversation", "set_presence")
}

// addUpcoming adds the next events.
func (p *socialPage) addUpcoming() error {
	if !p.wants("upcoming_events") {
		return nil
	}
	upcoming, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Limit: overviewItems})
	if err != nil {
		return err
	}
	return p.addEvents("upcoming_events", p.l.Text("Upcoming events"), p.l.Text(noUpcomingEvents), upcoming.Events)
}

// addLatestConversations adds the conversations with the latest activity.
func (p *socialPage) addLatestConversations() error {
	if !p.wants("latest_conversations") {
		return nil
	}
	conversations, err := p.Social.Conversations(p.tx, p.viewer, overviewItems, "")
	p.addSection("latest_conversations", p.l.Text("Latest conversations"), p.l.Text(noConversations), items(conversations.Conversations, p.conversationItem))
	return err
}

// addPresent adds the members who are present. It returns the presence of the
// viewer.
func (p *socialPage) addPresent() (social.Presence, error) {
	presence, err := p.Social.Presence(p.tx, p.viewer, overviewItems, "")
	if err != nil {
		return presence.Mine, err
	}
	if p.wants("online") {
		present, err := p.presentPeople(presence.Presence)
		if err != nil {
			return presence.Mine, err
		}
		p.addSection("online", p.l.Text("Online"), p.l.Text("No members are online."), items(present, p.personItem))
	}
	return presence.Mine, nil
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

// pageCount returns the number of records in a list: all if the page has all of them,
// more if there are further pages.
func pageCount(page svc.Page, all, more string) string {
	if page.NextCursor != nil {
		return more
	}
	return all
}
