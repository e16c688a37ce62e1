package app

import (
	"os"
	"regexp"
	"runtime/debug"
	"testing"
)

func TestVersionIsTagOrReleaseWithRevision(t *testing.T) {
	revision := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0df57032f6f3a1c0b2d4e5f60718293a4b5c6d7e"}}
	for name, c := range map[string]struct {
		module   string
		settings []debug.BuildSetting
		want     string
	}{
		"go run":                        {"", nil, Release},
		"build without VCS information": {"(devel)", nil, Release},
		"build of a revision":           {"(devel)", revision, Release + "+0df57032f6f3"},
		"repository without tags":       {"v0.0.0-20261121120000-0df57032f6f3", revision, Release + "+0df57032f6f3"},
		"uncommitted changes":           {"v0.0.0-20261121120000-0df57032f6f3+dirty", revision, Release + "+0df57032f6f3"},
		"tag":                           {"v1.2.3", revision, "v1.2.3+0df57032f6f3"},
		"revision after a tag":          {"v1.2.4-0.20261121120000-0df57032f6f3", revision, "v1.2.4-0.20261121120000-0df57032f6f3"},
		"go install of a tag":           {"v1.2.3", nil, "v1.2.3"},
	} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings}); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// The language version stays at a minor release, so that every toolchain of that release
// builds the program. The toolchain line names the patch release with the security fixes that
// a release of the program is built with.
func TestModuleNamesToolchainOfItsGoVersion(t *testing.T) {
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)\.0$`).FindSubmatch(data)
	toolchain := regexp.MustCompile(`(?m)^toolchain go(\d+\.\d+)\.\d+$`).FindSubmatch(data)
	if language == nil || toolchain == nil {
		t.Fatalf("go.mod: got lines %q and %q, want \"go 1.N.0\" and \"toolchain go1.N.P\"", language, toolchain)
	}
	if string(language[1]) != string(toolchain[1]) {
		t.Errorf("go.mod: got toolchain %s, want a patch release of %s", toolchain[1], language[1])
	}
}
