package social

import (
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// A pending invitation expires for every member who sees it: the inviter, the invitee, and
// the staff of the community, who see it in the community and alone. Covers B-102.
func TestInvitationExpiresForEveryMemberWhoSeesIt(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cem", "dan")
	ann, bea, cem, dan := m[0], m[1], m[2], m[3]
	club := ann.community("private", bea)
	ann.setRole(club, bea, "moderator")
	invitation := ann.invite(club, cem)
	for _, c := range []struct {
		about  string
		member actor
		record string
		want   time.Time
	}{
		{"the inviter", ann, "", s.clock.Now().Add(communityInvitationTime)},
		{"the invitee", cem, "", s.clock.Now().Add(communityInvitationTime)},
		{"a moderator, in the community", bea, club, s.clock.Now().Add(communityInvitationTime)},
		{"a moderator, alone", bea, invitation, s.clock.Now().Add(communityInvitationTime)},
		{"a moderator, in other lists", bea, "", time.Time{}},
		{"another member", dan, "", time.Time{}},
	} {
		got := read(c.member, func(tx *store.Tx, v svc.Viewer) (time.Time, error) { return s.Expires(tx, v, c.record) })
		wantEqual(t, c.about, got, c.want)
	}
}
