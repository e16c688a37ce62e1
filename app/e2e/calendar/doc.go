// Package calendar tests calendars on the whole program: the JSON API and its panels,
// CalDAV with credentials, with hostile and with concurrent clients, and the same data
// over both and in the dataset. The rules are tested in svc/calendar and the packages
// below it.
//
// # Files of CalDAV
//
//   - fixture_test.go: the server with one member, and XML request bodies
//   - auth_test.go: credentials, renamed and disabled members
//   - client_test.go: the go-webdav client with a device password
//   - edit_test.go: changes in forms keep the lines of other programs
//   - octets_test.go: objects are returned as they were stored
//   - shapes_test.go: the objects of testdata/calendar in every reader
//   - shapeedit_test.go: native changes of these objects
//   - shapeimport_test.go: their feeds and imports, and the rejected ones
//   - shapeprogress_test.go: whether tasks in these objects are open, done or overdue
//   - import_test.go: the report of an import, and invalid files
//   - reject_test.go: rejected writes change nothing
//   - caldavcalendars_test.go: properties of calendars, over CalDAV and the JSON API
//   - palette_test.go: the colors of calendars in the web app
//   - files_test.go: plain collections, files and dead properties
//   - copycalendar_test.go: COPY and MOVE of calendars
//   - components_test.go: component sets of calendars
//   - isolation_test.go: isolation of members, and of CalDAV from the JSON API
//   - names_test.go: names of objects, and hostile paths
//   - body_test.go: hostile request bodies
//   - malformed_test.go: reports that violate their document type
//   - header_test.go: hostile request headers
//   - series_test.go: series with extreme rules
//   - extreme_test.go: objects that ask for much work, or that contradict themselves
//   - work_test.go: the limits of the computation of one request and of one member
//   - timezone_test.go: VTIMEZONEs that differ from the IANA zone
//   - text_test.go: responses are well-formed with any stored text
//   - concurrent_test.go: concurrent writes, and synchronization during writes
//   - sync_test.go: sync tokens, and a client that follows them
//   - model_test.go: random writes compared with a model
//   - writes_test.go: the random writes of the model
package calendar
