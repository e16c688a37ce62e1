package maps

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"appliance/svc/maps/fold"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
)

// candidateRow is a row of the query candidates.
type candidateRow struct {
	ID          int64   `db:"id"`
	Provider    string  `db:"provider"`
	Name        string  `db:"name"`
	Names       string  `db:"names"`
	Kind        string  `db:"kind"`
	HouseNumber string  `db:"house_number"`
	Street      string  `db:"street"`
	City        string  `db:"city"`
	Country     string  `db:"country"`
	Latitude    float64 `db:"latitude"`
	Longitude   float64 `db:"longitude"`
	Importance  float64 `db:"importance"`
}

func (r candidateRow) point() geo.Point {
	return geo.Point{Latitude: r.Latitude, Longitude: r.Longitude}
}

// candidate is a place that may answer a query.
type candidate struct {
	candidateRow
	names        [][]string // the words of each name
	address      []string
	towns        []townMatch // of the query, near the place
	matched      []bool      // by term: the index of words matched it
	score        float64
	minScore     float64   // minimum of score
	interpolated string    // house number, if the position is interpolated
	at           geo.Point // interpolated position
}

// point returns the position, which may be interpolated.
func (c *candidate) point() geo.Point {
	if c.interpolated != "" {
		return c.at
	}
	return c.candidateRow.point()
}

// prepare splits the names and the address into words.
func (c *candidate) prepare() {
	add := func(name string) {
		if list := fold.Words(name); len(list) > 0 {
			c.names = append(c.names, list)
		}
	}
	add(c.Name)
	if c.Names != "{}" {
		for _, names := range decodeMap(c.Names) {
			for name := range strings.SplitSeq(names, ";") {
				add(name)
			}
		}
	}
	number := cmp.Or(c.interpolated, c.HouseNumber)
	if c.Kind == kind.Address || c.interpolated != "" {
		add(c.Street + " " + number)
	}
	for _, field := range []string{c.Street, number, c.City} {
		c.address = append(c.address, fold.Words(field)...)
	}
}

// Shares in the score.
const (
	nameShare       = 0.35 // the words of the query are the words of a name
	wholeShare      = 0.15 // the query is a name
	importanceShare = 0.35
	bothShare       = 0.12 // the town is in the name, and the place is in the town
	distanceShare   = 0.25
	townQuality     = 0.8 // in the center of the town
	outskirtsLoss   = 0.7 // part of townQuality that is subtracted at the end of the reach of the town
	addressQuality  = 0.85
	countryQuality  = 0.85
	kindQuality     = 0.85
	otherKindFactor = 0.8 // factor for the word of a kind in the name of another kind
)

// rate computes the score of a candidate: how well name, address, kind, town and country
// cover the terms, how exactly the query is the name, importance and distance.
func (c *candidate) rate(q query, country *countryMatch, origin *geo.Point, radius float64) {
	total := 0.0
	other := make([]float64, len(q.terms)) // quality of the best match outside of names
	for i, t := range q.terms {
		total += t.weight
		if other[i] = c.quality(i, t); country.covers(t) && c.Country == country.code {
			other[i] = max(other[i], countryQuality)
		}
	}
	best := c.coverage(q, other, nil, total)
	for _, name := range c.names {
		best = max(best, c.coverage(q, other, name, total))
	}
	inTown := 0.0
	for i, t := range q.terms {
		if slices.ContainsFunc(c.towns, func(town townMatch) bool { return town.covers(t) }) {
			inTown += t.weight * other[i]
		}
	}
	c.score = best + bothShare*inTown/total + importanceShare*c.Importance
	if origin != nil {
		d := geo.Distance(*origin, c.point())
		if radius > 0 {
			c.score -= distanceShare * d / radius
		} else {
			c.score -= distanceShare * min(math.Log10(1+d/1000)/4, 1)
		}
	}
	if c.interpolated != "" {
		c.score -= 0.05
	}
	c.score = max(c.score, c.minScore)
}

// quality returns the quality of the match of a term with the address, the kind, the
// town, or a tag of the place.
func (c *candidate) quality(i int, t term) float64 {
	best := addressQuality * t.matchIn(c.address)
	if slices.Contains(t.kinds, c.Kind) {
		best = max(best, kindQuality)
	}
	for _, town := range c.towns {
		if town.covers(t) {
			best = max(best, townQuality*(1-outskirtsLoss*geo.Distance(town.point, c.point())/town.reach))
		}
	}
	if best == 0 && len(c.matched) > i && c.matched[i] {
		best = tagQuality
	}
	return best
}

// coverage returns how well a name, together with the other matches, covers the
// query.
func (c *candidate) coverage(q query, other []float64, name []string, total float64) float64 {
	covered, named, significant := 0.0, 0.0, 0
	used := make([]bool, len(name))
	for i, t := range q.terms {
		inName := t.mark(name, used)
		if len(t.kinds) > 0 && !slices.Contains(t.kinds, c.Kind) {
			inName *= otherKindFactor
		}
		covered += t.weight * max(inName, other[i])
		named += t.weight * inName
	}
	matched := 0
	for i, word := range name {
		if particles[word] {
			continue
		}
		significant++
		if used[i] {
			matched++
		}
	}
	score := covered / total
	if significant > 0 {
		score += nameShare * named / total * float64(matched) / float64(significant)
	}
	if len(name) > 0 && slices.Equal(withoutParticles(name), withoutParticles(q.words)) {
		score += wholeShare
	}
	return score
}

func withoutParticles(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, word := range list {
		if !particles[word] {
			kept = append(kept, word)
		}
	}
	return kept
}

// matchIn returns the quality of the best alternative that is in the words, or 0.
func (t term) matchIn(list []string) float64 { return t.mark(list, nil) }

// mark is matchIn, and marks the matched words in used unless it is nil.
func (t term) mark(list []string, used []bool) (best float64) {
	var found alternative
	for _, a := range t.alternatives {
		if a.quality > best && a.isIn(list) {
			best, found = a.quality, a
		}
	}
	if best > 0 && used != nil {
		for i, word := range list {
			used[i] = used[i] || found.matches(word)
		}
	}
	return best
}

func (a alternative) isIn(list []string) bool {
	for _, word := range a.words {
		if a.isPrefix {
			return slices.ContainsFunc(list, func(other string) bool { return strings.HasPrefix(other, word) })
		}
		if !slices.Contains(list, word) {
			return false
		}
	}
	return true
}

func (a alternative) matches(word string) bool {
	if a.isPrefix {
		return strings.HasPrefix(word, a.words[0])
	}
	return slices.Contains(a.words, word)
}

// sortCandidates sorts the best first. Ids order candidates with the same score.
func sortCandidates(list []*candidate) {
	slices.SortFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ID, b.ID), cmp.Compare(a.interpolated, b.interpolated))
	})
}

// Distances in meters within which two rows with one name are the same place.
const (
	sameSettlementDistance = 12_000
	sameStreetDistance     = 1500
	samePlaceDistance      = 150
)

// isSameAs reports whether two rows describe one place, for example a town in the
// gazetteer and in an imported region, or a hotel that is drawn twice.
func (c *candidate) isSameAs(other *candidate) bool {
	if c.interpolated != other.interpolated {
		return false
	}
	limit := 0.0
	switch {
	case kind.IsSettlement(c.Kind) && kind.IsSettlement(other.Kind):
		limit = sameSettlementDistance
	case c.Kind == kind.Street && other.Kind == kind.Street && c.City == other.City:
		limit = sameStreetDistance
	case c.Kind == other.Kind && c.Kind != kind.Address:
		limit = samePlaceDistance
	default:
		return false
	}
	if geo.Distance(c.point(), other.point()) > limit {
		return false
	}
	return slices.ContainsFunc(c.names, func(a []string) bool {
		return slices.ContainsFunc(other.names, func(b []string) bool {
			return slices.Equal(withoutParticles(a), withoutParticles(b))
		})
	})
}
