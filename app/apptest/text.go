package apptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// asJSON writes a value as a text that says all of it.
func JSON(m any) string {
	text, _ := json.Marshal(m)
	return string(text)
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
