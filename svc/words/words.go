// Package words translates the texts of the server into the languages of members.
//
// The English text is the key: the source contains it where it is used, and a text
// without a translation is shown in English. Names and texts of members are never
// translated; they are arguments of a text.
//
// The translations are in assets/words, one file for each language, together with those of the
// web app. A file is all that a new language needs, see [Catalog].
//
// # Files
//
//   - words.go: Language, Text
//   - catalog.go: the catalogs in assets/words
//   - label.go: the labels of fields
//   - date.go: dates and times
//   - number.go: numbers
//   - stored.go: messages in records
//
// A test collects the texts in the source of the server and in the templates of its pages, and
// fails if a translation is missing, is not used, or has other arguments than the English text.
// Another one compares the messages of the web app with their calls.
package words

import (
	"fmt"

	"golang.org/x/text/language"
)

// Language is a language with a catalog. The zero Language is English.
type Language uint8

// English is the language of the texts in the source.
const English Language = 0

// German is the language of the catalog de.json.
var German = For("de")

// For returns the language for a locale, such as "de-CH". It is English if the server
// does not have the language.
func For(locale string) Language {
	tag, err := language.Parse(locale)
	if err != nil {
		return English
	}
	_, i, _ := matcher.Match(tag)
	return Language(i)
}

// AcceptedLanguage returns the language for an Accept-Language header (RFC 9110 §12.5.4).
func AcceptedLanguage(header string) Language {
	l, _ := acceptedLanguage(header)
	return l
}

// AcceptedLocale returns the locale for an Accept-Language header: "de-CH" for German in
// Switzerland, "de" for German in Germany. It is "" if the server has none of the languages.
func AcceptedLocale(header string) string {
	_, locale := acceptedLanguage(header)
	return locale
}

func acceptedLanguage(header string) (l Language, locale string) {
	const limit = 200 // bytes; clients choose the header
	if len(header) > limit {
		return English, ""
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return English, ""
	}
	_, i, _ := matcher.Match(tags...)
	l = Language(i)
	want, _ := Tags[l].Base()
	for _, tag := range tags {
		base, confidence := tag.Base()
		if base != want || confidence != language.Exact {
			continue
		}
		usual, _ := language.Make(base.String()).Region()
		if region, confidence := tag.Region(); confidence == language.Exact && region != usual {
			return l, base.String() + "-" + region.String()
		}
		return l, base.String()
	}
	return l, ""
}

// Text returns an English text in the language l.
func (l Language) Text(english string) string {
	if text, ok := catalogs[l].Server[english]; ok {
		return text
	}
	return english
}

// Textf formats a text in the language l. Arguments are translated like the arguments of a [Text].
func (l Language) Textf(format string, args ...any) string { return Text{format, args}.In(l) }

// Count formats n with the text one if n is 1, otherwise with the text many. Both texts contain %d.
func (l Language) Count(n int, one, many string) string {
	if n == 1 {
		return l.Textf(one, n)
	}
	return l.Textf(many, n)
}

// CountOrNone formats a number as Count does, and 0 with the text none, which has no
// arguments.
func (l Language) CountOrNone(n int, none, one, many string) string {
	if n == 0 {
		return l.Text(none)
	}
	return l.Count(n, one, many)
}

// Textf returns a text with arguments.
func Textf(format string, args ...any) Text { return Text{format, args} }

// Word is an argument that is translated with the text that contains it.
type Word string

// Text is a text that is translated when its reader is known. Arguments of the types [Word],
// [Stored] and Text are translated, too.
type Text struct {
	Format string // in English
	Args   []any
}

// In returns the text in the language l.
func (t Text) In(l Language) string {
	args := make([]any, len(t.Args))
	for i, arg := range t.Args {
		switch a := arg.(type) {
		case Word:
			arg = l.Text(string(a))
		case Text:
			arg = a.In(l)
		case Stored:
			arg = l.Stored(string(a))
		}
		args[i] = arg
	}
	return fmt.Sprintf(l.Text(t.Format), args...)
}
