package app

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// withoutFileList lists packages whose package comment does not list all files yet.
// Remove a package when its list is complete; the test logs such packages.
var withoutFileList = []string{}

// fileEntry matches a line of the list: "- file.go: what it contains".
var fileEntry = regexp.MustCompile(`(?m)^\s*- ([a-z0-9_]+\.go): \S`)

// The package comment of each package with more than one file lists every file once,
// with one line of description.
func TestPackageCommentsListAllFiles(t *testing.T) {
	files := make(map[string][]string)
	eachFile(t, func(dir, file string, test bool) {
		if !test {
			files[dir] = append(files[dir], file)
		}
	})
	for dir, names := range files {
		var comment string
		var want []string
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			comment += f.Doc.Text()
			if base := filepath.Base(name); base != "doc.go" {
				want = append(want, base)
			}
		}
		if len(names) == 1 {
			continue
		}
		var got []string
		for _, match := range fileEntry.FindAllStringSubmatch(comment, -1) {
			got = append(got, match[1])
		}
		missing, surplus := difference(want, got), difference(got, want)
		complete := len(missing) == 0 && len(surplus) == 0
		allowed := slices.Contains(withoutFileList, dir)
		if complete && allowed {
			t.Logf("%s is complete: remove it from withoutFileList", dir)
		}
		if !complete && !allowed {
			t.Errorf("package comment of %s: files not listed: %q, listed twice or without a file: %q", dir, missing, surplus)
		}
	}
	for _, dir := range withoutFileList {
		if _, err := os.Stat(filepath.Join("..", dir)); err != nil {
			t.Logf("%s does not exist: remove it from withoutFileList", dir)
		}
	}
}

// difference returns the elements of a that are not in b, counting repetitions.
func difference(a, b []string) []string {
	rest := slices.Clone(b)
	var only []string
	for _, s := range a {
		if i := slices.Index(rest, s); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			only = append(only, s)
		}
	}
	slices.Sort(only)
	return only
}

func TestFileEntryMatchesOneLineDescriptions(t *testing.T) {
	comment := strings.Join([]string{"Package x does y.", " - a.go: A", "  - b_c2.go: B, and C", "- d.go", "e.go: E", "  - f/: sub-package"}, "\n")
	var got []string
	for _, match := range fileEntry.FindAllStringSubmatch(comment, -1) {
		got = append(got, match[1])
	}
	if want := []string{"a.go", "b_c2.go"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
