package harness

import (
	"maps"
	"math"
	"slices"
)

var fieldChecks = []check{
	{"W-63 W-65 W-69 W-90 W-91 W-92", "the field has its fields, and no origin without a location", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		v := s.at("field_runtime")
		rec.shape(v, "contract object", "origin null", "radius_meters integer", "field_width integer", "controls array", "objects array", "source object")
		rec.contract(v, "service.field.runtime", 2)
		rec.number(v.at("radius_meters"), 1000)
		if n := len(v.at("objects").list()); n > 0 {
			rec.problem("%s: got %d objects, want none without a location", v.at("objects").path, n)
		}
		if v.at("field_width").integer() <= 0 {
			rec.unexpected(v.at("field_width"), "a positive integer")
		}
		if n := len(v.at("controls").list()); n < 2 {
			rec.problem("%s: got %d controls, want at least 2", v.at("controls").path, n)
		}
		c.fits(rec, v, "service.field.runtime", 2)
	}},
	{"W-66 W-91", "the field has the location and the radius of the request", func(c *client, rec *recorder) {
		if s, ok := c.document(rec, sessionPath+atLocation); ok {
			rec.isAtLocation(s.at("field_runtime"))
		}
	}},
	{"W-93", "every control of the field has its fields", func(c *client, rec *recorder) {
		c.eachControl(rec, func(v value) {
			rec.shape(v, "id text", "type text", "label text", "summary string", "items array")
			for _, item := range v.at("items").list() {
				rec.shape(item, "id text", "label text", "selected boolean", "action object")
				rec.shape(item.at("action"), "id text", "type text", "method text", "url text")
			}
		})
	}},
	{"W-67 W-68", "all categories are selected, or those of the request", selectedCategories},
	{"W-94", "following an item of a control selects it", followedItems},
	{"W-95 W-96 W-97", "every object of the field has its fields", fieldObjects},
	{"W-100", "the source of the field is not an address", func(c *client, rec *recorder) {
		if s, ok := c.session(rec); ok {
			rec.noAddresses(s.at("field_runtime.source"))
		}
	}},
}

// atLocation is a query with a location and a radius.
const atLocation = "?lat=52.5&lon=13.4&radius=500"

// isAtLocation checks that a field has the location and the radius of
// atLocation.
func (r *recorder) isAtLocation(field value) {
	lat, _ := field.at("origin.latitude").number()
	lon, _ := field.at("origin.longitude").number()
	if lat != 52.5 || lon != 13.4 {
		r.unexpected(field.at("origin"), "latitude 52.5 and longitude 13.4")
	}
	r.number(field.at("radius_meters"), 500)
}

// eachControl calls do with every control of the field.
func (c *client) eachControl(rec *recorder, do func(value)) {
	if s, ok := c.session(rec); ok {
		rec.each(s.at("field_runtime.controls").list(), "controls", do)
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

func selectedCategories(c *client, rec *recorder) {
	s, ok := c.session(rec)
	all := selection(s, "categories")
	if !ok || len(all) < 2 {
		rec.problem("%s: got %d categories, want at least 2", s.at("field_runtime.controls").path, len(all))
		return
	}
	for id, selected := range all {
		if !selected {
			rec.problem("%s: the category %s is not selected without a parameter", s.at("field_runtime.controls").path, id)
		}
	}
	ids := slices.Sorted(maps.Keys(all))[:2]
	for _, query := range []string{"?categories=" + ids[0] + "," + ids[1], "?categories=" + ids[0] + "&categories=" + ids[1]} {
		s, ok := c.document(rec, sessionPath+query)
		if !ok {
			return
		}
		for id := range all {
			if got, want := selection(s, "categories")[id], slices.Contains(ids, id); got != want {
				rec.problem("%s: the category %s: got selected %v, want %v", s.at("field_runtime.controls").path, id, got, want)
			}
		}
	}
}

// followedItems follows the items of the controls. A category is toggled, a
// radius is selected.
func followedItems(c *client, rec *recorder) {
	c.eachControl(rec, func(control value) {
		isRadius := control.at("id").str() == "radius"
		for _, item := range control.at("items").list() {
			url := item.at("action.url")
			rec.equal(item.at("action.method"), "GET")
			rec.worldURL(url)
			if item.at("action.method").str() != "GET" || !isWorldURL(url.str()) {
				continue
			}
			s, ok := c.prefetch(url.str()).object(rec)
			got, found := selection(s, control.at("id").str())[item.at("id").str()]
			want := isRadius || !item.at("selected").isTrue()
			if ok && (!found || got != want) {
				rec.problem("%s: after following it, the item is selected: %v, want %v", url.path, got, want)
			}
		}
	})
}

// fieldObjects checks the objects around some locations. It does not apply to a
// World whose map has none there.
func fieldObjects(c *client, rec *recorder) {
	var objects []value
	radius := 0.0
	for _, location := range []string{"lat=52.5&lon=13.4", "lat=51.5&lon=-0.12", "lat=0&lon=0"} {
		s, ok := c.document(rec, sessionPath+"?radius=5000&"+location)
		if !ok {
			return
		}
		radius, _ = s.at("field_runtime.radius_meters").number()
		objects = append(objects, s.at("field_runtime.objects").list()...)
	}
	rec.each(objects, "places around the locations that were tried", func(o value) {
		rec.shape(o, "id text", "type text", "category text", "title text", "summary string", "presentation object", "location object", "actions array", "attribution object")
		rec.equal(o.at("type"), "place")
		rec.shape(o.at("location"), "latitude number", "longitude number", "distance number", "bearing number", "offset_x number", "offset_y number")
		if d, _ := o.at("location.distance").number(); d < 0 || d > math.Ceil(radius) {
			rec.unexpected(o.at("location.distance"), "0 to %v metres", radius)
		}
		if b, _ := o.at("location.bearing").number(); b < 0 || b >= 360 {
			rec.unexpected(o.at("location.bearing"), "0 to 359 degrees")
		}
		rec.shape(o.at("attribution"), "label text", "url string", "required boolean")
	})
}
