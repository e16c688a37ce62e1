package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldLabels maps the names of fields to their labels, if the parts of the name give none.
var fieldLabels = map[string]string{
	"end": "End", "rdates": "Additional dates", "exdates": "Excluded dates", "lat": "Latitude", "lon": "Longitude", "q": "Search text",
	"percent_complete": "Progress in percent", "calendar_id": "Calendar",
}

// fieldWords maps parts of field names to the words of labels.
var fieldWords = map[string]string{
	"email": "e-mail address", "id": "ID", "rrule": "recurrence rule", "rsvp": "RSVP", "timezone": "time zone", "url": "URL",
	"username": "user name",
}

// Label returns the label of a field, for messages to people: "Display name" for
// display_name, "Context ID" for context.id. Indexes of lists are left out.
func Label(field string) string {
	if label := fieldLabels[field]; label != "" {
		return label
	}
	parts := strings.FieldsFunc(field, func(r rune) bool { return r == '_' || r == '.' || r == '-' || unicode.IsDigit(r) })
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
