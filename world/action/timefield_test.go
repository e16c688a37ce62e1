package action

import (
	"testing"

	"appliance/svc/words"
)

// The fields of entries and the options of recurrences have labels in the language of the
// member, and the same values in each.
func TestFieldsOfEntriesAreInTheLanguageOfTheMember(t *testing.T) {
	options := func(name string, english, german []Option) {
		t.Helper()
		if len(english) == 0 && len(german) == 0 {
			return
		}
		for i, o := range german {
			if o.Value != english[i].Value || o.Label == english[i].Label {
				t.Errorf("%s: got %+v in German and %+v in English, want the same value with another label", name, o, english[i])
			}
		}
	}
	german := TimeFields(words.German, nil)
	for i, f := range TimeFields(words.English, nil) {
		if g := german[i]; g.ID != f.ID || g.Label == f.Label && f.Label != "Status" {
			t.Errorf("field %s: got the label %q in German", f.ID, g.Label)
		}
		if f.ID != "color" {
			options(f.ID, f.Options, german[i].Options)
		}
	}
	options("frequencies", Frequencies(words.English), Frequencies(words.German))
	options("weekdays", Weekdays(words.English, "sunday"), Weekdays(words.German, "sunday"))
	if got := Weekdays(words.German, "sunday")[0]; got.Value != "SU" || got.Label != "Sonntag" {
		t.Errorf("got %+v, want Sonntag", got)
	}
}
