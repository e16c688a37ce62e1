// Package svc contains the types that all services share. Of this program it imports only
// packages without services: the texts and the time zone database.
//
// # Files
//
//   - viewer.go: Viewer, the authenticated caller of a request; Person
//   - appearance.go: Appearance, the color and the avatar of members and communities
//   - errors.go: Error and the published error codes
//   - id.go: ids and secrets
//   - json.go: List and Dict, which encode as [] and {} when empty; EncodeJSON
//   - optional.go: Optional, a field of a change
//   - set.go: closed sets of texts, and their check in requests
//   - page.go: pages of lists and their cursors
//   - history.go: pages of messages and replies, counted back from the newest
//   - text.go: limits and validation of text
//   - entity.go: Entity, a mention in a text
//   - zone.go: Zone, the only loader of time zones, and ZoneInUse, the zone of a response
//   - change.go: the table of changes: the topics that each write changes, and their readers
//   - version.go: Version, the state of an object
//   - eventsync.go: Social events as calendars mirror them
//   - finding.go: findings of Find
//   - hosted.go: HostedService, the state of a service as the program runs it
//   - work.go: Work, the limit of the computation of a request
//   - spool.go: Spool, a body kept in memory and a temporary file
//
// # Conventions
//
// Services share one mechanism for each of these jobs:
//
//   - Instants: [appliance/store.Millis] in columns; time.Time in Go and in JSON
//     contracts, converted with Millis.Timestamp or store.OptionalTimestamp.
//   - Fields that may be absent from a change: [Optional], applied with
//     [Optional.Apply].
//   - Lists in queries: store.JSONArray and json_each.
//   - Sets of values: map[T]bool.
//   - Closed sets of texts, such as states: types that implement [Set]. The decoder of requests
//     refuses other values; [CheckChosen] is for a field that must not be empty.
//   - Lists and objects in JSON contracts: [List] and [Dict].
//
// A type that only one service uses belongs to that service.
package svc
