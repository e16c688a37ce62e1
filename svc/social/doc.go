// Package social is the Social service: communities, who is close to whom
// through them, and what people there say to one another and plan.
//
// # Where things are
//
//   - service.go      Service, and what happens when members come and go
//   - audience.go     who may see what: the one rule of visibility
//   - circles.go      who is close to whom; the discovery graph
//   - block.go        who does not want to meet whom
//   - event.go        gatherings, as members see them; planning.go, making and
//     changing them; rsvp.go, who comes, in whose calendar they are;
//     eventinvite.go, who is asked
//   - names.go        what people are called
//   - needs.go        what it needs of other services
//
// # Promises
//
// Whatever a member reads is of an audience that they are in, and by nobody
// they have blocked or are blocked by. That is asked when it is read: nothing
// of it is copied to what is read, and it holds for lists, details, counts,
// notifications, activity and the calendar alike (B-76).
//
// Circles are never stored. They follow from who is in a private community
// with whom, and nothing else makes one (B-73).
//
// # Why an audience is a row
//
// A rule such as "up to two steps around Bea" is costly to ask of each row
// that a query comes across. As a row of its own it is asked once for a
// request: the audiences that a member is in are a list of numbers, every
// index begins with such a number, and no query comes across what its member
// cannot see.
package social
