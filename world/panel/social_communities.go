package panel

import (
	"errors"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

// communities renders the list of communities.
func (p *socialPage) communities() error {
	list, page, err := p.Social.Communities(p.tx, p.viewer, false, svc.PageQuery{Cursor: p.query.Cursor})
	p.Summary = pageCount(page, p.l.Textf("{0, plural, =0 {No communities} one {# community} other {# communities}}", len(list)), p.l.Textf("%d communities, and more", len(list)))
	p.addPage("communities", p.l.Text("Communities"), p.l.Text("No communities yet."), items(list, p.communityItem), p.l.Text("More communities"), page.NextCursor)
	p.addForms(forms(p.l, &action.Social, action.SocialViewer{}, "create_community"))
	return errors.Join(err, p.addReceived())
}

// Texts of communities: the visibility, the role of the viewer, and the role of a member.
var (
	communityVisibilities = map[social.CommunityVisibility]words.Word{social.CommunityPublic: "Public", social.CommunityPrivate: "Private"}
	ownRoles              = map[social.Role]words.Word{social.RoleOwner: "you are an owner", social.RoleModerator: "you are a moderator", social.RoleMember: "you are a member"}
	memberRoles           = map[social.Role]words.Word{social.RoleOwner: "Owner", social.RoleModerator: "Moderator", social.RoleMember: "Member"}
)

func (p *socialPage) communityItem(c social.Community) PanelItem {
	role := ""
	if c.Membership.Role != nil {
		role = p.l.Text(string(ownRoles[*c.Membership.Role]))
	}
	return PanelItem{
		ID: c.ID, Title: c.Name, Summary: joinNonEmpty(p.l.Text(string(communityVisibilities[c.Visibility])), p.l.Textf("{0, plural, =0 {no members} one {# member} other {# members}}", int(c.MemberCount)), role),
		Metadata: svc.Map{
			"object_type": c.Type, "color": c.Color, "avatar": c.Avatar, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "member_count": c.MemberCount,
			"membership": c.Membership.State, "role": c.Membership.Role,
		},
		Actions: append(p.openRecord("communities", c.ID), buttons(p.l, &action.Communities, c, "join", "leave")...),
	}
}

// community renders one community with its members, conversations and events.
func (p *socialPage) community() error {
	c, err := p.Social.Community(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	item := p.communityItem(c)
	p.Title, p.Summary = c.Name, item.Summary
	item.Summary, item.Actions = c.Summary, buttons(p.l, &action.Communities, c, "join", "leave", "delete_avatar", "make_private", "delete")
	p.addSection("about", p.l.Text("About"), "", svc.List[PanelItem]{item})
	for _, add := range []func(community string) error{p.addCommunityMembers, p.addCommunityConversations, p.addCommunityEvents} {
		if err := add(c.ID); err != nil {
			return err
		}
	}
	if c.Permissions.CanInvite {
		list, _, err := p.Social.CommunityInvitations(p.tx, p.viewer, c.ID, svc.PageQuery{})
		if err != nil {
			return err
		}
		p.addInvitations(list)
	}
	p.addForms(forms(p.l, &action.Communities, c, "create_conversation", "create_event", "invite", "update", "color", "set_avatar"))
	return nil
}

// addCommunityMembers adds a page of the members of a community. The cursor of a panel that
// contains them is theirs.
func (p *socialPage) addCommunityMembers(community string) error {
	if !p.wants("members") {
		return nil
	}
	members, page, err := p.Social.CommunityMembers(p.tx, p.viewer, community, svc.PageQuery{Cursor: p.query.Cursor})
	p.addPage("members", p.l.Text("Members"), p.l.Text("No members."), items(members, p.memberItem), p.l.Text("More members"), page.NextCursor)
	return err
}

// addCommunityConversations adds a page of the conversations of a community, the latest first.
func (p *socialPage) addCommunityConversations(community string) error {
	if !p.wants("latest_conversations") {
		return nil
	}
	page, err := p.Social.CommunityConversations(p.tx, p.viewer, community, 0, p.cursorOf("latest_conversations"))
	p.addPageAlone("latest_conversations", p.l.Text("Latest conversations"), p.l.Text(noConversations), items(page.Conversations, p.conversationItem), page.Page.NextCursor)
	return err
}

// addCommunityEvents adds a page of the next and one of the past events of a community, the
// latest past ones first.
func (p *socialPage) addCommunityEvents(community string) error {
	for _, s := range []struct {
		id, title, empty string
		past             bool
	}{
		{"upcoming_events", p.l.Text("Upcoming events"), p.l.Text(noUpcomingEvents), false},
		{"past_events", p.l.Text("Past events"), p.l.Text(noPastEvents), true},
	} {
		if !p.wants(s.id) {
			continue
		}
		page, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{CommunityID: community, Past: s.past, Cursor: p.cursorOf(s.id)})
		if err != nil {
			return err
		}
		list, err := p.eventItems(page.Events)
		if err != nil {
			return err
		}
		p.addPageAlone(s.id, s.title, s.empty, list, page.Page.NextCursor)
	}
	return nil
}

// memberItem returns the item of a community member or of a request to join. The
// viewer's own item has no button to leave, because the item of the community has
// it.
func (p *socialPage) memberItem(m social.CommunityMember) PanelItem {
	item := PanelItem{
		ID: m.ID.String(), Title: m.DisplayName, Summary: p.l.Text("Asks to join"),
		Metadata: svc.Map{"object_type": "member", "color": m.Color, "avatar": m.Avatar, "state": m.State, "role": m.Role, "joined_at": m.JoinedAt}, Actor: actorOf(m.ID),
	}
	if m.Role != nil {
		item.Summary = p.l.Text(string(memberRoles[*m.Role]))
	}
	if m.ID == p.viewer.Member() {
		m.Permissions.CanRemove = false
	}
	item.Actions = append(buttons(p.l, &action.CommunityMembers, m, "admit"), choiceButtons(p.l, &action.CommunityMembers, m, "role", "Make %s")...)
	item.Actions = append(item.Actions, buttons(p.l, &action.CommunityMembers, m, "remove")...)
	return item
}
