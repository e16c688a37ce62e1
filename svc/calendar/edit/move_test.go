package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/words"
)

// firstStarts returns the starts of the first occurrences of an object, such as "0702" for
// 2 July, followed by the time of day if it is not nine o'clock.
func firstStarts(o *ics.Object, n int) string {
	var list []string
	all, _ := o.Instances(time.Time{}, time.Time{}, berlin.Location(), n)
	for _, i := range all {
		start := i.Start
		if start.IsZero() {
			start = i.End
		}
		text := start.Clock().Format("0102")
		if clock := start.Clock().Format("T1504"); !start.IsDate() && clock != "T0900" {
			text += clock
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// seriesAt returns a series at nine o'clock in Berlin with more lines.
func seriesAt(day string, lines ...string) string {
	return icstest.Event("a", append([]string{"DTSTART;TZID=Europe/Berlin:" + day + "T090000"}, lines...)...)
}

// withOverride adds an override of the occurrence on a day, with its start.
func withOverride(object, day, start string) string {
	return strings.Replace(object, "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID;TZID=Europe/Berlin:"+day+"T090000\r\nDTSTART;TZID=Europe/Berlin:"+
		start+"\r\nDURATION:PT2H\r\nEND:VEVENT\r\nEND:VCALENDAR", 1)
}

// A series that moves keeps its exceptions: each date follows the start. Covers B-114.
func TestMovedSeriesKeepsItsExceptions(t *testing.T) {
	for _, c := range []struct {
		name, object, change string
		rule, starts         string // the first eight
		removed              int
	}{
		{"the tenth", withOverride(seriesAt("20260610", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE;TZID=Europe/Berlin:20260710T090000"), "20260810", "20260811T150000"),
			`{"start": "2026-06-12T09:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=12", "0612 0811T1500 0912 1012 1112 1212 0112 0212", 0},
		{"the tenth, at another time", withOverride(seriesAt("20260610", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE;TZID=Europe/Berlin:20260710T090000"), "20260810", "20260810T090000"),
			`{"start": "2026-06-12T10:30:00"}`, "FREQ=MONTHLY;BYMONTHDAY=12", "0612T1030 0812T1030 0912T1030 1012T1030 1112T1030 1212T1030 0112T1030 0212T1030", 0},
		{"the tenth to the thirty-first", withOverride(seriesAt("20260710", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10;COUNT=5", "EXDATE;TZID=Europe/Berlin:20260810T090000"), "20260910", "20260910T120000"),
			`{"start": "2026-07-31T09:00:00"}`, "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=31", "0731 1031 1231 0131", 1},
		{"the tenth to the next month", seriesAt("20260610", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE;TZID=Europe/Berlin:20260710T090000"),
			`{"start": "2026-07-03T09:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=3", "0703 0903 1003 1103 1203 0103 0203 0303", 0},
		{"the day of the start", seriesAt("20260610", "RRULE:FREQ=MONTHLY", "EXDATE;TZID=Europe/Berlin:20260710T090000"),
			`{"start": "2026-06-12T09:00:00"}`, "FREQ=MONTHLY", "0612 0812 0912 1012 1112 1212 0112 0212", 0},
		{"the last Friday", seriesAt("20260130", "RRULE:FREQ=MONTHLY;BYDAY=-1FR", "EXDATE;TZID=Europe/Berlin:20260227T090000"),
			`{"start": "2026-01-29T09:00:00"}`, "FREQ=MONTHLY;BYDAY=-1TH", "0129 0326 0430 0528 0625 0730 0827 0924", 0},
		{"an occurrence on the last Friday", seriesAt("20260130", "RRULE:FREQ=MONTHLY;BYDAY=-1FR", "EXDATE;TZID=Europe/Berlin:20260227T090000"),
			`{"scope": "all", "recurrence_id": "2026-03-27T09:00:00", "start": "2026-03-31T09:00:00"}`, "FREQ=MONTHLY;BYDAY=-1TU", "0127 0331 0428 0526 0630 0728 0825 0929", 0},
		{"the last day", seriesAt("20260131", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1", "EXDATE;TZID=Europe/Berlin:20260228T090000"),
			`{"start": "2026-01-30T09:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=-2", "0130 0330 0429 0530 0629 0730 0830 0929", 0},
		{"the last day to the first", seriesAt("20260131", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1", "EXDATE;TZID=Europe/Berlin:20260228T090000"),
			`{"start": "2026-02-01T09:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=1", "0201 0401 0501 0601 0701 0801 0901 1001", 0},
		{"a week of the year", seriesAt("20260511", "RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "EXDATE;TZID=Europe/Berlin:20270517T090000"),
			`{"start": "2026-05-20T09:00:00"}`, "FREQ=YEARLY;BYDAY=WE;BYWEEKNO=21", "0520 0524 0523 0522 0521 0519 0525 0524", 0},
		{"a day of a month", seriesAt("20260310", "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10", "EXDATE;TZID=Europe/Berlin:20270310T090000"),
			`{"start": "2026-04-12T09:00:00"}`, "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=12", "0412 0412 0412 0412 0412 0412 0412 0412", 0},
		{"a weekday of several months", seriesAt("20260308", "RRULE:FREQ=YEARLY;BYMONTH=3,12;BYDAY=2SU", "EXDATE;TZID=Europe/Berlin:20261213T090000"),
			`{"start": "2026-04-06T09:00:00"}`, "FREQ=YEARLY;BYDAY=1MO;BYMONTH=1,4", "0406 0405 0103 0403 0101 0402 0107 0401", 0},
		{"a day of the year", seriesAt("20260410", "RRULE:FREQ=YEARLY;BYYEARDAY=100", "EXDATE;TZID=Europe/Berlin:20270410T090000"),
			`{"start": "2026-04-11T09:00:00"}`, "FREQ=YEARLY;BYYEARDAY=101", "0411 0410 0411 0411 0411 0410 0411 0411", 0},
		{"every day", withOverride(seriesAt("20260601", "RRULE:FREQ=DAILY;INTERVAL=2", "EXDATE;TZID=Europe/Berlin:20260603T090000"), "20260605", "20260605T110000"),
			`{"start": "2026-06-02T09:00:00"}`, "FREQ=DAILY;INTERVAL=2", "0602 0605T1100 0608 0610 0612 0614 0616 0618", 0},
		{"two weekdays", seriesAt("20260601", "RRULE:FREQ=WEEKLY;BYDAY=MO,SU", "EXDATE;TZID=Europe/Berlin:20260607T090000"),
			`{"start": "2026-06-02T09:00:00"}`, "FREQ=WEEKLY;BYDAY=MO,TU", "0602 0609 0615 0616 0622 0623 0629 0630", 0},
		{"every second week", seriesAt("20260601", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "EXDATE;TZID=Europe/Berlin:20260607T090000"),
			`{"start": "2026-06-02T09:00:00"}`, "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;WKST=TU", "0602 0616 0622 0630 0706 0714 0720 0728", 0},
		{"a set position, at another time", seriesAt("20260130", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "EXDATE;TZID=Europe/Berlin:20260227T090000"),
			`{"start": "2026-01-30T10:00:00"}`, "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "0130T1000 0331T1000 0430T1000 0529T1000 0630T1000 0731T1000 0831T1000 0930T1000", 0},
		{"an hour of the rule", seriesAt("20260601", "RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "EXDATE;TZID=Europe/Berlin:20260602T090000"),
			`{"start": "2026-06-01T10:30:00"}`, "FREQ=DAILY;BYHOUR=10;BYMINUTE=30", "0601T1030 0603T1030 0604T1030 0605T1030 0606T1030 0607T1030 0608T1030 0609T1030", 0},
		{"an excluded day", seriesAt("20260610", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE;VALUE=DATE:20260710"),
			`{"start": "2026-06-12T09:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=12", "0612 0812 0912 1012 1112 1212 0112 0212", 0},
		{"additional dates", seriesAt("20260610", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "RDATE;TZID=Europe/Berlin:20260620T120000"),
			`{"start": "2026-06-12T10:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=12", "0612T1000 0622T1300 0712T1000 0812T1000 0912T1000 1012T1000 1112T1000 1212T1000", 0},
		{"to whole days", withOverride(seriesAt("20260610", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE;TZID=Europe/Berlin:20260710T090000"), "20260810", "20260810T090000"),
			`{"start": "2026-06-12", "end": "2026-06-13", "all_day": true}`, "FREQ=MONTHLY;BYMONTHDAY=12", "0612 0812 0912 1012 1112 1212 0112 0212", 0},
		{"a later part", seriesAt("20260130", "RRULE:FREQ=MONTHLY;BYDAY=-1FR", "EXDATE;TZID=Europe/Berlin:20260529T090000"),
			`{"scope": "this_and_future", "recurrence_id": "2026-04-24T09:00:00", "start": "2026-04-23T09:00:00"}`, "FREQ=MONTHLY;BYDAY=-2TH", "0423 0618 0723 0820 0917 1022 1119 1224", 0},
		{"another rule", withOverride(seriesAt("20260601", "RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Berlin:20260602T090000", "EXDATE;TZID=Europe/Berlin:20260603T090000"), "20260604", "20260604T120000"),
			`{"rrule": "FREQ=DAILY;INTERVAL=2"}`, "FREQ=DAILY;INTERVAL=2", "0601 0605 0607 0609 0611 0613 0615 0617", 2},
		{"a sooner end", withOverride(seriesAt("20260601", "RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Berlin:20260602T090000"), "20260610", "20260610T120000"),
			`{"rrule": "FREQ=DAILY;COUNT=4"}`, "FREQ=DAILY;COUNT=4", "0601 0603 0604", 1},
		{"a rule and a start that belong together", seriesAt("20260604", "RRULE:FREQ=WEEKLY;BYDAY=TH", "EXDATE;TZID=Europe/Berlin:20260611T090000"),
			`{"start": "2026-06-05T09:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR"}`, "FREQ=WEEKLY;BYDAY=FR", "0605 0619 0626 0703 0710 0717 0724 0731", 0},
		{"a task that is due", icstest.Object("VTODO", "a", "DUE;TZID=Europe/Berlin:20260610T090000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE;TZID=Europe/Berlin:20260710T090000"),
			`{"due": "2026-06-12T09:00:00"}`, "FREQ=MONTHLY;BYMONTHDAY=12", "0612 0812 0912 1012 1112 1212 0112 0212", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustApply(t, icstest.Parse(t, c.object), c.change)
			o := r.Object
			if r.Rest != nil {
				o = r.Rest
			}
			if got := o.Master.Rule().String(); got != c.rule {
				t.Errorf("got the rule %s, want %s", got, c.rule)
			}
			if got := firstStarts(o, 8); got != c.starts && c.starts != "" {
				t.Errorf("got occurrences at %s, want %s\n%s", got, c.starts, o.Raw)
			}
			if r.RemovedExceptions != c.removed {
				t.Errorf("got %d removed exceptions, want %d", r.RemovedExceptions, c.removed)
			}
		})
	}
}

// The last occurrence is not lost when a series moves, whatever the form of UNTIL. Covers
// B-114.
func TestMovedSeriesKeepsItsLastOccurrence(t *testing.T) {
	for _, until := range []string{"20260622", "20260622T070000Z", "20260622T090000", "20260627T235959Z", "20260622T215959Z"} {
		for _, c := range []struct{ change, until, last string }{
			{`{"start": "2026-06-01T09:30:00"}`, "20260622T073000Z", "0622T0930"},
			{`{"start": "2026-06-02T09:00:00"}`, "20260623T070000Z", "0623"},
			{`{"start": "2026-05-31T23:00:00"}`, "20260621T210000Z", "0621T2300"},
			{`{"timezone": "Asia/Tokyo"}`, "20260622T000000Z", "0622"},
			{`{"timezone": null}`, "20260622T090000", "0622"},
			{`{"all_day": true, "start": "2026-06-01", "end": "2026-06-02"}`, "20260622", "0622"},
			{`{"scope": "this_and_future", "recurrence_id": "2026-06-15T09:00:00", "start": "2026-06-15T10:00:00"}`, "20260622T080000Z", "0622T1000"},
			{`{"scope": "this_and_future", "recurrence_id": "2026-06-15T09:00:00", "start": "2026-06-17T09:00:00"}`, "20260624T070000Z", "0624"},
		} {
			t.Run(until+" "+c.change, func(t *testing.T) {
				r := mustApply(t, icstest.Parse(t, seriesAt("20260601", "RRULE:FREQ=WEEKLY;UNTIL="+until)), c.change)
				o := r.Object
				if r.Rest != nil {
					o = r.Rest
				}
				starts := strings.Fields(firstStarts(o, 10))
				if got := starts[len(starts)-1]; got != c.last {
					t.Errorf("got the last occurrence at %s, want %s\n%s", got, c.last, o.Raw)
				}
				if got := o.Master.Rule().Until.String(); got != c.until {
					t.Errorf("got UNTIL=%s, want %s", got, c.until)
				}
			})
		}
	}
}

// A move that the rule can follow in several ways is rejected with rules to choose from, and
// succeeds with each of them. Covers B-114.
func TestAmbiguousMoveOffersRules(t *testing.T) {
	day := func(rule string) string { return seriesAt("20260610", "RRULE:"+rule) } // a Wednesday
	const nextDay = `"start": "2026-06-11T09:00:00"`
	for _, c := range []struct{ name, object, change, labels string }{
		{"BYSETPOS", seriesAt("20260630", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"), `"start": "2026-06-29T09:00:00"`,
			"Every month on the second to last day from Monday to Friday / Every month on day 29 of the month / Every month on the last Monday / Every month on the last day from Monday to Friday"},
		{"several days of the month", day("FREQ=MONTHLY;BYMONTHDAY=10,20"), nextDay,
			"Every month on day 11 and day 20 of the month / Every month on day 11 and day 21 of the month / Every month on day 11 of the month / Every month on the second Thursday / Every month on day 10 and day 20 of the month"},
		{"several positions", day("FREQ=MONTHLY;BYDAY=2WE,4WE"), nextDay, "Every month on the second Thursday and the fourth Wednesday / Every month on the second and the fourth Thursday / Every month on day 11 of the month / Every month on the second Thursday / Every month on the second and the fourth Wednesday"},
		{"weekdays of a month", day("FREQ=MONTHLY;BYDAY=WE"), nextDay, "Every month on Thursday / Every month on day 11 of the month / Every month on the second Thursday / Every month on Wednesday"},
		{"several days of the year", day("FREQ=YEARLY;BYYEARDAY=161,200"), nextDay, "Repeats by a custom rule / Every year on 11 June / Every year on the second Thursday in June / Repeats by a custom rule"},
		{"several weeks of the year", day("FREQ=YEARLY;BYWEEKNO=24,30;BYDAY=WE"), nextDay, "Repeats by a custom rule / Every year on 11 June / Every year on the second Thursday in June / Repeats by a custom rule"},
		{"weekdays of every day", day("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"), nextDay,
			"Every day on Tuesday, Wednesday, Thursday, Friday and Saturday / Every day / Every week on Thursday / Every day on Monday, Tuesday, Wednesday, Thursday and Friday"},
		{"months of every day", day("FREQ=DAILY;BYMONTH=6"), nextDay, "Every day in June / Every day / Every week on Thursday"},
		{"months of every week", day("FREQ=WEEKLY;BYMONTH=6"), nextDay, "Every week in June / Every week on Thursday"},
		{"SKIP", day("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD"), nextDay, "Repeats by a custom rule / Every month on day 11 of the month / Every month on the second Thursday / Repeats by a custom rule"},
		{"another calendar system", day("RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L"), nextDay, "Every year on 11 June / Every year on the second Thursday in June"},
		{"another calendar system, at another time", day("RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L"), `"start": "2026-06-10T10:00:00"`, "Every year on 10 June / Every year on the second Wednesday in June"},
		{"several rules", seriesAt("20260610", "RRULE:FREQ=WEEKLY;BYDAY=WE", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10"), nextDay, "Every week on Thursday / Every week on Wednesday / Every month on day 11 of the month / Every month on the second Thursday / Every month on day 10 of the month"},
		{"EXRULE", seriesAt("20260610", "RRULE:FREQ=WEEKLY;BYDAY=WE", "EXRULE:FREQ=WEEKLY;INTERVAL=2"), nextDay, "Every week on Thursday / Every week on Wednesday"},
		{"THISANDFUTURE", strings.Replace(withOverride(day("FREQ=WEEKLY;BYDAY=WE"), "20260617", "20260617T100000"), "RECURRENCE-ID", "RECURRENCE-ID;RANGE=THISANDFUTURE", 1), nextDay, "Every week on Thursday / Every week on Wednesday"},
		{"several hours", day("FREQ=DAILY;BYHOUR=9,15"), `"start": "2026-06-10T10:00:00"`, "Repeats by a custom rule / Every day / Every week on Wednesday / Repeats by a custom rule"},
		{"hours to whole days", day("FREQ=HOURLY;INTERVAL=6"), `"start": "2026-06-10", "end": "2026-06-11", "all_day": true`, "Every day"},
		{"hours of one day, an hour to the next day", day("FREQ=HOURLY;BYMONTHDAY=10"), `"scope": "all", "recurrence_id": "2026-06-10T23:00:00", "start": "2026-06-11T01:00:00"`, "Repeats by a custom rule / Repeats by a custom rule / Every day / Repeats by a custom rule"},
		{"a start outside the rule", day("FREQ=WEEKLY;BYDAY=MO"), nextDay, "Every week on Tuesday / Every week on Thursday / Every week on Monday"},
		{"a later part", day("FREQ=MONTHLY;BYMONTHDAY=10,20;COUNT=6"), `"scope": "this_and_future", "recurrence_id": "2026-06-20T09:00:00", "start": "2026-06-21T09:00:00"`,
			"Every month on day 10 and day 21 of the month, 5 times / Every month on day 11 and day 21 of the month, 5 times / Every month on day 21 of the month, 5 times / Every month on the third Sunday, 5 times / Every month on day 10 and day 20 of the month, 5 times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, c.object)
			_, err := apply(t, o, "{"+c.change+"}")
			wantCode(t, err, svc.RecurrenceAmbiguous, "rrule")
			var e *svc.Error
			if !errors.As(err, &e) {
				return
			}
			var labels []string
			for _, option := range e.Fields[0].Options {
				labels = append(labels, option.Label)
				if len(option.Next) != 3 {
					t.Errorf("%s: got the next dates %q, want three", option.RRule, option.Next)
				}
				r := mustApply(t, o, fmt.Sprintf("{%s, %q: %q}", c.change, "rrule", option.RRule))
				after := r.Object
				if r.Rest != nil {
					after = r.Rest
				}
				if got, want := after.Master.Rule().String(), strings.TrimPrefix(option.RRule, "RRULE:"); got != want {
					t.Errorf("got the rule %s, want %s", got, want)
				}
			}
			if got := strings.Join(labels, " / "); got != c.labels {
				t.Errorf("got the options %s, want %s", got, c.labels)
			}
			if got := e.In(words.German).Fields[0].Options[0].Label; got == labels[0] {
				t.Errorf("got the option %s in German", got)
			}
		})
	}
}

// The options of an ambiguous move of a later date than the first one say what becomes of that date,
// and name the dates that end. The series keeps its first date if the rule of the option has it.
func TestAmbiguousMoveSaysWhatBecomesOfTheDates(t *testing.T) {
	o := icstest.Parse(t, seriesAt("20270110", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10,20"))
	const change = `"scope": "all", "recurrence_id": "2027-02-20T09:00:00", "start": "2027-02-21T09:00:00"`
	_, err := apply(t, o, "{"+change+"}")
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != svc.RecurrenceAmbiguous {
		t.Fatalf("got the error %v, want %s", err, svc.RecurrenceAmbiguous.Name)
	}
	var got []string
	for _, option := range e.Fields[0].Options {
		after := mustApply(t, o, fmt.Sprintf("{%s, %q: %q}", change, "rrule", option.RRule)).Object
		line := fmt.Sprint(option.RRule, " ", option.MovedFrom, " ", *option.MovedTo, " ", []string(option.Ends), " ", option.Next[0], " ", values(after.Master, "DTSTART"))
		got = append(got, strings.NewReplacer("T09:00:00", "", "T090000", "", "FREQ=MONTHLY;", "").Replace(line))
	}
	want := []string{
		"BYMONTHDAY=10,21 2027-02-20 2027-02-21 [] 2027-01-10 [20270110]",
		"BYMONTHDAY=11,21 2027-02-20 2027-02-21 [] 2027-01-11 [20270111]",
		"BYMONTHDAY=21 2027-02-20 2027-02-21 [2027-01-10 2027-02-10 2027-03-10] 2027-01-21 [20270121]",
		"BYDAY=3SU 2027-02-20 2027-02-21 [2027-01-10 2027-02-10 2027-03-10] 2027-01-17 [20270117]",
		"RRULE:BYMONTHDAY=10,20 2027-02-20 2027-02-20 [] 2027-01-10 [20270110]",
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// If the occurrence that moves the series has a time of its own, or one that ends has, the options of
// the ambiguous move name this time: it is the one that the member sees.
func TestAmbiguousMoveNamesOwnTimesOfOccurrences(t *testing.T) {
	o := icstest.Parse(t, seriesAt("20270110", "RRULE:FREQ=MONTHLY;BYMONTHDAY=10,20"))
	for from, to := range map[string]string{"2027-02-20": "2027-02-23", "2027-02-10": "2027-02-12"} {
		o = mustApply(t, o, fmt.Sprintf(`{"scope": "this", "recurrence_id": "%sT09:00:00", "start": "%sT10:00:00"}`, from, to)).Object
	}
	const change = `"scope": "all", "recurrence_id": "2027-02-20T09:00:00", "start": "2027-02-24T10:00:00"`
	_, err := apply(t, o, "{"+change+"}")
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != svc.RecurrenceAmbiguous {
		t.Fatalf("got the error %v, want %s", err, svc.RecurrenceAmbiguous.Name)
	}
	var ended []string
	for _, option := range e.Fields[0].Options {
		if got, want := fmt.Sprint(option.MovedFrom, " ", *option.MovedTo), "2027-02-23T10:00:00 2027-02-24T10:00:00"; got != want {
			t.Errorf("%s: got the moved date %s, want %s", option.RRule, got, want)
		}
		ended = append(ended, option.Ends...)
		after := mustApply(t, o, fmt.Sprintf("{%s, %q: %q}", change, "rrule", option.RRule)).Object
		moved := after.Overrides[len(after.Overrides)-1]
		if got, want := fmt.Sprint(values(moved, "DTSTART")), "[20270224T100000]"; got != want {
			t.Errorf("%s: got the occurrence at %s, want %s", option.RRule, got, want)
		}
	}
	if !slices.Contains(ended, "2027-02-12T10:00:00") || slices.Contains(ended, "2027-02-10T09:00:00") {
		t.Errorf("got the dates %q that end, want 2027-02-12T10:00:00 and not 2027-02-10T09:00:00", ended)
	}
}
