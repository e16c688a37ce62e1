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
	kept      kept
	q         queries
}

// New returns the service. What it needs is connected with Connect, since
// others need it too.
func New() *Service {
	s := &Service{kept: kept{byID: make(map[svc.MemberID]*circles)}}
	store.Bind("social", &s.q)
	return s
}

// Connect tells the service of those it needs, before it is used.
func (s *Service) Connect(directory Directory, calendars Calendars) {
	s.directory, s.calendars = directory, calendars
}

// queries are the statements of sql/queries/social.sql.
type queries struct {
	Audiences         store.Query `sql:"audiences"`
	AudienceMembers   store.Query `sql:"audience-members"`
	CommunityAudience store.Query `sql:"community-audience"`
	CircleAudience    store.Query `sql:"circle-audience"`
	AddAudience       store.Query `sql:"add-audience"`
	AddGuests         store.Query `sql:"add-guests"`

	GraphRevision    store.Query `sql:"graph-revision"`
	SetGraphRevision store.Query `sql:"set-graph-revision"`
	Gatherings       store.Query `sql:"gatherings"`

	Hidden       store.Query `sql:"hidden"`
	Apart        store.Query `sql:"apart"`
	BlocksOf     store.Query `sql:"blocks-of"`
	Blocks       store.Query `sql:"blocks"`
	AddBlock     store.Query `sql:"add-block"`
	BlockedAt    store.Query `sql:"blocked-at"`
	DeleteBlock  store.Query `sql:"delete-block"`
	ForgetBlocks store.Query `sql:"forget-blocks"`

	AddActivity      store.Query `sql:"add-activity"`
	AddNotifications store.Query `sql:"add-notifications"`
	AddConversation  store.Query `sql:"add-conversation"`

	Event                  store.Query `sql:"event"`
	EventsOf               store.Query `sql:"events-of"`
	Events                 store.Query `sql:"events"`
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
	RSVPsOf                store.Query `sql:"rsvps-of"`
	Hosted                 store.Query `sql:"hosted"`
	DropGuestsOf           store.Query `sql:"drop-guests-of"`
	AddEventInvitation     store.Query `sql:"add-event-invitation"`
	EventInvitation        store.Query `sql:"event-invitation"`
	EventInvitations       store.Query `sql:"event-invitations"`
	Asked                  store.Query `sql:"asked"`
	PendingToEvent         store.Query `sql:"pending-to-event"`
	AnswerEventInvitations store.Query `sql:"answer-event-invitations"`
	ExtendInvitations      store.Query `sql:"extend-invitations"`
	InvitationsToEvent     store.Query `sql:"invitations-to-event"`
	RevokeEventInvitations store.Query `sql:"revoke-event-invitations"`
}

// Joined implements identity.Household: everybody begins with nothing here.
func (s *Service) Joined(*store.Tx, svc.MemberID, string) error { return nil }

// Recovered implements identity.Household: nothing here opens without signing
// in.
func (s *Service) Recovered(*store.Tx, svc.MemberID) error { return nil }

// Left takes a member out of everything. What they said to others stays.
func (s *Service) Left(tx *store.Tx, member svc.MemberID) error {
	if err := s.leftEvents(tx, member); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.ForgetBlocks, store.Args{"member": member}); err != nil {
		return err
	}
	return s.regraph(tx)
}

// stamp is a moment as JSON has it.
func stamp(t store.Millis) time.Time { return t.Time().Truncate(time.Second) }
