package app

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport lists the packages of this module that each package may import. A
// package that is not listed must not exist.
var mayImport = map[string][]string{
	".":                {"app/cli"},
	"app":              {"app/account", "app/api", "app/authlog", "app/backups", "app/config", "app/davserver", "app/health", "app/httpd", "app/limits", "app/pages", "app/setup", "app/transfer", "app/webapp", "store", "svc", "svc/*", "world", "world/action", "world/dataset", "world/stream"},
	"app/cli":          {"app", "app/backups", "app/config", "app/health", "app/manual", "app/setup", "app/transfer", "assets", "store", "svc", "svc/*", "world/*"},
	"app/account":      {"app/authlog", "app/config", "app/limits", "store", "svc", "svc/identity", "svc/words"},
	"app/authlog":      {"app/limits", "svc"},
	"app/backups":      {"app/config", "store"},
	"app/health":       {"app/backups", "app/config", "store", "svc/words", "svc/zoneinfo"},
	"app/config":       {"app/limits", "svc", "svc/hostname", "svc/identity", "svc/find/provider", "svc/maps", "svc/outbound", "svc/zoneinfo", "store"},
	"app/davserver":    {"app/authlog", "app/config", "app/httpd", "app/limits", "store", "svc", "svc/*"},
	"app/api":          {"app/account", "app/backups", "app/config", "app/davserver", "app/health", "app/httpd", "app/limits", "app/setup", "app/transfer", "assets", "store", "svc", "svc/*", "world", "world/*"},
	"app/httpd":        {"app/account", "app/config", "app/limits", "store", "svc", "svc/calendar/ics", "svc/hostname", "svc/identity", "svc/words"},
	"app/pages":        {"app/account", "app/authlog", "app/config", "app/health", "app/httpd", "app/manual", "app/setup", "assets", "store", "svc", "svc/identity", "svc/words"},
	"app/webapp":       {"app/config", "app/httpd", "app/pages", "assets", "svc", "svc/hostname", "svc/words"},
	"app/limits":       {"svc", "svc/identity", "svc/words"},
	"app/manual":       {"assets", "testdata/runtime"},
	"app/setup":        {"app/config", "store", "svc", "svc/identity"},
	"app/transfer":     {"app/davserver", "store", "svc", "svc/*"},
	"app/apptest":      {"app", "app/cli", "app/config", "store", "store/storetest", "svc", "svc/*", "world", "world/*"},
	"app/e2e/*":        {"app/backups", "app/cli", "app/config", "app/httpd", "app/manual", "assets", "store", "svc", "svc/*", "world", "world/*"},
	"world":            {"svc", "svc/*", "store", "world/dataset", "world/action", "world/record", "world/panel"},
	"world/action":     {"svc", "svc/*"},
	"world/dataset":    {"svc", "svc/*", "store", "world/action"},
	"world/record":     {"svc", "svc/*", "world/action", "world/dataset"},
	"world/panel":      {"svc", "svc/*", "store", "world/action", "world/dataset", "world/record"},
	"world/stream":     {"svc", "store", "world/dataset"},
	"world/compat":     {"world", "world/*", "svc", "svc/*", "store", "assets"},
	"world/jsonschema": {"svc"},
	"world/worldtest":  {"world", "world/*", "svc", "svc/*", "store", "store/storetest"},
	"world/harness":    {},
	"svc":              {"svc/words", "svc/zoneinfo"},
	"svc/words":        {"assets"},
	"svc/hostname":     {},
	"svc/zoneinfo":     {},

	"svc/zoneinfo/zoneinfotest": {"svc/zoneinfo"},
	"svc/svctest":               {},
	"svc/identity":              {"svc", "svc/words", "store"},
	"svc/social":                {"svc", "svc/words", "svc/storage", "svc/thread", "store"},
	"svc/messages":              {"svc", "svc/words", "svc/storage", "svc/thread", "store"},
	"svc/surface":               {"svc", "svc/words", "store"},
	"svc/thread":                {"svc", "svc/words", "svc/storage", "store"},
	"svc/outbound":              {},
	"svc/diskcache":             {},
	"svc/raster":                {},
	"svc/find":                  {"svc", "svc/words", "store", "svc/find/provider", "svc/maps", "svc/maps/*"},
	"svc/maps/geo":              {},
	"svc/maps/mapdata":          {"svc/maps/geo"},
	"svc/storage":               {"svc", "svc/words", "store"},
	"svc/maps/fold":             {},
	"svc/maps/kind":             {"svc/words", "svc/maps/fold"},
	"svc/maps":                  {"svc", "svc/words", "store", "svc/maps/fold", "svc/maps/gazetteer", "svc/maps/geo", "svc/maps/hours", "svc/maps/kind", "svc/maps/mapdata", "svc/maps/tile"},
	"svc/maps/tile":             {"svc/maps/geo", "svc/maps/mapdata"},
	"svc/maps/reader":           {"svc", "svc/maps/geo", "svc/maps/kind", "svc/maps/mapdata", "svc/maps/reader/pbf", "svc/maps/tile"},
	"svc/maps/hours":            {"svc", "svc/maps/geo"},
	"svc/calendar/ics":          {"svc", "svc/zoneinfo"},
	"svc/calendar/dav":          {"svc", "svc/calendar/ics"},

	"svc/maps/reader/pbf":     {},
	"svc/maps/reader/pbftest": {"svc/maps/reader/pbf"},
	"svc/maps/gazetteer":      {"svc/maps/geo", "svc/maps/kind", "svc/maps/mapdata"},
	"svc/maps/importer":       {"svc", "store", "svc/maps", "svc/maps/gazetteer", "svc/maps/mapdata", "svc/maps/reader", "svc/maps/tile"},
	"svc/provider":            {"svc", "store", "svc/outbound", "svc/provider/*"},
	"svc/provider/contract":   {"assets", "svc"},
	"svc/provider/transport":  {"svc", "svc/words", "svc/outbound", "svc/provider/contract"},
	"svc/provider/feeds":      {"svc", "svc/words", "store", "svc/outbound", "svc/provider/contract", "svc/translate/page"},
	"svc/find/provider":       {"svc", "svc/words", "svc/outbound", "svc/maps/geo", "svc/maps/kind", "svc/maps/mapdata"},

	"svc/translate":           {"svc", "svc/words", "svc/outbound", "svc/translate/*"},
	"svc/translate/page":      {"svc/hostname"},
	"svc/translate/schemaorg": {"svc/translate/page"},
	"svc/translate/maintext":  {"svc/translate/page"},
	"svc/translate/extract":   {"svc", "svc/translate/page", "svc/translate/schemaorg", "svc/translate/maintext"},
	"svc/translate/picture":   {"svc/diskcache", "svc/outbound", "svc/raster"},

	"svc/provider/providertest": {"svc", "svc/provider/contract"},
	"svc/raster/rastertest":     {},
	"svc/calendar/ics/icstest":  {"svc/calendar/ics", "store/storetest"},
	"svc/calendar/calendartest": {"svc", "svc/storage", "svc/calendar", "svc/calendar/*", "store", "store/storetest"},

	"svc/calendar/occurrence": {"store", "svc/calendar/ics"},
	"svc/calendar/view":       {"svc", "svc/words", "svc/calendar/ics", "svc/calendar/occurrence"},
	"svc/calendar/edit":       {"svc", "svc/words", "svc/calendar/ics", "svc/calendar/occurrence", "svc/calendar/view"},
	"svc/calendar/object":     {"svc", "svc/words", "svc/storage", "store", "svc/calendar/ics", "svc/calendar/occurrence", "svc/calendar/view"},
	"svc/calendar/mirror":     {"svc", "store", "svc/calendar/ics", "svc/calendar/occurrence", "svc/calendar/view", "svc/calendar/edit", "svc/calendar/object"},
	"svc/calendar/collection": {"svc", "svc/storage", "store", "svc/calendar/ics", "svc/calendar/occurrence", "svc/calendar/object", "svc/calendar/mirror"},
	"svc/calendar":            {"svc", "svc/words", "svc/zoneinfo", "store", "svc/calendar/ics", "svc/calendar/occurrence", "svc/calendar/view", "svc/calendar/edit", "svc/calendar/object"},
	"svc/calendar/index":      {"svc", "svc/words", "store", "svc/calendar", "svc/calendar/ics", "svc/calendar/occurrence", "svc/calendar/view", "svc/calendar/edit", "svc/calendar/object"},

	"store":           {"sql"},
	"store/storetest": {"store"},
	"sql":             {},
	"assets":          {},

	"testdata/runtime": {}, // the example of the manual
}

// Each package imports only the packages that mayImport lists for it. Covers I-11,
// T-25 and X-02 for packages.
func TestPackagesImportOnlyAllowedPackages(t *testing.T) {
	eachFile(t, func(dir, file string, test bool) {
		allowed, known := allowedImports(dir)
		if !known {
			t.Errorf("package %s: got no entry in mayImport, want one", dir)
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			imported, inModule := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "appliance/")
			if !inModule || imported == dir || test && (strings.HasSuffix(imported, "test") || imported == "store" || sameService(dir, imported)) {
				continue
			}
			ok := slices.ContainsFunc(allowed, func(a string) bool {
				base, star := strings.CutSuffix(a, "/*")
				return a == "*" || a == imported || star && strings.HasPrefix(imported, base+"/")
			})
			if !ok {
				t.Errorf("%s: got an import of %s, want only those of mayImport", file, imported)
			}
		}
	})
}

// sameService reports whether two packages belong to one service, or both to
// World. Tests may import all packages of their service.
func sameService(a, b string) bool {
	service := func(dir string) string {
		if strings.HasPrefix(dir+"/", "world/") {
			return "world"
		}
		return strings.Join(strings.SplitN(dir+"//", "/", 3)[:2], "/")
	}
	return (strings.HasPrefix(a, "svc/") || service(a) == "world") && service(a) == service(b)
}

// allowedImports returns the entry of mayImport for a directory.
func allowedImports(dir string) (allowed []string, known bool) {
	if allowed, known = mayImport[dir]; !known {
		allowed, known = mayImport[path.Dir(dir)+"/*"]
	}
	return allowed, known
}

// restrictedNames lists names that only some files may use, outside of tests.
var restrictedNames = []struct {
	name   string
	files  *regexp.Regexp
	reason string
}{
	{"svc.Trust(", regexp.MustCompile(`^svc/(identity|calendar/calendartest)/`), "only identity authenticates members"},
	{"time.Now()", regexp.MustCompile(`^(store/|app/(httpd/(server|response|body)|api/stream).go$|app/clock.go$)`), "all services use the clock of the store; network deadlines and durations use the system clock"},
	{"os.Getenv(", regexp.MustCompile(`^$`), "settings are read in one place"},
	{"os.Environ(", regexp.MustCompile(`^app/cli/cli.go$`), "settings are read in one place"},
	{"password_hash", regexp.MustCompile(`^(svc/identity|store/storetest)/`), "other services must not read password hashes (I-10)"},
	{"time." + "Sleep(", regexp.MustCompile(`^$`), "wait for an event or a timer that the context can end"},
	{"time.LoadLocation", regexp.MustCompile(`^svc/zoneinfo/`), "svc.Zone loads zones, by the newest data that the server has (B-111)"},
	{"time/tzdata", regexp.MustCompile(`^svc/zoneinfo/`), "svc/zoneinfo has newer data than the Go release"},
	{"context.Background()", regexp.MustCompile(`^(main.go|store/)`), "the caller must be able to cancel the work"},
}

func TestRestrictedNamesAreUsedOnlyInAllowedFiles(t *testing.T) {
	eachFile(t, func(dir, file string, test bool) {
		if test || strings.HasSuffix(dir, "test") {
			return
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))
		for _, r := range restrictedNames {
			if strings.Contains(string(text), r.name) && !r.files.MatchString(name) {
				t.Errorf("%s: got %s, want it in %s only: %s", name, r.name, r.files, r.reason)
			}
		}
	})
}

// Tests wait for events, so that they do not depend on the speed of the machine.
func TestTestsDoNotSleep(t *testing.T) {
	eachFile(t, func(dir, file string, test bool) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if call := "time." + "Sleep("; (test || strings.HasSuffix(dir, "test")) && strings.Contains(string(text), call) {
			t.Errorf("%s: got %s, want no call", file, call)
		}
	})
}

func TestEveryPackageHasAComment(t *testing.T) {
	hasComment := make(map[string]bool)
	eachFile(t, func(dir, file string, test bool) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		hasComment[dir] = hasComment[dir] || !test && f.Doc != nil
	})
	for dir, has := range hasComment {
		if !has {
			t.Errorf("package %s: got no package comment, want one", dir)
		}
	}
}

func TestTopLevelDirectoryContainsOnlyListedFiles(t *testing.T) {
	list, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	tracked := []string{
		"main.go", "app", "store", "world", "svc", "assets", "sql", "testdata", "go.mod", "LICENSE",
		"go.sum", "README.md", "CHANGELOG.md", "findings", ".ci", ".gitignore", ".git",
	}
	ignored := []string{"data", "appliance"}
	for _, e := range list {
		if !slices.Contains(tracked, e.Name()) && !slices.Contains(ignored, e.Name()) {
			t.Errorf("got %s, want only the listed files", e.Name())
		}
	}
}

// The check scripts contain only addresses of the local machine: they install programs and
// packages by name.
func TestCheckScriptsContainNoAddresses(t *testing.T) {
	address := regexp.MustCompile(`https?://[^\s"']+`)
	for _, name := range []string{"../.ci/run", "../.ci/full"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range address.FindAllString(string(text), -1) {
			if !strings.HasPrefix(found, "http://127.0.0.1:") {
				t.Errorf("%s: got %s, want no address", name, found)
			}
		}
	}
}

// eachFile calls do for every Go file of the module.
func eachFile(t *testing.T, do func(dir, file string, test bool)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		dir, err := filepath.Rel("..", filepath.Dir(file))
		seen++
		do(filepath.ToSlash(dir), file, strings.HasSuffix(file, "_test.go"))
		return err
	})
	if err != nil || seen < 50 {
		t.Fatalf("got %d files, %v, want at least 50", seen, err)
	}
}
