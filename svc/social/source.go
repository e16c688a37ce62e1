package social

import (
	"appliance/store"
	"appliance/svc"
)

// Source is something of social life as its producer tells of it: what it is,
// what it is tied to and what may be done with it, without any address.
// Schema: service.social.object_source.
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

// SourceRef names something and who holds it.
type SourceRef struct {
	Service      string `json:"service"`       // "social"
	ResourceType string `json:"resource_type"` // "community", "conversation", "event", "social_dm" or "profile", as the object_type
	ResourceID   string `json:"resource_id"`   // of a profile, the member's number
}

// Relation ties something to something else of social life.
type Relation struct {
	Type   string    `json:"type"` // "in" a community, or "participant"
	Target SourceRef `json:"target"`
}

// NumberForm is how numbers of members are written: as they are, or as text
// for producers.
type NumberForm func(svc.MemberID) any

// The two forms.
func AsNumber(m svc.MemberID) any { return m }
func AsText(m svc.MemberID) any   { return m.String() }

func ref(kind, id string) SourceRef { return SourceRef{"social", kind, id} }

func profileRef(m svc.MemberID) SourceRef { return ref("profile", m.String()) }

func (n MemberRef) state(form NumberForm) svc.Map {
	return svc.Map{"id": form(n.ID), "display_name": n.DisplayName}
}

// Source returns the community as its producer tells of it.
func (c Community) Source(form NumberForm) Source {
	may := c.Permissions
	return Source{
		Source: ref("community", c.ID), ObjectType: "community", Title: c.Name, Summary: c.Summary,
		State: svc.Map{
			"id": c.ID, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "member_count": c.MemberCount, "membership": c.Membership,
			"created_by": form(c.CreatedBy), "created_at": c.CreatedAt, "updated_at": c.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{
			"can_view": may.CanView, "can_post": may.CanPost, "can_invite": may.CanInvite, "can_update": may.CanUpdate,
			"can_delete": may.CanDelete, "can_join": may.CanJoin, "can_leave": may.CanLeave,
		},
		DomainActions: allowed("social.community.", deed{"open", true}, deed{"update", may.CanUpdate}, deed{"delete", may.CanDelete},
			deed{"join", may.CanJoin}, deed{"leave", may.CanLeave}, deed{"invite", may.CanInvite}),
	}
}

// Relations are what the community is tied to: nothing.
func (c Community) Relations() svc.List[Relation] { return nil }

// Source returns the conversation as its producer tells of it.
func (c Conversation) Source(form NumberForm) Source {
	may := c.Permissions
	return Source{
		Source: ref("conversation", c.ID), ObjectType: "conversation", Title: c.Title, Summary: svc.Excerpt(c.Body),
		State: svc.Map{
			"id": c.ID, "body": c.Body, "context": c.Context, "author": c.Author.state(form), "reply_count": c.ReplyCount,
			"participant_count": c.ParticipantCount, "unread_count": c.UnreadCount, "state": c.State,
			"last_reply_at": c.LastReplyAt, "created_at": c.CreatedAt, "updated_at": c.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{"can_view": may.CanView, "can_reply": may.CanReply, "can_update": may.CanUpdate, "can_close": may.CanClose},
		DomainActions: allowed("social.conversation.", deed{"open", true}, deed{"reply", may.CanReply}, deed{"update", may.CanUpdate},
			deed{"close", may.CanClose && c.State == stateOpen}, deed{"reopen", may.CanClose && c.State != stateOpen}),
		Relationships: c.Relations(),
	}
}

// Relations are what the conversation is tied to.
func (c Conversation) Relations() (list svc.List[Relation]) {
	if c.Context.Kind == "community" {
		list = svc.List[Relation]{{"in", ref("community", *c.Context.ID)}}
	}
	return list
}

// Source returns the event as its producer tells of it.
func (e Event) Source(form NumberForm) Source {
	may := e.Permissions
	return Source{
		Source: ref("event", e.ID), ObjectType: "event", Title: e.Title, Summary: svc.Excerpt(e.Description),
		State: svc.Map{
			"id": e.ID, "description": e.Description, "start": e.Start, "end": e.End, "timezone": e.Timezone, "all_day": e.AllDay,
			"rrule": e.RRule, "location": e.Location, "visibility": e.Visibility, "community_id": e.CommunityID, "circle_depth": e.CircleDepth,
			"host": e.Host.state(form), "status": e.Status, "rsvp": e.RSVP, "conversation_id": e.ConversationID, "revision": e.Revision,
			"created_at": e.CreatedAt, "updated_at": e.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{
			"can_view": may.CanView, "can_update": may.CanUpdate, "can_delete": may.CanDelete, "can_reply": may.CanReply,
			"can_rsvp": may.CanRSVP, "can_invite": may.CanInvite,
		},
		DomainActions: allowed("social.event.", deed{"open", true}, deed{"rsvp", may.CanRSVP}, deed{"reply", may.CanReply},
			deed{"update", may.CanUpdate}, deed{"cancel", may.CanDelete}, deed{"invite", may.CanInvite}),
		Relationships: e.Relations(),
	}
}

// Relations are what the event is tied to.
func (e Event) Relations() (list svc.List[Relation]) {
	if e.CommunityID != nil {
		list = svc.List[Relation]{{"in", ref("community", *e.CommunityID)}}
	}
	return list
}

// Source returns the DM as its producer tells of it.
func (d DM) Source(form NumberForm) Source {
	may := d.Permissions
	var participants svc.List[svc.Map]
	for _, p := range d.Participants {
		state := p.state(form)
		state["username"], state["is_self"] = p.Username, p.IsSelf
		participants = append(participants, state)
	}
	return Source{
		Source: ref(DMType, d.ID), ObjectType: DMType, Title: d.Title, Summary: d.Summary,
		State: svc.Map{
			"id": d.ID, "participants": participants, "participant_count": d.ParticipantCount, "message_count": d.MessageCount,
			"unread_count": d.UnreadCount, "context": d.Context,
			"last_message_at": d.LastMessageAt, "created_at": d.CreatedAt, "updated_at": d.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{"can_view": may.CanView, "can_reply": may.CanReply, "can_add_participant": may.CanAddParticipant},
		DomainActions:     allowed("social.dm.", deed{"open", true}, deed{"send", may.CanReply}, deed{"read", d.UnreadCount > 0}),
		Relationships:     d.Relations(),
	}
}

// Relations are what the DM is tied to.
func (d DM) Relations() (list svc.List[Relation]) {
	for _, p := range d.Participants {
		if !p.IsSelf {
			list = append(list, Relation{"participant", profileRef(p.ID)})
		}
	}
	return list
}

// Here is a profile with whether its member is there.
type Here struct {
	Profile
	Presence *Presence // nil if they are offline, or do not show it
}

// Source returns the profile as its producer tells of it. It is without the
// addresses that its member shows, and does not tell until when they are
// there: who says so again has said nothing new.
func (p Here) Source(form NumberForm) Source {
	may := p.Permissions
	s := Source{
		Source: profileRef(p.MemberID), ObjectType: "profile", Title: p.DisplayName, Summary: svc.Excerpt(p.Bio),
		State: svc.Map{
			"member_id": form(p.MemberID), "bio": p.Bio, "pronouns": p.Pronouns, "visibility": p.Visibility, "circle": p.Circle,
			"shared_communities": p.SharedCommunities, "presence": nil, "updated_at": p.UpdatedAt,
		},
		DomainPermissions: svc.Dict[bool]{"can_view": may.CanView, "can_update": may.CanUpdate, "can_dm": may.CanDM},
		DomainActions: allowed("social.", deed{"profile.open", true}, deed{"profile.update", may.CanUpdate}, deed{"presence.set", may.CanUpdate},
			deed{"dm.start", may.CanDM}, deed{"block", !may.CanUpdate}),
		Relationships: p.Relations(),
	}
	if p.Presence != nil {
		s.State["presence"] = svc.Map{"state": p.Presence.State, "note": p.Presence.Note}
	}
	return s
}

// Relations are what the profile is tied to.
func (p Profile) Relations() (list svc.List[Relation]) {
	for _, community := range p.SharedCommunities {
		list = append(list, Relation{"in", ref("community", community)})
	}
	return list
}

// deed is something that may be done, or not.
type deed struct {
	name string
	may  bool
}

func allowed(prefix string, deeds ...deed) (list svc.List[string]) {
	for _, d := range deeds {
		if d.may {
			list = append(list, prefix+d.name)
		}
	}
	return list
}

// Sources are what Social offers to whoever composes a dataset (B-75).
type Sources struct {
	Objects   SourceLists `json:"objects"`
	Counts    Counts      `json:"counts"`
	Truncated bool        `json:"truncated"` // there are more objects
}

// SourceLists are the sources by what they are.
type SourceLists struct {
	Communities   svc.List[Source] `json:"communities"`
	Conversations svc.List[Source] `json:"conversations"`
	Events        svc.List[Source] `json:"events"`
	DMs           svc.List[Source] `json:"dms"`
	Profiles      svc.List[Source] `json:"profiles"`
}

// Sources returns what there is of social life for v, and how much.
func (s *Service) Sources(tx *store.Tx, v svc.Viewer) (all Sources, err error) {
	o := s.Overview(tx, v)
	communities, err := o.Communities()
	if err != nil {
		return all, err
	}
	conversations, err := o.Conversations(nil, nil)
	if err != nil {
		return all, err
	}
	events, err := o.Events(nil, nil)
	if err != nil {
		return all, err
	}
	dms, err := o.DMs(nil, nil, false)
	if err != nil {
		return all, err
	}
	profiles, err := o.Profiles()
	if err != nil {
		return all, err
	}
	here, err := o.Here(profiles.List, nil, nil)
	if err != nil {
		return all, err
	}
	all.Objects = SourceLists{
		sourcesOf(communities.List), sourcesOf(conversations.List()), sourcesOf(events.List()), sourcesOf(dms.List()), sourcesOf(here.List()),
	}
	all.Truncated = communities.Cut || conversations.Cut() || events.Cut() || dms.Cut() || profiles.Cut
	all.Counts, _, err = s.Counts(tx, v)
	return all, err
}

func sourcesOf[T interface{ Source(NumberForm) Source }](list []T) (sources svc.List[Source]) {
	for _, one := range list {
		sources = append(sources, one.Source(AsText))
	}
	return sources
}
