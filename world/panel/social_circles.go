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

// circleTitles are the titles of the circles by depth.
var circleTitles = [social.MaxDepth + 1]words.Word{1: "Inner circle", 2: "Trusted circle", 3: "Extended circle"}

// circleSections are the ids of the sections of the circles by depth.
var circleSections = [social.MaxDepth + 1]string{1: "inner_circle", 2: "trusted_circle", 3: "extended_circle"}

// circleTitle returns the title of the circle of a depth.
func (p *socialPage) circleTitle(depth int) string { return p.l.Text(string(circleTitles[depth])) }

// addCircle adds a section with the members of a circle. titles contains the names
// of communities by id.
func (p *socialPage) addCircle(c social.Circle, titles map[string]string) {
	members := c.Members[:min(len(c.Members), maxItems)]
	id := circleSections[c.Depth]
	p.addSection(id, p.circleTitle(c.Depth), p.l.Text("No members."), items(members, func(m social.CircleMember) PanelItem {
		via, names := make(svc.List[social.CommunityRef], len(m.Via)), make([]string, len(m.Via))
		for i, id := range m.Via {
			via[i], names[i] = social.CommunityRef{ID: id, Title: titles[id]}, titles[id]
		}
		item := PanelItem{
			ID: m.ID.String(), Title: m.DisplayName, Metadata: svc.Map{"object_type": "member", "depth": c.Depth, "via": via},
			Actions: p.openRecord("people", m.ID.String()), Actor: actorOf(m.ID),
		}
		if len(via) > 0 {
			item.Summary = p.l.Textf("Through %s", strings.Join(names, ", "))
		}
		return item
	}))
	if n := len(c.Members); n > maxItems && p.wants(id) {
		p.Sections[len(p.Sections)-1].truncate(p.l, n)
	}
}

// blocks renders the blocked members.
func (p *socialPage) blocks() error {
	list, err := p.Social.Blocks(p.tx, p.l, p.viewer.Member())
	p.Summary = p.l.Textf("{0, plural, =0 {No blocked members} one {# blocked member} other {# blocked members}}", len(list))
	p.addSection("blocked", p.l.Text("Blocked"), p.l.Text(noBlocks), items(list, blockItem(p.l)))
	p.addForms(forms(p.l, &action.Social, action.SocialViewer{}, "block"))
	return err
}

// invitations renders the invitations that the viewer has received: those without an
// answer, then all of them.
func (p *socialPage) invitations() error {
	pending, err := p.Social.PendingInvitations(p.tx, p.viewer, maxItems)
	if err != nil {
		return err
	}
	received, page, err := p.Social.Invitations(p.tx, p.viewer, svc.PageQuery{Cursor: p.query.Cursor})
	p.Summary = p.l.Textf("{0, plural, =0 {No pending invitations} one {# pending invitation} other {# pending invitations}}", len(pending))
	p.addSection("pending", p.l.Text("Pending"), p.l.Text(noInvitations), items(pending, p.invitationItem))
	p.addPage("received", p.l.Text("All invitations"), p.l.Text("No invitations yet."), items(received, p.invitationItem), p.l.Text("Earlier invitations"), page.NextCursor)
	return err
}
