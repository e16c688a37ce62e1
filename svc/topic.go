package svc

// The topics of changes ([store.Tx.Touch]): what a member sees that changes
// without the rest.
const (
	TimeTopic     = "time"
	MessagesTopic = "messages"
	SurfaceTopic  = "surface"

	BlocksTopic = "blocks" // of the two alone: who may write to whom
	// What shows in all of social life: communities, who is in them, who is
	// close to whom, profiles, invitations.
	SocialTopic        = "social"
	ConversationsTopic = "social.conversations" // its items are conversations, but not those of events
	DMsTopic           = "social.dms"           // DMs
	EventsTopic        = "social.events"        // events
	PresenceTopic      = "social.presence"      // members
	NotificationsTopic = "social.notifications"
)

// Version tells one state of something from another: what has the same version
// is the same.
type Version struct {
	ID      string `db:"id"`
	Version string `db:"version"`
}
