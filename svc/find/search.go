package find

import (
	"context"
	"errors"
	"sync"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/find/provider"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/words"
)

// Reader runs a function in a read transaction.
type Reader func(func(*store.Tx) error) error

// Found is a finished search, which [Service.Record] stores.
type Found struct {
	Outcome Outcome
	request Request
}

// search is a search in progress.
type search struct {
	*Service
	ctx       context.Context
	read      Reader
	request   Request
	available Available
	language  string         // of names, such as "de-CH"
	l         words.Language // of messages

	text   string // text to search for
	scope  Scope  // scope that is applied
	origin *geo.Point
	place  *string      // name of the place of a search near a place
	center []maps.Place // that place, if Maps has it

	answered int             // number of providers that have answered
	failures []ProviderError // of the other providers
}

// Search sends a search of a member to the providers. It waits for other servers
// outside of transactions.
func (s *Service) Search(ctx context.Context, v svc.Viewer, in Request, read Reader) (*Found, error) {
	if _, err := v.Require(); err != nil {
		return nil, err
	}
	origin, err := in.check()
	if err != nil {
		return nil, err
	}
	x := &search{l: v.Language(), Service: s, ctx: ctx, read: read, request: in, text: in.Query, scope: in.Scope, origin: origin}
	err = read(func(tx *store.Tx) error {
		var err error
		if x.available, err = s.Available(tx); err == nil {
			x.language, err = s.config.Language(tx, v)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	o, err := x.run()
	if err == nil {
		err = ctx.Err() // a provider may have failed because the client has disconnected
	}
	if err != nil {
		return nil, err
	}
	o.QueryID = svc.NewID("fq")
	o.Applied = Applied{Scope: x.scope, RadiusMeters: in.radius(), Place: x.place}
	if x.scope == Nearby {
		o.Applied.Origin = newPosition(x.origin)
	}
	o.ProviderErrors = x.failures
	return &Found{o, in}, nil
}

// run resolves the place of the search, if it names one, and asks the providers.
func (x *search) run() (Outcome, error) {
	if term, place, ok := splitNear(x.text); ok {
		if isHere(place) {
			x.text, x.scope = term, Nearby
		} else if err := x.near(term, place); err != nil {
			return Outcome{}, err
		}
	}
	if x.scope == Nearby && x.origin == nil {
		if len(x.failures) > 0 && x.answered == 0 {
			return x.failedOutcome(), nil // the place of the search may exist
		}
		x.failures = nil
		return x.locationRequiredOutcome(), nil
	}
	x.answered, x.failures = 0, nil
	places, pages, err := x.ask()
	switch {
	case err != nil:
		return Outcome{}, err
	case x.answered == 0:
		return x.failedOutcome(), nil
	}
	o := Outcome{Status: StatusOK, Findings: x.findings(places, pages)}
	o.Message = x.message(len(o.Findings))
	if len(o.Findings) == 0 && x.knowsOnlyTowns() {
		o.Findings = x.findings(placeResults{local: x.center}, nil)
		o.Message = x.onlyTownsMessage()
		x.failures = append(x.failures, ProviderError{LocalName, provider.NotConfigured, o.Message, x.available.Loading})
	}
	return o, nil
}

// knowsOnlyTowns reports whether the search could find no places but towns.
func (x *search) knowsOnlyTowns() bool {
	return x.available.Local && !x.available.Geocoder && !x.available.covers(x.origin)
}

// onlyTownsMessage returns the message of a search that found nothing because only towns
// are known.
func (x *search) onlyTownsMessage() string {
	switch {
	case x.available.Loading:
		return x.l.Text("Only large towns are known. The other towns of the world are being loaded. Try again in a minute.")
	case x.place != nil:
		return x.l.Textf("This server knows only towns near %s. The operator can import the region: see appliance help regions.", *x.place)
	case x.scope == Nearby:
		return x.l.Text("This server knows only towns around this position. The operator can import the region: see appliance help regions.")
	}
	return x.l.Text("This server knows only the towns of the world. The operator can import regions: see appliance help regions.")
}

// near applies the search to the surroundings of a named place. If the place is
// unknown, the whole text is searched.
func (x *search) near(term, place string) error {
	if x.available.Geocoder {
		found, err := x.config.Geocoder.Search(x.ctx, provider.PlaceQuery{Text: place, Language: x.language, Limit: 5})
		if x.count(provider.PlacesName, err) && len(found) > 0 {
			x.around(term, found[0].Name, found[0].Point)
			return nil
		}
	}
	if !x.available.Local {
		return nil
	}
	found, err := x.searchMaps(maps.SearchQuery{Text: place, Limit: 1, Language: x.language})
	if err != nil {
		return err
	}
	if x.answered++; len(found) > 0 {
		x.around(term, found[0].Name, found[0].Point)
		x.center = found
	}
	return nil
}

func (x *search) around(term, place string, p geo.Point) {
	x.text, x.scope, x.origin, x.place = term, Nearby, &p, &place
}

// ask asks the providers of the scope: those of places, and beyond nearby that of
// pages.
func (x *search) ask() (places placeResults, pages []provider.Page, err error) {
	var wait sync.WaitGroup
	var errPages error
	askWeb := x.scope == Everywhere && x.available.Web
	if askWeb {
		wait.Go(func() {
			pages, errPages = x.config.Web.Search(x.ctx, provider.PageQuery{Text: x.text, Language: x.language})
		})
	}
	if x.available.Geocoder {
		var errPlaces error
		places.remote, errPlaces = x.config.Geocoder.Search(x.ctx, x.placeQuery())
		x.count(provider.PlacesName, errPlaces)
	}
	if x.available.Local {
		q := maps.SearchQuery{Text: x.text, Origin: x.origin, Limit: maxCandidates, Language: x.language}
		if x.scope == Nearby {
			q.Radius = float64(x.request.radius())
		}
		if places.local, err = x.searchMaps(q); err == nil {
			x.answered++
		}
	}
	wait.Wait()
	if askWeb {
		x.count(provider.PagesName, errPages)
	}
	return places, pages, err
}

// maxCandidates limits the places that one provider returns.
const maxCandidates = 40

// viewboxMeters is the distance from the origin to the sides of the box in which a
// server searches. The radius is applied to its results.
const viewboxMeters = 5000

func (x *search) placeQuery() provider.PlaceQuery {
	q := provider.PlaceQuery{Text: x.text, Language: x.language, Limit: maxFindings}
	if x.scope == Nearby {
		q.Limit = maxCandidates // a fifth of the box is outside of the circle
		q.Box = new(geo.Around(*x.origin, viewboxMeters))
	}
	return q
}

// searchMaps searches the places of Maps.
func (x *search) searchMaps(q maps.SearchQuery) (places []maps.Place, err error) {
	err = x.read(func(tx *store.Tx) error {
		places, err = x.config.Places.Search(tx, q)
		return err
	})
	return places, err
}

// count records whether a provider has answered.
func (x *search) count(name string, err error) bool {
	if err == nil {
		x.answered++
		return true
	}
	f := ProviderError{name, provider.BadResponse, x.l.Text("The search failed."), true}
	if e, ok := errors.AsType[*provider.Error](err); ok {
		f = ProviderError{name, e.Code, e.In(x.l), e.Retryable}
	}
	x.failures = append(x.failures, f)
	return false
}

// locationRequiredOutcome returns the outcome of a search nearby without an
// origin.
func (x *search) locationRequiredOutcome() Outcome {
	message := x.l.Text("Share or choose a position to search nearby, or search everywhere.")
	return Outcome{Status: StatusLocationRequired, Message: message, Error: failure(svc.LocationRequired, message)}
}

// failedOutcome returns the outcome of a search that no provider has answered.
func (x *search) failedOutcome() Outcome {
	message := x.l.Text("The search failed. Try again later.")
	switch {
	case len(x.failures) == 1:
		message = x.failures[0].Message
	case len(x.failures) == 0:
		message = x.notConfiguredMessage()
		x.failures = []ProviderError{{LocalName, provider.NotConfigured, message, x.available.Loading}}
	}
	return Outcome{Status: StatusProviderError, Message: message, Error: failure(svc.ProviderFailed, message)}
}

// notConfiguredMessage returns the reason for which there is no provider to
// ask.
func (x *search) notConfiguredMessage() string {
	switch {
	case x.available.Loading:
		return x.l.Text("The towns of the world are being loaded. Try again in a minute.")
	case x.available.Web:
		return x.l.Text("This server knows no places. Search everywhere to find web pages.")
	}
	return x.l.Text("There is nothing to search yet. The operator imports a region or configures a search server.")
}

// failure returns the error that a response with status 200 contains.
func failure(code svc.Code, message string) *svc.ErrorDetail {
	return &svc.ErrorDetail{Code: svc.CodeName(code.Name), Message: message, Retryable: true}
}

// message returns the message about n findings.
func (x *search) message(n int) string {
	switch {
	case x.place != nil && n == 0:
		return x.l.Textf("Nothing found near %s.", *x.place)
	case x.place != nil:
		return x.l.Textf("%s near %s.", x.results(n), *x.place)
	case x.scope == Nearby && n == 0:
		return x.l.Textf("Nothing found within %s.", x.radius())
	case x.scope == Nearby:
		return x.l.Textf("%s within %s.", x.results(n), x.radius())
	case n == 0:
		return x.l.Text("Nothing found.")
	}
	return x.results(n) + "."
}

// results returns the number of results.
func (x *search) results(n int) string {
	return x.l.Textf("{0, plural, one {# result} other {# results}}", n)
}

// radius returns the radius of the search.
func (x *search) radius() string {
	return maps.FormatDistance(x.l, float64(x.request.radius()))
}
