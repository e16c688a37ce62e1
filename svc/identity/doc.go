// Package identity knows the members: who they are, how they prove it, who
// let them in, and what operators did to their accounts.
//
// # Where things are
//
//   - service.go     Service, Config, and who is an operator
//   - member.go      Member, the rules for addresses and names, the row
//   - register.go    the ways to become a member
//   - password.go    Argon2id, PHC strings, what a password must be
//   - login.go       proving who one is, sessions, changing the password
//   - token.go       bearer tokens
//   - device.go      device passwords for DAV clients
//   - davauth.go     HTTP Basic for DAV, and the cache that makes it cheap
//   - ticket.go      one-time codes: invitations and password resets
//   - admin.go       what operators see and do
//   - directory.go   members as they see one another, and who a name means
//   - profile.go     what members see and change of themselves, export
//   - audit.go       the record of administration
//   - queries.go     the SQL it uses, by name
//   - needs.go       what it needs of other services
//
// # Promises
//
// No password, token or one-time code is in the database. What people choose
// is stored as Argon2id (RFC 9106), what this package draws at random as
// SHA-256.
//
// Nothing slow happens inside a transaction. Where a password is involved
// there are three steps: a read returns a [Candidate], [Service.Verify]
// hashes outside and returns a [Proof], and a write takes the proof, which is
// good only if the member's generation is still the same. New passwords enter
// a transaction as a [PasswordHash], so plain text cannot get there.
//
// Wrong password, unknown member and disabled member cost one hash each and
// get one answer.
//
// The generation of a member counts whatever makes earlier proofs worthless:
// a new password, e-mail address, username or status, revoked tokens and
// device passwords. Whoever remembers a proof remembers the generation too
// and compares it. Signing out ends one token that nobody remembers, and
// counts as nothing.
//
// # Why
//
// Device passwords outlive a change of the account password by its owner.
// They are 100 random bits each, listed and revocable one by one; if changing
// the password broke the calendar of every phone, nobody would ever change
// it. A reset link and a password set by an operator are different: they are
// what one does after losing control of the account, and somebody else may
// have made a device password meanwhile. Those end them all.
//
// The invitations of an operator go the same way. One that somebody else made
// in their name lets a stranger in, or, if it names an address of the
// operators' list, another operator: a reset ends those that nobody has used.
// A password that its owner changes leaves them, listed on the account page and
// to be withdrawn one by one. The same goes for what the household opens to
// others without a password, such as links to calendars.
//
// Disabling a member ends tokens, open invitations and reset links. Device
// passwords stay, useless until the member is enabled again. The invitations
// of an operator end also when they cease to be one: an invitation that names
// an address of the operators' list would bring them back.
//
// The row of a deleted member stays without anything personal in it: other
// services' rows refer to it, and its number must not come back. The address
// and the username are free again.
//
// Lists are ordered by number, not by name: a page is then complete whoever
// is renamed between two pages.
package identity
