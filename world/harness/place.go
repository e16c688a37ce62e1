package harness

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
)

// fieldSessions returns sessions around positions where World may have places: the
// center of its map, and some others. It reports false if one cannot be read.
func (c *client) fieldSessions(rec *recorder) (sessions []value, ok bool) {
	s, ok := c.session(rec)
	if !ok {
		return nil, false
	}
	center := s.at("field_runtime.map.viewport.center")
	locations := []string{"lat=52.5&lon=13.4", "lat=51.5&lon=-0.12", "lat=0&lon=0"}
	if center.is("object") {
		locations = append(locations, fmt.Sprintf("lat=%v&lon=%v", center.at("latitude").v, center.at("longitude").v))
	}
	for _, location := range locations {
		if s, ok = c.document(rec, sessionPath+"?radius=10000&"+location); !ok {
			return nil, false
		}
		sessions = append(sessions, s)
	}
	return sessions, true
}

// checkFieldObjects checks the places around some positions. It does not apply if
// World has no places there.
func checkFieldObjects(c *client, rec *recorder) {
	sessions, ok := c.fieldSessions(rec)
	if !ok {
		return
	}
	var objects []value
	for _, s := range sessions {
		list := s.at("field_runtime.objects").list()
		objects = append(objects, list...)
		if !slices.IsSortedFunc(list, func(a, b value) int {
			x, _ := a.at("location.distance").number()
			y, _ := b.at("location.distance").number()
			return int(math.Ceil(x) - math.Ceil(y))
		}) {
			rec.addProblem("%s: got objects that are not ordered by distance", s.at("field_runtime.objects").path)
		}
	}
	rec.eachItem(objects, "places around the positions that were tried", func(o value) {
		rec.checkShape(o, "id text", "type text", "category text", "title text", "summary string", "presentation object", "location object", "actions array",
			"attribution object", "open_now boolean|null", "next_change text|null", "opening_hours object|null")
		rec.checkString(o.at("type"), "place")
		rec.checkShape(o.at("location"), "latitude number", "longitude number", "distance number", "bearing number", "offset_x number", "offset_y number")
		if d, _ := o.at("location.distance").number(); d < 0 || d > 10000 {
			rec.addUnexpected(o.at("location.distance"), "0 to 10000 metres")
		}
		if b, _ := o.at("location.bearing").number(); b < 0 || b >= 360 {
			rec.addUnexpected(o.at("location.bearing"), "0 to 359 degrees")
		}
		if o.at("next_change").is("text") && !o.at("open_now").is("boolean") {
			rec.addProblem("%s: got a next change without open_now", label(o, "title"))
		}
		rec.checkShape(o.at("attribution"), "label text", "url string", "required boolean")
		for _, a := range o.at("actions").list() {
			rec.checkShape(a, "id text", "label text", "type text", "method text", "url text")
			rec.checkString(a.at("type"), "open_place")
			rec.checkWorldURL(a.at("url"))
		}
	})
}

// checkPlaceIDs reads the places of a field twice, the second time in a smaller field.
func checkPlaceIDs(c *client, rec *recorder) {
	sessions, ok := c.fieldSessions(rec)
	if !ok {
		return
	}
	var compared []value
	for _, s := range sessions {
		field := s.at("field_runtime")
		titles := make(map[string]string)
		for _, o := range field.at("objects").list() {
			titles[o.at("id").str()] = o.at("title").str()
		}
		query := fmt.Sprintf("?radius=5000&lat=%v&lon=%v", field.at("origin.latitude").v, field.at("origin.longitude").v)
		near, ok := c.document(rec, sessionPath+query)
		if !ok {
			return
		}
		for _, o := range near.at("field_runtime.objects").list() {
			if title, found := titles[o.at("id").str()]; !found || title != o.at("title").str() {
				rec.addProblem("%s: got the id %v, which the place does not have in a larger field", label(o, "title"), o.at("id"))
			}
			compared = append(compared, o)
		}
	}
	rec.eachItem(compared, "places around the positions that were tried", func(value) {})
}

// checkEmptyField checks that exactly the empty fields have a fallback.
func checkEmptyField(c *client, rec *recorder) {
	for _, location := range []string{"", "?lat=0&lon=0", "?lat=52.5&lon=13.4&categories="} {
		d, ok := c.document(rec, runtimePath+location)
		if !ok {
			return
		}
		explained := 0
		for _, f := range d.at("fallbacks").list() {
			if f.at("scope.section").str() == "field.objects" && f.at("state").str() != "degraded" {
				explained++
			}
		}
		if n := len(d.at("field.objects").list()); (n == 0) != (explained == 1) {
			rec.addProblem("%s: got %d places and %d fallbacks", d.at("field.objects").path, n, explained)
		}
		if n := len(d.at("field.objects").list()); n > 0 && location != "?lat=0&lon=0" {
			rec.addProblem("%s: got %d places without a position or a category", d.at("field.objects").path, n)
		}
	}
}

func checkFieldMap(c *client, rec *recorder) {
	s, ok := c.session(rec)
	if !ok {
		return
	}
	m := s.at("field_runtime.map")
	rec.checkContract(m, "service.map.runtime", 1)
	rec.checkShape(m, "contract object", "viewport object", "layers array", "markers array", "attribution array")
	rec.checkShape(m.at("viewport"), "center object", "zoom integer")
	rec.checkShape(m.at("viewport.center"), "latitude number", "longitude number")
	c.checkSchema(rec, m, "service.map.runtime", 1)
	for _, a := range m.at("attribution").list() {
		rec.checkShape(a, "label text", "url string", "required boolean")
	}
	rec.eachItem(m.at("layers").list(), "layers", func(l value) {
		rec.checkShape(l, "id text", "type text", "url_template text", "tile_size integer", "min_zoom integer", "max_zoom integer", "attribution array")
		templates := []value{l.at("url_template")}
		for _, v := range l.at("variants").fields() {
			templates = append(templates, v)
		}
		for _, t := range templates {
			u, err := url.Parse(t.str())
			isDirect := err == nil && u.Scheme == "https" && u.Host != ""
			if !strings.HasPrefix(t.str(), "/world/maps/tiles/") && !isDirect {
				rec.addUnexpected(t, "a path below /world/maps/tiles/ or an https URL")
			}
			for _, variable := range []string{"{z}", "{x}", "{y}"} {
				if !strings.Contains(t.str(), variable) {
					rec.addUnexpected(t, "%s in the template", variable)
				}
			}
			if isDirect && !slices.ContainsFunc(l.at("attribution").list(), func(a value) bool { return a.at("required").isTrue() }) {
				rec.addProblem("%s: got no required attribution for a layer of another server", label(l, "id"))
			}
		}
	})
}

// providerFields are keys of the responses of Nominatim and Photon and of map files.
var providerFields = []string{
	"osm_id", "osm_type", "osm_key", "osm_value", "licence", "boundingbox", "place_rank", "addresstype", "namedetails", "extratags", "addressdetails", "countrycode",
}

func checkProviderKeys(c *client, rec *recorder) {
	documents, ok := c.fieldSessions(rec)
	if d, found := c.dataset(rec); found {
		documents = append(documents, d)
	}
	if !ok {
		return
	}
	for _, d := range documents {
		for key, v := range d.all() {
			if slices.Contains(providerFields, key) {
				rec.addProblem("%s: got a key of a provider of places", v.path)
			}
		}
	}
}

// checkFieldActions follows the actions of the field with values of their controls.
func checkFieldActions(c *client, rec *recorder) {
	s, ok := c.session(rec)
	if !ok {
		return
	}
	actions := make(map[string]value)
	for _, a := range s.at("field_runtime.actions").list() {
		rec.checkShape(a, "id text", "label text", "type text", "method text", "url text", "body object", "controls array")
		rec.checkString(a.at("method"), "GET")
		rec.checkWorldURL(a.at("url"))
		actions[a.at("type").str()] = a
	}
	follow := func(kind string, input map[string]string) (value, bool) {
		a := actions[kind]
		query := make(url.Values)
		for name, v := range a.at("body").fields() {
			query.Set(name, fmt.Sprint(v.v))
		}
		for _, control := range a.at("controls").list() {
			if text, given := input[control.at("id").str()]; given {
				query.Set(control.at("id").str(), text)
			} else if control.at("required").isTrue() {
				rec.addProblem("%s: got the required control %v", a.path, control.at("id"))
			}
		}
		if !isWorldURL(a.at("url").str()) {
			rec.addProblem("%s: got no action %s", s.at("field_runtime.actions").path, kind)
			return value{}, false
		}
		return c.document(rec, a.at("url").str()+"?"+query.Encode())
	}
	if moved, ok := follow("set_field_origin", map[string]string{"lat": "52.5", "lon": "13.4", "radius": "500"}); ok {
		rec.checkLocation(moved.at("field_runtime"))
	}
	if area, ok := follow("read_field_area", map[string]string{"south": "-85", "west": "-180", "north": "85", "east": "180"}); ok {
		rec.checkShape(area, "contract object", "bounds object", "count integer", "objects array", "clusters array", "attribution array")
		total := len(area.at("objects").list())
		for _, cluster := range area.at("clusters").list() {
			rec.checkShape(cluster, "count integer", "latitude number", "longitude number", "bounds object")
			total += cluster.at("count").integer()
		}
		rec.checkInteger(area.at("count"), total)
		c.checkSchema(rec, area, "service.field.area", 1)
	}
}
