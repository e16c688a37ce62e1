package zoneinfo

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	summer = time.Date(2050, 7, 1, 12, 0, 0, 0, time.UTC)
	made   = time.Date(2090, 2, 3, 0, 0, 0, 0, time.UTC)
)

// fixed returns the TZif file of a zone without transitions.
func fixed(offset int) string {
	return string(encode(Transition{Offset: offset, Name: "LMT"}, nil, ""))
}

// zipOf returns a ZIP file.
func zipOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made})
		if err == nil {
			_, err = w.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// writeFile writes a ZIP file and returns its path.
func writeFile(t testing.TB, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "zoneinfo.zip")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// directory writes files to a directory and returns its path.
func directory(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func offsetAt(t testing.TB, d *Data, name string, at time.Time) int {
	t.Helper()
	loc := d.Location(name)
	if loc == nil {
		t.Fatalf("%s: got no location in version %s", name, d.Version)
	}
	_, offset := at.In(loc).Zone()
	return offset
}

// A machine without a database of its own has that of the program, with the law of British
// Columbia of 2026.
func TestEmbeddedCopyNeedsNoSystem(t *testing.T) {
	d, err := load(filepath.Join(t.TempDir(), "missing"), nil)
	if err != nil || d.Source != Program || compareVersions(d.Version, "2026f") < 0 || d.Released.Year() < 2026 {
		t.Fatalf("got %+v, %v; want the embedded copy, version 2026f or later", d.Info, err)
	}
	for name, want := range map[string]int{"America/Vancouver": -7, "US/Pacific": -8, "Europe/Berlin": 1, "Asia/Tokyo": 9, "UTC": 0} {
		if got := offsetAt(t, d, name, time.Date(2026, 12, 15, 12, 0, 0, 0, time.UTC)); got != want*3600 {
			t.Errorf("%s: got offset %d s, want %d h", name, got, want)
		}
	}
	if got := d.Location("US/Pacific").String(); got != "US/Pacific" {
		t.Errorf("got the name %q of a link, want US/Pacific", got)
	}
}

// Files that are not zones have no location.
func TestOtherFilesAreNoZones(t *testing.T) {
	for _, name := range []string{"", "Local", "europe/berlin", "tzdata.zi", "Europe", "../zoneinfo/UTC", "Europe/../UTC", "/Europe/Berlin", "A\x00", strings.Repeat("A", 100)} {
		if loc := Current().Location(name); loc != nil {
			t.Errorf("%q: got %v, want none", name, loc)
		}
	}
}

func TestNewestCopyIsLoaded(t *testing.T) {
	copyOf := func(version string, offset int) map[string]string {
		return map[string]string{"tzdata.zi": "# version " + version + "\n", "Europe/Berlin": fixed(offset), "zone.tab": "text", "posix/Europe/Berlin": fixed(7), "Other": "text"}
	}
	bsd := map[string]string{"+VERSION": "2099a\n", "Europe/Berlin": fixed(3)}
	inside := make(map[string]string)
	for name, text := range copyOf("2099b", 5) {
		inside["usr/share/zoneinfo/"+name] = text
	}
	embedded := Current().Version
	for _, c := range []struct {
		name         string
		system, file map[string]string
		version      string
		source       Source
		offset       int // in the summer of 2050; 7200 is that of the embedded copy
	}{
		{"no other copy", nil, nil, embedded, Program, 7200},
		{"older copies", copyOf("2020a", 1), copyOf("2020b", 2), embedded, Program, 7200},
		{"an equal copy of the system", copyOf(embedded, 1), nil, embedded, Program, 7200},
		{"an equal file", nil, copyOf(embedded, 2), embedded, File, 2},
		{"a newer copy of the system", copyOf("2099a", 1), copyOf("2098z", 2), "2099a", System, 1},
		{"a newer file", copyOf("2099a", 1), copyOf("2099b", 2), "2099b", File, 2},
		{"the 27th release of a year", copyOf("2099z", 1), copyOf("2099aa", 2), "2099aa", File, 2},
		{"a system without version", map[string]string{"Europe/Berlin": fixed(1)}, nil, embedded, Program, 7200},
		{"a system with the version in its own file", bsd, nil, "2099a", System, 3},
		{"a system with a damaged zone", map[string]string{"tzdata.zi": "# version 2099a\n", "Europe/Berlin": "TZif2", "UTC": fixed(0)}, nil, "2099a", System, 7200},
		{"a file with a directory in it", nil, inside, "2099b", File, 5},
	} {
		var file string
		if c.file != nil {
			file = writeFile(t, zipOf(t, c.file))
		}
		d, err := load(file, []string{filepath.Join(t.TempDir(), "missing"), directory(t, c.system)})
		if err != nil || d.Version != c.version || d.Source != c.source {
			t.Errorf("%s: got %+v, %v; want %s from %s", c.name, d.Info, err, c.version, c.source)
			continue
		}
		if got := offsetAt(t, d, "Europe/Berlin", summer); got != c.offset {
			t.Errorf("%s: got offset %d, want %d", c.name, got, c.offset)
		}
		if loc := d.Location("Other"); loc != nil {
			t.Errorf("%s: got location %v of a text, want none", c.name, loc)
		}
	}
}

// A copy without links, as the packages of some systems are, has all names: the rules of a
// link are those of its target in the same copy.
func TestNamesThatACopyLacksAreFound(t *testing.T) {
	d, err := load(writeFile(t, zipOf(t, map[string]string{"tzdata.zi": "# version 2099a\n", "America/Los_Angeles": fixed(9)})), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := offsetAt(t, d, "US/Pacific", summer); got != 9 {
		t.Errorf("link: got offset %d, want 9, that of the target", got)
	}
	if got := offsetAt(t, d, "Asia/Tokyo", summer); got != 9*3600 {
		t.Errorf("zone that the copy lacks: got offset %d, want that of the embedded copy", got)
	}
	loop := map[string]string{"tzdata.zi": "# version 2099a\nL A/B A/C\nL A/C A/B\nL Asia/Tokyo A/D\n", "UTC": fixed(0)}
	if d, err = load(writeFile(t, zipOf(t, loop)), nil); err != nil {
		t.Fatal(err)
	}
	if loc := d.Location("A/B"); loc != nil {
		t.Errorf("links to each other: got %v, want none", loc)
	}
	if got := offsetAt(t, d, "A/D", summer); got != 9*3600 {
		t.Errorf("link to a zone of the embedded copy: got offset %d, want that of Tokyo", got)
	}
}

func TestInvalidCopiesAreRefused(t *testing.T) {
	const version = "# version 2099a\n"
	valid := zipOf(t, map[string]string{"tzdata.zi": version, "Europe/Berlin": fixed(1)})
	z, err := zip.NewReader(bytes.NewReader(valid), int64(len(valid)))
	if err != nil {
		t.Fatal(err)
	}
	at, err := z.File[0].DataOffset() // Europe/Berlin
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(valid)
	damaged[at+2] ^= 0xff
	many := map[string]string{"tzdata.zi": version}
	for range 20 {
		many[strings.Repeat("A", len(many)+1)] = fixed(0) + strings.Repeat("\x00", maxFile-1000)
	}
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"not a ZIP file", []byte("2099a"), "not a valid zip file"},
		{"truncated", valid[:len(valid)/2], "not a valid zip file"},
		{"a damaged zone", damaged, "Europe/Berlin"},
		{"no version", zipOf(t, map[string]string{"Europe/Berlin": fixed(1)}), "states the version"},
		{"another version", zipOf(t, map[string]string{"tzdata.zi": "# version 1.0\n", "Europe/Berlin": fixed(1)}), "not like 2026a"},
		{"no zones", zipOf(t, map[string]string{"tzdata.zi": version, "README": "text"}), "no time zone"},
		{"an invalid zone", zipOf(t, map[string]string{"tzdata.zi": version, "Europe/Berlin": "TZif2"}), "Europe/Berlin"},
		{"an impossible offset", zipOf(t, map[string]string{"tzdata.zi": version, "Europe/Berlin": fixed(1 << 30)}), "offset"},
		{"an offset that the rule begins later", zipOf(t, map[string]string{"tzdata.zi": version, "Europe/Berlin": string(encode(Transition{}, nil, "ABC-90"))}), "offset"},
		{"a large file", zipOf(t, map[string]string{"tzdata.zi": version, "Europe/Berlin": fixed(1) + strings.Repeat("\x00", maxFile)}), "larger than 1 MB"},
		{"large files", zipOf(t, many), "larger than 16 MB"},
		{"too large", make([]byte, maxArchive+1), "at most 8 MB"},
	} {
		d, err := load(writeFile(t, c.data), nil)
		if d.Source != Program || offsetAt(t, d, "Europe/Berlin", summer) != 7200 {
			t.Errorf("%s: got %+v, want the embedded copy", c.name, d.Info)
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "zoneinfo.zip") {
			t.Errorf("%s: got error %v, want one with %q and the file", c.name, err, c.says)
		}
	}
	if _, err := load(t.TempDir(), nil); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory: got %v, want an error", err)
	}
}

// The time of a release is that of the files, unless a system has set it to the past.
func TestReleaseTime(t *testing.T) {
	for _, c := range []struct{ modified, want string }{
		{"2026-10-29", "2026-10-29"},
		{"2027-01-02", "2027-01-02"},
		{"1980-01-01", "2026-12-31"},
		{"0001-01-01", "2026-12-31"},
	} {
		modified, err := time.Parse(time.DateOnly, c.modified)
		if err != nil {
			t.Fatal(err)
		}
		if got := releaseTime("2026f", modified).Format(time.DateOnly); got != c.want {
			t.Errorf("files of %s: got %s, want %s", c.modified, got, c.want)
		}
	}
}

// A location has its transitions, and then follows its rule.
func TestNewLocation(t *testing.T) {
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	list := []Transition{{begin.Unix(), 3600, false, "A"}, {begin.AddDate(1, 0, 0).Unix(), 7200, true, "B"}, {begin.AddDate(2, 0, 0).Unix(), 3600, false, "CET"}}
	loc, err := NewLocation("Test", Transition{Offset: -1800}, list, "CET-1CEST,M3.5.0,M10.5.0/3")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{begin.Add(-time.Second), "-00:30 -0030 false"},
		{begin, "+01:00 A false"},
		{begin.AddDate(1, 0, 0), "+02:00 B true"},
		{begin.AddDate(2, 0, 0), "+01:00 CET false"},
		{begin.AddDate(20, 6, 0), "+02:00 CEST true"},
	} {
		at := c.at.In(loc)
		got := at.Format("-07:00 MST ") + map[bool]string{true: "true", false: "false"}[at.IsDST()]
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.at, got, c.want)
		}
	}
}

// For any file, the offsets and names of the zones that are accepted are those of zones.
func FuzzCopy(f *testing.F) {
	f.Add(zipOf(f, map[string]string{"tzdata.zi": "# version 2099a\nL Europe/Berlin Berlin\n", "Europe/Berlin": fixed(1)}))
	f.Add(zipOf(f, map[string]string{"+VERSION": "2099a", "UTC": string(encode(Transition{Name: "A"}, []Transition{{1e9, 3600, true, "B"}}, "CET-1CEST,M3.5.0,M10.5.0/3"))}))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := readZip(data)
		if err != nil || d.complete(true) != nil {
			return
		}
		for name := range d.zones {
			loc := d.Location(name)
			if loc == nil {
				t.Fatalf("%s: got no location of a validated zone", name)
			}
			for year := 1800; year < 2300; year += 7 {
				at := time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC)
				if abbreviation, offset := at.In(loc).Zone(); year < 2100 && (offset < -maxOffset || offset > maxOffset || len(abbreviation) > maxAbbreviation) {
					t.Errorf("%s in %d: got %q at %d s, want the limits", name, year, abbreviation, offset)
				}
			}
		}
	})
}
