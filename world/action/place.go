package action

import (
	"strings"

	"appliance/svc"
)

// OpenPlaceCode is the code of the action that opens a place of the field.
const OpenPlaceCode = "openplace"

// Places declares the actions on places of the field, by their place_id.
var Places = Table[Place]{
	ID:      Place.Resource,
	Entries: []Entry[Place]{{Name: OpenPlaceCode, Type: "open_place", Label: "Open"}},
}

// Place is the id of a place: the provider, a colon and its id there.
type Place string

// placeResource begins the resource of a place in action_ids.
const placeResource = "maps__place__"

// Resource returns the name of the place in action_ids.
func (p Place) Resource() string { return placeResource + lowerBase32.EncodeToString([]byte(p)) }

// PlaceOf returns the place with a name in action_ids.
func PlaceOf(resource string) (p Place, ok bool) {
	encoded, ok := strings.CutPrefix(resource, placeResource)
	id, err := lowerBase32.DecodeString(encoded)
	return Place(id), ok && err == nil
}

// Source returns the source of the object that the place becomes when the member opens
// it: the same as that of a finding of the place.
func (p Place) Source() Source {
	return SourceOfFinding(svc.Finding{ObjectType: svc.PlaceFinding, FindingID: string(p)})
}

// FieldOrigin is the request for the field.
type FieldOrigin struct {
	URL    string
	Radius int     // in meters
	Fixed  svc.Map // parameters besides the position and the radius
}

// FieldOrigins declares the action that reads the field around another position. Its
// controls and its fixed fields are parameters of the query.
var FieldOrigins = Table[FieldOrigin]{
	Entries: []Entry[FieldOrigin]{{
		Name: "fieldorigin", Type: "set_field_origin", Label: "Show this area",
		Link: func(f FieldOrigin) string { return f.URL },
		Body: func(f FieldOrigin) svc.Map { return f.Fixed },
		Controls: func(f FieldOrigin) svc.List[Control] {
			return svc.List[Control]{
				{ID: "lat", Type: NumberInput, Label: "Latitude", Required: true},
				{ID: "lon", Type: NumberInput, Label: "Longitude", Required: true},
				{ID: "radius", Type: NumberInput, Label: "Radius in metres", Default: f.Radius},
			}
		},
	}},
}

// FieldAreas declares the action that reads the places of an area.
var FieldAreas = Table[FieldArea]{
	Entries: []Entry[FieldArea]{{
		Name: "fieldarea", Type: "read_field_area", Label: "Show the places of this area",
		Link: func(f FieldArea) string { return f.URL },
		Body: func(f FieldArea) svc.Map { return f.Fixed },
		Controls: func(FieldArea) (list svc.List[Control]) {
			for _, border := range []struct{ id, label string }{{"south", "Southern border"}, {"west", "Western border"}, {"north", "Northern border"}, {"east", "Eastern border"}} {
				list = append(list, Control{ID: border.id, Type: NumberInput, Label: border.label, Required: true})
			}
			return list
		},
	}},
}

// FieldArea is the request for the places of an area.
type FieldArea struct {
	URL   string
	Fixed svc.Map // parameters besides the area
}
