// Package fold reduces names to words that compare equal regardless of case,
// diacritics and punctuation.
//
// # Files
//
//   - fold.go: Words
//   - typo.go: Distance, the number of typing errors between two words
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord limits the length of a word, in bytes. The rest of a longer word is
// dropped.
const maxWord = 60

// Words returns the words of a text: lower-case letters and digits without
// diacritics. Characters of scripts without spaces are words of their own. The s of
// a genitive ("John's") is dropped.
func Words(text string) (list []string) {
	var word strings.Builder
	apostrophe := false // before the current word
	end := func() {
		if word.Len() > 0 && !(apostrophe && word.String() == "s" && len(list) > 0) {
			list = append(list, word.String())
		}
		word.Reset()
		apostrophe = false
	}
	for _, r := range decompose(text) {
		switch {
		case isDiacritic(r):
		case isIdeograph(r):
			end()
			list = append(list, string(r))
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if word.Len() < maxWord {
				if folded, ok := foldings[unicode.ToLower(r)]; ok {
					word.WriteString(folded)
				} else {
					word.WriteRune(unicode.ToLower(r))
				}
			}
		default:
			end()
			apostrophe = strings.ContainsRune("'’‘`´ʼ′", r)
		}
	}
	end()
	return list
}

// decompose separates letters and their diacritics.
func decompose(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKD.String(strings.ToValidUTF8(text, " "))
		}
	}
	return text
}

// isDiacritic reports whether r is a mark that readers of Latin, Greek, Cyrillic,
// Hebrew or Arabic script omit.
func isDiacritic(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5c7 || r >= 0x64b && r <= 0x652
}

// isIdeograph reports whether r is of a script that is written without spaces.
func isIdeograph(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && unicode.IsLetter(r)
}

// foldings are letters that have no decomposition.
var foldings = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ı': "i", 'ŋ': "n", 'ŧ': "t", 'ĸ': "k",
}
