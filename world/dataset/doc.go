// Package dataset composes the dataset of a member: all data that the member can see
// and all actions that the member can perform, as one JSON document.
//
// A dataset consists of parts. A part is built by one function from one service,
// and contributes objects, contexts, actions and fallbacks. The result of a part
// depends on its topics and on the results of other parts. A service returns the
// versions (id, version) of the objects that the member sees; the part loads and
// encodes only objects whose version the previous result does not have. The layout
// is computed from all results: the positions in the workspace, and the fields of
// objects that depend on other objects.
//
// The places of the field depend on the position in the request, so they are no part:
// the cache has those of the latest request.
//
// There is one cache. Its key is the member and whether the runtime can show
// forms, because the actions in the text depend on it. An entry is a snapshot: the
// results of all parts, their encoded objects by version, and the layout.
// Snapshots are immutable; the next snapshot shares the results and objects that
// have not changed. The cache is bounded in bytes and evicts the least recently
// used snapshots.
//
// A result is valid as long as its topics have the same revision for the member,
// its inputs are the same, and it has not expired. The table in svc/change.go lists
// the topics that each write changes, and for whom. A service that fails leaves no
// results in the snapshot.
//
// The ETag is a keyed hash of the revision of the member, the request and the
// states of the services, with the time of expiry. The server validates it without
// composing the dataset.
//
// # Files
//
//   - composer.go: Composer, the entry point
//   - compose.go: composition, which adds the parts of all services
//   - etag.go: the ETag
//   - cache.go: the cache
//   - snapshot.go: snapshot, part, result; reuse of encoded objects
//   - time.go: the part of Time
//   - messages.go: the part of Messages
//   - social.go: the parts of Social
//   - workspace.go: the part of the workspace
//   - providers.go: the part of the objects of providers
//   - operator.go: the part of the actions of operators
//   - find.go: the state of Find
//   - finding.go: findings, and the objects that they have become
//   - layout.go: layout
//   - workspace_layout.go: positions of objects in the workspace
//   - field.go: the field
//   - places.go: Places, the places of the field
//   - categories.go: the categories and radii of the field
//   - fallback.go: fallbacks
//   - object.go: encoded objects
//   - encode.go: Encoder, which writes JSON from encoded chunks
//   - writer.go: Writer, which encodes a composed dataset
//   - dataset.go: Dataset and the types in it
//   - request.go: Request, the header and the query of a request
//   - session_request.go: SessionRequest, the body of POST /world/session
package dataset
