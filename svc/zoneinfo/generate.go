//go:build ignore

// Generate writes zoneinfo.zip, and the list of time zones to choose from, from Debian's
// package tzdata, whose data is in the public domain. It needs apt-get and dpkg-deb, or the
// file of the package as its argument.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The package. Debian replaces it with each release of the time zone database; for a newer one,
// change both constants.
const (
	packageVersion = "2026f-0+deb12u1"
	packageSum     = "3254eb870c8a949518214805aee5e4276af7699988ea8b9a3a583cd0f1eab31c"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal("generate: ", err)
	}
}

func run(args []string) error {
	dir, err := os.MkdirTemp("", "tzdata")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	pkg, err := readPackage(args, dir)
	if err != nil {
		return err
	}
	files, released, err := unpack(pkg)
	if err != nil {
		return err
	}
	archive := map[string][]byte{"tzdata.zi": summary(files["tzdata.zi"])}
	for name, data := range files {
		if strings.HasPrefix(string(data), "TZif") && 'A' <= name[0] && name[0] <= 'Z' {
			archive[name] = data
		}
	}
	if err := writeZip("zoneinfo.zip", archive, released); err != nil {
		return err
	}
	return os.WriteFile("../../assets/timezones.txt", []byte(strings.Join(names(files["zone.tab"]), "\n")+"\n"), 0o644)
}

// readPackage returns the file of the package, which it downloads to dir unless it is an
// argument, and checks its sum.
func readPackage(args []string, dir string) (file string, err error) {
	if len(args) == 1 {
		file = args[0]
	} else {
		download := exec.Command("apt-get", "download", "tzdata="+packageVersion)
		download.Dir, download.Stderr = dir, os.Stderr
		if err := download.Run(); err != nil {
			return "", fmt.Errorf("apt-get download tzdata=%s: %w", packageVersion, err)
		}
		list, err := filepath.Glob(filepath.Join(dir, "*.deb"))
		if err != nil || len(list) != 1 {
			return "", errors.Join(err, fmt.Errorf("got %d files, want one", len(list)))
		}
		file = list[0]
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != packageSum {
		return "", fmt.Errorf("%s: got the SHA-256 sum %x, want %s", file, sum, packageSum)
	}
	return file, nil
}

// unpack returns the regular files of the package below its directory zoneinfo, and the time
// at which its data was made.
func unpack(pkg string) (files map[string][]byte, released time.Time, err error) {
	const dir = "./usr/share/zoneinfo/"
	data, err := exec.Command("dpkg-deb", "--fsys-tarfile", pkg).Output()
	if err != nil {
		return nil, released, fmt.Errorf("dpkg-deb: %w", err)
	}
	files = make(map[string][]byte)
	for archive := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, released, err
		}
		name, inside := strings.CutPrefix(h.Name, dir)
		if !inside || h.Typeflag != tar.TypeReg {
			continue
		}
		if files[name], err = io.ReadAll(archive); err != nil {
			return nil, released, err
		}
		if name == "tzdata.zi" {
			released = h.ModTime.UTC()
		}
	}
	if released.IsZero() {
		return nil, released, errors.New("the package has no tzdata.zi")
	}
	return files, released, nil
}

// summary returns the lines of tzdata.zi with the version and the links.
func summary(text []byte) (lines []byte) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("# version ")) || bytes.HasPrefix(line, []byte("L ")) {
			lines = append(lines, line...)
		}
	}
	return lines
}

// names returns the names in zone.tab, sorted, and UTC.
func names(table []byte) (list []string) {
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); !strings.HasPrefix(line, "#") && len(fields) >= 3 {
			list = append(list, fields[2])
		}
	}
	slices.Sort(list)
	return append(list, "UTC")
}

// writeZip writes an archive that depends only on its arguments.
func writeZip(file string, files map[string][]byte, modified time.Time) error {
	var buf bytes.Buffer
	archive := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified})
		if err != nil {
			return err
		}
		if _, err := w.Write(files[name]); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, buf.Bytes(), 0o644)
}
