package svc

// The topics of changes, for Touch in package store. Each names a part of the
// visible data that changes independently of the rest.
const (
	TimeTopic     = "time"
	MessagesTopic = "messages"
	SurfaceTopic  = "surface"

	BlocksTopic = "blocks" // touched for the two members of a block only
	// SocialTopic covers what all parts of Social show: communities,
	// memberships, circles, profiles and invitations.
	SocialTopic        = "social"
	ConversationsTopic = "social.conversations" // items: conversations, except those of events
	DMsTopic           = "social.dms"           // items: DMs
	EventsTopic        = "social.events"        // items: events
	PresenceTopic      = "social.presence"      // items: members
	NotificationsTopic = "social.notifications"
)

// Version identifies a state of an object: an object with the same version has not
// changed.
type Version struct {
	ID      string `db:"id"`
	Version string `db:"version"`
}
