package maps

import (
	"cmp"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/geo"
	"appliance/svc/words"
)

// searchQueries read places by text.
type searchQueries struct {
	Match         store.Query `sql:"match"`
	MatchTrigrams store.Query `sql:"match-trigrams"`
	Count         store.Query `sql:"count-matches"`
	Candidates    store.Query `sql:"candidates"`
}

// SearchQuery selects places by text.
type SearchQuery struct {
	Text     string     // up to MaxQuery characters
	Origin   *geo.Point // may be nil if Radius is 0
	Radius   float64    // meters, up to MaxRadius; 0 for everywhere
	Limit    int        // 1 to MaxPlaces
	Language string     // of names, such as "de-CH"
}

// Search returns the places that match a text best, the best first. It matches all
// words of the text. If no place does, it corrects words that no place has, and then
// drops words, the most frequent first.
func (s *Service) Search(tx *store.Tx, q SearchQuery) ([]Place, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	search := &search{s: s, tx: tx, SearchQuery: q, query: parseQuery(q.Text), found: make(map[int64]*candidate)}
	if len(search.query.terms) == 0 {
		return []Place{}, nil
	}
	if q.Radius > 0 {
		search.scope = tokens(cellTokens(geo.Around(*q.Origin, q.Radius)))
	}
	if err := search.run(); err != nil {
		return nil, err
	}
	return search.load(search.bestCandidates())
}

func (q SearchQuery) check() error {
	err := svc.Join(svc.CheckLine("query", q.Text, MaxQuery), checkRadius(q.Radius), checkLimit(q.Limit))
	switch {
	case err != nil:
		return err
	case q.Origin != nil:
		return CheckPoint("origin.", *q.Origin)
	case q.Radius > 0:
		return svc.Required("origin")
	}
	return nil
}

// Limits of the work of one search.
const (
	maxMatches  = 1000  // of a query of the index of words
	maxWhole    = 200   // places whose name is the text
	maxCount    = 20000 // up to which the frequency of a word is determined
	maxAttempts = 12
	localRadius = 5000 // meters around the origin that a search everywhere prefers
)

// search is the state of one search.
type search struct {
	SearchQuery
	s     *Service
	tx    *store.Tx
	query query
	scope string // query that restricts matches to the area; "" for everywhere

	towns       []townMatch   // that the query names
	country     *countryMatch // that the query names, or nil
	countryOnly bool          // match only places in the country
	found       map[int64]*candidate
	attempts    int
}

// run finds candidates.
func (s *search) run() error {
	everything := make([]bool, len(s.query.terms))
	for i, t := range s.query.terms {
		everything[i] = !t.isParticle
	}
	if err := s.findTowns(); err != nil {
		return err
	}
	s.findCountry()
	// Those whose name is the text need not be among the most important matches.
	ids, err := s.match(and(quote(wholeToken(s.query.words)), s.scope), maxWhole)
	if err != nil {
		return err
	}
	s.add(ids, everything, nil)
	if err := s.attempt(everything); err != nil {
		return err
	}
	number := s.numberTerm()
	if number < 0 {
		return s.relax(everything)
	}
	everything[number] = false
	if err := s.attempt(everything); err != nil {
		return err
	}
	if err := s.relax(everything); err != nil {
		return err
	}
	return s.addHouseNumbers(number)
}

// relax finds candidates for fewer or other words than those of the query, if there
// are none yet.
func (s *search) relax(required []bool) error {
	if len(s.found) > 0 {
		return nil
	}
	required = slices.Clone(required)
	counts, err := s.correct(required)
	if err != nil {
		return err
	}
	if err := s.findTowns(); err != nil {
		return err
	}
	for i := range required {
		required[i] = required[i] && counts[i] > 0
	}
	if err := s.attempt(required); err != nil || len(s.found) > 0 {
		return err
	}
	return s.drop(required, counts)
}

// drop repeats the search without one of the required terms, the most frequent
// first, and then without several. Terms that name a town of an imported region are
// the last.
func (s *search) drop(required []bool, counts []int) error {
	var order []int // of terms, by descending frequency
	for i := range required {
		if required[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.namesTown(a), s.namesTown(b)), cmp.Compare(counts[b], counts[a]))
	})
	if len(order) < 2 {
		return nil
	}
	for _, i := range order {
		fewer := slices.Clone(required)
		fewer[i] = false
		if err := s.attempt(fewer); err != nil || len(s.found) > 0 {
			return err
		}
	}
	fewer := slices.Clone(required)
	for _, i := range order[:len(order)-1] {
		fewer[i] = false
		if err := s.attempt(fewer); err != nil || len(s.found) > 0 {
			return err
		}
	}
	return nil
}

// namesTown returns 1 if a term is certainly a part of the name of a town, and
// otherwise 0.
func (s *search) namesTown(term int) int {
	if slices.ContainsFunc(s.towns, func(t townMatch) bool { return t.isCertain && t.covers(s.query.terms[term]) }) {
		return 1
	}
	return 0
}

// attempt adds the places that match all required terms, by their own words or by
// being near a town that the query names.
func (s *search) attempt(required []bool) error {
	if s.attempts++; s.attempts > maxAttempts || !slices.Contains(required, true) {
		return nil
	}
	expression := s.expression(required, nil)
	ids, err := s.match(and(expression, s.scope), maxMatches)
	if err != nil {
		return err
	}
	s.add(ids, required, nil)
	if len(ids) == maxMatches && s.Radius == 0 && s.Origin != nil { // those near the origin may be less important
		if ids, err = s.match(and(expression, tokens(cellTokens(geo.Around(*s.Origin, localRadius)))), maxMatches); err != nil {
			return err
		}
		s.add(ids, required, nil)
	}
	for i := range s.towns {
		town := &s.towns[i]
		expression := s.expression(required, town)
		if expression == "" {
			continue
		}
		if ids, err = s.match(and(expression, s.scope, town.scope), maxMatches/4); err != nil {
			return err
		}
		s.add(ids, required, town)
	}
	return s.attemptInCountry(required)
}

// attemptInCountry adds the places in the country that the query names. They need not
// contain its name.
func (s *search) attemptInCountry(required []bool) error {
	fewer := slices.Clone(required)
	for i, t := range s.query.terms {
		fewer[i] = fewer[i] && !s.country.covers(t)
	}
	if s.countryOnly || slices.Equal(fewer, required) {
		return nil
	}
	s.countryOnly = true
	defer func() { s.countryOnly = false }()
	return s.attempt(fewer)
}

// expression returns the query that all required terms match, except those that name
// the town.
func (s *search) expression(required []bool, town *townMatch) string {
	var parts []string
	for i, t := range s.query.terms {
		if required[i] && !(town != nil && town.covers(t)) {
			parts = append(parts, t.expression())
		}
	}
	return and(parts...)
}

// match returns the ids of the most important places that match a query of the index
// of words.
func (s *search) match(expression string, limit int) (ids []int64, err error) {
	err = s.tx.Select(&ids, s.s.q.search.Match, store.Args{"match": expression, "limit": limit})
	if err == nil && s.countryOnly {
		ids, err = s.inCountry(ids)
	}
	return ids, err
}

// add adds candidates that match the required terms, except those that name the town.
func (s *search) add(ids []int64, required []bool, town *townMatch) {
	for _, id := range ids {
		c := s.found[id]
		if c == nil {
			c = &candidate{matched: make([]bool, len(required))}
			s.found[id] = c
		}
		for i, t := range s.query.terms {
			c.matched[i] = c.matched[i] || required[i] && !(town != nil && town.covers(t))
		}
		if town != nil {
			c.towns = append(c.towns, *town)
		}
	}
}

// fetch reads the fields of the candidates that have none, and removes those outside
// of the area.
func (s *search) fetch() error {
	var missing []int64
	for id, c := range s.found {
		if c.ID == 0 {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	rows, err := s.rows(missing)
	if err != nil {
		return err
	}
	for _, row := range rows {
		s.found[row.ID].candidateRow = row
	}
	for id, c := range s.found {
		if c.ID == 0 || s.isOutside(c.point()) {
			delete(s.found, id)
			continue
		}
		if c.names == nil && c.address == nil {
			c.prepare()
		}
		c.towns = slices.DeleteFunc(c.towns, func(t townMatch) bool { return geo.Distance(t.point, c.point()) > t.reach })
	}
	return nil
}

func (s *search) rows(ids []int64) (rows []candidateRow, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = s.tx.Select(&rows, s.s.q.search.Candidates, store.Args{"ids": store.JSONArray(ids)})
	return rows, err
}

func (s *search) isOutside(p geo.Point) bool {
	return s.Radius > 0 && geo.Distance(*s.Origin, p) > s.Radius
}

// rank reads and rates all candidates and returns them, the best first.
func (s *search) rank() ([]*candidate, error) {
	if err := s.fetch(); err != nil {
		return nil, err
	}
	list := make([]*candidate, 0, len(s.found))
	for _, c := range s.found {
		c.rate(s.query, s.country, s.Origin, s.Radius)
		list = append(list, c)
	}
	sortCandidates(list)
	return list, nil
}

// bestCandidates returns the best candidates, without repetitions of one place.
func (s *search) bestCandidates() ([]*candidate, error) {
	list, err := s.rank()
	if err != nil {
		return nil, err
	}
	var kept []*candidate
	for _, c := range list {
		if len(kept) == s.Limit {
			break
		}
		switch i := slices.IndexFunc(kept, c.isSameAs); {
		case i < 0:
			kept = append(kept, c)
		case kept[i].Provider == GazetteerProvider: // an imported region has more details
			kept[i] = c
		}
	}
	return kept, nil
}

// load returns the places of candidates.
func (s *search) load(list []*candidate, err error) ([]Place, error) {
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	places, err := s.s.load(s.tx, ids, s.Language)
	if err != nil || len(places) != len(list) {
		return places, err
	}
	for i, c := range list {
		if c.interpolated != "" {
			places[i] = places[i].atNumber(c.interpolated, c.at, words.For(s.Language))
		}
	}
	setDistances(places, s.Origin)
	return places, nil
}
