package maps

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"appliance/svc/maps/fold"
)

// countryMatch is a country whose name or code the query contains.
type countryMatch struct {
	from, to int    // the words of the query that name it
	code     string // ISO 3166-1 alpha-2
}

// covers reports whether a term is one of the words that name the country.
func (m *countryMatch) covers(t term) bool {
	return m != nil && t.position >= m.from && t.position+len(t.words) <= m.to
}

// countryFile has one line for each country: its ISO 3166-1 alpha-2 and alpha-3 codes
// and its names in English, German, French, Spanish and Italian, separated by
// semicolons. The names are those of CLDR (https://cldr.unicode.org/, Unicode License).
//
//go:generate go test -run TestCountryFile -update-countries
//go:embed countries.txt
var countryFile string

// countries returns the alpha-2 codes of countries by code and by the token of a name.
var countries = sync.OnceValues(func() (byCode, byName map[string]string) {
	byCode, byName = map[string]string{"UK": "GB"}, make(map[string]string)
	for line := range strings.Lines(countryFile) {
		fields := strings.Split(strings.TrimSpace(line), ";")
		for _, code := range fields[:2] {
			byCode[code] = fields[0]
		}
		for _, name := range fields[2:] {
			if token := wholeToken(fold.Words(name)); byName[token] == "" {
				byName[token] = fields[0]
			}
		}
	}
	return byCode, byName
})

// findCountry sets the country that the query names: by its name or, at the end, by its
// code in capital letters, such as "FR", "USA" or "UK". The country must not be the
// whole query.
func (s *search) findCountry() {
	byCode, byName := countries()
	spans := s.townSpans()
	for _, span := range slices.Backward(spans) { // of the longest names, the last one
		if code := byName[span.token]; code != "" && (s.country == nil || span.to-span.from > s.country.to-s.country.from) {
			s.country = &countryMatch{span.from, span.to, code}
		}
	}
	last := len(s.query.words) - 1
	written := strings.FieldsFunc(s.Text, func(r rune) bool { return !unicode.IsLetter(r) })
	if s.country != nil || last < 1 || len(written) == 0 {
		return
	}
	code := byCode[written[len(written)-1]]
	if code != "" && slices.Equal(fold.Words(written[len(written)-1]), s.query.words[last:]) {
		s.country = &countryMatch{last, last + 1, code}
	}
}

// inCountry returns those of the ids whose place is in the country of the query.
func (s *search) inCountry(ids []int64) ([]int64, error) {
	rows, err := s.rows(ids)
	var kept []int64
	for _, row := range rows {
		if row.Country == s.country.code {
			kept = append(kept, row.ID)
		}
	}
	return kept, err
}
