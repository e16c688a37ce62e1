package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldWords maps parts of field names to the words of labels.
var fieldWords = map[string]string{
	"email": "e-mail address", "id": "ID", "rrule": "recurrence rule", "rsvp": "RSVP", "timezone": "time zone", "url": "URL",
	"username": "user name",
}

// Label returns the label of a field, for messages to people: "Display name" for
// display_name, "Context ID" for context.id.
func Label(field string) string {
	parts := strings.FieldsFunc(field, func(r rune) bool { return r == '_' || r == '.' })
	for i, part := range parts {
		if word := fieldWords[part]; word != "" {
			parts[i] = word
		}
	}
	label := strings.Join(parts, " ")
	if label == "" {
		return field
	}
	return Capitalize(label)
}

// Capitalize returns the text with its first letter in upper case.
func Capitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if first == utf8.RuneError {
		return text // empty, or not valid text
	}
	return string(unicode.ToTitle(first)) + text[size:]
}
