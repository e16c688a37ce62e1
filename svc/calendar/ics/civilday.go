package ics

import "time"

// civilDay is a day of the Gregorian calendar with the numbers that recurrence
// rules refer to.
type civilDay struct {
	epochDay int64 // days since 1970-01-01
	year     int
	month    int
	dom      int // day of the month
	yday     int // day of the year
	monthLen int
	yearLen  int
}

func civilDayAt(n int64) civilDay {
	t := time.Unix(n*day, 0).UTC()
	year, month, dom := t.Date()
	return civilDay{n, year, int(month), dom, t.YearDay(), monthLen(year, int(month)), yearLen(year)}
}

// next advances d by one day.
func (d *civilDay) next() {
	if d.dom == d.monthLen {
		*d = civilDayAt(d.epochDay + 1)
		return
	}
	d.epochDay++
	d.dom++
	d.yday++
}

func (d *civilDay) weekday() int { return weekday(d.epochDay) }

// weekday returns the day of the week of an epoch day; 0 is Sunday. 1970-01-01
// was a Thursday.
func weekday(n int64) int { return int((n%7 + 11) % 7) }

// week returns the number of d's week in the year that the week belongs to,
// counted from the start of that year (number) and from its end (last), both
// beginning with 1. Weeks begin on start and belong to the year that contains
// at least four of their days (RFC 5545 §3.3.10).
func (d *civilDay) week(start int) (number, last int) {
	fourthDay := d.yday - (d.weekday()-start+7)%7 + 3 // day of the year of the fourth day of the week
	length := d.yearLen
	switch {
	case fourthDay < 1:
		length = yearLen(d.year - 1)
		fourthDay += length
	case fourthDay > length:
		fourthDay -= length
		length = yearLen(d.year + 1)
	}
	return (fourthDay-1)/7 + 1, (length-fourthDay)/7 + 1
}

// daysBefore returns the number of days from 1970-01-01 to the first of a
// month. The month may be less than 1 or greater than 12.
func daysBefore(year, month int) int64 {
	return floorDiv(time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC).Unix(), day)
}

func yearLen(year int) int {
	if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return 366
	}
	return 365
}

func monthLen(year, month int) int {
	switch month {
	case 2:
		return yearLen(year) - 337
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
