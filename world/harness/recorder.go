package harness

import (
	"fmt"
	"slices"
	"strings"
)

// recorder collects what one check finds.
type recorder struct {
	problems []string
	omitted  int    // problems beyond maxProblems
	skipped  string // why the check does not apply
	examined string // what the check examined
}

const (
	maxProblems      = 4   // reported per check
	maxProblemLength = 240 // in characters
)

// problem records a violation of the rule.
func (r *recorder) problem(format string, args ...any) {
	if len(r.problems) == maxProblems {
		r.omitted++
		return
	}
	r.problems = append(r.problems, truncate(fmt.Sprintf(format, args...), maxProblemLength))
}

// skip records why the check does not apply. Problems take precedence.
func (r *recorder) skip(format string, args ...any) { r.skipped = fmt.Sprintf(format, args...) }

// note records what the check examined.
func (r *recorder) note(format string, args ...any) { r.examined = fmt.Sprintf(format, args...) }

// unexpected records a value other than the wanted one.
func (r *recorder) unexpected(v value, want string, args ...any) {
	r.problem("%s: got %v, want %s", v.path, v, fmt.Sprintf(want, args...))
}

// each calls do with every item of a list. If the list is empty, the check does
// not apply.
func (r *recorder) each(list []value, noun string, do func(value)) {
	if len(list) == 0 {
		r.skip("there are no %s", noun)
	}
	for _, item := range list {
		do(item)
	}
}

// equal checks that v is a string.
func (r *recorder) equal(v value, want string) {
	if v.str() != want {
		r.unexpected(v, "%q", want)
	}
}

// number checks that v is an integer.
func (r *recorder) number(v value, want int) {
	if v.integer() != want {
		r.unexpected(v, "%d", want)
	}
}

// oneOf checks that v is a string of a closed list.
func (r *recorder) oneOf(v value, list ...string) {
	if !slices.Contains(list, v.str()) {
		r.unexpected(v, "one of %s", strings.Join(list, ", "))
	}
}

// worldURL checks that v is a World URL.
func (r *recorder) worldURL(v value) {
	if !isWorldURL(v.str()) {
		r.unexpected(v, "a path below /world/")
	}
}

// shape checks the fields of an object, each given as its name and its types:
// "title text", "position integer|null". A field with a question mark may be
// absent.
func (r *recorder) shape(v value, fields ...string) {
	if !v.is("object") {
		r.unexpected(v, "an object")
		return
	}
	for _, field := range fields {
		name, types, _ := strings.Cut(field, " ")
		types, optional := strings.CutSuffix(types, "?")
		part := v.at(name)
		if !v.has(name) {
			if !optional {
				r.problem("%s: absent, want %s", part.path, types)
			}
			continue
		}
		if !slices.ContainsFunc(strings.Split(types, "|"), part.is) {
			r.unexpected(part, "%s", types)
		}
	}
}

// only checks that an object has no other keys than those of its shape.
func (r *recorder) only(v value, fields []string) {
	for _, key := range v.keys() {
		if !slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, key+" ") }) {
			r.problem("%s: unknown key", join(v.path, key))
		}
	}
}

// unique checks that a list of strings contains nothing twice.
func (r *recorder) unique(list value) {
	seen := make(map[string]bool)
	for _, item := range list.list() {
		if seen[item.str()] {
			r.problem("%s: %v is listed twice", list.path, item)
		}
		seen[item.str()] = true
	}
}

// refersTo checks that every id of a list is in a set.
func (r *recorder) refersTo(list value, ids map[string]bool) {
	for _, id := range list.list() {
		if !ids[id.str()] {
			r.problem("%s: %v does not exist", id.path, id)
		}
	}
}

// label returns the path of a record, followed by the field that people know it
// by.
func label(v value, key string) string {
	return fmt.Sprintf("%s (%s)", v.path, truncate(v.at(key).str(), 60))
}

// setOf returns the set of the strings.
func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, item := range list {
		set[item] = true
	}
	return set
}
