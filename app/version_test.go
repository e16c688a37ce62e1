package app

import (
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
