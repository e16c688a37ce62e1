package identity

import "appliance/store"

// queries are the statements of sql/queries/identity.sql.
type queries struct {
	AddMember      store.Query `sql:"add-member"`
	Member         store.Query `sql:"member"`
	MemberByLogin  store.Query `sql:"member-by-login"`
	SaveMember     store.Query `sql:"save-member"`
	SeeMember      store.Query `sql:"see-member"`
	Taken          store.Query `sql:"taken"`
	UsernamesLike  store.Query `sql:"usernames-like"`
	Anybody        store.Query `sql:"anybody"`
	OtherOperators store.Query `sql:"other-operators"`
	People         store.Query `sql:"people"`
	Names          store.Query `sql:"names"`
	PeopleNamed    store.Query `sql:"people-named"`
	Directory      store.Query `sql:"directory"`
	Members        store.Query `sql:"members"`

	GenerationStands store.Query `sql:"generation-stands"`

	TokenCounts  store.Query `sql:"token-counts"`
	AddToken     store.Query `sql:"add-token"`
	Bearer       store.Query `sql:"bearer"`
	TokenStands  store.Query `sql:"token-stands"`
	SlideToken   store.Query `sql:"slide-token"`
	Tokens       store.Query `sql:"tokens"`
	DropToken    store.Query `sql:"drop-token"`
	DropTokens   store.Query `sql:"drop-tokens"`
	TrimTokens   store.Query `sql:"trim-tokens"`
	ExpireTokens store.Query `sql:"expire-tokens"`

	AddDevice   store.Query `sql:"add-device"`
	Devices     store.Query `sql:"devices"`
	Device      store.Query `sql:"device"`
	UseDevice   store.Query `sql:"use-device"`
	DropDevice  store.Query `sql:"drop-device"`
	DropDevices store.Query `sql:"drop-devices"`

	AddTicket      store.Query `sql:"add-ticket"`
	Ticket         store.Query `sql:"ticket"`
	UseTicket      store.Query `sql:"use-ticket"`
	Invitations    store.Query `sql:"invitations"`
	DropInvitation store.Query `sql:"drop-invitation"`
	DropResets     store.Query `sql:"drop-resets"`
	DropTickets    store.Query `sql:"drop-tickets"`
	DropMade       store.Query `sql:"drop-made-tickets"`
	ExpireTickets  store.Query `sql:"expire-tickets"`

	AddAudit store.Query `sql:"add-audit"`
	Audit    store.Query `sql:"audit"`
	AuditOf  store.Query `sql:"audit-of"`
}
