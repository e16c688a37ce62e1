// Package action declares the actions that a member can perform, with their
// requests and controls, and the ids of objects and actions.
//
// # Why
//
// Each action is one [Entry] in the [Table] for its kind of record. Three
// renderings are derived from the table: the actions of the dataset
// ([Table.Actions]), the actions map of a record ([Table.URLs]), and the buttons
// and forms of a panel (package panel, from [Table.Offers]). Labels, methods,
// permissions, confirmations and controls therefore agree. The sources of records for
// clients with the service key name the same actions ([Table.DomainActions]).
//
// The dataset and panels publish the PATCH or DELETE request on the record. An
// actions map has no methods: its URLs accept POST, or GET if their name begins
// with open. A PATCH or DELETE request therefore has a POST route, whose last
// segment is the name of the entry; a fixed field of the body is fixed by that
// route. The operations of package api take their requests and these routes from
// here ([Table.Endpoint]), so that a path is written once.
//
// # Files
//
//   - action.go: Action, Command, Control, Option, Target
//   - table.go: Table, Entry, Offer, Endpoint, and the renderings
//   - builder.go: Builder: the actions of one member's dataset
//   - control.go: constructors of controls
//   - controltype.go: the types of controls
//   - id.go: Source, Namer: ids of objects and actions
//   - path.go: URLs of World
//   - guidance.go: alternatives to a rejected request
//   - workspace.go: the workspace, findings, field controls
//   - place.go: places of the field, and its position
//   - find.go: searches
//   - provider.go: actions of providers
//   - time.go: calendar events and tasks
//   - timefield.go: TimeField, the controls of calendar events and tasks
//   - calendar.go: calendars and the trash
//   - calendarlink.go: import, export and feeds of calendars; the whole trash
//   - account.go: the account of the member, device passwords, sessions
//   - factor.go: second factors
//   - message.go: threads of Messages, direct messages of Social
//   - social.go: Social: new records, notifications, activity
//   - community.go: communities, community members, invitations
//   - conversation.go: conversations
//   - event.go: events of Social
//   - profile.go: members and blocks
//   - operator.go: the server, for operators: invitations, backups, regions, providers
//   - operator_member.go: members, for operators
package action
