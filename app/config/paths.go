package config

import (
	"errors"
	"os"
	"path/filepath"

	"appliance/store"
)

// Database returns the path of the database file.
func (s *Settings) Database() string { return filepath.Join(s.Data, "appliance.db") }

// Backups returns the path of the backup directory.
func (s *Settings) Backups() string { return filepath.Join(s.Data, "backups") }

// MakeBackups creates the backup directory if it does not exist.
func (s *Settings) MakeBackups() error {
	return errors.Join(os.MkdirAll(s.Backups(), 0o700), store.ChownToDirOwner(s.Backups()))
}

// SetupLink returns the path of the file with the one-time link to the set-up
// page.
func (s *Settings) SetupLink() string { return filepath.Join(s.Data, "setup-link") }

// File returns the path of the settings file.
func (s *Settings) File() string {
	if s.Config != "" {
		return s.Config
	}
	return filepath.Join(s.Data, "appliance.toml")
}
