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
	Kind    string         // first part of the codes in action_ids
	ID      func(R) string // resource in action_ids; nil for none
	URL     func(R) string // URL of the record; nil if all paths are absolute
	Entries []Entry[R]
}

// Entry declares one action.
type Entry[R any] struct {
	Name    string             // key in actions maps and id in panels
	Type    string             // type in the dataset and in panels
	Label   string             // text of the button
	LabelOf func(R) words.Text // replaces Label if not nil

	// Method and Path are the request. Path is appended to the URL of the record
	// unless it begins with /world/; PathOf replaces it. Both are empty if World
	// performs the action at /world/actions/{action_id}.
	Method string
	Path   string
	PathOf func(R) string

	// Alias is the last segment of the POST route that stands for a PATCH or
	// DELETE request; "" if it is Name.
	Alias string

	Allowed func(R) bool // nil if all viewers of the record may perform the action
	Useful  func(R) bool // whether the dataset and panels show an allowed action; nil for always

	Body     func(R) svc.Map           // fixed fields of the request; nil for none
	Controls func(R) svc.List[Control] // values that the member enters; nil for none

	// Scopes are the parts of a series to which the action can apply, as values of
	// the field scope; nil for none. The first is the default.
	Scopes func(R) svc.List[Option]
}

// Offer is an action that the viewer may perform on a record.
type Offer struct {
	Name, Type, Label string
	Method, URL       string // URL is empty if World performs the action
	Useful            bool
	HasForm           bool
	Body              svc.Map
	Scopes            svc.List[Option]
	Controls          func() svc.List[Control] // with the scope

	alias string
}

// Offers returns the allowed actions on a record, in the order of the table, with their
// labels in the language l. If there are names, it returns only actions with these names.
func (t *Table[R]) Offers(l words.Language, r R, names ...string) (offers []Offer) {
	for i := range t.Entries {
		e := &t.Entries[i]
		if len(names) > 0 && !slices.Contains(names, e.Name) || e.Allowed != nil && !e.Allowed(r) {
			continue
		}
		o := Offer{
			Name: e.Name, Type: e.Type, Label: l.Text(e.Label), Method: e.Method, URL: t.url(e, r), Useful: e.Useful == nil || e.Useful(r),
			HasForm: e.Controls != nil, Controls: func() svc.List[Control] { return nil }, alias: cmp.Or(e.Alias, e.Name),
		}
		if e.LabelOf != nil {
			o.Label = e.LabelOf(r).In(l)
		}
		if e.Body != nil {
			o.Body = e.Body(r)
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
		if c.Type != "hidden" {
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
	ID       string            `json:"id"`
	Label    string            `json:"label"`
	Type     string            `json:"type"`
	Method   string            `json:"method"`
	URL      string            `json:"url"`
	Body     svc.Map           `json:"body"`              // fixed fields
	Scopes   svc.List[Option]  `json:"scopes,omitzero"`   // other values of the field scope
	Controls svc.List[Control] `json:"controls,omitzero"` // values that the member enters
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
		q := Request{ID: o.Name, Label: o.Label, Type: o.Type, Method: o.Method, URL: o.URL, Body: o.Body, Scopes: o.Scopes}
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

// url returns the URL of an action, "" if World performs it.
func (t *Table[R]) url(e *Entry[R], r R) string {
	path := e.Path
	if e.PathOf != nil {
		path = e.PathOf(r)
	}
	if e.Method == "" || strings.HasPrefix(path, "/world/") {
		return path
	}
	return t.URL(r) + path
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
