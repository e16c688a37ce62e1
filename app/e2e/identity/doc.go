// Package identity tests accounts, sessions, operators and rate limits by HTTP.
package identity
