package httpd

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// Each form becomes valid JSON or is rejected, and the value of a field is
// unchanged.
func FuzzForm(f *testing.F) {
	f.Add("title=T&start=2026-12-01T09:00:00&exdates[]=a&exdates[]=b&order=3&all_day=on")
	f.Add("a[b][c]=1&a.b.d=2&a=3&[]=x&a[=1&]=2&order=1e999&order=0x1")
	f.Add("title=%ff&title=%00")
	type inner struct {
		C string `json:"c"`
	}
	type body struct {
		Title   string           `json:"title"`
		AllDay  bool             `json:"all_day"`
		Order   *int             `json:"order"`
		ExDates []string         `json:"exdates"`
		Nested  map[string]inner `json:"a"`
	}
	f.Fuzz(func(t *testing.T, text string) {
		values, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		sendAccepting, err := formJSON(values, reflect.TypeFor[body]())
		if err != nil {
			return
		}
		if !json.Valid(sendAccepting) {
			t.Fatalf("%q: got %q, want JSON", text, sendAccepting)
		}
		var b body
		if err := json.Unmarshal(sendAccepting, &b); err != nil {
			return
		}
		for name := range values { // title[]= sets the same field
			if name != "title" && strings.HasPrefix(strings.TrimLeft(name, "[]."), "title") {
				return
			}
		}
		if titles := values["title"]; len(titles) > 0 && b.Title != titles[len(titles)-1] {
			t.Errorf("%q: got the title %q, want %q", text, b.Title, titles[len(titles)-1])
		}
	})
}
