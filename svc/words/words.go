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
//   - formats.go: the formats of dates and numbers, by language and region
//   - date.go: dates and times
//   - number.go: numbers
//   - plural.go: plurals
//   - stored.go: messages in records
//
// A test collects the texts in the source of the server and in the templates of its pages, and
// fails if a translation is missing, is not used, or has other arguments than the English text.
// Another one compares the messages of the web app with their calls.
package words

import (
	"golang.org/x/text/language"
)

// Language is a language with a catalog, and the formats of a region for its dates and numbers.
// The zero Language is English without a region. A region with the formats of the language alone is
// equal to it.
type Language struct {
	catalog uint8 // index of catalogs
	formats uint8 // index of Catalog.formatters
}

// English is the language of the texts in the source.
var English Language

// German is the language of the catalog de.json.
var German = For("de")

// For returns the language for a locale, such as "de-CH", with the formats of its region. It is
// English if the server does not have the language.
func For(locale string) Language { return WithFormats(locale, "") }

// WithFormats returns the language for a locale as [For] does, with the formats of the region of
// another locale. formats may be empty or have no region.
func WithFormats(locale, formats string) Language {
	var l Language
	tag, err := language.Parse(locale)
	if err == nil {
		_, i, _ := matcher.Match(tag)
		l.catalog = uint8(i)
	}
	if formatsTag, err := language.Parse(formats); formats != "" && err == nil {
		if _, _, region := formatsTag.Raw(); region != (language.Region{}) {
			tag = formatsTag
		}
	}
	return l.inRegionOf(tag)
}

// inRegionOf returns the language l with the formats of the region of a tag.
func (l Language) inRegionOf(tag language.Tag) Language {
	_, _, region := tag.Raw()
	return l.InRegion(region.String())
}

// AcceptedLanguage returns the language for an Accept-Language header (RFC 9110 §12.5.4).
func AcceptedLanguage(header string) Language {
	l, locale := acceptedLanguage(header)
	if locale == "" {
		return l
	}
	return l.inRegionOf(language.Make(locale))
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
	l.catalog = uint8(i)
	want, _ := Tags[i].Base()
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
	if text, ok := l.Catalog().Server[english]; ok {
		return text
	}
	return english
}

// Textf formats a text in the language l. Arguments are translated like the arguments of a [Text].
func (l Language) Textf(format string, args ...any) string { return Text{format, args}.In(l) }

// Textf returns a text with arguments.
func Textf(format string, args ...any) Text { return Text{format, args} }

// Word is an argument that is translated with the text that contains it.
type Word string

// Text is a text that is translated when its reader is known. Arguments of the types [Word],
// [Stored] and Text are translated, too.
//
// The format has the verbs of package fmt, and plurals of integers in the syntax of the messages of
// the web app: "{0, plural, one {# day} other {# days}}". The verbs of a format with a plural and
// other arguments have indexes, such as %[2]s. A translation may have a plural in place of the verb %d.
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
	return formatText(l.Tag(), l.Text(t.Format), args)
}
