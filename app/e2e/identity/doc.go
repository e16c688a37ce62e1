// Package identity tests accounts, sessions, operators and the export of a member.
package identity
