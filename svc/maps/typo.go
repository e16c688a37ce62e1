package maps

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"appliance/store"
	"appliance/svc/maps/fold"
	"appliance/svc/maps/kind"
)

// Limits of the correction of typing errors.
const (
	minTypo       = 4 // length of the shortest corrected word
	maxSimilar    = 1000
	maxCorrection = 12
)

// correct adds alternatives to the required terms that no place matches: words with
// the same beginning or, if there are none, similar words. It returns the number of
// matches of each term, up to maxCount.
func (s *search) correct(required []bool) (counts []int, err error) {
	counts = make([]int, len(required))
	for i := range s.query.terms {
		t := &s.query.terms[i]
		if !required[i] {
			continue
		}
		if counts[i], err = s.count(*t); err != nil {
			return nil, err
		}
		if counts[i] > 0 || len(t.words) > 1 || t.isNumber {
			continue
		}
		if err := s.addCorrections(t); err != nil {
			return nil, err
		}
		if counts[i], err = s.count(*t); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func (s *search) count(t term) (n int, err error) {
	err = s.tx.Get(&n, s.s.q.search.Count, store.Args{"match": t.expression(), "limit": maxCount})
	return n, err
}

// addCorrections adds alternatives to a term that no place matches.
func (s *search) addCorrections(t *term) error {
	word := t.words[0]
	if utf8.RuneCountInString(word) < minTypo {
		return nil
	}
	if kinds := kind.Similar(word); kinds != nil {
		t.kinds = append(t.kinds, kinds...)
	}
	similar, err := s.similarWords(word)
	if err != nil {
		return err
	}
	for _, other := range similar {
		t.add(alternative{words: []string{other.word}, isCorrected: true, quality: typoQuality / float64(max(other.typos, 1))})
	}
	t.add(alternative{words: []string{word}, isPrefix: true, quality: prefixQuality})
	return nil
}

// similarWord is a word that differs from another by typing errors.
type similarWord struct {
	word             string
	typos, frequency int
}

// similarWords returns the words of names that differ from a word by typing errors,
// those with the fewest errors first.
func (s *search) similarWords(word string) ([]similarWord, error) {
	var ids []int64
	err := s.tx.Select(&ids, s.s.q.search.MatchTrigrams, store.Args{"match": trigramExpression(word), "limit": maxSimilar})
	if err != nil {
		return nil, err
	}
	rows, err := s.rows(ids)
	if err != nil {
		return nil, err
	}
	limit := fold.MaxTypos(word)
	known := make(map[string]*similarWord)
	for _, row := range rows {
		c := candidate{candidateRow: row}
		c.prepare()
		for _, other := range slices.Concat(c.names...) {
			if known[other] == nil {
				known[other] = &similarWord{word: other, typos: fold.Distance(word, other, limit)}
			}
			known[other].frequency++
		}
	}
	var list []similarWord
	for _, other := range known {
		if other.typos <= limit {
			list = append(list, *other)
		}
	}
	slices.SortFunc(list, func(a, b similarWord) int {
		return cmp.Or(cmp.Compare(a.typos, b.typos), cmp.Compare(b.frequency, a.frequency), strings.Compare(a.word, b.word))
	})
	return list[:min(len(list), maxCorrection)], nil
}

// trigramExpression returns a query that matches names which have two groups of
// three characters in common with a word, or one group with a short word.
func trigramExpression(word string) string {
	runes := []rune(word)
	var groups, parts []string
	for i := 0; i+3 <= len(runes); i++ {
		groups = append(groups, string(runes[i:i+3]))
	}
	groups = unique(groups)
	if len(groups) < 4 {
		return tokens(groups)
	}
	groups = groups[:min(len(groups), 12)]
	for i := range groups {
		for j := range i {
			parts = append(parts, matchAll([]string{groups[j], groups[i]}))
		}
	}
	return matchAny(parts)
}
