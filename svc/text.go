package svc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of text from members, in Unicode code points (B-83).
const (
	MaxTitle   = 200
	MaxSummary = 1000
	MaxName    = 80
	MaxBody    = 8000
)

// CheckLine checks a text of one line: a name or a title. It must say
// something, be valid, be no longer than max and have no control characters.
func CheckLine(field, text string, max int) error {
	if strings.TrimSpace(text) == "" {
		return Required(field)
	}
	if strings.IndexFunc(text, unicode.IsControl) >= 0 {
		return FieldError(InvalidValue, field, "%s must be a single line without control characters.", field)
	}
	return CheckText(field, text, max)
}

// CheckText checks a text of any number of lines, which may be empty.
func CheckText(field, text string, max int) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return FieldError(InvalidValue, field, "%s is not valid text.", field)
	}
	if n := utf8.RuneCountInString(text); n > max {
		e := FieldError(TooLong, field, "%s may have up to %d characters; this has %d.", field, max, n)
		e.Fields[0].Max = max
		return e
	}
	return nil
}
