package harness

import (
	"fmt"
	"slices"
	"strings"
)

// recorder collects the problems that one check finds.
type recorder struct {
	problems []string
	omitted  int    // problems beyond maxProblems
	skipped  string // why the check does not apply
	examined string // description of the examined data
}

const (
	maxProblems      = 4   // number of problems that are reported per check
	maxProblemLength = 240 // in characters
)

// addProblem records a violation of the rule.
func (r *recorder) addProblem(format string, args ...any) {
	if len(r.problems) == maxProblems {
		r.omitted++
		return
	}
	r.problems = append(r.problems, truncate(fmt.Sprintf(format, args...), maxProblemLength))
}

// skip records why the check does not apply. Problems take precedence.
func (r *recorder) skip(format string, args ...any) { r.skipped = fmt.Sprintf(format, args...) }

// note records a description of the examined data.
func (r *recorder) note(format string, args ...any) { r.examined = fmt.Sprintf(format, args...) }

// addUnexpected records a problem: v is not the wanted value.
func (r *recorder) addUnexpected(v value, want string, args ...any) {
	r.addProblem("%s: got %v, want %s", v.path, v, fmt.Sprintf(want, args...))
}

// eachItem calls do with every item of a list. If the list is empty, the check does
// not apply.
func (r *recorder) eachItem(list []value, noun string, do func(value)) {
	if len(list) == 0 {
		r.skip("there are no %s", noun)
	}
	for _, item := range list {
		do(item)
	}
}

func (r *recorder) checkString(v value, want string) {
	if v.str() != want {
		r.addUnexpected(v, "%q", want)
	}
}

// checkInteger checks that v is an integer.
func (r *recorder) checkInteger(v value, want int) {
	if v.integer() != want {
		r.addUnexpected(v, "%d", want)
	}
}

// checkOneOf checks that v is a string of a list. The schemas list the closed sets of the
// contracts; this is for values that a check permits only at some places.
func (r *recorder) checkOneOf(v value, list ...string) {
	if !slices.Contains(list, v.str()) {
		r.addUnexpected(v, "one of %s", strings.Join(list, ", "))
	}
}

// checkWorldURL checks that v is a World URL.
func (r *recorder) checkWorldURL(v value) {
	if !isWorldURL(v.str()) {
		r.addUnexpected(v, "a path below /world/")
	}
}

// checkShape checks the fields of an object, each given as its name and its types:
// "title text", "position integer|null". A field with a question mark may be absent.
func (r *recorder) checkShape(v value, fields ...string) {
	if !v.is("object") {
		r.addUnexpected(v, "an object")
		return
	}
	for _, field := range fields {
		name, types, _ := strings.Cut(field, " ")
		types, optional := strings.CutSuffix(types, "?")
		part := v.at(name)
		if !v.has(name) {
			if !optional {
				r.addProblem("%s: absent, want %s", part.path, types)
			}
			continue
		}
		if !slices.ContainsFunc(strings.Split(types, "|"), part.is) {
			r.addUnexpected(part, "%s", types)
		}
	}
}

// checkKeys checks that an object has only the keys of its shape.
func (r *recorder) checkKeys(v value, fields []string) {
	for _, key := range v.keys() {
		if !slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, key+" ") }) {
			r.addProblem("%s: unknown key", join(v.path, key))
		}
	}
}

// checkUnique checks that the strings of a list are distinct.
func (r *recorder) checkUnique(list value) {
	seen := make(map[string]bool)
	for _, item := range list.list() {
		if seen[item.str()] {
			r.addProblem("%s: %v is listed twice", list.path, item)
		}
		seen[item.str()] = true
	}
}

// checkRefersTo checks that every id of a list is in a set.
func (r *recorder) checkRefersTo(list value, ids map[string]bool) {
	for _, id := range list.list() {
		if !ids[id.str()] {
			r.addProblem("%s: %v does not exist", id.path, id)
		}
	}
}

// label returns the path of a record, followed by the field that identifies it for a
// reader of the report.
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
