// Package compat renders the dataset and the workspace for runtimes that show
// surfaces in stacks.
//
// # Files
//
//   - session.go: the types of the session
//   - builder.go: Sources, which builds the session of a member
//   - shell.go: the shell of the session with the dock
//   - field.go: the field with the actions inside its controls
//   - translated.go: the dataset with presentation hints
//   - find.go: the response to a search
//   - surface.go: surfaces and stacks with the URLs of their commands
//   - icon.go: the icons of surfaces
//   - contracts.go: the contracts of this package, and the schemas of all contracts
//
// # Why
//
// The dataset contains no terms of presentation, because it is also for runtimes
// without a screen. This package contains everything about presentation that
// runtimes with screens need. It imports world; world must never import it.
package compat
