package extract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc/translate/extract"
	"appliance/svc/translate/page"
)

// address is the URL of the pages of tests.
const address = "https://trattoria.example/info"

// now is the time of the tests, a Monday.
var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// read returns the parts of a page with JSON-LD blocks.
func read(t testing.TB, blocks ...string) []extract.Extracted {
	t.Helper()
	return readHTML(t, scripts(blocks...)+"<p>Welcome to our page.</p>")
}

// scripts returns JSON-LD blocks as script elements.
func scripts(blocks ...string) string {
	var b strings.Builder
	for _, block := range blocks {
		fmt.Fprintf(&b, `<script type="application/ld+json">%s</script>`, block)
	}
	return b.String()
}

func readHTML(t testing.TB, html string) []extract.Extracted {
	t.Helper()
	p, err := page.Parse(address, "text/html; charset=utf-8", []byte("<!doctype html><html lang=en><head><title>Trattoria</title></head><body>"+html+"</body></html>"))
	if err != nil {
		t.Fatal(err)
	}
	list := extractAll(p, now)
	for _, e := range list {
		for _, image := range e.Images {
			image.URL = image.Source // so that it is in the JSON
		}
	}
	return list
}

// kinds returns the kinds of parts, as "business hours".
func kinds(list []extract.Extracted) string {
	var names []string
	for _, e := range list {
		names = append(names, e.Kind)
	}
	return strings.Join(names, " ")
}

// onlyPart returns the part whose content has the type T. It fails the test unless there is
// exactly one.
func onlyPart[T any](t testing.TB, list []extract.Extracted) (e extract.Extracted, content T) {
	t.Helper()
	found := 0
	for _, x := range list {
		if c, ok := x.Content.(T); ok {
			e, content = x, c
			found++
		}
	}
	if found != 1 {
		t.Fatalf("got %d parts with %T among %q, want one", found, content, kinds(list))
	}
	return e, content
}

// pairs returns details as "Telephone: …; Address: …".
func pairs(e extract.Extracted) string {
	var list []string
	for _, d := range e.Details {
		list = append(list, d[0]+": "+d[1])
	}
	return strings.Join(list, "; ")
}

// asJSON returns a content as JSON, without escapes for HTML.
func asJSON(t testing.TB, content any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(content); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// wantEqual reports two texts that differ.
func wantEqual(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// Covers S-45 and S-48.
func TestPartsAreInTheOrderOfTheExtractors(t *testing.T) {
	list := read(t, `{"@context": "https://schema.org", "@graph": [
		{"@type": "ContactPage", "name": "Contact"},
		{"@type": "ImageObject", "contentUrl": "/1.jpg"}, {"@type": "ImageObject", "contentUrl": "/2.jpg"},
		{"@type": "Event", "name": "Concert", "startDate": "2026-12-01"},
		{"@type": "Article", "headline": "Our story"},
		{"@type": "Restaurant", "name": "Trattoria", "telephone": "+39 06 123456", "openingHours": "Mo-Fr 12:00-14:30",
			"hasMenu": {"@type": "Menu", "hasMenuItem": {"@type": "MenuItem", "name": "Soup"}}}]}`)
	wantEqual(t, "parts", kinds(list), "business article hours menu events gallery contact")
	for _, e := range list {
		if e.Title == "" || e.URL != address {
			t.Errorf("%s: got the title %q and the URL %q, want a title and %s", e.Kind, e.Title, e.URL, address)
		}
	}
}

// Covers S-45.
func TestEachBusinessIsAPart(t *testing.T) {
	list := read(t, `[{"@type": "Bakery", "name": "One", "telephone": "030 111111"}, {"@type": "Event", "name": "Party", "startDate": "2027-01-01"},
		{"@type": "Bakery", "name": "Two", "telephone": "030 222222"}]`)
	wantEqual(t, "parts", kinds(list), "business business events")
	wantEqual(t, "titles", list[0].Title+" "+list[1].Title, "One Two")
}

// A page that describes many objects results in a limited number of parts of each kind.
func TestNumberOfPartsIsLimited(t *testing.T) {
	var nodes []string
	for i := range 100 {
		nodes = append(nodes, fmt.Sprintf(`{"@type": "Bakery", "name": "Bakery %d", "openingHours": "Mo 10:%02d-12:00"}`, i, i%60))
	}
	list := read(t, "["+strings.Join(nodes, ",")+`,{"@type": "Event", "name": "Party", "startDate": "2027-01-01"}]`)
	count := map[string]int{}
	for _, e := range list {
		count[e.Kind]++
	}
	if len(list) > 20 || count["business"] != 9 || count["hours"] != 9 || count["events"] != 1 {
		t.Errorf("got %v, want 9 businesses, 9 hours and 1 of events", count)
	}
	if last := list[8]; len(last.Warnings) != 1 {
		t.Errorf("got the warnings %q, want one", last.Warnings)
	}
}

// Covers S-49.
func TestBusinesses(t *testing.T) {
	for _, c := range []struct{ name, block, want string }{
		{"a LocalBusiness", `{"@type": "LocalBusiness", "name": "A"}`, "business"},
		{"a Restaurant", `{"@type": "https://schema.org/Restaurant", "name": "A"}`, "business"},
		{"an Organization", `{"@type": "Organization", "name": "A"}`, "business"},
		{"a FoodEstablishment", `{"@type": "FoodEstablishment", "name": "A"}`, "business"},
		{"a subtype only", `{"@type": "Bakery", "name": "A"}`, "business"},
		{"the main entity of the page", `{"@type": "WebPage", "mainEntity": {"@type": "Organization", "name": "A"}}`, "business"},
		{"no name", `{"@type": "Organization"}`, ""},
		{"a museum, which is a place", `{"@type": "Museum", "name": "A"}`, ""},
		{"a publisher", `{"@type": "WebSite", "publisher": {"@type": "Organization", "name": "A"}}`, ""},
		{"a publisher by reference", `[{"@type": "WebSite", "publisher": {"@id": "#o"}}, {"@id": "#o", "@type": "Organization", "name": "A"}]`, ""},
		{"a publisher with a telephone", `{"@type": "WebSite", "publisher": {"@type": "Organization", "name": "A", "telephone": "030 123456"}}`, "business"},
		{"a publisher with a placeholder", `{"@type": "WebSite", "publisher": {"@type": "Organization", "name": "A", "telephone": "+1-XXX-XXX-XXXX", "address": ""}}`, ""},
		{"a brand", `{"@type": "Product", "name": "P", "brand": {"@type": "Organization", "name": "A"}}`, ""},
		{"a LocalBusiness as publisher", `{"@type": "WebSite", "publisher": {"@type": "LocalBusiness", "name": "A"}}`, "business"},
		{"a stadium as location", `{"@type": "Event", "name": "E", "startDate": "2020-01-01", "location": {"@type": "StadiumOrArena", "name": "A"}}`, ""},
		{"the same business twice", `[{"@type": "Organization", "legalName": "A"}, {"@type": "LocalBusiness", "name": "a"}]`, "business"},
		{"branches", `[{"@type": "Bakery", "name": "A", "address": "Street 1"}, {"@type": "Bakery", "name": "A", "address": "Street 2"}]`, "business business"},
	} {
		wantEqual(t, c.name, kinds(read(t, c.block)), c.want)
	}
}

func TestContentOfABusiness(t *testing.T) {
	e, b := onlyPart[*extract.Business](t, read(t, `{"@type": ["Restaurant", "http://schema.org/BarOrPub"], "@id": "#t", "name": "Trattoria &amp; Bar", "url": "/",
		"description": "&lt;p&gt;Good &lt;b&gt;food&lt;/b&gt;&lt;/p&gt;", "telephone": ["tel:+39-06-123456", "+39 06 123456", "+1-XXX-XXX-XXXX"], "email": "mailto:ciao@trattoria.example",
		"address": {"streetAddress": "Via Roma 1", "postalCode": "00184", "addressLocality": "Roma", "addressCountry": {"@type": "Country", "name": "IT"}},
		"geo": {"@type": "GeoCoordinates", "latitude": "41,9", "longitude": 12.5}, "priceRange": "€€", "servesCuisine": ["Italian, Pizza", "italian"],
		"aggregateRating": {"@type": "AggregateRating", "ratingValue": "4,5", "bestRating": 5, "reviewCount": "1,234"}, "hasMenu": "menu.pdf",
		"sameAs": ["https://social.example/t", "javascript:alert(1)"], "image": ["/front.jpg", "/front.jpg?w=200", "data:image/png;base64,AAAA"], "logo": {"@type": "ImageObject", "url": "/logo.svg"}}`))
	wantEqual(t, "details", pairs(e), "Address: Via Roma 1, 00184 Roma, IT; Telephone: +39-06-123456; E-mail: ciao@trattoria.example; Price range: €€; Rating: 4.5 of 5 (1234 ratings); Cuisine: Italian, Pizza, italian")
	wantEqual(t, "title and summary", e.Title+": "+e.Summary, "Trattoria & Bar: Good food")
	wantEqual(t, "content", asJSON(t, b), `{"name":"Trattoria & Bar","types":["Restaurant","BarOrPub"],"description":"Good food",`+
		`"address":{"street":"Via Roma 1","locality":"Roma","postcode":"00184","country":"IT","text":"Via Roma 1, 00184 Roma, IT"},"geo":{"latitude":41.9,"longitude":12.5},`+
		`"phones":["+39-06-123456"],"emails":["ciao@trattoria.example"],"url":"https://trattoria.example/","same_as":["https://social.example/t"],"price_range":"€€","cuisines":["Italian","Pizza","italian"],`+
		`"rating":{"value":"4.5","best":"5","count":1234},"menu_url":"https://trattoria.example/menu.pdf","images":[{"url":"https://trattoria.example/front.jpg"}],"logo":{"url":"https://trattoria.example/logo.svg"}}`)
	if len(e.Images) != 2 || e.Images[0] != b.Images[0] || e.Images[1] != b.Logo {
		t.Errorf("got the pictures %v, want those of the content", e.Images)
	}
}

// The values of a LocalBusiness are first; other nodes add properties that it lacks.
func TestNodesOfOneBusinessAreMerged(t *testing.T) {
	e, b := onlyPart[*extract.Business](t, read(t, `{"@type": "Organization", "name": "Bakery", "telephone": "030 123456", "description": "Of the chain"}`, `{"@type": "Bakery", "name": "bakery", "description": "Bread"}`))
	wantEqual(t, "content", asJSON(t, b), `{"name":"bakery","types":["Bakery","Organization"],"description":"Bread","phones":["030 123456"]}`)
	wantEqual(t, "types", strings.Join(e.SchemaTypes, " "), "Bakery Organization")
}

// Covers S-50.
func TestOpeningHours(t *testing.T) {
	list := read(t, `{"@type": "Museum", "name": "M", "openingHours": ["Tu-Su 10:00-18:00", "Mo closed"]}`)
	e, _ := onlyPart[*extract.Hours](t, list)
	wantEqual(t, "parts", kinds(list), "hours")
	wantEqual(t, "title", e.Title, "Opening hours – M")
	wantEqual(t, "summary", e.Summary, "Monday Closed; Tuesday–Sunday 10:00–18:00")

	e, h := onlyPart[*extract.Hours](t, read(t, `{"@type": "Bakery", "name": "B", "openingHoursSpecification": [
		{"@type": "OpeningHoursSpecification", "dayOfWeek": ["https://schema.org/Monday", "Tuesday", {"@id": "schema:Wednesday"}], "opens": "800", "closes": "14:30:00"},
		{"dayOfWeek": {"@type": "DayOfWeek", "name": "Monday"}, "opens": "18:00", "closes": "01:00"},
		{"dayOfWeek": "Thursday", "opens": "00:00", "closes": "00:00"}, {"dayOfWeek": "Su"},
		{"dayOfWeek": "PublicHolidays", "opens": "10:00", "closes": "12:00"}, {"dayOfWeek": "Someday", "opens": "10:00", "closes": "12:00"},
		{"validFrom": "2026-12-24", "validThrough": "2026-12-26"}, {"validFrom": "2026-12-31", "opens": "08:00", "closes": "12:00"}, {"validFrom": "2025-12-24", "validThrough": "2025-12-26"}]}`))
	wantEqual(t, "details", pairs(e), "Monday: 08:00–14:30, 18:00–01:00; Tuesday: 08:00–14:30; Wednesday: 08:00–14:30; Thursday: Closed; Friday: Not stated; Saturday: Not stated; Sunday: Closed; "+
		"2026-12-24 – 2026-12-26: Closed; 2026-12-31: 08:00–12:00; Also: Someday 10:00–12:00; Public holidays: 10:00–12:00")
	wantEqual(t, "Monday", asJSON(t, h.Weekly["mon"]), `[{"open":"08:00","close":"14:30"},{"open":"18:00","close":"01:00","overnight":true}]`)
	if len(h.Raw) != 9 {
		t.Errorf("got %d raw texts, want 9", len(h.Raw))
	}
}

func TestEmptyOpeningHoursAreOmitted(t *testing.T) {
	for _, c := range []struct{ name, block, want string }{
		{"empty", `{"@type": "Bakery", "name": "B", "openingHours": ", , , , "}`, "business"},
		{"an empty list", `{"@type": "Bakery", "name": "B", "openingHours": [], "openingHoursSpecification": [{}, null, ""]}`, "business"},
		{"no day that is understood", `{"@type": "Bakery", "name": "B", "openingHours": "by appointment"}`, "business"},
		{"always open", `{"@type": "Bakery", "name": "B", "openingHours": "24/7"}`, "business hours"},
	} {
		wantEqual(t, c.name, kinds(read(t, c.block)), c.want)
	}
}

// Hours that are valid for more than half a year, or without an end, are those of a
// usual week; others are exceptions.
func TestSeasonalOpeningHours(t *testing.T) {
	_, h := onlyPart[*extract.Hours](t, read(t, `{"@type": "Bakery", "name": "B", "openingHoursSpecification": [
		{"dayOfWeek": "Monday", "opens": "08:00", "closes": "12:00", "validFrom": "2020-01-01", "validThrough": "2099-12-31"},
		{"dayOfWeek": "Tuesday", "opens": "08:00", "closes": "12:00", "validFrom": "2027-05-01", "validThrough": "2027-09-30"}]}`))
	wantEqual(t, "days", asJSON(t, h.Weekly), `{"mon":[{"open":"08:00","close":"12:00"}]}`)
	wantEqual(t, "exceptions", asJSON(t, h.Exceptions), `[{"from":"2027-05-01","through":"2027-09-30","days":["tue"],"periods":[{"open":"08:00","close":"12:00"}]}]`)
}

// Covers S-51 and X-47.
func TestMenus(t *testing.T) {
	item := `{"@type": "MenuItem", "name": "Soup", "offers": {"price": "4,50", "priceCurrency": "EUR"}}`
	for _, c := range []struct{ name, block, want string }{
		{"hasMenuSection", `{"@type": "Restaurant", "name": "R", "hasMenuSection": {"name": "Starters", "hasMenuItem": ` + item + `}}`, "business menu"},
		{"menuSection", `{"@type": "Thing", "name": "R", "menuSection": {"@type": "MenuSection", "menuItem": ` + item + `}}`, "menu"},
		{"a Menu", `{"@type": "Menu", "name": "Lunch", "hasMenuItem": ` + item + `}`, "menu"},
		{"a nested Menu", `{"@type": "Restaurant", "name": "R", "hasMenu": {"@type": "Menu", "hasMenuSection": [{"@type": "MenuSection", "hasMenuItem": [` + item + `]}]}}`, "business menu"},
		{"sections without a menu", `[{"@type": "MenuSection", "hasMenuItem": ` + item + `}, {"@type": "MenuSection", "hasMenuItem": ` + item + `}]`, "menu"},
		{"a URL", `{"@type": "Restaurant", "name": "R", "menu": "https://trattoria.example/menu"}`, "business"},
		{"no dish", `{"@type": "Menu", "hasMenuSection": {"@type": "MenuSection", "name": "Empty", "hasMenuItem": [null, {"@type": "MenuItem"}]}}`, ""},
	} {
		wantEqual(t, c.name, kinds(read(t, c.block)), c.want)
	}
}

func TestContentOfAMenu(t *testing.T) {
	e, m := onlyPart[*extract.Menu](t, read(t, `{"@type": "Restaurant", "name": "Trattoria", "hasMenu": {"@type": "Menu", "name": "Dinner", "hasMenuItem": {"name": "Bread", "@type": "MenuItem"}, "hasMenuSection": {
		"@type": "MenuSection", "name": "Mains", "description": "With salad", "hasMenuItem": {"@type": "MenuItem", "name": "Pizza", "description": "<i>Hot</i>",
		"suitableForDiet": ["https://schema.org/VeganDiet", "http://schema.org/GlutenFreeDiet"], "offers": [{"@type": "Offer", "name": "small", "price": 8, "priceCurrency": "EUR"}, {"@type": "Offer", "name": "large", "price": "12,50 €"}]},
		"hasMenuSection": {"@type": "MenuSection", "name": "Fish", "hasMenuItem": {"@type": "MenuItem", "name": "Tuna", "offers": {"price": "by weight"}}}}}}`))
	wantEqual(t, "title", e.Title, "Menu – Trattoria (Dinner)")
	wantEqual(t, "details", pairs(e), "Dishes: 3; Sections: Mains; Currency: EUR")
	wantEqual(t, "content", asJSON(t, m), `{"name":"Dinner","currency":"EUR","sections":[{"items":[{"name":"Bread"}]},{"name":"Mains","description":"With salad","items":[{"name":"Pizza","description":"Hot",`+
		`"prices":[{"amount":"8","currency":"EUR","label":"small"},{"amount":"12.50","currency":"EUR","label":"large"}],"diets":["Vegan","Gluten free"]}],`+
		`"sections":[{"name":"Fish","items":[{"name":"Tuna","prices":[{"label":"by weight"}]}]}]}]}`)
}

// Covers S-52, L-06 and X-48.
func TestPastEventsAreOmitted(t *testing.T) {
	for _, c := range []struct{ name, times, want string }{
		{"past", `"startDate": "2026-11-22"`, ""},
		{"this day", `"startDate": "2026-11-23"`, "events"},
		{"the day before, still this day in its zone", `"startDate": "2026-11-22-12:00"`, "events"},
		{"an hour ago", `"startDate": "2026-11-23T11:00:00Z"`, ""},
		{"now", `"startDate": "2026-11-23T12:00:00Z"`, "events"},
		{"begun, not over", `"startDate": "2026-11-20T11:00", "endDate": "2026-11-23T13:00"`, "events"},
		{"begun, ends this day", `"startDate": "2026-11-20", "endDate": "2026-11-23"`, "events"},
		{"in a zone", `"startDate": "2026-11-23T13:30:00+02:00"`, ""},
		{"an end before the start", `"startDate": "2026-12-01", "endDate": "2020-01-01"`, "events"},
		{"no start", `"endDate": "2027-01-01"`, ""},
		{"no date", `"startDate": "soon"`, ""},
		{"a schedule", `"eventSchedule": {"@type": "Schedule", "startDate": "2026-11-23", "startTime": "06:30:00", "scheduleTimezone": "America/New_York"}`, ""},
		{"a schedule in the future", `"eventSchedule": {"@type": "Schedule", "startDate": "2026-11-23", "startTime": "07:30:00", "scheduleTimezone": "America/New_York"}`, "events"},
	} {
		wantEqual(t, c.name, kinds(read(t, `{"@type": "MusicEvent", "name": "Concert", `+c.times+`}`)), c.want)
	}
	wantEqual(t, "a number of comments", kinds(read(t, `{"@type": "UserComments", "name": "C", "startDate": "2027-01-01"}`)), "")
	wantEqual(t, "an instance of a course", kinds(read(t, `{"@type": "CourseInstance", "name": "C", "startDate": "2027-01-01"}`)), "")
}

func TestContentOfEvents(t *testing.T) {
	e, events := onlyPart[*extract.Events](t, read(t, `[{"@type": "Event", "name": "Late", "startDate": "2027-02-01"}, {"@type": "Event", "name": "Past", "startDate": "2020-02-01"},
		{"@type": "Festival", "name": "Jazz &amp; Wine", "startDate": "2026-12-01T19:30+01:00", "endDate": "2026-12-01T23:00+01:00", "eventStatus": "https://schema.org/EventPostponed",
		"location": [{"@type": "MusicVenue", "name": "Hall", "address": {"addressLocality": "Bern"}}, {"@type": "VirtualLocation", "url": "https://stream.example/1"}],
		"offers": {"@type": "Offer", "price": "Free – 15"}, "performer": [{"@type": "Person", "name": "Ann"}, "Bob"], "organizer": {"@type": "Organization", "name": "Club"}, "image": "/j.jpg", "url": "/jazz"}]`))
	wantEqual(t, "details", pairs(e), "Next event: Jazz & Wine; Start: 1 December 2026, 19:30; Place: Hall, Bern; Status: Postponed; Price: Free – 15; Events: 2")
	wantEqual(t, "content", asJSON(t, events), `{"events":[{"name":"Jazz & Wine","start":"2026-12-01T18:30:00Z","utc_offset":"+01:00","timezone":null,"end":"2026-12-01T22:00:00Z",`+
		`"location":{"name":"Hall","address":{"locality":"Bern","text":"Bern"},"virtual":true,"url":"https://stream.example/1"},"offers":[{"label":"Free – 15"}],"status":"postponed","performers":["Ann","Bob"],"organizer":"Club",`+
		`"image":{"url":"https://trattoria.example/j.jpg"},"url":"https://trattoria.example/jazz"},{"name":"Late","start":"2027-02-01","timezone":null,"all_day":true}]}`)
}

// A sub-event without a location has the location of its super-event.
func TestSubEventsInheritTheLocation(t *testing.T) {
	_, events := onlyPart[*extract.Events](t, read(t, `{"@type": "Festival", "name": "F", "startDate": "2026-12-01", "location": "Hall", "subEvent": {"@type": "MusicEvent", "name": "Concert", "startDate": "2026-12-01T20:00"}}`))
	wantEqual(t, "content", asJSON(t, events), `{"events":[{"name":"F","start":"2026-12-01","timezone":null,"all_day":true,"location":{"name":"Hall"}},{"name":"Concert","start":"2026-12-01T20:00:00","timezone":null,"location":{"name":"Hall"}}]}`)
}

func TestManyEventsAreOnePart(t *testing.T) {
	var nodes []string
	for i := range 10_000 {
		nodes = append(nodes, fmt.Sprintf(`{"@type": "Event", "name": "Event %d", "startDate": "2027-01-01T00:00:%02dZ"}`, i, i%60))
	}
	e, events := onlyPart[*extract.Events](t, read(t, "["+strings.Join(nodes, ",")+"]"))
	if n := len(events.Events); n != 50 || len(e.Warnings) != 1 {
		t.Errorf("got %d events and the warnings %q, want 50 and one", n, e.Warnings)
	}
}

// Covers S-53 and L-05.
func TestGalleries(t *testing.T) {
	picture := func(url string) string { return `{"@type": "ImageObject", "contentUrl": "` + url + `"}` }
	for _, c := range []struct{ name, block, want string }{
		{"one picture", picture("/a.jpg"), ""},
		{"the same URL", "[" + picture("/a.jpg") + "," + picture("/a.jpg") + "]", ""},
		{"two pictures", "[" + picture("/a.jpg") + "," + picture("/b.jpg") + "]", "gallery"},
		{"lower-case type", `[{"@type": "imageObject", "url": "/a.jpg"},` + picture("/b.jpg") + "]", "gallery"},
		{"sizes", "[" + picture("/a.jpg?w=1") + "," + picture("/a-300x200.jpg") + "]", ""},
		{"no URL", `[{"@type": "ImageObject", "name": "A"},` + picture("/b.jpg") + "]", ""},
		{"data", "[" + picture("data:image/png;base64,AAAA") + "," + picture("/b.jpg") + "]", ""},
		{"a logo", `[{"@type": "WebSite", "publisher": {"@type": "Organization", "name": "O", "logo": ` + picture("/logo.png") + `}},` + picture("/b.jpg") + "]", ""},
		{"a logo by reference", `[{"@type": "WebSite", "publisher": {"@type": "Organization", "name": "O", "logo": {"@id": "#l"}, "image": {"@id": "#l"}}}, {"@type": "ImageObject", "@id": "#l", "url": "/logo.png"},` + picture("/b.jpg") + "]", ""},
		{"a logo that is a text", `[{"@type": "Organization", "name": "O", "telephone": "030 123456", "logo": "/logo.png"},` + picture("/logo.png?s=2") + "," + picture("/b.jpg") + "]", "business"},
		{"a portrait", `[{"@type": "Person", "name": "P", "image": ` + picture("/p.png") + `},` + picture("/b.jpg") + "]", ""},
		{"a thumbnail", `{"@type": "ImageObject", "url": "/b.jpg", "thumbnail": ` + picture("/small/c.jpg") + "}", ""},
	} {
		wantEqual(t, c.name, kinds(read(t, c.block)), c.want)
	}
	_, g := onlyPart[*extract.Gallery](t, read(t, `{"@type": "ImageGallery", "image": [{"@type": "ImageObject", "url": "a.jpg", "caption": "A &amp; B", "width": "640px", "height": 480, "creditText": "Ann", "license": "https://l.example/"},`+picture("/b.jpg")+`]}`))
	wantEqual(t, "content", asJSON(t, g), `{"images":[{"url":"https://trattoria.example/a.jpg","caption":"A & B","credit":"Ann","license":"https://l.example/","width":640,"height":480},{"url":"https://trattoria.example/b.jpg"}]}`)
}

// Covers S-54.
func TestArticles(t *testing.T) {
	for _, c := range []struct{ name, block, want string }{
		{"an Article", `{"@type": "Article", "headline": "H"}`, "article"},
		{"a NewsArticle", `{"@type": "NewsArticle", "headline": "H"}`, "article"},
		{"a BlogPosting", `{"@type": "BlogPosting", "headline": "H"}`, "article"},
		{"a Review", `{"@type": "Review", "name": "H", "itemReviewed": {"@type": "Movie", "name": "M"}}`, "article"},
		{"a subtype", `{"@type": "DiscussionForumPosting", "headline": "H"}`, "article"},
		{"the review of a product", `{"@type": "Product", "name": "P", "review": {"@type": "Review", "name": "H", "reviewBody": "Good."}}`, ""},
		{"the review of a film", `{"@type": "Movie", "name": "M", "associatedReview": {"@type": "CriticReview", "name": "H", "reviewBody": "Good."}}`, ""},
		{"part of another object", `[{"@type": "Recipe", "name": "R", "isPartOf": {"@id": "#a"}}, {"@type": "Article", "@id": "#a", "headline": "H"}]`, "article"},
		{"described twice", `[{"@type": "Article", "headline": "The headline"}, {"@type": "NewsArticle", "headline": "the  headline"}]`, "article"},
		{"two with texts", `[{"@type": "Article", "headline": "One", "description": "First"}, {"@type": "Article", "headline": "Two", "description": "Second"}]`, "article article"},
		{"teasers", `[{"@type": "Article", "headline": "H", "url": "/info"}, {"@type": "Article", "headline": "Other", "description": "D", "url": "/other"}]`, "article"},
		{"only teasers", `[{"@type": "Article", "headline": "H", "url": "/a"}, {"@type": "Article", "headline": "Other", "url": "/b"}]`, ""},
		{"a review of the article's subject", `[{"@type": "Article", "headline": "H"}, {"@type": "Review", "itemReviewed": "Thing", "reviewRating": {"ratingValue": 4}}]`, "article"},
	} {
		wantEqual(t, c.name, kinds(read(t, c.block)), c.want)
	}
}

func TestContentOfAnArticle(t *testing.T) {
	first := strings.Repeat("The river rose in the night, and the town woke to water in its streets. ", 20)
	second := strings.Repeat("By noon the rain had ended, and people swept the mud from their cellars. ", 20)
	list := readHTML(t, scripts(`{"@type": "NewsArticle", "headline": "Flood &amp; rain", "author": [{"@type": "Person", "name": "Ann Reader"}, "By Bob"], "datePublished": "March 2, 2026",
		"dateModified": "2026-03-03T10:00Z", "articleSection": "Weather", "inLanguage": {"@type": "Language", "alternateName": "en-GB"}, "publisher": {"@type": "Organization", "name": "The Paper"},
		"image": "/flood.jpg", "description": "What <b>happened</b>.", "articleBody": "<p>Not this text.</p>"}`)+"<main><article><h1>Flood &amp; rain</h1><p>"+first+"</p><p>"+second+"</p></article></main>")
	e, a := onlyPart[*extract.Article](t, list)
	wantEqual(t, "parts", kinds(list), "article")
	wantEqual(t, "details", pairs(e), "Authors: Ann Reader, Bob; Published: 2026-03-02; Publisher: The Paper; Length: 582 words, 3 minutes to read")
	wantEqual(t, "texts", strings.Join([]string{e.Title, e.Summary, a.Modified, a.Section, a.Language}, "|"), "Flood & rain|What happened.|2026-03-03T10:00:00Z|Weather|en-GB")
	if body := asJSON(t, a.Blocks); !strings.Contains(body, "The river rose") || strings.Contains(body, "Not this") {
		t.Errorf("got the body %.200s, want the main text of the page", body)
	}
	if len(e.Images) != 1 || e.Images[0].Source != "https://trattoria.example/flood.jpg" {
		t.Errorf("got the pictures %v, want one", asJSON(t, e.Images))
	}
}

func TestArticleOfAPageWithoutText(t *testing.T) {
	_, a := onlyPart[*extract.Article](t, read(t, `{"@type": "Article", "headline": "H", "author": "https://social.example/ann", "articleBody": "&lt;p&gt;`+strings.Repeat("One two three. ", 40)+`&lt;/p&gt;&lt;p&gt;End.&lt;/p&gt;"}`))
	if body := asJSON(t, a.Blocks); !strings.Contains(body, "One two three.") || strings.Contains(body, "Welcome") || a.Words != 121 || a.Authors != nil {
		t.Errorf("got %d words of %.200s, authors %q, want 121 words of the stated text and no author", a.Words, body, a.Authors)
	}
}

// Covers S-55.
func TestContactPages(t *testing.T) {
	organization := `{"@type": "Organization", "name": "O", "telephone": "030 123456"}`
	for _, c := range []struct{ name, html, want string }{
		{"without a URL", scripts(`{"@type": "ContactPage", "mainEntity": ` + organization + `}`), "business contact"},
		{"with the URL of the page", scripts(`{"@type": "ContactPage", "url": "http://www.trattoria.example/info/", "mainEntity": ` + organization + `}`), "business contact"},
		{"another page of the site", scripts(`{"@type": "ContactPage", "url": "/contact"}`, organization), "business"},
		{"no way to contact", scripts(`{"@type": "ContactPage"}`), ""},
		{"links", scripts(`{"@type": "ContactPage"}`) + `<a href="tel:+49301234567">Call</a>`, "contact"},
		{"a link in a form", scripts(`{"@type": "ContactPage"}`) + `<form action="mailto:a@b.example"><a href="mailto:c@d.example">x</a></form>`, ""},
	} {
		wantEqual(t, c.name, kinds(readHTML(t, c.html+"<p>Text</p>")), c.want)
	}
	e, contact := onlyPart[*extract.Contact](t, readHTML(t, scripts(`{"@type": "ContactPage", "mainEntity": {"@type": "Organization", "name": "O", "address": "Street 1", "contactPoint": [
		{"@type": "ContactPoint", "contactType": "sales", "telephone": "+49 30 123456", "email": "sales@o.example", "availableLanguage": ["German", {"@type": "Language", "name": "English"}],
		"hoursAvailable": {"dayOfWeek": "Monday", "opens": "09:00", "closes": "12:00"}}]}}`)+`<p><a href="tel:030123456">Call</a> <a href="MAILTO:info@o.example?subject=Hi">Write</a> <a href="javascript:x()">x</a></p>`))
	wantEqual(t, "title and details", e.Title+": "+pairs(e), "Contact – O: Telephone: +49 30 123456; E-mail: sales@o.example; Address: Street 1")
	wantEqual(t, "content", asJSON(t, contact), `{"name":"O","points":[{"type":"sales","phone":"+49 30 123456","email":"sales@o.example","languages":["German","English"],"hours":"Monday 09:00–12:00"},{"email":"info@o.example"}],"address":{"text":"Street 1"}}`)
}

// Covers PT-36.
func TestPartsDoNotDependOnTheNestingOfTheData(t *testing.T) {
	forms := [][]string{
		{`{"@type": "Restaurant", "name": "R", "telephone": "030 123456", "openingHours": ["Mo-Fr 09:00-12:00"], "hasMenu": {"@type": "Menu", "hasMenuItem": [{"@type": "MenuItem", "name": "Soup"}]}}`},
		{`{"hasMenu": [{"hasMenuItem": {"name": "Soup", "@type": "MenuItem"}, "@type": ["Menu"]}], "openingHours": "Mo-Fr 09:00-12:00", "telephone": ["030 123456"], "name": ["R"], "@type": "Restaurant"}`},
		{`{"@graph": [{"@id": "#r", "@type": "Restaurant", "name": "R", "telephone": "030 123456", "openingHours": "Mo-Fr 09:00-12:00", "hasMenu": {"@id": "#m"}}, {"@id": "#m", "@type": "Menu", "hasMenuItem": {"@id": "#s"}}, {"@id": "#s", "@type": "MenuItem", "name": "Soup"}]}`},
		{`{"@id": "#m", "@type": "Menu", "hasMenuItem": {"@type": "MenuItem", "name": "Soup"}}`, `[{"@type": "Restaurant", "name": "R", "telephone": "030 123456", "openingHours": "Mo-Fr 09:00-12:00", "hasMenu": {"@id": "#m"}}]`},
	}
	want := asJSON(t, read(t, forms[0]...))
	for _, form := range forms[1:] {
		wantEqual(t, strings.Join(form, "\n"), asJSON(t, read(t, form...)), want)
	}
}
