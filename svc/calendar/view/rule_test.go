package view

import (
	"testing"

	"appliance/svc/calendar/ics"
	"appliance/svc/words"
)

// A rule is described in words, or as a custom rule. Covers B-106.
func TestRulesAreDescribedInWords(t *testing.T) {
	start := ics.Date(2026, 12, 1)
	for rule, want := range map[string]string{
		"FREQ=WEEKLY;UNTIL=20261224":                     "Every week on Tuesday, until 24 December 2026",
		"FREQ=DAILY":                                     "Every day",
		"FREQ=DAILY;INTERVAL=3;COUNT=1":                  "Every 3 days, once",
		"FREQ=WEEKLY;BYDAY=MO,FR;COUNT=6":                "Every week on Monday and Friday, 6 times",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,WE,TH":          "Every 2 weeks on Tuesday, Wednesday and Thursday",
		"FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20261231T000000Z": "Every month on the last Friday, until 31 December 2026",
		"FREQ=MONTHLY;BYMONTHDAY=15,-1":                  "Every month on day 15 and the last day of the month",
		"FREQ=MONTHLY;BYMONTHDAY=10,20":                  "Every month on day 10 and day 20 of the month",
		"FREQ=MONTHLY;BYDAY=2WE,4WE":                     "Every month on the second and the fourth Wednesday",
		"FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=11,21":         "Every year on 11 June and 21 June",
		"FREQ=YEARLY;BYMONTH=6,7;BYMONTHDAY=11":          "Every year on day 11 of the month in June and July",
		"FREQ=YEARLY;BYMONTH=5;BYDAY=2SU":                "Every year on the second Sunday in May",
		"FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1;BYDAY=MO":    customRule,
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1":  "Every month on the last day from Monday to Friday",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1":        customRule,
		"FREQ=MONTHLY;BYDAY=-2FR":                        "Every month on the second to last Friday",
		"FREQ=MONTHLY;BYMONTHDAY=-3":                     customRule,
		"FREQ=YEARLY;BYDAY=20MO":                         customRule,
		"FREQ=HOURLY":                                    customRule,
		"RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD":    customRule,
		"RSCALE=CHINESE;FREQ=YEARLY":                     "Repeats in another calendar system (CHINESE). Only the first occurrence is shown",
		"FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8,9,10":         customRule,
		"FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8,9":      customRule,
	} {
		r, err := ics.ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := RuleText(words.English, r, start); got != want {
			t.Errorf("%s: got %q, want %q", rule, got, want)
		}
	}
}

// A description in German has the word order of German.
func TestRulesAreDescribedInGerman(t *testing.T) {
	start := ics.Date(2026, 12, 1)
	for rule, want := range map[string]string{
		"FREQ=WEEKLY;UNTIL=20261224":                    "Jede Woche am Dienstag, bis zum 24. Dezember 2026",
		"FREQ=DAILY":                                    "Jeden Tag",
		"FREQ=DAILY;INTERVAL=3;COUNT=1":                 "Alle 3 Tage, einmal",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,WE,TH;COUNT=6": "Alle 2 Wochen am Dienstag, Mittwoch und Donnerstag, 6-mal",
		"FREQ=MONTHLY;BYDAY=1MO,3TU,4WE,5TH":            "Jeden Monat am ersten Montag, dritten Dienstag, vierten Mittwoch und fünften Donnerstag",
		"FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR":            "Alle 2 Monate am letzten Freitag",
		"FREQ=MONTHLY;BYMONTHDAY=15,-1":                 "Jeden Monat am 15. und letzten Tag des Monats",
		"FREQ=MONTHLY;BYMONTHDAY=10,21":                 "Jeden Monat am 10. und 21. des Monats",
		"FREQ=MONTHLY;BYDAY=1MO,3MO":                    "Jeden Monat am ersten und dritten Montag",
		"FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=11":           "Jedes Jahr am 11. Juni",
		"FREQ=YEARLY;BYMONTH=5;BYDAY=2SU":               "Jedes Jahr am zweiten Sonntag im Mai",
		"FREQ=YEARLY;INTERVAL=3":                        "Alle 3 Jahre",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2": "Jeden Monat am vorletzten Tag von Montag bis Freitag",
		"FREQ=HOURLY":                                   "Wiederholt sich nach einer eigenen Regel",
	} {
		r, err := ics.ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := RuleText(words.German, r, start); got != want {
			t.Errorf("%s: got %q, want %q", rule, got, want)
		}
	}
}

// The last day of a series is that in its time zone, in which UNTIL can be on another day.
func TestEndOfRuleIsInTheZoneOfTheSeries(t *testing.T) {
	zone, ok := ics.LoadZone("America/New_York")
	if !ok {
		t.Fatal("got no zone America/New_York, want one")
	}
	start := ics.Date(2026, 12, 1).WithZone(zone)
	for rule, want := range map[string]string{
		"FREQ=DAILY;UNTIL=20261204T045959Z": "Every day, until 3 December 2026",
		"FREQ=DAILY;UNTIL=20261203":         "Every day, until 3 December 2026",
	} {
		r, err := ics.ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := RuleText(words.English, r, start); got != want {
			t.Errorf("%s: got %q, want %q", rule, got, want)
		}
	}
}
