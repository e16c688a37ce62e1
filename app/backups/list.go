package backups

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Kind is the occasion on which a backup was made.
type Kind string

const (
	Nightly       Kind = "nightly" // by the schedule of backup-every
	Manual        Kind = "manual"  // on request of an operator
	BeforeUpgrade Kind = "before_upgrade"
	BeforeRestore Kind = "before_restore"
)

// The name of a backup is a prefix for its kind and the time at which it was begun.
const (
	nightlyPrefix = "nightly-"
	manualPrefix  = "manual-"
	schemaPrefix  = "before-schema-"
	restorePrefix = "before-restore-"

	timeLayout = "20060102T150405Z"
	suffix     = ".db"
)

// NightlyLayout is the layout of the file names of automatic backups.
const NightlyLayout = nightlyPrefix + timeLayout + suffix

// Backup is a backup in the backup directory.
type Backup struct {
	File      string // path
	Kind      Kind
	CreatedAt time.Time
	Size      int64 // bytes

	// Verified reports whether the file was an intact database when it was written. The
	// database that a restore replaces may be damaged.
	Verified bool
}

// Name returns the name of the file.
func (b Backup) Name() string { return filepath.Base(b.File) }

// List returns the backups in a directory, the oldest first. Other files are ignored.
// A directory that does not exist contains none.
func List(dir string) ([]Backup, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Backup
	for _, e := range entries {
		b, ok := parseName(e.Name())
		if !ok {
			continue
		}
		info, err := e.Info()
		if err != nil { // deleted in the meantime
			continue
		}
		b.File, b.Size = filepath.Join(dir, e.Name()), info.Size()
		list = append(list, b)
	}
	slices.SortStableFunc(list, func(a, b Backup) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return list, err
}

// OfKind returns the backups of a kind.
func OfKind(list []Backup, kind Kind) []Backup {
	return slices.DeleteFunc(slices.Clone(list), func(b Backup) bool { return b.Kind != kind })
}

// Usable returns the backups that can replace the database: not those of a database that a restore has
// replaced, which may be damaged.
func Usable(list []Backup) []Backup {
	return slices.DeleteFunc(slices.Clone(list), func(b Backup) bool { return !b.Verified })
}

// parseName returns the kind and the time in the name of a backup; ok is false for
// other files.
func parseName(name string) (b Backup, ok bool) {
	prefix := ""
	for _, p := range []struct {
		prefix string
		kind   Kind
	}{{nightlyPrefix, Nightly}, {manualPrefix, Manual}, {schemaPrefix, BeforeUpgrade}, {restorePrefix, BeforeRestore}} {
		if strings.HasPrefix(name, p.prefix) {
			prefix, b.Kind = p.prefix, p.kind
		}
	}
	stamp := strings.TrimPrefix(name, prefix)
	if b.Kind == BeforeUpgrade { // the number of the schema precedes the time
		_, stamp, _ = strings.Cut(stamp, "-")
	}
	at, err := time.Parse(timeLayout+suffix, stamp)
	b.CreatedAt, b.Verified = at, b.Kind != BeforeRestore
	return b, err == nil && prefix != ""
}
