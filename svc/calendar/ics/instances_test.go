package ics

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// formatInstances formats instances one per line: recurrence id, start and end
// as written, and the start as an instant.
func formatInstances(list []Instance) string {
	var b strings.Builder
	for _, i := range list {
		fmt.Fprintf(&b, "%v|%v|%v", i.RecurrenceID, i.Start, i.End)
		if !i.StartsAt.IsZero() {
			b.WriteString(i.StartsAt.Format("|0102T1504Z"))
		}
		if i.Component.RecurrenceID != (Time{}) {
			b.WriteString("|override")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestInstancesInWindow(t *testing.T) {
	const berlin = ";TZID=Europe/Berlin:"
	for _, c := range []struct {
		name, text string
		from, to   string // dates in UTC
		want       []string
	}{
		// Covers T-30.
		{"the local time is kept when the UTC offset changes",
			event("DTSTART"+berlin+"20260318T090000", "DTEND"+berlin+"20260318T100000", "RRULE:FREQ=WEEKLY"),
			"20260318", "20260402", []string{
				"20260318T090000|20260318T090000|20260318T100000|0318T0800Z",
				"20260325T090000|20260325T090000|20260325T100000|0325T0800Z",
				"20260401T090000|20260401T090000|20260401T100000|0401T0700Z"}},
		{"a skipped local time has the offset before the gap",
			event("DTSTART"+berlin+"20260328T023000", "RRULE:FREQ=DAILY"),
			"20260328", "20260331", []string{
				"20260328T023000|20260328T023000||0328T0130Z",
				"20260329T023000|20260329T023000||0329T0130Z",
				"20260330T023000|20260330T023000||0330T0030Z"}},
		{"a local time that occurs twice is the first one",
			event("DTSTART"+berlin+"20261024T023000", "RRULE:FREQ=DAILY;COUNT=3"),
			"20261024", "20261027", []string{
				"20261024T023000|20261024T023000||1024T0030Z",
				"20261025T023000|20261025T023000||1025T0030Z",
				"20261026T023000|20261026T023000||1026T0130Z"}},
		{"the duration from DTEND is exact",
			event("DTSTART"+berlin+"20260327T220000", "DTEND"+berlin+"20260328T060000", "RRULE:FREQ=DAILY;COUNT=2"),
			"20260327", "20260331", []string{
				"20260327T220000|20260327T220000|20260328T060000|0327T2100Z",
				"20260328T220000|20260328T220000|20260329T070000|0328T2100Z"}},
		{"a DURATION of days is nominal",
			event("DTSTART"+berlin+"20260328T220000", "DURATION:P1D"),
			"20260328", "20260331", []string{"|20260328T220000|20260329T220000|0328T2100Z"}},
		{"DTSTART and DTEND in different zones",
			event("DTSTART"+berlin+"20260501T100000", "DTEND;TZID=America/New_York:20260501T123000", "RRULE:FREQ=YEARLY;COUNT=2"),
			"20260501", "20270601", []string{
				"20260501T100000|20260501T100000|20260501T123000|0501T0800Z",
				"20270501T100000|20270501T100000|20270501T123000|0501T0800Z"}},
		{"DATEs",
			event("DTSTART;VALUE=DATE:20260130", "DTEND;VALUE=DATE:20260201", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-2"),
			"20260131", "20260401", []string{
				"20260130|20260130|20260201|0130T0000Z",
				"20260227|20260227|20260301|0227T0000Z",
				"20260330|20260330|20260401|0330T0000Z"}},
		{"a DATE whose DTEND is DTSTART lasts one day",
			event("DTSTART;VALUE=DATE:20260131", "DTEND;VALUE=DATE:20260131"),
			"20260131", "20260201", []string{"|20260131|20260201|0131T0000Z"}},
		// Covers C-17.
		{"the window is half-open",
			event("DTSTART:20260501T000000Z", "DURATION:PT24H", "RRULE:FREQ=DAILY;COUNT=3"),
			"20260502", "20260503", []string{"20260502T000000Z|20260502T000000Z|20260503T000000Z|0502T0000Z"}},
		{"an instance that began before the window",
			event("DTSTART:20260501T180000Z", "DURATION:P5D", "RRULE:FREQ=WEEKLY"),
			"20260505", "20260507", []string{"20260501T180000Z|20260501T180000Z|20260506T180000Z|0501T1800Z"}},
		// Covers T-14.
		{"an EXDATE, and an override that moves an instance into the window",
			events([]string{"UID:1", "DTSTART" + berlin + "20260504T090000", "DTEND" + berlin + "20260504T100000", "RRULE:FREQ=WEEKLY", "EXDATE" + berlin + "20260511T090000"},
				[]string{"UID:1", "RECURRENCE-ID" + berlin + "20260608T090000", "DTSTART" + berlin + "20260512T150000", "DTEND" + berlin + "20260512T160000"}),
			"20260510", "20260520", []string{
				"20260608T090000|20260512T150000|20260512T160000|0512T1300Z|override",
				"20260518T090000|20260518T090000|20260518T100000|0518T0700Z"}},
		{"an override that moves an instance out of the window",
			events([]string{"UID:1", "DTSTART" + berlin + "20260504T090000", "RRULE:FREQ=WEEKLY"},
				[]string{"UID:1", "RECURRENCE-ID:20260511T070000Z", "DTSTART" + berlin + "20260612T150000"}),
			"20260510", "20260520", []string{"20260518T090000|20260518T090000||0518T0700Z"}},
		{"a RECURRENCE-ID that is a DATE",
			events([]string{"UID:1", "DTSTART" + berlin + "20260504T090000", "RRULE:FREQ=DAILY;COUNT=2"},
				[]string{"UID:1", "RECURRENCE-ID;VALUE=DATE:20260505", "DTSTART" + berlin + "20260505T150000"}),
			"20260501", "20260601", []string{
				"20260504T090000|20260504T090000||0504T0700Z",
				"20260505T090000|20260505T150000||0505T1300Z|override"}},
		{"RANGE=THISANDFUTURE",
			events([]string{"UID:1", "DTSTART:20260504T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20260507T090000Z"},
				[]string{"UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260506T090000Z", "DTSTART:20260506T140000Z", "DURATION:PT2H"}),
			"20260505", "20260601", []string{
				"20260505T090000Z|20260505T090000Z|20260505T100000Z|0505T0900Z",
				"20260506T090000Z|20260506T140000Z|20260506T160000Z|0506T1400Z|override",
				"20260508T090000Z|20260508T140000Z|20260508T160000Z|0508T1400Z|override"}},
		{"RANGE=THISANDFUTURE that moves instances by years",
			events([]string{"UID:1", "DTSTART:20260504T090000Z", "RRULE:FREQ=YEARLY;COUNT=3"},
				[]string{"UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20270504T090000Z", "DTSTART:20240504T090000Z"}),
			"20250101", "20260101", []string{"20280504T090000Z|20250505T090000Z||0505T0900Z|override"}},
		{"overrides without a master",
			events([]string{"UID:1", "RECURRENCE-ID:20260511T070000Z", "DTSTART:20260512T070000Z"},
				[]string{"UID:1", "RECURRENCE-ID:20260504T070000Z", "DTSTART:20260504T080000Z"}),
			"20260501", "20260601", []string{
				"20260504T070000Z|20260504T080000Z||0504T0800Z|override",
				"20260511T070000Z|20260512T070000Z||0512T0700Z|override"}},
		{"EXDATEs in other forms than DTSTART",
			event("DTSTART"+berlin+"20260501T090000", "RRULE:FREQ=DAILY;COUNT=6",
				"EXDATE:20260502T070000Z", "EXDATE;VALUE=DATE:20260503", "EXDATE:20260504T090000,20260505T090100"),
			"20260501", "20260601", []string{
				"20260501T090000|20260501T090000||0501T0700Z",
				"20260505T090000|20260505T090000||0505T0700Z",
				"20260506T090000|20260506T090000||0506T0700Z"}},
		{"RDATEs, some with their own duration",
			event("DTSTART:20260501T090000Z", "DTEND:20260501T100000Z", "RRULE:FREQ=WEEKLY;COUNT=2",
				"RDATE:20260503T090000Z,20260501T090000Z", "RDATE;VALUE=PERIOD:20260504T090000Z/PT3H,20260505T090000Z/20260505T093000Z", "RDATE;VALUE=DATE:20260506", "EXDATE:20260508T090000Z"),
			"20260501", "20260601", []string{
				"20260501T090000Z|20260501T090000Z|20260501T100000Z|0501T0900Z",
				"20260503T090000Z|20260503T090000Z|20260503T100000Z|0503T0900Z",
				"20260504T090000Z|20260504T090000Z|20260504T120000Z|0504T0900Z",
				"20260505T090000Z|20260505T090000Z|20260505T093000Z|0505T0900Z",
				"20260506T090000Z|20260506T090000Z|20260506T100000Z|0506T0900Z"}},
		{"RDATEs without a rule",
			event("DTSTART:20260501T090000Z", "RDATE:20260429T090000Z,20260503T090000Z", "EXDATE:20260501T090000Z"),
			"20260101", "20270101", []string{
				"20260429T090000Z|20260429T090000Z||0429T0900Z",
				"20260503T090000Z|20260503T090000Z||0503T0900Z"}},
		{"two RRULEs",
			event("DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3", "RRULE:FREQ=DAILY;INTERVAL=3;COUNT=3"),
			"20260101", "20270101", []string{
				"20260501T090000Z|20260501T090000Z||0501T0900Z",
				"20260503T090000Z|20260503T090000Z||0503T0900Z",
				"20260504T090000Z|20260504T090000Z||0504T0900Z",
				"20260505T090000Z|20260505T090000Z||0505T0900Z",
				"20260507T090000Z|20260507T090000Z||0507T0900Z"}},
		{"a DTSTART that the rule does not match",
			event("DTSTART:20260501T090000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2"),
			"20260101", "20270101", []string{
				"20260501T090000Z|20260501T090000Z||0501T0900Z",
				"20260504T090000Z|20260504T090000Z||0504T0900Z"}},
		{"UNTIL before DTSTART",
			event("DTSTART:20260501T090000Z", "RRULE:FREQ=WEEKLY;UNTIL=20260430T090000Z"),
			"20260101", "20270101", nil},
		{"UNTIL is a DATE, DTSTART a DATE-TIME",
			event("DTSTART:20260501T230000Z", "RRULE:FREQ=DAILY;UNTIL=20260502"),
			"20260101", "20270101", []string{
				"20260501T230000Z|20260501T230000Z||0501T2300Z",
				"20260502T230000Z|20260502T230000Z||0502T2300Z"}},
		{"UNTIL is a DATE-TIME, DTSTART a DATE",
			event("DTSTART:20260501", "RRULE:FREQ=DAILY;UNTIL=20260502T000000Z"),
			"20260101", "20270101", []string{
				"20260501|20260501|20260502|0501T0000Z",
				"20260502|20260502|20260503|0502T0000Z"}},
		{"UNTIL in UTC on another day than in the zone",
			event("DTSTART;TZID=America/New_York:20260501T200000", "RRULE:FREQ=DAILY;UNTIL=20260503T000000Z"),
			"20260101", "20270101", []string{
				"20260501T200000|20260501T200000||0502T0000Z",
				"20260502T200000|20260502T200000||0503T0000Z"}},
		{"UNTIL in a local time that occurs twice",
			event("DTSTART"+berlin+"20261025T020000", "RRULE:FREQ=MINUTELY;INTERVAL=30;UNTIL=20261025T003000Z"),
			"20260101", "20270101", []string{
				"20261025T020000|20261025T020000||1025T0000Z",
				"20261025T023000|20261025T023000||1025T0030Z"}},
		{"UNTIL of a floating series",
			event("DTSTART:20260501T090000", "RRULE:FREQ=DAILY;UNTIL=20260502T090000"),
			"20260101", "20270101", []string{
				"20260501T090000|20260501T090000||0501T0900Z",
				"20260502T090000|20260502T090000||0502T0900Z"}},
		{"BYHOUR is ignored for DATEs",
			event("DTSTART:20260501", "RRULE:FREQ=DAILY;BYHOUR=9,10;COUNT=2"),
			"20260101", "20270101", []string{
				"20260501|20260501|20260502|0501T0000Z",
				"20260502|20260502|20260503|0502T0000Z"}},
		{"a recurring VTODO with DUE only",
			wrap("VTODO", "DUE"+berlin+"20260501T180000", "RRULE:FREQ=WEEKLY"),
			"20260508", "20260509", []string{"20260508T180000||20260508T180000"}},
		{"a VTODO with DTSTART and DUE",
			wrap("VTODO", "DTSTART:20260501T090000Z", "DUE:20260502T090000Z"),
			"20260502", "20260503", []string{"|20260501T090000Z|20260502T090000Z|0501T0900Z"}},
		{"a VTODO without dates overlaps every range",
			wrap("VTODO", "SUMMARY:Someday"), "19800101", "19800102", []string{"||"}},
		{"a VTODO with COMPLETED only",
			wrap("VTODO", "COMPLETED:20260501T090000Z"), "20260502", "20260503", nil},
		{"a VJOURNAL is its day",
			wrap("VJOURNAL", "DTSTART;VALUE=DATE:20260501"), "20260501", "20260502", []string{"|20260501|20260502|0501T0000Z"}},
		{"a VJOURNAL without DTSTART overlaps no range",
			wrap("VJOURNAL", "SUMMARY:x"), "19000101", "21000101", nil},
		{"a VFREEBUSY without DTSTART has one instance per period",
			wrap("VFREEBUSY", "FREEBUSY;FBTYPE=BUSY:20260501T090000Z/PT1H,20260502T090000Z/20260502T100000Z,nonsense", "FREEBUSY:20260503T090000Z/PT1H"),
			"20260502", "20260510", []string{
				"|20260502T090000Z|20260502T100000Z|0502T0900Z",
				"|20260503T090000Z|20260503T100000Z|0503T0900Z"}},
		{"a VFREEBUSY with DTSTART and DTEND has one instance",
			wrap("VFREEBUSY", "DTSTART:20260501T000000Z", "DTEND:20260502T000000Z", "FREEBUSY:20260501T090000Z/PT1H"),
			"20260502", "20260510", []string{"|20260501T000000Z|20260502T000000Z|0501T0000Z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, truncated := mustParse(t, c.text).Instances(atDay(t, c.from), atDay(t, c.to), nil, 100)
			if got, want := formatInstances(list), strings.Join(append(c.want, ""), "\n"); got != want || truncated {
				t.Errorf("got truncated %v:\n%s\nwant:\n%s", truncated, got, want)
			}
		})
	}
}

func atDay(t *testing.T, value string) time.Time {
	t.Helper()
	at, ok := parseTime(value, nil)
	if !ok {
		t.Fatalf("invalid date %q", value)
	}
	return at.Instant(nil)
}

func TestFloatingTimesAreInTheGivenLocation(t *testing.T) {
	tokyo, _ := LoadZone("Asia/Tokyo")
	for text, want := range map[string]time.Time{
		event("DTSTART:20260501T090000"):     time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
		event("DTSTART;VALUE=DATE:20260501"): time.Date(2026, 4, 30, 15, 0, 0, 0, time.UTC),
	} {
		list, _ := mustParse(t, text).Instances(time.Time{}, time.Time{}, tokyo.Location(), 10)
		if len(list) != 1 || !list[0].StartsAt.Equal(want) || list[0].From != want.UnixMilli() {
			t.Errorf("%s\ngot %+v, want one instance at %v", text, list, want)
		}
	}
}

// For any rule and any window, the work is bounded, and an incomplete result is
// reported.
//
// Covers PT-45.
func TestHostileRulesAreBounded(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		from, to   time.Time
		steps      int // maximum number of steps
		truncated  bool
	}{
		{"every second, a year after DTSTART", "FREQ=SECONDLY", utcDay(2027, 1, 1), utcDay(2027, 1, 2), stepBudget, true},
		{"every minute, a year after DTSTART", "FREQ=MINUTELY", utcDay(2027, 1, 1), utcDay(2027, 1, 2), 10_000, true},
		{"no instance, by seconds", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", utcDay(2026, 1, 1), utcDay(2027, 1, 1), 60, false},
		{"no instance, by seconds, without a window", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", time.Time{}, time.Time{}, stepBudget, true},
		{"no instance, by years", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", time.Time{}, time.Time{}, stepBudget, true},
		{"no instance, by hours", "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", time.Time{}, time.Time{}, stepBudget, true},
		{"BYSETPOS selects the last of all seconds of a year", "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=" + joinedNumbers(24) + ";BYMINUTE=" + joinedNumbers(60) + ";BYSECOND=" + joinedNumbers(60) + ";BYSETPOS=-1",
			utcDay(2026, 1, 1), utcDay(2027, 1, 1), 90_000, false},
		{"the maximum COUNT", fmt.Sprintf("FREQ=YEARLY;INTERVAL=1000;COUNT=%d", MaxInstances), time.Time{}, time.Time{}, 20_000, false},
		{"the maximum COUNT, a year after DTSTART", fmt.Sprintf("FREQ=SECONDLY;COUNT=%d", MaxInstances), utcDay(2027, 1, 1), utcDay(2028, 1, 1), stepBudget, true},
		{"the maximum INTERVAL", "FREQ=YEARLY;INTERVAL=999999999", time.Time{}, time.Time{}, 1000, false},
		{"weekly, ten years after DTSTART", "FREQ=WEEKLY", utcDay(2036, 1, 1), utcDay(2036, 2, 1), 100, false},
		{"daily, a thousand years after DTSTART", "FREQ=DAILY;INTERVAL=3", utcDay(3026, 1, 1), utcDay(3026, 2, 1), 100, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, event("DTSTART:20260101T010000Z", "RRULE:"+c.rule))
			b, n := newBudget(), 0
			for range o.instances(rangeSpan(c.from, c.to), nil, b) {
				if n++; n > 1000 {
					break
				}
			}
			if used := stepBudget - b.left; used > c.steps || (b.exhausted || n > 1000) != c.truncated {
				t.Errorf("got %d steps, %d instances, exhausted %v; want at most %d steps, truncated %v", used, n, b.exhausted, c.steps, c.truncated)
			}
		})
	}
}

// joinedNumbers returns "0,1,…,n-1".
func joinedNumbers(n int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(numbersBelow(n))), ","), "[]")
}

func numbersBelow(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func TestInstancesReportTruncation(t *testing.T) {
	o := mustParse(t, event("DTSTART:20260101T010000Z", "RRULE:FREQ=DAILY;COUNT=10"))
	for limit, want := range map[int]bool{0: true, 9: true, 10: false, 11: false} {
		list, truncated := o.Instances(time.Time{}, time.Time{}, nil, limit)
		if len(list) != min(limit, 10) || truncated != want {
			t.Errorf("limit %d: got %d instances, truncated %v; want %d, %v", limit, len(list), truncated, min(limit, 10), want)
		}
	}
}

func TestFindInstanceByRecurrenceID(t *testing.T) {
	o := mustParse(t, events(
		[]string{"UID:1", "DTSTART;TZID=Europe/Berlin:20260504T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", "EXDATE;TZID=Europe/Berlin:20260518T090000"},
		[]string{"UID:1", "RECURRENCE-ID:20260525T070000Z", "DTSTART:20260526T070000Z"}))
	clock := func(value string) Time {
		at, ok := parseTime(value, nil)
		if !ok {
			t.Fatal(value)
		}
		return at
	}
	for id, want := range map[string]string{
		"20260511T090000":  "20260511T090000|20260511T090000|20260511T100000|0511T0700Z\n",
		"20260511T070000Z": "20260511T090000|20260511T090000|20260511T100000|0511T0700Z\n",
		"20260511":         "20260511T090000|20260511T090000|20260511T100000|0511T0700Z\n",
		"20260525T090000":  "20260525T090000|20260526T070000Z||0526T0700Z|override\n",
		"20260518T090000":  "", // excluded by EXDATE
		"20260512T090000":  "", // not in the series
	} {
		got := ""
		if i, ok := o.FindInstance(clock(id), nil); ok {
			got = formatInstances([]Instance{i})
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
	if _, ok := mustParse(t, event("DTSTART:20260504T090000Z")).FindInstance(clock("20260504T090000Z"), nil); ok {
		t.Error("event without recurrence: got an instance, want none")
	}
}

// The bounds contain all instances and are as narrow as possible.
func TestBoundsContainAllInstances(t *testing.T) {
	ms := func(value string) int64 { return atDay(t, value).UnixMilli() }
	for _, c := range []struct {
		name, text string
		from, to   int64
		endless    bool
	}{
		{"a single event", event("DTSTART:20260501T000000Z", "DURATION:PT48H"), ms("20260501"), ms("20260503"), false},
		{"an endless rule", event("DTSTART:20260501T000000Z", "RRULE:FREQ=DAILY"), ms("20260501"), math.MaxInt64, true},
		{"a rule with COUNT", event("DTSTART:20260501", "RRULE:FREQ=DAILY;COUNT=10"), ms("20260501"), ms("20260511"), false},
		{"a rule with UNTIL", event("DTSTART:20260501", "RRULE:FREQ=DAILY;UNTIL=20260510"), ms("20260501"), ms("20260511"), false},
		{"UNTIL before DTSTART", event("DTSTART:20260501", "RRULE:FREQ=DAILY;UNTIL=20260401"), math.MaxInt64, math.MinInt64, false},
		{"RDATEs before and after a rule", event("DTSTART:20260501", "RRULE:FREQ=DAILY;COUNT=2", "RDATE;VALUE=DATE:20260401,20260601"), ms("20260401"), ms("20260602"), false},
		{"overrides before and after a rule", events([]string{"UID:1", "DTSTART:20260501", "RRULE:FREQ=DAILY;COUNT=3"},
			[]string{"UID:1", "RECURRENCE-ID:20260502", "DTSTART:20260401"},
			[]string{"UID:1", "RECURRENCE-ID:20260503", "DTSTART:20260601"}), ms("20260401"), ms("20260602"), false},
		{"RANGE=THISANDFUTURE", events([]string{"UID:1", "DTSTART:20260501", "RRULE:FREQ=DAILY;COUNT=4"},
			[]string{"UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260502", "DTSTART:20260602"}), ms("20260501"), ms("20260605"), false},
		{"an end when the UTC offset changes", event("DTSTART;TZID=Europe/Berlin:20260328T030000", "RRULE:FREQ=DAILY;COUNT=2;BYHOUR=2,3;BYMINUTE=30", "RDATE;TZID=Europe/Berlin:20260329T030000"),
			ms("20260328T010000Z"), ms("20260329T020000Z") + 1, false},
		{"a VTODO without dates", wrap("VTODO"), math.MinInt64, math.MaxInt64, false},
		{"a VJOURNAL without DTSTART", wrap("VJOURNAL"), math.MaxInt64, math.MinInt64, false},
		{"a VFREEBUSY", wrap("VFREEBUSY", "FREEBUSY:20260503T000000Z/PT24H,20260501T000000Z/PT24H"), ms("20260501"), ms("20260504"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to, endless := mustParse(t, c.text).Bounds(nil)
			if from != c.from || to != c.to || endless != c.endless {
				t.Errorf("got %d, %d, %v; want %d, %d, %v", from, to, endless, c.from, c.to, c.endless)
			}
		})
	}
}
