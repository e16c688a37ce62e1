package maps

import (
	"cmp"
	"slices"

	"appliance/svc/maps/geo"
)

// townMatch is a settlement whose name is a part of the query.
type townMatch struct {
	from, to  int // the words of the query that name it
	point     geo.Point
	reach     float64 // meters from the center within which places are in the town
	scope     string  // query that restricts matches to the reach
	isCertain bool    // in an imported region, and named without a typing error
}

// townReaches are the reaches of settlements, in meters.
var townReaches = map[string]float64{
	"place=city": 12_000, "place=municipality": 8000, "place=town": 5000, "place=borough": 5000, "place=suburb": 3000, "place=village": 3000, "place=quarter": 2000,
	"place=neighbourhood": 2000, "place=hamlet": 1500, "place=island": 25_000, "place=islet": 2000, "place=locality": 1500, "place=square": 500,
}

// Limits of the recognition of towns.
const (
	maxTowns        = 3
	maxTownWords    = 4
	farTownDistance = 100_000 // meters
)

// covers reports whether a term is a part of the name.
func (m townMatch) covers(t term) bool {
	return t.position >= m.from && t.position+len(t.words) <= m.to
}

// findTowns sets the settlements whose name in a language is a part of the query, but
// not the whole.
func (s *search) findTowns() error {
	spans := s.townSpans()
	if len(spans) == 0 {
		return nil
	}
	var names []string
	for _, span := range spans {
		names = append(names, span.token)
	}
	ids, err := s.match(and(tokens(sortedKeys(townReaches)), tokens(unique(names))), 10*maxTowns)
	if err != nil {
		return err
	}
	rows, err := s.rows(ids)
	if err != nil {
		return err
	}
	s.towns = s.towns[:0]
	for _, row := range rows {
		c := &candidate{candidateRow: row}
		c.prepare()
		for _, name := range c.names {
			token := wholeToken(name)
			i := slices.IndexFunc(spans, func(span townSpan) bool { return span.token == token })
			if i < 0 {
				continue
			}
			reach := townReaches[row.Kind]
			town := townMatch{
				from: spans[i].from, to: spans[i].to, point: row.point(), reach: reach, scope: tokens(cellTokens(geo.Around(row.point(), reach))),
				isCertain: row.Provider != GazetteerProvider && !spans[i].isCorrected,
			}
			if s.Radius == 0 || geo.Distance(*s.Origin, town.point) <= s.Radius+reach {
				s.addTown(town)
			}
			break
		}
	}
	slices.SortStableFunc(s.towns, func(a, b townMatch) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(s.remoteness(a), s.remoteness(b)))
	})
	s.towns = s.towns[:min(len(s.towns), maxTowns)]
	return nil
}

// remoteness returns 1 for a town far from the origin, and otherwise 0: of towns with
// the same name, a near one is meant rather than an important one.
func (s *search) remoteness(t townMatch) int {
	if s.Origin != nil && geo.Distance(*s.Origin, t.point) > farTownDistance {
		return 1
	}
	return 0
}

// addTown adds a town unless it is another row of a known one.
func (s *search) addTown(town townMatch) {
	i := slices.IndexFunc(s.towns, func(t townMatch) bool {
		return t.from == town.from && t.to == town.to && geo.Distance(t.point, town.point) < min(t.reach, sameSettlementDistance)/2
	})
	if i < 0 {
		s.towns = append(s.towns, town)
		return
	}
	s.towns[i].isCertain = s.towns[i].isCertain || town.isCertain
}

// townSpan is a part of the query that may name a town.
type townSpan struct {
	from, to    int
	token       string
	isCorrected bool
}

// townSpans returns the parts of the query that may name a town, the longest first.
func (s *search) townSpans() (spans []townSpan) {
	words := s.query.words
	for n := min(maxTownWords, len(words)-1); n > 0; n-- {
		for from := 0; from+n <= len(words); from++ {
			part := words[from : from+n]
			if n == 1 && particles[part[0]] || len(withoutParticles(words)) == len(withoutParticles(part)) {
				continue
			}
			spans = append(spans, townSpan{from, from + n, wholeToken(part), false})
		}
	}
	for _, t := range s.query.terms { // corrected words
		for _, a := range t.alternatives {
			if a.isCorrected && len(s.query.terms) > 1 {
				spans = append(spans, townSpan{t.position, t.position + len(t.words), wholeToken(a.words), true})
			}
		}
	}
	return spans
}
