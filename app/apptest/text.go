package apptest

import (
	"encoding/json"
	"slices"
	"strings"
)

// JSON returns the JSON form of a value.
func JSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// ContentLines returns the unfolded content lines of an iCalendar text with any
// of the names.
func ContentLines(text string, names ...string) (list []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(line, n+":") || strings.HasPrefix(line, n+";") }) {
			list = append(list, line)
		}
	}
	return list
}

// SameWords reports whether two texts consist of the same words in any order.
// Brackets around a text are ignored.
func SameWords(a, b string) bool {
	words := func(s string) []string { return slices.Sorted(strings.FieldsSeq(strings.Trim(s, "[]"))) }
	return slices.Equal(words(a), words(b))
}

// LastSegment returns the part of a path after its last slash.
func LastSegment(path string) string { return path[strings.LastIndex(path, "/")+1:] }
