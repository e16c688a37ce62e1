package panel

import (
	"fmt"
	"strings"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

const noBlocks = "No blocked members."

// circles renders the members of the viewer's circles, with the communities that
// connect the inner circle with the viewer.
func (p *socialPage) circles() error {
	list, err := p.Social.Circles(p.tx, p.viewer)
	if err != nil {
		return err
	}
	var ids []string
	for _, m := range list[0].Members {
		ids = append(ids, m.Via...)
	}
	communities, err := p.Social.CommunitiesByID(p.tx, p.viewer, ids...)
	if err != nil {
		return err
	}
	titles := make(map[string]string, len(communities))
	for _, c := range communities {
		titles[c.ID] = c.Name
	}
	counts := make([]string, len(list))
	for i, c := range list {
		counts[i] = fmt.Sprintf("%s: %d", c.Name, len(c.Members))
		p.addCircle(c, titles)
	}
	p.Summary = strings.Join(counts, " · ")
	return nil
}

// addCircle adds a section with the members of a circle. titles contains the names
// of communities by id.
func (p *socialPage) addCircle(c social.Circle, titles map[string]string) {
	members := c.Members[:min(len(c.Members), maxItems)]
	p.addSection(strings.ToLower(c.Name)+"_circle", c.Name+" circle", "No members.", items(members, func(m social.CircleMember) PanelItem {
		via, names := make(svc.List[social.CommunityRef], len(m.Via)), make([]string, len(m.Via))
		for i, id := range m.Via {
			via[i], names[i] = social.CommunityRef{ID: id, Title: titles[id]}, titles[id]
		}
		item := PanelItem{
			ID: m.ID.String(), Title: m.DisplayName, Metadata: svc.Map{"object_type": "member", "depth": c.Depth, "via": via},
			Actions: openRecord("people", m.ID.String()), Actor: actorOf(m.ID),
		}
		if len(via) > 0 {
			item.Summary = "Through " + strings.Join(names, ", ")
		}
		return item
	}))
	if n := len(c.Members); n > maxItems && p.wants(strings.ToLower(c.Name)+"_circle") {
		p.Sections[len(p.Sections)-1].Summary = fmt.Sprintf("The first %d of %d.", maxItems, n)
	}
}

// blocks renders the members whom the viewer blocks.
func (p *socialPage) blocks() error {
	list, err := p.Social.Blocks(p.tx, p.viewer.Member())
	p.Summary = capitalize(formatCount(len(list), "blocked member", "blocked members"))
	p.addSection("blocked", "Blocked", noBlocks, items(list, blockItem))
	p.addForms(forms(words.English, &action.Social, action.General{}, "block"))
	return err
}

// invitations renders the invitations that the viewer has received: those without an
// answer, then all of them.
func (p *socialPage) invitations() error {
	pending, err := p.Social.PendingInvitations(p.tx, p.viewer, maxItems)
	if err != nil {
		return err
	}
	received, page, err := p.Social.Invitations(p.tx, p.viewer, social.ListQuery{Cursor: p.query.Cursor})
	p.Summary = capitalize(formatCount(len(pending), "pending invitation", "pending invitations"))
	p.addSection("pending", "Pending", noInvitations, items(pending, invitationItem))
	p.addPage("received", "All invitations", "No invitations yet.", items(received, invitationItem), "Earlier invitations", page.NextCursor)
	return err
}
