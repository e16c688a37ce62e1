// Package action declares the actions that a member can perform, their controls
// and addresses, and the ids of objects and actions.
//
// # Files
//
//   - action.go       Action, Command, Control, Option, Target
//   - builder.go      Builder, which makes the actions of one dataset
//   - control.go      constructors of controls
//   - id.go           Source, Namer: ids of objects and actions
//   - path.go         the addresses of World
//   - guidance.go     what an error proposes instead of the rejected request
//   - workspace.go    actions of the workspace and on findings
//   - time.go         actions of calendars, events and tasks
//   - message.go      actions of threads
//   - social.go       actions of Social that concern no record
//   - community.go    actions of communities, community members and invitations
//   - conversation.go actions of conversations
//   - event.go        actions of events
//   - dm.go           actions of direct messages
//   - profile.go      actions of profiles
package action
