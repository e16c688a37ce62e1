package ics

import "testing"

// A recurrence id from before a move selects the occurrence that is nearest to it, unless the
// occurrence was deleted, the series ends earlier, or two occurrences are equally near.
func TestMovedInstanceIsTheNearestOne(t *testing.T) {
	for _, c := range []struct{ about, lines, id, want string }{
		{"a day later", "DTSTART:20261204T100000\r\nRRULE:FREQ=WEEKLY", "20261210T100000", "20261211T100000"},
		{"a day earlier", "DTSTART:20261202T100000\r\nRRULE:FREQ=WEEKLY", "20261210T100000", "20261209T100000"},
		{"two hours earlier, every day", "DTSTART:20261201T080000\r\nRRULE:FREQ=DAILY", "20261210T100000", "20261210T080000"},
		{"another day of the month", "DTSTART:20260121T100000\r\nRRULE:FREQ=MONTHLY", "20270110T100000", "20270121T100000"},
		{"the last one", "DTSTART:20261204T100000\r\nRRULE:FREQ=WEEKLY;COUNT=2", "20261212T100000", "20261211T100000"},
		{"the first one", "DTSTART:20261208T100000\r\nRRULE:FREQ=WEEKLY;COUNT=2", "20261207T100000", "20261208T100000"},
		{"the only one", "DTSTART:20261208T100000\r\nRRULE:FREQ=WEEKLY;COUNT=1", "20261207T100000", "20261208T100000"},
		{"now all day", "DTSTART;VALUE=DATE:20261208\r\nRRULE:FREQ=WEEKLY", "20261214T100000", "20261215"},
		{"an override", "DTSTART:20261204T100000\r\nRRULE:FREQ=WEEKLY\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:1\r\nRECURRENCE-ID:20261211T100000\r\nDTSTART:20261225T100000", "20261210T100000", "20261211T100000"},
		{"deleted", "DTSTART:20261203T100000\r\nRRULE:FREQ=WEEKLY\r\nEXDATE:20261210T100000", "20261210T100000", ""},
		{"after the end", "DTSTART:20261203T100000\r\nRRULE:FREQ=WEEKLY;UNTIL=20261203T100000", "20261210T100000", ""},
		{"after two dates", "DTSTART:20261203T100000\r\nRRULE:FREQ=WEEKLY;COUNT=2", "20261217T100000", ""},
		{"before the start", "DTSTART:20261217T100000\r\nRRULE:FREQ=WEEKLY", "20261203T100000", ""},
		{"between two dates", "DTSTART:20261203T100000\r\nRRULE:FREQ=WEEKLY;INTERVAL=2", "20261210T100000", ""},
		{"no series", "DTSTART:20261203T100000", "20261210T100000", ""},
		{"a rule without dates", "DTSTART:20260131T100000\r\nRRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2", "20260210T100000", "20260131T100000"},
	} {
		o, err := Parse([]byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-\r\nBEGIN:VEVENT\r\nUID:1\r\n" + c.lines + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
		if err != nil {
			t.Fatalf("%s: %v", c.about, err)
		}
		id, _ := parseTime(c.id, nil)
		i, found := o.MovedInstance(id, nil)
		if got := i.RecurrenceID.String(); found && got != c.want || !found && c.want != "" {
			t.Errorf("%s: got %q, %v, want %q", c.about, got, found, c.want)
		}
	}
}
