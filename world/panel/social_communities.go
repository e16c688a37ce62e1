package panel

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

// communities renders the list of communities.
func (p *socialPage) communities() error {
	list, page, err := p.Social.Communities(p.tx, p.viewer, false, social.ListQuery{Cursor: p.query.Cursor})
	p.Summary = pageSummary(len(list), page, "community", "communities")
	p.addPage("communities", "Communities", "No communities yet.", items(list, communityItem), "More communities", page.NextCursor)
	p.addForms(forms(words.English, &action.Social, action.General{}, "create_community"))
	return err
}

func communityItem(c social.Community) PanelItem {
	role := ""
	if c.Membership.Role != nil {
		role = "you are " + map[string]string{"owner": "an owner", "moderator": "a moderator", "member": "a member"}[*c.Membership.Role]
	}
	return PanelItem{
		ID: c.ID, Title: c.Name, Summary: joinNonEmpty(capitalize(c.Visibility), formatCount(c.MemberCount, "member", "members"), role),
		Metadata: svc.Map{
			"object_type": c.Type, "color": c.Color, "avatar": c.Avatar, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "member_count": c.MemberCount,
			"membership": c.Membership.State,
		},
		Actions: append(openRecord("communities", c.ID), buttons(words.English, &action.Communities, c, "join", "leave")...),
	}
}

// community renders one community with its members, conversations and events.
func (p *socialPage) community() error {
	c, err := p.Social.Community(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	members, page, err := p.Social.CommunityMembers(p.tx, p.viewer, c.ID, social.ListQuery{Cursor: p.query.Cursor})
	if err != nil {
		return err
	}
	conversations, err := p.Social.CommunityConversations(p.tx, p.viewer, c.ID, overviewItems)
	if err != nil {
		return err
	}
	upcoming, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{CommunityID: c.ID, Limit: overviewItems})
	if err != nil {
		return err
	}
	item := communityItem(c)
	p.Title, p.Summary = c.Name, item.Summary
	item.Summary, item.Actions = c.Summary, buttons(words.English, &action.Communities, c, "join", "leave", "delete_avatar", "make_private", "delete")
	p.addSection("about", "About", "", svc.List[PanelItem]{item})
	p.addPage("members", "Members", "No members.", items(members, p.memberItem), "More members", page.NextCursor)
	p.addSection("latest_conversations", "Latest conversations", noConversations, items(conversations, conversationItem))
	if err := p.addEvents("upcoming_events", "Upcoming events", noUpcomingEvents, upcoming.Events); err != nil {
		return err
	}
	if c.Permissions.CanInvite {
		list, _, err := p.Social.CommunityInvitations(p.tx, p.viewer, c.ID, social.ListQuery{})
		if err != nil {
			return err
		}
		p.addInvitations(list)
	}
	p.addForms(forms(words.English, &action.Communities, c, "create_conversation", "create_event", "invite", "update", "color", "set_avatar"))
	return nil
}

// memberItem returns the item of a community member or of a request to join. The
// viewer's own item has no button to leave, because the item of the community has
// it.
func (p *socialPage) memberItem(m social.CommunityMember) PanelItem {
	item := PanelItem{
		ID: m.ID.String(), Title: m.DisplayName, Summary: "Request to join",
		Metadata: svc.Map{"object_type": "member", "color": m.Color, "avatar": m.Avatar, "state": m.State, "role": m.Role, "joined_at": m.JoinedAt}, Actor: actorOf(m.ID),
	}
	if m.Role != nil {
		item.Summary = capitalize(*m.Role)
	}
	if m.ID == p.viewer.Member() {
		m.Permissions.CanRemove = false
	}
	item.Actions = append(buttons(words.English, &action.CommunityMembers, m, "admit"), choiceButtons(words.English, &action.CommunityMembers, m, "role", "Make %s")...)
	item.Actions = append(item.Actions, buttons(words.English, &action.CommunityMembers, m, "remove")...)
	return item
}
