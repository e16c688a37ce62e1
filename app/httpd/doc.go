// Package httpd handles the HTTP requests of the program: it authenticates,
// decodes the request, calls a service or World in one transaction, and
// encodes the response.
//
// # Files
//
//   - server.go: Server and its dependencies
//   - operation.go: operation, the declaration of one operation of the JSON interface
//   - routes.go: routes, and those that are not declared as operations
//   - openapi.go: the OpenAPI document of World
//   - description.go: description, the part of the document about one route
//   - handler.go: the path of a request, errors, concurrency of reads
//   - body.go: the time and memory for request bodies
//   - decode.go: JSON and form bodies, parameters
//   - auth.go: credentials, viewers and sessions
//   - world.go: dataset, actions, schemas, and writes with an idempotency key
//   - session.go: session and translated output
//   - identity.go: sign-in, members, sessions, device passwords, administration
//   - me.go: the account of the member: profile, e-mail address, user name, password
//   - devicesetup.go: links to set up a device
//   - profile.go: configuration profiles of Apple devices
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
//   - dav.go: CalDAV
//   - health.go: liveness and readiness
//   - compress.go: compression of responses
//   - errorpage.go: errors as pages for people and as JSON for programs
//   - pages.go: rendering of HTML pages
//   - webapp.go: the page and the files of the web app
//   - webcomments.go: removal of the comments of modules
//   - appmanifest.go: the manifest and the icons of the installed web app
//   - setup.go: the set-up page
//   - factor.go: second factors
//   - factorpage.go: the second step of the sign-in page
//   - signin.go: the pages for sign-in, registration and password reset
//   - account.go: the account page
//
// # Why
//
// A handler writes a complete response and returns nil, or writes nothing and
// returns an error. One function turns errors into responses and log lines.
//
// An error is {"error": {…}}, not the format of RFC 9457: the status member of
// that format is an integer, responses of the search have a textual one, and
// clients read both with one decoder.
//
// The check that a session still exists is kept in the context of a request
// ([store.WithWriteGuard]), although a context otherwise carries no authority.
// A request body may arrive long after the request was authenticated, so the
// check must run inside every write transaction. As a parameter it would have
// to pass through every handler, the CalDAV protocol and World, and each of
// them could forget it. It can only make a write fail.
package httpd
