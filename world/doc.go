// Package world is the gateway: it composes what the services hold into one
// dataset for a member, and relays the member's writes to them.
//
// # Where things are
//
//   - world.go    World: See one member's dataset, Do one member's write
//   - dataset.go  Dataset and every type in it: the index of the contract
//   - request.go  what a runtime says of itself and of where it is; harness.go
//     what a harness says of that
//   - field.go    the field around a runtime, and what can be chosen of it
//   - compose.go  how the parts become one dataset; recall.go what of it is
//     remembered between two reads
//   - time.go     the part of the calendar service; messages.go that of Messages
//   - community.go, conversation.go, event.go, profile.go, dm.go  what Social
//     has, with the addresses where it can be answered and changed;
//     socialpart.go the part of Social, socialcontext.go what waits there,
//     socialactions.go what can be done
//   - workspace.go what the member has before them, findings.go what was found;
//     arrange.go where that is in a dataset, things.go what it is called by now
//   - actions.go   the actions that are done here and not at an address of a
//     service; workspaceactions.go what each does
//   - ids.go      names of objects and actions
//   - encode.go   what is in a dataset as JSON; composed.go what can be written of
//     a whole one, and how the dataset itself is
//   - relay.go    a write with its idempotency key
//   - panel.go    the contract of every service's panel; timepanel.go and
//     messagespanel.go those of Time and Messages, findpanel.go that of Find,
//     socialpanel.go that of Social,
//     with socialtalk.go, what is said, socialevents.go, what is planned, and
//     socialpeople.go, who is there
//
// # Promises
//
// A dataset is one snapshot of the database at one moment. Two reads without
// a write between them are the same bytes, but for the time of the read. After
// a write, what it did not change is neither read nor encoded again: services
// tell of changes by topic (svc.TimeTopic and the others), some of them item by
// item, and each part says on which it depends. What is remembered is what
// would be made from nothing. A part that fails is told of in fallbacks and
// leaves the rest whole.
//
// Where an object is in the workspace is known only when all parts are made, and
// changes whenever the member turns from one thing to another. So it is the end
// of the object, which is added when the dataset goes out: the object itself is
// kept without. Who shows the dataset in another shape has the same objects end
// otherwise.
//
// # Why the dataset says no word of screens
//
// It is for runtimes that are not invented yet. What a screen needs beyond it
// is made of it by package world/compat, which imports this package; this one
// must never import that. Panels are no part of it either: they are made of
// what a service tells, not of the dataset, and share with it only the shapes
// of entries, calendars, controls and fallbacks.
package world
