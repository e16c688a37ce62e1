package contract

import (
	"slices"
	"strings"
	"unicode"
)

// presentationTerms must not occur in names, because the objects of providers become
// part of a dataset that is independent of any presentation. Each also stands for its
// plural.
var presentationTerms = []string{
	"html", "css", "dom", "javascript", "uikit", "appkit", "swiftui", "react", "renderer", "runtime", "panel", "dock", "rail",
	"stack", "card", "marker", "mesh", "platform", "surface", "viewport", "slot",
}

// phrase is a name of several words, joined by _.
type phrase struct {
	name  string
	words []string
}

func phrases(names ...string) (list []phrase) {
	for _, name := range names {
		list = append(list, phrase{name, strings.Split(name, "_")})
	}
	return list
}

var (
	// textTerms must not occur in texts for people either, if written as one name.
	textTerms = phrases("surface_runtime", "field_runtime", "runtime_panel")

	// compoundTerms are the terms of several words, or with capital letters inside.
	compoundTerms = append(phrases("jetpack_compose", "java_script", "ui_kit", "app_kit", "swift_ui"), textTerms...)

	// serverNames must not occur in keys, because the records of providers have no id
	// and no address of this server.
	serverNames = phrases("world_object_id", "runtime_object_id", "command_url")
)

// isEndpointKey reports whether a key must not occur within an action: only the
// operator configures the address of a provider.
func isEndpointKey(key string) bool {
	words := splitName(key, false)
	if len(words) != 1 {
		return false
	}
	switch strings.TrimSuffix(words[0], "s") {
	case "endpoint", "url", "href", "uri", "path":
		return true
	}
	return false
}

// termOf maps each term and its plurals to the term.
var termOf = func() map[string]string {
	m := make(map[string]string)
	for _, term := range presentationTerms {
		m[term], m[term+"s"], m[term+"es"] = term, term, term
	}
	return m
}()

// nameTerm returns the first presentation term in a name, "" if there is none. Names
// are split at characters that are neither letters nor digits, between letters and
// digits, and at capital letters. An id may be random: there, a word with digits
// between its letters is not split, because it contains a term only by chance.
func nameTerm(name string, id bool) string {
	words := splitName(name, id)
	if name := findPhrase(words, compoundTerms); name != "" {
		return name
	}
	for _, word := range words {
		if term := termOf[word]; term != "" {
			return term
		}
	}
	return ""
}

// textTerm returns the first compound term in a text for people.
func textTerm(text string) string {
	if !strings.Contains(strings.ToLower(text), "runtime") { // which all of them contain
		return ""
	}
	for word := range strings.FieldsSeq(text) {
		if name := findPhrase(splitName(word, false), textTerms); name != "" {
			return name
		}
	}
	return ""
}

// findPhrase returns the name of the first phrase whose words follow each other in
// words, "" if there is none. The last word may be in the plural.
func findPhrase(words []string, phrases []phrase) string {
	for _, p := range phrases {
		n := len(p.words)
		for i := 0; i+n <= len(words); i++ {
			last := p.words[n-1]
			if slices.Equal(words[i:i+n-1], p.words[:n-1]) && (words[i+n-1] == last || words[i+n-1] == last+"s") {
				return p.name
			}
		}
	}
	return ""
}

// splitName returns the words of a name in lower case, without its digits.
func splitName(name string, id bool) (words []string) {
	for run := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		run = strings.TrimFunc(run, unicode.IsDigit)
		if id && strings.IndexFunc(run, unicode.IsDigit) >= 0 {
			continue
		}
		for part := range strings.FieldsFuncSeq(run, unicode.IsDigit) {
			words = appendCamelCase(words, part)
		}
	}
	return words
}

// appendCamelCase appends the words of a run of letters: sidePanel and HTMLPanel have
// two each. A capitalized abbreviation keeps the s of its plural, as in URLs.
func appendCamelCase(words []string, letters string) []string {
	runes := []rune(letters)
	begin := 0
	for i := 1; i < len(runes); i++ {
		if !unicode.IsUpper(runes[i]) {
			continue
		}
		last := i+1 == len(runes)
		plural := i+2 == len(runes) && runes[i+1] == 's'
		if !unicode.IsUpper(runes[i-1]) || !last && !plural && !unicode.IsUpper(runes[i+1]) {
			words = append(words, strings.ToLower(string(runes[begin:i])))
			begin = i
		}
	}
	return append(words, strings.ToLower(string(runes[begin:])))
}

// hasMarkup reports whether an HTML parser that reads the text, and more text after
// it, would see a tag, a comment or a declaration (HTML §13.2.5.6).
func hasMarkup(text string) bool {
	for i := strings.IndexByte(text, '<'); i >= 0 && i+1 < len(text); {
		c := text[i+1]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '/' || c == '!' || c == '?' {
			return true
		}
		next := strings.IndexByte(text[i+1:], '<')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
