package kind

import (
	"cmp"
	"strings"

	"appliance/svc/words"
)

// Kinds that are not tags.
const (
	Street  = "street"
	Address = "address"
)

// Categories are the categories of the field, in the order in which controls show
// them.
var Categories = []string{"food", "coffee", "groceries", "shops", "services", "health", "transit", "parks", "culture", "lodging"}

// definition describes a kind.
type definition struct {
	kind       string
	category   string // "" if the field does not show the kind
	label      string
	importance float64 // of a place without further tags
	unnamed    bool    // whether a place without a name is taken
}

// placeKeys are the keys that make a place, most significant first: a castle that is a
// museum is a museum.
var placeKeys = []string{
	"place", "aeroway", "tourism", "amenity", "shop", "leisure", "historic", "railway", "public_transport", "highway", "healthcare", "office", "craft", "natural",
	"waterway", "man_made", "boundary", "landuse", "building",
}

// defaultKinds describe the kinds of a key that the table does not list. Keys without
// a default are taken with listed values only.
var defaultKinds = map[string]definition{
	"amenity":  {category: "services", importance: 0.15},
	"shop":     {category: "shops", importance: 0.15, unnamed: true},
	"leisure":  {importance: 0.15},
	"historic": {category: "culture", importance: 0.25},
	"office":   {category: "services", importance: 0.12},
	"craft":    {category: "services", importance: 0.12},
	"tourism":  {category: "culture", importance: 0.2},
	"place":    {importance: 0.15},
	"natural":  {importance: 0.2},
	"man_made": {importance: 0.15},
}

var definitions = func() map[string]definition {
	all := make(map[string]definition, len(table))
	for _, d := range table {
		all[d.kind] = d
	}
	return all
}()

// Of returns the kind, the category and the importance of an object with the tags.
// The kind is "" if the object is not a place, for example a bench, or a house
// without a name. Streets and addresses have no kind of their own in tags; the
// reader of a file recognizes them.
func Of(tags map[string]string) (kind, category string, importance float64) {
	for _, key := range placeKeys {
		value := tags[key]
		d, ok := lookup(key, value)
		if !ok || tags["name"] == "" && !d.unnamed {
			continue
		}
		return d.kind, d.category, importanceOf(d, tags)
	}
	return "", "", 0
}

// lookup returns the definition of a tag. ok is false if it does not make a place.
func lookup(key, value string) (d definition, ok bool) {
	if value == "" || value == "no" || len(value) > maxValue || ignoredTags[key+"="+value] {
		return definition{}, false
	}
	if d, ok = definitions[key+"="+value]; ok {
		return d, true
	}
	if d, ok = defaultKinds[key]; !ok {
		return definition{}, false
	}
	if i := strings.IndexByte(value, ';'); i > 0 { // "bakery;cafe": the first value counts
		return lookup(key, strings.TrimSpace(value[:i]))
	}
	d.kind = key + "=" + value
	return d, true
}

// maxValue limits the length of a value, in bytes.
const maxValue = 60

// Label returns the name of a kind in the language l, such as "Café" for "amenity=cafe".
// Values that the table does not list are English words of OpenStreetMap: in other
// languages the label is that of their key.
func Label(l words.Language, kind string) string {
	if d, ok := definitions[kind]; ok {
		return l.Text(d.label)
	}
	key, value, _ := strings.Cut(kind, "=")
	if l != words.English {
		return l.Text(cmp.Or(keyLabels[key], "Place"))
	}
	if value == "" {
		value = kind
	}
	value = strings.ReplaceAll(value, "_", " ")
	if value == "" {
		return "Place"
	}
	if value == "yes" {
		value = strings.ReplaceAll(strings.TrimSuffix(kind, "=yes"), "_", " ")
	}
	return words.Capitalize(value)
}

// keyLabels are the labels of the values of a key that the table does not list, for
// languages other than English.
var keyLabels = map[string]string{
	"amenity": "Facility", "shop": "Shop", "leisure": "Leisure facility", "historic": "Historic site", "office": "Office", "craft": "Craft business",
	"tourism": "Attraction", "natural": "Nature", "man_made": "Structure",
}

// Category returns the category of the field that shows places of the kind, or "".
func Category(kind string) string {
	key, value, _ := strings.Cut(kind, "=")
	d, _ := lookup(key, value)
	return d.category
}

// IsSettlement reports whether the kind is a place where people live, from an
// isolated dwelling to a country.
func IsSettlement(kind string) bool {
	value, ok := strings.CutPrefix(kind, "place=")
	return ok && settlements[value]
}

var settlements = map[string]bool{
	"country": true, "state": true, "region": true, "province": true, "district": true, "county": true, "municipality": true, "city": true, "town": true,
	"borough": true, "suburb": true, "quarter": true, "village": true, "hamlet": true, "neighbourhood": true, "isolated_dwelling": true, "farm": true, "island": true,
}
