package browser

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc"
)

// populatedServer is a server with data for every screen of its operator ann: entries around today, messages,
// communities, conversations, events, places, and a page that was read.
type populatedServer struct {
	*server
	ann, bea, cem *apptest.Client
	addresses     map[string]string // parts of addresses of the web app by name
}

// Position of the places and the members, in degrees.
const townLatitude, townLongitude = 35.8981, 14.5130

// wallPage is a web page with an article, pictures, an event and contacts.
const wallPage = `<!doctype html><html lang="en"><head><title>How to mend a wall</title><script type="application/ld+json">[
{"@context": "https://schema.org", "@type": "Article", "headline": "How to mend a wall", "author": {"@type": "Person", "name": "Jo Wall"}, "articleBody": "%[1]s"},
{"@context": "https://schema.org", "@type": "Event", "name": "Walling day", "startDate": "%[2]s", "location": {"@type": "Place", "name": "The common"}},
{"@context": "https://schema.org", "@type": "ContactPage", "mainEntity": {"@type": "Organization", "name": "Wallers", "email": "wallers@example.org"}},
{"@context": "https://schema.org", "@type": "ImageGallery", "image": [{"@type": "ImageObject", "contentUrl": "/1.png", "caption": "Before"}, {"@type": "ImageObject", "contentUrl": "/2.png", "caption": "After"}]}
]</script></head><body><article><h1>How to mend a wall</h1><p>%[1]s</p></article></body></html>`

// newPopulatedServer starts a server with these data.
func newPopulatedServer(t *testing.T) *populatedServer {
	t.Helper()
	return populate(t, "")
}

// populate does the same with a binary, see serveBinary.
func populate(t *testing.T, binary string) *populatedServer {
	t.Helper()
	longBrowserTest(t)
	site := apptest.NewSite(t)
	text := strings.Repeat("A wall without mortar can be taken apart. ", 30)
	site.SetPage("/wall", fmt.Sprintf(wallPage, text, day(30)+"T10:00:00Z"))
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 320, 240))); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/1.png", "/2.png"} {
		site.Set(path, 200, "image/png", picture.String())
	}
	search := apptest.NewSearchServer(t, apptest.FoundPages(site.URL+"/wall"))
	f := &populatedServer{server: serveBinary(t, binary, "--find-web-url", search.URL, "--fetch-allow-hosts", strings.TrimPrefix(site.URL, "http://")), addresses: make(map[string]string)}
	f.ann, f.bea, f.cem = f.SignIn("ann"), f.addMember("bea"), f.addMember("cem")
	f.importPlaces()
	f.addEntries()
	f.addSocial()
	f.addFindings()
	return f
}

// importPlaces imports a region with a café.
func (f *populatedServer) importPlaces() {
	file := filepath.Join(f.T.TempDir(), "places.csv")
	text := fmt.Sprintf("name,latitude,longitude,category,street,house_number,city,opening_hours\nCafé Corner,%v,%v,coffee,Fish Quay,3,Valletta,Mo-Su 08:00-19:00\n", townLatitude, townLongitude)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		f.T.Fatal(err)
	}
	if status, out := apptest.RunCommand(f.T, "", "maps", "import", "--data", f.dir, "--yes", file); status != 0 {
		f.T.Fatalf("maps import: got status %d, want 0\n%s", status, out)
	}
}

// day returns the date n days from today, in the time zone of the members.
func day(n int) string { return time.Now().In(zone()).AddDate(0, 0, n).Format("2006-01-02") }

// zone returns the time zone of the server and its members.
var zone = sync.OnceValue(func() *time.Location {
	loc := svc.StoredZone("Europe/Berlin")
	return loc
})

func (f *populatedServer) addEntries() {
	add := func(objectType, title string, fields ...string) string {
		body := map[string]any{"object_type": objectType, "title": title}
		for i := 0; i < len(fields); i += 2 {
			body[fields[i]] = fields[i+1]
		}
		return f.ann.Do("POST", "/world/time/objects", body).Want(201).Str("object.id")
	}
	at := func(n int, clock string) string { return day(n) + "T" + clock + ":00" }
	add("calendar_event", "Dentist", "start", at(0, "09:00"), "end", at(0, "10:00"), "location", "Church Row 2", "description", "Bring the card.")
	add("calendar_event", "Boiler engineer", "start", at(0, "09:30"), "end", at(0, "11:00"))
	add("calendar_event", "Stand-up", "start", at(-14, "08:30"), "end", at(-14, "08:45"), "rrule", "FREQ=DAILY")
	add("calendar_event", "Dora visits", "start", day(1), "end", day(4))
	add("calendar_event", "Night train", "start", at(2, "22:40"), "end", at(3, "07:15"))
	add("task", "Order seed potatoes")
	add("task", "Answer the school", "due", day(-1))
	f.ann.Do("POST", "/world/calendars", `{"name": "Garden", "color": "#4b7a1e"}`).Want(201)
}

func (f *populatedServer) addSocial() {
	f.bea.SendMessage("ann", "I will bring bread")
	f.ann.SendMessage("cem", "Is there room for one more?")
	house := f.ann.CreateCommunity(`{"name": "The house", "summary": "Everyone who lives here"}`, f.bea)
	club := f.cem.CreateCommunity(`{"name": "Rowing club"}`)
	f.cem.InviteToCommunity(club, f.ann)
	ladder := f.bea.StartConversationIn("Who has the long ladder?", fmt.Sprintf(`{"kind": "community", "id": %q}`, apptest.LastSegment(house)))
	f.ann.Reply(ladder, "It is behind the shed")
	f.bea.Reply(ladder, "@ann, in the loft?")
	f.bea.Do("POST", "/world/social/events", map[string]any{
		"title": "Supper", "start": day(3) + "T18:00:00", "end": day(3) + "T22:00:00", "timezone": "Europe/Berlin", "among": apptest.LastSegment(house), "description": "Bring one thing.",
		"location": map[string]any{"label": "The kitchen", "latitude": townLatitude, "longitude": townLongitude}, "capacity": 10,
	}).Want(201)
	f.bea.Do("POST", "/world/social/presence", `{"state": "online", "note": "in the garden", "ttl_seconds": 3600}`).Want(200)
	dataset := f.ann.Dataset()
	for name, title := range map[string]string{
		"entry": "calendar_event Dentist", "task": "task Order seed potatoes", "thread": "message_thread Bea", "community": "community The house",
		"conversation": "conversation Who has the long ladder?", "event": "event Supper", "person": "profile Bea",
	} {
		f.addresses[name] = apptest.LastSegment(objectPath(dataset, title))
	}
}

// addFindings opens the café and reads the page.
func (f *populatedServer) addFindings() {
	f.sendSurfaceCommand("Café Corner", "open_finding", fmt.Sprintf(`{"query": "Café Corner", "scope": "nearby", "origin": {"latitude": %v, "longitude": %v}}`, townLatitude, townLongitude))
	answer := f.sendSurfaceCommand("Page …", "translate_surface", `{"query": "wall", "scope": "everywhere"}`)
	for _, s := range answer.List("surface_runtime.surfaces") {
		id := at(s, "surface_id").(string)
		switch at(s, "surface_type") {
		case "map_surface":
			f.addresses["place"] = id
		case "web_article_surface", "web_gallery_surface", "web_events_surface", "web_business_surface", "web_contact_surface":
			name, _, _ := strings.Cut(strings.TrimPrefix(at(s, "surface_type").(string), "web_"), "_")
			f.addresses[name] = id
		}
	}
}

// command searches, and sends a command of the surface with a title among the results. A title that
// ends with … is a prefix.
func (f *populatedServer) sendSurfaceCommand(title, command, search string) *apptest.Answer {
	f.T.Helper()
	found := f.ann.Do("POST", "/world/find/query", search).Want(200)
	beginning, isPrefix := strings.CutSuffix(title, "…")
	for _, s := range found.List("surface_runtime.surfaces") {
		got, _ := at(s, "title").(string)
		if address, ok := at(s, "commands."+command).(string); ok && (got == title || isPrefix && strings.HasPrefix(got, beginning)) {
			return f.ann.Do("POST", address, "{}").Want(200)
		}
	}
	f.T.Fatalf("Find has no %s %q in %q", command, title, found.Values("surface_runtime.surfaces", "title"))
	return nil
}
