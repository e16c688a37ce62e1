package find

import (
	"cmp"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
)

// Limits of the findings of a search.
const (
	maxFindings = 20
	maxWebsites = 5 // pages that are websites of places
	minPages    = 8 // number of findings that places leave to pages
)

// placeResults are the places of the providers, each in its order.
type placeResults struct {
	local  []maps.Place
	remote []provider.Place
}

// rankedPlace is a place with its position in the order of its provider.
type rankedPlace struct {
	maps.Place
	source string // the provider
	rank   int
}

// findings returns the findings of a search, the best first: places by their
// distance or by the order of their provider, and then pages.
func (x *search) findings(found placeResults, pages []provider.Page) []svc.Finding {
	places := x.rank(found)
	room := maxFindings - min(len(pageFindings(places, pages)), minPages)
	places = places[:min(len(places), room)]
	web := pageFindings(places, pages)
	list := make([]svc.Finding, 0, maxFindings)
	for _, p := range places {
		list = append(list, p.finding(x.origin))
	}
	return append(list, web[:min(len(web), maxFindings-len(list))]...)
}

// rank returns the places of all providers in order, each once.
func (x *search) rank(found placeResults) []rankedPlace {
	var all []rankedPlace
	for i, p := range found.local {
		all = append(all, rankedPlace{p, LocalName, i})
	}
	for i, p := range found.remote {
		all = append(all, rankedPlace{newPlace(p), provider.PlacesName, i})
	}
	byID := make(map[string]int) // index in list
	var list []rankedPlace
	for _, p := range all {
		if x.origin != nil {
			p.Distance = geo.Distance(*x.origin, p.Point)
		}
		if x.scope == Nearby && p.Distance > float64(x.request.radius()) || isDuplicate(p, all) || len(p.PlaceID) > svc.MaxTitle {
			continue
		}
		if i, ok := byID[p.PlaceID]; ok {
			list[i].rank = min(list[i].rank, p.rank)
			continue
		}
		byID[p.PlaceID] = len(list)
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b rankedPlace) int {
		if x.scope == Nearby {
			return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.PlaceID, b.PlaceID))
		}
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.PlaceID, b.PlaceID))
	})
	return list
}

// sameTownDistance is the distance within which two towns with one name are the same, in
// meters.
const sameTownDistance = 10_000

// isDuplicate reports whether a place of the gazetteer is also in the list from
// another source, which has more data about it.
func isDuplicate(p rankedPlace, all []rankedPlace) bool {
	return p.Provider == "geonames" && slices.ContainsFunc(all, func(other rankedPlace) bool {
		return other.Provider != p.Provider && strings.EqualFold(other.Name, p.Name) && geo.Distance(other.Point, p.Point) <= sameTownDistance
	})
}

// pageFindings returns the websites of the first places, and the pages that a server
// has found, each once.
func pageFindings(places []rankedPlace, pages []provider.Page) (list []svc.Finding) {
	listed := make(map[string]bool)
	add := func(f svc.Finding) {
		if !listed[f.FindingID] {
			listed[f.FindingID] = true
			list = append(list, f)
		}
	}
	for _, p := range places {
		if f, ok := websiteFinding(p); ok && len(list) < maxWebsites {
			add(f)
		}
	}
	for _, p := range pages {
		add(pageFinding(p.URL, p.Title, p.Summary, provider.PagesName))
	}
	return list
}
