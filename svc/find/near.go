package find

import "strings"

// nearMark separates the term from the place in a search such as "tea near
// Lisbon".
const nearMark = " near "

// splitNear splits a text such as "tea near Lisbon" at its last "near". ok is false
// if the text does not have this form.
func splitNear(text string) (term, place string, ok bool) {
	for i := len(text) - len(nearMark); i >= 0; i-- {
		if !strings.EqualFold(text[i:i+len(nearMark)], nearMark) {
			continue
		}
		term, place = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(nearMark):])
		return term, place, term != "" && place != ""
	}
	return "", "", false
}

// isHere reports whether a place is the position of the member.
func isHere(place string) bool {
	return strings.EqualFold(place, "me") || strings.EqualFold(place, "here")
}
