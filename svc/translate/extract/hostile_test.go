package extract_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"appliance/svc"
	"appliance/svc/translate/extract"
	"appliance/svc/translate/maintext"
	"appliance/svc/translate/page"
)

// Limits that the package documents, in bytes.
const (
	maxText    = 4 << 10
	maxContent = 48 << 10
)

var (
	tagLike     = regexp.MustCompile(`<[a-zA-Z/!?]`)
	otherScheme = regexp.MustCompile(`(?i)^\s*(?:javascript|vbscript|data|file|blob|ftp)\s*:\S`)
)

// checkParts fails if a part contains a text that is too long or not plain, a URL that is
// neither http nor https, or a picture that is not listed. Covers PT-35.
func checkParts(t testing.TB, list []extract.Extracted) {
	t.Helper()
	for _, e := range list {
		listed := make(map[*maintext.Image]bool)
		for _, img := range e.Images {
			listed[img] = true
		}
		checkValue(t, e.Kind, reflect.ValueOf(e), listed)
		if len(e.Summary) > svc.MaxSummary || e.Title == "" || strings.Contains(e.Title, "\n") {
			t.Errorf("%s: got the title %q and %d bytes of summary, want a line and at most %d", e.Kind, e.Title, len(e.Summary), svc.MaxSummary)
		}
		content := e.Content
		if a, ok := content.(*extract.Article); ok { // blocks have their own limit
			content = withoutBlocks(*a)
		}
		if text, err := json.Marshal(content); err != nil || len(text) > maxContent {
			t.Errorf("%s: got %d bytes, %v, want at most %d", e.Kind, len(text), err, maxContent)
		}
	}
}

// withoutBlocks returns a copy of an article without its text.
func withoutBlocks(a extract.Article) extract.Article {
	a.Blocks = nil
	return a
}

func checkValue(t testing.TB, path string, v reflect.Value, listed map[*maintext.Image]bool) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); tagLike.MatchString(text) || otherScheme.MatchString(text) || len(text) > maxText || strings.ContainsAny(text, "\x00\x1b\u202e") {
			t.Errorf("%s: got %.200q, want plain text of at most %d bytes", path, text, maxText)
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if img, ok := v.Interface().(*maintext.Image); ok {
			if u, err := url.Parse(img.Source); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !listed[img] {
				t.Errorf("%s: got the source %q, listed %v, want a listed http or https URL", path, img.Source, listed[img])
			}
		}
		checkValue(t, path, v.Elem(), listed)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			checkValue(t, fmt.Sprintf("%s[%d]", path, i), v.Index(i), listed)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			checkValue(t, path, key, listed)
			checkValue(t, path+"."+key.String(), v.MapIndex(key), listed)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			field := v.Field(i)
			if address := field.Kind() == reflect.String && strings.HasSuffix(name, "URL"); address && field.String() != "" && !strings.HasPrefix(field.String(), "http") {
				t.Errorf("%s.%s: got %q, want an http or https URL", path, name, field.String())
			}
			checkValue(t, path+"."+name, field, listed)
		}
	}
}

// properties are the names of the optional properties that the extractors read.
var properties = strings.Fields(`legalName description address location geo latitude longitude email url sameAs priceRange servesCuisine aggregateRating
	ratingValue bestRating reviewCount hasMenu menu image photo logo contactPoint contactType availableLanguage hoursAvailable headline author creator datePublished dateModified
	articleSection inLanguage publisher articleBody itemReviewed reviewRating openingHours openingHoursSpecification specialOpeningHoursSpecification dayOfWeek opens closes validFrom
	validThrough hasMenuSection menuSection menuItem offers price priceCurrency lowPrice highPrice priceSpecification suitableForDiet endDate eventSchedule repeatFrequency byDay byMonth repeatCount exceptDate eventStatus
	performer organizer contentUrl caption creditText license width height mainEntity about streetAddress addressLocality addressCountry`)

// hostileValues are values of the wrong type or with markup.
var hostileValues = []string{
	`"<script>alert(1)<\/script>Text<img src=x onerror=alert(1)>"`, `"&lt;b onclick=x&gt;Text&lt;/b&gt; &amp;lt;i&amp;gt;"`, `"javascript:alert(1)"`, `"data:text/html,<script>1<\/script>"`, `"JaVaScRiPt:alert(1)"`, `"Pizza, javascript:alert(1)"`,
	`"https://user:secret@host.example/<script>"`, `"//host.example/\"onload=x"`, `"a < b > c </"`, `"\u0000\u001b[31m\u202e"`, `null`, `true`, `-1e400`, `12.5`, `[]`, `{}`, `[[[["deep"]]], {"@value": "<u>v</u>"}]`,
	`{"@type": "Thing", "name": "<b>n</b>", "url": "vbscript:x"}`, `{"@id": "javascript:x", "@type": "ImageObject", "url": ["data:,x", "ftp://x/y.png", "/ok.png"]}`, `"2027-01-01"`, `"Mo-Su 10:00-12:00 <b>"`,
	`{"@type": "PostalAddress", "streetAddress": "<i", "addressLocality": "b>", "addressCountry": {"name": {"name": "<x>"}}}`,
}

// hostilePage returns a page on which all properties of each kind of object have the
// JSON value, and the required properties also a valid one.
func hostilePage(value string) string {
	types := []string{"Restaurant", "Organization", "Article", "Review", "Menu", "MenuSection", "Event", "ImageObject", "ContactPage", "WebSite"}
	var nodes []string
	for _, typ := range types {
		fields := []string{`"@type": "` + typ + `"`, `"name": [` + value + `, "Name"]`, `"telephone": [` + value + `, "030 123456"]`, `"startDate": "2027-01-01"`,
			`"hasMenuItem": [` + value + `, {"@type": "MenuItem", "name": "Soup", "offers": ` + value + `}]`}
		for _, p := range properties {
			fields = append(fields, fmt.Sprintf("%q: [%s, %s]", p, value, value))
		}
		nodes = append(nodes, "{"+strings.Join(fields, ", ")+"}")
	}
	return scripts("["+strings.Join(nodes, ",")+"]") + `<p>Text</p><a href="tel:<b>030123456</b>">x</a><a href="mailto:a@b.example">x</a>`
}

// Values of an unexpected type or with markup become plain text or are omitted.
func TestHostileValuesBecomePlain(t *testing.T) {
	for _, value := range hostileValues {
		list := readHTML(t, hostilePage(value))
		if len(list) < 3 {
			t.Errorf("%s: got the parts %q, want at least 3", value, kinds(list))
		}
		checkParts(t, list)
	}
}

// The content of each kind is limited for a page of any length.
func TestContentsAreLimited(t *testing.T) {
	long := strings.Repeat(`\u003d\u003c `, 3000)
	var items, sections, images, points []string
	for i := range 500 {
		items = append(items, fmt.Sprintf(`{"@type": "MenuItem", "name": "Dish %d %s", "description": "%s"}`, i, long[:60], long[:1800]))
		images = append(images, fmt.Sprintf(`{"@type": "ImageObject", "url": "/%d.jpg?%s", "caption": "%s"}`, i, strings.Repeat("x", 1500), long[:600]))
		points = append(points, fmt.Sprintf(`{"contactType": "%s", "telephone": "030 %06d", "email": "a%d@b.example"}`, long[:600], i*7919%1000000, i))
	}
	for i := range 10 {
		sections = append(sections, fmt.Sprintf(`{"@type": "MenuSection", "name": "S%d", "hasMenuItem": [%s]}`, i, strings.Join(items[i*50:i*50+50], ",")))
	}
	var events []string
	for i := range 300 {
		events = append(events, fmt.Sprintf(`{"@type": "Event", "name": "E%d", "startDate": "2027-01-01", "location": {"name": "%s", "address": "%s"}, "url": "/%s"}`, i, long[:600], long[:600], strings.Repeat("y", 1500)))
	}
	list := readHTML(t, scripts(
		`{"@type": "Restaurant", "name": "R", "description": "`+long+`", "servesCuisine": "`+long+`", "telephone": "030 1234567", "image": [`+strings.Join(images, ",")+`], "contactPoint": [`+strings.Join(points, ",")+`], "openingHours": ["Mo 10:00-12:00", "`+long+`"]}`,
		`{"@type": "Menu", "hasMenuSection": [`+strings.Join(sections, ",")+`]}`, "["+strings.Join(events, ",")+"]", `{"@type": "ContactPage"}`)+"<p>Text</p>")
	wantEqual(t, "parts", kinds(list), "business hours menu events gallery contact")
	checkParts(t, list)
	for _, e := range list {
		if omits := e.Kind == "menu" || e.Kind == "events" || e.Kind == "gallery"; omits && len(e.Warnings) == 0 {
			t.Errorf("%s: got no warning, want one about omitted parts", e.Kind)
		}
	}
}

// Nodes that contain each other are read without endless recursion.
func TestReferenceCyclesEnd(t *testing.T) {
	list := read(t, `{"@graph": [{"@id": "#a", "@type": "Menu", "hasMenuItem": {"@type": "MenuItem", "name": "Soup", "offers": {"@id": "#o"}}, "hasMenuSection": {"@id": "#b"}},
		{"@id": "#b", "@type": "MenuSection", "name": "B", "hasMenuSection": [{"@id": "#a"}, {"@id": "#b"}]}, {"@id": "#o", "@type": "Offer", "priceSpecification": {"@id": "#o"}, "price": "5"},
		{"@id": "#e", "@type": "Event", "name": "E", "startDate": "2027-01-01", "subEvent": {"@id": "#e"}, "location": {"@id": "#e"}},
		{"@id": "#r", "@type": "Restaurant", "name": "R", "department": {"@id": "#r"}, "address": {"@id": "#r"}, "image": {"@id": "#r"}, "contactPoint": {"@id": "#r"}}]}`)
	wantEqual(t, "parts", kinds(list), "business menu events")
	wantEqual(t, "menu", pairs(list[1]), "Dishes: 1")
	checkParts(t, list)
}

// No page results in a part with markup or a forbidden URL scheme. Covers PT-35.
func FuzzAll(f *testing.F) {
	for _, value := range hostileValues {
		f.Add(`{"@graph": [{"@type": "Restaurant", "name": `+value+`, "openingHours": "Mo-Fr 9-17"}, {"@type": "Event", "name": "E", "startDate": "2027-01-01", "location": `+value+`}]}`, value)
	}
	f.Add(`{"@type": "Event", "name": "E", "eventSchedule": {"startDate": "2020-01-01", "startTime": "22:00", "endTime": "02:00", "repeatFrequency": "P2W", "byDay": "Mo", "byMonthWeek": -1, "repeatCount": 300}}`, "P3D")
	f.Fuzz(func(t *testing.T, block, value string) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{scripts(block) + "<p>Text</p>" + block, hostilePage(string(text))} {
			if p, err := page.Parse(address, "", []byte("<!doctype html><html><body>"+body)); err == nil {
				checkParts(t, extractAll(p, now))
			}
		}
	})
}
