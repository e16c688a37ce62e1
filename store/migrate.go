package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	sqlfiles "appliance/sql"

	"github.com/jmoiron/sqlx"
)

// applicationID is the application id in the header of our databases.
const applicationID = 0x61706c31 // "apl1"

// Migration is one migration of the schema.
type Migration struct {
	Version  int    `json:"version" db:"version"`
	Name     string `json:"name" db:"name"`
	Checksum string `json:"checksum" db:"checksum"`
	text     string
}

// Status describes the schema of a database file.
type Status struct {
	Path    string      `json:"path"`
	Exists  bool        `json:"exists"`
	Version int         `json:"version"` // 0 if the file does not exist
	Latest  int         `json:"latest"`  // version of this program's schema
	Pending []Migration `json:"pending"`
}

// Inspect returns the status of the file at path without changing it. An empty
// file counts as absent. Inspect returns an error if the file is not a database
// of this program, was written by a newer version, or was created by a migration
// that has since been rewritten.
func Inspect(ctx context.Context, path string) (Status, error) {
	s, pool, err := inspectHeader(ctx, path)
	if err != nil || pool == nil {
		return s, err
	}
	defer pool.Close()
	var applied []Migration
	if err := pool.SelectContext(ctx, &applied, ownQueries.Migrations.text); err != nil {
		return s, openError(path, err)
	}
	return s, s.checkApplied(applied)
}

// inspectHeader returns the status of the file at path from its header, without the
// cost of reading the schema, and a pool that reads the file. The pool is nil if there is
// an error or no database.
func inspectHeader(ctx context.Context, path string) (s Status, pool *sqlx.DB, err error) {
	embedded, err := migrations()
	if err != nil {
		return Status{}, nil, err
	}
	s = Status{Path: path, Latest: len(embedded), Pending: embedded}
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return s, nil, nil
	} else if err != nil {
		return s, nil, err
	}
	s.Exists = true
	if pool, err = openPool(path, "mode=ro"); err != nil {
		return s, nil, err
	}
	if err := s.readHeader(ctx, pool); err != nil || !s.Exists {
		return s, nil, errors.Join(err, pool.Close())
	}
	return s, pool, nil
}

// readHeader reads the version of the schema, and whether there is one.
func (s *Status) readHeader(ctx context.Context, pool *sqlx.DB) error {
	var id int
	if err := pool.GetContext(ctx, &id, "PRAGMA application_id"); err != nil {
		return openError(s.Path, err)
	}
	if err := pool.GetContext(ctx, &s.Version, "PRAGMA user_version"); err != nil {
		return openError(s.Path, err)
	}
	if id == 0 && s.Version == 0 {
		// If the file has no tables, the first start was interrupted before the
		// first migration.
		var objects int
		if err := pool.GetContext(ctx, &objects, "SELECT count(*) FROM sqlite_schema"); err == nil && objects == 0 {
			s.Exists = false
			return nil
		}
	}
	switch {
	case id != applicationID:
		return fmt.Errorf("%s %w", s.Path, ErrForeign)
	case s.Version > s.Latest:
		return fmt.Errorf("%s was written by a newer version of this program (schema %d, this version supports up to %d): install the newer version", s.Path, s.Version, s.Latest)
	}
	s.Pending = s.Pending[s.Version:]
	return nil
}

// checkApplied returns an error unless the migrations of the file are those of this
// program.
func (s Status) checkApplied(applied []Migration) error {
	embedded, err := migrations()
	if err != nil {
		return err
	}
	for i, m := range applied {
		if i >= len(embedded) || m.Version != i+1 || m.Name != embedded[i].Name || m.Checksum != embedded[i].Checksum {
			return fmt.Errorf("%s was created by a development version whose migration %04d_%s has since been rewritten: this version cannot open it", s.Path, m.Version, m.Name)
		}
	}
	return nil
}

// checkCurrent returns an error unless the schema is current. The error tells the
// operator how to proceed.
func (s Status) checkCurrent() error {
	switch {
	case !s.Exists:
		return fmt.Errorf("there is no database at %s: run `appliance serve` or `appliance setup`", s.Path)
	case len(s.Pending) > 0:
		return fmt.Errorf("%s was written by an earlier version (schema %d, current %d): run `appliance serve` or `appliance migrate up`", s.Path, s.Version, s.Latest)
	}
	return nil
}

// Migrate applies the pending migrations to the file at path, which it creates if
// necessary, and returns them. Before it changes an existing file it writes a
// snapshot to the directory snapshots. It calls step, which may be nil, before
// each migration. The caller must hold the lock of the data directory unless the
// file does not exist.
func Migrate(ctx context.Context, path, snapshots string, step func(Migration)) ([]Migration, error) {
	s, err := Inspect(ctx, path)
	if err != nil || len(s.Pending) == 0 {
		return nil, err
	}
	if s.Exists {
		name := timestampedName(snapshots, fmt.Sprintf("before-schema-%d", s.Latest))
		if err := Backup(ctx, path, name, BackupOptions{}, nil); err != nil {
			return nil, fmt.Errorf("snapshot before the migration: %w", err)
		}
	} else if err := errors.Join(createFile(path, 0), ChownToDirOwner(path)); err != nil {
		return nil, err
	}
	pool, err := openPool(path, "_pragma=journal_mode(wal)&_pragma=foreign_keys(0)")
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	for _, m := range s.Pending {
		if step != nil {
			step(m)
		}
		if err := apply(ctx, pool, m); err != nil {
			return nil, fmt.Errorf("migration %04d_%s: %w", m.Version, m.Name, err)
		}
	}
	return s.Pending, nil
}

// apply runs a migration in a transaction of its own. It does nothing if another
// process has applied the migration meanwhile.
func apply(ctx context.Context, pool *sqlx.DB, m Migration) error {
	c, err := pool.Connx(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	run := func(text string, args ...any) {
		if err == nil {
			_, err = c.ExecContext(ctx, text, args...)
		}
	}
	if run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // fails after a COMMIT
	var version int
	if err := c.GetContext(ctx, &version, "PRAGMA user_version"); err != nil || version >= m.Version {
		return err
	}
	run(m.text)
	if m.Version == 1 {
		key, epoch := make([]byte, 32), newEpoch()
		rand.Read(key)
		run("INSERT INTO store_meta (id, instance_key, epoch, seq) VALUES (1, ?, ?, 1)", key, epoch)
		run("PRAGMA application_id = " + strconv.Itoa(applicationID))
	}
	run("INSERT INTO store_migration (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
		m.Version, m.Name, m.Checksum, time.Now().UnixMilli())
	run("PRAGMA user_version = " + strconv.Itoa(m.Version))
	if err != nil {
		return err
	}
	// Foreign keys are off during a migration: rebuilding a table would
	// otherwise delete the rows that refer to it.
	var violations int
	if err := c.GetContext(ctx, &violations, "SELECT count(*) FROM pragma_foreign_key_check"); err != nil {
		return err
	}
	if violations > 0 {
		return fmt.Errorf("%d rows violate a foreign key", violations)
	}
	run("COMMIT")
	return err
}

// newEpoch returns a random epoch.
func newEpoch() string {
	b := make([]byte, 6)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// migrations returns the embedded migrations in order.
var migrations = sync.OnceValues(func() ([]Migration, error) {
	names, err := fs.Glob(sqlfiles.Files, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	list := make([]Migration, 0, len(names))
	for i, file := range names {
		text, err := sqlfiles.Files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		number, name, _ := strings.Cut(strings.TrimSuffix(path.Base(file), ".sql"), "_")
		if version, err := strconv.Atoi(number); err != nil || version != i+1 {
			return nil, fmt.Errorf("%s should be number %d", file, i+1)
		}
		sum := sha256.Sum256(text)
		list = append(list, Migration{Version: i + 1, Name: name, Checksum: hex.EncodeToString(sum[:]), text: string(text)})
	}
	return list, nil
})

// timestampedName returns the path of a file in dir whose name contains the
// current time.
func timestampedName(dir, prefix string) string {
	return filepath.Join(dir, prefix+"-"+time.Now().UTC().Format("20060102T150405Z")+".db")
}

// createFile creates an empty file with mode 0600, unless it exists. SQLite gives
// the -wal and -shm files the same mode. If flag is os.O_EXCL the file must not
// exist.
func createFile(path string, flag int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noFollow|flag, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
