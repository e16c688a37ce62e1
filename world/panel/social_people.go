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
	blocks, err := p.Social.Blocks(p.tx, p.l, p.viewer.Member())
	n := len(list)
	p.Summary = pageCount(members.Page, p.l.Textf("{0, plural, =0 {No members} one {# member} other {# members}}", n), p.l.Textf("%d members, and more", n))
	p.addPage("people", p.l.Text("People"), p.l.Text("No members."), items(list, p.personItem), p.l.Text("More people"), members.Page.NextCursor)
	p.addSection("blocked", p.l.Text("Blocked"), p.l.Text(noBlocks), items(blocks, blockItem(p.l)))
	p.addForms(forms(p.l, &action.Social, action.SocialViewer{}, "block"))
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

func (p *socialPage) personItem(m social.Person) PanelItem {
	circle, presence := "", ""
	if m.Circle != nil {
		circle = p.circleTitle(m.Circle.Depth)
	}
	if m.Presence != nil {
		presence = presenceText(p.l, *m.Presence)
	}
	item := PanelItem{
		ID: m.ID.String(), Title: m.DisplayName, Summary: joinNonEmpty("@"+m.Username, circle, presence),
		Metadata: svc.Map{"object_type": "profile", "color": m.Color, "avatar": m.Avatar, "circle": m.Circle, "presence": m.Presence}, Actor: actorOf(m.ID),
	}
	if m.Permissions.CanView {
		item.Actions = p.openRecord("people", item.ID)
	}
	item.Actions = append(item.Actions, buttons(p.l, &action.Profiles, action.Member{ID: m.ID, Permissions: m.Permissions}, "block")...)
	return item
}

// blockItem returns the function that renders a block in the language l.
func blockItem(l words.Language) func(social.Block) PanelItem {
	return func(b social.Block) PanelItem {
		return PanelItem{
			ID: b.MemberID.String(), Title: b.DisplayName, Metadata: svc.Map{"color": b.Color, "avatar": b.Avatar, "created_at": b.CreatedAt}, Actions: buttons(l, &action.Blocks, b),
			Actor: &social.Actor{MemberID: b.MemberID, DisplayName: b.DisplayName, Appearance: b.Appearance}, // the viewer sees the names of members they block
		}
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
	p.addForms(forms(p.l, &action.Profiles, action.ProfileMember(profile), "start_dm"))
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
	p.addSection("status", p.l.Text("Status"), "", svc.List[PanelItem]{{
		ID: mine.MemberID.String(), Title: mine.DisplayName, Summary: presenceText(p.l, mine),
		Metadata: svc.Map{"color": mine.Color, "avatar": mine.Avatar, "state": mine.State, "note": mine.Note, "updated_at": mine.UpdatedAt, "expires_at": mine.ExpiresAt, "renew_after_seconds": mine.RenewAfterSeconds},
		Actor:    actorOf(mine.MemberID),
	}})
	p.addForms(forms(p.l, &action.Profiles, action.ProfileMember(profile), "update", "set_avatar"))
	p.addForms(forms(p.l, &action.Social, action.SocialViewer{Presence: &mine}, "set_presence"))
	return nil
}

func (p *socialPage) addProfileSections(profile social.Profile) error {
	mine, _, err := p.Social.Communities(p.tx, p.viewer, true, svc.PageQuery{Limit: svc.MaxLimit})
	if err != nil {
		return err
	}
	circle := p.l.Text("Not in your circles")
	switch {
	case profile.Permissions.CanUpdate:
		circle = p.l.Text("Your profile as other members see it")
	case profile.Circle != nil:
		circle = p.circleTitle(profile.Circle.Depth)
	}
	p.Title, p.Summary = profile.DisplayName, joinNonEmpty(profile.Pronouns, circle)
	p.addSection("about", p.l.Text("About"), "", append(svc.List[PanelItem]{{
		ID: profile.MemberID.String(), Title: profile.DisplayName, Summary: profile.Bio,
		Metadata: svc.Map{"object_type": "profile", "color": profile.Color, "avatar": profile.Avatar, "pronouns": profile.Pronouns, "visibility": profile.Visibility, "circle": profile.Circle},
		Actions:  buttons(p.l, &action.Profiles, action.ProfileMember(profile), "delete_avatar", "block"), Actor: actorOf(profile.MemberID), ItemText: &ItemText{Body: profile.Bio},
	}}, linkItems(profile.Links)...))
	if !profile.Permissions.CanUpdate {
		shared := slices.DeleteFunc(mine, func(c social.Community) bool { return !slices.Contains(profile.SharedCommunities, c.ID) })
		p.addSection("shared_communities", p.l.Text("Shared communities"), p.l.Text("No shared communities."), items(shared, p.communityItem))
	}
	return nil
}

func linkItems(links []social.ProfileLink) (list svc.List[PanelItem]) {
	for i, l := range links {
		list = append(list, PanelItem{ID: fmt.Sprint("link_", i+1), Title: l.Label, Summary: l.URL})
	}
	return list
}

// presenceStates are the names of the states of a presence, by value.
var presenceStates = map[social.PresenceState]words.Word{
	social.PresenceOnline: "Online", social.PresenceAway: "Away", social.PresenceBusy: "Busy", social.PresenceOffline: "Offline",
}

func presenceText(l words.Language, presence social.Presence) string {
	state := l.Text(string(presenceStates[presence.State]))
	if presence.Note == "" {
		return state
	}
	return state + ": " + presence.Note
}
