package world

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/social"
)

// newest is how many entries the context of social life has.
const newest = 20

// social brings in communities, what is said there, and people.
func (c *composer) social(s *social.Service) error {
	o, err := s.Overview(c.tx, c.viewer)
	if err != nil {
		return err
	}
	if !o.Until.IsZero() && o.Until.Before(c.until) {
		c.until = o.Until
	}
	items := socialItems(o)
	ids := make(map[social.SourceRef]string, len(items)) // of what is in the dataset
	for _, i := range items {
		ids[i.ref] = c.names.object(source(i.ref))
	}
	octets, cut := 0, o.Cut
	for n, i := range items {
		e, err := c.socialEntry(i, ids)
		if err != nil {
			return err
		}
		if octets += e.size(); octets > maxOctets {
			items, cut = items[:n], true
			break
		}
		items[n].entry = e
		c.entries = append(c.entries, e)
	}
	if cut {
		c.fallback("degraded", Scope{Kind: "service", Service: "social"}, "truncated", "There is more of social life than is shown.", false)
	}
	c.socialContext(o, items, ids)
	c.noteForms()
	return nil
}

// socialItem is something of social life on its way into the dataset.
type socialItem struct {
	ref    social.SourceRef
	record socialRecord
	may    Permissions
	do     func(*deeds) // says what can be done with it
	unread bool
	news   time.Time // when something was last said there; zero where nothing is said
	entry  *entry
}

// socialRecord is all that shows of an item, as JSON.
type socialRecord interface {
	Source(social.NumberForm) social.Source
	Relations() svc.List[social.Relation]
}

// socialItems are all that there is, what others are tied to before these. The
// conversations come last: they can be so large that not all have room.
func socialItems(o social.Overview) (items []socialItem) {
	add := func(kind, id string, i socialItem) {
		i.ref = social.SourceRef{Service: "social", ResourceType: kind, ResourceID: id}
		items = append(items, i)
	}
	for _, x := range o.Communities {
		may := x.Permissions
		add("community", x.ID, socialItem{
			record: x, do: func(d *deeds) { d.community(x) },
			may: Permissions{CanView: true, CanUpdate: may.CanUpdate, CanDelete: may.CanDelete, CanAddParticipant: may.CanInvite},
		})
	}
	for _, x := range o.Profiles {
		add("profile", x.MemberID.String(), socialItem{
			record: x, do: func(d *deeds) { d.profile(x) }, may: Permissions{CanView: true, CanUpdate: x.Permissions.CanUpdate},
		})
	}
	for _, x := range o.DMs {
		add(social.DMType, x.ID, socialItem{
			record: x, do: func(d *deeds) { d.dm(x) }, may: Permissions{CanView: true, CanReply: x.CanReply},
			unread: x.UnreadCount > 0, news: *x.LastMessageAt,
		})
	}
	for _, x := range o.Events {
		may := x.Permissions
		add("event", x.ID, socialItem{
			record: x, do: func(d *deeds) { d.event(x) },
			may: Permissions{CanView: true, CanUpdate: may.CanUpdate, CanDelete: may.CanDelete, CanReply: may.CanReply, CanAddParticipant: may.CanInvite},
		})
	}
	for _, x := range o.Conversations {
		i := socialItem{
			record: x, do: func(d *deeds) { d.conversation(x) },
			may:    Permissions{CanView: true, CanUpdate: x.Permissions.CanUpdate, CanReply: x.Permissions.CanReply},
			unread: x.UnreadCount > 0, news: x.CreatedAt,
		}
		if x.LastReplyAt != nil {
			i.news = *x.LastReplyAt
		}
		add("conversation", x.ID, i)
	}
	return items
}

func source(r social.SourceRef) Source {
	return Source{Kind: "service", Service: r.Service, ResourceType: r.ResourceType, ResourceID: r.ResourceID}
}

// socialEntry returns the object of an item with the actions on it, one that
// is kept if it still is the same.
func (c *composer) socialEntry(i socialItem, ids map[social.SourceRef]string) (*entry, error) {
	var relations svc.List[Relationship] // to what is here
	for _, r := range i.record.Relations() {
		if id := ids[r.Target]; id != "" {
			relations = append(relations, Relationship{r.Type, Target{Kind: "object", WorldObjectID: id}})
		}
	}
	key := keptKey{member: c.viewer.Member(), id: i.ref.ResourceType + i.ref.ResourceID}
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{i.record, relations, c.forms()}); err != nil {
		return nil, err
	}
	copy(key.around[:], h.Sum(nil))
	if e := c.world.kept.get(key); e != nil {
		return e, nil
	}
	e, err := c.makeSocialEntry(i, ids[i.ref], relations)
	if err == nil {
		c.world.kept.put(key, e)
	}
	return e, err
}

func (c *composer) makeSocialEntry(i socialItem, id string, relations svc.List[Relationship]) (*entry, error) {
	d := &deeds{composer: c, target: Target{Kind: "object", WorldObjectID: id}, resource: i.ref.ResourceID}
	i.do(d)
	s := i.record.Source(social.AsNumber)
	return encodeEntry(Object{
		WorldObjectID: id, ObjectType: s.ObjectType, Source: source(i.ref), Title: s.Title, Summary: s.Summary, State: s.State,
		Permissions: i.may, Actions: d.ids(), Relationships: relations, Placement: Placement{Area: "none"}, Focus: Focus{Focusable: true},
	}, d.list)
}

// socialContext leads to what waits for the member, and to what is new.
func (c *composer) socialContext(o social.Overview, items []socialItem, ids map[social.SourceRef]string) {
	ctx := Context{ContextID: "ctx_social", Kind: "social", Label: "Social", Target: Target{Kind: "workspace"}}
	workspace := &deeds{composer: c, target: ctx.Target}
	workspace.social(o.Blocks)
	ctx.ActionIDs = workspace.ids()
	c.actions = append(c.actions, workspace.list...)
	for _, x := range o.Invitations {
		d := &deeds{composer: c, target: ctx.Target, resource: x.ID}
		if id := ids[social.SourceRef{Service: "social", ResourceType: x.Target.Type, ResourceID: x.Target.ID}]; id != "" {
			d.target = Target{Kind: "object", WorldObjectID: id}
		}
		d.invitation(x)
		c.actions = append(c.actions, d.list...)
		if x.Permissions.CanAccept {
			ctx.Items = append(ctx.Items, ContextItem{ItemID: x.ID, Label: "Invitation to " + x.Target.Title, Target: d.target, ActionIDs: d.ids()})
		}
	}
	talks := slices.DeleteFunc(items, func(i socialItem) bool { return i.news.IsZero() })
	slices.SortStableFunc(talks, func(a, b socialItem) int {
		if a.unread != b.unread {
			return map[bool]int{true: -1, false: 1}[a.unread]
		}
		return b.news.Compare(a.news)
	})
	for _, i := range talks {
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: i.entry.id, Label: i.entry.label, Target: Target{Kind: "object", WorldObjectID: i.entry.id}, ActionIDs: i.entry.actionIDs,
		})
	}
	ctx.Items = ctx.Items[:min(newest, len(ctx.Items))]
	c.context(ctx)
}
