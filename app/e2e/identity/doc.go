// Package identity tests accounts, sessions, operators and rate limits over HTTP.
package identity
