package backups_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/backups"
	"appliance/store"
	"appliance/store/storetest"
)

// newMaker returns a Maker that keeps two backups of each kind, and its directory.
func newMaker(t *testing.T) (m *backups.Maker, dir string, clock *storetest.Clock) {
	t.Helper()
	db, clock := storetest.Open(t)
	dir = t.TempDir()
	return backups.NewMaker(db, dir, 2, slog.New(slog.DiscardHandler), func(context.Context) (backups.Contents, error) { return backups.Contents{}, nil }), dir, clock
}

// names returns the kinds and the names of the backups in a directory. Each verified
// one must be an intact database.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	found, err := backups.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range found {
		if err := store.Verify(t.Context(), b.File); b.Verified && err != nil {
			t.Errorf("%s: got %v, want an intact database", b.Name(), err)
		}
		if b.Size <= 0 {
			t.Errorf("%s: got the size %d, want that of the file", b.Name(), b.Size)
		}
		list = append(list, string(b.Kind)+" "+b.Name())
	}
	return list
}

// wait waits for the end of the backup that Start began.
func wait(t *testing.T, m *backups.Maker) backups.Attempt {
	t.Helper()
	for m.Latest().State == backups.Running {
		select {
		case <-time.After(time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("the backup does not end")
		}
	}
	return m.Latest()
}

func TestBackupsOnRequestAreKeptApartFromNightlyOnes(t *testing.T) {
	m, dir, clock := newMaker(t)
	if err := m.MakeNightly(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		clock.Advance(time.Minute)
		begun, err := m.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ended := wait(t, m)
		if begun.State != backups.Running || ended.State != backups.Done || ended.Name != begun.Name || ended.Failure != "" || ended.Done != ended.Total || ended.Total == 0 {
			t.Errorf("got %+v and later %+v, want a running and a complete backup", begun, ended)
		}
	}
	got := names(t, dir)
	var kinds []string
	for _, name := range got {
		kind, _, _ := strings.Cut(name, " ")
		kinds = append(kinds, kind)
	}
	if !slices.Equal(kinds, []string{"nightly", "manual", "manual"}) {
		t.Errorf("got %q, want the nightly backup and the last two on request", got)
	}
}

// A second backup at the same time would double the load, and could use the same name.
func TestOneBackupIsMadeAtATime(t *testing.T) {
	m, dir, _ := newMaker(t)
	if _, err := m.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := m.Start(t.Context())
	if m.Latest().State == backups.Running && !errors.Is(err, backups.ErrRunning) {
		t.Errorf("second backup: got %v, want %v", err, backups.ErrRunning)
	}
	wait(t, m)
	m.Stop()
	if _, err := m.Start(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("after Stop: got %v, want %v", err, store.ErrClosed)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("got %q, want one backup", got)
	}
}

// The request for a backup ends before the backup.
func TestBackupContinuesAfterItsRequest(t *testing.T) {
	m, dir, _ := newMaker(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := m.Start(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if ended := wait(t, m); ended.State != backups.Done || len(names(t, dir)) != 1 {
		t.Errorf("got %+v and %q, want a backup", ended, names(t, dir))
	}
}

func TestFailedBackupSaysWhy(t *testing.T) {
	m, dir, _ := newMaker(t)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ended := wait(t, m); ended.State != backups.Failed || ended.Failure == "" || ended.EndedAt.IsZero() {
		t.Errorf("got %+v, want a failure with its reason", ended)
	}
	if list, err := backups.List(dir); err != nil || len(list) != 0 {
		t.Errorf("missing directory: got %v (%v), want no backups", list, err)
	}
}

func TestListIgnoresOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"nightly-20261122T023000Z.db", "before-schema-15-20261121T090000Z.db", "before-restore-20261120T090000Z.db", "manual-20261122T120000Z.db",
		"nightly-20261122T023000Z.db.partial", "nightly-yesterday.db", "before-schema-20261121T090000Z.db", "appliance.db", "notes.txt",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := backups.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range list {
		got = append(got, string(b.Kind))
		if want := b.Kind != backups.BeforeRestore; b.Verified != want {
			t.Errorf("%s: got verified %t, want %t", b.Name(), b.Verified, want)
		}
	}
	if want := []string{"before_restore", "before_upgrade", "nightly", "manual"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
