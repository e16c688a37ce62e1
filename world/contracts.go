package world

import (
	"reflect"

	"appliance/svc"
	"appliance/svc/calendar/index"
	"appliance/svc/calendar/mirror"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/provider/contract"
	"appliance/svc/social"
	"appliance/svc/thread"
	"appliance/world/dataset"
	"appliance/world/panel"
	"appliance/world/record"
)

// ContractType is a published contract with its Go type. A test compares the schema
// in assets/schema with the type.
type ContractType struct {
	dataset.Contract
	Type reflect.Type `json:"-"`
}

// Contracts lists the contracts without presentation. Package world/compat contains
// those with presentation.
var Contracts = []ContractType{
	{dataset.Contract{Name: "service.admin.members", Version: 1}, reflect.TypeFor[identity.MemberPage]()},
	{dataset.Contract{Name: "service.error", Version: 1}, reflect.TypeFor[svc.ErrorResponse]()},
	{dataset.Contract{Name: "service.find.finding", Version: 1}, reflect.TypeFor[svc.Finding]()},
	{dataset.Contract{Name: "service.find.result", Version: 1}, reflect.TypeFor[find.Outcome]()},
	{dataset.Contract{Name: "service.find.panel", Version: 1}, reflect.TypeFor[panel.FindPanel]()},
	{dataset.Contract{Name: "service.identity.directory", Version: 1}, reflect.TypeFor[identity.Directory]()},
	{dataset.Contract{Name: "service.identity.member", Version: 1}, reflect.TypeFor[identity.Me]()},
	{dataset.Contract{Name: "service.identity.session", Version: 1}, reflect.TypeFor[identity.Session]()},
	{dataset.Contract{Name: "service.maps.place", Version: 1}, reflect.TypeFor[record.Place]()},
	{dataset.Contract{Name: "service.messages.message", Version: 1}, reflect.TypeFor[thread.Message]()},
	{dataset.Contract{Name: "service.messages.object_source", Version: 1}, reflect.TypeFor[messages.Source]()},
	{dataset.Contract{Name: "service.messages.panel", Version: 1}, reflect.TypeFor[panel.MessagesPanel]()},
	{dataset.Contract{Name: "service.messages.thread", Version: 1}, reflect.TypeFor[record.MessageThread]()},
	{dataset.Contract{Name: "service.operator.panel", Version: 1}, reflect.TypeFor[panel.OperatorPanel]()},
	{dataset.Contract{Name: "service.runtime.dataset", Version: 1}, reflect.TypeFor[dataset.Dataset]()},
	{dataset.Contract{Name: "service.settings.panel", Version: 1}, reflect.TypeFor[panel.SettingsPanel]()},
	{dataset.Contract{Name: "service.social.block", Version: 1}, reflect.TypeFor[social.Block]()},
	{dataset.Contract{Name: "service.social.circle", Version: 1}, reflect.TypeFor[social.Circle]()},
	{dataset.Contract{Name: "service.social.community", Version: 1}, reflect.TypeFor[record.Community]()},
	{dataset.Contract{Name: "service.social.community_member", Version: 1}, reflect.TypeFor[record.CommunityMember]()},
	{dataset.Contract{Name: "service.social.graph", Version: 1}, reflect.TypeFor[social.Graph]()},
	{dataset.Contract{Name: "service.social.invitation", Version: 1}, reflect.TypeFor[record.Invitation]()},
	{dataset.Contract{Name: "service.social.dm", Version: 1}, reflect.TypeFor[record.SocialDM]()},
	{dataset.Contract{Name: "service.social.dm_message", Version: 1}, reflect.TypeFor[record.DMMessage]()},
	{dataset.Contract{Name: "service.social.object_source", Version: 1}, reflect.TypeFor[social.Source]()},
	{dataset.Contract{Name: "service.social.person", Version: 1}, reflect.TypeFor[record.Person]()},
	{dataset.Contract{Name: "service.social.presence", Version: 1}, reflect.TypeFor[social.Presence]()},
	{dataset.Contract{Name: "service.social.profile", Version: 1}, reflect.TypeFor[record.Profile]()},
	{dataset.Contract{Name: "service.social.activity", Version: 1}, reflect.TypeFor[record.Activity]()},
	{dataset.Contract{Name: "service.social.conversation", Version: 1}, reflect.TypeFor[record.Conversation]()},
	{dataset.Contract{Name: "service.social.notification", Version: 1}, reflect.TypeFor[record.Notification]()},
	{dataset.Contract{Name: "service.social.reply", Version: 1}, reflect.TypeFor[social.Reply]()},
	{dataset.Contract{Name: "service.social.event", Version: 1}, reflect.TypeFor[record.Event]()},
	{dataset.Contract{Name: "service.social.rsvp", Version: 1}, reflect.TypeFor[social.RSVP]()},
	{dataset.Contract{Name: "service.time.calendar", Version: 1}, reflect.TypeFor[record.Calendar]()},
	{dataset.Contract{Name: "service.time.object", Version: 1}, reflect.TypeFor[record.TimeObject]()},
	{dataset.Contract{Name: "service.time.object_source", Version: 1}, reflect.TypeFor[index.Source]()},
	{dataset.Contract{Name: "service.time.social_event_push", Version: 1}, reflect.TypeFor[mirror.EventPush]()},
	{dataset.Contract{Name: "service.time.workspace", Version: 1}, reflect.TypeFor[panel.TimePanel]()},
	{dataset.Contract{Name: "service.today.panel", Version: 1}, reflect.TypeFor[panel.TodayPanel]()},
	{dataset.Contract{Name: "service.world.action_response", Version: 1}, reflect.TypeFor[ActionResponse]()},
	{dataset.Contract{Name: "service.world.options", Version: 1}, reflect.TypeFor[record.Options]()},
	{dataset.Contract{Name: "service.world.panel", Version: 1}, reflect.TypeFor[panel.Panel]()},
}

// ProviderContracts lists the contracts with providers. Their schemas are written by
// hand, because they are strict: they state limits and forms of values.
var ProviderContracts = []ContractType{
	{dataset.Contract(contract.SourceContract), reflect.TypeFor[contract.Source]()},
	{dataset.Contract(contract.CommandContract), reflect.TypeFor[contract.Command]()},
	{dataset.Contract(contract.ResultContract), reflect.TypeFor[contract.Result]()},
}
