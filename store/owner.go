package store

import "os"

// ChownToDirOwner gives what root has just made in a data directory to whoever owns the
// folder it is in. An operator's command with sudo, beside a server that runs
// as somebody else, would otherwise leave files which that server cannot open.
// A link that stands there instead is refused: it may lead to what its owner
// must never have.
func ChownToDirOwner(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return adopt(path)
}
