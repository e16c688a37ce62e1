package messages

import (
	"iter"
	"strings"
	"unicode"

	"appliance/svc"

	"golang.org/x/text/unicode/norm"
)

// Words are indexed with the number of the member who may find them before
// each: 7xhello is what member 7 finds by hello. So a search touches nothing
// but what is the member's own, and neither what it finds nor how long it
// takes says anything of what others write. FTS5 could not do that with words
// as they are: for words that begin with two letters it collects everybody's
// first.

// A word is a run of letters, digits and marks.
func inWord(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// maxWord is how much of a word counts, in code points.
const maxWord = 64

// word is a word of a text.
type word struct {
	start, end int    // where it stands, in bytes
	folded     string // letters and digits only, without case and accents
}

// words yields the words of a text in order.
func words(text string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for at := 0; at < len(text); {
			start := strings.IndexFunc(text[at:], inWord)
			if start < 0 {
				return
			}
			start += at
			end := strings.IndexFunc(text[start:], func(r rune) bool { return !inWord(r) }) + start
			if end < start {
				end = len(text)
			}
			if folded := fold(text[start:end]); folded != "" && !yield(word{start, end, folded}) {
				return
			}
			at = end
		}
	}
}

// fold returns a word as it is compared: compatible forms are one (UAX #15),
// and of what remains letters and digits count. FTS5 takes it for one word
// whatever it is, since nothing in it is an ASCII character of another kind.
func fold(text string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); !unicode.In(r, unicode.L, unicode.N) || n == maxWord {
			return -1
		}
		n++
		return r
	}, norm.NFKD.String(text))
}

// key is how a word is indexed for a member.
func key(member svc.MemberID, folded string) string { return member.String() + "x" + folded }

// indexed returns what the index has of a message between two members.
func indexed(body string, a, b svc.MemberID) string {
	var text strings.Builder
	seen := make(map[string]bool)
	for w := range words(body) {
		if !seen[w.folded] {
			seen[w.folded] = true
			text.WriteString(key(a, w.folded) + " " + key(b, w.folded) + " ")
		}
	}
	return text.String()
}
