package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked is returned by Lock while another process holds the lock.
var ErrLocked = errors.New("another appliance process is serving this data directory: stop it first")

// lockWait limits how long Lock waits for the lock, which IsLocked holds for a moment.
const lockWait = 200 * time.Millisecond

func lockFile(dir string) string { return filepath.Join(dir, "lock") }

// Lock takes the exclusive lock of the data directory with the database file, which serving and
// replacing the database require. If the file is a symbolic link, Lock also takes the lock of
// the directory that it leads to. It fails if the file has several hard links, because another
// process could serve the file under another name. Commands that read and write the database
// through a DB need no lock.
func Lock(database string) (unlock func() error, err error) {
	dir := filepath.Dir(database)
	if unlock, err = lockDir(dir); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(database)
	if errors.Is(err, fs.ErrNotExist) {
		return unlock, nil
	}
	if err == nil && hasOtherHardLinks(real) {
		err = fmt.Errorf("%s is a hard link to a file that has other names, so that two servers could use it: make a copy of the file instead (appliance backup)", real)
	}
	if err == nil && !isSameDir(dir, filepath.Dir(real)) {
		var unlockReal func() error
		if unlockReal, err = lockDir(filepath.Dir(real)); err == nil {
			unlockDir := unlock
			return func() error { return errors.Join(unlockReal(), unlockDir()) }, nil
		}
	}
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

func isSameDir(a, b string) bool {
	one, errOne := os.Stat(a)
	other, errOther := os.Stat(b)
	return errOne == nil && errOther == nil && os.SameFile(one, other)
}

func lockDir(dir string) (unlock func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(lockFile(dir), flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	ok, err := l.TryLockContext(ctx, lockWait/10)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	}
	if err != nil || !ok {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	if err := ChownToDirOwner(l.Path()); err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return l.Unlock, nil
}

// TryLock takes the exclusive lock of a file, which it creates if necessary. ok is
// false while another caller, in this process or another, holds the lock.
func TryLock(file string) (unlock func() error, ok bool, err error) {
	l := flock.New(file, flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(0o600))
	if ok, err = l.TryLock(); err != nil || !ok {
		return nil, false, err
	}
	if err := ChownToDirOwner(file); err != nil {
		return nil, false, errors.Join(err, l.Unlock())
	}
	return l.Unlock, true, nil
}

// IsLocked reports whether a process holds the lock of the data directory dir.
func IsLocked(dir string) (bool, error) {
	l := flock.New(lockFile(dir), flock.SetFlag(os.O_RDONLY|noFollow))
	free, err := l.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("locking %s: %w", dir, err)
	}
	return !free, l.Close()
}
