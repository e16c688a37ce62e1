package maps

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc/maps/fold"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/words"
)

// numberToken is a token of the places with a house number.
const numberToken = ":number"

// Limits of the interpolation of house numbers.
const (
	maxStreets       = 3       // that a search examines
	streetReach      = 3000    // meters from the position of a street to its addresses
	maxNumberGap     = 60      // between the numbers of two neighbors
	maxNeighborGap   = 1500.0  // meters between two neighbors
	maxExtrapolation = 500.0   // meters from the first or the last known address to an extrapolated one
	maxHouseNumbers  = 2000    // of one street
	maxHouseNumber   = 100_000 // a greater one is an error
)

// numberTerm returns the index of the last term that can be a house number, or -1.
func (s *search) numberTerm() int {
	for i := len(s.query.terms) - 1; i >= 0; i-- {
		if s.query.terms[i].isNumber {
			return i
		}
	}
	return -1
}

// street is a street, by its names.
type street struct {
	names [][]string // the words of each
	point geo.Point
	score float64 // of the best candidate that is this street, 0 if none is
}

func (st street) hasName(name string) bool {
	list := fold.Words(name)
	return slices.ContainsFunc(st.names, func(n []string) bool { return slices.Equal(n, list) })
}

// isSameAs reports whether two streets share a name and are close to each other.
func (st street) isSameAs(other street) bool {
	return geo.Distance(other.point, st.point) < streetReach/2 && slices.ContainsFunc(other.names, func(name []string) bool {
		return slices.ContainsFunc(st.names, func(n []string) bool { return slices.Equal(n, name) })
	})
}

// addNames adds the names that the street lacks.
func (st *street) addNames(names [][]string) {
	for _, name := range names {
		if len(name) > 0 && !slices.ContainsFunc(st.names, func(n []string) bool { return slices.Equal(n, name) }) {
			st.names = append(st.names, name)
		}
	}
}

// addHouseNumbers adds the addresses with the number in the best streets. If a street
// has no such address, the position is interpolated.
func (s *search) addHouseNumbers(number int) error {
	ranked, err := s.rank()
	if err != nil {
		return err
	}
	wanted := s.query.terms[number].words[0]
	for _, st := range bestStreets(ranked) {
		rows, err := s.s.addresses(s.tx, st)
		if err != nil {
			return err
		}
		exact := false
		for _, row := range rows {
			if slices.Contains(fold.Words(row.HouseNumber), wanted) {
				exact = true
				s.addRow(st, row, "", geo.Point{}).minScore = st.minScore(wanted, aboveStreet)
			}
		}
		if base, at, ok := interpolate(rows, wanted); ok && !exact {
			s.addRow(st, base, strings.ToUpper(wanted), at).minScore = st.minScore(wanted, aboveStreet/2)
		}
	}
	return nil
}

// aboveStreet is the minimum difference between the scores of an address and its street.
const aboveStreet = 0.02

// minScore returns the minimum score of an address in the street: above that of the
// street, or 0 if the number is a part of the name of the street.
func (st street) minScore(number string, above float64) float64 {
	if st.score == 0 || slices.ContainsFunc(st.names, func(name []string) bool { return slices.Contains(name, number) }) {
		return 0
	}
	return st.score + above
}

// addRow adds an address in a street as a candidate, if it is none yet, and returns it.
// The names of the street are those of the address.
func (s *search) addRow(st street, row candidateRow, interpolated string, at geo.Point) *candidate {
	id := row.ID
	if interpolated != "" {
		id = -row.ID // in addition to the address itself
	} else if c := s.found[id]; c != nil {
		return c
	}
	c := &candidate{candidateRow: row, interpolated: interpolated, at: at, matched: make([]bool, len(s.query.terms))}
	c.prepare()
	if row.Kind == kind.Address || interpolated != "" {
		number := fold.Words(cmp.Or(interpolated, row.HouseNumber))
		for _, name := range st.names {
			c.names = append(c.names, slices.Concat(name, number))
		}
	}
	if old := s.found[row.ID]; old != nil {
		c.towns = slices.Clone(old.towns)
	}
	for _, town := range s.towns {
		if geo.Distance(town.point, c.point()) <= town.reach {
			c.towns = append(c.towns, town)
		}
	}
	s.found[id] = c
	return c
}

// bestStreets returns the streets of the best candidates, with all their names.
func bestStreets(ranked []*candidate) (list []street) {
	for _, c := range ranked {
		st := street{point: c.point()}
		if c.Kind == kind.Street {
			st.score = c.score
			st.addNames(c.names)
		} else {
			st.addNames([][]string{fold.Words(c.Street)})
		}
		i := slices.IndexFunc(list, st.isSameAs)
		switch {
		case i >= 0:
			list[i].addNames(st.names)
			list[i].score = max(list[i].score, st.score)
		case len(st.names) > 0 && len(list) < maxStreets:
			list = append(list, st)
		}
	}
	return list
}

// addresses returns the places with a house number in a street.
func (s *Service) addresses(tx *store.Tx, st street) (rows []candidateRow, err error) {
	var names []string
	for _, name := range st.names {
		names = append(names, matchAll(name))
	}
	var ids []int64
	expression := and(matchAny(names), quote(numberToken), tokens(cellTokens(geo.Around(st.point, streetReach))))
	if err := tx.Select(&ids, s.q.search.Match, store.Args{"match": expression, "limit": maxHouseNumbers}); err != nil {
		return nil, err
	}
	if err := tx.Select(&rows, s.q.search.Candidates, store.Args{"ids": store.JSONArray(ids)}); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(rows, func(r candidateRow) bool {
		return !st.hasName(r.Street) || geo.Distance(st.point, r.point()) > streetReach
	}), nil
}

// house is a known house number.
type house struct {
	number int
	row    candidateRow
}

// interpolate computes the position of a house number between its neighbors: those on
// the same side of the street or, if there are none, on any side. Beyond the first or
// the last known number, it continues the line of the two nearest. It returns the
// address from which the position was computed.
func interpolate(rows []candidateRow, wanted string) (base candidateRow, at geo.Point, ok bool) {
	n := leadingNumber(wanted)
	if n == 0 {
		return base, at, false
	}
	var houses []house
	for _, row := range rows {
		for word := range strings.FieldsFuncSeq(row.HouseNumber, func(r rune) bool { return strings.ContainsRune(";,-–/ ", r) }) {
			if number := leadingNumber(word); number > 0 {
				houses = append(houses, house{number, row})
			}
		}
	}
	slices.SortFunc(houses, func(a, b house) int { return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.row.ID, b.row.ID)) })
	for _, compute := range []func([]house, int, int) (candidateRow, geo.Point, bool){interpolateBetween, extrapolate} {
		for _, step := range []int{2, 1} {
			if base, at, ok = compute(houses, n, step); ok {
				return base, at, true
			}
		}
	}
	return base, at, false
}

// interpolateBetween interpolates the position of number n between its nearest neighbors whose
// difference to n is a multiple of step.
func interpolateBetween(houses []house, n, step int) (base candidateRow, at geo.Point, ok bool) {
	var lower, upper *house
	for i := range houses {
		h := &houses[i]
		switch {
		case (h.number-n)%step != 0:
		case h.number <= n && (lower == nil || h.number > lower.number):
			lower = h
		case h.number > n && upper == nil:
			upper = h
		}
	}
	if lower == nil {
		return base, at, false
	}
	if lower.number == n { // for example 12a next to 12
		return lower.row, lower.row.point(), true
	}
	if upper == nil || upper.number-lower.number > maxNumberGap || geo.Distance(lower.row.point(), upper.row.point()) > maxNeighborGap {
		return base, at, false
	}
	at, ok = positionOnLine(lower, upper, n)
	return lower.row, at, ok
}

// extrapolate extrapolates the position of number n from the first or the last two
// numbers whose difference to n is a multiple of step.
func extrapolate(houses []house, n, step int) (base candidateRow, at geo.Point, ok bool) {
	var known []*house // one of each number
	for i := range houses {
		if h := &houses[i]; (h.number-n)%step == 0 && (len(known) == 0 || known[len(known)-1].number != h.number) {
			known = append(known, h)
		}
	}
	if len(known) < 2 {
		return base, at, false
	}
	near, far := known[0], known[1]
	if last := len(known) - 1; n > known[last].number {
		near, far = known[last], known[last-1]
	} else if n > near.number {
		return base, at, false
	}
	gap := far.number - near.number // negative after the last number
	if missing := near.number - n; max(gap, -gap) > maxNumberGap || max(missing, -missing) > max(gap, -gap) ||
		geo.Distance(near.row.point(), far.row.point()) > maxNeighborGap {
		return base, at, false
	}
	at, ok = positionOnLine(near, far, n)
	return near.row, at, ok && geo.Distance(at, near.row.point()) <= maxExtrapolation
}

// positionOnLine returns the position of number n on the line through two houses. ok is false if
// it is not a valid position, or if the line crosses the antimeridian.
func positionOnLine(a, b *house, n int) (at geo.Point, ok bool) {
	share := float64(n-a.number) / float64(b.number-a.number)
	from, to := a.row.point(), b.row.point()
	at = geo.Point{
		Latitude:  from.Latitude + share*(to.Latitude-from.Latitude),
		Longitude: from.Longitude + share*(to.Longitude-from.Longitude),
	}
	return at, at.Valid() && max(from.Longitude, to.Longitude)-min(from.Longitude, to.Longitude) < 1
}

// leadingNumber returns the number at the beginning of a house number, or 0.
func leadingNumber(text string) int {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil || n > maxHouseNumber {
		return 0
	}
	return n
}

// interpolatedPlace returns the place of a house number that was interpolated from a
// known address. ok is false if it can no longer be interpolated.
func (s *Service) interpolatedPlace(tx *store.Tx, base Place, number string, l words.Language) (p Place, ok bool, err error) {
	wanted := strings.ToLower(number)
	if base.Address.Street == "" || !isHouseNumber(wanted) {
		return Place{}, false, nil
	}
	st := street{point: base.Point}
	st.addNames([][]string{fold.Words(base.Address.Street)})
	if err := s.addStreetNames(tx, &st); err != nil {
		return Place{}, false, err
	}
	rows, err := s.addresses(tx, st)
	if err != nil {
		return Place{}, false, err
	}
	_, at, ok := interpolate(rows, wanted)
	return base.atNumber(strings.ToUpper(wanted), at, l), ok, nil
}

// addStreetNames adds the other names of a street of which one name is known, such as
// those in other languages.
func (s *Service) addStreetNames(tx *store.Tx, st *street) error {
	if len(st.names) == 0 {
		return nil
	}
	var ids []int64
	expression := and(quote(kind.Street), quote(wholeToken(st.names[0])), tokens(cellTokens(geo.Around(st.point, streetReach))))
	if err := tx.Select(&ids, s.q.search.Match, store.Args{"match": expression, "limit": maxWhole}); err != nil {
		return err
	}
	var rows []candidateRow
	if err := tx.Select(&rows, s.q.search.Candidates, store.Args{"ids": store.JSONArray(ids)}); err != nil {
		return err
	}
	for _, row := range rows {
		c := candidate{candidateRow: row}
		c.prepare()
		if other := (street{names: c.names, point: c.point()}); row.Kind == kind.Street && other.isSameAs(*st) {
			st.addNames(c.names)
		}
	}
	return nil
}

// atNumber returns the place of a house number whose position was interpolated from
// that of p. l is the language of the label of its kind.
func (p Place) atNumber(number string, at geo.Point, l words.Language) Place {
	p.ProviderID += interpolationMark + number
	p.PlaceID += interpolationMark + number
	p.Address.HouseNumber = number
	p.Name, p.Named = streetLine(p.Address), true
	p.Kind, p.KindLabel, p.Category = kind.Address, kindLabel(l, kind.Address, true), ""
	p.Formatted = formatAddress(p.Address, p.Kind)
	p.Point, p.Interpolated = at, true
	p.Tags = map[string]string{}
	return p
}
