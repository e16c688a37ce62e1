package svc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of text from members, in Unicode code points.
const (
	MaxTitle   = 200
	MaxSummary = 1000
	MaxName    = 80
	MaxBody    = 8000
)

// CheckName validates a name as [CheckTitle] does, with at most [MaxName] characters.
func CheckName(field, text string) error { return CheckTitle(field, text, MaxName) }

// CheckTitle validates a required line as [CheckLine] does. The text must have a visible character,
// and no character that changes the direction of the text after it, because other members see it.
func CheckTitle(field, text string, max int) error {
	if strings.IndexFunc(text, isVisible) < 0 {
		return Required(field)
	}
	if strings.IndexFunc(text, changesDirection) >= 0 {
		return FieldError(InvalidValue, field, "%s must not contain invisible characters that change the text direction.", FieldLabel(field))
	}
	return CheckLine(field, text, max)
}

// HidesText reports whether a text contains invisible characters that change the display of the
// text after them: bidirectional controls and line separators.
func HidesText(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return changesDirection(r) || r == '\u2028' || r == '\u2029' })
}

// IsVisible reports whether a text has a visible character.
func IsVisible(text string) bool { return strings.ContainsFunc(text, isVisible) }

// WithoutDirections returns a text without the characters that change the direction of the
// text after them.
func WithoutDirections(text string) string {
	return strings.Map(func(r rune) rune {
		if changesDirection(r) {
			return -1
		}
		return r
	}, text)
}

// changesDirection reports whether r is a bidirectional embedding, override or isolate
// (UAX #9 §2). Marks such as U+200F do not affect the text after them.
func changesDirection(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// isVisible reports whether r is visible by itself.
func isVisible(r rune) bool {
	const blankBraille = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != blankBraille &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isBreak reports whether r is a control character or a line separator.
func isBreak(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// Excerpt returns the first [MaxName] characters of a text, for error messages.
func Excerpt(text string) string {
	n := 0
	for i := range text {
		if n++; n > MaxName {
			return text[:i] + "…"
		}
	}
	return text
}

// SingleLine converts an untrusted text to a line of at most max characters: it replaces line
// breaks and control characters by spaces, removes characters that change the direction of the text
// after them, and trims white space.
func SingleLine(text string, max int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case isBreak(r):
			return ' '
		case changesDirection(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
	return truncate(text, max)
}

// MultiLine converts an untrusted text to a text of at most max characters and any number of lines:
// it removes null characters and characters that change the direction of the text after them, and
// trims white space.
func MultiLine(text string, max int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
	return truncate(strings.TrimSpace(WithoutDirections(text)), max)
}

// truncate returns the first max characters of a text, without white space at the end.
func truncate(text string, max int) string {
	n := 0
	for i := range text {
		if n++; n > max {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// CheckLine validates a required text of one line, such as a title: valid UTF-8 of
// at most max characters without control characters.
func CheckLine(field, text string, max int) error {
	if strings.TrimSpace(text) == "" {
		return Required(field)
	}
	if strings.IndexFunc(text, isBreak) >= 0 {
		return FieldError(InvalidValue, field, "%s must be a single line without control characters.", FieldLabel(field))
	}
	return CheckText(field, text, max)
}

// CheckText validates an optional text of any number of lines: valid UTF-8 of at
// most max characters without NUL.
func CheckText(field, text string, max int) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return FieldError(InvalidValue, field, "%s must be valid UTF-8 text without null characters.", FieldLabel(field))
	}
	if n := utf8.RuneCountInString(text); n > max {
		e := FieldError(TooLong, field, "%s can have up to %d characters, but has %d.", FieldLabel(field), max, n)
		e.Fields[0].Max = max
		return e
	}
	return nil
}
