package dataset_test

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"appliance/svc"
	"appliance/svc/words"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// requestOf returns a request with a header X-Service-Runtime and a query.
func requestOf(t testing.TB, header, query string) dataset.Request {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	r, err := dataset.ParseRequest(header, values)
	if err != nil {
		t.Fatalf("%q %q: %v", header, query, err)
	}
	return r
}

// Covers W-20, W-21 and B-03.
func TestRuntimeHeaderIsParsed(t *testing.T) {
	long := strings.Repeat("x", 1024)
	for header, want := range map[string]string{
		"web/1.2": "{{web 1.2} [] true}", " web ": "{{web } [] true}", "a b c; d": "{{a b c; d } [] true}", "ünï/1": "{{ünï 1} [] true}", "!!": "{{!! } [] true}",
		`web/1; caps="`: `{{web/1; caps=" } [] true}`, long: "{{" + long + " } [] true}",
		`web/1; caps="objects  contexts objects"; datasets="x"`: "{{web 1} [objects contexts] false}",
		`web/1; caps=""`: "{{web 1} [] true}",
	} {
		rt, err := dataset.ParseRuntime(header)
		if got := fmt.Sprint(rt); got != want || err != nil {
			t.Errorf("%q: got %s, %v, want %s", header, got, err, want)
		}
	}
	for _, header := range []string{"", "  ", long + "x"} {
		_, err := dataset.ParseRuntime(header)
		worldtest.WantError(t, fmt.Sprintf("%.20q", header), err, svc.RuntimeHeaderRequired)
		_, err = dataset.ParseRequest(header, nil)
		worldtest.WantError(t, fmt.Sprintf("%.20q", header), err, svc.RuntimeHeaderRequired)
	}
}

// Covers B-05, B-30, W-46 and W-47.
func TestParametersAreParsedAndValidated(t *testing.T) {
	const every = "[food coffee groceries shops services health transit parks culture lodging]"
	for query, want := range map[string]string{
		"":                                     "<nil> 1000 " + every + " []",
		"lat=52.5&lon=13.4&accuracy=20&other=": "&{52.5 13.4} 1000 " + every + " []",
		"lat=-90&lon=180":                      "&{-90 180} 1000 " + every + " []",
		"radius=700":                           "<nil> 700 " + every + " []",
		"radius=1":                             "<nil> 50 " + every + " []",
		"radius=-5":                            "<nil> 50 " + every + " []",
		"radius=99999":                         "<nil> 10000 " + every + " []",
		"categories=moon,food,+coffee,,food":   "<nil> 1000 [food coffee] []",
		"categories=parks&categories=food":     "<nil> 1000 [food parks] []",
		"categories=":                          "<nil> 1000 [] []",
		"sections=actions,objects,moon":        "<nil> 1000 " + every + " [objects actions]",
	} {
		p := requestOf(t, "test", query).Params
		if got := fmt.Sprint(p.Origin, " ", p.Radius, " ", p.Categories, " ", p.Sections); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	for query, field := range map[string]string{
		"lat=200&lon=1": "lat", "lat=1&lon=181": "lon", "lat=1": "lon", "lon=1": "lat", "lat=abc&lon=1": "lat", "lat=NaN&lon=1": "lat",
		"lat=0x1p4&lon=1": "lat", "lat=1&lon=1_0": "lon", "radius=far": "radius", "radius=1.5": "radius", "radius=": "radius",
		"accuracy=-1": "accuracy", "caps=" + strings.Repeat("x", 1025): "caps", "caps=%FF": "caps",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dataset.ParseRequest("test", values)
		worldtest.WantError(t, fmt.Sprintf("%.20s", query), err, svc.InvalidParameter, field)
	}
}

func TestCapsOfTheQueryReplaceThoseOfTheHeader(t *testing.T) {
	rt := requestOf(t, `web; caps="objects"`, "caps=contexts,field.list").Runtime
	for capability, want := range map[string]bool{"objects": false, "contexts": true, "field.list": true} {
		if got := rt.Can(capability); got != want {
			t.Errorf("%s: got %v, want %v", capability, got, want)
		}
	}
	if rt := requestOf(t, `web; caps="objects"`, "caps=").Runtime; !rt.Generic || !rt.Can("anything") {
		t.Errorf("no capabilities: got %+v, want a generic runtime", rt)
	}
}

// Covers B-06 and X-01.
func TestSessionBodyOverridesHeaderAndQuery(t *testing.T) {
	var s dataset.SessionRequest
	worldtest.Decode(t, []byte(`{"profile": {"runtime": "harness", "capabilities": ["objects", "a b"]}, "context": {"location": {"latitude": 52.5,
		"longitude": 13.4}, "radius": 20000, "categories": ["parks", "moon"]}}`), &s)
	r, err := requestOf(t, `web/1; caps="contexts"`, "lat=1&lon=2&radius=300").With(s)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(r.Runtime, *r.Params.Origin, r.Params.Radius, r.Params.Categories, r.Contract)
	if want := "{{harness } [objects a b] false} {52.5 13.4} 10000 [parks] {service.world.dataset 1}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r, err = requestOf(t, "web/1", "lat=1&lon=2&radius=300").With(dataset.SessionRequest{}); err != nil || r.Runtime.ID.ID != "web" || r.Params.Radius != 300 {
		t.Errorf("empty body: got %+v, %v, want the header and the query", r, err)
	}
	long := strings.Repeat("x", 2000)
	for body, want := range map[string]struct {
		code  svc.Code
		field string
	}{
		`{"context": {"location": {"latitude": 95, "longitude": 1}}}`:   {svc.InvalidValue, "context.location.latitude"},
		`{"context": {"location": {"latitude": 5, "longitude": -181}}}`: {svc.InvalidValue, "context.location.longitude"},
		`{"context": {"location": {"latitude": 5}}}`:                    {svc.FieldRequired, "context.location.longitude"},
		`{"profile": {"capabilities": ["` + long + `"]}}`:               {svc.TooLong, "profile.capabilities"},
		`{"profile": {"runtime": "` + long + `"}}`:                      {svc.TooLong, "profile.runtime"},
	} {
		var s dataset.SessionRequest
		worldtest.Decode(t, []byte(body), &s)
		_, err := request(t, "").With(s)
		worldtest.WantError(t, fmt.Sprintf("%.60s", body), err, want.code, want.field)
	}
}

// Covers B-30, W-66 and W-94.
func TestFieldChoicesKeepTheRestOfTheRequest(t *testing.T) {
	r := requestOf(t, "test", "lat=52.5&lon=-13.25&radius=500&categories=food,parks&caps=objects+field.list&sections=field,actions")
	for _, chooser := range r.Choosers(words.English) {
		for _, choice := range chooser.Choices {
			next := requestOf(t, "test", strings.TrimPrefix(choice.Query, "?"))
			want := r.Params
			if chooser.ID == "radius" {
				want.Radius = *choice.Value
			} else {
				want.Categories = next.Params.Categories
				if got := strings.Contains(fmt.Sprint(want.Categories), choice.ID); got == choice.Selected {
					t.Errorf("category %s: got selected %v before and after", choice.ID, got)
				}
			}
			if !reflect.DeepEqual(next.Params, want) || !reflect.DeepEqual(next.Runtime, r.Runtime) {
				t.Errorf("%s %s: got %+v, want %+v", chooser.ID, choice.ID, next.Params, want)
			}
		}
	}
	f := newFixture(t)
	d := f.Dataset(f.ann, r)
	if got := d.Field; got.RadiusMeters != 500 || got.Origin == nil || len(got.Controls) != 2 || got.Controls[0].Summary != "2 of 10" || got.Controls[1].Summary != "500 m" {
		t.Errorf("got the field %+v, want its position, radius and two controls", got)
	}
	for _, a := range d.Actions {
		if a.Type == "set_field_origin" {
			if got, want := fmt.Sprint(a.Command.URL, a.Command.Body), "/world/runtimemap[caps:objects field.list categories:food,parks sections:actions,field]"; got != want {
				t.Errorf("%s: got %s, want %s", a.Type, got, want)
			}
		} else if a.Target.Kind == "field" && !strings.HasPrefix(a.Command.URL, "/world/runtime?lat=52.5&lon=-13.25&radius=") {
			t.Errorf("%s: got the address %s, want the dataset at the same position", a.Type, a.Command.URL)
		}
	}
}

// A header of up to maxRuntimeHeader bytes is accepted, and each capability is
// listed once.
func FuzzRuntimeHeader(f *testing.F) {
	for _, s := range []string{"web/1.2", `web/1.2; caps="objects contexts"; datasets="service.runtime.dataset/1"`, `x;caps="`, ";", "a;b;c", `web; caps="a a a"`, "  "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		rt, err := dataset.ParseRuntime(header)
		trimmed := strings.TrimSpace(header)
		if valid := trimmed != "" && len(trimmed) <= 1024; valid != (err == nil) {
			t.Fatalf("%q: got error %v, want valid: %v", header, err, valid)
		}
		seen := make(map[string]bool)
		for _, c := range rt.Declared {
			if c == "" || seen[c] {
				t.Errorf("%q: got capabilities %q, want each once", header, rt.Declared)
			}
			seen[c] = true
		}
		c := rt.Capabilities()
		if !rt.Generic && len(c.Applied)+len(c.Unsupported) != len(c.Declared) {
			t.Errorf("%q: got %d applied and %d unsupported capabilities, want %d together", header, len(c.Applied), len(c.Unsupported), len(c.Declared))
		}
	})
}

// An accepted position has a valid latitude and longitude, and the published query
// is parsed to the same parameters. Covers PT-45.
func FuzzParams(f *testing.F) {
	f.Add("lat=52.5&lon=13.4&radius=500&sections=objects,actions")
	f.Add("categories=food,+coffee&categories=moon,food&sections=x")
	f.Add("lat=1e400&lon=-0&radius=99999999999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		query, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		p, err := dataset.ParseParams(query)
		if err != nil {
			return
		}
		if o := p.Origin; o != nil && !(o.Latitude >= -90 && o.Latitude <= 90 && o.Longitude >= -180 && o.Longitude <= 180) {
			t.Errorf("%q: got origin %v", text, *o)
		}
		if p.Radius < dataset.MinRadius || p.Radius > dataset.MaxRadius {
			t.Errorf("%q: got radius %d, want %d to %d", text, p.Radius, dataset.MinRadius, dataset.MaxRadius)
		}
		published := dataset.Request{Params: p}.Query()
		query, err = url.ParseQuery(strings.TrimPrefix(published, "?"))
		if err != nil {
			t.Fatal(err)
		}
		if reparsed, err := dataset.ParseParams(query); err != nil || !reflect.DeepEqual(p, reparsed) {
			t.Errorf("%q is published as %q: got %+v, %v, want %+v", text, published, reparsed, err, p)
		}
	})
}
