package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// Source is a record as Social provides it to the composer of a dataset: with its
// permissions, actions and relations, but without URLs. Schema:
// service.social.object_source.
type Source struct {
	Source            SourceRef          `json:"source"`
	ObjectType        string             `json:"object_type"`
	Title             string             `json:"title"`
	Summary           string             `json:"summary"`
	State             svc.Map            `json:"state"`
	DomainPermissions svc.Dict[bool]     `json:"domain_permissions"`
	DomainActions     svc.List[string]   `json:"domain_actions"` // such as "social.community.update"
	Relationships     svc.List[Relation] `json:"relationships"`
}

// SourceRef identifies a record and the service that stores it.
type SourceRef struct {
	Service      string `json:"service"`       // "social"
	ResourceType string `json:"resource_type"` // "community", "conversation", "event", "social_dm" or "profile", as the object_type
	ResourceID   string `json:"resource_id"`   // id of the record; the id of the member for a profile
}

// Relation is a relation of a record to another record of Social.
type Relation struct {
	Type   string    `json:"type"` // "in" (a community) or "participant"
	Target SourceRef `json:"target"`
}

// MemberIDFormat is a function that formats a member id in the state of a source.
type MemberIDFormat func(svc.MemberID) any

// AsNumber formats a member id as a JSON number, as in the dataset.
func AsNumber(m svc.MemberID) any { return m }

// AsText formats a member id as a JSON string, as other services expect it.
func AsText(m svc.MemberID) any { return m.String() }

func ref(kind, id string) SourceRef { return SourceRef{"social", kind, id} }

func profileRef(m svc.MemberID) SourceRef { return ref("profile", m.String()) }

func (n MemberRef) state(form MemberIDFormat) svc.Map {
	return svc.Map{"id": form(n.ID), "display_name": n.DisplayName, "color": n.Color, "avatar": n.Avatar}
}

// Source returns the source of a community.
func (c Community) Source(form MemberIDFormat) Source {
	permissions := c.Permissions
	return Source{
		Source: ref("community", c.ID), ObjectType: "community", Title: c.Name, Summary: c.Summary,
		State: svc.Map{
			"id": c.ID, "color": c.Color, "avatar": c.Avatar, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "member_count": c.MemberCount, "membership": c.Membership,
			"created_by": form(c.CreatedBy), "created_at": c.CreatedAt, "updated_at": c.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{
			"can_view": permissions.CanView, "can_post": permissions.CanPost, "can_invite": permissions.CanInvite, "can_update": permissions.CanUpdate,
			"can_delete": permissions.CanDelete, "can_change_appearance": permissions.CanChangeAppearance, "can_join": permissions.CanJoin, "can_leave": permissions.CanLeave,
		},
	}
}

// Relations returns no relations: a community has none.
func (c Community) Relations() svc.List[Relation] { return nil }

// Source returns the source of a conversation.
func (c Conversation) Source(form MemberIDFormat) Source {
	permissions := c.Permissions
	return Source{
		Source: ref("conversation", c.ID), ObjectType: "conversation", Title: c.Title, Summary: svc.Excerpt(c.Body),
		State: svc.Map{
			"id": c.ID, "body": c.Body, "context": c.Context, "author": c.Author.state(form), "reply_count": c.ReplyCount,
			"participant_count": c.ParticipantCount, "unread_count": c.UnreadCount, "marked_unread": c.MarkedUnread, "read_up_to": c.ReadUpTo,
			"entities": c.Entities, "state": c.State,
			"last_reply_at": c.LastReplyAt, "created_at": c.CreatedAt, "updated_at": c.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{"can_view": permissions.CanView, "can_reply": permissions.CanReply, "can_update": permissions.CanUpdate, "can_close": permissions.CanClose},
		Relationships:     c.Relations(),
	}
}

// Relations returns the relation to the community of a conversation.
func (c Conversation) Relations() (list svc.List[Relation]) {
	if c.Context.Kind == ContextCommunity {
		list = svc.List[Relation]{{"in", ref("community", *c.Context.ID)}}
	}
	return list
}

// Source returns the source of an event.
func (e Event) Source(form MemberIDFormat) Source {
	permissions := e.Permissions
	return Source{
		Source: ref("event", e.ID), ObjectType: "event", Title: e.Title, Summary: svc.Excerpt(e.Description),
		State: svc.Map{
			"id": e.ID, "description": e.Description, "start": e.Start, "end": e.End, "timezone": e.Timezone, "all_day": e.AllDay,
			"rrule": e.RRule, "location": e.Location, "visibility": e.Visibility, "community_id": e.CommunityID, "circle_depth": e.CircleDepth,
			"host": e.Host.state(form), "status": e.Status, "rsvp": e.RSVP, "conversation_id": e.ConversationID, "revision": e.Revision,
			"created_at": e.CreatedAt, "updated_at": e.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{
			"can_view": permissions.CanView, "can_update": permissions.CanUpdate, "can_delete": permissions.CanDelete, "can_reply": permissions.CanReply,
			"can_rsvp": permissions.CanRSVP, "can_invite": permissions.CanInvite,
		},
		Relationships: e.Relations(),
	}
}

// Relations returns the relation to the community of an event.
func (e Event) Relations() (list svc.List[Relation]) {
	if e.CommunityID != nil {
		list = svc.List[Relation]{{"in", ref("community", *e.CommunityID)}}
	}
	return list
}

// Source returns the source of a DM.
func (d DM) Source(form MemberIDFormat) Source {
	var participants svc.List[svc.Map]
	for _, p := range d.Participants {
		state := MemberRef{p.ID, p.DisplayName, p.Appearance}.state(form)
		state["username"], state["is_self"] = p.Username, p.IsSelf
		participants = append(participants, state)
	}
	return Source{
		Source: ref(DMType, d.ID), ObjectType: DMType, Title: d.Title, Summary: d.Summary,
		State: svc.Map{
			"id": d.ID, "participants": participants, "participant_count": d.ParticipantCount, "message_count": d.MessageCount,
			"unread_count": d.UnreadCount, "marked_unread": d.MarkedUnread, "read_up_to": d.ReadUpTo, "context": d.Context,
			"last_message_at": d.LastMessageAt, "created_at": d.CreatedAt, "updated_at": d.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{"can_view": true, "can_reply": d.CanReply, "can_add_participant": false},
		Relationships:     d.Relations(),
	}
}

// Relations returns the relation to the profile of the other participant.
func (d DM) Relations() svc.List[Relation] {
	return svc.List[Relation]{{"participant", profileRef(d.Partner)}}
}

// Source returns the source of a profile. It omits the links of the profile, and
// the expiry of the presence, so that a renewed presence does not change it.
func (p PresentProfile) Source(form MemberIDFormat) Source {
	permissions := p.Permissions
	s := Source{
		Source: profileRef(p.MemberID), ObjectType: "profile", Title: p.DisplayName, Summary: svc.Excerpt(p.Bio),
		State: svc.Map{
			"member_id": form(p.MemberID), "color": p.Color, "avatar": p.Avatar, "bio": p.Bio, "pronouns": p.Pronouns, "visibility": p.Visibility, "circle": p.Circle,
			"shared_communities": p.SharedCommunities, "presence": nil, "updated_at": p.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{"can_view": permissions.CanView, "can_update": permissions.CanUpdate, "can_dm": permissions.CanDM},
		Relationships:     p.Relations(),
	}
	if p.Presence != nil {
		s.State["presence"] = svc.Map{"state": p.Presence.State, "note": p.Presence.Note}
	}
	return s
}

// Relations returns the relations to the communities that the member shares with
// the viewer.
func (p Profile) Relations() (list svc.List[Relation]) {
	for _, community := range p.SharedCommunities {
		list = append(list, Relation{"in", ref("community", community)})
	}
	return list
}

// SourceActions returns the domain_actions of the source of a record. World declares the
// actions.
type SourceActions struct {
	Community    func(Community) svc.List[string]
	Conversation func(Conversation) svc.List[string]
	Event        func(Event) svc.List[string]
	DM           func(DM) svc.List[string]
	Profile      func(PresentProfile) svc.List[string]
}

// Sources contains the sources of all records in the dataset of one member.
type Sources struct {
	Objects   SourceLists `json:"objects"`
	Counts    Counts      `json:"counts"`
	Truncated bool        `json:"truncated"` // there are more objects
}

// SourceLists contains the sources by object type.
type SourceLists struct {
	Communities   svc.List[Source] `json:"communities"`
	Conversations svc.List[Source] `json:"conversations"`
	Events        svc.List[Source] `json:"events"`
	DMs           svc.List[Source] `json:"dms"`
	Profiles      svc.List[Source] `json:"profiles"`
}

// Sources returns the sources of the objects in the dataset of v, with their domain_actions, and
// the counts.
func (s *Service) Sources(tx *store.Tx, v svc.Viewer, actions SourceActions) (all Sources, err error) {
	r := s.DatasetReader(tx, v)
	for _, kind := range []func() (bool, error){
		func() (bool, error) {
			return sourcesOf(&all.Objects.Communities, r.CommunityVersions, r.Communities, actions.Community)
		},
		func() (bool, error) {
			return sourcesOf(&all.Objects.Conversations, r.ConversationVersions, r.Conversations, actions.Conversation)
		},
		func() (bool, error) {
			return sourcesOf(&all.Objects.Events, r.EventVersions, r.Events, actions.Event)
		},
		func() (bool, error) { return sourcesOf(&all.Objects.DMs, r.DMVersions, r.DMs, actions.DM) },
		func() (bool, error) {
			return sourcesOf(&all.Objects.Profiles, r.ProfileVersions, r.Profiles, actions.Profile)
		},
	} {
		truncated, err := kind()
		if err != nil {
			return all, err
		}
		all.Truncated = all.Truncated || truncated
	}
	all.Counts, _, err = s.Counts(tx, v)
	return all, err
}

// sourcesOf appends the sources of all objects of one kind to list.
func sourcesOf[T interface{ Source(MemberIDFormat) Source }](
	list *svc.List[Source], versions func() (Versions, error), load func(ids []string) ([]T, error), actions func(T) svc.List[string],
) (truncated bool, err error) {
	v, err := versions()
	if err != nil {
		return false, err
	}
	ids := make([]string, len(v.List))
	for i, version := range v.List {
		ids[i] = version.ID
	}
	records, err := load(ids)
	position := make(map[string]int, len(ids))
	for i, id := range ids {
		position[id] = i
	}
	for _, record := range records {
		source := record.Source(AsText)
		source.DomainActions = actions(record)
		*list = append(*list, source)
	}
	slices.SortFunc(*list, func(a, b Source) int { return position[a.Source.ResourceID] - position[b.Source.ResourceID] })
	return v.Truncated, err
}
