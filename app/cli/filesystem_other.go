//go:build !linux

package cli

import "errors"

// fileSystem is for machines that do not tell in a way that is known here.
func fileSystem(string) (kind string, free uint64, err error) { return "", 0, errors.ErrUnsupported }
