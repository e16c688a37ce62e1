// Package surface is the Surface service: what a member has before them, and
// how they have arranged it.
//
// # Where things are
//
//   - service.go   Service, and what happens when members come and go
//   - surface.go   a surface: what it shows and what may be done to it
//   - placement.go where a surface is
//   - stack.go     stacks and the viewports that present them
//   - defaults.go  what every member has from the beginning
//   - workspace.go all of a member's: how it is read, completed and written
//   - arrange.go   what a member does: focus, reorder, place
//   - bring.go     what of other services' things a member brings before them
//   - put.go       what other services add; overlay.go what was found, open.go
//     the places among it
//   - session.go   that a member has turned to a surface
//   - export.go    everything of a member's
//
// # Promises
//
// Everything here is one member's: no statement reads or writes a row of
// another. Nothing of what a surface shows is stored but what is said in its
// record: who owns the content is named in service_binding, and asked.
//
// A surface is never in a stack twice, and what a stack is turned to is in it. No
// surface is lost but by the replacement of the overlay, which is one write,
// done or not, and by being taken out. What left every stack is thrown away
// after 30 days.
//
// # Why reads complete what is missing
//
// What every member has (stacks, default surfaces) is stored for each, since
// it must stay when a later version of the program no longer brings it. But a
// read is right without that: it completes what is stored in memory, where the
// result, numbers included, is the one that is stored by the next write. Whoever
// serves a read asks [Workspace.Incomplete] and then has [Service.SaveDefaults]
// store it, in a write that changes nothing of what can be seen: it counts as
// no change, and fifty at once store the same once.
package surface
