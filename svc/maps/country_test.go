package maps

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

var updateCountries = flag.Bool("update-countries", false, "write countries.txt")

// TestCountryFile checks the embedded names of countries against those of x/text.
func TestCountryFile(t *testing.T) {
	var b strings.Builder
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			r, err := language.ParseRegion(string([]rune{first, second}))
			if err != nil || !r.IsCountry() || r.Canonicalize() != r || r.ISO3() == "ZZZ" {
				continue
			}
			fields := []string{r.String(), r.ISO3()}
			for _, names := range []*display.Dictionary{display.English, display.German, display.French, display.Spanish, display.Italian} {
				fields = append(fields, names.Regions().Name(r))
			}
			b.WriteString(strings.Join(unique(fields), ";") + "\n")
		}
	}
	if *updateCountries {
		if err := os.WriteFile("countries.txt", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if countryFile != b.String() {
		t.Error("countries.txt differs from the names of golang.org/x/text; run go generate ./svc/maps")
	}
}
