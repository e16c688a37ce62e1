package maps

import (
	"slices"
	"strconv"
	"strings"

	"appliance/svc/maps/fold"
	"appliance/svc/maps/kind"
)

// maxWords limits the words of a query that are used. Further words are ignored.
const maxWords = 12

// term is a word of a query, or a phrase that means kinds.
type term struct {
	words        []string // as written
	position     int      // of its first word in the query
	alternatives []alternative
	kinds        []string
	isNumber     bool    // can be a house number
	isParticle   bool    // a place may lack it
	weight       float64 // share in the score
}

// alternative is a form in which a term matches: all its words.
type alternative struct {
	words       []string
	isPrefix    bool // the only word is the beginning of a word
	isCorrected bool // the only word is a correction of that of the query
	quality     float64
}

// query is a parsed search text.
type query struct {
	words []string
	terms []term
}

// parseQuery splits a text into terms. Phrases that mean kinds become one term.
func parseQuery(text string) query {
	all := fold.Words(text)
	if len(all) > maxWords {
		all = all[:maxWords]
	}
	q := query{words: all}
	for i := 0; i < len(all); {
		n := min(kind.MaxPhrase, len(all)-i)
		for n > 1 && kind.FromFolded(all[i:i+n]) == nil {
			n--
		}
		q.terms = append(q.terms, newTerm(all[i:i+n], i, len(all) > 1))
		i += n
	}
	if !slices.ContainsFunc(q.terms, func(t term) bool { return !t.isParticle }) {
		for i := range q.terms { // only particles: they are the name
			q.terms[i].isParticle, q.terms[i].weight = false, 1
		}
	}
	return q
}

// newTerm returns the term of a word or a phrase. withOthers reports whether the
// query has further words.
func newTerm(list []string, position int, withOthers bool) term {
	t := term{words: list, position: position, weight: 1, kinds: kind.FromFolded(list)}
	t.add(alternative{words: list, quality: sameWordQuality})
	if len(list) > 1 {
		return t
	}
	word := list[0]
	t.isNumber = withOthers && isHouseNumber(word)
	t.isParticle = withOthers && particles[word]
	switch {
	case t.isParticle:
		t.weight = 0.05
	case t.isNumber:
		t.weight = 0.6
	case streetWords[word] && withOthers:
		t.weight = 0.4
	case len(t.kinds) > 0:
		t.weight = 0.8
	}
	for _, s := range synonyms[word] {
		t.add(alternative{words: []string{s.word}, quality: s.quality})
	}
	for _, form := range otherForms(word) {
		t.add(alternative{words: []string{form}, quality: otherFormQuality})
	}
	return t
}

// add adds an alternative unless the term has its words.
func (t *term) add(a alternative) {
	if !slices.ContainsFunc(t.alternatives, func(b alternative) bool { return b.isPrefix == a.isPrefix && slices.Equal(a.words, b.words) }) {
		t.alternatives = append(t.alternatives, a)
	}
}

// otherForms returns the forms of a word with other endings and spellings.
func otherForms(word string) (forms []string) {
	add := func(form string) {
		if form != word && len(form) > 1 {
			forms = append(forms, form)
		}
	}
	if isHouseNumber(word) {
		add(strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz"))
		return forms
	}
	add(strings.NewReplacer("ae", "a", "oe", "o", "ue", "u").Replace(word)) // ä, ö, ü
	if stem, ok := strings.CutSuffix(word, "strasse"); ok && stem != "" {
		add(stem + "str")
	} else if stem, ok := strings.CutSuffix(word, "str"); ok && stem != "" {
		add(stem + "strasse")
	}
	if len(word) < 4 {
		return forms
	}
	if stem, ok := strings.CutSuffix(word, "s"); ok { // plurals and genitives
		add(stem)
	} else {
		add(word + "s")
	}
	return forms
}

// isHouseNumber reports whether a word can be a house number: up to four digits and
// a letter.
func isHouseNumber(word string) bool {
	digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz")
	if digits == "" || len(digits) > 4 || len(word)-len(digits) > 1 {
		return false
	}
	_, err := strconv.Atoi(digits)
	return err == nil
}

// expression returns a query of the index of words that the term matches.
func (t term) expression() string {
	parts := make([]string, 0, len(t.alternatives)+len(t.kinds))
	for _, a := range t.alternatives {
		part := matchAll(a.words)
		if a.isPrefix {
			part += " *"
		}
		parts = append(parts, part)
	}
	for _, k := range t.kinds {
		parts = append(parts, quote(k))
	}
	return matchAny(parts)
}

// quote returns a word as a string of the query language of FTS5. Words have no
// characters that separate tokens.
func quote(word string) string { return `"` + strings.ReplaceAll(word, `"`, `""`) + `"` }

func matchAll(words []string) string {
	if len(words) == 1 {
		return quote(words[0])
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return "(" + strings.Join(quoted, " AND ") + ")"
}

func matchAny(expressions []string) string { return "(" + strings.Join(expressions, " OR ") + ")" }

// tokens returns a query that any of the tokens matches, or "" for none.
func tokens(list []string) string {
	if len(list) == 0 {
		return ""
	}
	quoted := make([]string, len(list))
	for i, token := range list {
		quoted[i] = quote(token)
	}
	return matchAny(quoted)
}

// and combines queries. Empty ones match everything.
func and(expressions ...string) string {
	return strings.Join(slices.DeleteFunc(expressions, func(e string) bool { return e == "" }), " AND ")
}
