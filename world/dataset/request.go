package dataset

import (
	"fmt"
	"math"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"appliance/svc"
)

// maxRuntimeHeader bounds X-Service-Runtime, in bytes.
const maxRuntimeHeader = 1024

// known are the capabilities that mean something here (B-03).
var known = []string{
	"objects", "contexts", "actions.simple", "actions.form",
	"workspace.focus", "workspace.order", "workspace.placement",
	"field.list", "field.spatial", "find.nearby", "find.everywhere",
	"messages", "time", "social", "provider_actions",
	"resource.image", "resource.document", "resource.audio", "resource.video", "resource.model",
	"location", "translated",
}

// Request is a request for a dataset.
type Request struct {
	Runtime     Runtime
	Params      Params
	Contract    Contract // of the response; DatasetContract if zero
	URL         string   // the address that field actions repeat with other parameters; "" for action.RuntimeURL
	IfNoneMatch string   // the header

	caps string // the parameter caps, "" if absent
	raw  string // header and query, for the ETag
}

// The contracts of datasets: that of GET /world/runtime, and the name that the
// reference harness validates at POST /world/session.
var (
	DatasetContract = Contract{"service.runtime.dataset", 1}
	HarnessContract = Contract{"service.world.dataset", 1}
)

// ParseRequest reads a request from the header X-Service-Runtime and the query.
func ParseRequest(header string, query url.Values) (r Request, err error) {
	if r.Runtime, err = ParseRuntime(header); err != nil {
		return r, err
	}
	if query.Has("caps") {
		r.caps = query.Get("caps")
		if len(r.caps) > maxRuntimeHeader || !utf8.ValidString(r.caps) {
			return r, svc.ParameterError("caps", "caps may have up to %d bytes of text.", maxRuntimeHeader)
		}
		r.Runtime.redeclare(words(r.caps))
	}
	r.Params, err = ParseParams(query)
	r.raw = fmt.Sprintf("%q %q", header, query.Encode())
	return r, err
}

// Runtime is what a runtime says of itself.
type Runtime struct {
	ID           RuntimeID
	Capabilities []string // declared, in order, each once
	Generic      bool     // it declared none: it gets everything
}

// GenericRuntime is a runtime that declares nothing: it gets every section.
var GenericRuntime = Runtime{Generic: true}

// ParseRuntime reads the header X-Service-Runtime:
//
//	web/1.2; caps="objects contexts"; datasets="service.runtime.dataset/1"
//
// Any value that is not empty is good; what does not fit the grammar is the
// runtime's name as a whole.
func ParseRuntime(header string) (Runtime, error) {
	header = strings.TrimSpace(header)
	if header == "" {
		return Runtime{}, svc.Errorf(svc.RuntimeHeaderRequired, "Say which runtime you are in the header X-Service-Runtime, such as web/1.0.")
	}
	if len(header) > maxRuntimeHeader || !utf8.ValidString(header) {
		return Runtime{}, svc.Errorf(svc.RuntimeHeaderRequired, "The header X-Service-Runtime may have up to %d bytes of text.", maxRuntimeHeader)
	}
	token, params, _ := strings.Cut(header, ";")
	id, version, _ := strings.Cut(strings.TrimSpace(token), "/")
	rt := Runtime{ID: RuntimeID{ID: id, Version: version}}
	if params != "" {
		// The parameters have the syntax of a media type's.
		_, values, err := mime.ParseMediaType("x/y;" + params)
		if err != nil {
			return Runtime{ID: RuntimeID{ID: header}, Generic: true}, nil
		}
		rt.declare(strings.Fields(values["caps"]))
	}
	rt.Generic = len(rt.Capabilities) == 0
	return rt, nil
}

func (rt *Runtime) declare(caps []string) {
	for _, c := range caps {
		if !slices.Contains(rt.Capabilities, c) {
			rt.Capabilities = append(rt.Capabilities, c)
		}
	}
}

// redeclare has the runtime declare something else.
func (rt *Runtime) redeclare(caps []string) {
	rt.Capabilities = nil
	rt.declare(caps)
	rt.Generic = len(rt.Capabilities) == 0
}

// Can reports whether the runtime can do what the capability names.
func (rt Runtime) Can(capability string) bool {
	return rt.Generic || slices.Contains(rt.Capabilities, capability)
}

func (rt Runtime) capabilities() Capabilities {
	c := Capabilities{Runtime: rt.ID, Declared: rt.Capabilities}
	for _, name := range rt.Capabilities {
		if slices.Contains(known, name) {
			c.Applied = append(c.Applied, name)
		} else {
			c.Unsupported = append(c.Unsupported, Unsupported{name, "unknown"})
		}
	}
	if rt.Generic {
		c.Applied = known
	}
	return c
}

// Params is what a runtime says of where it is and what it wants. None
// of it is stored.
type Params struct {
	Origin     *Location
	Radius     int      // metres, within what is served
	Categories []string // of Categories, in their order
	Sections   []string // the sections it asked for; nil for all
}

// DefaultParams returns the parameters of a request without a query.
func DefaultParams() Params { return Params{Radius: DefaultRadius, Categories: allCategories} }

// ParseParams reads the query of a dataset request: lat, lon, radius,
// categories, accuracy, sections (B-05). What it does not know it ignores.
func ParseParams(query url.Values) (Params, error) {
	s := DefaultParams()
	lat, err := number(query, "lat", -90, 90)
	if err != nil {
		return s, err
	}
	lon, err := number(query, "lon", -180, 180)
	if err != nil {
		return s, err
	}
	if query.Has("lat") != query.Has("lon") {
		missing := "lat"
		if query.Has("lat") {
			missing = "lon"
		}
		return s, svc.ParameterError(missing, "lat and lon go together.")
	}
	if query.Has("lat") {
		s.Origin = &Location{lat, lon}
	}
	if _, err := number(query, "accuracy", 0, math.MaxInt32); err != nil {
		return s, err
	}
	if query.Has("radius") {
		radius, err := strconv.Atoi(query.Get("radius"))
		if err != nil {
			return s, svc.ParameterError("radius", "radius must be a whole number of metres.")
		}
		s.Radius = servedRadius(radius)
	}
	if query.Has("categories") {
		s.Categories = knownCategories(words(strings.Join(query["categories"], ",")))
	}
	if query.Has("sections") {
		s.Sections = among(optionalSections, words(query.Get("sections")))
	}
	return s, nil
}

// optionalSections are those that a runtime can do without.
var optionalSections = []string{"workspace", "objects", "contexts", "actions", "field", "findings"}

var allCategories = func() (ids []string) {
	for _, c := range Categories {
		ids = append(ids, c.ID)
	}
	return ids
}()

// knownCategories are those that were asked for, without the unknown ones
// (B-30).
func knownCategories(asked []string) []string { return among(allCategories, asked) }

// among returns which of the known names were asked for, in their order: an
// empty list, not nil, if none was.
func among(known, asked []string) []string {
	return slices.DeleteFunc(slices.Clone(known), func(name string) bool { return !slices.Contains(asked, name) })
}

func servedRadius(metres int) int { return min(max(metres, MinRadius), MaxRadius) }

// wants reports whether a section was asked for.
func (s Params) wants(section string) bool {
	return s.Sections == nil || slices.Contains(s.Sections, section)
}

// words are what stands between commas and spaces.
func words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
}

// number returns a parameter within [least, most], 0 if it is not there.
func number(query url.Values, name string, least, most float64) (float64, error) {
	if !query.Has(name) {
		return 0, nil
	}
	text := query.Get(name)
	f, err := strconv.ParseFloat(text, 64)
	// Go has more ways to write one than anybody else, and NaN is in no range.
	if err != nil || strings.Trim(text, "0123456789+-.eE") != "" || !(f >= least && f <= most) {
		return 0, svc.ParameterError(name, "%s must be a number from %v to %v.", name, least, most)
	}
	return f, nil
}
