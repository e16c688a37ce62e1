package contract

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"appliance/svc"
)

// walk checks the rules for all keys and strings of a payload that a schema cannot
// express: terms, markup, addresses and ids of this server.
func walk(tree any, p *problems) {
	w := walker{problems: p, keyProblems: make(map[string]string)}
	w.value(tree, name)
}

type walker struct {
	problems    *problems
	path        []string
	keyProblems map[string]string // caches keyProblem
}

// class is the kind of a string, which determines the rules for it.
type class int

const (
	name     class = iota // a name chosen by an author
	id                    // an id, which may be random
	text                  // a text for people
	own                   // a value of the provider's own: with white space a text, otherwise an id
	serverID              // an id that this server made
)

// classes contains the classes of the strings of a key. Those of other keys are names.
var classes = map[string]class{
	"id": id, "source_id": id, "provider": id, "actions": id, "resources": id,
	"title": text, "summary": text, "label": text, "message": text, "default": text, "value": text,
	"version": text, "generated_at": text, "href": text, "members": text,
	"metadata": own, "data": own, "facts": own,
	"command_id": serverID,
}

// value checks a value at the current path.
func (w *walker) value(v any, c class) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.path = append(w.path, key)
			w.key(key)
			if c == own {
				w.value(v[key], own)
			} else {
				w.value(v[key], classes[key])
			}
			w.path = w.path[:len(w.path)-1]
		}
	case []any:
		for i, item := range v {
			w.path = append(w.path, strconv.Itoa(i))
			w.value(item, c)
			w.path = w.path[:len(w.path)-1]
		}
	case string:
		w.string(v, c)
	}
}

// inAction reports whether the current path is inside an action.
func (w *walker) inAction() bool {
	return len(w.path) > 3 && w.path[0] == "actions" && w.path[1] == "items"
}

// inTitle reports whether the current path is that of a title or a label.
func (w *walker) inTitle() bool {
	return len(w.path) > 0 && slices.Contains([]string{"title", "label"}, w.path[len(w.path)-1])
}

func (w *walker) key(key string) {
	problem, ok := w.keyProblems[key]
	if !ok {
		problem = keyProblem(key)
		w.keyProblems[key] = problem
	}
	if problem != "" {
		w.problems.add(w.path, "%s", problem)
	}
	if w.inAction() && isEndpointKey(key) {
		w.problems.add(w.path, "An action must not have the key %s. The operator sets the address for actions.", excerpt(key))
	}
}

// keyProblem returns a message about a key that must not occur anywhere, "" for other
// keys.
func keyProblem(key string) string {
	if name := findPhrase(splitName(key, false), serverNames); name != "" {
		return "A payload must not have the key " + name + ". Refer to records by provider, source_type and source_id."
	}
	if hasMarkup(key) || strings.ContainsFunc(key, unicode.IsControl) {
		return "The key contains markup or control characters. Remove them."
	}
	if term := nameTerm(key, false); term != "" {
		return termProblem(term)
	}
	return ""
}

func termProblem(term string) string {
	return "This contains the term " + strconv.Quote(term) + ", which is reserved for presentation. Use another word in this name; titles and other texts may contain it."
}

// string checks a string at the current path.
func (w *walker) string(s string, c class) {
	trimmed := strings.ToLower(strings.TrimSpace(s))
	if term := stringTerm(s, trimmed, c); term != "" {
		w.problems.add(w.path, "%s", termProblem(term))
	}
	if hasMarkup(s) {
		w.problems.add(w.path, "This contains markup. Write plain text, with a space after a < that means less than.")
	}
	if strings.ContainsFunc(s, isControl) {
		w.problems.add(w.path, "This contains control characters other than line breaks and tabs. Remove them.")
	}
	if svc.HidesText(s) {
		w.problems.add(w.path, "This contains line separators, or invisible characters that change the text direction. Remove them.")
	}
	if s != "" && c == text && w.inTitle() && !svc.IsVisible(s) {
		w.problems.add(w.path, "This contains no visible character. Write a text.")
	}
	if trimmed == "/world" || strings.HasPrefix(trimmed, "/world/") {
		w.problems.add(w.path, "A payload must not contain addresses of this server.")
	}
	if w.inAction() && (strings.HasPrefix(trimmed, "http://") || strings.HasPrefix(trimmed, "https://")) {
		w.problems.add(w.path, "An action must not contain a URL. Use a resource of its object.")
	}
}

// AcceptsText reports whether a text for people violates no rule of this package for
// the strings of a payload. It does not check the limits of the schemas.
func AcceptsText(s string) bool {
	var p problems
	w := walker{problems: &p}
	w.string(s, text)
	return p.total == 0
}

// isControl reports whether r is a control character that a text must not contain.
func isControl(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) }

// stringTerm returns the first presentation term in a string, "" if there is none.
func stringTerm(s, trimmed string, c class) string {
	switch {
	case c == serverID:
		return ""
	case c == text, c == own && strings.ContainsFunc(trimmed, unicode.IsSpace):
		return textTerm(s)
	}
	return nameTerm(s, c != name)
}
