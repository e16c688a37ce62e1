package apptest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"appliance/svc/words"
)

// BinaryWithCatalog builds the program with one more file in assets/words, and returns its path.
// tag is the BCP 47 tag of the language. The source stays unchanged: the compiler reads the file
// in an overlay.
func BinaryWithCatalog(t *testing.T, tag string, catalog words.Catalog) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, content any) string {
		text, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	file := write("catalog.json", catalog)
	overlay := write("overlay.json", map[string]any{"Replace": map[string]string{filepath.Join(root, "assets/words", tag+".json"): file}})
	bin := filepath.Join(dir, "appliance")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlay, "-o", bin, "appliance")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the program with a catalog: %v\n%s", err, out)
	}
	return bin
}
