package hours

import (
	"errors"
	"strings"
	"time"
)

var monthNames = map[string]time.Month{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// Years that a value may contain.
const (
	minYear = 1900
	maxYear = 9999
)

// dates reads the years, dates and numbers of weeks of a rule.
func (p *parser) dates(s *selector) error {
	for {
		var err error
		switch {
		case p.peekWord() == "week":
			p.acceptWord("week")
			s.weeks, err = readList(p, s.weeks, (*parser).isWeek, (*parser).weekRange)
		case p.isMonth(), p.isDated():
			p.last = date{}
			s.dates, err = readList(p, s.dates, (*parser).isDate, (*parser).dateRange)
		case p.isYear():
			s.years, err = readList(p, s.years, (*parser).isYear, (*parser).yearRange)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readList reads elements with commas between them. A comma that no element follows
// is left.
func readList[E any](p *parser, list []E, isNext func(*parser) bool, read func(*parser) (E, error)) ([]E, error) {
	for {
		e, err := read(p)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		before := p.rest
		if !p.accept(",") {
			return list, nil
		}
		if !isNext(p) {
			p.rest = before
			return list, nil
		}
	}
}

// isWeek reports whether the number of a week is next, not a time.
func (p *parser) isWeek() bool { return p.digits() > 0 && !p.isTime() }

// weekRange reads the number of a week or a range of them.
func (p *parser) weekRange() (r weekRange, err error) {
	r.step = 1
	if r.from, err = p.number(1, 53); err != nil {
		return r, err
	}
	if r.to = r.from; !p.accept("-") {
		return r, nil
	}
	if r.to, err = p.number(r.from, 53); err == nil && p.accept("/") {
		r.step, err = p.number(1, 52)
	}
	return r, err
}

func (p *parser) isMonth() bool {
	_, ok := monthNames[p.peekWord()]
	return ok
}

func (p *parser) isYear() bool { return p.digits() == 4 && !strings.HasPrefix(p.rest[4:], ":") }

// isDated reports whether a year is next that belongs to a date.
func (p *parser) isDated() bool {
	if !p.isYear() {
		return false
	}
	after := parser{rest: p.rest[4:]}
	return after.isMonth()
}

// isDate reports whether a date is next. After a date it may be a day of the same
// month.
func (p *parser) isDate() bool { return p.isMonth() || p.isDated() || p.last.day > 0 && p.isDay() }

// isDay reports whether a day of the month is next.
func (p *parser) isDay() bool {
	n := p.digits()
	return (n == 1 || n == 2) && !p.isTime()
}

// yearRange reads a year or a range of years.
func (p *parser) yearRange() (r yearRange, err error) {
	if r.from, err = p.number(minYear, maxYear); err != nil {
		return r, err
	}
	switch r.to = r.from; {
	case p.accept("+"):
		r.to = maxYear
	case p.accept("-"):
		r.to, err = p.number(r.from, maxYear)
	}
	return r, err
}

// dateRange reads a month, a date or a range of them.
func (p *parser) dateRange() (r dateRange, err error) {
	if p.isDay() {
		r.from = p.last
		r.from.day, err = p.number(1, 31)
	} else {
		r.from, err = p.date(date{})
	}
	if err != nil {
		return r, err
	}
	r.to = r.from
	if before := p.rest; p.accept("-") {
		switch {
		case p.isMonth(), p.isDated():
			r.to, err = p.date(date{year: r.from.year})
		case r.from.day > 0 && p.isDay():
			r.to.day, err = p.number(r.from.day, 31)
		default:
			p.rest = before
			err = errors.New("the end of a range of dates is missing")
		}
		if err != nil {
			return r, err
		}
	}
	p.last = r.to
	if (r.from.year == 0) != (r.to.year == 0) {
		return r, errors.New("a range of dates has one year")
	}
	if r.from.day == 0 {
		r.from.day = 1
	}
	if r.to.day == 0 {
		r.to.day = 31
	}
	if r.from.year > 0 && r.from.number() > r.to.number() {
		return r, errors.New("a range of dates ends before it begins")
	}
	return r, nil
}

// date reads a month or a date. Its year, if absent, is that of d. The day is 0 for a
// month.
func (p *parser) date(d date) (date, error) {
	if p.isDated() {
		year, err := p.number(minYear, maxYear)
		if err != nil {
			return d, err
		}
		d.year = year
	}
	word := p.peekWord()
	month, ok := monthNames[word]
	if !ok {
		return d, errors.New("a month is missing")
	}
	d.month, p.rest = month, p.rest[len(word):]
	if p.isDay() {
		day, err := p.number(1, 31)
		if err != nil {
			return d, err
		}
		d.day = day
	}
	return d, nil
}
