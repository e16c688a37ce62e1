package app

import (
	"runtime/debug"
	"strings"
)

// Release is the version of the next release.
const Release = "0.1.0-dev"

// Version returns the version of this program.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Release
	}
	return versionOf(info)
}

// versionOf returns the tag of a build, or Release and the revision. Without
// any tag in the repository, Go reports a pseudo-version that begins with v0.0.0.
func versionOf(info *debug.BuildInfo) string {
	v := Release
	if m := info.Main.Version; m != "" && m != "(devel)" && !strings.HasPrefix(m, "v0.0.0-") {
		v = m
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 && !strings.Contains(v, s.Value[:12]) {
			v += "+" + s.Value[:12]
		}
	}
	return v
}
