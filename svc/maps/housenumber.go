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
)

// numberToken is a token of the places with a house number.
const numberToken = ":number"

// Limits of the interpolation of house numbers.
const (
	maxStreets      = 3       // that a search examines
	streetReach     = 3000    // meters from the position of a street to its addresses
	maxNumberGap    = 60      // between the numbers of two neighbors
	maxNeighborGap  = 1500.0  // meters between two neighbors
	maxHouseNumbers = 2000    // of one street
	maxHouseNumber  = 100_000 // a greater one is an error
)

// numberTerm returns the index of the last term that can be a house number, or -1.
func (s *search) numberTerm() int {
	for i := len(s.query.terms) - 1; i >= 0; i-- {
		if s.query.terms[i].number {
			return i
		}
	}
	return -1
}

// street is a street, by its names.
type street struct {
	names [][]string // the words of each
	point geo.Point
}

func (st street) hasName(name string) bool {
	list := fold.Words(name)
	return slices.ContainsFunc(st.names, func(n []string) bool { return slices.Equal(n, list) })
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
				s.addRow(st, row, "", geo.Point{})
			}
		}
		if base, at, ok := interpolate(rows, wanted); ok && !exact {
			s.addRow(st, base, strings.ToUpper(wanted), at)
		}
	}
	return nil
}

// addRow adds an address in a street as a candidate. The names of the street are those
// of the address.
func (s *search) addRow(st street, row candidateRow, interpolated string, at geo.Point) {
	id := row.ID
	if interpolated != "" {
		id = -row.ID // beside the address itself
	} else if s.found[id] != nil {
		return
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
}

// bestStreets returns the streets of the best candidates.
func bestStreets(ranked []*candidate) (list []street) {
	for _, c := range ranked {
		st := street{point: c.point()}
		switch {
		case c.Kind == kind.Street:
			st.names = c.names
		case c.Street != "":
			st.names = [][]string{fold.Words(c.Street)}
		default:
			continue
		}
		known := slices.ContainsFunc(list, func(other street) bool {
			return geo.Distance(other.point, st.point) < streetReach/2 && slices.ContainsFunc(other.names, func(name []string) bool {
				return slices.ContainsFunc(st.names, func(n []string) bool { return slices.Equal(n, name) })
			})
		})
		if known || len(st.names) == 0 || len(st.names[0]) == 0 {
			continue
		}
		if list = append(list, st); len(list) == maxStreets {
			break
		}
	}
	return list
}

// addresses returns the places with a house number in a street.
func (s *Service) addresses(tx *store.Tx, st street) (rows []candidateRow, err error) {
	var names []string
	for _, name := range st.names {
		names = append(names, all(name))
	}
	var ids []int64
	expression := and(anyOf(names), quote(numberToken), tokens(cellTokens(geo.Around(st.point, streetReach))))
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
// the same side of the street or, for want of them, on any side. It returns the
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
	for _, step := range []int{2, 1} {
		if base, at, ok = between(houses, n, step); ok {
			return base, at, true
		}
	}
	return base, at, false
}

// between interpolates the position of number n between its nearest neighbors whose
// difference to n is a multiple of step.
func between(houses []house, n, step int) (base candidateRow, at geo.Point, ok bool) {
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
	if lower.number == n { // for example 12a beside 12
		return lower.row, lower.row.point(), true
	}
	if upper == nil || upper.number-lower.number > maxNumberGap || geo.Distance(lower.row.point(), upper.row.point()) > maxNeighborGap {
		return base, at, false
	}
	share := float64(n-lower.number) / float64(upper.number-lower.number)
	from, to := lower.row.point(), upper.row.point()
	at = geo.Point{
		Latitude:  from.Latitude + share*(to.Latitude-from.Latitude),
		Longitude: from.Longitude + share*(to.Longitude-from.Longitude),
	}
	return lower.row, at, at.Valid() && max(from.Longitude, to.Longitude)-min(from.Longitude, to.Longitude) < 1
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
// known address. ok is false if it no longer can be.
func (s *Service) interpolatedPlace(tx *store.Tx, base Place, number string) (p Place, ok bool, err error) {
	wanted := strings.ToLower(number)
	if base.Address.Street == "" || !isHouseNumber(wanted) {
		return Place{}, false, nil
	}
	rows, err := s.addresses(tx, street{[][]string{fold.Words(base.Address.Street)}, base.Point})
	if err != nil {
		return Place{}, false, err
	}
	_, at, ok := interpolate(rows, wanted)
	return base.atNumber(strings.ToUpper(wanted), at), ok, nil
}

// atNumber returns the place of a house number whose position was interpolated from
// that of p.
func (p Place) atNumber(number string, at geo.Point) Place {
	p.ProviderID += interpolationMark + number
	p.PlaceID += interpolationMark + number
	p.Address.HouseNumber = number
	p.Name, p.Named = streetLine(p.Address), true
	p.Kind, p.KindLabel, p.Category = kind.Address, kind.Label(kind.Address), ""
	p.Formatted = formatAddress(p.Address, p.Kind)
	p.Point, p.Interpolated = at, true
	p.Tags = map[string]string{}
	return p
}
