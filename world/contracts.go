package world

import (
	"fmt"
	"reflect"

	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
)

// ContractType is a contract with the Go type that carries it. The schema of
// each is in assets/schema, held to the type by a test, and served.
type ContractType struct {
	Contract
	Type reflect.Type `json:"-"`
}

// Contracts are all that a runtime can read of a world without screens; package
// world/compat adds the others.
var Contracts = []ContractType{
	{Contract{"service.admin.members", 1}, reflect.TypeFor[identity.MemberPage]()},
	{Contract{"service.error", 1}, reflect.TypeFor[svc.ErrorResponse]()},
	{Contract{"service.find.finding", 1}, reflect.TypeFor[svc.Finding]()},
	{Contract{"service.find.panel", 1}, reflect.TypeFor[FindPanel]()},
	{Contract{"service.identity.directory", 1}, reflect.TypeFor[identity.Directory]()},
	{Contract{"service.identity.member", 1}, reflect.TypeFor[identity.Me]()},
	{Contract{"service.identity.session", 1}, reflect.TypeFor[identity.Session]()},
	{Contract{"service.messages.message", 1}, reflect.TypeFor[messages.Message]()},
	{Contract{"service.messages.object_source", 1}, reflect.TypeFor[messages.Source]()},
	{Contract{"service.messages.panel", 1}, reflect.TypeFor[MessagesPanel]()},
	{Contract{"service.messages.thread", 1}, reflect.TypeFor[MessageThread]()},
	{Contract{"service.runtime.dataset", 1}, reflect.TypeFor[Dataset]()},
	{Contract{"service.social.block", 1}, reflect.TypeFor[social.Block]()},
	{Contract{"service.social.circle", 1}, reflect.TypeFor[social.Circle]()},
	{Contract{"service.social.community", 1}, reflect.TypeFor[Community]()},
	{Contract{"service.social.community_member", 1}, reflect.TypeFor[CommunityMember]()},
	{Contract{"service.social.graph", 1}, reflect.TypeFor[social.Graph]()},
	{Contract{"service.social.invitation", 1}, reflect.TypeFor[Invitation]()},
	{Contract{"service.social.dm", 1}, reflect.TypeFor[SocialDM]()},
	{Contract{"service.social.dm_message", 1}, reflect.TypeFor[social.DMMessage]()},
	{Contract{"service.social.object_source", 1}, reflect.TypeFor[social.Source]()},
	{Contract{"service.social.person", 1}, reflect.TypeFor[Person]()},
	{Contract{"service.social.presence", 1}, reflect.TypeFor[social.Presence]()},
	{Contract{"service.social.profile", 1}, reflect.TypeFor[Profile]()},
	{Contract{"service.social.activity", 1}, reflect.TypeFor[Activity]()},
	{Contract{"service.social.conversation", 1}, reflect.TypeFor[Conversation]()},
	{Contract{"service.social.notification", 1}, reflect.TypeFor[Notification]()},
	{Contract{"service.social.reply", 1}, reflect.TypeFor[social.Reply]()},
	{Contract{"service.social.event", 1}, reflect.TypeFor[Event]()},
	{Contract{"service.social.rsvp", 1}, reflect.TypeFor[social.RSVP]()},
	{Contract{"service.time.calendar", 1}, reflect.TypeFor[Calendar]()},
	{Contract{"service.time.object", 1}, reflect.TypeFor[TimeObject]()},
	{Contract{"service.time.object_source", 1}, reflect.TypeFor[calendar.Source]()},
	{Contract{"service.time.social_event_push", 1}, reflect.TypeFor[calendar.EventPush]()},
	{Contract{"service.time.workspace", 1}, reflect.TypeFor[TimePanel]()},
	{Contract{"service.world.action_response", 1}, reflect.TypeFor[ActionResponse]()},
	{Contract{"service.world.panel", 1}, reflect.TypeFor[Panel]()},
}

// File is the name of the contract's schema in assets.
func (c Contract) File() string { return fmt.Sprintf("schema/%s.%d.json", c.Name, c.Version) }
