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

// CheckName checks what somebody or something is called: a line of up to
// [MaxName] characters that can be seen, and that leaves alone what is written
// after it.
func CheckName(field, text string) error {
	if strings.IndexFunc(text, visible) < 0 {
		return Required(field)
	}
	if strings.IndexFunc(text, redirects) >= 0 {
		return FieldError(InvalidValue, field, "%s must not have invisible characters that change the direction of writing.", field)
	}
	return CheckLine(field, text, MaxName)
}

// redirects reports whether r is a bidirectional embedding, override or
// isolate (UAX #9 §2). Marks such as U+200F do no harm to other texts.
func redirects(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// visible reports whether r leaves something to see by itself.
func visible(r rune) bool {
	const blankBraille = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != blankBraille &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// breaks reports whether r is no part of a line.
func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// Excerpt is the beginning of a text, to repeat in a message.
func Excerpt(text string) string {
	n := 0
	for i := range text {
		if n++; n > MaxName {
			return text[:i] + "…"
		}
	}
	return text
}

// SingleLine makes a line of up to max characters of a text that may have more, "" if
// it says nothing.
func SingleLine(text string, max int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if breaks(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
	n := 0
	for i := range text {
		if n++; n > max {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// CheckLine checks a text of one line, such as a title. It must say something,
// be valid, be no longer than max and have no control characters.
func CheckLine(field, text string, max int) error {
	if strings.TrimSpace(text) == "" {
		return Required(field)
	}
	if strings.IndexFunc(text, breaks) >= 0 {
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
