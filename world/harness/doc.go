// Package harness checks a running World over HTTP, like a strict runtime that is written
// from the published documents only. It depends on no other package of this program, so it
// can check any implementation of World.
//
// # Files
//
//   - harness.go: Run, the report and the table of all checks
//   - client.go: sends requests and records the responses
//   - value.go: JSON values with their paths
//   - recorder.go: collects the problems that a check finds
//   - vocabulary.go: presentation terms, markup, secrets, keys with member text
//   - times.go: timestamps
//   - urls.go: World URLs, and all URLs that a document publishes
//   - schema.go: validation against the published schemas
//   - requests.go: checks of headers, credentials, parameters and statuses
//   - dataset.go: checks of the canonical dataset
//   - references.go: checks of references within the dataset
//   - changes.go: checks of the changes since a dataset
//   - session.go: checks of the session
//   - badges.go: checks of badges, of removable surfaces and of the description of the server
//   - surface.go: checks of the surface runtime
//   - find.go: checks of findings, searches and opened places
//   - field.go: checks of the field
//   - place.go: checks of the places and the map of the field
//   - translated.go: checks of the translated output
//   - panels.go: checks of the panels
//   - settings.go: checks of the panel of settings
//   - operator.go: checks of the administration, which only operators see
//   - lists.go: lists of records, page by page
//   - messages.go: checks of message threads and messages
//   - social.go: checks of the lists of Social
//   - people.go: checks of circles, profiles, presence and blocks
//   - appearance.go: checks of colors and avatars
//   - stream.go: checks of the stream of changes
//   - links.go: checks of every published URL
//   - responses.go: checks of all responses that were recorded
//
// # Requests
//
// A run does not change the member's data. It sends:
//
//   - GET. Links are followed with Sec-Purpose: prefetch, and threads are read
//     with peek=1, so that no read cursor moves.
//   - POST /world/session, which only reads.
//   - The method PROBE to the URLs of commands. No route accepts it; the Allow
//     header of the 405 response lists the accepted methods.
//   - Requests that must be refused: malformed bodies, forms with empty required
//     controls, unknown surfaces, unknown recipients. If a World accepts one, the
//     report says so.
//
// PUT, PATCH and DELETE are sent only to URLs that do not exist or do not accept
// them.
//
// # Limits
//
// A response may have 16 MiB and take 30 seconds; all responses together may have
// 256 MiB. Of a stream, at most the first event is read, for up to 10 seconds.
// Redirections are not followed, and no other host is contacted. A run tries 3 URLs
// of each kind, and 150 links, 100 commands and 30 forms in total. It waits at most
// a minute when World replies with Retry-After.
package harness
