package icstest

import (
	"slices"
	"strings"
	"testing"
)

// WantSameLines fails the test unless two texts have the same lines, with these
// exceptions: the properties and components of the first component whose names
// are in except, separated by spaces; DTSTAMP, LAST-MODIFIED and SEQUENCE. If
// except contains "overrides", all other components are ignored; if it contains
// "inherited", the names apply to them too.
func WantSameLines(t testing.TB, before, after, except string) {
	t.Helper()
	want, got := otherLines(t, before, except), otherLines(t, after, except)
	if !slices.Equal(got, want) {
		t.Errorf("except for %s, got lines\n%q\nwant\n%q", except, got, want)
	}
}

// otherLines returns the lines of a text with their line endings, without the
// exceptions of [WantSameLines].
func otherLines(t testing.TB, text, except string) (lines []string) {
	t.Helper()
	unwanted := append(strings.Fields(except), "DTSTAMP", "LAST-MODIFIED", "SEQUENCE")
	inherited := slices.Contains(unwanted, "inherited")
	var open []string
	skipped, seen := 0, 0 // depth in skipped components; components seen
	for line := range foldedLines(text) {
		name := strings.ToUpper(line[:strings.IndexAny(line, ":;")])
		component := strings.ToUpper(strings.TrimSpace(line[strings.IndexByte(line, ':')+1:]))
		if name == "BEGIN" {
			open = append(open, component)
			if len(open) == 2 && component != "VTIMEZONE" {
				seen++
			}
			if skipped > 0 || (seen <= 1 || inherited) && slices.Contains(unwanted, component) || seen > 1 && slices.Contains(unwanted, "overrides") {
				skipped++
			}
		}
		excluded := len(open) == 2 && (seen == 1 || inherited) && slices.Contains(unwanted, name)
		if skipped == 0 && !excluded {
			lines = append(lines, line)
		}
		if name == "END" {
			open = open[:len(open)-1]
			skipped = max(0, skipped-1)
		}
	}
	return lines
}

// foldedLines yields the content lines of a text with their folds.
func foldedLines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			end := 0
			for {
				end += strings.IndexByte(text[end:], '\n') + 1
				if end >= len(text) || text[end] != ' ' && text[end] != '\t' {
					break
				}
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}
