package compat

import (
	"net/http"
	"slices"

	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/dataset"
	"appliance/world/panel"
)

// FieldRuntime is the field of the dataset with the actions inside its
// controls. Schema: service.field.runtime.
type FieldRuntime struct {
	Contract     dataset.Contract       `json:"contract"`
	Origin       *dataset.Location      `json:"origin"` // null if the request has no position
	RadiusMeters int                    `json:"radius_meters"`
	FieldWidth   int                    `json:"field_width"` // in logical units
	Controls     svc.List[FieldControl] `json:"controls"`
	Objects      svc.List[FieldObject]  `json:"objects"`   // the nearest first
	Count        int                    `json:"count"`     // of the places within the radius
	Truncated    bool                   `json:"truncated"` // there are more places than objects
	Map          maps.Runtime           `json:"map"`
	Actions      svc.List[FieldAction]  `json:"actions"`
	Source       FieldSource            `json:"source"`
}

// FieldObject is a place of the field.
type FieldObject struct {
	ID           string                `json:"id"`   // the same for each read and after another import
	Type         string                `json:"type"` // "place"
	Category     string                `json:"category"`
	Title        string                `json:"title"`
	Summary      string                `json:"summary"`
	Kind         string                `json:"kind"`                // label of the kind, "" if unknown
	Address      string                `json:"address,omitzero"`    // in one line
	Telephone    string                `json:"telephone,omitzero"`  // as the region has it
	SourceURL    string                `json:"source_url,omitzero"` // website
	Presentation FieldPresentation     `json:"presentation"`
	Location     dataset.FieldLocation `json:"location"`
	maps.Opening
	Actions     svc.List[panel.PanelAction] `json:"actions"`
	Attribution mapdata.Attribution         `json:"attribution"`
}

// FieldPresentation contains hints about how a runtime shows a place.
type FieldPresentation struct {
	Preferred string `json:"preferred"` // "card", or "marker" for a place without a name
	Marker    string `json:"marker"`    // category
}

// FieldAction is an action on the field. Its method is GET: the fields of its body and
// the values of its controls are the query.
type FieldAction struct {
	panel.PanelAction
	Controls svc.List[action.Control] `json:"controls"`
}

// FieldControl is a filter of the field.
type FieldControl struct {
	dataset.FieldChooser
	Items svc.List[FieldItem] `json:"items"`
}

// FieldItem is one choice of a filter. Its action reads the session with the
// choice toggled.
type FieldItem struct {
	dataset.FieldChoice
	Icon   string            `json:"icon,omitzero"`
	Action panel.PanelAction `json:"action"`
}

// FieldSource is the service that provides the objects, for diagnostics.
type FieldSource struct {
	Service string           `json:"service"`
	Status  svc.ServiceState `json:"status"`
	Message string           `json:"message"`
}

// fieldWidth is the width of the field for runtimes that do not show a map, in
// logical units.
const fieldWidth = 1000

// FieldObjectsURL is the URL at which runtimes read the places in an area.
const FieldObjectsURL = "/world/field/objects"

// NewFieldRuntime returns the field of a request, with texts in the language l. openURL
// returns the URL that opens a place; if it is nil, places have no actions. source is the
// service that provides the places.
func NewFieldRuntime(l words.Language, q dataset.Request, places dataset.Places, openURL func(action.Place) string, source FieldSource) FieldRuntime {
	f := FieldRuntime{
		Contract: dataset.Contract{Name: "service.field.runtime", Version: 2}, Origin: q.Params.Origin,
		RadiusMeters: q.Params.Radius, FieldWidth: fieldWidth, Source: source, Map: places.Map,
		Objects: NewFieldObjects(l, places.List, openURL), Count: places.Total, Truncated: places.Truncated(), Actions: fieldActions(l, q),
	}
	for _, c := range q.Choosers(l) {
		control := FieldControl{FieldChooser: c.FieldChooser}
		for _, choice := range c.Choices {
			item := FieldItem{FieldChoice: choice.FieldChoice, Action: panel.PanelAction{
				ID: choice.Name, Label: choice.Label, Type: choice.Type, Method: http.MethodGet, URL: sessionURL + choice.Query,
			}}
			if choice.Value == nil {
				item.Icon = choice.ID
			}
			control.Items = append(control.Items, item)
		}
		f.Controls = append(f.Controls, control)
	}
	return f
}

// NewFieldObjects returns places of the field, with texts in the language l. openURL is that
// of [NewFieldRuntime].
func NewFieldObjects(l words.Language, places []dataset.FieldPlace, openURL func(action.Place) string) (list svc.List[FieldObject]) {
	for _, p := range places {
		o := FieldObject{
			ID: p.PlaceID, Type: "place", Category: p.Category, Title: p.Name, Summary: p.Summary(l),
			Kind: p.KindLabel, Address: p.Formatted, Telephone: p.Tags["phone"],
			Presentation: FieldPresentation{"marker", p.Category}, Location: p.Location, Opening: p.Opening, Attribution: p.Attribution,
		}
		o.SourceURL, _, _ = p.Website()
		if p.Named {
			o.Presentation.Preferred = "card"
		}
		if openURL != nil {
			for _, offer := range action.Places.Offers(l, action.Place(p.PlaceID)) {
				o.Actions = append(o.Actions, panel.PanelAction{ID: "open", Label: offer.Label, Type: offer.Type, Method: http.MethodPost, URL: openURL(action.Place(p.PlaceID))})
			}
		}
		list = append(list, o)
	}
	return list
}

// fieldActions returns the actions on the field of a request in the language l.
func fieldActions(l words.Language, q dataset.Request) (list svc.List[FieldAction]) {
	for _, o := range action.FieldOrigins.Offers(l, q.OriginAction(sessionURL)) {
		list = append(list, fieldAction(o))
	}
	for _, o := range action.FieldAreas.Offers(l, q.AreaAction(FieldObjectsURL)) {
		list = append(list, fieldAction(o))
	}
	return list
}

// fieldAction returns an action on the field, whose id is its type.
func fieldAction(o action.Offer) FieldAction {
	request := o.Request()
	request.ID = o.Type
	return FieldAction{panel.PanelAction(request), o.Controls()}
}

// FieldArea contains the places of the field in an area. If there are too many, it
// contains their numbers by area. Schema: service.field.area.
type FieldArea struct {
	Contract    dataset.Contract              `json:"contract"`
	Bounds      maps.Bounds                   `json:"bounds"`
	Count       int                           `json:"count"` // of the places; with clusters also of those near the border
	Objects     svc.List[FieldObject]         `json:"objects"`
	Clusters    svc.List[FieldCluster]        `json:"clusters"`
	Attribution svc.List[mapdata.Attribution] `json:"attribution"` // of the places, each once
}

// FieldCluster is the number of places in a part of an area.
type FieldCluster struct {
	Count     int         `json:"count"`
	Latitude  float64     `json:"latitude"` // mean of the places
	Longitude float64     `json:"longitude"`
	Bounds    maps.Bounds `json:"bounds"`
}

// NewFieldArea returns the places or, if there are too many, the clusters of an area, in the
// language l.
func NewFieldArea(l words.Language, area geo.Box, places []dataset.FieldPlace, clusters []maps.Cluster, openURL func(action.Place) string) FieldArea {
	a := FieldArea{
		Contract: dataset.Contract{Name: "service.field.area", Version: 1}, Bounds: maps.NewBounds(area), Count: len(places),
		Objects: NewFieldObjects(l, places, openURL),
	}
	for _, c := range clusters {
		a.Count += c.Count
		a.Clusters = append(a.Clusters, FieldCluster{c.Count, c.Center.Latitude, c.Center.Longitude, maps.NewBounds(c.Area)})
	}
	for _, p := range places {
		if !slices.Contains(a.Attribution, p.Attribution) {
			a.Attribution = append(a.Attribution, p.Attribution)
		}
	}
	return a
}
