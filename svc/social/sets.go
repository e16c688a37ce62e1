package social

import "appliance/svc"

// CommunityVisibility determines who sees a community.
type CommunityVisibility string

const (
	CommunityPublic  CommunityVisibility = "public"  // every member
	CommunityPrivate CommunityVisibility = "private" // its members
)

// Values implements [svc.Set].
func (CommunityVisibility) Values() []string { return svc.Values(CommunityPublic, CommunityPrivate) }

// JoinPolicy determines how members join a community.
type JoinPolicy string

const (
	JoinOpen    JoinPolicy = "open"    // without a request
	JoinRequest JoinPolicy = "request" // owners and moderators admit them
	JoinInvite  JoinPolicy = "invite"  // by invitation only
)

// Values implements [svc.Set].
func (JoinPolicy) Values() []string { return svc.Values(JoinOpen, JoinRequest, JoinInvite) }

// MembershipState is the state of the membership of a member in a community.
type MembershipState string

const (
	MembershipNone      MembershipState = "none" // never a member; not stored
	MembershipRequested MembershipState = "requested"
	MembershipInvited   MembershipState = "invited" // not stored
	MembershipActive    MembershipState = "active"  // the only state that grants access
	MembershipLeft      MembershipState = "left"
	MembershipRemoved   MembershipState = "removed"
)

// Values implements [svc.Set].
func (MembershipState) Values() []string {
	return svc.Values(MembershipNone, MembershipRequested, MembershipInvited, MembershipActive, MembershipLeft, MembershipRemoved)
}

// Role is the role of a member in a community.
type Role string

const (
	RoleOwner     Role = "owner"
	RoleModerator Role = "moderator"
	RoleMember    Role = "member"
)

// Values implements [svc.Set].
func (Role) Values() []string { return svc.Values(RoleOwner, RoleModerator, RoleMember) }

// ContextKind is the kind of a [ConversationContext].
type ContextKind string

const (
	ContextCommunity ContextKind = "community"
	ContextEvent     ContextKind = "event"
	ContextCircle    ContextKind = "circle" // of the author
	ContextOpen      ContextKind = "open"   // every member
)

// Values implements [svc.Set].
func (ContextKind) Values() []string {
	return svc.Values(ContextCommunity, ContextEvent, ContextCircle, ContextOpen)
}

// ConversationState determines whether members can reply to a conversation.
type ConversationState string

const (
	ConversationOpen   ConversationState = "open"
	ConversationClosed ConversationState = "closed"
)

// Values implements [svc.Set].
func (ConversationState) Values() []string { return svc.Values(ConversationOpen, ConversationClosed) }

// EventVisibility determines who sees an event.
type EventVisibility string

const (
	EventPublic    EventVisibility = "public"    // every member
	EventCommunity EventVisibility = "community" // the members of a community
	EventCircle    EventVisibility = "circle"    // the circles of the host up to a depth
	EventInvited   EventVisibility = "invited"   // the invited members
)

// Values implements [svc.Set].
func (EventVisibility) Values() []string {
	return svc.Values(EventPublic, EventCommunity, EventCircle, EventInvited)
}

// EventStatus is the status of an event.
type EventStatus string

const (
	EventScheduled EventStatus = "scheduled"
	EventCancelled EventStatus = "cancelled"
	EventEnded     EventStatus = "ended"
)

// Values implements [svc.Set].
func (EventStatus) Values() []string { return svc.Values(EventScheduled, EventCancelled, EventEnded) }

// InvitationKind is the kind of the record that an invitation is for.
type InvitationKind string

const (
	InvitationToCommunity InvitationKind = "community"
	InvitationToEvent     InvitationKind = "event"
)

// Values implements [svc.Set].
func (InvitationKind) Values() []string { return svc.Values(InvitationToCommunity, InvitationToEvent) }

// InvitationState is the state of an invitation.
type InvitationState string

const (
	InvitationPending  InvitationState = "pending"
	InvitationAccepted InvitationState = "accepted"
	InvitationDeclined InvitationState = "declined"
	InvitationRevoked  InvitationState = "revoked"
	InvitationExpired  InvitationState = "expired" // pending and expired; not stored
)

// Values implements [svc.Set].
func (InvitationState) Values() []string {
	return svc.Values(InvitationPending, InvitationAccepted, InvitationDeclined, InvitationRevoked, InvitationExpired)
}

// ProfileVisibility determines who sees the details of a profile.
type ProfileVisibility string

const (
	ProfileCircle  ProfileVisibility = "circle"  // the circles of the member
	ProfileMembers ProfileVisibility = "members" // every member
	ProfilePublic  ProfileVisibility = "public"  // every member
)

// Values implements [svc.Set].
func (ProfileVisibility) Values() []string {
	return svc.Values(ProfileCircle, ProfileMembers, ProfilePublic)
}

// PresenceState is the state of a presence.
type PresenceState string

const (
	PresenceOnline  PresenceState = "online"
	PresenceAway    PresenceState = "away"
	PresenceBusy    PresenceState = "busy"
	PresenceOffline PresenceState = "offline"
)

// Values implements [svc.Set].
func (PresenceState) Values() []string {
	return svc.Values(PresenceOnline, PresenceAway, PresenceBusy, PresenceOffline)
}

// PresenceAudience determines who sees a presence.
type PresenceAudience string

const (
	PresenceInner    PresenceAudience = "inner"
	PresenceTrusted  PresenceAudience = "trusted"
	PresenceExtended PresenceAudience = "extended"
	PresenceMembers  PresenceAudience = "members"
	PresenceNobody   PresenceAudience = "nobody"
)

// Values implements [svc.Set].
func (PresenceAudience) Values() []string {
	return svc.Values(PresenceInner, PresenceTrusted, PresenceExtended, PresenceMembers, PresenceNobody)
}

// TargetType is the type of a [Target].
type TargetType string

const (
	TargetCommunity    TargetType = "community"
	TargetConversation TargetType = "conversation"
	TargetEvent        TargetType = "event"
	TargetInvitation   TargetType = "invitation"
	TargetDM           TargetType = "dm"
)

// Values implements [svc.Set].
func (TargetType) Values() []string {
	return svc.Values(TargetCommunity, TargetConversation, TargetEvent, TargetInvitation, TargetDM)
}

// ActivityKind is the kind of an [Activity].
type ActivityKind string

const (
	CommunityCreatedActivity    ActivityKind = "community.created"
	MemberJoinedActivity        ActivityKind = "member.joined"
	ConversationStartedActivity ActivityKind = "conversation.started"
	ReplyPostedActivity         ActivityKind = "reply.posted"
	EventCreatedActivity        ActivityKind = "event.created"
	EventUpdatedActivity        ActivityKind = "event.updated"
	EventCancelledActivity      ActivityKind = "event.cancelled"
	RSVPChangedActivity         ActivityKind = "rsvp.changed"
)

// Values implements [svc.Set].
func (ActivityKind) Values() []string {
	return svc.Values(
		CommunityCreatedActivity, MemberJoinedActivity, ConversationStartedActivity, ReplyPostedActivity, EventCreatedActivity,
		EventUpdatedActivity, EventCancelledActivity, RSVPChangedActivity,
	)
}

// NotificationKind is the kind of a [Notification].
type NotificationKind string

const (
	InvitationNotification   NotificationKind = "invitation"
	JoinRequestNotification  NotificationKind = "join_request"
	ReplyNotification        NotificationKind = "reply"
	MentionNotification      NotificationKind = "mention"
	RSVPNotification         NotificationKind = "rsvp"
	EventChangedNotification NotificationKind = "event_changed"
	DMNotification           NotificationKind = "dm"
)

// Values implements [svc.Set].
func (NotificationKind) Values() []string {
	return svc.Values(
		InvitationNotification, JoinRequestNotification, ReplyNotification, MentionNotification,
		RSVPNotification, EventChangedNotification, DMNotification,
	)
}
