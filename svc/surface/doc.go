// Package surface is the Surface service: the surfaces that a member has open, the
// stacks that contain them and the viewports that present the stacks.
//
// # Files
//
//   - service.go: Service, and the queries grouped by use
//   - surface.go: Surface, its content and the limits of its fields
//   - placement.go: Placement, and changes of its metadata
//   - stack.go: Stack and Viewport, and the default stacks
//   - defaults.go: DefaultSurfaces, the surfaces that every member has
//   - workspace.go: Workspace, the surfaces and stacks of a member in memory
//   - storage.go: reads, changes and saves a workspace
//   - arrange.go: Focus, Reorder, Place and Remove, the operations of a member
//   - carry.go: opens objects of other services in the carry stack
//   - put.go: surfaces that other services add; the detail of one surface
//   - overlay.go: replaces the findings in the finding_overlay stack
//   - wording.go: the texts of stored surfaces in the language of the member
//   - finding.go: validates findings, opens a place on a map
//   - translation.go: replaces the finding of a web page by its translation
//   - picture.go: the pictures of translated pages
//   - session.go: sessions, which record when a member focused a surface
//   - export.go: all surfaces and stacks of a member
//   - sweep.go: deletion of a member, of old surfaces and of old sessions
//
// # Invariants
//
// Each record belongs to one member; no statement that serves a member reads or
// writes the records of another.
//
// A surface does not store the content that it shows. Its service binding names the
// service that owns the content.
//
// A stack contains a surface at most once, and its focused surface is in it. A
// surface leaves its last stack only when the overlay is replaced or when the
// member removes it. It is deleted 30 days later. Default surfaces cannot be removed.
//
// # Why reads add defaults
//
// Default stacks and surfaces are stored for each member, because they must
// remain when a later version of the program no longer has them. A read is
// correct without a write: it adds missing defaults in memory, with the numbers
// that the next write will store. After a read with [Workspace.Unsaved] set, the
// caller lets [Service.SaveDefaults] store them. That write is idempotent and
// invisible: it does not change the revision.
package surface
