package calendar

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"appliance/assets"
	"appliance/svc/calendar"
)

// The web app draws the colors of svc/calendar: tokens.css has their values for light mode
// and twice those for dark mode, base.css has a class for each, and person.js maps the stored
// values to the classes.
func TestWebAppHasThePaletteOfCalendars(t *testing.T) {
	var light, dark, classes, values []string
	for _, c := range calendar.Palette() {
		name := strings.ToLower(c.Name)
		light = append(light, fmt.Sprintf("--k-%s: %s;", name, c.Light))
		dark = append(dark, fmt.Sprintf("--k-%s: %s;", name, c.Dark))
		classes = append(classes, fmt.Sprintf(".k-%s { --c: var(--k-%s); }", name, name))
		values = append(values, fmt.Sprintf("[%q, %q],", c.Light, name))
	}
	for _, c := range []struct {
		file, pattern string
		want          []string
	}{
		{"tokens.css", `--k-[a-z]+: #[0-9a-f]{6};`, slices.Concat(light, dark, dark)},
		{"base.css", `\.k-[a-z]+ \{ --c: var\(--k-[a-z]+\); \}`, classes},
		{"parts/person.js", `\["#[0-9a-f]{6}", "[a-z]+"\],`, values},
	} {
		text, err := fs.ReadFile(assets.Files, "web/"+c.file)
		if err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(c.pattern).FindAllString(string(text), -1); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q\nwant\n%q", c.file, got, c.want)
		}
	}
}
