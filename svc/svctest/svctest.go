// Package svctest reads test archives in txtar format and compares results with
// their golden files.
//
// # Files
//
//   - svctest.go: Archive and Each
//   - long.go: Long and Seeds, for tests that run with -long
package svctest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Update is set by the flag -update: golden files are rewritten, not compared.
var Update = flag.Bool("update", false, "rewrite golden files")

// Archive is a text followed by files, in txtar format:
//
//	text
//	-- name --
//	data
type Archive struct {
	Name  string // file name without extension
	Text  string // text before the first file
	Files []File

	changed bool
}

// File is one file of an archive.
type File struct {
	Name string
	Data string
}

// Each runs a subtest for each archive that matches the pattern. It fails if there
// is none. With -update it writes archives whose files have changed.
func Each(t *testing.T, pattern string, run func(*testing.T, *Archive)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives match %s (%v)", pattern, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := parse(string(text))
			a.Name = name
			run(t, a)
			if a.changed {
				if err := os.WriteFile(path, []byte(a.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func parse(text string) *Archive {
	a := new(Archive)
	var data strings.Builder
	end := func() {
		if len(a.Files) == 0 {
			a.Text = data.String()
		} else {
			a.Files[len(a.Files)-1].Data = data.String()
		}
		data.Reset()
	}
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(name, " --") {
			end()
			a.Files = append(a.Files, File{Name: strings.TrimSuffix(name, " --")})
			continue
		}
		data.WriteString(line)
	}
	end()
	return a
}

// String returns the archive in txtar format.
func (a *Archive) String() string {
	var b bytes.Buffer
	b.WriteString(a.Text)
	for _, f := range a.Files {
		b.WriteString("-- " + f.Name + " --\n" + f.Data)
		if !strings.HasSuffix(f.Data, "\n") && f.Data != "" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Set replaces the data of the i-th file, for -update.
func (a *Archive) Set(i int, data string) {
	if data != "" && !strings.HasSuffix(data, "\n") {
		data += "\n"
	}
	if a.Files[i].Data != data {
		a.Files[i].Data, a.changed = data, true
	}
}
