package world

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// chosen spells what is chosen of a field.
func chosen(controls []any) string {
	var all []string
	for _, control := range controls {
		var items []string
		for _, item := range apptest.At(control, "items").([]any) {
			if apptest.At(item, "selected") == true {
				items = append(items, apptest.At(item, "id").(string))
			}
		}
		all = append(all, fmt.Sprintf("%v %v: %s (%v)", apptest.At(control, "id"), apptest.At(control, "type"), strings.Join(items, " "), apptest.At(control, "summary")))
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
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
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
		session, dataset := ann.Session(query), ann.Do("GET", "/world/runtime"+query).Want(200)
		for at, a := range map[string]*apptest.Answer{"field_runtime": session, "field": dataset} {
			got := fmt.Sprint(a.At(at+".origin"), " ", a.At(at+".radius_meters"), " ", chosen(a.List(at+".controls")))
			if got != want {
				t.Errorf("%s says %s, want %s", a.About, got, want)
			}
			if n := len(a.List(at + ".objects")); n != 0 {
				t.Errorf("%s has %d places out of nothing", a.About, n)
			}
		}
		apptest.CheckDataset(t, dataset)
	}
	a := ann.Session("?lat=52.5&lon=13.4")
	got := fmt.Sprint(a.Str("field_runtime.contract.name"), " ", a.At("field_runtime.contract.version"), " ", a.At("field_runtime.field_width"), a.At("field_runtime.source"))
	if got != "service.field.runtime 2 1000 map[message:This service is not part of this server. service:maps status:unavailable]" {
		t.Errorf("the field is %s", got)
	}
	for query, field := range map[string]string{
		"?lat=200&lon=1": "lat", "?lat=0x1p4&lon=1": "lat", "?lat=1&lon=1_0": "lon", "?lat=1": "lon", "?lon=1": "lat", "?lat=abc&lon=1": "lat", "?lat=1&lon=NaN": "lon", "?lat=1&lon=181": "lon",
		"?radius=far": "radius", "?radius=1.5": "radius", "?radius=": "radius", "?accuracy=-1": "accuracy", "?caps=" + strings.Repeat("x", 1025): "caps",
	} {
		for _, path := range []string{apptest.SessionPath, "/world/runtime", "/world/translated"} {
			ann.Do("GET", path+query).WantError(400, "invalid_parameter").WantFields(field)
		}
	}
}

// state is what a field is without the addresses in it.
func state(field any) string {
	return fmt.Sprint(apptest.At(field, "origin"), apptest.At(field, "radius_meters"), chosen(apptest.At(field, "controls").([]any)))
}

// Whoever follows the action of an item is where the item says, and nothing
// else has changed: in the session, the dataset and what is translated. Covers
// W-94, B-22 and B-30.
func TestChoosingInTheField(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann").Runtime()
	for _, path := range []string{apptest.SessionPath, "/world/runtime", "/world/translated"} {
		at := map[bool]string{true: "field_runtime", false: "field"}[path == apptest.SessionPath]
		for _, query := range []string{"", "?lat=52.5&lon=-13.25&radius=700&categories=food,parks&caps=objects+field.list", "?categories=&radius=250", "?categories=food"} {
			a := ann.Do("GET", path+query).Want(200)
			actions := make(map[any]string)
			if path != apptest.SessionPath {
				for _, action := range a.List("actions") {
					if apptest.At(action, "availability") != "enabled" && strings.HasPrefix(apptest.At(action, "type").(string), "set_field") {
						t.Errorf("%v is %v", apptest.At(action, "action_id"), apptest.At(action, "availability"))
					}
					actions[apptest.At(action, "action_id")] = apptest.At(action, "command.url").(string)
				}
			}
			for c, control := range a.List(at + ".controls") {
				for i, item := range apptest.At(control, "items").([]any) {
					url := actions[apptest.At(item, "action_id")]
					if path == apptest.SessionPath {
						url = apptest.At(item, "action.url").(string)
						if apptest.At(item, "action.method") != "GET" {
							t.Errorf("%v is chosen by %v", apptest.At(item, "id"), apptest.At(item, "action"))
						}
					}
					if !strings.HasPrefix(url, path+"?") {
						t.Fatalf("%v of %s leads to %q", apptest.At(item, "id"), path, url)
					}
					next := ann.Do("GET", url).Want(200)
					where := fmt.Sprintf("%s.controls.%d.items.%d.selected", at, c, i)
					toggles := apptest.At(control, "type") == "toggle_group"
					if want := !toggles || apptest.At(item, "selected") == false; next.At(where) != want {
						t.Errorf("%s: %v is selected: %v", next.About, apptest.At(item, "id"), next.At(where))
					}
					if fmt.Sprint(next.At("capabilities")) != fmt.Sprint(a.At("capabilities")) {
						t.Errorf("%s: %v, after %v", next.About, next.At("capabilities"), a.At("capabilities"))
					}
					// And back again.
					back := fmt.Sprintf("%s.controls.%d.items.%d.", at, c, i)
					if !toggles {
						continue
					}
					home := next.Str(back + "action.url")
					if path != apptest.SessionPath {
						for _, action := range next.List("actions") {
							if apptest.At(action, "action_id") == apptest.At(item, "action_id") {
								home = apptest.At(action, "command.url").(string)
							}
						}
					}
					if got := ann.Do("GET", home).Want(200); state(got.At(at)) != state(a.At(at)) {
						t.Errorf("%s: there and back again is %s, not %s", got.About, state(got.At(at)), state(a.At(at)))
					}
				}
			}
		}
	}
	// A dataset without the field does without its actions too.
	part := ann.Do("GET", "/world/runtime?sections=objects,actions").Want(200)
	if len(part.List("field.controls")) != 0 || strings.Contains(part.Body, "set_field") {
		t.Error("a field that nobody asked for can be chosen from")
	}
	only := ann.Do("GET", "/world/runtime?sections=field,actions,contexts").Want(200)
	for _, c := range only.List("contexts") {
		if apptest.At(c, "context_id") == "ctx_field" && len(apptest.At(c, "action_ids").([]any)) != 15 {
			t.Errorf("the context of the field has %v", apptest.At(c, "action_ids"))
		}
	}
	for _, action := range only.List("actions") {
		url := apptest.At(action, "command.url").(string)
		if strings.HasPrefix(apptest.At(action, "type").(string), "set_field") && !strings.HasSuffix(url, "&sections=contexts,actions,field") {
			t.Errorf("following %s brings other sections", url)
		}
	}
}
