package action

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"appliance/svc"
	"appliance/svc/words"
)

// Table declares the actions on records of one kind.
type Table[R any] struct {
	Kind    string           // first part of the codes in action_ids
	ID      func(R) string   // resource in action_ids, and the value of the wildcard in requests; nil for none
	Values  func(R) []string // values of the wildcards, in their order; nil for ID alone
	Entries []Entry[R]
}

// Entry declares one action.
type Entry[R any] struct {
	Name    string             // key in actions maps and id in panels
	Type    string             // type in the dataset and in panels
	Label   string             // text of the button
	LabelOf func(R) words.Text // replaces Label if not nil

	// Confirm describes the consequences of the action. A runtime shows it, and performs the
	// action only after the member has confirmed it. It is "" for an action with controls,
	// whose form is the confirmation, and for one that needs none, such as an action that can
	// be undone.
	Confirm     string
	ConfirmOf   func(R) words.Text // replaces Confirm if not nil
	Destructive bool               // whether the action deletes, ends or revokes something

	// Request is the method and the path, such as "POST /world/social/dms/{id}/read", in
	// the form of a pattern of [http.ServeMux]. It is empty if World performs the
	// action at /world/actions/{action_id}.
	Request string
	Query   func(R) string // query with "?", or ""; nil for none
	Link    func(R) string // URL that is read in place of Request; nil for none

	// Alias is the last segment of the POST route that stands for a PATCH or
	// DELETE request; "" if it is Name.
	Alias string

	Allowed func(R) bool // nil if all viewers of the record may perform the action
	Useful  func(R) bool // whether the dataset and panels show an allowed action; nil for always

	Fixed    svc.Map                   // fields of the body that the action sets, for all records; the alias fixes them
	Body     func(R) svc.Map           // further fields of the body, which depend on the record; nil for none
	Controls func(R) svc.List[Control] // values that the member enters; nil for none

	// Scopes are the parts of a series to which the action can apply, as values of
	// the field scope; nil for none. The first is the default.
	Scopes func(R) svc.List[Option]
}

// irreversibleWarning is the text of Confirm for actions whose label states their effect.
const irreversibleWarning = "This cannot be undone."

// Offer is an action that the viewer may perform on a record.
type Offer struct {
	Name, Type, Label string
	Confirm           string // see [Entry]
	Destructive       bool
	Method            Method
	URL               string // URL is empty if World performs the action
	Useful            bool
	HasForm           bool
	Body              svc.Map
	Scopes            svc.List[Option]
	Controls          func() svc.List[Control] // including the control of the scope

	alias string
}

// Offers returns the allowed actions on a record, in the order of the table, with their
// labels in the language l. If there are names, it returns only actions with these names.
func (t *Table[R]) Offers(l words.Language, r R, names ...string) (offers []Offer) {
	var values []string
	for i := range t.Entries {
		e := &t.Entries[i]
		if len(names) > 0 && !slices.Contains(names, e.Name) || e.Allowed != nil && !e.Allowed(r) {
			continue
		}
		if values == nil && strings.Contains(e.Request, "{") {
			values = t.values(r)
		}
		o := Offer{
			Name: e.Name, Type: e.Type, Label: l.Text(e.Label), Confirm: l.Text(e.Confirm), Destructive: e.Destructive,
			Useful: e.Useful == nil || e.Useful(r), Body: e.body(r), HasForm: e.Controls != nil,
			Controls: func() svc.List[Control] { return nil }, alias: cmp.Or(e.Alias, e.Name),
		}
		o.Method, o.URL = e.request(r, values)
		if e.LabelOf != nil {
			o.Label = e.LabelOf(r).In(l)
		}
		if e.ConfirmOf != nil {
			o.Confirm = e.ConfirmOf(r).In(l)
		}
		if e.Scopes != nil {
			o.Scopes = translateOptions(l, e.Scopes(r))
		}
		if e.Controls != nil {
			o.Controls = func() svc.List[Control] { return addScope(l, translateControls(l, e.Controls(r)), o.Scopes) }
		}
		offers = append(offers, o)
	}
	return offers
}

// values returns the values of the wildcards in requests on a record.
func (t *Table[R]) values(r R) []string {
	if t.Values != nil {
		return t.Values(r)
	}
	return []string{t.ID(r)}
}

// body returns the fixed fields of the request on a record; nil for none. The caller must
// not change them.
func (e *Entry[R]) body(r R) svc.Map {
	var body svc.Map
	if e.Body != nil {
		body = e.Body(r)
	}
	if e.Fixed == nil {
		return body
	}
	if body == nil {
		return e.Fixed
	}
	maps.Copy(body, e.Fixed)
	return body
}

// request returns the method and the URL of the request on a record, "" if World performs
// the action.
func (e *Entry[R]) request(r R, values []string) (method Method, url string) {
	if e.Link != nil {
		return http.MethodGet, e.Link(r)
	}
	name, path, _ := strings.Cut(e.Request, " ")
	method, url = Method(name), expandPath(path, values)
	if e.Query != nil {
		url += e.Query(r)
	}
	return method, url
}

// expandPath returns the path with the values in place of its wildcards.
func expandPath(path string, values []string) string {
	for _, value := range values {
		before, rest, found := strings.Cut(path, "{")
		if !found {
			break
		}
		_, after, _ := strings.Cut(rest, "}")
		path = before + value + after
	}
	return path
}

// addScope adds the control that selects the scope, if there are scopes.
func addScope(l words.Language, controls svc.List[Control], scopes svc.List[Option]) svc.List[Control] {
	if len(scopes) == 0 {
		return controls
	}
	return append(controls, selectorControl("scope", l.Text("Applies to"), scopes[0].Value, scopes))
}

// translateControls returns the controls with their labels in the language l.
func translateControls(l words.Language, controls svc.List[Control]) svc.List[Control] {
	if l == words.English {
		return controls
	}
	translated := slices.Clone(controls) // several records can have the same list
	for i := range translated {
		c := &translated[i]
		if c.Type != HiddenInput {
			c.Label = l.Text(c.Label)
		}
		c.Options = translateOptions(l, c.Options)
	}
	return translated
}

// translateOptions returns the options with their labels in the language l, except names.
func translateOptions(l words.Language, options svc.List[Option]) svc.List[Option] {
	if l == words.English || len(options) == 0 {
		return options
	}
	translated := make(svc.List[Option], len(options))
	for i, o := range options {
		if !o.Name {
			o.Label = l.Text(o.Label)
		}
		translated[i] = o
	}
	return translated
}

// Request is an action on a record as a complete request. Schema:
// service.time.object.
type Request struct {
	ID          string            `json:"id"`
	Label       string            `json:"label"`
	Confirm     string            `json:"confirm,omitzero"`     // see Action
	Destructive bool              `json:"destructive,omitzero"` // see Action
	Type        string            `json:"type"`
	Method      Method            `json:"method"`
	URL         string            `json:"url"`
	Body        svc.Map           `json:"body"`              // fixed fields
	Scopes      svc.List[Option]  `json:"scopes,omitzero"`   // other values of the field scope
	Controls    svc.List[Control] `json:"controls,omitzero"` // values that the member enters
}

// Request returns the offer as a complete request, without controls.
func (o Offer) Request() Request {
	return Request{
		ID: o.Name, Label: o.Label, Confirm: o.Confirm, Destructive: o.Destructive, Type: o.Type, Method: o.Method, URL: o.URL,
		Body: o.Body, Scopes: o.Scopes,
	}
}

// Requests returns the useful actions on a record in the language l. If withControls is false, it
// omits the controls and the actions that only read the record, because the links of
// the record contain its URL.
func (t *Table[R]) Requests(l words.Language, r R, withControls bool) svc.List[Request] {
	return requestsOf(t.Offers(l, r), withControls)
}

// Describe returns the actions map of a record and its [Table.Requests].
func (t *Table[R]) Describe(l words.Language, r R, withControls bool) (urls svc.Dict[string], requests svc.List[Request]) {
	offers := t.Offers(l, r)
	return urlsOf(offers), requestsOf(offers, withControls)
}

func requestsOf(offers []Offer, withControls bool) (list svc.List[Request]) {
	for _, o := range offers {
		if !o.Useful || !withControls && o.Method == http.MethodGet {
			continue
		}
		q := o.Request()
		if len(o.Scopes) > 0 {
			q.Body = maps.Clone(o.Body)
			q.Body["scope"] = o.Scopes[0].Value
		}
		if withControls && o.HasForm {
			q.Controls = o.Controls()
		}
		list = append(list, q)
	}
	return list
}

// PostURL returns the URL of the action in actions maps. Names that begin with
// open stand for GET, all others for POST without the fixed fields of the body.
// It returns "" for a POST that needs fixed fields, and for a GET that does not open
// a record, such as a search.
func (o Offer) PostURL() string {
	switch o.Method {
	case http.MethodGet:
		if !strings.HasPrefix(o.Name, "open") {
			return ""
		}
		return o.URL
	case http.MethodPatch, http.MethodDelete:
		path, query, found := strings.Cut(o.URL, "?")
		if path += "/" + o.alias; found {
			path += "?" + query
		}
		return path
	}
	if o.Body != nil {
		return ""
	}
	return o.URL
}

// URLs returns the actions map of a record; names selects as for [Table.Offers].
func (t *Table[R]) URLs(r R, names ...string) svc.Dict[string] {
	return urlsOf(t.Offers(words.English, r, names...))
}

func urlsOf(offers []Offer) svc.Dict[string] {
	urls := make(svc.Dict[string])
	for _, o := range offers {
		if url := o.PostURL(); url != "" {
			urls[o.Name] = url
		}
	}
	return urls
}

// Actions returns the actions on a record in the dataset.
func (t *Table[R]) Actions(b Builder, target Target, r R) (actions []Action) {
	resource := ""
	if t.ID != nil {
		resource = t.ID(r)
	}
	for _, o := range t.Offers(b.Language, r) {
		if !o.Useful {
			continue
		}
		code := o.Name
		if t.Kind != "" {
			code = t.Kind + "_" + code
		}
		actions = append(actions, b.action(code, resource, target, o))
	}
	return actions
}

// DomainActions returns the types of the useful actions on a record, for its source. names
// selects as for [Table.Offers].
func (t *Table[R]) DomainActions(r R, names ...string) (types svc.List[string]) {
	for _, o := range t.Offers(words.English, r, names...) {
		if o.Useful && !slices.Contains(types, o.Type) {
			types = append(types, o.Type)
		}
	}
	return types
}

// Endpoint is the request of an action as the server accepts it.
type Endpoint struct {
	Request string  // method and path, as a pattern of [http.ServeMux]
	Aliases []Alias // for PATCH and DELETE
}

// Alias is a POST route that stands for a PATCH or DELETE request.
type Alias struct {
	Name  string  // last segment, which is added to the path of the request
	Fixed svc.Map // fields of the body that the route sets; nil for none
}

// Endpoint returns the request of the entry with a name, with the aliases of all entries
// with the same request. It panics if there is no such entry.
func (t *Table[R]) Endpoint(name string) Endpoint {
	i := slices.IndexFunc(t.Entries, func(e Entry[R]) bool { return e.Name == name })
	if i < 0 || t.Entries[i].Request == "" {
		panic("package action: no request named " + name)
	}
	endpoint := Endpoint{Request: t.Entries[i].Request}
	method, _, _ := strings.Cut(endpoint.Request, " ")
	if method != http.MethodPatch && method != http.MethodDelete {
		return endpoint
	}
	for _, e := range t.Entries {
		alias := cmp.Or(e.Alias, e.Name)
		if e.Request == endpoint.Request && !slices.ContainsFunc(endpoint.Aliases, func(a Alias) bool { return a.Name == alias }) {
			endpoint.Aliases = append(endpoint.Aliases, Alias{alias, e.Fixed})
		}
	}
	return endpoint
}

// With returns the endpoint with the aliases of another one for the same request.
func (e Endpoint) With(other Endpoint) Endpoint {
	e.Aliases = slices.Concat(e.Aliases, other.Aliases)
	return e
}
