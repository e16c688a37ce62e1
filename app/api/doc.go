// Package api performs the operations of the JSON interface: each is declared once, with its
// route, its request and its response, and calls a service or World in one transaction.
//
// # Files
//
//   - server.go: Server and its dependencies
//   - operation.go: operation, the declaration of one operation of the JSON interface
//   - description.go: description, the part of the document about one route
//   - openapi.go: the OpenAPI document of World
//   - world.go: dataset, actions, schemas, and writes with an idempotency key
//   - session.go: session and translated output
//   - identity.go: sessions, members, device passwords
//   - me.go: the account of the member: profile, e-mail address, user name, password
//   - factor.go: second factors
//   - devicelink.go: links to set up a device
//   - export.go: export of a member
//   - settings.go: the panel of settings, options of controls
//   - calendars.go: calendars
//   - time.go: entries, preferences and the panel of Time
//   - timerecord.go: records of calendars and entries, version conflicts, options of
//     controls
//   - trash.go: trash of the calendars
//   - feeds.go: feed links, and calendars as iCalendar
//   - imports.go: upload of an iCalendar file
//   - producer.go: Time for clients with the service key
//   - messages.go: threads, messages and their panel
//   - history.go: opening a thread, a DM or a conversation marks it as read
//   - social.go: circles and blocks
//   - communities.go: communities and invitations
//   - conversations.go: conversations and replies
//   - events.go: events and RSVPs
//   - profiles.go: profiles, people and presence
//   - dms.go: direct messages
//   - activity.go: activity and notifications
//   - socialpanel.go: the panel of Social
//   - operator.go: members and invitations, for operators in World
//   - operatorserver.go: backups, regions and providers, for operators in World
//   - operatorpanel.go: the panel of operators, and the state of the server
//   - panel.go: ETags of the panels
//   - stream.go: the stream of changes
//   - find.go: searches and their history
//   - provider.go: providers and their actions
//   - surface.go: surfaces and stacks
//   - translate.go: previews of web pages
//   - picture.go: pictures of web pages
//   - avatar.go: avatars of members and communities
//   - tile.go: map tiles
//   - maps.go: the places of an area, and Maps for clients with the service key
//   - health.go: liveness and readiness
package api
