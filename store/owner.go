package store

import "os"

// ChownToDirOwner gives a file that root has just created to the owner of the
// directory that contains it. It does nothing for other users. Without it, a
// command that an operator runs with sudo would leave files that the server, which
// runs as another user, cannot open. ChownToDirOwner rejects symbolic links, since
// a link could give that user any file of the system.
func ChownToDirOwner(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return chownToDirOwner(path)
}
