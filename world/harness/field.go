package harness

import (
	"math"
	"slices"
)

var fieldChecks = []check{
	{"W-63 W-65 W-69 W-90 W-91 W-92", "the field has its fields, and is nowhere without a location", func(p *probe, f *findings) {
		s, ok := p.session(f)
		if !ok {
			return
		}
		v := s.at("field_runtime")
		f.shape(v, "contract object", "origin null", "radius_meters integer", "field_width integer", "controls array", "objects array", "source object")
		p.contract(f, v, "service.field.runtime", 2)
		if v.at("radius_meters").integer() != 1000 {
			f.add("%s is %v without a radius", v.at("radius_meters").path, v.at("radius_meters"))
		}
		if len(v.at("objects").list()) > 0 || v.at("field_width").integer() <= 0 {
			f.add("there are %d objects, the width is %v", len(v.at("objects").list()), v.at("field_width"))
		}
		if len(v.at("controls").list()) < 2 {
			f.add("there are %d controls", len(v.at("controls").list()))
		}
		p.fits(f, v, "the field", "service.field.runtime", 2)
	}},
	{"W-66 W-91", "location and radius are the field's", func(p *probe, f *findings) {
		if s, ok := p.document(f, sessionPath+somewhere); ok {
			f.somewhere(s.at("field_runtime"))
		}
	}},
	{"W-93", "every control has its fields", func(p *probe, f *findings) {
		p.controls(f, func(c value) {
			f.shape(c, "id text", "type text", "label text", "summary string", "items array")
			for _, item := range c.at("items").list() {
				f.shape(item, "id text", "label text", "selected boolean", "action object")
				f.shape(item.at("action"), "id text", "type text", "method text", "url text")
			}
		})
	}},
	{"W-67 W-68", "all categories are chosen, or those that one names", func(p *probe, f *findings) {
		s, ok := p.session(f)
		all := choices(s, "categories")
		if !ok || len(all) < 2 {
			f.add("there are %d categories", len(all))
			return
		}
		for id, selected := range all {
			if !selected {
				f.add("the category %s is not chosen by itself", id)
			}
		}
		ids := slices.Sorted(keysOf(all))[:2]
		one, ok := p.document(f, sessionPath+"?categories="+ids[0]+","+ids[1])
		two, is := p.document(f, sessionPath+"?categories="+ids[0]+"&categories="+ids[1])
		if !ok || !is {
			return
		}
		for id := range all {
			if want := slices.Contains(ids, id); choices(one, "categories")[id] != want || choices(two, "categories")[id] != want {
				f.add("with the categories %q, %s is chosen: %v; named one by one: %v", ids, id, choices(one, "categories")[id], choices(two, "categories")[id])
			}
		}
	}},
	{"W-94", "following a choice makes it", func(p *probe, f *findings) {
		p.controls(f, func(c value) {
			radius := c.at("id").str() == "radius"
			for _, item := range c.at("items").list() {
				url := item.at("action.url")
				if item.at("action.method").str() != "GET" || !isWorldURL(url.str()) {
					f.add("%s is %v %v", url.path, item.at("action.method"), url)
					continue
				}
				s, ok := p.ahead(url.str()).object(f)
				now, there := choices(s, c.at("id").str())[item.at("id").str()]
				if was := item.at("selected").v == true; ok && (!there || now == was && !radius || radius && !now) {
					f.add("after following %s the choice %s is chosen: %v, before it was: %v", c.at("id"), item.at("id"), now, was)
				}
			}
		})
	}},
	{"W-95 W-96 W-97", "every object of the field has its fields", fieldObjects},
	{"W-100", "the field's source is no address", func(p *probe, f *findings) {
		if s, ok := p.session(f); ok {
			noAddresses(f, s.at("field_runtime.source"))
		}
	}},
}

// somewhere asks for a field that is around a place.
const somewhere = "?lat=52.5&lon=13.4&radius=500"

// somewhere checks that a field is around that place.
func (f *findings) somewhere(field value) {
	lat, _ := field.at("origin.latitude").num()
	lon, _ := field.at("origin.longitude").num()
	if lat != 52.5 || lon != 13.4 || field.at("radius_meters").integer() != 500 {
		f.add("the field is around %v with %v meters", field.at("origin"), field.at("radius_meters"))
	}
}

// controls calls do for each control of the field.
func (p *probe) controls(f *findings, do func(value)) {
	if s, ok := p.session(f); ok {
		f.items(s.at("field_runtime.controls").list(), "controls", do)
	}
}

// choices returns the items of a control, and whether each is chosen.
func choices(session value, control string) map[string]bool {
	list := make(map[string]bool)
	for _, item := range byID(session.at("field_runtime.controls"), "id")[control].at("items").list() {
		list[item.at("id").str()] = item.at("selected").v == true
	}
	return list
}

func keysOf(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// fieldObjects checks what is around some places. A World whose map is empty
// there has nothing to check.
func fieldObjects(p *probe, f *findings) {
	var found []value
	radius := 0.0
	for _, place := range []string{"lat=52.5&lon=13.4", "lat=51.5&lon=-0.12", "lat=0&lon=0"} {
		s, ok := p.document(f, sessionPath+"?radius=5000&"+place)
		if !ok {
			return
		}
		radius, _ = s.at("field_runtime.radius_meters").num()
		found = append(found, s.at("field_runtime.objects").list()...)
	}
	f.items(found, "places where it looked", func(o value) {
		f.shape(o, "id text", "type text", "category text", "title text", "summary string", "presentation object", "location object", "actions array", "attribution object")
		f.equal(o.at("type"), "place")
		f.shape(o.at("location"), "latitude number", "longitude number", "distance number", "bearing number", "offset_x number", "offset_y number")
		if d, _ := o.at("location.distance").num(); d < 0 || d > math.Ceil(radius) {
			f.add("%s is %v meters away", where(o, "title"), o.at("location.distance"))
		}
		if b, _ := o.at("location.bearing").num(); b < 0 || b >= 360 {
			f.add("%s is at %v degrees", where(o, "title"), o.at("location.bearing"))
		}
		f.shape(o.at("attribution"), "label text", "url string", "required boolean")
	})
}
