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

// Backup writes a consistent copy of the database at path to dest while other
// connections read and write the database. The copy is verified before it is
// renamed to dest. Backup replaces an older backup at dest, but no other file.
// It calls progress, which may be nil, with the number of bytes written and the
// total.
func Backup(ctx context.Context, path, dest string, o BackupOptions, progress func(done, total int64)) error {
	if err := checkReplaceable(ctx, path, dest); err != nil {
		return err
	}
	partial := dest + ".partial"
	defer os.Remove(partial) // does not exist any more after the rename
	if err := copyTo(ctx, path, partial, o, progress); err != nil {
		return fmt.Errorf("backup of %s to %s: %w", path, dest, err)
	}
	return RenameDurably(partial, dest)
}

// copyTo writes a verified copy of the database at path to the new file partial,
// which has mode 0600.
func copyTo(ctx context.Context, path, partial string, o BackupOptions, progress func(done, total int64)) error {
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := createFile(partial, os.O_EXCL); err != nil {
		return err
	}
	if o.EmptyPrefix != "" {
		if err := copyTables(ctx, path, partial, o.EmptyPrefix, progress); err != nil {
			return err
		}
	} else if err := vacuumInto(ctx, path, partial, progress); err != nil {
		return err
	}
	if o.Note != "" {
		if err := writeNote(ctx, partial, o.Note); err != nil {
			return err
		}
	}
	return Verify(ctx, partial)
}

// checkReplaceable returns an error if dest is the database itself or a file that
// is not a backup.
func checkReplaceable(ctx context.Context, path, dest string) error {
	existing, err := os.Stat(dest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if source, err := os.Stat(path); err == nil && os.SameFile(source, existing) {
		return fmt.Errorf("%s is the database itself: choose another name for the backup", dest)
	}
	if _, err := Inspect(ctx, dest); err != nil {
		return fmt.Errorf("%s exists and is not a backup: choose another name for the backup", dest)
	}
	return nil
}

// vacuumInto makes SQLite write a compact copy of one snapshot.
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

// Verify returns an error unless the file at path is an intact database of this
// version of the program or of an earlier one, without references to missing rows.
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
	var result string
	if err := pool.GetContext(ctx, &result, "PRAGMA quick_check(1)"); err != nil {
		return openError(path, err)
	}
	if result != "ok" {
		return fmt.Errorf("%s %w: %s", path, ErrDamaged, result)
	}
	var table string
	switch err := pool.GetContext(ctx, &table, "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1"); {
	case err == nil:
		return fmt.Errorf("%s %w: rows that rows of the table %s refer to are missing", path, ErrDamaged, table)
	case !IsNoRows(err):
		return openError(path, err)
	}
	return nil
}

// RenameDurably renames the file partial to dest so that after a power failure dest is
// either the old or the new file.
func RenameDurably(partial, dest string) error {
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

// syncDir makes a rename in dir durable on systems that support it.
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

// Restore replaces the database at path with a copy of the backup file. It saves
// the old database in the directory backups and returns its name, or "" if there
// was none. If Restore returns an error and no name, it has changed nothing. The caller must hold
// the lock of the data directory.
//
// The restored file gets a new epoch: a client that has synchronized with changes
// that the backup does not contain performs a full sync.
func Restore(ctx context.Context, file, path, backups string) (saved string, err error) {
	if err := Verify(ctx, file); err != nil {
		return "", err
	}
	partial := path + ".partial"
	defer os.Remove(partial)
	if err := copyTo(ctx, file, partial, BackupOptions{}, nil); err != nil {
		return "", err
	}
	if err := makeLive(ctx, partial); err != nil {
		return "", fmt.Errorf("preparing the restored file: %w", err)
	}
	if err := ChownToDirOwner(partial); err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil {
		saved = timestampedName(backups, "before-restore")
		if err := saveOld(ctx, path, saved); err != nil {
			if _, statErr := os.Stat(saved); statErr != nil {
				return "", err
			}
			return saved, err
		}
	}
	// SQLite would apply the write-ahead log of the old database to the new
	// one.
	for _, side := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return saved, err
		}
	}
	return saved, RenameDurably(partial, path)
}

// saveOld saves the database at path as old: as a backup or, if it is too damaged
// for that, by renaming its files.
func saveOld(ctx context.Context, path, old string) error {
	if Backup(ctx, path, old, BackupOptions{}, nil) == nil {
		return nil
	}
	for _, side := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+side, old+side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("saving the old database: %w", err)
		}
	}
	return nil
}

// makeLive turns the copy of a backup at path into a database: it gets a new epoch and has no note.
func makeLive(ctx context.Context, path string) error {
	pool, err := openPool(path, "mode=rw")
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "UPDATE store_meta SET epoch = ?; DELETE FROM store_backup", newEpoch())
	return err
}
