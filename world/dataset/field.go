package dataset

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"appliance/svc"
	"appliance/svc/words"
	"appliance/world/action"
)

// Chooser is a control of the field with the request of each choice.
type Chooser struct {
	FieldChooser
	Choices []Choice
}

// Choice is one item of a chooser.
type Choice struct {
	FieldChoice
	Name  string // unique name of the action in the field
	Type  string // type of the action
	Query string // query of the request that toggles the choice, with its question mark
}

// Choosers returns the controls of the field in the language l. Each choice contains a
// complete request, so that clients need not build URLs.
func (q Request) Choosers(l words.Language) []Chooser {
	s := q.Params
	categories := Chooser{FieldChooser: FieldChooser{
		ID: "categories", Type: "toggle_group", Label: l.Text("Categories"), Summary: l.Textf("%d of %d", len(s.Categories), len(Categories)),
	}}
	for _, c := range Categories {
		selected := slices.Contains(s.Categories, c.ID)
		next := s
		next.Categories = slices.DeleteFunc(slices.Clone(allCategories), func(id string) bool {
			return slices.Contains(s.Categories, id) == (id == c.ID)
		})
		categories.Choices = append(categories.Choices, Choice{
			FieldChoice{ID: c.ID, Label: l.Text(c.Label), Selected: selected}, "toggle_" + c.ID, "set_field_filter", q.queryWith(next),
		})
	}
	radius := Chooser{FieldChooser: FieldChooser{ID: "radius", Type: "selector", Label: l.Text("Radius"), Summary: formatMetres(s.Radius)}}
	for _, r := range Radii {
		next := s
		next.Radius = r
		radius.Choices = append(radius.Choices, Choice{
			FieldChoice{strconv.Itoa(r), formatMetres(r), &r, r == s.Radius}, fmt.Sprint("radius_", r), "set_field_radius", q.queryWith(next),
		})
	}
	return []Chooser{categories, radius}
}

// formatMetres formats a radius.
func formatMetres(n int) string { return fmt.Sprintf("%d m", n) }

// Query returns the query of the request, with its question mark.
func (q Request) Query() string { return q.queryWith(q.Params) }

// queryWith returns the query of the request with other parameters.
func (q Request) queryWith(s Params) string {
	if q.caps == "" {
		return s.query()
	}
	return s.query() + "&caps=" + url.QueryEscape(q.caps)
}

// query returns a query that [ParseParams] parses as s.
func (s Params) query() string {
	var b strings.Builder
	b.WriteByte('?')
	if o := s.Origin; o != nil {
		fmt.Fprintf(&b, "lat=%s&lon=%s&", formatDegrees(o.Latitude), formatDegrees(o.Longitude))
	}
	fmt.Fprintf(&b, "radius=%d", s.Radius)
	if len(s.Categories) < len(allCategories) {
		b.WriteString("&categories=" + strings.Join(s.Categories, ","))
	}
	if s.Sections != nil {
		b.WriteString("&sections=" + strings.Join(s.Sections, ","))
	}
	return b.String()
}

// formatDegrees formats an angle without loss of precision.
func formatDegrees(d float64) string { return strconv.FormatFloat(d, 'f', -1, 64) }

// fieldResult is the result of reading the places of the field.
type fieldResult struct {
	result
	places   svc.List[FieldObject]
	noPlaces Reason // why there are no places
	loading  bool   // the data of the world is not complete yet
}

// measure sets r.size to the estimated memory of the result, in bytes.
func (r *fieldResult) measure() {
	r.result.measure()
	r.size += 700 * len(r.places)
}

// addMaps reads the places of the field. The result of the latest request is cached: it
// is valid for requests with the same position and filters.
func (c *composition) addMaps() {
	c.noPlaces = Reason{FallbackUnavailable, "not_read", c.key.language.Text("The places cannot be read at the moment. Try again later.")}
	if !c.read(mapsService, c.composer.hosted(mapsService), c.readPlaces) {
		return
	}
	r := c.next.field
	c.noPlaces = r.noPlaces
	c.addResult(&r.result, mapsService)
	c.fallbacks = append(c.fallbacks, r.fallbacks...)
	status := svc.StateReady
	if r.loading {
		status = svc.StateDegraded
	}
	c.addSource(mapsService, status, 0)
}

// readPlaces sets the result of the field.
func (c *composition) readPlaces(bypassCache bool) error {
	params, revision := c.request.Params, c.revisions.Of(svc.MapsTopic)
	wanted := params.wants("field")
	c.next.fieldKey = fmt.Sprint(wanted, params.Origin == nil, params.query(), c.actionBuilder.Workspace)
	if previous := c.previous.field; previous != nil && !bypassCache && c.previous.fieldKey == c.next.fieldKey &&
		previous.revision == revision && !previous.expired(c.tx.Now()) {
		c.next.field = previous
		return nil
	}
	if !wanted {
		params.Origin = nil
	}
	l := c.key.language
	places, err := ReadPlaces(c.tx, l, c.services.Maps, params, c.member.Locale)
	if err != nil {
		return err
	}
	r := &fieldResult{result: result{revision: revision, expires: places.Expires}, noPlaces: places.Empty, loading: places.Loading}
	if places.Truncated() {
		r.fallbacks = append(r.fallbacks, TruncatedFallback("field.objects", l.Textf("There are %d places, of which the nearest %d are shown. Choose a smaller radius or fewer categories.", places.Total, len(places.List))))
	}
	if places.Loading {
		r.fallbacks = append(r.fallbacks, newFallback(FallbackDegraded, Scope{Kind: ServiceScope, Service: mapsService}, "loading", l.Text("The places of the world are being loaded."), true))
	}
	for _, p := range places.List {
		if err := r.addPlace(c.actionBuilder, p); err != nil {
			return err
		}
	}
	r.measure()
	c.next.field = r
	return nil
}

func (r *fieldResult) addPlace(b action.Builder, p FieldPlace) error {
	var actions []action.Action
	place := action.Place(p.PlaceID)
	if b.Workspace {
		actions = action.Places.Actions(b, action.Target{Kind: action.FieldTarget}, place)
	}
	r.places = append(r.places, FieldObject{
		WorldObjectID: b.ObjectID(place.Source()), ObjectType: "place", Title: p.Name, Summary: p.Summary(b.Language), Category: p.Category,
		Location: p.Location, Opening: p.Opening, ActionIDs: action.IDs(actions), Attribution: p.Attribution,
	})
	return r.addActions(actions...)
}

// places returns the places of the field, none if Maps could not be read.
func (c *composition) places() svc.List[FieldObject] {
	if c.next.field == nil {
		return nil
	}
	return c.next.field.places
}

// OriginAction returns the request for the field around another position, at a URL.
func (q Request) OriginAction(url string) action.FieldOrigin {
	fixed := svc.Map{}
	if len(q.Params.Categories) < len(allCategories) {
		fixed["categories"] = strings.Join(q.Params.Categories, ",")
	}
	if q.Params.Sections != nil {
		fixed["sections"] = strings.Join(q.Params.Sections, ",")
	}
	if q.caps != "" {
		fixed["caps"] = q.caps
	}
	return action.FieldOrigin{URL: url, Radius: q.Params.Radius, Fixed: fixed}
}

// AreaAction returns the request for the places of an area, at a URL. If the request
// has a position, the places have a distance from it.
func (q Request) AreaAction(url string) action.FieldArea {
	fixed := svc.Map{}
	if len(q.Params.Categories) < len(allCategories) {
		fixed["categories"] = strings.Join(q.Params.Categories, ",")
	}
	if o := q.Params.Origin; o != nil {
		fixed["lat"], fixed["lon"] = o.Latitude, o.Longitude
	}
	return action.FieldArea{URL: url, Fixed: fixed}
}

// addField adds the field with its controls, their actions and their context.
func (c *composition) addField() error {
	q := c.request
	c.field = Field{Origin: q.Params.Origin, RadiusMeters: q.Params.Radius}
	fieldContext := Context{ContextID: "ctx_field", Kind: "field", Label: c.key.language.Text("Around"), Target: action.Target{Kind: action.FieldTarget}}
	if !q.Params.wants("field") {
		return c.addContext(fieldContext)
	}
	c.field.Objects = c.places()
	url := cmp.Or(q.URL, action.RuntimeURL)
	actions := action.FieldOrigins.Actions(c.actionBuilder, action.Target{Kind: action.FieldTarget}, q.OriginAction(url))
	for _, chooser := range q.Choosers(c.key.language) {
		control := FieldControl{FieldChooser: chooser.FieldChooser}
		for _, choice := range chooser.Choices {
			a := c.actionBuilder.FieldChoice(choice.Name, choice.Type, choice.Label, url+choice.Query)
			control.Items = append(control.Items, FieldItem{choice.FieldChoice, a.ActionID})
			actions = append(actions, a)
		}
		c.field.Controls = append(c.field.Controls, control)
	}
	encoded, err := encodeActions(actions)
	if err != nil {
		return err
	}
	c.actions, fieldContext.ActionIDs = append(c.actions, encoded), action.IDs(actions)
	return c.addContext(fieldContext)
}
