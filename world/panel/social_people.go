package panel

import (
	"fmt"
	"slices"
	"strconv"

	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

// people renders the directory of members and the viewer's blocks.
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
	p.Summary = pageSummary(len(list), members.Page, "member", "members")
	p.addPage("people", "People", "No members.", items(list, personItem), "More people", members.Page.NextCursor)
	p.addSection("blocked", "Blocked", noBlocks, items(blocks, blockItem))
	p.addForms(forms(words.English, &action.Social, action.General{}, "block"))
	return err
}

// presentPeople returns the members of a list of presences.
func (p *socialPage) presentPeople(list []social.Presence) ([]social.Person, error) {
	ids := make([]svc.MemberID, len(list))
	for i, presence := range list {
		ids[i] = presence.MemberID
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
	circle, presence := "", ""
	if m.Circle != nil {
		circle = m.Circle.Name + " circle"
	}
	if m.Presence != nil {
		presence = presenceText(*m.Presence)
	}
	item := PanelItem{
		ID: m.ID.String(), Title: m.DisplayName, Summary: joinNonEmpty("@"+m.Username, circle, presence),
		Metadata: svc.Map{"object_type": "profile", "color": m.Color, "avatar": m.Avatar, "circle": m.Circle, "presence": m.Presence}, Actor: actorOf(m.ID),
	}
	if m.Permissions.CanView {
		item.Actions = openRecord("people", item.ID)
	}
	item.Actions = append(item.Actions, buttons(words.English, &action.Profiles, action.Member{ID: m.ID, Permissions: m.Permissions}, "block")...)
	return item
}

func blockItem(b social.Block) PanelItem {
	return PanelItem{
		ID: b.MemberID.String(), Title: b.DisplayName, Metadata: svc.Map{"color": b.Color, "avatar": b.Avatar, "created_at": b.CreatedAt}, Actions: buttons(words.English, &action.Blocks, b),
		Actor: &social.Actor{MemberID: b.MemberID, DisplayName: b.DisplayName, Appearance: b.Appearance}, // the viewer sees the names of members they block
	}
}

// person renders the profile of a member.
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
	if err := p.addProfileSections(profile); err != nil {
		return err
	}
	p.addForms(forms(words.English, &action.Profiles, action.ProfileMember(profile), "start_dm"))
	return nil
}

// profile renders the viewer's own profile.
func (p *socialPage) profile() error {
	profile, err := p.Social.Profile(p.tx, p.viewer, p.viewer.Member())
	if err != nil {
		return err
	}
	presence, err := p.Social.Presence(p.tx, p.viewer, 1, "")
	if err != nil {
		return err
	}
	if err := p.addProfileSections(profile); err != nil {
		return err
	}
	mine := presence.Mine
	p.addSection("status", "Status", "", svc.List[PanelItem]{{
		ID: mine.MemberID.String(), Title: mine.DisplayName, Summary: presenceText(mine),
		Metadata: svc.Map{"color": mine.Color, "avatar": mine.Avatar, "state": mine.State, "updated_at": mine.UpdatedAt, "expires_at": mine.ExpiresAt, "renew_after_seconds": mine.RenewAfterSeconds},
		Actor:    actorOf(mine.MemberID),
	}})
	p.addForms(forms(words.English, &action.Profiles, action.ProfileMember(profile), "update", "set_avatar"))
	p.addForms(forms(words.English, &action.Social, action.General{Presence: &mine}, "set_presence"))
	return nil
}

// addProfileSections adds the sections of a profile.
func (p *socialPage) addProfileSections(profile social.Profile) error {
	mine, _, err := p.Social.Communities(p.tx, p.viewer, true, social.ListQuery{Limit: svc.MaxLimit})
	if err != nil {
		return err
	}
	circle := "Not in your circles"
	switch {
	case profile.Permissions.CanUpdate:
		circle = "Your profile as other members see it"
	case profile.Circle != nil:
		circle = profile.Circle.Name + " circle"
	}
	p.Title, p.Summary = profile.DisplayName, joinNonEmpty(profile.Pronouns, circle)
	p.addSection("about", "About", "", append(svc.List[PanelItem]{{
		ID: profile.MemberID.String(), Title: profile.DisplayName, Summary: profile.Bio,
		Metadata: svc.Map{"object_type": "profile", "color": profile.Color, "avatar": profile.Avatar, "pronouns": profile.Pronouns, "visibility": profile.Visibility, "circle": profile.Circle},
		Actions:  buttons(words.English, &action.Profiles, action.ProfileMember(profile), "delete_avatar", "block"), Actor: actorOf(profile.MemberID), ItemText: &ItemText{Body: profile.Bio},
	}}, linkItems(profile.Links)...))
	if !profile.Permissions.CanUpdate {
		shared := slices.DeleteFunc(mine, func(c social.Community) bool { return !slices.Contains(profile.SharedCommunities, c.ID) })
		p.addSection("shared_communities", "Shared communities", "No shared communities.", items(shared, communityItem))
	}
	return nil
}

func linkItems(links []social.ProfileLink) (list svc.List[PanelItem]) {
	for i, l := range links {
		list = append(list, PanelItem{ID: fmt.Sprint("link_", i+1), Title: l.Label, Summary: l.URL})
	}
	return list
}

func presenceText(presence social.Presence) string {
	if presence.Note == "" {
		return capitalize(presence.State)
	}
	return capitalize(presence.State) + ": " + presence.Note
}
