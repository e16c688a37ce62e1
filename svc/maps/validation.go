package maps

import (
	"math"

	"appliance/svc"
	"appliance/svc/maps/geo"
)

// Limits of queries.
const (
	MaxQuery  = 400 // of a search text, in characters
	MaxPlaces = 1000
	MaxRadius = 50_000 // meters
)

// CheckPoint validates a position. prefix is prepended to the names of the fields
// latitude and longitude, for example "origin.".
func CheckPoint(prefix string, p geo.Point) error {
	var latitude, longitude error
	if !(p.Latitude >= -90 && p.Latitude <= 90) {
		latitude = svc.FieldError(svc.InvalidValue, prefix+"latitude", "The latitude must be between -90 and 90 degrees.")
	}
	if !(p.Longitude >= -180 && p.Longitude <= 180) {
		longitude = svc.FieldError(svc.InvalidValue, prefix+"longitude", "The longitude must be between -180 and 180 degrees.")
	}
	return svc.Join(latitude, longitude)
}

// CheckBox validates a box. West may be greater than East, over the antimeridian.
func CheckBox(b geo.Box) error {
	degrees := func(name string, value, limit float64) error {
		if !(value >= -limit && value <= limit) {
			return svc.FieldError(svc.InvalidValue, name, "%s must be between -%g and %g degrees.", svc.FieldLabel(name), limit, limit)
		}
		return nil
	}
	err := svc.Join(degrees("south", b.South, 90), degrees("west", b.West, 180), degrees("north", b.North, 90), degrees("east", b.East, 180))
	if err == nil && b.South > b.North {
		err = svc.FieldError(svc.InvalidValue, "south", "The southern border must not be north of the northern border.")
	}
	return err
}

func checkRadius(meters float64) error {
	if !(meters >= 0 && meters <= MaxRadius) || math.IsInf(meters, 0) {
		return svc.FieldError(svc.InvalidValue, "radius", "The radius must be between 0 and %d meters.", MaxRadius)
	}
	return nil
}

func checkLimit(n int) error {
	if n < 1 || n > MaxPlaces {
		return svc.FieldError(svc.InvalidValue, "limit", "The limit must be between 1 and %d.", MaxPlaces)
	}
	return nil
}
