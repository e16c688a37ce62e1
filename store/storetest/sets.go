package storetest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/store"
)

var (
	checkedSet = regexp.MustCompile(`CHECK \((\w+) IN \(([^()]*)\)\)`)
	quotedText = regexp.MustCompile(`'([^']*)'`)
)

// WantSets compares sets with the CHECK constraints of the tables with the prefix: the keys are
// the columns that are restricted to a set of texts, as table.column, and the values are the
// texts.
func WantSets(t testing.TB, db *store.DB, prefix string, sets map[string][]string) {
	t.Helper()
	got := make(map[string][]string)
	for _, name := range Rows(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? || '*'", prefix) {
		table := Rows(t, db, "SELECT sql FROM sqlite_schema WHERE name = ?", name)[0]
		for _, check := range checkedSet.FindAllStringSubmatch(table, -1) {
			for _, value := range quotedText.FindAllStringSubmatch(check[2], -1) {
				got[name+"."+check[1]] = append(got[name+"."+check[1]], value[1])
			}
		}
	}
	for _, column := range slices.Sorted(maps.Keys(got)) {
		if sets[column] == nil {
			t.Errorf("%s: got a CHECK constraint with %s, want a type in Go", column, strings.Join(got[column], ", "))
		}
	}
	for column, want := range sets {
		if got := slices.Sorted(slices.Values(got[column])); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: got a CHECK constraint with %q, want the values of the type in Go, %q", column, got, want)
		}
	}
}
