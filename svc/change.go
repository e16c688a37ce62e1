package svc

// The topics of changes. A change of a topic invalidates the cached parts of datasets that depend
// on the topic.
const (
	AllTopics = "" // names and states of members, which are shown everywhere

	TimeTopic          = "time"
	PreferencesTopic   = "time.preferences" // the member's preferences for views of Time
	MessagesTopic      = "messages"
	SurfaceTopic       = "surface"
	BlocksTopic        = "blocks" // blocks between two members, which prevent messages
	SocialTopic        = "social" // communities, members, circles, profiles, invitations
	ConversationsTopic = "social.conversations"
	DMsTopic           = "social.dms"
	EventsTopic        = "social.events" // events, responses, and whether their conversations are open
	PresenceTopic      = "social.presence"
	NotificationsTopic = "social.notifications"
	MapsTopic          = "maps" // places of imported regions
	ProvidersTopic     = "providers"
	AccountTopic       = "account"       // revoked device passwords, second factors and sessions of a member; open streams depend on them
	SearchesTopic      = "find.searches" // the history of a member's searches
)

// Readers describes the members to whom a change is visible. The service that
// writes passes their ids to store.Tx.Touch.
type Readers string

// The kinds of readers.
const (
	ForMember       Readers = "the member"       // one member, usually the author of the write
	ForParticipants Readers = "the participants" // of a thread, an invitation or a block
	ForAudience     Readers = "the audience"     // all members who can see the record
	ForEveryone     Readers = "everyone"
)

// Change is a kind of write, with the topics that it changes and their readers. It
// implements store.Change.
type Change struct {
	Name    string
	Topics  []string
	Readers Readers
}

// ChangedTopics returns the topics.
func (c Change) ChangedTopics() []string { return c.Topics }

// The changes of all services.
var (
	MemberCreated  = Change{"member.created", []string{AllTopics}, ForEveryone}
	MemberUpdated  = Change{"member.updated", []string{AllTopics}, ForEveryone} // user name, display name, color, avatar, status or role
	MemberDeleted  = Change{"member.deleted", []string{AllTopics}, ForEveryone}
	AccountUpdated = Change{"account.updated", []string{AllTopics}, ForMember} // time zone, locale, e-mail address

	CredentialsChanged = Change{"credentials.changed", []string{AccountTopic}, ForMember} // revoked sessions, device passwords, second factors; sign-ins are not recorded, because a script may sign in with every request

	BlockChanged = Change{"block.changed", []string{BlocksTopic}, ForParticipants} // recorded together with CirclesChanged, since blocks affect circles

	MessageSent = Change{"message.sent", []string{MessagesTopic}, ForParticipants}
	ThreadRead  = Change{"thread.read", []string{MessagesTopic}, ForMember}

	CalendarUpdated    = Change{"calendar.updated", []string{TimeTopic}, ForAudience} // also for a change of its objects
	CalendarArranged   = Change{"calendar.arranged", []string{TimeTopic}, ForMember}  // access, position, visibility, feed
	PreferencesUpdated = Change{"calendar.preferences", []string{TimeTopic, PreferencesTopic}, ForMember}
	MirrorsUpdated     = Change{"calendar.mirrors", []string{TimeTopic}, ForAudience}

	ZonesUpdated = Change{"zones.updated", []string{AllTopics}, ForEveryone} // time zone data; times in all datasets follow from it

	WorkspaceChanged = Change{"workspace.changed", []string{SurfaceTopic}, ForMember}

	CommunityUpdated    = Change{"community.updated", []string{SocialTopic}, ForAudience} // including the invited members
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
	RSVPsRevoked        = Change{"rsvps.revoked", []string{EventsTopic}, ForEveryone} // or events were cancelled: because of a block, a change of a membership or a deletion
	DMSent              = Change{"dm.sent", []string{DMsTopic}, ForParticipants}
	DMRead              = Change{"dm.read", []string{DMsTopic}, ForMember}
	NotificationSent    = Change{"notification.sent", []string{NotificationsTopic}, ForMember}
	NotificationsRead   = Change{"notifications.read", []string{NotificationsTopic}, ForMember} // or deleted because of their age

	ProvidersUpdated = Change{"providers.updated", []string{ProvidersTopic}, ForEveryone} // records or state of a provider

	SearchesChanged = Change{"searches.changed", []string{SearchesTopic}, ForMember} // a search was added, or the history was deleted

	MapsUpdated = Change{"maps.updated", []string{MapsTopic}, ForEveryone} // a region was imported or removed
)
