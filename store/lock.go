package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// ErrLocked is returned by Lock while another process holds the lock.
var ErrLocked = errors.New("another appliance process is serving this data directory: stop it first")

// Lock takes the exclusive lock of the data directory dir, which serving and
// replacing the database require. Commands that read and write the database
// through a DB need no lock.
func Lock(dir string) (unlock func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(dir, "lock"), flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	}
	if err := ChownToDirOwner(l.Path()); err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return l.Unlock, nil
}
