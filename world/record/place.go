package record

import (
	"appliance/svc/maps"
	"appliance/svc/maps/mapdata"
)

// Place is a place of Maps. Schema: service.maps.place.
type Place struct {
	PlaceID    string       `json:"place_id"` // the provider, a colon and the id there; the same after another import
	Provider   string       `json:"provider"` // for example "osm"
	ProviderID string       `json:"provider_id"`
	Name       string       `json:"name"`     // for a place without a name its address or kind
	Category   string       `json:"category"` // of the field, "" for none
	Kind       string       `json:"kind"`     // for example "Café"
	Address    PlaceAddress `json:"address"`
	Latitude   float64      `json:"latitude"`
	Longitude  float64      `json:"longitude"`
	Distance   *float64     `json:"distance,omitzero"` // metres from the position of the request
	maps.Opening
	Interpolated bool                `json:"interpolated,omitzero"` // the position was computed from neighboring house numbers
	Attribution  mapdata.Attribution `json:"attribution"`
}

// PlaceAddress is the address of a place. Fields may be empty.
type PlaceAddress struct {
	Formatted   string `json:"formatted"` // in one line
	Street      string `json:"street"`
	HouseNumber string `json:"house_number"`
	Postcode    string `json:"postcode"`
	City        string `json:"city"`
	Country     string `json:"country"` // ISO 3166-1 alpha-2
}

// NewPlace returns the record of p.
func NewPlace(p maps.Place, o maps.Opening) Place {
	a := p.Address
	record := Place{
		PlaceID: p.PlaceID, Provider: p.Provider, ProviderID: p.ProviderID, Name: p.Name, Category: p.Category, Kind: p.KindLabel,
		Address:  PlaceAddress{p.Formatted, a.Street, a.HouseNumber, a.Postcode, a.City, a.Country},
		Latitude: p.Point.Latitude, Longitude: p.Point.Longitude, Opening: o, Interpolated: p.Interpolated, Attribution: p.Attribution,
	}
	if p.Distance > 0 {
		record.Distance = &p.Distance
	}
	return record
}
