// Package messages tests Messages.
package messages
