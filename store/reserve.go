package store

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// Sizes in bytes. The write-ahead log grows to about 4 MB before it is used again from its
// beginning.
const (
	reserveSize = 8 << 20
	reserveFree = reserveSize + 16<<20 // free space with which the reserve is made
)

// reserve is a file that occupies space for the writes that a full disk must not reject.
type reserve struct {
	mu   sync.Mutex
	path string      // "" if no reserve is kept
	used atomic.Bool // the file has been removed
}

// reserveKey is the context key of WithReserve.
type reserveKey struct{}

// WithReserve returns a context whose writes succeed on a full disk, as long as they are
// small: see [DB.KeepReserve]. Use it for sign-ins, the ends of sessions and deletions.
func WithReserve(ctx context.Context) context.Context {
	return context.WithValue(ctx, reserveKey{}, true)
}

func mayUseReserve(ctx context.Context) bool { return ctx.Value(reserveKey{}) != nil }

// errReserved is the error of writes without the reserve while it is in use.
var errReserved = errors.New("the disk is full: the rest is reserved for sign-ins and deletions")

// KeepReserve keeps a file of a few megabytes at path if the disk has enough free space. When
// the disk is full, writes with [WithReserve] remove the file and use its space. All others
// fail until there is enough free space for the file.
func (db *DB) KeepReserve(path string) error {
	db.reserve.mu.Lock()
	defer db.reserve.mu.Unlock()
	made, err := makeReserve(path)
	if made {
		db.reserve.path = path
	}
	return err
}

// makeReserve makes the file unless it exists. It reports whether there is one.
func makeReserve(path string) (made bool, err error) {
	if info, err := os.Lstat(path); err == nil && info.Size() == reserveSize {
		return true, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if _, free, err := FileSystem(filepath.Dir(path)); err != nil || free < reserveFree {
		return false, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC|noFollow, 0o600)
	if err != nil {
		return false, err
	}
	content := make([]byte, reserveSize)
	rand.Read(content) // a file system may compress or omit zeros
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = ChownToDirOwner(path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return err == nil, err
}

// release removes the file. It reports whether that has made space.
func (r *reserve) release() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path == "" || r.used.Load() || os.Remove(r.path) != nil {
		return false
	}
	r.used.Store(true)
	return true
}

// admit returns an error for a write without the reserve while it is in use.
func (r *reserve) admit() error {
	if !r.used.Load() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if made, _ := makeReserve(r.path); !made {
		return errReserved
	}
	r.used.Store(false)
	return nil
}
