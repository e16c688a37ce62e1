package kind

import (
	"slices"
	"strings"

	"appliance/svc/maps/fold"
)

// meanings maps folded phrases to kinds.
var meanings = func() map[string][]string {
	all := make(map[string][]string)
	for _, m := range vocabulary {
		kinds := strings.Fields(m.kinds)
		for phrase := range strings.SplitSeq(m.phrases, ",") {
			key := strings.Join(fold.Words(phrase), " ")
			for _, kind := range kinds {
				if !slices.Contains(all[key], kind) {
					all[key] = append(all[key], kind)
				}
			}
		}
	}
	return all
}()

// MaxPhrase is the largest number of words of a phrase that means kinds.
const MaxPhrase = 4

// FromWords returns the kinds that a phrase in English, German, French, Spanish or
// Italian means, such as "amenity=pharmacy" for "Apotheke", or nil. The phrase must
// contain no other words. Regular plurals have the meaning of their singular.
func FromWords(phrase string) []string { return FromFolded(fold.Words(phrase)) }

// FromFolded is FromWords for the result of [fold.Words].
func FromFolded(words []string) []string {
	if len(words) == 0 || len(words) > MaxPhrase {
		return nil
	}
	key := strings.Join(words, " ")
	if kinds := meanings[key]; kinds != nil {
		return kinds
	}
	for _, ending := range [][2]string{{"s", ""}, {"es", ""}, {"n", ""}, {"en", ""}, {"ies", "y"}, {"i", "o"}, {"i", "e"}, {"e", "a"}} {
		if stem, ok := strings.CutSuffix(key, ending[0]); ok && len(stem) > 2 {
			if kinds := meanings[stem+ending[1]]; kinds != nil {
				return kinds
			}
		}
	}
	return nil
}

// phraseWords are the phrases of one word, sorted.
var phraseWords = func() (list []string) {
	for phrase := range meanings {
		if !strings.Contains(phrase, " ") {
			list = append(list, phrase)
		}
	}
	slices.Sort(list)
	return list
}()

// Similar returns the kinds that a folded word with one typing error means, or nil.
func Similar(word string) []string {
	if fold.MaxTypos(word) == 0 {
		return nil
	}
	for _, phrase := range phraseWords {
		if fold.MaxTypos(phrase) > 0 && fold.Distance(word, phrase, 1) <= 1 {
			return meanings[phrase]
		}
	}
	return nil
}
