package hours

import (
	"slices"
	"time"
)

// date is a day of the Gregorian calendar.
type date struct {
	year  int
	month time.Month
	day   int
}

func dateOf(t time.Time) date {
	year, month, day := t.Date()
	return date{year, month, day}
}

// add returns the date n days after d.
func (d date) add(n int) date { return dateOf(d.at(0, time.UTC).AddDate(0, 0, n)) }

// at returns the time that is minutes after the beginning of the day by the clock.
func (d date) at(minutes int, loc *time.Location) time.Time {
	return time.Date(d.year, d.month, d.day, 0, minutes, 0, 0, loc)
}

// daysInMonth returns the number of days of the month of d.
func (d date) daysInMonth() int { return date{d.year, d.month + 1, 0}.at(0, time.UTC).Day() }

// selector is a set of days: those that match each of its lists that is not empty.
type selector struct {
	years    []yearRange
	dates    []dateRange
	weeks    []weekRange
	weekdays []weekdayRange
}

// yearRange is a range of years, each inclusive.
type yearRange struct{ from, to int }

// dateRange is a range of days. If a bound has no year, the range is repeated each
// year; it contains the turn of the year if from is after to.
type dateRange struct{ from, to date }

// weekRange is a range of numbers of weeks (ISO 8601): each step-th of them.
type weekRange struct{ from, to, step int }

// weekdayRange is a range of weekdays. If nth is not empty, it contains only these
// occurrences in a month; negative numbers count from the end of the month.
type weekdayRange struct {
	from, to time.Weekday
	nth      []int
}

// matches reports whether the set contains d.
func (s selector) matches(d date) bool {
	return matchesAny(s.years, d) && matchesAny(s.dates, d) && matchesAny(s.weeks, d) && matchesAny(s.weekdays, d)
}

// seasonal reports whether the set depends on more than the weekday.
func (s selector) isSeasonal() bool {
	return len(s.years)+len(s.dates)+len(s.weeks) > 0 || slices.ContainsFunc(s.weekdays, func(r weekdayRange) bool { return len(r.nth) > 0 })
}

func matchesAny[R interface{ contains(date) bool }](list []R, d date) bool {
	for _, r := range list {
		if r.contains(d) {
			return true
		}
	}
	return len(list) == 0
}

func (r yearRange) contains(d date) bool { return d.year >= r.from && d.year <= r.to }

func (r dateRange) contains(d date) bool {
	if r.from.year == 0 {
		d.year = 0
	}
	from, to, n := r.from.number(), r.to.number(), d.number()
	if from > to {
		return n >= from || n <= to
	}
	return n >= from && n <= to
}

// number returns a number that orders dates.
func (d date) number() int { return (d.year*16+int(d.month))*32 + d.day }

func (r weekRange) contains(d date) bool {
	_, week := d.at(0, time.UTC).ISOWeek()
	return week >= r.from && week <= r.to && (week-r.from)%r.step == 0
}

func (r weekdayRange) contains(d date) bool {
	weekday := d.at(0, time.UTC).Weekday()
	if (weekday-r.from+7)%7 > (r.to-r.from+7)%7 {
		return false
	}
	for _, n := range r.nth {
		if n == (d.day-1)/7+1 || n == -((d.daysInMonth()-d.day)/7+1) {
			return true
		}
	}
	return len(r.nth) == 0
}
