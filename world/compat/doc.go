// Package compat holds what World makes for runtimes that show surfaces in
// stacks: outputs that say how something is presented.
//
// # Where things are
//
//   - session.go   the session: every type in it; home.go how it is read, shell.go
//     the dock, field.go the field with the actions in place
//   - translated.go  the dataset with hints how a screen shows it
//   - surface.go   surfaces and stacks with the addresses to which one writes
//   - contracts.go all contracts that a runtime can read, World's own included
//
// # Why it is a package of its own
//
// The canonical dataset says no word of screens, for it is for runtimes that
// are not invented yet. What does say such words is made here, of what World and
// the services have: this package imports world, and world must never import
// it, so that no word finds its way back.
package compat
