package harness

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// presentationTerms must not occur in keys, machine strings and URLs of the
// canonical dataset, which is independent of any presentation.
var presentationTerms = []string{
	"html", "css", "dom", "panel", "surface", "stack", "rail", "dock", "renderer", "viewport", "slot", "marker", "card", "mesh",
}

// presentationTerm returns the first presentation term in a name, and "" if
// there is none. Names are split at characters that are neither letters nor
// digits, and before capital letters.
func presentationTerm(name string) string {
	for _, word := range splitName(name) {
		for _, term := range presentationTerms {
			if word == term || word == term+"s" || word == term+"es" {
				return term
			}
		}
	}
	return ""
}

// splitName returns the words of a name in lower case.
func splitName(name string) (words []string) {
	begin, before := 0, rune(0)
	for i, r := range name + "_" {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.IsUpper(r) && unicode.IsLower(before) {
			words = append(words, strings.ToLower(name[begin:i]))
			begin = i
			if !unicode.IsUpper(r) {
				begin += len(string(r))
			}
			begin = min(begin, len(name))
		}
		before = r
	}
	return words
}

// machineKey matches keys whose strings are for programs. The strings of other
// keys may be written by members.
var machineKey = regexp.MustCompile(`^(id|kind|type|state|status|area|reason|section|service|availability|method|capability|encodings|url|.+_(id|ids|type|kind|state|status|service|url|fields))$`)

// providerKeys match machineKey, but their strings come from providers.
var providerKeys = []string{"resource_id", "source_id", "finding_id", "source_url", "primary_url"}

func isMachineKey(key string) bool {
	return machineKey.MatchString(key) && !slices.Contains(providerKeys, key)
}

// isSystemKey reports whether the strings of a key are written by the system,
// for programs or for people. A label may quote a member.
func isSystemKey(key string) bool { return isMachineKey(key) || key == "message" || key == "label" }

// memberKeys are the keys whose values may contain text written by members, or the
// label of an input for such text.
var memberKeys = []string{"title", "summary", "label", "body", "description", "note", "default", "value", "display_name", "name", "bio", "message", "query", "uid"}

func isMemberKey(key string) bool { return slices.Contains(memberKeys, key) }

// markup matches the beginning of an HTML tag.
var markup = regexp.MustCompile(`<[A-Za-z!/][^>]{0,40}`)

// secretKey matches keys that a dataset must not have.
var secretKey = regexp.MustCompile(`(?i)(^|_)(token|tokens|password|passwords|passwd|secret|secrets|cookie|cookies|hash|credential|credentials|api_?key|authorization)($|_)`)
