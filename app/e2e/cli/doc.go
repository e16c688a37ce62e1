// Package cli tests the commands.
package cli
