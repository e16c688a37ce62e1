package social

import (
	"slices"
	"testing"

	"appliance/store/storetest"
	"appliance/svc"
)

// without returns a set without values that are not stored.
func without[T ~string](set []string, computed ...T) []string {
	return slices.DeleteFunc(set, func(v string) bool { return slices.Contains(computed, T(v)) })
}

func TestConstraintsPermitTheValuesOfTheSets(t *testing.T) {
	db, _ := storetest.Open(t)
	storetest.WantSets(t, db, "social_", map[string][]string{
		"social_community.visibility":     CommunityVisibility("").Values(),
		"social_community.join_policy":    JoinPolicy("").Values(),
		"social_membership.state":         without(MembershipState("").Values(), MembershipNone, MembershipInvited),
		"social_membership.role":          Role("").Values(),
		"social_audience.kind":            {"everyone", "community", "circle", "guests"}, // only in queries
		"social_conversation.context":     ContextKind("").Values(),
		"social_conversation.state":       ConversationState("").Values(),
		"social_event.visibility":         EventVisibility("").Values(),
		"social_rsvp.response":            svc.Response("").Values(),
		"social_invitation.state":         without(InvitationState("").Values(), InvitationExpired),
		"social_profile.visibility":       ProfileVisibility("").Values(),
		"social_presence.state":           PresenceState("").Values(),
		"social_presence.visible_to":      PresenceAudience("").Values(),
		"social_activity.target_type":     without(TargetType("").Values(), TargetInvitation, TargetDM),
		"social_notification.kind":        NotificationKind("").Values(),
		"social_notification.target_type": TargetType("").Values(),
	})
}
