package words

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"

	"appliance/assets"
)

// A file has its keys in order, so that changes of several people rarely touch the same lines,
// and no key twice.
func TestCatalogsAreSorted(t *testing.T) {
	for _, tag := range Tags {
		name := "words/" + tag.String() + ".json"
		got, err := fs.ReadFile(assets.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		var catalog map[string]any
		if err := json.Unmarshal(got, &catalog); err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", "\t")
		if err := e.Encode(catalog); err != nil {
			t.Fatal(err)
		}
		if line := firstDifference(got, want.Bytes()); line != "" {
			t.Errorf("%s: got %q, want the keys in order, without duplicates", name, line)
		}
	}
}

// firstDifference returns the first line of a that is not in b at its place.
func firstDifference(a, b []byte) string {
	linesOfB := bytes.Split(b, []byte("\n"))
	for i, line := range bytes.Split(a, []byte("\n")) {
		if i >= len(linesOfB) || !bytes.Equal(line, linesOfB[i]) {
			return string(line)
		}
	}
	return ""
}

// argument matches an argument of a message of the web app with its kind.
var argument = regexp.MustCompile(`\{(\d+)(?:\}|, (\w+),)`)

// arguments returns the arguments of a message by index, and whether they select cases by name.
func arguments(message string) map[string]bool {
	list := make(map[string]bool)
	for _, match := range argument.FindAllStringSubmatch(message, -1) {
		list[match[1]] = list[match[1]] || match[2] == "select"
	}
	return list
}

func TestCatalogsHaveTheSameMessages(t *testing.T) {
	english := English.Catalog().App
	if len(english) < 10 {
		t.Fatalf("got %d areas, want those of the web app", len(english))
	}
	for l, tag := range Tags {
		app := catalogs[l].App
		if got, want := slices.Sorted(maps.Keys(app)), slices.Sorted(maps.Keys(english)); !slices.Equal(got, want) {
			t.Errorf("%s: got the areas %q, want %q", tag, got, want)
		}
		for area, messages := range english {
			for key, message := range messages {
				translated, ok := app[area][key]
				switch got, want := arguments(translated), arguments(message); {
				case !ok || translated == "":
					t.Errorf("%s: got no message %s %s", tag, area, key)
				case !maps.Equal(got, want):
					t.Errorf("%s %s %s: got the arguments %v in %q, want %v", tag, area, key, got, translated, want)
				}
			}
			for key := range app[area] {
				if _, ok := messages[key]; !ok {
					t.Errorf("%s: got a message %s %s, which English does not have", tag, area, key)
				}
			}
		}
	}
}

func TestFormatsAreComplete(t *testing.T) {
	for l, tag := range Tags[1:] {
		f := catalogs[l+1].Formats
		if len(f.Months) != 12 || len(f.MonthsShort) != 12 || len(f.Weekdays) != 7 || len(f.WeekdaysShort) != 7 {
			t.Errorf("%s: got the formats %+v, want all fields, 12 months and 7 weekdays", tag, f)
		}
	}
	for l, tag := range Tags {
		c := catalogs[l]
		if c.Name == "" || len(c.Regions) == 0 {
			t.Errorf("%s: got the name %q and the regions %v, want both", tag, c.Name, c.Regions)
		}
		if f := c.Formats; f.Day == "" || f.DayYear == "" || f.Time == "" || f.Decimal == "" || f.Group == "" {
			t.Errorf("%s: got the formats %+v, want all fields", tag, f.RegionFormats)
		}
		for code, region := range c.Regions {
			if n := len(region.DayPeriods); region.Name == "" || n != 0 && n != 2 {
				t.Errorf("%s-%s: got the name %q and the day periods %q, want a name, and none or both periods", tag, code, region.Name, region.DayPeriods)
			}
		}
	}
}
