// Package cli tests commands together with the server: import, export and trash.
package cli
