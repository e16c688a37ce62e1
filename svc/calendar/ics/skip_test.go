package ics

import (
	"strings"
	"testing"
	"time"
)

// SKIP replaces days that a month or a year does not have. Covers RFC 7529 §4.1.
func TestSkipReplacesMissingDays(t *testing.T) {
	for _, c := range []struct{ name, start, rule, want string }{
		{"the 31st, backward", "20260131", "FREQ=MONTHLY;SKIP=BACKWARD;COUNT=5", "260131 260228 260331 260430 260531"},
		{"the 31st, forward", "20260131", "FREQ=MONTHLY;SKIP=FORWARD;COUNT=5", "260131 260301 260331 260501 260531"},
		{"the 31st, omitted", "20260131", "FREQ=MONTHLY;SKIP=OMIT;COUNT=3", "260131 260331 260531"},
		{"several days become one", "20260128", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;SKIP=BACKWARD;COUNT=6", "260128 260129 260130 260131 260228 260328"},
		{"a replacement equals the first of the next month", "20260131", "FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD;COUNT=5", "260131 260201 260301 260331 260401"},
		{"a day counted from the end, forward", "20260101", "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=FORWARD;COUNT=3", "260101 260201 260301"},
		{"a day counted from the end, backward", "20260101", "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD;COUNT=5", "260101 260131 260301 260331 260501"},
		{"a leap day, forward", "20240229", "FREQ=YEARLY;SKIP=FORWARD;COUNT=5", "240229 250301 260301 270301 280229"},
		{"a leap day, backward", "20240229", "FREQ=YEARLY;SKIP=BACKWARD;COUNT=5", "240229 250228 260228 270228 280229"},
		{"30 February, forward", "20260101", "FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=30;SKIP=FORWARD;COUNT=4", "260101 260130 260301 270130"},
		{"the last day of a leap year, forward", "20241231", "FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;COUNT=4", "241231 260101 270101 280101"},
		{"the last day of a leap year, backward", "20241231", "FREQ=YEARLY;BYYEARDAY=366;SKIP=BACKWARD;COUNT=4", "241231 251231 261231 271231"},
		{"a weekday limits replacements", "20260131", "FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=FR,SA;SKIP=FORWARD;COUNT=4", "260131 260501 260731 261031"},
		{"a position counts replacements", "20260131", "FREQ=MONTHLY;BYMONTHDAY=15,31;BYSETPOS=-1;SKIP=BACKWARD;COUNT=3", "260131 260228 260331"},
		{"other frequencies have no missing days", "20260131", "FREQ=DAILY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=3", "260131 260331 260531"},
		{"every second month", "20260131", "FREQ=MONTHLY;INTERVAL=3;SKIP=FORWARD;COUNT=4", "260131 260501 260731 261031"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, event("DTSTART;VALUE=DATE:"+c.start, "RRULE:RSCALE=GREGORIAN;"+c.rule))
			list, truncated := o.Instances(time.Time{}, time.Time{}, nil, 100)
			var got []string
			for _, i := range list {
				got = append(got, i.Start.Clock().Format("060102"))
			}
			want := c.want
			if text := strings.Join(got, " "); text != want || truncated {
				t.Errorf("got %s, truncated %t; want %s", text, truncated, want)
			}
		})
	}
}
