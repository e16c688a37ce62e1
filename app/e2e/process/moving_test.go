package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/backups"
	"appliance/app/cli"
	"appliance/store"
)

// A backup that is restored in an empty directory brings the operators and the settings; map data
// is imported again. Covers B-124.
func TestOperatorsAndSettingsMoveWithABackup(t *testing.T) {
	s := apptest.New(t)
	s.Member("op")
	s.Member("ann")
	dir := t.TempDir()
	places := filepath.Join(dir, "harbours.csv")
	if err := os.WriteFile(places, []byte("name,latitude,longitude,kind\nSouth pier,48.2,16.3,tourism=attraction\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(s *apptest.Server, args ...string) string {
		t.Helper()
		status, stdout, stderr := s.RunCommand("", args...)
		if status != cli.ExitOK {
			t.Fatalf("%q: got status %d, want 0\n%s", args, status, stderr)
		}
		return stdout + stderr
	}
	run(s, "maps", "import", places, "--name", "harbours", "--yes")
	backup := filepath.Join(dir, "backup.db")
	if out := run(s, "backup", backup); !strings.Contains(out, "no map data") {
		t.Errorf("got %s, want what the backup leaves out", out)
	}
	contents, ok, err := backups.ReadContents(t.Context(), backup)
	if err != nil || !ok || contents.Maps || len(contents.Regions) != 1 || contents.Regions[0].Name != "harbours" {
		t.Errorf("got the contents %+v (%t, %v), want the region alone", contents, ok, err)
	}

	restored := apptest.New(t)
	out := run(restored, "restore", backup)
	for _, part := range []string{"appliance maps import FILE --name harbours", "Operators: op\n"} {
		if !strings.Contains(out, part) {
			t.Errorf("got %s, want a report with %q", out, part)
		}
	}
	restored.Restart()
	client := restored.Unauthenticated()
	client.Name = "op"
	op := client.SignIn(apptest.Password)
	op.Do("GET", "/admin/members").Want(200)
	run(restored, "maps", "import", places, "--name", "harbours", "--yes")

	run(s, "admin", "members", "promote", "ann")
	run(restored, "admin", "members", "promote", "ann")
	run(restored, "admin", "members", "demote", "op")
	op.Do("GET", "/admin/members").WantError(403, "permission_denied")
	if list := run(restored, "admin", "members", "list", "--json"); strings.Count(list, `"is_operator": true`) != 1 {
		t.Errorf("got %s, want one operator, as in the running server", list)
	}
}

// A backup of the whole database, such as that before an upgrade, restores with its map data.
func TestBackupOfTheWholeDatabaseIsRestored(t *testing.T) {
	s := apptest.New(t)
	s.Member("op")
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	if err := store.Backup(t.Context(), s.DB.Path(), whole, store.BackupOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	restored := apptest.New(t)
	status, stdout, stderr := restored.RunCommand("", "restore", whole)
	if status != cli.ExitOK || strings.Contains(stdout, "map data") || !strings.Contains(stdout, "Operators: op\n") {
		t.Errorf("got status %d, %s%s, want a restored database with its operator and maps", status, stdout, stderr)
	}
}
