package words

import (
	"strings"
	"testing"
)

func TestLabel(t *testing.T) {
	for field, want := range map[string]string{
		"title":        "Title",
		"display_name": "Display name",
		"username":     "User name",
		"email":        "E-mail address",
		"timezone":     "Time zone",
		"context.id":   "Context ID",
		"":             "",
	} {
		if got := Label(field); got != want {
			t.Errorf("%q: got %q, want %q", field, got, want)
		}
	}
}

func TestLanguageOfALocale(t *testing.T) {
	for locale, want := range map[string]Language{
		"de": German, "de-CH": German, "de-Latn-AT": German, "DE": German, "en": English, "en-GB": English, "fr": English, "": English, "x": English, "gsw": German, "de-DE": German,
	} {
		if got := For(locale).WithoutRegion(); got != want {
			t.Errorf("%q: got the language %v, want %v", locale, got, want)
		}
	}
	for header, want := range map[string]Language{
		"de-DE,de;q=0.9,en;q=0.8": German, "fr, de;q=0.5": German, "en, de": English, "": English, "*": English, "de;q=0": English,
		strings.Repeat("de,", 100): English, "\x00": English,
	} {
		if got := AcceptedLanguage(header); got != want {
			t.Errorf("Accept-Language %q: got the language %v, want %v", header, got, want)
		}
	}
}

func TestTextsAreTranslatedWithTheirArguments(t *testing.T) {
	required := Text{"%s is required.", []any{Word("Title")}}
	if got := required.In(German); got != "Titel fehlt." {
		t.Errorf("got %q, want the translation of the text and of the word", got)
	}
	// A name of a member is not a word of the server.
	if got := (Text{"%s is required.", []any{"Title"}}).In(German); got != "Title fehlt." {
		t.Errorf("got %q, want an argument that is not translated", got)
	}
	nested := Text{"The provider %s %s", []any{"library", Text{"failed with status %d. Try again later.", []any{500}}}}
	if got := nested.In(German); got != "Der Anbieter library hat einen Fehler (Status 500). Versuche es später noch einmal." {
		t.Errorf("got %q, want the translation of both texts", got)
	}
	for _, text := range []Text{required, nested} {
		if got := text.In(English); strings.Contains(got, "!") || got == "" {
			t.Errorf("got %q, want the English text", got)
		}
	}
	if got := German.Text("This text has no translation."); got != "This text has no translation." {
		t.Errorf("got %q, want the English text", got)
	}
}
