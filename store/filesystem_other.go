//go:build !linux

package store

import "errors"

// FileSystem returns [errors.ErrUnsupported]: the check is implemented for Linux
// only.
func FileSystem(string) (kind string, free uint64, err error) { return "", 0, errors.ErrUnsupported }
