package store

import "os"

// Adopt gives what root has just made in a data directory to whoever owns the
// folder it is in. An operator's command with sudo, beside a server that runs
// as somebody else, would otherwise leave files which that server cannot open.
func Adopt(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return adopt(path)
}
