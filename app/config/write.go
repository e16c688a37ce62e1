package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"appliance/store"
)

// replaceFile replaces the contents of a file atomically.
func replaceFile(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	partial := file + ".partial"
	if err := WritePrivate(partial, text); err != nil {
		return err
	}
	return os.Rename(partial, file)
}

// WritePrivate writes a file that only its owner can read. It replaces an existing
// file.
func WritePrivate(file, text string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // O_EXCL does not follow a symbolic link
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close(), store.ChownToDirOwner(file))
}
