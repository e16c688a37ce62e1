// Package social is the Social service: communities, who is close to whom
// through them, and what people there say to one another and plan.
//
// # Where things are
//
//   - service.go      Service, and what happens when members come and go
//   - audience.go     who may see what: the one rule of visibility
//   - community.go    communities; membership.go who is in them
//   - invitation.go   who was asked into one, or to an event
//   - circles.go      who is close to whom; the discovery graph
//   - block.go        who does not want to meet whom
//   - conversation.go what people talk about, and among.go among whom, as a
//     form says it; reply.go what they say, and what
//     of it has been read; mention.go whom they call
//   - activity.go     what happened; notification.go what a member should know of
//   - event.go        gatherings, as members see them; planning.go, making and
//     changing them; rsvp.go, who comes, in whose calendar they are;
//     eventinvite.go, who is asked
//   - names.go        what people are called
//   - profile.go      what they say of themselves
//   - presence.go     whether they are there
//   - people.go       everybody, as a member sees them
//   - dm.go           what two say to one another: dmread.go, dmwrite.go, and
//     tie.go, why they may
//   - overview.go     all that a dataset shows, part by part; current.go how a
//     part is brought up to date; source.go the same as its producer tells of
//     it; named.go what some of it is called
//   - export.go       everything a member has said and done
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
// # What goes without saying of communities
//
// A community is public or private, and never becomes public again: what was
// said in it was said among few. Once it is private it is joined by invitation
// only, and whoever had asked to join it in public has asked nothing. Whoever
// was removed, or asked and was declined, comes in by invitation only; whoever
// left, as before. A community always has an owner: the last one stays until
// there is another, and if they leave the house, whoever was a moderator or a
// member there the longest becomes one. A deleted community is one without
// members, so that nobody is in its audience.
//
// A block takes back the invitations between the two. In a community that both
// are in, neither sees or counts the other, and what is said about an event of
// the community stays for both, without each other. An owner or a moderator sees
// that the other is there, under the name that somebody has whose account is
// disabled, and can remove them: who blocks those that look after a community
// does not get out of their reach, and nobody can tell one from the other.
//
// # Why an audience is a row
//
// A rule such as "up to two steps around Bea" is costly to ask of each row
// that a query comes across. As a row of its own it is asked once for a
// request: the audiences that a member is in are a list of numbers, every
// index begins with such a number, and no query comes across what its member
// cannot see. The list is kept until somebody may be in other audiences: until
// social_graph has another number, which triggers give it.
package social
