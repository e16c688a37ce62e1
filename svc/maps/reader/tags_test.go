package reader

import "testing"

// A label is a name that the fonts of the map have.
func TestLabelsCanBeDrawn(t *testing.T) {
	for _, c := range []struct {
		want string
		tags map[string]string
	}{
		{"Αθήνα", map[string]string{"name": "Αθήνα", "name:en": "Athens"}},
		{"Tokyo", map[string]string{"name": "東京", "name:en": "Tokyo", "name:de": "Tokio"}},
		{"Roma", map[string]string{"name": "東京", "name:en": "東京", "int_name": "Roma", "name:de": "Rom"}},
		{"Kairo", map[string]string{"name": "القاهرة", "name:ar": "القاهرة", "name:es": "El Cairo", "name:de": "Kairo"}},
		{"東京", map[string]string{"name": "東京", "name:zh": "东京"}},
		{"Athens", map[string]string{"name:en": "Athens"}},
		{"", map[string]string{}},
	} {
		if got := labelName(c.tags); got != c.want {
			t.Errorf("%v: got %q, want %q", c.tags, got, c.want)
		}
	}
}
