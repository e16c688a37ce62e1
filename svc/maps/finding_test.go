package maps

import (
	"testing"

	"appliance/svc"
	"appliance/svc/maps/kind"
	"appliance/svc/words"
)

func TestFormatDistance(t *testing.T) {
	for metres, want := range map[float64][]string{
		0: {"0 m", "0 m"}, 412.4: {"412 m", "412 m"}, 999.4: {"999 m", "999 m"}, 1000: {"1 km", "1 km"}, 1230: {"1.2 km", "1,2 km"}, 5000: {"5 km", "5 km"},
	} {
		for i, l := range []words.Language{words.English, words.German} {
			if got, want := FormatDistance(l, metres), want[i]; got != want {
				t.Errorf("%v metres in %s: got %q, want %q", metres, l.Tag(), got, want)
			}
		}
	}
}

func TestFindingsArePresentedInTheLanguageOfTheMember(t *testing.T) {
	bakery := Place{PlaceID: "osm:node/1", Kind: "shop=bakery", Category: "groceries"}
	named := bakery
	named.Name, named.Named = "Bakery", true // a name that is also the label of the kind
	address := Place{PlaceID: "osm:node/2#3", Kind: kind.Address, Name: "Rua 3", Named: true, Interpolated: true}
	for _, c := range []struct {
		finding              svc.Finding
		summary              string // stored, "" for that of the place
		title, german, label string
	}{
		{bakery.Finding(), "", "Bäckerei", "Bäckerei", "Bäckerei"},
		{named.Finding(), "", "Bakery", "Bäckerei", "Bäckerei"},
		{named.Finding(), "Bakery · Main St 1 · 1.2 km", "Bakery", "Bäckerei · Main St 1 · 1,2 km", "Bäckerei"},
		{named.Finding(), "Main St 1 · 250 m", "Bakery", "Main St 1 · 250 m", "Bäckerei"},
		{address.Finding(), "", "Rua 3", "Adresse, geschätzte Position", "Adresse, geschätzte Position"},
		{(Place{PlaceID: "osm:node/3", Kind: "shop=escape_game"}).Finding(), "", "Geschäft", "Geschäft", "Geschäft"},
		{svc.Finding{Title: "Bakery", Summary: "Bakery", Payload: svc.Map{}}, "", "Bakery", "Bakery", ""},
	} {
		stored := c.finding
		if c.summary != "" {
			stored.Summary = c.summary
			stored.Payload["distance_meters"] = 1200.0
		}
		got := InLanguage(words.German, stored)
		if got.Title != c.title || got.Summary != c.german || got.Text("kind") != c.label {
			t.Errorf("%q, %q: got %q, %q with the kind %q, want %q, %q with %q", stored.Title, stored.Summary, got.Title, got.Summary, got.Text("kind"), c.title, c.german, c.label)
		}
		if len(stored.Actions) > 0 && (got.Actions[0].Label != "Öffnen" || stored.Actions[0].Label != "Open") {
			t.Errorf("got the actions %v of %v", got.Actions, stored.Actions)
		}
		if english := InLanguage(words.English, stored); english.Title != stored.Title || english.Summary != stored.Summary {
			t.Errorf("got %q, %q in English, want the stored texts", english.Title, english.Summary)
		}
	}
}
