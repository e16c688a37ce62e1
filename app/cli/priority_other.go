//go:build !linux

package cli

// lowerPriority does nothing: it is implemented for Linux only.
func lowerPriority() error { return nil }
