package world

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// formatControls formats the selected items and the summary of each control.
func formatControls(controls []any) string {
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

// formatField formats the origin, the radius and the selected items of a field.
func formatField(field any) string {
	return fmt.Sprint(apptest.At(field, "origin"), " ", apptest.At(field, "radius_meters"), " ", formatControls(apptest.At(field, "controls").([]any)))
}

const (
	allCategories = "categories toggle_group: food coffee groceries shops services health transit parks culture lodging (10 of 10)"
	foodAndCoffee = "categories toggle_group: food coffee (2 of 10)"
	defaultRadius = "radius selector: 1000 (1000 m)"
)

// Covers W-45, W-46, W-65, W-66, W-67, W-68, W-69, W-91, W-92, W-93, B-05, B-22 and
// B-30.
func TestFieldHasTheLocationRadiusAndCategoriesOfTheRequest(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	for query, want := range map[string]string{
		"":                                     "<nil> 1000 " + allCategories + "; " + defaultRadius,
		"?categories=food,coffee":              "<nil> 1000 " + foodAndCoffee + "; " + defaultRadius,
		"?categories=coffee&categories=food":   "<nil> 1000 " + foodAndCoffee + "; " + defaultRadius,
		"?categories=moon,food,+coffee,,food":  "<nil> 1000 " + foodAndCoffee + "; " + defaultRadius,
		"?categories=":                         "<nil> 1000 categories toggle_group:  (0 of 10); " + defaultRadius,
		"?categories=moon":                     "<nil> 1000 categories toggle_group:  (0 of 10); " + defaultRadius,
		"?radius=500":                          "<nil> 500 " + allCategories + "; radius selector: 500 (500 m)",
		"?radius=700":                          "<nil> 700 " + allCategories + "; radius selector:  (700 m)",
		"?radius=1":                            "<nil> 50 " + allCategories + "; radius selector:  (50 m)",
		"?radius=-5&lat=52.5&lon=13.4":         "map[latitude:52.5 longitude:13.4] 50 " + allCategories + "; radius selector:  (50 m)",
		"?radius=2147483647&lat=-90&lon=180":   "map[latitude:-90 longitude:180] 10000 " + allCategories + "; radius selector:  (10000 m)",
		"?lat=1e-7&lon=-0.0000001&radius=5000": "map[latitude:1e-07 longitude:-1e-07] 5000 " + allCategories + "; radius selector: 5000 (5000 m)",
	} {
		session, dataset := ann.Session(query), ann.Do("GET", "/world/runtime"+query).Want(200)
		apptest.CheckDataset(t, dataset)
		for key, a := range map[string]*apptest.Answer{"field_runtime": session, "field": dataset} {
			if got := formatField(a.At(key)); got != want {
				t.Errorf("%s: got the field %s, want %s", a.About, got, want)
			}
			if n := len(a.List(key + ".objects")); n != 0 {
				t.Errorf("%s: got %d places, want none", a.About, n)
			}
		}
	}
}

// Covers W-90 and W-100.
func TestFieldOfTheSessionNamesItsFailedSource(t *testing.T) {
	s := apptest.New(t)
	s.Exec("ALTER TABLE maps_region RENAME TO lost")
	s.Member("ann").Session("?lat=52.5&lon=13.4").WantValues("field_runtime", map[string]any{
		"contract": "map[name:service.field.runtime version:2]", "field_width": 1000,
		"source": "map[message:This service cannot be read at the moment. Try again later. service:maps status:degraded]",
	})
}

// fieldItem is an item of a control of the field, with the URL of its action.
type fieldItem struct {
	control, item int
	id            any
	toggles       bool // whether its control is a toggle_group
	selected      bool
	url           string
}

// fieldItems returns the items of the field of an output, and the key of the
// field.
func fieldItems(a *apptest.Answer, path string) (items []fieldItem, key string) {
	a.T.Helper()
	urls := make(map[any]string)
	if key = "field_runtime"; path != apptest.SessionPath {
		key = "field"
		for _, action := range a.List("actions") {
			if kind := apptest.At(action, "type").(string); strings.HasPrefix(kind, "set_field") && kind != "set_field_origin" && apptest.At(action, "availability") != "enabled" {
				a.T.Errorf("%s: %v: got availability %v, want enabled", a.About, apptest.At(action, "action_id"), apptest.At(action, "availability"))
			}
			urls[apptest.At(action, "action_id")] = apptest.At(action, "command.url").(string)
		}
	}
	for c, control := range a.List(key + ".controls") {
		for i, item := range apptest.At(control, "items").([]any) {
			url := urls[apptest.At(item, "action_id")]
			if path == apptest.SessionPath {
				url = apptest.At(item, "action.url").(string)
				if method := apptest.At(item, "action.method"); method != "GET" {
					a.T.Errorf("%s: %v: got the method %v, want GET", a.About, apptest.At(item, "id"), method)
				}
			}
			if !strings.HasPrefix(url, path+"?") {
				a.T.Fatalf("%s: %v: got the URL %q, want one of %s", a.About, apptest.At(item, "id"), url, path)
			}
			items = append(items, fieldItem{c, i, apptest.At(item, "id"), apptest.At(control, "type") == "toggle_group", apptest.At(item, "selected") == true, url})
		}
	}
	return items, key
}

// An item of a toggle group changes only its own state: two requests for it result in the original
// field. An item of a selector becomes the selected one. Covers W-94, B-22 and B-30.
func TestFollowingAnItemOfTheFieldSelectsIt(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann").AsRuntime()
	for _, path := range outputPaths {
		for _, query := range []string{"", "?lat=52.5&lon=-13.25&radius=700&categories=food,parks&caps=objects+field.list", "?categories=&radius=250", "?categories=food"} {
			a := ann.Do("GET", path+query).Want(200)
			items, key := fieldItems(a, path)
			for n, item := range items {
				followed := ann.Do("GET", item.url).Want(200)
				next, _ := fieldItems(followed, path)
				if want := !item.toggles || !item.selected; next[n].selected != want {
					t.Errorf("%s: %v: got selected %v, want %v", followed.About, item.id, next[n].selected, want)
				}
				for _, list := range []string{"declared", "applied"} {
					if got, want := fmt.Sprint(apptest.At(followed.At("capabilities"), list)), fmt.Sprint(apptest.At(a.At("capabilities"), list)); got != want {
						t.Errorf("%s: got the capabilities %s %s, want %s", followed.About, list, got, want)
					}
				}
				if !item.toggles {
					continue
				}
				back := ann.Do("GET", next[n].url).Want(200)
				if got, want := formatField(back.At(key)), formatField(a.At(key)); got != want {
					t.Errorf("%s: after following %v twice: got the field %s, want %s", back.About, item.id, got, want)
				}
			}
		}
	}
}

// Covers B-22 and W-52.
func TestActionsOfTheFieldFollowTheRequestedSections(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	withoutField := ann.Do("GET", "/world/runtime?sections=objects,actions").Want(200)
	if n := len(withoutField.List("field.controls")); n != 0 || strings.Contains(withoutField.Body, "set_field") {
		t.Errorf("without the section field: got %d controls and the actions %v, want none of the field", n, withoutField.At("actions"))
	}
	withField := ann.Do("GET", "/world/runtime?sections=field,actions,contexts").Want(200)
	for _, c := range withField.List("contexts") {
		if n := len(apptest.At(c, "action_ids").([]any)); apptest.At(c, "context_id") == "ctx_field" && n != 16 {
			t.Errorf("the context of the field: got %d actions, want 16", n)
		}
	}
	for _, action := range withField.List("actions") {
		url, suffix := apptest.At(action, "command.url").(string), "&sections=contexts,actions,field"
		if apptest.At(action, "type") == "set_field_origin" {
			continue // its body has the sections
		}
		if strings.HasPrefix(apptest.At(action, "type").(string), "set_field") && !strings.HasSuffix(url, suffix) {
			t.Errorf("%v: got the URL %s, want one that ends in %s", apptest.At(action, "action_id"), url, suffix)
		}
	}
}

// Covers W-99 and W-152 for an empty field.
func TestFieldAndFindingsAreIndependent(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	field := func() string { return fmt.Sprint(ann.Session("?lat=38.7&lon=-9.1&radius=500").At("field_runtime")) }
	before := field()
	ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	if after := field(); after != before {
		t.Errorf("the field with findings: got %s, want %s", after, before)
	}
	got, want := ann.Do("GET", "/world/panels/find?lat=38.7&lon=-9.1&radius=500").Want(200).Body, ann.Do("GET", "/world/panels/find").Want(200).Body
	if got != want {
		t.Errorf("the panel of Find with a location: got\n%s\nwant\n%s", got, want)
	}
}

// After a change of the member's language, the field has the names in that language.
func TestFieldFollowsTheLanguage(t *testing.T) {
	s := apptest.New(t)
	s.ImportPlaces("malta", apptest.Places...)
	ann := s.Member("ann").AsRuntime()
	path := fmt.Sprintf("/world/runtime?lat=%v&lon=%v", apptest.Valletta.Latitude, apptest.Valletta.Longitude)
	for locale, want := range map[string]string{"en": "National Museum of Archaeology", "de": "Archäologisches Museum"} {
		ann.Do("PATCH", "/world/identity/me", map[string]any{"locale": locale}).Want(200)
		if field := fmt.Sprint(ann.Do("GET", path).Want(200).At("field.objects")); !strings.Contains(field, want) {
			t.Errorf("%s: got the field %s, want %q in it", locale, field, want)
		}
	}
}
