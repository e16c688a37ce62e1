package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestBackupWhileWritingIsConsistent(t *testing.T) {
	db := open(t)
	for _, v := range []string{"a", "b", "c"} {
		if err := db.Write(t.Context(), add(v)); err != nil {
			t.Fatal(err)
		}
	}
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				if err := db.Write(t.Context(), add(strings.Repeat("x", i+1))); err != nil {
					t.Error(err)
				}
			}
		}
	})
	dest := filepath.Join(t.TempDir(), "copy.db")
	var progress int64
	for range 3 { // an older backup of the same name is replaced
		if err := Backup(t.Context(), db.path, dest, BackupOptions{}, func(done, total int64) { progress = done }); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	all.Wait()
	if progress == 0 {
		t.Error("got no report of the progress, want one")
	}
	if info, err := os.Stat(dest); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("backup has mode %v (%v), want 0600", info.Mode(), err)
	}
	left, _ := filepath.Glob(dest + "?*")
	if len(left) > 0 {
		t.Errorf("got the files %v after the backup, want none", left)
	}
	copied, err := Open(t.Context(), dest, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if n := count(t, copied); n < 3 {
		t.Errorf("got %d rows in the backup, want at least 3", n)
	}
}

func TestBackupRejectsExistingOtherFiles(t *testing.T) {
	db := open(t)
	otherFile := filepath.Join(t.TempDir(), "letters.txt")
	if err := os.WriteFile(otherFile, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Backup(t.Context(), db.path, otherFile, BackupOptions{}, nil); err == nil {
		t.Error("a backup onto a file that is not a backup: got no error, want one")
	}
	if b, _ := os.ReadFile(otherFile); string(b) != "precious" {
		t.Error("the file was modified")
	}
	if err := Backup(t.Context(), db.path, db.path, BackupOptions{}, nil); err == nil || !strings.Contains(err.Error(), "itself") {
		t.Errorf("backup onto the database: got %v, want an error", err)
	}
	if err := Backup(t.Context(), db.path, filepath.Join(t.TempDir(), "no", "such", "dir.db"), BackupOptions{}, nil); err == nil {
		t.Error("a backup into a missing directory: got no error, want one")
	}
}

func TestRestoreReplacesDatabaseAndEpoch(t *testing.T) {
	db := open(t)
	dir := filepath.Dir(db.path)
	if err := db.Write(t.Context(), add("before")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "backup.db")
	if err := Backup(t.Context(), db.path, file, BackupOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), add("after")); err != nil {
		t.Fatal(err)
	}
	epoch := db.meta.Epoch
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// Restore discards the write-ahead log that a crash of the old database left.
	if err := os.WriteFile(db.path+"-wal", bytes.Repeat([]byte("stale"), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	old, err := Restore(t.Context(), file, db.path, dir)
	if err != nil {
		t.Fatal(err)
	}
	restored, err := Open(t.Context(), db.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, restored); n != 1 {
		t.Errorf("got %d rows in the restored database, want 1", n)
	}
	if restored.meta.Epoch == epoch {
		t.Error("the epoch has not changed: clients would keep outdated sync tokens")
	}
	if !bytes.Equal(restored.meta.InstanceKey, db.meta.InstanceKey) {
		t.Error("the instance key has changed")
	}
	if err := restored.Close(); err != nil {
		t.Fatal(err)
	}
	saved, err := Open(t.Context(), old, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer saved.Close()
	if n := count(t, saved); n != 2 {
		t.Errorf("got %d rows in the saved database, want 2", n)
	}
}

func TestRestoreRejectsDamagedFile(t *testing.T) {
	db := open(t)
	for i := range 200 {
		if err := db.Write(t.Context(), add(strings.Repeat("y", 500+i))); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "backup.db")
	if err := Backup(t.Context(), db.path, file, BackupOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 3; i < len(b)/3*2; i++ {
		b[i] = 0xff
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	before := fileSum(t, db.path)
	if _, err := Restore(t.Context(), file, db.path, t.TempDir()); err == nil {
		t.Error("restoring a damaged file: got no error, want one")
	}
	if fileSum(t, db.path) != before {
		t.Error("the database was modified")
	}
}

func TestLockIsExclusive(t *testing.T) {
	dir := t.TempDir()
	wantLocked := func(want bool) {
		t.Helper()
		if got, err := IsLocked(dir); got != want || err != nil {
			t.Errorf("IsLocked: got %t, %v, want %t", got, err, want)
		}
	}
	wantLocked(false)
	unlock, err := Lock(filepath.Join(dir, "appliance.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(filepath.Join(dir, "appliance.db")); !errors.Is(err, ErrLocked) {
		t.Errorf("second lock: got %v, want ErrLocked", err)
	}
	wantLocked(true)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	wantLocked(false)
	unlock, err = Lock(filepath.Join(dir, "appliance.db"))
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}
