package zoneinfo

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// versionSyntax matches the version of a release: the year, and a letter for each release in
// it, or two after the 26th.
var versionSyntax = regexp.MustCompile(`^(20[0-9]{2})([a-z]{1,2})`)

// parseVersion returns the version at the beginning of a text, "" if there is none.
func parseVersion(text string) string { return versionSyntax.FindString(strings.TrimSpace(text)) }

// Year returns the year in which the copy was released.
func (i Info) Year() int {
	year, _ := strconv.Atoi(i.Version[:4])
	return year
}

// compareVersions compares two versions by age. A version that is not known is older than any
// other.
func compareVersions(a, b string) int {
	key := func(version string) (year string, n int, letters string) {
		m := versionSyntax.FindStringSubmatch(version)
		if m == nil {
			return "", 0, ""
		}
		return m[1], len(m[2]), m[2]
	}
	yearA, lenA, lettersA := key(a)
	yearB, lenB, lettersB := key(b)
	return cmp.Or(cmp.Compare(yearA, yearB), cmp.Compare(lenA, lenB), cmp.Compare(lettersA, lettersB))
}

// releaseTime returns the time at which a version was released, if its files were modified at
// the time modified. Some systems set all files to one time in the past: then the result is the
// end of the year of the version.
func releaseTime(version string, modified time.Time) time.Time {
	if year := (Info{Version: version}).Year(); modified.Year() < year {
		return time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC)
	}
	return modified.UTC()
}
