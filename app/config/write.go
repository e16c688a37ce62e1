package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"appliance/store"

	"github.com/BurntSushi/toml"
)

// AddOperator adds an e-mail address to admin-allowed-emails in the settings
// file. It creates the file if necessary and keeps all other lines.
func AddOperator(file, email string) error {
	const name = "admin-allowed-emails"
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var before struct {
		Emails any `toml:"admin-allowed-emails"`
	}
	if _, err := toml.Decode(string(text), &before); err != nil {
		return err
	}
	var list []string
	if before.Emails != nil {
		list = strings.Split(flagText(before.Emails), ",")
	}
	email = strings.TrimSpace(email)
	if slices.ContainsFunc(list, func(e string) bool { return strings.EqualFold(strings.TrimSpace(e), email) }) {
		return nil
	}
	line := fmt.Sprintf("%s = %q\n", name, strings.Join(append(list, email), ","))
	lines := slices.Collect(strings.Lines(string(text)))
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), name) })
	if at < 0 {
		lines = append([]string{line}, lines...)
	} else {
		lines[at] = line
	}
	changed := strings.Join(lines, "")
	if _, err := toml.Decode(changed, &before); err != nil { // the list spans several lines
		return fmt.Errorf("add %s to %s in this file yourself, then try again", email, name)
	}
	return replaceFile(file, changed)
}

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

// WritePrivate writes a file that only its owner can read.
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
