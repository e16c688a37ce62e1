package ics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRulesOfTheRFC checks the examples of RFC 5545 §3.8.5.3, all in New York
// and at nine o'clock. In want, a month or a year applies to the days after it.
func TestRulesOfTheRFC(t *testing.T) {
	for _, c := range []struct {
		name, start, rule string
		total             int // 0 for a rule without an end
		want              string
	}{
		{"daily for 10 occurrences", "19970902", "FREQ=DAILY;COUNT=10", 10,
			"1997 Sep 2 3 4 5 6 7 8 9 10 11"},
		{"daily until December 24", "19970902", "FREQ=DAILY;UNTIL=19971224T000000Z", 113,
			"1997 Sep 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 Oct 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27"},
		{"every other day", "19970902", "FREQ=DAILY;INTERVAL=2", 0,
			"1997 Sep 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 Oct 2 4 6 8 10"},
		{"every 10 days, 5 occurrences", "19970902", "FREQ=DAILY;INTERVAL=10;COUNT=5", 5,
			"1997 Sep 2 12 22 Oct 2 12"},
		{"every day in January, yearly", "19980101", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", 93,
			"1998 Jan 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 1999 Jan 1 2 3"},
		{"every day in January, daily", "19980101", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", 93,
			"1998 Jan 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 1999 Jan 1 2 3"},
		{"weekly for 10 occurrences", "19970902", "FREQ=WEEKLY;COUNT=10", 10,
			"1997 Sep 2 9 16 23 30 Oct 7 14 21 28 Nov 4"},
		{"weekly until December 24", "19970902", "FREQ=WEEKLY;UNTIL=19971224T000000Z", 17,
			"1997 Sep 2 9 16 23 30 Oct 7 14 21 28 Nov 4 11 18 25 Dec 2 9 16 23"},
		{"every other week", "19970902", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", 0,
			"1997 Sep 2 16 30 Oct 14 28 Nov 11 25 Dec 9 23 1998 Jan 6 20 Feb 3 17"},
		{"weekly on Tuesday and Thursday until a day", "19970902", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", 10,
			"1997 Sep 2 4 9 11 16 18 23 25 30 Oct 2"},
		{"weekly on Tuesday and Thursday, counted", "19970902", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", 10,
			"1997 Sep 2 4 9 11 16 18 23 25 30 Oct 2"},
		{"every other week on three days", "19970901", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", 25,
			"1997 Sep 1 3 5 15 17 19 29 Oct 1 3 13 15 17 27 29 31 Nov 10 12 14 24 26 28 Dec 8 10 12 22"},
		{"every other week on two days", "19970902", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", 8,
			"1997 Sep 2 4 16 18 30 Oct 2 14 16"},
		{"first Friday", "19970905", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", 10,
			"1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5"},
		{"first Friday until December 24", "19970905", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", 4,
			"1997 Sep 5 Oct 3 Nov 7 Dec 5"},
		{"first and last Sunday of every other month", "19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", 10,
			"1997 Sep 7 28 Nov 2 30 1998 Jan 4 25 Mar 1 29 May 3 31"},
		{"second last Monday", "19970922", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", 6,
			"1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16"},
		{"third last day of the month", "19970928", "FREQ=MONTHLY;BYMONTHDAY=-3", 0,
			"1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26"},
		{"the 2nd and 15th", "19970902", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", 10,
			"1997 Sep 2 15 Oct 2 15 Nov 2 15 Dec 2 15 1998 Jan 2 15"},
		{"first and last day of the month", "19970930", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", 10,
			"1997 Sep 30 Oct 1 31 Nov 1 30 Dec 1 31 1998 Jan 1 31 Feb 1"},
		{"the 10th to 15th every 18 months", "19970910", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", 10,
			"1997 Sep 10 11 12 13 14 15 1999 Mar 10 11 12 13"},
		{"every Tuesday of every other month", "19970902", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", 0,
			"1997 Sep 2 9 16 23 30 Nov 4 11 18 25 1998 Jan 6 13 20 27 Mar 3 10 17 24 31"},
		{"yearly in June and July", "19970610", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", 10,
			"1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 2001 Jun 10 Jul 10"},
		{"every other year in January to March", "19970310", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", 10,
			"1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 2003 Jan 10 Feb 10 Mar 10"},
		{"the 1st, 100th and 200th day of every third year", "19970101", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", 10,
			"1997 Jan 1 Apr 10 Jul 19 2000 Jan 1 Apr 9 Jul 18 2003 Jan 1 Apr 10 Jul 19 2006 Jan 1"},
		{"the 20th Monday of the year", "19970519", "FREQ=YEARLY;BYDAY=20MO", 0,
			"1997 May 19 1998 May 18 1999 May 17"},
		{"Monday of week 20", "19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", 0,
			"1997 May 12 1998 May 11 1999 May 17"},
		{"every Thursday in March", "19970313", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", 0,
			"1997 Mar 13 20 27 1998 Mar 5 12 19 26 1999 Mar 4 11 18 25"},
		{"every Thursday in summer", "19970605", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", 0,
			"1997 Jun 5 12 19 26 Jul 3 10 17 24 31 Aug 7 14 21 28 1998 Jun 4 11 18 25 Jul 2 9 16 23 30 Aug 6 13 20 27"},
		{"every Friday the 13th, with a DTSTART that is not one", "19970902", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", 0,
			"1997 Sep 2 1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13"},
		{"the Saturday after the first Sunday", "19970913", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", 0,
			"1997 Sep 13 Oct 11 Nov 8 Dec 13 1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13"},
		{"election day", "19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", 0,
			"1996 Nov 5 2000 Nov 7 2004 Nov 2"},
		{"the third of Tuesday, Wednesday and Thursday", "19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", 3,
			"1997 Sep 4 Oct 7 Nov 6"},
		{"the second last weekday of the month", "19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", 0,
			"1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30"},
		{"weeks that begin on Monday", "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", 4,
			"1997 Aug 5 10 19 24"},
		{"weeks that begin on Sunday", "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", 4,
			"1997 Aug 5 17 19 31"},
		{"a day that does not exist in February", "20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", 5,
			"2007 Jan 15 30 Feb 15 Mar 15 30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := parseWalls(t, c.want)
			got, total := occurrences(t, c.start+"T090000", c.rule, len(want), c.total)
			if !slices.Equal(got, want) {
				t.Errorf("\n got %v\nwant %v", got, want)
			}
			if total != c.total {
				t.Errorf("got %d instances, want %d", total, c.total)
			}
		})
	}
}

// TestSubdailyRulesOfTheRFC checks the examples of RFC 5545 §3.8.5.3 with hours
// and minutes. UNTIL of the first one is corrected as in its erratum.
func TestSubdailyRulesOfTheRFC(t *testing.T) {
	everyTwentyMinutes := "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40"
	clock := "0900 0920 0940 1000 1020 1040 1100 1120 1140 1200 1220 1240 1300 1320 1340 1400 1420 1440 1500 1520 1540 1600 1620 1640 0900 0920"
	for rule, want := range map[string]string{
		"FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z":             "0900 1200 1500",
		"FREQ=MINUTELY;INTERVAL=15;COUNT=6":                         "0900 0915 0930 0945 1000 1015",
		"FREQ=MINUTELY;INTERVAL=90;COUNT=4":                         "0900 1030 1200 1330",
		everyTwentyMinutes:                                          clock,
		"FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16":   clock,
		"FREQ=SECONDLY;INTERVAL=600;BYHOUR=9;BYMINUTE=10,30":        "0900 0910 0930 0910 0930",
		"FREQ=HOURLY;BYHOUR=9,12;BYMINUTE=0,30;BYSETPOS=-1;COUNT=4": "0900 0930 1230 0930",
	} {
		fields := strings.Fields(want)
		got, _ := occurrences(t, "19970902T090000", rule, len(fields), 0)
		var clocks []string
		for _, wall := range got {
			clocks = append(clocks, time.Unix(wall, 0).UTC().Format("1504"))
		}
		if !slices.Equal(clocks, fields) {
			t.Errorf("%s:\n got %v\nwant %v", rule, clocks, fields)
		}
	}
}

// occurrences returns the first n instances, and the number of all instances if
// the rule has an end.
func occurrences(t *testing.T, start, value string, n, end int) (list []int64, total int) {
	t.Helper()
	rule, err := ParseRule(value)
	if err != nil {
		t.Fatal(err)
	}
	zone, ok := LoadZone("America/New_York")
	if !ok {
		t.Fatal("America/New_York not found")
	}
	from, ok := parseTime(start, zone)
	if !ok {
		t.Fatalf("invalid start %q", start)
	}
	plan, b := newRulePlan(rule, from), newBudget()
	for wall := range plan.between(minWall, maxWall, b) {
		if len(list) < n {
			list = append(list, wall)
		} else if end == 0 {
			break
		}
		total++
	}
	if b.exhausted {
		t.Errorf("%s: got an exhausted budget", value)
	}
	if end == 0 {
		total = 0
	}
	return list, total
}

// parseWalls parses "1997 Sep 2 3 Oct 1" as wall clock times at nine o'clock.
func parseWalls(t *testing.T, text string) (walls []int64) {
	t.Helper()
	var year, month string
	for word := range strings.FieldsSeq(text) {
		switch {
		case len(word) == 4:
			year = word
		case word[0] >= 'A':
			month = word
		default:
			at, err := time.Parse("2006 Jan 2 15", fmt.Sprint(year, " ", month, " ", word, " 09"))
			if err != nil {
				t.Fatal(err)
			}
			walls = append(walls, at.Unix())
		}
	}
	return walls
}

func TestParseRuleNormalizes(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"a plain rule", "FREQ=WEEKLY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO"},
		{"lower case, spaces and a trailing semicolon", " freq=weekly ; byday=mo, tu;", "FREQ=WEEKLY;BYDAY=MO,TU"},
		{"lists are sorted without duplicates", "FREQ=MONTHLY;BYMONTHDAY=15,-1,1,15", "FREQ=MONTHLY;BYMONTHDAY=-1,1,15"},
		{"signs in BYDAY", "FREQ=MONTHLY;BYDAY=+1MO,-1SU", "FREQ=MONTHLY;BYDAY=-1SU,1MO"},
		{"X- parts are ignored", "FREQ=DAILY;X-FOO=BAR;COUNT=2", "FREQ=DAILY;COUNT=2"},
		{"RSCALE=GREGORIAN", "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=OMIT", "FREQ=YEARLY"},
		{"UNTIL is a DATE", "FREQ=DAILY;UNTIL=20260101", "FREQ=DAILY;UNTIL=20260101"},
		{"UNTIL is a local time", "FREQ=DAILY;UNTIL=20260101T090000", "FREQ=DAILY;UNTIL=20260101T090000"},
		{"UNTIL is in UTC", "FREQ=DAILY;UNTIL=20260101T090000Z", "FREQ=DAILY;UNTIL=20260101T090000Z"},
		{"no FREQ", "COUNT=3", ""},
		{"an unknown FREQ", "FREQ=FORTNIGHTLY", ""},
		{"SKIP=BACKWARD", "rscale=gregorian;freq=monthly;bymonthday=31;skip=backward", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;BYMONTHDAY=31"},
		{"SKIP without RSCALE", "FREQ=MONTHLY;SKIP=FORWARD", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD"},
		{"another RSCALE is kept as it is", "FREQ=YEARLY; rscale=hebrew;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD", "FREQ=YEARLY; RSCALE=HEBREW;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD"},
		{"X-RSCALE", "FREQ=YEARLY;X-RSCALE=HEBREW", "FREQ=YEARLY"},
		{"two RSCALEs", "RSCALE=GREGORIAN;FREQ=YEARLY;RSCALE=HEBREW", ""},
		{"an empty RSCALE", "RSCALE=;FREQ=YEARLY", ""},
		{"another RSCALE without FREQ", "RSCALE=HEBREW;COUNT=3", ""},
		{"an unknown SKIP", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=NEAREST", ""},
		{"INTERVAL=0", "FREQ=DAILY;INTERVAL=0", ""},
		{"COUNT out of range", "FREQ=DAILY;COUNT=99999999999999999999", ""},
		{"BYMONTH out of range", "FREQ=YEARLY;BYMONTH=13", ""},
		{"a leap month", "FREQ=YEARLY;BYMONTH=5L", ""},
		{"BYMONTHDAY=0", "FREQ=MONTHLY;BYMONTHDAY=0", ""},
		{"an unknown weekday", "FREQ=WEEKLY;BYDAY=XX", ""},
		{"BYDAY out of range", "FREQ=YEARLY;BYDAY=54MO", ""},
		{"an unknown part", "FREQ=YEARLY;BYEASTER=0", ""},
		{"an invalid UNTIL", "FREQ=DAILY;UNTIL=tomorrow", ""},
		{"an empty value", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule, err := ParseRule(c.value)
			got := ""
			if err == nil {
				got = rule.String()
			}
			if got != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// A rule that is formatted and parsed again is the same rule.
func FuzzParseRule(f *testing.F) {
	f.Add("FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU;WKST=SU")
	f.Add("FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU;BYSETPOS=-1;BYWEEKNO=-3;BYYEARDAY=100")
	f.Add("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;BYMONTHDAY=-31")
	f.Add("RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;SKIP=BACKWARD")
	f.Add("freq=secondly;bysecond=60;byminute=5;byhour=0;x-a=b")
	f.Fuzz(func(t *testing.T, value string) {
		rule, err := ParseRule(value)
		if err != nil {
			return
		}
		again, err := ParseRule(rule.String())
		if err != nil {
			t.Fatalf("%q was formatted as %q: %v", value, rule, err)
		}
		if fmt.Sprint(*again) != fmt.Sprint(*rule) {
			t.Errorf("%q: got %+v, want %+v", value, again, rule)
		}
	})
}
