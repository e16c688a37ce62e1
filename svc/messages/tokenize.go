package messages

import (
	"iter"
	"strings"
	"unicode"

	"appliance/svc"

	"golang.org/x/text/unicode/norm"
)

// The search index holds each token once per participant, with the member id as a
// prefix: "7xhello" is the token "hello" for member 7. A search therefore reads only
// entries of its own member, and its duration discloses nothing about other members'
// messages. Tokens without a member id would disclose it: for a prefix search, FTS5
// first collects the matches of all members.

// token is a run of letters, digits and marks in a text.
type token struct {
	start  int    // offset in bytes
	folded string // result of fold, used for comparison
}

// isTokenRune reports whether r can be part of a token.
func isTokenRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// maxTokenLength is the number of code points of a token that are indexed and compared.
const maxTokenLength = 64

// tokens yields the tokens of a text in order. It skips tokens that consist of
// marks only.
func tokens(text string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for at := 0; at < len(text); {
			start := strings.IndexFunc(text[at:], isTokenRune)
			if start < 0 {
				return
			}
			start += at
			end := strings.IndexFunc(text[start:], func(r rune) bool { return !isTokenRune(r) }) + start
			if end < start {
				end = len(text)
			}
			if folded := fold(text[start:end]); folded != "" && !yield(token{start, folded}) {
				return
			}
			at = end
		}
	}
}

// fold returns a token without case, accents and compatibility differences: the
// letters and digits of its NFKD form (UAX #15) in lower case. FTS5's ascii
// tokenizer keeps the result as one token, since it contains no ASCII character
// except letters and digits.
func fold(text string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); !unicode.In(r, unicode.L, unicode.N) || n == maxTokenLength {
			return -1
		}
		n++
		return r
	}, norm.NFKD.String(text))
}

// indexTerm returns the index entry of a folded token for a member.
func indexTerm(member svc.MemberID, folded string) string { return member.String() + "x" + folded }

// indexTerms returns the index entries of a message between two members.
func indexTerms(body string, a, b svc.MemberID) string {
	var terms strings.Builder
	seen := make(map[string]bool)
	for t := range tokens(body) {
		if !seen[t.folded] {
			seen[t.folded] = true
			terms.WriteString(indexTerm(a, t.folded) + " " + indexTerm(b, t.folded) + " ")
		}
	}
	return terms.String()
}
