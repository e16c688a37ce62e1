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
	"time"

	sqlfiles "appliance/sql"

	"github.com/jmoiron/sqlx"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a file as ours, in the header of every SQLite database.
const applicationID = 0x61706c31 // "apl1"

// Migration is one step of the schema's history.
type Migration struct {
	Version  int    `json:"version" db:"version"`
	Name     string `json:"name" db:"name"`
	Checksum string `json:"checksum" db:"checksum"`
	text     string
}

// Status says where a database file stands in the history of the schema.
type Status struct {
	Path    string      `json:"path"`
	Exists  bool        `json:"exists"`
	Version int         `json:"version"` // 0 for a file that does not exist
	Latest  int         `json:"latest"`  // what this program knows
	Pending []Migration `json:"pending"`
}

// Inspect looks at the file at path and changes nothing. An empty one is as
// good as none. It returns an error for a file that is not ours, that a newer
// program has written, or that was made by migrations which have been
// rewritten since.
func Inspect(ctx context.Context, path string) (Status, error) {
	history, err := migrations()
	if err != nil {
		return Status{}, err
	}
	s := Status{Path: path, Latest: len(history), Pending: history}
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return s, nil
	} else if err != nil {
		return s, err
	}
	s.Exists = true
	pool, err := openPool(path, "mode=ro")
	if err != nil {
		return s, err
	}
	defer pool.Close()
	var id int
	if err := pool.GetContext(ctx, &id, "PRAGMA application_id"); err != nil && primaryCode(err) != sqlite3.SQLITE_NOTADB {
		return s, fmt.Errorf("reading %s: %w", path, err)
	} else if err != nil {
		return s, fmt.Errorf("%s is not a database", path)
	}
	if err := pool.GetContext(ctx, &s.Version, "PRAGMA user_version"); err != nil {
		return s, fmt.Errorf("reading %s: %w", path, err)
	}
	if id == 0 && s.Version == 0 {
		// A first start that was interrupted before anything was in the file.
		var things int
		if err := pool.GetContext(ctx, &things, "SELECT count(*) FROM sqlite_schema"); err == nil && things == 0 {
			s.Exists = false
			return s, nil
		}
	}
	switch {
	case id != applicationID:
		return s, fmt.Errorf("%s is not a database of this program", path)
	case s.Version > len(history):
		return s, fmt.Errorf("%s was written by a newer version of this program (schema %d, this one knows %d): install that version again", path, s.Version, len(history))
	}
	var applied []Migration
	if err := pool.SelectContext(ctx, &applied, "SELECT version, name, checksum FROM store_migration ORDER BY version"); err != nil {
		return s, fmt.Errorf("reading %s: %w", path, err)
	}
	for i, m := range applied {
		if i >= len(history) || m.Version != i+1 || m.Name != history[i].Name || m.Checksum != history[i].Checksum {
			return s, fmt.Errorf("%s was made by a development version: its migration %04d_%s has been rewritten since", path, m.Version, m.Name)
		}
	}
	s.Pending = history[s.Version:]
	return s, nil
}

func (s Status) mustBeCurrent() error {
	switch {
	case !s.Exists:
		return fmt.Errorf("there is no database at %s yet: start `appliance serve` or run `appliance setup`", s.Path)
	case len(s.Pending) > 0:
		return fmt.Errorf("%s is from an earlier version (schema %d, now %d): start `appliance serve` or run `appliance migrate up`", s.Path, s.Version, s.Latest)
	}
	return nil
}

// Migrate brings the file at path up to date, creating it if there is none,
// and returns what it applied. Before it changes an existing file it leaves a
// snapshot in the folder snapshots. step, which may be nil, hears of each
// migration before it runs. The caller holds the lock of the data directory,
// or knows that there was no file.
func Migrate(ctx context.Context, path, snapshots string, step func(Migration)) ([]Migration, error) {
	s, err := Inspect(ctx, path)
	if err != nil || len(s.Pending) == 0 {
		return nil, err
	}
	if s.Exists {
		name := stamped(snapshots, fmt.Sprintf("before-schema-%d", s.Latest))
		if err := Backup(ctx, path, name, nil); err != nil {
			return nil, fmt.Errorf("snapshot before the migration: %w", err)
		}
	} else if err := errors.Join(touchFile(path, 0), ChownToDirOwner(path)); err != nil {
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

// apply runs one migration in a transaction of its own, unless another
// process has done so meanwhile.
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
	defer c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // refused after a COMMIT
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
	// Foreign keys are off, so that a table can be rebuilt without what refers
	// to it being deleted; whatever dangles afterwards is a mistake.
	var dangling int
	if err := c.GetContext(ctx, &dangling, "SELECT count(*) FROM pragma_foreign_key_check"); err != nil {
		return err
	}
	if dangling > 0 {
		return fmt.Errorf("it would leave %d rows that refer to nothing", dangling)
	}
	run("COMMIT")
	return err
}

// newEpoch draws the name of a life of the file.
func newEpoch() string {
	b := make([]byte, 6)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// migrations returns the embedded history in order.
func migrations() ([]Migration, error) {
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
}

// stamped returns the name of a file in folder that says when it was made.
func stamped(folder, what string) string {
	return filepath.Join(folder, what+"-"+time.Now().UTC().Format("20060102T150405Z")+".db")
}

// touchFile creates an empty file that only its owner can read. SQLite gives
// the files beside it the same permissions. With os.O_EXCL as flag it must not
// be there yet.
func touchFile(path string, flag int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noFollow|flag, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
