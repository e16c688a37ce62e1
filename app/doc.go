// Package app assembles the program and runs it: services, HTTP server,
// background jobs, listener.
//
// # Files
//
//   - app.go: App, and Assemble, which contains every constructor call
//   - serve.go: Serve, from opening the database to a graceful stop
//   - listen.go: the port, socket activation
//   - plaintext.go: requests without TLS at a port that serves HTTPS
//   - certificate.go: the certificate, which is read again when its files change
//   - reload.go: SIGHUP: the certificate, the settings that can change and the time zone data
//   - clock.go: clockGuard, which detects that the clock was set
//   - jobs.go: background jobs
//   - backup.go: the schedule and the contents of backups
//   - check.go: the nightly check of the database file
//   - maps.go: the import of map data
//   - providers.go: the acquisition of the payloads of providers
//   - hosted.go: the state of each service
//   - version.go: the version of the program
//
// # Packages
//
//   - cli: the command line
//   - config: settings
//   - httpd: the HTTP server: routes, authentication, limits, errors
//   - api: the operations of the JSON interface
//   - pages: the pages of sign-in, set-up, the account and others
//   - webapp: the files of the web app
//   - davserver: CalDAV: routes, credentials of clients, backend of the protocol
//   - account: sign-in, passwords and second factors, for pages and operations
//   - transfer: import and export of members' data
//   - setup: creation of the first operator
//   - backups: the list of backups, and the making of one
//   - health: checks of the installation, for doctor and operators
//   - limits: rate limits and concurrency limits
//   - authlog: the log lines of sign-ins
//   - manual: topics of the manual
//   - apptest: the whole program in tests
//   - e2e: end-to-end tests, one package per concern
//
// Below them are world, which composes the dataset, the services in svc, and
// store, which is the database. A package imports only packages below it; the
// table in arch_test.go lists the permitted imports.
//
// # Path of a CalDAV PUT
//
//  1. httpd.Server.ServeHTTP sets the headers of the response and finds the route.
//  2. davserver.Server.handler authenticates the client and guards the writes of
//     the request against a revocation in the meantime.
//  3. dav.Handler.Serve resolves the path to a resource and selects the method.
//  4. dav.request.put decodes the preconditions (If, If-Match) into a function.
//  5. dav.request.storeBody reads the body and parses it with ics.Parse.
//  6. davserver.backend.Put computes the indexed occurrences of the object, before
//     the write transaction, and converts errors to those of the protocol.
//  7. store.DB.Write runs the rest in a transaction. It commits several writes
//     together and returns when they are durable.
//  8. collection.Service.Put checks access, component, precondition and UID.
//  9. object.Store.Add stores the object, or object.Store.Replace its new version:
//     quota, text, occurrences, sync number.
//  10. object.Store.TouchReaders records the change for the members with access to
//     the calendar, whose cached datasets it invalidates.
//
// # Path of a dataset read
//
//  1. httpd.Server.ServeHTTP sets the headers of the response and finds the route.
//  2. httpd.Server.serve authenticates the member and limits concurrent reads.
//  3. api.Server.getRuntime decodes the request with dataset.ParseRequest.
//  4. dataset.Composer.Respond opens a read transaction. If the ETag of the client
//     is current, the response is 304 and nothing is composed.
//  5. dataset.composition.compose adds the parts of all services. A service that
//     fails is reported in fallbacks.
//  6. dataset.newDependentPart reuses the previous result of a part from the
//     cache, unless one of its topics has changed (see svc.Change).
//  7. social.DatasetReader.EventVersions, for the part of events, lists the ids and
//     versions of the visible events; every part has such a function.
//  8. dataset.addObjects loads and encodes the objects whose version is not cached.
//  9. dataset.composition.addLayout places the objects in the workspace.
//  10. dataset.Writer.Encode writes the encoded pieces as one JSON document: only those
//     that have changed if the request names a revision that the cache knows.
//
// # Path of a social event and its RSVP
//
//  1. httpd.Server.serve authenticates the member for POST /world/social/events.
//  2. api.operation.write decodes the body, and repeats the stored response if the
//     Idempotency-Key has been used; otherwise it opens a write transaction.
//  3. social.Service.CreateEvent validates the event and resolves its times in the
//     host's time zone.
//  4. social.Service.eventAudience finds or creates the audience that can see the
//     event; reads join with it.
//  5. social.Service.addEvent stores the event, its conversation and the RSVP of
//     the host.
//  6. social.Service.announceEvent adds the activity, syncs the mirrors, and records
//     the change for the audience.
//  7. api.Server.respondToEvent, after the same first two steps, handles the RSVP.
//  8. social.Service.Respond checks visibility and capacity and stores the response.
//  9. social.Service.sendMirrors determines which attendees still see the event.
//  10. mirror.Service.SyncEvents adds, updates or removes the mirrors in their
//     calendars, which CalDAV clients then find by sync-collection.
//
// # A new operation
//
// For example, a new operation lets members pin a conversation. The entry of the action in
// action.Conversations makes it part of the dataset; the list of buttons in package panel names
// those of a panel, and assets/words/de.json has the German label. The action is offered to members for
// whom Allowed returns true; the function of the service checks it again.
//
//	{
//		Name: "pin", Type: "social.conversation.pin", Label: "Pin", Request: "POST /world/social/conversations/{id}/pin",
//		Allowed: func(c social.Conversation) bool { return c.State == social.ConversationOpen },
//	},
//
// In api/conversations.go the operation refers to it:
//
//	operation[idRequest, conversationResponse]{
//		Action: action.Conversations.Endpoint("pin"), Service: "social",
//		Summary: "Pin a conversation", Do: s.pinConversation,
//	},
//
// The route, the POST alias of a PATCH or DELETE, the decoding of the request, its idempotency
// and its part of the OpenAPI document are derived from this declaration. A test in
// api/routes_social_test.go sends the request. If the record changes, its version does, too (see
// svc.Change); a stored value needs a migration, and deletion with its member. Tests of world,
// store and e2e/social compare lists of actions, schemas and documents; with -update they write
// the generated files.
//
// # Invariants
//
// Nothing is written for a member whose access has been revoked, however long
// ago the request was authenticated.
//
// Content of members and credentials are never logged.
//
// # Why
//
// transfer, setup, limits and manual are packages of their own because both the
// HTTP server and the command line use them.
//
// # Glossary
//
// Code, SQL, tests and manual use one term for each concept.
//
// People and access:
//
//   - member: a person with an account on this server
//   - operator: a member who administers the server
//   - viewer: the authenticated caller of a request (svc.Viewer)
//   - client: a program that sends requests; runtime: a client that renders datasets
//   - session: a sign-in with its token; device password: a password for one
//     CalDAV client
//   - one-time link: the secret URL of set-up, an invitation or a password reset
//   - generation: a number of a member's credentials; a revocation increments it
//   - proof: evidence of a verified password; candidate: an account it is checked for
//   - service key: the secret of service-internal routes
//   - former member: the placeholder name of a member who is deleted, disabled or
//     hidden by a block
//   - outsider: a member who cannot see the record in question (in tests)
//
// Social:
//
//   - community: a group of members; staff: its owners and moderators
//   - circle: the members at depth 1 (inner), 2 (trusted) or 3 (extended) of the
//     discovery graph
//   - audience: the stored set of members who can see a record
//   - block: one member blocks another; each of the two is hidden from the other
//   - conversation: a post with replies
//   - event: a planned meeting; host: the member who plans it; RSVP: a response to it
//   - invitation: an offer to join a community or to attend an event
//   - activity: an entry of the feed; notification: an entry for one member
//   - presence: a member's state with an expiry; profile: the texts with which a
//     member introduces themselves
//   - DM: a conversation of two members in Social
//
// Providers:
//
//   - provider: a third-party service that publishes objects and actions
//   - payload: all records of a provider, as one snapshot
//   - acquisition: a request for the payload; ingestion: the storing of it
//   - generation of a provider: the records of one payload
//   - command: the request to perform an action; result: the answer to it
//   - subject: the pseudonym of a member at one provider
//
// Messages:
//
//   - thread: the messages between two members (its participants)
//   - read cursor: the sequence number up to which a participant has read
//
// Time:
//
//   - calendar: a set of entries; collection: its view in WebDAV
//   - calendar object: an entry with its overrides; object resource: its view in
//     WebDAV
//   - series: an entry that recurs; override: an instance with its own values
//   - occurrence: a computed and indexed instance
//   - mirror: the copy of an event in the calendar of its host or a guest
//   - trash: deleted entries that can be restored; to purge is to delete for good
//   - feed: a calendar at a secret URL
//   - sync token, tombstone, ETag, precondition: as in RFC 6578 and RFC 9110
//   - free-busy, availability: as in RFC 4791 and RFC 7953
//   - quota: a limit of what a member stores: calendars, entries, files and bytes
//   - draft: an edit that is computed before its write transaction
//
// World:
//
//   - dataset: the JSON document with everything that a member sees
//   - section: one of its lists: objects, contexts, actions, findings, fallbacks …
//   - part: the contribution of one service to it
//   - object, context, action, command, control: the items of the contract
//   - record: an object as a read route returns it, with links and actions
//   - panel: a view of a service, ready to be rendered
//   - workspace: the objects that a member has placed; focus: the selected one
//   - surface, stack, viewport, placement, overlay: the windows of a runtime
//   - finding: a search result; field: the ranked objects around a focus
//   - preview: the request of a member to read the web page of a finding; translation:
//     the conversion of the page to plain data
//   - part of a page: an object that the page describes, shown by one surface; resource:
//     the only part of a page without such objects; block: an element of a text
//   - fallback: the reason why something is absent; source: the state of a service
//   - capability: a feature that a runtime declares to support
//
// Store:
//
//   - transaction, snapshot, savepoint, migration, backup: as in SQLite's
//     documentation
//   - group commit: the commit of several writes at once
//   - write guard: a check that runs inside each write transaction of a request
//   - topic: a part of the visible data that changes independently; revision: the
//     number of the last commit that changed it for a member
//   - change: a kind of write, with the topics that it changes (svc.Change)
//   - version: a state of one object (svc.Version)
//   - epoch: a random id of the database file; a restored backup gets a new one
//
// Program:
//
//   - hosted service: a service as the program runs it: ready, degraded or switched
//     off
//   - job: background work; sweep: a deletion in batches
//   - rate limit: requests per time; concurrency limit: requests at once
//   - idempotency key: marks repetitions of a write; replay: the response to one
//   - cursor: an opaque position in a list; page: a part of a list
//   - truncated: said of a list that was cut at a limit
//   - spool: a body that is kept in a temporary file
package app
