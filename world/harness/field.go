package harness

import (
	"maps"
	"slices"
)

var fieldChecks = []check{
	{"W-63 W-65 W-69 W-90 W-91 W-92", "the field has its fields, and no origin without a location", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		v := s.at("field_runtime")
		rec.checkShape(v, "contract object", "origin null", "radius_meters integer", "field_width integer", "controls array", "objects array", "source object")
		rec.checkContract(v, "service.field.runtime", 2)
		rec.checkInteger(v.at("radius_meters"), 1000)
		if n := len(v.at("objects").list()); n > 0 {
			rec.addProblem("%s: got %d objects, want none without a location", v.at("objects").path, n)
		}
		if v.at("field_width").integer() <= 0 {
			rec.addUnexpected(v.at("field_width"), "a positive integer")
		}
		if n := len(v.at("controls").list()); n < 2 {
			rec.addProblem("%s: got %d controls, want at least 2", v.at("controls").path, n)
		}
		c.checkSchema(rec, v, "service.field.runtime", 2)
	}},
	{"W-66 W-91", "the field has the location and the radius of the request", func(c *client, rec *recorder) {
		if s, ok := c.document(rec, sessionPath+locationQuery); ok {
			rec.checkLocation(s.at("field_runtime"))
		}
	}},
	{"W-93", "every control of the field has its fields", func(c *client, rec *recorder) {
		c.eachControl(rec, func(v value) {
			rec.checkShape(v, "id text", "type text", "label text", "summary string", "items array")
			for _, item := range v.at("items").list() {
				rec.checkShape(item, "id text", "label text", "selected boolean", "action object")
				rec.checkShape(item.at("action"), "id text", "type text", "method text", "url text")
			}
		})
	}},
	{"W-67 W-68", "all categories are selected, or those of the request", checkSelectedCategories},
	{"W-94", "following an item of a control selects it", checkFollowedItems},
	{"W-95 W-96 W-97 P-06 P-10", "every object of the field has its fields", checkFieldObjects},
	{"W-98", "a place has the same id in every read", checkPlaceIDs},
	{"P-09", "an empty field has a fallback", checkEmptyField},
	{"P-01 P-10 P-11 S-71 B-32", "the field has a map with layers and attributions", checkFieldMap},
	{"P-04", "no response contains keys of a provider of places", checkProviderKeys},
	{"B-106", "the field can be read around another position and in an area", checkFieldActions},
	{"W-100", "the source of the field is not an address", func(c *client, rec *recorder) {
		if s, ok := c.session(rec); ok {
			rec.checkNoAddresses(s.at("field_runtime.source"))
		}
	}},
}

// locationQuery is a query with a location and a radius.
const locationQuery = "?lat=52.5&lon=13.4&radius=500"

// checkLocation checks that a field has the location and the radius of
// locationQuery.
func (r *recorder) checkLocation(field value) {
	lat, _ := field.at("origin.latitude").number()
	lon, _ := field.at("origin.longitude").number()
	if lat != 52.5 || lon != 13.4 {
		r.addUnexpected(field.at("origin"), "latitude 52.5 and longitude 13.4")
	}
	r.checkInteger(field.at("radius_meters"), 500)
}

// eachControl calls do with every control of the field.
func (c *client) eachControl(rec *recorder, do func(value)) {
	if s, ok := c.session(rec); ok {
		rec.eachItem(s.at("field_runtime.controls").list(), "controls", do)
	}
}

// selection returns the items of a control and whether they are selected.
func selection(session value, control string) map[string]bool {
	items := make(map[string]bool)
	for _, item := range byID(session.at("field_runtime.controls"), "id")[control].at("items").list() {
		items[item.at("id").str()] = item.at("selected").isTrue()
	}
	return items
}

func checkSelectedCategories(c *client, rec *recorder) {
	s, ok := c.session(rec)
	categories := selection(s, "categories")
	if !ok || len(categories) < 2 {
		rec.addProblem("%s: got %d categories, want at least 2", s.at("field_runtime.controls").path, len(categories))
		return
	}
	for id, selected := range categories {
		if !selected {
			rec.addProblem("%s: the category %s is not selected without a parameter", s.at("field_runtime.controls").path, id)
		}
	}
	ids := slices.Sorted(maps.Keys(categories))[:2]
	for _, query := range []string{"?categories=" + ids[0] + "," + ids[1], "?categories=" + ids[0] + "&categories=" + ids[1]} {
		s, ok := c.document(rec, sessionPath+query)
		if !ok {
			return
		}
		for id := range categories {
			if got, want := selection(s, "categories")[id], slices.Contains(ids, id); got != want {
				rec.addProblem("%s: the category %s: got selected %v, want %v", s.at("field_runtime.controls").path, id, got, want)
			}
		}
	}
}

// checkFollowedItems follows the items of the controls. A category is toggled, a
// radius is selected.
func checkFollowedItems(c *client, rec *recorder) {
	c.eachControl(rec, func(control value) {
		isRadius := control.at("id").str() == "radius"
		for _, item := range control.at("items").list() {
			url := item.at("action.url")
			rec.checkString(item.at("action.method"), "GET")
			rec.checkWorldURL(url)
			if item.at("action.method").str() != "GET" || !isWorldURL(url.str()) {
				continue
			}
			s, ok := c.prefetch(url.str()).object(rec)
			got, found := selection(s, control.at("id").str())[item.at("id").str()]
			want := isRadius || !item.at("selected").isTrue()
			if ok && (!found || got != want) {
				rec.addProblem("%s: after following it, the item is selected: %v, want %v", url.path, got, want)
			}
		}
	})
}
