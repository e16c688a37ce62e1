package words

import "testing"

func TestStoredMessagesAreTranslated(t *testing.T) {
	for english, german := range map[string]string{
		"The site cannot be reached. Try again later.":          "Die Website ist nicht erreichbar. Versuche es später noch einmal.",
		"The server answered with status 503.":                  "Der Server hat mit Status 503 geantwortet.",
		"The server answered with status many.":                 "The server answered with status many.",
		"This message with 1 number has no translation.":        "This message with 1 number has no translation.",
		"The server answered with status 99999999999999999999.": "The server answered with status 99999999999999999999.",
	} {
		if got := German.Stored(english); got != german {
			t.Errorf("%q: got %q, want %q", english, got, german)
		}
		if got := Textf("%s", Stored(english)).In(German); got != german {
			t.Errorf("%q as an argument: got %q, want %q", english, got, german)
		}
		if got := English.Stored(english); got != english {
			t.Errorf("got %q, want %q", got, english)
		}
	}
}
