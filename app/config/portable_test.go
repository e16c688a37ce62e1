package config

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The settings of a backup are taken if a settings file set them, this machine does not set
// them, and they do not describe the network of the other machine. Keys are only named. Covers B-124.
func TestSettingsOfABackupAreComparedWithThisMachine(t *testing.T) {
	certificate := filepath.Join(t.TempDir(), "absent.pem")
	source := mustLoad(t, fmt.Sprintf("server-name = \"Mill Lane\"\nservices-off = [\"maps\", \"find\"]\nlisten = \"10.0.0.7:80\"\ntrusted-proxies = \"10.0.0.1\"\nfetch-allow-hosts = \"10.0.0.2\"\nbackup-keep = 3\nfind-web-key = \"secret\"\ntls-cert = %[1]q\ntls-key = %[1]q\n", certificate),
		[]string{"APPLIANCE_REGISTRATION=open"}, "--log", "debug")
	list, keys, err := source.Portable()
	if err != nil {
		t.Fatal(err)
	}
	here := mustLoad(t, "backup-keep = 5\n", []string{"APPLIANCE_LOG=debug"})
	c := here.Compare(list, keys)
	for _, r := range []struct{ name, got, want string }{
		{"taken", namesOf(c.Taken), "server-name services-off "},
		{"different", fmt.Sprint(c.Differ), "[{backup-keep 3 5}]"},
		{"missing", namesOf(c.Missing), "listen registration trusted-proxies tls-cert tls-key fetch-allow-hosts "},
		{"keys", fmt.Sprint(c.Keys), "[find-web-key]"},
	} {
		if r.got != r.want {
			t.Errorf("%s: got %s, want %s", r.name, r.got, r.want)
		}
	}
	undo, err := AddToFile(here.File(), c.Taken)
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, here.File(), "server-name = \"Mill Lane\"\nservices-off = \"maps,find\"\nbackup-keep = 5\n")
	text, _ := os.ReadFile(here.File())
	if got, want := effectiveSetting(t, mustLoad(t, string(text), nil), "services-off").Value, "maps,find"; got != want {
		t.Errorf("got the services %q, want %q", got, want)
	}
	if err := undo(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, here.File(), "backup-keep = 5\n")
}

// Covers B-124.
func TestSettingsAreAddedToANewFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "appliance.toml")
	undo, err := AddToFile(file, []Setting{{"server-name", `Anna's "Bürgerhaus"`, "file x"}})
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, file, `server-name = "Anna's \"Bürgerhaus\""`+"\n")
	if err := undo(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("got %v, want no file", err)
	}
}

// The name and the address of the set-up replace earlier values and keep all other lines.
func TestProfileIsStoredInTheSettingsFile(t *testing.T) {
	s := mustLoad(t, "# mine\nserver-name = \"Old\"\nbackup-keep = 5\n", nil)
	p, err := s.CheckProfile(Profile{" Mill Lane ", "HTTPS://Büro.example/"})
	if err != nil {
		t.Fatal(err)
	}
	if restart, err := s.StoreProfile(p); err != nil || !restart {
		t.Errorf("got restart %t (%v), want true, because the address is new", restart, err)
	}
	wantFile(t, s.File(), "base-url = \"https://xn--bro-hoa.example\"\n# mine\nserver-name = \"Mill Lane\"\nbackup-keep = 5\n")
	for _, invalid := range []Profile{{"Two\nlines", ""}, {"", "home.example.org"}} {
		if _, err := s.CheckProfile(invalid); err == nil {
			t.Errorf("%q: got no error, want one", invalid)
		}
	}
}

// A key that was created is read again. A file with other content is not a key.
func TestKeyOfSecondFactorsIsReadAgain(t *testing.T) {
	s := mustLoad(t, "", nil)
	if key, err := s.FactorKey(false); key != nil || err != nil {
		t.Errorf("got %v (%v), want no key before it is created", key, err)
	}
	created, err := s.FactorKey(true)
	if err != nil {
		t.Fatal(err)
	}
	if key, err := s.FactorKey(false); string(key) != string(created) || err != nil {
		t.Errorf("got another key (%v), want the created one", err)
	}
	if key, err := ReadFactorKey(s.FactorKeyFile()); string(key) != string(created) || err != nil {
		t.Errorf("copy: got another key (%v), want the created one", err)
	}
	if _, err := ReadFactorKey(s.File()); err == nil {
		t.Error("got a key from the settings file, want an error")
	}
}

func namesOf(list []Setting) (names string) {
	for _, s := range list {
		names += s.Name + " "
	}
	return names
}

func wantFile(t *testing.T, file, want string) {
	t.Helper()
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("got the file\n%s(%v)\nwant\n%s", got, err, want)
	}
}
