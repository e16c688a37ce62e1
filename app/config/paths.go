package config

import (
	"errors"
	"os"
	"path/filepath"

	"appliance/store"
)

// Database returns the path of the database file.
func (s *Settings) Database() string { return filepath.Join(s.Data, "appliance.db") }

// Reserve returns the path of the file that keeps space for sign-ins and deletions on a full
// disk.
func (s *Settings) Reserve() string { return filepath.Join(s.Data, "reserve") }

// ZoneFile returns the path of the file with time zone data that replaces that of the program.
func (s *Settings) ZoneFile() string { return filepath.Join(s.Data, "zoneinfo.zip") }

// BackupDir returns the path of the backup directory.
func (s *Settings) BackupDir() string { return filepath.Join(s.Data, "backups") }

// MakeBackupDir creates the backup directory if it does not exist.
func (s *Settings) MakeBackupDir() error {
	return errors.Join(os.MkdirAll(s.BackupDir(), 0o700), store.ChownToDirOwner(s.BackupDir()))
}

// SetupLink returns the path of the file with the one-time link to the set-up
// page.
func (s *Settings) SetupLink() string { return filepath.Join(s.Data, "setup-link") }

// AddressFile returns the path of the file in which a running server publishes its
// URL for commands.
func (s *Settings) AddressFile() string { return filepath.Join(s.Data, "address") }

// File returns the path of the settings file.
func (s *Settings) File() string {
	if s.Config != "" {
		return s.Config
	}
	return filepath.Join(s.Data, "appliance.toml")
}
