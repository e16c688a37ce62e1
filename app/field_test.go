package app

import (
	"fmt"
	"strings"
	"testing"
)

// chosen spells what is chosen of a field.
func chosen(controls []any) string {
	var all []string
	for _, control := range controls {
		var items []string
		for _, item := range dig(control, "items").([]any) {
			if dig(item, "selected") == true {
				items = append(items, dig(item, "id").(string))
			}
		}
		all = append(all, fmt.Sprintf("%v %v: %s (%v)", dig(control, "id"), dig(control, "type"), strings.Join(items, " "), dig(control, "summary")))
	}
	return strings.Join(all, "; ")
}

const (
	everyCategory = "categories toggle_group: food coffee groceries shops services health transit parks culture lodging (10 of 10)"
	foodAndCoffee = "categories toggle_group: food coffee (2 of 10)"
	usualRadius   = "radius selector: 1000 (1000 m)"
)

// What is asked of the field is what is answered, in the session and in the
// dataset. Covers W-45, W-46, W-47, W-65, W-66, W-67, W-68, W-69, W-90, W-91,
// W-92, W-93, W-100, L-03, B-05, B-22 and B-30.
func TestField(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	for query, want := range map[string]string{
		"":                                     "<nil> 1000 " + everyCategory + "; " + usualRadius,
		"?categories=food,coffee":              "<nil> 1000 " + foodAndCoffee + "; " + usualRadius,
		"?categories=coffee&categories=food":   "<nil> 1000 " + foodAndCoffee + "; " + usualRadius,
		"?categories=moon,food,+coffee,,food":  "<nil> 1000 " + foodAndCoffee + "; " + usualRadius,
		"?categories=":                         "<nil> 1000 categories toggle_group:  (0 of 10); " + usualRadius,
		"?categories=moon":                     "<nil> 1000 categories toggle_group:  (0 of 10); " + usualRadius,
		"?radius=500":                          "<nil> 500 " + everyCategory + "; radius selector: 500 (500 m)",
		"?radius=700":                          "<nil> 700 " + everyCategory + "; radius selector:  (700 m)",
		"?radius=1":                            "<nil> 50 " + everyCategory + "; radius selector:  (50 m)",
		"?radius=-5&lat=52.5&lon=13.4":         "map[latitude:52.5 longitude:13.4] 50 " + everyCategory + "; radius selector:  (50 m)",
		"?radius=2147483647&lat=-90&lon=180":   "map[latitude:-90 longitude:180] 10000 " + everyCategory + "; radius selector:  (10000 m)",
		"?lat=1e-7&lon=-0.0000001&radius=5000": "map[latitude:1e-07 longitude:-1e-07] 5000 " + everyCategory + "; radius selector: 5000 (5000 m)",
	} {
		session, dataset := ann.session(query), ann.do("GET", "/world/runtime"+query).want(200)
		for at, a := range map[string]*answer{"field_runtime": session, "field": dataset} {
			got := fmt.Sprint(a.at(at+".origin"), " ", a.at(at+".radius_meters"), " ", chosen(a.list(at+".controls")))
			if got != want {
				t.Errorf("%s says %s, want %s", a.about, got, want)
			}
			if n := len(a.list(at + ".objects")); n != 0 {
				t.Errorf("%s has %d places out of nothing", a.about, n)
			}
		}
		checkDataset(t, dataset)
	}
	a := ann.session("?lat=52.5&lon=13.4")
	got := fmt.Sprint(a.str("field_runtime.contract.name"), " ", a.at("field_runtime.contract.version"), " ", a.at("field_runtime.field_width"), a.at("field_runtime.source"))
	if got != "service.field.runtime 2 1000 map[message:This is not part of the server. service:maps status:unavailable]" {
		t.Errorf("the field is %s", got)
	}
	for query, field := range map[string]string{
		"?lat=200&lon=1": "lat", "?lat=0x1p4&lon=1": "lat", "?lat=1&lon=1_0": "lon", "?lat=1": "lon", "?lon=1": "lat", "?lat=abc&lon=1": "lat", "?lat=1&lon=NaN": "lon", "?lat=1&lon=181": "lon",
		"?radius=far": "radius", "?radius=1.5": "radius", "?radius=": "radius", "?accuracy=-1": "accuracy", "?caps=" + strings.Repeat("x", 1025): "caps",
	} {
		for _, path := range []string{sessionPath, "/world/runtime", "/world/translated"} {
			ann.do("GET", path+query).refused(400, "invalid_parameter").names(field)
		}
	}
}

// state is what a field is without the addresses in it.
func state(field any) string {
	return fmt.Sprint(dig(field, "origin"), dig(field, "radius_meters"), chosen(dig(field, "controls").([]any)))
}

// Whoever follows the action of an item is where the item says, and nothing
// else has changed: in the session, the dataset and what is translated. Covers
// W-94, B-22 and B-30.
func TestChoosingInTheField(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann").runtime()
	for _, path := range []string{sessionPath, "/world/runtime", "/world/translated"} {
		at := map[bool]string{true: "field_runtime", false: "field"}[path == sessionPath]
		for _, query := range []string{"", "?lat=52.5&lon=-13.25&radius=700&categories=food,parks&caps=objects+field.list", "?categories=&radius=250", "?categories=food"} {
			a := ann.do("GET", path+query).want(200)
			actions := make(map[any]string)
			if path != sessionPath {
				for _, action := range a.list("actions") {
					if dig(action, "availability") != "enabled" && strings.HasPrefix(dig(action, "type").(string), "set_field") {
						t.Errorf("%v is %v", dig(action, "action_id"), dig(action, "availability"))
					}
					actions[dig(action, "action_id")] = dig(action, "command.url").(string)
				}
			}
			for c, control := range a.list(at + ".controls") {
				for i, item := range dig(control, "items").([]any) {
					url := actions[dig(item, "action_id")]
					if path == sessionPath {
						url = dig(item, "action.url").(string)
						if dig(item, "action.method") != "GET" {
							t.Errorf("%v is chosen by %v", dig(item, "id"), dig(item, "action"))
						}
					}
					if !strings.HasPrefix(url, path+"?") {
						t.Fatalf("%v of %s leads to %q", dig(item, "id"), path, url)
					}
					next := ann.do("GET", url).want(200)
					where := fmt.Sprintf("%s.controls.%d.items.%d.selected", at, c, i)
					toggles := dig(control, "type") == "toggle_group"
					if want := !toggles || dig(item, "selected") == false; next.at(where) != want {
						t.Errorf("%s: %v is selected: %v", next.about, dig(item, "id"), next.at(where))
					}
					if fmt.Sprint(next.at("capabilities")) != fmt.Sprint(a.at("capabilities")) {
						t.Errorf("%s: %v, after %v", next.about, next.at("capabilities"), a.at("capabilities"))
					}
					// And back again.
					back := fmt.Sprintf("%s.controls.%d.items.%d.", at, c, i)
					if !toggles {
						continue
					}
					home := next.str(back + "action.url")
					if path != sessionPath {
						for _, action := range next.list("actions") {
							if dig(action, "action_id") == dig(item, "action_id") {
								home = dig(action, "command.url").(string)
							}
						}
					}
					if got := ann.do("GET", home).want(200); state(got.at(at)) != state(a.at(at)) {
						t.Errorf("%s: there and back again is %s, not %s", got.about, state(got.at(at)), state(a.at(at)))
					}
				}
			}
		}
	}
	// A dataset without the field does without its actions too.
	part := ann.do("GET", "/world/runtime?sections=objects,actions").want(200)
	if len(part.list("field.controls")) != 0 || strings.Contains(part.body, "set_field") {
		t.Error("a field that nobody asked for can be chosen from")
	}
	only := ann.do("GET", "/world/runtime?sections=field,actions,contexts").want(200)
	for _, c := range only.list("contexts") {
		if dig(c, "context_id") == "ctx_field" && len(dig(c, "action_ids").([]any)) != 15 {
			t.Errorf("the context of the field has %v", dig(c, "action_ids"))
		}
	}
	for _, action := range only.list("actions") {
		url := dig(action, "command.url").(string)
		if strings.HasPrefix(dig(action, "type").(string), "set_field") && !strings.HasSuffix(url, "&sections=contexts,actions,field") {
			t.Errorf("following %s brings other sections", url)
		}
	}
}
