// Package dataset composes the dataset of a member: everything that the member
// can see and do, as one JSON document.
//
// # Files
//
//   - dataset.go        Dataset and the types in it
//   - request.go        Request: the runtime and the parameters of a request
//   - session.go        the body of POST /world/session
//   - composer.go       Composer: the entry point
//   - compose.go        composes the parts into one dataset
//   - etag.go           validates a client's dataset without composing it
//   - recall.go         the cache
//   - encode.go         encodes objects
//   - writer.go         writes a dataset
//   - time.go           the part of Time
//   - messages.go       the part of Messages
//   - social.go         the part of Social
//   - social_context.go the context of Social
//   - workspace.go      the part of the workspace
//   - arrange.go        positions of objects in the workspace
//   - findings.go       findings and the objects that they have become
//   - field.go          the field
//   - categories.go     the categories and radii of the field
//
// A dataset is one snapshot of the database. Two reads without a write between
// them return the same bytes, except for the time of the read. A part that fails
// is reported in fallbacks; the rest of the dataset is complete.
package dataset
