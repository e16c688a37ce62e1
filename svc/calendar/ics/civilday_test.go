package ics

import (
	"testing"
	"time"
)

func TestCivilDaysAgreeWithPackageTime(t *testing.T) {
	begin := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	d := civilDayAt(floorDiv(begin.Unix(), day))
	for at := begin; at.Year() < 2301; at = at.AddDate(0, 0, 1) {
		if d.year != at.Year() || d.month != int(at.Month()) || d.dom != at.Day() || d.yday != at.YearDay() || d.weekday() != int(at.Weekday()) {
			t.Fatalf("got %+v, want %s", d, at)
		}
		if next := at.AddDate(0, 0, 1); (d.dom == d.monthLen) != (next.Day() == 1) || (d.yday == d.yearLen) != (next.YearDay() == 1) {
			t.Fatalf("last day of month or year: got %+v, want %s", d, at)
		}
		d.next()
	}
}

func TestWeeksBelongToTheYearOfTheirFourthDay(t *testing.T) {
	d := civilDayAt(daysBefore(1900, 1))
	for range 401 * 366 {
		at := time.Unix(d.epochDay*day, 0).UTC()
		year, week := at.ISOWeek()
		number, last := d.week(int(time.Monday))
		// December 28 is always in the last week of its year.
		_, weeks := time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
		if number != week || last != weeks-week+1 {
			t.Fatalf("%s: got week %d, %d from the end; want week %d of %d", at, number, last, week, weeks)
		}
		// Weeks with another start belong to the year of their fourth day.
		for start := range 7 {
			n, l := d.week(start)
			fourth := d
			for fourth.weekday() != (start+3)%7 {
				if (fourth.weekday()-start+7)%7 < 3 {
					fourth.next()
				} else {
					fourth = civilDayAt(fourth.epochDay - 1)
				}
			}
			if n != (fourth.yday+6)/7 || l != (fourth.yearLen-fourth.yday)/7+1 {
				t.Fatalf("%s with weeks from weekday %d: got week %d, %d from the end; its fourth day is %+v", at, start, n, l, fourth)
			}
		}
		d.next()
	}
}
