package dataset

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// newest is how many entries the context of social life has.
const newest = 20

// context leads to what waits for the member, and to what is new.
func (r *socialReading) context(items []*socialItem, entries []*entry) error {
	ctx := Context{ContextID: "ctx_social", Kind: "social", Label: "Social", Target: action.Workspace}
	workspace, err := r.atLarge(ctx.Target)
	if err != nil {
		return err
	}
	ctx.ActionIDs = workspace.ids
	invited, err := r.invited(ctx.Target)
	if err != nil {
		return err
	}
	charges, err := r.charges(ctx.Target)
	if err != nil {
		return err
	}
	for _, one := range slices.Concat([]waiting{workspace}, invited, charges) {
		r.c.actions = append(r.c.actions, one.actions...)
		if one.item != nil {
			ctx.Items = append(ctx.Items, *one.item)
		}
	}
	for _, i := range newestTalks(items) {
		e := entries[i]
		ctx.Items = append(ctx.Items, ContextItem{
			ItemID: e.id, Label: e.label, Target: action.Object(e.id), ActionIDs: e.actionIDs,
		})
	}
	ctx.Items = ctx.Items[:min(newest, len(ctx.Items))]
	return r.c.context(ctx)
}

// waiting is what can be done that is not about an object alone.
type waiting struct {
	ids     svc.List[string]
	actions [][]byte // as JSON
	item    *ContextItem
}

// encode encodes actions on a target, and the item of the context that has them.
func encodeWaiting(target action.Target, actions []action.Action, item *ContextItem) (w waiting, err error) {
	w.ids, w.item = action.IDs(actions), item
	if item != nil {
		item.Target, item.ActionIDs = target, w.ids
	}
	w.actions, err = encodeAll(actions)
	return w, err
}

// targetOf returns an object as a target, or another target if the object is
// not in the dataset.
func (r *socialReading) targetOf(kind, id string, other action.Target) action.Target {
	if id := r.ids[social.SourceRef{Service: "social", ResourceType: kind, ResourceID: id}]; id != "" {
		return action.Object(id)
	}
	return other
}

// atLarge is what can be done about nothing that is there already.
func (r *socialReading) atLarge(target action.Target) (waiting, error) {
	list, err := remembered(r, "blocks", func() (l social.Listed[waiting], err error) {
		blocks, err := r.o.Blocks()
		if err != nil {
			return l, err
		}
		w, err := encodeWaiting(target, r.c.builder.Social(target, blocks.List), nil)
		return social.Listed[waiting]{List: []waiting{w}, Cut: blocks.Cut}, err
	})
	if err != nil {
		return waiting{}, err
	}
	return list[0], nil
}

// charges is what can be done about whoever is in a community that the member
// looks after, or asks to be.
func (r *socialReading) charges(target action.Target) ([]waiting, error) {
	return remembered(r, "charges", func() (l social.Listed[waiting], err error) {
		charges, err := r.o.Charges()
		if err != nil {
			return l, err
		}
		l.Cut = charges.Cut
		for _, x := range charges.List {
			target := r.targetOf("community", x.CommunityID, target)
			var item *ContextItem
			if x.Permissions.CanAdmit {
				item = &ContextItem{ItemID: x.CommunityID + "_" + x.ID.String(), Label: x.DisplayName + " asks to join " + x.Community}
			}
			one, err := encodeWaiting(target, r.c.builder.CommunityMember(target, x), item)
			if err != nil {
				return l, err
			}
			l.List = append(l.List, one)
		}
		return l, nil
	})
}

// invited is what can be done about invitations.
func (r *socialReading) invited(target action.Target) (list []waiting, err error) {
	invitations, err := r.invitations()
	for _, x := range invitations {
		target := r.targetOf(x.Target.Type, x.Target.ID, target)
		var item *ContextItem
		if x.Permissions.CanAccept {
			item = &ContextItem{ItemID: x.ID, Label: "Invitation to " + x.Target.Title}
		}
		one, err := encodeWaiting(target, r.c.builder.Invitation(target, x), item)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, err
}

// invitations are read anew if social life at large has changed, or one of the
// events that they are to.
func (r *socialReading) invitations() ([]social.Invitation, error) {
	topics := []store.Topic{svc.SocialTopic, svc.EventsTopic}
	l, err := recall(r.c, "social.invitations", topics, func(old listed[social.Invitation], asOf int64) (l listed[social.Invitation], err error) {
		l.social = r.c.revisions.Of(svc.SocialTopic)
		events, ok := r.c.changes.Of(svc.EventsTopic, asOf)
		if ok && old.social == l.social && !slices.ContainsFunc(old.List, func(x social.Invitation) bool { return slices.Contains(events, x.Target.ID) }) {
			return old, nil
		}
		l.Listed, err = r.o.Invitations()
		return l, err
	})
	return l.List, r.note(l.Cut, l.Until, err)
}

// newestTalks returns which of the items are talks, what is unread before the
// rest and then the latest first.
func newestTalks(items []*socialItem) (talks []int) {
	for i, item := range items {
		if !item.news.IsZero() {
			talks = append(talks, i)
		}
	}
	slices.SortStableFunc(talks, func(i, j int) int {
		a, b := items[i], items[j]
		if a.unread != b.unread {
			return map[bool]int{true: -1, false: 1}[a.unread]
		}
		return b.news.Compare(a.news)
	})
	return talks[:min(newest, len(talks))]
}
