// Package identity implements the identity service: accounts, credentials,
// registration, the member directory and administration.
//
// # Files
//
//   - service.go: Service and Config
//   - operator.go: Actor and the list of operators
//   - member.go: Member, its row, and the rules for addresses and names
//   - register.go: registration, set-up and adding members
//   - password.go: the rules for passwords, Argon2id, PHC strings
//   - login.go: Candidate and Proof, signing in, changing the password
//   - token.go: bearer tokens
//   - factor.go: second factors of a member, and the policy that requires them
//   - totp.go: authenticator apps (RFC 6238)
//   - recovery.go: recovery codes
//   - passkey.go: passkeys (WebAuthn)
//   - challenge.go: the second step of a sign-in
//   - seal.go: encryption of the secrets of authenticator apps
//   - network.go: networks from which a member has signed in
//   - device.go: device passwords, for DAV clients
//   - devicesetup.go: one-time links to set up a device
//   - davauth.go: HTTP Basic for DAV clients, with a cache of verified credentials
//   - link.go: one-time links, also for invitations and password resets
//   - admin.go: members as operators see and change them
//   - deletion.go: DeleteData, the deletion of the data of deleted members in batches
//   - directory.go: the member directory and the resolution of recipients
//   - avatar.go: colors and avatars
//   - profile.go: the account of the viewer, and its export
//   - zone.go: the time zone of a member, which the first browser reports
//   - signindetails.go: changes of the e-mail address and the user name by the member
//   - audit.go: the audit log
//   - expire.go: deletion of expired credentials
//   - hooks.go: MemberHooks, the hooks that other services register
//
// # Guarantees
//
// The database contains no password, token or one-time code. Passwords that
// people choose are stored as Argon2id hashes (RFC 9106), random secrets as
// SHA-256.
//
// No slow operation runs inside a transaction. Verifying a password takes three
// steps: a read returns a [Candidate], [Service.Verify] hashes outside of any
// transaction and returns a [Proof], and a write accepts the proof if the member's
// generation is still the same. New passwords enter a transaction as a
// [PasswordHash], never as plain text.
//
// A wrong password, an unknown login and a disabled member cost one hash each and
// get the same response, so that they cannot be told apart.
//
// A member's generation is incremented by everything that invalidates earlier
// proofs: a new password, e-mail address, user name or status, revoked tokens and
// device passwords. Each cache of a proof stores the generation and compares it.
// Signing out revokes one token, which no cache contains, and does not increment
// it.
//
// # Why
//
// Device passwords survive a change of the account password by its owner. They
// are 100 random bits each and can be listed and revoked one by one. If changing
// the password signed out the calendar of every phone, members would avoid it. A
// reset link and a password set by an operator are different: they follow the
// loss of control over the account, and an attacker may have created a device
// password meanwhile. Both revoke all device passwords.
//
// They also revoke the unused invitations of an operator. An attacker may have
// created one to register another account, which becomes an operator if its address
// is in the operator list. A password change by the owner keeps the invitations: the
// panel of operators lists them and can withdraw each. The same applies to access that
// other services grant without a password, such as calendar links; see
// [MemberHooks.AccountRecovered].
//
// Disabling a member revokes tokens, open invitations and reset links. Device
// passwords are kept but rejected until the member is enabled again. The
// invitations of an operator are also revoked when the member ceases to be an
// operator: an invitation that names an address of the operator list would undo
// that.
//
// The row of a deleted member stays, without personal data: rows of other services
// refer to it, and its id must not be reused. The e-mail address and the user name
// become available again.
//
// Lists are ordered by id, not by name, so that a member who is renamed between
// two pages is neither lost nor listed twice.
package identity
