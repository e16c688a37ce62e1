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

// maxRuntimeHeader limits the header X-Service-Runtime, in bytes.
const maxRuntimeHeader = 1024

// knownCapabilities lists the capabilities that the server supports.
var knownCapabilities = []string{
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
	Contract    Contract // contract of the response; the zero value means DatasetContract
	URL         string   // address of field actions; "" means action.RuntimeURL
	IfNoneMatch string   // the header If-None-Match
	Since       string   // the parameter since: revision of the dataset that the client has, "" if absent

	caps  string // the parameter caps, "" if absent
	panel string // the query of a panel, "" for a dataset
}

// identity identifies everything in the request on which the data in the response
// depends: all of it, except for Contract, IfNoneMatch and Since.
func (q Request) identity() string {
	return fmt.Sprintf("%q %q %t %s %s %q", q.Runtime.ID, q.Runtime.Declared, q.Runtime.Generic, q.URL, q.Query(), q.panel)
}

// The contracts of datasets: the first of GET /world/runtime, the second of POST
// /world/session, where the reference runtime expects another name.
var (
	DatasetContract = Contract{"service.runtime.dataset", 1}
	SessionContract = Contract{"service.world.dataset", 1}
)

// ParseRequest parses the header X-Service-Runtime and the query.
func ParseRequest(header string, query url.Values) (r Request, err error) {
	if r.Runtime, err = ParseRuntime(header); err != nil {
		return r, err
	}
	if query.Has("caps") {
		r.caps = query.Get("caps")
		if len(r.caps) > maxRuntimeHeader || !utf8.ValidString(r.caps) {
			return r, svc.ParameterError("caps", "The capabilities may have up to %d bytes of UTF-8 text.", maxRuntimeHeader)
		}
		r.Runtime.redeclare(splitWords(r.caps))
	}
	r.Since = query.Get("since")
	r.Params, err = ParseParams(query)
	return r, err
}

// NewPanelRequest returns the request of a panel, for [Composer.Respond].
func NewPanelRequest(query url.Values, ifNoneMatch string) Request {
	return Request{IfNoneMatch: ifNoneMatch, panel: query.Encode()}
}

// Runtime identifies the runtime and its capabilities.
type Runtime struct {
	ID       RuntimeID
	Declared []string // capabilities, in order, each once
	Generic  bool     // whether it declared no capabilities, which means all
}

// GenericRuntime is a runtime that declares no capabilities.
var GenericRuntime = Runtime{Generic: true}

// ParseRuntime parses the header X-Service-Runtime:
//
//	web/1.2; caps="objects contexts"; datasets="service.runtime.dataset/1"
//
// It accepts every non-empty value of up to [maxRuntimeHeader] bytes. A value that
// does not match the grammar is the name of the runtime. A value that is not UTF-8
// is read as ISO 8859-1.
func ParseRuntime(header string) (Runtime, error) {
	header = strings.TrimSpace(header)
	if header == "" {
		return Runtime{}, svc.Errorf(svc.RuntimeHeaderRequired, "Set the header X-Service-Runtime to the name and version of the runtime, such as web/1.0.")
	}
	if len(header) > maxRuntimeHeader {
		return Runtime{}, svc.Errorf(svc.RuntimeHeaderRequired, "The header X-Service-Runtime may have up to %d bytes.", maxRuntimeHeader)
	}
	if !utf8.ValidString(header) {
		header = fromLatin1(header)
	}
	token, params, _ := strings.Cut(header, ";")
	id, version, _ := strings.Cut(strings.TrimSpace(token), "/")
	rt := Runtime{ID: RuntimeID{ID: id, Version: version}}
	if params != "" {
		// The parameters have the same syntax as parameters of a media type.
		_, values, err := mime.ParseMediaType("x/y;" + params)
		if err != nil {
			return Runtime{ID: RuntimeID{ID: header}, Generic: true}, nil
		}
		rt.declare(strings.Fields(values["caps"]))
	}
	rt.Generic = len(rt.Declared) == 0
	return rt, nil
}

// fromLatin1 decodes ISO 8859-1, the historical encoding of header values
// (RFC 9110 §5.5).
func fromLatin1(text string) string {
	runes := make([]rune, len(text))
	for i := range len(text) {
		runes[i] = rune(text[i])
	}
	return string(runes)
}

// declare adds capabilities.
func (rt *Runtime) declare(caps []string) {
	for _, c := range caps {
		if !slices.Contains(rt.Declared, c) {
			rt.Declared = append(rt.Declared, c)
		}
	}
}

// redeclare replaces the capabilities.
func (rt *Runtime) redeclare(caps []string) {
	rt.Declared = nil
	rt.declare(caps)
	rt.Generic = len(rt.Declared) == 0
}

// Can reports whether the runtime has a capability.
func (rt Runtime) Can(capability string) bool {
	return rt.Generic || slices.Contains(rt.Declared, capability)
}

// Capabilities returns the section capabilities of a dataset.
func (rt Runtime) Capabilities() Capabilities {
	c := Capabilities{Runtime: rt.ID, Declared: rt.Declared, Stream: Stream}
	for _, name := range rt.Declared {
		if slices.Contains(knownCapabilities, name) {
			c.Applied = append(c.Applied, name)
		} else {
			c.Unsupported = append(c.Unsupported, Unsupported{name, "unknown"})
		}
	}
	if rt.Generic {
		c.Applied = knownCapabilities
	}
	return c
}

// Params are the position of the runtime, the filters of the field, and the
// requested sections. They are not stored.
type Params struct {
	Origin     *Location // nil if not given
	Radius     int       // metres, from MinRadius to MaxRadius
	Categories []string  // ids, in the order of Categories
	Sections   []string  // nil for all
}

// DefaultParams returns the parameters of a request without a query.
func DefaultParams() Params { return Params{Radius: DefaultRadius, Categories: allCategories} }

// ParseParams parses the query of a request: lat, lon, accuracy, radius,
// categories, sections. It ignores other parameters. accuracy is validated only.
func ParseParams(query url.Values) (Params, error) {
	s := DefaultParams()
	lat, err := parseNumber(query, "lat", -90, 90)
	if err != nil {
		return s, err
	}
	lon, err := parseNumber(query, "lon", -180, 180)
	if err != nil {
		return s, err
	}
	if query.Has("lat") != query.Has("lon") {
		missing := "lat"
		if query.Has("lat") {
			missing = "lon"
		}
		return s, svc.ParameterError(missing, "Enter both latitude and longitude, or neither.")
	}
	if query.Has("lat") {
		s.Origin = &Location{lat, lon}
	}
	if _, err := parseNumber(query, "accuracy", 0, math.MaxInt32); err != nil {
		return s, err
	}
	if query.Has("radius") {
		radius, err := strconv.Atoi(query.Get("radius"))
		if err != nil {
			return s, svc.ParameterError("radius", "The radius must be a whole number of metres.")
		}
		s.Radius = clampRadius(radius)
	}
	if query.Has("categories") {
		s.Categories = filterRequested(allCategories, splitWords(strings.Join(query["categories"], ",")))
	}
	if query.Has("sections") {
		s.Sections = filterRequested(optionalSections, splitWords(query.Get("sections")))
	}
	return s, nil
}

// optionalSections lists the sections that a request can omit.
var optionalSections = []string{"workspace", "objects", "contexts", "actions", "field", "findings"}

var allCategories = func() (ids []string) {
	for _, c := range Categories {
		ids = append(ids, c.ID)
	}
	return ids
}()

// filterRequested returns the names that are requested, in the order of all. Unknown
// names are ignored. The result is not nil.
func filterRequested(all, requested []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(requested, name) })
}

// clampRadius returns the nearest valid radius.
func clampRadius(metres int) int { return min(max(metres, MinRadius), MaxRadius) }

// wants reports whether a section is requested.
func (s Params) wants(section string) bool {
	return s.Sections == nil || slices.Contains(s.Sections, section)
}

// splitWords splits a text at commas and spaces.
func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
}

// parseNumber parses a numeric parameter from least to most. It returns 0 for an
// absent parameter.
func parseNumber(query url.Values, name string, least, most float64) (float64, error) {
	if !query.Has(name) {
		return 0, nil
	}
	parameter := query.Get(name)
	f, err := strconv.ParseFloat(parameter, 64)
	// ParseFloat also accepts hexadecimal numbers, underscores, Inf and NaN.
	if err != nil || strings.Trim(parameter, "0123456789+-.eE") != "" || !(f >= least && f <= most) {
		return 0, svc.ParameterError(name, "%s must be a number from %v to %v.", svc.FieldLabel(name), least, most)
	}
	return f, nil
}
