//go:build !linux

package cli

import "errors"

// fileSystem returns [errors.ErrUnsupported]: the check is implemented for Linux
// only.
func fileSystem(string) (kind string, free uint64, err error) { return "", 0, errors.ErrUnsupported }
