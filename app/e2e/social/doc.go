// Package social tests communities, events, conversations, DMs and profiles.
package social
