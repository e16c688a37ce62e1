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
// An entry also has the manifests of the latest datasets that were composed from it and
// from the snapshots before it: the ids and the hashes of their records, without their
// text. They are bounded in number and in bytes. A request that names the revision of
// a manifest is answered with the differences between it and the current dataset: the
// records that are new, have changed or have moved, with the record before each of them,
// and the ids of those that are gone. As many records as possible count as unmoved: a
// longest increasing subsequence of their earlier positions.
//
// A revision is a keyed hash of the member, the epoch of the database, the request and
// the manifest. It identifies content instead of counting snapshots, so that two reads
// without a write return the same bytes, and a write that is undone is no change. The
// hashes of records have a seed that is random for each process, so that no member can
// construct two texts with the same hash. So a revision is unknown after a restart, like
// one that was evicted and one of another member: it is not found in the entry, and the
// response is the whole dataset.
//
// A result is valid as long as its topics have the same revision for the member,
// its inputs are the same, and it has not expired. The table in svc/change.go lists
// the topics that each write changes, and for whom. A service that fails leaves no
// results in the snapshot.
//
// The ETag is a keyed hash of the revision of the member, the request and the
// states of the services, with the time of expiry. The server validates it without
// composing the dataset. If the request names a revision, the ETag of any response in the
// same state is valid.
//
// # Files
//
//   - composer.go: Composer, the entry point
//   - compose.go: composition, which adds the parts of all services
//   - etag.go: the ETag
//   - changed.go: which sections and services a change concerns
//   - boundary.go: the times at which a dataset changes without a write
//   - cache.go: the cache
//   - manifest.go: manifests and revisions
//   - delta.go: Delta, the changes since a revision
//   - compare.go: the differences between two lists of records
//   - snapshot.go: snapshot
//   - part.go: parts with their inputs, the results of all parts
//   - result.go: result, the contribution of a part; reuse of encoded objects
//   - account.go: the part of the member's account
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
//   - records.go: lists of encoded records with their hashes, encoded contexts
//   - encode.go: Encoder, which writes JSON from encoded chunks
//   - writer.go: Writer, which encodes a composed dataset
//   - dataset.go: Dataset and the types in it
//   - request.go: Request, the header and the query of a request
//   - session_request.go: SessionRequest, the body of POST /world/session
package dataset
