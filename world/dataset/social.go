package dataset

import (
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// socialParts returns the parts of Social: five kinds of objects, three kinds of
// actions, and the context. The order of parts is the order of objects in the
// dataset. Conversations are last, because their text may exceed the limit.
func socialParts() []part {
	return []part{
		newPart(objectSections, func(r *results) **result { return &r.communities }, buildCommunities, svc.SocialTopic),
		newPart(objectSections, func(r *results) **result { return &r.profiles }, buildProfiles, svc.SocialTopic, svc.PresenceTopic),
		// The permission to reply to a DM depends on events that both members
		// attend.
		newPart(objectSections, func(r *results) **result { return &r.dms }, buildDMs, svc.SocialTopic, svc.DMsTopic, svc.EventsTopic),
		newPart(objectSections, func(r *results) **result { return &r.events }, buildEvents, svc.SocialTopic, svc.EventsTopic),
		newPart(objectSections, func(r *results) **result { return &r.conversations }, buildConversations, svc.SocialTopic, svc.ConversationsTopic),
		newPart(actionSections, func(r *results) **actionsResult { return &r.general }, buildGeneral, svc.SocialTopic),
		newDependentPart(
			actionSections, func(r *results) **itemsResult { return &r.invitations },
			func(r *results) invitationInputs { return invitationInputs{r.communities, r.events} }, buildInvitations, svc.SocialTopic, svc.EventsTopic,
		),
		newDependentPart(
			actionSections, func(r *results) **itemsResult { return &r.moderation },
			func(r *results) *result { return r.communities }, buildModeration, svc.SocialTopic,
		),
		newDependentPart(
			actionSections, func(r *results) **result { return &r.socialContext },
			func(r *results) socialContextInputs {
				return socialContextInputs{r.general, r.invitations, r.moderation, r.dms, r.conversations}
			},
			buildSocialContext, svc.SocialTopic, svc.EventsTopic, svc.DMsTopic, svc.ConversationsTopic, // those of the inputs
		),
	}
}

// The inputs of parts of Social.
type (
	invitationInputs    struct{ communities, events *result }
	socialContextInputs struct {
		general                 *actionsResult
		invitations, moderation *itemsResult
		dms, conversations      *result
	}
)

// socialObject describes a record of Social.
type socialObject struct {
	record interface {
		Source(social.MemberIDFormat) social.Source
		Relations() svc.List[social.Relation]
	}
	permissions   Permissions
	actions       func(action.Target) []action.Action
	unread        bool
	latestMessage time.Time // time of the latest message; zero for records without messages
}

// buildObjects builds a part that consists of one kind of objects.
func buildObjects[T any](
	b *builder, versions func() (social.Versions, error), load func(ids []string) ([]T, error), id func(T) string, describe func(T) socialObject,
) (r result, err error) {
	list, err := versions()
	if err != nil {
		return r, err
	}
	r.expire(list.Expires)
	truncated, err := addObjects(b, &r, list.List, list.Common, load, id, func(x T) (*object, error) { return b.encodeSocialObject(describe(x)) })
	if err != nil {
		return r, err
	}
	if list.Truncated || truncated {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), "social"))
	}
	return r, nil
}

// encodeSocialObject encodes a record of Social.
func (b *builder) encodeSocialObject(x socialObject) (*object, error) {
	s := x.record.Source(social.AsNumber)
	id := b.socialID(s.Source)
	var relationships []Relationship
	for _, r := range x.record.Relations() {
		relationships = append(relationships, Relationship{r.Type, action.Object(b.socialID(r.Target))})
	}
	o, err := b.encodeObject(ObjectData{
		WorldObjectID: id, ObjectType: s.ObjectType, Source: socialSource(s.Source), Title: s.Title, Summary: s.Summary, State: s.State,
		Permissions: x.permissions,
	}, x.actions(action.Object(id)), relationships)
	if err == nil {
		o.unread, o.latestMessage = x.unread, x.latestMessage
	}
	return o, err
}

// socialSource returns the source of a record of Social.
func socialSource(r social.SourceRef) action.Source {
	return action.Source{Kind: action.ServiceSource, Service: r.Service, ResourceType: r.ResourceType, ResourceID: r.ResourceID}
}

// socialID returns the world_object_id of a record of Social.
func (b *builder) socialID(r social.SourceRef) string {
	return b.actionBuilder.ObjectID(socialSource(r))
}

func buildCommunities(b *builder) (result, error) {
	id := func(c social.Community) string { return c.ID }
	return buildObjects(b, b.social.CommunityVersions, b.social.Communities, id, func(c social.Community) socialObject {
		permissions := c.Permissions
		return socialObject{
			record: c, actions: func(t action.Target) []action.Action { return action.Communities.Actions(b.actionBuilder, t, c) },
			permissions: Permissions{CanView: true, CanUpdate: permissions.CanUpdate, CanDelete: permissions.CanDelete, CanAddParticipant: permissions.CanInvite},
		}
	})
}

// buildProfiles builds the profiles, with presence.
func buildProfiles(b *builder) (result, error) {
	id := func(p social.PresentProfile) string { return p.MemberID.String() }
	return buildObjects(b, b.social.ProfileVersions, b.social.Profiles, id, func(p social.PresentProfile) socialObject {
		return socialObject{
			record: p, actions: func(t action.Target) []action.Action {
				member := action.ProfileMember(p.Profile)
				member.Presence = p.Own
				return action.Profiles.Actions(b.actionBuilder, t, member)
			},
			permissions: Permissions{CanView: true, CanUpdate: p.Permissions.CanUpdate},
		}
	})
}

func buildDMs(b *builder) (result, error) {
	id := func(d social.DM) string { return d.ID }
	return buildObjects(b, b.social.DMVersions, b.social.DMs, id, func(d social.DM) socialObject {
		return socialObject{
			record: d, actions: func(t action.Target) []action.Action { return action.DMs.Actions(b.actionBuilder, t, d.Thread) },
			permissions: Permissions{CanView: true, CanReply: d.CanReply},
			unread:      d.UnreadCount > 0, latestMessage: *d.LastMessageAt,
		}
	})
}

func buildEvents(b *builder) (result, error) {
	id := func(e social.Event) string { return e.ID }
	return buildObjects(b, b.social.EventVersions, b.social.Events, id, func(e social.Event) socialObject {
		permissions := e.Permissions
		return socialObject{
			record: e, actions: func(t action.Target) []action.Action { return action.Events.Actions(b.actionBuilder, t, e) },
			permissions: Permissions{
				CanView: true, CanUpdate: permissions.CanUpdate, CanDelete: permissions.CanDelete, CanReply: permissions.CanReply, CanAddParticipant: permissions.CanInvite,
			},
		}
	})
}

func buildConversations(b *builder) (result, error) {
	id := func(c social.Conversation) string { return c.ID }
	return buildObjects(b, b.social.ConversationVersions, b.social.Conversations, id, func(c social.Conversation) socialObject {
		o := socialObject{
			record: c, actions: func(t action.Target) []action.Action { return action.Conversations.Actions(b.actionBuilder, t, c) },
			permissions: Permissions{CanView: true, CanUpdate: c.Permissions.CanUpdate, CanReply: c.Permissions.CanReply},
			unread:      c.UnreadCount > 0, latestMessage: c.CreatedAt,
		}
		if c.LastReplyAt != nil {
			o.latestMessage = *c.LastReplyAt
		}
		return o
	})
}

// buildGeneral builds the actions that concern no record, and the actions that
// remove blocks.
func buildGeneral(b *builder) (r actionsResult, err error) {
	blocks, err := b.social.Blocks()
	if err != nil {
		return r, err
	}
	if blocks.Truncated {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), "social"))
	}
	mine, err := b.social.OwnCommunities()
	if err != nil {
		return r, err
	}
	viewer := action.SocialViewer{Communities: action.CommunityOptions(mine)}
	actions := action.Social.Actions(b.actionBuilder, action.Workspace, viewer)
	for _, x := range blocks.List {
		actions = append(actions, action.Blocks.Actions(b.actionBuilder, action.Workspace, x)...)
	}
	r.actionIDs = action.IDs(actions)
	return r, r.addActions(actions...)
}

// buildInvitations builds the actions on pending invitations, and an item of the
// context for each invitation that the member can accept.
func buildInvitations(b *builder, in invitationInputs) (r itemsResult, err error) {
	invitations, err := b.social.Invitations()
	if err != nil {
		return r, err
	}
	r.expire(invitations.Expires)
	if invitations.Truncated {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), "social"))
	}
	targets := map[social.TargetType]*result{social.TargetCommunity: in.communities, social.TargetEvent: in.events}
	for _, x := range invitations.List {
		target := b.targetIn(targets[x.Target.Type], string(x.Target.Type), x.Target.ID)
		actions := action.Invitations.Actions(b.actionBuilder, target, x)
		if err := r.addActions(actions...); err != nil {
			return r, err
		}
		if x.Permissions.CanAccept {
			r.items = append(r.items, ContextItem{ItemID: x.ID, Label: b.viewer.Language().Textf("Invitation to %s", x.Target.Title), Target: target, ActionIDs: action.IDs(actions)})
		}
	}
	return r, nil
}

// buildModeration builds the actions on the members of communities that the
// viewer moderates, and an item of the context for each request to join.
func buildModeration(b *builder, communities *result) (r itemsResult, err error) {
	members, err := b.social.ModeratedMembers()
	if err != nil {
		return r, err
	}
	r.expire(members.Expires)
	if members.Truncated {
		r.fallbacks = append(r.fallbacks, truncatedServiceFallback(b.viewer.Language(), "social"))
	}
	for _, x := range members.List {
		target := b.targetIn(communities, "community", x.CommunityID)
		actions := action.CommunityMembers.Actions(b.actionBuilder, target, x.CommunityMember)
		if err := r.addActions(actions...); err != nil {
			return r, err
		}
		if x.Permissions.CanAdmit {
			r.items = append(r.items, ContextItem{
				ItemID: x.CommunityID + "_" + x.ID.String(), Label: b.viewer.Language().Textf("%s asks to join %s", x.DisplayName, x.Community),
				Target: target, ActionIDs: action.IDs(actions),
			})
		}
	}
	return r, nil
}

// targetIn returns the object of a record as a target if it is in r, otherwise the
// workspace.
func (b *builder) targetIn(r *result, kind, id string) action.Target {
	target := b.socialID(social.SourceRef{Service: "social", ResourceType: kind, ResourceID: id})
	if slices.ContainsFunc(r.objects, func(o *object) bool { return o.id == target }) {
		return action.Object(target)
	}
	return action.Workspace
}

// socialItems limits the items of the context of Social.
const socialItems = 20

// buildSocialContext builds the context of Social: invitations and requests to join,
// then conversations and DMs, unread ones first, in descending order of their
// latest message.
func buildSocialContext(b *builder, in socialContextInputs) (r result, err error) {
	socialContext := Context{ContextID: "ctx_social", Kind: "social", Label: b.viewer.Language().Text("Social"), Target: action.Workspace, ActionIDs: in.general.actionIDs}
	socialContext.Items = slices.Concat(in.invitations.items, in.moderation.items)
	conversations := slices.Concat(in.dms.objects, in.conversations.objects)
	slices.SortStableFunc(conversations, func(a, b *object) int {
		if a.unread != b.unread {
			return map[bool]int{true: -1, false: 1}[a.unread]
		}
		return b.latestMessage.Compare(a.latestMessage)
	})
	for _, o := range conversations[:min(socialItems, len(conversations))] {
		socialContext.Items = append(socialContext.Items, o.item())
	}
	socialContext.Items = socialContext.Items[:min(socialItems, len(socialContext.Items))]
	return r, r.addContext(socialContext)
}
