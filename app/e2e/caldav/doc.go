// Package caldav tests CalDAV on the whole program: with credentials, real
// storage, native requests beside it, and hostile and concurrent clients.
//
// # Files
//
//   - fixture_test.go: the server with one member, and XML request bodies
//   - auth_test.go: credentials, renamed and disabled members
//   - client_test.go: the go-webdav client with a device password
//   - octets_test.go: objects are returned as they were stored
//   - reject_test.go: rejected writes change nothing
//   - calendars_test.go: properties of calendars, by CalDAV and natively
//   - files_test.go: plain collections, files and dead properties
//   - isolation_test.go: other members see nothing, CalDAV does not show World
//   - names_test.go: names of objects, and hostile paths
//   - body_test.go: hostile request bodies
//   - header_test.go: hostile request headers
//   - series_test.go: series with extreme rules
//   - text_test.go: responses are well-formed with any stored text
//   - concurrent_test.go: concurrent writes, and synchronization meanwhile
//   - sync_test.go: sync tokens, and a client that follows them
//   - model_test.go: random writes compared with a model
//   - writes_test.go: the random writes of the model
package caldav
