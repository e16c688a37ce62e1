package zoneinfo

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed zoneinfo.zip
var archive []byte

// systemDirectories are the directories in which operating systems have the database.
var systemDirectories = []string{"/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/usr/lib/locale/TZ", "/etc/zoneinfo"}

// Limits of a copy.
const (
	maxArchive = 8 << 20  // octets of a ZIP file
	maxEntries = 5000     // files
	maxFile    = 1 << 20  // octets of a file
	maxZones   = 16 << 20 // octets of all zones
)

// embedded returns the embedded copy. Its zones are decompressed when they are loaded.
var embedded = sync.OnceValue(func() *Data {
	d, err := readZip(archive)
	if err != nil {
		panic(err) // the file is embedded
	}
	d.Source = Program
	return d
})

// Load returns the newest copy of the database: that of the file, which may not exist, of the
// operating system, or the embedded one. Of equal versions it prefers the file, then the
// embedded copy. The error says why a copy that exists was refused; there is a result also then.
func Load(file string) (*Data, error) { return load(file, systemDirectories) }

func load(file string, directories []string) (*Data, error) {
	newest := embedded()
	var refused error
	for _, dir := range directories {
		d, err := readDirectory(dir, newest.Version)
		if err != nil {
			refused = errors.Join(refused, fmt.Errorf("%s: %w", dir, err))
		} else if d != nil {
			newest = d
		}
	}
	d, err := readFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		refused = errors.Join(refused, fmt.Errorf("%s: %w", file, err))
	case compareVersions(d.Version, newest.Version) >= 0:
		newest = d
	}
	return newest, refused
}

// readFile reads a ZIP file and validates its zones.
func readFile(file string) (*Data, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxArchive {
		return nil, fmt.Errorf("not a file of at most %d MB", maxArchive>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d, err := readZip(data)
	if err != nil {
		return nil, err
	}
	d.Source, d.Path = File, file
	return d, d.complete(true)
}

// readZip returns the copy in a ZIP file, whose zones are not validated. The files may be in
// a directory.
func readZip(data []byte) (*Data, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("more than %d files", maxEntries)
	}
	files := make(map[string]zoneFile, len(z.File))
	dir, index := "", false
	var modified time.Time
	for _, f := range z.File {
		files[f.Name] = zipped{f}
		if base := path.Base(f.Name); base == indexName || base == versionName && !index {
			dir, index, modified = strings.TrimSuffix(f.Name, base), base == indexName, f.Modified
		}
	}
	d := &Data{zones: make(map[string]zoneFile, len(files))}
	if err := d.readIndex(func(name string) ([]byte, error) {
		if f := files[dir+name]; f != nil {
			return f.read()
		}
		return nil, fs.ErrNotExist
	}); err != nil {
		return nil, err
	}
	d.Released = releaseTime(d.Version, modified)
	for name, f := range files {
		if name, inside := strings.CutPrefix(name, dir); inside && isZoneName(name) {
			d.zones[name] = f
		}
	}
	return d, nil
}

// zipped is a file in a ZIP file.
type zipped struct{ *zip.File }

func (z zipped) read() ([]byte, error) {
	r, err := z.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than %d MB", z.Name, maxFile>>20)
	}
	return data, err
}

// readDirectory returns the copy in a directory of the operating system if it is newer than a
// version, otherwise nil. It reads all zones at once: a package manager may replace the files
// while the program runs.
func readDirectory(dir, than string) (*Data, error) {
	files := os.DirFS(dir)
	d := &Data{Info: Info{Source: System, Path: dir}, zones: make(map[string]zoneFile)}
	err := d.readIndex(func(name string) ([]byte, error) { return fs.ReadFile(files, name) })
	if err != nil || compareVersions(d.Version, than) <= 0 {
		return nil, nil // without a version it may be of any age
	}
	for _, name := range []string{versionName, indexName} {
		if info, err := fs.Stat(files, name); err == nil {
			d.Released = releaseTime(d.Version, info.ModTime())
		}
	}
	n := 0
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && !isZoneName(name): // "posix" and "right" contain all zones once more
			return fs.SkipDir
		case e.IsDir() || !isZoneName(name):
			return nil
		}
		if n++; n > maxEntries {
			return fmt.Errorf("more than %d files", maxEntries)
		}
		info, err := fs.Stat(files, name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
			return nil // a link to a file that does not exist, or another file
		}
		data, err := fs.ReadFile(files, name)
		d.zones[name] = inMemory(data)
		return err
	})
	if err == nil {
		err = d.complete(false)
	}
	return d, err
}

// inMemory is a TZif file in memory.
type inMemory []byte

func (m inMemory) read() ([]byte, error) { return m, nil }

// isZoneName reports whether a file can be a zone. The names of zones begin with a capital
// letter; those of other files in the directories do not.
func isZoneName(name string) bool {
	return len(name) <= maxName && name != "" && 'A' <= name[0] && name[0] <= 'Z' && fs.ValidPath(name)
}

// The files with the version of a copy: the source of the database in short form, which also
// has the links, and the file of BSD systems.
const (
	indexName   = "tzdata.zi"
	versionName = "+VERSION"
)

// readIndex sets the version and the links. Each line of the short form with a link consists
// of L, the target and the name.
func (d *Data) readIndex(read func(name string) ([]byte, error)) error {
	d.links = make(map[string]string)
	text, err := read(indexName)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = read(versionName); err == nil {
			d.Version = parseVersion(string(text))
		}
	} else if err == nil {
		for line := range strings.Lines(string(text)) {
			if version, ok := strings.CutPrefix(line, "# version "); ok && d.Version == "" {
				d.Version = parseVersion(version)
			}
			if f := strings.Fields(line); len(f) == 3 && f[0] == "L" && isZoneName(f[1]) && isZoneName(f[2]) {
				d.links[f[2]] = f[1]
			}
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("neither %s nor %s states the version of the data", indexName, versionName)
	case err == nil && d.Version == "":
		return errors.New("the version of the data is not like 2026a")
	}
	return err
}

// complete reads all zones into memory, drops files of other formats and sets the fallback. If
// validate is set, it fails for invalid zones.
func (d *Data) complete(validate bool) error {
	octets := 0
	for name, f := range d.zones {
		data, err := f.read()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if octets += len(data); octets > maxZones {
			return fmt.Errorf("the files are larger than %d MB", maxZones>>20)
		}
		if !bytes.HasPrefix(data, []byte("TZif")) {
			delete(d.zones, name)
			continue
		}
		if validate {
			if _, err := parse(name, data); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		d.zones[name] = inMemory(data)
	}
	if len(d.zones) == 0 {
		return errors.New("it contains no time zone")
	}
	d.fallback = embedded()
	return nil
}
