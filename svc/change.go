package svc

// The topics of data that members see. A part of a dataset is built again when one
// of its topics has changed.
const (
	AllTopics = "" // names and states of members, which every topic depends on

	TimeTopic          = "time"
	MessagesTopic      = "messages"
	SurfaceTopic       = "surface"
	BlocksTopic        = "blocks" // between two members: it decides whether they can write to each other
	SocialTopic        = "social" // communities, members, circles, profiles, invitations
	ConversationsTopic = "social.conversations"
	DMsTopic           = "social.dms"
	EventsTopic        = "social.events" // events, responses, and whether their conversations are open
	PresenceTopic      = "social.presence"
	NotificationsTopic = "social.notifications"
)

// Readers is the group of members who can see a change. The service that writes
// determines the members.
type Readers string

// The kinds of readers.
const (
	ForMember       Readers = "the member"       // one member, usually the author of the write
	ForParticipants Readers = "the participants" // of a thread, an invitation or a block
	ForAudience     Readers = "the audience"     // all members who can see the record
	ForEveryone     Readers = "everyone"
)

// Change is a kind of write, with the topics that it changes and the members who
// can see that. It implements store.Change.
type Change struct {
	Name    string
	Topics  []string
	Readers Readers
}

// ChangedTopics implements store.Change.
func (c Change) ChangedTopics() []string { return c.Topics }

// The changes of all services.
var (
	MemberCreated  = Change{"member.created", []string{AllTopics}, ForEveryone}
	MemberUpdated  = Change{"member.updated", []string{AllTopics}, ForEveryone} // display name, status or role
	MemberDeleted  = Change{"member.deleted", []string{AllTopics}, ForEveryone}
	AccountUpdated = Change{"account.updated", []string{AllTopics}, ForMember} // time zone, locale, e-mail address

	BlockChanged = Change{"block.changed", []string{BlocksTopic}, ForParticipants} // CirclesChanged is touched, too

	MessageSent = Change{"message.sent", []string{MessagesTopic}, ForParticipants}
	ThreadRead  = Change{"thread.read", []string{MessagesTopic}, ForMember}

	CalendarUpdated  = Change{"calendar.updated", []string{TimeTopic}, ForAudience} // and its objects
	CalendarArranged = Change{"calendar.arranged", []string{TimeTopic}, ForMember}  // access, position, visibility
	MirrorsUpdated   = Change{"calendar.mirrors", []string{TimeTopic}, ForAudience}

	WorkspaceChanged = Change{"workspace.changed", []string{SurfaceTopic}, ForMember}

	CommunityUpdated    = Change{"community.updated", []string{SocialTopic}, ForAudience} // and for invited members
	MembershipChanged   = Change{"membership.changed", []string{SocialTopic}, ForEveryone}
	CirclesChanged      = Change{"circles.changed", []string{SocialTopic}, ForEveryone}
	InvitationChanged   = Change{"invitation.changed", []string{SocialTopic}, ForParticipants}
	ProfileUpdated      = Change{"profile.updated", []string{SocialTopic}, ForEveryone}
	PresenceChanged     = Change{"presence.changed", []string{PresenceTopic}, ForAudience}
	PresenceRenewed     = Change{"presence.renewed", []string{PresenceTopic}, ForMember}
	ConversationUpdated = Change{"conversation.updated", []string{ConversationsTopic}, ForAudience}
	ConversationRead    = Change{"conversation.read", []string{ConversationsTopic}, ForMember}
	ReplyPosted         = Change{"reply.posted", []string{ConversationsTopic}, ForAudience}
	EventUpdated        = Change{"event.updated", []string{EventsTopic}, ForAudience}
	RSVPChanged         = Change{"rsvp.changed", []string{EventsTopic}, ForAudience}
	DMSent              = Change{"dm.sent", []string{DMsTopic}, ForParticipants}
	DMRead              = Change{"dm.read", []string{DMsTopic}, ForMember}
	NotificationSent    = Change{"notification.sent", []string{NotificationsTopic}, ForMember}
	NotificationsRead   = Change{"notifications.read", []string{NotificationsTopic}, ForMember}
)
