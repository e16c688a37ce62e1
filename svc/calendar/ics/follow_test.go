package ics

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A form of the web app shows the rule before the server changes it: a JavaScript test reads the
// same table. Covers B-114.
func TestRuleFollowsAsInTheForm(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/web/parts/follow.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Rule, From, To, Want string }
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 10 {
		t.Fatalf("got %d rows and the error %v, want at least 10 rows", len(list), err)
	}
	value := func(day string) string { return strings.ReplaceAll(day, "-", "") }
	for _, c := range list {
		o := mustParse(t, event("DTSTART;VALUE=DATE:"+value(c.From), "RRULE:"+c.Rule))
		to, _ := parseTime(value(c.To), nil)
		change, err := o.ChangeSeries(Time{}, to, nil)
		if err != nil {
			t.Errorf("%s from %s to %s: got %v", c.Rule, c.From, c.To, err)
		} else if got := change.Rule.String(); got != c.Want {
			t.Errorf("%s from %s to %s: got %s, want %s", c.Rule, c.From, c.To, got, c.Want)
		}
	}
}
