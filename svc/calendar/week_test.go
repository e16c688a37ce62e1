package calendar

import (
	"fmt"
	"testing"
)

// The locale of a member determines the weekend and the number of weeks. Covers
// B-106.
func TestWeekFollowsTheCountryOfTheLocale(t *testing.T) {
	for locale, want := range map[string]string{
		"de": "[saturday sunday] first_four_days", "en": "[saturday sunday] first_day", "en-GB": "[saturday sunday] first_four_days",
		"he": "[friday saturday] first_day", "ar-EG": "[friday saturday] first_day", "fa": "[friday] first_day", "ps-AF": "[thursday friday] first_day",
		"hi": "[sunday] first_day", "pt-BR": "[saturday sunday] first_day", "zh-Hant-TW": "[saturday sunday] first_day", "xx": "[saturday sunday] first_day",
		"not a locale": "[saturday sunday] first_day", "": "[saturday sunday] first_day",
	} {
		if w := WeekOf(locale); fmt.Sprint(w.WeekendDays, " ", w.WeekNumberRule) != want {
			t.Errorf("%q: got %v %s, want %s", locale, w.WeekendDays, w.WeekNumberRule, want)
		}
	}
}
