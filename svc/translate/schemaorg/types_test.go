package schemaorg_test

import (
	"testing"

	"appliance/svc/translate/schemaorg"
)

func TestTypeTreeHasTheRelationsOfSchemaOrg(t *testing.T) {
	for _, c := range []struct {
		name, of string
		want     bool
	}{
		{"Bakery", "FoodEstablishment", true},
		{"Bakery", "LocalBusiness", true},
		{"bakery", "ORGANIZATION", true},
		{"Bakery", "Place", true},
		{"Restaurant", "Restaurant", true},
		{"FastFoodRestaurant", "FoodEstablishment", true},
		{"MusicEvent", "Event", true},
		{"NewsArticle", "Article", true},
		{"BlogPosting", "SocialMediaPosting", true},
		{"ImageGallery", "MediaGallery", true},
		{"ContactPage", "WebPage", true},
		{"Hospital", "EmergencyService", true},
		{"Museum", "Place", true},
		{"MusicVenue", "Place", true},
		{"EmployeeRole", "Role", true},
		{"3DModel", "MediaObject", true},
		{"Unknown", "unknown", true},
		{"Museum", "LocalBusiness", false},
		{"LocalBusiness", "Bakery", false},
		{"Person", "Organization", false},
		{"UserComments", "Event", false},
		{"CourseInstance", "Event", false},
		{"Unknown", "Thing", false},
		{"", "Thing", false},
	} {
		if got := schemaorg.IsSubtype(c.name, c.of); got != c.want {
			t.Errorf("IsSubtype(%q, %q): got %t, want %t", c.name, c.of, got, c.want)
		}
	}
	if got := schemaorg.CountTypes(); got < 900 || got > 2000 {
		t.Errorf("got %d types, want more than 900", got)
	}
}

func TestAllTypesDescendFromThing(t *testing.T) {
	for _, name := range schemaorg.TypesWithoutThing() {
		switch name {
		case "PronounceableText", "StupidType", "Text", "DataType", "Thing":
		default:
			t.Errorf("%s: got no path to Thing, want one", name)
		}
	}
}
