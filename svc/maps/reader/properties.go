package reader

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
)

// tagOfProperty maps names of properties and columns, in lower case, to tags of
// OpenStreetMap.
var tagOfProperty = map[string]string{
	"title": "name", "label": "name",
	"street": "addr:street", "road": "addr:street",
	"housenumber": "addr:housenumber", "house_number": "addr:housenumber", "number": "addr:housenumber",
	"postcode": "addr:postcode", "postal_code": "addr:postcode", "zip": "addr:postcode",
	"city": "addr:city", "town": "addr:city", "country": "addr:country",
	"tel": "phone", "telephone": "phone", "web": "website", "homepage": "website",
	"hours": "opening_hours", "opening hours": "opening_hours",
}

// setProperty sets the tag of a property. A tag of OpenStreetMap has priority over a
// property with another name.
func setProperty(tags map[string]string, key, value string) {
	key, value = strings.ToLower(strings.TrimSpace(key)), cleanText(value)
	if value == "" {
		return
	}
	tag, translated := tagOfProperty[key]
	if !translated {
		tags[key] = value
	} else if tags[tag] == "" {
		tags[tag] = value
	}
}

// propertyImportance is the importance of a place without a kind.
const propertyImportance = 0.15

// placeOfProperties returns the place that the properties of a feature or the columns
// of a row describe. ok is false if it has neither a name nor a kind. badCategory is
// the value of the property category, if it is not known.
func placeOfProperties(tags map[string]string) (p mapdata.Place, ok bool, badCategory string) {
	p, ok = placeOf(tags)
	if category := tags["category"]; !ok && category != "" {
		switch k, c := kindOfCategory(category); {
		case k != "" || c != "":
			p.Kind, p.Category, ok = k, c, true
		default:
			badCategory = category
		}
	}
	describe(&p, tags)
	if p.Importance == 0 {
		p.Importance = propertyImportance
	}
	return p, ok || p.Name != "", badCategory
}

// kindOfCategory returns the kind and the category that a text names: a category of
// the field, a tag such as amenity=cafe, or a word such as "Café".
func kindOfCategory(category string) (k, c string) {
	if lower := strings.ToLower(category); slices.Contains(kind.Categories, lower) {
		return "", lower
	}
	if key, value, ok := strings.Cut(category, "="); ok {
		k, c, _ = kind.Of(map[string]string{strings.TrimSpace(key): strings.TrimSpace(value), "name": "-"})
		return k, c
	}
	if kinds := kind.FromWords(category); len(kinds) > 0 {
		return kinds[0], kind.Category(kinds[0])
	}
	return "", ""
}

// maxID limits the length of the id of a feature or a row, in bytes.
const maxID = 200

// idOf returns the id of a place: the one in the file or, without it, one that
// depends on the name and the position, so that it is stable over repeated imports.
func idOf(id, name string, p geo.Point) string {
	if id = cleanText(id); id != "" && len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%.5f\x00%.5f", id, name, p.Latitude, p.Longitude))
	return hex.EncodeToString(sum[:10])
}
