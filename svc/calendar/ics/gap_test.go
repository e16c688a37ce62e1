package ics

import (
	"strings"
	"testing"
	"time"
)

// The instances of a rule are different instants: a local time that the clocks skip is no
// second instance at the instant of the time after it, and does not count.
func TestSkippedLocalTimesAreNoSecondInstances(t *testing.T) {
	const berlin, apia, lordHowe = "Europe/Berlin", "Pacific/Apia", "Australia/Lord_Howe"
	for _, c := range []struct{ name, zone, start, rule, want string }{
		{"every hour", berlin, "20270328T010000", "FREQ=HOURLY;COUNT=5", "2800 2801 2802 2803 2804"},
		{"every hour, until a time after the gap", berlin, "20270328T010000", "FREQ=HOURLY;UNTIL=20270328T020000Z", "2800 2801 2802"},
		{"every half hour", berlin, "20270328T013000", "FREQ=MINUTELY;INTERVAL=30;COUNT=4", "2800:30 2801 2801:30 2802"},
		{"every second hour, one of them skipped", berlin, "20270328T000000", "FREQ=HOURLY;INTERVAL=2;COUNT=3", "2723 2801 2802"},
		{"one hour, which is skipped", berlin, "20270327T020000", "FREQ=HOURLY;BYHOUR=2;COUNT=3", "2701 2801 2900"},
		{"two hours of each day", berlin, "20270327T020000", "FREQ=DAILY;BYHOUR=2,3;COUNT=4", "2701 2702 2801 2900"},
		{"a skipped start", berlin, "20270328T023000", "FREQ=HOURLY;COUNT=2", "2801:30 2802:30"},
		{"half an hour is skipped", lordHowe, "20261004T013000", "FREQ=MINUTELY;INTERVAL=15;COUNT=4", "0315 0315:15 0315:30 0315:45"},
		{"a day is skipped", apia, "20111229T230000", "FREQ=HOURLY;COUNT=3", "3009 3010 3011"},
		{"an hour that is repeated", berlin, "20261025T010000", "FREQ=HOURLY;COUNT=4", "2423 2500 2502 2503"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, event("DTSTART;TZID="+c.zone+":"+c.start, "RRULE:"+c.rule))
			list, truncated := o.Instances(time.Time{}, time.Time{}, nil, 100)
			var got []string
			for _, i := range list {
				got = append(got, strings.TrimSuffix(i.StartsAt.Format("0215:04"), ":00"))
			}
			if text := strings.Join(got, " "); text != c.want || truncated {
				t.Errorf("got %s, truncated %t; want %s", text, truncated, c.want)
			}
		})
	}
}
