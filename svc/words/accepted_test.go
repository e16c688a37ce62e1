package words

import "testing"

func TestAcceptedLocaleKeepsTheRegion(t *testing.T) {
	for header, want := range map[string]string{
		"de-DE,de;q=0.9,en;q=0.8": "de",
		"de-CH":                   "de-CH",
		"en-GB,en;q=0.9":          "en-GB",
		"en-US":                   "en",
		"fr,de;q=0.5":             "de",
		"fr-FR":                   "",
		"":                        "",
		"no language at all;;":    "",
	} {
		if got := AcceptedLocale(header); got != want {
			t.Errorf("AcceptedLocale(%q) = %q, want %q", header, got, want)
		}
	}
}
