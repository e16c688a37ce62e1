// Package record defines the records that the read routes below /world return:
// the objects of the services with their links and the map of their actions.
//
// # Files
//
//   - community.go: communities, community members, invitations
//   - conversation.go: conversations, activity, notifications
//   - dm.go: direct messages of Social
//   - event.go: events
//   - list.go: converts lists to records
//   - options.go: options of controls
//   - place.go: places of Maps
//   - profile.go: profiles, people, presence
//   - thread.go: threads of Messages, search results
//   - time.go: calendar entries, calendars, the trash
//   - undo.go: the requests that undo writes of Time
package record
