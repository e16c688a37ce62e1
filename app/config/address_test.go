package config

import (
	"os"
	"path/filepath"
	"testing"

	"appliance/store"
)

// A command uses the address of the running server, unless the flag --base-url
// names another. The address file that a killed server has left behind is ignored.
func TestCommandUsesTheAddressOfTheRunningServer(t *testing.T) {
	dir := t.TempDir()
	server := mustLoad(t, "", nil, "--data", dir, "--base-url", "https://home.example.org/a")
	if err := server.PublishAddress(); err != nil {
		t.Fatal(err)
	}
	use := func(args ...string) (url string, running bool, err error) {
		t.Helper()
		s := mustLoad(t, "", nil, append(args, "--data", dir)...)
		running, err = s.UseServerAddress()
		return s.URL().String(), running, err
	}
	if url, running, err := use(); url != "http://127.0.0.1:8080" || running || err != nil {
		t.Errorf("without a server: got %s, %t, %v, want the address of the settings", url, running, err)
	}
	unlock, err := store.Lock(filepath.Join(dir, "appliance.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if url, running, err := use(); url != "https://home.example.org/a" || !running || err != nil {
		t.Errorf("beside a server: got %s, %t, %v, want its address", url, running, err)
	}
	if url, running, err := use("--base-url", "http://other.example.org"); url != "http://other.example.org" || !running || err != nil {
		t.Errorf("with a flag: got %s, %t, %v, want the address of the flag", url, running, err)
	}
	if err := os.WriteFile(server.AddressFile(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if url, _, err := use(); err == nil {
		t.Errorf("with an empty address file: got %s, want an error", url)
	}
	if err := os.Remove(server.AddressFile()); err != nil {
		t.Fatal(err)
	}
	if url, running, err := use(); url != "http://127.0.0.1:8080" || !running || err != nil {
		t.Errorf("while the server starts: got %s, %t, %v, want the address of the settings", url, running, err)
	}
}

func TestIsLoopbackReportsAddressesOfThisMachine(t *testing.T) {
	for base, want := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost": true, "http://[::1]:80": true,
		"http://192.168.1.10:8080": false, "https://home.example.org": false, "http://localhost.example.org": false,
	} {
		if got := mustLoad(t, "", nil, "--base-url", base).IsLoopback(); got != want {
			t.Errorf("%s: got %t, want %t", base, got, want)
		}
	}
}

func TestChangedNamesListsTheSettingsThatDiffer(t *testing.T) {
	before := mustLoad(t, "", nil, "--data", "x", "--log", "info", "--backup-keep", "3")
	after := mustLoad(t, "", []string{"APPLIANCE_BACKUP_KEEP=3", "APPLIANCE_REGISTRATION=closed"}, "--data", "x")
	if got := before.ChangedNames(after); len(got) != 1 || got[0] != "registration" {
		t.Errorf("got %q, want registration only", got)
	}
}
