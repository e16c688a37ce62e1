package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Service is the Social service. Its methods may be called from any goroutine.
type Service struct {
	directory Directory
	calendars Calendars
	kept      kept[*circles]
	reading   kept[string] // the audiences of members, for json_each
	q         queries
}

// New returns the service.
func New(directory Directory, calendars Calendars) *Service {
	s := &Service{directory: directory, calendars: calendars}
	store.Bind("social", &s.q)
	return s
}

// queries are the statements of sql/queries/social.sql.
type queries struct {
	Audiences         store.Query `sql:"audiences"`
	AudienceMembers   store.Query `sql:"audience-members"`
	CommunityAudience store.Query `sql:"community-audience"`
	CircleAudience    store.Query `sql:"circle-audience"`
	AddAudience       store.Query `sql:"add-audience"`
	AddGuests         store.Query `sql:"add-guests"`

	Graph            store.Query `sql:"graph"`
	SetGraphRevision store.Query `sql:"set-graph-revision"`
	Gatherings       store.Query `sql:"gatherings"`

	Hidden       store.Query `sql:"hidden"`
	Blocked      store.Query `sql:"blocked"`
	BlocksOf     store.Query `sql:"blocks-of"`
	Blocks       store.Query `sql:"blocks"`
	Blockers     store.Query `sql:"blockers"`
	AddBlock     store.Query `sql:"add-block"`
	BlockedAt    store.Query `sql:"blocked-at"`
	DeleteBlock  store.Query `sql:"delete-block"`
	ForgetBlocks store.Query `sql:"forget-blocks"`

	AddActivity      store.Query `sql:"add-activity"`
	AddNotifications store.Query `sql:"add-notifications"`
	AddConversation  store.Query `sql:"add-conversation"`

	ListCommunities   store.Query `sql:"list-communities"`
	Communities       store.Query `sql:"communities"`
	AddCommunity      store.Query `sql:"add-community"`
	SaveCommunity     store.Query `sql:"save-community"`
	DeleteCommunities store.Query `sql:"delete-communities"`
	CountMembers      store.Query `sql:"count-members"`
	EncloseActivity   store.Query `sql:"enclose-activity"`

	CommunityMembers store.Query `sql:"community-members"`
	CommunityMember  store.Query `sql:"community-member"`
	CommunityStaff   store.Query `sql:"community-staff"`
	SetMembership    store.Query `sql:"set-membership"`
	SetRoles         store.Query `sql:"set-roles"`
	EndMemberships   store.Query `sql:"end-memberships"`
	MembershipsOf    store.Query `sql:"memberships-of"`
	EndMembershipsOf store.Query `sql:"end-memberships-of"`
	Heirs            store.Query `sql:"heirs"`
	Deserted         store.Query `sql:"deserted"`

	Invitation               store.Query `sql:"invitation"`
	PendingInvitation        store.Query `sql:"pending-invitation"`
	InvitationsReceived      store.Query `sql:"invitations-received"`
	InvitationsWaiting       store.Query `sql:"invitations-waiting"`
	InvitationsInto          store.Query `sql:"invitations-into"`
	AddInvitation            store.Query `sql:"add-invitation"`
	AnswerInvitation         store.Query `sql:"answer-invitation"`
	AcceptInvitations        store.Query `sql:"accept-invitations"`
	InvitedInto              store.Query `sql:"invited-into"`
	RevokeInvitationsInto    store.Query `sql:"revoke-invitations-into"`
	RevokeInvitationsOf      store.Query `sql:"revoke-invitations-of"`
	RevokeInvitationsBetween store.Query `sql:"revoke-invitations-between"`
	Profiles                 store.Query `sql:"profiles"`
	PutProfile               store.Query `sql:"put-profile"`
	ClosedProfiles           store.Query `sql:"closed-profiles"`
	ForgetProfile            store.Query `sql:"forget-profile"`
	SharedCommunities        store.Query `sql:"shared-communities"`
	Presence                 store.Query `sql:"presence"`
	Present                  store.Query `sql:"present"`
	PresentAmong             store.Query `sql:"present-among"`
	PutPresence              store.Query `sql:"put-presence"`
	ForgetPresence           store.Query `sql:"forget-presence"`

	DMs               store.Query `sql:"dms"`
	TheseDMs          store.Query `sql:"these-dms"`
	DMBetween         store.Query `sql:"dm-between"`
	DMsUnread         store.Query `sql:"dms-unread"`
	DMMessages        store.Query `sql:"dm-messages"`
	DMPlace           store.Query `sql:"dm-place"`
	CommonEvents      store.Query `sql:"common-events"`
	AddDM             store.Query `sql:"add-dm"`
	AddDMParticipants store.Query `sql:"add-dm-participants"`
	NextDMSeq         store.Query `sql:"next-dm-seq"`
	AddDMMessage      store.Query `sql:"add-dm-message"`
	DeliverDM         store.Query `sql:"deliver-dm"`
	MarkDM            store.Query `sql:"mark-dm"`
	LeaveDMs          store.Query `sql:"leave-dms"`
	DropDMs           store.Query `sql:"drop-dms"`
	Admitted          store.Query `sql:"admitted"`
	AudienceCircle    store.Query `sql:"audience-circle"`

	LatestConversations store.Query `sql:"latest-conversations"`
	Conversations       store.Query `sql:"conversations"`
	CountConversations  store.Query `sql:"count-conversations"`
	Posting             store.Query `sql:"posting"`
	ChangeConversation  store.Query `sql:"change-conversation"`
	Replies             store.Query `sql:"replies"`
	ReplySeq            store.Query `sql:"reply-seq"`
	CountReply          store.Query `sql:"count-reply"`
	AddReply            store.Query `sql:"add-reply"`
	MarkConversation    store.Query `sql:"mark-conversation"`
	Participants        store.Query `sql:"participants"`
	ForgetMarkers       store.Query `sql:"forget-markers"`

	Activity            store.Query `sql:"activity"`
	ForgetActivity      store.Query `sql:"forget-activity"`
	Titles              store.Query `sql:"titles"`
	Notifications       store.Query `sql:"notifications"`
	UnreadNotifications store.Query `sql:"unread-notifications"`
	ReadNotifications   store.Query `sql:"read-notifications"`
	ForgetNotifications store.Query `sql:"forget-notifications"`
	DropNotifications   store.Query `sql:"drop-notifications"`

	SeenEvents             store.Query `sql:"seen-events"`
	EventsOf               store.Query `sql:"events-of"`
	NextEvents             store.Query `sql:"next-events"`
	PastEvents             store.Query `sql:"past-events"`
	Standing               store.Query `sql:"standing"`
	AddEvent               store.Query `sql:"add-event"`
	SaveEvent              store.Query `sql:"save-event"`
	ReviseEvent            store.Query `sql:"revise-event"`
	PurgeEvent             store.Query `sql:"purge-event"`
	PurgeConversation      store.Query `sql:"purge-conversation"`
	PurgeActivity          store.Query `sql:"purge-activity"`
	PurgeNotifications     store.Query `sql:"purge-notifications"`
	PurgeGuests            store.Query `sql:"purge-guests"`
	Attendance             store.Query `sql:"attendance"`
	CountRSVPs             store.Query `sql:"count-rsvps"`
	PutRSVP                store.Query `sql:"put-rsvp"`
	AskRSVP                store.Query `sql:"ask-rsvp"`
	UnaskRSVP              store.Query `sql:"unask-rsvp"`
	DropGuest              store.Query `sql:"drop-guest"`
	DropRSVPs              store.Query `sql:"drop-rsvps"`
	RSVPsBetween           store.Query `sql:"rsvps-between"`
	RSVPsIn                store.Query `sql:"rsvps-in"`
	RSVPsInCircles         store.Query `sql:"rsvps-in-circles"`
	EventsIn               store.Query `sql:"events-in"`
	RSVPsOf                store.Query `sql:"rsvps-of"`
	Hosted                 store.Query `sql:"hosted"`
	DropGuestsOf           store.Query `sql:"drop-guests-of"`
	InvitationsTo          store.Query `sql:"invitations-to"`
	Asked                  store.Query `sql:"asked"`
	PendingToEvent         store.Query `sql:"pending-to-event"`
	AnswerEventInvitations store.Query `sql:"answer-event-invitations"`
	ExtendInvitations      store.Query `sql:"extend-invitations"`
	InvitationsToEvent     store.Query `sql:"invitations-to-event"`
	NearestCommunities     store.Query `sql:"nearest-communities"`
	CountCommunities       store.Query `sql:"count-communities"`
	Charges                store.Query `sql:"charges"`
	PendingInvitations     store.Query `sql:"pending-invitations"`
	CountEvents            store.Query `sql:"count-events"`

	ExportMemberships   store.Query `sql:"export-memberships"`
	ExportConversations store.Query `sql:"export-conversations"`
	ExportReplies       store.Query `sql:"export-replies"`
	ExportEvents        store.Query `sql:"export-events"`
	ExportRSVPs         store.Query `sql:"export-rsvps"`
	ExportInvitations   store.Query `sql:"export-invitations"`
}

// MemberDeleted takes a member out of everything. What they said to others stays.
func (s *Service) MemberDeleted(tx *store.Tx, member svc.MemberID) error {
	if err := s.leftEvents(tx, member); err != nil {
		return err
	}
	for _, q := range []store.Query{s.q.ForgetBlocks, s.q.ForgetProfile, s.q.ForgetPresence, s.q.LeaveDMs, s.q.DropDMs,
		s.q.ForgetMarkers, s.q.DropNotifications} {
		if _, err := tx.Exec(q, store.Args{"member": member}); err != nil {
			return err
		}
	}
	return s.leaveAll(tx, member)
}

// How long it is told what happened: to everybody who may see it, and to whom
// it was told.
const (
	activityTime     = 365 * 24 * time.Hour
	notificationTime = 90 * 24 * time.Hour
)

// maxCleaned bounds how much one cleaning removes of each, so that no writer
// waits long for it.
const maxCleaned = 10000

// Clean removes what is told no more. An hourly job calls it.
func (s *Service) Clean(tx *store.Tx) error {
	for _, c := range []struct {
		q   store.Query
		age time.Duration
	}{{s.q.ForgetActivity, activityTime}, {s.q.ForgetNotifications, notificationTime}} {
		if _, err := tx.Exec(c.q, store.Args{"before": store.MillisOf(tx.Now().Add(-c.age)), "limit": maxCleaned}); err != nil {
			return err
		}
	}
	return nil
}
