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

// Sign-in redirects only to this server.
func FuzzReturnTo(f *testing.F) {
	for _, s := range []string{"/account", "//evil.example", "/\\evil.example", "/%2f/evil.example", "https:evil", "/a/../..//b", "/?x=//y", "/\t/evil.example"} {
		f.Add(s)
	}
	base, _ := url.Parse("https://home.example/")
	f.Fuzz(func(t *testing.T, to string) {
		got := localPath(to)
		if got == "" {
			return
		}
		// Browsers drop tabs and line breaks, and read \ as /.
		interpreted := strings.NewReplacer("\t", "", "\n", "", "\r", "", "\\", "/").Replace(got)
		u, err := base.Parse(interpreted)
		if err != nil || u.Host != base.Host || u.Scheme != base.Scheme || strings.HasPrefix(interpreted, "//") {
			t.Errorf("%q: got a redirect to %v, %v, want this server", to, u, err)
		}
	})
}
