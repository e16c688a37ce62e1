package cli_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
)

// copyWith returns a copy of a database file after SQL statements.
func copyWith(t *testing.T, file, statements string) string {
	t.Helper()
	changed := filepath.Join(t.TempDir(), "appliance.db")
	writeFile(t, changed, readFile(t, file))
	db, err := sql.Open("sqlite", changed)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
	return changed
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// restore, serve and doctor say what is wrong with a file, and what to do. restore changes nothing.
func TestUnusableDatabaseFilesAreExplained(t *testing.T) {
	backup := filepath.Join(t.TempDir(), "backup.db")
	if status, out, errs := run(t, "", "backup", "--data", apptest.NewDataDir(t), backup); status != 0 {
		t.Fatal(out, errs)
	}
	data := readFile(t, backup)
	dir := apptest.NewDataDir(t)
	with := func(data []byte) string {
		file := filepath.Join(t.TempDir(), "appliance.db")
		writeFile(t, file, data)
		return file
	}
	const (
		foreign      = "$FILE is not a database of this program"
		damaged      = "$FILE is truncated or damaged: "
		newer        = "$FILE was written by a newer version of this program (schema 999, this version supports up to "
		otherFile    = "The database was not changed. Choose a file that appliance backup has written; if it is compressed, unpack it first."
		copyAgain    = "The database was not changed. Copy the file again from where it was made, or choose another backup."
		moveAway     = "Move the file away, or choose another directory with --data."
		restoreLast  = "Stop the server and restore the last backup of the directory backups: appliance restore FILE"
		useItsWriter = "Use the version of appliance that wrote it, or restore a backup."
	)
	for _, c := range []struct{ name, file, message, onRestore, onServe, onDoctor string }{
		{"cut after its first pages", with(data[:len(data)/10]), damaged, copyAgain, restoreLast, restoreLast},
		{"without its last page", with(data[:len(data)-4096]), damaged, copyAgain, restoreLast, restoreLast},
		{"cut in its header", with(data[:50]), foreign, otherFile, moveAway, moveAway},
		{"compressed", with([]byte("\x1f\x8b\x08\x00 compressed data, much longer than the header of a database file, which has only one hundred bytes")), foreign, otherFile, moveAway, moveAway},
		{"of another program", copyWith(t, backup, "PRAGMA application_id = 7"), foreign, otherFile, moveAway, moveAway},
		{"of a newer version", copyWith(t, backup, "PRAGMA user_version = 999"), newer, "The database was not changed.", "install the newer version", useItsWriter},
	} {
		before := readFile(t, filepath.Join(dir, "appliance.db"))
		wantAdvice(t, c.name+": restore", c.file, c.message, c.onRestore, "restore", "--data", dir, c.file)
		if string(readFile(t, filepath.Join(dir, "appliance.db"))) != string(before) {
			t.Errorf("%s: restore changed the database", c.name)
		}
		bad := filepath.Dir(c.file)
		wantAdvice(t, c.name+": serve", c.file, c.message, c.onServe, "serve", "--data", bad, "--listen", "127.0.0.1:0")
		wantAdvice(t, c.name+": doctor", c.file, c.message, c.onDoctor, "doctor", "--data", bad)
	}
}

// wantAdvice fails the test unless a command fails with a message about a file and with advice.
func wantAdvice(t *testing.T, name, file, message, advice string, args ...string) {
	t.Helper()
	status, out, errs := run(t, "", args...)
	message = strings.ReplaceAll(message, "$FILE", file)
	if got := out + errs; status != 1 || !strings.Contains(got, message) || !strings.Contains(got, advice+"\n") {
		t.Errorf("%s: got status %d and\n%s\nwant 1, %q and %q", name, status, got, message, advice)
	}
}

// A backup of an earlier version is restored. The next start migrates it.
func TestBackupOfAnEarlierVersionIsRestored(t *testing.T) {
	older := filepath.Join(t.TempDir(), "older.db")
	ctx, interrupt := context.WithCancel(t.Context())
	_, err := store.Migrate(ctx, older, t.TempDir(), func(m store.Migration) {
		if m.Version == 3 {
			interrupt()
		}
	})
	if status, _ := store.Inspect(t.Context(), older); err == nil || status.Version != 2 {
		t.Fatalf("got schema %d (%v), want 2", status.Version, err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	const want = "The backup was made by an earlier version. The next start migrates it"
	if status, out, errs := run(t, "", "restore", "--data", dir, older); status != 0 || !strings.Contains(errs, want) {
		t.Errorf("got status %d and\n%s%s\nwant 0 and %q", status, out, errs, want)
	}
	if status, out, errs := run(t, "", "migrate", "up", "--data", dir); status != 0 {
		t.Errorf("migration: got status %d and\n%s%s\nwant 0", status, out, errs)
	}
}
