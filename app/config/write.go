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
	email = strings.TrimSpace(email)
	return editOperators(file, "add "+email+" to", func(list []string) []string {
		if slices.ContainsFunc(list, sameAddress(email)) {
			return list
		}
		return append(list, email)
	})
}

// RemoveOperator removes an e-mail address from admin-allowed-emails in the settings
// file. It keeps all other lines.
func RemoveOperator(file, email string) error {
	return editOperators(file, "remove "+email+" from", func(list []string) []string {
		return slices.DeleteFunc(list, sameAddress(email))
	})
}

// ReplaceOperator replaces an e-mail address in admin-allowed-emails in the settings
// file with another. It keeps all other lines.
func ReplaceOperator(file, from, to string) error {
	to = strings.TrimSpace(to)
	return editOperators(file, "replace "+from+" with "+to+" in", func(list []string) []string {
		list = slices.DeleteFunc(list, sameAddress(from))
		if slices.ContainsFunc(list, sameAddress(to)) {
			return list
		}
		return append(list, to)
	})
}

// sameAddress returns a function that reports whether an address equals email,
// regardless of case and surrounding white space.
func sameAddress(email string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(email)) }
}

// editOperators changes the list of admin-allowed-emails in the settings file. change
// describes the change for an error message.
func editOperators(file, change string, edit func([]string) []string) error {
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
	edited := edit(slices.Clone(list))
	if slices.Equal(edited, list) {
		return nil
	}
	line := fmt.Sprintf("%s = %q\n", name, strings.Join(edited, ","))
	lines := slices.Collect(strings.Lines(string(text)))
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), name) })
	if at < 0 {
		lines = append([]string{line}, lines...)
	} else {
		lines[at] = line
	}
	changed := strings.Join(lines, "")
	if _, err := toml.Decode(changed, &before); err != nil { // the previous list spans several lines
		return fmt.Errorf("%s %s in this file yourself, then try again", change, name)
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
