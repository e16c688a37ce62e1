package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Backup writes a consistent copy of the database at path to dest while
// others go on reading and writing it. The copy is checked before it takes the
// name dest, so a file of that name is always whole; an older backup of that
// name is replaced, anything else is not. progress, which may be nil, hears
// how many bytes of how many are written.
func Backup(ctx context.Context, path, dest string, progress func(done, total int64)) error {
	if err := mayReplace(ctx, path, dest); err != nil {
		return err
	}
	partial := dest + ".partial"
	defer os.Remove(partial) // gone already if all went well
	if err := copyTo(ctx, path, partial, progress); err != nil {
		return fmt.Errorf("backup of %s: %w", path, err)
	}
	return publish(partial, dest)
}

// copyTo writes a checked copy of the database at path to the new file
// partial, which only its owner can read.
func copyTo(ctx context.Context, path, partial string, progress func(done, total int64)) error {
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := touchFile(partial, os.O_EXCL); err != nil {
		return err
	}
	if err := vacuumInto(ctx, path, partial, progress); err != nil {
		return err
	}
	return Verify(ctx, partial)
}

// mayReplace refuses a dest that is the database itself or not a backup.
func mayReplace(ctx context.Context, path, dest string) error {
	there, err := os.Stat(dest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if source, err := os.Stat(path); err == nil && os.SameFile(source, there) {
		return fmt.Errorf("%s is the database itself", dest)
	}
	if _, err := Inspect(ctx, dest); err != nil {
		return fmt.Errorf("%s exists and is not a backup: choose another name", dest)
	}
	return nil
}

// vacuumInto lets SQLite write a compact copy, from one snapshot.
func vacuumInto(ctx context.Context, path, dest string, progress func(done, total int64)) error {
	pool, err := openPool(path, "mode=ro")
	if err != nil {
		return err
	}
	defer pool.Close()
	var total int64
	if err := pool.GetContext(ctx, &total, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"); err != nil {
		return err
	}
	result := make(chan error, 1)
	go func() {
		_, err := pool.ExecContext(ctx, "VACUUM INTO ?", dest)
		result <- err
	}()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-result:
			if err == nil && progress != nil {
				progress(total, total)
			}
			return err
		case <-tick.C:
			if info, err := os.Stat(dest); err == nil && progress != nil {
				progress(min(info.Size(), total), total)
			}
		}
	}
}

// Verify reports whether the file at path is a whole database of this
// program, of this version or an earlier one.
func Verify(ctx context.Context, path string) error {
	s, err := Inspect(ctx, path)
	if err != nil {
		return err
	}
	if !s.Exists {
		return fmt.Errorf("%s does not exist or is empty", path)
	}
	pool, err := openPool(path, "mode=ro")
	if err != nil {
		return err
	}
	defer pool.Close()
	var answer string
	if err := pool.GetContext(ctx, &answer, "PRAGMA quick_check(1)"); err != nil {
		return fmt.Errorf("checking %s: %w", path, err)
	}
	if answer != "ok" {
		return fmt.Errorf("%s is damaged: %s", path, answer)
	}
	return nil
}

// publish gives a finished file its name, so that a power cut leaves either
// the old one or the new one.
func publish(partial, dest string) error {
	f, err := os.OpenFile(partial, os.O_RDWR|noFollow, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(partial, dest); err != nil {
		return err
	}
	return syncDir(filepath.Dir(dest))
}

// syncDir makes a rename in dir durable, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// Restore puts the backup file in the place of the database at path. What was
// there is kept in the folder backups; kept is its name, "" if nothing was
// there. The caller holds the lock of the data directory.
//
// The restored file gets a new epoch: a client that synchronized with what is
// now forgotten starts over instead of missing changes.
func Restore(ctx context.Context, file, path, backups string) (kept string, err error) {
	if err := Verify(ctx, file); err != nil {
		return "", err
	}
	partial := path + ".partial"
	defer os.Remove(partial)
	if err := copyTo(ctx, file, partial, nil); err != nil {
		return "", err
	}
	if err := renewEpoch(ctx, partial); err != nil {
		return "", fmt.Errorf("preparing the restored file: %w", err)
	}
	if err := ChownToDirOwner(partial); err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil {
		kept = stamped(backups, "before-restore")
		if err := keepOld(ctx, path, kept); err != nil {
			return "", err
		}
	}
	// The side files belong to the old database; with the new one they would
	// be read as its latest changes.
	for _, side := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return kept, publish(partial, path)
}

// keepOld keeps the database at path under the name old: as a backup, or, if
// it is too damaged for one, as the files it consists of.
func keepOld(ctx context.Context, path, old string) error {
	if Backup(ctx, path, old, nil) == nil {
		return nil
	}
	for _, side := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+side, old+side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keeping the old database: %w", err)
		}
	}
	return nil
}

func renewEpoch(ctx context.Context, path string) error {
	pool, err := openPool(path, "mode=rw")
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "UPDATE store_meta SET epoch = ?", newEpoch())
	return err
}
