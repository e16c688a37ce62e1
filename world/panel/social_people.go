package panel

import (
	"fmt"
	"slices"
	"strconv"

	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// communities are those that the member sees.
func (p *socialPage) communities() error {
	list, page, err := p.Social.Communities(p.tx, p.viewer, false, social.ListQuery{Cursor: p.query.Cursor})
	p.Summary = shown(len(list), page, "community", "communities")
	p.section("Communities", "There are no communities yet.", items(list, communityItem))
	p.more("More communities", page.NextCursor)
	p.offer(form("create_community", "New community", "POST", action.CommunitiesURL, name(""), summary(""),
		action.Control{ID: "visibility", Type: "selector", Label: "Who sees it", Default: "private", Options: svc.List[action.Option]{
			{Value: "private", Label: "Its members, who are close to one another by it"}, {Value: "public", Label: "Everybody"}}},
		joinPolicy("", svc.List[action.Option]{{Value: "", Label: "As is usual"}, {Value: "invite", Label: "By invitation"}, {Value: "request", Label: "Whoever is let in; of a public one"},
			{Value: "open", Label: "Whoever likes to; of a public one"}})))
	return err
}

func name(now string) action.Control {
	return action.Control{ID: "name", Type: "text", Label: "Name", Required: true, Default: now, MaxLength: svc.MaxName}
}

func summary(now string) action.Control {
	return action.Control{ID: "summary", Type: "textarea", Label: "What it is about", Default: now, MaxLength: svc.MaxSummary}
}

func joinPolicy(now string, options svc.List[action.Option]) action.Control {
	return action.Control{ID: "join_policy", Type: "selector", Label: "Who joins", Default: now, Options: options}
}

func communityItem(c social.Community) PanelItem {
	role := ""
	if c.Membership.Role != nil {
		role = "you are " + map[string]string{"owner": "an owner", "moderator": "a moderator", "member": "a member"}[*c.Membership.Role]
	}
	return PanelItem{
		ID: c.ID, Title: c.Name, Summary: sentence(upper(c.Visibility), counted(c.MemberCount, "member", "members"), role),
		Metadata: svc.Map{
			"object_type": c.Type, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "member_count": c.MemberCount,
			"membership": c.Membership.State,
		},
		Actions: append(svc.List[PanelAction]{opening("communities", c.ID)}, communityDoings(c)...),
	}
}

func communityDoings(c social.Community) svc.List[PanelAction] {
	join, leave := "Join", "Leave"
	if c.JoinPolicy == "request" && c.Membership.State != "invited" {
		join = "Ask to join"
	}
	if c.Membership.State == "requested" {
		leave = "Ask no more"
	}
	return doings(record.NewCommunity(c).Actions,
		doing{"join", join, "community.join", "POST", nil},
		doing{"leave", leave, "community.leave", "POST", nil})
}

// community is one community: who is in it, and what they talk about.
func (p *socialPage) community() error {
	c, err := p.Social.Community(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	members, page, err := p.Social.CommunityMembers(p.tx, p.viewer, c.ID, social.ListQuery{Cursor: p.query.Cursor})
	if err != nil {
		return err
	}
	talk, err := p.Social.CommunityConversations(p.tx, p.viewer, c.ID, atAGlance)
	if err != nil {
		return err
	}
	next, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{CommunityID: c.ID, Limit: atAGlance})
	if err != nil {
		return err
	}
	item := communityItem(c)
	p.Title, p.Summary = c.Name, item.Summary
	item.Summary = c.Summary
	item.Actions = communityDoings(c)
	if c.Visibility == "public" {
		item.Actions = append(item.Actions, doings(record.NewCommunity(c).Actions,
			doing{"update", "Make it private, for good", "community.update", "PATCH", svc.Map{"visibility": "private"}})...)
	}
	item.Actions = append(item.Actions, doings(record.NewCommunity(c).Actions,
		doing{"delete", "Delete the community", "community.delete", "DELETE", nil})...)
	p.section("About", "", svc.List[PanelItem]{item})
	p.section("Members", "Nobody is here any more.", items(members, p.memberItem))
	p.more("More members", page.NextCursor)
	p.section("Latest conversations", "Nothing that you see has been talked about.", items(talk, conversationItem))
	p.section("Next events", noEvents, items(next.Events, eventItem))
	if err := p.invitationsInto(c); err != nil {
		return err
	}
	p.offer(communityForms(c)...)
	if !c.Permissions.CanPost {
		return nil
	}
	plan, err := p.planForm(action.HiddenControl("among", c.ID))
	p.offer(plan)
	return err
}

// invitationsInto are those into a community, for whoever may see them.
func (p *socialPage) invitationsInto(c social.Community) error {
	if !c.Permissions.CanInvite {
		return nil
	}
	list, _, err := p.Social.CommunityInvitations(p.tx, p.viewer, c.ID, social.ListQuery{})
	p.invitations(list)
	return err
}

// communityForms are what can be said in a community and about it.
func communityForms(c social.Community) (forms []Descriptor) {
	offered := record.NewCommunity(c).Actions
	if c.Permissions.CanPost {
		forms = append(forms, form("create_conversation", "New conversation", "POST", action.ConversationsURL,
			action.TitleControl(""), action.PostControl("body", "What it is about", ""), action.HiddenControl("among", c.ID)))
	}
	if at, ok := offered["invite"]; ok {
		forms = append(forms, form("invite", "Invite", "POST", at, action.RecipientControl()))
	}
	if at, ok := offered["update"]; ok {
		forms = append(forms, form("update_community", "Change the community", "PATCH", at, communityControls(c)...))
	}
	return forms
}

// communityControls are what an owner can change about a community. A private
// one stays so, and is joined by invitation.
func communityControls(c social.Community) []action.Control {
	controls := []action.Control{name(c.Name), summary(c.Summary)}
	if c.Visibility == "private" {
		return controls
	}
	return append(controls, joinPolicy(c.JoinPolicy, svc.List[action.Option]{
		{Value: "open", Label: "Whoever likes to"}, {Value: "request", Label: "Whoever is let in"}, {Value: "invite", Label: "By invitation"}}))
}

// memberItem is somebody in a community. The viewer leaves it where the
// community itself stands.
func (p *socialPage) memberItem(m social.CommunityMember) PanelItem {
	item := PanelItem{
		ID: m.ID.String(), Title: m.DisplayName, Summary: "Asks to join",
		Metadata: svc.Map{"object_type": "member", "state": m.State, "role": m.Role, "joined_at": m.JoinedAt},
	}
	offered := record.NewCommunityMember(m).Actions
	remove := "Decline"
	if m.Role != nil {
		item.Summary, remove = upper(*m.Role), "Remove"
	}
	item.Actions = doings(offered, doing{"admit", "Let in", "community.member.admit", "PATCH", svc.Map{"state": "active"}})
	at, may := offered["role"]
	for _, role := range action.Options("owner", "moderator", "member") {
		if may && role.Value != *m.Role {
			item.Actions = append(item.Actions, PanelAction{"role_" + role.Value, "Make them " + map[string]string{
				"owner": "an owner", "moderator": "a moderator", "member": "a plain member"}[role.Value],
				"social.community.member.role", "PATCH", at, svc.Map{"role": role.Value}})
		}
	}
	if m.ID == p.viewer.Member() {
		delete(offered, "remove")
	}
	item.Actions = append(item.Actions, doings(offered, doing{"remove", remove, "community.member.remove", "DELETE", nil})...)
	return item
}

// people are everybody, and whom the member does not want to meet.
func (p *socialPage) people() error {
	hidden, err := p.Social.Hidden(p.tx, p.viewer.Member())
	if err != nil {
		return err
	}
	members, err := p.Members.Directory(p.tx, p.viewer, identity.DirectoryQuery{Hidden: hidden, Cursor: p.query.Cursor})
	if err != nil {
		return err
	}
	list, err := p.Social.People(p.tx, p.viewer, members.Members)
	if err != nil {
		return err
	}
	blocks, err := p.Social.Blocks(p.tx, p.viewer.Member())
	p.Summary = shown(len(list), members.Page, "member", "members")
	p.section("People", "Nobody is here.", items(list, personItem))
	p.more("More people", members.Page.NextCursor)
	p.section("Blocked", "You block nobody.", items(blocks, blockItem))
	p.offer(form("block", "Block somebody", "POST", action.BlocksURL, action.RecipientControl()))
	return err
}

// present are those who are there, with what can be done about them.
func (p *socialPage) present(there []social.Presence) ([]social.Person, error) {
	ids := make([]svc.MemberID, len(there))
	for i, one := range there {
		ids[i] = one.MemberID
	}
	known, err := p.Members.People(p.tx, ids)
	if err != nil {
		return nil, err
	}
	members := make([]svc.Person, len(ids))
	for i, id := range ids {
		members[i] = known[id]
	}
	return p.Social.People(p.tx, p.viewer, members)
}

func personItem(m social.Person) PanelItem {
	circle, there := "", ""
	if m.Circle != nil {
		circle = m.Circle.Name + " circle"
	}
	if m.Presence != nil {
		there = presenceLine(*m.Presence)
	}
	return PanelItem{
		ID: m.ID.String(), Title: m.DisplayName, Summary: sentence("@"+m.Username, circle, there),
		Metadata: svc.Map{"object_type": "profile", "circle": m.Circle, "presence": m.Presence},
		Actions:  personDoings(m.ID, m.Permissions),
	}
}

// personDoings are what can be done about a member.
func personDoings(member svc.MemberID, can social.ProfilePermissions) (actions svc.List[PanelAction]) {
	if can.CanView {
		actions = append(actions, opening("people", member.String()))
	}
	return append(actions, doings(action.MemberURLs(member, can), doing{"block", "Block", "block", "POST", svc.Map{"member_id": member}})...)
}

func blockItem(b social.Block) PanelItem {
	return PanelItem{
		ID: b.MemberID.String(), Title: b.DisplayName, Metadata: svc.Map{"created_at": b.CreatedAt},
		Actions: svc.List[PanelAction]{{ID: "unblock", Label: "Block no more", Type: "social.unblock", Method: "DELETE",
			URL: fmt.Sprintf("%s/%v", action.BlocksURL, b.MemberID)}},
	}
}

// person is a member's profile, or the viewer's own.
func (p *socialPage) person() error {
	member, err := strconv.ParseInt(p.query.ID, 10, 64)
	if err != nil {
		return svc.Errorf(svc.NotFound, "There is no such member.")
	}
	if svc.MemberID(member) == p.viewer.Member() {
		return p.profile()
	}
	profile, err := p.Social.Profile(p.tx, p.viewer, svc.MemberID(member))
	if err != nil {
		return err
	}
	if err := p.about(profile); err != nil {
		return err
	}
	if profile.Permissions.CanDM {
		p.offer(form("start_dm", "New direct message", "POST", action.DMsURL, action.HiddenControl("recipient", p.query.ID), action.PostControl("body", "Message", "")))
	}
	return nil
}

// profile is the viewer's own.
func (p *socialPage) profile() error {
	profile, err := p.Social.Profile(p.tx, p.viewer, p.viewer.Member())
	if err != nil {
		return err
	}
	there, err := p.Social.Presence(p.tx, p.viewer, 1, "")
	if err != nil {
		return err
	}
	if err := p.about(profile); err != nil {
		return err
	}
	p.section("Presence", "", svc.List[PanelItem]{presenceItem(there.Mine)})
	p.offer(profileForm(profile), presenceForm(there.Mine))
	return nil
}

// about is what a member says of themselves.
func (p *socialPage) about(of social.Profile) error {
	mine, _, err := p.Social.Communities(p.tx, p.viewer, true, social.ListQuery{Limit: svc.MaxLimit})
	if err != nil {
		return err
	}
	circle := "In none of your circles"
	switch {
	case of.Permissions.CanUpdate:
		circle = "What others see of you"
	case of.Circle != nil:
		circle = of.Circle.Name + " circle"
	}
	p.Title, p.Summary = of.DisplayName, sentence(of.Pronouns, circle)
	p.section("About", "", append(svc.List[PanelItem]{{
		ID: of.MemberID.String(), Title: of.DisplayName, Summary: of.Bio,
		Metadata: svc.Map{"object_type": "profile", "pronouns": of.Pronouns, "visibility": of.Visibility, "circle": of.Circle},
		Actions:  personDoings(of.MemberID, social.ProfilePermissions{CanUpdate: of.Permissions.CanUpdate}),
	}}, linkItems(of.Links)...))
	if !of.Permissions.CanUpdate {
		shared := slices.DeleteFunc(mine, func(c social.Community) bool { return !slices.Contains(of.SharedCommunities, c.ID) })
		p.section("Communities that you share", "You share no community.", items(shared, communityItem))
	}
	return nil
}

func linkItems(links []social.ProfileLink) (list svc.List[PanelItem]) {
	for i, l := range links {
		list = append(list, PanelItem{ID: fmt.Sprint("link_", i+1), Title: l.Label, Summary: l.URL})
	}
	return list
}

func profileForm(now social.Profile) Descriptor {
	return form("update_profile", "Change your profile", "PATCH", action.ProfileURL,
		action.Control{ID: "display_name", Type: "text", Label: "Name", Required: true, Default: now.DisplayName, MaxLength: svc.MaxName},
		action.Control{ID: "bio", Type: "textarea", Label: "About you", Default: now.Bio, MaxLength: social.MaxBio},
		action.Control{ID: "pronouns", Type: "text", Label: "Pronouns", Default: now.Pronouns, MaxLength: svc.MaxName},
		action.Control{ID: "visibility", Type: "selector", Label: "Who sees it", Default: now.Visibility, Options: svc.List[action.Option]{
			{Value: "circle", Label: "Your circles"}, {Value: "members", Label: "Every member"}, {Value: "public", Label: "Everybody"}}})
}

// presenceItem is whether the viewer is there.
func presenceItem(mine social.Presence) PanelItem {
	return PanelItem{
		ID: mine.MemberID.String(), Title: mine.DisplayName, Summary: presenceLine(mine),
		Metadata: svc.Map{"state": mine.State, "updated_at": mine.UpdatedAt, "expires_at": mine.ExpiresAt},
	}
}

func presenceLine(there social.Presence) string {
	if there.Note == "" {
		return upper(there.State)
	}
	return upper(there.State) + ": " + there.Note
}

func presenceForm(now social.Presence) Descriptor {
	return form("set_presence", "Say whether you are there", "POST", action.PresenceURL,
		action.Control{ID: "state", Type: "selector", Label: "You are", Required: true, Default: "online", Options: action.Options("online", "away", "busy", "offline")},
		action.Control{ID: "note", Type: "text", Label: "Note", Default: now.Note, MaxLength: svc.MaxTitle},
		action.Control{ID: "visible_to", Type: "selector", Label: "Who sees it", Default: now.VisibleTo, Options: svc.List[action.Option]{
			{Value: "inner", Label: "Your inner circle"}, {Value: "trusted", Label: "Your inner and trusted circles"}, {Value: "extended", Label: "All of your circles"},
			{Value: "members", Label: "Every member"}, {Value: "nobody", Label: "Nobody"}}},
		action.Control{ID: "ttl_seconds", Type: "number", Label: "For how many seconds, 30 to 3600", Default: 300})
}
