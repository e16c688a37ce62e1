package dataset

import (
	"testing"
	"time"

	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/words"
)

func TestPlacesAreTruncatedIfThereAreMore(t *testing.T) {
	for total, want := range map[int]bool{0: false, 2: false, 3: true} {
		if got := (Places{List: make([]FieldPlace, min(total, 2)), Total: total}).Truncated(); got != want {
			t.Errorf("2 of %d places: got %t, want %t", total, got, want)
		}
	}
}

// Without an origin, a place has only its position. A bearing is less than 360 degrees
// after rounding.
func TestLocationIsRelativeToTheOrigin(t *testing.T) {
	p := geo.Point{Latitude: 1, Longitude: -0.0005}
	if l := newFieldLocation(p, nil); l.Latitude != 1 || l.Longitude != -0.0005 || l.Distance != nil || l.Bearing != nil || l.OffsetX != nil || l.OffsetY != nil {
		t.Errorf("without an origin: got %+v, want the position only", l)
	}
	if l := newFieldLocation(p, new(Location)); *l.Bearing != 0 || *l.Distance < 111_000 || *l.OffsetX > -50 || *l.OffsetY < 111_000 {
		t.Errorf("to the north: got the bearing %v, distance %v and offsets %v and %v, want 0 and those to the north", *l.Bearing, *l.Distance, *l.OffsetX, *l.OffsetY)
	}
}

// The places of a field change when the first of them opens or closes.
func TestFieldExpiresAtTheFirstChangeOfAPlace(t *testing.T) {
	m := maps.New()
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) // a Monday
	place := func(hours string) maps.Place {
		return maps.Place{Tags: map[string]string{"opening_hours": hours}, Point: geo.Point{Latitude: 51.5, Longitude: -0.1}}
	}
	for _, c := range []struct {
		places []maps.Place
		want   time.Time
	}{
		{nil, time.Time{}},
		{[]maps.Place{{}, place("24/7")}, time.Time{}},
		{[]maps.Place{place("Mo 09:00-18:00"), {}, place("Mo 09:00-12:00"), place("Mo 09:00-15:00")}, now.Add(2 * time.Hour)},
	} {
		places, expires := NewFieldPlaces(m, now, c.places, nil)
		if len(places) != len(c.places) || !expires.Equal(c.want) {
			t.Errorf("got %d places until %v, want %d until %v", len(places), expires, len(c.places), c.want)
		}
	}
}

// The summary of a place is its kind, otherwise its category, and its distance.
func TestSummaryOfAPlace(t *testing.T) {
	category := Categories[0].ID
	for _, c := range []struct {
		kind, category string
		distance       *float64
		want           string
	}{
		{"Café", category, new(999.4), "Café · 999 m"},
		{"Café", category, nil, "Café"},
		{"", category, new(1000.0), CategoryLabel(words.English, category) + " · 1.0 km"},
		{"", "", new(12_345.0), "12.3 km"},
		{"", "", nil, ""},
	} {
		p := FieldPlace{Place: maps.Place{KindLabel: c.kind, Category: c.category}, Location: FieldLocation{Distance: c.distance}}
		if got := p.Summary(words.English); got != c.want {
			t.Errorf("%q %q at %v: got %q, want %q", c.kind, c.category, c.distance, got, c.want)
		}
	}
}
