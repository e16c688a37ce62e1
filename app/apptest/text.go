package apptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// asJSON writes a value as a text that says all of it.
func JSON(m any) string {
	text, _ := json.Marshal(m)
	return string(text)
}

// sameLines fails the test unless two texts are the same but for lines of
// those properties in the first component, and what says when it was changed.
func SameLines(t *testing.T, before, after, but string) {
	t.Helper()
	was, is := otherLines(t, before, but), otherLines(t, after, but)
	if !slices.Equal(was, is) {
		t.Errorf("apart from %s the lines were\n%q\nand are\n%q", but, was, is)
	}
}

// otherLines returns the lines of a text with their line ends, but for some.
func otherLines(t *testing.T, text, but string) (lines []string) {
	t.Helper()
	unwanted := append(strings.Fields(but), "DTSTAMP", "LAST-MODIFIED", "SEQUENCE")
	var open []string
	skipped, seen := 0, 0 // how deep in what is not wanted; components seen
	for line := range foldedLines(text) {
		name := strings.ToUpper(line[:strings.IndexAny(line, ":;")])
		component := strings.ToUpper(strings.TrimSpace(line[strings.IndexByte(line, ':')+1:]))
		if name == "BEGIN" {
			open = append(open, component)
			if len(open) == 2 && component != "VTIMEZONE" {
				seen++
			}
			if skipped > 0 || seen <= 1 && slices.Contains(unwanted, component) || seen > 1 && slices.Contains(unwanted, "overrides") {
				skipped++
			}
		}
		own := len(open) == 2 && seen == 1 && slices.Contains(unwanted, name)
		if skipped == 0 && !own {
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

// lines are the lines of a text that begin with any of the names, unfolded.
func ContentLines(text string, names ...string) (list []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(line, n+":") || strings.HasPrefix(line, n+";") }) {
			list = append(list, line)
		}
	}
	return list
}

// textsAt returns the texts at a path in each of a list.
func Column(list []any, path string) (all []string) {
	for _, one := range list {
		all = append(all, fmt.Sprint(At(one, path)))
	}
	return all
}

func SameSet(a, b string) bool {
	split := func(s string) []string { return slices.Sorted(strings.FieldsSeq(strings.Trim(s, "[]"))) }
	return slices.Equal(split(a), split(b))
}

func ObjectTitles(a *Answer) (titles []string) {
	for _, o := range a.List("objects") {
		titles = append(titles, At(o, "title").(string))
	}
	return titles
}
