package ics

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

func TestLongLinesAreFolded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 75-len("SUMMARY:")),
		strings.Repeat("x", 76-len("SUMMARY:")),
		strings.Repeat("x", 1000),
		strings.Repeat("ä", 500),
		"x" + strings.Repeat("漢", 300),
		strings.Repeat("\U0001F389", 200),
	} {
		line := formatLine(TextProp("SUMMARY", text), "\r\n")
		for part := range bytes.SplitSeq(bytes.TrimSuffix(line, []byte("\r\n")), []byte("\r\n")) {
			if len(part) > 75 || !utf8.Valid(part) {
				t.Errorf("got a line of %d octets: %q; want at most 75, valid UTF-8", len(part), part)
			}
		}
		if got := string(unfold(line)); got != "SUMMARY:"+text {
			t.Errorf("unfolded: got %q, want %q", got, "SUMMARY:"+text)
		}
	}
}

func TestPropertiesAreFormatted(t *testing.T) {
	berlin, _ := LoadZone("Europe/Berlin")
	nine := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	for want, p := range map[string]ical.Prop{
		`SUMMARY:a\\b\;c\,d\ne\nf\ng`:                               TextProp("summary", "a\\b;c,d\ne\r\nf\rg"),
		`CATEGORIES:Home,Work\, paid`:                               ListProp("CATEGORIES", []string{"Home", "Work, paid"}),
		"DTSTART;VALUE=DATE:20260501":                               TimeProp("DTSTART", Date(2026, 5, 1)),
		"DTSTART:20260501T090000":                                   TimeProp("DTSTART", Floating(nine)),
		"DTSTART:20260501T090000Z":                                  TimeProp("DTSTART", UTC(nine)),
		"EXDATE;TZID=Europe/Berlin:20260501T110000,20260502T110000": TimeProp("EXDATE", Zoned(nine, berlin), Zoned(nine.AddDate(0, 0, 1), berlin)),
		"PRIORITY:5":                     IntProp("PRIORITY", 5),
		"DURATION:PT1H30M":               DurationProp("DURATION", Duration{Seconds: 5400}),
		"RRULE:FREQ=DAILY":               RuleProp(&Rule{Freq: Daily, Interval: 1, WeekStart: time.Monday}),
		"X:a b":                          {Name: "X", Value: "a\x00 \r\nb"},
		"X:a\ufffdb":                     {Name: "X", Value: "a\xffb"},
		`X;A=b^'c^^d^ne,"f;g";B="h,i":j`: {Name: "X", Params: ical.Params{"B": {"h,i"}, "A": {"b\"c^d\ne", "f;g"}}, Value: "j"},
	} {
		line := formatLine(p, "\n")
		if got := strings.TrimSuffix(string(line), "\n"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if problem := (&contentLine{text: unfold(line)}).parse(); problem != "" {
			t.Errorf("%q: line %s", line, problem)
		}
	}
}
